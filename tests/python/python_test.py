"""The Python package as its users meet it: the same bits as the program, changes, errors, a function of arrays.

    PYTHONPATH=build/python python3 python_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
import os
import pickle
import subprocess
import unittest

from python_case import OPTIONS, Case, cs, importable, main, np

QUICK_SAMPLES = ["bouncing_ball", "counterexample_1", "ladder", "piston", "slider"]


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


if __name__ == "__main__":
    main()
