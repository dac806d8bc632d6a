"""The command conesweep: the program, which lies in the package where pip installed it."""
import os
import sys
from pathlib import Path


def main() -> None:
    program = str(Path(__file__).parent / "bin" / "conesweep")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
