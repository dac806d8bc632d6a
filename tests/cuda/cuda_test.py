"""The program on CUDA devices that check what is done to them, or have little memory. Run by ctest, one test class at a time:

    python3 cuda_test.py --program build/bin/conesweep --emulator build/ptxrun:build/ptxrun/drv ClassName

The devices are ptxrun's: its README names the PTXRUN_ variables. Without it the tests skip (exit code 77).
"""
import filecmp
import json
import pathlib
import re

import h5py

import cuda_program
from cuda_program import BALL, CROWD, CudaTest


class Checks(CudaTest):
    """Same bits, whatever is checked, and in whatever order threads, blocks and streams run."""

    def test_a_changed_model_in_the_cache_is_made_again(self):
        cache = self.folder / "cache"
        self.assert_same_bits(CONESWEEP_CACHE=cache)
        entry, = (cache / "conesweep-models").glob("*.ptx")
        whole = entry.read_bytes()
        changes = {"a bit": whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:], "cut": whole[:5000], "empty": b"", "another": b"not PTX at all"}
        for what, content in changes.items():
            with self.subTest(what):
                entry.write_bytes(content)
                self.assert_same_bits(CONESWEEP_CACHE=cache)
                self.assertEqual(entry.read_bytes(), whole)

    def test_every_access_and_copy_is_inside(self):
        for check in (1, 2):
            self.assert_same_bits(PTXRUN_MEMCHECK=check)
            self.assert_same_bits(scenario="ball.toml", PTXRUN_MEMCHECK=check)
        self.assert_same_bits(PTXRUN_MEMCHECK=1, CONESWEEP_LAUNCH_STEPS=9)
        self.assert_same_bits("--precision", "single", PTXRUN_MEMCHECK=1)

    def test_a_sweep_is_varied_like_what_is_drawn(self):
        swept = BALL.replace("[vary]", "[sweep]\ng = { from = 5, to = 11, count = 3 }\n[vary]").replace("-9.81", "-g").replace("e = 0.5\n", "e = 0.5\ng = 9.81\n")
        (self.folder / "sweep.toml").write_text(swept + '[classes]\nhigh = "final.y > 1e-3"\n')
        for precision in ("double", "single"):
            out, _ = self.run_program("compare", "sweep.toml", "--backends", "cpu,cuda", "--bits", "--precision", precision)
            self.assertIn("900 members", out)
            self.assertRegex(out, "0 of 900 members are of another class\ncpu and cuda agree: all bits of [0-9,]+ values are equal")

    def test_the_host_does_not_touch_device_memory(self):
        self.assert_same_bits(PTXRUN_PROTECT=1)

    def test_threads_and_blocks_run_in_any_order(self):
        for seed in (1, 2, 3):
            self.assert_same_bits(PTXRUN_SCHED=seed)
        self.assert_same_bits(PTXRUN_REVERSE=1)
        self.assert_same_bits(PTXRUN_THREADS=2)
        self.assert_same_bits(PTXRUN_MEMCHECK=1, PTXRUN_PREEMPT=7)

    def test_what_is_not_waited_for_has_not_happened(self):
        self.assert_same_bits(PTXRUN_ASYNC=1)
        for seed in (1, 2, 3):
            self.assert_same_bits(PTXRUN_ASYNC=1, PTXRUN_SCHED=seed, CONESWEEP_LAUNCH_STEPS=25)

    def test_new_memory_holds_nothing_useful(self):
        for byte in (255, 0, 1):
            self.assert_same_bits(PTXRUN_POISON=byte)
        self.assert_same_bits(PTXRUN_POISON=255, PTXRUN_ASYNC=1, PTXRUN_MEM_MB=0.3)

    def test_everything_is_given_back(self):
        few = {"PTXRUN_STATS": 1, "PTXRUN_DEVICES": 2}
        for how in ({}, {"PTXRUN_MEM_MB": 0.3}, {"PTXRUN_FAIL": "malloc:5"}):
            err = self.assert_same_bits("--devices", "all", **few, **how)
            self.assertEqual(len(re.findall(r"device \d: peak [1-9]\d* bytes, leaked 0 allocations", err)), 2, err)
            self.assertIn("leaked 0 pinned or managed allocations (0 bytes), 0 streams, 0 events; 0 operations never ran", err)

    def test_launches_may_be_cut_anywhere(self):
        for steps in (1, 7, 59, 60, 61):
            self.assert_same_bits(CONESWEEP_LAUNCH_STEPS=steps)


class Regrouping(CudaTest):
    """Between launches members change threads, so that those with as much to do are side by side (kernels/regroup.hpp): lanes wait less, and no bit changes."""

    def find_busy_lanes(self, launch_steps, scenario, *arguments):
        """The share of a warp's lanes that execute what is issued, as ptxrun counts."""
        counts = self.folder / f"counts{launch_steps}"
        self.run_program("run", scenario, *arguments, "--backend", "cuda", "--out", "counted", "--force", "--no-step-check",
                         PTXRUN_COUNT=counts, PTXRUN_STACK_KB=1024, PTXRUN_OPT=0, CONESWEEP_LAUNCH_STEPS=launch_steps)
        launches = [launch for launch in map(json.loads, counts.read_text().splitlines()) if launch["kernel"] == "advance_kernel"]
        return sum(launch["thread_instructions"] for launch in launches) / (32 * sum(launch["warp_instructions"] for launch in launches))

    def assert_regrouping_pays(self, launch_steps, *run):
        as_they_come, regrouped = (self.find_busy_lanes(steps, *run) for steps in (1000, launch_steps))
        self.assertGreater(regrouped, 1.3 * as_they_come, "lanes busy, of 1")
        scenario, *arguments = run
        self.assert_same_bits(*arguments, scenario=scenario, CONESWEEP_LAUNCH_STEPS=launch_steps, PTXRUN_OPT=0)

    def test_nobody_waits_beside_those_who_ended_early(self):
        (self.folder / "ended.toml").write_text(BALL.replace("step = 2e-3", 'step = 2e-4\nstop = "e > 0.5"'))
        self.assert_regrouping_pays(100, "ended.toml")

    def test_members_with_as_much_to_search_go_together(self):
        groove = pathlib.Path(__file__).resolve().parents[2] / "bench/islands/groove.toml"
        self.assert_regrouping_pays(10, groove, "--members", "256", "--end", "0.05")


class Ensembles(CudaTest):
    """Whole runs: statistics on the device, tracks of all members, designs, chunks on disk."""

    def summary(self, out):
        summary = json.loads((self.folder / out / "summary.json").read_text())
        del summary["run"], summary["timing"]
        return summary

    def assert_same_run(self, command, *arguments, code=0, **variables):
        for out, backend, how in (("cpu", "cpu", {}), ("cuda", "cuda", variables)):
            _, err = self.run_program(command, "crowd.toml", "--backend", backend, "--out", out, "--force", "--quiet", *arguments, code=code, **how)
            self.assertEqual(err, "")
        self.assertEqual(self.summary("cpu"), self.summary("cuda"))
        for name in ("parameters", "observables", "trajectories"):
            with h5py.File(self.folder / "cpu/results.h5") as a, h5py.File(self.folder / "cuda/results.h5") as b:
                for column in a.get(name, ()):
                    self.assertEqual(a[name][column][:].tobytes(), b[name][column][:].tobytes(), column)

    def test_statistics_have_the_same_bits_with_those_over_time(self):
        self.assert_same_run("run", "--members", "9000", code=1)
        self.assertGreater(len(self.summary("cuda")["trajectories"]["x"]["mean"]), 5)
        self.assert_same_run("run", "--members", "9000", "--chunk", "4096", "--devices", "all", code=1, PTXRUN_DEVICES=3, PTXRUN_MEM_MB=30)
        self.assert_same_run("run", "--members", "9000", "--devices", "1", code=1, PTXRUN_DEVICES=2, PTXRUN_MEMCHECK=1)

    def test_designs_have_the_same_bits(self):
        self.assert_same_run("sensitivity", "--members", "2000", code=1)
        self.assert_same_run("sensitivity", "--members", "600", "--method", "morris", code=1)

    def test_what_one_executor_began_the_other_may_finish(self):
        self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "whole", "--members", "20000", "--quiet", code=1)
        _, err = self.run_program("run", "crowd.toml", "--backend", "cuda", "--out", "r", "--members", "20000", "--chunk", "4096", "--quiet", code=3, PTXRUN_FAIL="launch:40")
        self.assertRegex(err, r"\Aconesweep: [^\n]+; [\d,]+ members are kept in r, go on with --resume\n\Z")
        self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "r", "--members", "20000", "--resume", "--quiet", code=1)
        self.assertTrue(filecmp.cmp(self.folder / "whole/results.h5", self.folder / "r/results.h5", shallow=False))
        self.assertEqual(self.summary("whole"), self.summary("r"))

    def test_a_device_that_fails_in_the_statistics_loses_nothing(self):
        self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "whole", "--quiet", code=1)
        told = 0
        for number in range(1, 60, 3):
            _, err = self.run_program("run", "crowd.toml", "--backend", "cuda", "--out", "r", "--force", code=(1, 3), PTXRUN_FAIL=f"launch:{number}")
            if "the statistics are computed on the CPU, with the same result" in err:
                told += 1
                self.assertEqual(self.summary("whole"), self.summary("r"))
        self.assertGreater(told, 0)


class Tracks(CudaTest):
    """Statistics of trajectories: summed on the device, where only the sums leave it."""

    TIMES, COLUMNS = 31, 4  # recorded nodes; coordinates and velocities

    def run_crowd(self, name, backend, members, **variables):
        """The statistics of a run in which every node is recorded, and the bytes that came from the device."""
        text = CROWD.replace("members = 100\nevery = 7", "members = 3\nevery = 1").replace("end = 0.12", f"end = {(self.TIMES - 1) * 2e-3}").replace("[observe]\n", "[observe]\nstandard = []\n")
        (self.folder / "tracks.toml").write_text(text)
        _, err = self.run_program("run", "tracks.toml", "--backend", backend, "--members", members, "--no-step-check", "--out", name, code=1,
                                  PTXRUN_STATS=1, PTXRUN_OPT=0, **variables)
        copied = re.search(r"D2H (\d+)", err)
        return json.loads((self.folder / name / "summary.json").read_text())["trajectories"], int(copied.group(1)) if copied else 0

    def test_only_sums_leave_the_device(self):
        few, some = self.run_crowd("few", "cuda", 8192)
        many, more = self.run_crowd("many", "cuda", 16000)
        self.assertNotEqual(few, many)
        tracks = (16000 - 8192) * self.TIMES * self.COLUMNS * 8
        self.assertLess(more - some, tracks / 4, "observables and marks")
        self.assertGreater(some, 4096 * self.TIMES * self.COLUMNS * 8, "the first block, of which quantiles are made")

    def test_sums_have_the_bits_of_the_cpu(self):
        expected, _ = self.run_crowd("cpu", "cpu", 13000)
        for number, variables in enumerate([{"PTXRUN_MEMCHECK": 1, "PTXRUN_POISON": 255}, {"PTXRUN_ASYNC": 1, "PTXRUN_DEVICES": 2}]):
            found, _ = self.run_crowd(f"cuda{number}", "cuda", 13000, **variables)
            self.assertEqual(found, expected, variables)

    def test_tracks_without_room_leave_the_device(self):
        expected, _ = self.run_crowd("cpu", "cpu", 9000)
        found, copied = self.run_crowd("cuda", "cuda", 9000, PTXRUN_MEM_MB=2)
        self.assertEqual(found, expected)
        self.assertGreater(copied, 9000 * self.TIMES * self.COLUMNS * 8)


class Devices(CudaTest):
    def test_any_devices_give_the_same_bits(self):
        for devices in ("all", "0", "2", "0,2", "2,1,0"):
            self.assert_same_bits("--devices", devices, PTXRUN_DEVICES=3, PTXRUN_MEMCHECK=2)
        self.assert_same_bits("--devices", "all", PTXRUN_DEVICES=2, PTXRUN_ASYNC=1, PTXRUN_PROTECT=1)
        self.assert_same_bits("--devices", "all", "--members", 33, PTXRUN_DEVICES=3)
        self.assert_same_bits("--devices", "all", "--members", 1, PTXRUN_DEVICES=3)

    def test_work_is_spread_over_all(self):
        err = self.assert_same_bits("--devices", "all", "--members", 20000, PTXRUN_DEVICES=3, PTXRUN_STATS=1)
        peaks = [int(peak) for peak in re.findall(r"device \d: peak (\d+)", err)]
        self.assertEqual(len(peaks), 3)
        self.assertGreater(min(peaks), 50_000)

    def test_devices_may_differ_in_memory(self):
        # the second holds no warp at all, the third a few; the constants of a model take 20 kB here
        for memory in ("64,0.04,0.2", "0.04,0.04,64", "0.2,0.1,0.2"):
            self.assert_same_bits("--devices", "all", PTXRUN_DEVICES=3, PTXRUN_MEM_MB=memory)

    def test_what_is_no_device_is_refused(self):
        for devices, word in (("3", "3"), ("0,7", "7"), ("x", "x"), ("0,", ""), ("-1", "-1"), ("0 1", "0 1"), ("99999999999", "99999999999")):
            out, err = self.run_program("run", "crowd.toml", "--backend", "cuda", "--devices=" + devices, code=2, PTXRUN_DEVICES=3)
            self.assertEqual((out, err), ("", f"conesweep: --devices: '{word}' is not a device; this machine has 0 to 2 (write all, auto, or 0,1)\n"))
        out, err = self.run_program("run", "crowd.toml", "--backend", "cuda", "--devices", "0,0", code=2, PTXRUN_DEVICES=3)
        self.assertEqual((out, err), ("", "conesweep: --devices: device 0 is named twice\n"))
        out, err = self.run_program("run", "crowd.toml", "--backend", "cuda", "--devices", "1", code=2)
        self.assertEqual((out, err), ("", "conesweep: --devices: '1' is not a device; this machine has only 0\n"))
        self.assertFalse((self.folder / "runs").exists())


class Memory(CudaTest):
    def test_little_memory_makes_waves_smaller(self):
        for memory in (64, 1, 0.5, 0.25, 0.12):
            self.assert_same_bits(PTXRUN_MEM_MB=memory)
        self.assert_same_bits("--members", 5000, PTXRUN_MEM_MB=0.2)
        self.assert_same_bits("--members", 20, PTXRUN_MEM_MB=0.1)
        self.assert_same_bits(scenario="ball.toml", PTXRUN_MEM_MB=0.05)

    def test_a_small_device_gets_many_waves(self):
        self.assert_same_bits("--members", 8000, PTXRUN_SMS=1)
        self.assert_same_bits("--members", 8000, "--devices", "all", PTXRUN_DEVICES=2, PTXRUN_SMS=1, PTXRUN_MEM_MB="0.5,4")

    def test_memory_below_a_warp_is_told(self):
        for memory in (0.036, 0.035, 0.033):  # with less the emulation has no room for the constants of a model
            for arguments in ((), ("--devices", "all")):
                out, err = self.run_program("run", "crowd.toml", "--backend", "cuda", "--quiet", *arguments, code=3, PTXRUN_MEM_MB=memory, PTXRUN_DEVICES=2)
                self.assert_one_sentence(err)
                self.assertRegex(err, r"the GPU has no room for ([12]?\d|3[0-2]) members? at once|out of memory")  # a warp, or the last few: who fails first is a matter of timing
                self.assertIn("--backend cpu" if "no room" in err else "free memory", err)
        self.assertEqual(sorted(p.name for p in self.folder.glob("runs/**/*") if p.is_file()), [])


class OneModule(CudaTest):
    """A second module of the driver's would fail: then the command would fail, or say that the step is checked elsewhere."""

    def assert_loads_one(self, *arguments, code=0):
        _, err = self.run_program(*arguments, code=code, PTXRUN_FAIL="load:2")
        self.assertNotIn("the step is checked on the CPU", err)
        self.run_program(*arguments, code=3, PTXRUN_FAIL="load:1")

    def test_is_enough_for_members_and_their_step_check(self):
        self.assert_loads_one("run", "crowd.toml", "--backend", "cuda", "--members", "300", code=1)

    def test_is_enough_for_a_design_of_sensitivities(self):
        self.assert_loads_one("sensitivity", "crowd.toml", "--backend", "cuda", "--members", "100", code=1)

    def test_is_enough_for_all_steps_of_converge(self):
        self.assert_loads_one("converge", "crowd.toml", "--backend", "cuda", "--members", "100", "--levels", "3", code=1)

    def test_is_enough_for_all_levels_of_mlmc(self):
        self.assert_loads_one("mlmc", "ball.toml", "--backend", "cuda", "--observable", "final.y", "--rmse", "0.001")

    def test_is_enough_for_a_comparison_and_its_judge(self):
        # rounding is more than nothing: members differ, and some are run again to be judged
        self.assert_loads_one("compare", "crowd.toml", "--backends", "cuda,reference", "--members", "200", "--tolerance", "1e-17", "--judge", "2", code=1)


if __name__ == "__main__":
    cuda_program.main()
