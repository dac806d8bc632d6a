"""What a build says when something is missing, before it compiles anything. Run by ctest:

    python3 needs_test.py --program build/bin/conesweep --source . --build build [CLASS]
"""
import os
import pathlib
import re
import shutil

from install_case import OPTIONS, Case, main


class Needs(Case):
    PACKAGES = re.search(r'packages_to_build="(.*)"', (pathlib.Path(__file__).resolve().parent.parent.parent / "cmake/prepare.sh").read_text())[1]

    def configure(self, *settings, **variables):
        """What CMake says, with its lines' own indentation taken away; it fails."""
        said = self.run_words("cmake", "-S", OPTIONS.source, "-B", self.folder / "build", "-G", "Ninja", "-D", "CONESWEEP_CUDA=OFF", *settings, code=1, **variables)
        return re.sub(r"\s+", " ", said)

    def test_a_compiler(self):
        (self.folder / "bin").mkdir()
        for name in ("cmake", "ninja"):
            os.symlink(shutil.which(name), self.folder / "bin" / name)
        for name in ("CC", "CXX"):
            os.environ.pop(name, None)
        sentence = "To build conesweep these are missing: a C++20 compiler, GCC 12 or later or clang (libraries are looked for with it)"
        for named, told in ({}, " Debian"), ({"CC": "arm-gcc -O"}, ": CC says arm-gcc, which is not there Debian"), ({"CC": shutil.which("gcc"), "CXX": "g++"}, ": CXX says g++, which is not there Debian"):
            with self.subTest(told):
                said = self.configure(PATH=str(self.folder / "bin"), **named)
                self.assertIn(sentence + told, said)
                self.assertIn(f"apt-get install {self.PACKAGES} ", said)

    def test_all_libraries_at_once(self):
        said = self.configure("-D", "SKBUILD=2", *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("Eigen3", "HDF5", "tomlplusplus")))
        self.assertIn("To build conesweep these are missing: Eigen3 3.4 or later HDF5 tomlplusplus 3.3 or later Debian 12 and later have all that it needs:", said)
        self.assertIn(f"apt-get install {self.PACKAGES} python3-dev ", said)


if __name__ == "__main__":
    main()
