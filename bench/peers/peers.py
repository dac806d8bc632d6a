#!/usr/bin/env python3
"""conesweep beside its peers: the same mathematical work through NumPy, Numba, JAX, NVIDIA Warp (on the CPU), Boost.odeint, Siconos, MuJoCo, diffrax, jitcdde, SALib and
OpenTURNS, on one core, in double precision.

Prepares what packages give (a virtual environment under build/peers by requirements.txt; Siconos from Debian where one may install it), has every peer answer, compares the answer
with the exact one (exact.py; the rod: the reference executor) and refuses to time what is wrong. Then all run in turn, and the best of each counts. Times are of the
processor, compilers included, and not by the clock. Of conesweep the rate is from the difference between a run of all members and one of a quarter of them, sampling, statistics and files
included; peers are timed inside their process, warm, for the stepping alone. The cold start is a whole process with empty caches, up to its first answer; lines are those between the marks
`user:` in a peer's file, or of the scenario. A peer that is not there is named and left out.

workloads  plane · delay · smooth · delays · ball · groove · rod · indices · slope; cases.py says what each is
--quick    NumPy alone by this Python, few members and nothing installed: shows that it works and verifies, judges nothing
usage: bench/peers/peers.py [--only numpy,jax,...] [--workloads plane,delay,...] [--rounds N] [--quick] [--json] [--from FILE] [--program build/bin/conesweep]
Exit code 1: an answer of ours, or of a peer that steps as we do, is wrong. 77: nothing to run with.
"""
import argparse
import csv
import importlib.util
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import cases
from catalog import PEERS
from tables import print_tables

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
SAME = 1e-9     # of 1 + |value|: rounding over some thousand steps
OTHER = 5e-2    # metres, over motions of a metre or two: beyond, another motion was computed
INDEX = 5e-2    # of an index
JUDGED = 8      # members whose error is shown: as many as the slowest peer runs
BIG = {"groove": 1024, "rod": 2048}  # members of our timed runs; else BIGGEST
BIGGEST = 65536

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--only", default=",".join(PEERS))
arguments.add_argument("--workloads", default="")
arguments.add_argument("--rounds", type=int, default=3)
arguments.add_argument("--quick", action="store_true")
arguments.add_argument("--json", action="store_true")
arguments.add_argument("--from", dest="kept", metavar="FILE", help="print the tables of what --json printed earlier")
arguments.add_argument("--program", default=str(root / "build/bin/conesweep"))
options = arguments.parse_args()
venv = root / "build/peers"
FINER = 8 if options.quick else 64  # of the step at which the scheme stands for the motion, where no closed form does

# one core, one thread, whatever a library would like
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
one_thread = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENTURNS_NUM_THREADS", "TBB_NUM_THREADS")}
one_thread["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
environment = {**os.environ, **one_thread, "PYTHONDONTWRITEBYTECODE": "1", "JAX_PLATFORMS": "cpu"}


def note(text):
    print(text, file=sys.stderr, flush=True)


# ---- what is there

def prepare_packages(names):
    """The virtual environment, and Siconos where we may install it."""
    python = venv / "bin/python"
    if not python.exists():
        note(f"making {venv.relative_to(root)}")
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    there = subprocess.run([str(python), "-m", "pip", "list", "--format", "freeze"], capture_output=True, text=True).stdout.lower()
    for line in (here / "requirements.txt").read_text().split():  # one by one: what cannot be had does not take the others with it
        if f"\n{line.lower()}==" not in "\n" + there.replace("_", "-"):
            done = subprocess.run([str(python), "-m", "pip", "install", "-q", line], capture_output=True, text=True)
            if done.returncode != 0:
                note(f"{line} cannot be installed: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}")
    if "siconos" in names and not has("/usr/bin/python3", "siconos"):
        if os.geteuid() == 0:
            subprocess.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", "python3-siconos"], capture_output=True)
        if not has("/usr/bin/python3", "siconos"):
            note("Siconos is not there: apt-get install python3-siconos")


def has(python, module):
    try:
        return subprocess.run([str(python), "-c", f"import {module}"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def python_of(peer):
    if options.quick:
        return sys.executable
    return PEERS[peer].python or str(venv / "bin/python")


def count_lines(path, workload):
    """Lines a user writes for this workload: between the marks, without blanks and comments."""
    count, inside = 0, False
    for line in path.read_text().splitlines():
        bare = line.strip()
        mark = re.match(r"(?:#|//) user: (.*)", bare)
        if mark:
            inside = workload in mark[1].split()
        elif bare in ("# end", "// end"):
            inside = False
        elif inside and bare and (bare.startswith("#include") or not bare.startswith(("#", "//"))):
            count += 1
    return count


def lines_of(name, workload):
    peer = PEERS[name]
    return count_lines(here / (peer.text or f"peer_{name}.py"), workload) + (count_lines(here / peer.also[0], peer.also[1]) if peer.also else 0)


# ---- ours

# A process begins with the peak of the one that starts it, so a small one does.
WATCH = """import os, sys
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
used = os.wait4(child, 0)[2]
os.write(int(sys.argv[1]), f"{used.ru_utime + used.ru_stime} {used.ru_maxrss}".encode())"""


class Ours:
    """Our runs of a workload."""

    def __init__(self, name, case, folder):
        self.name, self.case, self.folder = name, case, folder
        self.scenario = folder / f"{name}.toml"
        self.scenario.write_text(case.text)
        self.members = min(case.members, 64 if name != "indices" else 5120) if options.quick else case.members
        self.steps = min(case.steps, 10000) if options.quick else case.steps
        self.least = {}

    def call(self, members, *more, command="run", **variables):
        """Runs it: seconds of the processor, MiB, what was printed."""
        arguments = [options.program, command, str(self.scenario), "--members", str(members), "--end", repr(round(self.steps * cases.STEP, 9)), "--force", "--json",
                     "--out", str(self.folder / "run"), *([] if command != "run" else ["--no-step-check"]), *more]
        if "--backend" not in more:
            arguments += ["--backend", "cpu", "--threads", "1"]
        with open(self.folder / "printed", "w+") as printed, open(self.folder / "said", "w+") as said:
            read, write = os.pipe()
            subprocess.run([sys.executable, "-ISc", WATCH, str(write), *arguments], stdout=printed, stderr=said, env={**environment, **variables}, pass_fds=[write])
            os.close(write)
            with os.fdopen(read) as watched:
                seconds, kib = watched.read().split()
            printed.seek(0)
            said.seek(0)
            text = printed.read()
            if not text.startswith("{"):
                sys.exit(f"{self.name}: {said.read()}")
        return float(seconds), int(kib) / 1024, json.loads(text)

    def export(self, names):
        table = self.folder / "run.csv"
        subprocess.run([options.program, "export", str(self.folder / "run"), "--csv", "--out", str(table), "--force"], check=True, capture_output=True)
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        return {name: [float(row[name]) for row in rows] for name in names}

    def answer(self):
        """First answer with an empty cache; parameters and final values; memory with a warm one."""
        if self.name == "indices":
            self.cold = self.call(self.members, command="sensitivity", CONESWEEP_CACHE=str(self.folder / "cold"))[0]
            self.call(self.members, command="sensitivity")
            _, self.memory, summary = self.call(self.members, command="sensitivity")
            found = summary["sensitivity"]["final.x"]
            rows = [found[name] for name in self.case.vary]
            self.columns = {name: [] for name in self.case.vary}
            return [[r["first"] for r in rows], [r["total"] for r in rows], *([r[f"{kind}_interval"][end] for r in rows] for kind in ("first", "total") for end in (0, 1))]
        self.cold = self.call(self.members, CONESWEEP_CACHE=str(self.folder / "cold"))[0]
        self.call(self.members)
        self.memory = self.call(self.members)[1]
        finals = [f"final.{name}" for name in self.case.compared]
        table = self.export(self.case.vary + finals)
        self.columns = {name: table[name] for name in self.case.vary}
        return [table[name] for name in finals]

    def reference(self, finer):
        """Final values by the reference executor at a step so many times finer."""
        self.call(min(self.members, 64), "--backend", "reference", "--step", repr(cases.STEP / finer))
        return list(self.export([f"final.{name}" for name in self.case.compared]).values())

    def measure(self):
        """Member·steps a second so far, after one more round."""
        if self.name == "indices":
            self.least["indices"] = min(self.least.get("indices", math.inf), self.call(self.members, command="sensitivity")[0])
            return self.members * self.steps / self.least["indices"]
        many = self.members * 4 if options.quick else BIG.get(self.name, BIGGEST)
        for members in (many, many // 4):
            self.least[members] = min(self.least.get(members, math.inf), self.call(members)[0])
        took = self.least[many] - self.least[many // 4]
        return (many - many // 4) * self.steps / took if took > 0 else None


# ---- peers

class Worker:
    """A peer's process: it has answered once, and answers again when asked."""

    def __init__(self, peer, workload, inputs, folder):
        (folder / "scratch").mkdir(exist_ok=True)
        with open(folder / f"{peer}.log", "w") as log:
            self.process = subprocess.Popen([python_of(peer), "-B", str(here / "worker.py"), peer, workload, str(inputs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=log, text=True, env={**environment, "PEERS_SCRATCH": str(folder / "scratch")}, cwd=folder / "scratch")
        line = self.process.stdout.readline()
        self.first = json.loads(line) if line else None
        if self.first is None:
            self.process.wait()
            self.why = ((folder / f"{peer}.log").read_text().strip().splitlines() or ["it ended"])[-1][:120]
        self.least = math.inf

    def again(self):
        self.process.stdin.write("again\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline())
        self.least = min(self.least, said["seconds"])
        return said["memory"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# ---- judging

def differ(answer, exact):
    """The largest difference of 1 + |value| over the members that both have; NaN counts as infinite."""
    worst = 0.0
    for a, b in zip(answer, exact):
        for x, y in zip(a, b):
            off = abs(x - y) / (1 + abs(y))
            worst = max(worst, math.inf if math.isnan(off) else off)
    return worst


def find_error(answer, motion, places):
    """How far the places are from the motion itself, over the first members."""
    worst = 0.0
    for a, b in zip(answer[:places], motion):
        for x, y in zip(a[:JUDGED], b):
            worst = max(worst, math.inf if math.isnan(x - y) else abs(x - y))
    return worst


def judge(workload, same, answer, exact):
    """Error at equal step, and what is wrong (nothing: an empty text)."""
    if workload == "indices":
        error = max(abs(x - y) for a, b in zip(answer[:2], exact["motion"]) for x, y in zip(a, b))
        return error, "" if error <= INDEX else f"an index is off by {error:.2g}"
    error = find_error(answer, exact["motion"], 3)
    off = differ(answer, exact["scheme"]) if same else 0
    if off > SAME:
        return error, f"differs from the scheme by {off:.2g}"
    return error, "" if error <= OTHER or (workload == "slope" and not same) else f"off by {error:.2g} m"


def cover(answer, exact):
    """How many of the six intervals have the exact index in them."""
    inside = sum(low <= x <= high for low, high, x in zip(answer[2] + answer[4], answer[3] + answer[5], exact["motion"][0] + exact["motion"][1]))
    return f"{inside} of 6"


def run_workload(name, case, peers, folder):
    """All rows of a workload."""
    ours = Ours(name, case, folder)
    note(f"{name}: {case.title}")
    answer = ours.answer()
    inputs = folder / f"{name}.json"
    inputs.write_text(json.dumps({"h": cases.STEP, "steps": ours.steps, "members": ours.members, "theta": 0.3, "finer": FINER, "columns": ours.columns}))
    if name == "rod":
        exact = {"scheme": ours.reference(1), "motion": ours.reference(FINER // 4)}
    else:
        done = subprocess.run([python_of("numpy"), "-B", str(here / "exact.py"), name, str(inputs)], check=True, capture_output=True, text=True, env=environment)
        exact = json.loads(done.stdout)

    rows, workers, bad = [], {}, False

    def add(who, same, answer, cold, lines, versions, members):
        nonlocal bad
        error, wrong = judge(name, same, answer, exact)
        bad = bad or bool(wrong and same)
        row = {"workload": name, "peer": who, "rate": None, "ratio": None, "error": error, "memory": None, "cold": cold, "lines": lines, "wrong": wrong, "versions": versions,
               "members": members}
        if name == "indices":
            row["intervals"] = cover(answer, exact)
            row["widest"] = max(high - low for low, high in zip(answer[2] + answer[4], answer[3] + answer[5]))
        rows.append(row)
        note(f"  {who}: error {error:.2g}" + (f", WRONG: {wrong}" if wrong else ""))
        return row

    row = add("conesweep", name != "indices", answer, ours.cold, sum(1 for line in case.text.splitlines() if line.strip() and not line.startswith("#")), "conesweep", ours.members)
    row["memory"] = ours.memory
    for peer in (peer for peer in peers if name in PEERS[peer].workloads):
        worker = Worker(peer, name, inputs, folder)
        if worker.first is None:
            note(f"  {peer} is left out: {worker.why}")
            bad = bad or options.quick
            rows.append({"workload": name, "peer": peer, "rate": None, "ratio": None, "error": None, "memory": None, "cold": None, "lines": None,
                         "wrong": f"left out: {worker.why}", "versions": "", "members": 0})
            continue
        first = worker.first
        row = add(peer, PEERS[peer].same, first["answer"], first["cold"], lines_of(peer, name), first["versions"], first["members"])
        if row["wrong"] or name == "slope":  # what is wrong is not timed; `slope` asks where it ends, and that once
            row["memory"] = first["memory"]
            worker.close()
        else:
            workers[peer] = (worker, row)

    for _ in range(0 if name == "slope" else 1 if options.quick else options.rounds):
        rows[0]["rate"] = None if rows[0]["wrong"] else ours.measure()
        for worker, row in workers.values():
            row["memory"] = worker.again()
            row["rate"] = row["members"] * ours.steps / worker.least
    for worker, _ in workers.values():
        worker.close()
    for row in rows:
        row["ratio"] = rows[0]["rate"] / row["rate"] if row["rate"] and rows[0]["rate"] else None
    return rows, bad


def main():
    names = [name for name in options.only.split(",") if name]
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        sys.exit(f"--only: no peer is called {unknown[0]}; there are {', '.join(PEERS)}")
    made = cases.make_cases(root)
    workloads = options.workloads.split(",") if options.workloads else list(made)
    if any(name not in made for name in workloads):
        sys.exit(f"--workloads: there are {', '.join(made)}")
    if options.kept:
        rows = json.loads(pathlib.Path(options.kept).read_text())
        print_tables(rows, [name for name in workloads if any(row["workload"] == name for row in rows)], made, names)
        return 0
    if options.quick:
        names = ["numpy"]
        if importlib.util.find_spec("numpy") is None:
            print("skipped: this Python has no NumPy")
            return 77
    else:
        prepare_packages(names)
    rows, bad = [], False
    for name in workloads:
        with tempfile.TemporaryDirectory() as folder:
            found, wrong = run_workload(name, made[name], names, pathlib.Path(folder))
        rows += found
        bad = bad or wrong
    note(f"one core, processor time, best of {options.rounds} interleaved rounds, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print_tables(rows, workloads, made, names)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
