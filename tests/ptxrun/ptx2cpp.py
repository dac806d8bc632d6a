#!/usr/bin/env python3
"""ptx2cpp: translate one PTX kernel (plus the functions it calls) to C++.

  ptx2cpp.py mod.ptx --meta out.txt          variables and kernels of the module
  ptx2cpp.py mod.ptx --kernel NAME out.cpp   C++ for one .entry
  ptx2cpp.py mod.ptx --counted NAME out.cpp  the same, whose threads note their basic blocks

Every PTX register becomes a C++ local, every label a goto label, every thread a call of the entry function. An IEEE operation
becomes the same operation of C++ (build the output with -ffp-contract=off -fwrapv -fno-strict-aliasing). generated.hpp has the rest.
"""
import os
import sys

from ptx.kernel import translate
from ptx.module import link
from ptx.text import PtxError


def main():
    arguments = sys.argv[1:]
    if len(arguments) < 3 or arguments[1] not in ('--meta', '--kernel', '--counted') or len(arguments) != (3 if arguments[1] == '--meta' else 4):
        sys.exit(__doc__)
    try:
        with open(arguments[0]) as file:
            module = link(file.read())
        text = module.meta() if arguments[1] == '--meta' else translate(module, arguments[2], arguments[1] == '--counted')
        with open(arguments[-1], 'w') as file:
            file.write(text)
    except PtxError as error:
        sys.exit('ptx2cpp: ' + str(error))
    except Exception as error:  # a text we did not foresee: one line, and the whole story with PTXRUN_VERBOSE=1
        if os.environ.get('PTXRUN_VERBOSE'):
            raise
        sys.exit('ptx2cpp: %s: not understood (%s: %s)' % (arguments[0], type(error).__name__, error))


if __name__ == '__main__':
    main()
