"""Runs the tests of a build with ctest, those aside that passed before, and tells at the end what took longest and how to run a failed test again.

    python3 run_tests.py --build BUILD [--again] [ctest's arguments]

A test passed before if it did so in this build folder with the same content of everything it can see: its program and the libraries of the build, scripts, samples
and pages, the packages of the system, the processor and the environment. --again, and CI=true, run all.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SHOWN = 10  # tests that took longest


class Contents:
    """Hashes of files, of folders and of what the machine is; each is computed once."""

    def __init__(self, build):
        self.build = build
        self.known = {}

    def of_file(self, path):
        if path not in self.known:
            self.known[path] = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest() if path.is_file() else "none"
        return self.known[path]

    def of_folder(self, folder, left_out=()):
        if folder not in self.known:
            digest = hashlib.blake2b(digest_size=16)
            for place, folders, files in os.walk(folder):
                folders[:] = sorted(name for name in folders if pathlib.Path(place, name) not in left_out and name not in (".git", "__pycache__", "CMakeFiles"))
                for name in sorted(files):
                    path = pathlib.Path(place, name)
                    digest.update(f"{path.relative_to(folder)} {os.readlink(path) if path.is_symlink() else self.of_file(path)}\n".encode(errors="surrogateescape"))
            self.known[folder] = digest.hexdigest()
        return self.known[folder]

    def of_machine(self):
        if "machine" not in self.known:
            processor = sorted({line for line in read("/proc/cpuinfo").splitlines() if line.startswith(("model name", "flags"))})
            names = ("PATH", "LANG", "LC_", "CONESWEEP_", "PTXRUN_", "CC", "CXX", "CUDA", "LD_", "OMP", "PYTHON", "TMPDIR")
            environment = sorted(item for item in os.environ.items() if item[0].startswith(names))
            self.known["machine"] = hash_of([processor, environment, read("/var/lib/dpkg/status"), os.geteuid()])
        return self.known["machine"]

    def of_product(self):
        """What programs of the build see beside themselves."""
        return [self.of_folder(self.build / name) for name in ("bin", "lib", "ptxrun")] + [self.of_folder(SOURCE / name) for name in ("samples", "docs", "include", "tests/ptxrun")]

    def of_everything(self):
        return self.of_product() + [self.of_folder(SOURCE, left_out=(self.build, SOURCE / "build", SOURCE / "runs")), *self.of_programs()]

    def of_programs(self):
        return [self.of_file(path) for path in sorted((self.build / "tests").iterdir()) if path.is_file() and os.access(path, os.X_OK)]


def read(path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ""


def hash_of(value):
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=16).hexdigest()


def needs_library(program):
    """Is the project's library among those that it is linked with?"""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True)
    return listed.returncode != 0 or "libconesweep" in listed.stdout


def fingerprint(test, contents):
    """Of one of ctest's tests: what its verdict is a function of."""
    program = pathlib.Path(test["command"][0])
    if program.parent != contents.build / "tests":
        seen = contents.of_everything()  # a script: it may look at anything
    elif needs_library(program):
        seen = [contents.of_file(program), *contents.of_product()]
    else:
        seen = [contents.of_file(program), contents.of_folder(SOURCE / "include")]
    properties = [item for item in test["properties"] if item["name"] not in ("COST", "LABELS", "TIMEOUT")]
    return hash_of([test["command"], properties, seen, contents.of_machine()])


def list_tests(build, arguments):
    listed = subprocess.run(["ctest", "--show-only=json-v1", *arguments], cwd=build, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [test for test in json.loads(listed)["tests"] if "command" in test]


def numbers_of(build, chosen):
    """ctest's numbers of these tests among all of the build."""
    return [number for number, test in enumerate(list_tests(build, []), 1) if test["name"] in chosen]


def run_ctest(build, arguments, report):
    """Runs tests and returns ctest's exit code and, of every test that ran, its name, its seconds and "passed", "failed" or "skipped"."""
    code = subprocess.run(["ctest", "--output-on-failure", "--parallel", str(len(os.sched_getaffinity(0))), "--no-tests=error", "--output-junit", str(report), *arguments], cwd=build).returncode
    if not report.exists():  # interrupted, or nothing to run
        return code, []
    verdicts = []
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        verdict = {"run": "passed", "fail": "failed"}.get(case.get("status"), "skipped")
        verdicts.append((case.get("name"), float(case.get("time", 0)), verdict))
    return code, verdicts


def tell(verdicts, before):
    """What a reader wants to know after ctest's own words."""
    longest = sorted(verdicts, key=lambda verdict: -verdict[1])[:SHOWN]
    if len(verdicts) > 1:
        print("\nlongest:", ", ".join(f"{name} {seconds:.0f} s" for name, seconds, _ in longest))
    if before:
        print(f"passed before, with the same content of all they see: {before} tests (--again runs them)")
    failed = [name for name, _, verdict in verdicts if verdict == "failed"]
    if failed:
        pattern = "^(" + "|".join(name.replace(".", r"\.").replace("/", "/") for name in failed) + ")$"
        print(f"failed: {len(failed)}. To run again what failed:\n  ./test.sh -R {shlex.quote(pattern)}")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--again", action="store_true")
    options, arguments = parser.parse_known_args()
    build = options.build.resolve()
    memory = build / "tests" / "passed.json"
    again = options.again or os.environ.get("CI") == "true"

    tests = list_tests(build, arguments)
    contents = Contents(build)
    prints = {test["name"]: fingerprint(test, contents) for test in tests}
    passed = {} if again or not memory.exists() else json.loads(memory.read_text())
    before = {name for name, known in prints.items() if passed.get(name) == known}
    if before and len(before) == len(prints):
        print(f"passed before, with the same content of all they see: all {len(before)} tests (--again runs them)")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        chosen = arguments
        if before:
            numbers = pathlib.Path(folder, "numbers")
            numbers.write_text("0,0,0," + "".join(f"{number}," for number in numbers_of(build, set(prints) - before)))  # ctest wants the last comma
            chosen = ["-I", str(numbers)]
        code, verdicts = run_ctest(build, chosen, pathlib.Path(folder, "report.xml"))
    if not again or memory.exists():
        known = json.loads(memory.read_text()) if memory.exists() else {}
        for name, _, verdict in verdicts:
            known.pop(name, None)
            if verdict == "passed":
                known[name] = prints[name]
        memory.write_text(json.dumps(known, indent=0))
    tell(verdicts, len(before))
    return code


if __name__ == "__main__":
    sys.exit(main())
