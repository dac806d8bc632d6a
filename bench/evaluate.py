"""What Python costs beside the program. Two things, each verified before it is timed:

    PYTHONPATH=build/python bench/evaluate.py --program build/bin/conesweep [--quick]      --quick: a few calls and members, and no judgement of time

A call: 10 members and 100 steps of the slider, as a calibration asks for them again and again, with a model that is warm. Wanted: less than 0.5 ms in all.
Many members: 10⁶ of them, 100 steps each, by the program, by Scenario.run and by Scenario.evaluate, taking turns. Wanted: at least 0.9 of the program's rate.
Exit code 1: it takes longer, or differs.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)
import conesweep as cs

WANTED = 0.5e-3  # seconds
SHARE = 0.9
STEPS = 100
SAMPLE = pathlib.Path(__file__).resolve().parent.parent / "samples/slider.toml"


def make_study(members):
    return cs.Scenario(SAMPLE, members=members, end=1.0, step=1.0 / STEPS, record=None)


def is_same(study):
    values, run = study.evaluate(study.draw(), backend="cpu"), study.run(backend="cpu", step_check=False)
    return all(np.array_equal(values[name], run[name], equal_nan=True) for name in values.names)


def time_calls(quick):
    study = make_study(10)
    if not is_same(study):
        print("evaluate and run differ")
        return False
    rows, seconds = study.draw(), []
    for _ in range(20 if quick else 2000):
        began = time.perf_counter()
        study.evaluate(rows, backend="cpu")
        seconds.append(time.perf_counter() - began)
    median = statistics.median(seconds)
    print(f"10 members, {STEPS} steps: {median * 1e3:.3f} ms a call (median of {len(seconds)}; least {min(seconds) * 1e3:.3f} ms; wanted: {WANTED * 1e3:g} ms)")
    return quick or median < WANTED


def run_program(program, scenario, folder):
    subprocess.run([program, "run", scenario, "--backend", "cpu", "--no-step-check", "--quiet", "--force", "--out", folder], check=True)


def time_many(program, quick):
    members, rounds = (20_000, 1) if quick else (1_000_000, 5)
    study = make_study(members)
    rows = study.draw()
    with tempfile.TemporaryDirectory() as scratch:
        scenario = pathlib.Path(scratch, "slider.toml")
        scenario.write_text(study.text)
        ways = {
            "program": lambda: run_program(program, scenario, f"{scratch}/program"),
            "run": lambda: study.run(f"{scratch}/python", backend="cpu", step_check=False, force=True),
            "evaluate": lambda: study.evaluate(rows, backend="cpu"),
        }
        taken = {name: [] for name in ways}
        for _ in range(rounds + 1):  # the first round compiles
            for name, way in ways.items():
                began = time.perf_counter()
                way()
                taken[name].append(time.perf_counter() - began)
        runs = [cs.open(f"{scratch}/{folder}") for folder in ("program", "python")]
        if not all(np.array_equal(runs[0][name], runs[1][name], equal_nan=True) for name in runs[0].observables):
            print("the program and run differ")
            return False
        # alone, without start, statistics and files
        stepped = json.loads(pathlib.Path(scratch, "program/summary.json").read_text())["timing"]["solve_seconds"]
    seconds = {name: statistics.median(times[1:]) for name, times in taken.items()}
    for name, one in seconds.items():
        print(f"{members:,} members, {STEPS} steps, {name}: {members * STEPS / one:.3g} member·steps/s, {seconds['program'] / one:.2f} of the program's rate")
    print(f"(members alone, as the program measures them: {members * STEPS / max(stepped, 1e-9):.3g} member·steps/s; wanted: {SHARE} of the program's rate by run and evaluate)")
    return quick or all(seconds["program"] / seconds[name] >= SHARE for name in ("run", "evaluate"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    return 0 if time_calls(options.quick) and time_many(options.program, options.quick) else 1


if __name__ == "__main__":
    sys.exit(main())
