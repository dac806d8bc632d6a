"""The program on CUDA devices that check what is done to them, have little memory, or fail. Run by ctest, one test class at a time:

    python3 cuda_test.py --program build/bin/conesweep --emulator build/ptxrun:build/ptxrun/drv ClassName

The devices are ptxrun's: its README names the PTXRUN_ variables. Without it the tests skip (exit code 77).
"""
import argparse
import filecmp
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

PROGRAM = EMULATOR = None  # set by main
EVERYTHING = "CONESWEEP_ALL" in os.environ

# every member has a delay of its own, and one in ten does not stay finite
CROWD = """title = "Crowd"
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau)) + if(mu > 0.55, exp(40 * x), 0)", "-9.81"]
[model.parameters]
k = 4.0
tau = 0.02
mu = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
[start]
x = "1 + t"
y = "0.001"
[time]
end = 0.12
step = 2e-3
[ensemble]
members = 1000
seed = 1
[vary]
tau = { uniform = [0.005, 0.04] }
mu = { uniform = [0.1, 0.6] }
[observe]
reach = { max = "x" }
[record]
members = 100
every = 7
"""

# no history, nothing recorded, nobody stops
BALL = """title = "Ball"
[model]
coordinates = ["y"]
force = ["-9.81"]
[model.parameters]
e = 0.5
[[model.contact]]
inside = "y >= 0"
restitution = "e"
[start]
y = "0.01"
[time]
end = 0.2
step = 2e-3
[ensemble]
members = 300
[vary]
e = { uniform = [0.1, 0.9] }
"""


class CudaTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="conesweep-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.maxDiff = None
        (self.folder / "crowd.toml").write_text(CROWD)
        (self.folder / "ball.toml").write_text(BALL)

    def run_program(self, *arguments, code=0, **variables):
        """Runs the program with environment variables; returns what it printed. The exit code is checked, and that it ends."""
        environment = dict(os.environ, LD_LIBRARY_PATH=EMULATOR, **{name: str(value) for name, value in variables.items()})
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, env=environment, capture_output=True, timeout=900)
        out, err = done.stdout.decode(), done.stderr.decode()
        codes = code if isinstance(code, tuple) else (code,)
        self.assertIn(done.returncode, codes, f"{variables} conesweep {' '.join(map(str, arguments))}\n{out}{err}")
        return out, err

    def assert_same_bits(self, *arguments, scenario="crowd.toml", **variables):
        """cpu and cuda agree in every bit; returns what went to standard error."""
        out, err = self.run_program("compare", scenario, "--backends", "cpu,cuda", "--bits", *arguments, **variables)
        self.assertRegex(out, "cpu and cuda agree: all bits of [0-9,]+ values are equal")
        return err

    def assert_one_sentence(self, err):
        self.assertRegex(err, r"\Aconesweep: [^\n]+; [^\n]+\n\Z", "one sentence with what to do")


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
        for memory in (0.036, 0.035, 0.0325):  # with less the emulation has no room for the constants of a model
            for arguments in ((), ("--devices", "all")):
                out, err = self.run_program("run", "crowd.toml", "--backend", "cuda", "--quiet", *arguments, code=3, PTXRUN_MEM_MB=memory, PTXRUN_DEVICES=2)
                self.assert_one_sentence(err)
                self.assertRegex(err, r"the GPU has no room for ([12]?\d|3[0-2]) members? at once|out of memory")  # a warp, or the last few: who fails first is a matter of timing
                self.assertIn("--backend cpu" if "no room" in err else "free memory", err)
        self.assertEqual(sorted(p.name for p in self.folder.glob("runs/**/*") if p.is_file()), [])


class Faults(CudaTest):
    """A failing call ends in exit code 3 and one sentence, and leaves no result."""

    def setUp(self):
        super().setUp()
        self.arguments = ("run", "crowd.toml", "--members", 300, "--backend", "cuda", "--quiet", "--out")
        self.run_program(*self.arguments, "whole", code=1, CONESWEEP_LAUNCH_STEPS=20)

    def fail(self, kind, number, **more):
        """Runs with the fault; returns whether it was told, or survived with the same results."""
        out, err = self.run_program(*self.arguments, "run", code=(1, 3), PTXRUN_FAIL=f"{kind}:{number}", CONESWEEP_LAUNCH_STEPS=20, **more)
        run = self.folder / "run"
        files = sorted(path.name for path in run.glob("**/*") if path.is_file())
        if "summary.json" in files:
            self.assertEqual((out, err), ("", ""))
            self.assertTrue(filecmp.cmp(run / "results.h5", self.folder / "whole" / "results.h5", shallow=False), f"{kind}:{number} survived with other results")
            shutil.rmtree(run)
            return False
        self.assert_one_sentence(err)
        self.assertEqual((out, files), ("", []), f"{kind}:{number}")
        return True

    def sweep(self, kind, **more):
        numbers = range(1, 60) if EVERYTHING else (1, 2, 3, 4, 6, 9, 13, 19, 28)
        return [number for number in numbers if self.fail(kind, number, **more)]

    def test_launch(self):
        self.assertGreater(len(self.sweep("launch")), 5)

    def test_copy(self):
        self.assertGreater(len(self.sweep("memcpy")), 6)

    def test_memset(self):
        self.assertEqual(self.sweep("memset")[:4], [1, 2, 3, 4])

    def test_synchronisation(self):
        self.assertGreater(len(self.sweep("sync")), 6)

    def test_streams(self):
        self.assertEqual(self.sweep("create"), [1, 2])

    def test_loading(self):
        self.assertEqual(self.sweep("load"), [1])

    def test_allocation_is_tried_again_with_fewer_members(self):
        self.assertEqual(self.sweep("malloc"), [])

    def test_one_of_several_devices(self):
        for kind in ("launch", "memcpy", "sync"):
            self.assertTrue(self.fail(kind, 8, PTXRUN_DEVICES=3, PTXRUN_ASYNC=1))
        self.arguments = self.arguments[:-1] + ("--devices", "all", "--out")
        for kind in ("launch", "memcpy", "memset", "sync"):
            self.assertTrue(self.fail(kind, 8, PTXRUN_DEVICES=3))
        self.assert_same_bits("--devices", "all", PTXRUN_DEVICES=3, PTXRUN_FAIL="malloc:30")

    def test_a_result_that_was_there_stays(self):
        before = {path.name: path.read_bytes() for path in (self.folder / "whole").iterdir()}
        self.run_program(*self.arguments, "whole", "--force", code=3, PTXRUN_FAIL="launch:3")
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "whole").iterdir()}, before)

    def test_no_driver_and_no_device(self):
        for missing, words in (("nodriver", "the CUDA driver does not start: "), ("nodevice", "no CUDA device on this machine; use --backend cpu")):
            out, err = self.run_program(*self.arguments, "run", code=3, PTXRUN_FAIL=missing)
            self.assert_one_sentence(err)
            self.assertIn(words, err)
            self.assertFalse((self.folder / "run").exists())


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


class Interruption(CudaTest):
    def test_is_heard_between_launches(self):
        environment = dict(os.environ, LD_LIBRARY_PATH=EMULATOR, CONESWEEP_LAUNCH_STEPS="5")
        program = subprocess.Popen([PROGRAM, "run", "ball.toml", "--end", "20000", "--backend", "cuda", "--out", "run"], cwd=self.folder, env=environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            program.stdout.readline()  # the title: the members are about to start
            program.stdout.readline()
            program.stdout.readline()
            time.sleep(0.5)
            self.assertIsNone(program.poll(), "it should have work for minutes")
            program.send_signal(signal.SIGINT)
            _, err = program.communicate(timeout=60)
        finally:
            program.kill()
        self.assertEqual((program.returncode, err.decode()), (130, "conesweep: interrupted; nothing was written\n"))
        self.assertEqual([path for path in (self.folder / "run").glob("**/*") if path.is_file()], [])


class Auto(CudaTest):
    """What --backend auto takes, and why."""

    def executor_line(self, *arguments, **variables):
        out, err = self.run_program("run", "ball.toml", "--out", "run", "--force", "--no-step-check", *arguments, **variables)
        self.assertEqual(err, "")
        return re.search("^executor: .*$", out, re.MULTILINE).group()

    def test_little_work_stays_on_the_cpu(self):
        self.assertRegex(self.executor_line(), r"executor: cpu \(too little work for the GPU\), ")

    def test_what_is_missing_is_told(self):
        self.assertRegex(self.executor_line(PTXRUN_FAIL="nodevice"), r"executor: cpu \(no CUDA device on this machine\), ")
        self.assertRegex(self.executor_line(PTXRUN_FAIL="nodriver"), r"executor: cpu \(the CUDA driver does not start: .*\), ")

    def test_without_a_compiler_a_device_takes_any_work(self):
        # all that is on PATH but for compilers, for the emulation's own works with assembler and linker
        tools = self.folder / "tools"
        tools.mkdir()
        for folder in os.environ["PATH"].split(":"):
            for program in pathlib.Path(folder).iterdir() if os.path.isdir(folder) else []:
                if "++" not in program.name and not (tools / program.name).is_symlink():
                    os.symlink(program, tools / program.name)
        line = self.executor_line(CONESWEEP_CXX="no-such-compiler", PATH=str(tools))
        self.assertRegex(line, r"executor: cuda \(.*\), ptxrun")

    def test_too_many_varied_parameters_for_its_compiler_stay_on_the_cpu(self):
        names = [f"p{k}" for k in range(4000)]  # beside the one that varies already
        text = (self.folder / "ball.toml").read_text()
        text = text.replace("[model.parameters]\n", "[model.parameters]\n" + "".join(f"{name} = 0.5\n" for name in names))
        text = text.replace("[vary]\n", "[vary]\n" + "".join(f"{name} = {{ uniform = [0, 1] }}\n" for name in names))
        (self.folder / "ball.toml").write_text(text)
        _, err = self.run_program("run", "ball.toml", "--backend", "cuda", code=2)
        self.assertEqual(err, "conesweep: --backend cuda: the cuda executor takes at most 4,000 varied parameters, the scenario has 4,001; use --backend cpu\n")
        out, _ = self.run_program("run", "ball.toml", "--out", "run", "--no-step-check")  # compiling takes long, and says so
        self.assertRegex(out, r"(?m)^executor: cpu \(the cuda executor takes at most 4,000 varied parameters, the scenario has 4,001\), ")

    def test_a_device_that_is_asked_for(self):
        self.assertRegex(self.executor_line("--backend", "cuda"), r"executor: cuda \(asked for\), ptxrun")


# all that is asked of an NVRTC before it compiles
FAKE_NVRTC = """
extern "C" {
int nvrtcVersion(int* major, int* minor) { *major = 98, *minor = 7; return 0; }
int nvrtcGetNumSupportedArchs() { return 1; }
int nvrtcGetSupportedArchs() { return 1; }
int nvrtcCreateProgram() { return 1; }
int nvrtcCompileProgram() { return 1; }
int nvrtcGetPTXSize() { return 1; }
int nvrtcGetPTX() { return 1; }
int nvrtcGetProgramLogSize() { return 1; }
int nvrtcGetProgramLog() { return 1; }
int nvrtcDestroyProgram() { return 1; }
}
"""


class Versions(CudaTest):
    """Of several NVRTC the first whose code the driver takes; where there is none, what to do."""

    def setUp(self):
        super().setUp()
        self.compiler = shutil.which("g++") or shutil.which("clang++")
        if not self.compiler:
            self.skipTest("no C++ compiler")

    def find_nvrtc(self, **variables):
        out, _ = self.run_program("info", "--json", **variables)
        found = json.loads(out)["cuda"]
        return found["nvrtc"], pathlib.Path(found["nvrtc_folder"])

    def test_an_nvrtc_newer_than_the_driver_is_passed_over(self):
        newer = self.folder / "newer"
        newer.mkdir()
        (newer / "fake.cpp").write_text(FAKE_NVRTC)
        subprocess.run([self.compiler, "-shared", "-fPIC", "-w", "-o", newer / "libnvrtc.so.12", newer / "fake.cpp"], check=True)
        usual = self.find_nvrtc()
        self.assertEqual(self.find_nvrtc(CONESWEEP_NVRTC=newer), usual)
        self.assertNotEqual(self.find_nvrtc(CONESWEEP_NVRTC=newer, PTXRUN_DRIVER="98.6")[0], "98.7")
        self.assertEqual(self.find_nvrtc(CONESWEEP_NVRTC=newer, PTXRUN_DRIVER="98.7"), ("98.7", newer.resolve()))
        self.assertEqual(self.find_nvrtc(CONESWEEP_NVRTC=newer, PTXRUN_DRIVER="1.0"), ("98.7", newer.resolve()))  # all are newer: the first
        self.assert_same_bits(scenario="ball.toml", CONESWEEP_NVRTC=newer)

    def test_the_other_half_of_nvrtc_is_the_one_beside_it(self):
        _, folder = self.find_nvrtc()
        self.run_program("run", "ball.toml", "--backend", "cuda", "--out", "run", LD_DEBUG="libs", LD_DEBUG_OUTPUT=self.folder / "loader")
        told = "".join(file.read_text(errors="replace") for file in self.folder.glob("loader.*"))
        self.assertIn(f"calling init: {folder}/libnvrtc-builtins.so.", told)
        self.assertNotIn("find library=libnvrtc-builtins", told)  # by name alone: a system that does not know the folder has none

    def test_a_driver_too_old_for_every_nvrtc_is_one_sentence(self):
        version, _ = self.find_nvrtc(PTXRUN_DRIVER="11.0")
        _, err = self.run_program("run", "ball.toml", "--backend", "cuda", "--out", "run", code=3, PTXRUN_DRIVER="11.0")
        self.assert_one_sentence(err)
        self.assertIn(f"NVRTC {version} is newer than the driver: update the NVIDIA driver, or set CONESWEEP_NVRTC to the folder of an older NVRTC", err)


class Selftest(CudaTest):
    """The battery on a device: it passes, says what it did not measure, and fails when the device does."""

    def test_passes_with_the_published_bits(self):
        out, err = self.run_program("selftest")
        self.assertEqual(err, "")
        for line in (r"exact answers     cuda: \d+ cases", r"published bits    cuda: \d+ samples", r"same bits         cuda and cpu: [\d,]+ values",
                     r"same to rounding  cpu and reference: \d+ samples", r"statistics        cuda, and same bits as cpu: [\d,]+ numbers",
                     "throughput        cuda: skipped: device code is emulated here, no throughput is measured", "cuda was tested: a GPU is there"):
            self.assertRegex(out, f"(?m)^  {line}$")
        self.assertRegex(out.splitlines()[-1], r"\Aselftest passed: conesweep [\d.]+ \(.*\), cuda on ptxrun [^;]*, double; driver for CUDA [\d.]+, NVRTC [\d.]+; models by [^;]+; 6 parts passed, 1 skipped(, [^;]+)?; hash [0-9a-f]{16}\Z")

    def test_any_devices_pass_with_one_hash(self):
        hashes = set()
        for devices in ("all", "2", "1,0"):
            out, _ = self.run_program("selftest", "--backend", "cuda", "--devices", devices, "--json", PTXRUN_DEVICES=3)
            hashes.add(json.loads(out)["hash"])
        self.assertEqual(len(hashes), 1)
        out, _ = self.run_program("selftest", "--backend", "all", "--json")
        facts = json.loads(out)
        self.assertEqual(facts["executors"], ["cuda", "cpu", "reference"])
        hashes.add(facts["hash"])
        self.assertEqual(len(hashes), 1)

    def test_hashes_are_those_of_the_cpu(self):
        self.assertEqual(self.run_program("selftest", "--hashes", "--backend", "cuda"), self.run_program("selftest", "--hashes", "--backend", "cpu"))

    def test_a_device_that_refuses_is_a_failure(self):
        for fault in ("launch:1", "launch:20", "memcpy:1", "memcpy:300", "sync:2"):
            out, _ = self.run_program("selftest", "--backend", "cuda", code=3, PTXRUN_FAIL=fault)
            self.assertRegex(out, "(?m)^  .*: FAILED: ", fault)
            self.assertRegex(out.splitlines()[-1], r"\Aselftest failed: ", fault)

    def test_the_other_executors_go_on(self):
        out, _ = self.run_program("selftest", "--backend", "all", "--json", code=3, PTXRUN_FAIL="launch:1")
        facts = json.loads(out)
        failed = {(part["title"], part["on"]) for part in facts["parts"] if part["failure"]}
        self.assertIn(("exact answers", "cuda"), failed)
        self.assertIn(("same bits", "cuda and cpu"), failed)
        self.assertNotIn(("exact answers", "cpu"), failed)
        self.assertEqual([part["wrong"] for part in facts["parts"] if part["wrong"]], [])

    def test_what_is_missing(self):
        out, _ = self.run_program("selftest", "--backend", "cuda", code=3, PTXRUN_FAIL="nodevice")
        self.assertIn("FAILED: no CUDA device on this machine; use --backend cpu", out)
        out, _ = self.run_program("selftest", PTXRUN_FAIL="nodevice")
        self.assertIn("cpu was tested: no CUDA device on this machine", out)
        # a GPU starts the context and refuses the module: auto does not hide it
        out, _ = self.run_program("selftest", code=3, PTXRUN_FAIL="memcpy:1")
        self.assertRegex(out, "(?m)^  executor +auto: FAILED: the GPU refused")


def main():
    global PROGRAM, EMULATOR
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--emulator", default="")
    options, rest = parser.parse_known_args()
    PROGRAM, EMULATOR = options.program.resolve(), options.emulator
    if not EMULATOR:
        print("skipped: ptxrun was not built (it needs the CUDA toolkit), and faults cannot be injected into a GPU")
        sys.exit(1 if os.environ.get("CONESWEEP_REQUIRE_GPU") == "1" else 77)
    unittest_main.main(rest)


if __name__ == "__main__":
    main()
