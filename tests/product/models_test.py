"""A command compiles one model and loads it once, however many steps, points and members it needs it for. Run by ctest, one test class at a time:

    python3 models_test.py --program build/bin/conesweep --source . OneModel
"""
import os
import shutil
import subprocess
import unittest

import product_program
from product_program import ProductTest, SLIDER

COMPILER = shutil.which(os.environ.get("CONESWEEP_CXX", "g++")) or shutil.which("c++")

# appends a line for each compilation of a model
WRAPPER = """#!/bin/sh
case " $* " in *" -shared "*) echo compiled >> "$COUNTS" ;; esac
exec "$REAL_COMPILER" "$@"
"""

# appends a line for each model that is loaded: they come from memory, or from a private file where that is forbidden
INTERPOSER = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void* dlopen(const char* name, int flags) {
  static void* (*next)(const char*, int);
  if (next == NULL) next = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
  void* handle = next(name, flags);
  const int is_model = name != NULL && (strncmp(name, "/proc/self/fd/", 14) == 0 || strstr(name, "/model.so") != NULL);
  const char* const counts = getenv("COUNTS");
  if (handle != NULL && is_model && (flags & RTLD_NOLOAD) == 0 && counts != NULL) {
    FILE* file = fopen(counts, "a");
    fputs("loaded\n", file);
    fclose(file);
  }
  return handle;
}
"""


@unittest.skipIf(COMPILER is None, "no C++ compiler")
class OneModel(ProductTest):
    def setUp(self):
        super().setUp()
        self.write("slider.toml", SLIDER)
        self.write("swept.toml", SLIDER.replace("members = 300", "members = 20") + "[sweep]\nk = { from = 2, to = 4, count = 5 }\n")
        self.write("digested.toml", SLIDER.replace("members = 300", "members = 300\nkeep = \"statistics\""))
        self.write("compiler", WRAPPER)
        (self.folder / "compiler").chmod(0o755)
        self.write("count.c", INTERPOSER)
        built = subprocess.run(["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", "count.so", "count.c", "-ldl"], cwd=self.folder, capture_output=True)
        if built.returncode != 0:
            self.skipTest("cannot build a library that counts: " + built.stderr.decode())

    def count(self, *arguments, code=0):
        """Models that a command compiles and loads, where nothing is in the cache."""
        counts, cache = self.folder / "counts", self.folder / "cache"
        counts.write_text("")
        shutil.rmtree(cache, ignore_errors=True)
        environment = dict(os.environ, CONESWEEP_CACHE=str(cache), CONESWEEP_CXX=str(self.folder / "compiler"), REAL_COMPILER=COMPILER, COUNTS=str(counts),
                           LD_PRELOAD=str(self.folder / "count.so"))
        self.run_program(*arguments, code=code, env=environment)
        lines = counts.read_text().split()
        return lines.count("compiled"), lines.count("loaded")

    def test_is_enough_for_members_their_step_check_and_their_tracks(self):
        self.assertEqual(self.count("run", "slider.toml", "--backend", "cpu", "--quiet"), (1, 1))

    def test_is_enough_for_an_ensemble_that_grows(self):
        self.assertEqual(self.count("run", "slider.toml", "--backend", "cpu", "--until", "reach:0.2%", "--quiet"), (1, 1))

    def test_is_enough_for_an_ensemble_that_keeps_no_members(self):
        self.assertEqual(self.count("run", "digested.toml", "--backend", "cpu", "--quiet"), (1, 1))

    def test_is_enough_for_all_points_of_a_sweep(self):
        self.assertEqual(self.count("run", "swept.toml", "--backend", "cpu", "--quiet"), (1, 1))

    def test_is_enough_for_a_design_of_sensitivities(self):
        self.assertEqual(self.count("sensitivity", "slider.toml", "--backend", "cpu", "--members", 400, "--quiet"), (1, 1))

    def test_is_enough_for_all_steps_of_converge(self):
        self.assertEqual(self.count("converge", "slider.toml", "--backend", "cpu", "--levels", 4, "--quiet"), (1, 1))

    def test_is_enough_for_all_levels_of_mlmc(self):
        self.assertEqual(self.count("mlmc", "slider.toml", "--backend", "cpu", "--observable", "reach", "--rmse", 0.01, "--quiet"), (1, 1))

    def test_is_enough_for_a_comparison_and_its_judge(self):
        # rounding is more than nothing: members differ, and some are run again to be judged
        self.assertEqual(self.count("compare", "slider.toml", "--backends", "cpu,reference", "--tolerance", 1e-17, "--judge", 4, "--quiet", code=1), (1, 1))

    def test_is_one_a_precision_where_two_are_compared(self):
        self.assertEqual(self.count("compare", "slider.toml", "--backends", "cpu,cpu:single", "--tolerance", 1e-12, "--judge", 4, "--quiet", code=1), (2, 2))

    def test_is_enough_for_a_plan(self):
        self.assertEqual(self.count("plan", "slider.toml", "--quiet"), (1, 1))


if __name__ == "__main__":
    product_program.main(__doc__)
