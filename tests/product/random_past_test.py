"""The study of samples/random_past.md, made again. Run by ctest, one test class at a time:

    python3 random_past_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import re

import h5py
import numpy as np
import scipy.stats

import product_program
from ensemble_program import EnsembleTest, SLACK


class Study(EnsembleTest):
    """samples/random_past.md says what its sensitivity tables mean; here they are made again, smaller and with another seed, and what it says
    is checked (pages_test.py compares the tables themselves)."""

    SAMPLE = "samples/random_past.toml"
    INPUTS = "alpha u phi k tau A x0 H".split()

    def setUp(self):
        super().setUp()
        self.text = (product_program.SOURCE / "samples/random_past.md").read_text()

    def run_study(self, *flags):
        out, _ = self.run_program("sensitivity", product_program.SOURCE / self.SAMPLE, "--backend", "cpu", "--out", "r", "--force", *flags)
        return out, self.summary("r")["sensitivity"]

    def printed(self):
        """The index tables as the page shows them: observable → input → kind → (value, half-width)."""
        tables = {}
        for name, rows in re.findall(r"^(\S+): mean [^\n]*\n +parameter +first[^\n]*\n((?:  [^\n]*\n)+)", self.text, re.M):
            tables[name] = {}
            for row in rows.splitlines():
                parameter, first, a, b, total, c, d = row.replace("…", " ").split()
                tables[name][parameter] = {"first": (float(first), (float(b) - float(a)) / 2), "total": (float(total), (float(d) - float(c)) / 2)}
        return tables

    def assert_order(self, table, kind, names):
        """From the largest down, each interval clear of the next."""
        for one, other in zip(names, names[1:]):
            self.assertGreater(table[one][kind + "_interval"][0], table[other][kind + "_interval"][1], f"{kind} of {one} and {other}")

    def test_tables_are_what_a_smaller_run_gives(self):
        printed = self.printed()
        self.assertEqual(set(printed), {"reach", "final.x", "push", "dissipated"})
        _, table = self.run_study("--members", "40960", "--seed", "2", "--quiet")
        for observable, inputs in printed.items():
            self.assertEqual(list(inputs), self.INPUTS)
            for name, kinds in inputs.items():
                for kind, (value, half) in kinds.items():
                    lower, upper = table[observable][name][kind + "_interval"]
                    # two estimates: further apart than this once in some thousand
                    allowed = 1.3 * (half + (upper - lower) / 2)
                    self.assertLessEqual(abs(table[observable][name][kind] - value), allowed + 5e-4 * abs(value), f"{kind} of {name} for {observable}")

    def test_claims_about_reach_and_end_hold(self):
        _, table = self.run_study("--members", "81920", "--quiet")
        reach, end, push = table["reach"], table["final.x"], table["push"]
        self.assert_order(reach, "first", ["alpha", "u", "phi", "k", "tau"])
        self.assert_order(reach, "total", ["alpha", "u", "phi", "A", "H"])
        self.assert_order(end, "total", ["alpha", "u", "phi", "A", "H"])
        sums = {name: sum(table[name][i]["first"] for i in self.INPUTS) for name in ["reach", "final.x"]}
        self.assertAlmostEqual(sums["reach"], 0.87, delta=0.04)
        self.assertAlmostEqual(sums["final.x"], 0.64, delta=0.06)
        for observable in [reach, end, push, table["dissipated"], table["settled"]]:
            # the amplitude: nothing alone, something in all
            self.assertLess(abs(observable["A"]["first"]), 0.02)
            self.assertGreater(observable["A"]["total_interval"][0], 0.03)
            # a total is at least the first, within their intervals
            for name in self.INPUTS:
                entry = observable[name]
                self.assertGreaterEqual(entry["total_interval"][1], entry["first_interval"][0], name)
        # the height
        for observable in [reach, end]:
            self.assertTrue(0 < observable["H"]["total_interval"][0] < observable["H"]["total_interval"][1] < 0.0015)
        landing = table["first_contact"]
        for name in self.INPUTS:
            if name != "H":
                self.assertEqual((landing[name]["first"], landing[name]["total"]), (0, 0))
        self.assert_index(landing["H"], "first", 1, "landing")
        self.assert_index(landing["H"], "total", 1, "landing")
        energy = table["dissipated"]["H"]
        self.assertLess(energy["first_interval"][0], energy["total"])
        self.assertAlmostEqual(energy["first"], energy["total"], delta=0.005)

    def test_push_has_the_indices_of_its_closed_form(self):
        _, table = self.run_study("--members", "40960", "--seed", "3", "--quiet")
        chance = np.random.default_rng(1)
        laws = {"phi": scipy.stats.uniform(0, 2 * np.pi), "k": scipy.stats.lognorm(0.15, scale=np.exp(1.2)), "tau": scipy.stats.triang(0.5, 0.1, 0.2),
                "A": scipy.stats.uniform(0, 1.5), "x0": scipy.stats.norm(0, 0.15)}
        a, b = ({name: law.ppf(chance.random(1 << 17)) for name, law in laws.items()} for _ in range(2))

        def push(phi, k, tau, A, x0, w=8.0):
            return k * ((1 - x0 + A * np.cos(phi)) * tau - A * (np.sin(phi) - np.sin(phi - w * tau)) / w)

        at_a, at_b = push(**a), push(**b)
        variance = np.concatenate([at_a, at_b]).var()
        for name in self.INPUTS:
            first = total = 0.0
            if name in laws:
                mixed = push(**{**a, name: b[name]})
                first, total = ((at_b - at_b.mean()) * (mixed - at_a)).mean() / variance, ((mixed - at_a) ** 2).mean() / 2 / variance
            entry = table["push"][name]
            for kind, exact in [("first", first), ("total", total)]:
                lower, upper = entry[kind + "_interval"]
                # our interval, the oracle's own error, and the step (h times the force in the last step)
                self.assertLessEqual(abs(entry[kind] - exact), SLACK * (upper - lower) / 2 + (0.008 if name in laws else 0), f"{kind} of {name}: {entry[kind]} and {exact}")

    def test_the_past_acts_through_the_delay_alone(self):
        _, table = self.run_study("--members", "4608", "--set", "tau=0", "--quiet")
        for observable in ["reach", "final.x", "settled", "dissipated"]:
            for name in ["A", "phi"]:
                self.assertEqual([table[observable][name][kind] for kind in ("first", "total")], [0, 0])
            self.assertGreater(table[observable]["alpha"]["total_interval"][0], 0)

    def test_claims_about_pairs_hold(self):
        _, table = self.run_study("--second-order", "--members", "73728", "--quiet")
        pairs = {(one, other): table["push"][one]["second"][other] for i, one in enumerate(self.INPUTS) for other in self.INPUTS[i + 1:]}
        self.assertEqual(sorted(pairs, key=pairs.get)[-2:], [("phi", "tau"), ("phi", "A")])
        self.assertAlmostEqual(pairs["phi", "A"], 0.16, delta=0.02)
        self.assertAlmostEqual(pairs["phi", "tau"], 0.07, delta=0.02)
        together = sum(table["final.x"][one]["second"][other] for i, one in enumerate(self.INPUTS) for other in self.INPUTS[i + 1:])
        self.assertTrue(0.05 < together < 0.25, together)

    def test_claims_about_screening_hold(self):
        def ranking(levels):
            _, table = self.run_study("--method", "morris", "--members", "9000", "--levels", levels, "--quiet")
            return table["reach"], sorted(self.INPUTS, key=lambda name: -table["reach"][name]["mu_star"])
        coarse, order = ranking("4")
        self.assertEqual((set(order[:2]), order[2], order[-1]), ({"alpha", "u"}, "tau", "H"))
        self.assertLess(order.index("k"), order.index("phi"))
        self.assertLess(abs(coarse["A"]["mu"]), 0.5 * coarse["A"]["mu_star"])
        self.assertGreater(coarse["A"]["sigma"], 1.5 * coarse["A"]["mu_star"])
        _, order = ranking("20")
        self.assertEqual(order[:5], ["alpha", "u", "phi", "k", "tau"])

    def test_claims_about_correlations_hold(self):
        self.run_program("run", product_program.SOURCE / self.SAMPLE, "--backend", "cpu", "--members", "16384", "--quiet", "--out", "runs/random_past")
        table = json.loads(self.run_program("sensitivity", "runs/random_past", "--json")[0])["reach"]
        self.assertTrue(table["alpha"]["prcc"] < 0 < min(table["u"]["prcc"], table["k"]["prcc"]))
        self.assertTrue(table["A"]["prcc_interval"][0] <= 0 <= table["A"]["prcc_interval"][1])
        self.assertGreater(table["k"]["prcc_interval"][0], table["phi"]["prcc_interval"][1])
        with h5py.File(self.folder / "runs/random_past/results.h5") as results:
            turned = results["observables/reach"][:] - results["observables/final.x"][:] > 1e-3
        self.assertAlmostEqual(turned.mean(), 1 / 8, delta=0.02)


if __name__ == "__main__":
    product_program.main(__doc__)
