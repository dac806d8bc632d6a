"""One kernel and all it uses as a C++ file: offsets of shared memory, a table of module variables, functions, the entry, and KMeta."""
import math
import re

from .blocks import CountedBody, write_table
from .function import FunctionBody
from .operands import BUILTINS
from .text import PtxError, mangle


def align_up(offset, alignment):
    return (offset + alignment - 1) // alignment * alignment


class KernelFile:
    def __init__(self, module, name, counted):
        self.module = module
        self.blocks = [] if counted else None  # of all functions, where they are counted
        self.bodies = {}        # function name -> its C++ lines, in the order they were met
        self.queue = [name]     # functions still to translate
        self.variables = {}     # name -> Var
        self.builtins = set()
        self.patches = []       # (variable, byte, function): tables of function pointers
        self.needs_fibers = False
        self.out = ['#include "generated.hpp"']

    def function_body(self, name):
        function = self.module.funcs.get(name)
        return function.body if function else None

    # --- what is used
    def need_func(self, name):
        if self.function_body(name) is None:
            if name not in BUILTINS:
                raise PtxError('call of undefined function ' + name)
            self.builtins.add(name)
        elif name not in self.bodies and name not in self.queue:
            self.queue.append(name)

    def need_var(self, variable):
        if variable.name in self.variables:
            return
        self.variables[variable.name] = variable
        if variable.space not in ('global', 'const') or not variable.init or not variable.init[1]:
            return
        # tables: follow pointers to functions and variables
        for position, symbol, _ in self.module.init_bytes(variable)[1]:
            if symbol in self.module.funcs:
                if self.module.funcs[symbol].kind == 'func' and self.function_body(symbol) is not None:
                    self.need_func(symbol)
                    self.patches.append((variable, position, symbol))
            elif symbol in self.module.vars:
                self.need_var(self.module.vars[symbol])

    def translate_bodies(self):
        while self.queue:
            name = self.queue.pop(0)
            self.bodies[name] = None
            about = (self.module, self.module.funcs[name], self.need_func, self.need_var)
            body = FunctionBody(*about) if self.blocks is None else CountedBody(self.blocks, *about)
            self.bodies[name] = body.run()
            self.needs_fibers = self.needs_fibers or body.sync or body.indirect

    # --- what is written
    def write_shared_offsets(self):
        """Static shared variables one after another; all `extern __shared__` ones begin behind them."""
        offset, dynamic, alignment = 0, [], 16
        for variable in self.variables.values():
            if variable.space != 'shared':
                continue
            if variable.unsized or (variable.ext and variable.size == 0):
                dynamic.append(variable)
                alignment = max(alignment, variable.align)
                continue
            offset = align_up(offset, variable.align)
            self.out.append('static const u32 SO_%s=%du;' % (mangle(variable.name), offset))
            offset += variable.size
        begin = align_up(offset, alignment)
        for variable in dynamic:
            self.out.append('static const u32 SO_%s=%du;' % (mangle(variable.name), begin))
        return offset, begin

    def write_variables(self):
        """c.vars is one table a device, filled by ptx_bind; pointers to functions are known only here."""
        outside = [v for v in self.variables.values() if v.space != 'shared']
        for i, variable in enumerate(outside):
            self.out.append('#define S_%s c.vars[%d]' % (mangle(variable.name), i))
        for _, _, symbol in self.patches:
            self.out.append('static void F_%s(Ctx&c,u8**a);' % mangle(symbol))
        self.out.append('extern "C" void ptx_bind(u8*(*look)(void*,const char*),void*h,u8**t){ (void)look;(void)h;(void)t; struct{u8**vars;} c={t};(void)c;')
        for variable in outside:
            self.out.append(' S_%s=look(h,"%s");' % (mangle(variable.name), variable.name))
        for variable, position, symbol in self.patches:
            self.out.append(' *(u64*)(S_%s+%d)=(u64)&F_%s;' % (mangle(variable.name), position, mangle(symbol)))
        self.out.append('}')
        return len(outside)

    def write_function(self, function):
        self.out.append('static void F_%s(Ctx&c,u8**a){ (void)c;(void)a; u32 cc=0;(void)cc;' % mangle(function.name))
        for i, (name, _, _) in enumerate(function.rets + function.params):
            self.out.append('u8* P_%s=a[%d];(void)P_%s;' % (mangle(name), i, mangle(name)))
        self.out += self.bodies[function.name] + ['}']

    def write_entry(self, function):
        """Returns (offset, bytes) of each parameter, and the bytes of all."""
        self.out.append('extern "C" void ptx_kernel(Ctx&c){ u32 cc=0;(void)cc;')
        places, end = [], 0
        for name, size, alignment in function.params:
            begin = align_up(end, alignment)
            places.append((begin, size))
            self.out.append('u8* P_%s=c.param+%d;(void)P_%s;' % (mangle(name), begin, mangle(name)))
            end = begin + size
        self.out += self.bodies[function.name] + ['}']
        return places, end

    def write(self):
        self.translate_bodies()
        static, dynamic = self.write_shared_offsets()
        count = self.write_variables()
        for name in sorted(self.builtins):
            self.out.append('static void F_%s(Ctx&c,u8**a){ c.rt->builtin(c,"%s",a); }' % (mangle(name), name))
        functions = [self.module.funcs[name] for name in self.bodies]
        for function in functions:
            if function.kind == 'func':
                self.out.append('static void F_%s(Ctx&c,u8**a);' % mangle(function.name))
        for function in functions:
            if function.kind == 'func':
                self.write_function(function)
                continue
            places, total = self.write_entry(function)
            self.out.append('static const u32 poff[]={%s 0}, psz[]={%s 0};' % (''.join('%d,' % p[0] for p in places), ''.join('%d,' % p[1] for p in places)))
            limit = re.search(r'\.(?:maxntid|reqntid)\s+([\d,\s]+)', function.attrs)
            threads = math.prod(int(x) for x in limit.group(1).split(',')) if limit else 0
            self.out.append('extern "C" const KMeta ptx_meta={%d,poff,psz,%du,%du,%du,%d,%d,%d};'
                            % (len(places), max(total, 1), static, dynamic, self.needs_fibers, threads, count))
        if self.blocks is not None:
            self.out += write_table(self.blocks)
        return '\n'.join(self.out) + '\n'


def translate(module, name, counted=False):
    if name not in module.funcs or module.funcs[name].body is None:
        raise PtxError('no entry ' + name)
    return KernelFile(module, name, counted).write()
