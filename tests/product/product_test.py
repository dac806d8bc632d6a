"""The program as a user sees it: commands, messages, exit codes, scripts. Run by ctest, one test class at a time:

    python3 product_test.py --program build/bin/conesweep --source . [--build build] ClassName
"""
import json
import os
import pathlib
import re
import subprocess

import h5py
import numpy as np

import product_program
from product_program import BLOW_UP, HINT, ProductTest, SLIDER, THEORY


class CommandLine(ProductTest):
    def test_version_is_that_of_the_project(self):
        version = re.search(r"project\(conesweep VERSION (\S+)", (product_program.SOURCE / "CMakeLists.txt").read_text()).group(1)
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
            done = subprocess.run([product_program.PROGRAM, "check", "s.toml"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
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


class Scripts(ProductTest):
    def test_are_valid_bash(self):
        for name in ["run.sh", "test.sh", "cmake/prepare.sh", ".ci/bare", ".ci/run"]:
            done = subprocess.run(["bash", "-n", product_program.SOURCE / name], capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)

    def test_can_be_started(self):
        for name in ["run.sh", "test.sh", ".ci/bare", ".ci/run"]:
            self.assertTrue(os.access(product_program.SOURCE / name, os.X_OK), f"{name} is not executable")

    def test_run_from_another_folder(self):
        if product_program.BUILD.resolve() != (product_program.SOURCE / "build").resolve():
            self.skipTest(f"run.sh builds in {product_program.SOURCE / 'build'}, and this build is {product_program.BUILD}")
        done = subprocess.run([product_program.SOURCE / "run.sh", "--version"], cwd=self.folder, capture_output=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual(done.stdout.decode(), self.run_program("--version")[0])
        self.assertIn("== build: preset ", done.stderr.decode())
        self.assertEqual(os.listdir(self.folder), [])

    def test_say_what_they_are(self):
        done = subprocess.run([product_program.SOURCE / "test.sh", "--help"], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("runs all tests", done.stdout.decode())


if __name__ == "__main__":
    product_program.main(__doc__)
