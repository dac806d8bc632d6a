"""All C++ and CUDA files are laid out as .clang-format says.

    python3 tests/format.py FOLDER
"""
import pathlib
import subprocess
import sys

from clang_tool import SKIP, find_tool

FOLDERS = ["bench", "host", "include", "kernels", "python", "tests"]
ENDINGS = {".cpp", ".hpp", ".cu", ".cuh", ".h"}


def is_laid_out(tool, path):
    """Compares by itself: --dry-run writes a warning for each place, which takes long where there are many."""
    done = subprocess.run([tool, "--style=file", path], capture_output=True)
    return done.returncode == 0 and done.stdout == path.read_bytes()


def main(folder):
    tool, why = find_tool("clang-format")
    if not tool:
        print(why)
        return SKIP
    files = sorted(path for name in FOLDERS for path in (folder / name).rglob("*") if path.suffix in ENDINGS)
    if not files:
        print(f"no C++ files in {folder}")
        return 1
    differing = [str(path.relative_to(folder)) for path in files if not is_laid_out(tool, path)]
    if differing:
        print(f"{len(differing)} of {len(files)} files are laid out in another way; this mends them:\n  {tool} -i {' '.join(differing)}")
        return 1
    print(f"{len(files)} files are laid out as .clang-format says")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
