"""Arithmetic, integer and floating point. An IEEE operation of PTX is the same operation of C++; a directed rounding goes through RND_."""
from .text import SIZE, UNSIGNED, PtxError, is_float, is_signed

# rounding modifier -> mode of <cfenv>; to nearest has no modifier here
ROUNDING = {'rz': 'FE_TOWARDZERO', 'rm': 'FE_DOWNWARD', 'rp': 'FE_UPWARD'}


class ArithmeticInstructions:


    def rounding(self, mods):
        for k in ('rz', 'rm', 'rp'):
            if k in mods:
                return k
        return None

    def flush(self, mods, e, t):
        return 'FTZ(%s)' % e if ('ftz' in mods and t == 'f32') else e

    def saturate(self, mods, e, t):
        return 'SATF(%s)' % e if ('sat' in mods and is_float(t)) else e

    def float_binary(self, mods, ops, t, fmt, name):
        a, b = [self.flush(mods, self.read(x, t), t) for x in ops[1:3]]
        r = self.rounding(mods)
        e = 'RND_%s(%s,%s,%s)' % (name, ROUNDING[r], a, b) if r else fmt % (a, b)
        self.write(ops[0], t, self.saturate(mods, self.flush(mods, e, t), t))

    def op_add(self, mods, ops):
        t = self.type_of(mods)
        if is_float(t):
            return self.float_binary(mods, ops, t, '(%s+%s)', 'add')
        u = UNSIGNED[SIZE[t]]
        if 'cc' in mods:
            self.emit('{ %s a_=%s,b_=%s,r_=a_+b_; cc=r_<a_; ' % (u, self.read(ops[1], u), self.read(ops[2], u)))
            self.write(ops[0], u, 'r_')
            self.emit('}')
            return
        if 'sat' in mods:
            return self.write(ops[0], t, 'SATI((s64)%s+(s64)%s)' % (self.read(ops[1], t), self.read(ops[2], t)))
        self.write(ops[0], u, '(%s)(%s+%s)' % (u, self.read(ops[1], u), self.read(ops[2], u)))

    def op_sub(self, mods, ops):
        t = self.type_of(mods)
        if is_float(t):
            return self.float_binary(mods, ops, t, '(%s-%s)', 'sub')
        u = UNSIGNED[SIZE[t]]
        if 'cc' in mods:
            self.emit('{ %s a_=%s,b_=%s; cc=a_<b_; ' % (u, self.read(ops[1], u), self.read(ops[2], u)))
            self.write(ops[0], u, 'a_-b_')
            self.emit('}')
            return
        if 'sat' in mods:
            return self.write(ops[0], t, 'SATI((s64)%s-(s64)%s)' % (self.read(ops[1], t), self.read(ops[2], t)))
        self.write(ops[0], u, '(%s)(%s-%s)' % (u, self.read(ops[1], u), self.read(ops[2], u)))

    def op_addc(self, mods, ops):
        u = UNSIGNED[SIZE[self.type_of(mods)]]
        self.emit('{ unsigned __int128 x_=(unsigned __int128)%s+%s+cc;' % (self.read(ops[1], u), self.read(ops[2], u)))
        if 'cc' in mods:
            self.emit('cc=(u32)(x_>>%d)&1;' % (8 * SIZE[u]))
        self.write(ops[0], u, '(%s)x_' % u)
        self.emit('}')

    def op_subc(self, mods, ops):
        u = UNSIGNED[SIZE[self.type_of(mods)]]
        self.emit('{ unsigned __int128 x_=(unsigned __int128)%s-%s-cc;' % (self.read(ops[1], u), self.read(ops[2], u)))
        if 'cc' in mods:
            self.emit('cc=(u32)(x_>>%d)&1;' % (8 * SIZE[u]))
        self.write(ops[0], u, '(%s)x_' % u)
        self.emit('}')

    def wide(self, t):
        return {
            1: 's16' if is_signed(t) else 'u16',
            2: 's32' if is_signed(t) else 'u32',
            4: 's64' if is_signed(t) else 'u64',
            8: '__int128' if is_signed(t) else 'unsigned __int128',
        }[SIZE[t]]

    def op_mul(self, mods, ops):
        t = self.type_of(mods)
        if is_float(t):
            return self.float_binary(mods, ops, t, '(%s*%s)', 'mul')
        a, b = self.read(ops[1], t), self.read(ops[2], t)
        w = self.wide(t)
        if 'wide' in mods:
            self.write(ops[0], w, '(%s)%s*(%s)%s' % (w, a, w, b))
        elif 'hi' in mods:
            self.write(ops[0], t, '(%s)(((%s)%s*(%s)%s)>>%d)' % (t, w, a, w, b, 8 * SIZE[t]))
        else:
            u = UNSIGNED[SIZE[t]]
            self.write(ops[0], u, '(%s)((u64)%s*(u64)%s)' % (u, self.read(ops[1], u), self.read(ops[2], u)))

    def op_mul24(self, mods, ops):
        t = self.type_of(mods)
        f = 'SX24' if is_signed(t) else 'ZX24'
        self.write(ops[0], t, '(%s)(((s64)%s(%s)*(s64)%s(%s))%s)' % (t, f, self.read(ops[1], t), f, self.read(ops[2], t), '>>16' if 'hi' in mods else ''))

    def op_mad(self, mods, ops):
        t = self.type_of(mods)
        if is_float(t):
            return self.op_fma(mods, ops)
        a, b = self.read(ops[1], t), self.read(ops[2], t)
        w = self.wide(t)
        if 'wide' in mods:
            return self.write(ops[0], w, '(%s)((%s)%s*(%s)%s+%s)' % (w, w, a, w, b, self.read(ops[3], w)))
        u = UNSIGNED[SIZE[t]]
        prod = '(%s)(((%s)%s*(%s)%s)>>%d)' % (u, w, a, w, b, 8 * SIZE[t]) if 'hi' in mods else '(%s)((u64)%s*(u64)%s)' % (u, a, b)
        if 'cc' in mods:
            self.emit('{ %s p_=%s,q_=%s,r_=p_+q_; cc=r_<p_;' % (u, prod, self.read(ops[3], u)))
            self.write(ops[0], u, 'r_')
            self.emit('}')
        else:
            self.write(ops[0], u, '(%s)(%s+%s)' % (u, prod, self.read(ops[3], u)))

    def op_madc(self, mods, ops):
        t = self.type_of(mods)
        u = UNSIGNED[SIZE[t]]
        w = self.wide(t)
        a, b = self.read(ops[1], t), self.read(ops[2], t)
        prod = '(%s)(((%s)%s*(%s)%s)>>%d)' % (u, w, a, w, b, 8 * SIZE[t]) if 'hi' in mods else '(%s)((u64)%s*(u64)%s)' % (u, a, b)
        self.emit('{ unsigned __int128 x_=(unsigned __int128)%s+%s+cc;' % (prod, self.read(ops[3], u)))
        if 'cc' in mods:
            self.emit('cc=(u32)(x_>>%d)&1;' % (8 * SIZE[u]))
        self.write(ops[0], u, '(%s)x_' % u)
        self.emit('}')

    def op_mad24(self, mods, ops):
        t = self.type_of(mods)
        f = 'SX24' if is_signed(t) else 'ZX24'
        self.write(
            ops[0],
            t,
            '(%s)((((s64)%s(%s)*(s64)%s(%s))%s)+%s)'
            % (t, f, self.read(ops[1], t), f, self.read(ops[2], t), '>>16' if 'hi' in mods else '', self.read(ops[3], t)),
        )

    def op_fma(self, mods, ops):
        t = self.type_of(mods)
        a, b, cx = [self.flush(mods, self.read(x, t), t) for x in ops[1:4]]
        r = self.rounding(mods)
        e = (
            'RND_fma(%s,%s,%s,%s)' % (ROUNDING[r], a, b, cx)
            if r
            else 'FMA(%s,%s,%s)' % (a, b, cx)
        )
        self.write(ops[0], t, self.saturate(mods, self.flush(mods, e, t), t))

    def op_div(self, mods, ops):
        t = self.type_of(mods)
        if is_float(t):
            return self.float_binary(mods, ops, t, '(%s/%s)', 'div')
        self.write(ops[0], t, 'IDIV<%s>(%s,%s)' % (t, self.read(ops[1], t), self.read(ops[2], t)))

    def op_rem(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, 'IREM<%s>(%s,%s)' % (t, self.read(ops[1], t), self.read(ops[2], t)))

    def op_min(self, mods, ops):
        self.smaller_or_larger(mods, ops, 'MIN')

    def op_max(self, mods, ops):
        self.smaller_or_larger(mods, ops, 'MAX')

    def smaller_or_larger(self, mods, ops, f):
        t = self.type_of(mods)
        if 'xorsign' in mods:
            raise PtxError('min/max.xorsign')
        a = [self.flush(mods, self.read(x, t), t) for x in ops[1:]]
        n = 'NAN' if 'NaN' in mods else ''
        e = '%s%s<%s>(%s,%s)' % (f, n, t, a[0], a[1])
        for x in a[2:]:
            e = '%s%s<%s>(%s,%s)' % (f, n, t, e, x)
        self.write(ops[0], t, e)

    def op_abs(self, mods, ops):
        t = self.type_of(mods)
        a = self.flush(mods, self.read(ops[1], t), t)
        self.write(ops[0], t, 'FABS(%s)' % a if is_float(t) else '(%s)(%s<0?-%s:%s)' % (t, a, a, a))

    def op_neg(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, '(%s)(-%s)' % (t, self.flush(mods, self.read(ops[1], t), t)))

    def op_sad(self, mods, ops):
        t = self.type_of(mods)
        self.emit('{ %s a_=%s,b_=%s;' % (t, self.read(ops[1], t), self.read(ops[2], t)))
        self.write(ops[0], t, '(%s)(%s+(a_<b_?b_-a_:a_-b_))' % (t, self.read(ops[3], t)))
        self.emit('}')

    def float_unary(self, mods, ops, fn):
        t = self.type_of(mods)
        self.write(ops[0], t, self.flush(mods, '%s(%s)' % (fn, self.flush(mods, self.read(ops[1], t), t)), t))

    def op_sqrt(self, mods, ops):
        t = self.type_of(mods)
        r = self.rounding(mods)
        if r:
            return self.write(ops[0], t, 'RND_sqrt(%s,%s)' % (ROUNDING[r], self.read(ops[1], t)))
        self.float_unary(mods, ops, 'SQRT')

    def op_rcp(self, mods, ops):
        t = self.type_of(mods)
        r = self.rounding(mods)
        if r:
            return self.write(
                ops[0], t, 'RND_div(%s,(%s)1,%s)' % (ROUNDING[r], t, self.read(ops[1], t))
            )
        if t == 'f64' and 'approx' in mods:
            return self.write(ops[0], t, 'RCPA64(%s)' % self.read(ops[1], t))
        self.float_unary(mods, ops, '(%s)1/' % t)

    def op_rsqrt(self, mods, ops):
        t = self.type_of(mods)
        if t == 'f64':
            return self.write(ops[0], t, '%s(%s)' % ('RSQRTA64' if 'ftz' in mods else 'RSQRT64', self.read(ops[1], t)))
        self.float_unary(mods, ops, '(%s)1/SQRT' % t)

    def op_sin(self, mods, ops):
        self.float_unary(mods, ops, 'sinf')

    def op_cos(self, mods, ops):
        self.float_unary(mods, ops, 'cosf')

    def op_lg2(self, mods, ops):
        self.float_unary(mods, ops, 'log2f')

    def op_ex2(self, mods, ops):
        self.float_unary(mods, ops, 'exp2f')

    def op_tanh(self, mods, ops):
        self.float_unary(mods, ops, 'tanhf')

    def op_copysign(self, mods, ops):
        t = self.type_of(mods)
        self.write(ops[0], t, 'CPS(%s,%s)' % (self.read(ops[2], t), self.read(ops[1], t)))

    def op_testp(self, mods, ops):
        t = self.type_of(mods)
        a = self.read(ops[1], t)
        e = {
            'finite': '__builtin_isfinite(%s)',
            'infinite': '__builtin_isinf(%s)',
            'number': '(!__builtin_isnan(%s))',
            'notanumber': '__builtin_isnan(%s)',
            'normal': '__builtin_isnormal(%s)',
            'subnormal': 'SUBN(%s)',
        }[mods[0]]
        self.write(ops[0], 'bool', e % a)
