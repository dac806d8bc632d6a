"""What became of the members, as a user sees it: [classes], [sweep], and sensitivities of both and of stopping. Run by ctest, one test class at a time:

    python3 outcomes_test.py --program build/bin/conesweep --source . ClassName
"""
import csv
import json
import re

import h5py
import numpy as np

import product_program
from product_program import ProductTest, SLIDER

# a free particle: x(1) = x0 + v0, to rounding
DRIFT = """title = "Drift"
[model]
coordinates = ["x"]
force = ["0 * k"]
[model.parameters]
x0 = 0.0
v0 = 0.0
k = 1.0
limit = 0.9
[start]
x = "x0"
vx = "v0"
[time]
end = 1.0
step = 0.25
[ensemble]
members = 4000
seed = 3
[vary]
x0 = { uniform = [0, 1] }
v0 = { uniform = [0, 1] }
[observe]
standard = []
passed = { first_time = "x > 1.5" }
[classes]
far = "not never(passed)"
half = "final.x > limit"
"""

# where x0 is above 0.75 there is no force, and the member stops
STOPPING = DRIFT.replace('"0 * k"', '"1e-300 * sqrt(0.75 - x0)"')

# a block brakes from v0: at rest after v0²/2a to O(h)
BRAKE = """[model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
v0 = 1.0
a = 1.0
[[model.resistance]]
name = "brake"
slip = ["vx"]
limit = "a"
[start]
x = "0"
vx = "v0"
[time]
end = 3.0
step = 1e-3
[ensemble]
members = 500
seed = 11
[vary]
v0 = { uniform = [0, 2] }
[observe]
standard = []
stops = { first_time = "abs(vx) < 1e-9" }
[classes]
moving = "never(stops)"
far = "final.x > 0.5"
short = "else"
"""


class OutcomesTest(ProductTest):
    def run_it(self, text, *arguments, command="run", code=0, out="out"):
        self.write("scenario.toml", text)
        printed, _ = self.run_program(command, "scenario.toml", "--out", out, "--force", *arguments, code=code)
        return printed, json.loads((self.folder / out / "summary.json").read_text())

    def columns(self, out="out"):
        with h5py.File(self.folder / out / "results.h5") as file:
            columns = {}
            file.visititems(lambda name, item: columns.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
            if "class" in file:
                names = file["class"].attrs["names"]
                columns["class names"] = [names[code] for code in columns["class"]]
        return columns


class Classes(OutcomesTest):
    def test_of_a_closed_form(self):
        printed, summary = self.run_it(BRAKE, "--backend", "cpu")
        found = self.columns()
        v0 = found["parameters/v0"]
        exact = np.where(v0**2 / 2 > 0.5, "far", "short")  # at rest at t = v0 <= 2
        clear = abs(v0**2 / 2 - 0.5) > 2e-3                 # the scheme is of order h
        self.assertGreater(clear.sum(), 490)
        self.assertEqual([n for n, c in zip(found["class names"], clear) if c], list(exact[clear]))
        shares = summary["classes"]
        self.assertEqual(list(shares), ["moving", "far", "short"])
        self.assertEqual(sum(one["members"] for one in shares.values()), 500)
        lower, upper = shares["far"]["interval"]
        self.assertTrue(lower < 0.5 < upper)  # v0 > 1: half of all
        self.assertEqual(shares["moving"]["interval"][0], 0)
        n, z = 500, 1.959963984540054
        self.assertAlmostEqual(shares["moving"]["interval"][1], z * z / (n + z * z), places=12)
        share = 100 * shares["far"]["share"]
        self.assertRegex(printed, rf"(?m)^class +members +share +95 % from +to +± step$")
        self.assertRegex(printed, rf"(?m)^far +{shares['far']['members']} +{share:.4g} % +[\d.]+ % +[\d.]+ % +(< )?[\d.]+ %$")
        # no pair of 256 differs where no member is of the class: that is a bound, not 0
        self.assertEqual(summary["step_check"]["classes"]["moving"]["step_error_at_most"], 6 / 256)
        self.assertGreater(summary["step_check"]["classes"]["far"]["step_error_at_most"], 0.02)
        self.assertIn('moving = "never(stops)"\nfar = "final.x > 0.5"\nshort = "else"\n', (self.folder / "out/scenario.toml").read_text())

    def test_are_the_same_after_a_resume_and_on_every_executor(self):
        small = ("--members", "40", "--step", "0.02")
        self.run_it(BRAKE, "--backend", "cpu", *small)
        first = self.columns()["class"]
        out, _ = self.run_program("run", "scenario.toml", "--out", "out", "--backend", "cpu", "--resume", *small)
        self.assertIn("is finished already", out)
        self.run_it(BRAKE, "--backend", "reference", *small, out="other")
        differing = (first != self.columns("other")["class"]).sum()
        self.assertLess(differing, 2)
        out, _ = self.run_program("compare", "scenario.toml", "--backends", "cpu,reference", *small)
        self.assertRegex(out, rf"(?m)^{differing} of 40 members (is|are) of another class$")
        out, _ = self.run_program("compare", "scenario.toml", "--backends", "cpu,reference", "--json", *small)
        self.assertEqual(len(json.loads(out)["other_class"]), differing)

    def test_of_members_that_stop_are_their_statuses_and_a_grid_has_no_interval(self):
        printed, summary = self.run_it(STOPPING, "--backend", "cpu", code=1)
        found = self.columns()
        stopped = found["parameters/x0"] > 0.75
        self.assertEqual(summary["classes"]["non_finite"]["members"], stopped.sum())
        self.assertTrue(all((name == "non_finite") == stops for name, stops in zip(found["class names"], stopped)))
        self.assertEqual(list(summary["classes"]), ["far", "half", "other", "non_finite"])
        grid = DRIFT.replace("members = 4000", 'sampler = "grid"\nlevels = { x0 = 5, v0 = 5 }')
        printed, summary = self.run_it(grid, "--backend", "cpu")
        self.assertEqual(summary["classes"]["half"], {"members": 15 - 3, "share": 0.48})  # i + j >= 4 in quarters, without i + j > 6
        self.assertEqual(summary["classes"]["far"]["members"], 3)
        self.assertRegex(printed, r"(?m)^class +members +share +± step$")

    def test_can_be_gone_on_for_until_their_share_is_known(self):
        text = DRIFT.replace("members = 4000", "members = 100")
        printed, summary = self.run_it(text, "--backend", "cpu", "--until", "half:2%", "--most", "1e6")
        lower, upper = summary["classes"]["half"]["interval"]
        self.assertLessEqual((upper - lower) / 2, 0.02)
        self.assertIn("half width of the interval of class.half", printed)
        self.assertGreater(summary["members"], 2000)  # 0.25 / 0.0102²
        self.run_program("run", "scenario.toml", "--out", "out", "--backend", "cpu", "--until", "class.half:2%", "--most", "1e6", "--resume")
        _, error = self.run_program("run", "scenario.toml", "--until", "hal:2%", code=2)
        self.assertIn("nothing observed and no class is called 'hal'; did you mean 'half'?", error)
        _, error = self.run_program("run", "scenario.toml", "--out", "out", "--backend", "cpu", "--until", "half:0.1%", "--most", "1e6", "--resume", code=2)
        self.assertIn("too few for what --until asks for", error)


class ClassSensitivity(OutcomesTest):
    # 1[x0 + v0 > 1]: E given one of the two is that one, so the first index is (1/12)/(1/4) and the total 1 less it
    def test_by_sobol_has_the_indices_of_the_indicator(self):
        text = DRIFT.replace("limit = 0.9", "limit = 1.0").replace('far = "not never(passed)"\n', "")
        printed, summary = self.run_it(text, "--members", "32768", "--backend", "cpu", command="sensitivity")
        for row in ("class.half", "class.other"):
            for parameter in ("x0", "v0"):
                one = summary["sensitivity"][row][parameter]
                for kind, exact in (("first", 1 / 3), ("total", 2 / 3)):
                    lower, upper = one[kind + "_interval"]
                    reach = (upper - lower) / 2
                    self.assertLess(abs(one[kind] - exact), 1.6 * reach)
                    self.assertLess(reach, 0.05)
        self.assertNotIn("stopped", summary["sensitivity"])
        self.assertIn("class.half: mean ", printed)
        printed, _ = self.run_program("sensitivity", "scenario.toml", "--out", "out", "--backend", "cpu", "--members", "4096", "--until", "half:0.05",
                                      "--most", "1e6", "--force", "--observable", "class.half")
        self.assertIn("widest interval of class.half", printed)
        self.assertNotIn("final.x", printed)

    # x0 + v0 > 1.9225 happens to 3e-3 of all: a total of two or three hits is none
    def test_of_a_rare_class_says_how_many_members_it_takes(self):
        text = DRIFT.replace("limit = 0.9", "limit = 1.9225").replace('far = "not never(passed)"', 'never = "final.x > 3"')
        printed, summary = self.run_it(text, "--members", "4000", "--backend", "cpu", command="sensitivity")
        found = summary["sensitivity"]["class.half"]
        self.assertEqual([found[p][kind] for p in ("x0", "v0") for kind in ("first", "total", "first_jansen")], [None] * 6)
        few = summary["design"]["too_few"]["class.half"]
        self.assertEqual(few["of"], 2000)
        self.assertTrue(0 < few["seen"] < 15, few)
        needed = few["needed_members"]
        self.assertAlmostEqual(needed / (4 * 15 * 2000 / few["seen"]), 1.05, delta=0.06)
        self.assertRegex(printed, rf"class.half: mean .*\n  note: only {few['seen']} of 2,000 independent members have another value than 0, and no index is to "
                                  rf"rest on fewer than 30: it takes about {needed:,} members, and there are 4,000\n")
        self.assertIn("\nno member was seen of: class.never\n", printed)
        self.assertEqual(summary["design"]["too_few"]["class.never"], {"seen": 0, "of": 2000, "needed_members": None})
        self.run_program("report", "out")
        # with as many as it says, and half as many again for luck, there is one
        _, summary = self.run_it(text, "--members", str(int(1.5 * needed)), "--backend", "cpu", command="sensitivity")
        self.assertNotIn("class.half", summary["design"]["too_few"])
        self.assertTrue(0.5 < summary["sensitivity"]["class.half"]["x0"]["total"] < 1.3)

    # levels 0, 1/3, 2/3, 1 and steps of 2/3: half of the steps cross the line, 0.5/(2/3)
    def test_by_morris_is_half_of_all_steps(self):
        printed, summary = self.run_it(DRIFT, "--members", "6000", "--method", "morris", "--backend", "cpu", command="sensitivity")
        far = summary["sensitivity"]["class.far"]["x0"]["mu_star"]      # x0 + v0 > 1.5: o = 1 and 2/3 (from 0 to 2/3: o = 1; from 1/3 to 1: o >= 2/3)
        half = summary["sensitivity"]["class.half"]["x0"]["mu_star"]
        self.assertLess(abs(far - (3 / 8) * 1.5), 0.05)
        # half is not far: changes of 1[s > 0.9] - 1[s > 1.5], by hand over o = 0, 1/3, 2/3, 1
        level = [0, 1 / 3, 2 / 3, 1]
        inside = lambda s: 0.9 < s < 1.5
        exact = sum(inside(a + o) != inside(a + 2 / 3 + o) for a in level[:2] for o in level) / 8 * 1.5
        self.assertLess(abs(half - exact), 0.06)
        self.assertIn("class.far", printed)
        self.assertNotIn("interval", summary["classes"]["far"])

    def test_of_stopping_says_what_and_where(self):
        printed, summary = self.run_it(STOPPING, "--members", "8192", "--backend", "cpu", command="sensitivity", code=1)
        one = summary["sensitivity"]["stopped"]
        self.assertAlmostEqual(one["x0"]["first"], 1, delta=0.12)
        self.assertAlmostEqual(one["x0"]["total"], 1, delta=0.12)
        self.assertEqual(one["v0"]["total"], 0)
        where = summary["stopped_where"]
        self.assertGreater(where["x0"]["stopped"]["min"], 0.75)
        self.assertAlmostEqual(where["x0"]["stopped"]["median"], 0.875, delta=0.02)
        self.assertAlmostEqual(where["x0"]["all"]["median"], 0.5, delta=0.02)
        self.assertAlmostEqual(where["v0"]["stopped"]["median"], 0.5, delta=0.03)
        self.assertRegex(printed, r"stopped, and have no observables; where they lie:\n +parameter +min +median +max +all: min +median +max\n")
        self.assertRegex(printed, r"stopped: mean 0\.2\d")
        # a base with a member that stopped says nothing of observables, and all of stopping
        self.assertGreater(summary["design"]["bases"], 2000)
        self.assertIn("members are left out", " ".join(summary["design"]["warnings"]["final.x"]))
        self.assertNotIn("members are left out", " ".join(summary["design"]["warnings"].get("stopped", [])))

    def test_by_ranks_of_a_run(self):
        self.run_it(STOPPING, "--backend", "cpu", code=1)
        printed, _ = self.run_program("sensitivity", "out")
        table = json.loads(self.run_program("sensitivity", "out", "--json")[0])
        self.assertEqual(list(table)[-4:], ["class.far", "class.half", "class.other", "stopped"])
        x0 = self.columns()["parameters/x0"]
        rank = np.argsort(np.argsort(x0)).astype(float)
        self.assertAlmostEqual(table["stopped"]["x0"]["spearman"], np.corrcoef(rank, x0 > 0.75)[0, 1], places=10)
        self.assertRegex(printed, r"(?m)^stopped: 4,000 members; R²")
        self.assertIn("of 4,000 members stopped, and have no observables; where they lie:", printed)


SWEEP = SLIDER.replace("[observe]", "[sweep]\nk = { from = 2, to = 4, count = 3 }\nv0 = { values = [0.5, 1.5] }\n[observe]").replace(
    "[record]", '[classes]\nlate = "never(late)"\nfar = "reach > 1.3"\n[record]')
ONE = SLIDER.replace("[record]", '[classes]\nlate = "never(late)"\nfar = "reach > 1.3"\n[record]')


def same_bits(a, b):
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()


class Sweeps(OutcomesTest):
    def test_are_the_runs_of_their_points_to_the_bit(self):
        for sampler in ("random", "latin", "sobol"):
            change = ("seed = 5", f'seed = 5\nsampler = "{sampler}"')
            printed, summary = self.run_it(SWEEP.replace(*change), "--backend", "cpu", out="sweep")
            rows = self.columns("sweep")
            self.assertEqual(summary["members"], 1800)
            self.assertEqual(list(rows["sweep/k"]), [2, 3, 4])
            self.assertEqual(list(rows["sweep/v0"]), [0.5, 1.5])
            self.assertEqual(summary["sweep"]["axes"], {"k": [2, 3, 4], "v0": [0.5, 1.5]})
            self.assertEqual(summary["sweep"]["members"], 300)
            for k, (stiffness, speed) in enumerate((s, v) for s in (2, 3, 4) for v in (0.5, 1.5)):
                point = summary["sweep"]["points"][k]
                self.assertEqual(point["values"], {"k": stiffness, "v0": speed})
                _, alone = self.run_it(ONE.replace(*change), "--backend", "cpu", "--set", f"k={stiffness}", "--set", f"v0={speed}", out="alone")
                one = self.columns("alone")
                part = slice(300 * k, 300 * (k + 1))
                for name, column in one.items():
                    if name.startswith(("trajectories", "class names")):
                        continue
                    self.assertTrue(same_bits(column, rows[name][part]), f"{sampler}, point {k}: {name}")
                self.assertTrue((rows["parameters/k"][part] == stiffness).all() and (rows["parameters/v0"][part] == speed).all())
                self.assertEqual(point["status"], alone["status"])
                self.assertEqual(point["classes"], alone["classes"])
                for name, numbers in point["observables"].items():
                    for key, value in numbers.items():
                        if key != "quantiles":
                            self.assertEqual(value, alone["observables"][name][key], f"{name} {key}")
                        else:
                            self.assertEqual(value, {level: alone["observables"][name]["quantiles"][level] for level in ("0.05", "0.5", "0.95")})
        self.assertIn("6 points of 300 members each", printed)
        self.assertRegex(printed, r"(?m)^k +v0 +share of late +share of far +share of other +mean reach +mean late +mean ")
        self.assertRegex(printed, r"(?m)^4 +1\.5 +[\d.]+ % +")
        self.assertIsNone(summary["observables"]["reach"]["standard_error"])  # points share their draws
        self.assertNotIn("interval", summary["classes"]["far"])

    def test_print_what_a_run_prints(self):
        # no observable of its own: standard ones differ between members, and are in both tables
        text = SLIDER[:SLIDER.index("[observe]")] + "[sweep]\nk = { values = [2, 3] }\n" + SLIDER[SLIDER.index("[record]"):]
        printed, summary = self.run_it(text, "--backend", "reference", "--members", "30", "--no-step-check")
        above = re.findall(r"(?m)^([a-z_.]+)  ", printed[printed.index("\nobservable "):printed.index("\nk ")])[1:]
        shown = re.findall(r"mean ([a-z_.]+)", printed[printed.index("\nk "):])
        self.assertEqual(shown, above)
        self.assertLessEqual({"stick_time", "slip_time", "dissipated", "variation", "final.x"}, set(shown))
        for k, value in enumerate(("2", "3")):
            cells = [line.split() for line in printed[printed.index("\nk "):].splitlines() if line.split()[:1] == [value]]
            means = [float(cell) for line in cells for cell in line[1:]]
            for name, mean in zip(shown, means, strict=True):
                self.assertAlmostEqual(mean, summary["sweep"]["points"][k]["observables"][name]["mean"], delta=1e-4 * abs(mean))
        # more columns than a screen has are named
        many = "".join(f'o{k} = {{ final = "{k}*x" }}\n' for k in range(1, 13))
        printed, _ = self.run_it(text.replace("[sweep]", "[observe]\n" + many + "[sweep]"), "--backend", "reference", "--members", "30", "--no-step-check", "--force")
        self.assertIn("\n… and more columns, in summary.json: mean final.x, mean final.vx\n", printed)

    def test_do_not_depend_on_chunks_and_go_on(self):
        text = SWEEP.replace("members = 300", "members = 3000").replace("step = 0.01", "step = 0.05")
        self.run_it(text, "--backend", "cpu", out="a")
        self.run_it(text, "--backend", "cpu", "--chunk", "4096", "--threads", "1", out="b")
        self.assertEqual((self.folder / "a/results.h5").read_bytes(), (self.folder / "b/results.h5").read_bytes())
        out, _ = self.run_program("run", "scenario.toml", "--out", "a", "--backend", "cpu", "--resume")
        self.assertIn("is finished already", out)
        _, error = self.run_program("run", "scenario.toml", "--out", "a", "--backend", "cpu", "--members", "3001", "--resume", code=2)
        self.assertIn("another scenario", error)

    def test_are_known_to_the_other_commands(self):
        self.write("scenario.toml", SWEEP)
        out, _ = self.run_program("check", "scenario.toml")
        self.assertIn("3 classes; 6 points of 300 members each, of 200 steps", out)
        out, _ = self.run_program("plan", "scenario.toml")
        self.assertIn("1,800 rows (6 points of a sweep), 200 steps", out)
        for command, more in (("converge", ()), ("mlmc", ("--observable", "reach", "--rmse", "0.1")), ("sensitivity", ("--members", "1e4"))):
            _, error = self.run_program(command, "scenario.toml", *more, code=2)
            self.assertIn("take one point with --set k=…", error)
        _, error = self.run_program("run", "scenario.toml", "--until", "reach:1%", code=2)
        self.assertIn("--until: a sweep has as many members at every point", error)
        out, _ = self.run_program("compare", "scenario.toml", "--backends", "cpu,reference")
        self.assertIn("agree", out)
        self.run_it(SWEEP, "--backend", "cpu")
        _, error = self.run_program("sensitivity", "out", code=2)
        self.assertIn("holds a sweep, whose points share their draws", error)
        # a row is a member of the whole: its last node is what the run has
        row = 300 * 3 + 17
        out, _ = self.run_program("trace", "scenario.toml", "--member", str(row))
        last = list(csv.DictReader(line for line in out.splitlines() if not line.startswith("#")))[-1]
        self.assertAlmostEqual(float(last["x"]), self.columns()["observables/final.x"][row], delta=1e-9)


if __name__ == "__main__":
    product_program.main(__doc__)
