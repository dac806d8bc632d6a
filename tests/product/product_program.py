"""What all batteries of the product share: the program, scenarios, and running one on the other."""
import argparse
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

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

HINT = "  conesweep --help tells what is there\n"


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
