#!/usr/bin/env python3
"""Build a program (bits.cpp) in several ways, run it, and demand the same lines from all.

    compare_bits.py --include INCLUDE --build FOLDER [--source bits.cpp] [--builds FOLDER] [--nvcc nvcc] [--architecture sm_75]

Every compiler of the machine has its turn: g++ and clang++ in several ways, others as the cpu executor compiles models. CONESWEEP_ALL=1 adds more ways. An instruction set or device that is not there is named and left out; a missing
device is a failure when CONESWEEP_REQUIRE_GPU=1. Exit code 1: bits differ, or something does not build or run.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / "support"), str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools")]
import compilers
import kept_output

# flags, instruction sets the processor must have, only with CONESWEEP_ALL
HOST_WAYS = [
    ("-O0", [], False),
    ("-O3", [], False),
    ("-O3 -mavx2 -mfma", ["avx2", "fma"], False),
    ("-O3 -mavx2 -mno-fma", ["avx2"], True),
    ("-O1 -msse4.1", ["sse4_1"], True),
    ("-O3 -march=native -fno-math-errno -fno-trapping-math", [], True),   # what the cpu executor compiles models with: the last
]
NO_DEVICE = 3   # exit code of bits.cpp when CUDA fails


def processor_flags():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    return next((set(line.split(":")[1].split()) for line in lines if line.startswith("flags")), set())


def build_and_run(name, command, program, inputs):
    """Lines printed by the program, or None (with a message) if it cannot be built or run."""
    built = kept_output.run([*command, "-o", str(program)], program, inputs)
    if built.returncode != 0:
        return None, f"{name}: does not build\n{built.stderr}"
    ran = subprocess.run([str(program)], capture_output=True, text=True)
    if ran.returncode != 0:
        return None, f"{name}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}"
    return ran.stdout.splitlines(), None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--builds", type=pathlib.Path, help="the build folder, where ./test.sh --all brings ziglang")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--source", type=pathlib.Path, default=pathlib.Path(__file__).with_name("bits.cpp"))
    parser.add_argument("--architecture", default="sm_75", help="compute_75: PTX alone, which a device or ptxrun translates")
    arguments = parser.parse_args()

    common = ["-std=c++20", "-I", arguments.include, str(arguments.source)]
    everything = os.environ.get("CONESWEEP_ALL") == "1"
    flags = processor_flags()
    arguments.build.mkdir(parents=True, exist_ok=True)

    ways = []   # name, command
    for version, command in compilers.find_compilers(arguments.builds).items():
        usual = command[0] in (shutil.which("g++"), shutil.which("clang++"))
        cxx = command[0] if usual else version
        for options, needed, only_all in HOST_WAYS if usual or everything else HOST_WAYS[-1:]:
            if usual and only_all and not everything:
                continue
            if not set(needed) <= flags:
                print(f"left out: {cxx} {options}: this processor lacks {' '.join(needed)}")
                continue
            ways.append((f"{cxx} {options}", [*command, *options.split(), "-fno-sanitize=undefined", "-ffp-contract=off", "-Wno-psabi", *common]))
    if shutil.which(arguments.nvcc) is None:
        print(f"left out: {arguments.nvcc} is not installed")
    else:
        ways.append(("nvcc", [arguments.nvcc, "-x", "cu", f"-arch={arguments.architecture}", "-fmad=false", "-cudart", "shared", *common]))

    inputs = [*arguments.source.parent.glob("*.?pp"), *pathlib.Path(arguments.include).rglob("*.hpp")]
    failures = 0
    reference_name, reference = None, None
    for number, (name, command) in enumerate(ways):
        lines, problem = build_and_run(name, command, arguments.build / f"bits_{number}", inputs)
        if lines is None:
            no_device = name == "nvcc" and f"exit code {NO_DEVICE}\n" in problem
            if no_device and os.environ.get("CONESWEEP_REQUIRE_GPU") != "1":
                print(f"left out: {problem.strip()}")
                continue
            print(problem)
            failures += 1
            continue
        if reference is None:
            reference_name, reference = name, lines
        different = [(a, b) for a, b in zip(reference, lines) if a != b]
        if different or len(lines) != len(reference):
            failures += 1
            print(f"{name}: {len(different)} of {len(reference)} lines differ from {reference_name}, first")
            for a, b in different[:3]:
                print(f"    {a}   |   {b}")
        else:
            print(f"same bits: {name} ({len(lines)} lines)")
    if reference is None:
        print("nothing could be compared")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
