"""Runs that keep statistics alone: what they leave beside what the same members leave, cut and gone on with, and what is refused. Run by ctest, one test class
at a time:

    python3 keep_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import math
import os
import resource
import signal
import subprocess
import time
import unittest

import h5py
import product_program
from product_program import ProductTest

EVERYTHING = "CONESWEEP_ALL" in os.environ
EXACT = 1 << 20  # members, up to which a run is exact

# few steps; values of both signs, whole numbers, events that do not come, members that stop, classes
CHEAP = """[model]
coordinates = ["x"]
force = ["if(a > 2.5, log(-a), -k * x)"]
[model.parameters]
k = 1.0
a = 0.0
[start]
x = "a"
vx = "1"
[time]
end = 0.5
step = 0.05
[ensemble]
members = 1_060_001
seed = 3
sampler = "random"
[vary]
a = { normal = [0.0, 1.0] }
k = { uniform = [0.5, 2.0] }
[observe]
standard = []
top = { max = "x" }
crossed = { first_time = "x > 0" }
times = { count = "x > 0.3" }
[classes]
right = "final.x > 0"
left = "final.x < -1"
other = "else"
"""
EXACTLY = ("count", "mean", "standard_deviation", "skewness", "min", "max")


class KeepTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.write("cheap.toml", CHEAP)

    def summary(self, out):
        summary = json.loads((self.folder / out / "summary.json").read_text())
        del summary["timing"], summary["run"]
        return summary

    def keep(self, out, *arguments, scenario="cheap.toml", code=1, threads=2):
        self.run_program("run", scenario, "--backend", "cpu", "--quiet", "--threads", str(threads), "--keep", "statistics", "--out", out, *arguments, code=code)
        return self.summary(out)

    def members(self, out, *arguments, scenario="cheap.toml", code=1):
        self.run_program("run", scenario, "--backend", "cpu", "--quiet", "--out", out, *arguments, code=code)
        return self.summary(out)

    def assert_alike(self, kept, members):
        """The bits of moments, quantiles within the error they state, and the rest within rounding."""
        self.assertEqual(kept.keys(), members.keys())
        for name in ("title", "members", "status", "step_check", "trajectories"):
            self.assertEqual(kept.get(name), members.get(name), name)
        self.assert_alike_classes(kept, members)
        for name, want in members["observables"].items():
            self.assert_alike_statistics(kept["observables"][name], want, name)
        for one, want in zip(kept.get("sweep", {}).get("points", []), members.get("sweep", {}).get("points", []), strict=True):
            self.assertEqual((one["values"], one["status"]), (want["values"], want["status"]))
            self.assert_alike_classes(one, want)
            for name in want["observables"]:
                self.assert_alike_statistics(one["observables"][name], want["observables"][name], name)

    def assert_alike_classes(self, kept, members):
        for name, want in members.get("classes", {}).items():
            one = kept["classes"][name]
            self.assertEqual((one["members"], one["share"]), (want["members"], want["share"]))
            for a, b in zip(one.get("interval", []), want.get("interval", []), strict=True):
                self.assertAlmostEqual(a, b, delta=1e-9)

    def assert_alike_statistics(self, one, want, name):
        for key in EXACTLY:
            if key in want:
                self.assertEqual(one[key], want[key], (name, key))
        error = one.get("quantile_error", 0)
        self.assertLess(error, 1e-3)
        if want["standard_error"] is None:
            self.assertIsNone(one["standard_error"])
        else:
            self.assertAlmostEqual(one["standard_error"], want["standard_error"], delta=1e-9 * want["standard_error"])
        for level, value in want["quantiles"].items():
            if value is None:
                self.assertIsNone(one["quantiles"][level])
            else:
                self.assertLessEqual(abs(one["quantiles"][level] - value), 1.001 * error * abs(value) + 1e-9 * abs(value), (name, level))
        reach = max(abs(want["min"] or 0), abs(want["max"] or 0))
        if want["trimmed_mean"] is not None:
            self.assertLessEqual(abs(one["trimmed_mean"] - want["trimmed_mean"]), error * reach + 1e-12 * reach)
        if "histogram" in want:
            self.assertEqual(one["histogram"]["edges"], want["histogram"]["edges"])
            self.assertEqual(sum(one["histogram"]["counts"]), sum(want["histogram"]["counts"]))
            for a, b in zip(one["histogram"]["counts"], want["histogram"]["counts"]):
                self.assertLessEqual(abs(a - b), 20 + 0.05 * b)


class Keeping(KeepTest):
    def test_statistics_are_those_of_members(self):
        kept = self.keep("kept")
        members = self.members("members")
        self.assertGreater(members["status"]["non_finite"], 1000)
        self.assert_alike(kept, members)
        self.assertGreater(kept["observables"]["top"]["quantile_error"], 0)
        self.assertNotIn("quantile_error", kept["observables"]["times"], "whole numbers are exact")
        self.assertEqual(kept["observables"]["times"]["quantiles"], members["observables"]["times"]["quantiles"])

    def test_errors_of_samplers_are_kept(self):
        for sampler in ("sobol", "latin"):
            self.write(f"{sampler}.toml", CHEAP.replace('"random"', f'"{sampler}"'))
            with self.subTest(sampler=sampler):
                self.assert_alike(self.keep(sampler, scenario=f"{sampler}.toml"), self.members(sampler + "-members", scenario=f"{sampler}.toml"))

    def test_few_members_are_exact(self):
        kept = self.keep("kept", "--members", "100003")
        self.assertEqual(kept, self.members("members", "--members", "100003"))

    def test_points_of_a_sweep(self):
        self.write("sweep.toml", CHEAP.replace("1_060_001", str(65 * 4096)).replace('"random"', '"sobol"').replace("k = { uniform = [0.5, 2.0] }\n", "") + "[sweep]\nk = { values = [0.5, 1, 2, 4] }\n")
        self.assert_alike(self.keep("kept", scenario="sweep.toml"), self.members("members", scenario="sweep.toml"))

    def test_recorded_members_and_sums_over_time(self):
        self.write("recorded.toml", CHEAP + "[record]\nmembers = 5000\nevery = 5\n")
        self.assert_alike(self.keep("kept", scenario="recorded.toml"), self.members("members", scenario="recorded.toml"))
        with h5py.File(self.folder / "kept" / "results.h5") as kept, h5py.File(self.folder / "members" / "results.h5") as members:
            self.assertEqual(sorted(kept), ["trajectories"])
            for name in members["trajectories"]:
                if name != "recorded":
                    self.assertEqual(kept["trajectories"][name][()].tobytes(), members["trajectories"][name][()].tobytes(), name)

    def test_bits_do_not_depend_on_chunks_and_threads(self):
        one = self.keep("one")
        self.assertEqual(self.keep("other", "--chunk", "20480", threads=1), one)

    def test_until_goes_beyond_what_is_exact(self):
        arguments = ("--members", "500001", "--until", "top:0.06%", "--most", "2e6")
        kept = self.keep("kept", *arguments)
        self.assertGreater(kept["members"], EXACT)
        self.assert_alike(kept, self.members("members", *arguments))

    def test_little_is_left_on_disk(self):
        self.keep("kept")
        self.assertLess(sum(path.stat().st_size for path in (self.folder / "kept").iterdir()), 100_000)
        self.assertFalse((self.folder / "kept" / "chunks").exists())

    def test_watching(self):
        _, err = self.run_program("run", "cheap.toml", "--backend", "cpu", "--keep", "statistics", "--json", "--watch", "top", "--out", "kept", code=1)
        last = json.loads([line for line in err.splitlines() if line.startswith("{")][-1])
        self.assertAlmostEqual(last["mean"], self.summary("kept")["observables"]["top"]["mean"], delta=1e-12)

    @unittest.skipUnless(EVERYTHING, "with CONESWEEP_ALL=1")
    def test_a_hundred_million_members_in_300_megabytes(self):
        command = [product_program.PROGRAM, "run", "cheap.toml", "--backend", "cpu", "--quiet", "--keep", "statistics", "--members", "1e8", "--out", "kept"]
        process = subprocess.Popen(command, cwd=self.folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 1)
        self.assertLess(usage.ru_maxrss, 300_000)
        top = self.summary("kept")["observables"]["final.x"]
        self.assertAlmostEqual(top["mean"], self.expected_mean(), delta=0.01)

    def expected_mean(self):
        # x(1/2) = a cos(√k/2) + sin(√k/2)/√k, where a has mean 0 but for the few beyond 2.5, and k is uniform
        steps = 10000
        return sum(math.sin(math.sqrt(k) / 2) / math.sqrt(k) for k in (0.5 + 1.5 * (i + 0.5) / steps for i in range(steps))) / steps - 0.0175 * 0.86

    def test_a_billion_members_are_planned(self):
        out, _ = self.run_program("plan", "cheap.toml", "--keep", "statistics", "--members", "1e9", "--json")
        plan = json.loads(out)
        self.assertEqual(plan["bytes_a_member"], 0)
        self.assertLess(plan["disk_bytes"], 2e7)
        self.assertLess(plan["executors"]["cpu"]["host_bytes"], 3e8)
        out, _ = self.run_program("plan", "cheap.toml", "--members", "1e9", "--json")
        self.assertGreater(json.loads(out)["disk_bytes"], 1e10)


class KeptCut(KeepTest):
    # some seconds on a core
    MEMBERS = "12000001"

    def start(self, out, *arguments):
        process = subprocess.Popen([product_program.PROGRAM, "run", "cheap.toml", "--backend", "cpu", "--threads", "1", "--quiet", "--keep", "statistics", "--members", self.MEMBERS,
                                    "--no-step-check", "--out", out, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_for_digest(self, process, out):
        deadline = time.monotonic() + 120
        while not (self.folder / out / "chunks" / "statistics.chunk").exists():
            self.assertIsNone(process.poll(), "the run ended too early")
            self.assertLess(time.monotonic(), deadline, "nothing was saved")
            time.sleep(0.005)

    def whole(self):
        return self.keep("whole", "--members", self.MEMBERS, "--no-step-check")

    def test_killed_and_gone_on_with(self):
        whole = self.whole()
        process = self.start("cut")
        self.wait_for_digest(process, "cut")
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
        self.assertEqual(self.keep("cut", "--members", self.MEMBERS, "--no-step-check", "--resume"), whole)
        self.assertEqual((self.folder / "cut" / "results.h5").read_bytes(), (self.folder / "whole" / "results.h5").read_bytes())

    def test_interrupted_and_gone_on_with(self):
        whole = self.whole()
        process = self.start("cut")
        self.wait_for_digest(process, "cut")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertRegex(err, r"^conesweep: interrupted; [\d,]+ members of 12,000,001 are kept in cut, go on with --resume\n$")
        _, err = self.run_program("run", "cheap.toml", "--keep", "statistics", "--members", "11e6", "--quiet", "--out", "cut", "--resume", code=2)
        self.assertIn("was begun with 12,000,001 members, and their statistics cannot be taken apart; ask for as many, or start over with --force", err)
        _, err = self.run_program("run", "cheap.toml", "--keep", "statistics", "--members", self.MEMBERS, "--quiet", "--out", "cut", code=2)
        self.assertIn("cut holds an unfinished run (1 chunk done); go on with --resume", err)
        self.assertEqual(self.keep("cut", "--members", self.MEMBERS, "--no-step-check", "--resume"), whole)

    def test_a_damaged_file_is_done_again(self):
        process = self.start("cut")
        self.wait_for_digest(process, "cut")
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
        file = self.folder / "cut" / "chunks" / "statistics.chunk"
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
        out, _ = self.run_program("run", "cheap.toml", "--backend", "cpu", "--keep", "statistics", "--members", self.MEMBERS, "--no-step-check", "--out", "cut", "--resume", code=1)
        self.assertIn("1 chunk was not as written, and will be done again\n", out)


class KeptRefusals(KeepTest):
    def refuse(self, text, *arguments):
        _, err = self.run_program(*arguments, code=2)
        self.assertIn(text, err)

    def test_values(self):
        self.write("wrong.toml", CHEAP.replace('sampler = "random"', 'sampler = "random"\nkeep = "statistic"'))
        self.refuse("unknown keep 'statistic'; did you mean 'statistics'?", "run", "wrong.toml")
        self.write("number.toml", CHEAP.replace('sampler = "random"', 'sampler = "random"\nkeep = 3'))
        self.refuse("keep must be a text in quotes: members or statistics", "run", "number.toml")
        self.refuse("--keep: all not in {members,statistics}", "run", "cheap.toml", "--keep", "all")

    def test_what_needs_members(self):
        self.keep("kept", "--members", "1000")
        alone = "kept keeps statistics alone, and nothing of single members; run again with --keep members for that"
        self.refuse(alone, "export", "kept", "--csv")
        self.refuse(alone, "sensitivity", "kept")
        self.refuse("nothing to draw for 'scatter' in kept: it keeps statistics alone", "plot", "kept", "scatter", "--out", "a.svg")
        self.run_program("plot", "kept", "histogram", "--x", "top", "--out", "b.svg")
        self.run_program("report", "kept")
        self.assertIn("statistics alone: nothing is drawn of single members but those recorded", (self.folder / "kept" / "report.html").read_text())
        self.write("design.toml", CHEAP.replace('sampler = "random"', 'sampler = "random"\nkeep = "statistics"'))
        self.refuse("the indices of a design are made of its members", "sensitivity", "design.toml")

    def test_points_of_a_sweep_that_are_no_blocks(self):
        self.write("sweep.toml", CHEAP.replace("k = { uniform = [0.5, 2.0] }\n", "") + "[sweep]\nk = { values = [0.5, 1, 2, 4] }\n")
        for command in ("run", "plan"):
            self.refuse("need a multiple of 4096 members each, got 1060001; nearest: 1060864; or keep the members", command, "sweep.toml", "--keep", "statistics")

    def test_another_run_is_not_gone_on_with(self):
        self.keep("kept", "--members", "1000")
        self.refuse("kept holds a finished run of another scenario", "run", "cheap.toml", "--members", "1000", "--out", "kept", "--resume")


if __name__ == "__main__":
    product_program.main(__doc__)
