"""results.h5 as other programs read it, and as a table. Run by ctest, one test class at a time:

    python3 results_test.py --program build/bin/conesweep --source . ClassName
"""
import csv
import importlib.util
import os
import re
import shutil
import subprocess

import h5py
import numpy as np

import product_program
from product_program import BLOW_UP, SLIDER, ProductTest

UNITS = """[units]
t = "s"
x = "m"
vx = "m/s"
tau = "s"
"""

CLASSES = """[classes]
far = "reach > 1.1"
near = "else"
"""

GRID = SLIDER.replace("members = 300\n", 'sampler = "grid"\nlevels = { mu = 3, tau = 2 }\n')


class Export(ProductTest):
    def read_table(self, text):
        return list(csv.DictReader(text.splitlines()))

    def assert_same(self, cells, numbers):
        """Bit by bit; an empty cell is NaN."""
        np.testing.assert_array_equal(np.array([float(cell or "nan") for cell in cells]), numbers)

    def test_members_have_every_digit(self):
        folder = self.run_scenario(SLIDER + CLASSES, "r")
        text, err = self.run_program("export", "r", "--csv")
        self.assertEqual(err, "")
        rows = self.read_table(text)
        self.assertEqual(text.splitlines()[0], "member,mu,tau,reach,late,impacts,first_contact,stick_time,slip_time,flight_time,dissipated,impulse,variation,penetration,"
                                               "final.x,final.y,final.vx,final.vy,status,stop_time,class")
        with h5py.File(folder / "results.h5") as file:
            self.assertEqual([row["member"] for row in rows], [str(k) for k in range(300)])
            for group in ("parameters", "observables"):
                for name in file[group]:
                    self.assert_same([row[name] for row in rows], file[group][name][:])
            self.assertIn("", [row["late"] for row in rows])  # an event that never came
            self.assertEqual([row["class"] for row in rows], [file["class"].attrs["names"][code] for code in file["class"][:]])
        self.assertEqual({row["status"] for row in rows}, {"ok"})

    def test_members_that_stopped_say_how_and_when(self):
        folder = self.run_scenario(BLOW_UP, "r", code=1)
        rows = self.read_table(self.run_program("export", "r", "--csv")[0])
        with h5py.File(folder / "results.h5") as file:
            status = [file["status"].attrs["names"][code] for code in file["status"][:]]
            self.assertEqual([row["status"] for row in rows], status)
            self.assertEqual(set(status), {"ok", "non_finite"})
            self.assert_same([row["stop_time"] for row in rows], file["stop_time"][:])

    def test_tables_are_whole_where_they_are_read_in_stretches(self):
        text = SLIDER.replace("members = 300", "members = 70000").replace("members = 7\n", "members = 0\n").replace("end = 2.0", "end = 0.02")
        folder = self.run_scenario(text, "r", "--no-step-check")
        rows = self.read_table(self.run_program("export", "r", "--csv")[0])
        self.assertEqual([row["member"] for row in rows], [str(k) for k in range(70000)])
        with h5py.File(folder / "results.h5") as file:
            for path in ("parameters/mu", "parameters/tau", "observables/final.vx", "observables/slip_time"):
                self.assert_same([row[path.split("/")[1]] for row in rows], file[path][:])

    def test_a_name_that_is_there_twice_says_which_it_is(self):
        self.run_scenario(SLIDER.replace("reach =", "status ="), "r")
        head = self.run_program("export", "r", "--csv")[0].splitlines()[0].split(",")
        self.assertIn("observables/status", head)
        self.assertEqual(len(head), len(set(head)))

    def test_trajectories_are_one_row_a_member_and_time(self):
        folder = self.run_scenario(SLIDER, "r")
        rows = self.read_table(self.run_program("export", "r", "--csv", "--trajectories")[0])
        with h5py.File(folder / "results.h5") as file:
            group = file["trajectories"]
            members, times = group["x"].shape
            self.assertEqual(len(rows), members * times)
            self.assertEqual(list(rows[0]), ["member", "time", "x", "y", "vx", "vy", "mode"])
            self.assertEqual([int(row["member"]) for row in rows], np.repeat(group["member"][:], times).tolist())
            self.assert_same([row["time"] for row in rows], np.tile(group["time"][:], members))
            for name in ("x", "y", "vx", "vy"):
                self.assert_same([row[name] for row in rows], group[name][:].ravel())
            self.assertEqual([row["mode"] for row in rows], [group["mode"].attrs["names"][code] for code in group["mode"][:].ravel()])

    def test_trajectories_end_where_their_members_do(self):
        folder = self.run_scenario(BLOW_UP + "[record]\nmembers = 6\n", "r", code=1)
        rows = self.read_table(self.run_program("export", "r", "--csv", "--trajectories")[0])
        with h5py.File(folder / "results.h5") as file:
            gone = np.isnan(file["trajectories/q"][:]) & np.isnan(file["trajectories/vq"][:])
            self.assertEqual(len(rows), (~gone).sum())
            self.assertLess(len(rows), file["trajectories/q"].size)

    def test_goes_into_a_file(self):
        self.run_scenario(SLIDER, "r")
        table, _ = self.run_program("export", "r", "--csv")
        self.assertEqual(self.run_program("export", "r", "--csv", "--out", "-"), (table, ""))
        self.assertEqual(self.run_program("export", "r", "--csv", "--out", "t.csv"), ("300 members, 20 columns in t.csv\n", ""))
        self.assertEqual((self.folder / "t.csv").read_text(), table)
        self.assert_refused("conesweep: t.csv is there; replace it with --force, or choose another name\n", "export", "r", "--csv", "--out", "t.csv")
        self.assertEqual(self.run_program("export", "r", "--csv", "--trajectories", "--out", "t.csv", "--force"), ("trajectories of 7 members in t.csv\n", ""))
        self.assertEqual(self.run_program("export", "r", "--csv", "--out", "t.csv", "--force", "--quiet"), ("", ""))
        self.assertEqual((self.folder / "t.csv").read_text(), table)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r", "scenario.toml", "t.csv"])

    def test_says_what_is_wrong(self):
        self.run_scenario(SLIDER.replace("members = 7", "members = 0"), "r")
        (self.folder / "empty").mkdir()
        self.assert_refused("conesweep: export needs a format: --csv\n", "export", "r")
        self.assert_refused("conesweep: nowhere is no folder; give the folder of a finished run\n", "export", "nowhere", "--csv")
        self.assert_refused("conesweep: empty holds no finished run: summary.json is not there\n", "export", "empty", "--csv")
        self.assert_refused("conesweep: r has no trajectories: its scenario records no members\n", "export", "r", "--csv", "--trajectories")
        self.assert_refused("conesweep: empty is a folder; give the name of a file\n", "export", "r", "--csv", "--out", "empty")
        self.assert_refused("conesweep: unknown flag '--cvs'; did you mean '--csv'?\n" + product_program.HINT, "export", "r", "--cvs")
        self.assert_refused("conesweep: cannot write none/t.csv: No such file or directory\n", "export", "r", "--csv", "--out", "none/t.csv", code=3)
        self.assert_refused("conesweep: cannot write /dev/full: No space left on device\n", "export", "r", "--csv", "--out", "/dev/full", code=3)
        with open("/dev/full", "w") as full:
            done = subprocess.run([product_program.PROGRAM, "export", "r", "--csv"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (3, "conesweep: cannot write to standard output\n"))

    def test_reads_no_damaged_numbers(self):
        folder = self.run_scenario(SLIDER, "r")
        with h5py.File(folder / "results.h5") as file:
            place = file["observables/reach"].id.get_chunk_info(0).byte_offset
        data = bytearray((folder / "results.h5").read_bytes())
        data[place + 100] ^= 1
        (folder / "results.h5").write_bytes(data)
        _, err = self.run_program("export", "r", "--csv", "--out", "t.csv", code=3)
        self.assertRegex(err, "^conesweep: cannot read r/results.h5: ")
        self.assertEqual(sorted(os.listdir(self.folder)), ["r", "scenario.toml"])

    def test_leads_on_from_a_run_that_is_not_finished(self):
        self.run_scenario(SLIDER, "r")
        (self.folder / "r/summary.json").unlink()
        (self.folder / "r/chunks").mkdir()
        self.assert_refused("conesweep: r holds no finished run: summary.json is not there\n", "export", "r", "--csv")
        self.write("r/chunks/run.txt", "")
        self.assert_refused("conesweep: r holds no finished run: summary.json is not there; finish its run with --resume\n", "export", "r", "--csv")


class NamedAxes(ProductTest):
    """What xarray and netCDF's own library make of results.h5; each where it is installed."""

    def engines(self):
        found = [engine for engine, module in (("netcdf4", "netCDF4"), ("h5netcdf", "h5netcdf")) if importlib.util.find_spec(module)]
        if not importlib.util.find_spec("xarray") or not found:
            self.skipTest("xarray with netCDF4 or h5netcdf is not here (python3-xarray, python3-h5netcdf, python3-netcdf4)")
        return found

    def test_are_read_by_xarray(self):
        engines = self.engines()
        import xarray
        folder = self.run_scenario(SLIDER + CLASSES + UNITS, "r")
        for engine in [None, *engines]:  # None: xarray finds out by itself that it is HDF5
            with self.subTest(engine), h5py.File(folder / "results.h5") as file:
                read = lambda group: xarray.open_dataset(folder / "results.h5", group=group, engine=engine)
                with read("observables") as data:
                    self.assertEqual(dict(data.sizes), {"member": 300})
                    self.assertEqual(list(data.coords), [])
                    self.assertEqual((data.reach.dims, data.reach.attrs), (("member",), {"long_name": "max of x", "units": "m"}))
                    self.assertEqual(data.late.attrs, {"long_name": "first time at which x > 1.2", "units": "s"})
                    self.assertEqual(set(data.variables), set(file["observables"]))
                    np.testing.assert_array_equal(data.reach, file["observables/reach"])
                with read("parameters") as data:
                    self.assertEqual((data.tau.dims, data.tau.attrs["units"], data.mu.attrs["units"]), (("member",), "s", "1"))
                with read("trajectories") as data:
                    self.assertEqual(dict(data.sizes), {"recorded": 7, "time": 67})
                    self.assertEqual(set(data.coords), {"time", "member"})
                    self.assertEqual(data.x.dims, ("recorded", "time"))
                    np.testing.assert_array_equal(data.x.sel(time=0.9, method="nearest"), file["trajectories/x"][:, 30])
                with read(None) as data:
                    self.assertEqual(set(data.variables), {"status", "stop_time", "class"})
                    self.assertEqual(dict(data.sizes), {"member": 300})

    def test_are_one_tree(self):
        engines = self.engines()
        import xarray
        if not hasattr(xarray, "open_datatree"):
            self.skipTest("this xarray has no trees (2024.10 or later has)")
        folder = self.run_scenario(GRID, "r")
        for engine in engines:
            with self.subTest(engine), xarray.open_datatree(folder / "results.h5", engine=engine) as tree:
                self.assertEqual(set(tree.children), {"parameters", "observables", "grid", "trajectories"})
                self.assertEqual(dict(tree["observables"].sizes), {"member": 6})
                self.assertEqual(dict(tree["trajectories"].sizes)["recorded"], 6)

    def test_of_a_grid_are_its_parameters(self):
        engines = self.engines()
        import xarray
        folder = self.run_scenario(GRID, "r")
        for engine in engines:
            with self.subTest(engine), xarray.open_dataset(folder / "results.h5", group="grid", engine=engine) as grid:
                self.assertEqual(dict(grid.sizes), {"mu": 3, "tau": 2})
                np.testing.assert_allclose(grid.mu, [0.1, 0.35, 0.6])
                self.assertEqual(list(grid.attrs["shape"]), [3, 2])

    def test_are_read_by_ncdump(self):
        if not shutil.which("ncdump"):
            self.skipTest("ncdump is not here (netcdf-bin)")
        folder = self.run_scenario(SLIDER + UNITS, "r")
        head = subprocess.run(["ncdump", "-h", folder / "results.h5"], capture_output=True, text=True, check=True).stdout
        for line in ("member = 300 ;", "recorded = 7 ;", "time = 67 ;", "double reach(member) ;", 'string reach:units = "m" ;', "double x(recorded, time) ;", "int64 member(recorded) ;"):
            self.assertIn(line, head)
        self.assertNotIn("float member(member)", head)  # an axis without numbers


class Languages(ProductTest):
    """The examples of docs/results.md, with the interpreters that are here."""

    def run_example(self, language, command, ending):
        page = (product_program.SOURCE / "docs/results.md").read_text()
        examples = re.findall(rf"^```{language}\n(.*?)^```\n", page, re.M | re.S)
        self.assertTrue(examples, language)
        self.run_program("run", product_program.SOURCE / "samples/slider.toml", "--quiet", "--no-step-check", "--out", "runs/slider")
        with h5py.File(self.folder / "runs/slider/results.h5") as file:
            mean = file["observables/reach"][:].mean()
        for example in examples:
            self.write("example" + ending, example)
            done = subprocess.run([*command, "example" + ending], cwd=self.folder, capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            numbers = [float(word) for word in re.findall(r"-?\d+\.\d+", done.stdout)]
            self.assertTrue(any(abs(number - mean) < 1e-3 for number in numbers), f"{mean} is not in\n{done.stdout}")

    def test_r(self):
        if not shutil.which("Rscript") or subprocess.run(["Rscript", "-e", "library(hdf5r)"], capture_output=True).returncode != 0:
            self.skipTest("R with hdf5r is not here (r-base-core, r-cran-hdf5r)")
        self.run_example("r", ["Rscript"], ".R")

    def test_julia(self):
        if not shutil.which("julia") or subprocess.run(["julia", "-e", "using HDF5, Statistics"], capture_output=True).returncode != 0:
            self.skipTest("Julia with HDF5.jl is not here")
        self.run_example("julia", ["julia"], ".jl")


if __name__ == "__main__":
    product_program.main(__doc__)
