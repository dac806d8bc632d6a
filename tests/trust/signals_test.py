"""SIGINT and SIGTERM are heard within a second, wherever the program is: inside a member of a hundred million steps, and in every phase."""
import signal
import subprocess
import time

import trust_program as trust
from trust_program import TrustTest

LONG = """[model]
coordinates = ["x"]
force = ["-x"]
[model.parameters]
a = 1.0
[start]
x = "a"
[time]
end = 2.4e5
step = 1e-3
[ensemble]
members = 64
[vary]
a = { uniform = [0.5, 1.5] }
[observe]
x_end = { final = "x" }
"""
WINDOW = LONG.replace('"-x"', '"-x - 1e-9 * window_mean(now(x) * x, 9000)"')  # nine million nodes a step
STOPPED = LONG.replace('"-x"', '"if(t < 239999, -x, log(-1 - x^2))"')  # found bad at the end, then run again with every step checked
MANY = LONG.replace("end = 2.4e5", "end = 2e-3").replace("members = 64", "members = 3000000")


class Signals(TrustTest):
    patience = 1.0 + 0.6  # seconds: what is promised, and what a busy machine takes to start and reap a process

    def setUp(self):
        super().setUp()
        for name, text in (("long", LONG), ("window", WINDOW), ("stopped", STOPPED), ("many", MANY)):
            self.write(name + ".toml", text)

    def interrupt(self, *arguments, after, which=signal.SIGINT, env=None, may_finish=False):
        process = subprocess.Popen([trust.OPTIONS.program, *map(str, arguments)], cwd=self.folder, env=env or trust.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(after)
            self.fail((arguments, "ended before it was interrupted", process.stderr.read()))
        except subprocess.TimeoutExpired:
            pass
        start = time.monotonic()
        process.send_signal(which)
        try:
            _, err = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail((arguments, "did not end"))
        seconds = time.monotonic() - start
        self.assertLess(seconds, self.patience, arguments)
        # before there is anything to end in order a signal has its default effect
        self.assertIn(process.returncode, (130, -which) + ((0,) if may_finish else ()), (arguments, err))
        return process.returncode, err.decode()

    def compiled(self, scenario, *arguments, env=None):
        """The model is in the cache: what is interrupted then is the run."""
        self.run_program("run", scenario, "--members", 1, "--end", "1e-2", "--out", "warm", "--force", "--no-step-check", *arguments, code=(0, 1), env=env)

    def test_inside_long_members(self):
        for scenario in ("long.toml", "window.toml", "stopped.toml"):
            for backend in ("cpu", "reference"):
                self.compiled(scenario, "--backend", backend)
                for which in (signal.SIGINT, signal.SIGTERM):
                    code, err = self.interrupt("run", scenario, "--backend", backend, "--out", f"{scenario}-{backend}-{which}", after=1.5, which=which)
                    self.assertEqual(code, 130)
                    self.assertIn("interrupted", err)

    def test_inside_long_members_on_a_device(self):
        if not self.has_cuda():
            self.skipTest("no device, and no emulation")
        for scenario in ("long.toml", "stopped.toml") if trust.ALL else ("long.toml",):
            self.compiled(scenario, "--backend", "cuda", env=trust.emulated())
            self.assertEqual(self.interrupt("run", scenario, "--backend", "cuda", "--out", scenario + "-cuda", after=3, env=trust.emulated())[0], 130)

    def test_every_command(self):
        self.compiled("long.toml", "--backend", "cpu")
        for command in (("converge", "long.toml"), ("compare", "long.toml"), ("mlmc", "long.toml", "--observable", "x_end", "--rmse", "1e-9", "--step", "1e-2"),
                        ("sensitivity", "long.toml", "--members", "256", "--out", "s"), ("trace", "long.toml"), ("trace", "long.toml", "--every", "100000000", "--out", "t.csv")):
            self.interrupt(*command, after=1.5)
        self.assertFalse((self.folder / "t.csv").exists(), "a file that is not whole is none")

    def test_any_moment_of_a_run_of_many_members(self):
        """Drawing, stepping, writing chunks, statistics, the step check, the results: wherever it falls. The run then goes on to the end."""
        self.compiled("many.toml", "--backend", "cpu")
        members = ("--members", "400000") if not trust.ALL else ()
        start = time.monotonic()
        self.run_program("run", "many.toml", "--backend", "cpu", "--out", "whole", "--quiet", *members, seconds=600)
        whole = time.monotonic() - start
        moments = 24 if trust.ALL else 5
        for k in range(moments):
            out = f"cut{k}"
            try:
                which = (signal.SIGINT, signal.SIGTERM)[k % 2]
                self.interrupt("run", "many.toml", "--backend", "cpu", "--out", out, "--quiet", *members, after=whole * (k + 0.7) / moments, which=which, may_finish=True)
            except self.failureException as failure:
                if "ended before" not in str(failure):
                    raise
                continue
            self.run_program("run", "many.toml", "--backend", "cpu", "--out", out, "--quiet", *members, *(["--resume"] if (self.folder / out).exists() else []), seconds=600)


if __name__ == "__main__":
    trust.main()
