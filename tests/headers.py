"""Compiles every header of include/conesweep alone: with g++ (and clang++ where it is), and with nvcc where there is a toolkit. For nvcc, which takes three
times as long, all headers come one after another in one file; with CONESWEEP_ALL each alone.

    python3 headers.py SOURCE [--compiler g++ …] [--nvcc path]
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

HOST_ONLY = {"conesweep/math/pack.hpp", "conesweep/math/vector.hpp", "conesweep/chunk/cpu_group.hpp"}  # packs; and those beside the folders, the public interface

parser = argparse.ArgumentParser()
parser.add_argument("source")
parser.add_argument("--compiler", action="append", default=[])
parser.add_argument("--nvcc")
arguments = parser.parse_args()

include = pathlib.Path(arguments.source).resolve() / "include"
headers = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.hpp"))


def compile_alone(headers, command, suffix, folder):
    file = folder / (headers[0].replace("/", "_") + "_" + str(abs(hash(command[0]))) + suffix)
    file.write_text("".join(f"#include <{header}>\n#include <{header}>\n" for header in headers))   # twice: it guards itself
    result = subprocess.run([*command, "-I", str(include), str(file)], capture_output=True, text=True)
    return headers[0] if len(headers) == 1 else f"one of {', '.join(headers)}", command[0], result.returncode, result.stdout + result.stderr


jobs = []
with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    folder = pathlib.Path(name)
    for header in headers:
        for compiler in arguments.compiler:
            jobs.append(pool.submit(compile_alone, [header], [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"], ".cpp", folder))
    shared = [header for header in headers if header not in HOST_ONLY and header.count("/") > 1] if arguments.nvcc else []
    for some in [[header] for header in shared] if os.environ.get("CONESWEEP_ALL") else [shared] if shared else []:
        jobs.append(pool.submit(compile_alone, some, [arguments.nvcc, "-std=c++20", "-ptx", "-arch=sm_75", "-fmad=false", "-o", os.devnull], ".cu", folder))
    results = [job.result() for job in jobs]

bad = [result for result in results if result[2] != 0]
for header, compiler, _, output in bad:
    print(f"{header} does not compile alone with {compiler}:\n{output}")
print(f"{len(headers)} headers, {len(results)} compilations, {len(bad)} failed")
sys.exit(1 if bad or not results else 0)
