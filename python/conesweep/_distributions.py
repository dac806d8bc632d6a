"""How a parameter differs between members, by the names of the scenario file."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Distribution:
    kind: str  # "uniform"
    numbers: tuple[float, ...] = ()
    source: str = ""  # of a table: "file.csv:column"

    def entry(self) -> dict[str, list[float] | str]:
        """As the file has it: { uniform = [0.1, 0.6] }."""
        return {self.kind: self.source or list(self.numbers)}


def _make(kind: str, *numbers: float) -> Distribution:
    return Distribution(kind, tuple(float(number) for number in numbers))


def uniform(lower: float, upper: float) -> Distribution:
    return _make("uniform", lower, upper)


def normal(mean: float, deviation: float) -> Distribution:
    return _make("normal", mean, deviation)


def lognormal(mean: float, deviation: float) -> Distribution:
    """Mean and deviation are those of the logarithm."""
    return _make("lognormal", mean, deviation)


def loguniform(lower: float, upper: float) -> Distribution:
    return _make("loguniform", lower, upper)


def triangular(lower: float, mode: float, upper: float) -> Distribution:
    return _make("triangular", lower, mode, upper)


def truncated_normal(mean: float, deviation: float, lower: float, upper: float) -> Distribution:
    return _make("truncated_normal", mean, deviation, lower, upper)


def choice(values: Iterable[float]) -> Distribution:
    return _make("choice", *values)


def table(source: str) -> Distribution:
    """A column of a CSV file, "file.csv:column", found relative to the scenario; member k has row k."""
    return Distribution("table", source=source)
