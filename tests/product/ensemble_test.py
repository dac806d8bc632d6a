"""What turns many members into an answer, as a user sees it: --until, statistics over time, correlation. Run by ctest, one test class at a time:

    python3 ensemble_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import os

import h5py
import numpy as np
import scipy.stats

import product_program
from product_program import BLOW_UP, SLIDER
from ensemble_program import ACCELERATION, EnsembleTest, FREE, STOPPING, V0


class Until(EnsembleTest):
    def grow(self, out, *flags, code=0):
        return self.run_program("run", "s.toml", "--backend", "cpu", "--no-step-check", "--out", out, *flags, code=code)

    def error_of(self, out, name):
        observable = self.summary(out)["observables"][name]
        return observable["standard_error"] / abs(observable["mean"])

    def test_stops_at_the_asked_error_and_equals_a_plain_run(self):
        for sampler in ["random", "sobol"]:
            with self.subTest(sampler):
                self.write("s.toml", SLIDER.replace("members = 300", f'members = 300\nsampler = "{sampler}"'))
                printed, err = self.grow(sampler, "--until", "reach:0.5%,dissipated:1%")
                self.assertEqual(err, "")
                errors = self.error_of(sampler, "reach") / 0.005, self.error_of(sampler, "dissipated") / 0.01
                self.assertLessEqual(max(errors), 1)
                members = self.summary(sampler)["members"]
                if sampler == "random":
                    self.assertGreater(max(errors), 0.8)  # and not with far more members than needed
                else:
                    self.assertEqual(members, 4096)  # the first that it looks at; independent ones need far more
                self.assertGreater(members, 300)
                self.assertEqual(printed.splitlines()[1], f"from 300 to at most 300,000 members, 200 steps of 0.01, sampler {sampler}, seed 5")
                self.assertRegex(printed, rf"\n{members:,} members: relative standard error of reach 0\.\d+ % of 0\.5 %, dissipated \S+ % of 1 %\n")
                self.grow("plain-" + sampler, "--members", members, "--quiet")
                self.assert_same_run(sampler, "plain-" + sampler)

    def test_enough_members_are_enough(self):
        self.write("s.toml", SLIDER)
        self.grow("r", "--until", "reach:50%", "--quiet")
        self.assertEqual(self.summary("r")["members"], 300)

    def test_the_stated_maximum_holds(self):
        self.write("s.toml", SLIDER)
        _, err = self.grow("r", "--until", "reach:0.01%", "--most", "5000", "--quiet", code=1)
        self.assertEqual(err, "conesweep: the error asked for was not reached with 5,000 members; allow more with --most\n")
        self.grow("plain", "--members", "5000", "--quiet")
        self.assert_same_run("r", "plain")
        # a mean of 0 has no relative error: it ends all the same
        printed, err = self.grow("zero", "--until", "final.y:1%", "--most", "1000", code=1)
        self.assertIn("final.y unknown of 1 %", printed)
        self.assertEqual(self.summary("zero")["members"], 1000)

    def test_tables_bound_it(self):
        self.write("t.csv", "mu\n" + "".join(f"{0.1 + i / 8000}\n" for i in range(4000)))
        self.write("s.toml", SLIDER.replace("mu = { uniform = [0.1, 0.6] }", 'mu = { table = "t.csv:mu" }'))
        self.grow("r", "--until", "reach:0.01%", "--quiet", code=1)
        self.assertEqual(self.summary("r")["members"], 4000)

    def test_killed_and_resumed_is_the_same(self):
        self.write("s.toml", SLIDER.replace("members = 300", "members = 20000").replace("step = 0.01", "step = 0.004"))
        flags = ["--until", "reach:0.35%", "--threads", "1", "--chunk", "4096"]
        self.grow("whole", *flags, "--quiet")
        self.assertGreater(self.summary("whole")["members"], 24000)
        self.kill_when_begun("r", "run", "s.toml", "--backend", "cpu", *flags)
        self.grow("r", *flags, "--resume", "--quiet")
        self.assert_same_run("whole", "r")
        # and once more: nothing is left to do, unless more is asked for
        self.assertEqual(self.grow("r", *flags, "--resume"), ("the run in r is finished already\n", ""))
        members = self.summary("r")["members"]
        again = "start over with --force, or choose another folder with --out"
        self.assert_refused(f"conesweep: r holds a finished run of {members:,} members, too few for what --until asks for; {again}\n",
                            "run", "s.toml", "--backend", "cpu", "--out", "r", "--resume", "--until", "reach:0.1%")
        self.assert_refused(f"conesweep: r holds a finished run of another scenario; {again}\n", "run", "s.toml", "--backend", "cpu", "--out", "r", "--resume")
        # the error it has cannot be had with more, if no more are allowed
        self.grow("r", "--until", "reach:0.1%", "--most", members, "--resume", "--quiet", code=1)

    def test_as_json(self):
        self.write("s.toml", SLIDER)
        printed, err = self.grow("r", "--until", "reach:2%", "--json")
        self.assertEqual((json.loads(printed), err), (self.summary("r"), ""))

    def test_a_goal_that_is_not_known_is_not_reached(self):
        self.write("s.toml", SLIDER + 'never = { first_time = "x > 1e9" }\n' if SLIDER.rstrip().endswith("}") else SLIDER.replace("[record]", 'never = { first_time = "x > 1e9" }\n[record]'))
        for goals in ("never:1%,reach:50%", "reach:50%,never:1%"):
            _, err = self.grow("r", "--until", goals, "--most", "1000", "--force", code=1)
            self.assertIn("the error asked for was not reached with 1,000 members", err)

    def test_refuses_what_cannot_be(self):
        self.write("s.toml", SLIDER)
        self.write("latin.toml", SLIDER.replace("members = 300", 'members = 300\nsampler = "latin"'))
        self.write("grid.toml", BLOW_UP)
        cannot = "depend on the number of members, so they cannot go on; use random or sobol"
        form = "should read name:share, for example reach:1% or reach:0.01"
        for file, flags, message in [
            ("latin.toml", ["--until", "reach:1%"], f"--until: the points of sampler 'latin' {cannot}"),
            ("grid.toml", ["--until", "final.q:1%"], f"--until: the points of sampler 'grid' {cannot}"),
            ("s.toml", ["--until", "raech:1%"], "--until: nothing observed is called 'raech'; did you mean 'reach'?"),
            ("s.toml", ["--until", "reach"], f"--until: 'reach' {form}"),
            ("s.toml", ["--until", "reach:x%"], f"--until: 'reach:x%' {form}"),
            ("s.toml", ["--until", "reach:1%,"], f"--until: '' {form}"),
            ("s.toml", ["--until", "reach:0"], "--until: the share of 'reach:0' must lie between 0 and 1 (100%)"),
            ("s.toml", ["--until", "reach:150%"], "--until: the share of 'reach:150%' must lie between 0 and 1 (100%)"),
            ("s.toml", ["--until", "reach:1%", "--most", "200"], "--most: must be at least the 300 members to begin with, got 200"),
            ("s.toml", ["--until", "reach:1%", "--most", "many"], "--most: 'many' is not a whole number from 0 to 9e15"),
            ("s.toml", ["--most", "2000"], "--most bounds --until; without it --members says how many"),
        ]:
            with self.subTest(message):
                self.assert_refused(f"conesweep: {message}\n", "run", file, "--backend", "cpu", "--out", "r", *flags)
                self.assertFalse((self.folder / "r").exists())

    def test_a_wrong_goal_costs_nothing_that_is_there(self):
        self.write("s.toml", SLIDER.replace("members = 300", "members = 40000").replace("step = 0.01", "step = 0.002"))
        self.kill_when_begun("r", "run", "s.toml", "--backend", "cpu", "--threads", "1", "--chunk", "4096")
        chunks = sorted(os.listdir(self.folder / "r/chunks"))
        self.run_program("run", "s.toml", "--backend", "cpu", "--out", "r", "--force", "--until", "raech:1%", code=2)
        self.assertEqual(sorted(os.listdir(self.folder / "r/chunks")), chunks)


class Tracks(EnsembleTest):
    """Statistics at the recorded times, beside NumPy on a run whose trajectories are all there."""

    LEVELS = [0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999]

    def check(self, out, coordinates):
        summary = self.summary(out)
        tracks = summary["trajectories"]
        self.assertEqual(list(tracks), ["quantile_members", "time", *coordinates])
        with h5py.File(self.folder / out / "results.h5") as results:
            ok = results["status"][:] == 0
            group = results["trajectories"]
            self.assertEqual(len(group["member"]), len(ok), "not all members are recorded")
            np.testing.assert_array_equal(tracks["time"], group["time"][:])
            self.assertEqual(tracks["quantile_members"], min(4096, len(ok)))
            for name in coordinates:
                paths = group[name][:]
                kept, first = paths[ok], paths[:4096][ok[:4096]]
                entry = tracks[name]
                self.assertEqual(entry["count"], ok.sum())
                scale = 1e-13 * np.abs(kept).max()
                np.testing.assert_allclose(entry["mean"], kept.mean(axis=0), rtol=1e-12, atol=scale)
                np.testing.assert_allclose(entry["standard_deviation"], kept.std(axis=0, ddof=1), rtol=1e-10, atol=scale)
                self.assertEqual([float(level) for level in entry["quantiles"]], self.LEVELS)
                for level, band in entry["quantiles"].items():
                    np.testing.assert_allclose(band, np.quantile(first, float(level), axis=0), rtol=1e-12, atol=scale)
        return summary

    def test_do_not_depend_on_how_a_block_was_cut(self):
        # one thread steps pieces of 256 members, so that their tracks stay in the cache; with 64 threads a piece is a whole block
        self.write("s.toml", SLIDER.replace("members = 300", "members = 5000").replace("every = 3", "every = 1"))
        for threads in ("1", "64"):
            self.run_program("run", "s.toml", "--backend", "cpu", "--quiet", "--no-step-check", "--threads", threads, "--out", threads)
        self.assertEqual(self.summary("1")["trajectories"], self.summary("64")["trajectories"])

    def test_are_those_of_numpy(self):
        self.write("s.toml", SLIDER.replace("members = 300", "members = 9000").replace("members = 7\nevery = 3", "members = 9000\nevery = 16"))
        for backend in ["cpu", "reference"]:
            with self.subTest(backend):
                self.run_program("run", "s.toml", "--backend", backend, "--quiet", "--out", backend)
                self.assertEqual(len(self.check(backend, ["x", "y"])["trajectories"]["time"]), 13)

    def test_leave_members_out_that_stopped(self):
        self.write("s.toml", STOPPING.replace("members = 300", "members = 5000").replace("members = 7\nevery = 3", "members = 5000\nevery = 20"))
        for backend in ["cpu", "reference"]:
            with self.subTest(backend):
                self.run_program("run", "s.toml", "--backend", backend, "--quiet", "--out", backend, code=1)
                count = self.check(backend, ["x", "y"])["trajectories"]["x"]["count"]
                self.assertTrue(2000 < count < 4000, count)
        # nobody reaches the end: nothing to tell, and no wrong number
        self.write("none.toml", BLOW_UP + "[record]\nmembers = 7\n")
        self.run_program("run", "none.toml", "--backend", "reference", "--quiet", "--out", "none", "--set", "v0=3", code=1)
        track = self.summary("none")["trajectories"]["q"]
        self.assertEqual((track["count"], set(track["standard_deviation"])), (0, {None}))

    def test_are_of_all_members_where_few_are_recorded(self):
        text = SLIDER.replace("members = 300", "members = 9000").replace("every = 3", "every = 16")
        self.write("few.toml", text)
        self.write("all.toml", text.replace("members = 7", "members = 9000"))
        for name in ["few", "all"]:
            self.run_program("run", name + ".toml", "--backend", "cpu", "--quiet", "--out", name)
        self.assertEqual(self.summary("few")["trajectories"], self.summary("all")["trajectories"])
        self.run_program("run", "few.toml", "--backend", "cpu", "--quiet", "--out", "cut", "--chunk", "4096", "--threads", "1")
        self.assert_same_run("few", "cut")


class Correlated(EnsembleTest):
    def parameters(self, out, names):
        with h5py.File(self.folder / out / "results.h5") as results:
            return [results["parameters"][name][:] for name in names]

    def test_inputs_have_the_correlations_asked_for_and_keep_their_distributions(self):
        for sampler, slack in [("random", 4), ("latin", 4), ("sobol", 1)]:
            with self.subTest(sampler):
                self.write("s.toml", FREE.replace('"sobol"', f'"{sampler}"') + "[correlation]\nv0 = { a = 0.7 }\nb = { a = -0.4 }\n")
                self.run_program("run", "s.toml", "--backend", "reference", "--members", "16384", "--quiet", "--out", sampler)
                v0, a, b, c = self.parameters(sampler, ["v0", "a", "b", "c"])
                for one, other, rho in [(v0, a, 0.7), (a, b, -0.4), (v0, b, 0), (c, v0, 0), (c, a, 0), (c, b, 0)]:
                    spearman = scipy.stats.spearmanr(one, other)[0]
                    self.assertLess(abs(spearman - 6 / np.pi * np.arcsin(rho / 2)), slack / np.sqrt(16384))
                self.assertLess(abs(np.corrcoef(scipy.stats.norm.ppf((a + 3) / 6), v0)[0, 1] - 0.7), slack / np.sqrt(16384))  # of the normal copula itself
                for column, law in [(v0, scipy.stats.norm(0, 2)), (a, scipy.stats.uniform(-3, 6)), (b, scipy.stats.uniform(-1, 2)), (c, scipy.stats.triang(0.5, -1, 2))]:
                    self.assertGreater(scipy.stats.kstest(column, law.cdf).pvalue, 1e-3)
                # and the answer feels it: the variance of v0 + 0.55 a
                q = self.summary(sampler)["observables"]["final.q"]
                pearson = np.corrcoef(v0, a)[0, 1]
                self.assertAlmostEqual(q["standard_deviation"] ** 2 / (V0 + ACCELERATION + 2 * pearson * np.sqrt(V0 * ACCELERATION)), 1, delta=0.05)

    def test_scenario_of_a_folder_gives_the_same_run(self):
        self.write("s.toml", FREE + "[correlation]\nv0 = { a = 0.7 }\nb = { a = -0.4 }\n")
        self.run_program("run", "s.toml", "--backend", "reference", "--members", "500", "--quiet", "--out", "r")
        self.run_program("run", "r/scenario.toml", "--backend", "reference", "--quiet", "--out", "again")
        self.assert_same_run("r", "again")

    def test_rank_correlations_tell_what_is_only_carried_along(self):
        # mu does nothing here but go with v0: Spearman sees it, PRCC does not
        text = FREE.replace('"sobol"', '"random"') + "[correlation]\nb = { v0 = 0.8 }\n"
        self.write("s.toml", text)
        self.run_program("run", "s.toml", "--backend", "reference", "--members", "4000", "--quiet", "--out", "r")
        entry = json.loads(self.run_program("sensitivity", "r", "--json")[0])["final.q"]["b"]
        self.assertGreater(entry["spearman_interval"][0], 0.6)
        self.assertLess(abs(entry["prcc"]), 0.06)

    def test_matrices_that_cannot_be_are_refused(self):
        self.write("s.toml", FREE + "[correlation]\nv0 = { a = 0.9, b = 0.9 }\na = { b = -0.9 }\n")
        _, err = self.run_program("run", "s.toml", "--out", "r", code=2)
        self.assertIn("these correlations cannot hold together: the smallest eigenvalue of their matrix is -0.8", err)
        self.assertFalse((self.folder / "r").exists())


class ManyParameters(EnsembleTest):
    """A hundred varied parameters: weights 1 … 100 of a sum."""

    COUNT = 100

    def text(self, sampler, members):
        names = [f"p{i}" for i in range(1, self.COUNT + 1)]
        return "\n".join(['title = "Many"', "[model]", 'coordinates = ["q"]', 'force = ["0"]', "[model.parameters]", *[f"{name} = 0.0" for name in names],
                          "[start]", 'q = "0"', "[time]", "end = 0.2", "step = 0.1", "[ensemble]", f"members = {members}", f'sampler = "{sampler}"', "[vary]",
                          *[f"{name} = {{ uniform = [-1, 1] }}" for name in names], "[observe]", "standard = []",
                          'sum = { final = "' + " + ".join(f"{i} * p{i}" for i in range(1, self.COUNT + 1)) + '" }', ""])

    def test_run_with_every_sampler(self):
        variance = sum(i * i for i in range(1, self.COUNT + 1)) / 3
        for sampler in ["random", "latin", "sobol"]:
            with self.subTest(sampler):
                self.write("s.toml", self.text(sampler, 4096))
                self.run_program("run", "s.toml", "--backend", "cpu", "--quiet", "--out", sampler)
                with h5py.File(self.folder / sampler / "results.h5") as results:
                    points = np.column_stack([results[f"parameters/p{i}"][:] for i in range(1, self.COUNT + 1)])
                    values = results["observables/sum"][:]
                np.testing.assert_allclose(values, points @ np.arange(1, self.COUNT + 1), rtol=0, atol=1e-10)
                # no two axes go together, and none is off its distribution
                correlations = np.corrcoef(points.T) - np.eye(self.COUNT)
                self.assertLess(np.abs(correlations).max(), 5.5 / np.sqrt(4096))  # of 4950 pairs
                strata = np.sort(np.floor((points + 1) / 2 * 4096), axis=0)
                if sampler != "random":
                    np.testing.assert_array_equal(strata, np.arange(4096)[:, None] * np.ones(self.COUNT))
                self.assertAlmostEqual(values.var() / variance, 1, delta=5 * np.sqrt(2 / 4096))

    def test_sensitivity_orders_them(self):
        self.write("s.toml", self.text("sobol", 102 * 256))
        self.run_program("sensitivity", "s.toml", "--backend", "cpu", "--quiet", "--out", "r")
        total = sum(i * i for i in range(1, self.COUNT + 1))
        table = self.summary("r")["sensitivity"]["sum"]
        missed = 0
        for i in range(1, self.COUNT + 1):
            for kind in ["first", "total"]:
                entry = table[f"p{i}"]
                lower, upper = entry[kind + "_interval"]
                missed += not lower <= i * i / total <= upper
        self.assertLessEqual(missed, 26)  # 10 of 200 are expected; with one sampling error in common for all more come together
        self.write("s.toml", self.text("random", 101 * 20))
        self.run_program("sensitivity", "s.toml", "--method", "morris", "--backend", "cpu", "--quiet", "--out", "m")
        for i in range(1, self.COUNT + 1):
            self.assertAlmostEqual(self.summary("m")["sensitivity"]["sum"][f"p{i}"]["mu_star"], 2 * i, delta=1e-9)


if __name__ == "__main__":
    product_program.main(__doc__)
