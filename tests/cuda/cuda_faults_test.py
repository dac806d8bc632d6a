"""The program on CUDA devices that fail, are too old, or are interrupted, and what auto and selftest make of them. Run by ctest, one test class at a time:

    python3 cuda_faults_test.py --program build/bin/conesweep --emulator build/ptxrun:build/ptxrun/drv ClassName
"""
import filecmp
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import cuda_program
from cuda_program import CudaTest, EVERYTHING


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


class Interruption(CudaTest):
    def test_is_heard_between_launches(self):
        environment = dict(os.environ, LD_LIBRARY_PATH=cuda_program.EMULATOR, CONESWEEP_LAUNCH_STEPS="5")
        program = subprocess.Popen([cuda_program.PROGRAM, "run", "ball.toml", "--end", "20000", "--backend", "cuda", "--out", "run"], cwd=self.folder, env=environment,
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


if __name__ == "__main__":
    cuda_program.main()
