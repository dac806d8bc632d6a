"""Pages that show commands and what they print: reads them, runs the commands, compares.

Blocks in ``` fences are taken from top to bottom, in a scratch folder of the page that has the project's samples, `include/`, `build/`, `run.sh` and `test.sh`:

    ```sh, ```python      is run, and must end with exit code 0
    ```text, ```json      is what the sh or python block above it printed, on both streams
    ```toml               must be valid; ```cmake and ```cpp must be one of the files below

Comments just above a block, which readers of the page do not see, say what differs:

    <!-- output of: COMMANDS -->     these made the output, not the block above
    <!-- through: FILTER -->         what this filter leaves of the output is shown
    <!-- exit code: N -->            the commands end with N
    <!-- file: NAME -->              the block is this file, for the commands below it
    <!-- line of: NAME -->           the block is a line of a file above, and replaces the line that is the same up to its =
    <!-- part of: NAME -->           every key that a TOML or JSON block shows has its value in this file, which the output of … may leave; "…" is what is left out
    <!-- messages of: COMMANDS -->   above a table: its rows begin with messages, and one command a row prints them; … stands for what is left out
    <!-- not run: REASON -->         neither run nor compared
    <!-- devices: N -->              in the page's first lines: it is run on N emulated devices, and not at all where the emulation was not built

What depends on the machine is not compared (MASKS). Every output comes from a command, or says why not.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

NOTE = re.compile(r"<!-- (devices|output of|through|exit code|file|line of|part of|messages of|not run):\s*(.*?)\s*-->", re.S)

DEVICES = re.compile(r"^<!-- devices: (\d+) -->$", re.M)

# what depends on the machine: pattern, and what is compared in its place
MASKS = [
    (r"^ *\d+ %  .* left\n", ""),                                  # progress, every ten seconds
    (r"^compiling the model … .*\n", ""),                          # the same, where a compiler has to share its core
    (r"^executor: .*", "executor: …"),                             # backend, why, device, threads
    (r"\S+ member·steps/s", "… member·steps/s"),                   # rates
    (r"\b[\d.]+(e[+-]\d+)? (s|min|h)(?=$|[ ,;)])", "… s"),         # times
    (r"\b[\d.]+ (bytes|kB|MB|GB|TB)\b", "… MB"),                   # memory and disk
    (r"^  (built with|CPU|CUDA driver|NVRTC|cache|g\+\+|clang\+\+|nvcc|gnuplot) .*", r"  \1 …"),  # what `info` finds
    (r"^(selftest \w+): .*; (\d+ parts)", r"\1: …; \2"),        # versions and device in the verdict
    (r"(cpu|cuda|reference) \([^()]*(\([^()]*\)[^()]*)*\) against (cpu|cuda|reference) .*", r"\1 against \3"),
    (r"(?<=\S) {2,}", " "),                                        # a column is as wide as its widest number
]
FAILED = object()                                                  # stands for the output of commands that failed
MACHINE_KEYS = {"backend", "device", "threads", "timing"}            # the same in JSON


def masked(text):
    for pattern, instead in MASKS:
        text = re.sub(pattern, instead, text, flags=re.M)
    return text


class Block:
    """A fenced block, or a table of messages, with the notes above it."""

    def __init__(self, kind, line, notes):
        self.kind, self.line, self.notes = kind, line, notes  # line: its first one in the page, from 0
        self.lines = []

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


def read_blocks(lines):
    """All blocks of a page. A note belongs to the block below it, with nothing but blank lines and other notes between."""
    blocks, notes, comment, block = [], {}, None, None
    for number, line in enumerate(lines):
        if block and block.kind != "table":
            if line == "```":
                block = None
            else:
                block.lines.append(line)
        elif comment is not None or line.startswith("<!--"):
            comment = line if comment is None else comment + "\n" + line
            if line.endswith("-->"):
                note = NOTE.fullmatch(comment)
                if not note:
                    raise ValueError(f"line {number + 1}: this comment means nothing to the pages' test: {comment}")
                notes[note[1]] = note[2]
                comment = None
        elif line.startswith("```") or line.startswith("|") and "messages of" in notes:
            block = Block(line[3:] if line[0] == "`" else "table", number + (line[0] == "`"), notes)
            if block.kind == "table":
                block.lines.append(line)
            blocks.append(block)
            notes = {}
        elif block and line.startswith("|"):
            block.lines.append(line)
        elif line.strip():
            notes, block = {}, None
    return blocks


class Page:
    """One page: `problems` after `run()`, and `lines` as they should be."""

    def __init__(self, path, name, program, source, build, emulator=""):
        self.path, self.name, self.program, self.source, self.build, self.emulator = path, name, program, source, build, emulator
        self.lines = path.read_text().splitlines()
        self.devices = DEVICES.search("\n".join(self.lines[:5]))
        self.problems = []
        self.not_run = []
        self.compared = 0

    def complain(self, block, text):
        self.problems.append(f"{self.name}:{block.line + 1}: {text}")

    def run(self):
        """Runs what the page shows, and compares. Blocks that differ are replaced in `lines`."""
        if self.devices and not self.emulator:
            self.not_run.append(f"{self.name}: it needs the emulation of devices, which was not built")
            return
        try:
            self.follow()
        except (ValueError, subprocess.TimeoutExpired) as error:  # a note, TOML or JSON that cannot be read; a command without end
            self.problems.append(f"{self.name}: {error}")

    def follow(self):
        replaced = []
        with tempfile.TemporaryDirectory(prefix="conesweep-page-") as folder:
            self.folder = pathlib.Path(folder)
            self.furnish()
            printed = None  # by the block above
            for block in read_blocks(self.lines):
                printed, shown = self.visit(block, printed)
                if shown is not None and masked(shown) != masked(block.text):
                    self.complain(block, "the page shows\n" + block.text + "and the program prints\n" + shown)
                    replaced.append((block, shown))
        for block, shown in reversed(replaced):
            self.lines[block.line:block.line + len(block.lines)] = shown.splitlines()

    def furnish(self):
        """A scratch folder with what the pages use of the project's. All but the build and the headers are copies: commands may write here."""
        for name in ["samples", "cmake"]:
            shutil.copytree(self.source / name, self.folder / name)
        shutil.copy(self.source / "test.sh", self.folder)
        (self.folder / "build").symlink_to(self.build)
        (self.folder / "include").symlink_to(self.source / "include")
        self.script("run.sh", 'if [ $# -eq 0 ]; then set -- run samples/slider.toml --force --report; fi; exec "$CONESWEEP_PROGRAM" "$@"')  # without building
        (self.folder / ".bin").mkdir()
        self.script(".bin/conesweep", 'exec "$CONESWEEP_PROGRAM" "$@"')
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.environment = {**os.environ, "HOME": str(self.folder / ".home"), "XDG_CACHE_HOME": str(cache), "LC_ALL": "C.UTF-8",
                            "CONESWEEP_PROGRAM": str(self.program), "PATH": f"{self.folder / '.bin'}:{os.environ['PATH']}"}
        if self.devices:
            self.environment.update(LD_LIBRARY_PATH=self.emulator, PTXRUN_DEVICES=self.devices[1])
        (self.folder / ".home").mkdir()

    def script(self, name, text):
        (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.folder / name).chmod(0o755)

    def visit(self, block, printed):
        """What there is for the block below to show, and what this one should show (None: nothing to compare)."""
        kind, notes = block.kind, block.notes
        if "not run" in notes:
            self.not_run.append(f"{self.name}:{block.line + 1}: {notes['not run']}")
        elif "file" in notes:
            (self.folder / notes["file"]).write_text(block.text)
        elif "line of" in notes:
            self.change_line(block, notes["line of"])
        elif "part of" in notes:
            return None, self.shown_part(block, notes["part of"])
        elif "messages of" in notes:
            self.compare_messages(block, notes["messages of"].splitlines())
        elif kind == "sh":
            return self.execute(block, ["bash", "-e", "-c", block.text]), None
        elif kind == "python":
            return self.execute(block, [sys.executable, "-c", block.text]), None
        elif kind in {"text", "json", ""}:
            return None, self.shown_output(block, printed)
        elif kind == "toml":
            try:
                tomllib.loads(block.text)
            except tomllib.TOMLDecodeError as error:
                self.complain(block, f"not valid TOML: {error}")
        else:
            self.complain(block, f"a block of {kind} needs <!-- file: NAME --> or <!-- not run: REASON --> above it")
        return None, None

    def execute(self, block, command, **how):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, **how)
        printed, wanted = done.stdout.decode(), int(block.notes.get("exit code", 0))
        if done.returncode != wanted:
            self.complain(block, f"ends with exit code {done.returncode} and not {wanted}\n{command[-1]}\n{printed}")
            return FAILED
        return printed

    def shown_output(self, block, printed):
        if "output of" in block.notes:
            printed = self.execute(block, ["bash", "-e", "-c", block.notes["output of"]])
        if printed is FAILED:
            return None
        if printed is None:
            self.complain(block, "no command above makes this output; say <!-- output of: COMMAND --> or <!-- not run: REASON --> above it")
            return None
        self.compared += 1
        if "through" in block.notes:
            filtered = subprocess.run(["bash", "-c", block.notes["through"]], input=printed.encode(), capture_output=True, timeout=60)
            printed = filtered.stdout.decode()
        return printed

    def change_line(self, block, name):
        key = block.text.split("=")[0] + "="
        text, count = re.subn(rf"^{re.escape(key)}.*\n", lambda _: block.text, (self.folder / name).read_text(), flags=re.M)
        (self.folder / name).write_text(text)
        if count != 1:
            self.complain(block, f"{name} has {count} lines that begin with {key}")

    def shown_part(self, block, name):
        """The block with the values of the file in place of its own."""
        if "output of" in block.notes:
            self.execute(block, ["bash", "-e", "-c", block.notes["output of"]])
        if not (self.folder / name).exists():
            self.complain(block, f"{name} is not there")
            return None
        self.compared += 1
        read = tomllib.loads if block.kind == "toml" else json.loads
        shown, whole = read(block.text), read((self.folder / name).read_text())
        part = take_part(shown, whole)
        if part == shown:
            return None
        if block.kind == "json":
            return write_json(part) + "\n"
        self.complain(block, f"{name} has other values:\n{json.dumps(part, indent=1)}")  # its layout is the writer's
        return None

    def compare_messages(self, block, commands):
        rows = [re.match(r"\| `(.*?)` \|", line.replace("\\|", "¦")) for line in block.lines[2:]]
        if len(rows) != len(commands) or not all(rows):
            self.complain(block, f"{len(rows)} rows, each of which should begin with a message, and {len(commands)} commands")
            return
        for row, command in zip(rows, commands):
            self.compared += 1
            printed = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600).stdout.decode()
            message = row[1].replace("¦", "|")
            if not re.search(".*".join(map(re.escape, message.split("…"))), printed):
                self.complain(block, f"the page has the message\n{message}\nand the program prints\n{printed}")


def take_part(shown, whole):
    """What `whole` has in the places that `shown` shows; "…" and what depends on the machine stay."""
    if shown == "…":
        return shown
    if isinstance(shown, dict) and isinstance(whole, dict):
        return {key: value if key in MACHINE_KEYS or key == "…" else take_part(value, whole[key]) for key, value in shown.items() if key in whole or key == "…"}
    if isinstance(shown, list) and isinstance(whole, list):
        kept = len(shown) if "…" not in shown else shown.index("…")
        return [take_part(one, other) for one, other in zip(shown, whole[:kept])] + (whole[len(shown):] if kept == len(shown) else ["…"])
    return whole


def write_json(value, indent="", width=160):
    """Objects that fit on a line are on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict) or len(indent + flat) <= width:
        return flat
    inner = ",\n".join(f'{indent}  {json.dumps(key)}: {write_json(one, indent + "  ", width)}' for key, one in value.items())
    return "{\n" + inner + "\n" + indent + "}"


def page_files(source):
    return sorted([*source.glob("*.md"), *source.glob("samples/**/*.md"), *source.glob("docs/**/*.md"), *source.glob("bench/*.md")])
