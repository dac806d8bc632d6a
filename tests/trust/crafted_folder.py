"""Run folders whose parts are made other ones, with checksums that fit, and asking every command about them."""
import json
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
