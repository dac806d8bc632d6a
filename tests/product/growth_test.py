"""How memory and disk grow, and what `plan` says about them beforehand; time is measured by bench/growth.py. Run by ctest, one test class at a time:

    python3 growth_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import os

import product_test
from product_test import ProductTest, SLIDER

EVERYTHING = "CONESWEEP_ALL" in os.environ
SMALL = SLIDER.replace("members = 7\n", "members = 0\n")


class GrowthTest(ProductTest):
    def largest_memory(self, *arguments, command="run", more=("--no-step-check",)):
        """Largest resident memory of a run, in bytes."""
        pid = os.fork()
        if pid == 0:
            os.chdir(self.folder)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.execv(product_test.PROGRAM, ["conesweep", command, "small.toml", "--backend", "cpu", "--threads", "1", *more, "--force", "--quiet", *map(str, arguments)])
        _, status, usage = os.wait4(pid, 0)
        self.assertEqual(status, 0)
        return usage.ru_maxrss * 1024

    def plan(self, *arguments):
        out, _ = self.run_program("plan", "small.toml", "--json", "--quiet", *arguments)
        return json.loads(out)


class Growth(GrowthTest):
    def setUp(self):
        super().setUp()
        self.write("small.toml", SMALL)

    def test_of_memory_is_that_of_a_column_and_not_of_members_in_flight_or_steps(self):
        base = self.largest_memory("--members", 200_000)
        more = self.largest_memory("--members", 2_000_000, "--step", 0.02)
        fine = self.largest_memory("--members", 200_000, "--step", 1e-3)
        per_member = (more - base) / 1_800_000
        print(f"{per_member:.1f} bytes for each further member (one column and its sorted copy are 17), steps x 10: {fine / base:.2f} times the memory")
        self.assertLess(per_member, 20)
        self.assertLess(fine / base, 1.15)

    def test_of_the_crowd_to_ten_million_members_stays_within_a_gibibyte(self):
        members = 10_000_000 if EVERYTHING else 2_000_000
        memory = self.largest_memory("--members", members, "--step", 0.04)
        print(f"{members} members: {memory / 2**20:.0f} MiB")
        self.assertLess(memory, 2**30)

    def test_of_a_design_to_a_million_model_runs_is_flat(self):
        few = self.largest_memory("--members", 100_000, "--step", 0.04, command="sensitivity", more=())
        many = self.largest_memory("--members", 1_000_000, "--step", 0.04, command="sensitivity", more=())
        print(f"sensitivity: {few / 2**20:.0f} MiB for 1e5 model runs, {many / 2**20:.0f} MiB for 1e6")
        self.assertLess(many - few, 20 * 900_000)


class Plans(GrowthTest):
    def test_tell_memory_and_disk(self):
        for text, members in [(SMALL, 1_000_000), (SLIDER, 100_000), (SLIDER.replace("members = 7\n", "members = 5000\n"), 20_000)]:
            self.write("small.toml", text)
            plan = self.plan("--members", str(members))
            memory = self.largest_memory("--members", members, "--out", "r")
            size = (self.folder / "r" / "results.h5").stat().st_size
            told = plan["executors"]["cpu"]["host_bytes"]
            print(f"memory {memory / 1e6:.0f} MB, planned {told / 1e6:.0f} MB; results.h5 {size / 1e6:.1f} MB, planned {plan['results_bytes'] / 1e6:.1f} MB")
            self.assertLess(memory, 1.05 * told)
            self.assertLess(told, 1.2 * memory + 120e6)  # a bound: the program itself and the chunks in flight are counted at their largest
            self.assertLess(abs(size - plan["results_bytes"]), 0.02 * size + 20_000)
            self.assertEqual(plan["history_nodes"], 42)  # tau is at most 0.4, and the step 0.01

    def test_tell_a_time_that_grows_with_members(self):
        self.write("small.toml", SMALL)
        few, many = (self.plan("--members", members, "--threads", "1")["executors"]["cpu"]["seconds"] for members in ("1e5", "1e9"))
        self.assertGreater(few, 0)
        self.assertGreater(many, 50 * few)  # ten thousand times the members; how true it is, bench/growth.py measures

    def test_are_printed_for_people(self):
        self.write("small.toml", SLIDER)
        out, _ = self.run_program("plan", "small.toml", "--members", "1e6")
        self.assertRegex(out, r"1,000,000 members, 200 steps of 0.01; the longest history has 4[12] nodes\n")
        self.assertRegex(out, r"\ncpu +\d+ x [\d,]+ +\d+ +[\d.]+ kB +\d")
        self.assertRegex(out, r"\non disk: [\d.]+ MB of results \(\d+ bytes a member, and trajectories\), up to [\d.]+ MB while it runs\n")
        out, _ = self.run_program("run", "small.toml", "--backend", "cpu", "--members", "1e5")
        self.assertRegex(out, r"\n2 chunks of 65,536; about [\d.]+ MB of memory, [\d.]+ MB of disk\n")

    def test_that_cannot_fit_are_refused_before_anything_is_computed(self):
        self.write("small.toml", SLIDER.replace("members = 300", "members = 1000000").replace("members = 7\n", "members = 1000000\n").replace("every = 3", "every = 1").replace("step = 0.01", "step = 1e-5"))
        _, err = self.run_program("run", "small.toml", "--backend", "cpu", code=3)
        self.assertRegex(err, r"^conesweep: (the run will need about [\d.]+ TB of memory, but only [\d.]+ GB are available; record fewer trajectories or fewer times, take a smaller --chunk, or ask for fewer members"
                              r"|runs/small will need about [\d.]+ [TG]B, but only .* are free there; make room, choose another folder with --out, or ask for fewer members or trajectories)\n$")
        self.assertFalse((self.folder / "runs").exists())


if __name__ == "__main__":
    product_test.main(__doc__)
