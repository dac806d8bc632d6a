"""The Python package at work: interruptions, threads and processes, tables, studies, and its page of the documentation.

    PYTHONPATH=build/python python3 use_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
from __future__ import annotations

import concurrent.futures
import contextlib
import io
import logging
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types
from pathlib import Path
from typing import Any
from unittest import mock

from python_case import OPTIONS, Case, cs, importable, main, needs, np


def evaluate_first(study: cs.Scenario) -> Any:
    """For a process of its own."""
    return np.asarray(study.evaluate(study.draw(4)))


LONG = {  # what takes minutes, as statements over `study`
    "run": "study.run(sys.argv[2], chunk=4096, step_check=False, progress=begun)",
    "evaluate": "rows = study.draw(); study.evaluate(rows[:1]); begun(); study.evaluate(rows)",
    "sensitivity": "study.sensitivity(progress=begun)",
    "converge": "study.converge(progress=begun)",
    "mlmc": "study.mlmc('reach', rmse=1e-7, progress=begun)",
    "compare": "begun(); study.compare('cpu', 'reference')",
    "trace": "study = study.with_(step=1e-7); begun(); study.trace(3)",
}


class Interruptions(Case):
    """Ctrl-C ends each of them with KeyboardInterrupt, and leaves no thread that works on. How long that took is printed; wanted: a second."""

    def interrupt(self, what: str, out: Path) -> None:
        script = self.folder / "long.py"
        script.write_text(textwrap.dedent(f"""
            import os, signal, sys, conesweep as cs
            signal.signal(signal.SIGINT, signal.default_int_handler)   # who starts tests may ignore it
            study = cs.Scenario(sys.argv[1], members=4_000_000)
            study.evaluate(study.draw(1))   # a model has threads of its own, which wait: these stay
            before = set(os.listdir("/proc/self/task"))
            def begun(now=None):
                if now is None or now.done >= 8192:
                    print("begun", flush=True)
            try:
                {LONG[what]}
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        """))
        with subprocess.Popen([sys.executable, script, str(OPTIONS.source / "samples/slider.toml"), out], stdout=subprocess.PIPE, text=True) as process:
            alarm = threading.Timer(120, process.kill)
            alarm.start()
            assert process.stdout is not None
            self.assertEqual(process.stdout.readline(), "begun\n")
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            said, _ = process.communicate()
            alarm.cancel()
            print(f"{what} ended after {time.monotonic() - began:.2f} s")
        self.assertEqual((said.splitlines()[-1:], process.returncode), (["interrupted"], 0))

    def test_end_whatever_is_done(self) -> None:
        for what in LONG:
            with self.subTest(what):
                self.interrupt(what, self.folder / what)

    def test_keep_finished_chunks(self) -> None:
        out = self.folder / "run"
        self.interrupt("run", out)

        class Enough(Exception):
            pass

        def look(progress: Any) -> None:
            self.assertGreaterEqual(progress.done, 4096)
            raise Enough

        with self.assertRaises(Enough):
            self.sample("slider", members=4_000_000).run(out, chunk=4096, step_check=False, resume=True, progress=look)

    def test_leave_no_thread(self) -> None:
        """The thread that a call has members stepped on ends before the call does, also where that is cut short."""

        class Enough(Exception):
            pass

        def stop(progress: Any) -> None:
            raise Enough

        study = self.sample("slider", members=400_000)
        before = len(os.listdir("/proc/self/task"))
        with self.assertRaises(Enough):
            study.run(step_check=False, progress=stop)
        self.slider().run()
        self.assertEqual(len(os.listdir("/proc/self/task")), before)


class Behaviour(Case):
    def test_signals_are_looked_at_five_times_a_second(self) -> None:
        """By Python's own clock: a timer's handler is called in the thread that waits for the members."""
        ticks: list[float] = []
        before = signal.signal(signal.SIGALRM, lambda *_: ticks.append(time.monotonic()))
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        began = time.monotonic()
        self.sample("slider", members=200_000).run(step_check=False)
        signal.setitimer(signal.ITIMER_REAL, 0)
        wanted = (time.monotonic() - began) / 0.2
        self.assertGreater(wanted, 2, "too short a run to tell")
        self.assertGreater(len(ticks), wanted)

    def test_two_studies_in_two_threads(self) -> None:
        studies = [self.slider(seed=seed, members=2000) for seed in range(4)]
        alone = [study.run()["reach"] for study in studies]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for run, reach in zip(pool.map(lambda study: study.run(), studies), alone):
                self.assert_same_bits(run["reach"], reach)
            rows = studies[0].draw(50)
            for values in pool.map(lambda study: study.evaluate(rows), studies):
                self.assert_same_bits(values, studies[0].evaluate(rows))

    def test_others_run_while_members_are_stepped(self) -> None:
        counted, ended = [0], threading.Event()

        def count() -> None:
            while not ended.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        self.sample("slider", members=20_000).run(step_check=False)
        ended.set()
        thread.join()
        self.assertGreater(counted[0], 10)

    def test_processes_that_are_forked_or_spawned(self) -> None:
        study = self.slider()
        wanted = evaluate_first(study)  # this process has the model
        for how in "fork", "spawn":
            with multiprocessing.get_context(how).Pool(2) as pool:
                for values in pool.map(evaluate_first, [study, study]):
                    self.assert_same_bits(values, wanted, how)

    def test_nothing_prints_unless_asked_for(self) -> None:
        """Not even below Python, on the process's own standard output and error."""
        script = """
import sys, conesweep as cs
study = cs.Scenario(sys.argv[1], members=2000, step=0.08)
study.run(); study.evaluate(study.draw()); study.converge(levels=3); study.compare(members=10); study.plan(); study.trace(1)
"""
        done = subprocess.run([sys.executable, "-c", script, str(OPTIONS.source / "samples/slider.toml")], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_one_bar_shows_progress(self) -> None:
        shown = io.StringIO()
        with contextlib.redirect_stderr(shown):
            self.slider().run(progress=True)
        self.assertRegex(shown.getvalue(), r"^\r\[[#.]{40}\][^\n]* of 200\n$|^(\r\[[#.]{40}\][^\n\r]*)+ 200 of 200\n$")

    def show_in_a_notebook(self, bar: Any) -> str:
        """What is on standard error where a kernel asks and tqdm makes this bar."""
        ipython, notebook = types.ModuleType("IPython"), types.ModuleType("tqdm.notebook")
        shell = type("ZMQInteractiveShell", (), {})()
        vars(ipython)["get_ipython"] = lambda: shell
        vars(notebook)["tqdm"] = bar
        shown = io.StringIO()
        with mock.patch.dict(sys.modules, {"IPython": ipython, "tqdm": types.ModuleType("tqdm"), "tqdm.notebook": notebook}), contextlib.redirect_stderr(shown):
            self.slider().run(progress=True)
        return shown.getvalue()

    def test_a_notebook_has_the_bar_of_tqdm(self) -> None:
        bar = mock.MagicMock()
        self.assertEqual(self.show_in_a_notebook(bar), "")
        self.assertEqual((bar().total, bar().n), (200, 200))
        bar().close.assert_called_once_with()

        def refuse(**_: object) -> None:
            raise ImportError("IProgress not found")  # as without ipywidgets

        self.assertIn("200 of 200", self.show_in_a_notebook(refuse))

    def test_messages_are_logged(self) -> None:
        with self.assertLogs("conesweep", logging.INFO) as logged:
            self.sample("slider", members=2000, step=0.08).run()
        self.assertIn("the step is large", "\n".join(logged.output))

    def test_a_run_without_a_folder_leaves_none(self) -> None:
        run = self.slider().run()
        folder, reach = run.folder, run["reach"]
        self.assertTrue(folder.exists())
        del run
        self.assertFalse(folder.exists())
        self.assertEqual(len(reach), 200)


class Columns(Case):
    def test_columns_are_views(self) -> None:
        run = self.slider().run()
        self.assertFalse(run["reach"].flags.owndata)
        self.assertIs(run["reach"], run["reach"])
        self.assertEqual((len(run), run.members, run.stopped, run.parameters), (200, 200, 0, ["alpha", "v0", "tau"]))
        self.assertEqual(run.summary["observables"]["reach"]["mean"], run.table.loc["reach", "mean"] if importable("pandas") else run["reach"].mean())

    def test_other_libraries_take_arrays_as_they_lie_there(self) -> None:
        """By DLPack, as JAX and PyTorch do."""
        study = self.slider(record={"members": 3, "every": 2})
        run, values = study.run(), study.evaluate(study.draw(5))
        for array in run["reach"], run["status"], run.trajectories["x"], values, values["reach"], study.draw(5):
            taken = np.from_dlpack(array)
            self.assertTrue(np.shares_memory(taken, array))
            self.assert_same_bits(taken, array)

    def test_columns_have_units_and_meanings(self) -> None:
        run = self.slider(units={"x": "m", "t": "s"}).run()
        self.assertEqual((run.unit("reach"), run.meaning("reach")), ("m", "max of x"))
        self.assertEqual((run.unit("x"), run.unit("time"), run.unit("alpha"), run.unit("nothing")), ("m", "s", "1", ""))

    def test_an_opened_run_is_the_one_that_was_made(self) -> None:
        made = self.slider().run(self.folder / "run")
        opened = cs.open(self.folder / "run")
        self.assertEqual((opened.summary, opened.scenario.text), (made.summary, made.scenario.text))
        self.assert_same_bits(opened.scenario.run()["reach"], made["reach"])

    def test_a_run_is_sent_as_its_folder(self) -> None:
        made = self.slider().run(self.folder / "run")
        self.assert_same_bits(pickle.loads(pickle.dumps(made))["reach"], made["reach"])
        with self.assertRaisesRegex(TypeError, "by `out`"):
            pickle.dumps(self.slider().run())

    @needs("pandas")
    def test_frames(self) -> None:
        run = self.slider().run()
        self.assertEqual(list(run.table.index), run.observables)
        self.assertTrue({"mean", "standard_error", "0.5"} <= set(run.table.columns))
        self.assertEqual(run.frame.shape, (200, 3 + len(run.observables) + 1))
        self.assertEqual(run.correlations.table.loc[("reach", "alpha")].notna().all(), True)

    @needs("xarray")
    def test_datasets(self) -> None:
        run = self.slider(record={"members": 3, "every": 2}, units={"x": "m"}).run()
        dataset = run.dataset
        self.assertEqual(set(dataset.data_vars), {*run.parameters, *run.observables, "status", "stop_time", "flags", "x", "y", "vx", "vy", "mode"})
        for name in [*run.parameters, *run.observables, "status", "stop_time", "flags"]:
            self.assert_same_bits(dataset[name], run[name])
        self.assertEqual(dict(dataset.sizes), {"member": 200, "recorded": 3, "time": 101})
        self.assertEqual(dataset["x"].dims, ("recorded", "time"))
        self.assertEqual(dataset["status"].attrs["flag_meanings"].split(), cs.status_names())
        self.assertEqual(dataset["reach"].attrs, {"units": "m", "long_name": "max of x"})

    @needs("xarray")
    def test_datasets_have_classes(self) -> None:
        run = self.slider(classes={"far": "reach > 1.5", "near": "reach <= 1.5"}).run()
        self.assertEqual(run.dataset["class"].attrs["flag_meanings"].split(), [name.replace(" ", "_") for name in run.class_names])
        self.assert_same_bits(run.dataset["class"] == run.class_names.index("far"), run["reach"] > 1.5)

    @needs("xarray")
    def test_sweeps_are_axes(self) -> None:
        run = self.slider(members=4, sweep={"k": {"values": [3.0, 4.0, 5.0]}, "g": {"values": [9.0, 10.0]}}).run()
        reach = run.dataset["reach"]
        self.assertEqual((reach.dims, reach.shape), (("k", "g", "member"), (3, 2, 4)))
        self.assert_same_bits(reach.sel(k=4.0, g=10.0), run["reach"][12:16])
        self.assertEqual(set(run["k"][12:16]), {4.0})

    def test_statistics_alone(self) -> None:
        run = self.slider(keep="statistics").run()
        self.assertEqual((run.members, len(run)), (200, 0))
        self.assertIn("mean", run.summary["observables"]["reach"])


class Studies(Case):
    def test_say_what_the_program_says(self) -> None:
        study = self.slider(members=64)
        self.assertEqual(set(study.sensitivity(members=64).summary["sensitivity"]["reach"]), {"alpha", "v0", "tau"})
        self.assertIn("mu_star", study.sensitivity(method="morris").summary["sensitivity"]["reach"]["tau"])
        self.assertEqual(len(study.converge(levels=3).summary["levels"]), 3)
        estimate = study.mlmc("reach", rmse=0.3)
        self.assertLess(abs(estimate.value - study.run()["reach"].mean()), 2)
        self.assertLess(estimate.rmse, 0.4)
        self.assertEqual(repr(estimate), f"<Estimate of reach: {estimate.value:.6g} ± {estimate.rmse:.2g}>")
        compared = study.compare(members=16)
        self.assertTrue(compared.passed)
        self.assertEqual(repr(compared), "<Comparison of cpu and reference, 16 members: passed>")
        self.assertEqual(study.plan().summary["members"], 64)

    @needs("pandas")
    def test_intervals_are_columns(self) -> None:
        found = self.slider().sensitivity(members=512, second_order=True)
        of_pair = found.summary["sensitivity"]["reach"]["alpha"]
        self.assertEqual(list(found.table.loc[("reach", "alpha"), ["second_lower.tau", "second_upper.tau"]]), of_pair["second_interval"]["tau"])
        pairs = found.pairs.loc["reach"]
        self.assertEqual(list(pairs.index), [("alpha", "v0"), ("alpha", "tau"), ("v0", "tau")])
        self.assertEqual(list(pairs.loc[("alpha", "tau")]), [of_pair["second"]["tau"], *of_pair["second_interval"]["tau"]])
        few = self.slider().sensitivity(members=20).table
        self.assertTrue(few.loc["impulse", ["total", "total_lower", "total_upper"]].isna().all(axis=None), few)  # all have the same

    def test_trace_is_one_member(self) -> None:
        study = self.slider(members=4)
        trace = study.trace(3)
        self.assert_same_bits(trace["t"][-1], 4.0)
        self.assertAlmostEqual(trace["x"][-1], study.run()["final.x"][3], places=9)
        self.assertEqual(trace["event"].dtype.kind, "U")
        self.assertRegex(repr(trace), r"^<Trace of Slider with .*, member 3: 201 nodes of step, t, x, ")

    @needs("pandas")
    def test_have_tables(self) -> None:
        study = self.slider(members=64)
        self.assertEqual(list(study.sensitivity().table.index.names), ["observable", "parameter"])
        self.assertIn("total_lower", study.sensitivity().table.columns)
        self.assertIn("order", study.converge(levels=3).table.columns)
        self.assertIn("variance", study.mlmc("reach", rmse=0.3).table.columns)
        self.assertTrue(study.compare(members=16).table["within"].all())
        self.assertIn("cpu", study.plan().table.index)
        self.assertIn("x", study.trace(1).table.columns)


class Page(Case):
    """docs/python.md: its blocks run one after the other, and print what is shown below them. And the first block of the README."""

    def setUp(self) -> None:
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        os.symlink(OPTIONS.source / "samples", "samples")

    def test_the_readme_shows_what_works(self) -> None:
        block = re.search(r"^```python\n(.*?)^```$", (OPTIONS.source / "README.md").read_text(), re.M | re.S)
        assert block is not None
        names: dict[str, Any] = {}
        shown = io.StringIO()
        with contextlib.redirect_stderr(shown):
            exec(compile(block[1], "README.md", "exec"), names)
        self.assertEqual(len(names["run"]), 100_000)
        self.assertIn("100,000 of 100,000", shown.getvalue())

    @needs("pandas")
    def test_examples_work_and_print_what_is_shown(self) -> None:
        page = (OPTIONS.source / "docs/python.md").read_text()
        names: dict[str, Any] = {}
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


if __name__ == "__main__":
    main()
