"""A PTX module: its variables, with bytes and relocations, and its functions."""
import re

from .text import C_TYPE, SIZE, PtxError, parse_number, parse_variables, split_top, strip_comments


class Var:
    def __init__(self, name, space, size, align, init=None, unsized=False, ext=False, managed=False):
        self.name, self.space, self.size, self.align, self.init, self.unsized, self.ext, self.managed = (
            name,
            space,
            size,
            align,
            init,
            unsized,
            ext,
            managed,
        )


class Func:
    def __init__(self, name, kind, rets, params, body, line, attrs=''):
        self.name, self.kind, self.rets, self.params, self.body, self.line, self.attrs = name, kind, rets, params, body, line, attrs

class Module:
    def __init__(self, text):
        self.text = strip_comments(text)
        self.vars, self.funcs, self.target, self.private = {}, {}, '?', set()  # priv: names without linkage directive
        self.parse()

    def parse(self):
        t, n, i = self.text, len(self.text), 0
        ws = re.compile(r'\s*')
        while True:
            i = ws.match(t, i).end()
            if i >= n:
                break
            m = re.compile(r'\.(version|target|address_size|file|loc)\b[^\n]*').match(t, i)
            if m:
                if m.group(1) == 'target':
                    self.target = m.group(0).split()[1].rstrip(',')
                i = m.end()
                continue
            if t.startswith('.section', i):  # DWARF: skip the block
                j = t.index('{', i)
                i = self.close(j) + 1
                continue
            if t.startswith('.pragma', i) or t.startswith('.alias', i):
                i = t.index(';', i) + 1
                continue
            # gather linkage + header up to ; or {  (an initializer's { is preceded by =)
            j = i
            d = 0
            while True:
                ch = t[j]
                if ch == '"':
                    j = t.index('"', j + 1)
                elif ch == '(':
                    d += 1
                elif ch == ')':
                    d -= 1
                elif ch == ';' and d == 0:
                    break
                elif ch == '{' and d == 0:
                    if '=' in t[i:j]:
                        j = self.close(j)
                    else:
                        break
                j += 1
            hdr = t[i:j]
            line = t.count('\n', 0, i) + 1
            if t[j] == '{':
                k = self.close(j)
                body = t[j + 1 : k]
                bline = t.count('\n', 0, j) + 1
                i = k + 1
            else:
                body = None
                bline = line
                i = j + 1
            self.declare(hdr, body, bline)

    def close(self, j):
        d = 0
        t = self.text
        rx = re.compile(r'[{}"]')
        while True:
            m = rx.search(t, j)
            j = m.start()
            ch = t[j]
            if ch == '"':
                j = t.index('"', j + 1)
            elif ch == '{':
                d += 1
            else:
                d -= 1
                if d == 0:
                    return j
            j += 1

    def declare(self, hdr, body, line):
        ext = linked = False
        h = hdr.strip()
        while True:
            m = re.match(r'\.(extern|visible|weak|common)\b\s*', h)
            if not m:
                break
            linked = True
            if m.group(1) == 'extern':
                ext = True
            h = h[m.end() :]
        m = re.match(r'\.(entry|func)\b\s*(.*)$', h, re.S)
        if m:
            kind, r = m.group(1), m.group(2)
            r = re.sub(r'\.attribute\s*\([^)]*\)', '', r).strip()
            r = re.sub(r'^\.noreturn\s*', '', r)
            rets = []
            if r.startswith('('):
                j = r.index(')')
                rets = self.params(r[1:j])
                r = r[j + 1 :].strip()
            mm = re.match(r'([^\s(]+)\s*', r)
            name = mm.group(1)
            r = r[mm.end() :]
            params = []
            attrs = ''
            if r.startswith('('):
                j = self.match_paren(r)
                params = self.params(r[1:j])
                attrs = r[j + 1 :]
            else:
                attrs = r
            old = self.funcs.get(name)
            if not linked:
                self.private.add(name)
            if old is None or body is not None:
                self.funcs[name] = Func(name, kind, rets, params, body, line, attrs)
            return
        m = re.match(r'\.(global|const|shared|local|tex|surf)\b\s*(.*)$', h, re.S)
        if m:
            for nm, size, al, ty, init, uns in parse_variables(m.group(2)):
                if not linked:
                    self.private.add(nm)
                if ext and nm in self.vars and not self.vars[nm].ext:
                    continue
                self.vars[nm] = Var(nm, m.group(1), size, al, (ty, init), uns, ext, '.managed' in m.group(2).split('=')[0])
            return
        if h:
            raise PtxError('cannot parse module item: ' + h[:120])

    @staticmethod
    def match_paren(r):
        d = 0
        for j, ch in enumerate(r):
            if ch == '(':
                d += 1
            elif ch == ')':
                d -= 1
                if d == 0:
                    return j

    def params(self, txt):
        out = []
        for p in split_top(txt):
            m = re.match(r'\.(param|reg)\s+(.*)$', p, re.S)
            if m.group(1) == 'reg':
                raise PtxError('.reg function parameters are not supported')
            nm, size, al, ty, _, _ = parse_variables(m.group(2))[0]
            out.append((nm, size, al))
        return out

    def init_bytes(self, v):
        ty, init = v.init
        es = SIZE[C_TYPE[ty]]
        data = bytearray(v.size)
        rel = []
        if init:
            flat = init
            if flat.startswith('"'):
                b = flat[1:-1].encode()
                data[: len(b)] = b
            else:
                pos = 0
                for tok in split_top(flat.replace('{', ' ').replace('}', ' ')):
                    nv = parse_number(tok)
                    if nv is None:
                        m = re.match(r'(0x[0-9A-Fa-f]+)\s*\(\s*(?:generic\s*\(\s*)?([^\s()+]+)\s*\)*\s*(?:\+\s*(\d+))?\s*\)*$', tok)
                        m2 = re.match(r'(?:generic\s*\(\s*)?([^\s()+]+)\s*\)?\s*(?:\+\s*(\d+))?$', tok)
                        if m:  # byte-mask form: only emit the relocation for the lowest byte
                            if int(m.group(1), 16) == 0xFF:
                                rel.append((pos, m.group(2), int(m.group(3) or 0)))
                        elif m2:
                            rel.append((pos, m2.group(1), int(m2.group(2) or 0)))
                        else:
                            raise PtxError('initializer ' + tok)
                    else:
                        val = nv[1] & ((1 << (8 * es)) - 1)
                        data[pos : pos + es] = val.to_bytes(es, 'little')
                    pos += es
        return data, rel

    def meta(self):
        o = ['target ' + self.target]
        for v in self.vars.values():
            if v.space in ('global', 'const'):
                if v.ext:
                    continue
                d, rel = self.init_bytes(v)
                o.append(
                    'var %s %s %d %d %s' % (v.name, 'managed' if v.managed else v.space, max(v.size, 1), v.align, bytes(d).rstrip(b'\0').hex() or '-')
                )
                for p, sym, off in rel:
                    o.append('rel %s %d %s %d' % (v.name, p, sym, off))
        for f in self.funcs.values():
            if f.kind == 'entry':
                o.append('entry ' + f.name)
        return '\n'.join(o) + '\n'

def link(text):
    """-rdc: modules joined by the runtime with '//@@module' lines; private names that clash get a suffix"""
    parts = text.split('//@@module\n')
    if len(parts) == 1:
        return Module(text)
    seen = set()
    out = []
    for i, t in enumerate(parts):
        m = Module(t)
        names = set(m.vars) | set(m.funcs)
        for n in sorted(m.private & seen):
            t = re.sub(r'(?<![\w$%])' + re.escape(n) + r'(?![\w$])', lambda _: n + '$m%d' % i, strip_comments(t))
        seen |= names
        out.append(t)
    return Module('\n'.join(out))
