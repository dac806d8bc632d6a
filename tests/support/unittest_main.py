"""main of every unittest script. Exit codes, for ctest's SKIP_RETURN_CODE: 1 if a case failed, whatever was skipped beside it;
77 if all cases that ran were skipped; 1 if no case ran; else 0. Reasons of skips are printed.
"""
import sys
import unittest


def main(arguments):
    """Runs the cases of __main__ that `arguments` name."""
    result = unittest.main(module="__main__", argv=[sys.argv[0], "--verbose", *arguments], exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    # a class that is skipped as a whole counts as skipped, but none of its cases as run
    if result.skipped and len(result.skipped) >= result.testsRun:
        sys.exit(77)
    sys.exit(0 if result.testsRun > 0 else 1)
