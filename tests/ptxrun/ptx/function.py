"""The body of one PTX function as C++ lines: every register a local variable, every label a goto label, every scope a scope."""
import re

from .arithmetic import ArithmeticInstructions
from .control import ControlInstructions
from .logic import LogicInstructions
from .memory import MemoryInstructions
from .module import Var
from .operands import Operands
from .text import STORE, PtxError, mangle, parse_variables, split_top


class FunctionBody(Operands, MemoryInstructions, ArithmeticInstructions, LogicInstructions, ControlInstructions):
    def __init__(self, module, function, need_func, need_var):
        self.module, self.function = module, function
        self.need_func, self.need_var = need_func, need_var  # told about every function and variable that is used
        self.lines = []        # C++
        self.scopes = []       # innermost last: {'sym': name -> meaning, 'lab': label -> C++ label}
        self.sync = False      # waits for other threads: needs fibers
        self.indirect = False  # calls through a register
        self.line = function.line  # of the PTX text, for messages


    # --- statements
    def statements(self, body):
        """yield ('{',), ('}',), ('label',name), ('stmt',text,line)"""
        cur = ''
        d = 0
        line = self.function.line
        start = line
        q = False
        for ch in body:
            if ch == '\n':
                line += 1
            if ch == '"':
                q = not q
            if q:
                cur += ch
                continue
            if cur.strip() == '' and d == 0:
                if ch == '{':
                    yield ('{', None, line)
                    cur = ''
                    continue
                if ch == '}':
                    yield ('}', None, line)
                    cur = ''
                    continue
                if not ch.isspace():
                    start = line
            if ch == '{':
                d += 1
            elif ch == '}':
                d -= 1
            if ch == ';' and d == 0:
                yield ('stmt', cur.strip(), start)
                cur = ''
                continue
            if ch == ':' and d == 0 and re.match(r'\s*[A-Za-z_$%][\w$]*\s*$', cur):
                yield ('label', cur.strip(), line)
                cur = ''
                continue
            cur += ch

    def find(self, name):
        for sc in reversed(self.scopes):
            if name in sc['sym']:
                return sc['sym'][name]
        return None

    def label(self, name):
        for sc in reversed(self.scopes):
            if name in sc['lab']:
                return sc['lab'][name]
        raise PtxError('label ' + name)

    def run(self):
        items = list(self.statements(self.function.body))
        # pass 1: labels per scope
        labs = [{}]
        stack = [0]
        for k in items:
            if k[0] == '{':
                labs.append({})
                stack.append(len(labs) - 1)
            elif k[0] == '}':
                stack.pop()
            elif k[0] == 'label':
                labs[stack[-1]][k[1]] = 'L%d_%s' % (stack[-1], mangle(k[1]))
        used = set(re.findall(r'%[\w$]+', self.function.body))
        self.used = used
        nsc = 0
        self.scopes = [{'sym': {}, 'lab': labs[0]}]
        self.branch_targets = {}
        for n, (k, txt, line) in enumerate(items):  # branch target tables
            if k == 'stmt' and txt.startswith('.branchtargets') and n and items[n - 1][0] == 'label':
                self.branch_targets[items[n - 1][1]] = split_top(txt[len('.branchtargets') :])
        for k, txt, line in items:
            self.line = line
            if k == '{':
                nsc += 1
                self.scopes.append({'sym': {}, 'lab': labs[nsc]})
                self.lines.append('{')
            elif k == '}':
                self.scopes.pop()
                self.lines.append('}')
            elif k == 'label':
                self.put_label(txt)
            else:
                try:
                    self.statement(txt)
                except PtxError as e:
                    raise PtxError('%s (PTX line %d: %s)' % (e, line, txt[:150]))
                except (IndexError, KeyError, TypeError, ValueError) as e:
                    raise PtxError('%s %s (PTX line %d: %s)' % (type(e).__name__, e, line, txt[:150]))
        return self.lines

    def emit(self, x):
        self.lines.append(x)

    def put_label(self, name):
        self.emit(self.scopes[-1]['lab'][name] + ':;')

    def statement(self, t):
        if t == '':
            return
        if t[0] == '.':
            return self.directive(t)
        g = ''
        m = re.match(r'@(!?)\s*(%?[\w$]+)\s+(.*)$', t, re.S)
        if m:
            g = 'if(%s%s) ' % (m.group(1), self.register(m.group(2))[0])
            t = m.group(3)
        m = re.match(r'([A-Za-z][\w.:]*)\s*(.*)$', t, re.S)
        op, rest = m.group(1), m.group(2)
        ops = split_top(rest)
        n0 = len(self.lines)
        parts = re.split(r'\.', op)
        h = getattr(self, 'op_' + parts[0], None)
        if h is None:
            raise PtxError('unsupported opcode ' + op)
        h(parts[1:], ops)
        if g:
            body = self.lines[n0:]
            del self.lines[n0:]
            self.lines.append(g + '{ ' + ' '.join(body) + ' }')

    def directive(self, t):
        m = re.match(r'\.reg\s+\.(\w+)\s+(.*)$', t, re.S)
        if m:
            ty, names = m.groups()
            if ty in ('v2', 'v4'):
                raise PtxError('vector registers')
            if ty not in STORE:
                raise PtxError('unsupported register type .' + ty)
            st = STORE[ty]
            lst = []
            for nm in split_top(names):
                mm = re.match(r'([^<\s]+)<(\d+)>$', nm)
                if mm:
                    for i in range(int(mm.group(2))):
                        r = mm.group(1) + str(i)
                        if r in self.used:
                            lst.append(r)
                else:
                    lst.append(nm)
            for r in lst:
                self.scopes[-1]['sym'][r] = ('reg', 'R_' + mangle(r.lstrip('%')), st)
            init = '=0' if len(self.scopes) == 1 else ''
            for i in range(0, len(lst), 16):
                self.emit(st + ' ' + ', '.join('R_' + mangle(r.lstrip('%')) + init for r in lst[i : i + 16]) + ';')
            return
        m = re.match(r'\.(local|shared|param)\s+(.*)$', t, re.S)
        if m:
            for nm, size, al, ty, init, uns in parse_variables(m.group(2)):
                if m.group(1) == 'shared':
                    v = Var(self.function.name + '::' + nm, 'shared', size, al, None, uns)
                    self.need_var(v)
                    self.scopes[-1]['sym'][nm] = ('shared', v)
                else:
                    c = ('L_' if m.group(1) == 'local' else 'P_') + mangle(nm)
                    self.scopes[-1]['sym'][nm] = ('mem', c)
                    self.emit('alignas(%d) u8 %s[%d];' % (max(al, 8), c, max(size, 1)))
            return
        if re.match(r'\.(pragma|loc|file|branchtargets|callprototype|maxn|minn|reqn|align)', t):
            return
        raise PtxError('unsupported directive')
