"""`conesweep compare` as a user sees it: texts, exit codes, JSON.

    python3 compare_command_test.py --program build/bin/conesweep --cache folder
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

PROGRAM = CACHE = None  # set by main

SCENARIO = """title = "Thrown on a rough floor"
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[model.parameters]
mu = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
[start]
x = "2 * t"
y = "0.5"
[time]
end = 1.0
step = 0.01
[ensemble]
members = 3000
[vary]
mu = { uniform = [%s, 0.6] }
[observe]
reach = { max = "x" }
[record]
members = 2
"""

# it sticks between two rough walls, which share its weight as they like
GROOVE = """title = "Held by a groove"
[model]
coordinates = ["x", "y", "z"]
force = ["9.81*sin(theta)", "0.5*sin(3*t)", "-9.81*cos(theta)"]
[model.parameters]
theta = 0.6
[[model.contact]]
name = "left"
inside = "0.8*y + 0.6*z >= 0"
friction = "1.5"
[[model.contact]]
name = "right"
inside = "-0.8*y + 0.6*z >= 0"
friction = "1.5"
[start]
x = "0"
y = "0"
z = "0"
[time]
end = 0.2
step = 0.02
[ensemble]
members = 5
[vary]
theta = { uniform = [0.3, 0.7] }
"""

# high bounces on a table that shakes are chaotic
SHAKEN = """title = "Shaken"
[model]
coordinates = ["x", "y"]
force = ["-4*x", "-1"]
[model.parameters]
A = 0.1
mu = 0.2
[[model.contact]]
name = "table"
inside = "y >= A*sin(6*t)"
friction = "mu"
restitution = "0.8"
belt = ["0", "0"]
[start]
x = "0.5*t"
y = "1"
[time]
end = 100
step = 0.01
impacts = "located"
[ensemble]
members = 12
[vary]
A = { uniform = [0.09, 0.11] }
mu = { uniform = [0.1, 0.3] }
[observe]
reach = { max = "x" }
late = { last_time = "x > 0.1" }
"""

# a compiler that puts another text into the model
FAULTY_COMPILER = """#!/usr/bin/env python3
import os, sys
text = open("model.cpp").read() if os.path.exists("model.cpp") else ""
at = text.find(%r)
if at >= 0:
    end = text.index(%r, at)
    open("model.cpp", "w").write(text[:end] + %r + text[end + len(%r):])
os.execvp("g++", ["g++"] + sys.argv[1:])
"""


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.write("0.1")

    def write(self, least):
        (self.folder / "throw.toml").write_text(SCENARIO % least)

    def run_it(self, *arguments, code=0, **environment):
        result = subprocess.run([PROGRAM, "compare", "throw.toml", *arguments], cwd=self.folder, capture_output=True, text=True,
                                env=dict(os.environ, **dict({"CONESWEEP_CACHE": CACHE}, **environment)))
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def test_agreement(self):
        text = self.run_it().stdout
        self.assertIn("Thrown on a rough floor\nthe first 1,000 of 3,000 members, 100 steps of 0.01, seed 1: cpu (", text)
        self.assertIn(") against reference (", text)
        self.assertRegex(text, r"observable +scale +median +99 % +worst +rel. median +rel. 99 % +rel. worst +member\n")
        self.assertRegex(text, r"\nobservable +cpu +reference\n")  # what is wider than 100 columns goes on below
        for name in ["reach", "impacts", "final.vx", "trajectory.y"]:
            self.assertRegex(text, rf"(?m)^{name} ")
        self.assertTrue(text.endswith("\ncpu and reference agree: every difference is within 1e-09 of its observable's scale\n"), text)

    def test_delays_that_are_whole_numbers_of_steps(self):
        # members that are not recorded are stepped by a loop of their own, and what node N sees of the past is found after it
        text = (SCENARIO % "0.1").replace('force = ["0"', 'force = ["-2 * delay(x, 0.1) - delay(y, 0.07)"').replace("reach =", 'then = { final = "delay(x, 0.1) + delay(y, 0.07)" }\nreach =')
        (self.folder / "throw.toml").write_text(text)
        self.assertIn("cpu and reference agree", self.run_it("--members", "200").stdout)

    def test_members_are_as_many_as_asked_for(self):
        self.assertIn("\n1,500 members, 100 steps", self.run_it("--members", "1500").stdout)

    def test_a_difference_beyond_the_tolerance(self):
        text = self.run_it("--members", "50", "--tolerance", "1e-18", "--judge", "0", code=1).stdout
        self.assertIn("  beyond the tolerance\n", text)
        self.assertRegex(text, r"\ncpu and reference differ:\n  \S+ by \S+, allowed: 1e-18 x \S+; member \d+\n")

    def test_members_parted_by_rounding(self):
        (self.folder / "throw.toml").write_text(SHAKEN)
        text = self.run_it().stdout
        self.assertRegex(text, r"\n1[0-2] members parted by rounding; every step of theirs in cpu obeys the laws; left out above\n"
                               r"  \(largest residual \S+ of the largest velocity, allowed: 1e-09\)\n  member 0: \S+ \S+ and \S+\n")
        self.assertRegex(text, r"cpu and reference agree.*: (every difference .*, and )?1[0-2] members parted by rounding obey the laws in every step\n$")
        found = json.loads(self.run_it("--json").stdout)
        self.assertGreaterEqual(len(found["parted_by_rounding"]), 10)
        self.assertLess(max(m["residual"] for m in found["parted_by_rounding"]), 1e-9)
        self.assertEqual(found["grazing"], [])
        text = self.run_it("--grazing", "0.5", code=1).stdout
        self.assertRegex(text, r"\n  1[0-2] of 12 members parted by rounding, allowed: 50 %\n$")

    def run_with_fault(self, after, old, new):
        compiler = self.folder / "compiler"
        compiler.write_text(FAULTY_COMPILER % (after, old, new, old))
        compiler.chmod(0o700)
        (self.folder / "cache").mkdir(mode=0o700)
        return self.run_it("--members", "1000", code=1, CONESWEEP_CACHE=str(self.folder / "cache"),
                           CONESWEEP_CXX=str(compiler)).stdout

    @unittest.skipUnless(shutil.which("g++"), "the model is compiled by g++")
    def test_an_executor_without_friction_in_few_members(self):
        # those that rub most, which would stick: another contact history, of 6 members in 1000
        text = self.run_with_fault("auto friction(", "return n.c[0];", "return select(n.c[0] > Real(0.597), Real(0), n.c[0]);")
        self.assertRegex(text, r"\ncpu and reference differ:\n  member 33: cpu's step 32 at t = 0.32 is no solution: residual 0.597, allowed: 1e-09\n")
        self.assertTrue(text.endswith("  … and 1 more like these\n"), text)

    @unittest.skipUnless(shutil.which("g++"), "the model is compiled by g++")
    def test_an_executor_whose_observable_does_not_follow_from_its_motion(self):
        text = self.run_with_fault("int reducers[] = ", "observe::reduce_max", "observe::reduce_mean")
        self.assertRegex(text, r"\n  member 0: cpu's reach is \S+, and \S+ by its own nodes\n")

    def test_who_is_not_judged_is_not_right(self):
        (self.folder / "throw.toml").write_text(SHAKEN)
        text = self.run_it("--judge", "4", code=1).stdout
        self.assertRegex(text, r"\n[34] members parted by rounding; every step")
        self.assertRegex(text, r"\n  1[0-2] members differ, of which one in 3 was judged; --judge 1[0-2] judges all\n$")

    def test_two_precisions(self):
        text = self.run_it("--backends", "cpu:single,cpu", "--members", "300").stdout
        self.assertIn(": cpu:single (", text)
        self.assertIn("\nmeans over all members ", text)
        self.assertIn("\ncpu:single and cpu agree: every difference is within 0.0001 of its observable's scale", text)
        (self.folder / "throw.toml").write_text(SHAKEN)
        text = self.run_it("--backends", "cpu:single,cpu").stdout
        self.assertRegex(text, r"\n1[0-2] members parted by rounding; every step of theirs in cpu:single and cpu obeys the laws; left out above\n"
                               r"  \(largest residual \S+ of the largest velocity, allowed: 1e-05\)\n")

    def test_members_that_stop_alike_agree(self):
        self.write("-0.1")
        text = self.run_it("--members", "200").stdout
        self.assertRegex(text, r"\n\d+ members stopped, with the same status at the same time\n")

    def test_bits(self):
        text = self.run_it("--members", "50", "--bits", code=1).stdout
        self.assertRegex(text, r"cpu and reference differ: \d+ of [\d,]+ values have other bits\n  first: \S+ of member \d+: -?0x\S+ and -?0x\S+\n$")
        self.assertNotIn("rel. median", text)

    def test_json(self):
        found = json.loads(self.run_it("--members", "50", "--json").stdout)
        self.assertEqual(found["backends"], ["cpu", "reference"])
        self.assertEqual(found["members"], 50)
        self.assertTrue(found["passed"])
        self.assertEqual(found["tolerance"], 1e-9)
        self.assertEqual(found["grazing"], [])
        reach = found["observables"]["reach"]
        self.assertEqual(reach["compared"], 50)
        self.assertLess(reach["absolute"]["worst"], 1e-12)
        self.assertTrue(reach["within"])
        found = json.loads(self.run_it("--members", "50", "--json", "--bits", code=1).stdout)
        self.assertGreater(found["bits"]["differing"], 0)
        self.assertFalse(found["passed"])

    def test_steps_with_several_solutions(self):
        (self.folder / "throw.toml").write_text(GROOVE)
        text = self.run_it().stdout
        self.assertRegex(text, r"\n5 members met steps with several solutions; judged step by step, all that cpu found obey the laws; left out above\n"
                               r"  \(largest residual \S+ of the largest velocity, allowed: 1e-09\)\n  member 0: 10 steps with several solutions; ")
        self.assertTrue(text.endswith("\ncpu and reference agree: they differ only where the laws have several solutions\n"), text)
        text = self.run_it("--backends", "reference,cpu").stdout
        self.assertIn("all that cpu found obey the laws", text)
        found = json.loads(self.run_it("--json").stdout)
        self.assertEqual([m["member"] for m in found["several_solutions"]], [0, 1, 2, 3, 4])
        self.assertLess(max(m["residual"] for m in found["several_solutions"]), 1e-9)
        self.assertEqual((found["wrong_steps"], found["not_judged"], found["grazing"]), ([], [], []))

    def test_quiet(self):
        result = self.run_it("--quiet", "--members", "5")
        self.assertEqual(result.stdout + result.stderr, "")
        result = self.run_it("--quiet", "--members", "50", "--tolerance", "0", "--judge", "0", code=1)
        self.assertEqual(result.stdout + result.stderr, "")

    def test_bad_input(self):
        for arguments, words in [
            (["--backends", "cpu"], "--backends: 'cpu' should name two executors, like cpu,reference or cpu:single,cpu"),
            (["--backends", "cpu,cpu"], "--backends: 'cpu' is named twice; compare two different executors, or two precisions (cpu:single,cpu:double)"),
            (["--backends", "cpu:half,cpu"], "--backends: unknown precision 'half' of 'cpu:half'; known: double and single, like cpu:single"),
            (["--backends", "cpu,reference:single"], "reference"),
            (["--backends", "auto,cpu"], "--backends: name the executors themselves: "),
            (["--backends", "cpu,gpu"], "unknown backend 'gpu'; known: "),
            (["--tolerance", "-1"], "--tolerance: must be at least 0, got -1"),
            (["--grazing", "2"], "--grazing: is a share of the members, 0 <= share <= 1, got 2"),
        ]:
            self.assertIn(words, self.run_it(*arguments, code=2).stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--cache", required=True)
    arguments, rest = parser.parse_known_args()
    PROGRAM, CACHE = os.path.abspath(arguments.program), os.path.abspath(arguments.cache)
    unittest_main.main(rest)
