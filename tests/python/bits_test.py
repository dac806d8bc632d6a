"""The same bits as the program, from every sample: beside the program, and by the published hashes.

    PYTHONPATH=build/python python3 bits_test.py --program build/bin/conesweep --source SOURCE [CLASS]
"""
from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from typing import Any

from python_case import OPTIONS, Case, cs, main, np

QUICK_SAMPLES = ["bouncing_ball", "counterexample_1", "ladder", "piston", "slider"]
WORD = 2**64 - 1


def checksum(data: Any, before: int = 0xCBF29CE484222325) -> int:
    """Of some bytes, as support/hash.hpp describes it: eight at a time, how many they are before them, what is left over after them."""
    text = np.ascontiguousarray(data).tobytes()
    words = [len(text), *np.frombuffer(text + bytes(8 - len(text) % 8), "<u8").tolist()]
    for word in words:
        before = ((before ^ word) * 0x9E3779B97F4A7C15) & WORD
        before ^= before >> 32
    return before


def checksum_numbers(columns: Iterable[Any], before: int = 0xCBF29CE484222325) -> int:
    for column in columns:
        before = checksum(np.where(np.isnan(column), np.nan, column), before)  # a NaN has many bits
    return before


class Bits(Case):
    """What the program leaves and what Python gives are the same numbers."""

    def compare(self, name: str) -> None:
        out = self.folder / name
        members = None if 'sampler = "grid"' in self.sample(name).text else 12  # of a grid they are what its levels make
        command = [OPTIONS.program, "run", OPTIONS.source / f"samples/{name}.toml", *(["--members", members] if members else []),
                   "--backend", "cpu", "--no-step-check", "--quiet", "--out", out]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)  # 1: members stopped
        of_program = cs.open(out)
        study = self.sample(name, **({"members": members} if members else {}))
        ours = study.run(backend="cpu", step_check=False)
        self.assertEqual(ours.observables, of_program.observables)
        for column in [*ours.parameters, *ours.observables, "status", "stop_time", "flags", "class"]:
            self.assert_same_bits(ours[column], of_program[column], f"{column} of {name}")
        for track, numbers in ours.trajectories.items():
            self.assert_same_bits(numbers, of_program.trajectories[track], f"{track} of {name}")

    def test_are_the_programs(self) -> None:
        every = sorted(path.stem for path in (OPTIONS.source / "samples").glob("*.toml"))
        samples = every if os.environ.get("CONESWEEP_ALL") else QUICK_SAMPLES
        for name in samples:
            with self.subTest(name):
                self.compare(name)


class PublishedBits(Case):
    """samples/hashes.txt, which selftest compares with: here from what a run and evaluate give."""

    def given(self, study: cs.Scenario, drawn: Any) -> cs.Scenario:
        """The scenario with these members, in the order of its varied parameters."""
        tables: dict[str, Any] = {}
        for number, name in enumerate(study.varied):
            file = self.folder / f"{study.title}.{number}.csv".replace(":", "").replace("/", "")
            file.write_text("\n".join([name, *map(repr, drawn[:, number].tolist())]) + "\n")
            tables[name] = cs.table(f"{file}:{name}")
        changes: dict[str, Any] = {"ensemble.sampler": "random", "ensemble.members": len(drawn), "vary": tables}
        erased = {"sweep": "\n[sweep", "correlation": "\n[correlation", "ensemble.levels": "\nlevels ="}
        given = study.with_({**changes, **{key: None for key, words in erased.items() if words in study.text}})
        self.assertEqual(given.varied, study.varied)
        return given

    def test_are_found(self) -> None:
        published = [line.split() for line in (OPTIONS.source / "samples/hashes.txt").read_text().splitlines() if not line.startswith("#")]
        samples = sorted(path.stem for path in (OPTIONS.source / "samples").glob("*.toml"))
        self.assertEqual(sorted(line[2] for line in published), samples)
        for results, parameters, name, members, _ in published:
            with self.subTest(name):
                study = self.sample(name)
                drawn = study.draw()[np.arange(int(members)) * study.members // int(members)]
                self.assertEqual(f"{checksum_numbers(drawn.T):016x}", parameters)
                rounded = drawn.astype(np.float32).astype(float)
                study = self.given(study, rounded)
                run = study.run(backend="cpu", step_check=False)
                self.assertEqual(f"{self.hash_run(run):016x}", results)
                values = study.evaluate(rounded, backend="cpu")
                self.assert_same_bits(values.status, run["status"], f"evaluated statuses of {name}")
                for observable in values.names:
                    self.assert_same_bits(values[observable], run[observable], f"{observable} of {name}, evaluated")

    def hash_run(self, run: cs.Run) -> int:
        tracks = dict(run.trajectories)
        mode = tracks.pop("mode", np.empty(0, np.uint8))
        tracks.pop("time", None)
        found = checksum_numbers(run[name] for name in run.parameters)
        found = checksum(run["status"], found)
        found = checksum_numbers([run["stop_time"], *(run[name] for name in run.observables), *tracks.values()], found)
        return checksum(mode, found)


if __name__ == "__main__":
    main()
