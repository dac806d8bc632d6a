"""Keeps the arrows between the rooms straight (CONTRIBUTING.md, "Where does a line of code belong?").

    python3 arrows.py SOURCE

Which room may include which stands in docs/architecture.md, in the two tables whose last column is "may include": one for host/, one for
include/conesweep. They go from the bottom up: a room may include rooms above it in its table only. Every folder must stand there, and there must be no
cycle among the includes as they are. A room may be a folder inside another one, or a single header: the longest name counts.

Beside the tables: headers of include/ see no host, no kernels and no standard library (those beside the folders, the public interface, are host text), but for the one
text on Thrust; what host/ sees of include/ is math, statistics and the list of statuses, and what the executors need; host and kernels meet in headers of the executors only;
.cpp files see no CUDA header; nothing includes tests, bench or samples. The reference executor shares no numeric text with the others.
"""
import pathlib
import re
import sys

ON_THRUST = {"include/conesweep/statistics/thrust_columns.hpp", "host/statistics/cpu_engine.cpp"}  # the text on Thrust and its unit for the CPU
FOR_ALL = {"math", "statistics", "state/status.hpp"}  # rooms of include/ that any room of host/ may use; the others are the executors'
ON_CLI11 = {"host/app/command_line.cpp", "host/app/completion.cpp", "host/app/flags.cpp"}  # commands declare flags by app/flags.hpp
ON_BOTH_SIDES = {"wave.hpp"}  # of kernels/: host text and device text
CUDA = re.compile(r"^(cuda|nvrtc|thrust/|cub/|device_launch)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
ENDINGS = {".cpp", ".hpp", ".cu", ".cuh"}


def includes(path):
    return [(match[1], match[2]) for match in INCLUDE.finditer(path.read_text(encoding="utf-8"))]


def read_tables(page):
    """The rooms of the tables with a column "may include", in their order: [{room: rooms it may include}]."""
    tables, inside = [], False
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if cells and cells[-1] == "may include":
            tables.append({})
            inside = True
        elif not cells:
            inside = False
        elif inside and not set(line) <= set("|-: "):
            room, may = cells[0].strip("`"), re.sub(r"\([^)]*\)", "", cells[-1]).split(";")[0].strip()
            words = {word.strip().strip("`") for word in may.split(",")}
            tables[-1][room] = set(tables[-1]) if may == "all above" else set() if may == "nothing" else words
    return tables


def room_of(inside, rooms):
    """The room that a path belongs to; None if no table has it."""
    return max((room for room in rooms if inside == room or inside.startswith(room + "/")), key=len, default=None)


def find_cycle(arrows):
    """Rooms that include each other in a circle, the first one again at the end; [] if there are none."""
    done, path = set(), []

    def walk(room):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return []
        path.append(room)
        for other in sorted(arrows.get(room, {})):
            found = walk(other)
            if found:
                return found
        done.add(path.pop())
        return []

    for room in sorted(arrows):
        found = walk(room)
        if found:
            return found
    return []


def check_rooms(root, folder, rooms, inside_of):
    """The includes among the rooms below one folder. inside_of(kind, name): the path below the folder of what is included, or None."""
    problems, arrows, seen = [], {}, set()
    below = list(rooms)
    for room, allowed in rooms.items():
        if not (folder / room).exists():
            problems.append(f"docs/architecture.md has a room {room}, which is not there")
        for other in sorted(allowed - set(below[:below.index(room)])):
            problems.append(f"docs/architecture.md lets {room} include {other}, which is no room above it in the table")
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if path.suffix not in ENDINGS or "/" not in inside:
            continue  # the public interface
        room = room_of(inside, rooms)
        if room is None:
            unknown = path.relative_to(root).parts[:len(folder.relative_to(root).parts) + 1]
            problems += [] if unknown in seen else [f"{'/'.join(unknown)} is a room that docs/architecture.md does not know"]
            seen.add(unknown)
            continue
        for kind, name in includes(path):
            included = inside_of(kind, name)
            other = room_of(included, rooms) if included else None
            if included and other is None and (folder / included).exists() and "/" in included:
                other = included.split("/")[0]
            if other is None or other == room:
                continue
            arrow = f"{path.relative_to(root)} includes {name}"
            arrows.setdefault(room, {}).setdefault(other, arrow)
            if other not in rooms[room]:
                problems.append(f"{arrow}: {room} may include {', '.join(sorted(rooms[room])) or 'no other room'}")
    cycle = find_cycle(arrows)
    if cycle:
        problems.append("a cycle of rooms, " + " -> ".join(cycle) + ": " + "; ".join(arrows[a][b] for a, b in zip(cycle, cycle[1:])))
    return problems


def check_files(root, headers):
    """What the kind of a file and its folder forbid."""
    problems = []

    def report(path, included, why):
        problems.append(f"{path.relative_to(root)} includes {included}: {why}")

    for path in sorted(headers.rglob("*.hpp")):
        if path.parent == headers:
            continue  # the public interface
        for _, name in includes(path):
            if not name.startswith("conesweep/") and not (name.startswith("thrust/") and path.relative_to(root).as_posix() in ON_THRUST):
                report(path, name, "generated code is compiled with no include path but ours")
    for folder in ["host", "kernels", "bench"]:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in ENDINGS:
                continue
            place = path.relative_to(root).as_posix()
            for kind, name in includes(path):
                on_thrust = name.startswith("thrust/") and place in ON_THRUST
                if path.suffix in {".cpp", ".hpp"} and not on_thrust and (CUDA.match(name) or name.endswith(".cuh")):
                    report(path, name, "only .cu and .cuh see CUDA")
                if re.match(r"(\.\./)*(tests|bench|samples)/", name):
                    report(path, name, "nothing includes tests, bench or samples")
                if folder == "host" and re.match(r"(\.\./)*kernels/", name):
                    report(path, name, "host and kernels meet in the executors' headers")
                # kernels/*.cpp implements an executor's header; its .cu and .cuh, and what they share with it, know the shared headers only
                if folder == "kernels" and (path.suffix in {".cu", ".cuh"} or path.name in ON_BOTH_SIDES) and kind == '"' and "/" in name:
                    report(path, name, "device text knows include/ and kernels/ only")
                if name.startswith("CLI/") and place not in ON_CLI11:
                    report(path, name, "commands declare their flags by app/flags.hpp")
                if folder == "kernels" and name.startswith("app/"):
                    report(path, name, "nothing but host/app knows the command line")
                if folder != "host" or not name.startswith("conesweep/"):
                    continue
                if name.count("/") == 1:
                    if not place.startswith(("host/api/", "host/app/")):
                        report(path, name, "the public interface is for users, and what implements it")
                    continue
                if place.startswith("host/executor/reference/"):
                    report(path, name, "the reference executor shares no text with the others")
                elif not place.startswith("host/executor/") and not {name.split("/")[1], name.removeprefix("conesweep/")} & FOR_ALL:
                    report(path, name, "of include/ only " + ", ".join(sorted(FOR_ALL)) + " are for all of host/; the others are the executors'")
    return problems


def check(root):
    tables = read_tables((root / "docs" / "architecture.md").read_text(encoding="utf-8"))
    if len(tables) != 2:
        return [f"docs/architecture.md has {len(tables)} tables with a column \"may include\"; wanted: one for host/, then one for include/conesweep"]
    headers = root / "include" / "conesweep"
    in_host = check_rooms(root, root / "host", tables[0], lambda kind, name: name if kind == '"' and "/" in name else None)
    in_headers = check_rooms(root, headers, tables[1], lambda kind, name: name[len("conesweep/"):] if name.startswith("conesweep/") else None)
    return in_host + in_headers + check_files(root, headers)


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]).resolve())
    for problem in found:
        print(problem)
    print(f"{len(found)} arrows point the wrong way" if found else "all arrows are straight")
    sys.exit(1 if found else 0)
