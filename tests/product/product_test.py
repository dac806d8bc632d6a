"""The program as a user sees it: commands, messages, exit codes, files. Run by ctest, one test class at a time:

    python3 product_test.py --program build/bin/conesweep --source . [--build build] ClassName
"""
import argparse
import csv
import filecmp
import io
import json
import math
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

PROGRAM = SOURCE = BUILD = None  # set by main

THEORY = ("theory: Monteiro Marques and Dzonou on contact with friction and delay: as the step goes to 0 the motions have limits, and every limit is a solution; that it is "
          "the only one is not said; assumed: the gradient of inside does not vanish at the wall, the motion stays bounded")

SLIDER = """title = "Slider µ \\"rough\\""
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau))", "-9.81"]
[model.parameters]
k = 4.0
tau = 0.2
mu = 0.3
v0 = 1.0
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
[start]
x = "v0 * t"
y = "0"
[time]
end = 2.0
step = 0.01
[ensemble]
members = 300
seed = 5
[vary]
mu = { uniform = [0.1, 0.6] }
tau = { uniform = [0.05, 0.4] }
[observe]
reach = { max = "x" }
late = { first_time = "x > 1.2" }
[record]
members = 7
every = 3
"""

# every third member ends before t = 2
BLOW_UP = """[model]
coordinates = ["q"]
force = ["vq^2"]
[model.parameters]
v0 = 1.0
[start]
q = "0"
vq = "v0"
[time]
end = 2.0
step = 0.01
[ensemble]
sampler = "grid"
levels = { v0 = 7 }
[vary]
v0 = { uniform = [0.1, 0.7] }
"""

# pushed along a floor against a wall
CORNER = """[model]
coordinates = ["x", "y"]
force = ["1", "-1"]
[[model.contact]]
name = "floor"
inside = "y >= 0"
[[model.contact]]
name = "wall"
inside = "x <= 0.2"
[start]
x = "0.9 * t"
y = "0"
[time]
end = 0.6
step = 0.1
"""

BRAKE = """[model]
coordinates = ["x"]
force = ["0"]
[[model.resistance]]
name = "brake"
slip = ["vx"]
limit = "0.6"
[start]
x = "0.1 * t"
[time]
end = 0.3
step = 0.1
"""

# two rough feet: four rows in three coordinates, while they stand
BOX = """[model]
coordinates = ["x", "y", "a"]
mass = ["1", "1", "0.2"]
force = ["0", "-10", "0"]
[model.parameters]
height = 0.0
[model.define]
lx = "x - 0.5"
ly = "y - 0.5 * a"
rx = "x + 0.5"
ry = "y + 0.5 * a"
[[model.contact]]
name = "left"
point = ["lx", "ly"]
inside = "ly >= 0"
friction = 0.3
[[model.contact]]
name = "right"
point = ["rx", "ry"]
inside = "ry >= 0"
friction = 0.3
[start]
x = "0"
y = "height"
a = "0"
[time]
end = 0.5
step = 0.0625
[ensemble]
sampler = "grid"
[vary]
height = { choice = [0, 5, 0.1, 7, 0.2] }
"""

# minutes of work: what is interrupted
LONG = SLIDER.replace("end = 2.0", "end = 200.0").replace("members = 300", "members = 100000")


class ProductTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="conesweep-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.maxDiff = None

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text.encode())
        return path

    def run_program(self, *arguments, code=0, **how):
        """Runs the program in the test's folder; returns what it printed. The exit code is checked."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, timeout=300, **how)
        out, err = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, code, f"conesweep {' '.join(map(str, arguments))}\n{out}{err}")
        return out, err

    def run_scenario(self, text, out, *arguments, code=0):
        """Runs a scenario by the reference executor; returns the folder it leaves."""
        self.write("scenario.toml", text)
        self.run_program("run", "scenario.toml", "--backend", "reference", "--quiet", "--out", out, *arguments, code=code)
        return self.folder / out

    def assert_refused(self, message, *arguments, code=2):
        out, err = self.run_program(*arguments, code=code)
        self.assertEqual((out, err), ("", message))


HINT = "  conesweep --help tells what is there\n"


class CommandLine(ProductTest):
    def test_version_is_that_of_the_project(self):
        version = re.search(r"project\(conesweep VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
        self.assertEqual(self.run_program("--version"), (f"conesweep {version}\n", ""))

    def test_help_of_the_program_and_of_every_command(self):
        out, _ = self.run_program("--help")
        self.assertIn("Examples:\n  conesweep run slider.toml", out)
        self.assertIn("Exit codes: 0 all members fine; 1 finished, some members stopped", out)
        commands = re.findall(r"^  (\w+) {2,}\S", out.split("Subcommands:")[1].split("Examples:")[0], re.M)
        self.assertLessEqual({"run", "check", "trace", "info"}, set(commands))
        for command in commands:
            out, err = self.run_program(command, "--help")
            self.assertEqual(err, "")
            self.assertIn(f"Examples:\n  conesweep {command}", out)
            self.assertIn("--help", out)

    def test_flags_of_run_are_explained(self):
        out, _ = self.run_program("run", "--help")
        for flag in "--members --seed --step --end --set --backend --threads --chunk --out --force --quiet --json".split():
            self.assertRegex(out, rf"\n  {flag} .*\w", flag)

    def test_wrong_words_get_the_closest_known_one(self):
        self.write("s.toml", SLIDER)
        self.assert_refused("conesweep: A subcommand is required\n" + HINT)
        self.assert_refused("conesweep: unknown command 'rnu'; did you mean 'run'?\n" + HINT, "rnu")
        self.assert_refused("conesweep: unknown flag '--outt'; did you mean '--out'?\n" + HINT, "run", "s.toml", "--outt", "a")
        self.assert_refused("conesweep: 'b' was not expected; flags begin with --\n" + HINT, "run", "s.toml", "b")
        self.assert_refused("conesweep: scenario is required\n" + HINT, "run")

    def test_values_of_flags_are_checked(self):
        self.write("s.toml", SLIDER)
        for arguments, message in [
            (["--members", "abc"], "conesweep: --members: 'abc' is not a whole number from 0 to 9e15\n"),
            (["--members", "-5"], "conesweep: --members: '-5' is not a whole number from 0 to 9e15\n"),
            (["--members", "1.5"], "conesweep: --members: '1.5' is not a whole number from 0 to 9e15\n"),
            (["--members", "0"], "--members: members must be a whole number between 1 and 1099511627776\n"),
            (["--seed", "x"], "conesweep: --seed: 'x' is not a whole number from 0 to 9223372036854775807\n"),
            (["--step", "0"], "--step: step must be greater than 0, got 0\n"),
            (["--step", "0.3"], "--step: end = 2 is not a whole number of steps of 0.3; nearest: end = 1.8 or 2.1\n"),
            (["--end", "inf"], "conesweep: --end: 'inf' is not a finite number\n"),
            (["--set", "mu"], "conesweep: --set: 'mu' should read name=value\n"),
            (["--set", "mu=x"], "conesweep: --set mu: 'x' is not a finite number\n"),
            (["--set", "mu=1/0"], "conesweep: --set mu: '1/0' is not a finite number\n"),
            (["--set", "nu=1"], "--set: unknown parameter 'nu'; did you mean 'mu'?\n"),
            (["--chunk", "5000"], "conesweep: --chunk: must be a multiple of 4096, got 5000; nearest: 4096\n"),
            (["--chunk", "7000"], "conesweep: --chunk: must be a multiple of 4096, got 7000; nearest: 8192\n"),
            (["--chunk", "0"], "conesweep: --chunk: must be a multiple of 4096, got 0; nearest: 4096\n"),
            (["--threads", "0"], "conesweep: --threads: '0' is not a whole number from 1 to 4096\n"),
        ]:
            with self.subTest(arguments):
                self.assert_refused(message, "run", "s.toml", *arguments)
        _, err = self.run_program("run", "s.toml", "--backend", "gpu", code=2)
        self.assertRegex(err, r"^conesweep: unknown backend 'gpu'; .*reference")
        self.assertEqual(os.listdir(self.folder), ["s.toml"])

    def test_counts_may_be_written_as_people_do(self):
        self.write("s.toml", SLIDER.replace("end = 2.0", "end = 0.1"))
        for text in ["20", "2e1", "2_0"]:
            self.run_program("run", "s.toml", "--backend", "reference", "--members", text, "--out", "r", "--force", "--quiet")
            self.assertEqual(json.loads((self.folder / "r/summary.json").read_text())["members"], 20)

    def test_files_that_cannot_be_read(self):
        for command in ["run", "check", "trace"]:
            self.assert_refused("conesweep: cannot read none.toml; is the path right?\n", command, "none.toml")
            self.assert_refused("conesweep: . is a folder; give a scenario file (*.toml)\n", command, ".")

    def test_a_wrong_scenario_is_refused_with_all_its_problems_and_leaves_nothing(self):
        self.write("s.toml", SLIDER.replace('friction = "mu"', 'friction = "2*muu"').replace("every = 3", "evry = 3"))
        problems = ("s.toml:13:15: unknown name 'muu' in friction; did you mean 'mu'?\n"
                    '    friction = "2*muu"\n'
                    "                  ^^^\n"
                    "s.toml:31:1: unknown key 'evry' in [record]; did you mean 'every'?\n"
                    "    evry = 3\n"
                    "    ^^^^\n")
        self.assert_refused(problems, "run", "s.toml")
        self.assert_refused(problems, "trace", "s.toml")
        self.assertEqual(self.run_program("check", "s.toml", code=2), (problems + "2 problems in s.toml\n", ""))
        self.assertEqual(os.listdir(self.folder), ["s.toml"])

    def test_check_says_that_all_is_well(self):
        self.write("s.toml", SLIDER)
        self.assertEqual(self.run_program("check", "s.toml"),
                         ("s.toml is fine: 2 coordinates, 1 contact, 2 varied parameters, 15 observables; 300 members of 200 steps\n"
                          "s.toml:13:12: note: friction of 'floor' acts on the part of (vx, vy) along the wall, as on one particle\n"
                          "s.toml: note: " + THEORY + "\n", ""))
        self.assertEqual(self.run_program("check", "s.toml", "--quiet"), ("", ""))
        self.assertEqual(os.listdir(self.folder), ["s.toml"])

    def test_check_warns_of_members_that_would_stop(self):
        self.write("s.toml", SLIDER.replace("[0.1, 0.6]", "[-0.1, 0.6]"))
        out, _ = self.run_program("check", "s.toml")
        self.assertRegex(out, r"^s.toml:13:13: warning: \d+ of the first 300 members: friction is -0\.\d+; allowed: friction >= 0 "
                              r"\(member \d+: mu = -0\.\d+, tau = 0\.\d+\); such members stop with status bad_angle\n")
        self.assertIn("300 members of 200 steps\n", out)
        self.assertEqual(self.run_program("check", "s.toml", "--quiet"), ("", ""))

    def test_a_member_without_a_solution_shows_its_time_and_residual(self):
        # a ram drives the block into the floor: no velocity obeys both
        self.write("s.toml", """
[model]
coordinates = ["y"]
force = ["0"]
[model.parameters]
c = 1
[[model.bilateral]]
holds = "y = 0.5 - c*t"
[[model.contact]]
inside = "y >= 0"
[start]
y = "0.5"
vy = "-c"
[time]
end = 1
step = 0.125
[ensemble]
sampler = "grid"
[vary]
c = { choice = [0.25, 1] }
""")
        out, _ = self.run_program("run", "s.toml", "--backend", "reference", code=1)
        self.assertIn("2 members, 1 ok, 1 stopped\n  1 x not_converged: ", out)
        self.assertIn("       first: member 1 at t = 0.5, residual 1 (c = 1)\n", out)
        with h5py.File(pathlib.Path(self.folder) / "runs/s/results.h5") as results:
            residual = results["residual"][:]
        self.assertTrue(np.isnan(residual[0]))
        self.assertAlmostEqual(residual[1], 1, 9)
        out, _ = self.run_program("trace", "s.toml", "--member", "1", code=1)
        self.assertIn("# stopped at t = 0.5: not_converged (residual 1): ", out)

    def test_check_and_run_warn_of_friction_on_another_body(self):
        self.write("s.toml", SLIDER.replace('["x", "y"]', '["x", "y", "z"]', 1).replace("[start]", "[start]\nz = '0'\nvz = '1'", 1).replace('"-9.81"]', '"-9.81", "-z"]', 1))
        warning = "warning: friction of 'floor' acts on vx and vz too, as on one particle, but x and z move by themselves"
        self.assertIn(warning, self.run_program("check", "s.toml")[0])
        self.assertIn(warning, self.run_program("run", "s.toml", "--backend", "reference", "--members", "2", "--no-step-check")[1])

    def test_check_as_json(self):
        self.write("s.toml", SLIDER.replace("every = 3", "evry = 3"))
        out, _ = self.run_program("check", "s.toml", "--json", code=2)
        self.assertEqual(json.loads(out), {"scenario": "s.toml", "valid": False, "problems": [
            {"severity": "error", "where": "s.toml", "line": 31, "column": 1, "message": "unknown key 'evry' in [record]; did you mean 'every'?"}]})
        self.write("s.toml", SLIDER)
        self.assertEqual(json.loads(self.run_program("check", "s.toml", "--json")[0]), {"scenario": "s.toml", "valid": True, "problems": [], "notes": [
            {"line": 13, "column": 12, "message": "friction of 'floor' acts on the part of (vx, vy) along the wall, as on one particle"},
            {"line": 0, "column": 0, "message": THEORY}]})

    def test_info(self):
        out, _ = self.run_program("info")
        self.assertTrue(out.startswith("conesweep "))
        facts = json.loads(self.run_program("info", "--json")[0])
        self.assertIn("reference", facts["executors"])
        self.assertEqual("conesweep " + facts["version"], out.splitlines()[0])

    def test_a_full_disk_behind_standard_output_is_a_failure(self):
        self.write("s.toml", SLIDER)
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "check", "s.toml"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (3, b"conesweep: cannot write to standard output\n"))


class Runs(ProductTest):
    def test_what_it_prints(self):
        self.write("s.toml", SLIDER)
        out, err = self.run_program("run", "s.toml", "--backend", "reference", "--out", "r")
        lines = out.splitlines()
        self.assertEqual(lines[0], 'Slider µ "rough"')
        self.assertEqual(lines[1], "300 members, 200 steps of 0.01, sampler random, seed 5")
        self.assertTrue(lines[2].startswith("executor: reference (asked for), "), lines[2])
        self.assertIn("300 members, 300 ok", lines)
        self.assertTrue(any(re.match(r"reach +-?\d", line) for line in lines))
        self.assertRegex(lines[3], r"^1 chunk; about [\d.]+ MB of memory, [\d.]+ kB of disk$")
        self.assertTrue(any(re.match(r"observable +mean +± sampling +± step +deviation", line) for line in lines))
        self.assertTrue(lines[-1].endswith("results in r"))
        self.assertEqual(err, "")

    def test_a_large_step_is_told_and_the_one_it_tells_is_not_large(self):
        self.write("s.toml", SLIDER)
        _, err = self.run_program("run", "s.toml", "--backend", "reference", "--out", "r", "--step", "0.1")
        self.assertRegex(err, r"^conesweep: warning: the step is large for dissipated: halving it moves the mean by -0\.\d+ \(± [\d.]+\), so the step costs about [\d.]+ where sampling costs [\d.]+; try --step [\d.]+\n$")
        step = re.search(r"--step ([\d.]+)", err)[1]
        _, err = self.run_program("run", "s.toml", "--backend", "cpu", "--out", "r2", "--step", step)
        self.assertEqual(err, "")

    def test_the_step_check_can_be_turned_off(self):
        self.write("s.toml", SLIDER)
        out, err = self.run_program("run", "s.toml", "--backend", "reference", "--out", "r", "--no-step-check")
        self.assertEqual(err, "")
        self.assertNotIn("± step", out)
        self.assertNotIn("step_check", json.loads((self.folder / "r/summary.json").read_text()))

    def test_the_step_check_is_what_half_the_step_gives(self):
        self.write("s.toml", SLIDER)
        for out, *step in [("r",), ("half", "--step", "0.005")]:
            self.run_program("run", "s.toml", "--backend", "cpu", "--quiet", "--out", out, "--members", "256", *step)
        check = json.loads((self.folder / "r/summary.json").read_text())["step_check"]
        self.assertEqual((check["members"], check["step"]), (256, 0.01))
        with h5py.File(self.folder / "r/results.h5") as whole, h5py.File(self.folder / "half/results.h5") as half:
            for name in whole["observables"]:
                difference = whole["observables"][name][:] - half["observables"][name][:]
                difference = difference[np.isfinite(difference)]
                entry = check["observables"][name]
                self.assertEqual(entry["compared"], len(difference), name)
                np.testing.assert_allclose(entry["difference"], difference.mean(), rtol=1e-10, atol=1e-14, err_msg=name)
                np.testing.assert_allclose(entry["difference_error"], difference.std(ddof=1) / np.sqrt(len(difference)), rtol=1e-10, atol=1e-14, err_msg=name)
                np.testing.assert_allclose(entry["step_error"], 2 * abs(difference.mean()), rtol=1e-10, atol=1e-14, err_msg=name)

    def test_quiet_prints_nothing(self):
        self.write("s.toml", SLIDER)
        self.assertEqual(self.run_program("run", "s.toml", "--backend", "reference", "--quiet"), ("", ""))
        self.assertEqual(sorted(os.listdir(self.folder / "runs/s")), ["results.h5", "scenario.toml", "summary.json"])

    def test_json_is_the_summary_and_nothing_else(self):
        self.write("s.toml", SLIDER)
        out, _ = self.run_program("run", "s.toml", "--backend", "reference", "--threads", "3", "--json", "--out", "r")
        self.assertEqual(out, (self.folder / "r/summary.json").read_text())
        summary = json.loads(out)
        self.assertEqual(list(summary), ["title", "members", "status", "observables", "trajectories", "step_check", "run", "timing"])
        self.assertEqual((summary["title"], summary["members"], summary["status"]), ('Slider µ "rough"', 300, {"ok": 300}))
        run = summary["run"]
        self.assertEqual([run[k] for k in ("backend", "precision", "seed", "step", "steps", "ranks", "threads")], ["reference", "double", 5, 0.01, 200, 1, 3])
        timing = summary["timing"]
        self.assertGreaterEqual(timing["wall_seconds"], timing["solve_seconds"])
        self.assertAlmostEqual(timing["member_steps_per_second"] * timing["solve_seconds"] / (300 * 200), 1)

    def test_members_that_stop_are_counted_named_and_left_out(self):
        self.write("s.toml", BLOW_UP)
        out, _ = self.run_program("run", "s.toml", "--backend", "reference", "--out", "r", code=1)
        self.assertIn("\n7 members, 5 ok, 2 stopped\n"
                      "  2 x non_finite: the state became inf or nan: try a smaller [time] step if it grew to that (conesweep trace shows it); else a formula left "
                      "its domain\n", out)
        self.assertRegex(out, r"\n       first: member 5 at t = 1\.\d+ \(v0 = 0\.6\)\n")
        summary = json.loads((self.folder / "r/summary.json").read_text())
        self.assertEqual(summary["status"], {"ok": 5, "non_finite": 2})
        self.assertEqual(summary["observables"]["final.q"]["count"], 5)
        self.assertIsNone(summary["observables"]["first_contact"]["mean"])
        with h5py.File(self.folder / "r/results.h5") as file:
            self.assertEqual(list(file["status"][:]), [0] * 5 + [1] * 2)
            self.assertTrue(np.isnan(file["observables/final.q"][5:]).all())
            self.assertTrue(np.isnan(file["stop_time"][:5]).all() and (file["stop_time"][5:] > 1 / 0.7).all())
        self.run_program("run", "s.toml", "--backend", "reference", "--quiet", "--set", "v0=0.1", "--out", "fine")

    def test_a_finished_run_is_replaced_only_by_force(self):
        folder = self.run_scenario(SLIDER, "r")
        before = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
        self.assert_refused("conesweep: r holds a finished run; replace it with --force, or choose another folder with --out\n",
                            "run", "scenario.toml", "--backend", "reference", "--out", "r", "--seed", "6")
        self.assertEqual(before, {name: (folder / name).read_bytes() for name in os.listdir(folder)})
        self.run_scenario(SLIDER, "r", "--seed", "6", "--force")
        self.assertNotEqual(before["results.h5"], (folder / "results.h5").read_bytes())
        self.assertEqual(json.loads((folder / "summary.json").read_text())["run"]["seed"], 6)

    def test_a_folder_that_cannot_be_written(self):
        self.write("s.toml", SLIDER)
        self.write("file", "")
        run = ["run", "s.toml", "--backend", "reference", "--quiet", "--out"]
        self.assert_refused("conesweep: cannot write into file: it is a file; choose another folder with --out\n", *run, "file", code=3)
        _, err = self.run_program(*run, "file/below", code=3)
        self.assertEqual(err, "conesweep: cannot make file/below: Not a directory\n")
        if os.geteuid() != 0:
            (self.folder / "locked").mkdir(mode=0o555)
            _, err = self.run_program(*run, "locked/r", code=3)
            self.assertEqual(err, "conesweep: cannot make locked/r: Permission denied\n")
        self.assertEqual(self.folder.joinpath("file").read_bytes(), b"")

    def test_the_default_executor_says_what_it_took_and_why(self):
        self.write("s.toml", SLIDER)
        out, _ = self.run_program("run", "s.toml", "--members", "10", "--out", "r")
        self.assertRegex(out, r"\nexecutor: \w+ \(.+\), .+\n")


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


class LongRunTest(ProductTest):
    def start(self, *arguments, stderr=subprocess.PIPE):
        process = subprocess.Popen([PROGRAM, "run", "long.toml", "--backend", "reference", "--out", "r", *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=stderr)
        self.addCleanup(process.stdout.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_for(self, condition, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, f"{what} did not come")
            time.sleep(0.02)

    def stop(self, process, number=signal.SIGINT):
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        return err.decode() if err else ""


class Interruptions(LongRunTest):
    def test_leave_nothing_half_written(self):
        self.write("long.toml", LONG)
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = self.start("--quiet")
            self.wait_for((self.folder / "r").exists, "the folder")
            time.sleep(0.3)
            self.assertEqual(self.stop(process, number), "conesweep: interrupted; nothing was written\n")
            self.assertEqual(os.listdir(self.folder), ["long.toml"])

    def test_leave_an_earlier_run_as_it_was(self):
        folder = self.run_scenario(SLIDER, "r")
        before = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
        self.write("long.toml", LONG)
        process = self.start("--quiet", "--force")
        time.sleep(0.7)
        self.stop(process)
        self.assertEqual(before, {name: (folder / name).read_bytes() for name in os.listdir(folder)})

    def test_show_progress_as_plain_lines_elsewhere_than_on_a_terminal(self):
        self.write("long.toml", LONG)
        process = self.start()
        line = process.stderr.readline().decode()  # the first comes after ten seconds
        self.assertRegex(line, r"^ *\d+ %  [\d,]+ of 100,000 members, [\d.e+]+ member·steps/s, .+ left\n$")
        self.assertNotIn("\r", line)
        self.stop(process)

    def test_remove_a_trace_that_is_not_whole(self):
        self.write("long.toml", LONG.replace("end = 200.0", "end = 200000.0"))
        process = subprocess.Popen([PROGRAM, "trace", "long.toml", "--out", "t.csv"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        time.sleep(0.7)
        self.stop(process)
        self.assertEqual(os.listdir(self.folder), ["long.toml"])


    def test_say_of_a_trace_that_rows_are_missing(self):
        self.write("long.toml", LONG.replace("end = 200.0", "end = 200000.0"))
        process = subprocess.Popen([PROGRAM, "trace", "long.toml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        lines = [process.stdout.readline() for _ in range(12)]
        self.assertRegex(lines[-1], rb"^\d+,")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(err.decode(), "conesweep: interrupted; the rows are not all there\n")
        self.assertEqual(process.returncode, 130)


class Terminal(LongRunTest):
    """Alone in its class, so that a machine without pseudo-terminals shows a skip of its own."""

    def test_show_a_bar_on_a_terminal(self):
        self.write("long.toml", LONG)
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"this machine gives no pseudo-terminal: {error}")
        self.addCleanup(os.close, ours)
        process = self.start(stderr=theirs)
        os.close(theirs)
        seen = b""
        deadline = time.monotonic() + 60
        while b" left" not in seen or "·".encode() not in seen:
            self.assertLess(time.monotonic(), deadline, f"no bar: {seen!r}")
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096)
        self.assertRegex(seen.decode(errors="replace"), r"\r\x1b\[K[█·]{24}  *\d+ %  [\d,]+ of 100,000 members, ")
        process.send_signal(signal.SIGINT)
        try:
            while True:
                seen += os.read(ours, 4096)
        except OSError:  # the terminal's other end is gone
            pass
        process.stdout.read()
        self.assertEqual(process.wait(timeout=30), 130)
        self.assertTrue(seen.decode(errors="replace").endswith("\r\x1b[Kconesweep: interrupted; nothing was written\r\n"), "the bar is not wiped")


class Scripts(ProductTest):
    def test_are_valid_bash(self):
        for name in ["run.sh", "test.sh", "cmake/prepare.sh", ".ci/bare", ".ci/run"]:
            done = subprocess.run(["bash", "-n", SOURCE / name], capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)

    def test_can_be_started(self):
        for name in ["run.sh", "test.sh", ".ci/bare", ".ci/run"]:
            self.assertTrue(os.access(SOURCE / name, os.X_OK), f"{name} is not executable")

    def test_run_from_another_folder(self):
        if BUILD.resolve() != (SOURCE / "build").resolve():
            self.skipTest(f"run.sh builds in {SOURCE / 'build'}, and this build is {BUILD}")
        done = subprocess.run([SOURCE / "run.sh", "--version"], cwd=self.folder, capture_output=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(done.stdout.decode(), self.run_program("--version")[0])
        self.assertIn("== build: preset ", done.stderr.decode())
        self.assertEqual(os.listdir(self.folder), [])

    def test_say_what_they_are(self):
        done = subprocess.run([SOURCE / "test.sh", "--help"], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("runs all tests", done.stdout.decode())


def main(what):
    global PROGRAM, SOURCE, BUILD
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--emulator", default="", help="taken by batteries that run on devices too")
    options, rest = parser.parse_known_args()
    PROGRAM, SOURCE, BUILD = options.program.resolve(), options.source.resolve(), options.build
    unittest_main.main(rest)


if __name__ == "__main__":
    main(__doc__)
