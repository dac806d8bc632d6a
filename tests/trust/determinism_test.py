"""The same members give the same bits, whatever the flags say about who runs them: threads, chunks, executors, devices, cut and resumed."""
import itertools
import json
import signal
import subprocess
import time

import h5py

import trust_program as trust
from trust_program import TrustTest

CROWD = """[model]
coordinates = ["x", "y"]
force = ["b * (1 - delay(x, tau)) - 0.2 * vx", "-9.81"]
[model.parameters]
b = 4.0
tau = 0.2
mu = 0.3
[[model.contact]]
inside = "y >= 0.1 * x^2"
friction = "mu"
restitution = "0.3"
[start]
x = "0.5 * t"
y = "0.3"
[time]
end = 0.6
step = 0.01
[ensemble]
members = 9001
seed = 5
[vary]
mu = { uniform = [0.1, 0.6] }
tau = { uniform = [0.05, 0.4] }
b = { normal = [4, 0.5] }
[observe]
reach = { max = "x" }
when = { first_time = "y < 0.05 + x" }
[record]
members = 5
every = 7
"""


class Determinism(TrustTest):
    def setUp(self):
        super().setUp()
        self.write("crowd.toml", CROWD)

    def bits(self, out):
        summary = json.loads((self.folder / out / "summary.json").read_text())
        for name in ("run", "timing", "step_check"):
            summary.pop(name, None)
        columns = {}
        with h5py.File(self.folder / out / "results.h5") as file:
            file.visititems(lambda path, item: columns.update({path: item[...].tobytes()}) if isinstance(item, h5py.Dataset) else None)
        return json.dumps(summary), columns

    def assert_same(self, out, wanted, what):
        summary, columns = self.bits(out)
        self.assertEqual(summary, wanted[0], what)
        self.assertEqual(columns.keys(), wanted[1].keys(), what)
        for name in columns:
            if not name.startswith(("run", "provenance")):
                self.assertEqual(columns[name], wanted[1][name], (what, name))

    def test_flag_sets(self):
        self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "first", "--quiet", "--no-step-check")
        wanted = self.bits("first")
        threads = (1, 2, 3, 16) if trust.ALL else (1, 3)
        chunks = (4096, 8192, 12288, 65536) if trust.ALL else (4096, 65536)
        for number, (n, chunk) in enumerate(itertools.product(threads, chunks)):
            out = f"set{number}"
            self.run_program("run", "crowd.toml", "--backend", "cpu", "--threads", n, "--chunk", chunk, "--out", out, "--quiet", "--no-step-check")
            self.assert_same(out, wanted, (n, chunk))
        if self.has_cuda():
            sets = [((), {}), (("--devices", "all"), {"PTXRUN_DEVICES": 3}), (("--chunk", 4096), {"PTXRUN_MEM_MB": 30})]
            for number, (flags, variables) in enumerate(sets if trust.ALL else sets[:2]):
                self.run_program("run", "crowd.toml", "--backend", "cuda", *flags, "--out", f"cuda{number}", "--quiet", "--no-step-check", env=trust.emulated(**variables), seconds=600)
                self.assert_same(f"cuda{number}", wanted, flags)

    def test_cut_and_resumed(self):
        self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "first", "--quiet", "--no-step-check", "--members", 40000)
        wanted = self.bits("first")
        for number in range(12 if trust.ALL else 2):
            out = f"cut{number}"
            flags = ("--backend", "cpu", "--chunk", 4096, "--out", out, "--quiet", "--no-step-check", "--members", 40000)
            process = subprocess.Popen([trust.OPTIONS.program, "run", "crowd.toml", *map(str, flags)], cwd=self.folder, env=trust.environment())
            time.sleep(0.05 + 0.04 * number)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.run_program("run", "crowd.toml", *flags, "--resume", "--threads", 1 + number % 3)
            self.assert_same(out, wanted, number)


if __name__ == "__main__":
    trust.main()
