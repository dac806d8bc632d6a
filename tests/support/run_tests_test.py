"""run_tests.py on a build of a few scripts: what passed before is not run again, and nothing else is left out.

    python3 run_tests_test.py
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import unittest_main

SCRIPT = pathlib.Path(__file__).resolve().with_name("run_tests.py")


class RunTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = pathlib.Path(scratch.name)
        (self.build / "tests").mkdir()
        self.listed = ""
        for name in "steady", "other":
            self.add(name, "exit 0")

    def add(self, name, text):
        program = self.build / "tests" / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        if f"({name} " not in self.listed:
            self.listed += f'add_test({name} "{program}")\nset_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)\n'
        (self.build / "CTestTestfile.cmake").write_text(self.listed)

    def run_it(self, *words, **variables):
        environment = {key: value for key, value in os.environ.items() if key != "CI"}
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--build", self.build, *words], env={**environment, **variables}, capture_output=True, text=True, timeout=300)
        return done.returncode, sorted(re.findall(r"Test +#\d+: (\w+) ", done.stdout)), done.stdout + done.stderr

    def test_what_passed_before_is_not_run_again(self):
        self.assertEqual(self.run_it()[:2], (0, ["other", "steady"]))
        code, ran, said = self.run_it()
        self.assertEqual((code, ran), (0, []), said)
        self.assertIn("passed before, with the same content of all they see: all 2 tests", said)
        self.assertEqual(self.run_it("--again")[:2], (0, ["other", "steady"]))
        self.assertEqual(self.run_it(CI="true")[:2], (0, ["other", "steady"]))

    def test_what_changed_is_run(self):
        self.run_it()
        self.add("other", "exit 0 # in other words")
        code, ran, said = self.run_it()
        self.assertEqual((code, ran), (0, ["other"]), said)
        self.assertIn("all they see: 1 tests", said)
        (self.build / "lib").mkdir()
        (self.build / "lib/libconesweep.so").write_text("another library")
        self.assertEqual(self.run_it()[1], ["other", "steady"])
        self.assertEqual(self.run_it(CONESWEEP_ALL="1")[1], ["other", "steady"])

    def test_what_failed_or_was_skipped_is_run_until_it_passes(self):
        self.add("fails", "exit 1")
        self.add("skips", "exit 77")
        code, ran, said = self.run_it()
        self.assertEqual((code, ran), (8, ["fails", "other", "skips", "steady"]), said)
        self.assertIn("failed: 1. To run again what failed:\n  ./test.sh -R '^(fails)$'\n", said)
        self.assertIn("longest: ", said)
        self.assertEqual(self.run_it()[:2], (8, ["fails", "skips"]))
        self.add("fails", "exit 0")
        self.assertEqual(self.run_it()[:2], (0, ["fails", "skips"]))

    def test_names_and_labels_go_to_ctest(self):
        self.assertEqual(self.run_it("-R", "^other$")[:2], (0, ["other"]))
        self.assertEqual(self.run_it()[:2], (0, ["steady"]))
        self.assertNotEqual(self.run_it("-R", "no such test")[0], 0)


if __name__ == "__main__":
    unittest_main.main(sys.argv[1:])
