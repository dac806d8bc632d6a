#!/usr/bin/env python3
"""How well a GPU's lanes are used, without one: runs scenarios under the emulation of tests/ptxrun, which counts instructions of threads and of warps, and prints for each

  - PTX instructions that a member executes in a step, and those that are issued for it: a warp's, shared among its 32 lanes and spread over all of them if none is idle;
  - lanes busy, the one through the other: with members as they come, all steps in one launch, and regrouped by what they had to do (kernels/regroup.hpp) between launches of --launch-steps;
  - bytes of local memory that a member reads and writes in a step;
  - registers, spills and stack of the machine code, from ptxas.

    tools/gpu_lanes.py --program build/bin/conesweep --emulator LIBRARIES samples/ladder.toml samples/groove.toml
    tools/gpu_lanes.py --program build/bin/conesweep --emulator LIBRARIES --where samples/ladder.toml     # which functions lose lanes

LIBRARIES is what the tests of the cuda executor have as LD_LIBRARY_PATH: build/ptxrun:build/ptxrun/drv and the folder of NVRTC. tests/ptxrun/README.md says how a warp is put together and what is not counted.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import gpu_budget

ARCHS = ("80", "90", "120")
KERNEL = "advance_kernel"
WARP = 32


def name_of(symbol):
    """The last word of a mangled name, without template arguments: _ZN9conesweep7contact9eliminateId... is eliminate."""
    rest, name = re.sub(r"^_ZNK?", "", symbol), symbol
    while found := re.match(r"(\d+)", rest):
        end = found.end() + int(found.group(1))
        name, rest = rest[found.end() : end], rest[end:]
    return name


def run_counted(scenario, options, folder, launch_steps):
    """One run in launches of so many steps: (member·steps, the launches' counts)."""
    counts, out = folder / "counts", folder / "run"
    command = [options.program, "run", scenario, "--backend", "cuda", "--out", out, "--force", "--quiet", "--no-step-check"]
    text = scenario.read_text()
    if not re.search(r'^\s*sampler\s*=\s*"grid"', text, re.MULTILINE):  # a grid has the members that it has
        command += ["--members", str(options.members)]
    if options.steps:
        end, step = (float(re.search(rf"^{name}\s*=\s*(\S+)", text, re.MULTILINE).group(1)) for name in ("end", "step"))
        command += ["--end", f"{min(end, options.steps * step):.12g}"]
    environment = dict(os.environ, LD_LIBRARY_PATH=options.emulator, PTXRUN_COUNT=str(counts), PTXRUN_STACK_KB="2048", CONESWEEP_LAUNCH_STEPS=str(launch_steps))
    counts.unlink(missing_ok=True)
    done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gpu_lanes: {scenario}: {done.stderr.strip()}")
    summary = json.loads((out / "summary.json").read_text())
    launches = [json.loads(line) for line in counts.read_text().splitlines()]
    return summary["members"] * summary["run"]["steps"], [launch for launch in launches if launch["kernel"] == KERNEL]


def add_up(launches):
    """Counts of all launches, and {function: Counter of what its blocks cost}."""
    total, functions = collections.Counter(), collections.defaultdict(collections.Counter)
    for launch in launches:
        for name in ("thread_instructions", "warp_instructions", "local_read", "local_written"):
            total[name] += launch[name]
        for block in launch["blocks"]:
            of = functions[name_of(block["function"])]
            of["thread_instructions"] += block["instructions"] * block["lanes"]
            of["warp_instructions"] += block["instructions"] * block["warps"]
            of["local"] += block["local_read"] + block["local_written"]
    return total, functions


def find_machine_code(scenario, options, folder):
    """{architecture: what ptxas says}, all of PTX for the first of them"""
    if not options.arch:
        return {}
    source, ptx = folder / f"{scenario.stem}.cu", folder / f"{scenario.stem}.ptx"
    source.write_text(gpu_budget.run([options.program, "model", scenario, "--unit", "cuda", "--quiet"]).stdout)
    flags = [flag for flag in gpu_budget.FLAGS if flag not in ("-cubin", "-Xptxas", "-v")]
    gpu_budget.run([options.nvcc, *flags, f"-arch=compute_{options.arch[0]}", "-ptx", "-o", ptx, source])
    ptxas = pathlib.Path(options.nvcc).resolve().parent / "ptxas"
    return {arch: gpu_budget.read_ptxas(gpu_budget.run([ptxas, "-v", "-O3", f"-arch=sm_{arch}", "-o", os.devnull, ptx]).stderr) for arch in options.arch}


def print_where(scenario, total, functions):
    """Functions by what they lose: issue slots of lanes that wait elsewhere."""
    slots = WARP * total["warp_instructions"]
    print(f"\n| {scenario.stem}: function | share of what is issued | lanes busy | share of all lanes lost |\n|---|---|---|---|")
    lost = {name: WARP * of["warp_instructions"] - of["thread_instructions"] for name, of in functions.items()}
    for name in sorted(functions, key=lost.get, reverse=True):
        of = functions[name]
        if WARP * of["warp_instructions"] < 0.01 * slots:
            continue
        print(f"| `{name}` | {WARP * of['warp_instructions'] / slots:.0%} | {of['thread_instructions'] / (WARP * of['warp_instructions']):.0%} | {lost[name] / slots:.0%} |")


def each(facts, name):
    values = [fact[name] for fact in facts.values()]
    return str(values[0]) if len(set(values)) == 1 else " / ".join(map(str, values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="conesweep")
    parser.add_argument("--emulator", required=True, help="folders of ptxrun's libraries and of NVRTC, as LD_LIBRARY_PATH takes them")
    parser.add_argument("--members", type=int, default=128)
    parser.add_argument("--steps", type=int, help="only the first so many steps (default: all)")
    parser.add_argument("--launch-steps", type=int, default=50, help="steps after which members are regrouped (default: 50)")
    parser.add_argument("--arch", default=",".join(ARCHS), help="compute capabilities for ptxas, like 80,90; none: leave it out")
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--where", action="store_true", help="also which functions lose lanes, members regrouped")
    options = parser.parse_args()
    options.arch = [] if options.arch == "none" else options.arch.split(",")

    rows, where = [], []
    with tempfile.TemporaryDirectory() as place:
        for scenario in options.scenarios:
            print(f"gpu_lanes: {scenario.stem}", file=sys.stderr)
            folder = pathlib.Path(place)
            steps, launches = run_counted(scenario, options, folder, 1 << 30)
            total, _ = add_up(launches)
            regrouped, functions = add_up(run_counted(scenario, options, folder, options.launch_steps)[1])
            facts = find_machine_code(scenario, options, folder)
            row = [scenario.stem, f"{total['thread_instructions'] / steps:,.0f}"]
            row += [" → ".join(f"{WARP * of['warp_instructions'] / steps:,.0f}" for of in (total, regrouped))]
            row += [" → ".join(f"{of['thread_instructions'] / (WARP * of['warp_instructions']):.0%}" for of in (total, regrouped))]
            row += [f"{total['local_read'] / steps:,.0f}, {total['local_written'] / steps:,.0f}"]
            rows.append(row + [each(facts, name) for name in ("registers", "spills", "stack")] if facts else row)
            where.append((scenario, regrouped, functions))
    titles = ["scenario", "instructions of a member and step", "issued for it: as members come → regrouped", "lanes busy", "local bytes read, written"]
    if options.arch:
        titles += [f"registers (sm_{' / '.join(options.arch)})", "spills, bytes", "stack, bytes"]
    print("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    if options.where:
        for story in where:
            print_where(*story)


if __name__ == "__main__":
    main()
