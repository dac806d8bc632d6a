"""What batteries of ensembles share: scenarios whose sensitivity indices are known, and comparing runs."""
import json
import os
import signal
import subprocess
import time

import product_program
from product_program import ProductTest, SLIDER

# q = v0 T + a T (T + h) / 2 with T = 1, h = 0.1, and a product of two inputs with mean 0: all indices in closed form
FREE = """title = "Free particle"
[model]
coordinates = ["q"]
force = ["a"]
[model.parameters]
v0 = 0.0
a = 0.0
b = 0.0
c = 0.0
[start]
q = "0"
vq = "v0"
[time]
end = 1.0
step = 0.1
[ensemble]
members = 12288
seed = 3
sampler = "sobol"
[vary]
v0 = { normal = [0, 2] }
a = { uniform = [-3, 3] }
b = { uniform = [-1, 1] }
c = { triangular = [-1, 0, 1] }
[observe]
standard = []
mix = { final = "b * c" }
same = { final = "7" }
"""
# the floor gets smoother to the right, and where its friction would become negative a member stops: two in five, on their way
STOPPING = SLIDER.replace('friction = "mu"', 'friction = "mu - 0.15 * x"')

V0, ACCELERATION = 4.0, 3.0 * 0.55**2  # parts of the variance of final.q
EXACT = {"final.q": {"v0": (V0 / (V0 + ACCELERATION),) * 2, "a": (ACCELERATION / (V0 + ACCELERATION),) * 2, "b": (0, 0), "c": (0, 0)},  # first, total
         "mix": {"v0": (0, 0), "a": (0, 0), "b": (0, 1), "c": (0, 1)}}
SLACK = 1.6  # times the half-width of a 95 % interval: one in 600 is further off, and seeds are fixed


class EnsembleTest(ProductTest):
    def summary(self, out):
        return json.loads((self.folder / out / "summary.json").read_text())

    def timeless(self, out):
        summary = self.summary(out)
        del summary["timing"]
        for name in ("ranks", "threads", "checksum"):  # who computed it
            del summary["run"][name]
        return summary

    def assert_same_run(self, first, second):
        names = sorted(os.listdir(self.folder / first))
        self.assertEqual(names, sorted(os.listdir(self.folder / second)))
        for name in names:
            if name != "summary.json":
                self.assertEqual((self.folder / first / name).read_bytes(), (self.folder / second / name).read_bytes(), f"{name} differs")
        self.assertEqual(self.timeless(first), self.timeless(second))

    def assert_index(self, entry, kind, exact, what):
        """Within SLACK times its interval, or 0 exactly where the interval is a point."""
        lower, upper = entry[kind + "_interval"]
        value = entry[kind]
        self.assertTrue(lower <= value <= upper, f"{what}: {value} is not in [{lower}, {upper}]")
        reach = SLACK * (upper - value if exact > value else value - lower)
        self.assertLessEqual(abs(value - exact), reach + 1e-12, f"{what}: {value} in [{lower}, {upper}], exact {exact}")

    def kill_when_begun(self, out, *arguments):
        """Starts the program and kills it when two chunks are there."""
        process = subprocess.Popen([product_program.PROGRAM, *arguments, "--out", out], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        deadline = time.monotonic() + 60
        while len(list((self.folder / out / "chunks").glob("*.chunk"))) < 2:
            self.assertIsNone(process.poll(), "the run ended too early")
            self.assertLess(time.monotonic(), deadline, "no chunk came")
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
        self.assertFalse((self.folder / out / "summary.json").exists())
