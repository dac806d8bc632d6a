"""Odd and wild scenarios on three executors: cpu and cuda have equal bits, the reference agrees, and none crashes."""
import random

import h5py
import numpy as np

import trust_program as trust
from trust_program import TrustTest

HEAD = """[model]
coordinates = {coordinates}
force = {force}
[model.parameters]
a = 0.7
b = 1.3
tau = 0.05
{contacts}
[start]
{start}
[time]
end = {end}
step = {step}
[ensemble]
members = 37
seed = {seed}
[vary]
a = {{ uniform = [0.2, 1.4] }}
tau = {{ uniform = [0, 0.2] }}
[observe]
top = {{ max = "x" }}
last = {{ final = "x^2 - a*b" }}
when = {{ first_time = "x > a" }}
[record]
members = 3
every = 2
"""


def scenario(force='["-x"]', contacts="", start='x = "a"', coordinates='["x"]', end="0.5", step="0.01", seed=1):
    return HEAD.format(force=force, contacts=contacts, start=start, coordinates=coordinates, end=end, step=step, seed=seed)


def wall(inside, more=""):
    return f'[[model.contact]]\ninside = "{inside}"\n{more}\n'


# what people do not write, and programs meet anyway
ODD = {
    "one step": scenario(end="0.01"),
    "start on the wall": scenario(contacts=wall("x <= a"), force='["1"]'),
    "a root that ends at the wall": scenario(force='["-sqrt(a*a - x*x)"]', start='x = "a"\nvx = "0"'),
    "a root that ends": scenario(force='["sqrt(a - x) + 1"]', start='x = "0"'),
    "division by zero": scenario(force='["1 / (x - a)"]'),
    "blow-up": scenario(force='["1e3 * x^3"]', end="2"),
    "log of a negative number": scenario(force='["log(x - 10)"]'),
    "infinite intermediate": scenario(force='["exp(800 * a) * 0 - x"]'),
    "denormals": scenario(force='["-x * 1e-300 * 1e-20"]', start='x = "1e-310"'),
    "huge": scenario(force='["-x"]', start='x = "1e300 * a"'),
    "minus zero": scenario(force='["atan2(-0 * x, -1)"]'),
    "zero delay": scenario(force='["-delay(x, 0) - 0.1 * delay(vx, tau)"]', start='x = "sin(3 * t) + a"'),
    "delay beyond the run": scenario(force='["-delay(x, 10 + tau)"]', start='x = "cos(t)"'),
    "negative delay of some": scenario(force='["-delay(x, tau - 0.1)"]'),
    "windows": scenario(force='["-window_max(x, tau) + window_mean(x, 2 * tau) - 0.1 * window_min(now(x) * x, tau)"]', start='x = "a + t"'),
    "window beyond the run": scenario(force='["-window_max(x, 3)"]', start='x = "a * cos(5 * t)"'),
    "friction at its end": scenario(coordinates='["x", "y"]', force='["-x", "-9"]', contacts=wall("y >= 0", 'friction_angle = "1.5707963 * a"'), start='x = "a"\ny = "0"'),
    "friction out of range": scenario(coordinates='["x", "y"]', force='["-x", "-9"]', contacts=wall("y >= 0", 'friction = "0.5 - a"'), start='x = "a"\ny = "0"'),
    "two walls": scenario(coordinates='["x", "y"]', force='["1", "-9"]', contacts=wall("y >= 0") + wall("x <= 1.41"), start='x = "a"\ny = "0.1"', end="2"),
    "no gradient at the wall": scenario(force='["1"]', contacts=wall("(x - 1.5)^3 <= 0"), end="3"),
    "curved, rebounds": scenario(coordinates='["x", "y"]', force='["0", "-9.81"]', contacts=wall("x^2 + y^2 <= 4", 'restitution = "0.8"\nfriction = "0.2"'), start='x = "a"\ny = "0"',
                                 end="2"),
    "inside is a condition of functions": scenario(coordinates='["x", "y"]', force='["0.3", "-9.81"]', contacts=wall("y >= 0.2 * sin(3 * x)", 'friction = "abs(sin(x))"'),
                                                   start='x = "a"\ny = "1"', end="1.5"),
    "everything nested": scenario(force='["if(x > a and not (vx < 0 or t > 1), -max(x, min(a, vx, t)), mod(x, 0.3) - floor(7 * x) / 9 + sign(vx) * hypot(x, vx))"]'),
}


def wild(seed):
    """A formula of anything, in a scenario of anything."""
    r = random.Random(seed)

    def formula(depth):
        if depth == 0 or r.random() < 0.15:
            return r.choice(["x", "vx", "t", "a", "b", "tau", "0", "1", "-1", "1e-3", "1e3", "2.5", "1e160", "1e-160"])
        kind = r.random()
        if kind < 0.5:
            return f"({formula(depth - 1)} {r.choice(['+', '-', '*', '/', '^'])} {formula(depth - 1)})"
        if kind < 0.85:
            return f"{r.choice(['sin', 'cos', 'exp', 'log', 'sqrt', 'abs', 'tanh', 'atan', 'sign', 'floor', 'acos', 'cosh'])}({formula(depth - 1)})"
        if kind < 0.93:
            return f"if({formula(depth - 1)} {r.choice(['<', '>=', '=='])} {formula(depth - 1)}, {formula(depth - 1)}, {formula(depth - 1)})"
        return r.choice(["delay(x, tau)", "delay(x * vx, 0.03)", "window_max(x, tau)", "window_mean(x^2, 0.1)", "window_min(now(x) - x, tau)"])

    contacts = wall(f"x <= {r.choice(['a + 0.1', '1.5', 'a^2 + 2'])}", r.choice(["", 'restitution = "0.5"'])) if r.random() < 0.6 else ""
    return scenario(force=f'["{formula(4)}"]', contacts=contacts, seed=seed)


class Odd(TrustTest):
    def results(self, name, backend, env=None):
        out = f"{name}-{backend}"
        text, err = self.run_program("run", "s.toml", "--backend", backend, "--out", out, "--force", "--json", "--no-step-check", "--threads", 2, code=(0, 1, 2), env=env)
        if not (self.folder / out / "results.h5").exists():
            return {"refused": err.splitlines()[0].encode()}
        columns = {}
        with h5py.File(self.folder / out / "results.h5") as file:
            def keep(path, item):
                if isinstance(item, h5py.Dataset) and path.split("/")[0] in ("observables", "status", "stop_time", "trajectories", "parameters", "members"):
                    columns[path] = item[...]
            file.visititems(keep)
        return columns

    def assert_equal_bits(self, a, b, what):
        self.assertEqual(a.keys(), b.keys(), what)
        for name in a:
            same = a[name] == b[name] if isinstance(a[name], bytes) else a[name].tobytes() == b[name].tobytes()
            self.assertTrue(same, (what, name))

    def compare(self, name, text):
        self.write("s.toml", text)
        cpu = self.results(name, "cpu")
        if self.has_cuda():
            self.assert_equal_bits(cpu, self.results(name, "cuda", trust.emulated()), name)
        reference = self.results(name, "reference")
        self.assertEqual(cpu.keys(), reference.keys(), name)
        return cpu, reference

    def test_odd_scenarios(self):
        few = ("one step", "a root that ends", "huge", "negative delay of some", "windows", "friction out of range", "curved, rebounds")
        for name, text in ODD.items() if trust.ALL else ((name, ODD[name]) for name in few):
            with self.subTest(name):
                cpu, reference = self.compare(name.replace(" ", "_"), text)
                status = [key for key in cpu if key.endswith("status")]
                for key in status:
                    self.assertTrue(np.array_equal(cpu[key], reference[key]), (name, cpu[key], reference[key]))

    def test_a_circle_is_left_nowhere(self):
        cpu, _ = self.compare("root", ODD["a root that ends at the wall"])
        for key in cpu:
            if key.endswith("status"):
                self.assertEqual(int(cpu[key][0]), 0)

    def test_wild_scenarios(self):
        for seed in range(200 if trust.ALL else 2):
            with self.subTest(seed=seed):
                self.compare(f"wild{seed}", wild(seed))


if __name__ == "__main__":
    trust.main()
