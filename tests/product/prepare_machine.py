"""Machines made of a few stand-in programs, on which cmake/prepare.sh runs."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

SOURCE = pathlib.Path()  # set by main


class Machine(unittest.TestCase):
    """A PATH with nothing but bash's own tools and the programs a test puts there."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "bin").mkdir()
        for tool in ["bash", "cat", "cd", "dirname", "echo", "grep", "head", "ln", "ls", "mkdir", "readlink", "realpath", "sed", "stat", "touch"]:
            for place in ["/usr/bin", "/bin"]:
                if os.path.exists(f"{place}/{tool}"):
                    os.symlink(f"{place}/{tool}", self.folder / "bin" / tool)
                    break
        os.symlink(SOURCE / "cmake", self.folder / "cmake")

    def add_program(self, name, text):
        path = self.folder / "bin" / name if "/" not in name else self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/bash\n" + text)
        path.chmod(0o755)

    def prepare(self, text, **environment):
        """Runs `text` behind `source prepare.sh`; returns its exit code and all it printed."""
        script = f'set -euo pipefail; source "{SOURCE}/cmake/prepare.sh"; {text}'
        done = subprocess.run(["/bin/bash", "-c", script], cwd=self.folder, env={"PATH": str(self.folder / "bin"), **environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout.decode()


def main(what):
    global SOURCE
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    SOURCE = options.source.resolve()
    unittest_main.main(rest)
