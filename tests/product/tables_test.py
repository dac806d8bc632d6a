"""What a run prints, and what it takes from the command line: tables that fit, members that grow, events that never come, --vary, grids. Run by ctest, one test class
at a time:

    python3 tables_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import re

import h5py
import numpy as np

import product_program
from outcomes_test import DRIFT, OutcomesTest

# x(t) = exp(k t): some members decay, others grow to 1e38
GROWING = """title = "Growth"
[model]
coordinates = ["x"]
force = ["k*vx"]
[model.parameters]
k = 1.0
[start]
x = "1"
vx = "k"
[time]
end = 5.0
step = 1e-2
[ensemble]
members = 400
seed = 4
[vary]
k = { uniform = [-3, 20] }
[observe]
standard = []
size = { max = "abs(x)" }
"""


class Tables(OutcomesTest):
    def test_fit_into_a_hundred_columns(self):
        long_name = DRIFT.replace("passed =", "a_name_that_is_as_long_as_names_of_observables_may_well_become = { max = \"x*1e-7\" }\npassed =")
        for arguments in ([], ["--no-step-check"], ["--members", "100000"]):
            printed, _ = self.run_it(long_name, "--backend", "cpu", *arguments)
            rows = re.search(r"(?ms)^observable .*?\n\n(?=\S+ s for the members|class)", printed)[0]
            self.assertLessEqual(max(map(len, rows.split("\n"))), 100, rows)
            for word in ("mean", "± sampling", "deviation", "median", "95 %"):
                self.assertIn(word, rows)
        out, _ = self.run_program("sensitivity", "out")
        self.assertLessEqual(max(len(line) for line in out.split("\n") if line.startswith("  ") and "note" not in line), 100, out)

    def test_have_one_line_for_what_is_the_same_for_all(self):
        printed, summary = self.run_it(DRIFT.replace("standard = []", 'standard = ["impacts", "first_contact"]') + "\n", "--backend", "cpu", "--set", "v0=0.5")
        self.assertEqual(summary["observables"]["final.vx"]["min"], 0.5)
        self.assertRegex(printed, r"(?m)^the same for all members: impacts = 0, final\.vx = 0\.5$")
        self.assertRegex(printed, r"(?m)^no member has a value \(the event never came, or it is NaN\): passed, first_contact$")
        self.assertNotRegex(printed, r"(?m)^impacts ")

    def test_explain_events_that_never_came(self):
        printed, summary = self.run_it(DRIFT, "--backend", "cpu")
        came = summary["observables"]["passed"]["count"]
        self.assertTrue(0 < came < 4000)
        self.assertRegex(printed, rf"(?m)^passed: {came:,} of 4,000 members have a value; to the others the event never came$")
        self.assertRegex(printed, r"(?m)^observable .* count$")
        printed, _ = self.run_it(DRIFT.replace('{ first_time = "x > 1.5" }', '{ max = "x" }').replace("not never(passed)", "passed > 1"), "--backend", "cpu")
        self.assertNotRegex(printed, r"(?m)^observable .* count$")  # all members have all values


class GrownMembers(OutcomesTest):
    def test_do_not_make_a_mean_that_looks_like_a_result(self):
        self.write("scenario.toml", GROWING)
        printed, err = self.run_program("run", "scenario.toml", "--out", "out", "--backend", "cpu", "--no-step-check")
        summary = json.loads((self.folder / "out/summary.json").read_text())["observables"]["size"]
        with h5py.File(self.folder / "out/results.h5") as results:
            size = np.sort(results["observables/size"][:])
        self.assertGreater(size[-1], 1e30)
        self.assertAlmostEqual(summary["trimmed_mean"] / size[20:-20].mean(), 1, delta=1e-12)
        self.assertRegex(err, r"^conesweep: warning: the mean of size is no result: a few members are far beyond all others \(median [\d.e+]+, mean without the "
                              r"outer 5 % on each side [\d.e+]+, largest [\d.e+]+\); also final\.x and final\.vx; \[time\] stop ends members that grow, for "
                              r'example stop = "abs\(x\) > 1e3", and a class counts them\n$')
        self.assertRegex(printed, r"(?m)^observable +mean +5 % trimmed +± sampling +deviation ")
        # with stop there is nothing to warn of
        _, err = self.run_program("run", self.write("scenario.toml", GROWING.replace("end = 5.0", 'end = 5.0\nstop = "abs(x) > 1e3"')), "--out", "two", "--backend",
                                  "cpu", "--no-step-check")
        self.assertEqual(err, "")


class Variations(OutcomesTest):
    def test_by_flag_are_those_of_the_file(self):
        _, summary = self.run_it(DRIFT.replace("v0 = { uniform = [0, 1] }", "v0 = { triangular = [1, 1.5, 2] }"), "--backend", "cpu", out="file")
        _, flag = self.run_it(DRIFT, "--backend", "cpu", "--vary", "v0=triangular:1:3/2:2", out="flag")
        self.assertEqual(summary["observables"], flag["observables"])
        # one more, and one that is swept or computed elsewhere
        _, more = self.run_it(DRIFT, "--backend", "cpu", "--vary", "k=choice:1:2:5", out="more")
        self.assertEqual(sorted(set(self.columns("more")["parameters/k"])), [1, 2, 5])
        swept = DRIFT.replace("v0 = { uniform = [0, 1] }\n", "") + "[sweep]\nv0 = { values = [1, 2] }\n"
        _, drawn = self.run_it(swept, "--backend", "cpu", "--vary", "v0=uniform:0:1", out="drawn")
        self.assertEqual(drawn["members"], 4000)
        resolved = (self.folder / "more/scenario.toml").read_text()
        self.assertIn("\nk = { choice = [1.0, 2.0, 5.0] }\n", resolved)

    def test_that_are_wrong_are_refused_with_what_to_write(self):
        self.write("s.toml", DRIFT)
        for flags, message in [
            (["v0"], "conesweep: --vary: 'v0' should read name=distribution, for example A=uniform:1:2\n"),
            (["w=uniform:1:2"], "--vary: unknown parameter 'w'"),
            (["v0=unifrm:1:2"], "--vary: v0=unifrm:1:2: unknown distribution 'unifrm'; did you mean 'uniform'?; write it as uniform:1:2"),
            (["v0=uniform:1"], "--vary: v0=uniform:1: uniform takes "),
            (["v0=uniform:1:x"], "--vary: v0=uniform:1:x: 'x' is not a finite number"),
            (["v0=uniform:2:1"], "--vary: v0=uniform:2:1: uniform: "),
            (["v0=table:a.csv:b"], "--vary: v0=table:a.csv:b: a table stands in the file, in [vary]"),
            (["v0=uniform:1:2", "--set", "v0=1"], "--vary: 'v0' is set to a number, too; it can only do one of the two"),
        ]:
            out, err = self.run_program("check", "s.toml", "--vary", *flags, code=2)
            self.assertIn(message, out + err)

    def test_resolved_scenarios_say_the_velocity_that_follows_from_the_past(self):
        text = DRIFT.replace('x = "x0"\nvx = "v0"', 'x = "x0 + v0*sin(t)"')
        _, one = self.run_it(text, "--backend", "cpu", "--members", "50", out="one")
        resolved = (self.folder / "one/scenario.toml").read_text()
        self.assertIn('\n# vx = "v0 * cos(t)"  at t = 0, from the left\n', resolved)
        _, again = self.run_it(resolved, "--backend", "cpu", out="again")
        self.assertEqual(one["observables"], again["observables"])


class Grids(OutcomesTest):
    def test_have_their_axes_and_shape_in_the_results(self):
        text = DRIFT.replace("members = 4000\n", 'sampler = "grid"\nlevels = { x0 = 5, v0 = 3 }\n')
        self.run_it(text, "--backend", "cpu")
        with h5py.File(self.folder / "out/results.h5") as results:
            self.assertEqual(list(results["grid"]), ["x0", "v0"])
            shape = tuple(results["grid"].attrs["shape"])
            self.assertEqual(shape, (5, 3))
            x0, v0 = results["grid/x0"][:], results["grid/v0"][:]
            np.testing.assert_array_equal(x0, np.linspace(0, 1, 5))
            np.testing.assert_array_equal(results["parameters/x0"][:].reshape(shape), np.broadcast_to(x0[:, None], shape))
            np.testing.assert_array_equal(results["parameters/v0"][:].reshape(shape), np.broadcast_to(v0[None, :], shape))
            np.testing.assert_allclose(results["observables/final.x"][:].reshape(shape), x0[:, None] + v0[None, :], atol=1e-12)
        swept = DRIFT.replace("v0 = { uniform = [0, 1] }\n", "").replace("4000", "7") + "[sweep]\nv0 = { values = [1, 2] }\nk = { values = [1, 2, 3] }\n"
        self.run_it(swept, "--backend", "cpu", out="sweep")
        with h5py.File(self.folder / "sweep/results.h5") as results:
            self.assertEqual(list(results["sweep"].attrs["shape"]), [2, 3, 7])


if __name__ == "__main__":
    product_program.main(__doc__)
