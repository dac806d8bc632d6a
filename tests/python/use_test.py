"""The Python package at work: interruptions, threads and processes, tables, studies, and its page of the documentation.

    PYTHONPATH=build/python python3 use_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
import concurrent.futures
import contextlib
import io
import logging
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

from python_case import OPTIONS, Case, cs, importable, main, np


def evaluate_first(study):
    """For a process of its own."""
    return np.asarray(study.evaluate(study.draw(4)))


class Behaviour(Case):
    def test_ctrl_c_ends_a_run_and_keeps_chunks(self):
        script = self.folder / "long.py"
        script.write_text(textwrap.dedent("""
            import os, signal, sys, conesweep as cs
            signal.signal(signal.SIGINT, signal.default_int_handler)   # who starts tests may ignore it
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
            alarm = threading.Timer(120, process.kill)
            alarm.start()
            self.assertEqual(process.stdout.readline(), "begun\n")
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            said, _ = process.communicate()
            alarm.cancel()
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


if __name__ == "__main__":
    main()
