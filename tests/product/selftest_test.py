"""`conesweep selftest` as a user meets it. Run by ctest:

    python3 selftest_test.py --program build/bin/conesweep --source . --build build Selftest
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import compilers

PROGRAM = SOURCE = BUILD = None  # set by main

LINE = (r"selftest passed: conesweep \d+\.\d+\.\d+ \([^)]+\), cpu on [^;]+, double; (no CUDA driver|driver for CUDA [\d.]+), (no NVRTC|NVRTC [\d.]+); models by [^;]+; "
        r"\d+ parts passed(, drawn parameters differ)?; hash [0-9a-f]{16}")


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="conesweep-")
        self.addCleanup(self.folder.cleanup)
        self.maxDiff = None

    def run_program(self, *arguments, code=0, **variables):
        environment = dict(os.environ, **{"CONESWEEP_CACHE": str(BUILD / "tests/kept/models"), **variables})
        done = subprocess.run([PROGRAM, "selftest", *arguments], cwd=self.folder.name, env=environment, capture_output=True, timeout=3000)
        self.assertEqual(done.returncode, code, done.stdout.decode() + done.stderr.decode())
        return done.stdout.decode(), done.stderr.decode()

    @staticmethod
    def published():
        return (SOURCE / "samples/hashes.txt").read_text()

    @staticmethod
    def results(text):
        """All but the hashes of drawn parameters, whose last places are the C library's."""
        return [[word for k, word in enumerate(line.split()) if k != 1] for line in text.splitlines() if not line.startswith("#")]


class Selftest(Program):
    def test_says_what_was_tried_and_ends_with_one_line(self):
        out, err = self.run_program("--backend", "cpu")
        self.assertEqual(err, "")
        lines = out.splitlines()
        self.assertRegex(lines[1], r"  exact answers     cpu: \d+ cases$")
        self.assertRegex(lines[2], r"  published bits    cpu: \d+ samples$")
        self.assertRegex(lines[3], r"  same to rounding  cpu and reference: \d+ samples$")
        self.assertRegex(lines[4], r"  statistics        cpu: \d+ numbers$")
        self.assertRegex(lines[-1], rf"\A{LINE}\Z")

    def test_published_hashes_are_what_the_program_gives(self):
        # after a change of bits: build/bin/conesweep selftest --hashes > samples/hashes.txt
        out, err = self.run_program("--hashes", "--backend", "cpu")
        self.assertEqual(err, "")
        self.assertEqual(self.results(out), self.results(self.published()))
        self.assertEqual({row[1] for row in self.results(out)}, {path.stem for path in (SOURCE / "samples").glob("*.toml")})
        # the file as a whole, or a C library that rounds in another way, which is told
        told = "differ from the published ones" in self.run_program("--backend", "cpu")[0]
        self.assertEqual(out == self.published(), not told)

    def test_hashes_do_not_depend_on_threads_or_vectors(self):
        # with AVX-512 a pack has eight doubles, else four, without AVX two
        for flags in ("-mno-avx -mno-fma", "-mno-avx512f") if os.environ.get("CONESWEEP_ALL") else ("-mno-avx -mno-fma",):
            with self.subTest(flags=flags):
                out, _ = self.run_program("--hashes", "--backend", "cpu", "--threads", "1", CONESWEEP_CXXFLAGS=flags)
                self.assertEqual(self.results(out), self.results(self.published()))

    def test_other_arithmetic_is_a_difference(self):
        # a compiler that may replace x / y by x (1 / y) and add in another order
        out, _ = self.run_program("--backend", "cpu", code=1, CONESWEEP_CXXFLAGS="-fassociative-math -fno-signed-zeros -freciprocal-math")
        self.assertRegex(out, r"(?m)^  published bits    cpu: \d+ samples, WRONG in \d+ places\n    \w+ has results [0-9a-f]{16}, published: [0-9a-f]{16}$")
        self.assertRegex(out.splitlines()[-1], r"\Aselftest differs: .* 1 wrong; hash [0-9a-f]{16}\Z")

    def test_json_says_the_same(self):
        out, _ = self.run_program("--backend", "all", "--json")
        facts = json.loads(out)
        self.assertEqual(facts["verdict"], "passed")
        self.assertIn("reference", facts["executors"])
        self.assertEqual([part["wrong"] for part in facts["parts"] if part["wrong"]], [])
        self.assertRegex(facts["line"], "^selftest passed: ")
        self.assertIn(facts["hash"], facts["line"])

    def test_quiet_says_nothing(self):
        self.assertEqual(self.run_program("--backend", "cpu", "--quiet"), ("", ""))

    def test_input_that_is_wrong(self):
        _, err = self.run_program("--backend", "gpu", code=2)
        self.assertEqual(err, "conesweep: unknown backend 'gpu'; known: auto, all, cuda, cpu and reference\n")
        _, err = self.run_program("--hashes", "--backend", "all", code=2)
        self.assertEqual(err, "conesweep: --hashes: name one executor, cpu or cuda: they give the same bits\n")
        _, err = self.run_program("--hashes", "--backend", "reference", code=2)
        self.assertIn("the reference executor has bits of its own; use --backend cpu or cuda", err)

    def test_a_machine_that_cannot_compile_fails_and_says_so(self):
        out, _ = self.run_program("--backend", "cpu", code=3, CONESWEEP_CXX="/nowhere/g++", PATH="/nowhere")
        self.assertIn("exact answers     cpu: FAILED: no C++ compiler was found for the cpu executor (CONESWEEP_CXX says '/nowhere/g++')", out)
        self.assertRegex(out.splitlines()[-1], r"\Aselftest failed: .* failed; hash none\Z")

    def test_ctrl_c_ends_it(self):
        # an empty cache: it compiles for seconds
        environment = dict(os.environ, CONESWEEP_CACHE=self.folder.name + "/cache")
        program = subprocess.Popen([PROGRAM, "selftest", "--backend", "cpu"], cwd=self.folder.name, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(1)
        os.killpg(program.pid, signal.SIGINT)
        out, err = program.communicate(timeout=120)
        self.assertEqual(program.returncode, 130, out.decode() + err.decode())
        self.assertEqual(err.decode(), "conesweep: interrupted; nothing was written\n")


class Compilers(Program):
    """Every compiler of the machine makes the same bits: of one sample; with CONESWEEP_ALL of all, by those that are named here at least."""
    NAMED = {"g++": r"^g\+\+.* 12\.", "clang 14": r"clang version 14\.", "clang 16": r"clang version 16\.", "clang 19": r"clang version 19\.", "ziglang": r"^clang version 2[2-9]\."}

    def run_with(self, command):
        """One sample's results as a table."""
        environment = dict(os.environ, CONESWEEP_CACHE=str(BUILD / "tests/kept/models"), CONESWEEP_CXX=" ".join(command))
        for words in ["run", SOURCE / "samples/slider.toml", "--members", "65", "--backend", "cpu", "--no-step-check", "--force", "--out", "run"], ["export", "run", "--csv", "--force", "--out", "table.csv"]:
            done = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder.name, env=environment, capture_output=True, timeout=500)
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            self.assertNotIn(" is used", done.stderr.decode())   # no other one
        return pathlib.Path(self.folder.name, "table.csv").read_text()

    def test_every_compiler_makes_the_same_bits(self):
        tables = {}
        for version, command in compilers.find_compilers(BUILD).items():
            with self.subTest(version):
                tables[version] = self.run_with(command)
                self.assertEqual(tables[version], next(iter(tables.values())))
        if len(tables) < 2:
            self.skipTest("there is one compiler here")

    def test_all_samples_with_every_compiler(self):
        if not os.environ.get("CONESWEEP_ALL"):
            self.skipTest("takes minutes a compiler: with CONESWEEP_ALL")
        found = compilers.find_compilers(BUILD)
        for name, pattern in self.NAMED.items():
            if not any(re.search(pattern, version) for version in found):
                print(f"left out: {name} is not here")
        for version, command in found.items():
            with self.subTest(version):
                out, err = self.run_program("--hashes", "--backend", "cpu", CONESWEEP_CXX=" ".join(command))
                self.assertNotIn(" is used", err)
                self.assertEqual(self.results(out), self.results(self.published()))


def main():
    global PROGRAM, SOURCE, BUILD
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--emulator", default="", help="not used: tests/cuda has the selftest of devices")
    options, rest = parser.parse_known_args()
    PROGRAM, SOURCE, BUILD = str(pathlib.Path(options.program).resolve()), pathlib.Path(options.source).resolve(), pathlib.Path(options.build).resolve()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
