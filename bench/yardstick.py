#!/usr/bin/env python3
"""conesweep's cpu executor beside hand-written kernels for AVX2 and, where the processor has it, for AVX-512, as ratios in one run: `fixed` and `member` of
particle_by_hand.cpp, and `curved` and `sine` of wall_and_sine_by_hand.cpp, problems that nobody tuned for.

The two are run in turn, many times, and the best of each is taken: a machine's neighbours come and go. Time is a core's own: what others do in between does not
count. Exit code 1: a ratio is below the wanted one, or results differ from the reference executor.
usage: bench/yardstick.py [--rounds N] [--program build/bin/conesweep]
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
WANTED = {"avx2": (1.0, 0.8), "avx512": (0.9, None)}  # without observables, and with all standard ones; the kernels by hand observe nothing

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--rounds", type=int, default=5)
arguments.add_argument("--program", default=str(root / "build/bin/conesweep"))
options = arguments.parse_args()

sources = [root / "bench/particle_by_hand.cpp", root / "bench/wall_and_sine_by_hand.cpp"]
with tempfile.TemporaryDirectory() as folder:
    hands = []
    for source in sources:
        hands.append(pathlib.Path(folder) / source.stem)
        subprocess.run(["g++", "-O3", "-march=native", "-std=c++20", str(source), "-o", str(hands[-1]), "-lmvec", "-lm"], check=True)
    limit, ours, agrees = {}, {}, True  # million member·steps a second, by width and problem, and by problem
    for _ in range(options.rounds):
        for hand in hands:
            for line in subprocess.run([str(hand)], check=True, capture_output=True, text=True).stdout.splitlines():
                name, width, rate = line.split()[:3]
                limit[width, name] = max(limit.get((width, name), 0), float(rate))
        rows = subprocess.run([options.program, "bench", "--json", "--threads", "1"], capture_output=True, text=True)
        for row in json.loads(rows.stdout):
            agrees = agrees and row["agrees"]
            ours[row["problem"]] = max(ours.get(row["problem"], 0), row["member_steps_per_processor_second"] / 1e6)

widths = [width for width in WANTED if any(of == width for of, _ in limit)]
failed = not agrees
print(f"{'problem':18}{'conesweep':>11}" + "".join(f"{width:>10}{'ratio':>8}{'wanted':>8}" for width in widths))
for name, rate in ours.items():
    line, observed = f"{name:18}{rate:11.1f}", name.endswith("_observed")
    for width in widths:
        base = limit[width, name.removesuffix("_observed")]
        least = WANTED[width][observed]
        failed = failed or rate / base < (least or 0)
        line += f"{base:10.1f}{rate / base:8.2f}{least if least else '':>8}"
    print(line)
print(f"million member·steps a second of one core; load {os.getloadavg()[0]:.1f}, {options.rounds} rounds")
print("all results agree with the reference executor" if agrees else "RESULTS DIFFER from the reference executor")
sys.exit(1 if failed else 0)
