"""The Python package as its users meet it: scenarios and their changes, a function of arrays.

    PYTHONPATH=build/python python3 python_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
from __future__ import annotations

import pickle
from typing import Any
from unittest import mock

from python_case import Case, cs, main, needs, np


class Scenarios(Case):
    def test_come_from_files_texts_dicts_and_keywords(self) -> None:
        keys: dict[str, Any] = {
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

    def test_with_gives_a_changed_copy(self) -> None:
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

    def test_with_writes_any_key(self) -> None:
        changed = self.slider().with_({"model.force": ["k * (target - x)", "-g"], "ensemble.sampler": "latin"}, observe={"far": {"max": "abs(x)"}}, record=None)
        self.assertIn('sampler = "latin"', changed.text)
        self.assertIn("far", changed.observables)
        self.assertIn("reach", changed.observables)
        self.assertEqual(changed.run().trajectories, {})
        self.assertIn("x", self.slider().run().trajectories)
        with self.assertRaisesRegex(TypeError, "a scenario has no value like"):
            self.slider(observe={"far": {"max": object()}})

    def test_pickle_with_all_that_was_changed(self) -> None:
        study = self.slider().with_(k=5.0, tau=cs.normal(0.2, 0.01)).with_({"observe.far": {"max": "x"}}, members=9)
        again = pickle.loads(pickle.dumps(study))
        self.assertEqual(again.text, study.text)
        self.assert_same_bits(again.run()["far"], study.run()["far"])

    def test_check_tells_what_is_worth_knowing(self) -> None:
        problems = self.slider().check()
        self.assertIn("note", {problem.severity for problem in problems})
        self.assertRegex(repr(problems), r"slider.toml: note: theory: ")


class Evaluations(Case):
    def test_are_what_a_run_finds(self) -> None:
        study = self.slider()
        values, run = study.evaluate(study.draw()), study.run()
        self.assertEqual(values.shape, (200, len(study.observables)))
        self.assertEqual(values.names, study.observables)
        for name in values.names:
            self.assert_same_bits(values[name], run[name], name)
        self.assert_same_bits(values.status, run["status"])
        self.assert_same_bits(values.stop_time, run["stop_time"])

    def test_give_the_kind_of_thing_they_get(self) -> None:
        study = self.slider()
        rows = study.draw(5)
        values = study.evaluate(rows)
        columns = study.evaluate(dict(zip(study.varied, rows.T)))
        self.assertEqual(list(columns), [*study.observables, "status"])
        self.assert_same_bits(columns["reach"], values["reach"])
        self.assert_same_bits(study.evaluate(np.asfortranarray(rows)), values)
        self.assert_same_bits(study.evaluate(rows.tolist()), values)
        row = study.evaluate(rows[2])
        self.assert_same_bits(values[["hold", "reach"]], np.stack([values["hold"], values["reach"]], axis=1))
        with self.assertRaisesRegex(KeyError, "no observable is called 'reech'; there are reach, "):
            values["reech"]
        self.assertEqual((row.shape, row["reach"]), ((len(study.observables),), values["reach"][2]))
        self.assertEqual(study.evaluate(rows[:0]).shape, (0, len(study.observables)))
        with self.assertRaisesRegex(TypeError, "members × 3"):
            study.evaluate(rows[:, :2])

    def test_pickle_with_names_and_statuses(self) -> None:
        study = self.slider()
        values = study.evaluate(study.draw(5))
        for one in values, study.evaluate(study.draw(1)[0]):
            again = pickle.loads(pickle.dumps(one))
            self.assertEqual(again.names, one.names)
            self.assert_same_bits(again["reach"], one["reach"])
            self.assert_same_bits(again.status, one.status)
            self.assert_same_bits(again.stop_time, one.stop_time)

    @needs("pandas")
    def test_of_a_frame_are_a_frame(self) -> None:
        import pandas

        study = self.slider()
        rows = study.draw(5)
        frame = study.evaluate(pandas.DataFrame(rows, columns=study.varied, index=list("abcde")))
        self.assertEqual((list(frame.index), list(frame.columns)), (list("abcde"), [*study.observables, "status"]))
        self.assert_same_bits(frame["reach"], study.evaluate(rows)["reach"])
        self.assertEqual(list(frame["status"]), ["ok"] * 5)

    def test_other_parameters_can_be_columns(self) -> None:
        study = self.slider()
        found = study.evaluate({"k": [3.0, 5.0], "tau": 0.1})["reach"]
        fixed = study.with_(alpha=study.parameters["alpha"], v0=study.parameters["v0"], tau=0.1)
        for k, reach in zip([3.0, 5.0], found):
            self.assertEqual(fixed.with_(k=k, members=1).run()["reach"][0], reach)

    def test_models_are_compiled_once_for_all_numbers(self) -> None:
        from conesweep import _core

        study = self.slider(title="compiled once", members=7)
        others: tuple[dict[str, Any], ...] = {"k": 5.0}, {"step": 0.01}, {"end": 2.0}, {"members": 5}, {"seed": 3, "alpha": cs.normal(0.3, 0.01)}
        with mock.patch.object(_core, "compile", side_effect=_core.compile) as compiled:
            for changed in study, *(study.with_(other) for other in others):
                self.assert_same_bits(changed.evaluate(changed.draw())["reach"], changed.run()["reach"], repr(changed))
            self.assertEqual(compiled.call_count, 1)
            study.with_({"model.force": ["-x", "-g"]}).evaluate(study.draw())
            self.assertEqual(compiled.call_count, 2)

    def test_statuses_tell_who_stopped(self) -> None:
        study = self.slider()
        rows = study.draw(3)
        rows[1, study.varied.index("tau")] = -1.0
        values = study.evaluate(rows)
        self.assertEqual([cs.status_names()[code] for code in values.status], ["ok", "bad_delay", "ok"])
        self.assertTrue(np.isnan(values["reach"][1]))


if __name__ == "__main__":
    main()
