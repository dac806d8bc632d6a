"""clang-tidy finds nothing in the program and its headers (.clang-tidy says what it looks for). Only with CONESWEEP_ALL: it takes half an hour of a processor.

    CONESWEEP_ALL=1 python3 tests/tidy.py FOLDER BUILD [FILE…]

What was found clean is remembered in BUILD/tests/tidy, by the text that the compiler sees: a run that was cut short goes on where it was.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

from clang_tool import SKIP, find_tool

FOLDERS = ["host", "kernels"]  # include/ comes with them


def list_commands(folder, build):
    """How every file is compiled by itself: the build compiles some at a time."""
    subprocess.run(["cmake", "-S", folder, "-B", build, "-G", "Ninja", "-DCONESWEEP_UNITY=OFF", "-DCONESWEEP_TESTS=OFF", "-DCONESWEEP_CUDA=OFF"], check=True, stdout=subprocess.DEVNULL)
    return json.loads((build / "compile_commands.json").read_text())


def see_text(entry):
    """The file with all its headers and comments, as the compiler sees it; nothing if the compiler does not."""
    words = shlex.split(entry["command"])
    place = words.index("-o")
    del words[place:place + 2]
    done = subprocess.run([*words, "-E", "-CC", "-o", "-"], cwd=entry["directory"], capture_output=True)
    return done.stdout if done.returncode == 0 else b""


def look(tool, commands, entry, asked, memory):
    """What clang-tidy says about one file, or nothing."""
    text = see_text(entry)
    clean = memory / hashlib.sha256(asked + text).hexdigest()
    if text and clean.exists():
        return ""
    done = subprocess.run([tool, "-p", commands, "--quiet", "--warnings-as-errors=*", entry["file"]], capture_output=True, text=True)
    if done.returncode != 0:
        return f"{done.stdout or done.stderr}\n"
    if text:
        clean.touch()
    return ""


def main(folder, build, names):
    if not os.environ.get("CONESWEEP_ALL"):
        print("skipped: only with CONESWEEP_ALL (./test.sh --all)")
        return SKIP
    tool, why = find_tool("clang-tidy")
    if not tool:
        print(why)
        return SKIP
    memory = build / "tests" / "tidy"
    memory.mkdir(parents=True, exist_ok=True)
    commands = list_commands(folder, memory / "commands")
    inside = tuple(f"{folder / name}{os.sep}" for name in FOLDERS)
    entries = {entry["file"]: entry for entry in commands if entry["file"].startswith(inside) and entry["file"].endswith(".cpp")}
    entries = [entry for path, entry in sorted(entries.items()) if not names or any(path.endswith(name) for name in names)]
    if not entries:
        print(f"no C++ files of {folder} in {memory / 'commands' / 'compile_commands.json'}")
        return 1
    asked = (folder / ".clang-tidy").read_bytes() + subprocess.run([tool, "--version"], capture_output=True).stdout
    found = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pathlib.Path(scratch, "compile_commands.json").write_text(json.dumps(commands))
        for said in pool.map(lambda entry: look(tool, scratch, entry, asked, memory), entries):
            found += said != ""
            print(said, end="", flush=True)
    print(f"clang-tidy looked at {len(entries)} files and found something in {found}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]))
