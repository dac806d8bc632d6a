#!/usr/bin/env python3
"""How long `conesweep run` takes to its first ten members with an empty cache and with a warm one, and `conesweep check`, in processor time and by the clock.

Verified first: a start with a warm cache gives the file a cold one gave. Wanted is processor time, which on an idle core is that of the clock (what others do on the
machine does not count): less than 1 s cold, 0.03 s warm, 0.02 s for `check`. Exit code 1: it takes longer.
usage: bench/start_time.py [--program build/bin/conesweep] [--quick]      --quick: one start of each kind, and no judgement
"""
import argparse
import os
import pathlib
import resource
import shutil
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


WANTED = {"cold": 1.0, "warm": 0.03, "check": 0.02}  # seconds


def call(folder, *words):
    """Seconds of processor time and by the clock."""
    before, began = spent(), time.perf_counter()
    subprocess.run([program, *words], env=dict(os.environ, CONESWEEP_CACHE=folder + "/cache"), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return spent() - before, time.perf_counter() - began


def start(folder, out):
    return call(folder, "run", root / "samples/slider.toml", "--backend", "cpu", "--members", "10", "--force", "--quiet", "--out", out)


def results(folder, out):
    import h5py
    with h5py.File(pathlib.Path(folder) / out / "results.h5") as file:
        return {name: file["observables"][name][()].tobytes() for name in file["observables"]}


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([program, "info"], stdout=subprocess.DEVNULL, check=True)  # its files are read once
    times = {"cold": start(folder, "cold")}
    times["warm"] = min(start(folder, "warm") for _ in range(1 if options.quick else 20))
    if results(folder, "cold") != results(folder, "warm"):
        sys.exit("RESULTS DIFFER between a cold start and a warm one")
    if not options.quick:  # the best of three
        for number in range(2):
            shutil.rmtree(pathlib.Path(folder) / "cache")
            times["cold"] = min(times["cold"], start(folder, "cold"))
    times["check"] = min(call(folder, "check", root / "samples/slider.toml") for _ in range(1 if options.quick else 20))
for what, (work, clock) in times.items():
    print(f"{what:6}{work:8.3f} s of processor time, wanted {WANTED[what]:.2f}{clock:10.3f} s by the clock")
sys.exit(0 if options.quick or all(times[what][0] < limit for what, limit in WANTED.items()) else 1)
