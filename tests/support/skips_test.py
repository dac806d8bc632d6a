"""A skip is visible and hides no failure: exit codes of the mains in this folder, and what ctest was told about them.

    python3 skips_test.py --examples build/tests/skip_examples --build build --ctest ctest
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import skip_reasons
import unittest_main

OPTIONS = None  # set by main

EXAMPLES = f"""
import sys, unittest
sys.path.insert(0, {str(pathlib.Path(__file__).resolve().parent)!r})
import unittest_main

class Skips(unittest.TestCase):
    def test_it(self): self.skipTest("this machine forbids it")
class Passes(unittest.TestCase):
    def test_it(self): pass
class Fails(unittest.TestCase):
    def test_it(self): self.fail()
class SkipsAsAWhole(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise unittest.SkipTest("this machine forbids it")
    def test_it(self): self.fail()
class Empty(unittest.TestCase):
    pass
unittest_main.main(sys.argv[1:])
"""


class ExitCodes(unittest.TestCase):
    def test_of_googletest_programs(self):
        for cases, code in [("Passes", 0), ("Skips", 77), ("Skips:Example.Passes", 0), ("Fails", 1), ("Skips:Example.Fails", 1), ("FailsBeforeItSkips", 1), ("NoSuchCase", 1)]:
            done = subprocess.run([OPTIONS.examples, f"--gtest_filter=Example.{cases}"], capture_output=True, text=True)
            self.assertEqual(done.returncode, code, f"{cases}\n{done.stdout}{done.stderr}")
            for case in cases.split(":Example."):
                self.assertIn(case, done.stdout + done.stderr)
        self.assertIn("this machine forbids it", subprocess.run([OPTIONS.examples, "--gtest_filter=Example.Skips"], capture_output=True, text=True).stdout)

    def test_of_unittest_scripts(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "examples.py"
            script.write_text(EXAMPLES)
            for cases, code in [("Passes", 0), ("Skips", 77), ("Skips Passes", 0), ("Fails", 1), ("Skips Fails", 1), ("SkipsAsAWhole", 77), ("SkipsAsAWhole Fails", 1),
                                ("SkipsAsAWhole Passes", 0), ("Empty", 1)]:
                done = subprocess.run([sys.executable, "-B", script, *cases.split()], capture_output=True, text=True)
                self.assertEqual(done.returncode, code, f"{cases}\n{done.stdout}{done.stderr}")
                if "Skips" in cases:
                    self.assertIn("this machine forbids it", done.stderr)


LOG = """Start testing: Nov 16 12:58 UTC
----------------------------------------------------------
1/3 Testing: Disk.Fills
1/3 Test: Disk.Fills
Output:
----------------------------------------------------------
../tests/io/run_folder_test.cpp:195: Skipped
no disk can be mounted here: Operation not permitted
[  SKIP    ] Disk.Fills
<end of output>
2/3 Testing: product.Page
Output:
----------------------------------------------------------
test_a (__main__.Page.test_a) ... ok
test_b (__main__.Page.test_b) ... skipped "it's too long"
<end of output>
3/3 Testing: sensitivity.openturns
Output:
----------------------------------------------------------
skipped: No module named 'openturns'; install python3-openturns
<end of output>
"""


class Ctest(unittest.TestCase):
    def test_says_why_at_its_end(self):
        self.assertEqual(skip_reasons.find(LOG), {"no disk can be mounted here: Operation not permitted": ["Disk.Fills"], "it's too long": ["product.Page"],
                                                  "No module named 'openturns'; install python3-openturns": ["sensitivity.openturns"]})

    def test_takes_no_text_for_a_skip(self):
        with tempfile.TemporaryDirectory() as folder:  # a ctest in the build folder would write over the log of the one that runs us
            (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(f'subdirs("{pathlib.Path(OPTIONS.build).resolve()}")\n')
            listed = subprocess.run([OPTIONS.ctest, "--show-only=json-v1"], cwd=folder, capture_output=True, text=True, check=True).stdout
        tests = json.loads(listed)["tests"]
        self.assertGreater(len(tests), 50)
        for test in tests:
            properties = {item["name"]: item["value"] for item in test["properties"]}
            self.assertNotIn("SKIP_REGULAR_EXPRESSION", properties, test["name"])
        self.assert_every_suite_is_a_test([test["command"] for test in tests if len(test.get("command", [])) == 2])

    def assert_every_suite_is_a_test(self, commands):
        """Of the programs whose suites were found after they were linked (cmake/DiscoverSuites.cmake)."""
        suites = {}
        for program, argument in commands:
            if found := re.fullmatch(r"--gtest_filter=([^*:]+)\.\*(-.*)?", argument):
                suites.setdefault((program, found[2] or ""), set()).add(found[1])
        self.assertGreater(len(suites), 50)
        for (program, left_out), known in suites.items():
            listed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter=*{left_out}"], capture_output=True, text=True, check=True).stdout
            self.assertEqual({line.split(".")[0] for line in listed.splitlines() if line[:1] not in (" ", "")} - known, set(), program)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    for name in ("--examples", "--build", "--ctest"):
        parser.add_argument(name, required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest_main.main(rest)


if __name__ == "__main__":
    main()
