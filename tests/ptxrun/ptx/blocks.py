"""The counting mode: a function's basic blocks, and where their ways join again."""
import itertools
import re

from .function import FunctionBody

EXIT = -1  # behind a function's last block


class Block:
    """A stretch of instructions that are executed one after the other. A return has a block of its own, without instructions."""

    def __init__(self, function, line):
        self.function, self.line = function, line
        self.instructions = 0
        self.following = []   # blocks, labels of C++, or EXIT
        self.enters = False   # a function's first: it has no instructions, and nobody jumps there
        self.leaves = False   # a function's last


def find_joins(blocks):
    """{block: its immediate post-dominator}, where lanes that go different ways behind it are together again: the first block that all of these ways meet;
    EXIT if that is the function's end, or if they never end. All of one function. After Cooper, Harvey, Kennedy."""
    before = {EXIT: [b for b in blocks if EXIT in b.following]}
    for block in blocks:
        for other in block.following:
            if other != EXIT:
                before.setdefault(other, []).append(block)
    # against all ways, from the end
    order, seen, stack = [], {EXIT}, [(EXIT, iter(before[EXIT]))]
    while stack:
        here, rest = stack[-1]
        step = next((b for b in rest if b not in seen), None)
        if step is None:
            order.append(here)
            stack.pop()
        else:
            seen.add(step)
            stack.append((step, iter(before.get(step, ()))))
    number = {block: k for k, block in enumerate(order)}
    joins, changed = {EXIT: EXIT}, True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            best = None
            for other in block.following:
                if other not in joins:
                    continue
                if best is None:
                    best = other
                while best != other:
                    if number[best] < number[other]:
                        best = joins[best]
                    else:
                        other = joins[other]
            if joins.get(block, block) != best:
                joins[block] = best
                changed = True
    return {block: joins.get(block, EXIT) for block in blocks}


class CountedBody(FunctionBody):
    """A function whose threads note every block they enter, and how many bytes of local memory they touch there."""

    def __init__(self, blocks, *about):
        super().__init__(*about)
        self.all_blocks = blocks   # of the kernel; a block's number is its place
        self.first = len(blocks)
        self.block = None          # the one that instructions go to
        self.falling = []          # blocks that go on to the next one
        self.waiting = []          # labels of the next one
        self.place = {}            # label -> block
        self.ways = []             # where the instruction at hand may jump to

    def own_blocks(self):
        return self.all_blocks[self.first :]

    def run(self):
        self.enter().enters = True
        self.stop([], True)
        super().run()
        if self.block:
            self.stop([], True)
        if self.falling or self.waiting:
            self.leave(self.enter())
        for block in self.own_blocks():
            block.following = [self.place.get(to, to) if isinstance(to, str) else to for to in block.following]
        return self.lines

    def add(self):
        block = Block(self.function.name, self.line)
        self.emit('CNT(%d);' % len(self.all_blocks))
        self.all_blocks.append(block)
        return block

    def enter(self):
        """Opens a block, where all come that wait for the next one."""
        self.number = len(self.all_blocks)
        self.block = block = self.add()
        for other in self.falling:
            other.following.append(block)
        self.place.update((label, block) for label in self.waiting)
        self.falling, self.waiting = [], []
        return block

    def stop(self, ways, falls):
        """The open block goes on along these ways, or falls into the next one."""
        self.block.following += ways
        if falls:
            self.falling.append(self.block)
        self.block = None

    @staticmethod
    def leave(block):
        block.leaves, block.following = True, [EXIT]

    def go_out(self):
        block = self.add()
        self.leave(block)
        self.ways.append(block)

    def put_label(self, name):
        super().put_label(name)
        if self.block:
            self.stop([], True)
        self.waiting.append(self.label(name))

    def statement(self, text):
        if text == '' or text[0] == '.':
            return super().statement(text)
        if self.block is None:
            self.enter()
        self.block.instructions += 1
        self.ways = []
        super().statement(text)
        condition, name = re.match(r'(@!?\s*%?[\w$]+\s+)?(\w+)', text).groups()
        if name in ('bra', 'brx', 'ret', 'exit', 'call', 'trap'):
            self.stop(self.ways, condition or name in ('call', 'trap'))

    def op_bra(self, mods, ops):
        self.ways.append(self.label(ops[0]))
        super().op_bra(mods, ops)

    def op_brx(self, mods, ops):
        self.ways += [self.label(label) for label in self.branch_targets[ops[1]]]
        super().op_brx(mods, ops)

    def op_ret(self, mods, ops):
        self.go_out()
        super().op_ret(mods, ops)

    def op_exit(self, mods, ops):
        self.go_out()
        super().op_exit(mods, ops)

    def look_at_access(self, space, size, kind):
        super().look_at_access(space, size, kind)
        if space in ('local', 'generic'):
            self.emit('LOCAL(%d,%d,%d);' % (self.number, size, kind))


def write_table(blocks):
    """The blocks of a kernel as C++, function after function."""
    number = {block: k for k, block in enumerate(blocks)}
    number[EXIT] = EXIT
    joins = {}
    for _, own in itertools.groupby(blocks, lambda block: block.function):
        joins.update(find_joins(list(own)))
    rows = ['{"%s",%d,%d,%d,%d,%d},' % (b.function, b.line, b.instructions, number[joins[b]], b.enters, b.leaves) for b in blocks]
    return ['extern "C" const BlockFact ptx_blocks[]={', *rows, '};', 'extern "C" const u32 ptx_block_count=%d;' % len(blocks)]
