"""Figures of reports: the files, valid documents, and what a browser shows of them. Run by ctest, one test class at a time:

    python3 figures_test.py --program build/bin/conesweep --source . ClassName
"""
import base64
import csv
import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree

import product_program
from product_program import BLOW_UP, SLIDER
from report_page import ReportTest, STUDY


class Figures(ReportTest):
    def setUp(self):
        super().setUp()
        self.run_scenario(STUDY, "run")

    def test_every_panel_alone(self):
        out, _ = self.run_program("plot", "--help")
        panels = re.findall(r"^  (\w+) {2,}\S.*$", out.split("Panels:")[1], re.M)
        self.assertIn("histogram", panels)
        for panel in set(panels) - {"stopped", "sweep", "shares", "convergence", "levels"}:
            chosen = ["--x", "x", "--y", "y"] if panel == "path" else []  # y stands still: without a word it is not drawn
            self.run_program("plot", "run", panel, *chosen, "-o", f"{panel}.svg", "--quiet")
            tree = xml.etree.ElementTree.parse(self.folder / f"{panel}.svg").getroot()
            self.assertEqual(tree.get("width"), "86mm")
            self.assertNotIn("var(--", (self.folder / f"{panel}.svg").read_text())
        for panel, needs in (("stopped", "members that stopped"), ("sweep", "a sweep of one parameter"), ("shares", "a sweep, and [classes]"),
                             ("convergence", "converge.json"), ("levels", "mlmc.json")):
            self.assert_refused(f"there is nothing to draw for '{panel}' in run: it needs {needs}", "plot", "run", panel, "-o", "x.svg")

    def test_choices(self):
        self.run_program("plot", "run", "scatter", "--x", "tau", "--y", "late", "--color", "mu", "--width", "170", "-o", "a.svg", "--quiet")
        text = (self.folder / "a.svg").read_text()
        self.assert_says("late over τ", text)
        self.assert_says('width="170mm"', text)
        self.run_program("plot", "run", "scatter", "--x", "tau", "--y", "reach", "-o", "a.csv", "--quiet")
        rows = list(csv.reader(open(self.folder / "a.csv")))
        self.assertEqual((rows[0], len(rows)), (["tau", "reach"], 301))
        self.run_program("plot", "run", "scatter", "--x", "tau", "--y", "reach", "--color", "class", "-o", "b.csv", "--quiet")
        of_classes = list(csv.reader(open(self.folder / "b.csv")))
        self.assertEqual((of_classes[0], sorted(row[1:] for row in of_classes[1:])), (["series", "tau", "reach"], sorted(rows[1:])))

    def test_refusals(self):
        self.assert_refused("unknown panel 'histgram'; did you mean 'histogram'?", "plot", "run", "histgram", "-o", "a.svg")
        self.assert_refused("'reich' is neither a varied parameter nor an observable of run; did you mean 'reach'?", "plot", "run", "scatter", "--y", "reich", "-o", "a.svg")
        self.assert_refused("--out: 'a.gif' should end in .svg, .pdf, .png", "plot", "run", "histogram", "-o", "a.gif")
        self.write("a.svg", "mine")
        self.assert_refused("a.svg is there; replace it with --force", "plot", "run", "histogram", "-o", "a.svg")
        _, err = self.run_program("plot", "run", "histogram", "-o", "b.pdf", code=3, env=dict(os.environ, PATH="/nowhere"))
        self.assertIn("rsvg-convert is not here", err)
        self.assertFalse((self.folder / "b.pdf").exists())

    def test_pdf_and_png(self):
        if not shutil.which("rsvg-convert"):
            self.skipTest("no rsvg-convert (librsvg2-bin)")
        self.run_program("plot", "run", "histogram", "-o", "a.pdf", "--quiet")
        self.assertTrue((self.folder / "a.pdf").read_bytes().startswith(b"%PDF"))
        self.run_program("plot", "run", "histogram", "-o", "a.png", "--quiet")
        png = (self.folder / "a.png").read_bytes()
        self.assertTrue(png.startswith(b"\x89PNG"))
        self.assertAlmostEqual(int.from_bytes(png[16:20], "big"), 86 / 25.4 * 300, delta=2)
        self.assertEqual([path.name for path in self.folder.iterdir() if ".part" in path.name or path.name.startswith(".")], [])


class Validity(ReportTest):
    def test_tidy_finds_nothing(self):
        if not shutil.which("tidy"):
            self.skipTest("no tidy")
        self.make(STUDY)
        self.make(BLOW_UP, "blow", code=1)
        for out in ("run", "blow"):
            done = subprocess.run(["tidy", "-quiet", "-errors", "--show-info", "no", self.folder / out / "report.html"], capture_output=True, text=True)
            self.assertEqual(done.stderr, "", out)


# Lays a page out in a frame of the wanted width, looks at it, and leaves what it found in the title.
LOOK = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>nothing yet</title></head><body style="margin:0">
<iframe id="f" style="border:0;width:%(width)dpx;height:9000px"></iframe>
<script>
const frame = document.getElementById("f");
const light = c => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
frame.onload = () => {
  const d = frame.contentDocument, w = frame.contentWindow, found = [];
  const paper = w.getComputedStyle(d.body).backgroundColor;
  if (d.documentElement.scrollWidth > %(width)d) found.push("the page is " + d.documentElement.scrollWidth + " wide");
  for (const e of d.querySelectorAll("h1, h2, p, figure, figcaption, .warn, .fine, .scroll, dd")) {
    const b = e.getBoundingClientRect();
    if (b.width > 0 && (b.right > %(width)d + 1 || b.left < -1)) found.push(e.tagName + " " + e.textContent.slice(0, 30) + " is cut off");
  }
  for (const svg of d.querySelectorAll("figure svg")) {
    const s = svg.getBoundingClientRect(), name = svg.parentNode.id;
    const texts = [...svg.querySelectorAll("text")].map(t => [t, t.getBoundingClientRect()]).filter(([t, b]) => b.width > 0);
    texts.forEach(([t, b], i) => {
      if (b.left < s.left - 1 || b.right > s.right + 1 || b.top < s.top - 1 || b.bottom > s.bottom + 1) found.push(name + ": '" + t.textContent + "' is cut off");
      const c = contrast(w.getComputedStyle(t).fill, paper);
      if (c < 4.5) found.push(name + ": '" + t.textContent + "' has contrast " + c.toFixed(2));
      for (const [o, p] of texts.slice(i + 1)) {
        const across = Math.min(b.right, p.right) - Math.max(b.left, p.left), up = Math.min(b.bottom, p.bottom) - Math.max(b.top, p.top);
        if (across > 1 && up > 3) found.push(name + ": '" + t.textContent + "' and '" + o.textContent + "' overlap");
      }
    });
  }
  for (const e of d.querySelectorAll("p, td, th, summary, figcaption, li")) {
    let back = e;
    while (back && w.getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)") back = back.parentElement;
    const c = contrast(w.getComputedStyle(e).color, w.getComputedStyle(back || d.body).backgroundColor);
    if (c < 4.5) found.push(e.tagName + " '" + e.textContent.slice(0, 30) + "' has contrast " + c.toFixed(2));
  }
  const asked = w.performance.getEntriesByType("resource").map(r => r.name);
  if (asked.length) found.push("asks for " + asked.join(", "));
  document.title = "looked: " + JSON.stringify([...new Set(found)].slice(0, 40));
};
frame.srcdoc = new TextDecoder().decode(Uint8Array.from(atob("%(page)s"), c => c.charCodeAt(0)));
</script></body></html>
"""
DARK = "@media (prefers-color-scheme: dark)"


class Browser(ReportTest):
    """Pages as Chromium lays them out: nothing overflows, overlaps or is cut off, words can be read, nothing is asked for."""

    def look(self, page, width, dark):
        self.assertIn(DARK, page)
        page = page.replace(DARK, "@media all" if dark else "@media not all")
        (self.folder / "look.html").write_text(LOOK % {"width": width, "page": base64.b64encode(page.encode()).decode()})
        done = subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", f"--window-size={max(width, 600)},9000",
                               f"--user-data-dir={self.folder / 'profile'}", "--dump-dom", (self.folder / "look.html").as_uri()], capture_output=True, text=True, timeout=300)
        found = re.search(r"<title>looked: (.*?)</title>", done.stdout)
        self.assertTrue(found, done.stderr[-2000:])
        return json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))

    def setUp(self):
        super().setUp()
        if not shutil.which("chromium"):
            self.skipTest("no chromium")

    def test_pages_at_two_widths_light_and_dark(self):
        self.make(STUDY)
        self.make(BLOW_UP, "blow", code=1)
        # several runs with long names, whose legends need rows; cells of a sweep
        self.run_scenario(STUDY, "a-long-name-of-a-run", "--set", "mu=0.05")
        self.run_scenario(STUDY, "another-long-name-of-a-run", "--set", "mu=0.5")
        (self.folder / "both").mkdir()
        self.run_program("report", "run", "a-long-name-of-a-run", "another-long-name-of-a-run", "--out", "both/report.html", "--quiet")
        self.make(SLIDER.replace("[observe]", "[sweep]\nk = { values = [4, 9] }\nv0 = { values = [1, 2, 3] }\n[observe]").replace("members = 300", "members = 10"), "sweep")
        looks = [(out, width, dark) for out in ("run", "blow") for width in (1280, 390) for dark in (False, True)]
        for out, width, dark in [*looks, ("both", 390, False), ("sweep", 1280, True)]:
            page = (self.folder / out / "report.html").read_text()
            self.assertEqual(self.look(page, width, dark), [], (out, width, dark))

    def test_prints_on_few_pages(self):
        page, *_ = self.make(STUDY)
        subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder / 'profile'}",
                        f"--print-to-pdf={self.folder / 'page.pdf'}", (self.folder / "run/report.html").as_uri()], capture_output=True, timeout=300)
        pages = len(re.findall(rb"/Type\s*/Page\b", (self.folder / "page.pdf").read_bytes()))
        self.assertTrue(1 <= pages <= 3 + len(page.figures) / 6, f"{pages} pages for {len(page.figures)} figures")

    def test_the_look_finds_faults(self):
        self.make(BLOW_UP, "blow", code=1)
        page = (self.folder / "blow/report.html").read_text()
        self.assertTrue(any("wide" in words for words in self.look(page.replace("<main>", '<main><div style="width:700px">x</div>'), 390, False)))
        self.assertTrue(any("overlap" in words for words in self.look(re.sub(r'(<text x=")[\d.]+"', r'\g<1>50"', page), 1280, False)))
        self.assertTrue(any("contrast" in words for words in self.look(page.replace("--soft:#57606a", "--soft:#c0c0c0"), 1280, False)))


if __name__ == "__main__":
    product_program.main(__doc__)
