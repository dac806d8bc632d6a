"""Instructions that move data: mov, loads, stores, address spaces, asynchronous copies, atomics."""
from .text import SIZE, UNSIGNED, PtxError


class MemoryInstructions:


    def op_mov(self, mods, ops):
        t = self.type_of(mods)
        d, a = ops
        if d.startswith('{'):
            ds = self.parts(d)
            n = len(ds)
            w = SIZE[t] // n if t != 'bool' else 0
            u = UNSIGNED[SIZE[t]]
            self.emit('{ %s t_=%s;' % (u, self.read(a, u)))
            for i, x in enumerate(ds):
                if x != '_':
                    self.write(x, UNSIGNED[w], '(%s)(t_>>%d)' % (UNSIGNED[w], 8 * w * i))
            self.emit('}')
        elif a.startswith('{'):
            xs = self.parts(a)
            n = len(xs)
            u = UNSIGNED[SIZE[t]]
            w = SIZE[t] // n
            self.write(d, u, '|'.join('((%s)%s<<%d)' % (u, self.read(x, UNSIGNED[w]), 8 * w * i) for i, x in enumerate(xs)))
        else:
            self.write(d, t, self.read(a, t))

    def access(self, mods):
        vol = any(x in ('volatile', 'relaxed', 'acquire', 'release', 'mmio') for x in mods)
        n = 4 if 'v4' in mods else 2 if 'v2' in mods else 8 if 'v8' in mods else 1
        return vol, n

    def look_at_access(self, space, size, kind):
        """Of `size` bytes at a_; kind 0: read, 1: written."""
        if space in ('global', 'generic', 'shared'):
            self.emit('CHK(a_,%d,%d,%d);' % (size, kind, self.line))

    def op_ld(self, mods, ops):
        sp = self.space(mods)
        t = self.type_of(mods)
        vol, n = self.access(mods)
        a = self.address(ops[1], sp)
        ds = self.parts(ops[0])
        self.emit('{ u64 a_=%s;' % a)
        self.look_at_access(sp, SIZE[t] * n, 0)
        if vol:
            self.emit('SPIN();')
        if vol and SIZE[t] * n == 16:
            self.emit('V16 v_=LDV16(a_);')
            for i, d in enumerate(ds):
                if d != '_':
                    self.write(d, t, '((%s*)&v_)[%d]' % (t, i))
        else:
            for i, d in enumerate(ds):
                self.emit('%s x%d_=%s(%s,a_,%d);' % (t, i, 'LDV' if vol else 'LD', t, i))
            for i, d in enumerate(ds):
                if d != '_':
                    self.write(d, t, 'x%d_' % i)
        self.emit('}')

    op_ldu = op_ld

    def op_st(self, mods, ops):
        sp = self.space(mods)
        t = self.type_of(mods)
        vol, n = self.access(mods)
        a = self.address(ops[0], sp)
        vs = self.parts(ops[1])
        self.emit('{ u64 a_=%s;' % a)
        self.look_at_access(sp, SIZE[t] * n, 1)
        if vol and SIZE[t] * n == 16:
            self.emit('V16 v_;')
            for i, v in enumerate(vs):
                self.emit('((%s*)&v_)[%d]=%s;' % (t, i, self.read(v, t)))
            self.emit('STV16(a_,v_);')
        else:
            for i, v in enumerate(vs):
                self.emit('%s(%s,a_,%d,%s);' % ('STV' if vol else 'ST', t, i, self.read(v, t)))
        self.emit('}')

    def op_cvta(self, mods, ops):
        sp = self.space(mods)
        if sp == 'shared':
            if 'to' in mods:
                self.write(ops[0], 'u64', '%s-(u64)c.shared' % self.read(ops[1], 'u64'))
            else:
                self.write(ops[0], 'u64', '%s+(u64)c.shared' % self.read(ops[1], 'u64'))
        else:
            self.write(ops[0], 'u64', self.read(ops[1], 'u64'))

    def op_isspacep(self, mods, ops):
        sp = self.space(mods)
        a = self.read(ops[1], 'u64')
        ish = '((u64)(%s)-(u64)c.shared<(u64)c.shared_size)' % a
        if sp == 'shared':
            e = ish
        elif sp == 'local':
            e = 'c.is_local(%s)' % a
        elif sp == 'global':
            e = '(!%s && !c.is_local(%s))' % (ish, a)
        else:
            e = 'false'
        self.write(ops[0], 'bool', e)

    def op_prefetch(self, mods, ops):
        pass

    op_prefetchu = op_discard = op_applypriority = op_prefetch

    def op_cp(self, mods, ops):
        if 'async' not in mods or 'bulk' in mods:
            raise PtxError('cp form')
        if 'commit_group' in mods or 'wait_group' in mods or 'wait_all' in mods:
            return
        if 'shared' not in [x.split('::')[0] for x in mods]:
            raise PtxError('cp form')
        n = int(ops[2], 0)
        src = self.read(ops[3], 'u32') if len(ops) > 3 and not ops[3].strip().startswith('%rd') else str(n)
        self.emit(
            '{ u64 d_=%s, s_=%s; u32 n_=%s; CHK(s_,n_,0,%d); memset((void*)d_,0,%d); memcpy((void*)d_,(void*)s_,n_); }'
            % (self.address(ops[0], 'shared'), self.address(ops[1], 'global'), src, self.line, n)
        )

    def op_atom(self, mods, ops, red=False):
        t = self.type_of(mods)
        sp = self.space(mods)
        k = [x for x in mods if x in ('and', 'or', 'xor', 'cas', 'exch', 'add', 'inc', 'dec', 'min', 'max')][0]
        if any(x in ('v2', 'v4', 'f16', 'f16x2', 'bf16') for x in mods):
            raise PtxError('atom form')
        if not red:
            d, rest = ops[0], ops[1:]
        else:
            d, rest = '_', ops
        self.emit('{ u64 a_=%s; CHK(a_,%d,2,%d);' % (self.address(rest[0], sp), SIZE[t], self.line))
        if k == 'cas':
            self.emit('SPIN();')
            e = 'ATOM_cas<%s>(a_,%s,%s)' % (t, self.read(rest[1], t), self.read(rest[2], t))
        else:
            e = 'ATOM_%s<%s>(a_,%s)' % (k, t, self.read(rest[1], t))
        self.write(d, t, e)
        self.emit('}')

    def op_red(self, mods, ops):
        self.op_atom(mods, ops, True)
