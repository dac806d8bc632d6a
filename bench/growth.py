#!/usr/bin/env python3
"""How the cpu executor's time grows: with members, steps, threads and the length of a window; and what `plan` says beforehand.

Results are verified first: the cpu executor beside the reference. Then each figure is the best of several runs, with what is wanted
beside it; a machine's neighbours come and go. Exit code 1: something is not as wanted.
usage: bench/growth.py [--rounds N] [--program build/bin/conesweep] [--quick]      --quick: tiny runs, whose figures are not judged
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--rounds", type=int, default=3)
arguments.add_argument("--program", type=pathlib.Path, default=root / "build/bin/conesweep")
arguments.add_argument("--quick", action="store_true")
options = arguments.parse_args()
program = options.program.resolve()

SLIDER = """title = "Slider"
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau))", "-9.81"]
[model.parameters]
k = 4.0
tau = 0.2
mu = 0.3
[[model.contact]]
inside = "y >= 0"
friction = "mu"
[start]
x = "t"
y = "0"
[time]
end = 2.0
step = 1e-3
[ensemble]
members = 300
[vary]
mu = { uniform = [0.1, 0.6] }
tau = { uniform = [0.05, 0.4] }
[observe]
reach = { max = "x" }
"""

WINDOW = """title = "Window"
[model]
coordinates = ["x"]
force = ["-x + 0.1 * %s"]
[model.parameters]
delta = 0.01
[start]
x = "1"
[time]
end = 40.0
step = 1e-3
[ensemble]
members = 16
[observe]
standard = []
last = { final = "x" }
"""
WINDOWS = ["window_max(x, delta)", "window_min(x, delta)", "window_mean(x, delta)", "window_max(abs(x - now(x)), delta)"]

failed = False


def call(folder, *words):
    return subprocess.run([program, *map(str, words)], cwd=folder, check=True, capture_output=True, text=True).stdout


def verify(folder, scenario):
    out = call(folder, "compare", scenario, "--backends", "cpu,reference", "--members", 16, "--end", 1)
    print(out.strip().splitlines()[-1])


def measure(folder, scenario, *words):
    """Seconds of stepping, the best of several."""
    run = ["run", scenario, "--backend", "cpu", "--threads", 1, "--no-step-check", "--force", "--json", *words]
    return min(json.loads(call(folder, *run))["timing"]["solve_seconds"] for _ in range(options.rounds))


def show(what, value, wanted, is_good):
    global failed
    print(f"{what:64}{value:8.2f}   wanted {wanted}")
    failed = failed or not (is_good or options.quick)


def grow(folder):
    members, step = (10_000, 1e-2) if options.quick else (100_000, 2e-3)
    base = measure(folder, "slider.toml", "--members", members, "--step", step)
    many = measure(folder, "slider.toml", "--members", 4 * members, "--step", step)
    fine = measure(folder, "slider.toml", "--members", members, "--step", step / 4)
    show("four times the members: so many times the time", many / base, "< 4.6", many / base < 4.6)  # noise of a shared cache; 16 would be quadratic
    show("four times the steps: so many times the time", fine / base, "< 4.6", fine / base < 4.6)


def foresee(folder):
    members = 4000 if options.quick else 200_000
    told = json.loads(call(folder, "plan", "slider.toml", "--json", "--quiet", "--members", members, "--threads", 1))["executors"]["cpu"]["seconds"]
    spent = measure(folder, "slider.toml", "--members", members)
    factor = max(told / spent, spent / told)
    show(f"plan said {told:.2f} s, it took {spent:.2f} s: wrong by a factor of", factor, "< 5", factor < 5)  # a shared machine may be four times slower from one second to the next


def share(folder):
    """Two threads beside one, and beside two programs that share nothing: on a busy machine those are the limit."""
    if len(os.sched_getaffinity(0)) < 2:
        print("threads: left out, this machine gives us one core")
        return
    bench = [program, "bench", "--backend", "cpu", "--only", "fixed", "--json", "--threads"]
    rate = lambda text: json.loads(text)[0]["member_steps_per_second"]
    one = two = both = 0
    for _ in range(1 if options.quick else 8):
        one, two = max(one, rate(call(folder, *bench[1:], 1))), max(two, rate(call(folder, *bench[1:], 2)))
        pair = [subprocess.Popen([*bench, "1"], stdout=subprocess.PIPE, text=True) for _ in range(2)]
        both = max(both, sum(rate(process.communicate()[0]) for process in pair))
        if two >= 1.8 * one:
            break
    free = both >= 1.9 * one
    show("two threads: so many times one" + ("" if free else " (the cores are not free)"), two / one, ">= 1.8", two >= 1.8 * one or not free)
    print(f"{'two programs: so many times one':64}{both / one:8.2f}")


def widen(folder):
    for number, window in enumerate(WINDOWS):
        (pathlib.Path(folder) / "window.toml").write_text(WINDOW % window)
        verify(folder, "window.toml")
        lengths = [10, 100] if options.quick else [10, 100, 1000, 10_000]
        cost = [measure(folder, "window.toml", "--set", f"delta={nodes * 1e-3}") for nodes in lengths]
        # the ring no longer fits into the first caches, and a quarter of the steps begin in the past
        show(f"{window}, {lengths[-1]} nodes beside {lengths[0]}: time", cost[-1] / cost[0], "< 6", cost[-1] < 6 * cost[0])


with tempfile.TemporaryDirectory() as name:
    (pathlib.Path(name) / "slider.toml").write_text(SLIDER)
    verify(name, "slider.toml")
    grow(name)
    foresee(name)
    share(name)
    widen(name)
sys.exit(1 if failed else 0)
