"""main of every unittest script. Exit codes, for ctest's SKIP_RETURN_CODE: 1 if a case failed, whatever was skipped beside it;
77 if all cases that ran were skipped; 1 if no case ran; else 0. Reasons of skips are printed.
"""
from __future__ import annotations

import sys
import unittest


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed += 1


def main(arguments: list[str]) -> None:
    """Runs the cases of __main__ that `arguments` name."""
    runner = unittest.TextTestRunner(resultclass=Result, verbosity=2)  # type: ignore[arg-type]
    result = unittest.main(module="__main__", argv=[sys.argv[0], *arguments], testRunner=runner, exit=False).result
    assert isinstance(result, Result)
    if not result.wasSuccessful():
        sys.exit(1)
    if result.passed > 0:
        sys.exit(0)
    sys.exit(77 if result.skipped else 1)
