"""What the tests of the Python package share."""
import argparse
import importlib.util
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)
import conesweep as cs

OPTIONS = argparse.Namespace()


def importable(name):
    return importlib.util.find_spec(name) is not None


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def sample(self, name, **changes):
        return cs.Scenario(OPTIONS.source / f"samples/{name}.toml", **changes)

    def slider(self, **changes):
        return self.sample("slider", **{"members": 200, "step": 0.02, **changes})

    def assert_same_bits(self, a, b, what=""):
        a, b = np.asarray(a), np.asarray(b)
        self.assertEqual(a.shape, b.shape, what)
        self.assertTrue(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), f"{what}: {np.sum(~((a == b) | (np.isnan(a) & np.isnan(b))))} differ")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=lambda name: pathlib.Path(name).resolve(), required=True)
    parser.add_argument("--source", type=lambda name: pathlib.Path(name).resolve(), required=True)
    _, rest = parser.parse_known_args(namespace=OPTIONS)
    unittest_main.main(rest)
