"""What the tests of the Python package share."""
from __future__ import annotations

import argparse
import importlib.util
import pathlib
import sys
import tempfile
import unittest
from collections.abc import Callable
from typing import Any, TypeVar

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)
import conesweep as cs

__all__ = ["OPTIONS", "Case", "cs", "importable", "main", "needs", "np"]
Tested = TypeVar("Tested", bound="type[unittest.TestCase] | Callable[..., object]")

class Options(argparse.Namespace):
    program: pathlib.Path
    source: pathlib.Path


OPTIONS = Options()


def importable(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def needs(*names: str) -> Callable[[Tested], Tested]:
    """Skips a case, or a class of them, where a library is missing."""
    missing = [name for name in names if not importable(name)]
    return unittest.skipIf(bool(missing), f"{', '.join(missing)} not there; ./test.sh --all brings it")


class Case(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def sample(self, name: str, **changes: Any) -> cs.Scenario:
        return cs.Scenario(OPTIONS.source / f"samples/{name}.toml", **changes)

    def slider(self, **changes: Any) -> cs.Scenario:
        return self.sample("slider", **{"members": 200, "step": 0.02, **changes})

    def assert_same_bits(self, a: Any, b: Any, what: str = "") -> None:
        a, b = np.asarray(a), np.asarray(b)
        self.assertEqual(a.shape, b.shape, what)
        self.assertTrue(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), f"{what}: {np.sum(~((a == b) | (np.isnan(a) & np.isnan(b))))} differ")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=lambda name: pathlib.Path(name).resolve(), required=True)
    parser.add_argument("--source", type=lambda name: pathlib.Path(name).resolve(), required=True)
    _, rest = parser.parse_known_args(namespace=OPTIONS)
    unittest_main.main(rest)
