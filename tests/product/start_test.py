"""How a user starts: a scenario to begin with, and a shell that completes. Run by ctest, one test class at a time:

    python3 start_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import time
import tomllib

import product_program
from product_program import HINT, ProductTest


class New(ProductTest):
    def test_a_starter_is_checked_and_run_at_once(self):
        out, err = self.run_program("new", "drop")
        self.assertEqual((out, err), ("drop.toml is a scenario to begin with, every section explained\n"
                                      "  conesweep check drop.toml\n  conesweep run drop.toml\n  conesweep report runs/drop\n", ""))
        # the commands it tells are the ones to type
        out, err = self.run_program("check", "drop.toml")
        self.assertIn("drop.toml is fine: 2 coordinates, 1 contact, 2 varied parameters", out)
        self.assertNotIn("warning", out + err)
        self.run_program("run", "drop.toml", "--backend", "reference", "--members", "60", "--quiet")
        self.run_program("report", "runs/drop", "--quiet")
        self.assertEqual(json.loads((self.folder / "runs/drop/summary.json").read_text())["status"], {"ok": 60})

    def test_every_section_of_a_starter_is_explained(self):
        self.run_program("new", "drop.toml", "--quiet")
        self.assertEqual(os.listdir(self.folder), ["drop.toml"])
        text = (self.folder / "drop.toml").read_text()
        sections = re.split(r"^(?=\[)", text, flags=re.M)
        self.assertEqual({re.match(r"\[+([\w.]+)", section)[1] for section in sections[1:]},
                         {"model", "model.parameters", "model.contact", "start", "time", "ensemble", "vary", "observe", "record"})
        for section in sections:
            self.assertIn("# ", section, "no comment")
        self.assertIn("conesweep check", sections[0])
        self.assertLessEqual(max(map(len, text.splitlines())), 128)

    def test_like_a_sample_is_the_sample(self):
        samples = sorted(path.stem for path in (product_program.SOURCE / "samples").glob("*.toml"))
        for name in samples:
            self.run_program("new", name, "--like", name, "--quiet")
            self.assertEqual((self.folder / f"{name}.toml").read_bytes(), (product_program.SOURCE / f"samples/{name}.toml").read_bytes())
        out, _ = self.run_program("new", "mine", "--like", "slider.toml")
        self.assertTrue(out.startswith("mine.toml is the sample slider, with its title and comments; change what you like\n  conesweep check mine.toml\n"), out)
        out, _ = self.run_program("new", "--help")
        for name in samples:
            self.assertIn(name, re.sub(r"\s+", " ", out))
        _, err = self.run_program("new", "other", "--like", "slidr", code=2)
        self.assertTrue(err.startswith("conesweep: --like: no sample is called 'slidr'; did you mean 'slider'?; there are belt_oscillator, billiard, "), err)
        self.assertFalse((self.folder / "other.toml").exists())

    def test_nothing_is_overwritten_unasked(self):
        self.write("a.toml", "mine")
        for name in ["a", "a.toml", "./a"]:
            _, err = self.run_program("new", name, code=2)
            self.assertRegex(err, r"^conesweep: (\./)?a\.toml is there; replace it with --force, or choose another name\n$")
        self.assertEqual((self.folder / "a.toml").read_text(), "mine")
        self.run_program("new", "a", "--force", "--quiet")
        self.assertIn("title", tomllib.loads((self.folder / "a.toml").read_text()))
        self.assertEqual(os.listdir(self.folder), ["a.toml"])

    def test_names_of_all_kinds(self):
        for name, file, word in [("two words", "two words.toml", "'two words.toml'"), ("it's", "it's.toml", "'it'\\''s.toml'"), ("v1.2", "v1.2.toml", "v1.2.toml"),
                                 ("a/b/c", "a/b/c.toml", "a/b/c.toml"), ("µ \"rough\"", "µ \"rough\".toml", "'µ \"rough\".toml'"), ("a\x1bb", "a\x1bb.toml", "'a\\x1bb.toml'")]:
            out, _ = self.run_program("new", name)
            self.assertIn(f"\n  conesweep check {word}\n", out)
            self.run_program("check", file)
        for name in [".", "..", "a/", ".toml", "a/.toml"]:
            _, err = self.run_program("new", name, code=2)
            self.assertIn(f"'{name}' is no name for a file; try ", err)
        (self.folder / "folder.toml").mkdir()
        self.assert_refused("conesweep: folder.toml is a folder; give the name of a file\n", "new", "folder")
        self.assert_refused("conesweep: name is required\n" + HINT, "new")
        self.write("file", "")
        _, err = self.run_program("new", "file/a", code=3)
        self.assertIn("file", err)


class CompletionTest(ProductTest):
    def script(self, shell):
        out, err = self.run_program("completion", shell)
        self.assertEqual(err, "")
        return out

    def help_of(self, *command):
        return self.run_program(*command, "--help")[0]

    def commands(self):
        return re.findall(r"^  (\w+) {2,}\S", self.help_of().split("Subcommands:")[1].split("Examples:")[0], re.M)

    def flags(self, *command):
        """As --help lists them."""
        listed = re.findall(r"^  (-[\w,-]+)", self.help_of(*command), re.M)
        return sorted(flag for flags in listed for flag in flags.split(","))


class Completion(CompletionTest):
    """In a real bash, by calling the function as bash does."""

    def complete(self, *words):
        """What the last of these words, after `conesweep`, can become. Bash splits words at =."""
        split = [part for word in words for part in re.split(r"(=)", word) if part or not word]
        ask = 'source "$1"; shift; COMP_WORDS=(conesweep "$@"); COMP_CWORD=$#; _conesweep; printf "%s\\n" "${COMPREPLY[@]}"'
        self.write("completion", self.script("bash"))
        done = subprocess.run(["bash", "--norc", "-c", ask, "bash", "./completion", *split], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return sorted(done.stdout.split("\n")[:-1]) if done.stdout != "\n" else []

    def test_scripts_are_valid_and_register_the_program(self):
        script = self.script("bash")
        done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = subprocess.run(["bash", "--norc", "-c", 'source /dev/stdin; complete -p conesweep'], input=script, text=True, capture_output=True)
        self.assertEqual((done.stdout, done.stderr), ("complete -F _conesweep conesweep\n", ""))

    def test_every_command_and_every_flag_of_help_is_completed(self):
        self.assertEqual(self.complete(""), sorted(self.commands()))
        self.assertEqual(self.complete("-"), self.flags())
        for command in self.commands():
            with self.subTest(command):
                self.assertEqual(self.complete(command, "-"), self.flags(command))

    def test_values_that_are_a_closed_list(self):
        self.assertEqual(self.complete("run", "s.toml", "--backend", ""), ["auto", "cpu", "cuda", "reference"])
        self.assertEqual(self.complete("run", "s.toml", "--backend=c"), ["cpu", "cuda"])
        self.assertEqual(self.complete("run", "s.toml", "--backend="), ["auto", "cpu", "cuda", "reference"])
        self.assertEqual(self.complete("selftest", "--backend", "a"), ["all", "auto"])
        self.assertEqual(self.complete("run", "--precision", "s"), ["single"])
        self.assertEqual(self.complete("sensitivity", "s.toml", "--method", ""), ["morris", "sobol"])
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh"])
        self.assertEqual(self.complete("new", "a", "--like", "slid"), ["slider"])
        panels = re.findall(r"^  ([\w-]+) {2,}\S", self.help_of("plot").split("Panels:")[1], re.M)
        self.assertEqual(self.complete("plot", "runs/a", ""), sorted(panels))
        self.assertEqual(self.complete("plot", "--width", "80", "runs/a", "hist"), ["histogram"])
        # numbers and names of one's own are left to the user
        for flag in ["--members", "--seed", "--watch"]:
            self.assertEqual(self.complete("run", "s.toml", flag, ""), [])

    def test_files_and_folders(self):
        self.write("s.toml", "")
        self.write("notes.txt", "")
        (self.folder / "runs/a").mkdir(parents=True)
        for command in ["run", "check", "trace"]:
            self.assertEqual(self.complete(command, ""), ["runs", "s.toml"])
        self.assertEqual(self.complete("run", "--members", "5", "s"), ["s.toml"])
        self.assertEqual(self.complete("report", "runs/"), ["runs/a"])
        self.assertEqual(self.complete("report", "runs/a", "r"), ["runs"])
        self.assertEqual(self.complete("run", "s.toml", "--out", "r"), ["runs"])
        self.assertEqual(self.complete("trace", "s.toml", "--out", "n"), ["notes.txt"])
        # where nothing more is expected flags are
        self.assertIn("--members", self.complete("run", "s.toml", ""))

    def test_wrong_shells_are_refused(self):
        _, err = self.run_program("completion", "fish", code=2)
        self.assertIn("fish", err)
        self.assertIn("bash", err)


class Zsh(CompletionTest):
    """In a real zsh, typed at its prompt."""

    def setUp(self):
        super().setUp()
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not here")

    def typed(self, line, until):
        """What zsh's line looks like after this was typed, which ends in a tab."""
        self.write("completion", self.script("zsh"))
        self.write(".zshrc", "PS1='READY '; unsetopt zle_bracketed_paste beep; autoload -Uz compinit; compinit -u -D; source ./completion\n")
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "ZDOTDIR": str(self.folder), "TERM": "dumb", "COLUMNS": "200", "LC_ALL": "C.UTF-8"}
        process = subprocess.Popen(["zsh", "-i"], cwd=self.folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True)
        os.close(theirs)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        seen, sent, deadline = b"", False, time.monotonic() + 60
        while not re.search(until, seen.decode(errors="replace")):
            self.assertLess(time.monotonic(), deadline, f"{until} did not come: {seen!r}")
            if b"READY " in seen and not sent:
                os.write(ours, line.encode())
                sent, seen = True, b""
            if select.select([ours], [], [], 0.2)[0]:
                seen += os.read(ours, 4096)
        return seen.decode(errors="replace")

    def test_scripts_are_valid_and_register_the_program(self):
        done = subprocess.run(["zsh", "-n", "/dev/stdin"], input=self.script("zsh"), text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(self.script("zsh").startswith("#compdef conesweep\n"))

    def test_every_command_and_every_flag_of_help_is_completed(self):
        script = self.script("zsh")
        for command in self.commands():
            self.assertRegex(script, rf"\n +'{command}:\w", command)
            part = script.split(f"\n        {command})\n")[1].split(";;")[0]
            self.assertEqual(sorted(re.findall(r"(?<=['*)])(--?[\w-]+)(?=[=+\[])", part)), self.flags(command), command)

    def test_values_that_are_a_closed_list(self):
        self.typed("conesweep sel\t", r"conesweep selftest ")
        self.typed("conesweep run --prec\t", r"--precision")
        self.typed("conesweep run --precision s\t", r"--precision single ")
        self.typed("conesweep new a --like slid\t", r"--like slider ")
        self.assertRegex(self.typed("conesweep run --me\t", r"--members"), r"--members")

    def test_files_and_folders(self):
        self.write("some.toml", "")
        self.write("some.txt", "")
        self.typed("conesweep run so\t", r"conesweep run some\.toml ")
        (self.folder / "runs/only").mkdir(parents=True)
        self.typed("conesweep report runs/o\t", r"runs/only/")


if __name__ == "__main__":
    product_program.main(__doc__)
