"""The Python package as its users meet it: the same bits as the program, changes, errors, interruptions, tables.

    PYTHONPATH=build/python python3 python_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
import argparse
import concurrent.futures
import contextlib
import io
import logging
import multiprocessing
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)
import conesweep as cs

OPTIONS = argparse.Namespace()

QUICK_SAMPLES = ["bouncing_ball", "counterexample_1", "ladder", "piston", "slider"]


def importable(name):
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def evaluate_first(study):
    """For a process of its own."""
    return np.asarray(study.evaluate(study.draw(4)))


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def sample(self, name, **changes):
        return cs.Scenario(OPTIONS.source / f"samples/{name}.toml", **changes)

    def slider(self, **changes):
        return self.sample("slider", **{"members": 200, "step": 0.02, **changes})

    def assert_same_bits(self, a, b, what=""):
        a, b = np.asarray(a), np.asarray(b)
        self.assertEqual(a.shape, b.shape, what)
        self.assertTrue(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), f"{what}: {np.sum(~((a == b) | (np.isnan(a) & np.isnan(b))))} differ")


class Bits(Case):
    """What the program leaves and what Python gives are the same numbers."""

    def compare(self, name):
        out = self.folder / name
        members = None if 'sampler = "grid"' in self.sample(name).text else 12  # of a grid they are what its levels make
        command = [OPTIONS.program, "run", OPTIONS.source / f"samples/{name}.toml", *(["--members", members] if members else []),
                   "--backend", "cpu", "--no-step-check", "--quiet", "--out", out]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: members stopped
        of_program = cs.open(out)
        study = self.sample(name, **({"members": members} if members else {}))
        ours = study.run(backend="cpu", step_check=False)
        values = study.evaluate(study.draw(), backend="cpu") if study.varied else None
        self.assertEqual(ours.observables, of_program.observables)
        for column in [*ours.parameters, *ours.observables, "status", "stop_time", "flags", "class"]:
            self.assert_same_bits(ours[column], of_program[column], f"{column} of {name}")
        for track, column in ours.trajectories.items():
            self.assert_same_bits(column, of_program.trajectories[track], f"{track} of {name}")
        if values is None:
            return
        self.assert_same_bits(values.status, ours["status"], f"evaluated statuses of {name}")
        for observable in values.names:
            self.assert_same_bits(values[observable], ours[observable], f"{observable} of {name}, evaluated")

    def test_are_the_programs(self):
        every = sorted(path.stem for path in (OPTIONS.source / "samples").glob("*.toml"))
        samples = every if os.environ.get("CONESWEEP_ALL") else QUICK_SAMPLES
        for name in samples:
            with self.subTest(name):
                self.compare(name)


class Scenarios(Case):
    def test_come_from_files_texts_dicts_and_keywords(self):
        keys = {
            "title": "Fall",
            "model": {"coordinates": ["y"], "force": ["-9.81"], "parameters": {"e": 0.5}, "contact": [{"inside": "y >= 0", "restitution": "e"}]},
            "start": {"y": 1}, "time": {"end": 1, "step": 0.01}, "ensemble": {"members": 5}, "vary": {"e": cs.uniform(0.1, 0.9)},
        }
        from_dict = cs.Scenario(keys)
        (self.folder / "fall.toml").write_text(from_dict.text)
        file = self.folder / "fall.toml"
        for scenario in from_dict, cs.Scenario(**keys), cs.Scenario(from_dict.text), cs.Scenario(file), cs.Scenario(str(file)):
            self.assertEqual((scenario.text, scenario.members, scenario.varied), (from_dict.text, 5, ["e"]))
            self.assert_same_bits(scenario.draw(), from_dict.draw())

    def test_with_gives_a_changed_copy(self):
        study = self.slider()
        before = study.text
        changed = study.with_(members=10, seed=5, step=0.01, end=2.0, tau=0.1, alpha=cs.normal(0.3, 0.01), g=cs.choice([9.81, 1.62]))
        self.assertEqual((changed.members, changed.seed, changed.step, changed.end, changed.parameters["tau"]), (10, 5, 0.01, 2.0, 0.1))
        self.assertEqual(changed.varied, ["alpha", "v0", "g"])
        self.assertEqual(study.text, before)
        self.assertEqual(study.with_(step="2*pi/1000", end="2*pi").step, 2 * np.pi / 1000)
        self.assertEqual(study.with_(members=np.int64(7), tau=np.float32(0.5)).parameters["tau"], 0.5)
        with self.assertRaisesRegex(TypeError, "members is a whole number, got 10.5"):
            study.with_(members=10.5)

    def test_with_writes_any_key(self):
        changed = self.slider().with_({"model.force": ["k * (target - x)", "-g"], "ensemble.sampler": "latin"}, observe={"far": {"max": "abs(x)"}}, record=None)
        self.assertIn('sampler = "latin"', changed.text)
        self.assertIn("far", changed.observables)
        self.assertIn("reach", changed.observables)
        self.assertEqual(changed.run().trajectories, {})
        self.assertIn("x", self.slider().run().trajectories)
        with self.assertRaisesRegex(TypeError, "a scenario has no value like"):
            self.slider(observe={"far": {"max": object()}})

    def test_pickle_with_all_that_was_changed(self):
        study = self.slider().with_(k=5.0, tau=cs.normal(0.2, 0.01)).with_({"observe.far": {"max": "x"}}, members=9)
        again = pickle.loads(pickle.dumps(study))
        self.assertEqual(again.text, study.text)
        self.assert_same_bits(again.run()["far"], study.run()["far"])

    def test_check_tells_what_is_worth_knowing(self):
        problems = self.slider().check()
        self.assertIn("note", {problem.severity for problem in problems})
        self.assertRegex(repr(problems), r"slider.toml: note: theory: ")


class Errors(Case):
    def test_have_all_problems_with_their_places(self):
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

    def test_name_no_flags(self):
        refused = [
            (lambda: cs.Scenario("no/such.toml"), "cannot read no/such.toml"),
            (lambda: cs.open(self.folder), "finished run"),
            (lambda: self.slider(alfa=1.0), "did you mean 'alpha'"),
            (lambda: self.slider().run(backend="gpu"), "gpu"),
            (lambda: self.slider().run(threads=-1), "threads"),
            (lambda: self.slider().run(precision="half"), "precision"),
            (lambda: self.slider().run()["reech"], "did you mean 'reach'"),
            (lambda: self.slider().run().plot("reech"), "reech"),
            (lambda: self.slider().evaluate({"alfa": [1.0]}), "did you mean 'alpha'"),
            (lambda: self.slider().mlmc("reech", rmse=0.1), "did you mean 'reach'"),
        ]
        for refuse, words in refused:
            with self.assertRaises(cs.InputError) as caught:
                refuse()
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("--", str(caught.exception))

    def test_a_folder_is_not_overwritten(self):
        self.slider().run(self.folder / "run")
        with self.assertRaises(cs.InputError):
            self.slider(members=10).run(self.folder / "run")
        self.assertEqual(self.slider(members=10).run(self.folder / "run", force=True).members, 10)


class Evaluations(Case):
    def test_are_what_a_run_finds(self):
        study = self.slider()
        values, run = study.evaluate(study.draw()), study.run()
        self.assertEqual(values.shape, (200, len(study.observables)))
        self.assertEqual(values.names, study.observables)
        for name in values.names:
            self.assert_same_bits(values[name], run[name], name)
        self.assert_same_bits(values.status, run["status"])
        self.assert_same_bits(values.stop_time, run["stop_time"])

    def test_give_the_kind_of_thing_they_get(self):
        study = self.slider()
        rows = study.draw(5)
        values = study.evaluate(rows)
        columns = study.evaluate(dict(zip(study.varied, rows.T)))
        self.assertEqual(list(columns), [*study.observables, "status"])
        self.assert_same_bits(columns["reach"], values["reach"])
        self.assert_same_bits(study.evaluate(np.asfortranarray(rows)), values)
        self.assert_same_bits(study.evaluate(rows.tolist()), values)
        row = study.evaluate(rows[2])
        self.assertEqual((row.shape, row["reach"]), ((len(study.observables),), values["reach"][2]))
        self.assertEqual(study.evaluate(rows[:0]).shape, (0, len(study.observables)))
        with self.assertRaisesRegex(TypeError, "members × 3"):
            study.evaluate(rows[:, :2])

    @unittest.skipUnless(importable("pandas"), "pandas is not there")
    def test_of_a_frame_are_a_frame(self):
        import pandas

        study = self.slider()
        rows = study.draw(5)
        frame = study.evaluate(pandas.DataFrame(rows, columns=study.varied, index=list("abcde")))
        self.assertEqual((list(frame.index), list(frame.columns)), (list("abcde"), [*study.observables, "status"]))
        self.assert_same_bits(frame["reach"], study.evaluate(rows)["reach"])
        self.assertEqual(list(frame["status"]), ["ok"] * 5)

    def test_other_parameters_can_be_columns(self):
        study = self.slider()
        found = study.evaluate({"k": [3.0, 5.0], "tau": 0.1})["reach"]
        fixed = study.with_(alpha=study.parameters["alpha"], v0=study.parameters["v0"], tau=0.1)
        for k, reach in zip([3.0, 5.0], found):
            self.assertEqual(fixed.with_(k=k, members=1).run()["reach"][0], reach)

    def test_models_are_compiled_once_for_all_numbers(self):
        from conesweep import _core

        compiled = []
        make = _core.compile
        self.addCleanup(setattr, _core, "compile", make)
        _core.compile = lambda *arguments: compiled.append(1) or make(*arguments)
        study = self.slider(title="compiled once", members=7)
        others = {"k": 5.0}, {"step": 0.01}, {"end": 2.0}, {"members": 5}, {"seed": 3, "alpha": cs.normal(0.3, 0.01)}
        for changed in study, *(study.with_(other) for other in others):
            self.assert_same_bits(changed.evaluate(changed.draw())["reach"], changed.run()["reach"], repr(changed))
        self.assertEqual(len(compiled), 1)
        study.with_({"model.force": ["-x", "-g"]}).evaluate(study.draw())
        self.assertEqual(len(compiled), 2)

    def test_statuses_tell_who_stopped(self):
        study = self.slider()
        rows = study.draw(3)
        rows[1, study.varied.index("tau")] = -1.0
        values = study.evaluate(rows)
        self.assertEqual([cs.status_names()[code] for code in values.status], ["ok", "bad_delay", "ok"])
        self.assertTrue(np.isnan(values["reach"][1]))


class Behaviour(Case):
    def test_ctrl_c_ends_a_run_and_keeps_chunks(self):
        script = self.folder / "long.py"
        script.write_text(textwrap.dedent("""
            import os, pathlib, sys, conesweep as cs
            study = cs.Scenario(sys.argv[1], members=4_000_000)
            before = len(os.listdir("/proc/self/task"))
            def progress(now):
                if now.done >= 8192:
                    print("begun", flush=True)
            try:
                study.run(sys.argv[2], chunk=4096, step_check=False, progress=progress)
            except KeyboardInterrupt:
                print("interrupted", len(os.listdir("/proc/self/task")) - before, flush=True)
        """))
        out = self.folder / "run"
        with subprocess.Popen([sys.executable, script, str(OPTIONS.source / "samples/slider.toml"), out], stdout=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            self.assertEqual(process.stdout.readline(), "begun\n")
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            said, _ = process.communicate(timeout=60)
            print(f"ended after {time.monotonic() - began:.2f} s")
        self.assertEqual(said.splitlines()[-1], "interrupted 0", "threads are left")

        class Enough(Exception):
            pass

        def look(progress):
            self.assertGreaterEqual(progress.done, 4096)
            raise Enough

        with self.assertRaises(Enough):
            self.sample("slider", members=4_000_000).run(out, chunk=4096, step_check=False, resume=True, progress=look)

    def test_two_studies_in_two_threads(self):
        studies = [self.slider(seed=seed, members=2000) for seed in range(4)]
        alone = [study.run()["reach"] for study in studies]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for run, reach in zip(pool.map(lambda study: study.run(), studies), alone):
                self.assert_same_bits(run["reach"], reach)
            rows = studies[0].draw(50)
            for values in pool.map(lambda study: study.evaluate(rows), studies):
                self.assert_same_bits(values, studies[0].evaluate(rows))

    def test_others_run_while_members_are_stepped(self):
        counted, ended = [0], threading.Event()

        def count():
            while not ended.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        self.sample("slider", members=20_000).run(step_check=False)
        ended.set()
        thread.join()
        self.assertGreater(counted[0], 10)

    def test_processes_that_are_forked_or_spawned(self):
        study = self.slider()
        wanted = evaluate_first(study)  # this process has the model
        for how in "fork", "spawn":
            with multiprocessing.get_context(how).Pool(2) as pool:
                for values in pool.map(evaluate_first, [study, study]):
                    self.assert_same_bits(values, wanted, how)

    def test_nothing_prints_unless_asked_for(self):
        said, shown = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            self.slider().run()
        with contextlib.redirect_stderr(shown):
            self.slider().run(progress=True)
        self.assertEqual(said.getvalue(), "")
        self.assertIn("] 200 of 200", shown.getvalue())

    def test_messages_are_logged(self):
        with self.assertLogs("conesweep", logging.INFO) as logged:
            self.sample("slider", members=2000, step=0.08).run()
        self.assertIn("the step is large", "\n".join(logged.output))

    def test_a_run_without_a_folder_leaves_none(self):
        run = self.slider().run()
        folder, reach = run.folder, run["reach"]
        self.assertTrue(folder.exists())
        del run
        self.assertFalse(folder.exists())
        self.assertEqual(len(reach), 200)


class Tables(Case):
    def test_columns_are_views_that_are_read_only(self):
        run = self.slider().run()
        self.assertFalse(run["reach"].flags.owndata)
        self.assertFalse(run["reach"].flags.writeable)
        self.assertIs(run["reach"], run["reach"])
        self.assertEqual((len(run), run.members, run.stopped, run.parameters), (200, 200, 0, ["alpha", "v0", "tau"]))
        self.assertEqual(run.summary["observables"]["reach"]["mean"], run.table.loc["reach", "mean"] if importable("pandas") else run["reach"].mean())

    def test_an_opened_run_is_the_one_that_was_made(self):
        made = self.slider().run(self.folder / "run")
        opened = cs.open(self.folder / "run")
        self.assertEqual((opened.summary, opened.scenario.text), (made.summary, made.scenario.text))
        self.assert_same_bits(opened.scenario.run()["reach"], made["reach"])

    @unittest.skipUnless(importable("pandas"), "pandas is not there")
    def test_frames(self):
        run = self.slider().run()
        self.assertEqual(list(run.table.index), run.observables)
        self.assertTrue({"mean", "standard_error", "0.5"} <= set(run.table.columns))
        self.assertEqual(run.frame.shape, (200, 3 + len(run.observables) + 1))
        self.assertEqual(run.correlations.table.loc[("reach", "alpha")].notna().all(), True)

    @unittest.skipUnless(importable("xarray"), "xarray is not there")
    def test_datasets(self):
        run = self.slider(record={"members": 3, "every": 2}).run()
        dataset = run.dataset
        self.assert_same_bits(dataset["reach"], run["reach"])
        self.assertEqual(dict(dataset.sizes), {"member": 200, "recorded": 3, "time": 101})
        self.assertEqual(dataset["x"].dims, ("recorded", "time"))
        self.assertEqual(dataset["status"].attrs["flag_meanings"].split(), cs.status_names())

    @unittest.skipUnless(importable("xarray"), "xarray is not there")
    def test_sweeps_are_axes(self):
        run = self.slider(members=4, sweep={"k": {"values": [3.0, 4.0, 5.0]}, "g": {"values": [9.0, 10.0]}}).run()
        reach = run.dataset["reach"]
        self.assertEqual((reach.dims, reach.shape), (("k", "g", "member"), (3, 2, 4)))
        self.assert_same_bits(reach.sel(k=4.0, g=10.0), run["reach"][12:16])
        self.assertEqual(set(run["k"][12:16]), {4.0})

    def test_statistics_alone(self):
        run = self.slider(keep="statistics").run()
        self.assertEqual((run.members, len(run)), (200, 0))
        self.assertIn("mean", run.summary["observables"]["reach"])


class Studies(Case):
    def test_say_what_the_program_says(self):
        study = self.slider(members=64)
        self.assertEqual(set(study.sensitivity(members=64).summary["sensitivity"]["reach"]), {"alpha", "v0", "tau"})
        self.assertIn("mu_star", study.sensitivity(method="morris").summary["sensitivity"]["reach"]["tau"])
        self.assertEqual(len(study.converge(levels=3).summary["levels"]), 3)
        estimate = study.mlmc("reach", rmse=0.3)
        self.assertLess(abs(estimate.value - study.run()["reach"].mean()), 2)
        self.assertLess(estimate.rmse, 0.4)
        self.assertTrue(study.compare(members=16).passed)
        self.assertEqual(study.plan().summary["members"], 64)

    def test_trace_is_one_member(self):
        study = self.slider(members=4)
        trace = study.trace(3)
        self.assert_same_bits(trace["t"][-1], 4.0)
        self.assertAlmostEqual(trace["x"][-1], study.run()["final.x"][3], places=9)
        self.assertEqual(trace["event"].dtype.kind, "U")

    @unittest.skipUnless(importable("pandas"), "pandas is not there")
    def test_have_tables(self):
        study = self.slider(members=64)
        self.assertEqual(list(study.sensitivity().table.index.names), ["observable", "parameter"])
        self.assertIn("total_lower", study.sensitivity().table.columns)
        self.assertIn("order", study.converge(levels=3).table.columns)
        self.assertIn("variance", study.mlmc("reach", rmse=0.3).table.columns)
        self.assertTrue(study.compare(members=16).table["within"].all())
        self.assertIn("cpu", study.plan().table.index)
        self.assertIn("x", study.trace(1).table.columns)

    def test_figures_and_reports(self):
        run = self.slider().run()
        figure, = run.plot("reach")
        self.assertTrue(figure.svg.startswith("<"))
        self.assertIn("<svg", run.plot("scatter", x="tau", y="reach", color="alpha")._repr_html_())
        self.assertIn("scatter", cs.panels())
        run.plot("reach").save(self.folder / "reach.svg")
        self.assertEqual((self.folder / "reach.svg").read_text(), figure.svg)
        run.report(self.folder / "report.html")
        self.assertIn(run.title, (self.folder / "report.html").read_text())
        shown = run._repr_html_()
        self.assertIn("<svg", shown)
        self.assertIn("200 members, 0 stopped", shown)


class Page(Case):
    """docs/python.md: its blocks run one after the other, and print what is shown below them."""

    @unittest.skipUnless(importable("pandas"), "pandas is not there")
    def test_examples_work_and_print_what_is_shown(self):
        page = (OPTIONS.source / "docs/python.md").read_text()
        names = {}
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        os.symlink(OPTIONS.source / "samples", "samples")
        blocks = re.findall(r"^```(python|text)\n(.*?)^```$", page, re.M | re.S)
        printed = ""
        for kind, text in blocks:
            if kind == "text":
                self.assertEqual(printed.split(), text.split())
                continue
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec(compile(text, "docs/python.md", "exec"), names)
            printed = said.getvalue()
        self.assertGreater(len(blocks), 5)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    _, rest = parser.parse_known_args(namespace=OPTIONS)
    unittest_main.main(rest)


if __name__ == "__main__":
    main()
