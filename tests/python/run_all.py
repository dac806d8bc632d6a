"""All tests of the Python package by one Python, for a package that is installed there; tests/install does it in new environments and on bare systems.

    python3 run_all.py --program ENVIRONMENT/bin/conesweep --source SOURCE
"""
from __future__ import annotations

import pathlib
import subprocess
import sys
import time


def main() -> None:
    """A file of tests passes, or skips what a library is missing for; no file fails."""
    failed = []
    for file in sorted(pathlib.Path(__file__).resolve().parent.glob("*_test.py")):
        began = time.monotonic()
        done = subprocess.run([sys.executable, "-B", file, *sys.argv[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        passed = done.returncode in (0, 77)
        print(done.stdout if not passed else "", f"{file.name}: {'passed' if passed else 'FAILED'} in {time.monotonic() - began:.0f} s", sep="", flush=True)
        failed += [] if passed else [file.name]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
