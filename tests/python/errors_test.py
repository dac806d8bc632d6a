"""What is wrong is told as a Python user knows it: exceptions with places, in sentences that name no flag of the command line.

    PYTHONPATH=build/python python3 errors_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
from __future__ import annotations

import logging
import pathlib
import pickle
import re
from collections.abc import Callable

from python_case import Case, cs, main, np

FLAG = r"(?<![-\w])--?[a-z][-\w]*"  # --force, -o


class Errors(Case):
    def test_have_all_problems_with_their_places(self) -> None:
        text = self.slider().text.replace('max = "x"', 'max = "xx"').replace("members = 200", "members = -1")
        with self.assertRaises(cs.InputError) as caught:
            cs.Scenario(text)
        problem, = [one for one in caught.exception.problems if "xx" in one.excerpt]
        self.assertEqual(text.splitlines()[problem.line - 1], problem.excerpt)
        self.assertEqual(problem.excerpt[problem.column - 1:][:problem.length], "xx")
        self.assertEqual((problem.severity, problem.file), ("error", "scenario.toml"))
        self.assertGreaterEqual(len(caught.exception.problems), 2)
        self.assertRegex(str(caught.exception), rf"scenario.toml:{problem.line}:{problem.column}: .*\n.*xx.*\n +\^\^")
        self.assertIsInstance(caught.exception, ValueError)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.problems), (str(caught.exception), caught.exception.problems))

    def test_a_folder_is_not_overwritten(self) -> None:
        self.slider().run(self.folder / "run")
        with self.assertRaisesRegex(cs.InputError, "'force'"):
            self.slider(members=10).run(self.folder / "run")
        self.assertEqual(self.slider(members=10).run(self.folder / "run", force=True).members, 10)


class Sentences(Case):
    """Each refusal is an InputError or a TypeError that says what was meant, and none speaks of flags."""

    def refuse(self, refused: dict[str, Callable[[], object]]) -> None:
        for words, call in refused.items():
            with self.subTest(words):
                with self.assertRaises((cs.InputError, TypeError)) as caught:
                    call()
                text = str(caught.exception)
                self.assertIn(words, text)
                self.assertNotRegex(text, FLAG)
                for problem in getattr(caught.exception, "problems", ()):
                    self.assertNotRegex(problem.words + problem.hint, FLAG)

    def test_of_scenarios(self) -> None:
        study = self.slider()
        self.refuse({
            "cannot read no/such.toml": lambda: cs.Scenario("no/such.toml"),
            "did you mean 'alpha'": lambda: study.with_(alfa=1.0),
            "unknown distribution 'unifrm'": lambda: study.with_({"vary.alpha": {"unifrm": [0, 1]}}),
            "uniform": lambda: study.with_(alpha=cs.uniform(1.0, 0.0)),
            "unknown name 'z'": lambda: study.with_(observe={"far": {"max": "abs(z)"}}),
            "members": lambda: study.with_(members=0),
            "step": lambda: study.with_(step=-1.0),
            "whole number of steps": lambda: study.with_(end=0.0301),
            "keep": lambda: study.with_(keep="nothing"),
            "no value like": lambda: study.with_(title=object()),
            "none.csv": lambda: study.with_(alpha=cs.table("none.csv:alpha")),
            "numbered from 0 to 199": lambda: study.draw(500),
            "friction_angle is 2": lambda: study.with_(alpha=2.0),
        })

    def test_of_runs(self) -> None:
        study, run = self.slider(), self.slider().run()
        nothing_kept = self.slider(keep="statistics").run()
        (self.folder / "mine.html").write_text("mine")
        self.refuse({
            "finished run": lambda: cs.open(self.folder),
            "gpu": lambda: study.run(backend="gpu"),
            "threads": lambda: study.run(threads=-1),
            "precision": lambda: study.run(precision="half"),
            "4096": lambda: study.run(chunk=100),
            "until": lambda: study.run(until={"reech": 0.1}),
            "most": lambda: study.run(until={"reach": 0.1}, most=-5),
            "watch": lambda: study.run(watch="reech"),
            "resume": lambda: study.run(resume=True, force=True),
            "did you mean 'reach'": lambda: run["reech"],
            "panel 'reech'": lambda: run.plot("reech"),
            "'zz'": lambda: run.plot("scatter", x="zz"),
            "keep": lambda: nothing_kept.plot("scatter"),
            "was not made by conesweep": lambda: run.report(self.folder / "mine.html"),
            "single members": lambda: nothing_kept.correlations,
        })

    def test_of_studies(self) -> None:
        study = self.slider()
        self.refuse({
            "did you mean 'alpha'": lambda: study.evaluate({"alfa": [1.0]}),
            "members × 3": lambda: study.evaluate(np.zeros((2, 2))),
            "method": lambda: study.sensitivity(method="sobel"),
            "levels": lambda: study.sensitivity(method="morris", levels=3),
            "second": lambda: study.sensitivity(method="morris", second_order=True),
            "levels: at least 2": lambda: study.converge(levels=1),
            "'reech'": lambda: study.converge(observables=["reech"]),
            "did you mean 'reach'": lambda: study.mlmc("reech", rmse=0.1),
            "rmse": lambda: study.mlmc("reach", rmse=-1.0),
            "unknown backend 'gpu'": lambda: study.compare("cpu", "gpu"),
            "tolerance": lambda: study.compare(tolerance=-1.0),
            "1000 is not a member": lambda: study.trace(1000),
            "every": lambda: study.trace(0, every=0),
            "chunk": lambda: study.plan(chunk=5),
        })

    def test_of_what_the_machine_refuses(self) -> None:
        """A GPU that is not there, a folder that cannot be made."""
        (self.folder / "file").touch()
        refused: dict[str, Callable[[], object]] = {
            "cuda": lambda: self.slider().run(backend="cuda", devices="17"),
            "folder": lambda: self.slider().run(self.folder / "file/run"),
        }
        for what, call in refused.items():
            with self.subTest(what), self.assertRaises((RuntimeError, cs.InputError)) as caught:
                call()
            self.assertNotRegex(str(caught.exception), FLAG)

    def test_of_advice_and_of_what_is_logged(self) -> None:
        with self.assertLogs("conesweep", logging.INFO) as logged:
            self.sample("slider", members=2000, step=0.08).run()
            self.sample("ladder").run()
        said = [*logged.output, self.slider().converge(levels=3).advice, *(problem.words for problem in self.slider().check())]
        said += [cs.status_advice(code) for code in range(len(cs.status_names()))] + list(cs.panels().values())
        said += [docs for name in cs.__all__ if (docs := getattr(cs, name).__doc__)]
        for sentence in said:
            self.assertNotRegex(sentence, FLAG)

    def test_of_the_package_itself(self) -> None:
        for source in pathlib.Path(cs.__file__).parent.glob("*.py"):
            for number, line in enumerate(source.read_text().splitlines(), start=1):
                self.assertIsNone(re.search(r"""["' ]--[a-z]""", line), f"{source.name}:{number}: {line}")


if __name__ == "__main__":
    main()
