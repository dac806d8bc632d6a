"""What the batteries of shared runs share: mpirun, its ranks, and the folders they leave."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "trust"))
import determinism_test
import trust_program as trust
from trust_program import TrustTest

RECORDED = determinism_test.CROWD.replace("members = 9001", "members = 20001")
CROWD = RECORDED.split("[record]")[0]

# so long that a block would take more than ten seconds on a slow machine: chunks are smaller
LONG_MEMBERS = CROWD.replace("step = 0.01", "step = 2e-6").replace("members = 20001", "members = 40")

# seconds of work in many chunks
WORK = CROWD.replace("step = 0.01", "step = 2e-4").replace("members = 20001", "members = 60000")


QUIET = {"HWLOC_HIDE_ERRORS": 2}  # a system without /sys, about which Open MPI's hwloc complains


def mpi_environment(**more):
    # as root, in a container, more ranks than cores; a copy between processes that containers forbid
    return trust.environment(OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, OMPI_MCA_rmaps_base_oversubscribe=1, OMPI_MCA_btl="^openib",
                             OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_hwloc_base_binding_policy="none", **QUIET, **more)


def own_lines(err):
    """What the program says, without mpirun's own paragraphs."""
    return [line for line in err.splitlines() if line.startswith("conesweep:")]


def children(process):
    return [int(number) for number in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def rank_of(process):
    environment = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    return next((int(entry.split(b"=")[1]) for entry in environment if entry.startswith(b"OMPI_COMM_WORLD_RANK=")), None)


def workers(process):
    """The processes that step members: children of those that mpirun started."""
    found = {}
    for started in children(process):
        for worker in children(started):
            found[rank_of(worker)] = worker
    return found


class MpiTest(TrustTest):
    def setUp(self):
        super().setUp()
        if shutil.which("mpirun") is None:
            self.skipTest("no mpirun: install openmpi-bin")
        if not (pathlib.Path(trust.OPTIONS.program).resolve().parent.parent / "lib" / "libconesweep_mpi.so").exists():
            self.skipTest("built without MPI: install libopenmpi-dev and configure again")
        for name, text in {"crowd": CROWD, "recorded": RECORDED, "long": LONG_MEMBERS, "long_recorded": LONG_MEMBERS + "[record]\nmembers = 3\nevery = 9999\n", "work": WORK}.items():
            self.write(name + ".toml", text)

    def command(self, ranks, *arguments):
        return ["mpirun", "-n", str(ranks), str(trust.OPTIONS.program), *map(str, arguments)]

    def share(self, ranks, *arguments, code=0, environment=None, seconds=120):
        """Runs a command on so many ranks; returns what it printed."""
        done = subprocess.run(self.command(ranks, *arguments), cwd=self.folder, env=environment or mpi_environment(), capture_output=True, text=True, timeout=seconds)
        self.assertEqual(done.returncode, code, (ranks, arguments, done.stdout[-500:], done.stderr[-2000:]))
        return done.stdout, done.stderr

    def start(self, ranks, *arguments, **more):
        process = subprocess.Popen(self.command(ranks, *arguments), cwd=self.folder, env=mpi_environment(**more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def end(self, process, seconds=60):
        out, err = process.communicate(timeout=seconds)
        return process.returncode, out, err

    def wait_for_workers(self, process, ranks):
        deadline = time.monotonic() + 60
        while True:
            try:
                found = workers(process.pid)
            except FileNotFoundError:
                found = {}
            if len(found) == ranks:
                return found
            self.assertIsNone(process.poll(), "it ended too early")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def chunks(self, out):
        return len(list((self.folder / out / "chunks").glob("*.chunk")))

    def wait_for_chunks(self, process, out, count):
        deadline = time.monotonic() + 60
        while self.chunks(out) < count:
            self.assertIsNone(process.poll(), "the run ended too early")
            self.assertLess(time.monotonic(), deadline, "no chunk came")
            time.sleep(0.01)

    def summary(self, text):
        summary = json.loads(text)
        for name in ("run", "timing"):
            summary.pop(name, None)
        return summary

    def assert_same_folder(self, out, wanted):
        one, other = self.folder / out, self.folder / wanted
        self.assertEqual(sorted(os.listdir(one)), sorted(os.listdir(other)))
        for name in os.listdir(other):
            if name == "summary.json":
                self.assertEqual(self.summary((one / name).read_text()), self.summary((other / name).read_text()), out)
            else:
                self.assertEqual((one / name).read_bytes(), (other / name).read_bytes(), f"{name} of {out} differs")

    def assert_nobody_left(self):
        """No process of ours goes on in the test's folder."""
        deadline = time.monotonic() + 10
        while True:
            left = []
            for entry in pathlib.Path("/proc").iterdir():
                try:
                    if entry.name.isdigit() and os.readlink(entry / "cwd") == str(self.folder):
                        left.append(entry.name)
                except OSError:
                    pass
            if not left:
                return
            self.assertLess(time.monotonic(), deadline, f"processes {left} go on")
            time.sleep(0.05)
