"""Sensitivities as a user sees them: of known indices, and by designs. Run by ctest, one test class at a time:

    python3 sensitivity_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import re

import h5py
import numpy as np
import scipy.stats

import product_program
from product_program import SLIDER
from ensemble_program import EXACT, EnsembleTest, FREE, STOPPING


class Sensitivity(EnsembleTest):
    def check_free(self, out):
        table = self.summary(out)["sensitivity"]
        self.assertEqual(list(table), ["mix", "same", "final.q", "final.vq"])
        for observable, parameters in EXACT.items():
            self.assertEqual(list(table[observable]), ["v0", "a", "b", "c"])
            for parameter, (first, total) in parameters.items():
                entry = table[observable][parameter]
                self.assertLessEqual({"first", "first_interval", "total", "total_interval"}, set(entry))
                self.assert_index(entry, "first", first, f"first of {parameter} for {observable}")
                self.assert_index(entry, "total", total, f"total of {parameter} for {observable}")
        # nothing to share out: null, and not 0
        self.assertEqual({value for entry in table["same"].values() for value in (entry["first"], entry["total"])}, {None})
        return table

    def test_knows_the_indices_of_a_free_particle_with_every_sampler(self):
        for sampler in ["sobol", "random", "latin"]:
            with self.subTest(sampler):
                self.write("s.toml", FREE.replace('"sobol"', f'"{sampler}"'))
                self.run_program("sensitivity", "s.toml", "--backend", "reference", "--quiet", "--out", sampler)
                self.check_free(sampler)

    def test_of_the_executors_agree(self):
        self.write("s.toml", FREE)
        for backend in ["cpu", "reference"]:
            self.run_program("sensitivity", "s.toml", "--backend", backend, "--quiet", "--out", backend)
        cpu, reference = self.check_free("cpu"), self.check_free("reference")
        for observable in EXACT:
            for parameter in cpu[observable]:
                for kind in ["first", "total"]:
                    self.assertAlmostEqual(cpu[observable][parameter][kind], reference[observable][parameter][kind], delta=1e-12)

    def test_intervals_narrow_with_more_members(self):
        self.write("s.toml", FREE.replace('"sobol"', '"random"'))
        widths = []
        for members in [6144, 98304]:
            self.run_program("sensitivity", "s.toml", "--backend", "cpu", "--quiet", "--members", members, "--out", members)
            lower, upper = self.check_free(str(members))["final.q"]["v0"]["total_interval"]
            widths.append(upper - lower)
        self.assertTrue(0.15 < widths[1] / widths[0] < 0.4, widths)  # a quarter, and they are themselves estimated

    def test_layout_of_the_summary(self):
        self.write("s.toml", FREE)
        out, err = self.run_program("sensitivity", "s.toml", "--backend", "reference", "--json", "--out", "r")
        self.assertEqual((out, err), ((self.folder / "r/summary.json").read_text(), ""))
        summary = json.loads(out)
        self.assertEqual(list(summary), ["title", "members", "status", "observables", "sensitivity", "design", "run", "timing"])
        self.assertEqual({key: summary["design"][key] for key in ("method", "bases", "members_a_base")}, {"method": "saltelli", "bases": 2048, "members_a_base": 6})
        self.assertEqual(summary["members"], 12288)
        # statistics are those of the independent members, two of each base
        statistics = summary["observables"]["final.q"]
        self.assertEqual(statistics["count"], 4096)
        with h5py.File(self.folder / "r/results.h5") as results:
            q = results["observables/final.q"][:].reshape(2048, 6)
            self.assertAlmostEqual(statistics["mean"], q[:, :2].mean(), delta=1e-12)
            self.assertAlmostEqual(statistics["standard_deviation"], q[:, :2].std(ddof=1), delta=1e-12)
            # the design itself: row 2 + i is A with coordinate i of B
            for i, name in enumerate(["v0", "a", "b", "c"]):
                column = results["parameters"][name][:].reshape(2048, 6)
                for row in range(2, 6):
                    np.testing.assert_array_equal(column[:, row], column[:, 1 if row == 2 + i else 0])
            # the total index by its definition, from the file alone
            a, b, mixed = q[:, 0], q[:, 1], q[:, 2]
            variance = np.concatenate([a, b]).var(ddof=1)
            self.assertAlmostEqual(summary["sensitivity"]["final.q"]["v0"]["total"], ((a - mixed) ** 2).mean() / 2 / variance, delta=1e-12)
            self.assertAlmostEqual(summary["sensitivity"]["final.q"]["v0"]["first"], ((b - q[:, :2].mean()) * (mixed - a)).mean() / variance, delta=1e-12)

    def test_second_order_finds_the_product(self):
        self.write("s.toml", FREE)
        out, _ = self.run_program("sensitivity", "s.toml", "--backend", "reference", "--second-order", "--members", "20480", "--out", "r")
        table = self.check_free("r")
        for observable, pairs in {"mix": {("b", "c"): 1}, "final.q": {}}.items():
            for one in "v0 a b c".split():
                for other in table[observable][one]["second"]:
                    entry = table[observable][one]
                    exact = pairs.get((one, other), pairs.get((other, one), 0))
                    self.assert_index({"second": entry["second"][other], "second_interval": entry["second_interval"][other]}, "second", exact, f"{observable}: {one}, {other}")
                    self.assertEqual(entry["second"][other], table[observable][other]["second"][one])
        self.assertRegex(out, r"\n  b, c +(1|1\.\d+|0\.9\d+) ")

    def test_what_it_prints(self):
        self.write("s.toml", FREE)
        out, err = self.run_program("sensitivity", "s.toml", "--backend", "reference", "--out", "r")
        self.assertEqual(err, "")
        self.assertEqual(out.splitlines()[:2], ["Free particle", "12,288 members (2,048 bases of 6), 10 steps of 0.1, sampler sobol, seed 3"])
        self.assertIn("\n12,288 members, 12,288 ok\n", out)
        self.assertRegex(out, r"\nmix: mean \S+, standard deviation 0\.2\d+\n  parameter +first +95 % +total +95 %\n  v0 +0 ")
        self.assertIn("cannot be told from 0", out)
        self.assertIn("\nthe same for all members: same\n", out)
        self.assertTrue(out.endswith("Results in r\n"))
        out, _ = self.run_program("sensitivity", "s.toml", "--backend", "reference", "--out", "r", "--force", "--observable", "mix", "--observable", "same")
        self.assertEqual(re.findall(r"^(\S+): mean", out, re.M), ["mix", "same"])

    def test_screening_finds_effects_and_their_spread(self):
        self.write("s.toml", FREE)
        out, _ = self.run_program("sensitivity", "s.toml", "--method", "morris", "--members", "2000", "--backend", "reference", "--out", "r")
        summary = self.summary("r")
        self.assertEqual({key: summary["design"][key] for key in ("method", "trajectories", "levels")}, {"method": "morris", "trajectories": 400, "levels": 4})
        table = summary["sensitivity"]
        for observable in ["mix", "final.q"]:
            for parameter, (_, total) in EXACT[observable].items():
                entry = table[observable][parameter]
                self.assertEqual(list(entry), ["mu", "mu_star", "mu_star_interval", "sigma", "count"])
                self.assertEqual(entry["count"], 400)
                self.assertEqual(entry["mu_star"] > 0, total > 0, f"{parameter} for {observable}")
        # a uniform input that enters linearly: the slope times the width, whatever the others are
        slope = table["final.q"]["a"]
        self.assertAlmostEqual(slope["mu"], 6 * 0.55, delta=1e-9)
        self.assertAlmostEqual(slope["mu_star"], 6 * 0.55, delta=1e-9)
        self.assertLess(slope["sigma"], 1e-9)
        # b c: the sign depends on the other one
        self.assertLess(abs(table["mix"]["b"]["mu"]), 0.2 * table["mix"]["b"]["mu_star"])
        self.assertGreater(table["mix"]["b"]["sigma"], table["mix"]["b"]["mu_star"] * 0.9)
        self.assertRegex(out, r"\nfinal\.q\n  parameter +mu\* +95 % +mu +sigma\n")
        # the effects again, from the file alone
        with h5py.File(self.folder / "r/results.h5") as results:
            q = results["observables/mix"][:].reshape(400, 5)
            b = results["parameters/b"][:].reshape(400, 5)
            step, change = np.nonzero(np.diff(b, axis=1)), np.diff(q, axis=1)
            effects = change[step] / (np.diff(b, axis=1)[step] / 2)
            self.assertEqual(len(effects), 400)
            self.assertAlmostEqual(table["mix"]["b"]["mu_star"], np.abs(effects).mean(), delta=1e-12)
            self.assertAlmostEqual(table["mix"]["b"]["sigma"], effects.std(ddof=1), delta=1e-12)

    def test_correlations_of_a_run_are_those_of_scipy(self):
        self.write("s.toml", FREE.replace('"sobol"', '"random"'))
        self.run_program("run", "s.toml", "--backend", "reference", "--members", "3000", "--quiet", "--out", "r")
        out, err = self.run_program("sensitivity", "r", "--json")
        self.assertEqual(err, "")
        table = json.loads(out)
        with h5py.File(self.folder / "r/results.h5") as results:
            x = {name: results["parameters"][name][:] for name in ["v0", "a", "b", "c"]}
            for observable in ["mix", "final.q"]:
                y = results["observables"][observable][:]
                columns = np.column_stack([scipy.stats.zscore(column, ddof=1) for column in x.values()])
                regression = np.linalg.lstsq(columns, scipy.stats.zscore(y, ddof=1), rcond=None)[0]
                ranks = [scipy.stats.rankdata(column) for column in [*x.values(), y]]
                inverse = np.linalg.inv(np.corrcoef(ranks))
                for i, name in enumerate(x):
                    entry = table[observable][name]
                    self.assertAlmostEqual(entry["spearman"], scipy.stats.spearmanr(x[name], y)[0], delta=1e-10)
                    self.assertAlmostEqual(entry["src"], regression[i], delta=1e-10)
                    self.assertAlmostEqual(entry["prcc"], -inverse[i, 4] / np.sqrt(inverse[i, i] * inverse[4, 4]), delta=1e-10)
                    for kind in ["spearman", "src", "prcc"]:
                        self.assertTrue(entry[kind + "_interval"][0] <= entry[kind] <= entry[kind + "_interval"][1])
        out, _ = self.run_program("sensitivity", "r", "--observable", "mix")
        self.assertTrue(out.startswith("mix: 3,000 members; R² "), out)
        self.assertNotIn("final.q", out)

    def test_members_that_stop_cost_their_row_and_no_more(self):
        self.write("s.toml", STOPPING)
        out, _ = self.run_program("sensitivity", "s.toml", "--backend", "reference", "--members", "4000", "--out", "r", code=1)
        left_out = re.search(r"^reach: .*; ([\d,]+) members left out \(stopped", out, re.M)
        with h5py.File(self.folder / "r/results.h5") as results:
            stopped = results["status"][:] != 0
            reach = np.where(stopped, np.nan, results["observables/reach"][:]).reshape(-1, 4)
        self.assertEqual(int(left_out.group(1).replace(",", "")), stopped.sum())
        self.assertTrue(100 < stopped.sum() < 3600)
        total = np.nanmean((reach[:, 0] - reach[:, 2]) ** 2) / 2 / np.nanvar(reach[:, :2], ddof=1)
        self.assertAlmostEqual(self.summary("r")["sensitivity"]["reach"]["mu"]["total"], total, delta=1e-12)

    def test_refuses_what_has_no_answer(self):
        table = FREE.replace("c = { triangular = [-1, 0, 1] }", 'c = { table = "t.csv:c" }')
        self.write("t.csv", "c\n" + "0.5\n" * 20000)
        self.write("s.toml", FREE)
        folder = "conesweep sensitivity FOLDER"
        for text, flags, message in [
            (re.sub(r"\[vary\].*\[observe\]", "[observe]", FREE, flags=re.S), [],
             "nothing varies: [vary] is empty, so there is nothing to be sensitive to"),
            (FREE + "[correlation]\na = { b = 0.5 }\n", [],
             f"[correlation]: the indices of a design are those of independent parameters; take it out, or look at the rank correlations of a run ({folder})"),
            (table, [], f"'c' comes from a table, whose rows cannot be mixed by a design; give it a distribution, or look at the rank correlations of a run ({folder})"),
            (FREE.replace('sampler = "sobol"', 'sampler = "grid"\nlevels = { v0 = 8, a = 8, b = 8, c = 24 }'), [],
             "sampler 'grid': a design needs points of its own; use random, latin or sobol"),
            (FREE, ["--members", "300"], "--members: 300 model runs are too few for 4 parameters; at least 384 are needed, and 6144 are a good beginning"),
            (FREE, ["--members", "7", "--method", "morris"], "--members: at least 10 model runs are needed for 4 parameters; 100 are a good beginning"),
            (FREE, ["--levels", "5", "--method", "morris"], "screening needs an even number of levels, 2 or more, not 5"),
            (FREE, ["--until", "mix:5%", "--method", "morris"], "--until, --most and --second-order belong to --method sobol"),
            (FREE, ["--observable", "mx"], "--observable: nothing observed is called 'mx'; did you mean 'mix'?"),
            (FREE, ["--until", "mx:5%"], "--until: nothing observed is called 'mx'; did you mean 'mix'?"),
        ]:
            with self.subTest(message):
                self.write("s.toml", text)
                self.assert_refused(f"conesweep: {message}\n", "sensitivity", "s.toml", "--backend", "reference", "--out", "r", *flags)
                self.assertFalse((self.folder / "r").exists())
        _, err = self.run_program("sensitivity", "s.toml", "--method", "moris", code=2)
        self.assertTrue(err.startswith("conesweep: --method: moris not in {"), err)

    def test_refuses_folders_without_a_run(self):
        (self.folder / "empty").mkdir()
        self.assert_refused("conesweep: empty holds no finished run: summary.json is not there\n", "sensitivity", "empty")
        self.assert_refused("conesweep: cannot read none; is the path right?\n", "sensitivity", "none")
        self.run_scenario(re.sub(r"\[vary\].*\[observe\]", "[observe]", FREE, flags=re.S).replace("members = 12288", "members = 5"), "r")
        self.assert_refused("conesweep: nothing varies in r, so there is nothing to be sensitive to\n", "sensitivity", "r")
        self.run_scenario(FREE, "v", "--members", "50")
        self.assert_refused("conesweep: --observable: nothing observed is called 'mx'; did you mean 'mix'?\n", "sensitivity", "v", "--observable", "mx")
        self.assert_refused("conesweep: v is a folder: its run is correlated as it is; --members, --seed, --set, --vary, --until, --watch and --second-order need a scenario file\n",
                            "sensitivity", "v", "--members", "5")


class Designs(EnsembleTest):
    """A design is an ensemble like any other: equal bits however it was cut."""

    CROWD = SLIDER.replace("members = 300", 'members = 80000\nsampler = "sobol"').replace("members = 7", "members = 50").replace("step = 0.01", "step = 0.005")

    def setUp(self):
        super().setUp()
        self.write("s.toml", self.CROWD)

    def run_design(self, out, *flags):
        self.run_program("sensitivity", "s.toml", "--backend", "cpu", "--quiet", "--out", out, *flags)

    def test_do_not_depend_on_threads_and_chunks(self):
        self.run_design("whole")
        for out, flags in {"one": ["--threads", "1", "--chunk", "4096"], "three": ["--threads", "3", "--chunk", "12288"]}.items():
            self.run_design(out, *flags)
            self.assert_same_run("whole", out)

    def test_killed_and_resumed_are_the_same(self):
        for method in [[], ["--second-order"], ["--method", "morris"]]:
            with self.subTest(method):
                name = "-".join(["r", *method])
                self.run_design(name + "-whole", *method)
                self.kill_when_begun(name, "sensitivity", "s.toml", "--backend", "cpu", "--threads", "1", "--chunk", "4096", *method)
                out, _ = self.run_program("sensitivity", "s.toml", "--backend", "cpu", "--resume", "--out", name, *method)
                self.assertRegex(out, r"going on: [\d,]+ members are there already")
                self.assert_same_run(name + "-whole", name)

    def test_chunks_of_another_design_are_refused(self):
        self.kill_when_begun("r", "sensitivity", "s.toml", "--backend", "cpu", "--threads", "1", "--chunk", "4096")
        _, err = self.run_program("run", "s.toml", "--backend", "cpu", "--resume", "--out", "r", code=2)
        self.assertIn("the unfinished run in r is another one: ", err)

    def test_a_finished_run_of_another_design_is_not_taken_for_this_one(self):
        self.run_design("r", "--members", "19968")
        out, _ = self.run_program("sensitivity", "s.toml", "--backend", "cpu", "--resume", "--members", "19968", "--out", "r")
        self.assertEqual(out, "the run in r is finished already\n")
        self.run_program("run", "s.toml", "--backend", "cpu", "--quiet", "--members", "19968", "--out", "plain")
        self.assert_refused("conesweep: plain holds a finished run of other points (ensemble), and this is saltelli; start over with --force, or choose another folder with --out\n",
                            "sensitivity", "s.toml", "--backend", "cpu", "--resume", "--members", "19968", "--out", "plain")
        # 19968 = 32 x 4 x 156 = 32 x 6 x 104 = 3 x 6656: the same number of members in all three designs
        for out, method in {"first": [], "second": ["--second-order"], "screen": ["--method", "morris"]}.items():
            self.run_design(out, "--members", "19968", *method)
            self.assertEqual(self.summary(out)["members"], 19968)
        for out, method in {"first": ["--second-order"], "second": ["--method", "morris"], "screen": []}.items():
            _, err = self.run_program("sensitivity", "s.toml", "--backend", "cpu", "--resume", "--members", "19968", "--out", out, *method, code=2)
            self.assertIn("holds a finished run of other points", err)

    def test_grow_until_the_intervals_are_narrow(self):
        self.run_program("sensitivity", "s.toml", "--backend", "cpu", "--members", "1024", "--until", "reach:4%", "--quiet", "--out", "grown")
        members = self.summary("grown")["members"]
        self.assertGreater(members, 1024)
        for entry in self.summary("grown")["sensitivity"]["reach"].values():
            for kind in ["first", "total"]:
                lower, upper = entry[kind + "_interval"]
                self.assertLessEqual(max(entry[kind] - lower, upper - entry[kind]), 0.04)
        self.run_design("plain", "--members", members)
        self.assert_same_run("grown", "plain")
        resume = ["sensitivity", "s.toml", "--backend", "cpu", "--members", "1024", "--resume", "--out", "grown"]
        self.assertEqual(self.run_program(*resume, "--until", "reach:4%"), ("the run in grown is finished already\n", ""))
        _, err = self.run_program(*resume, "--until", "reach:1%", code=2)
        self.assertIn("too few for what --until asks for", err)
        _, err = self.run_program("sensitivity", "s.toml", "--backend", "cpu", "--members", "1024", "--until", "reach:0.1%", "--most", "5000", "--quiet", "--out", "most", code=1)
        self.assertEqual(err, "conesweep: the interval asked for was not reached with 4,992 members; allow more with --most\n")
        self.run_design("plain-most", "--members", "5000")
        self.assert_same_run("most", "plain-most")


if __name__ == "__main__":
    product_program.main(__doc__)
