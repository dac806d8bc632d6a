#!/usr/bin/env python3
"""How fast the step should be on a GPU, without one: a model, no measurement. Compiles the kernels of the problems of `conesweep bench`, of the sample slider and of one
system of several laws, reads the machine code of the step loop, and prints tables for docs/performance.md:

  - instructions of the step loop by class, registers, warps that a multiprocessor holds, bytes of the history that a step loads and stores;
  - member·steps a second that these allow on named cards, from published figures:

        (1)  rate = min( M c 128 / instructions,     four schedulers issue a warp of 32 a clock
                         M c D / double,             D double-precision units a multiprocessor
                         bandwidth / bytes )         the history, as if no cache held any of it

    M multiprocessors, c clock. A bound for a full card that waits for nothing; all paths of the loop are counted, contact among them;
  - our step loops beside those of bench/particle_by_hand.cu: --check fails above 1.1 of their instructions.

    tools/gpu_rate.py --program build/bin/conesweep --fetch build/nvdisasm
    tools/gpu_rate.py --program build/bin/conesweep --fetch build/nvdisasm --costs     # writes host/selftest/step_costs.inc

`conesweep selftest` has the same formula (host/selftest/throughput.cpp) with the numbers of step_costs.inc; tests/selftest compares it with these tables. Exit
code 1: --check found a promise broken; 77: there is no nvdisasm.
"""
import argparse
import os
import pathlib
import re
import shutil
import sys
import tempfile

import gpu_budget

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHS = ("80", "90", "120")
COSTS = ("75", *ARCHS)  # of the slider, in selftest
PROBLEMS = ("fixed", "member", "fixed_observed", "member_observed", "curved", "curved_observed", "sine")
SAMPLES = ("slider", "rough_bar")  # selftest's, and a coupled one
BY_HAND = ("fixed", "member")
WANTED = 1.1

# What a multiprocessor holds (CUDA C++ programming guide, compute capabilities): warps, blocks; registers are 65536, given to a warp 256 at a time.
LIMITS = {"75": (32, 16), "80": (64, 32), "90": (64, 32), "120": (48, 24)}
# Published figures: multiprocessors, boost clock in Hz, double-precision units of each, memory bandwidth in bytes a second, and double-precision Tflop/s to compare with
CARDS = {
    "A100 80GB SXM": ("80", 108, 1.41e9, 32, 2039e9, 9.7),
    "H100 SXM": ("90", 132, 1.98e9, 64, 3350e9, 33.5),
    "RTX 5090": ("120", 170, 2.407e9, 2, 1792e9, 1.637),
}


def find_rate(card, loop):
    """(1) in member·steps a second, and what limits it."""
    _, multiprocessors, clock, units, bandwidth, _ = CARDS[card]
    limits = {"issue": multiprocessors * clock * 128 / loop["instructions"], "double": multiprocessors * clock * units / max(1, loop["classes"]["double"])}
    if loop["bytes"] > 0:
        limits["memory"] = bandwidth / loop["bytes"]
    return min((rate, name) for name, rate in limits.items())


def find_warps(arch, registers):
    """Warps that a multiprocessor holds, with the best block of at most 256 threads, as the driver chooses it for the executor."""
    most_warps, most_blocks = LIMITS[arch]
    of_a_warp = (registers + 7) // 8 * 256
    by_registers = 65536 // of_a_warp // 4 * 4  # each of the four parts of a multiprocessor has its own
    return max(min(most_warps // block, most_blocks, by_registers // block) * block for block in range(1, 9))


def compile_unit(source, arch, options, nvdisasm):
    cubin = source.with_suffix(f".{arch}.cubin")
    told = gpu_budget.run([options.nvcc, *gpu_budget.FLAGS, f"-arch=sm_{arch}", "-o", cubin, source], cubin, [source]).stderr
    return told, gpu_budget.run([nvdisasm, "-c", cubin]).stdout


def measure(source, arch, options, nvdisasm, kernel="advance_kernel"):
    told, sass = compile_unit(source, arch, options, nvdisasm)
    loop = gpu_budget.measure_loop(sass, kernel)
    loop["registers"] = int(re.search(rf"Compiling entry function '{kernel}'.*?Used (\d+) registers", told, re.DOTALL).group(1))
    loop["warps"] = find_warps(arch, loop["registers"])
    loop["bytes"] = 8 * (loop["loads"] + loop["stores"]) if loop["loads"] else 0  # a loop that reads no history stores what is recorded
    return loop


def each(loops, name, archs, what):
    values = [what(loops[name, arch]) for arch in archs]
    return str(values[0]) if len(set(values)) == 1 else " / ".join(map(str, values))


def print_loops(loops, names, archs):
    kinds = ("double", "single", "integer", "global", "local", "control", "special")
    print(f"| problem (double; sm_{' / '.join(archs)}) | registers | warps | instructions | least | {' | '.join(kinds)} | bytes |")
    print("|---" * (6 + len(kinds)) + "|")
    for name in names:
        cells = [each(loops, name, archs, lambda loop, k=k: loop[k]) for k in ("registers", "warps", "instructions", "least")]
        cells += [each(loops, name, archs, lambda loop, k=k: loop["classes"][k]) for k in kinds]
        print(f"| {name} | {' | '.join(cells)} | {each(loops, name, archs, lambda loop: loop['bytes'])} |")


def print_rates(loops, names):
    print("\n| 10⁹ member·steps/s, a model | " + " | ".join(CARDS) + " |")
    print("|---" * (1 + len(CARDS)) + "|")
    for name in names:
        rates = [find_rate(card, loops[name, CARDS[card][0]]) for card in CARDS]
        print(f"| {name} | " + " | ".join(f"{rate / 1e9:.3g} ({limit})" for rate, limit in rates) + " |")


def print_by_hand(loops, archs):
    broken = []
    print(f"\n| step loop (sm_{' / '.join(archs)}) | ours | by hand | ratio |\n|---|---|---|---|")
    for name in BY_HAND:
        ratios = [loops[name, arch]["instructions"] / loops["hand", name, arch]["instructions"] for arch in archs]
        hand = " / ".join(str(loops["hand", name, arch]["instructions"]) for arch in archs)
        ours = " / ".join(str(loops[name, arch]["instructions"]) for arch in archs)
        print(f"| {name} | {ours} | {hand} | {' / '.join(f'{ratio:.2f}' for ratio in ratios)} |")
        broken += [f"{name} on sm_{arch} has {ratio:.2f} of the instructions by hand" for arch, ratio in zip(archs, ratios) if ratio > WANTED]
    return broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="conesweep")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--nvdisasm")
    parser.add_argument("--fetch", metavar="FOLDER", help="where nvdisasm from PyPI is kept")
    parser.add_argument("--costs", action="store_true", help="only write host/selftest/step_costs.inc")
    parser.add_argument("--check", action="store_true", help="only compare with the kernels by hand and, to 5 %%, with step_costs.inc, on sm_80 (on all with CONESWEEP_ALL=1); fail if a promise is broken")
    options = parser.parse_args()
    for card, (_, multiprocessors, clock, units, _, published) in CARDS.items():
        assert abs(2e-12 * multiprocessors * clock * units / published - 1) < 0.01, card
    nvdisasm = gpu_budget.find_nvdisasm(options)
    if not nvdisasm:
        print("gpu_rate: no nvdisasm; --fetch brings it")
        return 77

    archs = ("80",) if options.check and "CONESWEEP_ALL" not in os.environ else ARCHS
    names = BY_HAND if options.check else () if options.costs else PROBLEMS
    samples = ("slider",) if options.check or options.costs else SAMPLES
    with tempfile.TemporaryDirectory() as place:
        folder, loops = pathlib.Path(place), {}
        gpu_budget.run([options.program, "bench", "--out", folder])
        for name in (*names, *samples):
            scenario = ROOT / "samples" / f"{name}.toml" if name in samples else folder / f"{name}.toml"
            source = folder / f"{name}.cu"
            source.write_text(gpu_budget.run([options.program, "model", scenario, "--unit", "cuda", "--quiet"]).stdout)
            for arch in COSTS if options.costs else archs:
                loops[name, arch] = measure(source, arch, options, nvdisasm)
        for file in ("particle_by_hand.cu", "particle_by_hand.hpp"):
            shutil.copy(ROOT / "bench" / file, folder)
        for arch in () if options.costs else archs:
            for name in BY_HAND:
                loops["hand", name, arch] = measure(folder / "particle_by_hand.cu", arch, options, nvdisasm, f"{name}_by_hand")

    def cost(arch):
        loop = loops["slider", arch]
        return f"{{{arch}, {loop['instructions']}, {loop['classes']['double']}, {loop['bytes']}}},"

    costs = ROOT / "host/selftest/step_costs.inc"
    if options.costs:
        costs.write_text("// architecture, instructions of the slider's step loop, of them double, bytes: made by tools/gpu_rate.py --costs\n"
                         + "".join(cost(arch) + "\n" for arch in COSTS))
        return 0
    if not options.check:
        print_loops(loops, (*names, *samples), archs)
        print_rates(loops, (*names, *samples))
    broken = print_by_hand(loops, archs)
    known = {row[0]: row[1:] for row in (line.strip("{},").split(", ") for line in costs.read_text().splitlines()[1:])}
    for arch in archs:  # compilers differ by a few instructions
        told, found = (int(known[arch][0]), loops["slider", arch]["instructions"])
        if abs(found - told) > 0.05 * told:
            broken.append(f"step_costs.inc has {told} instructions on sm_{arch}, the compiler makes {found}; --costs writes it anew")
    for line in broken:
        print(f"gpu_rate: {line}", file=sys.stderr)
    return 1 if options.check and broken else 0


if __name__ == "__main__":
    sys.exit(main())
