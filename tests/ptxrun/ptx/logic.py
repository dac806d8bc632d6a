"""Bits, comparisons, selections and conversions."""
from .arithmetic import ROUNDING
from .text import C_TYPE, SIZE, UNSIGNED, PtxError, is_float


class LogicInstructions:


    def logic(self, mods, ops, c):
        t = self.type_of(mods)
        if t == 'bool':
            return self.write(ops[0], t, '(bool)(%s%s%s)' % (self.read(ops[1], t), c, self.read(ops[2], t)))
        self.write(ops[0], t, '(%s)(%s%s%s)' % (t, self.read(ops[1], t), c, self.read(ops[2], t)))

    def op_and(self, mods, ops):
        self.logic(mods, ops, '&')

    def op_or(self, mods, ops):
        self.logic(mods, ops, '|')

    def op_xor(self, mods, ops):
        self.logic(mods, ops, '^')

    def op_not(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, '!%s' % self.read(ops[1], t) if t == 'bool' else '(%s)~%s' % (t, self.read(ops[1], t)))

    def op_cnot(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, '(%s)(%s==0)' % (t, self.read(ops[1], t)))

    def op_shl(self, mods, ops):
        t = UNSIGNED[SIZE[self.type_of(mods)]]
        self.write(ops[0], t, 'SHL<%s>(%s,%s)' % (t, self.read(ops[1], t), self.read(ops[2], 'u32')))

    def op_shr(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, 'SHR<%s>(%s,%s)' % (t, self.read(ops[1], t), self.read(ops[2], 'u32')))

    def op_shf(self, mods, ops):
        self.write(ops[0], 'u32', 'SHF_%s_%s(%s,%s,%s)' % (mods[0], mods[1], self.read(ops[1], 'u32'), self.read(ops[2], 'u32'), self.read(ops[3], 'u32')))

    def op_lop3(self, mods, ops):
        if mods != ['b32']:
            raise PtxError('lop3 form')
        self.write(ops[0], 'u32', 'LOP3(%s,%s,%s,%s)' % tuple(self.read(x, 'u32') for x in ops[1:5]))

    def op_prmt(self, mods, ops):
        if mods != ['b32']:
            raise PtxError('prmt mode')
        self.write(ops[0], 'u32', 'PRMT(%s,%s,%s)' % tuple(self.read(x, 'u32') for x in ops[1:4]))

    def op_bfe(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, 'BFE<%s>(%s,%s,%s)' % (t, self.read(ops[1], t), self.read(ops[2], 'u32'), self.read(ops[3], 'u32')))

    def op_bfi(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, 'BFI<%s>(%s,%s,%s,%s)' % (t, self.read(ops[1], t), self.read(ops[2], t), self.read(ops[3], 'u32'), self.read(ops[4], 'u32')))

    def op_bfind(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], 'u32', 'BFIND<%s>(%s,%s)' % (t, self.read(ops[1], t), 'true' if 'shiftamt' in mods else 'false'))

    def op_brev(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, 'BREV<%s>(%s)' % (t, self.read(ops[1], t)))

    def op_clz(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], 'u32', 'CLZ<%s>(%s)' % (t, self.read(ops[1], t)))

    def op_popc(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], 'u32', '(u32)__builtin_popcountll((u64)%s)' % self.read(ops[1], t))

    def op_dp4a(self, mods, ops):
        self.write(
            ops[0],
            'u32',
            'DP4A<%s,%s>(%s,%s,%s)'
            % (
                's8' if mods[0][0] == 's' else 'u8',
                's8' if mods[1][0] == 's' else 'u8',
                self.read(ops[1], 'u32'),
                self.read(ops[2], 'u32'),
                self.read(ops[3], 'u32'),
            ),
        )

    # --- compare / select
    CMP = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=', 'lo': '<', 'ls': '<=', 'hi': '>', 'hs': '>='}

    def compare(self, mods, a, b, t):
        cm = mods[0]
        if cm in self.CMP:
            return '(%s%s%s)' % (a, self.CMP[cm], b) if not (is_float(t) and cm == 'ne') else '(%s<%s||%s>%s)' % (a, b, a, b)
        if cm == 'num':
            return '(!__builtin_isunordered(%s,%s))' % (a, b)
        if cm == 'nan':
            return '__builtin_isunordered(%s,%s)' % (a, b)
        inv = {
            'equ': '(!(%s<%s||%s>%s))' % (a, b, a, b),
            'neu': '(%s!=%s)' % (a, b),
            'ltu': '(!(%s>=%s))' % (a, b),
            'leu': '(!(%s>%s))' % (a, b),
            'gtu': '(!(%s<=%s))' % (a, b),
            'geu': '(!(%s<%s))' % (a, b),
        }
        return inv[cm]

    def op_setp(self, mods, ops):
        t = self.type_of(mods)
        a, b = [self.flush(mods, self.read(x, t), t) for x in ops[1:3]]
        if len(mods) > 1 and not (mods[0] in self.CMP or mods[0] in ('num', 'nan') or mods[0].endswith('u')):
            raise PtxError('setp')
        if not is_float(t) and mods[0] in ('lo', 'ls', 'hi', 'hs'):
            t2 = UNSIGNED[SIZE[t]]
            a, b = self.read(ops[1], t2), self.read(ops[2], t2)
        e = self.compare(mods, a, b, t)
        bop = [x for x in mods if x in ('and', 'or', 'xor')]
        ds = [x.strip() for x in ops[0].split('|')]
        self.emit('{ bool t_=%s;' % e)
        f = (lambda x: '(bool)(%s%s%s)' % (x, {'and': '&', 'or': '|', 'xor': '^'}[bop[0]], self.read(ops[3], 'bool'))) if bop else (lambda x: x)
        self.emit('bool u_=%s, w_=%s;' % (f('t_'), f('!t_')))
        self.write(ds[0], 'bool', 'u_')
        if len(ds) > 1:
            self.write(ds[1], 'bool', 'w_')
        self.emit('}')

    def op_set(self, mods, ops):
        tys = [x for x in mods if x in C_TYPE]
        dt, t = C_TYPE[tys[0]], C_TYPE[tys[1]]
        a, b = [self.flush(mods, self.read(x, t), t) for x in ops[1:3]]
        e = self.compare(mods, a, b, t)
        bop = [x for x in mods if x in ('and', 'or', 'xor')]
        if bop:
            e = '(bool)(%s%s%s)' % (e, {'and': '&', 'or': '|', 'xor': '^'}[bop[0]], self.read(ops[3], 'bool'))
        self.write(ops[0], dt, '(%s)(%s?%s:0)' % (dt, e, '1.0f' if is_float(dt) else '0xffffffffu'))

    def op_selp(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, '(%s?%s:%s)' % (self.read(ops[3], 'bool'), self.read(ops[1], t), self.read(ops[2], t)))

    def op_slct(self, mods, ops):
        tys = [x for x in mods if x in C_TYPE]
        t, ct = C_TYPE[tys[0]], C_TYPE[tys[1]]
        self.write(ops[0], t, '(%s>=0?%s:%s)' % (self.read(ops[3], ct), self.read(ops[1], t), self.read(ops[2], t)))

    # --- conversion
    def op_cvt(self, mods, ops):
        tys = [x for x in mods if x in C_TYPE]
        if len(tys) < 2 or 'pack' in mods:
            raise PtxError('cvt form (f16/bf16/pack are not supported)')
        d, t = C_TYPE[tys[-2]], C_TYPE[tys[-1]]
        a = self.read(ops[1], t)
        fe = ROUNDING
        a = self.flush(mods, a, t)
        ir = [x for x in mods if x in ('rni', 'rzi', 'rmi', 'rpi')]
        r = self.rounding(mods)
        if is_float(d) and is_float(t):
            e = a
            if ir:
                e = 'R_%s(%s)' % (ir[0], e)
            if d != t:
                e = 'RND_cvt64to32(%s,%s)' % (fe[r], e) if (r and d == 'f32') else '(%s)%s' % (d, e)
            e = self.saturate(mods, self.flush(mods, e, d), d)
        elif is_float(t):
            e = 'F2I<%s>(R_%s(%s))' % (d, ir[0] if ir else 'rzi', a)
        elif is_float(d):
            e = 'RND_i2f<%s>(%s,%s)' % (d, fe[r], a) if r else '(%s)%s' % (d, a)
        elif 'sat' in mods:
            e = 'SATCVT<%s>((__int128)%s)' % (d, a)
        else:
            e = '(%s)%s' % (d, a)
        self.write(ops[0], d, e)
