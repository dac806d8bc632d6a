"""Files that a user names: nothing of his goes, what is not whole is not there, pipes and devices stay what they are.

    python3 writing_test.py --program build/bin/conesweep --source . ClassName
"""
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
import unittest

import trust_program as trust
from hostile_test import BALL
from trust_program import TrustTest

LONG = BALL.replace("end = 1.0\nstep = 0.01", "end = 1e5\nstep = 1e-3")
CONVERGE = ("converge", "long.toml", "--backend", "reference", "--members", 4, "--out", "study", "--quiet")
MLMC = ("mlmc", "long.toml", "--backend", "reference", "--observable", "first_contact", "--rmse", "1e-9", "--out", "study", "--quiet")


class WritingTest(TrustTest):
    @classmethod
    def setUpClass(cls):
        cls.shelf = tempfile.TemporaryDirectory()
        cls.whole = pathlib.Path(cls.shelf.name) / "r"

    @classmethod
    def tearDownClass(cls):
        cls.shelf.cleanup()

    def setUp(self):
        super().setUp()
        self.write("ball.toml", BALL)
        self.write("long.toml", LONG)
        if not self.whole.exists():
            self.run_program("run", "ball.toml", "--backend", "reference", "--no-step-check", "--quiet", "--out", self.whole)
        shutil.copytree(self.whole, self.folder / "r")

    # every command that writes a file under a name of the user's
    def writers(self, stem):
        return {
            f"{stem}.csv": ("export", "r", "--csv", "--out", f"{stem}.csv"),
            f"{stem}.html": ("report", "r", "--out", f"{stem}.html"),
            f"{stem}.svg": ("plot", "r", "histogram", "--out", f"{stem}.svg"),
            f"{stem}.txt": ("trace", "ball.toml", "--out", f"{stem}.txt"),
            f"{stem}.toml": ("new", f"{stem}.toml"),
        }

    def names(self):
        return sorted(os.listdir(self.folder))


class Names(WritingTest):
    def test_beside_a_file_stay(self):
        for name, command in self.writers("mine").items():
            with self.subTest(command[0]):
                other = self.write(name + ".part", "mine")
                self.run_program(*command)
                self.assertEqual(other.read_text(), "mine")
                other.unlink()
                # and what they lead to
                kept = self.write("kept", "mine")
                other.symlink_to("kept")
                self.run_program(*command, "--force")
                self.assertEqual((kept.read_text(), os.readlink(other)), ("mine", "kept"))
                other.unlink()

    def test_that_are_links_lead_on(self):
        (self.folder / "elsewhere").mkdir()
        for name, command in self.writers("link").items():
            with self.subTest(command[0]):
                target = self.write("elsewhere/" + name, "before")
                target.chmod(0o600)
                (self.folder / name).symlink_to("elsewhere/" + name)
                self.run_program(*command, "--force")
                self.assertTrue((self.folder / name).is_symlink())
                self.assertNotEqual(target.read_text(), "before")
                self.assertEqual(target.stat().st_mode & 0o777, 0o600)
                target.unlink()
                _, err = self.run_program(*command, "--force", code=2)
                self.assertIn("is a link that leads nowhere; remove it, or choose another name", err)
                self.assertFalse(target.exists())

    def test_of_folders_are_refused(self):
        for name, command in self.writers("folder").items():
            (self.folder / name).mkdir()
            _, err = self.run_program(*command, "--force", code=2)
            self.assertIn(name + " is a folder; give the name of a file", err)

    def test_of_figures_that_another_program_makes_are_given_by_us(self):
        # one that writes what it read, in place of librsvg's
        (self.folder / "bin").mkdir()
        self.write("bin/rsvg-convert", '#!/bin/sh\nfor word in "$@"; do case "$word" in --output=*) out="${word#--output=}";; esac; last="$word"; done\ncat "$last" > "$out"\n').chmod(0o755)
        env = trust.environment(PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", TMPDIR=self.folder / "tmp")
        (self.folder / "tmp").mkdir()
        for name in ("f.pdf.part.svg", "f.pdf.part.log", "f.pdf.part"):
            self.write(name, "mine")
        before = self.names()
        self.run_program("plot", "r", "histogram", "--out", "f.pdf", env=env)
        self.run_program("plot", "r", "histogram", "--out", "f.svg", env=env)
        self.assertEqual((self.folder / "f.pdf").read_bytes(), (self.folder / "f.svg").read_bytes())
        self.assertEqual(self.names(), sorted([*before, "f.pdf", "f.svg"]))
        self.assertEqual({(self.folder / name).read_text() for name in ("f.pdf.part.svg", "f.pdf.part.log", "f.pdf.part")}, {"mine"})
        self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def test_that_are_there_need_force(self):
        for name, command in self.writers("mine").items():
            self.write(name, "mine")
            _, err = self.run_program(*command, code=2)
            self.assertIn(name, err)
            self.assertEqual((self.folder / name).read_text(), "mine")
            self.run_program(*command, "--force")
            self.assertNotEqual((self.folder / name).read_text(), "mine")


class Pipes(WritingTest):
    def test_are_written_through(self):
        for name, command in self.writers("pipe").items():
            with self.subTest(command[0]):
                whole, _ = self.folder / ("file-" + name), self.run_program(*[str(word).replace("pipe", "file-pipe") for word in command])
                os.mkfifo(self.folder / name)
                read = []
                reader = threading.Thread(target=lambda: read.append((self.folder / name).read_bytes()), daemon=True)
                reader.start()
                self.run_program(*command, *(["--force"] if command[0] == "new" else []))
                reader.join(20)
                self.assertTrue(stat.S_ISFIFO((self.folder / name).stat().st_mode))
                self.assertEqual(read, [whole.read_bytes()])

    @unittest.skipUnless(os.geteuid() == 0, "only root makes devices")
    def test_and_devices_stay_what_they_are(self):
        for name, command in self.writers("device").items():
            with self.subTest(command[0]):
                try:
                    os.mknod(self.folder / name, 0o666 | stat.S_IFCHR, os.makedev(1, 3))  # as /dev/null
                    (self.folder / name).read_bytes()
                except OSError:
                    self.skipTest("no devices on this file system")
                self.run_program(*command, "--force")
                self.assertTrue(stat.S_ISCHR((self.folder / name).lstat().st_mode))
                link = self.folder / ("link-" + name)
                link.symlink_to(name)
                self.run_program(*[str(word).replace("device", "link-device") for word in command], "--force")
                self.assertTrue(link.is_symlink() and stat.S_ISCHR(link.stat().st_mode))


class Cut(WritingTest):
    """A file that is not whole is none."""

    def test_by_a_full_disk(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

        for name, command in self.writers("cut").items():
            with self.subTest(command[0]):
                before = self.names()
                _, err = self.run_program(*command, code=3, preexec_fn=small)
                self.assertIn("File too large", err)
                self.assertEqual(self.names(), before)
                self.write(name, "mine")
                self.run_program(*command, "--force", code=3, preexec_fn=small)
                self.assertEqual((self.folder / name).read_text(), "mine")
                self.assertEqual(self.names(), sorted([*before, name]))
                (self.folder / name).unlink()

    def start(self, *arguments, env=None, **more):
        process = subprocess.Popen([trust.OPTIONS.program, *map(str, arguments)], cwd=self.folder, env=env or trust.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and (process.kill(), process.wait()))
        return process

    def end(self, process, which, after=0.7):
        try:
            process.wait(after)
            self.fail(("ended before", process.stderr.read()))
        except subprocess.TimeoutExpired:
            process.send_signal(which)
        process.wait(30)
        return process.returncode

    def test_by_a_signal(self):
        before = self.names()
        for which in (signal.SIGHUP, signal.SIGTERM, signal.SIGKILL):
            for command in (("trace", "long.toml", "--out", "t.csv"), CONVERGE, MLMC):
                with self.subTest(f"{which.name}, {command[0]}"):
                    self.assertIn(self.end(self.start(*command), which), (130, -which))
                    if (self.folder / "study").exists():
                        self.assertEqual(os.listdir(self.folder / "study"), [])
                        (self.folder / "study").rmdir()
                    self.assertEqual(self.names(), before)

    def test_a_hangup_is_heard_as_an_interrupt_unless_nobody_wants_to_hear_it(self):
        process = self.start("run", "long.toml", "--backend", "reference", "--out", "cut")
        self.assertEqual(self.end(process, signal.SIGHUP), 130)
        self.assertIn(b"interrupted", process.stderr.read())
        self.assertFalse((self.folder / "cut").exists())

        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        process = self.start("run", "long.toml", "--backend", "reference", "--out", "on", preexec_fn=ignore)
        time.sleep(0.7)
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "nohup is not respected")


class WithoutNamelessFiles(Cut):
    """The same where the file system has no files without names: names of ours, and locks."""

    def setUp(self):
        super().setUp()
        compiler = shutil.which("cc") or shutil.which("c++")
        if compiler is None:
            self.skipTest("no compiler for the shim")
        shim = self.whole.parent / "shim.so"
        if not shim.exists():
            source = self.whole.parent / "shim.c"
            source.write_text("#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <stdarg.h>\n"
                              "#define SHIM(name) int name(const char* path, int flags, ...) { va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \\\n"
                              "  if ((flags & O_TMPFILE) == O_TMPFILE) { errno = EOPNOTSUPP; return -1; } \\\n"
                              "  return ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); }\nSHIM(open)\nSHIM(open64)\n")
            subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
        self.env = trust.environment(LD_PRELOAD=shim)

    def run_program(self, *arguments, **more):
        return super().run_program(*arguments, **{"env": getattr(self, "env", None), **more})

    def start(self, *arguments, **more):
        return super().start(*arguments, **{"env": self.env, **more})

    def study(self):
        return os.listdir(self.folder / "study") if (self.folder / "study").exists() else []

    def test_by_a_signal(self):
        for command in (CONVERGE, MLMC):
            with self.subTest(command[0]):
                self.end(self.start(*command), signal.SIGKILL)
                self.assertRegex(" ".join(self.study()), r"^\.conesweep-[0-9a-f]{16}$")
                self.write("study/.conesweep-notes", "mine")
                # the next one cleans up
                self.run_program("converge", "ball.toml", "--backend", "reference", "--levels", 3, "--out", "study", "--quiet", "--force")
                self.assertEqual(sorted(self.study()), [".conesweep-notes", "converge.json"])
                shutil.rmtree(self.folder / "study")

    def test_a_run_cleans_up_after_the_dead_and_not_after_the_living(self):
        dead = self.start(*CONVERGE)
        self.end(dead, signal.SIGKILL)
        left = self.study()
        living = self.start("converge", "ball.toml", "--backend", "reference", "--levels", 3, "--members", 3000, "--out", "study", "--quiet")
        while len(self.study()) < 1 or self.study() == left:
            self.assertIsNone(living.poll(), "it ended too soon")
            time.sleep(0.01)
        living.send_signal(signal.SIGSTOP)
        self.assertEqual(len(self.study()), 1, "the second one cleaned up after the first")
        self.run_program("run", "ball.toml", "--backend", "reference", "--no-step-check", "--quiet", "--out", "study")
        self.assertEqual(sum(name.startswith(".conesweep-") for name in self.study()), 1)
        living.send_signal(signal.SIGCONT)
        self.assertEqual(living.wait(120), 0, living.stderr.read())
        self.assertEqual(sorted(self.study()), ["converge.json", "results.h5", "scenario.toml", "summary.json"])

    def test_a_hangup_is_heard_as_an_interrupt_unless_nobody_wants_to_hear_it(self):
        self.end(self.start("trace", "long.toml", "--out", "t.csv"), signal.SIGHUP)
        self.assertEqual([name for name in self.names() if name.startswith((".conesweep", "t.csv"))], [])


class Living(Cut):
    """What works in a folder while a run cleans up there."""
    test_by_a_full_disk = test_by_a_signal = test_a_hangup_is_heard_as_an_interrupt_unless_nobody_wants_to_hear_it = None

    def test_ends_well(self):
        living = self.start("converge", "ball.toml", "--backend", "reference", "--levels", 3, "--members", 3000, "--out", "study", "--quiet")
        while not (self.folder / "study").exists():
            time.sleep(0.01)
        time.sleep(0.1)
        living.send_signal(signal.SIGSTOP)
        self.assertIsNone(living.poll(), "it ended too soon")
        self.run_program("run", "ball.toml", "--backend", "reference", "--no-step-check", "--quiet", "--out", "study")
        living.send_signal(signal.SIGCONT)
        self.assertEqual(living.wait(120), 0, living.stderr.read())
        self.assertEqual(sorted(os.listdir(self.folder / "study")), ["converge.json", "results.h5", "scenario.toml", "summary.json"])


if __name__ == "__main__":
    trust.main()
