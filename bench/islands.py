#!/usr/bin/env python3
"""Systems as people write them (bench/islands): conesweep's cpu executor on one core beside loops written by hand for each of them, one member after the other (coupled_by_hand.cpp) and, where laws
never meet, members side by side in registers (apart_by_hand.cpp); beside the same loops with the solvers of Siconos (relay, Lemke, nonsmooth Gauss-Seidel), where Debian's package `siconos` is
installed; and beside what a user of Numba writes (islands_numba.py), where this Python or that of build/peers has it.

Every answer is compared with ours before anything is timed: places, velocities and integrals of all members. Then all are run in turn, many times, and the
best of each is taken. Times are of the processor, not by the clock, so that ratios stand on a busy machine too: of conesweep the difference between the shortest run and the
shortest one of a twentieth of its steps, so that reading, loading, statistics and writing do not count. Wanted is a share of the faster loop by hand. --count shows how many sweeps and Newton steps the
solver takes along these motions, or along those of other scenarios. Exit code 1: answers differ, or a ratio is below the wanted one.
usage: bench/islands.py [--rounds N] [--scale X] [--only NAME,...] [--quick] [--program build/bin/conesweep] [--count [scenario.toml ...]]
--quick: few members, neither Siconos nor Numba, and no judgement of time
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from side_by_side import Program, differ

root = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 1e-10   # of 1 + |value|: solvers by hand stop at 1e-13 of a velocity a step, over 500 to 2000 steps
MOST_BY_HAND, MOST_OF_SICONOS = 1024, 64  # members; a loop's rate does not depend on it


class System:
    """A scenario of bench/islands: members, steps, h, varied parameters in the order of the loops by hand, what is compared in theirs, and the wanted share of them."""

    def __init__(self, members, steps, h, parameters, coordinates, integrals="", wanted=None):
        self.members, self.steps, self.h, self.parameters, self.wanted = members, steps, h, parameters.split(), wanted
        names = coordinates.split()
        self.observed = [f"final.{name}" for name in names] + [f"final.v{name}" for name in names] + integrals.split()


def blocks(count):
    return " ".join(f"x{i + 1}" for i in range(count))


SYSTEMS = {
    "resistance": System(16384, 10000, 1e-3, "A mu", "x", wanted=0.9),
    "mass": System(16384, 10000, 1e-3, "m A mu", "x", wanted=0.9),
    "slip": System(16384, 10000, 1e-3, "m A mu", "x y", wanted=0.9),
    "belt": System(16384, 10000, 1e-3, "m1 m2 mu1 mu2 V", "x1 x2", wanted=0.8),
    "chain12": System(8192, 2000, 1e-2, "a V s", blocks(12), wanted=0.7),
    "chain48": System(2048, 2000, 1e-2, "a V s", blocks(48), wanted=0.7),
    "pendulum": System(8192, 2000, 1e-3, "a1 a2 e lam", "q1 q2", "s1 s2", wanted=0.8),
    "pendulum_friction": System(2048, 2000, 1e-3, "a1 a2 tau1 tau2", "q1 q2", "s1 s2", wanted=0.6),
    "rod": System(512, 1000, 1e-3, "mu a0 vx0", "x y a", "sx sa", wanted=0.8),
    "ladder": System(512, 500, 4e-4, "theta0 mu1", "x y theta", wanted=0.8),
    "ball": System(2048, 2000, 1e-3, "F direction spin", "x y p0 p1 p2 p3", wanted=0.8),
    "feet": System(128, 500, 1e-3, "mu c0 vx0 vy0", "x y z a b c", "sx sy", wanted=0.6),
    "cradle": System(256, 2000, 1e-3, "e v0", "a b c d f", "sa sf", wanted=0.5),
    "groove": System(128, 1000, 1e-3, "theta mu", "x y z", "sx sz"),
}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--rounds", type=int, default=5)
arguments.add_argument("--scale", type=float, default=1, help="of the numbers of members")
arguments.add_argument("--only", default=",".join(SYSTEMS))
arguments.add_argument("--quick", action="store_true")
arguments.add_argument("--program", default=str(root / "build/bin/conesweep"))
arguments.add_argument("--count", nargs="*", metavar="SCENARIO")
options = arguments.parse_args()
names = options.only.split(",")
if any(name not in SYSTEMS for name in names):
    sys.exit(f"--only: there are {', '.join(SYSTEMS)}")


def note(text):
    print(text, file=sys.stderr, flush=True)


def scenario(name):
    return root / "bench/islands" / f"{name}.toml"


def shorten(folder, name):
    """The scenario with a twentieth of its steps."""
    shorter = folder / f"{name}_shorter.toml"
    if not shorter.exists():
        end = SYSTEMS[name].steps // 20 * SYSTEMS[name].h
        shorter.write_text(re.sub(r"(?m)^end = .*$", f"end = {end!r}", scenario(name).read_text()))
    return shorter


def count_members(name):
    return 16 if options.quick else max(8, round(options.scale * SYSTEMS[name].members))


# ---- ours

def answer(program, name):
    """Parameters and observables of the members that loops by hand have too."""
    system = SYSTEMS[name]
    rows = program.answer(scenario(name), min(count_members(name), MOST_BY_HAND))
    return [[row[parameter] for parameter in system.parameters] for row in rows], [[float(row[observed]) for observed in system.observed] for row in rows]


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


# ---- theirs

def compile_loops(folder, name, source, *more):
    """The program of a source, or nothing where it cannot be compiled; kept in build/islands until a source is newer."""
    made = root / "build/islands" / name
    if shutil.which("g++") is None:
        return None
    if made.exists() and all(made.stat().st_mtime > path.stat().st_mtime for path in (root / "bench").glob("*.[ch]pp")):
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["g++", "-O3", "-march=native", "-std=c++20", "-w", str(root / "bench" / source), "-o", str(folder / name), *more], capture_output=True)
    return shutil.move(folder / name, made) if done.returncode == 0 else None


def make_loops(folder):
    """Programs that take SYSTEM STEPS H MEMBERS.txt, by who wrote them."""
    makers = {"by hand": ("one_by_one", "coupled_by_hand.cpp"), "in packs": ("in_packs", "apart_by_hand.cpp", "-lmvec", "-lm"),
              "Siconos": ("with_siconos", "coupled_by_hand.cpp", "-DWITH_SICONOS", "-I/usr/include/siconos", "-I/usr/include/siconos/numerics", "-lsiconos_numerics")}
    missing = {"by hand": "There is no g++.", "in packs": "This machine has no AVX2, or no glibc.", "Siconos": "Siconos is not installed (Debian: apt-get install siconos)."}
    loops = {}
    for who, words in makers.items():
        if who == "Siconos" and options.quick:
            continue
        made = compile_loops(folder, *words)
        if made is None:
            note(f"{missing[who]} The column of {who} stays empty.")
        else:
            loops[who] = [str(made)]
    for python in () if options.quick else (sys.executable, str(root / "build/peers/bin/python")):
        if pathlib.Path(python).exists() and subprocess.run([python, "-c", "import numba"], capture_output=True).returncode == 0:
            loops["Numba"] = [python, "-B", str(root / "bench/islands_numba.py")]
    if "Numba" not in loops and not options.quick:
        note("Numba is not installed (pip install numba; bench/peers/peers.py does it in build/peers). Its column stays empty.")
    return loops


def time_loops(folder, words, name, who):
    """Member·steps a second and what came out; nothing where there is no such loop."""
    system, members = SYSTEMS[name], folder / f"{name}.txt"
    if who == "Siconos":
        few = folder / f"{name}_few.txt"
        few.write_text("".join(members.read_text().splitlines(keepends=True)[:MOST_OF_SICONOS]))
        members = few
    done = subprocess.run([*words, name, str(system.steps), repr(system.h), str(members)], capture_output=True, text=True)
    if done.returncode == 2:  # has no loop of that name
        return None, []
    if done.returncode != 0:
        sys.exit(f"{who}, {name}: {done.stderr}")
    lines = done.stdout.splitlines()
    return 1e9 / float(lines[0]), [[float(x) for x in line.split()] for line in lines[1:]]


# ---- the table

def verify(folder, program, loops):
    """Do all answers agree? And which loops are there, by system?"""
    agrees, there = True, {}
    print("differences to conesweep, of 1 + |value|, over all members")
    for name in names:
        parameters, ours = answer(program, name)
        (folder / f"{name}.txt").write_text("".join(" ".join(row) + "\n" for row in parameters))
        line = f"  {name:18}"
        for who, words in loops.items():
            theirs = time_loops(folder, words, name, who)[1]
            if not theirs:
                continue
            off = differ(ours, theirs)
            agrees = agrees and off <= TOLERANCE
            there.setdefault(name, []).append(who)
            line += f"{who} {off:.1e}{'' if off <= TOLERANCE else ' DIFFERS'}   "
        print(line, flush=True)
    return agrees, there


def measure(folder, program, loops, there):
    """The best rates of some rounds, by system and who."""
    best = {}
    rounds = 1 if options.quick else options.rounds
    for number in range(rounds):
        note(f"round {number + 1} of {rounds}")
        for name in names:
            best[name, "conesweep"] = program.rate_of_steps(scenario(name), shorten(folder, name), count_members(name), SYSTEMS[name].steps - SYSTEMS[name].steps // 20)
            for who in there[name]:
                best[name, who] = max(best.get((name, who), 0), time_loops(folder, loops[who], name, who)[0])
    return best


def main(folder):
    program, loops = Program(options.program, folder), make_loops(folder)
    if "by hand" not in loops:
        return 77
    agrees, there = verify(folder, program, loops)
    best = measure(folder, program, loops, there)
    failed = not agrees
    columns = ["by hand", "in packs", "Siconos", "Numba"]
    print("\n| system | conesweep | wanted | best by hand | " + " | ".join(f"{who} | ratio" for who in columns) + " |\n" + "|---" * (4 + 2 * len(columns)) + "|")
    for name in names:
        rate, wanted = best[name, "conesweep"], SYSTEMS[name].wanted
        share = rate / max(best.get((name, who), 0) for who in columns[:2])
        failed = failed or (not options.quick and wanted is not None and share < wanted)
        cells = [f"{rate / 1e3:.0f}", str(wanted or ""), f"{share:.2f}"]
        for who in columns:
            other = best.get((name, who))
            cells += [f"{other / 1e3:.0f}", f"{rate / other:.2f}"] if other else ["–", "–"]
        print(f"| {name} | {' | '.join(cells)} |")
    print(f"thousand member·steps/s of one core's own time; load {os.getloadavg()[0]:.1f}; " + ("all answers agree" if agrees else "ANSWERS DIFFER"))
    return 1 if failed else 0


with tempfile.TemporaryDirectory() as place:
    if options.count is not None:
        count(pathlib.Path(place))
        sys.exit(0)
    sys.exit(main(pathlib.Path(place)))
