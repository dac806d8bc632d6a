"""The wheels: made, and each installed into a new environment of every Python here that it is for. Run by ctest:

    python3 wheels_test.py --program build/bin/conesweep --source . --build build [CLASS]
"""
import subprocess
import sys
import zipfile

from install_case import OPTIONS, Case, is_long, main, make_wheels


def wheels_for(version):
    """Wheels that a Python of this version takes."""
    tag = f"cp{version[0]}{version[1]}-cp{version[0]}{version[1]}" if version < make_wheels.FIRST_STABLE else "cp312-abi3"
    return sorted((OPTIONS.source / "build/wheels").glob(f"conesweep-*-{tag}-{make_wheels.platform_tag()}.whl"))


class WheelCase(Case):
    @classmethod
    def setUpClass(cls):
        done = subprocess.run([sys.executable, OPTIONS.source / "tools/make_wheels.py"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stdout)

    def install(self, version, extra=""):
        """A new environment of that Python with the wheel in it: its folder."""
        wheel, = wheels_for(version)
        environment = self.folder / "environment"
        self.run_words(make_wheels.find_pythons()[version], "-m", "venv", "--clear", environment)
        self.run_words(environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}{extra}")
        return environment


@is_long
class Wheels(WheelCase):
    def test_each_works_in_every_python_it_is_for(self):
        kept = {"CONESWEEP_CACHE": str(OPTIONS.build / "tests/kept/models"), "PYTHONPATH": "", "LD_LIBRARY_PATH": ""}
        for version in make_wheels.find_pythons():
            with self.subTest(python=version):
                environment = self.install(version, "[tables,plot]")
                # the published bits by the command; those of the module, errors and the rest by all of the module's own tests
                hashes = self.run_words(environment / "bin/conesweep", "selftest", "--hashes", "--backend", "cpu", **kept)
                self.assertEqual(self.results(hashes), self.published())
                said = self.run_words(environment / "bin/python", "-B", OPTIONS.source / "tests/python/run_all.py",
                                      "--program", environment / "bin/conesweep", "--source", OPTIONS.source, **kept)
                self.assertIn("bits_test.py: passed", said)
                print(f"tried: Python {version[0]}.{version[1]}, {wheels_for(version)[0].name}\n{said}", flush=True)

    def test_pip_takes_the_sources_too(self):
        version = min(make_wheels.find_pythons())
        environment = self.folder / "environment"
        self.run_words(make_wheels.find_pythons()[version], "-m", "venv", environment)
        self.run_words(environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ".", cwd=OPTIONS.source)
        asked = "import conesweep as cs, sys; print(cs.__version__, cs.Scenario(sys.argv[1], members=7).run(backend='reference').members)"
        said = self.run_words(environment / "bin/python", "-c", asked, OPTIONS.source / "samples/slider.toml", PYTHONPATH="")
        self.assertEqual(f"conesweep {said}", self.run_words(environment / "bin/conesweep", "--version").split("\n")[0].strip() + " 7\n")

    def test_they_are_one_for_each_older_python_and_one_for_all_later_ones(self):
        for version in make_wheels.choose_builders(make_wheels.find_pythons()):
            wheel, = wheels_for(version)
            names = zipfile.ZipFile(wheel).namelist()
            module = "conesweep/_core.abi3.so" if version >= make_wheels.FIRST_STABLE else f"conesweep/_core.cpython-{version[0]}{version[1]}-"
            self.assertTrue(any(name.startswith(module) for name in names), names)
            self.assertIn("conesweep/py.typed", names)
            self.assertIn("conesweep/bin/conesweep", names)
            self.assertTrue(any(name.startswith("conesweep.libs/libhdf5") for name in names), names)


@is_long
class WheelsCuda(WheelCase):
    def test_its_extra_brings_an_nvrtc_that_is_found(self):
        if not OPTIONS.emulator:
            self.skipTest("the emulation of devices was not built")
        version = max(make_wheels.find_pythons())
        environment = self.install(version, "[cuda]")
        # the emulated driver, of a CUDA for which a toolkit of this machine is too new: NVRTC is that of the environment, which is not active
        libraries = ":".join(OPTIONS.emulator.split(":")[:2])
        variables = {"LD_LIBRARY_PATH": libraries, "CONESWEEP_NVRTC": "", "CUDA_HOME": "", "CUDA_PATH": "", "VIRTUAL_ENV": "", "PTXRUN_DRIVER": "12.9"}
        self.assertIn("cuda_nvrtc", self.run_words(environment / "bin/conesweep", "info", **variables))
        tables = {}
        for backend in ("cpu", "cuda"):
            program = environment / "bin/conesweep"
            self.run_words(program, "run", OPTIONS.source / "samples/slider.toml", "--members", "65", "--no-step-check", "--backend", backend, "--out", backend, **variables)
            tables[backend] = self.run_words(program, "export", backend, "--csv", "--out", "-", **variables)
        self.assertEqual(tables["cuda"], tables["cpu"])


if __name__ == "__main__":
    main()
