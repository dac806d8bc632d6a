"""Control flow, barriers and the instructions of a warp. The numbers given to c.rt->warp and c.rt->bar are the cases of try_warp and rt_bar in threads.cpp."""
from .text import SIZE, UNSIGNED, PtxError, is_signed, mangle


class ControlInstructions:


    def op_bra(self, mods, ops):
        self.emit('goto %s;' % self.label(ops[0]))

    def op_brx(self, mods, ops):
        tl = self.branch_targets[ops[1]]
        self.emit(
            'switch(%s){ %s default: __builtin_unreachable(); }'
            % (self.read(ops[0], 'u32'), ' '.join('case %d: goto %s;' % (i, self.label(l)) for i, l in enumerate(tl)))
        )

    def op_ret(self, mods, ops):
        self.emit('return;')

    def op_exit(self, mods, ops):
        if self.function.kind == 'entry':
            self.emit('return;')
        else:
            self.sync = True
            self.emit('c.rt->exit_thread(c);')

    def op_trap(self, mods, ops):
        self.emit('c.rt->trap(c,%d);' % self.line)

    def op_brkpt(self, mods, ops):
        pass

    op_pmevent = op_brkpt

    def op_call(self, mods, ops):
        rets, args, fn = [], [], None
        for x in ops:
            x = x.strip()
            if x.startswith('('):
                lst = [y.strip() for y in x[1:-1].split(',') if y.strip()]
                if fn is None:
                    rets = lst
                else:
                    args = lst
            elif fn is None:
                fn = x
        ptrs = []
        for a in rets + args:
            r = self.find(a)
            if r is None or r[0] != 'mem':
                raise PtxError('call argument ' + a)
            ptrs.append(r[1])
        r = self.find(fn)
        arr = '{ u8* a_[]={%s};' % ', '.join(ptrs + ['nullptr'])
        if r is not None and r[0] == 'reg':
            self.indirect = True
            self.emit(arr + ' ((void(*)(Ctx&,u8**))%s)(c,a_); }' % r[1])
        else:
            self.need_func(fn)
            self.emit(arr + ' F_%s(c,a_); }' % mangle(fn))

    def op_bar(self, mods, ops):
        self.sync = True
        if 'cluster' in mods:
            raise PtxError('barrier.cluster')
        if 'warp' in mods:
            self.emit('c.rt->warp(c,0,%s,0,0,0);' % self.read(ops[0], 'u32'))
            return
        if 'red' in mods:
            k = 'and' if 'and' in mods else 'or' if 'or' in mods else 'popc'
            neg = ops[-1]
            cnt = self.read(ops[2], 'u32') if len(ops) == 4 else '0u'
            e = 'c.rt->bar(c,%s,%s,%d,%s)' % (self.read(ops[1], 'u32'), cnt, {'and': 1, 'or': 2, 'popc': 3}[k], self.read(neg, 'bool'))
            self.write(ops[0], 'u32' if k == 'popc' else 'bool', '(%s)%s' % ('u32' if k == 'popc' else 'bool', e))
            return
        cnt = self.read(ops[1], 'u32') if len(ops) > 1 else '0u'
        b = self.read(ops[0], 'u32') if ops else '0u'
        self.emit('c.rt->bar(c,%s,%s,%d,false);' % (b, cnt, 4 if 'arrive' in mods else 0))

    op_barrier = op_bar

    def op_membar(self, mods, ops):
        self.emit('__atomic_thread_fence(__ATOMIC_SEQ_CST);')

    op_fence = op_membar

    def op_nanosleep(self, mods, ops):
        self.emit('c.rt->yield(c);')

    def op_griddepcontrol(self, mods, ops):
        pass

    def op_setmaxnreg(self, mods, ops):
        pass

    def op_activemask(self, mods, ops):
        self.write(ops[0], 'u32', '(1u<<c.laneid)')

    def op_vote(self, mods, ops):
        self.sync = True
        if 'sync' not in mods:
            raise PtxError('vote without .sync')
        k = [x for x in mods if x in ('all', 'any', 'uni', 'ballot')][0]
        self.emit(
            '{ u64 r_=c.rt->warp(c,%d,%s,%s,0,0);' % ({'all': 1, 'any': 2, 'uni': 3, 'ballot': 4}[k], self.read(ops[2], 'u32'), self.read(ops[1], 'bool'))
        )
        if k == 'ballot':
            self.write(ops[0], 'u32', '(u32)r_')
        else:
            self.write(ops[0], 'bool', '(bool)r_')
        self.emit('}')

    def op_match(self, mods, ops):
        self.sync = True
        t = self.type_of(mods)
        ds = [x.strip() for x in ops[0].split('|')]
        self.emit('{ u64 r_=c.rt->warp(c,%d,%s,%s,0,0);' % (5 if 'any' in mods else 6, self.read(ops[2], 'u32'), self.read(ops[1], UNSIGNED[SIZE[t]])))
        self.write(ds[0], 'u32', '(u32)r_')
        if len(ds) > 1:
            self.write(ds[1], 'bool', '(bool)(r_!=0)')
        self.emit('}')

    def op_shfl(self, mods, ops):
        self.sync = True
        if 'sync' not in mods:
            raise PtxError('shfl without .sync')
        k = [x for x in mods if x in ('up', 'down', 'bfly', 'idx')][0]
        ds = [x.strip() for x in ops[0].split('|')]
        self.emit(
            '{ u64 r_=c.rt->warp(c,%d,%s,%s,%s,%s);'
            % (
                {'up': 8, 'down': 9, 'bfly': 10, 'idx': 11}[k],
                self.read(ops[4], 'u32'),
                self.read(ops[1], 'u32'),
                self.read(ops[2], 'u32'),
                self.read(ops[3], 'u32'),
            )
        )
        self.write(ds[0], 'u32', '(u32)r_')
        if len(ds) > 1:
            self.write(ds[1], 'bool', '(bool)((r_>>32)&1)')
        self.emit('}')

    def op_redux(self, mods, ops):
        self.sync = True
        t = self.type_of(mods)
        k = [x for x in mods if x in ('add', 'min', 'max', 'and', 'or', 'xor')][0]
        kk = {'add': 16, 'min': 17 if not is_signed(t) else 18, 'max': 19 if not is_signed(t) else 20, 'and': 21, 'or': 22, 'xor': 23}[k]
        self.write(ops[0], 'u32', '(u32)c.rt->warp(c,%d,%s,%s,0,0)' % (kk, self.read(ops[2], 'u32'), self.read(ops[1], 'u32')))
