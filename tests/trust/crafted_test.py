"""Run folders that somebody made: checksums fit, and nothing else does. Whatever reads them answers, or refuses with a sentence; nothing ends by a signal.

    python3 crafted_test.py --program build/bin/conesweep --source . ClassName
"""
import copy
import json
import random
import shutil
import subprocess
import pathlib
import tempfile

import h5py
import numpy as np

import seals
import trust_program as trust
from trust_program import TrustTest

SLIDER = """title = "slider"
[model]
coordinates = ["x", "y"]
force = ["-a*x - b*vx", "-9.81"]
[model.parameters]
a = 1.0
b = 0.5
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "0.3"
[[model.contact]]
name = "wall"
inside = "x <= 0.8"
[start]
x = "0.5 + 0.2*a"
y = "0"
[time]
end = 0.4
step = 0.02
[ensemble]
members = 24
[vary]
a = { uniform = [0.5, 1.5] }
b = { uniform = [0.1, 0.9] }
[observe]
reach = { max = "x" }
late = { first_time = "x > 0.75" }
[classes]
far = "reach > 0.7"
near = "reach <= 0.7"
[record]
members = 3
every = 2
"""
SWEEP = SLIDER.replace("b = { uniform = [0.1, 0.9] }\n", "").replace("[observe]", "[sweep]\nb = { from = 0.1, to = 0.9, count = 3 }\n[observe]").replace("members = 24", "members = 5")
TWO = SLIDER.replace("[observe]", "[sweep]\nc = { values = [0.1, 0.2] }\nd = { values = [1, 2, 3] }\n[observe]").replace("b = 0.5\n", "b = 0.5\nc = 0.1\nd = 1\n").replace("members = 24", "members = 4")
FLAT = SLIDER.replace("coordinates = [\"x\", \"y\"]", "coordinates = [\"x\"]").replace('force = ["-a*x - b*vx", "-9.81"]', 'force = ["-a*x - b*vx"]') \
    .replace('[[model.contact]]\nname = "floor"\ninside = "y >= 0"\nfriction = "0.3"\n', "").replace('y = "0"\n', "")
BASES = {
    "run": (SLIDER, ["run"]),
    "sweep": (SWEEP, ["run"]),
    "two": (TWO, ["run"]),
    "statistics": (SLIDER, ["run", "--keep", "statistics"]),
    "sobol": (SLIDER, ["sensitivity", "--members", "64"]),
    "morris": (SLIDER, ["sensitivity", "--method", "morris", "--members", "30"]),
    "flat": (FLAT, ["run"]),
}
PANELS = ["histogram", "classes", "stopped", "sensitivity", "scatter", "map", "band", "phase", "path", "modes", "sweep", "shares", "convergence", "levels"]
# words of libraries, of sanitizers and of ours that no user should see
BAD_WORDS = ["internal error", "json.exception", "filesystem error", "terminate called", "Sanitizer", "runtime error:", "_M_", "std::", "::at", "basic_string"]


def stem_of(key):
    return key.split("/")[-1]


def replaced(file, path, data, **how):
    """A dataset with other data under the same name, and the attributes it had."""
    kept = dict(file[path].attrs) if path in file else {}
    if path in file:
        del file[path]
    made = file.create_dataset(path, data=data, **how) if data is not None else file.create_dataset(path, **how)
    for name in ("names",):
        if name in kept:
            made.attrs.create(name, list(kept[name]), dtype=h5py.string_dtype())


def shapes_of(path):
    """Ways to make a dataset another one."""
    def values(file):
        return file[path][...]

    yield "shorter", lambda f: replaced(f, path, values(f)[:-1])
    yield "empty", lambda f: replaced(f, path, values(f)[:0])
    yield "longer", lambda f: replaced(f, path, np.concatenate([values(f), values(f)]))
    yield "flat or deep", lambda f: replaced(f, path, values(f).reshape(-1) if values(f).ndim > 1 else values(f).reshape(-1, 1))
    yield "turned", lambda f: replaced(f, path, values(f).T.copy() if values(f).ndim > 1 else np.stack([values(f)] * 2))
    yield "in three axes", lambda f: replaced(f, path, values(f).reshape(1, *values(f).shape, 1))
    yield "scalar", lambda f: replaced(f, path, values(f).reshape(-1)[0])
    yield "without space", lambda f: replaced(f, path, h5py.Empty("f8"))
    yield "texts", lambda f: replaced(f, path, [b"text"] * len(values(f)), dtype=h5py.string_dtype())
    yield "short texts", lambda f: replaced(f, path, np.array([b"ab"] * len(values(f)), dtype="S2"))
    yield "pairs", lambda f: replaced(f, path, np.zeros(values(f).shape, dtype=[("a", "f8"), ("b", "i4")]))
    yield "numbers without end", lambda f: replaced(f, path, None, shape=(1 << 40,) * values(f).ndim, dtype="f8", chunks=(4096,) * values(f).ndim)
    yield "wide numbers", lambda f: replaced(f, path, np.full(values(f).shape, 2.0**63))
    yield "high codes", lambda f: replaced(f, path, np.full(values(f).shape, 250, dtype="u1"))
    yield "infinite", lambda f: replaced(f, path, np.full(values(f).shape, np.inf))
    yield "not numbers", lambda f: replaced(f, path, np.full(values(f).shape, np.nan))
    yield "a group", lambda f: (f.__delitem__(path), f.create_group(path))
    yield "missing", lambda f: f.__delitem__(path)
    yield "a link to itself", lambda f: (f.__delitem__(path), f.__setitem__(path, h5py.SoftLink("/" + path)))


def attributes_of(path, name):
    def put(file, value, **how):
        file[path].attrs.create(name, value, **how)

    text = h5py.string_dtype()
    yield "many texts", lambda f: put(f, ["a" * k for k in range(500)], dtype=text)
    yield "one text", lambda f: put(f, "alone", dtype=text)
    yield "few texts", lambda f: put(f, ["a"], dtype=text)
    yield "no texts", lambda f: put(f, np.array([], dtype=object), dtype=text)
    yield "texts in two axes", lambda f: put(f, [["a", "b"], ["c", "d"]], dtype=text)
    yield "short texts", lambda f: put(f, np.array([b"abc", b"de"], dtype="S3"))
    yield "numbers", lambda f: put(f, [1.5, 2.5])
    yield "a number", lambda f: put(f, 7)
    yield "lists", lambda f: put(f, np.array([np.arange(3), np.arange(5)], dtype=object), dtype=h5py.vlen_dtype(np.dtype("i4")))
    yield "nothing", lambda f: put(f, h5py.Empty("f8"))
    yield "odd texts", lambda f: put(f, ["\x1b[2J", ",\"\n", "", "é" * 3000, "a,b", "x", "y", "z", "w"], dtype=text)
    yield "missing", lambda f: f[path].attrs.__delitem__(name)


def whole_file():
    yield "no trajectories", lambda f: f.__delitem__("trajectories") if "trajectories" in f else None
    yield "no parameters", lambda f: f.__delitem__("parameters") if "parameters" in f else None
    yield "empty groups", lambda f: [f[g].__delitem__(k) for g in ("parameters", "observables", "trajectories") if g in f for k in list(f[g])]
    yield "one parameter fewer", lambda f: "parameters/a" in f and f.__delitem__("parameters/a")
    yield "one parameter more", lambda f: "parameters" in f and f.create_dataset("parameters/zz", data=f["parameters/a"][...])
    yield "one observable more", lambda f: "observables" in f and f.create_dataset("observables/zz", data=np.arange(3.0))
    yield "a track more", lambda f: "trajectories" in f and f.create_dataset("trajectories/zz", data=f["trajectories/x"][...])
    yield "a track in the first place", lambda f: "trajectories" in f and f.move("trajectories/x", "trajectories/zz")
    yield "no times", lambda f: "trajectories" in f and [replaced(f, "trajectories/" + k, f["trajectories/" + k][..., :0]) for k in list(f["trajectories"]) if k not in ("member", "recorded")]
    yield "modes at more times", lambda f: "trajectories" in f and replaced(f, "trajectories/mode", np.concatenate([f["trajectories/mode"][...]] * 9, axis=1))
    yield "no recorded members", lambda f: "trajectories" in f and [replaced(f, "trajectories/" + k, f["trajectories/" + k][:0]) for k in list(f["trajectories"]) if k != "time"]
    yield "more recorded than members", lambda f: "trajectories" in f and [
        replaced(f, "trajectories/" + k, np.concatenate([f["trajectories/" + k][...]] * 40)) for k in list(f["trajectories"]) if k != "time"]
    yield "twice the members", lambda f: [replaced(f, p, np.concatenate([f[p][...]] * 2)) for p in columns_of(f)]
    yield "no members", lambda f: [replaced(f, p, f[p][:0]) for p in columns_of(f)]


def columns_of(file):
    found = [name for name in ("status", "stop_time", "residual", "flags", "class") if name in file]
    return found + [f"{group}/{name}" for group in ("parameters", "observables") if group in file for name in file[group]]


class FolderTest(TrustTest):
    @classmethod
    def setUpClass(cls):
        cls.shelf = tempfile.TemporaryDirectory()
        cls.whole = pathlib.Path(cls.shelf.name)

    @classmethod
    def tearDownClass(cls):
        cls.shelf.cleanup()

    def base(self, name):
        """A run as the program writes it, made once."""
        folder = self.whole / name
        if not folder.exists():
            text, command = BASES[name]
            scenario = self.whole / (name + ".toml")
            scenario.write_text(text)
            more = ["--no-step-check"] if command[0] == "run" and name != "run" else []
            self.run_program(*command[:1], scenario, *command[1:], "--backend", "reference", "--quiet", "--out", folder, *more, code=(0, 1))
            if name == "run":
                self.run_program("converge", scenario, "--backend", "reference", "--quiet", "--levels", 3, "--out", folder, code=(0, 1))
                self.run_program("mlmc", scenario, "--backend", "reference", "--quiet", "--observable", "reach", "--rmse", "0.1", "--out", folder, code=(0, 1))
        return folder

    def copy_of(self, name):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.base(name), folder)
        return folder

    def commands(self, name, chance):
        yield "export", name, "--csv"
        yield "export", name, "--csv", "--trajectories"
        yield "report", name, "--out", "page.html", "--force"
        yield "sensitivity", name
        yield "run", str(self.whole / (name + ".toml")), "--backend", "reference", "--resume", "--out", name
        for panel in PANELS if trust.ALL else chance.sample(PANELS, 2):
            yield "plot", name, panel, "--out", "figure.svg", "--force"

    def ask(self, *arguments):
        done = subprocess.run([trust.OPTIONS.program, *map(str, arguments)], cwd=self.folder, env=trust.environment(), capture_output=True, timeout=300)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def assert_answered(self, command, what):
        code, out, err = self.ask(*command)
        self.assertIn(code, (0, 1, 2, 3), (what, command, err[-3000:]))
        if code >= 2:
            self.assertTrue(err.strip(), (what, command, "refuses without a word"))
        for word in BAD_WORDS:
            self.assertNotIn(word, err, (what, command))
        return code

    def assert_read_safely(self, name, what, chance):
        codes = [self.assert_answered(command, (name, what)) for command in self.commands(name, chance)]
        self.tally = getattr(self, "tally", {})
        for code in codes:
            self.tally[code] = self.tally.get(code, 0) + 1

    def tell(self):
        print(", ".join(f"{count} answers with exit code {code}" for code, count in sorted(getattr(self, "tally", {}).items())))

    def craft_results(self, name, change):
        folder = self.copy_of(name)
        path = folder / "results.h5"
        path.write_bytes(path.read_bytes()[:-512])
        with h5py.File(path, "r+") as file:
            change(file)
        data = path.read_bytes()
        path.write_bytes(data + seals.seal(data, json.loads((folder / "summary.json").read_text())["run"]["identity"]))
        return folder

    def craft_summary(self, name, change):
        folder = self.copy_of(name)
        summary = json.loads((folder / "summary.json").read_text())
        change(summary)
        (folder / "summary.json").write_text(seals.summary_text(summary))
        return folder


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
