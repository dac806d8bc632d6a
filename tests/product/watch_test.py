"""A run that is watched: the mean of an observable while members are on their way. Run by ctest, one test class at a time:

    python3 watch_test.py --program build/bin/conesweep --source . ClassName
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import numpy as np

import product_program
from product_program import BLOW_UP, LongRunTest, ProductTest, SLIDER

NOTHING = ("--backend", "reference", "--no-step-check")


class Watching(ProductTest):
    def setUp(self):
        super().setUp()
        self.write("s.toml", SLIDER)

    def watch(self, *arguments, name="reach", out="w", file="s.toml", command="run", backend="reference", code=0):
        """The lines of JSON on standard error, and the summary."""
        out, err = self.run_program(command, file, "--backend", backend, "--json", "--watch", name, "--out", out, *arguments, code=code)
        lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
        self.assertTrue(lines, err)
        return lines, json.loads(out)

    def test_a_small_run_tells_at_its_end(self):
        out, err = self.run_program("run", "s.toml", *NOTHING, "--watch", "reach")
        mean, error = re.search(r"\nreach +(\S+) +(\S+) ", out).groups()
        self.assertEqual(err, f"reach {mean} ± {error} over 300 members\n")

    def test_the_last_line_is_the_summary(self):
        lines, summary = self.watch("--members", "2000", "--threads", "1")
        self.assertGreater(len(lines), 1)
        last, found = lines[-1], summary["observables"]["reach"]
        self.assertEqual([last[key] for key in ("done", "of", "members", "count", "watched")], [2000, 2000, 2000, 2000, "reach"])
        np.testing.assert_allclose([last["mean"], last["standard_error"]], [found["mean"], found["standard_error"]], rtol=1e-12)
        self.assertEqual(last["seconds_left"], 0)
        self.assertEqual(sorted(line["members"] for line in lines), [line["members"] for line in lines])
        self.assertEqual(list(last), ["done", "of", "watched", "members", "count", "mean", "standard_error", "seconds", "seconds_left", "member_steps_per_second"])

    def test_events_that_never_come_and_members_that_stop_are_left_out(self):
        lines, summary = self.watch(name="late")
        self.assertEqual(lines[-1]["count"], summary["observables"]["late"]["count"])
        self.assertLess(lines[-1]["count"], 300)
        self.write("b.toml", BLOW_UP)
        lines, summary = self.watch(name="final.q", file="b.toml", out="b", code=1)
        self.assertEqual((lines[-1]["members"], lines[-1]["count"]), (7, summary["status"]["ok"]))
        self.assertIsNone(lines[-1]["standard_error"])  # a grid is no sample
        self.assertAlmostEqual(lines[-1]["mean"], summary["observables"]["final.q"]["mean"])

    def test_nothing_else_changes(self):
        self.run_program("run", "s.toml", "--backend", "cpu", "--members", "20000", "--quiet", "--out", "alone")
        lines, _ = self.watch("--members", "20000", "--threads", "1", backend="cpu", out="watched")
        for name in ["results.h5", "scenario.toml"]:
            self.assertEqual((self.folder / "alone" / name).read_bytes(), (self.folder / "watched" / name).read_bytes(), name)
        self.assertEqual(lines[-1]["members"], 20000)

    def test_json_stays_one_document(self):
        out, err = self.run_program("run", "s.toml", *NOTHING, "--json", "--watch", "reach", "--out", "r")
        self.assertEqual(out, (self.folder / "r/summary.json").read_text())
        self.assertTrue(all(line.startswith("{") for line in err.splitlines()), err)
        # who does not ask for lines gets none
        _, err = self.run_program("run", "s.toml", *NOTHING, "--json", "--out", "q")
        self.assertEqual(err, "")
        # and --quiet leaves nothing but them
        _, err = self.run_program("run", "s.toml", "--backend", "reference", "--json", "--quiet", "--watch", "reach", "--out", "p")
        self.assertTrue(err and all(line.startswith("{") for line in err.splitlines()), err)

    def test_an_ensemble_that_grows_counts_all_its_members(self):
        lines, summary = self.watch("--until", "reach:1%")
        self.assertEqual(lines[-1]["members"], summary["members"])
        self.assertGreater(summary["members"], 300)
        self.assertAlmostEqual(lines[-1]["mean"], summary["observables"]["reach"]["mean"])
        self.assertIn(300, [line["members"] for line in lines])

    def test_a_sweep_has_a_mean_of_all_rows_and_no_error(self):
        self.write("sweep.toml", SLIDER.replace("[observe]", "[sweep]\nk = { values = [4, 9] }\n[observe]"))
        lines, summary = self.watch(file="sweep.toml")
        self.assertEqual((lines[-1]["members"], lines[-1]["standard_error"]), (600, None))
        self.assertAlmostEqual(lines[-1]["mean"], summary["observables"]["reach"]["mean"])

    def test_a_class_has_its_share(self):
        self.write("c.toml", SLIDER + '[classes]\nnear = "reach < 1"\nfar = "else"\n')
        lines, summary = self.watch(file="c.toml", name="near")
        self.assertEqual(lines[-1]["watched"], "class.near")
        self.assertAlmostEqual(lines[-1]["mean"], summary["classes"]["near"]["share"])

    def test_a_design_counts_its_independent_members(self):
        lines, summary = self.watch("--members", "400", command="sensitivity", out="sobol")
        self.assertEqual((lines[-1]["members"], lines[-1]["count"]), (400, summary["observables"]["reach"]["count"]))
        self.assertAlmostEqual(lines[-1]["mean"], summary["observables"]["reach"]["mean"])
        lines, _ = self.watch("--members", "60", "--method", "morris", command="sensitivity", out="morris")
        self.assertIsNone(lines[-1]["standard_error"])

    def test_what_cannot_be_watched_is_refused_before_anything_runs(self):
        for command in ["run", "sensitivity"]:
            self.assert_refused("conesweep: --watch: nothing observed is called 'raech'; did you mean 'reach'?\n", command, "s.toml", "--watch", "raech")
        self.assert_refused("conesweep: --watch shows how far a run is and --quiet shows nothing; give one of them\n", "run", "s.toml", "--watch", "reach", "--quiet")
        self.assertEqual(os.listdir(self.folder), ["s.toml"])


class WatchedResume(LongRunTest):
    def test_members_that_are_there_count(self):
        text = SLIDER.replace("members = 300", "members = 12288").replace("[record]\nmembers = 7\nevery = 3\n", "")
        self.write("long.toml", text)
        process = self.start("--chunk", "4096", "--threads", "1", "--quiet")
        self.wait_for(lambda: list(self.folder.glob("r/chunks/0-*.chunk")), "the first chunk")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kept = sum(int(path.stem.split("-")[1]) - int(path.stem.split("-")[0]) for path in self.folder.glob("r/chunks/*.chunk"))
        if process.returncode == 0 or kept == 12288:
            self.skipTest("the run was over before it was killed")
        out, err = self.run_program("run", "long.toml", "--backend", "reference", "--out", "r", "--resume", "--json", "--watch", "reach")
        lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
        self.assertEqual((lines[0]["done"], lines[0]["members"], lines[0]["of"]), (kept, kept, 12288))
        self.assertIsNotNone(lines[0]["mean"])
        summary = json.loads(out)["observables"]["reach"]
        self.assertEqual((lines[-1]["done"], lines[-1]["members"]), (12288, 12288))
        np.testing.assert_allclose([lines[-1]["mean"], lines[-1]["standard_error"]], [summary["mean"], summary["standard_error"]], rtol=1e-12)

    def test_a_run_that_lacks_only_its_end_tells_too(self):
        self.write("long.toml", SLIDER.replace("members = 300", "members = 256").replace("end = 2.0", "end = 20.0"))
        process = self.start("--quiet")  # the step check takes as long again
        self.wait_for((self.folder / "r/chunks/0-256.chunk").exists, "the only chunk")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assertFalse((self.folder / "r/summary.json").exists())
        out, err = self.run_program("run", "long.toml", "--backend", "reference", "--out", "r", "--resume", "--json", "--watch", "reach")
        (line,) = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
        self.assertEqual((line["done"], line["of"], line["members"]), (256, 256, 256))
        self.assertAlmostEqual(line["mean"], json.loads(out)["observables"]["reach"]["mean"])


class WatchedTerminal(LongRunTest):
    """Alone in its class, so that a machine without pseudo-terminals shows a skip of its own."""

    def show(self, columns, *arguments):
        """What a terminal so wide is sent, up to its tenth bar or so."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"this machine gives no pseudo-terminal: {error}")
        self.addCleanup(os.close, ours)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = self.start(*arguments, stderr=theirs)
        os.close(theirs)
        seen, deadline = b"", time.monotonic() + 60
        while seen.count(b"\r\x1b[K") < 10 or "reach" in arguments and not re.search(rb"reach [\d.-]+ [^\r]*\r", seen):
            self.assertLess(time.monotonic(), deadline, f"{seen!r}")
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096)
        self.stop_on(process, ours)
        return seen.decode(errors="ignore").split("\r\x1b[K")[1:-1]

    def stop_on(self, process, ours):
        process.send_signal(signal.SIGINT)
        try:
            while os.read(ours, 4096):
                pass
        except OSError:  # the terminal's other end is gone
            pass
        process.stdout.read()
        self.assertEqual(process.wait(timeout=30), 130)

    def test_the_bar_has_the_mean_and_never_wraps(self):
        # many short members: several looks while the first chunk is on its way
        self.write("long.toml", SLIDER.replace("members = 300", "members = 10000000").replace("[record]\nmembers = 7\nevery = 3\n", ""))
        for columns in [200, 80, 40, 12]:
            bars = self.show(columns, "--watch", "reach") if columns > 40 else self.show(columns)
            self.assertLess(max(map(len, bars)), columns, bars)
            if columns > 40:
                self.assertTrue(any(re.search(r"\d+ %  [\d,]+ of 10,000,000 members, reach -?[\d.]+ ± [\d.e-]+", bar) for bar in bars), bars)
            if columns == 200:
                self.assertTrue(all(re.match(r"[█·]{24} ", bar) for bar in bars), bars)


if __name__ == "__main__":
    product_program.main(__doc__)
