"""What a call of Scenario.evaluate costs: 10 members and 100 steps of the slider, as a calibration asks for them again and again, with a model that is warm.

    PYTHONPATH=build/python bench/evaluate.py [--quick]      --quick: a few calls, and no judgement of time

Verified first: a run finds the same bits, and a changed number compiles nothing. Wanted: less than 0.5 ms in all. Exit code 1: it takes longer, or differs.
"""
import argparse
import pathlib
import statistics
import sys
import time

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)
import conesweep as cs

WANTED = 0.5e-3  # seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    sample = pathlib.Path(__file__).resolve().parent.parent / "samples/slider.toml"
    study = cs.Scenario(sample, members=10, end=1.0, step=0.01)
    rows = study.draw()
    values, run = study.evaluate(rows, backend="cpu"), study.run(backend="cpu")
    if any(not np.array_equal(values[name], run[name], equal_nan=True) for name in values.names):
        print("evaluate and run differ")
        return 1
    seconds = []
    for _ in range(20 if quick else 2000):
        began = time.perf_counter()
        study.evaluate(rows, backend="cpu")
        seconds.append(time.perf_counter() - began)
    median = statistics.median(seconds)
    print(f"10 members, 100 steps: {median * 1e3:.3f} ms a call (median of {len(seconds)}; least {min(seconds) * 1e3:.3f} ms; wanted: {WANTED * 1e3:g} ms)")
    return 0 if quick or median < WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
