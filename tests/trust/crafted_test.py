"""Run folders that somebody made: checksums fit, and nothing else does. Whatever reads them answers, or refuses with a sentence; nothing ends by a signal.

    python3 crafted_test.py --program build/bin/conesweep --source . ClassName
"""
import copy
import json
import random
import shutil

import h5py

import seals
import trust_program as trust
from crafted_folder import BASES, FolderTest, PANELS, attributes_of, shapes_of, whole_file


class Crafted(FolderTest):
    """Files whose checksums are right, and whose parts do not fit."""

    def test_nothing_that_is_only_copied_looks_crafted(self):
        for name in BASES:
            with self.subTest(name):
                self.craft_results(name, lambda file: None)
                text = (self.base(name) / "summary.json").read_text()
                self.assertEqual(seals.summary_text(json.loads(text)), text)
                for command in self.commands(name, random.Random(1)):
                    if command[0] in ("export", "report") and "--trajectories" not in command and name != "statistics":
                        self.assertEqual(self.assert_answered(command, name), 0)

    def forgeries(self):
        for name in ("run", "sweep", "statistics") if not trust.ALL else BASES:
            with h5py.File(self.base(name) / "results.h5") as file:
                datasets = []
                file.visititems(lambda path, item: datasets.append(path) if isinstance(item, h5py.Dataset) else None)
                attributes = [(path, "names") for path in datasets if "names" in file[path].attrs] + [("/", key) for key in ("scenario", "version", "step")]
            for path in datasets:
                for what, change in shapes_of(path):
                    yield name, f"{path}: {what}", change
            for path, key in attributes:
                for what, change in attributes_of(path, key):
                    yield name, f"{path}, {key}: {what}", change
            for what, change in whole_file():
                yield name, what, change

    def test_results_are_read_or_refused(self):
        chance = random.Random(3)
        forgeries = list(self.forgeries())
        for name, what, change in forgeries if trust.ALL else chance.sample(forgeries, 24):
            with self.subTest(f"{name}: {what}"):
                self.craft_results(name, change)
                self.assert_read_safely(name, what, chance)
        print(f"{len(forgeries)} ways to forge results.h5")
        self.tell()

    # what once ended by a signal, or read beyond a column
    def test_what_was_found_stays_refused(self):
        once = [("run", "status: longer"), ("run", "observables/reach: shorter"), ("run", "observables/final.x: shorter"), ("run", "parameters/a: shorter"), ("run", "trajectories/mode: longer"),
                ("run", "trajectories/member: shorter"), ("run", "trajectories/x: flat or deep"), ("run", "more recorded than members"), ("run", "/, scenario: many texts"),
                ("run", "trajectories/time: empty"), ("run", "modes at more times"), ("run", "observables/reach: longer"), ("run", "a track in the first place"), ("run", "observables/reach: numbers without end")]
        forgeries = {(name, what): change for name, what, change in self.forgeries()}
        for name, what in once:
            with self.subTest(f"{name}: {what}"):
                self.craft_results(name, forgeries[name, what])
                for command in self.commands(name, random.Random(5)):
                    self.assert_answered(command, (name, what))

    def test_a_foreign_file_is_refused_by_every_command(self):
        folder = self.copy_of("run")
        with h5py.File(folder / "results.h5", "w") as file:
            for key in ("scenario", "version", "backend"):
                file.attrs.create(key, ["a" * k for k in range(2000)], dtype=h5py.string_dtype())
        for command in self.commands("run", random.Random(5)):
            self.assertGreaterEqual(self.assert_answered(command, "foreign"), 2)
        scenario = str(self.whole / "run.toml")
        self.assertEqual(self.assert_answered(("run", scenario, "--backend", "reference", "--force", "--out", "run"), "foreign"), 2)

    def test_summaries_are_read_or_refused(self):
        chance = random.Random(11)
        others = [None, 0, -1, -1.5, 1e300, 2**63 - 1, 2**64 - 1, True, "text", "", [], {}, [1, "a", None], [[]], {"a": 1}, [1.0] * 300]
        for name in ("run", "sweep", "two", "sobol", "morris") if not trust.ALL else BASES:
            whole = json.loads((self.base(name) / "summary.json").read_text())
            places = []

            def walk(value, place):
                places.append(place)
                children = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
                for key, child in children:
                    walk(child, place + (key,))

            for key, value in whole.items():
                walk(value, (key,))
            for _ in range(120 if trust.ALL else 5):
                place, how = chance.choice(places), chance.randrange(4)
                other = chance.choice(others)

                def change(summary):
                    inside = summary
                    for key in place[:-1]:
                        inside = inside[key]
                    if how == 0:
                        del inside[place[-1]]
                    elif how == 1 and isinstance(inside[place[-1]], list):
                        inside[place[-1]] = inside[place[-1]][:len(inside[place[-1]]) // 2]
                    elif how == 2 and isinstance(inside[place[-1]], list):
                        inside[place[-1]] = inside[place[-1]] * 2
                    else:
                        inside[place[-1]] = copy.deepcopy(other)

                with self.subTest(f"{name}: {place}, {how}, {other}"):
                    self.craft_summary(name, change)
                    self.assert_read_safely(name, place, chance)
        self.tell()

    def test_summaries_without_their_parts_are_refused(self):
        def no_points(summary):
            summary["sweep"]["points"] = []

        def fewer_points(summary):
            summary["sweep"]["points"].pop()

        def points_without_classes(summary):
            for point in summary["sweep"]["points"]:
                del point["classes"]

        def points_without_values(summary):
            for point in summary["sweep"]["points"]:
                del point["values"]

        def no_quantiles(summary):
            for one in summary["observables"].values():
                one["quantiles"] = {}

        def short_histograms(summary):
            for one in summary["observables"].values():
                one["histogram"]["edges"] = one["histogram"]["edges"][:5]

        def short_tracks(summary):
            for key in ("x", "y"):
                summary["trajectories"][key]["mean"] = [1.0]
                summary["trajectories"][key]["quantiles"] = {"0.05": [1.0]}

        def no_groups(summary):
            summary["design"]["members_a_base"] = 0

        def many_trajectories(summary):
            summary["design"]["trajectories"] = 10**9

        def no_indices(summary):
            for row in summary["sensitivity"].values():
                row.popitem()

        def no_members(summary):
            summary["members"] = -7

        for name, change in [("sweep", no_points), ("sweep", fewer_points), ("sweep", points_without_classes), ("sweep", points_without_values), ("two", no_points),
                             ("two", points_without_values), ("run", no_quantiles), ("run", short_histograms), ("run", short_tracks), ("sobol", no_groups), ("morris", many_trajectories),
                             ("sobol", no_indices), ("morris", no_indices), ("run", no_members)]:
            with self.subTest(f"{name}: {change.__name__}"):
                self.craft_summary(name, change)
                panels = [("plot", name, panel, "--out", "figure.svg", "--force") for panel in PANELS if panel in ("sweep", "shares", "histogram", "band", "sensitivity")]
                for command in [*self.commands(name, random.Random(2)), *panels]:
                    self.assert_answered(command, (name, change.__name__))

    def test_scenarios_of_other_runs_are_refused_or_fit(self):
        names = list(BASES)
        chance = random.Random(17)
        pairs = [(a, b) for a in names for b in names if a != b]
        for name, other in pairs if trust.ALL else [("run", "flat"), ("flat", "run"), ("sweep", "run"), ("run", "sweep"), *chance.sample(pairs, 2)]:
            with self.subTest(f"{name} with the scenario of {other}"):
                folder = self.copy_of(name)
                shutil.copy(self.base(other) / "scenario.toml", folder / "scenario.toml")
                self.assert_read_safely(name, f"scenario of {other}", chance)

    def test_studies_are_read_or_refused(self):
        chance = random.Random(19)
        for file, panel in (("converge.json", "convergence"), ("mlmc.json", "levels")):
            whole = json.loads((self.base("run") / file).read_text())
            for key in whole if trust.ALL else chance.sample(list(whole), 4):
                for other in [None, -1, "text", [], {}, [1, None], {"a": {"mean": {"differences": ["a", None]}}}] if trust.ALL else [chance.choice([None, -1, "text"]), [], {}]:
                    if key in ("study", "problem"):
                        continue
                    with self.subTest(f"{file}, {key}: {other}"):
                        folder = self.copy_of("run")
                        (folder / file).write_text(json.dumps({**whole, key: other}))
                        self.assert_answered(("plot", "run", panel, "--out", "figure.svg", "--force"), (file, key, other))
                        self.assert_answered(("report", "run", "--out", "page.html", "--force"), (file, key, other))


class FlippedBits(FolderTest):
    """One bit of results.h5: no reader gives another answer than before."""

    def test_are_refused_by_every_reader(self):
        self.copy_of("run")
        path = self.folder / "run" / "results.h5"
        whole = path.read_bytes()
        readers = [("export", "run", "--csv"), ("export", "run", "--csv", "--trajectories"), ("report", "run", "--out", "page.html", "--force"), ("sensitivity", "run"),
                   ("plot", "run", "scatter", "--out", "figure.csv", "--force")]
        for reader in readers:
            self.assertEqual(self.ask(*reader)[0], 0, reader)
        chance = random.Random(23)
        bits = [chance.randrange(8 * len(whole)) for _ in range(500 if trust.ALL else 12)]
        refused = 0
        for bit in bits:
            data = bytearray(whole)
            data[bit // 8] ^= 1 << bit % 8
            path.write_bytes(data)
            for reader in readers:
                code, out, err = self.ask(*reader)
                # the padding of the seal is no part of what is read
                self.assertEqual((code, out), (3, b""), (bit, reader, err))
                self.assertRegex(err, r"^conesweep: cannot read run/results.h5: it")
            refused += 1
        print(f"{refused} of {len(bits)} flipped bits refused by {len(readers)} readers")


if __name__ == "__main__":
    trust.main()
