"""How memory and disk grow, what `plan` says about them beforehand, and how runs end that get too little; time is measured by bench/growth.py. Run by ctest, one
test class at a time:

    python3 growth_test.py --program build/bin/conesweep --source . ClassName
"""
import json
import os
import resource
import shutil
import subprocess

import product_program
from product_program import ProductTest, SLIDER

EVERYTHING = "CONESWEEP_ALL" in os.environ
SMALL = SLIDER.replace("members = 7\n", "members = 0\n")


def swept(first, second, members=1):
    """A map of so many points."""
    return SMALL.replace("members = 300", f"members = {members}").replace("step = 0.01", "step = 0.04") + (
        f"[sweep]\nk = {{ from = 2, to = 4, count = {first} }}\nv0 = {{ from = 0.5, to = 1.5, count = {second} }}\n")


CLASSES = '[classes]\nlate = "never(late)"\nfar = "reach > 1.3 + mu * final.vx"\n'


class GrowthTest(ProductTest):
    def largest_memory(self, *arguments, command="run", more=("--no-step-check",)):
        """Largest resident memory of a run, in bytes."""
        return self.memory_of(command, "small.toml", "--backend", "cpu", "--threads", "1", *more, "--force", "--quiet", *arguments)

    def memory_of(self, *arguments):
        pid = os.fork()
        if pid == 0:
            os.chdir(self.folder)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.execv(product_program.PROGRAM, ["conesweep", *map(str, arguments)])
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


class Maps(GrowthTest):
    def test_of_many_points_take_little_more_than_the_numbers_of_each(self):
        sides = (1000, 1000) if EVERYTHING else (100, 200)
        points = sides[0] * sides[1]
        self.write("tiny.toml", swept(2, 2))
        self.write("map.toml", swept(*sides))
        for what, numbers, arguments in [
                ("run", 16 * 88, lambda name: ("run", f"{name}.toml", "--backend", "cpu", "--threads", "1", "--no-step-check", "--quiet", "--out", name)),
                ("run --resume of what is finished", 0, lambda name: ("run", f"{name}.toml", "--backend", "cpu", "--no-step-check", "--quiet", "--resume", "--json", "--out", name)),
                ("export", 0, lambda name: ("export", name, "--csv", "--out", f"{name}.csv")),
                ("plot", 16 * 88, lambda name: ("plot", name, "map", "--out", f"{name}.svg"))]:
            few, many = (self.memory_of(*arguments(name)) for name in ("tiny", "map"))
            per_point = (many - few) / points
            print(f"{what}: {many / 1e6:.0f} MB for {points} points, {per_point:.0f} bytes a point")
            self.assertLess(per_point, numbers + 1000, what)
        size = (self.folder / "map/summary.json").stat().st_size
        print(f"summary.json: {size / 1e6:.0f} MB, {size / points:.0f} bytes a point")


class Plans(GrowthTest):
    def test_are_right_to_a_fifth_for_every_kind_of_run(self):
        coarse, kept = SMALL.replace("step = 0.01", "step = 0.04"), ("seed = 5", 'seed = 5\nkeep = "statistics"')
        record = lambda members, every: SLIDER.replace("members = 7\nevery = 3", f"members = {members}\nevery = {every}")
        kinds = {
            "members": (coarse, "run", ("--members", 3_000_000)),
            "members of a hypercube": (coarse.replace("seed = 5", 'seed = 5\nsampler = "latin"'), "run", ("--members", 1_500_000)),
            "classes": (coarse + CLASSES, "run", ("--members", 1_500_000)),
            "all trajectories": (record(15_000, 1), "run", ("--members", 15_000)),
            "few trajectories of many times": (record(8, 1).replace("step = 0.01", "step = 0.001"), "run", ("--members", 9_000)),
            "statistics alone": (coarse.replace(*kept), "run", ("--members", 2_500_000)),
            "a design": (coarse, "sensitivity", ("--members", 3_000_000)),
            "a design that screens": (coarse, "sensitivity", ("--members", 3_000_000, "--method", "morris")),
            "a map": (swept(150, 400), "run", ()),
            "a map of classes": (swept(150, 300) + CLASSES, "run", ()),
            "a map of crowds": (swept(20, 100, 800), "run", ()),
            "a map of statistics alone": (swept(10, 16, 8192).replace(*kept), "run", ()),
        }
        quick = ("members", "classes", "all trajectories", "statistics alone", "a map")
        for kind, (text, command, arguments) in kinds.items():
            if not EVERYTHING and kind not in quick:
                continue
            self.write("small.toml", text)
            plan = self.plan(*arguments[:2], "--threads", "1")
            memory = self.largest_memory(*arguments, "--out", "r", command=command, more=("--no-step-check",) if command == "run" else ())
            told, sizes = plan["executors"]["cpu"]["host_bytes"], {file.name: file.stat().st_size for file in (self.folder / "r").iterdir()}
            print(f"{kind}: memory {memory / 1e6:.0f} MB, planned {told / 1e6:.0f} MB ({told / memory:.2f}); results.h5 {sizes['results.h5'] / 1e6:.2f} MB, planned "
                  f"{plan['results_bytes'] / 1e6:.2f} MB; summary.json {sizes['summary.json'] / 1e6:.2f} MB, planned {plan['summary_bytes'] / 1e6:.2f} MB", flush=True)
            self.assertLess(abs(told - memory), 0.2 * memory, kind)
            for name, key, share in (("results.h5", "results_bytes", 0.02), ("summary.json", "summary_bytes", 0.2)):
                self.assertLess(abs(plan[key] - sizes[name]), share * sizes[name] + 100_000, f"{kind}: {name}")
            shutil.rmtree(self.folder / "r")

    def test_tell_histories(self):
        self.write("small.toml", SMALL)
        self.assertEqual(self.plan()["history_nodes"], 42)  # tau is at most 0.4, and the step 0.01

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


class TooLittle(GrowthTest):
    """Under a limit on memory a run ends well, or by code 3 with a sentence: never by a signal, never by waiting, and what is finished stays."""

    def limited(self, megabytes, *arguments):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        done = subprocess.run([product_program.PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, timeout=200, preexec_fn=limit)
        return done.returncode, done.stderr.decode()

    def least_that_starts(self):
        return next(megabytes for megabytes in range(20, 1000, 5) if self.limited(megabytes, "--version")[0] == 0)

    def test_memory_ends_a_run_with_a_sentence_and_what_is_finished_stays(self):
        coarse = SMALL.replace("step = 0.01", "step = 0.04")
        kinds = {"members": (coarse, 1_000_000),
                 "trajectories": (SLIDER.replace("members = 7\nevery = 3", "members = 8000\nevery = 1"), 8_000),
                 "statistics": (coarse.replace("seed = 5", 'seed = 5\nkeep = "statistics"'), 1_100_000),
                 "a map": (swept(200, 200), 1)}
        least = self.least_that_starts()
        for kind, (text, members) in kinds.items():
            self.write("small.toml", text)
            command = ("run", "small.toml", "--backend", "cpu", "--threads", 2, "--members", members, "--no-step-check", "--quiet")
            self.run_program(*command, "--out", "whole")
            want = (self.folder / "whole/results.h5").read_bytes()
            fine, failed, ends, megabytes = 0, 0, [], least
            while fine < 2:
                out = f"r{megabytes}"
                code, said = self.limited(megabytes, *command, "--out", out)
                ends.append((megabytes, code, said.strip()))
                self.assertIn(code, (0, 3), ends[-1])
                fine += code == 0
                if code == 3:
                    failed += 1
                    self.assertRegex(said, r"^conesweep: [^\n]*([Mm]emory|Resource temporarily unavailable)[^\n]*\n$")
                    self.assertNotIn("internal error", said)
                    self.assertFalse((self.folder / out / "summary.json").exists())
                    if EVERYTHING or "are kept" in said:
                        self.run_program(*command, "--out", out, "--resume")
                if code == 0 or "are kept" in said:
                    self.assertEqual((self.folder / out / "results.h5").read_bytes(), want)
                shutil.rmtree(self.folder / out, ignore_errors=True)
                megabytes = int(megabytes * (1.06 if EVERYTHING else 1.3)) + 1
            self.assertGreater(failed, 0)
            print(kind, *(f"{m} MB: {c} {t[:160]}" for m, c, t in ends), sep="\n  ", flush=True)
            shutil.rmtree(self.folder / "whole")

    def test_memory_is_refused_to_readers_with_a_sentence(self):
        self.write("small.toml", swept(100, 100))
        self.run_program("run", "small.toml", "--backend", "cpu", "--quiet", "--no-step-check", "--out", "r")
        least = self.least_that_starts()
        for command in (("export", "r", "--csv"), ("report", "r"), ("plan", "small.toml"), ("run", "small.toml", "--out", "r", "--resume", "--json")):
            for megabytes in range(least, least + 200, 10 if EVERYTHING else 40):
                code, said = self.limited(megabytes, *command)
                self.assertIn(code, (0, 3), f"{command} {megabytes}: {said}")
                if code == 3:
                    self.assertRegex(said, r"^conesweep: [^\n]*([Mm]emory|Resource temporarily unavailable)[^\n]*\n$")


if __name__ == "__main__":
    product_program.main(__doc__)
