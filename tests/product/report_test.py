"""Reports and figures as a reader meets them. Numbers on a page are recomputed here from results.h5 and summary.json. Run by ctest, one test class at a time:

    python3 report_test.py --program build/bin/conesweep --source . ClassName
"""
import base64
import csv
import html.parser
import io
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import unittest
import urllib.parse
import xml.etree.ElementTree

import h5py
import numpy as np
import scipy.stats

import product_test
from product_test import BLOW_UP, BOX, ProductTest, SLIDER

STUDY = SLIDER.replace("members = 7\nevery = 3", "members = 300\nevery = 4") + """
[classes]
near = "reach < 1"
far = "else"
[units]
t = "s"
x = "m"
reach = "m"
mu = "1 & <2>"
"""


EVERYTHING = "CONESWEEP_ALL" in os.environ

MANY = """[model]
coordinates = ["x"]
force = ["-k*x"]
[model.parameters]
k = 1.0
v0 = 1.0
[start]
x = "v0*t"
[time]
end = 1.0
step = 0.1
[ensemble]
members = 1
[vary]
k = { uniform = [1, 2] }
v0 = { normal = [1, 0.2] }
[observe]
reach = { max = "x" }
standard = []
"""


def read_written(text):
    """A number as a page writes it: −1.5, 7.7·10⁻⁵; None for a dash."""
    text = text.translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789"))
    mantissa, _, power = text.rpartition("·10") if "·10" in text else ("1", "", text[2:]) if re.fullmatch(r"10-\d+", text) else (text, "", "0")
    return None if text == "–" else float(f"{mantissa}e{power}")


# members just before they blow up: their twins at half the step are past it
WILD = BLOW_UP.replace("levels = { v0 = 7 }", "levels = { v0 = 50 }")


class Page(html.parser.HTMLParser):
    """What is asked of a page: its figures with their numbers, its tables, its ids, its links."""

    def __init__(self, text):
        super().__init__()
        self.text, self.ids, self.links, self.figures, self.sheets = text, [], [], [], {}
        self.figure = self.row = self.cell = self.table = None
        self.tables, self.svgs, self.scripts = [], [], []
        self.inside = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.inside.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("href", "src", "xlink:href"):
            if name in attributes:
                self.links.append(attributes[name])
        if tag == "figure":
            self.figure = attributes["id"]
            self.figures.append(self.figure)
        if tag == "a" and "download" in attributes:
            data = attributes["href"]
            assert data.startswith("data:text/csv;charset=utf-8,"), data[:60]
            rows = list(csv.reader(io.StringIO(urllib.parse.unquote(data.split(",", 1)[1]))))
            self.sheets[attributes["download"]] = rows
        if tag == "svg":
            self.svgs.append(attributes)
        if tag == "table":
            self.table = []
            self.tables.append(self.table)
        if tag == "tr":
            self.row = []
            self.table.append(self.row)
        if tag in ("th", "td"):
            self.cell = ""

    def handle_endtag(self, tag):
        if tag in ("th", "td"):
            self.row.append(self.cell)
            self.cell = None
        if tag == "figure":
            self.figure = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data
        if self.inside and self.inside[-1] == "script":
            self.scripts.append(data)


class ReportTest(ProductTest):
    def make(self, text, out="run", *flags, run_flags=(), code=0):
        self.run_scenario(text, out, *run_flags, code=code)
        self.run_program("report", out, "--quiet", *flags)
        page = Page((self.folder / out / "report.html").read_text())
        with h5py.File(self.folder / out / "results.h5") as file:
            columns = {name: file[group][name][()] for group in ("parameters", "observables") for name in file[group]}
            columns["status"] = file["status"][()]
            if "trajectories" in file:
                columns.update({"trajectories/" + name: file["trajectories"][name][()] for name in file["trajectories"]})
        return page, json.loads((self.folder / out / "summary.json").read_text()), columns

    def assert_says(self, words, text):
        """Without printing a whole page where it does not."""
        self.assertTrue(words in text, f"'{words}' is not there")

    def assert_silent(self, words, text):
        self.assertFalse(words in text, f"'{words}' is there")

    def assert_refused(self, message, *arguments, code=2):
        out, err = self.run_program(*arguments, code=code)
        self.assertEqual(out, "")
        self.assertIn("conesweep: " + message, err)

    def numbers(self, sheet, *columns):
        """Columns of a sheet by the names in its head."""
        places = [sheet[0].index(name) for name in columns]
        return np.array([[float(row[place]) for place in places] for row in sheet[1:]])


class Reports(ReportTest):
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


class Figures(ReportTest):
    def setUp(self):
        super().setUp()
        self.run_scenario(STUDY, "run")

    def test_every_panel_alone(self):
        out, _ = self.run_program("plot", "--help")
        panels = re.findall(r"^  (\w+) {2,}\S.*$", out.split("Panels:")[1], re.M)
        self.assertIn("histogram", panels)
        for panel in set(panels) - {"stopped", "sweep", "shares", "convergence", "levels"}:
            chosen = ["--x", "x", "--y", "y"] if panel == "path" else []  # y stands still: without a word it is not drawn
            self.run_program("plot", "run", panel, *chosen, "-o", f"{panel}.svg", "--quiet")
            tree = xml.etree.ElementTree.parse(self.folder / f"{panel}.svg").getroot()
            self.assertEqual(tree.get("width"), "86mm")
            self.assertNotIn("var(--", (self.folder / f"{panel}.svg").read_text())
        for panel, needs in (("stopped", "members that stopped"), ("sweep", "a sweep of one parameter"), ("shares", "a sweep, and [classes]"),
                             ("convergence", "converge.json"), ("levels", "mlmc.json")):
            self.assert_refused(f"there is nothing to draw for '{panel}' in run: it needs {needs}", "plot", "run", panel, "-o", "x.svg")

    def test_choices(self):
        self.run_program("plot", "run", "scatter", "--x", "tau", "--y", "late", "--color", "mu", "--width", "170", "-o", "a.svg", "--quiet")
        text = (self.folder / "a.svg").read_text()
        self.assert_says("late over τ", text)
        self.assert_says('width="170mm"', text)
        self.run_program("plot", "run", "scatter", "--x", "tau", "--y", "reach", "-o", "a.csv", "--quiet")
        rows = list(csv.reader(open(self.folder / "a.csv")))
        self.assertEqual((rows[0], len(rows)), (["tau", "reach"], 301))

    def test_refusals(self):
        self.assert_refused("unknown panel 'histgram'; did you mean 'histogram'?", "plot", "run", "histgram", "-o", "a.svg")
        self.assert_refused("'reich' is neither a varied parameter nor an observable of run; did you mean 'reach'?", "plot", "run", "scatter", "--y", "reich", "-o", "a.svg")
        self.assert_refused("--out: 'a.gif' should end in .svg, .pdf, .png", "plot", "run", "histogram", "-o", "a.gif")
        self.write("a.svg", "mine")
        self.assert_refused("a.svg is there; replace it with --force", "plot", "run", "histogram", "-o", "a.svg")
        _, err = self.run_program("plot", "run", "histogram", "-o", "b.pdf", code=3, env=dict(os.environ, PATH="/nowhere"))
        self.assertIn("rsvg-convert is not here", err)
        self.assertFalse((self.folder / "b.pdf").exists())

    def test_pdf_and_png(self):
        if not shutil.which("rsvg-convert"):
            self.skipTest("no rsvg-convert (librsvg2-bin)")
        self.run_program("plot", "run", "histogram", "-o", "a.pdf", "--quiet")
        self.assertTrue((self.folder / "a.pdf").read_bytes().startswith(b"%PDF"))
        self.run_program("plot", "run", "histogram", "-o", "a.png", "--quiet")
        png = (self.folder / "a.png").read_bytes()
        self.assertTrue(png.startswith(b"\x89PNG"))
        self.assertAlmostEqual(int.from_bytes(png[16:20], "big"), 86 / 25.4 * 300, delta=2)
        self.assertEqual([path.name for path in self.folder.iterdir() if ".part" in path.name or path.name.startswith(".")], [])


class Validity(ReportTest):
    def test_tidy_finds_nothing(self):
        if not shutil.which("tidy"):
            self.skipTest("no tidy")
        self.make(STUDY)
        self.make(BLOW_UP, "blow", code=1)
        for out in ("run", "blow"):
            done = subprocess.run(["tidy", "-quiet", "-errors", "--show-info", "no", self.folder / out / "report.html"], capture_output=True, text=True)
            self.assertEqual(done.stderr, "", out)


# Lays a page out in a frame of the wanted width, looks at it, and leaves what it found in the title.
LOOK = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>nothing yet</title></head><body style="margin:0">
<iframe id="f" style="border:0;width:%(width)dpx;height:9000px"></iframe>
<script>
const frame = document.getElementById("f");
const light = c => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
frame.onload = () => {
  const d = frame.contentDocument, w = frame.contentWindow, found = [];
  const paper = w.getComputedStyle(d.body).backgroundColor;
  if (d.documentElement.scrollWidth > %(width)d) found.push("the page is " + d.documentElement.scrollWidth + " wide");
  for (const e of d.querySelectorAll("h1, h2, p, figure, figcaption, .warn, .fine, .scroll, dd")) {
    const b = e.getBoundingClientRect();
    if (b.width > 0 && (b.right > %(width)d + 1 || b.left < -1)) found.push(e.tagName + " " + e.textContent.slice(0, 30) + " is cut off");
  }
  for (const svg of d.querySelectorAll("figure svg")) {
    const s = svg.getBoundingClientRect(), name = svg.parentNode.id;
    const texts = [...svg.querySelectorAll("text")].map(t => [t, t.getBoundingClientRect()]).filter(([t, b]) => b.width > 0);
    texts.forEach(([t, b], i) => {
      if (b.left < s.left - 1 || b.right > s.right + 1 || b.top < s.top - 1 || b.bottom > s.bottom + 1) found.push(name + ": '" + t.textContent + "' is cut off");
      const c = contrast(w.getComputedStyle(t).fill, paper);
      if (c < 4.5) found.push(name + ": '" + t.textContent + "' has contrast " + c.toFixed(2));
      for (const [o, p] of texts.slice(i + 1)) {
        const across = Math.min(b.right, p.right) - Math.max(b.left, p.left), up = Math.min(b.bottom, p.bottom) - Math.max(b.top, p.top);
        if (across > 1 && up > 3) found.push(name + ": '" + t.textContent + "' and '" + o.textContent + "' overlap");
      }
    });
  }
  for (const e of d.querySelectorAll("p, td, th, summary, figcaption, li")) {
    let back = e;
    while (back && w.getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)") back = back.parentElement;
    const c = contrast(w.getComputedStyle(e).color, w.getComputedStyle(back || d.body).backgroundColor);
    if (c < 4.5) found.push(e.tagName + " '" + e.textContent.slice(0, 30) + "' has contrast " + c.toFixed(2));
  }
  const asked = w.performance.getEntriesByType("resource").map(r => r.name);
  if (asked.length) found.push("asks for " + asked.join(", "));
  document.title = "looked: " + JSON.stringify([...new Set(found)].slice(0, 40));
};
frame.srcdoc = new TextDecoder().decode(Uint8Array.from(atob("%(page)s"), c => c.charCodeAt(0)));
</script></body></html>
"""
DARK = "@media (prefers-color-scheme: dark)"


class Browser(ReportTest):
    """Pages as Chromium lays them out: nothing overflows, overlaps or is cut off, words can be read, nothing is asked for."""

    def look(self, page, width, dark):
        self.assertIn(DARK, page)
        page = page.replace(DARK, "@media all" if dark else "@media not all")
        (self.folder / "look.html").write_text(LOOK % {"width": width, "page": base64.b64encode(page.encode()).decode()})
        done = subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", f"--window-size={max(width, 600)},9000",
                               f"--user-data-dir={self.folder / 'profile'}", "--dump-dom", (self.folder / "look.html").as_uri()], capture_output=True, text=True, timeout=300)
        found = re.search(r"<title>looked: (.*?)</title>", done.stdout)
        self.assertTrue(found, done.stderr[-2000:])
        return json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))

    def setUp(self):
        super().setUp()
        if not shutil.which("chromium"):
            self.skipTest("no chromium")

    def test_pages_at_two_widths_light_and_dark(self):
        self.make(STUDY)
        self.make(BLOW_UP, "blow", code=1)
        # several runs with long names, whose legends need rows; cells of a sweep
        self.run_scenario(STUDY, "a-long-name-of-a-run", "--set", "mu=0.05")
        self.run_scenario(STUDY, "another-long-name-of-a-run", "--set", "mu=0.5")
        (self.folder / "both").mkdir()
        self.run_program("report", "run", "a-long-name-of-a-run", "another-long-name-of-a-run", "--out", "both/report.html", "--quiet")
        self.make(SLIDER.replace("[observe]", "[sweep]\nk = { values = [4, 9] }\nv0 = { values = [1, 2, 3] }\n[observe]").replace("members = 300", "members = 10"), "sweep")
        looks = [(out, width, dark) for out in ("run", "blow") for width in (1280, 390) for dark in (False, True)]
        for out, width, dark in [*looks, ("both", 390, False), ("sweep", 1280, True)]:
            page = (self.folder / out / "report.html").read_text()
            self.assertEqual(self.look(page, width, dark), [], (out, width, dark))

    def test_prints_on_few_pages(self):
        page, *_ = self.make(STUDY)
        subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'profile'}",
                        f"--print-to-pdf={self.folder / 'page.pdf'}", (self.folder / "run/report.html").as_uri()], capture_output=True, timeout=300)
        pages = len(re.findall(rb"/Type\s*/Page\b", (self.folder / "page.pdf").read_bytes()))
        self.assertTrue(1 <= pages <= 3 + len(page.figures) / 6, f"{pages} pages for {len(page.figures)} figures")

    def test_the_look_finds_faults(self):
        self.make(BLOW_UP, "blow", code=1)
        page = (self.folder / "blow/report.html").read_text()
        self.assertTrue(any("wide" in words for words in self.look(page.replace("<main>", '<main><div style="width:700px">x</div>'), 390, False)))
        self.assertTrue(any("overlap" in words for words in self.look(re.sub(r'(<text x=")[\d.]+"', r'\g<1>50"', page), 1280, False)))
        self.assertTrue(any("contrast" in words for words in self.look(page.replace("--soft:#57606a", "--soft:#c0c0c0"), 1280, False)))


if __name__ == "__main__":
    product_test.main(__doc__)
