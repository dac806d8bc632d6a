"""What run.sh and test.sh do before they build (cmake/prepare.sh), on machines made of a few stand-in programs.

    python3 prepare_test.py --source SOURCE [CLASS]
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

SOURCE = pathlib.Path()


class Machine(unittest.TestCase):
    """A PATH with nothing but bash's own tools and the programs a test puts there."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "bin").mkdir()
        for tool in ["bash", "cat", "cd", "dirname", "echo", "grep", "head", "ln", "ls", "mkdir", "sed", "touch"]:
            for place in ["/usr/bin", "/bin"]:
                if os.path.exists(f"{place}/{tool}"):
                    os.symlink(f"{place}/{tool}", self.folder / "bin" / tool)
                    break

    def add_program(self, name, text):
        path = self.folder / "bin" / name if "/" not in name else self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/bash\n" + text)
        path.chmod(0o755)

    def prepare(self, text, **environment):
        """Runs `text` behind `source prepare.sh`; returns its exit code and all it printed."""
        script = f'set -euo pipefail; source "{SOURCE}/cmake/prepare.sh"; {text}'
        done = subprocess.run(["/bin/bash", "-c", script], cwd=self.folder, env={"PATH": str(self.folder / "bin"), **environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout.decode()


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
echo "$*" >>"$(dirname "$0")/asked"
[ ! -e "$(dirname "$0")/../../../../unreachable" ] || { echo "no route to the index"; exit 1; }
lib="$(dirname "$0")/../lib/python3.11/site-packages/nvidia/cu13"
case "$*" in *-cu12*) lib="$(dirname "$0")/../lib/python3.11/site-packages/nvidia/cuda_nvrtc" ;; esac
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

    def asked(self):
        path = self.folder / "build/cuda/python/bin/asked"
        return path.read_text().split() if path.exists() else []

    def test_no_driver_brings_nothing(self):
        self.assertEqual(self.prepare("bring_nvrtc ."), (0, ""))

    def test_a_driver_without_nvrtc_brings_the_newest_it_understands(self):
        for version, wanted in [("13.0", "nvidia-cuda-nvrtc<13.1"), ("12.4", "nvidia-cuda-nvrtc-cu12<12.5"), ("14.2", "nvidia-cuda-nvrtc<14.3")]:
            with self.subTest(version):
                for name in ["nvrtc", "python/bin/asked"]:
                    (self.folder / "build/cuda" / name).unlink(missing_ok=True)
                self.see_driver(version)
                code, text = self.bring_nvrtc()
                self.assertEqual(code, 0, text)
                self.assertIn(f"== bring: NVRTC for the driver's CUDA {version} from PyPI", text)
                self.assertEqual(self.asked()[-1], wanted)
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
                major, minor = version.split(".")
                self.assertEqual((code, self.asked()[-1]), (0, f"nvidia-cuda-nvrtc-cu12<{major}.{int(minor) + 1}"))

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
        self.assertIn("nvidia-cuda-nvcc>=13,<14", self.asked())

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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    SOURCE = options.source.resolve()
    unittest_main.main(rest)
