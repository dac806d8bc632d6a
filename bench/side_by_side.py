"""What benches share that run programs in turn: a program's runs in processor time, its answers, and how far answers differ."""
import csv
import math
import pathlib
import resource
import subprocess
import sys


class Program:
    """A conesweep, with a folder for what it leaves."""

    def __init__(self, path, folder):
        self.path, self.folder, self.least = str(pathlib.Path(path).resolve()), pathlib.Path(folder), {}

    def call(self, *words):
        """What it printed."""
        return subprocess.run([self.path, *map(str, words)], capture_output=True, text=True)

    def run(self, scenario, members):
        """A run's seconds of the processor, on one core."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = self.call("run", scenario, "--members", members, "--backend", "cpu", "--threads", 1, "--no-step-check", "--force", "--json", "--out", self.folder / "run")
        if not done.stdout.startswith("{"):
            sys.exit(f"{scenario}: {done.stderr}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def rate(self, scenario, members, steps):
        """Member·steps a second so far, after one more round: of the difference between the shortest run of all members and the shortest of a quarter of them, so that reading, loading
        and writing do not count."""
        for share in (members, members // 4):
            self.least[scenario, share] = min(self.least.get((scenario, share), math.inf), self.run(scenario, share))
        took = self.least[scenario, members] - self.least[scenario, members // 4]
        return (members - members // 4) * steps / took if took > 0 else math.nan

    def rate_of_steps(self, scenario, shorter, members, steps):
        """The same of the difference between two scenarios, of which the shorter one has so many steps less: what is done once a member, as the statistics of its observables, does not count."""
        for one in (scenario, shorter):
            self.least[one, members] = min(self.least.get((one, members), math.inf), self.run(one, members))
        took = self.least[scenario, members] - self.least[shorter, members]
        return members * steps / took if took > 0 else math.nan

    def answer(self, scenario, members):
        """Parameters and observables, a dictionary of texts a member."""
        table = self.folder / "run.csv"
        self.run(scenario, members)
        subprocess.run([self.path, "export", str(self.folder / "run"), "--csv", "--out", str(table), "--force"], check=True, capture_output=True)
        with open(table, newline="") as file:
            return list(csv.DictReader(file))


def differ(ours, theirs):
    """The largest difference, of 1 + |value|, over rows and columns that both have; NaN counts as infinite."""
    worst = 0.0
    for a, b in zip(ours, theirs):
        for x, y in zip(a, b):
            off = abs(x - y) / (1 + abs(x))
            worst = max(worst, math.inf if math.isnan(off) else off)
    return worst
