"""Kills over all commands, and two programs in one folder. Run by ctest, one test class at a time:

    python3 kills_test.py --program build/bin/conesweep --source . ClassName
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "product"))
import kill_test
import product_program
from product_program import ProductTest

EVERYTHING = "CONESWEEP_ALL" in os.environ
FOLDERS = {
    "run": ["run", "crowd.toml", "--no-step-check"],
    "until": ["run", "crowd.toml", "--no-step-check", "--members", "4096", "--until", "reach:0.2%"],
    "sobol": ["sensitivity", "crowd.toml", "--members", "40960"],
    "sobol, until": ["sensitivity", "crowd.toml", "--members", "20480", "--until", "reach:3%"],
    "morris": ["sensitivity", "crowd.toml", "--method", "morris", "--members", "30000"],
    "forced": ["run", "crowd.toml", "--no-step-check"],
}
ELSEWHERE = [["converge", "crowd.toml", "--members", "20000"], ["mlmc", "crowd.toml", "--observable", "reach", "--rmse", "1e-3"], ["compare", "crowd.toml", "--members", "2000"]]


class TrustTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.write("crowd.toml", kill_test.CROWD)
        self.chance = random.Random(int(os.environ.get("CONESWEEP_SEED", time.time())))

    def start(self, *arguments):
        process = subprocess.Popen([product_program.PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def assert_equal_folders(self, out, whole):
        a, b = self.folder / out, self.folder / whole
        self.assertEqual(sorted(os.listdir(a)), sorted(os.listdir(b)))
        self.assertEqual((a / "results.h5").read_bytes(), (b / "results.h5").read_bytes())
        self.assertEqual(kill_test.without_timing(a), kill_test.without_timing(b))


class AllCommands(TrustTest):
    def test_that_write_a_folder_survive_kills(self):
        kills = 0
        for name, command in FOLDERS.items():
            with self.subTest(name):
                flags = ["--backend", "cpu", "--threads", "1", "--chunk", "4096", "--quiet", "--out"]
                started = time.monotonic()
                self.run_program(*command, *flags, "whole")
                seconds = time.monotonic() - started
                for _ in range(20 if EVERYTHING else 2):
                    if name == "forced":
                        self.run_program(*command, *flags, "r", "--seed", "9")
                        process = self.start(*command, *flags, "r", "--force")
                    else:
                        process = self.start(*command, *flags, "r")
                    try:
                        process.wait(timeout=self.chance.uniform(0, seconds))
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.wait()
                        kills += 1
                    # what looks finished is whole
                    begun = (self.folder / "r" / "chunks").exists()
                    self.run_program(*command, *flags, "r", "--resume" if begun or name != "forced" else "--force")
                    self.assert_equal_folders("r", "whole")
                    shutil.rmtree(self.folder / "r")
                shutil.rmtree(self.folder / "whole")
        print(f"{kills} kills")

    def test_that_print_leave_nothing(self):
        before = sorted(os.listdir(self.folder))
        for command in ELSEWHERE:
            for _ in range(10 if EVERYTHING else 1):
                process = self.start(*command, "--quiet", "--threads", "1")
                try:
                    process.wait(timeout=self.chance.uniform(0.05, 0.5))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                self.assertEqual(sorted(os.listdir(self.folder)), before)


class TwoAtOnce(TrustTest):
    def test_end_as_one_of_them(self):
        flags = ["--backend", "cpu", "--threads", "1", "--chunk", "4096", "--no-step-check", "--members", "20000", "--quiet", "--out"]
        for seed in "12":
            self.run_program("run", "crowd.toml", *flags, f"alone{seed}", "--seed", seed)
        for _ in range(30 if EVERYTHING else 3):
            pair = [self.start("run", "crowd.toml", *flags, "r", "--seed", seed, "--force") for seed in "12"]
            errors = [process.communicate(timeout=300)[1].decode() for process in pair]
            for process, error in zip(pair, errors):
                self.assertTrue(process.returncode == 0 or (process.returncode == 3 and "another run is working in r" in error), error)
            self.assertIn(0, [process.returncode for process in pair])
            results = (self.folder / "r/results.h5").read_bytes()
            self.assertIn(results, [(self.folder / f"alone{seed}/results.h5").read_bytes() for seed in "12"])
            shutil.rmtree(self.folder / "r")


if __name__ == "__main__":
    product_program.main(__doc__)
