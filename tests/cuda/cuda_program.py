"""What the batteries on emulated devices share: the program, scenarios, and running one on the other."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

PROGRAM = EMULATOR = None  # set by main
EVERYTHING = "CONESWEEP_ALL" in os.environ

# every member has a delay of its own, and one in ten does not stay finite
CROWD = """title = "Crowd"
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau)) + if(mu > 0.55, exp(40 * x), 0)", "-9.81"]
[model.parameters]
k = 4.0
tau = 0.02
mu = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
[start]
x = "1 + t"
y = "0.001"
[time]
end = 0.12
step = 2e-3
[ensemble]
members = 1000
seed = 1
[vary]
tau = { uniform = [0.005, 0.04] }
mu = { uniform = [0.1, 0.6] }
[observe]
reach = { max = "x" }
[record]
members = 100
every = 7
"""

# no history, nothing recorded, nobody stops
BALL = """title = "Ball"
[model]
coordinates = ["y"]
force = ["-9.81"]
[model.parameters]
e = 0.5
[[model.contact]]
inside = "y >= 0"
restitution = "e"
[start]
y = "0.01"
[time]
end = 0.2
step = 2e-3
[ensemble]
members = 300
[vary]
e = { uniform = [0.1, 0.9] }
"""


class CudaTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="conesweep-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.maxDiff = None
        (self.folder / "crowd.toml").write_text(CROWD)
        (self.folder / "ball.toml").write_text(BALL)

    def run_program(self, *arguments, code=0, **variables):
        """Runs the program with environment variables; returns what it printed. The exit code is checked, and that it ends."""
        environment = dict(os.environ, LD_LIBRARY_PATH=EMULATOR, **{name: str(value) for name, value in variables.items()})
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, env=environment, capture_output=True, timeout=900)
        out, err = done.stdout.decode(), done.stderr.decode()
        codes = code if isinstance(code, tuple) else (code,)
        self.assertIn(done.returncode, codes, f"{variables} conesweep {' '.join(map(str, arguments))}\n{out}{err}")
        return out, err

    def assert_same_bits(self, *arguments, scenario="crowd.toml", **variables):
        """cpu and cuda agree in every bit; returns what went to standard error."""
        out, err = self.run_program("compare", scenario, "--backends", "cpu,cuda", "--bits", *arguments, **variables)
        self.assertRegex(out, "cpu and cuda agree: all bits of [0-9,]+ values are equal")
        return err

    def assert_one_sentence(self, err):
        self.assertRegex(err, r"\Aconesweep: [^\n]+; [^\n]+\n\Z", "one sentence with what to do")


def main():
    global PROGRAM, EMULATOR
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--emulator", default="")
    options, rest = parser.parse_known_args()
    PROGRAM, EMULATOR = options.program.resolve(), options.emulator
    if not EMULATOR:
        print("skipped: ptxrun was not built (it needs the CUDA toolkit), and faults cannot be injected into a GPU")
        sys.exit(1 if os.environ.get("CONESWEEP_REQUIRE_GPU") == "1" else 77)
    unittest_main.main(rest)
