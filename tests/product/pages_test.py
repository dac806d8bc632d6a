#!/usr/bin/env python3
"""What the pages show is true: their commands work, and their output blocks are what the program prints (pages.py has the rules).

    tests/product/pages_test.py [--program build/bin/conesweep] [--build build] [--only docs/start.md] Pages
    tests/product/pages_test.py --update        writes what the program prints into the pages
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import pages

SOURCE = pathlib.Path(__file__).resolve().parents[2]
OPTIONS = None  # set by main


def run_pages():
    """All pages, as many at a time as there are cores."""
    found = [pages.Page(path, str(path.relative_to(SOURCE)), OPTIONS.program, SOURCE, OPTIONS.build, OPTIONS.emulator)
             for path in pages.page_files(SOURCE) if OPTIONS.only in (None, str(path.relative_to(SOURCE)))]
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        list(pool.map(pages.Page.run, found))
    return found


class Pages(unittest.TestCase):
    def test_commands_work_and_print_what_is_shown(self):
        found = run_pages()
        for page in found:
            for reason in page.not_run:
                print("not run:", reason)
        print(sum(page.compared for page in found), "outputs compared")
        problems = [problem for page in found for problem in page.problems]
        if problems:
            self.fail("\n\n".join(["", *problems, "after a change of the program: tests/product/pages_test.py --update, then read what changed"]))


class Flags(unittest.TestCase):
    def test_every_flag_is_listed_and_nothing_else(self):
        def read_help(*command):
            return subprocess.run([OPTIONS.program, *command, "--help"], capture_output=True, text=True, check=True).stdout

        commands = re.findall(r"^  (\w+) {2,}\S", read_help().split("Subcommands:")[1].split("Examples:")[0], re.M)
        there = {flag for command in commands for flag in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", read_help(command), re.M)} - {"--help"}
        section = (SOURCE / "docs/scenario.md").read_text().split("\n## Command line\n")[1].split("\n## ")[0]
        listed = {flag for row in re.findall(r"^\| (.*?) \|", section, re.M) for flag in re.findall(r"`(--[a-z-]+)", row)}
        self.assertEqual(listed, there)


class Rules(unittest.TestCase):
    """The rules of pages.py, on small pages with `echo` and the like."""

    def run_page(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text(text)
            page = pages.Page(path, "page.md", OPTIONS.program, SOURCE, OPTIONS.build)
            page.run()
        return page

    def assert_fine(self, text, compared=1):
        page = self.run_page(text)
        self.assertEqual((page.problems, page.compared), ([], compared))

    def assert_problem(self, pattern, text, updated=None):
        page = self.run_page(text)
        self.assertEqual(len(page.problems), 1, page.problems)
        self.assertRegex(page.problems[0], pattern)
        self.assertEqual("\n".join(page.lines) + "\n", text if updated is None else updated)

    def test_an_output_is_that_of_the_block_above(self):
        self.assert_fine("```sh\necho one\n```\n\nprose\n\n```text\none\n```\n")
        self.assert_fine("```python\nprint(1)\n```\n```text\n1\n```\n")
        self.assert_problem("the page shows\ntwo\nand the program prints\none\n", "```sh\necho one\n```\n```text\ntwo\n```\n", "```sh\necho one\n```\n```text\none\n```\n")

    def test_an_output_of_no_command_is_a_problem(self):
        self.assert_problem("page.md:2: no command above makes this", "```text\none\n```\n")
        self.assert_problem("page.md:2: no command above makes this", "```\none\n```\n")
        self.assert_problem("page.md:8: no command above makes this", "```sh\necho one\n```\n```text\none\n```\n```text\none\n```\n")
        self.assert_problem("page.md:5: no command above makes this", "<!-- not run: a drawing -->\n\nprose\n```text\none\n```\n")
        self.assert_fine("<!-- not run: a drawing -->\n\n```text\none\n```\n", compared=0)

    def test_exit_codes_are_told(self):
        self.assert_problem("ends with exit code 1 and not 0", "```sh\nfalse\ntrue\n```\n")
        self.assert_problem("ends with exit code 0 and not 3", "<!-- exit code: 3 -->\n```sh\ntrue\n```\n")
        self.assert_fine("<!-- exit code: 3 -->\n```sh\necho no; exit 3\n```\n```text\nno\n```\n")

    def test_an_output_may_have_a_command_and_a_filter_of_its_own(self):
        self.assert_fine("<!-- output of: echo one; echo two >&2 -->\n```text\none\ntwo\n```\n")
        self.assert_fine("```sh\nprintf 'a\\nb\\nc\\n'\n```\n<!-- through: grep -v b -->\n```text\na\nc\n```\n")

    def test_files_and_lines_of_them(self):
        page = "<!-- file: s.toml -->\n```toml\na = 1\nb = 2\n```\n<!-- line of: s.toml -->\n```toml\nb = {}\n```\n```sh\ncat s.toml\n```\n```text\na = 1\nb = {}\n```\n"
        self.assert_fine(page.format(3, 3))
        self.assert_problem("the page shows", page.format(3, 2), page.format(3, 3))
        self.assert_problem("s.toml has 0 lines that begin with c =", "<!-- file: s.toml -->\n```toml\na = 1\n```\n<!-- line of: s.toml -->\n```toml\nc = 3\n```\n")
        self.assert_problem("not valid TOML", "```toml\na =\n```\n")
        self.assert_problem("a block of cpp needs", "```cpp\nint x;\n```\n")

    def test_parts_of_files(self):
        page = '```sh\necho \'{"a": {"x": 1.5, "y": 2}, "b": [1, 2, 3], "device": "this"}\' > s.json\n```\n<!-- part of: s.json -->\n```json\n%s\n```\n'
        for part in ['{"a": {"x": 1.5}}', '{"b": [1, "…"]}', '{"b": [1, 2, 3]}', '{"a": "…", "device": "that"}', '{"a": {"y": 2, "…": 0}}']:
            self.assert_fine(page % part)
        for part, updated in [('{"a": {"x": 1}}', '{"a": {"x": 1.5}}'), ('{"b": [2, "…"]}', '{"b": [1, "…"]}'), ('{"b": [1, 2]}', '{"b": [1, 2, 3]}'), ('{"c": 1}', "{}")]:
            self.assert_problem("the page shows", page % part, page % updated)
        self.assert_fine("<!-- file: s.toml -->\n```toml\na = 1\n[b]\nc = 2\n```\n<!-- part of: s.toml -->\n```toml\n[b]\nc = 2\n```\n")
        self.assert_problem("s.toml has other values", "<!-- file: s.toml -->\n```toml\na = 1\n```\n<!-- part of: s.toml -->\n```toml\na = 2\n```\n")

    def test_messages_in_a_table(self):
        page = "<!-- messages of:\necho a thing is wrong\necho 'x | y' -->\n| message | what to do |\n|---|---|\n| `%s` | look |\n| `x \\| y` | see |\n"
        self.assert_fine(page % "a … is wrong", compared=2)
        self.assert_problem("the page has the message\na thing is right\nand the program prints\na thing is wrong", page % "a thing is right")
        self.assert_problem("1 rows, .* and 2 commands", "\n".join((page % "a").splitlines()[:-1]) + "\n")

    def test_what_depends_on_the_machine_is_not_compared(self):
        for one, other in [("executor: cpu (asked for), Xeon, 2 threads", "executor: cuda, RTX, 3 GPUs"), ("0.084 s for the members", "1e+03 s for the members"),
                           ("1.5e+07 member·steps/s; results", "4.73e+08 member·steps/s; results"), ("2 chunks; about 98.6 MB of memory, 290 kB of disk", "2 chunks; about 1.2 GB of memory, 2 MB of disk"),
                           ("name      mean   time\na            1  10.1 s", "name  mean   time\na        1  2 min"), (" 45 %  4 of 9 members, 3e+08 member·steps/s, 9 s left\nend", "end")]:
            self.assertEqual(pages.masked(one), pages.masked(other))
        for one, other in [("1.1408", "1.1409"), ("1,000 members", "1,001 members"), ("   ^^^", "    ^^^"), ("results in a", "results in b"), ("step 0.01 so", "step 0.02 so"), ("1 s", "1 m")]:
            self.assertNotEqual(pages.masked(one), pages.masked(other))

    def test_a_comment_that_means_nothing_is_refused(self):
        self.assert_problem("line 1: this comment means nothing", "<!-- notrun: x -->\n```text\none\n```\n")

    def test_a_page_that_cannot_be_followed_is_a_problem_and_no_crash(self):
        self.assert_problem("page.md: Expecting value", "```sh\necho > s.json\n```\n<!-- part of: s.json -->\n```json\n{}\n```\n")

    def test_the_output_of_a_command_that_fails_is_not_taken_over(self):
        self.assert_problem("ends with exit code 1 and not 0", "```sh\necho no; exit 1\n```\n```text\nyes\n```\n")


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=SOURCE / "build/bin/conesweep")
    parser.add_argument("--source", help=argparse.SUPPRESS)  # always the project of this file
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--emulator", default="", help="folders of the emulation's libraries, as in LD_LIBRARY_PATH")
    parser.add_argument("--only", metavar="PAGE", help="one page, as in docs/start.md")
    parser.add_argument("--update", action="store_true", help="write what the program prints into the pages")
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.program, OPTIONS.build = OPTIONS.program.resolve(), OPTIONS.build.resolve()
    if not OPTIONS.update:
        unittest.main(argv=[sys.argv[0], "--verbose", *rest])
    left = 0
    for page in run_pages():
        text = "\n".join(page.lines) + "\n"
        if text != page.path.read_text():
            page.path.write_text(text)
            print(f"{page.name}: updated")
        others = [problem for problem in page.problems if "the page shows" not in problem]
        print("".join(problem + "\n" for problem in others), end="")
        left += len(others)
    sys.exit(1 if left else 0)


if __name__ == "__main__":
    main()
