#!/usr/bin/env python3
"""conesweep's cpu executor beside hand-written AVX2 kernels, as ratios in one run: `fixed` and `member` of particle_by_hand.cpp, and
`curved` and `sine` of wall_and_sine_by_hand.cpp, problems that nobody tuned for.

The two are run in turn, many times, and the best of each is taken: a machine's neighbours come and go.
usage: bench/yardstick.py [--rounds N] [--program build/bin/conesweep]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
wanted = {"fixed": 0.7, "member": 0.7, "fixed_observed": 0.55, "member_observed": 0.4, "curved": 0.7, "curved_observed": 0.4, "sine": 0.7}

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
    limit, ours, agrees = {}, {}, True
    for _ in range(options.rounds):
        for hand in hands:
            for line in subprocess.run([str(hand)], check=True, capture_output=True, text=True).stdout.splitlines():
                name, rate = line.split()[:2]
                limit[name] = max(limit.get(name, 0), float(rate))
        rows = subprocess.run([options.program, "bench", "--json", "--threads", "1"], capture_output=True, text=True)
        for row in json.loads(rows.stdout):
            agrees = agrees and row["agrees"]
            ours[row["problem"]] = max(ours.get(row["problem"], 0), row["member_steps_per_second"] / 1e6)

print(f"{'problem':18}{'conesweep':>11}{'by hand':>10}{'ratio':>8}{'wanted':>8}   million member·steps/s, one core")
failed = not agrees
for name, rate in ours.items():
    base = limit[name.removesuffix("_observed")]
    ratio, least = rate / base, wanted.get(name)
    failed = failed or (least is not None and ratio < least)
    print(f"{name:18}{rate:11.1f}{base:10.1f}{ratio:8.2f}{least if least else '':>8}")
print("all results agree with the reference executor" if agrees else "RESULTS DIFFER from the reference executor")
sys.exit(1 if failed else 0)
