"""Runs shared by the ranks of mpirun: the bits of one process, ranks that die, fail, or see other files. Run by ctest, one test class at a time:

    python3 mpi_test.py --program build/bin/conesweep --source . [--emulator=…] ClassName

Without mpirun or the plugin the tests skip (exit code 77). Short as they stand; CONESWEEP_ALL=1 makes them long.
"""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "trust"))
import trust_program as trust
from trust_program import ALL
from mpi_program import CROWD, MpiTest, QUIET, RECORDED, mpi_environment, own_lines


class Bits(MpiTest):
    """What ranks leave is what one process leaves."""
    RANKS = (1, 2, 3, 5, 8)
    SOME = RANKS if ALL else (3,)
    BACKEND = "cpu"

    def alone(self, *arguments):
        return self.run_program(*arguments)[0]

    def shared(self, ranks, *arguments):
        return self.share(ranks, *arguments)[0]

    def assert_same_run(self, ranks, *arguments, backend=None):
        arguments = [*arguments, "--backend", backend or self.BACKEND, "--quiet"]
        self.alone(*arguments, "--out", "alone", "--force")
        for number in ranks:
            with self.subTest(ranks=number, arguments=arguments):
                self.shared(number, *arguments, "--out", f"shared{number}", "--force")
                self.assert_same_folder(f"shared{number}", "alone")

    def assert_same_text(self, ranks, *arguments):
        arguments = [*arguments, "--backend", self.BACKEND, "--json"]
        alone = self.summary(self.alone(*arguments))
        for number in ranks:
            with self.subTest(ranks=number, arguments=arguments):
                self.assertEqual(self.summary(self.shared(number, *arguments)), alone)

    def test_run(self):
        self.assert_same_run(self.RANKS, "run", "recorded.toml")
        self.assert_same_run(self.SOME, "run", "crowd.toml", "--chunk", "4096")

    def test_until(self):
        self.assert_same_run(self.SOME, "run", "recorded.toml", "--members", "4096", "--until", "reach:0.2%")

    def test_sensitivity(self):
        self.assert_same_run(self.SOME, "sensitivity", "crowd.toml", "--members", "9000", "--until", "reach:8%")
        self.assert_same_run(self.SOME, "sensitivity", "crowd.toml", "--method", "morris", "--members", "4000")

    def test_converge(self):
        self.assert_same_text(self.SOME, "converge", "crowd.toml", "--levels", "3")

    def test_mlmc(self):
        self.assert_same_text(self.SOME, "mlmc", "crowd.toml", "--observable", "reach", "--rmse", "1e-3")


class Further(Bits):
    """The same for members that are long, the reference executor, and runs that were cut."""
    test_run = test_until = test_sensitivity = test_converge = test_mlmc = None

    def test_members_that_are_long(self):
        self.assert_same_run(self.SOME, "run", "long.toml")
        self.assert_same_run(self.SOME, "run", "long_recorded.toml")

    def test_reference(self):
        self.assert_same_run(self.SOME, "run", "crowd.toml", "--members", "500", backend="reference")

    def test_resumed_with_other_ranks(self):
        self.run_program("run", "work.toml", "--backend", "cpu", "--quiet", "--out", "alone")
        process = self.start(2, "run", "work.toml", "--backend", "cpu", "--quiet", "--out", "cut")
        self.wait_for_chunks(process, "cut", 2)
        process.send_signal(signal.SIGINT)
        self.end(process)
        self.share(3, "run", "work.toml", "--backend", "cpu", "--quiet", "--out", "cut", "--resume")
        self.assert_same_folder("cut", "alone")


class Kept(Bits):
    """The same for runs that keep statistics alone."""
    test_run = test_until = test_sensitivity = test_converge = test_mlmc = None
    RANKS = (1, 2, 3, 5)

    def setUp(self):
        super().setUp()
        self.write("kept.toml", RECORDED.replace("members = 20001", 'members = 1100001\nkeep = "statistics"').replace("step = 0.01", "step = 0.1").replace("every = 7", "every = 2"))

    def test_bits(self):
        self.assert_same_run(self.RANKS, "run", "kept.toml", "--chunk", "8192")

    def test_until(self):
        self.assert_same_run(self.SOME, "run", "kept.toml", "--members", "600000", "--until", "reach:0.027%", "--most", "1500000")

    def test_resumed_with_other_ranks(self):
        arguments = ["run", "kept.toml", "--members", "9000001", "--backend", "cpu", "--quiet", "--no-step-check"]
        self.run_program(*arguments, "--out", "alone", seconds=300)
        process = self.start(2, *arguments, "--out", "cut")
        self.wait_for_chunks(process, "cut", 1)
        process.send_signal(signal.SIGINT)
        self.end(process)
        self.share(3, *arguments, "--out", "cut", "--resume", seconds=300)
        self.assert_same_folder("cut", "alone")


class Devices(Bits):
    """The same on two emulated GPUs, which the ranks of the machine share."""
    RANKS = Bits.RANKS if ALL else (2, 3)
    BACKEND = "cuda"

    def setUp(self):
        super().setUp()
        if not self.has_cuda():
            self.skipTest("no emulation of devices")
        if not ALL and self._testMethodName != "test_run":
            self.skipTest("with CONESWEEP_ALL=1")

    def alone(self, *arguments):
        return self.run_program(*arguments, env=trust.emulated(PTXRUN_DEVICES=2), seconds=600)[0]

    def shared(self, ranks, *arguments):
        return self.share(ranks, *arguments, environment=mpi_environment(PTXRUN_DEVICES=2, LD_LIBRARY_PATH=trust.OPTIONS.emulator), seconds=600)[0]


class Networks(MpiTest):
    """One-sided calls by other ways than memory that a machine's ranks share."""

    def test_run(self):
        self.run_program("run", "recorded.toml", "--backend", "cpu", "--quiet", "--out", "alone")
        ways = {"messages": {"OMPI_MCA_osc": "pt2pt"}, "tcp": {"OMPI_MCA_osc": "pt2pt", "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1"}}
        for name, way in ways.items():
            with self.subTest(way=name):
                environment = mpi_environment()
                environment.update(way)
                self.share(3, "run", "recorded.toml", "--backend", "cpu", "--quiet", "--out", name, environment=environment)
                self.assert_same_folder(name, "alone")


class Files(MpiTest):
    """Ranks that do not see the files of rank 0."""

    def two_places(self, *arguments):
        """Rank 0 in the test's folder, rank 1 in another one."""
        (self.folder / "elsewhere").mkdir(exist_ok=True)
        program = [str(trust.OPTIONS.program), *arguments]
        command = ["mpirun", "-n", "1", *program, ":", "-n", "1", "sh", "-c", 'cd elsewhere && exec "$@"', "sh", *program]
        return subprocess.run(command, cwd=self.folder, env=mpi_environment(), capture_output=True, text=True, timeout=120)

    def test_without_the_folder_chunks_go_to_rank_0(self):
        self.run_program("run", "recorded.toml", "--backend", "cpu", "--quiet", "--out", "alone")
        arguments = ["run", str(self.folder / "recorded.toml"), "--backend", "cpu", "--quiet", "--out", "shared"]
        done = self.two_places(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(os.listdir(self.folder / "elsewhere"), [])
        self.assert_same_folder("shared", "alone")

    def test_another_scenario_is_refused(self):
        (self.folder / "elsewhere").mkdir()
        (self.folder / "elsewhere" / "crowd.toml").write_text(CROWD.replace("-9.81", "-9.80"))
        done = self.two_places("run", "crowd.toml", "--backend", "cpu", "--out", "shared")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(own_lines(done.stderr)), 1, done.stderr)
        self.assertRegex(own_lines(done.stderr)[0], r"^conesweep: rank 1 on \S+: the scenario crowd.toml or the program is not that of rank 0; all ranks must see the same files$")


class Talk(MpiTest):
    """One rank talks."""

    def test_a_wrong_scenario_is_told_once(self):
        self.write("wrong.toml", CROWD.replace("-9.81", "-9.81 + nobody"))
        alone = self.run_program("run", "wrong.toml", code=2)[1]
        _, err = self.share(3, "run", "wrong.toml", code=2)
        self.assertEqual(err.count(alone.strip()), 1, err)

    def test_a_wrong_flag_is_told_once(self):
        for arguments in (["run", "crowd.toml", "--chunk", "7"], ["run", "crowd.toml", "--nonsense"], ["converge", "crowd.toml", "--levels", "1"], ["run", "nowhere.toml"]):
            alone = self.run_program(*arguments, code=2)[1]
            _, err = self.share(3, *arguments, code=2)
            self.assertEqual(own_lines(err), own_lines(alone), err)

    def test_a_folder_that_is_taken_is_told_once(self):
        self.run_program("run", "crowd.toml", "--backend", "cpu", "--quiet", "--out", "taken")
        _, err = self.share(3, "run", "crowd.toml", "--backend", "cpu", "--out", "taken", code=2)
        self.assertEqual(own_lines(err), ["conesweep: taken holds a finished run; replace it with --force, or choose another folder with --out"])
        out, _ = self.share(3, "run", "crowd.toml", "--backend", "cpu", "--out", "taken", "--resume")
        self.assertEqual(out, "the run in taken is finished already\n")

    def test_a_mean_is_watched_by_one(self):
        _, err = self.share(2, "run", "crowd.toml", "--backend", "cpu", "--watch", "final.x", "--out", "watched")
        self.assertEqual(len(re.findall(r"^final\.x .* over .* members", err, re.M)), 1, err)
        alone = self.run_program("run", "crowd.toml", "--watch", "final.x", "--quiet", code=2)[1]
        _, err = self.share(2, "run", "crowd.toml", "--watch", "final.x", "--quiet", code=2)
        self.assertEqual(own_lines(err), own_lines(alone), err)

    def test_what_a_run_prints(self):
        out, err = self.share(2, "run", "crowd.toml", "--backend", "cpu", "--out", "shared")
        alone, told = self.run_program("run", "crowd.toml", "--backend", "cpu", "--out", "alone")
        self.assertEqual(out.count("shared by 2 ranks\n"), 1)
        self.assertEqual(out.count("observable "), 1)
        table = re.compile(r"^observable .*?\n\n", re.M | re.S)
        self.assertEqual(table.search(out).group(), table.search(alone).group())
        self.assertEqual(err, told)

    def test_members_that_stop_are_told_by_the_exit_code(self):
        self.write("stops.toml", CROWD.replace("- 0.2 * vx", "+ if(mu > 0.55, exp(900 + x), 0)"))
        out, _ = self.share(2, "run", "stops.toml", "--backend", "cpu", "--out", "shared", code=1)
        self.assertIn(" x non_finite: ", out)

    def test_other_commands_are_rank_0s(self):
        for arguments in (["check", "crowd.toml"], ["trace", "crowd.toml", "--end", "0.05"], ["--version"], ["run", "--help"]):
            self.assertEqual(self.share(3, *arguments), self.run_program(*arguments))
        self.run_program("run", "crowd.toml", "--backend", "cpu", "--quiet", "--out", "done")
        self.assertEqual(self.share(3, "sensitivity", "done"), self.run_program("sensitivity", "done"))

    def test_without_the_plugin_nothing_runs(self):
        library = pathlib.Path(trust.OPTIONS.program).resolve().parent.parent / "lib"
        for path in library.glob("libconesweep.so*"):
            shutil.copy(path, self.folder)
        environment = mpi_environment(LD_LIBRARY_PATH=self.folder)
        _, err = self.share(2, "run", "crowd.toml", "--out", "shared", code=3, environment=environment)
        self.assertEqual(len(own_lines(err)), 1, err)
        self.assertRegex(own_lines(err)[0], r"^conesweep: a launcher started 2 processes, and to share the work they need the plugin \S+/libconesweep_mpi.so, which does not load \(.*\); ")
        self.assertFalse((self.folder / "shared").exists())
        self.share(2, "check", "crowd.toml", "--quiet", environment=environment)
        self.share(1, "run", "crowd.toml", "--backend", "cpu", "--quiet", "--out", "one", environment=environment)

    def test_a_launcher_without_mpi_is_refused(self):
        # as srun without --mpi: processes that MPI does not know of
        environment = trust.environment(SLURM_STEP_NUM_TASKS=4, SLURM_PROCID=0, **QUIET)
        _, err = self.run_program("run", "crowd.toml", "--out", "shared", code=3, env=environment)
        self.assertEqual(err, "conesweep: a launcher started 4 processes, but they cannot work together: MPI sees 1 of them; start them with the mpirun of the MPI that conesweep was "
                              "built with, or with srun --mpi=pmix\n")


class Deaths(MpiTest):
    TIMES = 20 if ALL else 4

    def test_a_rank_that_is_killed_ends_the_job(self):
        seed = int(os.environ.get("CONESWEEP_SEED", time.time()))
        chance = random.Random(seed)
        self.run_program("run", "work.toml", "--backend", "cpu", "--quiet", "--out", "alone")
        resumed = False
        for k in range(self.TIMES):
            with self.subTest(seed=seed, time=k):
                ranks = chance.choice((2, 3, 5))
                process = self.start(ranks, "run", "work.toml", "--backend", "cpu", "--quiet", "--out", "cut", *(["--resume"] if resumed else []))
                found = self.wait_for_workers(process, ranks)
                time.sleep(chance.uniform(0, 2.5))
                victim = chance.randrange(ranks)
                if process.poll() is None:
                    try:
                        os.kill(found[victim], signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                code, _, err = self.end(process)
                self.assert_nobody_left()
                if code == 0:  # it was faster
                    self.assert_same_folder("cut", "alone")
                    shutil.rmtree(self.folder / "cut")
                    resumed = False
                    continue
                self.assertEqual(code, 3, err)
                self.assertEqual(len(own_lines(err)), 1, err)
                self.assertRegex(own_lines(err)[0], rf"^conesweep: rank {victim} on \S+ was ended by signal 9 \(Killed\); the job ends, and finished chunks of a run are kept for --resume$")
                resumed = True
        self.share(chance.choice((1, 2, 3)), "run", "work.toml", "--backend", "cpu", "--quiet", "--out", "cut", "--resume")
        self.assert_same_folder("cut", "alone")

    def test_a_rank_whose_disk_refuses_says_so_once(self):
        self.run_program("run", "work.toml", "--backend", "cpu", "--quiet", "--out", "alone")
        # files of rank 1 may have 400 kB: enough for the model, not for a chunk
        program = [str(trust.OPTIONS.program), "run", "work.toml", "--backend", "cpu", "--quiet", "--out", "cut", "--chunk", "8192"]
        command = ["mpirun", "-n", "1", *program, ":", "-n", "1", "bash", "-c", 'ulimit -f 400; exec "$@"', "bash", *program]
        done = subprocess.run(command, cwd=self.folder, env=mpi_environment(), capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(own_lines(done.stderr)), 1, done.stderr)
        self.assertRegex(own_lines(done.stderr)[0], r"^conesweep: rank 1 on \S+: cannot write .*File too large")
        self.share(2, "run", "work.toml", "--backend", "cpu", "--quiet", "--out", "cut", "--resume")
        self.assert_same_folder("cut", "alone")


class Interrupts(MpiTest):
    def interrupt(self, sent, *arguments):
        process = self.start(3, *arguments)
        self.wait_for_workers(process, 3)
        if "run" in arguments:
            self.wait_for_chunks(process, "cut", 2)
        else:
            time.sleep(2)
        process.send_signal(sent)
        started = time.monotonic()
        code, _, err = self.end(process, 20)
        self.assertLess(time.monotonic() - started, 5)
        self.assertNotEqual(code, 0)
        self.assertLessEqual(len(own_lines(err)), 1, err)
        self.assert_nobody_left()
        return "".join(own_lines(err))  # mpirun may kill rank 0 before it has spoken

    def test_ctrl_c_keeps_what_is_finished(self):
        self.assertRegex(self.interrupt(signal.SIGINT, "run", "work.toml", "--backend", "cpu", "--quiet", "--out", "cut"),
                         r"^(conesweep: interrupted; ([\d,]+ members of 60,000 are kept in cut, go on with --resume|finished chunks of a run are kept for --resume))?$")
        self.share(2, "run", "work.toml", "--backend", "cpu", "--quiet", "--out", "cut", "--resume")
        self.run_program("run", "work.toml", "--backend", "cpu", "--quiet", "--out", "alone")
        self.assert_same_folder("cut", "alone")

    def test_in_memory_too(self):
        self.assertRegex(self.interrupt(signal.SIGTERM, "converge", "work.toml", "--members", "200000", "--backend", "cpu", "--quiet"), "^(conesweep: interrupted; nothing was written)?$")


class Scripts(unittest.TestCase):
    def test_shellcheck_finds_nothing(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("no shellcheck")
        scripts = sorted((trust.OPTIONS.source / "samples" / "cluster").glob("*.sh"))
        self.assertEqual(len(scripts), 3)
        done = subprocess.run(["shellcheck", *map(str, scripts)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    trust.main()
