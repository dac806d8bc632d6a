#!/usr/bin/env python3
"""How long `conesweep run` takes to its first member with an empty cache and with a warm one, in processor time and by the clock.

Verified first: a start with a warm cache gives the file a cold one gave. Wanted is processor time (what others do on the machine does
not count): less than 1.2 s cold, 0.06 s warm. Exit code 1: it takes longer.
usage: bench/start_time.py [--program build/bin/conesweep] [--quick]      --quick: one warm start, and no judgement
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program", type=pathlib.Path, default=root / "build/bin/conesweep")
parser.add_argument("--quick", action="store_true")
options = parser.parse_args()
program = options.program.resolve()


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def start(folder, out):
    """Seconds of processor time and by the clock."""
    before, began = spent(), time.perf_counter()
    subprocess.run([program, "run", root / "samples/slider.toml", "--backend", "cpu", "--members", "1", "--force", "--quiet", "--out", out],
                   env=dict(os.environ, CONESWEEP_CACHE=folder + "/cache"), cwd=folder, check=True)
    return spent() - before, time.perf_counter() - began


def results(folder, out):
    import h5py
    with h5py.File(pathlib.Path(folder) / out / "results.h5") as file:
        return {name: file["observables"][name][()].tobytes() for name in file["observables"]}


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([program, "info"], stdout=subprocess.DEVNULL, check=True)  # its files are read once
    cold, cold_wall = start(folder, "cold")
    warm, warm_wall = min(start(folder, "warm") for _ in range(1 if options.quick else 5))
    if results(folder, "cold") != results(folder, "warm"):
        sys.exit("RESULTS DIFFER between a cold start and a warm one")
print(f"cold start {cold:.2f} s of processor time ({cold_wall:.2f} s by the clock), warm {warm:.3f} s ({warm_wall:.3f} s)")
sys.exit(0 if options.quick or (cold < 1.2 and warm < 0.06) else 1)
