#!/usr/bin/env python3
"""Writes the files that pin what run.sh and test.sh bring from PyPI: exact versions and the hashes of their wheels for Linux on x86_64 and aarch64.

    tools/pin_wheels.py            the newest of everything, into cmake/*_requirements.txt
    tools/pin_wheels.py --check    writes nothing; exit code 1 if there is something newer

pip is asked which wheels it would take, with the hashes that the index tells; nothing is installed. Look at `git diff cmake` before you commit: every version
that changed is code that will be loaded. Then `./test.sh` on a machine without nvcc tries the compiler.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# the compiler, the run-time compiler, the runtime, Thrust's headers and the disassembler
TOOLKIT = [f"nvidia-cuda-{part}>=13,<14" for part in ("nvcc", "nvrtc", "runtime", "cccl", "nvdisasm")]
# libraries that the Python package is tried with, and what checks it; the wheels are those of one Python
TRIED_WITH = ["SALib", "emcee", "h5netcdf", "h5py", "ipykernel", "jax", "joblib", "matplotlib", "mypy", "nbclient", "netCDF4", "pandas", "ruff", "scipy", "tqdm", "xarray"]
NVRTC = {"nvidia-cuda-nvrtc-cu12": 12, "nvidia-cuda-nvrtc": 13}   # package, and the first CUDA that it has
GLIBC = [5, 12, 17, 24, 26, 27, 28, 31, 34, 35]   # manylinux_2_N
HEAD = "# Made by tools/pin_wheels.py; not to be changed by hand. "


def pip(*arguments):
    """What pip says; None where the index has no such wheel."""
    done = subprocess.run([sys.executable, "-m", "pip", *arguments, "--disable-pip-version-check"], capture_output=True, text=True)
    if "No matching distribution found" in done.stderr:
        return None
    if done.returncode != 0:
        sys.exit(f"pip {arguments[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def find_wheels(requirements, machine):
    """{name: (version, hash)} of what pip would install there."""
    platforms = [f"--platform=manylinux_2_{minor}_{machine}" for minor in GLIBC] + [f"--platform=manylinux2014_{machine}", f"--platform=linux_{machine}"]
    with tempfile.TemporaryDirectory() as folder:
        said = pip("install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:", f"--target={folder}/none", f"--report={folder}/report",
                   "--python-version=3.11", *platforms, *requirements)
        if said is None:
            print(f"{' '.join(requirements)}: no wheels for {machine}")
            return {}
        report = json.loads(pathlib.Path(folder, "report").read_text())
    return {found["metadata"]["name"].lower().replace("_", "-"): (found["metadata"]["version"], found["download_info"]["archive_info"]["hashes"]["sha256"])
            for found in report["install"]}


def pin(requirements):
    """Lines of a requirements file, for both machines."""
    pins = {}
    for machine in ("x86_64", "aarch64"):
        for name, (version, digest) in find_wheels(requirements, machine).items():
            before, digests = pins.setdefault(name, (version, []))
            if before != version:
                sys.exit(f"{name} would be {before} on one machine and {version} on the other; name a version in {pathlib.Path(__file__).name}")
            if digest not in digests:
                digests.append(digest)
    return [f"{name}=={version}" + "".join(f" --hash=sha256:{digest}" for digest in digests) + "\n" for name, (version, digests) in sorted(pins.items())]


def list_minors(package, first):
    """Major and minor numbers of all versions that the index has."""
    versions = re.search(r"Available versions: (.*)", pip("index", "versions", package)).group(1).split(", ")
    return sorted({tuple(map(int, version.split(".")[:2])) for version in versions if int(version.split(".")[0]) >= first})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    lines = {
        "cmake/cuda_requirements.txt": [HEAD + "What cmake/prepare.sh brings where there is no nvcc.\n", *pin(TOOLKIT)],
        "cmake/zig_requirements.txt": [HEAD + "A newer clang than distributions have, for ./test.sh --all.\n", *pin(["ziglang"])],
        "cmake/python_requirements.txt": [HEAD + "What the Python package is compiled with.\n", *pin(["nanobind>=3,<4"])],
        "cmake/python_tests_requirements.txt": [HEAD + "What the Python package is tried with by ./test.sh --all, for Python 3.11.\n", *pin(TRIED_WITH)],
        "cmake/nvrtc_requirements.txt": [HEAD + "One NVRTC for each CUDA, oldest first: cmake/prepare.sh takes the newest that a driver understands.\n"],
    }
    for package, first in NVRTC.items():
        for major, minor in list_minors(package, first):
            lines["cmake/nvrtc_requirements.txt"] += pin([f"{package}=={major}.{minor}.*"])
    changed = [name for name, text in lines.items() if not (ROOT / name).exists() or (ROOT / name).read_text() != "".join(text)]
    for name in changed:
        print(f"{name}: {'would change' if options.check else 'written'}")
        if not options.check:
            (ROOT / name).write_text("".join(lines[name]))
    if not changed:
        print("all pins are of the newest versions")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
