"""What run.sh and test.sh do before they build (cmake/prepare.sh), on machines made of a few stand-in programs.

    python3 prepare_test.py --source SOURCE [CLASS]
"""
import hashlib
import os
import re
import shutil
import subprocess
import zipfile

import prepare_machine
from prepare_machine import Machine


class Packages(Machine):
    def setUp(self):
        super().setUp()
        self.add_program("dpkg-query", 'case "${!#}" in there) echo installed ;; esac')
        self.add_program("apt-get", 'echo "apt-get $*"')
        self.add_program("env", 'exec "${@:2}"')

    def test_all_there_is_silent(self):
        self.add_program("id", "echo 1000")
        self.assertEqual(self.prepare("install_packages there there"), (0, ""))

    def test_root_installs(self):
        self.add_program("id", "echo 0")
        self.assertEqual(self.prepare("install_packages there one two"), (0, "== install: one two\napt-get update -qq\napt-get install -y -qq --no-install-recommends one two\n"))

    def test_a_user_with_sudo_installs_by_it(self):
        self.add_program("id", "echo 1000")
        self.add_program("sudo", '[ "$1" = -n ] && exit 0; echo "sudo: $*"')
        self.assertEqual(self.prepare("install_packages one"), (0, "== install: one\nsudo: apt-get update -qq\n"
                                                                "sudo: env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends one\n"))

    def test_a_user_without_gets_the_one_command(self):
        self.add_program("id", "echo 1000")
        code, text = self.prepare("install_packages one two")
        self.assertEqual(code, 3)
        self.assertEqual(text.splitlines()[-1], "  apt-get update && apt-get install -y --no-install-recommends one two")

    def test_sudo_that_would_ask_without_a_terminal_does_not_hang(self):
        self.add_program("id", "echo 1000")
        self.add_program("sudo", "exit 1")
        self.assertEqual(self.prepare("install_packages one")[0], 3)


class Cuda(Machine):
    def setUp(self):
        super().setUp()
        self.add_program("id", "echo 0")
        # an environment whose pip notes what it is asked for, and lays down what the real packages do
        self.add_program("python3", """mkdir -p "$3/bin" "$3/lib/python3.11/site-packages/nvidia"; cp_to="$3"
cat >"$3/bin/python" <<'PIP'
#!/bin/bash
for last; do :; done
echo "$*" >>"$(dirname "$0")/asked"
cat "$last" >>"$(dirname "$0")/asked"
[ ! -e "$(dirname "$0")/../../../../unreachable" ] || { echo "no route to the index"; exit 1; }
lib="$(dirname "$0")/../lib/python3.11/site-packages/nvidia/cu13"
case "$(cat "$last")" in *-cu12*) lib="$(dirname "$0")/../lib/python3.11/site-packages/nvidia/cuda_nvrtc" ;; esac
mkdir -p "$lib/lib" "$lib/bin"; touch "$lib/lib/libnvrtc.so.13" "$lib/bin/nvcc"; chmod +x "$lib/bin/nvcc"
PIP
chmod +x "$3/bin/python" """)
        os.symlink("/bin/chmod", self.folder / "bin" / "chmod")

    def see_driver(self, version, nvrtc=""):
        """A machine with a driver, and a program that says so."""
        (self.folder / "driver").mkdir(exist_ok=True)
        (self.folder / "driver" / "libcuda.so.1").touch()
        self.add_program("build/bin/conesweep", f"""echo '{{"cuda": {{"driver": "{version}", "nvrtc": "{nvrtc}"}}}}'""")

    def bring_nvrtc(self, **environment):
        return self.prepare("bring_nvrtc .", LD_LIBRARY_PATH=f"/nowhere:{self.folder}/driver", **environment)

    @staticmethod
    def pinned():
        """Names and versions, in order."""
        return re.findall(r"(?m)^([a-z0-9-]+==[0-9.]+) ", (prepare_machine.SOURCE / "cmake/nvrtc_requirements.txt").read_text())

    def asked(self):
        path = self.folder / "build/cuda/python/bin/asked"
        return path.read_text().split() if path.exists() else []

    def test_no_driver_brings_nothing(self):
        self.assertEqual(self.prepare("bring_nvrtc ."), (0, ""))

    def test_a_driver_without_nvrtc_brings_the_newest_it_understands(self):
        newest = self.pinned()[-1].split("==")[1]
        for version, wanted in [("13.0", "nvidia-cuda-nvrtc==13.0."), ("12.4", "nvidia-cuda-nvrtc-cu12==12.4."), ("12.7", "nvidia-cuda-nvrtc-cu12==12.6."),
                                ("12.10", "nvidia-cuda-nvrtc-cu12==12.9."), ("14.2", f"nvidia-cuda-nvrtc=={newest}")]:
            with self.subTest(version):
                for name in ["nvrtc", "python/bin/asked"]:
                    (self.folder / "build/cuda" / name).unlink(missing_ok=True)
                self.see_driver(version)
                code, text = self.bring_nvrtc()
                self.assertEqual(code, 0, text)
                self.assertIn(f"== bring: NVRTC for the driver's CUDA {version} from PyPI", text)
                asked = [word for word in self.asked() if "==" in word]
                self.assertEqual([word.startswith(wanted) for word in asked], [True], asked)
                self.assertIn("--require-hashes", self.asked())
                self.assertRegex(self.asked()[-1], "^--hash=sha256:[0-9a-f]{64}$")
                self.assertTrue((self.folder / "build/cuda/nvrtc/libnvrtc.so.13").exists())

    def test_it_is_brought_once(self):
        self.see_driver("13.0")
        self.bring_nvrtc()
        self.assertEqual(self.bring_nvrtc(), (0, ""))

    def test_nvrtc_that_is_there_is_enough(self):
        self.see_driver("13.0", nvrtc="12.9")
        self.assertEqual(self.bring_nvrtc(), (0, ""))
        self.see_driver("12.4", nvrtc="12.4")
        self.assertEqual(self.bring_nvrtc(), (0, ""))
        self.assertEqual(self.asked(), [])

    def test_nvrtc_newer_than_the_driver_is_not(self):
        for version, newer in [("12.4", "12.5"), ("12.4", "13.0"), ("12.10", "13.0")]:
            with self.subTest(newer):
                (self.folder / "build/cuda/nvrtc").unlink(missing_ok=True)
                self.see_driver(version, nvrtc=newer)
                code, text = self.bring_nvrtc()
                self.assertIn(f"== bring: NVRTC for the driver's CUDA {version} from PyPI", text)
                self.assertEqual(code, 0)
                self.assertRegex([word for word in self.asked() if "==" in word][-1], "^nvidia-cuda-nvrtc-cu12==12[.]")

    def test_a_driver_before_all_that_is_pinned_is_told(self):
        self.see_driver("11.8")
        self.assertEqual(self.bring_nvrtc(), (0, "== there is an NVIDIA driver for CUDA 11.8, which is too old: the GPU is not used\n"))

    def test_cuda_off_brings_nothing(self):
        self.see_driver("13.0")
        self.assertEqual(self.bring_nvrtc(CONESWEEP_CUDA="OFF"), (0, ""))

    def test_no_way_to_the_index_is_one_sentence(self):
        self.see_driver("13.0")
        (self.folder / "unreachable").touch()
        code, text = self.bring_nvrtc()
        self.assertEqual((code, text.splitlines()[-1]), (0, "== NVRTC could not be brought from PyPI (log: build/cuda/bring.log): the GPU is not used"))

    def test_the_compiler_is_found_where_it_was_brought(self):
        code, text = self.prepare('bring_nvcc .; find_nvcc .', CUDA_HOME="/nowhere")
        self.assertEqual((code, text.splitlines()[-1]), (0, "./build/cuda/toolkit/bin/nvcc"))
        self.assertEqual(os.readlink(self.folder / "build/cuda/toolkit/lib/libcudart.so"), "libcudart.so.13")
        self.assertIn("--require-hashes", self.asked())
        self.assertRegex(" ".join(self.asked()), r"nvidia-cuda-nvcc==13\.[0-9.]+ --hash=sha256:")

    def test_no_way_to_the_compiler_is_one_sentence(self):
        (self.folder / "unreachable").touch()
        code, text = self.prepare('bring_nvcc .; find_nvcc .', CUDA_HOME="/nowhere")
        self.assertEqual((code, text.splitlines()[-1]), (0, "== CUDA's compiler could not be brought from PyPI (log: build/cuda/bring.log): the tests of the cuda executor are skipped"))

    def test_a_toolkit_comes_before_what_was_brought_and_off_is_off(self):
        self.prepare("bring_nvcc .")
        self.add_program("nvcc", "")
        self.assertEqual(self.prepare("find_nvcc .", CUDA_HOME="/nowhere")[1], f"{self.folder}/bin/nvcc\n")
        self.assertEqual(self.prepare("find_nvcc .", CUDA_HOME="/nowhere", CONESWEEP_CUDA="OFF")[1], "")


    def test_a_compiler_before_cuda_12_is_passed_over_and_named(self):
        self.prepare("bring_nvcc .")
        old = ("nvcc", 'echo "Cuda compilation tools, release 11.8, V11.8.89"')
        self.add_program(*old)
        self.assertEqual(self.prepare("find_nvcc .", CUDA_HOME="/nowhere"), (0, "./build/cuda/toolkit/bin/nvcc\n"))
        told = f"== {self.folder}/bin/nvcc is of CUDA 11.8 and not used: conesweep needs CUDA 12 or later\n"
        self.assertEqual(self.prepare("tell_too_old .", CUDA_HOME="/nowhere"), (0, told))
        self.assertEqual(self.prepare("tell_too_old .", CUDA_HOME="/nowhere", CONESWEEP_CUDA="OFF"), (0, ""))
        for least in ("12.0", "13.4"):
            self.add_program("nvcc", old[1].replace("11.8,", f"{least},"))
            self.assertEqual(self.prepare("find_nvcc .; tell_too_old .", CUDA_HOME="/nowhere"), (0, f"{self.folder}/bin/nvcc\n"))


class Pins(Machine):
    """What is brought is loaded into the program: exact versions, and hashes that pip checks."""

    def test_every_line_has_a_version_and_hashes(self):
        packages = {}
        for name in "cuda_requirements.txt", "nvrtc_requirements.txt", "python_requirements.txt", "python_tests_requirements.txt", "zig_requirements.txt":
            lines = [line for line in (prepare_machine.SOURCE / "cmake" / name).read_text().splitlines() if not line.startswith("#")]
            for line in lines:
                self.assertRegex(line, r"^[a-z0-9-]+==[0-9.]+(post[0-9]+)?( --hash=sha256:[0-9a-f]{64})+$")
            packages[name] = [line.split("==")[0] for line in lines]
        self.assertLessEqual({f"nvidia-cuda-{part}" for part in ("nvcc", "nvrtc", "runtime", "cccl", "nvdisasm")}, set(packages["cuda_requirements.txt"]))
        versions = [tuple(map(int, version.split("."))) for version in (re.findall(r"==([0-9.]+)", (prepare_machine.SOURCE / "cmake/nvrtc_requirements.txt").read_text()))]
        self.assertEqual(versions, sorted(versions), "the last line that fits is taken")
        self.assertEqual(len({version[:2] for version in versions}), len(versions))

    def test_no_host_is_named(self):
        for name in "cmake/cuda_requirements.txt", "cmake/nvrtc_requirements.txt", "cmake/python_requirements.txt", "cmake/python_tests_requirements.txt", "cmake/zig_requirements.txt", "cmake/prepare.sh", "tools/pin_wheels.py", "run.sh", "test.sh":
            self.assertNotIn("://", (prepare_machine.SOURCE / name).read_text(), name)

    def make_wheel(self):
        """An NVRTC as the index would send it, without one; returns its hash."""
        path = self.folder / "wheels/nvidia_cuda_nvrtc-13.0.1-py3-none-any.whl"
        path.parent.mkdir()
        with zipfile.ZipFile(path, "w") as wheel:
            wheel.writestr("nvidia/cu13/lib/libnvrtc.so.13", "a library")
            wheel.writestr("nvidia_cuda_nvrtc-13.0.1.dist-info/METADATA", "Metadata-Version: 2.1\nName: nvidia-cuda-nvrtc\nVersion: 13.0.1\n")
            wheel.writestr("nvidia_cuda_nvrtc-13.0.1.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr("nvidia_cuda_nvrtc-13.0.1.dist-info/RECORD", "".join(f"{name},,\n" for name in wheel.namelist()) + "nvidia_cuda_nvrtc-13.0.1.dist-info/RECORD,,\n")
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def bring(self, digest):
        (self.folder / "pinned.txt").write_text(f"nvidia-cuda-nvrtc==13.0.1 --hash=sha256:{digest}\n")
        return self.prepare('bring_python_packages . cuda pinned.txt && echo brought', PATH=os.environ["PATH"], HOME=str(self.folder), PIP_NO_INDEX="1", PIP_FIND_LINKS="wheels")

    def test_a_wrong_hash_is_not_installed_and_ends_with_a_sentence(self):
        digest = self.make_wheel()
        code, text = self.bring(digest[:-1] + ("0" if digest[-1] != "0" else "1"))
        if code == 1 and "ensurepip" in (self.folder / "build/cuda/bring.log").read_text():
            self.skipTest("this Python makes no environments (python3-venv)")
        self.assertEqual((code, text), (3, "What PyPI sent is not what this version of conesweep was tested with: a hash differs from the one that is pinned (log: "
                                           "build/cuda/bring.log).\nIt was not installed. Try again; --no-cuda does without it.\n"))
        self.assertEqual(list(self.folder.glob("build/cuda/python/**/libnvrtc.so.13")), [])
        self.assertEqual(self.bring(digest), (0, "brought\n"))
        self.assertEqual(len(list(self.folder.glob("build/cuda/python/lib/*/site-packages/nvidia/cu13/lib/libnvrtc.so.13"))), 1)


class Scripts(Machine):
    """run.sh and test.sh as they are, in a project whose cmake only makes a program that says how it was called."""

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.project = self.folder / "the project"
        (self.project / "cmake").mkdir(parents=True)
        (self.project / "samples").mkdir()
        for name in "run.sh", "test.sh", "cmake/prepare.sh":
            shutil.copy2(prepare_machine.SOURCE / name, self.project / name)
        for tool in "chmod", "flock", "ninja", "nproc", "setpriv", "sleep", "tail", "cp":
            if shutil.which(tool):
                os.symlink(shutil.which(tool), self.folder / "bin" / tool)
        self.add_program("python3", 'echo "tested in $4"')  # python3 -B run_tests.py --build FOLDER
        self.add_program("cmake", """[ "$1" = --build ] || exit 0
echo begin >>build/order
sleep "${BUILD_SECONDS:-0}"
mkdir -p build/bin
printf '#!/bin/bash\\necho "conesweep $*"\\n' >build/bin/conesweep
chmod +x build/bin/conesweep
echo end >>build/order""")

    def start(self, *words, cwd=None, user=None, **environment):
        as_user = [] if user is None else ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        return subprocess.Popen([*as_user, *words], cwd=cwd or self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={"PATH": str(self.folder / "bin"), "CONESWEEP_CUDA": "OFF", "HOME": str(self.folder), **environment})

    def run_it(self, *words, **how):
        process = self.start(*words, **how)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_cdpath_changes_nothing(self):
        for script, said in ("run.sh", "conesweep info\n"), ("test.sh", f"tested in {self.project}/build\n"):
            code, out, err = self.run_it("bash", f"the project/{script}", *(["info"] if script == "run.sh" else []), CDPATH=f".:{self.folder}:/")
            self.assertEqual((code, out), (0, said), err)

    def test_a_link_to_a_script_is_the_script(self):
        (self.folder / "elsewhere").mkdir()
        for script, said in ("run.sh", "conesweep info\n"), ("test.sh", f"tested in {self.project}/build\n"):
            os.symlink(f"../the project/{script}", self.folder / "elsewhere" / script)
            code, out, err = self.run_it(f"elsewhere/{script}", *(["info"] if script == "run.sh" else []))
            self.assertEqual((code, out), (0, said), err)

    def test_two_at_once_build_one_after_the_other(self):
        if shutil.which("flock") is None:
            self.skipTest("flock is not here")
        both = [self.start("./run.sh", "info", cwd=self.project, BUILD_SECONDS="0.7") for _ in range(2)]
        said = [process.communicate(timeout=60) for process in both]
        self.assertEqual([(process.returncode, out) for process, (out, _) in zip(both, said)], [(0, "conesweep info\n")] * 2, said)
        self.assertEqual((self.project / "build/order").read_text().split(), ["begin", "end"] * 2)
        self.assertEqual(sorted("== another run.sh or test.sh is at work in build/: waiting for it\n" in err for _, err in said), [False, True])

    def finish_build(self):
        """A build by ninja itself, and a user who may read it; returns how to be that user."""
        if shutil.which("ninja") is None:
            self.skipTest("ninja is not here")
        build = self.project / "build"
        (build / "bin").mkdir(parents=True)
        (build / "source").write_text('#!/bin/bash\necho "conesweep $*"\n')
        # as CMake writes it where there are lists of files
        (build / "CMakeFiles").mkdir()
        (build / "CMakeFiles/cmake.verify_globs").touch()
        (build / "CMakeFiles/VerifyGlobs.cmake").touch()
        (build / "build.ninja").write_text("rule copy\n  command = cp $in $out && chmod 755 $out\nbuild bin/conesweep: copy source\nbuild conesweep_app: phony bin/conesweep\n"
                                           "rule VERIFY_GLOBS\n  command = true\n  restat = 1\nrule RERUN_CMAKE\n  command = touch build.ninja\n  generator = 1\n"
                                           "build CMakeFiles/VerifyGlobs.cmake_force: phony\nbuild CMakeFiles/cmake.verify_globs: VERIFY_GLOBS | CMakeFiles/VerifyGlobs.cmake_force\n"
                                           "build build.ninja: RERUN_CMAKE CMakeFiles/cmake.verify_globs\n")
        subprocess.run(["ninja", "-C", build, "conesweep_app"], check=True, stdout=subprocess.DEVNULL)
        if os.geteuid() != 0:
            self.addCleanup(build.chmod, 0o755)
            build.chmod(0o555)
            return {}
        if shutil.which("setpriv") is None:
            self.skipTest("setpriv is not here")
        return {"user": 65534}

    def test_the_finished_build_of_another_user_runs(self):
        other = self.finish_build()
        before = sorted(path.stat().st_mtime_ns for path in self.project.rglob("*"))
        self.assertEqual(self.run_it("./run.sh", "info", cwd=self.project, **other), (0, "conesweep info\n", ""))
        self.assertEqual(sorted(path.stat().st_mtime_ns for path in self.project.rglob("*")), before)
        if other:   # without arguments as well, where he may write
            code, out, err = self.run_it(self.project / "run.sh", cwd="/tmp", **other)
            self.assertEqual(code, 0, err)
            self.assertRegex(out, "^conesweep run .*/the project/samples/slider.toml --force --report\n$")

    def test_an_unfinished_build_of_another_user_is_told(self):
        other = self.finish_build()
        os.utime(self.project / "build/source", (2e9, 2e9))
        code, out, err = self.run_it("./run.sh", "info", cwd=self.project, **other)
        self.assertEqual((code, out), (3, ""))
        self.assertIn(f"The folder {self.project}/build is not yours to write, and the build in it is not complete.\n", err)
        self.assertIn("Copy the project, without build/, to a folder of your own.\n", err)

    def test_tests_in_the_build_of_another_user_are_told(self):
        code, out, err = self.run_it("./test.sh", cwd=self.project, **self.finish_build())
        self.assertEqual((code, out), (3, ""))
        self.assertIn(f"The folder {self.project}/build is not yours to write, and tests write there.\n", err)


class Configure(Machine):
    """cmake stands in: it notes how it was called, and fails where a file says so."""

    def setUp(self):
        super().setUp()
        self.add_program("cmake", """echo "cmake $*" >>asked
case "$*" in
  *--fresh*) touch build/CMakeCache.txt; exit 0 ;;
  *"--preset cuda"*) [ ! -e broken_nvcc ] ;;
  *--preset*) [ ! -e odd_build ] ;;
esac""")

    def asked(self):
        return [line.split("cmake ")[1] for line in (self.folder / "asked").read_text().splitlines()]

    def test_the_program_alone_needs_no_tests(self):
        self.assertEqual(self.prepare("build . conesweep_app", CUDA_HOME="/nowhere")[0], 0)
        self.assertEqual(self.asked(), ["--preset cpu -DCONESWEEP_WERROR=OFF -DCONESWEEP_TESTS=OFF", "--build build --target conesweep_app"])

    def test_tests_that_were_configured_stay(self):
        (self.folder / "build").mkdir()
        (self.folder / "build/build.ninja").touch()
        (self.folder / "build/CMakeCache.txt").write_text("CONESWEEP_TESTS:BOOL=ON\n")
        self.assertEqual(self.prepare("build . conesweep_app", CUDA_HOME="/nowhere")[0], 0)
        self.assertEqual(self.asked()[0], "--preset cpu")

    def test_a_build_folder_that_does_not_fit_is_configured_afresh(self):
        (self.folder / "odd_build").touch()
        self.assertEqual(self.prepare("build . all tests", CUDA_HOME="/nowhere")[0], 0)
        self.assertEqual([line.split(" -D")[0] for line in self.asked()], ["--preset cpu", "--fresh --preset cpu", "--build build --target all"])

    def test_a_cuda_compiler_that_does_not_work_is_left_out(self):
        self.add_program("nvcc", "")
        self.add_program("cmake", """echo "cmake $*" >>asked
case "$*" in *"--preset cuda"*) exit 1 ;; esac""")
        code, text = self.prepare("build . conesweep_app")
        self.assertEqual(code, 0, text)
        self.assertIn("bin/nvcc does not work (log: build/build.log): built without it", text)
        self.assertEqual(self.asked()[-1], "--build build --target conesweep_app")
        code, text = self.prepare("build . conesweep_app", CONESWEEP_CUDA="ON")
        self.assertNotIn("built without it", text)

    def test_warnings_are_errors_in_ci_alone(self):
        self.prepare("build . conesweep_app", CUDA_HOME="/nowhere", CI="true")
        self.assertIn("-DCONESWEEP_WERROR=ON", self.asked()[0])


if __name__ == "__main__":
    prepare_machine.main(__doc__)
