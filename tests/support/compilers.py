"""The C++ compilers of this machine, for tests that try each."""
import os
import pathlib
import re
import shutil
import subprocess
import sys


def ask(command):
    """The first line of what it says to --version, or nothing."""
    try:
        said = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60)
    except OSError:
        return ""
    return said.stdout.split("\n")[0] if said.returncode == 0 else ""


def find_compilers(build=None):
    """Commands, as lists of words, by what they say of themselves: g++, clang++, those with a number in their names, and ziglang where a Python has it
    (of `build`, where ./test.sh --all brings it)."""
    names = {"g++", "clang++"}
    for folder in filter(os.path.isdir, os.environ.get("PATH", "").split(":")):
        names.update(name for name in os.listdir(folder) if re.fullmatch(r"(clang|g)\+\+-\d+", name))
    pythons = [str(pathlib.Path(build) / "zig/python/bin/python")] if build else []
    commands = [[shutil.which(name)] for name in sorted(names, key=lambda name: ("-" in name, name.startswith("clang"), name)) if shutil.which(name)]
    commands += [[python, "-m", "ziglang", "c++"] for python in (*pythons, sys.executable) if os.path.exists(python)]
    found = {}
    for command in commands:
        version = ask(command)
        if version and re.sub(r"^g\+\+(-\d+)?", "g++", version) not in found:
            found[re.sub(r"^g\+\+(-\d+)?", "g++", version)] = command
    return found
