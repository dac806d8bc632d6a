"""Names that nobody thinks of, of files, tables and contacts; and numbers at the ends of what a double can hold.

    python3 names_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import os
import re
import xml.etree.ElementTree

import trust_program as trust
from hostile_test import BALL
from trust_program import TrustTest

RUN = ("--backend", "reference", "--no-step-check", "--quiet")


def with_table(name):
    return BALL.replace("uniform = [0.5, 1.5]", f'table = "{name}:a"')


class Tables(TrustTest):
    def table(self, name, shift=0.0):
        return self.write(name, "a\n" + "".join(f"{0.5 + 0.01 * k + shift}\n" for k in range(40)))

    def test_of_a_run_are_replaced_with_it(self):
        self.table("heights.csv")
        self.write("b.toml", with_table("heights.csv"))
        self.run_program("run", "b.toml", *RUN, "--out", "r")
        self.run_program("run", "b.toml", *RUN, "--out", "r", "--force", "--seed", 5)
        self.table("heights.csv", 0.001)  # and when they have changed
        self.run_program("run", "b.toml", *RUN, "--out", "r", "--force")
        self.assertEqual((self.folder / "r/heights.csv").read_bytes(), (self.folder / "heights.csv").read_bytes())
        self.run_program("report", "r")
        # what the user put there stays
        self.write("r/heights.csv", "mine")
        _, err = self.run_program("run", "b.toml", *RUN, "--out", "r", "--force", code=2)
        self.assertIn("the run would overwrite heights.csv in r, which no run wrote", err)

    def test_may_be_called_as_what_a_run_makes(self):
        for name in ("chunks", "results.h5", "summary.json", "report.html", ".conesweep-0123456789abcdef"):
            with self.subTest(name):
                (self.folder / "in").mkdir(exist_ok=True)
                self.table("in/" + name)
                self.write("b.toml", with_table("in/" + name))
                folder = "of-" + name
                self.run_program("run", "b.toml", *RUN, "--out", folder)
                self.run_program("report", folder)
                self.run_program("run", "b.toml", *RUN, "--out", folder, "--resume")
                self.run_program("run", "b.toml", *RUN, "--out", folder, "--force", "--seed", 3)
                self.run_program("check", folder + "/scenario.toml")
                self.assertFalse((self.folder / folder / "chunks").exists())


class Scenarios(TrustTest):
    def test_whose_name_is_that_of_a_folder_above_need_a_folder(self):
        for name in ("...toml", "..toml"):
            with self.subTest(name):
                self.write(name, BALL)
                for command in (("run", name, *RUN), ("sensitivity", name, "--members", 40, "--backend", "reference", "--quiet")):
                    before = sorted(os.listdir(self.folder))
                    _, err = self.run_program(*command, code=2)
                    self.assertEqual(err, f"conesweep: {name} gives no name for the folder of the results; choose one with --out\n")
                    self.assertEqual(sorted(os.listdir(self.folder)), before)
                self.run_program("run", name, *RUN, "--out", "of-" + name)

    def test_whose_name_is_no_text_are_run_and_reported(self):
        name = b"b\xff\x9b.toml"
        with open(os.path.join(os.fsencode(self.folder), name), "w") as file:
            file.write(BALL.replace('title = "ball"\n', ""))
        self.run_program("run", os.fsdecode(name), *RUN)
        folder = os.fsdecode(b"runs/b\xff\x9b")
        self.run_program("report", folder)
        self.run_program("plot", folder, "histogram", "--out", "f.svg")
        self.run_program("check", folder + "/scenario.toml")
        self.run_program("run", os.fsdecode(name), *RUN, "--resume")
        page = (self.folder / folder / "report.html").read_bytes().decode("utf-8")
        self.assertIn(r"<title>b\xff\x9b</title>", page)
        self.assertEqual(json.loads((self.folder / folder / "summary.json").read_text())["title"], r"b\xff\x9b")
        xml.etree.ElementTree.parse(self.folder / "f.svg")
        out, _ = self.run_program("check", os.fsdecode(name))
        self.assertIn(r"b\xff\x9b.toml is fine", out)


class ControlCharacters(TrustTest):
    HOSTILE = "a\\u001b]0;owned\\u0007\\u001b[2Jb\\u009b31mc\\u202ed"

    def assert_shown(self, *command, code=(0, 1, 2)):
        """Standard output and error, wherever they go."""
        out, err = self.run_program(*command, code=code)
        for bad in "\x1b\x07\x9b\u202e":
            self.assertNotIn(bad, out + err, command)
        return out + err

    def test_in_names_are_shown_and_not_obeyed(self):
        text = BALL.replace("inside = ", f'name = "{self.HOSTILE}"\ninside = ') + '[[model.contact]]\nname = "left"\ninside = "y <= 9"\nfriction = "0.1"\n'
        text = text.replace("[start]", f'[[model.resistance]]\nname = "{self.HOSTILE} 2"\nalong = ["1"]\nlimit = "0.1"\n[start]') + f'[units]\ny = "{self.HOSTILE}"\n'
        self.write("b.toml", text)
        shown = self.assert_shown("check", "b.toml")
        self.assertIn(r"\x1b]0;owned\x07", shown)
        for command in ("plan", "run", "compare", "converge", "trace", "model"):
            self.assert_shown(command, "b.toml", *(["--members", 4] if command != "model" else []))
        for command in (("report", "runs/b"), ("sensitivity", "runs/b"), ("plot", "runs/b", "histogram", "--out", "f.svg")):
            self.assert_shown(*command)

    def test_in_names_of_files_are_shown_and_not_obeyed(self):
        name = "a\x1b[2Jb"
        self.write(name + ".toml", BALL)
        for command in (("check", name + ".toml"), ("run", name + ".toml", "--backend", "reference"), ("report", "runs/" + name), ("export", "runs/" + name, "--csv", "--out", name + ".csv"),
                        ("plot", "runs/" + name, "histogram", "--out", name + ".svg"), ("converge", name + ".toml", "--backend", "reference", "--levels", 3, "--out", name),
                        ("run", name + ".toml", "--resume", "--backend", "reference"), ("export", "runs/" + name, "--csv", "--out", name + ".csv")):
            self.assertIn(r"a\x1b[2Jb", self.assert_shown(*command))


class Extremes(TrustTest):
    """Figures of values over all doubles."""

    def draw(self, start, vary, distributions=""):
        self.write("e.toml", f"""title = "ends"
[model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
a = 1.0
b = 1.0
[start]
x = "{start}"
[time]
end = 1.0
step = 0.5
[ensemble]
members = 128
[vary]
a = {{ {vary} }}
b = {{ uniform = [0, 1] }}
[observe]
end = {{ final = "x" }}
[record]
members = 8
""")
        self.run_program("run", "e.toml", *RUN, "--out", "r", "--force", code=(0, 1))
        self.run_program("report", "r", "--force")
        drawn = {}
        for panel, more in (("histogram", ("--x", "end")), ("scatter", ("--x", "a", "--y", "end")), ("scatter", ("--x", "end", "--y", "a")), ("scatter", ("--x", "a", "--y", "b", "--color", "end")),
                            ("map", ("--x", "a", "--y", "b", "--color", "end")), ("map", ("--x", "end", "--y", "b", "--color", "a")), ("band", ("--y", "x")), ("phase", ("--x", "x"))):
            _, err = self.run_program("plot", "r", panel, *more, "--out", "f.svg", "--force", code=(0, 2))
            if "nothing to draw" in err:
                continue
            self.assertEqual(err, "")
            drawn[panel, more] = (self.folder / "f.svg").read_text()
        page = (self.folder / "r/report.html").read_text()
        for text in [*drawn.values(), *re.findall(r"<svg.*?</svg>", page, re.S)]:
            self.assertNotRegex(text, r"(?i)[\s\"(]-?(nan|inf)\b|1000000\b")
        for text in drawn.values():
            labels = re.findall(r'class="tick mid">([^<]*)<', text)
            self.assertTrue(labels, text[:2000])
        return drawn

    def places(self, svg, style):
        """Where dots or boxes lie, from the left."""
        return [float(x) for path in re.findall(rf'class="{style}[^"]*" d="([^"]*)"', svg) for x in re.findall(r"M(-?[\d.]+) ", path)]

    def test_are_finite(self):
        for start, vary in (("a", "uniform = [-1.7e308, 1.7e308]"), ("a", "choice = [-1.7976931348623157e308, 1.7976931348623157e308]"), ("a * 5e-324", "uniform = [0, 9]"), ("a", "choice = [5e-324, 1e-323]"),
                            ("a", "choice = [1e-310, 1e308]"), ("a", "loguniform = [1e-300, 1e300]"), ("a", "choice = [1e300]"), ("a", "uniform = [1e-320, 2e-320]")):
            with self.subTest(f"{start}, {vary}"):
                self.draw(start, vary)

    def test_lie_where_they_belong(self):
        drawn = self.draw("a", "uniform = [-1.7e308, 1.7e308]")
        places = self.places(drawn["scatter", ("--x", "a", "--y", "end")], "dot s0")
        self.assertEqual(len(places), 128)
        self.assertGreater(max(places) - min(places), 200)
        self.assertGreater(len({round(place) for place in places}), 80)


if __name__ == "__main__":
    trust.main()
