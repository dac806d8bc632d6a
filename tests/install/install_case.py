"""What the tests of ways to install share: Python environments, bare Debians, and the file Dockerfile."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / "support"), str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools")]
import make_wheels
import unittest_main

OPTIONS = argparse.Namespace()
LONG = "builds everything anew: with CONESWEEP_ALL"


def is_long(test):
    """For what takes minutes."""
    return unittest.skipUnless(os.environ.get("CONESWEEP_ALL"), LONG)(test)


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="conesweep-install-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_words(self, *words, code=0, cwd=None, **variables):
        """What a command prints, both ways."""
        words = list(map(str, words))
        done = subprocess.run(words, cwd=cwd or self.folder, env=dict(os.environ, **variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, code, f"{' '.join(words)}\n{done.stdout}")
        return done.stdout

    def try_bare(self, *commands, brought=None):
        """Runs commands as root on one bare Debian 12, in a copy of HEAD; `brought` is /brought there. What it fetches and compiles is kept."""
        bare = OPTIONS.source / ".ci/bare"
        if not (OPTIONS.source / ".git").exists():
            self.skipTest("a bare system gets a copy of HEAD, and this is no git clone")
        can = subprocess.run([bare, "--can"], stdout=subprocess.PIPE, text=True)
        if can.returncode != 0:
            self.skipTest(f"no bare Debian here: {can.stdout.strip()}")
        options = ["--kept", OPTIONS.build / "bare-kept", *(["--brought", brought] if brought else [])]
        return self.run_words(bare, *options, *commands, cwd=OPTIONS.source, BARE_LINES="2000")

    def results(self, hashes):
        """Of published hashes, or of those that a program prints: what does not hang on the C library's quantiles."""
        return [[word for k, word in enumerate(line.split()) if k != 1] for line in hashes.splitlines() if re.match("[0-9a-f]{16} ", line)]

    def published(self):
        return self.results((OPTIONS.source / "samples/hashes.txt").read_text())


def list_stages(dockerfile):
    """{stage: (what it begins with, [(instruction, its words)])}, in order."""
    text = re.sub(r"(?m)^#.*\n", "", dockerfile).replace("\\\n", " ")
    stages, name = {}, None
    for line in filter(None, map(str.strip, text.splitlines())):
        instruction, words = line.split(None, 1)
        if instruction == "FROM":
            base, _, name = words.split()
            stages[name] = (base, [])
        else:
            stages[name][1].append((instruction, words))
    return stages


def as_shell(stages, name, context):
    """A stage as a script of a shell that is root in a system of its own, where `context` is what docker would be sent. What stages copy from each other lies in /brought."""
    base, instructions = stages[name]
    lines = as_shell(stages, base, context) if base in stages else ["set -euo pipefail", "cd /"]
    user = ""
    for instruction, words in instructions:
        if instruction == "RUN":
            lines.append(f"({words})")
        elif instruction == "COPY":
            *sources, target = [word for word in words.split() if not word.startswith("--")]
            came = re.search(r"--from=(\w+)", words)
            root = f"/brought/{came[1]}" if came else context + "/"
            lines.append(f'mkdir -p "{target if target.endswith(("/", ".")) else os.path.dirname(target) or "."}"')
            lines.append(f"cp -ax {' '.join(root + source + ('/.' if source == '.' else '') for source in sources)} {target}")
        elif instruction == "WORKDIR":
            lines.append(f"mkdir -p {words} && cd {words}")
        elif instruction in ("ARG", "ENV"):
            lines.append(f"export {words}")
        elif instruction == "USER":
            user = words
        elif instruction == "ENTRYPOINT":
            lines.append(f"entry=({' '.join(json.loads(words))})")
        elif instruction not in ("SHELL", "CMD"):
            raise ValueError(f"the Dockerfile's {instruction} is not known here")
    if user:
        lines.append(f"user={user}")
    for other, (_, theirs) in stages.items():   # what others take from here
        for instruction, words in theirs:
            if instruction == "COPY" and f"--from={name} " in words:
                path = words.split()[1]
                lines.append(f'mkdir -p "/brought/{name}{os.path.dirname(path)}" && cp -ax {path} "/brought/{name}{os.path.dirname(path)}/"')
    return lines


def main():
    parser = argparse.ArgumentParser()
    for name in ("--program", "--source", "--build"):
        parser.add_argument(name, type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--emulator", default="")
    _, rest = parser.parse_known_args(namespace=OPTIONS)
    unittest_main.main(rest)
