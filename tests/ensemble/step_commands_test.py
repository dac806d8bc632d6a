"""`conesweep converge` and `conesweep mlmc` as a user sees them: texts, exit codes, JSON, Ctrl-C.

    python3 step_commands_test.py --program build/bin/conesweep --cache folder
"""
import argparse
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

PROGRAM = CACHE = None  # set by main

SCENARIO = """title = "Slowed down by drag"
[model]
coordinates = ["x"]
force = ["-c * vx"]
[model.parameters]
c = 1.0
v0 = 1.0
[start]
x = "v0 * t"
[time]
end = 1.0
step = 0.125
[ensemble]
members = 2000
[vary]
c = { uniform = [%s, 2.0] }
v0 = { uniform = [0.5, 1.5] }
[observe]
speed = { final = "vx" }
late = { first_time = "vx < 0.1" }
never = { first_time = "vx > 100" }
rare = { final = "if(v0 > 1.49906, 1, 0)" }
standard = []
"""
EXACT = (math.exp(-0.5) - math.exp(-2)) / 1.5


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.write("0.5")

    def write(self, least):
        (self.folder / "drag.toml").write_text(SCENARIO % least)

    def start(self, command, *arguments):
        return subprocess.Popen([PROGRAM, command, "drag.toml", *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=dict(os.environ, CONESWEEP_CACHE=CACHE))

    def run_it(self, command, *arguments, code=0):
        process = self.start(command, *arguments)
        process.stdout_text, process.stderr_text = process.communicate()
        self.assertEqual(process.returncode, code, process.stdout_text + process.stderr_text)
        self.assertEqual(os.listdir(self.folder), ["drag.toml"])  # nothing is written
        return process

    def interrupt(self, command, *arguments):
        process = self.start(command, *arguments)
        time.sleep(2)  # far less than it would take
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, out + err)
        self.assertIn("conesweep: interrupted", err)


class Converge(Command):
    def test_table(self):
        text = self.run_it("converge").stdout_text
        self.assertIn("Slowed down by drag\n2,000 members at 4 steps from h = 0.125, sampler random, seed 1\nexecutor: ", text)
        self.assertRegex(text, r"observable +statistic +h +h/2 +h/4 +h/8 +order +± +step error\n")
        self.assertRegex(text, r"\nobservable +statistic +sampling error +dominates\n")  # what is wider than 100 columns goes on below
        self.assertRegex(text, r"(?m)^speed +mean .* (step|sampling)$")
        for statistic in ["deviation", "5 %", "median", "95 %"]:
            self.assertRegex(text, rf"(?m)^ +{statistic} ")
        self.assertRegex(text, r"(?m)^never +mean +– .*–$")
        self.assertRegex(text, r"The step dominates \d+ of \d+ statistics, most of all .*; --step [\d.e-]+ would bring it below the sampling error.\n$")

    def test_the_step_it_names_is_accepted(self):
        text = self.run_it("converge", "--observable", "speed").stdout_text
        step = text.split("--step ")[1].split()[0]
        self.assertIn("Sampling dominates", self.run_it("converge", "--observable", "speed", "--step", step, "--members", "1000").stdout_text)

    def test_json(self):
        found = json.loads(self.run_it("converge", "--json", "--levels", "5", "--members", "1e4").stdout_text)
        self.assertEqual(found["members"], 10000)
        self.assertEqual([level["steps"] for level in found["levels"]], [8, 16, 32, 64, 128])
        mean = found["observables"]["speed"]["mean"]
        self.assertEqual(len(mean["values"]), 5)
        self.assertAlmostEqual(mean["order"], 1, delta=0.15)
        self.assertAlmostEqual(mean["step_error"], abs(mean["values"][0] - EXACT), delta=4 * mean["sampling_error"])
        self.assertIsNone(found["observables"]["never"]["mean"]["values"][0])

    def test_members_that_stop(self):
        self.write("-1e30")
        text = self.run_it("converge", "--step", "0.01", code=1).stdout_text
        self.assertRegex(text, r"members that stopped, of 2,000, and are left out: [\d,]+ at step 0.01, ")

    def test_quiet_and_ctrl_c(self):
        process = self.run_it("converge", "--quiet")
        self.assertEqual(process.stdout_text + process.stderr_text, "")
        self.interrupt("converge", "--members", "1e6", "--step", "1e-5")

    def test_bad_input(self):
        for arguments, words in [
            (["--levels", "1"], "--levels: at least 2, got 1"),
            (["--observable", "sped"], "--observable: unknown observable 'sped'; did you mean 'speed'?"),
            (["--chunk", "100"], "--chunk: must be a multiple of 4096, got 100"),
        ]:
            self.assertIn(words, self.run_it("converge", *arguments, code=2).stderr_text)


class Mlmc(Command):
    def test_table(self):
        text = self.run_it("mlmc", "--observable", "speed", "--rmse", "2e-3").stdout_text
        self.assertIn("Slowed down by drag\nmean of speed by multilevel Monte Carlo, rmse 0.002, coarsest step 0.125, seed 1\nevery level draws members of its own at random\nexecutor: ", text)
        self.assertRegex(text, r"level +step +members +mean of Y +variance of Y +kurtosis +member·steps +share +time\n0 +0.125 ")
        self.assertRegex(text, r"\nmean of speed = 0\.3\d+ ± [\d.e-]+  \(bias [\d.e-]+, standard error [\d.e-]+\)\n")
        self.assertRegex(text, r"\nrates: bias falls like h\^\S+, variance like h\^\S+\n")
        self.assertRegex(text, r"\ncost \S+ member·steps; plain Monte Carlo at step \S+ would take \S+ members, \S+ member·steps: \S+ times as much\n$")

    def test_json_is_the_same_for_any_threads_and_chunk(self):
        found = [json.loads(self.run_it("mlmc", "--observable", "speed", "--rmse", "2e-3", "--json", *more).stdout_text) for more in [["--threads", "1"], ["--threads", "3", "--chunk", "4096"]]]
        for one in found:
            del one["timing"]
        self.assertEqual(*found)
        one = found[0]
        self.assertTrue(one["reached"])
        self.assertLess(abs(one["estimate"] - EXACT), one["error"]["bias"] + 4 * one["error"]["standard_error"])
        self.assertLessEqual(one["error"]["bias"], 0.5e-3)
        self.assertAlmostEqual(one["member_steps"], sum(level["member_steps"] for level in one["levels"]))

    def test_another_seed_is_another_answer(self):
        found = [json.loads(self.run_it("mlmc", "--observable", "speed", "--rmse", "1e-2", "--json", "--seed", seed).stdout_text)["estimate"] for seed in "12"]
        self.assertNotEqual(*found)

    def test_an_event_that_comes_for_some(self):
        text = self.run_it("mlmc", "--observable", "late", "--rmse", "0.02").stdout_text
        self.assertIn("have no finite value of 'late' and were left out", text)

    def test_limits_end_with_code_1(self):
        process = self.run_it("mlmc", "--observable", "speed", "--rmse", "1e-5", "--members-max", "1e4", code=1)
        self.assertIn("note: the rmse asked for needs about ", process.stdout_text)
        process = self.run_it("mlmc", "--observable", "speed", "--rmse", "1e-5", "--members-max", "1e4", "--quiet", code=1)
        self.assertEqual(process.stdout_text, "")
        self.assertIn("conesweep: the error asked for was not reached: ", process.stderr_text)

    def test_a_rare_event_is_found_or_code_1_says_that_it_was_not(self):
        found = json.loads(self.run_it("mlmc", "--observable", "rare", "--rmse", "1e-4", "--json").stdout_text)
        self.assertTrue(found["reached"])
        self.assertLess(abs(found["estimate"] - 9.4e-4), 1e-4)
        self.assertGreater(found["error"]["standard_error"], 2e-5)
        # pilots that saw nothing, and no more allowed: half of 3/128 is no error of 1e-4
        text = self.run_it("mlmc", "--observable", "rare", "--rmse", "1e-4", "--members-max", "384", code=1).stdout_text
        self.assertRegex(text, r"mean of rare = 0 ± [\d.e-]+  \(bias < 0\.02\d*, standard error < 0\.012\)")
        self.assertIn("note: all of 128 members have the value 0: what happens to fewer than 2.3 % of all was perhaps not seen (95 %)", text)

    def test_members_that_stop_end_with_code_1(self):
        self.write("-1e3")
        (self.folder / "drag.toml").write_text((self.folder / "drag.toml").read_text().replace("final = \"vx\"", "final = \"if(vx > 1, 1, 0)\"").replace("v0 * t", "1e290 * v0 * t"))
        text = self.run_it("mlmc", "--observable", "speed", "--rmse", "0.1", code=1).stdout_text
        self.assertIn("members stopped and were left out: the answer is the mean of the others", text)

    def test_quiet_and_ctrl_c(self):
        process = self.run_it("mlmc", "--observable", "speed", "--rmse", "1e-2", "--quiet")
        self.assertEqual(process.stdout_text + process.stderr_text, "")
        self.interrupt("mlmc", "--observable", "speed", "--rmse", "1e-7")

    def test_bad_input(self):
        good = ["--observable", "speed", "--rmse", "0.01"]
        for arguments, words in [
            (["--observable", "sped", "--rmse", "0.01"], "--observable: unknown observable 'sped'; did you mean 'speed'?"),
            (["--observable", "speed", "--rmse", "0"], "--rmse: the error asked for must be a number > 0, got 0"),
            (["--observable", "speed", "--rmse", "-1"], "--rmse: the error asked for must be a number > 0, got -1"),
            (["--observable", "never", "--rmse", "1"], "'never' has a value in 0 of 1,024 members at step 0.125: the event it waits for never came"),
            (["--observable", "speed"], "--rmse is required"),
            ([*good, "--levels-max", "1"], "--levels-max: at least 2"),
            ([*good, "--members-max", "many"], "--members-max: 'many' is not a whole number from 0 to 9e15"),
        ]:
            self.assertIn(words, self.run_it("mlmc", *arguments, code=2).stderr_text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--cache", required=True)
    arguments, rest = parser.parse_known_args()
    PROGRAM, CACHE = os.path.abspath(arguments.program), os.path.abspath(arguments.cache)
    unittest_main.main(rest)
