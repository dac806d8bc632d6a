"""Figures and reports of runs, as notebooks show them and on matplotlib's axes.

    PYTHONPATH=build/python python3 figures_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
from __future__ import annotations

import base64
import re
import xml.etree.ElementTree
from typing import Any

from python_case import Case, cs, main, needs, np

SVG = "{http://www.w3.org/2000/svg}"


class Figures(Case):
    def test_are_shown_as_images(self) -> None:
        run = self.slider().run()
        figure, = run.plot("reach")
        xml.etree.ElementTree.fromstring(figure.svg)
        self.assertEqual((run.plot("reach")._repr_svg_(), run.plot("reach")._repr_html_()), (figure.svg, None))
        several = run.plot("histogram")
        self.assertGreater(len(several), 1)
        self.assertIsNone(several._repr_svg_())
        shown = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', several._repr_html_() or "")
        self.assertEqual([base64.b64decode(one).decode() for one in shown], [one.svg for one in several])

    def test_are_saved(self) -> None:
        drawn = self.slider().run().plot("reach")
        drawn.save(self.folder / "reach.svg")
        drawn.save(self.folder / "reach.csv")
        self.assertEqual([(self.folder / name).read_text() for name in ("reach.svg", "reach.csv")], [drawn[0].svg, drawn[0].csv])
        with self.assertRaisesRegex(ValueError, r"\.svg or \.csv, not as \.png"):
            drawn.save(self.folder / "reach.png")

    def test_have_their_marks_in_units_of_the_axes(self) -> None:
        run = self.slider().run()
        scatter, = run.plot("scatter", x="tau", y="reach", color="alpha")
        dots = [mark for mark in scatter.content.marks if mark.join == "dots"]
        self.assertEqual(sorted(np.concatenate([mark.x for mark in dots])), sorted(run["tau"]))
        self.assertEqual(sorted(np.concatenate([mark.y for mark in dots])), sorted(run["reach"]))
        self.assertEqual((scatter.content.x.label, scatter.content.colours.label), ("τ", "α"))
        histogram, = run.plot("reach")
        boxes, = (mark for mark in histogram.content.marks if mark.join == "boxes")
        self.assertAlmostEqual(float(boxes.x.min()), run["reach"].min())

    def test_have_a_colour_for_each_class(self) -> None:
        run = self.slider(classes={"far": "reach > 1.5", "near": "reach <= 1.5"}).run()
        scatter, = run.plot("scatter", x="tau", y="reach", color="class")
        far = int(np.sum(run["reach"] > 1.5))
        self.assertEqual([words for _, words in scatter.content.names], [f"far {far}", f"near {200 - far}"])
        of_far, of_near = (mark for mark in scatter.content.marks if mark.join == "dots")
        self.assertEqual(sorted(of_far.y), sorted(run["reach"][run["reach"] > 1.5]))
        self.assertEqual(sorted(of_near.x), sorted(run["tau"][run["reach"] <= 1.5]))
        self.assertNotEqual(of_far.style, of_near.style)
        with self.assertRaisesRegex(cs.InputError, "'class' is neither a varied parameter nor an observable"):
            self.slider().run().plot("scatter", x="tau", y="reach", color="class")

    @needs("matplotlib")
    def test_are_drawn_on_matplotlibs_axes(self) -> None:
        import matplotlib
        from matplotlib.colors import to_hex

        matplotlib.use("Agg")
        from matplotlib import pyplot

        run = self.slider(record={"members": 5, "every": 4}, classes={"far": "reach > 1.5", "near": "reach <= 1.5"}).run()
        axes = run.plot("scatter", x="tau", y="reach", color="alpha").matplotlib()
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("τ", "reach"))
        self.assertEqual(sum(len(line.get_xdata()) for line in axes.lines), 200)
        _, given = pyplot.subplots()
        self.assertIs(run.plot("reach").matplotlib(given), given)
        bars: Any = given.collections[0]
        self.assertEqual(to_hex(bars.get_facecolor()[0]), "#0072b2")
        self.assertAlmostEqual(bars.get_paths()[0].vertices[:, 0].min(), run["reach"].min())
        for panel in cs.panels():  # every kind of mark and of axis is drawn, and can be rendered
            with self.subTest(panel):
                try:
                    drawn = run.plot(panel)
                except cs.InputError:
                    continue
                for figure in drawn:
                    figure.matplotlib().figure.canvas.draw()
                    pyplot.close("all")

    @needs("matplotlib")
    def test_logarithmic_axes_and_names(self) -> None:
        import matplotlib

        matplotlib.use("Agg")
        out = self.folder / "run"
        study = self.slider()
        study.run(out)
        study.converge(levels=4, out=out)
        axes = cs.open(out).plot("convergence").matplotlib()
        first = axes[0] if isinstance(axes, list) else axes
        self.assertEqual((first.get_xscale(), first.get_yscale()), ("log", "log"))
        study.sensitivity(members=500, out=self.folder / "sobol")
        bars = cs.open(self.folder / "sobol").plot("sensitivity", y="reach").matplotlib()
        names = [tick.get_text() for tick in bars.get_yticklabels()]
        self.assertEqual(set(names), {"α", "v₀", "τ"})
        self.assertTrue(bars.yaxis_inverted())  # the first name stands at the top
        self.assertEqual([text.get_text() for text in bars.get_legend().get_texts()][:1], ["first: alone"])


class Reports(Case):
    def test_are_pages_of_some_runs(self) -> None:
        run = self.slider().run()
        run.report(self.folder / "report.html")
        self.assertIn(run.title, (self.folder / "report.html").read_text())
        other = self.slider(seed=7).run()
        cs.write_report([run, other.folder], self.folder / "both.html")
        self.assertIn("Runs side by side", (self.folder / "both.html").read_text())

    def test_a_run_shows_the_head_of_its_report(self) -> None:
        run = self.slider(step=0.08).run()
        shown = run._repr_html_()
        page = self.folder / "report.html"
        run.report(page)
        head = re.search(r"<h1>.*?</h1>\s*<p class=\"lead\">.*?</p>", page.read_text(), re.S)
        warnings = re.search(r"<div class=\"warn\".*?</div>", page.read_text(), re.S)
        assert head is not None and warnings is not None
        self.assertIn(head[0].replace("h1>", "h3>"), shown)
        self.assertIn(warnings[0], shown)
        self.assertIn(f"<td>{run['reach'].mean():.5g}</td>", shown)
        self.assertIn("The same for all members: impacts = 0", shown)
        self.assertGreaterEqual(shown.count("data:image/svg+xml"), 2)

    def test_one_that_keeps_statistics_alone_has_no_figures_of_members(self) -> None:
        shown = self.slider(keep="statistics").run()._repr_html_()
        self.assertIn("<th>deviation</th>", shown)


if __name__ == "__main__":
    main()
