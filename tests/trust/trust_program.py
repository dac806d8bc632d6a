"""What the batteries of tests/trust share: running the program, and the flags of a battery.

    python3 some_test.py --program build/bin/conesweep [--source .] [--emulator=…] [ClassName]

Short as they stand; CONESWEEP_ALL=1 makes them long.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

ALL = os.environ.get("CONESWEEP_ALL") == "1"
OPTIONS = None  # set by main


def environment(**more):
    values = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    values.update({k: str(v) for k, v in more.items()})
    return values


def emulated(**more):
    """For the cuda executor: under the emulation where it is, else on the device that is there."""
    return environment(**more, LD_LIBRARY_PATH=OPTIONS.emulator) if OPTIONS.emulator else environment(**more)


class TrustTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run_program(self, *arguments, code=0, seconds=120, env=None, **more):
        """Standard output and error as text. `code`: the exit code, or several that are fine; None: any that is no crash."""
        done = subprocess.run([OPTIONS.program, *map(str, arguments)], cwd=self.folder, env=env or environment(), capture_output=True, timeout=seconds, **more)
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        fine = (0, 1, 2, 3, 130) if code is None else code if isinstance(code, tuple) else (code,)
        self.assertIn(done.returncode, fine, (arguments, out[-500:], err[-1500:]))
        self.assertNotIn("internal error", err)
        return out, err

    def has_cuda(self):
        done = subprocess.run([OPTIONS.program, "info", "--json"], env=emulated(), capture_output=True, text=True)
        return '"cuda"' in done.stdout and bool(OPTIONS.emulator)


def main():
    global OPTIONS
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--source", default=".")
    arguments.add_argument("--build", default="build")
    arguments.add_argument("--emulator", default="")
    arguments.add_argument("classes", nargs="*")
    OPTIONS = arguments.parse_args()
    OPTIONS.program = str(pathlib.Path(OPTIONS.program).resolve())
    OPTIONS.source = pathlib.Path(OPTIONS.source).resolve()
    unittest_main.main(OPTIONS.classes)
