#!/usr/bin/env python3
"""How much sooner two ranks are done than one: 2 ranks of 1 thread against 1 of 1, and 1 of 2 threads; and what a rank costs that runs a tenth of the time.
Of samples/slider with its sums over time ([record]) and without.

Verified first: all give the same results.h5. Rounds go by turns, and the least of each counts. The model is

  T = a + b N + work / ranks      N members

a + b N, the start and what one process does for every member at the end, is the time of the same command with a hundredth of the steps. Wanted of the rest is
T(2 ranks) <= 1.05 T(1) / 2, the same of two threads, and with the slow rank no more than the share of two and the slow one's last chunk.
The clock wants the machine to itself; processor time of all ranks together, printed beside it, does not: it should not grow by more than 5 % either.
Exit code 1: it takes longer. Exit code 77: no mpirun.
usage: bench/ranks.py [--program build/bin/conesweep] [--rounds N] [--quick] [--processor-time]
  --quick           one round, little work, and no judgement
  --processor-time  judge by processor time alone, on a machine that others use
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
parser.add_argument("--processor-time", action="store_true")
options = parser.parse_args()
program = options.program.resolve()
if shutil.which("mpirun") is None:
    print("no mpirun")
    sys.exit(77)
rounds = 1 if options.quick else options.rounds
members, chunk = (16384, 4096) if options.quick else (262144, 8192)
least_chunk = 4096  # to which chunks shrink in the end
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


slider = (root / "samples/slider.toml").read_text()
plain = slider[:slider.index("[record]")]
SHORT, LONG = "0.04", "4"  # [time] end


def run(folder, scenario, ranks, threads, end, slow=False):
    """Seconds by the clock, and of processor time."""
    out = pathlib.Path(folder) / f"{scenario}-{ranks}x{threads}{'-slow' if slow else ''}-{end}"
    command = [program, "run", pathlib.Path(folder) / f"{scenario}.toml", "--backend", "cpu", "--members", str(members), "--end", end, "--threads", str(threads), "--chunk", str(chunk),
               "--no-step-check", "--force", "--quiet", "--out", out]
    began, before = time.perf_counter(), spent()
    process = subprocess.Popen((["mpirun", "-n", str(ranks)] if ranks > 1 else []) + [str(word) for word in command], env=environment)
    if slow:
        threading.Thread(target=slow_down, args=(process,), daemon=True).start()
    if process.wait() != 0:
        sys.exit(f"{ranks} ranks of {threads} threads: exit code {process.returncode}")
    return time.perf_counter() - began, spent() - before


def measure(scenario):
    """Prints what was found; is it good enough?"""
    ways = {"1 x 1": (1, 1, False), "2 x 1": (2, 1, False), "1 x 2": (1, 2, False), "slow": (3, 1, True)}
    clock, work = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "recorded.toml").write_text(slider)
        (pathlib.Path(folder) / "plain.toml").write_text(plain)
        for _ in range(rounds):
            for name, (ranks, threads, slow) in ways.items():
                for end in (SHORT, LONG):
                    seconds, processor = run(folder, scenario, ranks, threads, end, slow)
                    clock[name, end] = min(seconds, clock.get((name, end), seconds))
                    work[name, end] = min(processor, work.get((name, end), processor))
        files = {path.name: (path / "results.h5").read_bytes() for path in pathlib.Path(folder).iterdir() if path.name.endswith(f"-{LONG}")}
        if len(set(files.values())) != 1:
            sys.exit(f"RESULTS DIFFER between {sorted(files)}")

    rest = {name: clock[name, LONG] - clock[name, SHORT] for name in ways}
    spent_for = {name: work[name, LONG] - work[name, SHORT] for name in ways}
    # two ranks and a tenth of one share the work of the run; then the slow one may be at the begin of its last chunk
    allowed = rest["1 x 1"] / 2.1 + 10 * rest["1 x 1"] * least_chunk / members
    print(f"{scenario}, {members} members:")
    for name, (ranks, threads, slow) in ways.items():
        print(f"  {ranks} x {threads}{', one of them slow' if slow else ''}: {clock[name, LONG]:.2f} s, of which a + b N = {clock[name, SHORT]:.2f} s; processor time {work[name, LONG]:.2f} s and {work[name, SHORT]:.2f} s")
    fine = rest["slow"] <= 1.05 * allowed or options.processor_time
    for name, what in (("2 x 1", "two ranks"), ("1 x 2", "two threads")):
        ratio, more = rest[name] / (rest["1 x 1"] / 2), spent_for[name] / spent_for["1 x 1"]
        print(f"  {what} take {ratio:.3f} of half the time of one, and {more:.3f} of its processor time (wanted: at most 1.05)")
        fine = fine and more <= 1.05 and (ratio <= 1.05 or options.processor_time)
    print(f"  two ranks and one at a tenth of the speed: {rest['slow']:.2f} s beyond a + b N (wanted: at most 1.05 of {allowed:.2f} s)")
    return fine


verdicts = [measure(scenario) for scenario in ("recorded", "plain")]
sys.exit(0 if options.quick or all(verdicts) else 1)
