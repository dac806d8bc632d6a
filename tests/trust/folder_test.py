"""What a run folder is trusted for: locks, chunks, checksums, files of others. Run by ctest, one test class at a time:

    python3 folder_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "product"))
import kill_test
import product_program
from kill_test import KillTest
from product_program import ProductTest, SLIDER
from seals import checksum

EVERYTHING = "CONESWEEP_ALL" in os.environ


class Locks(KillTest):
    def shim(self, error):
        """A library that makes flock fail, as some file systems of clusters do."""
        compiler = shutil.which("cc") or shutil.which("c++")
        if compiler is None:
            self.skipTest("no compiler for the shim")
        self.write("shim.c", f"#include <errno.h>\nint flock(int file, int how) {{ (void)file; (void)how; errno = {error}; return -1; }}\n")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", "shim.so", "shim.c"], cwd=self.folder, check=True)
        return {**os.environ, "LD_PRELOAD": str(self.folder / "shim.so")}

    def test_that_do_not_work_end_the_run_before_it_begins(self):
        for error, words in [("ENOSYS", "Function not implemented"), ("ENOLCK", "No locks available"), ("EOPNOTSUPP", "Operation not supported")]:
            with self.subTest(error):
                out, err = self.run_program(*self.command("r")[1:], code=3, env=self.shim(error))
                self.assertEqual((out, err), ("", f"conesweep: cannot lock r: {words}; its file system has no locks, and without them two runs could mix in one folder: "
                                                  "choose one on another file system with --out\n"))
                self.assertFalse((self.folder / "r").exists())

    def test_or_not_a_chunk_of_another_seed_is_never_shown_as_ours(self):
        # another run's chunk takes the place of ours while we work
        process = self.start("other", "--seed", "6")
        self.wait_for_chunks(process, "other", 1)
        self.kill(process)
        process = self.start("r")
        self.wait_for_chunks(process, "r", 2)
        process.send_signal(signal.SIGSTOP)
        (self.folder / "r/chunks/0-4096.chunk").write_bytes((self.folder / "other/chunks/0-4096.chunk").read_bytes())
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3)
        self.assertRegex(err.decode(), r"^conesweep: the chunk r/chunks/0-4096.chunk is of another run, which has worked here meanwhile; ")
        self.assertFalse((self.folder / "r/summary.json").exists())
        self.run_program(*self.command("r", "--resume")[1:])
        self.assert_whole("r")


class Chunks(KillTest):
    HEADER, SECTION = struct.Struct("<16sQqqdQQ"), struct.Struct("<5Q")

    def begin(self):
        process = self.start("r")
        self.wait_for_chunks(process, "r", 4)
        self.kill(process)
        return self.chunks("r")[0]

    def forge(self, path, change):
        """A chunk whose checksums fit, and whose header or sections lie."""
        data = path.read_bytes()
        header = list(self.HEADER.unpack_from(data))
        sections = [list(section) for section in self.SECTION.iter_unpack(data[self.HEADER.size:self.HEADER.size + header[5] * self.SECTION.size])]
        body = data[self.HEADER.size + header[5] * self.SECTION.size:]
        change(header, sections)
        packed = b"".join(self.SECTION.pack(*section) for section in sections)
        header[6] = 0
        header[6] = checksum(packed, checksum(self.HEADER.pack(*header)))
        path.write_bytes(self.HEADER.pack(*header) + packed + body)

    def assert_done_again(self, path):
        out, _ = self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "r", "--resume")
        self.assertIn("1 chunk was not as written, and will be done again\n", out)
        self.assert_whole("r")

    def test_that_are_pipes_are_not_waited_for(self):
        path = self.begin()
        path.unlink()
        os.mkfifo(path)
        self.assert_done_again(path)

    def test_of_forged_sizes_are_done_again(self):
        def larger(header, sections):
            sections[0][3] = 1 << 40

        def odd(header, sections):
            sections[0][3] -= 3  # no whole number of values

        def elsewhere(header, sections):
            sections[0][2] = 1 << 62

        def fewer(header, sections):
            header[5] -= 1
            sections.pop()

        def wide(header, sections):
            header[3] = (1 << 62) - 1

        def strange(header, sections):
            sections[-1][0] = 99

        for change in [larger, odd, elsewhere, fewer, wide, strange]:
            with self.subTest(change.__name__):
                path = self.begin()
                self.forge(path, lambda header, sections: None)
                before = path.read_bytes()
                self.forge(path, change)
                self.assertNotEqual(path.read_bytes(), before)
                self.assert_done_again(path)
                shutil.rmtree(self.folder / "r")

    def test_that_somebody_removes_are_not_promised(self):
        process = self.start("r")
        self.wait_for_chunks(process, "r", 3)
        process.send_signal(signal.SIGSTOP)
        shutil.rmtree(self.folder / "r")
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3)
        self.assertRegex(err.decode(), r"^conesweep: cannot write r/chunks/\S+: No such file or directory\n$")


# steps so many that a few members take a second
LONG = """[model]
coordinates = ["x"]
force = ["-k*x"]
[model.parameters]
k = 1.0
[start]
x = "1"
[time]
end = 1.0
step = 2e-8
[ensemble]
members = 64
[vary]
k = { uniform = [1, 2] }
[observe]
reach = { min = "x" }
[record]
members = 3
every = 10000000
"""


class LongMembers(ProductTest):
    def test_few_as_they_are_leave_chunks(self):
        self.write("long.toml", LONG)
        run = ["run", "long.toml", "--backend", "cpu", "--quiet", "--no-step-check", "--out"]
        process = subprocess.Popen([product_program.PROGRAM, *run, "r", "--threads", "1"], cwd=self.folder)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        chunks = self.folder / "r" / "chunks"
        while not chunks.exists() or len(list(chunks.glob("*.chunk"))) < 2:
            self.assertIsNone(process.poll(), "the run ended before two chunks were there")
            time.sleep(0.01)
        process.kill()
        process.wait()
        kept = {path.name: path.stat().st_mtime_ns for path in chunks.glob("*.chunk")}
        finished = sum(int(name.split(".")[0].split("-")[1]) - int(name.split("-")[0]) for name in kept)
        self.assertLess(finished, 64)
        loud = [word for word in run if word != "--quiet"]
        process = subprocess.Popen([product_program.PROGRAM, *loud, "r", "--threads", "1", "--resume"], cwd=self.folder, stdout=subprocess.PIPE)
        seen = {}
        while process.poll() is None:  # what is there stays as it is until the run is whole
            for path in list(chunks.glob("*.chunk")):
                try:
                    seen.setdefault(path.name, path.stat().st_mtime_ns)
                except FileNotFoundError:
                    pass
            time.sleep(0.01)
        out = process.communicate()[0].decode()
        self.assertIn(f"going on: {finished} members are there already\n", out)
        self.assertEqual({name: seen[name] for name in kept}, kept)
        self.assertEqual(process.returncode, 0)
        # other pieces, the same bits
        self.run_program(*run, "whole", "--threads", "2")
        self.assertEqual((self.folder / "r/results.h5").read_bytes(), (self.folder / "whole/results.h5").read_bytes())
        self.assertEqual(kill_test.without_timing(self.folder / "r"), kill_test.without_timing(self.folder / "whole"))


class Corruption(ProductTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", "mu,n\n" + "".join(f"{0.1 + 0.001 * k},{k}\n" for k in range(300)))
        self.write("s.toml", SLIDER.replace("mu = { uniform = [0.1, 0.6] }", 'mu = { table = "t.csv:mu" }'))
        self.run_program("run", "s.toml", "--backend", "cpu", "--quiet", "--no-step-check", "--out", "r")

    def ask(self, *arguments):
        done = subprocess.run([product_program.PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=120)
        self.assertIn(done.returncode, (0, 1, 2, 3), done.stderr)
        self.assertNotIn(b"[json.exception", done.stderr)
        self.assertNotIn(b"filesystem error", done.stderr)
        return done.returncode, done.stdout

    def test_of_any_bit_is_refused_or_changes_nothing_that_is_read(self):
        readers = [("sensitivity", "r", "--json"), ("run", "s.toml", "--backend", "cpu", "--no-step-check", "--out", "r", "--resume", "--quiet")]
        before = {reader: self.ask(*reader) for reader in readers}
        self.assertTrue(all(code == 0 for code, _ in before.values()))
        chance = random.Random(7)
        figures = {}
        for name in ["results.h5", "summary.json", "scenario.toml"]:
            path = self.folder / "r" / name
            whole = path.read_bytes()
            for k in range(2000 if EVERYTHING else 64):
                data = bytearray(whole)
                bit = chance.randrange(8 * len(data))
                data[bit // 8] ^= 1 << bit % 8
                path.write_bytes(data)
                for reader in readers:
                    code, out = self.ask(*reader)
                    refused = code >= 2 and out == b""
                    self.assertTrue(refused or (code, out) == before[reader], f"bit {bit} of {name} goes unnoticed by {reader[0]}")
                    figures[name, reader[0], refused] = figures.get((name, reader[0], refused), 0) + 1
            path.write_bytes(whole)
        self.assertNotIn(("results.h5", "sensitivity", False), figures)
        for (name, reader, refused), count in sorted(figures.items()):
            print(f"{name}: {count} flipped bits {'refused' if refused else 'change nothing'} by {reader}")

    def test_of_a_whole_file_is_refused(self):
        self.run_program("run", "s.toml", "--backend", "cpu", "--quiet", "--no-step-check", "--seed", "6", "--out", "other")
        for name, data in [("results.h5", b""), ("results.h5", (self.folder / "other/results.h5").read_bytes()), ("summary.json", b"{}"), ("summary.json", b"[1"),
                           ("summary.json", (self.folder / "other/summary.json").read_bytes())]:
            with self.subTest(f"{name}, {len(data)} bytes"):
                path = self.folder / "r" / name
                whole = path.read_bytes()
                path.write_bytes(data)
                code, out = self.ask("sensitivity", "r")
                self.assertTrue(code in (2, 3) and out == b"")
                path.write_bytes(whole)


class Forced(ProductTest):
    def test_runs_leave_what_no_run_wrote(self):
        self.write("s.toml", SLIDER)
        run = ["run", "s.toml", "--backend", "cpu", "--no-step-check", "--out", "r"]
        self.run_program(*run, "--quiet")
        self.write("r/report.html", "<p>my notes")
        _, err = self.run_program(*run, "--force", "--json")
        self.assertEqual(err, "conesweep: report.html in r is not from conesweep and was left as it is; it does not tell of this run\n")
        self.assertEqual((self.folder / "r/report.html").read_text(), "<p>my notes")
        for name in ["results.h5", "scenario.toml", "summary.json"]:
            with self.subTest(name):
                whole = (self.folder / "r" / name).read_bytes()
                self.write(f"r/{name}", "mine")
                self.assert_refused(f"conesweep: the run would overwrite {name} in r, which no run wrote; move it, or choose another folder with --out\n", *run, "--force", "--quiet")
                self.assertEqual((self.folder / "r" / name).read_text(), "mine")
                (self.folder / "r" / name).write_bytes(whole)
        self.run_program(*run, "--force", "--quiet")


class Limits(ProductTest):
    def test_of_chunks_are_said(self):
        self.write("s.toml", SLIDER)
        for chunk in [2**63 - 1, 2**63 - 4096, 2**62]:
            self.assert_refused(f"conesweep: --chunk: '{chunk}' is not a whole number from 0 to 9e15\n", "run", "s.toml", "--chunk", str(chunk))
        self.assert_refused("conesweep: --chunk: at most 4096000000000 members are possible, got 8000000000000\n", "run", "s.toml", "--chunk", "8e12")
        self.run_program("run", "s.toml", "--backend", "cpu", "--quiet", "--chunk", "4096000000000")

    def test_of_file_sizes_are_refusals(self):
        self.write("s.toml", SLIDER.replace("members = 300", "members = 20000"))
        _, err = self.run_program("run", "s.toml", "--backend", "cpu", "--quiet", "--out", "r", code=3,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000)))
        self.assertRegex(err, r"^conesweep: cannot write r/chunks/\S+: File too large\n$")
        self.assertFalse((self.folder / "r").exists())

    def test_of_plans_have_no_sign(self):
        self.write("s.toml", SLIDER.replace("members = 7\n", "members = 1099511627776\n").replace("every = 3", "every = 1").replace("step = 0.01", "step = 1e-7"))
        out, _ = self.run_program("plan", "s.toml", "--json", "--quiet", "--members", "1099511627776")
        plan = json.loads(out)
        numbers = [plan["results_bytes"], plan["disk_bytes"], *(value for executor in plan["executors"].values() for value in executor.values())]
        self.assertTrue(all(number > 0 for number in numbers), numbers)

    def test_of_a_delay_are_the_run(self):
        self.write("s.toml", SLIDER.replace("tau = { uniform = [0.05, 0.4] }", "").replace("tau = 0.2", "tau = 1e9"))
        out, _ = self.run_program("plan", "s.toml", "--json", "--quiet")
        plan = json.loads(out)
        self.assertEqual(plan["history_nodes"], 202)  # 200 steps
        self.assertLess(plan["executors"]["cpu"]["bytes_in_flight"], 1e7)
        self.run_program("run", "s.toml", "--backend", "cpu", "--quiet")


if __name__ == "__main__":
    product_program.main(__doc__)
