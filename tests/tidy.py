"""clang-tidy finds nothing in the program and its headers (.clang-tidy says what it looks for). Only with CONESWEEP_ALL: it takes a quarter of an hour of a
processor.

    CONESWEEP_ALL=1 python3 tests/tidy.py FOLDER BUILD [FILE…]

Most of that is headers, so it looks at units of some files of a room, as the build compiles them. What was found clean is remembered in BUILD/tests/tidy, by
the text that the compiler sees: a run that was cut short goes on where it was.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from clang_tool import SKIP, find_tool

FOLDERS = ["host", "kernels"]  # include/ comes with them
INCLUDED = re.compile(r'^#include "(.+\.cpp)"$', re.MULTILINE)


def list_commands(folder, build):
    """How the build compiles its units."""
    subprocess.run(["cmake", "-S", folder, "-B", build, "-G", "Ninja", "-DCONESWEEP_UNITY=ON", "-DCONESWEEP_TESTS=OFF", "-DCONESWEEP_CUDA=OFF"], check=True, stdout=subprocess.DEVNULL)
    return json.loads((build / "compile_commands.json").read_text())


class Unit:
    """Some files and how they are compiled. They stand in one text, one after another: of a file that is included clang-tidy sees less."""

    def __init__(self, entry, files, path):
        self.path = path
        self.directory = entry["directory"]
        self.words = [str(path) if word == entry["file"] else word for word in shlex.split(entry["command"])]
        self.words[1:1] = [word for folder in sorted({str(pathlib.Path(file).parent) for file in files}) for word in ("-iquote", folder)]  # where a file names its neighbours
        self.files = files
        self.lines = [(file, number) for file in files for number, _ in enumerate(read_lines(file), 1)]
        path.write_text("".join(line + "\n" for file in files for line in read_lines(file)))

    def to_entry(self):
        return {"directory": self.directory, "file": str(self.path), "arguments": self.words}

    def see_text(self):
        """With all headers and comments, as the compiler sees it; nothing if the compiler does not."""
        words = self.words[:]
        place = words.index("-o")
        del words[place:place + 2]
        done = subprocess.run([*words, "-E", "-CC", "-o", "-"], cwd=self.directory, capture_output=True)
        return done.stdout if done.returncode == 0 else b""

    def place(self, said):
        """What was said of lines of this text, said of lines of its files."""
        return re.sub(re.escape(str(self.path)) + r":(\d+)", lambda found: "%s:%d" % self.lines[int(found[1]) - 1], said)


def read_lines(file):
    return pathlib.Path(file).read_text().splitlines()


def list_units(commands, folder, names, place):
    """The build's units, as far as they hold files of ours; with names, those that hold one so called."""
    ours = tuple(f"{folder / name}{os.sep}" for name in FOLDERS)
    units = []
    for entry in sorted({entry["file"]: entry for entry in commands}.values(), key=lambda entry: entry["file"]):
        files = [entry["file"]]
        if "/Unity/" in entry["file"]:
            files = INCLUDED.findall(pathlib.Path(entry["file"]).read_text())
        files = [file for file in files if file.startswith(ours) and file.endswith(".cpp")]
        if files and (not names or any(file.endswith(name) for file in files for name in names)):
            units.append(Unit(entry, files, place / str(pathlib.Path(files[0]).relative_to(folder)).replace(os.sep, "_")))
    return units


def look(tool, settings, commands, unit, asked, memory):
    """What clang-tidy says about one unit, or nothing."""
    text = unit.see_text()
    clean = memory / hashlib.sha256(asked + text).hexdigest()
    if text and clean.exists():
        return ""
    done = subprocess.run([tool, "-p", commands, f"--config-file={settings}", "--quiet", "--warnings-as-errors=*", unit.path], capture_output=True, text=True)
    if done.returncode != 0:
        return unit.place(f"{done.stdout or done.stderr}\n")
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
    settings = folder / ".clang-tidy"
    asked = settings.read_bytes() + subprocess.run([tool, "--version"], capture_output=True).stdout
    found = 0
    place = memory / "units"
    place.mkdir(exist_ok=True)
    units = list_units(commands, folder, names, place)
    if not units:
        print(f"no C++ files of {folder} in {memory / 'commands' / 'compile_commands.json'}")
        return 1
    (place / "compile_commands.json").write_text(json.dumps([unit.to_entry() for unit in units]))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for said in pool.map(lambda unit: look(tool, settings, place, unit, asked, memory), units):
            found += said != ""
            print(said, end="", flush=True)
    print(f"clang-tidy looked at {sum(len(unit.files) for unit in units)} files in {len(units)} units and found something in {found}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]))
