"""Runs that are interrupted, and what a terminal shows of them. Run by ctest, one test class at a time:

    python3 interrupted_test.py --program build/bin/conesweep --source . ClassName
"""
import os
import pty
import select
import signal
import subprocess
import time

import product_program
from product_program import LONG, LongRunTest, SLIDER


class Interruptions(LongRunTest):
    def test_leave_nothing_half_written(self):
        self.write("long.toml", LONG)
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = self.start("--quiet")
            self.wait_for((self.folder / "r").exists, "the folder")
            time.sleep(0.3)
            self.assertEqual(self.stop(process, number), "conesweep: interrupted; nothing was written\n")
            self.assertEqual(os.listdir(self.folder), ["long.toml"])

    def test_leave_an_earlier_run_as_it_was(self):
        folder = self.run_scenario(SLIDER, "r")
        before = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
        self.write("long.toml", LONG)
        process = self.start("--quiet", "--force")
        time.sleep(0.7)
        self.stop(process)
        self.assertEqual(before, {name: (folder / name).read_bytes() for name in os.listdir(folder)})

    def test_show_progress_as_plain_lines_elsewhere_than_on_a_terminal(self):
        self.write("long.toml", LONG)
        process = self.start()
        line = process.stderr.readline().decode()  # the first comes after ten seconds
        self.assertRegex(line, r"^ *\d+ %  [\d,]+ of 100,000 members, [\d.e+]+ member·steps/s, .+ left\n$")
        self.assertNotIn("\r", line)
        self.stop(process)

    def test_remove_a_trace_that_is_not_whole(self):
        self.write("long.toml", LONG.replace("end = 200.0", "end = 200000.0"))
        process = subprocess.Popen([product_program.PROGRAM, "trace", "long.toml", "--out", "t.csv"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        time.sleep(0.7)
        self.stop(process)
        self.assertEqual(os.listdir(self.folder), ["long.toml"])


    def test_say_of_a_trace_that_rows_are_missing(self):
        self.write("long.toml", LONG.replace("end = 200.0", "end = 200000.0"))
        process = subprocess.Popen([product_program.PROGRAM, "trace", "long.toml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        lines = [process.stdout.readline() for _ in range(12)]
        self.assertRegex(lines[-1], rb"^\d+,")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(err.decode(), "conesweep: interrupted; the rows are not all there\n")
        self.assertEqual(process.returncode, 130)


class Terminal(LongRunTest):
    """Alone in its class, so that a machine without pseudo-terminals shows a skip of its own."""

    def test_show_a_bar_on_a_terminal(self):
        self.write("long.toml", LONG)
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"this machine gives no pseudo-terminal: {error}")
        self.addCleanup(os.close, ours)
        process = self.start(stderr=theirs)
        os.close(theirs)
        seen = b""
        deadline = time.monotonic() + 60
        while b" left" not in seen or "·".encode() not in seen:
            self.assertLess(time.monotonic(), deadline, f"no bar: {seen!r}")
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096)
        self.assertRegex(seen.decode(errors="replace"), r"\r\x1b\[K[█·]{24}  *\d+ %  [\d,]+ of 100,000 members, ")
        process.send_signal(signal.SIGINT)
        try:
            while True:
                seen += os.read(ours, 4096)
        except OSError:  # the terminal's other end is gone
            pass
        process.stdout.read()
        self.assertEqual(process.wait(timeout=30), 130)
        self.assertTrue(seen.decode(errors="replace").endswith("\r\x1b[Kconesweep: interrupted; nothing was written\r\n"), "the bar is not wiped")


if __name__ == "__main__":
    product_program.main(__doc__)
