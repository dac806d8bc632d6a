"""Reports as a reader meets them. Numbers on a page are recomputed here from results.h5 and summary.json. Run by ctest, one test class at a time:

    python3 report_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import math
import re

import numpy as np
import scipy.stats

import product_program
from product_program import BLOW_UP, BOX, SLIDER
from report_page import EVERYTHING, MANY, Page, ReportTest, STUDY, WILD, read_written


class Reports(ReportTest):
    # longer than 60 lines: every number of one page, in the order of the page
    def test_numbers_are_those_of_the_files(self):
        page, summary, columns = self.make(STUDY.replace("[record]", 'steep = { final = "mu^40" }\n[record]'))
        # all statistics
        sheet = {row[0]: row[1:] for row in page.sheets["run-statistics.csv"][1:]}
        self.assertEqual(list(sheet), list(summary["observables"]))
        for name, s in summary["observables"].items():
            q = s["quantiles"]
            expected = [s["mean"], s["standard_error"], summary["step_check"]["observables"][name]["step_error"], s["standard_deviation"], s["min"], q["0.05"],
                        q["0.5"], q["0.95"], s["max"]]
            np.testing.assert_array_equal([float(x) for x in sheet[name][:9]], [math.nan if x is None else x for x in expected], name)
            values = columns[name][columns["status"] == 0]
            values = values[~np.isnan(values)]
            self.assertEqual(int(sheet[name][9]), len(values))
            if len(values):
                np.testing.assert_allclose([float(sheet[name][k]) for k in (0, 4, 6, 8)], [values.mean(), values.min(), np.median(values), values.max()], rtol=1e-12)
        # what the page shows of them, written as people do; what is rounding beside the largest value is 0
        shown = next(table for table in page.tables if table[0][0] == "observable")
        for row, (name, s) in zip(shown[1:], summary["observables"].items()):
            q, least = s["quantiles"], 1e-12 * max(abs(s["min"] or 0), abs(s["max"] or 0))
            for cell, value in zip(row[4:10], [s["standard_deviation"], s["min"], q["0.05"], q["0.5"], q["0.95"], s["max"]]):
                self.assertEqual(read_written(cell), value and (0 if abs(value) < least else float(f"{value:.5g}")), (name, cell))
        reach = next(row for row in shown if row[0].startswith("reach"))
        self.assertEqual(float(reach[1]), float(f"{columns['reach'].mean():.5g}"))
        self.assertEqual(reach[-1], "300")
        self.assertEqual(next(row for row in shown if row[0] == "steep")[5], "0")
        self.assertEqual(re.findall(r"<text[^>]*>[^<]*\de[-+]?\d[^<]*</text>", page.text), [])

        # a histogram
        rows = self.numbers(page.sheets["histogram-reach.csv"], "from", "to", "share")
        counts, _ = np.histogram(columns["reach"], np.append(rows[:, 0], columns["reach"].max()))
        np.testing.assert_allclose(rows[:, 2], counts / 300, atol=1e-5)
        self.assertEqual(counts.sum(), 300)

        # a cloud: every member
        rows = self.numbers(page.sheets["scatter-reach-mu.csv"], "mu", "reach")
        np.testing.assert_allclose(rows, np.column_stack([columns["mu"], columns["reach"]]), rtol=1e-5)

        # bands: all members are recorded here
        rows = self.numbers(page.sheets["band-x.csv"], "t", "q05", "q25", "median", "q75", "q95", "mean")
        times = columns["trajectories/time"]
        self.assertGreater(len(rows), 20)
        for row in rows:
            x = columns["trajectories/x"][:, np.argmin(np.abs(times - row[0]))]
            np.testing.assert_allclose(row[1:], [*np.quantile(x, [0.05, 0.25, 0.5, 0.75, 0.95]), x.mean()], rtol=1e-5, atol=1e-9)

        # rank correlations
        for name, _, value, *_ in page.sheets["sensitivity-reach.csv"][1:]:
            self.assertAlmostEqual(float(value), scipy.stats.spearmanr(columns[name], columns["reach"])[0], delta=1e-5)

        # classes with Wilson's intervals
        for name, _, *shares in page.sheets["classes.csv"][1:]:
            n = np.sum(columns["reach"] < 1) if name == "near" else np.sum(columns["reach"] >= 1)
            interval = scipy.stats.binomtest(int(n), 300).proportion_ci(method="wilson")
            np.testing.assert_allclose([float(x) for x in shares], [100 * n / 300, 100 * interval.low, 100 * interval.high], rtol=1e-5)

        # a map of means: each member is in one square
        rows = self.numbers(page.sheets["map-reach-mu-tau.csv"] if "map-reach-mu-tau.csv" in page.sheets else page.sheets["map-reach-tau-mu.csv"], "mean of reach")
        self.assertTrue(columns["reach"].min() <= rows.min() and rows.max() <= columns["reach"].max() + 1e-5)

        # modes: shares of the time, members sorted by what is named
        sheet = next(name for name in page.sheets if name.startswith("modes-"))
        rows = self.numbers(page.sheets[sheet], "member", "flight", "slip", "stick")
        self.assertEqual(len(rows), 64)
        self.assertTrue((np.diff(columns[sheet[6:-4]][rows[:, 0].astype(int)]) >= 0).all(), sheet)
        for member, *shares in rows:
            mode = columns["trajectories/mode"][int(member)][:-1]
            np.testing.assert_allclose(shares, [(mode == k).mean() for k in range(3)], atol=1e-5)

    def test_says_how_it_was_run_and_what_the_problem_is(self):
        page, summary, _ = self.make(STUDY)
        text = page.text
        for words in ("Slider µ &quot;rough&quot;", summary["run"]["identity"], "reference, double", "random, 5", "300 ok", "reach (m)", "t (s)", "1 &amp; &lt;2&gt;",
                      "Contact “floor”", "uniform (0.1, 0.6)"):
            self.assert_says(words, text)
        # x¨ = k (1 - x(t - τ)) + r_x, from the tree
        self.assert_says("<mover><mi>x</mi><mo>¨</mo></mover><mo>=</mo><mrow><mi>k</mi>", text)
        self.assert_says("<mrow><mi>x</mi><mrow><mo form=\"prefix\">(</mo><mrow><mi>t</mi><mo>−</mo><mi>τ</mi></mrow><mo form=\"postfix\">)</mo></mrow></mrow>", text)
        self.assert_says("<mrow><mi>y</mi><mo>≥</mo><mn>0</mn></mrow>", text)

    def test_is_one_page_that_asks_for_nothing(self):
        page, *_ = self.make(STUDY)
        self.assertLess(len(page.text.encode()), 1_000_000)
        self.assertLess(len("".join(page.scripts)), 10_000)
        for link in page.links:
            self.assertRegex(link, r"^(#|data:)")
        for anchor in (link[1:] for link in page.links if link.startswith("#")):
            self.assertIn(anchor, page.ids)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assert_says("default-src 'none'", page.text)
        self.assertEqual(re.findall(r"url\((?!#)|@import|<link|<img|<iframe", page.text), [])
        self.assertEqual(set(re.findall(r"https?://[^\"<\s]*", page.text)), set())
        # every drawing has a title and a description, and numbers beside it
        for svg in page.svgs:
            if svg.get("class") == "thumb":
                continue
            self.assertGreater(len(svg["aria-label"]), 3)
        self.assertEqual(page.text.count("<desc>"), len(page.figures))
        self.assertEqual({name[:-4] for name in page.sheets if not name.endswith("-statistics.csv")}, set(page.figures))
        self.assertGreater(len(page.figures), 10)

    def test_equal_runs_make_equal_pages(self):
        one, *_ = self.make(STUDY, "one/run")
        two, *_ = self.make(STUDY, "two/run")
        took = re.compile(r"<th scope=\"row\">took</th>.*?</tr>")
        self.assertEqual(took.sub("", one.text), took.sub("", two.text))

    def test_stays_small_for_large_scenarios(self):
        many = SLIDER.replace("members = 300", "members = 3000").replace("step = 0.01", "step = 0.1").replace("every = 3", "every = 1").replace("members = 7", "members = 100")
        many = many.replace("v0 = 1.0", "v0 = 1.0\n" + "".join(f"p{k} = {k}\n" for k in range(600)))
        many = many.replace("[observe]", "".join(f"p{k} = {{ uniform = [0, 1] }}\n" for k in range(12)) + "[observe]\n" + "".join(f'o{k} = {{ final = "x + p{k % 12}" }}\n' for k in range(300)))
        page, *_ = self.make(many)
        self.assertLess(len(page.text.encode()), 1_000_000)
        self.run_program("report", *["run"] * 8, "--out", "eight.html", "--quiet")
        eight = (self.folder / "eight.html").read_text()
        self.assertLess(len(eight.encode()), 1_000_000)
        self.assert_says("to keep the page small", eight)
        self.assert_says("more fixed ones, in scenario.toml", page.text)

    def test_stays_small_for_large_ensembles(self):
        """A page of ten million members, by default of a tenth of them; bench/report.py measures the time."""
        members = 10_000_000 if EVERYTHING else 1_000_000
        self.write("many.toml", MANY)
        self.run_program("run", "many.toml", "--backend", "cpu", "--members", str(members), "--no-step-check", "--quiet", "--out", "many")
        self.run_program("report", "many", "--quiet")
        page = Page((self.folder / "many/report.html").read_text())
        self.assertLess(len(page.text.encode()), 1_000_000)
        self.assertEqual("Every 10th member is drawn" in page.text, EVERYTHING)
        # all members drawn are in the squares
        counts = self.numbers(page.sheets["scatter-reach-v0.csv"], "members")
        self.assertAlmostEqual(counts.sum(), 1_000_000, delta=1_000)  # six digits are printed

    def test_says_when_there_is_no_sampling_to_compare_with(self):
        sweep = SLIDER.replace("[observe]", "[sweep]\nk = { values = [4, 9] }\n[observe]").replace("members = 300", "members = 10")
        page, *_ = self.make(sweep)
        self.assert_says("there is no error of sampling to compare its cost with", page.text)

    def test_members_that_grow_without_bound_leave_room_for_the_others(self):
        # v' = v^2: some members are at 1e30 when they stop
        page, *_ = self.make(BLOW_UP.replace("levels = { v0 = 7 }", "levels = { v0 = 50 }") + "[record]\nmembers = 50\n", "blow", code=1)
        up = re.search(r'<figure id="band-q">.*?data-y="([^"]*)"', page.text, re.S)[1].split()
        self.assertLess(float(up[3]), 1e4)
        self.assertGreater(float(up[2]), -1)  # and nothing is where no member is
        self.assert_says("The axes end near most members; some go far beyond.", re.search(r'<figure id="band-q">.*?</figure>', page.text, re.S)[0])

    def test_draws_nothing_twice_and_nothing_empty(self):
        # an observable that repeats another, and members that slip all the time
        page, *_ = self.make(STUDY.replace("[observe]", '[observe]\nagain = { max = "x" }\n', 1))
        self.assertEqual([name for name in page.figures if name in ("histogram-reach", "histogram-again")], ["histogram-again"])
        self.assertTrue(any(name.startswith("modes") for name in page.figures))
        slips, _, columns = self.make(STUDY.replace("end = 2.0", "end = 0.1"), "slips")
        self.assertEqual(set(columns["trajectories/mode"].flat), {1})
        self.assertEqual([name for name in slips.figures if name.startswith("modes")], [])

    def test_ticks_stand_at_the_points_of_a_grid(self):
        sweep = STUDY.replace("[observe]", "[sweep]\nk = { values = [4, 9] }\nv0 = { values = [1, 2.5, 3] }\n[observe]").replace("members = 300", "members = 10", 1)
        page, *_ = self.make(sweep)
        drawing = re.search(r'<figure id="shares-near">.*?</figure>', page.text, re.S)[0]
        self.assertEqual(re.findall(r'class="tick (?:mid|end)">([^<]*)<', drawing), ["4", "9", "1", "2.5", "3"])
        self.assert_says("Over all points of the sweep.", page.text)

    def test_warns_of_what_makes_numbers_doubtful(self):
        page, *_ = self.make(BLOW_UP, "blow", code=1)
        self.assert_says("members of 7 stopped before the end", page.text)
        self.assert_says("non_finite (the state became inf or nan", page.text)
        self.assert_says("The error of the step is larger than mean and spread of", self.make(WILD, "wild", code=1)[0].text)
        self.assertTrue(any(name.startswith("stopped-") for name in page.figures))
        page, *_ = self.make(SLIDER, "unchecked", run_flags=["--no-step-check"])
        self.assert_says("The error of the step is unknown", page.text)
        page, *_ = self.make(BOX, "box")
        self.assert_says("flagged hyperstatic", page.text)
        page, *_ = self.make(SLIDER.replace("step = 0.01", "step = 0.1"), "coarse")
        self.assert_says("The error of the step is larger than that of sampling for", page.text)
        # a ball that rests: nothing to say
        fine = BLOW_UP.replace('"vq^2"', '"0"').replace("levels = { v0 = 7 }", "").replace('"grid"', '"random"\nmembers = 50')
        page, *_ = self.make(fine, "fine")
        self.assert_says("Nothing to warn of", page.text)
        self.assert_silent("Before you believe", page.text)

    def test_warns_of_energy_that_an_impact_created(self):
        # a rod whose end strikes the ground obliquely: restitution and friction with coupled directions (B3)
        rod = """[model]
coordinates = ["x", "y", "a"]
mass = ["1", "1", "1/12"]
force = ["0", "0", "0"]
[model.define]
px = "x + sin(a)/2"
py = "y - cos(a)/2"
[[model.contact]]
name = "tip"
point = ["px", "py"]
inside = "py >= 0"
friction = 0.6
restitution = 0.9
[model.parameters]
u = 0.3
[start]
x = "0"
y = "cos(0.6)/2 + 0.01"
a = "0.6"
vx = "u"
vy = "-1"
[time]
end = 0.1
step = 1e-3
[ensemble]
members = 20
[vary]
u = { uniform = [-1, 1] }
[observe]
also = ["gained"]
"""
        page, summary, _ = self.make(rod)
        self.assertGreater(summary["observables"]["gained"]["max"], 1e-3)
        self.assert_says("The impact law created energy", page.text)
        page, summary, _ = self.make(rod.replace("[model]", "[model]\nrestitution_law = \"moreau\"", 1), "moreau")
        self.assert_silent("The impact law created energy", page.text)

    def test_several_runs_are_drawn_together(self):
        self.make(STUDY, "rough")
        self.run_scenario(STUDY, "smooth", "--set", "mu=0.05")
        self.run_program("report", "rough", "smooth", "--out", "both.html", "--quiet")
        page = Page((self.folder / "both.html").read_text())
        self.assert_says("Runs side by side: rough and smooth", page.text)
        sheet = page.sheets["histogram-reach.csv"]
        self.assertEqual({row[0] for row in sheet[1:]}, {"rough", "smooth"})
        for name in ("rough", "smooth"):
            self.assertAlmostEqual(sum(float(row[3]) for row in sheet[1:] if row[0] == name), 1, delta=1e-4)
        self.assertEqual({row[0] for row in page.sheets["band-x.csv"][1:]}, {"rough", "smooth"})
        self.assertIn("smooth-statistics.csv", page.sheets)
        self.assertEqual(len(page.ids), len(set(page.ids)))

    def test_a_sweep_and_a_design(self):
        sweep = SLIDER.replace("[observe]", "[sweep]\nk = { values = [4, 9, 16] }\n[observe]").replace("members = 300", "members = 40")
        page, summary, _ = self.make(sweep, "sweep")
        rows = self.numbers(page.sheets["sweep-reach.csv"], "k", "mean", "q05")
        points = summary["sweep"]["points"]
        np.testing.assert_allclose(rows, [[p["values"]["k"] if isinstance(p["values"], dict) else p["values"][0], p["observables"]["reach"]["mean"],
                                           p["observables"]["reach"]["quantiles"]["0.05"]] for p in points], rtol=1e-5)
        # of two parameters a map of each class
        two = STUDY.replace("[observe]", "[sweep]\nk = { values = [9, 4] }\nv0 = { values = [1, 2, 5] }\n[observe]").replace("members = 300", "members = 40")
        page, summary, _ = self.make(two, "two")
        rows = {(k, v0): share for k, v0, share in self.numbers(page.sheets["shares-near.csv"], "k", "v0", "share (%)")}
        self.assertEqual(len(rows), 6)
        for point in summary["sweep"]["points"]:
            values = point["values"] if isinstance(point["values"], list) else list(point["values"].values())
            self.assertAlmostEqual(rows[tuple(values)], 100 * point["classes"]["near"]["share"], delta=1e-3)
        self.write("s.toml", SLIDER)
        self.run_program("sensitivity", "s.toml", "--backend", "reference", "--members", "400", "--quiet", "--out", "sobol")
        self.run_program("report", "sobol", "--quiet")
        page = Page((self.folder / "sobol/report.html").read_text())
        summary = json.loads((self.folder / "sobol/summary.json").read_text())
        for name, kind, *numbers in page.sheets["sensitivity-reach.csv"][1:]:
            found, index = summary["sensitivity"]["reach"][name], kind.split(":")[0]
            np.testing.assert_allclose([float(x) for x in numbers], [found[index], *found[index + "_interval"]], rtol=1e-5)

    def test_steps_and_levels_where_they_lie_in_the_folder(self):
        self.make(SLIDER)
        before = {path.name: path.read_bytes() for path in (self.folder / "run").iterdir()}
        out, _ = self.run_program("converge", "scenario.toml", "--backend", "reference", "--members", "50", "--levels", "3", "--out", "run")
        self.assertTrue(out.endswith("numbers in run/converge.json; conesweep report run draws them\n"), out)
        out, _ = self.run_program("mlmc", "scenario.toml", "--backend", "reference", "--observable", "reach", "--rmse", "0.05", "--step", "0.02", "--json", "--out", "run")
        self.assertEqual((self.folder / "run/mlmc.json").read_text(), out)
        self.assertEqual({name: (self.folder / "run" / name).read_bytes() for name in before}, before)
        self.run_program("report", "run", "--quiet")
        page = Page((self.folder / "run/report.html").read_text())
        found = json.loads((self.folder / "run/converge.json").read_text())["observables"]["reach"]["mean"]["differences"]
        rows = [float(row[2]) for row in page.sheets["convergence.csv"][1:] if row[0] == "reach"]
        np.testing.assert_allclose(rows, np.abs(found)[:len(rows)], rtol=1e-5)
        levels = json.loads((self.folder / "run/mlmc.json").read_text())["levels"]
        rows = [float(row[2]) for row in page.sheets["levels-members.csv"][1:]]
        np.testing.assert_allclose(rows, [level["members"] for level in levels], rtol=1e-5)
        # a new run of the same problem leaves them, and they are drawn
        self.run_program("run", "scenario.toml", "--backend", "reference", "--seed", "9", "--members", "50", "--report", "--force", "--quiet", "--out", "run")
        self.assertIn("convergence.csv", Page((self.folder / "run/report.html").read_text()).sheets)

    def test_steps_of_another_scenario_are_not_drawn(self):
        study = ("converge", "scenario.toml", "--backend", "reference", "--members", "20", "--levels", "2", "--out", "run")
        self.write("scenario.toml", SLIDER)
        out, _ = self.run_program(*study)  # before there is a run
        self.assertTrue(out.endswith("numbers in run/converge.json; once a run is there, too, conesweep report run draws them\n"), out)
        self.run_program("run", "scenario.toml", "--backend", "reference", "--set", "k=9", "--quiet", "--out", "run")
        out, err = self.run_program("report", "run")
        why = "converge.json is of another scenario than this run, and is not drawn; conesweep converge makes it anew."
        self.assertEqual((out, err), ("report in run/report.html\n", f"conesweep: warning: run: {why}\n"))
        text = (self.folder / "run/report.html").read_text()
        self.assertIn(why, text)
        self.assertNotIn("convergence.csv", Page(text).sheets)
        _, err = self.run_program("plot", "run", "convergence", "--out", "c.svg", code=2)
        self.assertTrue(err.endswith(why + "\n"), err)
        self.assert_refused("run/converge.json is there; replace it with --force, or choose another folder with --out\n", *study)
        self.run_program(*study, "--set", "k=9", "--force", "--quiet")
        self.assertEqual(self.run_program("report", "run"), ("report in run/report.html\n", ""))
        self.assertIn("convergence.csv", Page((self.folder / "run/report.html").read_text()).sheets)
        # what no study wrote is neither drawn nor replaced
        (self.folder / "run/mlmc.json").write_text('{"title": "another"}')
        _, err = self.run_program("report", "run")
        self.assertEqual(err, "conesweep: warning: run: mlmc.json is no file of conesweep mlmc and is not drawn.\n")
        self.assert_refused("run/mlmc.json is there and is no study of conesweep; move it, or choose another folder with --out\n",
                            "mlmc", "scenario.toml", "--observable", "reach", "--rmse", "0.1", "--out", "run", "--force")

    def test_run_makes_a_report_at_its_end(self):
        self.write("s.toml", SLIDER)
        out, _ = self.run_program("run", "s.toml", "--backend", "reference", "--report", "--out", "r")
        self.assertTrue(out.endswith("report in r/report.html\n"), out)
        self.assertIn("<!DOCTYPE html>", (self.folder / "r/report.html").read_text())
        out, _ = self.run_program("run", "s.toml", "--backend", "reference", "--report", "--resume", "--out", "r")
        self.assertTrue(out.endswith("is finished already\nreport in r/report.html\n"), out)
        # a new run takes the old page away
        self.run_program("run", "s.toml", "--backend", "reference", "--force", "--quiet", "--out", "r")
        self.assertFalse((self.folder / "r/report.html").exists())

    def test_what_is_no_run_is_refused(self):
        self.assert_refused("nowhere is no folder; give the folder of a finished run", "report", "nowhere")
        (self.folder / "empty").mkdir()
        self.assert_refused("empty holds no finished run: summary.json is not there", "report", "empty")
        self.make(SLIDER)
        (self.folder / "run/report.html").write_text("mine")
        self.assert_refused("run/report.html is there and was not made by conesweep", "report", "run")
        self.assertEqual((self.folder / "run/report.html").read_text(), "mine")
        self.run_program("report", "run", "--force", "--quiet")


if __name__ == "__main__":
    product_program.main(__doc__)
