#!/usr/bin/env python3
"""How much sooner two ranks are done than one: 2 ranks of 1 thread against 1 of 1, and against 1 of 2 threads; and what a rank costs that runs a tenth of
the time.

Verified first: all give the same results.h5. Rounds go by turns, and the least of each counts. What every run has of its own, the constant, is the time of
the same command with few members; wanted of the rest is T(2 ranks) <= 1.05 T(1) / 2, and with the slow rank no more than the share of two and a chunk.
The clock wants the machine to itself; processor time of all ranks together, printed beside it, does not: it should not grow by more than 5 % either.
Exit code 1: it takes longer. Exit code 77: no mpirun.
usage: bench/ranks.py [--program build/bin/conesweep] [--rounds N] [--quick]      --quick: one round, little work, and no judgement
"""
import argparse
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

root = pathlib.Path(__file__).resolve().parent.parent
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--program", type=pathlib.Path, default=root / "build/bin/conesweep")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--quick", action="store_true")
options = parser.parse_args()
program = options.program.resolve()
if shutil.which("mpirun") is None:
    print("no mpirun")
    sys.exit(77)
rounds = 1 if options.quick else options.rounds
members, few, chunk = (16384, 4096, 4096) if options.quick else (262144, 4096, 8192)
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none")


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def children(process):
    return [int(number) for number in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def slow_down(launcher):
    """Lets the last rank's worker run 10 of 100 ms until it ends."""
    worker = None
    while worker is None and launcher.poll() is None:
        try:
            worker = children(children(launcher.pid)[-1])[0]
        except (FileNotFoundError, IndexError):
            time.sleep(0.01)
    try:
        while launcher.poll() is None:
            os.kill(worker, signal.SIGSTOP)
            time.sleep(0.09)
            os.kill(worker, signal.SIGCONT)
            time.sleep(0.01)
    except ProcessLookupError:
        pass


def run(folder, ranks, threads, count, slow=False):
    """Seconds by the clock, and of processor time."""
    out = pathlib.Path(folder) / f"{ranks}x{threads}{'-slow' if slow else ''}-{count}"
    command = [program, "run", root / "samples/slider.toml", "--backend", "cpu", "--members", str(count), "--threads", str(threads), "--chunk", str(chunk),
               "--no-step-check", "--force", "--quiet", "--out", out]
    began, before = time.perf_counter(), spent()
    process = subprocess.Popen((["mpirun", "-n", str(ranks)] if ranks > 1 else []) + [str(word) for word in command], env=environment)
    if slow:
        threading.Thread(target=slow_down, args=(process,), daemon=True).start()
    if process.wait() != 0:
        sys.exit(f"{ranks} ranks of {threads} threads: exit code {process.returncode}")
    return time.perf_counter() - began, spent() - before


ways = {"1 x 1": (1, 1), "2 x 1": (2, 1), "1 x 2": (1, 2)}
with tempfile.TemporaryDirectory() as folder:
    least, work = {}, {}
    for _ in range(rounds):
        for name, (ranks, threads) in ways.items():
            for count in (few, members):
                seconds, processor = run(folder, ranks, threads, count)
                least[name, count] = min(seconds, least.get((name, count), seconds))
                work[name, count] = min(processor, work.get((name, count), processor))
        seconds, _ = run(folder, 3, 1, members, slow=True)
        least["slow"] = min(seconds, least.get("slow", seconds))
    files = {path.name: (path / "results.h5").read_bytes() for path in pathlib.Path(folder).iterdir() if path.name.endswith(f"-{members}")}
    if len(set(files.values())) != 1:
        sys.exit(f"RESULTS DIFFER between {sorted(files)}")

rest = {name: least[name, members] - least[name, few] for name in ways}
spent_more = (work["2 x 1", members] - work["2 x 1", few]) / (work["1 x 1", members] - work["1 x 1", few])
ratio, threads_ratio = rest["2 x 1"] / (rest["1 x 1"] / 2), rest["2 x 1"] / rest["1 x 2"]
a_chunk = rest["1 x 1"] * chunk / (members - few)
# two ranks and a tenth of one share the work of the run; then the slow one may be at the begin of its last chunk
allowed = least["2 x 1", few] + rest["1 x 1"] / 2 + 10 * a_chunk
for name in ways:
    print(f"{name}: {least[name, members]:.2f} s for {members} members, of which {least[name, few]:.2f} s are there with {few}; processor time {work[name, members]:.2f} s and {work[name, few]:.2f} s")
print(f"two ranks take {ratio:.3f} of half the time of one, and {threads_ratio:.3f} of the time of two threads (wanted: at most 1.05)")
print(f"processor time of two ranks is {spent_more:.3f} of that of one (wanted: at most 1.05)")
print(f"two ranks and one at a tenth of the speed: {least['slow']:.2f} s; two alone and the slow one's last chunk: {allowed:.2f} s")
sys.exit(0 if options.quick or (spent_more <= 1.05 and ratio <= 1.05 and threads_ratio <= 1.05 and least["slow"] <= allowed) else 1)
