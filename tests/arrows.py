"""Keeps the arrows between the rooms straight (CONTRIBUTING.md, "Where does a line of code belong?").

    python3 arrows.py SOURCE

math <- law, history <- step <- observe <- ensemble <- {kernels, host}; math <- statistics <- {kernels, host}. step/node.hpp is the
vocabulary that step and observe share: it includes math only, and observe may include it; step/member.hpp then includes observe. Headers of
include/ see no host, no kernels and no standard library (conesweep.hpp, the public interface, is host text), but for the one text on Thrust;
host and kernels meet in headers of the executors only; .cpp files see no CUDA header; nothing includes tests, bench or samples. The reference executor shares no numeric text with the others.
"""
import pathlib
import re
import sys

ROOMS = {  # what each room of include/conesweep may include
    "math": {"math"},
    "law": {"math", "law"},
    "history": {"math", "history"},
    "observe": {"math", "observe", "step/node.hpp"},
    "step": {"math", "law", "history", "observe", "step"},
    "ensemble": {"math", "law", "history", "observe", "step", "ensemble"},
    "statistics": {"math", "statistics"},
}
ALONE = {"step/node.hpp": {"math"}}  # stricter than its room
HOST = {"sensitivity": {"support", "scenario", "sampling", "executor"}}  # rooms of host/ that know few others
ON_THRUST = {"include/conesweep/statistics/thrust_columns.hpp", "host/statistics/cpu_engine.cpp"}  # the text on Thrust and its unit for the CPU
CUDA = re.compile(r"^(cuda|nvrtc|thrust/|cub/|device_launch)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def includes(path):
    return [(match[1], match[2]) for match in INCLUDE.finditer(path.read_text(encoding="utf-8"))]


def check(root):
    problems = []

    def report(path, included, why):
        problems.append(f"{path.relative_to(root)} includes {included}: {why}")

    headers = root / "include" / "conesweep"
    for path in sorted(headers.rglob("*.hpp")):
        inside = path.relative_to(headers).as_posix()
        if "/" not in inside:
            continue  # the public interface
        room = inside.split("/")[0]
        if room not in ROOMS:
            problems.append(f"include/conesweep/{room} is a room that tests/arrows.py does not know")
            continue
        allowed = ALONE.get(inside, ROOMS[room])
        for _, name in includes(path):
            if name.startswith("thrust/") and path.relative_to(root).as_posix() in ON_THRUST:
                continue
            if not name.startswith("conesweep/"):
                report(path, name, "generated code is compiled with no include path but ours")
            else:
                other = name[len("conesweep/"):]
                if other not in allowed and other.split("/")[0] not in allowed:
                    report(path, name, f"{room} may include {', '.join(sorted(allowed))}")
    for folder in ["host", "kernels", "bench"]:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".cpp", ".hpp", ".cu", ".cuh"}:
                continue
            for kind, name in includes(path):
                on_thrust = name.startswith("thrust/") and path.relative_to(root).as_posix() in ON_THRUST
                if path.suffix in {".cpp", ".hpp"} and not on_thrust and (CUDA.match(name) or name.endswith(".cuh")):
                    report(path, name, "only .cu and .cuh see CUDA")
                if re.match(r"(\.\./)*(tests|bench|samples)/", name):
                    report(path, name, "nothing includes tests, bench or samples")
                if folder == "host" and re.match(r"(\.\./)*kernels/", name):
                    report(path, name, "host and kernels meet in the executors' headers")
                if "executor/reference" in path.as_posix() and name.startswith("conesweep/"):
                    report(path, name, "the reference executor shares no text with the others")
                # kernels/*.cpp implements an executor's header; its .cu and .cuh know the shared headers only
                if folder == "kernels" and path.suffix in {".cu", ".cuh"} and kind == '"' and "/" in name:
                    report(path, name, "device text knows include/ and kernels/ only")
    for path in sorted((root / "host").rglob("*.?pp")):
        room = path.relative_to(root / "host").parts[0]
        for kind, name in includes(path):
            if kind == '"' and name.startswith("app/") and room != "app":
                report(path, name, "nothing but host/app knows the command line")
            if kind == '"' and room in HOST and "/" in name and name.split("/")[0] not in HOST[room] | {room}:
                report(path, name, f"{room} may include {', '.join(sorted(HOST[room]))}")
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]).resolve())
    for problem in found:
        print(problem)
    print(f"{len(found)} arrows point the wrong way" if found else "all arrows are straight")
    sys.exit(1 if found else 0)
