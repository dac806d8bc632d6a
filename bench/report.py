#!/usr/bin/env python3
"""How long `conesweep report` takes for ten million members, and how large its page is.

Verified first: the page has the mean that results.h5 has. Wanted: less than 2 s by the clock once the file has been read, less than 1 MB. Exit code 1: more.
usage: bench/report.py [--program build/bin/conesweep] [--quick]      --quick: 20,000 members, and no judgement of time
"""
import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.parse

import h5py

root = pathlib.Path(__file__).resolve().parent.parent
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program", type=pathlib.Path, default=root / "build/bin/conesweep")
parser.add_argument("--quick", action="store_true")
options = parser.parse_args()
program = options.program.resolve()

with tempfile.TemporaryDirectory() as folder:
    members = "20000" if options.quick else "1e7"
    subprocess.run([program, "run", root / "samples/slider.toml", "--backend", "cpu", "--members", members, "--step", "0.1", "--no-step-check", "--quiet", "--out", "run"],
                   cwd=folder, check=True)
    seconds, of_processors = [], []
    for _ in range(1 if options.quick else 5):
        began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "report", "run", "--quiet"], cwd=folder, check=True)
        seconds.append(time.perf_counter() - began)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        of_processors.append(now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
    page = (pathlib.Path(folder) / "run/report.html").read_text()
    with h5py.File(pathlib.Path(folder) / "run/results.h5") as file:
        mean = file["observables/reach"][()].mean()
    sheet = urllib.parse.unquote(re.search(r'run-statistics.csv" href="data:text/csv;charset=utf-8,([^"]*)"', page)[1])
    shown = float(re.search(r"^reach,([^,]*)", sheet, re.M)[1])
    if abs(shown - mean) > 1e-9 * abs(mean):
        sys.exit(f"THE PAGE IS WRONG: mean {shown}, and results.h5 has {mean}")
    size = len(page.encode())
print(f"report of {members} members: {min(seconds):.2f} s by the clock, {min(of_processors):.2f} s of processors, {size / 1e6:.2f} MB")
sys.exit(0 if size < 1e6 and (options.quick or min(seconds) < 2) else 1)
