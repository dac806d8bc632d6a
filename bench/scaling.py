#!/usr/bin/env python3
"""What a step of a member costs on the cpu executor, over each size that a user can choose: members, steps, threads, length of history, dimensions, contacts,
observables; and what compiling costs over parameters, observables and the length of an expression, up to the stated limits.

Each problem is verified first: the cpu executor beside the reference. A cost is the processor time of a run less that of one with a fifth of its steps: what does
not depend on steps (start, sampling, statistics) is not in it. Printed as tables, and drawn where --figure names a file (needs matplotlib).
Exit code 1: results differ, or a cost bends where nothing explains it (WANTED).
usage: bench/scaling.py [--program build/bin/conesweep] [--rounds N] [--only AXIS …] [--figure FILE] [--quick]      --quick: tiny sizes, whose costs are not judged
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--program", type=pathlib.Path, default=root / "build/bin/conesweep")
arguments.add_argument("--rounds", type=int, default=4)
arguments.add_argument("--only", nargs="*", default=[])
arguments.add_argument("--figure", type=pathlib.Path)
arguments.add_argument("--quick", action="store_true")
options = arguments.parse_args()
program = options.program.resolve()

# The most that the last cost may be of the least one on its axis: a line that is flat but for noise, one that grows with the axis and no faster (by the axis' own
# factor), or what the caches explain.
WANTED = {"members": "flat", "steps": "flat", "threads": "flat", "slots, one delay": 4, "slots, each its own": 8, "dimensions": "linear", "contacts": "linear",
          "observables": "linear"}
FLAT = 2.0  # a busy machine


def particle(dimensions=2, contacts=1, observables=0, delay="0.02", each=True, varied=()):
    """A particle on a spring that sees the past of every coordinate, in a corridor of rough walls that tilt a little against each other."""
    names = [f"q{k}" for k in range(dimensions)]
    last = names[-1]
    force = ", ".join(f'"k * (delay({q}, tau) - {q}){" - g" if q == last and contacts else ""}"' for q in names)
    walls = ""
    for k in range(contacts):
        slope = f" + {0.01 * k:g} * {names[0]}" if k and dimensions > 1 else ""
        walls += f'[[model.contact]]\ninside = "{last}{slope} >= {-0.001 * k:g}"\nfriction = "mu"\n'
    start = "".join(f'{q} = "{"0.05" if q == last else f"0.1 * {k} * t"}"\n' for k, q in enumerate(names))
    seen = "".join(f'o{k} = {{ {("max", "min", "mean", "final")[k % 4]} = "{names[k % dimensions]} + {k} * k" }}\n' for k in range(observables))
    more = "".join(f"p{k} = 1.0\n" for k in varied)
    uses = "".join(f"p{k} = {{ uniform = [0.9, 1.1] }}\n" for k in varied)
    return (f'[model]\ncoordinates = {json.dumps(names)}\nforce = [{force}]\n[model.parameters]\ng = 9.81\nk = 5.0\nmu = 0.3\ntau = {delay}\n{more}{walls}'
            f"[start]\n{start}[time]\nend = 1.0\nstep = 1e-3\n[ensemble]\nmembers = 4096\n[vary]\nmu = {{ uniform = [0.1, 0.6] }}\n"
            + (f"tau = {{ uniform = [{float(delay) / 2:g}, {delay}] }}\n" if each else "") + uses + f"[observe]\nstandard = []\n{seen}")


def sizes(few, many):
    return few if options.quick else many


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Bench:
    def __init__(self, folder):
        self.folder, self.failed, self.environment = folder, False, dict(os.environ, CONESWEEP_CACHE=str(folder / "cache"))

    def call(self, *words):
        return subprocess.run([program, *map(str, words)], cwd=self.folder, env=self.environment, check=True, capture_output=True, text=True).stdout

    def write(self, text):
        (self.folder / "problem.toml").write_text(text)

    def run(self, members, steps, threads=1):
        """Seconds of all cores, and by the clock."""
        before, began = spent(), time.perf_counter()
        self.call("run", "problem.toml", "--backend", "cpu", "--threads", threads, "--members", members, "--end", f"{steps * 1e-3:.3f}", "--no-step-check", "--force",
                  "--quiet", "--out", "out")
        return spent() - before, time.perf_counter() - began

    def cost(self, text, members, steps, threads=1):
        """Nanoseconds of a core a member·step, and by the clock; from the least of several runs each."""
        self.write(text)
        told = self.call("compare", "problem.toml", "--backends", "cpu,reference", "--members", 16, "--end", 0.1).strip().splitlines()[-1]
        if "agree" not in told:
            print(f"RESULTS DIFFER: {told}")
            self.failed = True
        fewer = max(1, steps // 5)
        least = {steps: (1e300, 1e300), fewer: (1e300, 1e300)}  # each by itself: the least of differences would be that of a disturbed short run
        for _ in range(1 if options.quick else options.rounds):
            for taken in least:
                least[taken] = tuple(map(min, least[taken], self.run(members, taken, threads)))
        return [(whole - part) / (members * (steps - fewer)) * 1e9 for whole, part in zip(least[steps], least[fewer])]

    def axis(self, name, unit, points):
        """`points`: (size, text, members, steps, threads)."""
        if options.only and not any(only in name for only in options.only):
            return None
        print(f"\n{name}\n{'':>12}{'members':>12}{'steps':>10}{'ns a member·step':>20}{'by the clock':>16}", flush=True)
        rows = []
        for size, text, members, steps, threads in points:
            work, clock = self.cost(text, members, steps, threads)
            rows.append((size, work))
            print(f"{size:>12}{members:>12}{steps:>10}{work:>20.2f}{clock:>16.2f}", flush=True)
        least = min(cost for _, cost in rows)
        wanted = WANTED[name]
        limit = FLAT if wanted == "flat" else FLAT * max(rows[-1][0], 1) / max(rows[0][0], 1) if wanted == "linear" else wanted * FLAT
        if not options.quick and rows[-1][1] > limit * least:
            print(f"   the last is {rows[-1][1] / least:.1f} times the least; wanted: at most {limit:.1f}")
            self.failed = True
        return name, unit, rows

    def compile(self, name, unit, points):
        """`points`: (size, text). With a cache of its own each: seconds of a core, and MiB at most."""
        if options.only and not any(only in name for only in options.only):
            return None
        print(f"\n{name}\n{'':>12}{'seconds':>12}{'MiB':>10}", flush=True)
        rows = []
        for size, text in points:
            self.write(text)
            with tempfile.TemporaryDirectory() as cache:
                words = [str(program), "run", "problem.toml", "--backend", "cpu", "--threads", "1", "--members", "16", "--end", "0.01", "--no-step-check", "--force",
                         "--quiet", "--out", "out"]
                child = subprocess.Popen(words, cwd=self.folder, env=dict(self.environment, CONESWEEP_CACHE=cache), stdout=subprocess.DEVNULL)
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                self.failed = True
                print(f"{size:>12}   failed with exit code {child.returncode}")
                continue
            seconds = usage.ru_utime + usage.ru_stime
            rows.append((size, seconds))
            print(f"{size:>12}{seconds:>12.2f}{usage.ru_maxrss / 1024:>10.0f}", flush=True)
        return name, unit, rows


def long_sum(terms):
    return " + ".join(f"{k % 7 + 1}*x" for k in range(terms))


def spring(parameters=1, observables=0, terms=1):
    names = "".join(f"p{k} = 1.0\n" for k in range(parameters))
    varied = "".join(f"p{k} = {{ uniform = [0.9, 1.1] }}\n" for k in range(parameters))
    seen = "".join(f'o{k} = {{ max = "x + {k}" }}\n' for k in range(observables))
    return (f'[model]\ncoordinates = ["x"]\nforce = ["-p0 * (x + 1e-9 * ({long_sum(terms)}))"]\n[model.parameters]\n{names}[start]\nx = "1"\n[time]\nend = 1.0\nstep = 1e-3\n'
            f"[ensemble]\nmembers = 16\n[vary]\n{varied}[observe]\nstandard = []\n{seen}")


def draw(file, costs, compiles):
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "conesweep", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    import matplotlib.pyplot as plot
    import matplotlib.ticker
    panels = [[c] for c in costs if c and not c[0].startswith(("threads", "slots"))]
    panels.append([c for c in costs if c and c[0].startswith("slots")])
    panels = [p for p in panels if p] + [[c] for c in compiles if c]
    columns = 3
    figure, places = plot.subplots((len(panels) + columns - 1) // columns, columns, figsize=(9, 2.5 * ((len(panels) + columns - 1) // columns)), squeeze=False)
    for place in places.flat:
        place.set_visible(False)
    for place, panel in zip(places.flat, panels):
        place.set_visible(True)
        first = panel[0][0].partition(",")[0]
        few, compiled = max(x for x, _ in panel[0][2]) <= 64, "compile" in panel[0][0]
        for name, unit, rows in panel:
            place.plot([x for x, _ in rows], [y for _, y in rows], marker="o", markersize=3.5, linewidth=1.3, label=name.partition(", ")[2])
        place.set_xlabel(first)
        place.set_ylabel(("to compile: " if compiled else "") + panel[0][1])
        place.set_xscale("linear" if few else "log")
        if few:
            place.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
        if compiled:
            place.set_yscale("log")
            place.set_ylim(0.1, 100)
        else:
            place.set_ylim(0, 2 * max(y for _, _, rows in panel for _, y in rows) if not few else None)  # what is flat should look so
        place.grid(True, which="major", linewidth=0.4, color="#dddddd")
        if len(panel) > 1:
            place.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None, dpi=110)


with tempfile.TemporaryDirectory() as name:
    bench = Bench(pathlib.Path(name))
    ns, threads = "ns a member·step", len(os.sched_getaffinity(0))
    work = 2e5 if options.quick else 6e7  # member·steps of a point
    per = lambda steps: max(256, int(work / steps) // 256 * 256)
    # of many members what does not depend on steps is long: as many steps as it takes to see theirs beside it
    steps_for = lambda members: min(100_000, max(sizes(100, 300), int(max(work, sizes(0, 1000) * min(members, 10**6)) / members)))
    base = particle()
    costs = [
        bench.axis("members", ns, [(m, base, m, steps_for(m), 1) for m in sizes([100, 1000], [100, 1000, 10_000, 100_000, 10**6, 10**7])]),
        bench.axis("steps", ns, [(s, base, per(s), s, 1) for s in sizes([100, 1000], [100, 1000, 10_000, 100_000])]),
        bench.axis("threads", ns, [(n, base, 65_536, int(max(100, 2 * work / 65_536)), n) for n in (1, 2) if n <= threads]),
        *[bench.axis(f"slots, {what}", ns, [(s, particle(delay=f"{s * 1e-3:g}", each=each), per(max(1000, 4 * s)), max(1000, 4 * s), 1)
                                            for s in sizes([1, 100], [1, 10, 100, 1000, 10_000])]) for what, each in (("one delay", False), ("each its own", True))],
        bench.axis("dimensions", ns, [(d, particle(dimensions=d), per(1000), 1000, 1) for d in sizes([1, 3], [1, 2, 3, 4, 6, 8, 12])]),
        bench.axis("contacts", ns, [(c, particle(contacts=c), per(4000), 1000, 1) for c in sizes([1, 2], [1, 2, 3, 4, 6, 8])]),
        bench.axis("observables", ns, [(o, particle(observables=o), per(1000), 1000, 1) for o in sizes([0, 4], [0, 1, 4, 16, 32, 64])]),
    ]
    s = "s of a core"
    compiles = [
        bench.compile("parameters, to compile", s, [(n, spring(parameters=n)) for n in sizes([1, 10], [1, 10, 100, 1000, 10_000])]),
        bench.compile("observables, to compile", s, [(n, spring(observables=n)) for n in sizes([1, 10], [1, 10, 100, 500, 2000])]),
        bench.compile("terms of an expression, to compile", s, [(n, spring(terms=n)) for n in sizes([1, 10], [1, 10, 100, 900])]),
    ]
    if options.figure:
        draw(options.figure, costs, compiles)
sys.exit(1 if bench.failed else 0)
