"""Nothing that is finished is lost: killed programs, cut files, full and read-only disks. Run by ctest, one test class at a time:

    python3 kill_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import unittest

import product_program
from product_program import ProductTest, SLIDER

# about a second on a core, in 20 chunks of 4096
CROWD = SLIDER.replace("members = 300", "members = 80000").replace("members = 7", "members = 5000").replace("step = 0.01", "step = 0.005")


def without_timing(folder):
    summary = json.loads((folder / "summary.json").read_text())
    del summary["timing"]
    for name in ("ranks", "threads", "checksum"):  # who computed it
        del summary["run"][name]
    return summary


class KillTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.write("crowd.toml", CROWD)
        self.whole = self.folder / "whole"
        self.run_program("run", "crowd.toml", "--backend", "cpu", "--quiet", "--out", "whole")

    def command(self, out, *arguments):
        return [product_program.PROGRAM, "run", "crowd.toml", "--backend", "cpu", "--threads", "1", "--quiet", "--out", out, *arguments]

    def start(self, out, *arguments):
        process = subprocess.Popen(self.command(out, "--chunk", "4096", *arguments), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def chunks(self, out):
        folder = self.folder / out / "chunks"
        return sorted(folder.glob("*.chunk")) if folder.exists() else []

    def wait_for_chunks(self, process, out, count):
        deadline = time.monotonic() + 60
        while len(self.chunks(out)) < count:
            self.assertIsNone(process.poll(), "the run ended too early")
            self.assertLess(time.monotonic(), deadline, "no chunk came")
            time.sleep(0.005)

    def kill(self, process):
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)

    def assert_whole(self, out):
        folder = self.folder / out
        self.assertEqual(sorted(os.listdir(folder)), sorted(os.listdir(self.whole)))
        for name in os.listdir(self.whole):
            if name != "summary.json":
                self.assertEqual((folder / name).read_bytes(), (self.whole / name).read_bytes(), f"{name} differs")
        self.assertEqual(without_timing(folder), without_timing(self.whole))


class Kills(KillTest):
    def test_at_thirty_random_moments(self):
        seed = int(os.environ.get("CONESWEEP_SEED", time.time()))
        chance = random.Random(seed)
        started = time.monotonic()
        self.run_program(*self.command("timed", "--chunk", "4096")[1:])
        seconds = time.monotonic() - started
        kills = 0
        with self.subTest(seed=seed):
            while kills < 30:
                out = f"run{kills}"
                for _ in range(chance.randint(1, 4)):  # kills of one run
                    process = self.start(out, "--resume")
                    try:
                        process.wait(timeout=chance.uniform(0, 1.1 * seconds))
                    except subprocess.TimeoutExpired:
                        self.kill(process)
                        kills += 1
                    # what looks whole is whole
                    if (self.folder / out / "summary.json").exists():
                        self.assertEqual((self.folder / out / "results.h5").read_bytes(), (self.whole / "results.h5").read_bytes())
                _, err = self.run_program(*self.command(out, "--resume", "--chunk", str(4096 * chance.randint(1, 9)))[1:])
                self.assertEqual(err, "")
                self.assert_whole(out)
                shutil.rmtree(self.folder / out)
        print(f"{kills} kills, seed {seed}")

    def test_while_the_results_are_being_written(self):
        process = self.start("r")
        while process.poll() is None and not list((self.folder / "r").glob("results.h5.tmp-*")):
            pass
        self.kill(process)
        self.run_program(*self.command("r", "--resume")[1:])
        self.assert_whole("r")

    def test_only_what_is_missing_is_done_again(self):
        process = self.start("r")
        self.wait_for_chunks(process, "r", 5)
        self.kill(process)
        kept = {path: path.stat().st_mtime_ns for path in self.chunks("r")}
        process = self.start("r", "--resume")
        self.wait_for_chunks(process, "r", len(kept) + 3)
        self.kill(process)
        self.assertEqual({path: path.stat().st_mtime_ns for path in kept}, kept)
        out, _ = self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "r", "--resume")
        self.assertRegex(out, r"going on: \d+,\d+ members are there already")
        self.assert_whole("r")

    def test_ctrl_c_keeps_what_is_finished(self):
        process = self.start("r")
        self.wait_for_chunks(process, "r", 3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertRegex(err.decode(), r"^conesweep: interrupted; [\d,]+ members of 80,000 are kept in r, go on with --resume\n$")
        self.run_program(*self.command("r", "--resume")[1:])
        self.assert_whole("r")


class Resumes(KillTest):
    def begin(self, out="r", chunks=4):
        process = self.start(out)
        self.wait_for_chunks(process, out, chunks)
        self.kill(process)

    def test_files_that_were_cut_or_changed_are_done_again(self):
        self.begin()
        first, second, third, *_ = self.chunks("r")
        first.write_bytes(first.read_bytes()[:-1000])
        second.write_bytes(b"")
        whole = bytearray(third.read_bytes())
        whole[len(whole) // 2] ^= 1
        third.write_bytes(whole)
        out, _ = self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "r", "--resume")
        self.assertIn("3 chunks were not as written, and will be done again\n", out)
        self.assert_whole("r")

    def test_another_scenario_is_refused_with_what_differs(self):
        self.begin()
        before = {path: path.read_bytes() for path in self.chunks("r")}
        self.assert_refused("conesweep: the unfinished run in r is another one: 'seed = 5' in the unfinished run, 'seed = 6' now; finish it as it was begun, or start over with --force\n",
                            *self.command("r", "--resume", "--seed", "6")[1:])
        self.assert_refused("conesweep: the unfinished run in r is another one: 'precision double' in the unfinished run, 'precision single' now; "
                            "finish it as it was begun, or start over with --force\n", *self.command("r", "--resume", "--precision", "single")[1:])
        self.assert_refused(f"conesweep: r holds an unfinished run ({len(before)} chunks done); go on with --resume, start over with --force, or choose another folder with --out\n",
                            *self.command("r")[1:])
        self.assertEqual({path: path.read_bytes() for path in self.chunks("r")}, before)
        self.run_program(*self.command("r", "--force")[1:])
        self.assert_whole("r")

    def test_more_members_than_before_are_the_same_members(self):
        process = subprocess.Popen([*self.command("r", "--chunk", "4096"), "--members", "50000"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait_for_chunks(process, "r", 4)
        self.kill(process)
        self.run_program(*self.command("r", "--resume")[1:])
        self.assert_whole("r")

    def test_of_nothing_are_fresh_runs_and_of_a_finished_run_nothing(self):
        self.run_program(*self.command("r", "--resume")[1:])
        self.assert_whole("r")
        before = (self.folder / "r" / "results.h5").stat().st_mtime_ns
        out, _ = self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "r", "--resume")
        self.assertEqual(out, "the run in r is finished already\n")
        self.assertEqual((self.folder / "r" / "results.h5").stat().st_mtime_ns, before)
        self.assert_refused("conesweep: r holds a finished run of another scenario; start over with --force, or choose another folder with --out\n",
                            *self.command("r", "--resume", "--step", "0.01")[1:])
        self.assert_refused("conesweep: --force starts over and --resume goes on; give one of them\n", *self.command("r", "--resume", "--force")[1:])

    def test_replace_a_finished_run_only_when_they_are_whole(self):
        self.run_program(*self.command("r", "--seed", "9")[1:])
        before = (self.folder / "r" / "results.h5").read_bytes()
        process = self.start("r", "--force")
        self.wait_for_chunks(process, "r", 4)
        self.kill(process)
        self.assertEqual((self.folder / "r" / "results.h5").read_bytes(), before)
        self.run_program(*self.command("r", "--resume")[1:])
        self.assert_whole("r")

    def test_fewer_members_do_not_throw_finished_ones_away(self):
        self.begin()
        before = self.chunks("r")
        _, err = self.run_program(*self.command("r", "--resume", "--members", "1000")[1:], code=2)
        self.assertRegex(err, r"^conesweep: the unfinished run in r has finished members up to [\d,]+, and --members asks for 1,000; ask for as many as it was begun with, or start over with --force\n$")
        self.assertEqual(self.chunks("r"), before)

    def test_chunks_that_a_finished_run_left_behind_go(self):
        # as if killed while it removed them
        self.run_program(*self.command("r")[1:])
        (self.folder / "r" / "chunks").mkdir()
        (self.folder / "r" / "chunks" / "0-4096.chunk").write_text("whatever")
        self.assert_refused("conesweep: r holds a finished run; replace it with --force, or choose another folder with --out\n", *self.command("r")[1:])
        self.run_program(*self.command("r", "--resume")[1:])
        self.assert_whole("r")

    def test_touch_nobody_elses_files(self):
        mine = {"chunks/mine.txt": "r/chunks holds 'mine.txt', which is no chunk of a run; move it, or choose another folder with --out", "notes.tmp-2024": None}
        for name, refusal in mine.items():
            with self.subTest(name):
                path = self.folder / "r" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("mine")
                _, err = self.run_program(*self.command("r", "--force")[1:], code=2 if refusal else 0)
                self.assertEqual(err, f"conesweep: {refusal}\n" if refusal else "")
                self.assertEqual(path.read_text(), "mine")
                shutil.rmtree(self.folder / "r")

    def test_a_finished_program_leaves_the_next_one_alone(self):
        # the first cannot print its summary before somebody reads; the second begins meanwhile in the same folder
        first = subprocess.Popen([product_program.PROGRAM, "run", "crowd.toml", "--backend", "cpu", "--json", "--out", "r", "--members", "300"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        while not (self.folder / "r" / "summary.json").exists():
            self.assertIsNone(first.poll())
            time.sleep(0.01)
        time.sleep(0.2)
        second = self.start("r", "--force")
        self.wait_for_chunks(second, "r", 2)
        first.communicate(timeout=60)
        self.assertGreaterEqual(len(self.chunks("r")), 2)
        second.wait(timeout=60)
        self.assertEqual(second.returncode, 0)
        self.assert_whole("r")

    def test_know_a_finished_run_by_its_tables_and_its_arithmetic(self):
        self.write("t.csv", "mu\n" + "0.3\n" * 100)
        self.write("table.toml", SLIDER.replace("mu = { uniform = [0.1, 0.6] }", 'mu = { table = "t.csv:mu" }').replace("members = 300", "members = 100"))
        run = ["run", "table.toml", "--quiet", "--no-step-check", "--out", "r", "--resume", "--backend"]
        self.run_program(*run, "cpu")
        self.run_program(*run, "cpu")
        why = "conesweep: r holds a finished run of another executor, or of tables that have changed since; start over with --force, or choose another folder with --out\n"
        self.assert_refused(why, *run, "reference")
        self.write("t.csv", "mu\n" + "0.4\n" * 100)
        self.assert_refused(why, *run, "cpu")

    def test_two_programs_do_not_share_a_folder(self):
        process = self.start("r")
        self.wait_for_chunks(process, "r", 1)
        self.assert_refused("conesweep: another run is working in r; wait for it, or choose another folder with --out\n", *self.command("r", "--resume")[1:], code=3)
        self.assert_refused("conesweep: another run is working in r; wait for it, or choose another folder with --out\n", *self.command("r", "--force")[1:], code=3)
        process.wait(timeout=60)
        self.assert_whole("r")


class Disks(KillTest):
    """A disk of our own, in a name space of our own: nothing stays if we die. Root may have one, others where the system lets them be root in it."""

    @classmethod
    def setUpClass(cls):
        reasons = []
        for how in (["unshare", "-m"], ["unshare", "-rm"]):
            try:
                done = subprocess.run([*how, "sh", "-c", "mount -t tmpfs -o size=4k tmpfs /tmp && mount -o remount,ro /tmp && mount -o remount,rw /tmp"],
                                      capture_output=True, timeout=60)
            except FileNotFoundError as error:
                raise unittest.SkipTest(f"no disk can be mounted here: {error}")
            if done.returncode == 0:
                cls.alone = how
                return
            reasons.append(" ".join(done.stderr.decode().split()))
        raise unittest.SkipTest("no disk can be mounted here: " + "; ".join(reasons))

    def run_on_disk(self, script, size):
        text = f"""
            set -u
            mkdir disk && mount -t tmpfs -o size={size} tmpfs disk || exit 79
            start() {{ "{product_program.PROGRAM}" run crowd.toml --backend cpu --threads 1 --chunk 4096 --quiet --out disk/r "$@"; }}
            wait_for_chunks() {{ until [ "$(ls disk/r/chunks 2>/dev/null | grep -c 'chunk$')" -ge "$1" ]; do kill -0 $! 2>/dev/null || exit 78; sleep 0.01; done; }}
        """
        done = subprocess.run([*self.alone, "bash", "-c", textwrap.dedent(text) + textwrap.dedent(script)], cwd=self.folder, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout.decode() + done.stderr.decode())
        return done.stdout.decode(), done.stderr.decode()

    def test_that_fill_up_on_the_way(self):
        _, err = self.run_on_disk("""
            start & wait_for_chunks 3
            head -c 200M /dev/zero > disk/ballast 2>/dev/null
            wait $!; [ $? = 3 ] || exit 1
            [ ! -e disk/r/summary.json ] && [ ! -e disk/r/results.h5 ] && ls disk/r/chunks/*.chunk > /dev/null || exit 2
            ! ls disk/r/chunks/*.tmp > /dev/null 2>&1 || exit 3
            rm disk/ballast
            start --resume || exit 4
            cp -r disk/r r
        """, "80m")
        self.assertRegex(err, r"^conesweep: cannot write disk/r/chunks/\S+: No space left on device; the \d+ chunks before are kept: go on with --resume when that is mended\n$")
        self.assert_whole("r")

    def test_that_fill_up_before_the_results_are_written(self):
        # all chunks there, no room for results.h5
        _, err = self.run_on_disk("""
            start & wait_for_chunks 18
            head -c 200M /dev/zero > disk/ballast 2>/dev/null
            rm -f disk/nothing; wait $!; code=$?
            rm disk/ballast
            [ $code = 3 ] || exit 1
            [ ! -e disk/r/summary.json ] || exit 2
            start --resume || exit 4
            cp -r disk/r r
        """, "80m")
        self.assertIn("No space left on device", err)
        self.assertEqual(err.count("\n"), 1)
        self.assert_whole("r")

    def test_that_are_too_small_from_the_start(self):
        _, err = self.run_on_disk("start; [ $? = 3 ] || exit 1; [ -z \"$(ls disk)\" ] || exit 2", "8m")
        self.assertRegex(err, r"^conesweep: disk/r will need about [\d.]+ MB, but only 8.39 MB are free there; make room, choose another folder with --out, or ask for fewer members or trajectories\n$")

    def test_that_become_read_only_on_the_way(self):
        _, err = self.run_on_disk("""
            start & wait_for_chunks 3
            until mount -o remount,ro disk 2>/dev/null; do :; done
            wait $!; [ $? = 3 ] || exit 1
            [ ! -e disk/r/summary.json ] || exit 2
            mount -o remount,rw disk
            start --resume || exit 4
            cp -r disk/r r
        """, "80m")
        self.assertRegex(err, r"^conesweep: cannot write disk/r/chunks/\S+: Read-only file system; the \d+ chunks before are kept: go on with --resume when that is mended\n$")
        self.assert_whole("r")

    def test_that_are_read_only_from_the_start(self):
        _, err = self.run_on_disk("mkdir disk/r; mount -o remount,ro disk; start; [ $? = 3 ]", "80m")
        self.assertRegex(err, r"^conesweep: cannot write disk/r/\S+: Read-only file system\n$")


if __name__ == "__main__":
    product_program.main(__doc__)
