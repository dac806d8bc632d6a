#!/usr/bin/env python3
"""Coupled steps: conesweep's cpu executor on one core beside loops written by hand for the same five systems (coupled_by_hand.cpp), and beside the same loops
with the solvers of Siconos (nonsmooth Gauss-Seidel, Lemke), where Debian's package `siconos` is installed.

Every answer is compared with the others before anything is timed: places, velocities and integrals of all members. Then all are run in turn, many times, and the
best of each is taken. Times are of the processor, not by the clock, so that ratios stand on a busy machine too: of conesweep the difference between the shortest run of all
members and the shortest of a quarter of them, so that reading, loading and writing do not count. --count shows how many sweeps and Newton steps the solver takes along these motions, or along those of other scenarios.
usage: bench/coupled.py [--rounds N] [--scale X] [--only NAME,...] [--program build/bin/conesweep] [--count [scenario.toml ...]]
Needs h5py.
"""
import argparse
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import h5py

root = pathlib.Path(__file__).resolve().parent.parent
# members, steps, h, varied parameters in the order of the loops by hand, what is compared
systems = {
    "groove": (128, 1000, 1e-3, ["theta", "mu"], ["final.x", "final.y", "final.z", "final.vx", "final.vy", "final.vz", "sx", "sz"]),
    "rod": (512, 1000, 1e-3, ["mu", "a0", "vx0"], ["final.x", "final.y", "final.a", "final.vx", "final.vy", "final.va", "sx", "sa"]),
    "pendulum": (8192, 2000, 1e-3, ["a1", "a2", "e", "lam"], ["final.q1", "final.q2", "final.vq1", "final.vq2", "s1", "s2"]),
    "feet": (128, 500, 1e-3, ["mu", "c0", "vx0", "vy0"], [f"final.{n}" for n in ("x", "y", "z", "a", "b", "c", "vx", "vy", "vz", "va", "vb", "vc")] + ["sx", "sy"]),
    "cradle": (256, 2000, 1e-3, ["e", "v0"], [f"final.{n}" for n in ("a", "b", "c", "d", "f", "va", "vb", "vc", "vd", "vf")] + ["sa", "sf"]),
}
TOLERANCE = 1e-10  # of 1 + |value|: solvers by hand stop at 1e-13 of a velocity a step, over 500 to 2000 steps

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--rounds", type=int, default=5)
arguments.add_argument("--scale", type=float, default=1, help="of the numbers of members")
arguments.add_argument("--only", default=",".join(systems))
arguments.add_argument("--program", default=str(root / "build/bin/conesweep"))
arguments.add_argument("--count", nargs="*", metavar="SCENARIO")
options = arguments.parse_args()
names = options.only.split(",")


def count_members(name):
    return max(8, round(options.scale * systems[name][0]))


def scenario(name):
    return root / "bench/coupled" / f"{name}.toml"


def run(folder, path, members):
    """A run's seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([options.program, "run", path, "--members", str(members), "--backend", "cpu", "--threads", "1", "--no-step-check", "--force", "--json",
                           "--out", str(folder / "run")], capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        sys.exit(f"{path}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def count(folder):
    """How the fast solver got there, by the number of laws that acted."""
    library = folder / "count.so"
    subprocess.run(["g++", "-O2", "-std=c++20", "-shared", "-fPIC", str(root / "bench/count_search.cpp"), "-o", str(library)], check=True)
    print("| scenario | laws | searches | sweeps: mean, median, 99 %, most | Newton steps | rescued |\n|---|---|---|---|---|---|")
    for path in map(pathlib.Path, options.count or [scenario(name) for name in names]):
        counted = folder / "counted"
        counted.unlink(missing_ok=True)
        subprocess.run([options.program, "run", str(path), "--backend", "cpu", "--threads", "1", "--no-step-check", "--force", "--quiet", "--out", str(folder / "run")],
                       env={**os.environ, "CONESWEEP_CXXFLAGS": "-DCONESWEEP_COUNT_SEARCH", "CONESWEEP_COUNT_FILE": str(counted), "LD_PRELOAD": str(library)},
                       stderr=subprocess.DEVNULL)
        for line in counted.read_text().splitlines() if counted.exists() else []:
            cell = line.split()
            print(f"| {path.stem} | {cell[0]} | {cell[1]} | {', '.join(cell[2:6])} | {', '.join(cell[6:10])} | {cell[10]} |")


def compare(ours, theirs):
    """The largest difference, of 1 + |value|, over members and quantities; NaN counts as infinite."""
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        for x, y in zip(a, b, strict=True):
            off = abs(x - y) / (1 + abs(x))
            worst = max(worst, math.inf if math.isnan(off) else off)
    return worst


def time_loops(program, name, members):
    steps, h = systems[name][1:3]
    lines = subprocess.run([str(program), name, str(steps), repr(h), str(members)], check=True, capture_output=True, text=True).stdout.splitlines()
    return float(lines[0]), [[float(x) for x in line.split()] for line in lines[1:]]


def main(folder):
    by_hand, by_siconos = folder / "by_hand", folder / "by_siconos"
    compiler = ["g++", "-O3", "-march=native", "-std=c++20", str(root / "bench/coupled_by_hand.cpp"), "-o"]
    subprocess.run([*compiler, str(by_hand)], check=True)
    loops = {"by hand": by_hand}
    with_siconos = [*compiler, str(by_siconos), "-w", "-DWITH_SICONOS", "-I/usr/include/siconos", "-I/usr/include/siconos/numerics", "-lsiconos_numerics"]
    if subprocess.run(with_siconos, capture_output=True).returncode == 0:
        loops["Siconos"] = by_siconos
    else:
        print("Siconos is not installed (Debian: apt-get install siconos): its column stays empty.")

    agrees = True
    print("differences to conesweep, of 1 + |value|, over all members")
    for name in names:
        run(folder, scenario(name), count_members(name))
        parameters, observed = systems[name][3:]
        with h5py.File(folder / "run/results.h5") as results:
            columns = [results["parameters"][parameter][:] for parameter in parameters]
            ours = list(zip(*(results["observables"][o][:] for o in observed), strict=True))
        members = folder / f"{name}.txt"
        members.write_text("".join(" ".join(repr(float(x)) for x in row) + "\n" for row in zip(*columns, strict=True)))
        off = {who: compare(ours, time_loops(program, name, members)[1]) for who, program in loops.items()}
        agrees = agrees and all(difference <= TOLERANCE for difference in off.values())
        print(f"  {name:10}" + "".join(f"{who} {difference:.1e}{'' if difference <= TOLERANCE else ' DIFFERS'}   " for who, difference in off.items()), flush=True)

    best, least = {}, {}  # rates; seconds of runs
    for _ in range(options.rounds):
        for name in names:
            members = count_members(name)
            for share in (members, members // 4):
                least[name, share] = min(least.get((name, share), math.inf), run(folder, scenario(name), share))
            rates = {"conesweep": (members - members // 4) * systems[name][1] / (least[name, members] - least[name, members // 4])}
            for who, program in loops.items():
                rates[who] = max(best.get((name, who), 0), 1e9 / time_loops(program, name, folder / f"{name}.txt")[0])
            for who, rate in rates.items():
                best[name, who] = rate

    print("\n| system | conesweep | by hand | ratio | with Siconos | ratio |\n|---|---|---|---|---|---|")
    for name in names:
        rate = best[name, "conesweep"]
        cells = [f"{rate / 1e3:.0f}"]
        for who in ("by hand", "Siconos"):
            other = best.get((name, who))
            cells += [f"{other / 1e3:.0f}", f"{rate / other:.2f}"] if other else ["–", "–"]
        print(f"| {name} | {' | '.join(cells)} |")
    print("thousand member·steps/s, one core; all answers agree" if agrees else "ANSWERS DIFFER")
    return 0 if agrees else 1


with tempfile.TemporaryDirectory() as place:
    if options.count is not None:
        count(pathlib.Path(place))
        sys.exit(0)
    sys.exit(main(pathlib.Path(place)))
