#!/usr/bin/env python3
"""What the step costs on a GPU, without one: compiles the kernels of all samples with nvcc and prints, for each architecture, registers,
spills, stack (local memory) and the SASS instructions of the step loop.

    tools/gpu_budget.py --program build/bin/conesweep                     # a table for docs/performance.md
    tools/gpu_budget.py --program build/bin/conesweep --check             # exit code 1 if a promise is broken

What is promised: a particle with up to 3 coordinates and 1 contact stays in registers, without spills and without a stack. A model with up to 4 coordinates and 2
laws does not spill; the solver of several laws has arrays of its own, which lie on the stack. And that solver is a function that the kernel calls, not a part of
every step. --check looks at the samples that a promise is about, on sm_80 at three of those with several laws; at all of them and on all architectures with CONESWEEP_ALL=1.

Registers, spills and stack are ptxas's. Instructions need nvdisasm: from --nvdisasm, from PATH, beside nvcc, or fetched from PyPI into a
folder with --fetch FOLDER (package nvidia-cuda-nvdisasm). Without it the column stays empty.
"""
import argparse
import concurrent.futures
import heapq
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import kept_output

ALL = ("75", "80", "90", "120")
CHECKED = ("80",)  # by default
SMALL_COORDINATES, SMALL_CONTACTS = 3, 1  # a particle: up to here nothing may leave the registers
COUPLED_COORDINATES, COUPLED_LAWS = 4, 2  # several laws: up to here nothing may spill
QUICK = ("groove", "ladder", "pendulum_obstacle")  # of them, those that are looked at by default
SOLVER = ("find_impulses", "newton_step", "eliminate", "residual_of", "solve_law")  # (B7), each a function of its own
FLAGS = ["-std=c++20", "-O3", "-fmad=false", "--expt-relaxed-constexpr", "-cubin", "-Xptxas", "-v"]


def run(command, made=None, inputs=()):
    """Runs a tool; one that makes a file from inputs only where it has not made it before."""
    done = kept_output.run(command, made, inputs) if made else subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"gpu_budget: {' '.join(map(str, command))} failed:\n{done.stderr}")
    return done


def find_nvdisasm(options):
    if options.nvdisasm:
        return options.nvdisasm
    for folder in (None, str(pathlib.Path(options.nvcc).resolve().parent)):
        if found := shutil.which("nvdisasm", path=folder):
            return found
    if not options.fetch:
        return None
    folder = pathlib.Path(options.fetch)
    if not list(folder.glob("**/bin/nvdisasm")):
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "nvidia-cuda-nvdisasm"], capture_output=True, text=True)
        for wheel in folder.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(folder)
        if not list(folder.glob("**/bin/nvdisasm")):
            print(f"gpu_budget: nvdisasm could not be fetched, its column stays empty: {done.stderr.strip()[-300:]}", file=sys.stderr)
            return None
    program = next(folder.glob("**/bin/nvdisasm"))
    program.chmod(0o755)
    return str(program)


def read_ptxas(text):
    """Registers of the advance kernel; the largest spill and stack of everything in the unit, called functions too."""
    registers = re.search(r"Compiling entry function 'advance_kernel'.*?Used (\d+) registers", text, re.DOTALL)
    functions = re.findall(r"Function properties for (\S+)", text)
    frames = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", text)
    return {"registers": int(registers.group(1)), "stack": max(int(f[0]) for f in frames), "spills": max(int(f[1]) + int(f[2]) for f in frames),
            "called": [name for name in SOLVER if any(f"{len(name)}{name}I" in function for function in functions)]}


class Code:
    """The control flow of one kernel's SASS, as nvdisasm -c prints it."""

    def __init__(self, text, kernel):
        section = re.search(rf"^\.text\.{kernel}:\n(.*?)(?=^//-----|\Z)", text, re.DOTALL | re.MULTILINE).group(1)
        self.lines, labels = [], {}
        for line in section.splitlines():
            if label := re.match(r"\s*([.$\w]+):", line):
                labels[label.group(1)] = len(self.lines)
            elif instruction := re.match(r"\s*/\*[0-9a-f]+\*/\s+(.*?)\s*;", line):
                self.lines.append(instruction.group(1))
        self.next = []
        for place, line in enumerate(self.lines):
            words = re.match(r"(@!?U?P\w+\s+)?(\S+)", line)
            predicated, name = words.group(1), words.group(2).split(".")[0]
            following = [place + 1] if place + 1 < len(self.lines) else []
            if name == "BRA":
                target = labels[re.search(r"`\(([^)]+)\)", line).group(1)]
                # BRA has a condition also as its operand: BRA P0, `(target)
                conditional = predicated or not re.match(r"(@\S+\s+)?BRA(\.\S+)?\s+`\(", line)
                self.next.append([target] + (following if conditional else []))
            elif name in ("EXIT", "RET") and not predicated:
                self.next.append([])
            else:
                self.next.append(following)

    def loops(self):
        """Natural loops as sets of places, by their heads."""
        count = len(self.lines)
        before = [[] for _ in range(count)]
        # reverse postorder from the entry
        order, seen, stack = [], {0}, [(0, iter(self.next[0]))]
        while stack:
            place, following = stack[-1]
            for target in following:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(self.next[target])))
                    break
            else:
                order.append(place)
                stack.pop()
        order.reverse()
        number = {place: k for k, place in enumerate(order)}
        for place in order:
            for target in self.next[place]:
                before[target].append(place)
        # immediate dominators (Cooper, Harvey, Kennedy)
        dominator = {0: 0}
        changed = True
        while changed:
            changed = False
            for place in order[1:]:
                known = [p for p in before[place] if p in dominator]
                best = known[0]
                for other in known[1:]:
                    while best != other:
                        while number[best] > number[other]:
                            best = dominator[best]
                        while number[other] > number[best]:
                            other = dominator[other]
                if dominator.get(place) != best:
                    dominator[place] = best
                    changed = True

        def dominates(a, b):
            while number[b] > number[a]:
                b = dominator[b]
            return a == b

        found = {}
        for place in order:
            for head in self.next[place]:
                if number[head] <= number[place] and dominates(head, place):
                    body = found.setdefault(head, {head})
                    work = [place]
                    while work:
                        here = work.pop()
                        if here not in body:
                            body.add(here)
                            work.extend(before[here])
        return found

    def shortest_round(self, head, body):
        """Instructions on the shortest way from the head of a loop around to it, without NOPs."""
        cost = {place: 0 if self.count([place], "NOP") else 1 for place in body}
        best, work = {head: cost[head]}, [(cost[head], head)]
        rounds = []
        while work:
            length, place = heapq.heappop(work)
            if length > best[place]:
                continue
            for target in self.next[place]:
                if target == head:
                    rounds.append(length)
                elif target in body and length + cost[target] < best.get(target, len(body) + 1):
                    best[target] = length + cost[target]
                    heapq.heappush(work, (best[target], target))
        return min(rounds)

    def count(self, body, pattern):
        return sum(1 for place in body if re.match(rf"(@\S+\s+)?({pattern})\b", self.lines[place]))


# What instructions of the step loop do, by the unit that does it; the first that fits. A double is selected and negated by halves: FSEL and FADD.F32 of a
# sign count where the hardware does them.
CLASSES = {
    "double": r"D(ADD|MUL|FMA|SETP|MNMX)",
    "single": r"F(ADD|MUL|FMA|FMA32I|SETP|SET|MNMX|CHK|SWZADD)",
    "global": r"LDG|STG|LD|ST|ATOM|ATOMG|RED",
    "local": r"LDL|STL",
    "control": r"BRA|BRX|BSSY|BSYNC|BREAK|BMOV|CALL|RET|EXIT|WARPSYNC|YIELD|BAR|NANOSLEEP",
    "special": r"MUFU|I2F|F2I|F2F|I2I|FRND|I2FP|F2FP|I2IP",  # conversions and the starts of division and square root
    "integer": r".*",  # whole numbers, addresses, moves, selections, loads of constants
}


def measure_loop(sass, kernel="advance_kernel"):
    """The loop of plain steps: no member looks back before t = 0 any more, no node is recorded. Static instructions by class, accesses to memory.

    Slow paths of division and square root, which are called, are not counted, nor are NOPs (sm_120 has some after each double-precision
    instruction); the paths of contact are. `least` is the shortest way through the loop, a step without contact.
    """
    code = Code(sass, kernel)
    floating = r"D(ADD|MUL|FMA|SETP)|F(ADD|MUL|FMA|SETP)"
    loops = list(code.loops().items())
    most = max(code.count(body, floating) for _, body in loops)
    loops = [(head, body) for head, body in loops if 4 * code.count(body, floating) >= most]
    # of the two step loops within the loop over recorded nodes one takes steps in full: the smaller one runs for most of the time
    head, body = min(((h, b) for h, b in loops if not any(other < b for _, other in loops)), key=lambda loop: len(loop[1]))
    counted = [place for place in body if not code.count([place], "NOP")]
    classes = dict.fromkeys(CLASSES, 0)
    for place in counted:
        classes[next(name for name, pattern in CLASSES.items() if code.count([place], pattern))] += 1
    return {"instructions": len(counted), "floating": code.count(body, floating), "loads": code.count(body, "LDG"), "stores": code.count(body, "STG"),
            "local": code.count(range(len(code.lines)), "LDL|STL"), "least": code.shortest_round(head, body), "classes": classes}


def is_small(number):
    return not number["coupled"] and number["dimension"] <= SMALL_COORDINATES and number["contacts"] <= SMALL_CONTACTS


def has_solver(number):
    return number["coupled"] and number["contacts"] + number["resistances"] > 0 or number["contacts"] > 1


def is_small_coupled(number):
    return has_solver(number) and number["dimension"] <= COUPLED_COORDINATES and number["contacts"] + number["firm"] + number["resistances"] <= COUPLED_LAWS


def measure(sample, arch, options, nvdisasm, folder):
    source, cubin = folder / f"{sample.stem}.cu", folder / f"{sample.stem}.{arch}.cubin"
    facts = read_ptxas(run([options.nvcc, *FLAGS, f"-arch=sm_{arch}", "-o", cubin, source], cubin, [source]).stderr)
    if nvdisasm:
        facts.update(measure_loop(run([nvdisasm, "-c", cubin]).stdout))
    return facts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="conesweep")
    parser.add_argument("--samples", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "samples")
    parser.add_argument("--arch", help=f"compute capabilities, like 75,90 (default: {','.join(ALL)}; with --check only {CHECKED[0]}, all with CONESWEEP_ALL=1)")
    parser.add_argument("--only", help="samples by name, like slider,groove (default: all)")
    parser.add_argument("--precision", default="double", choices=("double", "single"))
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--nvdisasm")
    parser.add_argument("--fetch", metavar="FOLDER", help="where nvdisasm from PyPI is kept")
    parser.add_argument("--check", action="store_true", help="fail if a promise is broken")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    archs = options.arch.split(",") if options.arch else ALL if not options.check or "CONESWEEP_ALL" in os.environ else CHECKED
    nvdisasm = find_nvdisasm(options)

    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        samples, size = [], {}
        for sample in sorted(options.samples.glob("*.toml")):
            if options.only and sample.stem not in options.only.split(","):
                continue
            text = run([options.program, "model", sample, "--unit", "cuda", "--precision", options.precision, "--quiet"]).stdout
            (folder / f"{sample.stem}.cu").write_text(text)
            number = {name: int(re.search(rf"static constexpr int {name} = (\d+);", text).group(1)) for name in ("dimension", "contacts", "lags", "windows")}
            for name in ("coupled", "firm", "resistances"):  # a particle with one contact has no list of laws
                found = re.search(rf"struct Laws : state::NoLaws {{.*?\b{name} = (\d+),", text, re.DOTALL)
                number[name] = int(found.group(1)) if found else 0
            size[sample.stem] = number
            if not options.check or is_small(number) or is_small_coupled(number) and (sample.stem in QUICK or "CONESWEEP_ALL" in os.environ):
                samples.append(sample)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            waiting = {(sample.stem, arch): pool.submit(measure, sample, arch, options, nvdisasm, folder) for sample in samples for arch in archs}
            facts = {key: future.result() for key, future in waiting.items()}

    def each(name, what):
        values = [facts[name, arch].get(what) for arch in archs]
        return "–" if values[0] is None else str(values[0]) if len(set(values)) == 1 else " / ".join(map(str, values))

    print(f"| sample ({options.precision}; sm_{' / '.join(archs)}) | coordinates, contacts, firm rows, resistances, lags | registers | spills, bytes | stack, bytes | instructions of the step loop | of them arithmetic | loads, stores |")
    print("|---|---|---|---|---|---|---|---|")
    broken = []
    for sample in samples:
        name, number = sample.stem, size[sample.stem]
        memory = "–" if not nvdisasm else each(name, "loads") + ", " + each(name, "stores")
        print(f"| {name} | {number['dimension']}, {number['contacts']}, {number['firm']}, {number['resistances']}, {number['lags']} | {each(name, 'registers')} | {each(name, 'spills')} | {each(name, 'stack')} | "
              f"{each(name, 'instructions')} | {each(name, 'floating')} | {memory} |")
        for arch in archs:
            fact = facts[name, arch]
            if is_small(number) and (fact["spills"] or fact["stack"] or fact.get("local", 0)):
                broken.append(f"{name} on sm_{arch} leaves the registers: {fact}")
            if is_small_coupled(number) and fact["spills"]:
                broken.append(f"{name} on sm_{arch} spills: {fact}")
            if has_solver(number) and len(fact["called"]) < len(SOLVER):
                broken.append(f"{name} on sm_{arch}: of the solver only {fact['called']} are functions of their own")
    for line in broken:
        print(f"gpu_budget: {line}", file=sys.stderr)
    return 1 if options.check and broken else 0


if __name__ == "__main__":
    sys.exit(main())
