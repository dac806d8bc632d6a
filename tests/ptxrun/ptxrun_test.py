"""ptxrun itself: right programs give right answers under it, wrong ones are found. Run by ctest, one test class at a time:

    python3 ptxrun_test.py --programs build/tests/ptxrun --libraries build/ptxrun --home tests/ptxrun ClassName
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import unittest_main

OPTIONS = None  # set by main


class PtxrunTest(unittest.TestCase):
    more_folders = ()  # of libraries that are not emulated

    def run_program(self, name, *arguments, folders=("", "drv"), **variables):
        """What a program printed on both streams; `folders` of the emulated libraries are on LD_LIBRARY_PATH."""
        path = ":".join([*(str(OPTIONS.libraries / folder) for folder in folders), *self.more_folders])
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PTXRUN_") or key == "PTXRUN_CACHE"}
        environment.update(LD_LIBRARY_PATH=path, **{key: str(value) for key, value in variables.items()})
        done = subprocess.run([OPTIONS.programs / name, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        return done.stdout.decode()

    def assert_prints(self, pattern, name, *arguments, **more):
        self.assertRegex(self.run_program(name, *arguments, **more), "(?m)" + pattern)


class Values(PtxrunTest):
    """An IEEE operation is one, and opcodes do what PTX says."""

    def test_particles_have_the_bits_of_the_host_where_only_ieee_operations_are_used(self):
        self.assert_prints(r"^var 0: .*bitwise different 0,", "particle")

    def test_particles_with_sin_cos_exp_differ_by_little(self):
        self.assert_prints(r"^var 1: .*max abs diff [\d.]+e-1[4-9]", "particle")

    def test_opcodes_and_functions(self):
        self.assert_prints(r"^PASSED: 0 failures", "values")

    def test_opcodes_while_threads_are_shuffled_interrupted_and_checked(self):
        self.assert_prints(r"^PASSED: 0 failures", "values", PTXRUN_MEMCHECK=1, PTXRUN_PREEMPT=3, PTXRUN_SCHED=7, PTXRUN_PROTECT=1)

    def test_two_translation_units_are_linked(self):
        self.assert_prints(r"c=8 o=8 err=0$", "two_units")

    def test_the_toolkits_own_runtime_without_a_gpu_fails(self):
        if os.path.exists("/dev/nvidiactl"):
            self.skipTest("a GPU is here: the toolkit's runtime works")
        self.assert_prints(r"^FAILED", "values", folders=())


class Thrust(PtxrunTest):
    def assert_reduces_scans_and_sorts(self, **variables):
        out = self.run_program("thrust", **variables)
        self.assertEqual(len(re.findall("equal 1", out)), 2, out)

    def test_reduces_scans_and_sorts(self):
        self.assert_reduces_scans_and_sorts()

    def test_does_so_on_two_host_threads(self):
        self.assert_reduces_scans_and_sorts(PTXRUN_THREADS=2)

    def test_does_so_on_queued_streams(self):
        self.assert_reduces_scans_and_sorts(PTXRUN_ASYNC=1)


class Mistakes(PtxrunTest):
    """A wrong program is found out, and the message says where."""

    def test_out_of_bounds(self):
        self.assert_prints(r"out of bounds write.*thread \(64,0,0\)", "mistakes", "0", PTXRUN_MEMCHECK=1)

    def test_misaligned(self):
        self.assert_prints("misaligned", "mistakes", "1", PTXRUN_MEMCHECK=1)

    def test_divergent_barrier(self):
        self.assert_prints("deadlock", "mistakes", "3")

    def test_uninitialised_double_is_nan(self):
        self.assert_prints("gives -?nan", "mistakes", "4")

    def test_missing_syncthreads(self):
        self.assert_prints("race: [1-9][0-9]* of 64", "mistakes", "5")

    def test_device_assert(self):
        self.assert_prints("device assertion", "mistakes", "6")

    def test_lost_update_shows_when_threads_are_interrupted(self):
        self.assert_prints(r"count \d{1,2} of 128", "mistakes", "7", PTXRUN_MEMCHECK=1, PTXRUN_PREEMPT=1)

    def test_host_pointer_given_to_a_kernel(self):
        self.assert_prints("out of bounds", "wrong_pointers", "h", PTXRUN_MEMCHECK=1)

    def test_wrong_direction_and_overrun_of_a_copy_are_errors(self):
        out = self.run_program("wrong_pointers")
        self.assertIn("D2H as H2D: cudaErrorInvalidValue", out)
        self.assertIn("overrun: cudaErrorInvalidValue", out)

    def test_host_code_that_reads_device_memory_faults(self):
        out = self.run_program("wrong_pointers", "d", PTXRUN_PROTECT=1)
        self.assertIn("memory of device 0 at", out)
        self.assertNotIn("not caught", out)


class Devices(PtxrunTest):
    def run_on_three(self, *arguments, **variables):
        return self.run_program("devices", *arguments, **dict(dict(PTXRUN_DEVICES=3, PTXRUN_MEM_MB="64,32"), **variables))

    def test_limits_ownership_and_host_threads(self):
        self.assertRegex(self.run_on_three(), "(?m)^0 failed$")

    def test_the_same_with_all_checks_and_queued_streams(self):
        out = self.run_on_three(PTXRUN_MEM_MB="", PTXRUN_MEM_GB="0.0625,0.03125", PTXRUN_MEMCHECK=2, PTXRUN_PROTECT=1, PTXRUN_ASYNC=1, PTXRUN_SCHED=5)
        self.assertRegex(out, "(?m)^0 failed$")

    def test_a_kernel_that_touches_another_device(self):
        self.assertIn("kernel of device 0, memory of device 1, no peer access: read", self.run_on_three("peer", PTXRUN_MEMCHECK=1))
        self.assertRegex(self.run_on_three("peer", PTXRUN_PROTECT=1), "memory of device 1 at .* touched")

    def test_with_peer_access_it_may(self):
        self.assertRegex(self.run_on_three("allowed", PTXRUN_MEMCHECK=1, PTXRUN_PROTECT=1), "(?m)^not caught$")

    def test_a_copy_from_another_device_is_found_by_the_closest_check_only(self):
        self.assertRegex(self.run_on_three("copy", PTXRUN_MEMCHECK=1), "(?m)^not caught$")
        self.assertIn("a copy touches memory of device 1", self.run_on_three("copy", PTXRUN_MEMCHECK=2))


class Libraries(PtxrunTest):
    """Code compiled at run time, loaded by both APIs. NVRTC opens a library of its own by name, where the system's loader looks."""

    @property
    def more_folders(self):
        return (OPTIONS.nvrtc,)

    def test_nvrtc_and_the_driver(self):
        self.assert_prints("mismatches 0 of 1000", "nvrtc", folders=("drv",))

    def test_runtime_driver_and_nvrtc_in_one_program(self):
        out = self.run_program("library", PTXRUN_DEVICES=2)
        self.assertRegex(out, "(?m)^0 failed$")
        self.assertIn("got a cubin; PTX needed: compile with compute_XX", out)

    def test_the_same_on_queued_streams_with_checks(self):
        self.assert_prints("^0 failed$", "library", PTXRUN_DEVICES=2, PTXRUN_ASYNC=1, PTXRUN_SCHED=3, PTXRUN_MEMCHECK=1)

    def test_the_driver_of_a_machine_without_device(self):
        self.assert_prints("get 100 launch 100", "nvrtc", folders=("drv",), PTXRUN_FAIL="nodevice")


class Faults(PtxrunTest):
    """PTXRUN_FAIL: exactly the n-th call fails, once or for good."""

    def errors(self, fault):
        out = self.run_program("faults", PTXRUN_FAIL=fault)
        return " ".join(line for line in out.splitlines() if "cudaSuccess" not in line)

    def test_none(self):
        self.assertEqual(self.errors(""), "devices 1 value 6")

    def test_once(self):
        self.assertEqual(self.errors("malloc:2"), "devices 1 malloc2 cudaErrorMemoryAllocation value 6")
        self.assertEqual(self.errors("create:1,create:2"), "devices 1 value 6 create1 cudaErrorMemoryAllocation create2 cudaErrorMemoryAllocation")

    def test_for_good(self):
        failed = " cudaErrorLaunchFailure "
        self.assertEqual(self.errors("launch:2") + " ", f"devices 1 launch2{failed}launch3{failed}sync1{failed}memcpy3{failed}last{failed}last{failed}value 0 create1{failed}create2{failed}")
        failed = " cudaErrorIllegalAddress "
        self.assertEqual(self.errors("memcpy:3") + " ", f"devices 1 memcpy3{failed}last{failed}last{failed}value 0 create1{failed}create2{failed}")
        self.assertEqual(self.errors("sync:1") + " ", f"devices 1 sync1{failed}memcpy3{failed}last{failed}last{failed}value 0 create1{failed}create2{failed}")

    def test_a_machine_without_device_or_driver(self):
        for fault, error in [("nodevice", "cudaErrorNoDevice"), ("nodriver", "cudaErrorInsufficientDriver")]:
            self.assertTrue(self.errors(fault).startswith(f"count {error} devices 0 malloc1 {error}"), self.errors(fault))

    def test_a_misspelt_fault_is_refused(self):
        self.assertRegex(self.errors("mallok:1"), "PTXRUN_FAIL: want .* not mallok:1")

    def test_statistics_count_and_find_leaks(self):
        out = self.run_program("faults", PTXRUN_STATS=1)
        self.assertIn("launches 3, threads 384, bytes H2D 1024, D2H 512, D2D 0\n", out)
        self.assertIn("device 0: peak 1049088 bytes, leaked 0 allocations (0 bytes)\n", out)
        self.assertRegex(out, "leaked 0 pinned.* 0 streams, 0 events; 0 operations")
        out = self.run_program("faults", "leak", PTXRUN_STATS=1)
        self.assertIn("leaked 2 allocations (1049088 bytes)\n", out)
        self.assertIn(" 1 streams, 1 events", out)


class Asynchrony(PtxrunTest):
    """PTXRUN_ASYNC: a right program is right in every order, a wrong one shows."""

    def test_a_right_program_is_right_in_six_orders(self):
        for seed in ("", 1, 2, 3, 4, 5):
            self.assert_prints("^good 3578$", "async", "good", PTXRUN_ASYNC=1, PTXRUN_SCHED=seed)

    def test_wrong_programs_look_right_without_it(self):
        for mistake in ("early", "reuse", "noevent", "nonblocking"):
            self.assert_prints(f"^{mistake} 1$", "async", mistake)

    def test_wrong_programs_show(self):
        for mistake, value in [("early", "0"), ("reuse", "7"), ("noevent", "-?nan"), ("nonblocking", "-?nan")]:
            self.assert_prints(f"^{mistake} {value}$", "async", mistake, PTXRUN_ASYNC=1)

    def test_opcodes_are_unchanged(self):
        self.assert_prints(r"^PASSED: 0 failures", "values", PTXRUN_ASYNC=1)


class Counts(PtxrunTest):
    """PTXRUN_COUNT: instructions of threads and of warps, and bytes of local memory, of kernels that are short enough to count by hand (programs/counted.ptx)."""

    def count(self, kernel, threads=32, **variables):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "counts"
            out = self.run_program("counted", OPTIONS.home / "programs" / "counted.ptx", kernel, str(threads), PTXRUN_COUNT=file, **variables)
            self.assertEqual(out, "launch 0, finish 0\n")
            (line,) = file.read_text().splitlines()
        counts = json.loads(line)
        self.assertEqual((counts["kernel"], counts["threads"]), (kernel, threads))
        self.assertEqual(sum(block["instructions"] * block["lanes"] for block in counts["blocks"]), counts["thread_instructions"])
        self.assertEqual(sum(block["instructions"] * block["warps"] for block in counts["blocks"]), counts["warp_instructions"])
        for kind in ("local_read", "local_written"):
            self.assertEqual(sum(block[kind] for block in counts["blocks"]), counts[kind])
        return counts

    def assert_counts(self, kernel, threads_and_warps, threads=32, **variables):
        counts = self.count(kernel, threads, **variables)
        self.assertEqual((counts["thread_instructions"], counts["warp_instructions"]), threads_and_warps, json.dumps(counts["blocks"], indent=1))

    def test_lanes_that_part_at_a_branch_are_together_behind_it(self):
        self.assert_counts("if_else", (3 * 32 + 3 * 24 + 1 * 8 + 1 * 32, 3 + 3 + 1 + 1))

    def test_lanes_that_leave_a_loop_wait_for_the_last_one(self):
        self.assert_counts("loop", (2 * 32 + 3 * (32 * 33 // 2) + 1 * 32, 2 + 3 * 32 + 1))

    def test_lanes_that_leave_an_inner_loop_are_together_in_the_outer_one(self):
        self.assert_counts("nested", (3 * 32 + 4 * (1 * 32 + 3 * (32 + 16) + 3 * 32) + 1 * 32, 3 + 4 * (1 + 3 * 2 + 3) + 1))

    def test_lanes_that_return_early_are_gone(self):
        self.assert_counts("early_return", (3 * 32 + 3 * 16, 3 + 3))

    def test_lanes_that_return_at_two_places_are_together_behind_the_call(self):
        self.assert_counts("call", (3 * 32 + 4 * 32 + 3 * 16 + 2 * 16 + 2 * 32, 3 + 4 + 3 + 2 + 2))

    def test_a_place_is_the_same_only_as_many_calls_deep(self):
        self.assert_counts("recursion", (4 * 32 + 3 * (32 + 24 + 16 + 8) + 3 * (24 + 16 + 8) + 1 * (8 + 16 + 24 + 32) + 1 * 32, 4 + 3 * 4 + 3 * 3 + 1 * 4 + 1))

    def test_four_ways_by_a_table(self):
        # lane 0 comes through what lane 1 executes by itself, and both are apart there: ways join behind all four
        self.assert_counts("table", (3 * 32 + (1 + 2) + 2 + 1 + 3 * 29 + 1 * 32, 3 + (1 + 2) + 2 + 1 + 3 + 1))

    def test_lanes_that_wait_at_a_barrier_do_not_hold_up_the_one_that_they_wait_for(self):
        self.assert_counts("far_ahead", (4 * 32 + 3 * 20000 + 2 + 1 * 31 + 1 * 32, 4 + 3 * 20000 + 2 + 1 + 1))

    def test_warps_that_are_not_full(self):
        self.assert_counts("loop", (2 * 40 + 3 * (40 * 41 // 2) + 1 * 40, 2 * 2 + 3 * (32 + 40) + 2 * 1), threads=40)

    def test_neither_order_nor_interruptions_change_a_count(self):
        self.assert_counts("nested", (1216, 44), PTXRUN_SCHED=3, PTXRUN_MEMCHECK=1, PTXRUN_PREEMPT=1)

    def test_bytes_of_local_memory(self):
        counts = self.count("local")
        self.assertEqual((counts["thread_instructions"], counts["warp_instructions"]), (12 * 32, 12))
        self.assertEqual((counts["local_read"], counts["local_written"]), (16 * 32, 24 * 32))

    def test_blocks_say_where_they_are(self):
        text = (OPTIONS.home / "programs" / "counted.ptx").read_text().splitlines()
        blocks = self.count("call")["blocks"]
        self.assertEqual({block["function"] for block in blocks}, {"call", "choose"})
        even = next(block for block in blocks if block["instructions"] == 2 and block["function"] == "choose")
        self.assertEqual(text[even["line"] - 1].strip(), "st.param.b32 [out], %r1;")

    def test_a_file_that_cannot_be_written_is_one_sentence(self):
        self.assertEqual(self.run_program("counted", OPTIONS.home / "programs" / "counted.ptx", "loop", "32", PTXRUN_COUNT="/no/such/folder/counts"),
                         "ptxrun: cannot write PTXRUN_COUNT=/no/such/folder/counts\n")


class Variables(PtxrunTest):
    def test_are_all_in_the_readme_and_no_others(self):
        texts = [path.read_text() for path in [*OPTIONS.home.glob("*.cpp"), OPTIONS.home / "ptx2cpp.py"]]
        used = {name for text in texts for name in re.findall(r'(?:env|getenv|text|text_of|get)\("?\'?(PTXRUN_[A-Z_]+)', text.replace("'", '"'))}
        told = set(re.findall(r"`(PTXRUN_[A-Z_]+)", (OPTIONS.home / "README.md").read_text()))
        self.assertGreater(len(used), 20)
        self.assertEqual(used, told)


class Paths(PtxrunTest):
    def test_may_have_spaces_and_quotes(self):
        with tempfile.TemporaryDirectory() as folder:
            home, cache = pathlib.Path(folder) / "it's the home", pathlib.Path(folder) / "new folders" / "of kernels"
            home.symlink_to(OPTIONS.home)
            self.assert_prints("ok: cudaSuccess", "wrong_pointers", PTXRUN_HOME=home, PTXRUN_CACHE=cache)

    def test_a_cache_that_cannot_be_made_is_one_sentence(self):
        self.assert_prints("^ptxrun: cannot make the folder /dev/null/x: .*; set PTXRUN_CACHE to one that can be written$", "wrong_pointers", PTXRUN_CACHE="/dev/null/x")

    def test_of_a_compiler_that_is_not_there_end_in_one_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assert_prints("^ptxrun: failed: '/no/such/compiler' ", "wrong_pointers", PTXRUN_CXX="/no/such/compiler", PTXRUN_CACHE=folder)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    for name in ("--programs", "--libraries", "--home"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--nvrtc", default="", help="the folder of NVRTC, for Libraries")
    OPTIONS, rest = parser.parse_known_args()
    unittest_main.main(rest)


if __name__ == "__main__":
    main()
