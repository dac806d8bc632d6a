"""Nothing of the user's is deleted and nothing foreign runs: the cache of compiled models, from outside. Run by ctest, one test class at a time:

    python3 cache_test.py --program build/bin/conesweep --source . ClassName
"""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "product"))
import product_program
from product_program import ProductTest, SLIDER

BOUND = 256 << 20  # bytes, of the cache
# compiles for some seconds: long enough to be killed on the way
LARGE = SLIDER.replace("[record]", "".join(f'o{k} = {{ max = "sin(x * {k + 1}) + cos(y - {k + 1})" }}\n' for k in range(200)) + "[record]")


class CacheTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.write("slider.toml", SLIDER)
        self.write("large.toml", LARGE)
        (self.folder / "tmp").mkdir()
        self.environment = {key: value for key, value in os.environ.items() if key not in ("CONESWEEP_CACHE", "XDG_CACHE_HOME", "HOME")}
        self.environment["TMPDIR"] = str(self.folder / "tmp")

    def run_cpu(self, scenario="slider.toml", **variables):
        out, _ = self.run_program("run", scenario, "--backend", "cpu", "--members", "8", "--no-step-check", "--force", "--out", "r", env={**self.environment, **variables})
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], "something is left in TMPDIR")
        return re.search(r"^executor: cpu \((.*)\), ", out, re.MULTILINE).group(1)

    def start(self, scenario, **variables):
        return subprocess.Popen([product_program.PROGRAM, "run", scenario, "--backend", "cpu", "--members", "8", "--force", "--quiet", "--out", "r"], cwd=self.folder,
                                env={**self.environment, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Cache(CacheTest):
    def test_deletes_nothing_of_the_users(self):
        # a folder with more than the bound of the cache in it, all of it older than what comes
        mine = self.folder / "mine"
        (mine / "deep").mkdir(parents=True)
        files = [mine / name for name in ("thesis.tex", "data.so", "x.ptx", "a" * 32 + ".so", "deep/photo.jpg")]
        for file in files:
            file.write_bytes(b"mine")
            os.truncate(file, BOUND)
            os.utime(file, (1e9, 1e9))
        for scenario in ("slider.toml", "large.toml"):
            self.assertEqual(self.run_cpu(scenario, CONESWEEP_CACHE=str(mine)), "asked for")
        for file in files:
            self.assertEqual(file.stat().st_size, BOUND)
        self.assertEqual(sorted(p.name for p in mine.iterdir()), sorted(["conesweep-models", "deep", "thesis.tex", "data.so", "x.ptx", "a" * 32 + ".so"]))
        self.assertEqual(len(list((mine / "conesweep-models").iterdir())), 2)

    def test_without_a_name_nothing_is_kept_where_others_can_guess_it(self):
        reason = self.run_cpu()
        self.assertEqual(reason, "asked for; compiled models are not kept: neither CONESWEEP_CACHE nor XDG_CACHE_HOME nor HOME names a folder")

    def test_a_planted_object_is_not_run(self):
        # whatever name it has, in a folder that every user can write: the object of another model, moved to this one's name
        cache = self.folder / "cache"
        self.run_cpu(CONESWEEP_CACHE=str(cache))
        entry, = (cache / "conesweep-models").glob("*.so")
        source = self.write("evil.cpp", '#include <fstream>\nstruct Evil { Evil() { std::ofstream("/%s/pwned") << "x"; } } evil;\n' % str(self.folder).strip("/"))
        subprocess.run(["g++", "-shared", "-fPIC", "-o", entry, source], check=True)
        for mode in (0o777, 0o1777):
            cache.chmod(mode)
            self.run_cpu(CONESWEEP_CACHE=str(cache))
            self.assertFalse((self.folder / "pwned").exists())
        if os.geteuid() == 0:  # an object with a right seal, but of another user
            cache.chmod(0o1777)
            self.run_cpu(CONESWEEP_CACHE=str(cache))
            os.chown(cache / "conesweep-models", 12345, 12345)
            self.assertIn("belongs to another user", self.run_cpu(CONESWEEP_CACHE=str(cache)))

    def test_a_fifo_in_place_of_an_object_does_not_hang(self):
        cache = self.folder / "cache"
        self.run_cpu(CONESWEEP_CACHE=str(cache))
        entry, = (cache / "conesweep-models").glob("*.so")
        entry.unlink()
        os.mkfifo(entry)
        self.run_cpu(CONESWEEP_CACHE=str(cache))
        self.assertTrue(entry.is_file())

    def test_serves_containers_with_equal_process_ids(self):
        if subprocess.run(["unshare", "--pid", "--fork", "true"], capture_output=True).returncode != 0:
            self.skipTest("no process namespaces here")
        command = ["unshare", "--pid", "--fork", "--mount-proc", product_program.PROGRAM, "run", "slider.toml", "--backend", "cpu", "--members", "8", "--quiet", "--no-step-check", "--out"]
        for round in range(3):
            cache = self.folder / f"cache{round}"
            runs = [subprocess.Popen([*command, f"r{round}.{k}"], cwd=self.folder, env={**self.environment, "CONESWEEP_CACHE": str(cache)}, stderr=subprocess.PIPE) for k in range(4)]
            for run in runs:
                self.assertEqual((run.communicate()[1], run.returncode), (b"", 0))
            self.assertEqual(len(list((cache / "conesweep-models").iterdir())), 1)


class Compiling(CacheTest):
    def compilers(self):
        """Processes that work in our cache."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd").startswith(str(self.folder / "cache")) and (process / "stat").read_text().split(")")[1].split()[0] != "Z":
                    found.append(process.name)
            except OSError:
                pass
        return found

    def wait(self, condition, what):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def interrupt(self, signal_number):
        cache = str(self.folder / "cache")
        process = self.start("large.toml", CONESWEEP_CACHE=cache)
        self.addCleanup(process.stderr.close)
        self.wait(lambda: len(self.compilers()) > 2, "no compiler came")
        process.send_signal(signal_number)
        start = time.monotonic()
        process.wait(timeout=60)
        self.wait(lambda: not self.compilers(), "the compiler goes on")
        self.assertLess(time.monotonic() - start, 10)
        return process

    def test_a_killed_program_takes_its_compiler_along_and_its_leavings_are_swept(self):
        self.assertEqual(self.interrupt(signal.SIGKILL).returncode, -signal.SIGKILL)
        models = self.folder / "cache" / "conesweep-models"
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        self.assertEqual([p.name[:5] for p in models.iterdir()], ["work-"])
        self.run_cpu(CONESWEEP_CACHE=str(self.folder / "cache"))
        self.assertEqual([p.suffix for p in models.iterdir()], [".so"])

    def test_ctrl_c_ends_it_at_once_and_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.interrupt(number)
            self.assertEqual((process.returncode, process.stderr.read()), (130, b"conesweep: interrupted; nothing was written\n"))
            self.assertEqual(list((self.folder / "cache" / "conesweep-models").iterdir()), [])

    def test_shows_time_and_memory_on_a_terminal(self):
        near, far = pty.openpty()
        process = subprocess.Popen([product_program.PROGRAM, "run", "large.toml", "--backend", "cpu", "--members", "8", "--out", "r"], cwd=self.folder,
                                   env={**self.environment, "CONESWEEP_CACHE": str(self.folder / "cache")}, stdout=subprocess.DEVNULL, stderr=far)
        os.close(far)
        shown = b""
        try:
            while select.select([near], [], [], 120)[0]:
                shown += os.read(near, 4096)
        except OSError:
            pass  # the program has ended
        os.close(near)
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertRegex(shown.decode(), r"\r\x1b\[Kcompiling the model … \d+ s, [\d.]+ [MG]B of memory")


if __name__ == "__main__":
    product_program.main(__doc__)
