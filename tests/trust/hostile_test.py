"""Hostile and broken input: refused with a sentence, in bounded time and memory, never by a crash."""
import os
import pty
import re
import resource
import subprocess
import threading
import time
import unittest

import trust_program as trust
from trust_program import TrustTest

BALL = """title = "ball"
[model]
coordinates = ["y"]
force = ["-9.81"]
[model.parameters]
a = 1.0
[[model.contact]]
inside = "y >= 0"
[start]
y = "a"
[time]
end = 1.0
step = 0.01
[ensemble]
members = 16
[vary]
a = { uniform = [0.5, 1.5] }
"""


class Files(TrustTest):
    def refuse(self, path, *words, seconds=20, **more):
        start = time.monotonic()
        text = "".join(self.run_program("check", path, code=2, seconds=seconds, **more))
        for word in words:
            self.assertIn(word, text)
        return text, time.monotonic() - start

    def test_a_pipe_without_end_is_not_read_on(self):
        self.refuse("/dev/zero", "/dev/zero has more than 4 MB; this is no scenario")
        endless = subprocess.Popen(["yes", "a = 1"], stdout=subprocess.PIPE)
        self.refuse("/proc/self/fd/0", "more than 4 MB", stdin=endless.stdout)
        endless.stdout.close()
        endless.wait()

    def test_libraries_in_the_current_folder_are_not_loaded(self):
        listed = subprocess.run(["ldd", str(trust.OPTIONS.program)], capture_output=True, text=True, check=True).stdout
        names = re.findall(r"^\s*(\S+) =>", listed, re.M)
        self.assertIn("libstdc++.so.6", names)
        for name in names:
            self.write(name, "no library")
        self.write("ball.toml", BALL)
        self.run_program("check", "ball.toml")
        self.run_program("run", "ball.toml", "--backend", "cpu", "--members", "2", "--quiet")

    def test_a_file_of_more_than_4_mb_is_refused(self):
        self.write("large.toml", BALL + "#" * (4 << 20))
        self.refuse("large.toml", "has more than 4 MB; this is no scenario")
        self.write("fits.toml", BALL + "#" * ((4 << 20) - len(BALL.encode())))
        self.run_program("check", "fits.toml")

    def test_a_scenario_may_come_through_a_pipe(self):
        os.mkfifo(self.folder / "pipe")
        writer = threading.Thread(target=lambda: (self.folder / "pipe").write_text(BALL))
        writer.start()
        self.run_program("check", "pipe")
        writer.join()

    def test_a_table_without_end_is_not_read_on(self):
        self.write("t.toml", BALL.replace("{ uniform = [0.5, 1.5] }", '{ table = "/dev/zero:a" }'))
        self.refuse("t.toml", "cannot read the table /dev/zero: it is no regular file", seconds=10)
        with open(self.folder / "large.csv", "wb") as table:
            table.write(b"a\n1\n")
            table.truncate((1 << 30) + 1)
        self.write("t.toml", BALL.replace("{ uniform = [0.5, 1.5] }", '{ table = "large.csv:a" }'))
        self.refuse("t.toml", "large.csv has more than 1 GB", seconds=120)

    def test_keys_and_values_deep_inside_each_other_are_an_input_error(self):
        deep = {
            "key": "a" + ".a" * 40000 + " = 1\n",
            "header": "[a" + ".a" * 40000 + "]\nb = 1\n",
            "array of tables": "[[a" + ".a" * 40000 + "]]\n",
            "quoted": '"a"' + '. "a"' * 40000 + " = 1\n",
            "in line": "x = { a" + ".a" * 40000 + " = 1 }\n",
        }
        for name, text in deep.items():
            with self.subTest(name):
                self.write("deep.toml", text)
                self.refuse("deep.toml", "this key has more than 32 parts")
        for name, text in {"arrays": "x = " + "[" * 100000 + "]" * 100000, "tables": "x = " + "{a=" * 50000 + "1" + "}" * 50000}.items():
            with self.subTest(name):
                self.write("deep.toml", text + "\n")
                self.refuse("deep.toml", "not valid TOML")
        # dots elsewhere are no parts of keys
        self.run_program("check", self.write("dots.toml", BALL.replace('"ball"', '"' + "." * 100 + '" # ' + "." * 100)))

    def test_deep_and_long_formulas_are_an_input_error(self):
        for formula in ("(" * 30000 + "y" + ")" * 30000, "-" * 30000 + "y", "y" + "^2" * 20000, "y" + " + y" * 15000, "abs(" * 10000 + "y" + ")" * 10000, "y" * 200000,
                        "not " * 10000 + "y > 0", "if(y > 0, " * 5000 + "y" + ", 0)" * 5000, "max(" + "y, " * 15000 + "y)"):
            with self.subTest(formula[:20]):
                self.write("f.toml", BALL.replace('"-9.81"', f'"{formula}"'))
                _, err = self.run_program("check", "f.toml", code=(0, 2))
                self.assertNotIn("terminate", err)

    def test_many_problems_take_linear_time_and_the_first_hundred_are_told(self):
        seconds = {}
        for count in (2000, 20000):
            files = {
                "unknown keys": BALL + "[nonsense]\n" + "".join(f"k{i} = 1\n" for i in range(count)),
                "top level": "".join(f"k{i} = 1\n" for i in range(count)) + BALL,
                "vary": BALL + "".join(f"p{i} = {{ uniform = [0, 1] }}\n" for i in range(count)),
                "parameters": BALL.replace("a = 1.0", "a = 1.0\n" + "".join(f"q{i} = 'x'\n" for i in range(count))),
                "contacts": BALL.replace("[start]", "[[model.contact]]\nname = 'c'\n" * count + "[start]"),
                "observables": BALL + "[observe]\n" + "".join(f"o{i} = {{ max = \"unknown{i} + other\" }}\n" for i in range(count)),
                "vary and parameters": BALL.replace("a = 1.0", "a = 1.0\n" + "".join(f"q{i} = 1\n" for i in range(count)))
                + "".join(f"p{i} = {{ uniform = [0, 1] }}\n" for i in range(count)),
            }
            for name, text in files.items():
                with self.subTest(name, count=count):
                    self.write("many.toml", text)
                    text, seconds[name, count] = self.refuse("many.toml", seconds=60)
                    if name == "observables" and count > 2000:
                        self.assertIn("at most 2,000 observables, got 20,000", text)
                    elif name == "parameters" and count > 2000:
                        self.assertIn("at most 10,000 parameters, got 20,0", text)
                    elif name != "unknown keys":
                        self.assertRegex(text, r"and [\d,]+ more problems, which are not shown\n")
                    self.assertLess(text.count("many.toml:"), 110)
        for name, count in seconds:
            if count > 2000:
                self.assertLess(seconds[name, count], 40 * max(0.1, seconds[name, 2000]), name)  # quadratic would be a hundred times

    def test_very_long_names_are_compared_with_nothing(self):
        self.write("long.toml", BALL.replace("a = 1.0", "a = 1.0\n" + "b" * 1_000_000 + " = 1") + "c = { uniform = [0, 1] }\n")
        self.refuse("long.toml", "unknown parameter 'c'")


class Numbers(TrustTest):
    def setUp(self):
        super().setUp()
        self.write("b.toml", BALL)

    def test_counts_are_read_as_they_are_written_or_refused(self):
        for text, members in (("1e3", 1000), ("1_000", 1000), ("1,000", 1000), ("12,345", 12345), ("1,234,567", 1234567), ("16", 16)):
            out, _ = self.run_program("plan", "b.toml", "--json", "--members", text)
            self.assertIn(f'"members": {members},', out, text)
        for text in ("1,5e3", "1,5", "1,00", "1,0000", "1000,000", ",100", "100,", "1,,000", "1_", "_1", "1__0", "1,000e3", "1,000_000", "1 000", " 1", "1e", "e3", "0x10", "nan",
                     "inf", "-5", "+5", "1.5", "1e400", "9e99", "99999999999999999999", "9223372036854775807"):
            _, err = self.run_program("plan", "b.toml", f"--members={text}", code=2)
            self.assertRegex(err, r"--members: ('.*' is not a whole number from 0 to 9e15|members must be)", text)

    def test_an_empty_text_is_no_value(self):
        for command, flags in {"run": ("--members", "--seed", "--step", "--end", "--set", "--threads", "--chunk", "--out", "--until", "--most", "--backend", "--devices"),
                               "converge": ("--levels", "--observable"), "compare": ("--tolerance", "--grazing", "--backends"), "trace": ("--member", "--every", "--out"),
                               "mlmc": ("--rmse", "--levels-max", "--members-max")}.items():
            for flag in flags:
                _, err = self.run_program(command, "b.toml", flag, "", code=2)
                self.assertIn(flag, err)
                self.assertIn("empty", err, (command, flag))

    def test_every_number_flag_says_what_it_wants(self):
        for command, flag, texts in (("run", "--threads", ("0", "5000", "1.5", "two", "1,5", "-1")), ("run", "--chunk", ("9223372036854775807", "1,5", "x")),
                                     ("run", "--seed", ("-1", "1.5", "1,5")), ("run", "--step", ("nan", "inf", "1,5", "1e400", "x", "+-1")), ("run", "--end", ("nan", "0x1p3")),
                                     ("compare", "--tolerance", ("nan", "x", "1,5")), ("compare", "--grazing", ("inf",)), ("converge", "--levels", ("x", "-1", "1,5", "1e99")),
                                     ("trace", "--member", ("x", "-1", "1e99")), ("trace", "--every", ("0", "x"))):
            for text in texts:
                _, err = self.run_program(command, "b.toml", f"{flag}={text}", code=2)
                self.assertIn(f"{flag}: '{text}' is not a", err)
        for text in ("nan", "1,5", "x"):
            _, err = self.run_program("mlmc", "b.toml", "--observable", "impulse", f"--rmse={text}", code=2)
            self.assertIn(f"--rmse: '{text}' is not a finite number", err)

    def test_a_window_of_any_length_is_run_or_refused(self):
        for length in ("1e17", "1e300", "1e9", "2e7*0.01"):
            self.write("w.toml", BALL.replace('"-9.81"', f'"-9.81 - window_max(y, {length})"'))
            err = "".join(self.run_program("check", "w.toml", code=2))
            self.assertIn("the length of window_max is", err)
            self.assertIn("allowed: 0 to 100000 (10,000,000 steps)", err)
        self.write("w.toml", BALL.replace('"-9.81"', '"-9.81 - window_max(y, a * 1e5) * 0"'))
        for backend in ("cpu", "reference"):
            out, _ = self.run_program("run", "w.toml", "--backend", backend, "--force", "--members", 2, "--set", "a=2", "--no-step-check", code=2)
            out, err = self.run_program("run", "w.toml", "--backend", backend, "--force", "--no-step-check", "--members", 8, code=1)
            self.assertIn("bad_delay: a delay or window length is negative or not finite, or a window is longer than 10,000,000 steps", out)
        # a delay before the run's beginning sees the past as a formula
        self.write("d.toml", BALL.replace('"-9.81"', '"-9.81 - delay(y, 1e3)"'))
        self.run_program("run", "d.toml", "--backend", "cpu", "--members", 4)

    def test_distributions_at_the_ends_of_the_range_of_numbers(self):
        for kind in ("uniform = [-1.7e308, 1.7e308]", "triangular = [-1.7e308, 0, 1.7e308]", "triangular = [-1.7e308, -1.7e308, 1.7e308]", "triangular = [0, 4.9e-324, 1e-323]",
                     "loguniform = [4.9e-324, 1.7e308]", "truncated_normal = [1e308, 1e308, -1e308, 1.7e308]", "truncated_normal = [0, 1e-320, -1e-320, 1e-320]"):
            self.write("d.toml", BALL.replace("uniform = [0.5, 1.5]", kind).replace('"-9.81"', '"-9.81 + 0*a"').replace('y = "a"', 'y = "1"') + "[observe]\nv = { final = \"a\" }\n")
            out, _ = self.run_program("run", "d.toml", "--members", 64, "--force", "--json", "--backend", "reference", "--no-step-check", code=(0, 1))
            self.assertIn('"ok": 64', out.replace("\n", ""), kind)
        for kind in ("normal = [0, 1e308]", "lognormal = [0, 100]", "normal = [1.79e308, 1e306]"):
            self.write("d.toml", BALL.replace("uniform = [0.5, 1.5]", kind))
            err = "".join(self.run_program("check", "d.toml", code=2))
            self.assertIn("draws would leave the range of numbers", err)

    def test_gradients_and_speeds_whose_squares_are_no_numbers_are_told(self):
        self.write("g.toml", BALL.replace('"y >= 0"', '"1e-160*y >= 0"'))
        err = "".join(self.run_program("check", "g.toml", code=0))
        self.assertIn("the gradient of inside is 1e-160 at the start; its square is taken, so it must lie between 1e-150 and 1e150", err)
        self.write("g.toml", BALL.replace('y = "a"', 'y = "a"\nvy = "1e160"'))
        err = "".join(self.run_program("check", "g.toml", code=0))
        self.assertIn("the start velocity vy is 1e+160", err)


class Terminal(TrustTest):
    """What a file says is shown, never obeyed."""

    HOSTILE = "a\\u001b]0;owned\\u0007\\u001b[2Jb\\u009b31mc\\u202ed"

    def on_terminal(self, *arguments):
        """What arrives at a terminal."""
        child, master = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.environ["TERM"] = "xterm"
            os.execv(trust.OPTIONS.program, [trust.OPTIONS.program, *map(str, arguments)])
        seen = b""
        while True:
            try:
                block = os.read(master, 65536)
            except OSError:
                break
            if not block:
                break
            seen += block
        os.waitpid(child, 0)
        os.close(master)
        return seen.replace(b"\r\x1b[K", b"")  # our own bar

    def test_control_characters_do_not_reach_it(self):
        title = BALL.replace('"ball"', f'"{self.HOSTILE}"')
        self.write("title.toml", title)
        self.write("contact.toml", title.replace("inside = ", f'name = "{self.HOSTILE}"\ninside = ').replace('y = "a"', 'y = "a - 0.9"'))
        self.write("key.toml", BALL + f'[nothing]\n"{self.HOSTILE}" = 1\n[observe]\n"{self.HOSTILE}" = {{ max = "y" }}\n')
        self.write("formula.toml", BALL.replace('"-9.81"', f'"{self.HOSTILE} + 1"'))
        self.write("raw.toml", BALL.replace("# ", "").encode() + b"\x1b[2J = 1\n")
        self.write("column.toml", BALL.replace("uniform = [0.5, 1.5]", f'table = "t.csv:{self.HOSTILE}"'))
        self.write("t.csv", "b\x1b[2J\n\x1b[2J\n")
        commands = [(c, "title.toml", "--members", 4) for c in ("run", "plan", "compare", "converge", "trace", "check")]
        commands += [(c, f) for c in ("check", "trace") for f in ("contact.toml", "key.toml", "formula.toml", "raw.toml", "column.toml")]
        commands += [("run", "title.toml", "--\x1b[2J"), ("\x1b[2J",), ("check", "\x1b[2J.toml"), ("run", "title.toml", "--members", "\x1b[2J"), ("run", "title.toml", "--set", "\x1b[2J=1")]
        for command in commands:
            seen = self.on_terminal(*command)
            for bad in (b"\x1b", b"\x07", "\x9b".encode(), "\u202e".encode()):
                self.assertNotIn(bad, seen, (command, seen))
        self.assertIn(b"a\\x1b]0;owned\\x07\\x1b[2Jb\\u009b31mc\\u202ed", self.on_terminal("plan", "title.toml"))


class Threads(TrustTest):
    """Where the system gives no more threads a run goes on with fewer, with the same bits."""

    @unittest.skipUnless(os.geteuid() == 0, "needs an ordinary user's limits, set from root")
    def test_a_limit_on_processes_makes_threads_fewer(self):
        self.write("b.toml", BALL)
        self.folder.chmod(0o777)
        nobody = 65534
        for path in (trust.OPTIONS.program, self.folder):
            if subprocess.run(["setpriv", f"--reuid={nobody}", "--clear-groups", "test", "-r", path]).returncode != 0:
                self.skipTest("an ordinary user cannot read the program here")

        def as_nobody(limit):
            def prepare():
                os.setgroups([])
                os.setgid(nobody)
                os.setuid(nobody)
                resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))
            return prepare

        results = {}
        for limit, out in ((200, "many"), (1, "one")):
            arguments = [trust.OPTIONS.program, "run", "b.toml", "--backend", "reference", "--members", "70000", "--end", "0.02", "--threads", "16", "--chunk", "8192", "--out", out,
                         "--json", "--no-step-check"]
            done = subprocess.run(arguments, cwd=self.folder, env=trust.environment(HOME=self.folder), capture_output=True, text=True, preexec_fn=as_nobody(limit), timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            results[out] = done.stdout[done.stdout.index('"observables"'):done.stdout.index('"timing"')] if '"timing"' in done.stdout else done.stdout
        self.assertEqual(results["many"], results["one"])


if __name__ == "__main__":
    trust.main()
