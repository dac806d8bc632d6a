#!/usr/bin/env python3
"""Two builds of conesweep in turn, on one core: is anything slower than before? The problems of `conesweep bench`, and scenarios: some of bench/islands and of samples, or those that are named.

Answers are compared first: observables of 64 members, the largest difference of 1 + |value|; where bits are meant to stay it is 0. Times are of the processor, the best of all rounds; of a
scenario the difference between a run of all members and one of a quarter of them.
usage: bench/compare_programs.py BEFORE AFTER [--rounds N] [--problems NAME,...] [--members N] [scenario.toml ...]
"""
import argparse
import json
import math
import pathlib
import sys
import tempfile

from side_by_side import Program, differ

root = pathlib.Path(__file__).resolve().parent.parent
SCENARIOS = {"bench/islands/groove.toml": 128, "bench/islands/rod.toml": 512, "bench/islands/pendulum.toml": 4096, "bench/islands/feet.toml": 128, "bench/islands/cradle.toml": 256,
             "samples/slider.toml": 32768, "samples/dry_friction_oscillator.toml": 8192}  # members: half a second or so

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("before")
arguments.add_argument("after")
arguments.add_argument("scenarios", nargs="*", type=pathlib.Path)
arguments.add_argument("--rounds", type=int, default=5)
arguments.add_argument("--problems", default="fixed,member,fixed_observed,member_observed,curved,curved_observed,sine", help="of `conesweep bench`; '' for none")
arguments.add_argument("--members", type=int, default=4096, help="of named scenarios")
options = arguments.parse_intermixed_args()


def find_difference(scenario, programs):
    """Of what both programs tell of 64 members, the largest difference of numbers; infinite where texts differ."""
    numbers = ([], [])
    for before, after in zip(*(program.answer(scenario, 64) for program in programs)):
        names = [name for name in before if name in after]
        for row, cells in zip(numbers, (before, after)):
            row.append([to_number(cells[name], before[name]) for name in names])
    return differ(*numbers)


def to_number(cell, first):
    """A cell; of a text whether it is that of the first program."""
    try:
        return float(cell)
    except ValueError:
        return 0.0 if cell == first else math.inf


def count_steps(program, scenario):
    plan = json.loads(program.call("plan", scenario, "--json", "--quiet", "--members", 1, "--threads", 1).stdout)
    return plan["steps"]


def take_bench(program, best):
    """A round of `conesweep bench`."""
    done = program.call("bench", "--only", options.problems, "--json", "--threads", 1)
    for row in json.loads(done.stdout):
        best[row["problem"]] = max(best.get(row["problem"], 0), row["member_steps_per_processor_second"])


def main(folder):
    programs = []
    for name, path in (("before", options.before), ("after", options.after)):
        (folder / name).mkdir()
        programs.append(Program(path, folder / name))
    scenarios = {path: options.members for path in options.scenarios} or {root / name: members for name, members in SCENARIOS.items()}
    apart = {path: find_difference(path, programs) for path in scenarios}
    steps = {path: count_steps(programs[1], path) for path in scenarios}
    best = [{}, {}]
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        for program, rates in zip(programs, best):
            if options.problems:
                take_bench(program, rates)
        for path, members in scenarios.items():
            for program, rates in zip(programs, best):
                rates[path] = program.rate(path, members, steps[path])
    print("| | before | after | ratio | answers differ by |\n|---|---|---|---|---|")
    for what, rate in best[0].items():
        name, off = (what, "") if isinstance(what, str) else (what.stem, f"{apart[what]:.1g}")
        print(f"| {name} | {rate / 1e6:.3g} | {best[1].get(what, math.nan) / 1e6:.3g} | {best[1].get(what, math.nan) / rate:.2f} | {off} |")
    print(f"million member·steps a second of one core's own time, the best of {options.rounds} interleaved rounds")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(pathlib.Path(place))
