"""What the program writes: results, summaries, traces. Run by ctest, one test class at a time:

    python3 written_test.py --program build/bin/conesweep --source . ClassName
"""
import csv
import filecmp
import io
import json
import math

import h5py
import numpy as np

import product_program
from product_program import BLOW_UP, BOX, BRAKE, CORNER, ProductTest, SLIDER


class Results(ProductTest):
    def test_layout(self):
        folder = self.run_scenario(SLIDER, "r")
        standard = "impacts first_contact stick_time slip_time flight_time dissipated impulse variation penetration".split()
        with h5py.File(folder / "results.h5") as file:
            self.assertEqual(set(file), {"member", "parameters", "observables", "status", "stop_time", "trajectories"})
            self.assertEqual(list(file["parameters"]), ["mu", "tau"])
            names = ["reach", "late"] + standard + ["final.x", "final.y", "final.vx", "final.vy"]
            self.assertEqual(set(file["observables"]), set(names))
            for group in ["parameters", "observables"]:
                for dataset in file[group].values():
                    self.assertEqual((dataset.shape, dataset.dtype), ((300,), np.float64))
            self.assertEqual((file["status"].shape, file["status"].dtype), ((300,), np.uint8))
            trajectories = file["trajectories"]
            self.assertEqual(set(trajectories), {"time", "recorded", "member", "x", "y", "vx", "vy", "mode"})
            times = 200 // 3 + 1
            np.testing.assert_allclose(trajectories["time"][:], 0.03 * np.arange(times), rtol=1e-14)
            np.testing.assert_array_equal(trajectories["member"][:], np.arange(7))
            for name in ["x", "y", "vx", "vy", "mode"]:
                self.assertEqual(trajectories[name].shape, (7, times))
            self.assertLessEqual(set(np.unique(trajectories["mode"][:])), {0, 1, 2})
            attributes = dict(file.attrs)
            self.assertEqual(attributes["scenario"], (folder / "scenario.toml").read_text())
            self.assertEqual((attributes["backend"], attributes["precision"], attributes["seed"], attributes["step"]), ("reference", "double", 5, 0.01))
            self.assertEqual("conesweep " + attributes["version"] + "\n", self.run_program("--version")[0])
            self.assertTrue(attributes["device"])
            # what the numbers are: the parameters within their distributions, the observables of the recorded members
            self.assertTrue((file["parameters/mu"][:] >= 0.1).all() and (file["parameters/mu"][:] <= 0.6).all())
            self.assertTrue((file["observables/reach"][:7] >= trajectories["x"][:].max(axis=1)).all())

    def test_flags_are_kept_member_by_member_and_counted(self):
        folder = self.run_scenario(BOX, "r")
        with h5py.File(folder / "results.h5") as file:
            self.assertEqual((file["flags"].dtype, list(file["flags"].attrs["names"])), (np.uint8, ["hyperstatic", "crowded"]))
            heights = file["parameters/height"][:]
            np.testing.assert_array_equal(file["flags"][:], (heights < 1).astype(np.uint8))
        self.assertEqual(json.loads((folder / "summary.json").read_text())["flags"], {"hyperstatic": 3, "crowded": 0})
        # where one law acts alone there are none
        folder = self.run_scenario(SLIDER, "alone")
        self.assertNotIn("flags", json.loads((folder / "summary.json").read_text()))

    def test_summary_is_what_numpy_makes_of_the_results(self):
        folder = self.run_scenario(SLIDER, "r")
        self.check_summary(folder)
        folder = self.run_scenario(SLIDER, "one", "--members", "1")
        self.check_summary(folder)
        folder = self.run_scenario(BLOW_UP, "stopped", code=1)
        self.check_summary(folder)

    def check_summary(self, folder):
        summary = json.loads((folder / "summary.json").read_text())
        with h5py.File(folder / "results.h5") as file:
            self.assertEqual(set(summary["observables"]), set(file["observables"]))
            self.assertEqual(summary["members"], len(file["status"]))
            ok = file["status"][:] == 0
            never = False
            for name, got in summary["observables"].items():
                values = file["observables"][name][:][ok]
                values = values[~np.isnan(values)]
                never |= len(values) < ok.sum()
                self.assertEqual(got["count"], len(values), name)
                if len(values) == 0:
                    self.assertEqual([got[k] for k in ("mean", "min", "max", "standard_deviation")], [None] * 4, name)
                    continue
                scale = max(abs(values).max(), 1e-300)
                self.assertEqual((got["min"], got["max"]), (values.min(), values.max()), name)
                self.assertAlmostEqual(got["mean"] / scale, values.mean() / scale, 13, name)
                if len(values) == 1:
                    self.assertIsNone(got["standard_deviation"], name)
                else:
                    deviation = values.std(ddof=1)
                    self.assertAlmostEqual(got["standard_deviation"] / scale, deviation / scale, 12, name)
                    if got["standard_error"] is not None:  # a grid has none
                        self.assertAlmostEqual(got["standard_error"] / scale, deviation / np.sqrt(len(values)) / scale, 12, name)
                for level, value in got["quantiles"].items():
                    self.assertAlmostEqual(value / scale, np.quantile(values, float(level), method="linear") / scale, 13, f"{name} at {level}")
                self.assertLessEqual({"0.05", "0.5", "0.95"}, set(got["quantiles"]))
                self.check_histogram(name, got["histogram"], values)
            self.assertTrue(never or len(ok) == 1, "no observable has a member whose event never came")

    def check_histogram(self, name, histogram, values):
        edges, counts = np.array(histogram["edges"]), np.array(histogram["counts"])
        self.assertEqual(counts.sum(), len(values), name)
        if values.min() == values.max():
            return
        self.assertEqual((len(edges), len(counts)), (65, 64), name)
        np.testing.assert_allclose(edges, np.linspace(values.min(), values.max(), 65), rtol=1e-12, atol=1e-12 * abs(values).max())
        # a value on an edge may fall on either side; numpy with the same edges decides the same
        np.testing.assert_array_equal(counts, np.histogram(values, bins=edges)[0], name)

    def assert_same_results(self, a, b):
        """Same tree, same bits, same attributes; a failure names what differs."""
        def contents(path):
            found = {}
            with h5py.File(path) as file:
                file.visititems(lambda name, item: found.update({name: (item.dtype, item.shape, item[()].tobytes())}) if isinstance(item, h5py.Dataset) else None)
                found.update({"@" + name: value for name, value in file.attrs.items()})
            return found
        a, b = contents(a / "results.h5"), contents(b / "results.h5")
        self.assertEqual([name for name in a if a[name] != b.get(name)] + [name for name in b if name not in a], [])

    def summary_of(self, folder):
        summary = json.loads((folder / "summary.json").read_text())
        del summary["run"], summary["timing"]
        return summary

    def test_two_runs_are_equal_files(self):
        a, b = self.run_scenario(SLIDER, "a"), self.run_scenario(SLIDER, "b")
        self.assertTrue(filecmp.cmp(a / "results.h5", b / "results.h5", shallow=False))
        self.assertTrue(filecmp.cmp(a / "scenario.toml", b / "scenario.toml", shallow=False))
        self.assertEqual(self.summary_of(a), self.summary_of(b))
        c = self.run_scenario(SLIDER, "c", "--seed", "6")
        self.assertFalse(filecmp.cmp(a / "results.h5", c / "results.h5", shallow=False), "another seed, and nothing changes")

    def test_threads_and_chunks_do_not_matter(self):
        text = SLIDER.replace("end = 2.0", "end = 0.3").replace("members = 300", "members = 9000").replace("members = 7", "members = 5000")
        first = self.run_scenario(text, "first", "--threads", "1")
        for name, flags in [("threads", ["--threads", "2"]), ("chunk", ["--threads", "1", "--chunk", "4096"]), ("both", ["--threads", "3", "--chunk", "8192"])]:
            other = self.run_scenario(text, name, *flags)
            self.assert_same_results(first, other)
            self.assertTrue(filecmp.cmp(first / "results.h5", other / "results.h5", shallow=False), name)
            self.assertEqual(self.summary_of(first), self.summary_of(other), name)

    def test_members_do_not_depend_on_how_many_there_are(self):
        many, few = self.run_scenario(SLIDER, "many"), self.run_scenario(SLIDER, "few", "--members", "11")
        with h5py.File(many / "results.h5") as a, h5py.File(few / "results.h5") as b:
            for name in ["parameters/mu", "parameters/tau", "observables/reach", "observables/final.x"]:
                self.assertEqual(a[name][:11].tobytes(), b[name][:].tobytes(), name)

    def test_the_written_scenario_gives_the_run_again(self):
        flags = ["--members", "50", "--seed", "9", "--step", "0.02", "--end", "1", "--set", "mu=0.2", "--set", "k=3"]
        first = self.run_scenario(SLIDER, "first", *flags)
        self.run_program("run", first / "scenario.toml", "--backend", "reference", "--quiet", "--out", "again")
        self.assert_same_results(first, self.folder / "again")
        self.assertEqual(self.summary_of(first), self.summary_of(self.folder / "again"))
        with h5py.File(first / "results.h5") as file:
            self.assertEqual((len(file["status"]), list(file["parameters"])), (50, ["tau"]))

    def test_the_written_scenario_has_times_that_are_expressions(self):
        text = SLIDER.replace("v0 = 1.0", "v0 = 1.0\nperiod = \"2*pi/sqrt(k)\"").replace("end = 2.0\nstep = 0.01", 'end = "2*period"\nstep = "period/90"')
        first = self.run_scenario(text.replace("every = 3", 'every = "9*v0"'), "first", "--set", "k=3")
        with h5py.File(first / "results.h5") as file:
            times = file["trajectories/time"][:]
        self.assertEqual(len(times), 21)
        self.assertAlmostEqual(times[-1], 4 * math.pi / math.sqrt(3), places=13)
        self.run_program("run", first / "scenario.toml", "--backend", "reference", "--quiet", "--out", "again")
        self.assertEqual((first / "results.h5").read_bytes(), (self.folder / "again/results.h5").read_bytes())
        _, error = self.run_program("run", "scenario.toml", "--vary", "k=uniform:3:4", code=2)
        self.assertIn("'k' is varied; end is the same for all members", error)

    def test_a_value_may_be_arithmetic_of_numbers(self):
        computed = self.run_scenario(SLIDER, "computed", "--members", "5", "--set", "mu=(3/2 - 1)/2", "--set", "k=2*sqrt(4)")
        written = self.run_scenario(SLIDER, "written", "--members", "5", "--set", "mu=0.25", "--set", "k=4")
        self.assert_same_results(computed, written)

    def test_members_may_end_early(self):
        """stop, end_time, a part of the time and a computed parameter from the file to the files of a run, resumed and told again."""
        text = SLIDER.replace("[time]", '[time]\nstop = "t > begin and vx < 0"').replace("[model.parameters]", '[model.parameters]\nbegin = "tau/2 + 0.3"')
        text = text.replace("[observe]", '[observe]\nhalf = { share = "x > 0", after = "begin" }')
        first = self.run_scenario(text, "first", "--members", "40")
        with h5py.File(first / "results.h5") as file:
            ends, late = file["observables/end_time"][:], file["parameters/tau"][:] / 2 + 0.3
            self.assertTrue(np.all(np.isnan(file["stop_time"][:])) and np.all(file["status"][:] == 0))
            self.assertTrue(np.any(ends < 2) and np.all((ends > late) | (ends == 2)))
            times = [file["observables"][name][:] for name in ("stick_time", "slip_time", "flight_time")]
            np.testing.assert_allclose(sum(times), ends, rtol=1e-13)
        self.run_program("run", first / "scenario.toml", "--backend", "reference", "--quiet", "--out", "again")
        self.assert_same_results(first, self.folder / "again")
        observables = self.summary_of(first)["observables"]
        self.assertAlmostEqual(observables["end_time"]["mean"], float(np.mean(ends)), places=12)

    def test_the_written_scenario_takes_its_tables_along(self):
        self.write("data.csv", "mu,tau\n" + "".join(f"{0.1 + i / 100},{0.2 + i / 50}\n" for i in range(12)))
        text = SLIDER.replace("members = 300", "members = 12").replace("{ uniform = [0.1, 0.6] }", '{ table = "data.csv:mu" }').replace("{ uniform = [0.05, 0.4] }", '{ table = "data.csv:tau" }')
        first = self.run_scenario(text, "first")
        (self.folder / "data.csv").unlink()
        self.run_program("run", first / "scenario.toml", "--backend", "reference", "--quiet", "--out", "again")
        self.assert_same_results(first, self.folder / "again")
        with h5py.File(first / "results.h5") as file:
            np.testing.assert_allclose(file["parameters/tau"][:], 0.2 + np.arange(12) / 50)


class Traces(ProductTest):
    def read_trace(self, text):
        rows = list(csv.reader(line for line in io.StringIO(text) if not line.startswith("#")))
        self.assertTrue(all(len(row) == len(rows[0]) for row in rows), "rows of different length")
        return rows[0], rows[1:]

    def test_equals_the_recorded_trajectory(self):
        folder = self.run_scenario(SLIDER, "r")
        for member in [0, 6]:
            out, err = self.run_program("trace", "scenario.toml", "--member", member, "--every", 3)
            self.assertEqual(err, "")
            head, rows = self.read_trace(out)
            self.assertEqual(head[:7], ["step", "t", "x", "y", "vx", "vy", "mode"])
            rows = [row for row in rows if int(row[0]) % 3 == 0]
            with h5py.File(folder / "results.h5") as file:
                recorded = file["trajectories"]
                for column, name in enumerate(["time", "x", "y", "vx", "vy", "mode"], start=1):
                    expected = recorded[name][:] if name == "time" else recorded[name][member]
                    np.testing.assert_array_equal(np.array([float(row[column]) for row in rows]), expected, name)

    def test_shows_every_step_and_says_which_member(self):
        folder = self.run_scenario(SLIDER, "r")
        out, _ = self.run_program("trace", "scenario.toml", "--member", 3)
        head, rows = self.read_trace(out)
        self.assertEqual([int(row[0]) for row in rows], list(range(201)))
        with h5py.File(folder / "results.h5") as file:
            mu = file["parameters/mu"][3]
            self.assertEqual(max(float(row[2]) for row in rows), file["observables/reach"][3])
        self.assertTrue(out.startswith(f'# Slider µ "rough", member 3\n# k = 4, '))
        self.assertIn(f"mu = {float(mu)!r}", out.splitlines()[1])
        self.assertEqual({row[head.index("contact")] for row in rows[:-1]}, {"floor"})

    def test_tells_whose_velocity_a_row_shows(self):
        # a row's velocity leads to the next row, and the last one repeats it
        self.write("s.toml", SLIDER)
        out, _ = self.run_program("trace", "s.toml")
        self.assertIn("\n# a row is a node: where the member is at t, and the velocity with which it leaves, after the contacts of the step that begins there;\n"
                      "# the last row, where no step begins, has the velocity of the step before it\n# mode: ", out)
        head, rows = self.read_trace(out)
        t, x, vx = (np.array([float(row[head.index(name)]) for row in rows]) for name in ["t", "x", "vx"])
        np.testing.assert_allclose(x[1:], x[:-1] + (t[1] - t[0]) * vx[:-1], atol=1e-13)
        self.assertEqual(vx[-1], vx[-2])

    def test_writes_a_file(self):
        self.write("s.toml", SLIDER)
        out, _ = self.run_program("trace", "s.toml")
        self.assertEqual(self.run_program("trace", "s.toml", "--out", "t.csv"), ("", ""))
        self.assertEqual((self.folder / "t.csv").read_text(), out)
        self.assert_refused("conesweep: cannot write none/t.csv: No such file or directory\n", "trace", "s.toml", "--out", "none/t.csv", code=3)

    def test_stays_a_table_whatever_a_contact_is_called(self):
        self.write("s.toml", SLIDER.replace('title = "Slider', 'title = "two\\nlines').replace('"floor"', '"floor, \\"rough\\"\\nand wet"'))
        out, _ = self.run_program("trace", "s.toml", "--end", "0.1")
        head, rows = self.read_trace(out)
        self.assertEqual(len(rows), 11)
        self.assertEqual(head[-1], 'g_floor, "rough"\nand wet')
        self.assertEqual(rows[0][head.index("contact")], 'floor, "rough"\nand wet')

    def test_shows_every_contact_of_several(self):
        # the floor first, at step 2 the wall with w = (1.2, -0.1); then it rests at both
        self.write("s.toml", CORNER)
        out, _ = self.run_program("trace", "s.toml")
        head, rows = self.read_trace(out)
        at = {name: k for k, name in enumerate(head)}
        self.assertNotIn("contact", at)
        self.assertEqual(head[-5:], ["residual", "passes", "pivots", "g_floor", "g_wall"])
        events = [(int(row[0]), name) for row in rows for name in ["floor", "wall"] if row[at["event_" + name]]]
        self.assertEqual(events, [(0, "floor"), (2, "wall")])
        self.assertEqual([row[at["mode_wall"]] for row in rows], ["0", "0"] + (len(rows) - 3) * [rows[2][at["mode_wall"]]] + [""])
        self.assertAlmostEqual(float(rows[2][at["r_n_wall"]]), 1.2)
        self.assertAlmostEqual(float(rows[3][at["r_n_floor"]]), 0.1)
        self.assertEqual([row[at["passes"]] for row in rows[:3]], ["", "", "1"])
        self.assertEqual([row[at["pivots"]] for row in rows[:2]], ["", ""])
        self.assertGreaterEqual(int(rows[2][at["pivots"]]), 2)  # the floor and the wall
        self.assertLess(float(rows[2][at["residual"]]), 1e-12)

    def test_shows_resistances(self):
        self.write("s.toml", BRAKE)
        out, _ = self.run_program("trace", "s.toml")
        head, rows = self.read_trace(out)
        self.assertEqual([row[head.index("mode_brake")] for row in rows], ["1", "2", "2", ""])  # v = 0.1 is gone in the second step
        self.assertEqual([row[head.index("passes")] for row in rows], ["1", "1", "1", ""])

    def test_a_member_that_stops_says_why(self):
        self.write("s.toml", BLOW_UP)
        out, _ = self.run_program("trace", "s.toml", "--member", 6, code=1)
        self.assertRegex(out.splitlines()[-1], r"^# stopped at t = 1\.\d+: non_finite: the state became inf or nan: try a smaller \[time\] step if it grew")
        self.run_program("trace", "s.toml", "--member", 0)

    def test_refuses_members_that_are_none(self):
        self.write("s.toml", SLIDER)
        self.assert_refused("conesweep: --member: 300 is not a member; they are numbered from 0 to 299\n", "trace", "s.toml", "--member", 300)
        self.assert_refused("conesweep: --every: '0' is not a whole number from 1 to 9e15\n", "trace", "s.toml", "--every", 0)


if __name__ == "__main__":
    product_program.main(__doc__)
