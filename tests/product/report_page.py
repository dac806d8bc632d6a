"""A page of a report as its tests read it."""
import csv
import html.parser
import io
import json
import os
import re
import urllib.parse

import h5py
import numpy as np

from product_program import BLOW_UP, ProductTest, SLIDER

STUDY = SLIDER.replace("members = 7\nevery = 3", "members = 300\nevery = 4") + """
[classes]
near = "reach < 1"
far = "else"
[units]
t = "s"
x = "m"
reach = "m"
mu = "1 & <2>"
"""


EVERYTHING = "CONESWEEP_ALL" in os.environ

MANY = """[model]
coordinates = ["x"]
force = ["-k*x"]
[model.parameters]
k = 1.0
v0 = 1.0
[start]
x = "v0*t"
[time]
end = 1.0
step = 0.1
[ensemble]
members = 1
[vary]
k = { uniform = [1, 2] }
v0 = { normal = [1, 0.2] }
[observe]
reach = { max = "x" }
standard = []
"""


def read_written(text):
    """A number as a page writes it: −1.5, 7.7·10⁻⁵; None for a dash."""
    text = text.translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789"))
    mantissa, _, power = text.rpartition("·10") if "·10" in text else ("1", "", text[2:]) if re.fullmatch(r"10-\d+", text) else (text, "", "0")
    return None if text == "–" else float(f"{mantissa}e{power}")


# members just before they blow up: their twins at half the step are past it
WILD = BLOW_UP.replace("levels = { v0 = 7 }", "levels = { v0 = 50 }")


class Page(html.parser.HTMLParser):
    """What is asked of a page: its figures with their numbers, its tables, its ids, its links."""

    def __init__(self, text):
        super().__init__()
        self.text, self.ids, self.links, self.figures, self.sheets = text, [], [], [], {}
        self.figure = self.row = self.cell = self.table = None
        self.tables, self.svgs, self.scripts = [], [], []
        self.inside = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.inside.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("href", "src", "xlink:href"):
            if name in attributes:
                self.links.append(attributes[name])
        if tag == "figure":
            self.figure = attributes["id"]
            self.figures.append(self.figure)
        if tag == "a" and "download" in attributes:
            data = attributes["href"]
            assert data.startswith("data:text/csv;charset=utf-8,"), data[:60]
            rows = list(csv.reader(io.StringIO(urllib.parse.unquote(data.split(",", 1)[1]))))
            self.sheets[attributes["download"]] = rows
        if tag == "svg":
            self.svgs.append(attributes)
        if tag == "table":
            self.table = []
            self.tables.append(self.table)
        if tag == "tr":
            self.row = []
            self.table.append(self.row)
        if tag in ("th", "td"):
            self.cell = ""

    def handle_endtag(self, tag):
        if tag in ("th", "td"):
            self.row.append(self.cell)
            self.cell = None
        if tag == "figure":
            self.figure = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data
        if self.inside and self.inside[-1] == "script":
            self.scripts.append(data)


class ReportTest(ProductTest):
    def make(self, text, out="run", *flags, run_flags=(), code=0):
        self.run_scenario(text, out, *run_flags, code=code)
        self.run_program("report", out, "--quiet", *flags)
        page = Page((self.folder / out / "report.html").read_text())
        with h5py.File(self.folder / out / "results.h5") as file:
            columns = {name: file[group][name][()] for group in ("parameters", "observables") for name in file[group]}
            columns["status"] = file["status"][()]
            if "trajectories" in file:
                columns.update({"trajectories/" + name: file["trajectories"][name][()] for name in file["trajectories"]})
        return page, json.loads((self.folder / out / "summary.json").read_text()), columns

    def assert_says(self, words, text):
        """Without printing a whole page where it does not."""
        self.assertTrue(words in text, f"'{words}' is not there")

    def assert_silent(self, words, text):
        self.assertFalse(words in text, f"'{words}' is there")

    def assert_refused(self, message, *arguments, code=2):
        out, err = self.run_program(*arguments, code=code)
        self.assertEqual(out, "")
        self.assertIn("conesweep: " + message, err)

    def numbers(self, sheet, *columns):
        """Columns of a sheet by the names in its head."""
        places = [sheet[0].index(name) for name in columns]
        return np.array([[float(row[place]) for place in places] for row in sheet[1:]])
