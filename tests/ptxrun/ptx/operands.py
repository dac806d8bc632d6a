"""Operands: registers, special registers, constants, addresses; read as and written from C++ expressions."""
import re

from .text import C_TYPE, SIZE, UNSIGNED, PtxError, is_float, mangle, parse_number

# functions that the host provides (services.cpp)
BUILTINS = {'vprintf', '__assertfail', 'malloc', 'free'}


class Operands:


    def register(self, name):
        r = self.find(name)
        if r is None or r[0] != 'reg':
            raise PtxError('unknown register ' + name)
        return r[1], r[2]

    SPECIAL = {
        '%laneid': 'c.laneid',
        '%warpid': 'c.warpid',
        '%nwarpid': '((c.ntid[0]*c.ntid[1]*c.ntid[2]+31)/32)',
        '%smid': '0u',
        '%nsmid': '1u',
        '%gridid': '0u',
        '%lanemask_eq': '(1u<<c.laneid)',
        '%lanemask_lt': '((1u<<c.laneid)-1u)',
        '%lanemask_le': '((2u<<c.laneid)-1u)',
        '%lanemask_gt': '(~((2u<<c.laneid)-1u))',
        '%lanemask_ge': '(~((1u<<c.laneid)-1u))',
        '%clock': '((u32)__builtin_ia32_rdtsc())',
        '%clock64': '((u64)__builtin_ia32_rdtsc())',
        '%clock_hi': '((u32)(__builtin_ia32_rdtsc()>>32))',
        '%globaltimer': '((u64)__builtin_ia32_rdtsc())',
        '%globaltimer_lo': '((u32)__builtin_ia32_rdtsc())',
        '%dynamic_smem_size': 'c.dyn_size',
        '%total_smem_size': 'c.shared_size',
        'WARP_SZ': '32u',
        '%is_explicit_cluster': '0u',
        '%cluster_ctarank': '0u',
        '%cluster_nctarank': '1u',
    }

    def special(self, a):
        if a in self.SPECIAL:
            return self.SPECIAL[a]
        m = re.match(r'%(tid|ntid|ctaid|nctaid|cluster_ctaid|cluster_nctaid|clusterid|nclusterid)\.([xyz])$', a)
        if m:
            ix = 'xyz'.index(m.group(2))
            k = m.group(1)
            if k == 'cluster_ctaid':
                return '0u'
            if k == 'cluster_nctaid':
                return '1u'
            k = {'clusterid': 'ctaid', 'nclusterid': 'nctaid'}.get(k, k)
            return 'c.%s[%d]' % (k, ix)
        if a.startswith('%envreg'):
            return '0u'
        return None

    def address_of_symbol(self, name):
        """-> (space, expr as u64/offset)"""
        r = self.find(name)
        if r is not None:
            if r[0] == 'mem':
                return 'generic', '(u64)' + r[1]
            if r[0] == 'shared':
                return 'shared', 'SO_' + mangle(r[1].name)
        for p in self.function.params + self.function.rets:
            if p[0] == name:
                return 'param', '(u64)P_' + mangle(name)
        v = self.module.vars.get(name)
        if v is not None:
            self.need_var(v)
            if v.space == 'shared':
                return 'shared', 'SO_' + mangle(v.name)
            return 'global', '(u64)S_' + mangle(name)
        if name in self.module.funcs or name in BUILTINS:
            self.need_func(name)
            return 'func', '(u64)&F_' + mangle(name)
        raise PtxError('unknown symbol ' + name)

    def read(self, a, t):
        """C++ expression of C type t for operand a"""
        a = a.strip()
        if a.startswith('!') and t == 'bool':
            return '(!%s)' % self.read(a[1:], 'bool')
        if a.startswith('-') and parse_number(a) is None:
            return '(%s)(-%s)' % (t, self.read(a[1:], t))
        sp = self.special(a)
        if sp:
            return '(%s)%s' % (t, sp)
        r = self.find(a)
        if r is not None and r[0] == 'reg':
            return self.convert(r[1], r[2], t)
        nv = parse_number(a)
        if nv is not None:
            k, v = nv
            if k == 'f64':
                if t == 'f64':
                    return 'BC<f64>(0x%016xull)' % v
                if t == 'f32':
                    return '(f32)BC<f64>(0x%016xull)' % v
                return '(%s)0x%016xull' % (t, v)
            if k == 'f32':
                if t == 'f32':
                    return 'BC<f32>(0x%08xu)' % v
                if t == 'f64':
                    return '(f64)BC<f32>(0x%08xu)' % v
                return '(%s)0x%08xu' % (t, v)
            if is_float(t):
                return 'BC<%s>((%s)%dll)' % (t, UNSIGNED[SIZE[t]], v) if v == 0 else '(%s)%dll' % (t, v)
            if t == 'bool':
                return 'true' if v else 'false'
            v &= (1 << (8 * SIZE[t])) - 1
            return '(%s)0x%xull' % (t, v)
        m = re.match(r'([^+\s]+)\s*(?:\+\s*(-?\d+))?$', a)
        sp, e = self.address_of_symbol(m.group(1))
        if m.group(2):
            e = '(%s+%s)' % (e, m.group(2))
        return '(%s)(%s)' % (t, e)

    def convert(self, e, have, t):
        if have == t:
            return e
        if is_float(have) or is_float(t):
            if SIZE[have] == SIZE[t]:
                return 'BC<%s>(%s)' % (t, e)
            if is_float(have):
                return '(%s)BC<%s>(%s)' % (t, UNSIGNED[SIZE[have]], e)
            return 'BC<%s>((%s)%s)' % (t, UNSIGNED[SIZE[t]], e)
        return '(%s)%s' % (t, e)

    def write(self, d, t, e):
        """assign expression e (C type t) to register d"""
        d = d.strip()
        if d == '_':
            self.emit('(void)(%s);' % e)
            return
        n, st = self.register(d)
        if st == t:
            self.emit('%s=%s;' % (n, e))
        elif is_float(st) or is_float(t):
            if SIZE[st] == SIZE[t]:
                self.emit('%s=BC<%s>((%s)(%s));' % (n, st, t, e))
            elif is_float(t):
                self.emit('%s=(%s)BC<%s>((%s)(%s));' % (n, st, UNSIGNED[SIZE[t]], t, e))
            else:
                self.emit('%s=BC<%s>((%s)(%s));' % (n, st, UNSIGNED[SIZE[st]], e))
        else:
            self.emit('%s=(%s)(%s)(%s);' % (n, st, t, e))

    def type_of(self, mods):
        for m in reversed(mods):
            if m in C_TYPE:
                return C_TYPE[m]
        raise PtxError('no type')

    def address(self, a, space):
        """'[x+off]' -> C++ u64 host-address expression"""
        a = a.strip()
        if a[0] != '[':
            raise PtxError('address operand ' + a)
        x = a[1:-1].strip()
        m = re.match(r'([^+\s-][^+\s]*)\s*(?:\+\s*(-?\w+))?$', x)
        if not m:
            raise PtxError('address ' + a)
        base, off = m.group(1), m.group(2)
        off = int(off, 0) if off else 0
        r = self.find(base)
        if r is not None and r[0] == 'reg':
            if space == 'shared':
                return '(c.sh((u32)%s+(u32)%d))' % (r[1], off)
            return '((u64)%s+(%dll))' % (r[1], off) if off else '(u64)%s' % r[1]
        nv = parse_number(base)
        if nv:
            e = '(u64)%dll' % nv[1]
            return 'c.sh(%s)' % e if space == 'shared' else e
        sp, e = self.address_of_symbol(base)
        if sp == 'shared':
            return '(c.sh((u32)%s+(u32)%d))' % (e, off)
        return '(%s+(%dll))' % (e, off) if off else e

    def space(self, mods):
        for m in mods:
            k = m.split('::')[0]
            if k in ('param', 'global', 'local', 'shared', 'const'):
                return k
        return 'generic'

    def parts(self, a):
        a = a.strip()
        return [x.strip() for x in a[1:-1].split(',')] if a.startswith('{') else [a]
