"""The text of PTX: types, numbers, names, declarations."""
import re
import struct


class PtxError(Exception):
    """What is not understood or not supported; ends the translation with one line."""


# PTX type -> C++ type of generated.hpp
C_TYPE = {'b8': 'u8', 'u8': 'u8', 's8': 's8', 'b16': 'u16', 'u16': 'u16', 's16': 's16', 'b32': 'u32', 'u32': 'u32', 's32': 's32',
          'b64': 'u64', 'u64': 'u64', 's64': 's64', 'f32': 'f32', 'f64': 'f64', 'pred': 'bool'}
# C++ type a register of this PTX type is kept in: integers unsigned
STORE = dict(C_TYPE, s8='u8', s16='u16', s32='u32', s64='u64')
SIZE = {'u8': 1, 's8': 1, 'u16': 2, 's16': 2, 'u32': 4, 's32': 4, 'u64': 8, 's64': 8, 'f32': 4, 'f64': 8, 'bool': 1}
UNSIGNED = {1: 'u8', 2: 'u16', 4: 'u32', 8: 'u64'}  # by size


def is_float(c_type):
    return c_type in ('f32', 'f64')


def is_signed(c_type):
    return c_type[0] == 's'


def mangle(n):
    return re.sub(r'[^A-Za-z0-9_$]', '_', n)

def strip_comments(t):
    t = re.sub(r'/\*.*?\*/', lambda m: '\n' * m.group(0).count('\n'), t, flags=re.S)
    t = re.sub(r'//[^\n]*', '', t)
    return re.sub(r'(?m)^[ \t]*\.(loc|file)\b[^\n]*$', '', t)


def split_top(s, sep=','):
    out, d, cur, q = [], 0, '', False
    for ch in s:
        if ch == '"':
            q = not q
        if not q:
            if ch in '([{':
                d += 1
            elif ch in ')]}':
                d -= 1
        if ch == sep and d == 0 and not q:
            out.append(cur.strip())
            cur = ''
        else:
            cur += ch
    if cur.strip():
        out.append(cur.strip())
    return out

def parse_variables(decl):
    """decl: text after the state space, e.g. '.align 8 .b8 name[16] = {..}' -> list of (name,size,align,type,init,unsized)"""
    init = None
    if '=' in decl:
        decl, init = decl.split('=', 1)
        init = init.strip()
    m = re.search(r'\.align\s+(\d+)', decl)
    align = int(m.group(1)) if m else None
    decl = re.sub(r'\.align\s+\d+', ' ', decl)
    decl = re.sub(r'\.ptr(\s*\.(global|const|shared|local))?', ' ', decl)
    decl = re.sub(r'\.attribute\s*\([^)]*\)', ' ', decl)
    vec = 1
    m = re.search(r'\.v([24])\b', decl)
    if m:
        vec = int(m.group(1))
        decl = decl.replace(m.group(0), ' ')
    m = re.match(r'\s*\.(\w+)\s+(.*)$', decl, re.S)
    if not m:
        raise PtxError('bad declaration: ' + decl)
    ty, rest = m.group(1), m.group(2)
    if ty not in C_TYPE:
        raise PtxError('unsupported type .%s in declaration' % ty)
    esz = SIZE[C_TYPE[ty]] * vec
    res = []
    for nm in split_top(rest):
        mm = re.match(r'([^\[\s]+)\s*((\[[^\]]*\]\s*)*)$', nm.strip())
        name = mm.group(1)
        n = 1
        uns = False
        for d in re.findall(r'\[([^\]]*)\]', mm.group(2)):
            if d.strip() == '':
                uns = True
                n = 0
            else:
                n *= int(d, 0)
        res.append((name, n * esz, align or esz, ty, init, uns))
    return res

def parse_number(tok):
    t = tok.strip().rstrip('U')
    if re.match(r'0[fF][0-9a-fA-F]{8}$', t):
        return ('f32', int(t[2:], 16))
    if re.match(r'0[dD][0-9a-fA-F]{16}$', t):
        return ('f64', int(t[2:], 16))
    if re.match(r'-?0[xX][0-9a-fA-F]+$', t):
        return ('i', int(t, 16))
    if re.match(r'-?0[bB][01]+$', t):
        return ('i', int(t.lower().replace('0b', ''), 2))
    if re.match(r'-?0[0-7]+$', t):
        return ('i', int(t, 8))
    if re.match(r'-?\d+$', t):
        return ('i', int(t))
    if re.match(r'-?\d*\.\d+([eE][-+]?\d+)?$', t):
        return ('f64', struct.unpack('<Q', struct.pack('<d', float(t)))[0])
    return None
