"""summary.json beside what NumPy and SciPy make of the same results.h5. Run by ctest:

    python3 scipy_test.py --program build/bin/conesweep --samples samples
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import scipy.stats

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

PROGRAM = SAMPLES = None  # set by main

LEVELS = [0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999]
EPS = np.finfo(float).eps


class Summary(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="conesweep-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_sample(self, name, *flags):
        done = subprocess.run([PROGRAM, "run", SAMPLES / name, "--out", self.folder / "run", "--quiet", *map(str, flags)], capture_output=True, text=True, timeout=300)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        summary = json.loads((self.folder / "run" / "summary.json").read_text())
        with h5py.File(self.folder / "run" / "results.h5") as file:
            ok = file["status"][:] == 0
            columns = {observable: file["observables"][observable][:][ok] for observable in summary["observables"]}
        self.assertEqual(summary["status"]["ok"], ok.sum())
        return summary, {observable: column[~np.isnan(column)] for observable, column in columns.items()}

    def assert_near(self, got, expected, what, scale=0):
        """To 1e-12, relative to the number, or to a scale that rounding is relative to."""
        if np.isnan(expected):
            self.assertIsNone(got, what)
        else:
            self.assertIsNotNone(got, what)
            self.assertLessEqual(abs(got - expected), 1e-12 * max(abs(expected), scale), f"{what}: {got} and {expected}")

    def check(self, summary, columns, sampled=True):
        skewed = 0
        for name, x in columns.items():
            got = summary["observables"][name]
            n = len(x)
            self.assertEqual(got["count"], n, name)
            if n == 0:
                self.assertTrue(all(got[key] is None for key in ("mean", "standard_deviation", "standard_error", "skewness", "min", "max")), name)
                self.assertEqual(set(got["quantiles"].values()), {None}, name)
                continue
            largest, deviation = abs(x).max(), x.std(ddof=1) if n > 1 else np.nan
            self.assertEqual((got["min"], got["max"]), (x.min(), x.max()), name)
            self.assert_near(got["mean"], x.mean(), f"mean of {name}", largest)
            # NumPy's own rounding of x - mean: below EPS * largest there is no spread to compare
            constant = n > 1 and deviation <= 1e3 * EPS * largest
            if constant:
                self.assertLessEqual(got["standard_deviation"], 1e3 * EPS * largest, name)
            else:
                self.assert_near(got["standard_deviation"], deviation, f"standard deviation of {name}")
                if sampled:
                    self.assert_near(got["standard_error"], scipy.stats.sem(x) if n > 1 else np.nan, f"standard error of {name}")
                else:  # a grid draws nothing
                    self.assertIsNone(got["standard_error"], name)
                # the third moment of a symmetric sample is a small difference: relative to E|x - mean|^3 / sd^3, at least 1
                skewness = scipy.stats.skew(x, bias=True) if n > 2 else np.nan
                self.assert_near(got["skewness"], skewness, f"skewness of {name}", 1 + largest / deviation)
                skewed += n > 2 and abs(skewness) > 0.1
            self.assertEqual(list(got["quantiles"]), [str(level) for level in LEVELS], name)
            for level in LEVELS:
                self.assert_near(got["quantiles"][str(level)], np.quantile(x, level, method="linear"), f"quantile {level} of {name}", largest)
            edges, counts = np.array(got["histogram"]["edges"]), np.array(got["histogram"]["counts"])
            self.assertEqual((len(edges), len(counts), counts.sum()), (65, 64, n), name)
            np.testing.assert_allclose(edges, np.linspace(x.min(), x.max(), 65), rtol=0, atol=1e-12 * largest, err_msg=name)
            if x.min() < x.max() and not constant:
                np.testing.assert_array_equal(counts, np.histogram(x, bins=edges)[0], name)
        return skewed

    def test_of_the_flagship_is_what_scipy_finds(self):
        summary, columns = self.run_sample("slider.toml", "--members", 20_000, "--step", 0.01)
        self.assertGreater(self.check(summary, columns), 5, "hardly any observable is skewed")

    def test_leaves_out_who_stopped_and_what_never_came(self):
        summary, columns = self.run_sample("blow_up.toml")
        self.check(summary, columns, sampled=False)
        self.assertLess(summary["status"]["ok"], summary["members"])

    def test_of_few_members_is_what_scipy_finds(self):
        for members in (1, 2, 3):
            self.check(*self.run_sample("slider.toml", "--members", members, "--step", 0.01, "--force"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--samples", required=True)
    arguments, rest = parser.parse_known_args()
    PROGRAM, SAMPLES = str(pathlib.Path(arguments.program).resolve()), pathlib.Path(arguments.samples).resolve()
    unittest_main.main(rest)
