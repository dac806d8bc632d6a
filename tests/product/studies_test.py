"""The studies of samples/studies against their published or derived answers, which are written down here once more. Run by ctest, one test class at a time:

    python3 studies_test.py --program build/bin/conesweep --source . ClassName

A run of a study is made smaller here; CONESWEEP_ALL=1 runs the files as they stand, or larger.
"""
import json
import os

import h5py
import numpy as np

import product_program
from product_program import ProductTest

EVERYTHING = "CONESWEEP_ALL" in os.environ


class Run:
    """What a run left: columns by their last names, the class of every row by name, the summary."""

    def __init__(self, folder):
        self.summary = json.loads((folder / "summary.json").read_text())
        with h5py.File(folder / "results.h5") as file:
            self.columns = {name: item[()] for group in ("parameters", "observables") if group in file for name, item in file[group].items()}
            if "class" in file:
                names = np.array(file["class"].attrs["names"], dtype=str)
                self.classes = names[file["class"][()]]

    def __getitem__(self, name):
        return self.columns[name]

    def share(self, name):
        return np.mean(self.classes == name)


class StudyTest(ProductTest):
    def study(self, name, *flags, changes=(), command="run"):
        """Runs samples/studies/NAME.toml with pieces of its text exchanged: (what is there once, what takes its place)."""
        text = (product_program.SOURCE / f"samples/studies/{name}.toml").read_text()
        for old, new in changes:
            self.assertEqual(text.count(old), 1, f"{name}.toml has {old!r} {text.count(old)} times")
            text = text.replace(old, new)
        self.write("study.toml", text)
        more = ["--no-step-check"] if command == "run" else []
        self.run_program(command, "study.toml", "--backend", "cpu", "--quiet", "--out", "out", "--force", *more, *flags)
        return Run(self.folder / "out")

    def assert_near(self, value, exact, allowed, what=""):
        self.assertLessEqual(abs(value - exact), allowed, f"{what}: {value} and not {exact} ± {allowed}")


def find_zero(function, low, high):
    """Of a function that changes its sign once, by halving."""
    positive = function(low) > 0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) > 0) == positive else (low, middle)
    return (low + high) / 2


class Belt(StudyTest):
    # Stender and Hoffmann 2021: shares of 5000 starts
    PUBLISHED = {1.1: 1.0, 1.25: 0.916, 1.4: 0.789, 1.5: 0.688, 1.55: 0.636, 1.7: 0.509, 1.775: 0.445, 1.85: 0.0}

    def allowed(self, share, members):
        """Three standard deviations of the difference of two samples; at the ends what three members make."""
        return 3 * np.sqrt(share * (1 - share) * (1 / members + 1 / 5000)) + 3 / members

    def test_share_of_stick_slip_is_the_published_one(self):
        # 200 in place of 500: at these speeds steady sliding damps by more than exp(-4) until 160
        for speed, members in ((1.5, 1600), (1.7, 800)):
            run = self.study("belt", "--set", f"vd={speed}", "--members", members, "--end", "200")
            self.assert_near(run.share("stick-slip"), self.PUBLISHED[speed], self.allowed(self.PUBLISHED[speed], members), f"vd = {speed}")

    def test_slow_belts_always_lead_to_it_and_fast_ones_never(self):
        self.assertEqual(self.study("belt", "--set", "vd=1.1", "--members", "64").share("stick-slip"), 1)
        self.assertEqual(self.study("belt", "--set", "vd=1.85", "--members", "64").share("stick-slip"), 0)

    def test_step_is_small_enough(self):
        coarse, fine = (self.study("belt", "--set", "vd=1.5", "--members", 400, "--end", "200", "--step", step).classes for step in ("0.02", "0.01"))
        self.assertLessEqual(np.mean(coarse != fine), 0.01)

    def test_steady_sliding_loses_its_stability_at_the_exact_speed(self):
        run = self.study("belt_threshold")
        dying = run.classes == "dying"                                  # where it grows, the largest swing is the last one, and not the first
        found = np.polynomial.Polynomial.fit(np.log(run["late"] / run["early"])[dying], run["vd"][dying], 2)(0)
        self.assert_near(found, 0.5 * np.log(10), 2e-6, "threshold")
        self.assertTrue(np.array_equal(run.classes == "growing", run["vd"] < 0.5 * np.log(10)))

    if EVERYTHING:
        def test_curve_is_the_published_one(self):
            for speed, share in self.PUBLISHED.items():  # one by one: together they take minutes
                self.assert_near(self.study("belt", "--set", f"vd={speed}").share("stick-slip"), share, self.allowed(share, 5000), f"vd = {speed}")


class PositionControl(StudyTest):
    # found beside this program: the delay differential equation in pieces between turning points, cubic Hermite past, Simpson's rule, turning points by halving
    EXACT = {0.1: 1.2795430, 0.2: 0.6490628, 0.4: 0.3420246}

    def border(self, run, chosen):
        """Amplitudes between the largest that rests and the smallest that grows."""
        amplitude, classes = run["amplitude"][chosen], run.classes[chosen]
        self.assertEqual(set(classes), {"rests", "grows"})
        rests, grows = amplitude[classes == "rests"].max(), amplitude[classes == "grows"].min()
        self.assertLess(rests, grows)
        return (rests + grows) / 2, (grows - rests) / 2

    def test_amplitude_that_divides_rest_from_growth(self):
        for tau, exact in self.EXACT.items():
            ratio = exact * np.pi * tau / 0.4
            run = self.study("position_control", "--set", f"tau={tau}", "--step", "2e-3",
                             changes=[("levels = { ratio = 61 }", "levels = { ratio = 8 }"), ("[0.97, 1.09]", f"[{ratio - 0.004}, {ratio + 0.003}]")])
            found, half = self.border(run, slice(None))
            self.assert_near(found, exact, half + 2e-4 * exact, f"tau = {tau}")

    def test_published_numbers_and_harmonic_balance_are_those_of_the_exact_one(self):
        for tau, published in ((0.1, 1.2795), (0.2, 0.6491), (0.4, 0.3420)):
            self.assert_near(self.EXACT[tau], published, 5e-5)
            w = find_zero(lambda w: w * w - np.cos(w * tau), 0.5, 1.2)
            self.assert_near(0.4 / (np.pi * np.sin(w * tau)), published, 0.01 * published)

    if EVERYTHING:
        def test_all_amplitudes(self):
            run = self.study("position_control", changes=[("levels = { ratio = 61 }", "levels = { ratio = 481 }")])
            for tau, exact in self.EXACT.items():
                found, half = self.border(run, run["tau"] == tau)
                self.assert_near(found, exact, half + 5e-5 * exact, f"tau = {tau}")


class Stick(StudyTest):
    GRAVITY, TAU = 9.81, 0.1

    def exact_share(self, length):
        """The area of the set of gains that balance, of that of the box: between p = a and the curve of frequencies w on which a pair of roots is imaginary."""
        a = 6 * self.GRAVITY / length * self.TAU**2                     # with tau as unit of time
        proportional = lambda w: (w * w + a) * np.cos(w) / a - 1        # kp
        differential = lambda w: (w * w + a) * np.sinc(w / np.pi) / a - 1  # kd
        # one loop: kp falls back to 0 at its end; parts behind it belong to sets with more unstable roots
        w = np.linspace(0, find_zero(proportional, 0.05, np.pi / 2), 20001)
        kp, kd = proportional(w), differential(w)
        self.assertTrue(kp.max() < 0.1 and 0 <= kd.min() and kd.max() < 0.5)  # the box holds the set
        return np.sum((kp[1:] + kp[:-1]) / 2 * np.diff(kd)) / (0.1 * 0.5)

    def shortest(self, shares, lengths):
        """The area in the plane of p and d vanishes like the third power of the distance to it, so its cube root falls to 0 along a line in 1/l."""
        return 1 / np.roots(np.polyfit(1 / lengths, np.cbrt(shares / lengths**2), 1))[0]

    def test_share_of_gains_and_shortest_stick(self):
        # measured over eight seeds of 1024 members: the shortest stick has a standard deviation of 0.0014; the step takes 1 % of it at 1e-3, and is of first order
        members, step, sampling = (8192, 2.5e-4, 0.0007) if EVERYTHING else (1024, 5e-4, 0.0014)
        run = self.study("stick", "--members", members, "--step", step)
        lengths = np.unique(run["l"])
        shares = np.array([np.mean((run.classes == "balances")[run["l"] == length]) for length in lengths])
        exact = np.array([self.exact_share(length) for length in lengths])
        for length, one, other in zip(lengths, shares, exact):
            self.assert_near(one, other, 3 * np.sqrt(other * (1 - other) / members) + 0.1 * other * step / 1e-3, f"l = {length}")
        critical = 3 * self.GRAVITY * self.TAU**2
        self.assert_near(critical, 0.2943, 1e-12)
        self.assert_near(self.shortest(exact, lengths), critical, 0.002 * critical, "the line itself")
        self.assert_near(self.shortest(shares, lengths), critical, 3 * sampling + 0.01 * critical * step / 1e-3, "shortest stick")

    def test_no_gains_balance_a_shorter_one(self):
        run = self.study("stick", "--set", "l=0.285", "--members", "256", "--step", "1e-3", changes=[("[0, 0.1]", "[0, 0.01]"), ("[0, 0.5]", "[0, 0.1]")])
        self.assertEqual(run.share("balances"), 0)


class Grazing(StudyTest):
    def borders(self, run):
        for w in (0.6, 0.8, 1.3):
            chosen = run["w"] == w
            ratio, touches = run["ratio"][chosen], (run.classes == "touches")[chosen]
            self.assertLess(ratio[~touches].max(), ratio[touches].min())
            yield w, (ratio[~touches].max() + ratio[touches].min()) / 2

    def test_it_touches_from_the_exact_force_on(self):
        levels = 401 if EVERYTHING else 81
        for step in (1e-3, 2.5e-4):
            run = self.study("grazing", "--step", step, changes=[("ratio = 201", f"ratio = {levels}"), ("[0.99, 1.01]", "[0.998, 1.002]")])
            for w, border in self.borders(run):
                self.assert_near(border, 1, 0.004 / (levels - 1) + step, f"w = {w}, step {step}")


class ControlMap(StudyTest):
    K, D, G = 4.0, 1.0, 9.81

    def balance(self, mu, tau):
        """The swing that harmonic balance gives for given friction and delay: (x0 below comes to rest); infinite where the delay feeds no energy."""
        w = find_zero(lambda w: w * w - self.K * np.cos(w * tau) - self.D * w * np.sin(w * tau), 0.5, 4)
        fed = self.K * np.sin(w * tau) - self.D * w * np.cos(w * tau)
        return 4 * mu * self.G / (np.pi * fed) if fed > 0 else np.inf

    def test_map_is_that_of_linear_theory_and_harmonic_balance(self):
        small = [("mu = { from = 0, to = 0.03, count = 13 }", "mu = { from = 0, to = 0.03, count = 5 }"), ("count = 21 }", "count = 9 }")]
        run = self.study("control_map", changes=() if EVERYTHING else small)
        w = np.sqrt((self.D**2 + np.sqrt(self.D**4 + 4 * self.K**2)) / 2)
        critical = np.arctan(self.D * w / self.K) / w
        self.assert_near(critical, 0.22974, 5e-6)
        smooth = run["mu"] == 0
        self.assertEqual(set(run.classes[smooth & (run["tau"] < critical)]), {"settles"})
        self.assertEqual(set(run.classes[smooth & (run["tau"] > critical)]), {"grows"})
        border = np.array([self.balance(mu, tau) for mu, tau in zip(run["mu"], run["tau"])])
        rough = ~smooth                                                 # longer delays let somewhat larger swings rest than the balance of one harmonic
        self.assertTrue(np.all(run.classes[rough & (run["x0"] < 0.98 * border)] != "grows"))
        self.assertTrue(np.all(run.classes[rough & (run["x0"] > 1.08 * border)] == "grows"))
        for name in ("rests", "grows"):
            self.assertGreater(np.mean(run.classes[rough] == name), 0.2)


class BouncingTable(StudyTest):
    E = 0.5

    def test_one_bounce_a_period_until_it_doubles(self):
        small = [("{ from = 1.06, to = 1.8, count = 75 }", "{ from = 1.06, to = 1.72, count = 34 }")]
        run = self.study("bouncing_table", changes=() if EVERYTHING else small)
        gamma = run["gamma"]
        least = np.pi * (1 - self.E) / (1 + self.E)
        doubles = np.hypot(least, 2 * (1 + self.E**2) / (1 + self.E) ** 2)
        self.assert_near(doubles, 1.5268, 5e-5)
        single = gamma < doubles
        self.assertEqual(set(run.classes[single]), {"period-1"})
        self.assertEqual(set(run.classes[(gamma > doubles) & (gamma < 1.66)]), {"period-2"})
        # the height at phase 0 of the one bounce a period: thrown up by g/2 at the phase phi
        phi = np.arccos(least / gamma[single])
        height = gamma[single] / (2 * np.pi) ** 2 * np.sin(phi) + phi / (2 * np.pi) * (1 - phi / (2 * np.pi)) / 2
        for k in range(8):
            self.assertLess(np.abs(run[f"h{k}"][single] - height).max(), 1.5e-3)  # three steps


class Chatter(StudyTest):
    ZETA = 0.05

    def lobes(self, taus):
        """The least K at which a pair of roots is imaginary, at each delay."""
        w = np.sqrt(1 + np.geomspace(1e-3, 30, 40001))
        strength = ((w * w - 1) ** 2 + 4 * self.ZETA**2 * w * w) / (2 * (w * w - 1))
        least = np.full(len(taus), np.inf)
        for j in range(1, 12):
            delays = 2 * (j * np.pi - np.arctan2(w * w - 1, 2 * self.ZETA * w)) / w  # falls with w
            least = np.minimum(least, np.interp(taus, delays[::-1], strength[::-1], left=np.inf, right=np.inf))
        return least

    def test_lobes(self):
        small = [("count = 49", "count = 25"), ("levels = { K = 61 }", "levels = { K = 31 }")]
        run = self.study("chatter", changes=() if EVERYTHING else small)
        border = self.lobes(run["tau"])
        self.assertEqual(set(run.classes[run["K"] > 1.03 * border]), {"chatters"})
        self.assertEqual(set(run.classes[run["K"] < 0.97 * border]), {"cuts"})
        self.assert_near(self.lobes(np.linspace(3, 15, 2001)).min(), 2 * self.ZETA * (1 + self.ZETA), 1e-5, "below it nothing chatters")
        self.assertTrue(np.all(run.classes[run["K"] < 2 * self.ZETA * (1 + self.ZETA)] == "cuts"))
        self.assertGreater(min(run.share("cuts"), run.share("chatters")), 0.2)


class RockingBlock(StudyTest):
    def quarter(self, alpha, theta0):
        """From rest at theta0 to upright, by Gauss's rule in s, theta = theta0 (1 - s²)."""
        s, weight = np.polynomial.legendre.leggauss(60)
        s, weight = (s + 1) / 2, weight / 2
        theta = theta0 * (1 - s * s)
        speed = np.sqrt(2 * 0.75 * 9.81 * (np.cos(alpha - theta0) - np.cos(alpha - theta)))
        return np.sum(weight * 2 * theta0 * s / speed)

    def test_an_impact_takes_what_housner_says(self):
        worst = {}
        for step in (1e-3, 2.5e-4):
            run = self.study("rocking_block", "--step", step)
            for alpha, tilt, quarter in zip(run["alpha"], run["tilt"], run["quarter"]):
                self.assert_near(quarter, self.quarter(alpha, tilt * alpha), 1.5 * step, f"alpha = {alpha}, tilt = {tilt}")
            self.assertLess(np.abs(run["hit_error"]).max(), 2 * step)
            self.assertLess(np.abs(run["swing_error"]).max(), 2 * step)
            worst[step] = np.abs(run["swing_error"]).max()
        self.assertLess(worst[2.5e-4], 0.5 * worst[1e-3])


class BurridgeKnopoff(StudyTest):
    BLOCKS, LEVELS = 12, (0.01, 0.03, 0.1, 0.3, 1, 3, 6, 9, 12, 16, 20)

    def steps(self, run, end, seen_from):
        """All chains at once, step by step: how often an event became larger than each level, the largest one, and how far all blocks came until then and in the end."""
        step, nu, l, sigma = 0.04, 0.01, 3.0, 0.01
        alpha = run["alpha"][:, None]
        x = np.array([run[f"a{k}"] for k in range(1, self.BLOCKS + 1)]).T
        v = np.zeros_like(x)
        rested, levels = x.sum(1), np.array(self.LEVELS)[:, None]
        counts, was = np.zeros((len(levels), len(x))), np.zeros((len(levels), len(x)), bool)
        largest, before = np.zeros(len(x)), None
        steps, first = round(end / step), round(seen_from / step)
        for i in range(steps + 1):
            event = x.sum(1) - rested
            before = x.sum(1) if i == first else before
            if i >= first:
                now = event > levels
                counts += now & ~was
                was, largest = now, np.maximum(largest, event)
            if i == steps:
                return counts, largest, before, x.sum(1)
            moves = (v > 0).any(1)
            rested = np.where(moves, rested, x.sum(1))
            springs = np.zeros_like(x)
            apart = np.diff(x, axis=1)
            springs[:, :-1] += apart
            springs[:, 1:] -= apart
            limit = np.where(v > 0, (1 - sigma) / (1 + 2 * alpha * v / (1 - sigma)), 1)
            v = np.maximum(0, v + step * (l * l * springs + nu * i * step - x - limit))
            x = x + step * v

    def level(self, run, size):
        return run[f"n{size:g}".replace(".", "_")]

    def test_events_are_those_of_a_loop_by_hand(self):
        members = 200 if EVERYTHING else 24
        run = self.study("burridge_knopoff", "--members", members, "--end", 320)
        counts, largest, before, _ = self.steps(run, 320, 200)
        # chains are chaotic: until t = 200 rounding has become 6e-6 in the middle one of the worst alpha; it grows least where friction falls fastest
        for alpha in np.unique(run["alpha"]):
            self.assertLess(np.median(np.abs(run["before"] - before)[run["alpha"] == alpha]), 1e-4)
        calm = run["alpha"] == 5
        self.assertGreater(counts[0][calm].sum(), 5 * members)
        for size, count in zip(self.LEVELS, counts):
            self.assertTrue(np.array_equal(self.level(run, size)[calm], count[calm]), f"> {size}")
            if 1 <= size <= 3:                                             # those that rounding parted are others of the same kind
                self.assert_near(self.level(run, size).sum(), count.sum(), 0.1 * count.sum(), f"> {size}")
        self.assertLess(np.abs(run["largest"] - largest)[calm].max(), 1e-4)

    def test_blocks_keep_up_with_the_plate(self):
        members = 2000 if EVERYTHING else 100
        run = self.study("burridge_knopoff", "--members", members)
        # no spring force is larger than friction: the mean lag of a chain lies between 0 and 1, but for what an event overshoots
        lag = 0.01 * 800 - run["slipped"] / self.BLOCKS
        self.assertTrue(np.all((-1 < lag) & (lag < 1)))
        for alpha in np.unique(run["alpha"]):
            chosen = run["alpha"] == alpha
            self.assert_near((run["slipped"] - run["before"])[chosen].mean(), 0.01 * 600 * self.BLOCKS, 0.05 * 72, f"alpha = {alpha}")

    def test_weakening_makes_large_events_of_middling_ones(self):
        run = self.study("burridge_knopoff", "--members", 2000 if EVERYTHING else 100)
        mean = {alpha: {size: self.level(run, size)[run["alpha"] == alpha].mean() for size in self.LEVELS} for alpha in np.unique(run["alpha"])}
        self.assertLess(mean[1][6] / mean[1][0.3], 0.35)                   # 0.26, 0.58: 100,000 chains
        self.assertGreater(mean[3][6] / mean[3][0.3], 0.5)
        self.assertGreater(mean[1][0.01] / mean[1][1], 2)                  # 2.8
        self.assertGreater(mean[0.5][12], 0.2)                             # where friction falls slowly, events merge into creep
        self.assertEqual(mean[1][12], 0)


class EmergencyStop(StudyTest):
    RANGES = {"v0": (20, 30), "tau": (0.5, 1.5), "mu": (0.5, 0.9), "slope": (-0.08, 0.08), "m": (1000, 2000), "drag": (0.3, 0.6)}

    def way(self, v0, tau, mu, slope, m, drag):
        """Rolling, then braking; downhill the root is imaginary, and tan becomes tanh."""
        c, a = drag / m, 9.81 * np.sin(slope) + 0j
        v1 = np.sqrt(a / c) * np.tan(np.arctan(v0 * np.sqrt(c / a)) - np.sqrt(a * c) * tau)
        rolled = np.log((a + c * v0**2) / (a + c * v1**2)) / (2 * c)
        return (rolled + np.log(1 + c * v1**2 / (a + mu * 9.81 * np.cos(slope))) / (2 * c)).real

    def indices(self):
        """First and total Sobol indices, the integrals by Gauss's rule with six nodes along each axis."""
        node, weight = np.polynomial.legendre.leggauss(6)

        def mean(values, axes):
            for axis in axes:
                values = np.tensordot(values, weight / 2, (axis, 0)).reshape([1 if k == axis else size for k, size in enumerate(values.shape)])
            return values

        grid = np.meshgrid(*[low + (high - low) * (node + 1) / 2 for low, high in self.RANGES.values()], indexing="ij")
        way = self.way(*grid)
        every = tuple(range(6))
        centre = mean(way, every).item()
        variance = mean((way - centre) ** 2, every).item()
        found = {}
        for k, name in enumerate(self.RANGES):
            others = tuple(axis for axis in every if axis != k)
            first = mean((mean(way, others) - centre) ** 2, (k,)).item() / variance
            rest = mean((mean(way, (k,)) - centre) ** 2, others).item() / variance
            found[name] = {"first": first, "total": 1 - rest}
        return centre, np.sqrt(variance), found

    def test_ways_are_the_exact_ones(self):
        run = self.study("emergency_stop", "--members", "2048")
        exact = self.way(*(run[name] for name in self.RANGES))
        self.assertLess(np.abs(run["way"] - exact).max(), 0.5 * 5e-3 * 30 * 2)  # a step of the way at the start
        clear = np.abs(exact - 80) > 0.2
        self.assertTrue(np.array_equal((run.classes == "hits")[clear], (exact > 80)[clear]))
        centre, deviation, _ = self.indices()
        self.assert_near(run["way"].mean(), centre, 3.5 * deviation / np.sqrt(2048) + 0.1)

    def test_sensitivity_is_that_of_the_formula(self):
        members = 65536 if EVERYTHING else 8192
        summary = self.study("emergency_stop", "--members", members, command="sensitivity").summary
        _, _, exact = self.indices()
        self.assert_near(sum(one["first"] for one in exact.values()), 0.99, 0.02)
        for name, kinds in exact.items():
            for kind, value in kinds.items():
                lower, upper = summary["sensitivity"]["way"][name][kind + "_interval"]
                self.assert_near(summary["sensitivity"]["way"][name][kind], value, 0.75 * (upper - lower) + 0.01 * value + 1e-3, f"{kind} of {name}")  # three standard errors, and the step
        hits = summary["sensitivity"]["class.hits"]
        self.assertEqual(sorted(hits, key=lambda name: -hits[name]["total"])[:2], ["v0", "mu"])


if __name__ == "__main__":
    product_program.main(__doc__)
