"""tests/arrows.py on small trees: what it lets pass, and what it says about each arrow that points the wrong way.

    python3 arrows_test.py
"""
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "support")]
import arrows
import unittest_main

PAGE = """# Rooms
| room | what | may include |
|---|---|---|
| `support` | errors | nothing |
| `scenario` | types | support |
| `sampling` | draws | support, scenario (its types) |
| `scenario/reading` | the file | support, scenario, sampling |
| `app` | the program | all above; it is no library |

| folder | what | may include |
|---|---|---|
| `math` | numbers | nothing |
| `step/node.hpp` | a node | math |
| `observe` | numbers of a member | math, step/node.hpp |
| `step` | a step | all above |
"""
FILES = {
    "host/support/error.hpp": "",
    "host/scenario/scenario.hpp": '#include "support/error.hpp"',
    "host/sampling/draw.hpp": '#include "scenario/scenario.hpp"\n#include <conesweep/math/pack.hpp>',
    "host/scenario/reading/reader.cpp": '#include "sampling/draw.hpp"\n#include "scenario/scenario.hpp"',
    "host/app/main.cpp": '#include "scenario/scenario.hpp"\n#include <vector>',
    "include/conesweep/conesweep.hpp": "#include <string>",
    "include/conesweep/math/pack.hpp": "",
    "include/conesweep/step/node.hpp": "#include <conesweep/math/pack.hpp>",
    "include/conesweep/observe/watch.hpp": "#include <conesweep/step/node.hpp>",
    "include/conesweep/step/member.hpp": "#include <conesweep/observe/watch.hpp>",
}


class Arrows(unittest.TestCase):
    def check(self, changed=None, page=PAGE):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for name, text in {**FILES, "docs/architecture.md": page, **(changed or {})}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return arrows.check(root)

    def test_straight_arrows_pass(self):
        self.assertEqual(self.check(), [])

    def test_a_cycle_is_told_with_its_includes(self):
        found = self.check({"host/scenario/check.cpp": '#include "sampling/draw.hpp"'})
        self.assertEqual(found, [
            "host/scenario/check.cpp includes sampling/draw.hpp: scenario may include support",
            "a cycle of rooms, scenario -> sampling -> scenario: host/scenario/check.cpp includes sampling/draw.hpp; "
            "host/sampling/draw.hpp includes scenario/scenario.hpp",
        ])

    def test_a_cycle_that_the_table_would_allow_is_none_the_less_told(self):
        page = PAGE.replace("| `scenario` | types | support |", "| `scenario` | types | support, sampling |")
        found = self.check({"host/scenario/check.cpp": '#include "sampling/draw.hpp"'}, page)
        self.assertEqual(found[0], "docs/architecture.md lets scenario include sampling, which is no room above it in the table")
        self.assertTrue(found[1].startswith("a cycle of rooms, scenario -> sampling -> scenario"))

    def test_a_longer_cycle_between_headers_is_found(self):
        found = self.check({"include/conesweep/math/sum.hpp": "#include <conesweep/step/member.hpp>"})
        self.assertTrue(found[-1].startswith("a cycle of rooms, math -> step -> observe -> step/node.hpp -> math: "), found)

    def test_the_folder_inside_a_room_is_a_room_of_its_own(self):
        found = self.check({"host/scenario/writer.cpp": '#include "scenario/reading/reader.hpp"'})
        self.assertIn("host/scenario/writer.cpp includes scenario/reading/reader.hpp: scenario may include support", found)

    def test_a_room_that_no_table_has_is_told_once(self):
        found = self.check({"host/report/a.cpp": "", "host/report/b.cpp": "", "include/conesweep/law/cone.hpp": ""})
        self.assertEqual(found, ["host/report is a room that docs/architecture.md does not know",
                                 "include/conesweep/law is a room that docs/architecture.md does not know"])

    def test_an_arrow_to_a_room_that_no_table_has_is_told(self):
        found = self.check({"host/report/a.hpp": "", "host/app/main.cpp": '#include "report/a.hpp"'})
        self.assertTrue(any(line.startswith("host/app/main.cpp includes report/a.hpp: app may include") for line in found), found)

    def test_a_room_of_the_table_that_is_not_there_is_told(self):
        found = self.check(page=PAGE.replace("| `app` |", "| `api` | the library | all above |\n| `app` |"))
        self.assertEqual(found, ["docs/architecture.md has a room api, which is not there"])

    def test_nothing_includes_the_program(self):
        found = self.check({"host/app/options.hpp": "", "host/sampling/draw.cpp": '#include "app/options.hpp"'})
        self.assertEqual(found[0], "host/sampling/draw.cpp includes app/options.hpp: sampling may include scenario, support")

    def test_commands_do_not_see_what_reads_the_command_line(self):
        self.assertEqual(self.check({"host/app/flags.cpp": "#include <CLI/CLI.hpp>"}), [])
        found = self.check({"host/app/main.cpp": "#include <CLI/CLI.hpp>"})
        self.assertEqual(found, ["host/app/main.cpp includes CLI/CLI.hpp: commands declare their flags by app/flags.hpp"])

    def test_the_steps_headers_are_for_executors(self):
        found = self.check({"host/sampling/draw.cpp": "#include <conesweep/step/member.hpp>"})
        self.assertEqual(found, ["host/sampling/draw.cpp includes conesweep/step/member.hpp: of include/ only math, state/status.hpp, statistics are for all of host/; "
                                 "the others are the executors'"])

    def test_shared_headers_see_no_standard_library(self):
        found = self.check({"include/conesweep/math/pack.hpp": "#include <cmath>"})
        self.assertEqual(found, ["include/conesweep/math/pack.hpp includes cmath: generated code is compiled with no include path but ours"])


if __name__ == "__main__":
    unittest_main.main(sys.argv[1:])
