"""clang-tidy finds nothing in the program and its headers (.clang-tidy says what it looks for). Only with CONESWEEP_ALL: it takes minutes.

    CONESWEEP_ALL=1 python3 tests/tidy.py FOLDER BUILD [FILE…]
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from clang_tool import SKIP, find_tool

FOLDERS = ["host", "kernels"]  # include/ comes with them


def look(tool, commands, path):
    """What clang-tidy says about one file, or nothing."""
    done = subprocess.run([tool, "-p", commands, "--quiet", "--warnings-as-errors=*", path], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{done.stdout or done.stderr}\n"


def main(folder, build, names):
    if not os.environ.get("CONESWEEP_ALL"):
        print("skipped: only with CONESWEEP_ALL (./test.sh --all)")
        return SKIP
    tool, why = find_tool("clang-tidy")
    if not tool:
        print(why)
        return SKIP
    text = (build / "compile_commands.json").read_text()
    commands = json.loads(re.sub(r" -include [^ ]*/cmake_pch\.hxx", "", text))  # made by GCC: clang cannot read it
    inside = tuple(f"{folder / name}{os.sep}" for name in FOLDERS)
    files = sorted({entry["file"] for entry in commands if entry["file"].startswith(inside) and entry["file"].endswith(".cpp")})
    if names:
        files = [path for path in files if any(path.endswith(name) for name in names)]
    if not files:
        print(f"no C++ files of {folder} in {build / 'compile_commands.json'}")
        return 1
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pathlib.Path(scratch, "compile_commands.json").write_text(json.dumps(commands))
        said = [text for text in pool.map(lambda path: look(tool, scratch, path), files) if text]
    print("".join(said) + f"clang-tidy looked at {len(files)} files and found something in {len(said)}")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]))
