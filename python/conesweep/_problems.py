"""What is wrong with a scenario, or worth knowing of it."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    severity: str  # "error", "warning" or "note"
    file: str  # the scenario's name, or the setting that came beside it: "step"
    line: int  # from 1; 0: the file as a whole, or a setting
    column: int  # from 1, in characters
    length: int  # characters that it is about
    excerpt: str  # the line as it is written
    text: str  # what is wrong
    hint: str  # "did you mean 'alpha'?"; mostly empty
    words: str  # all of it for people, with a caret under what it is about

    def __str__(self) -> str:
        return self.words


class Problems(tuple[Problem, ...]):
    """Some of them; shown as sentences."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(one.words for one in self) or "nothing to say"


class InputError(ValueError):
    """A scenario that cannot be run, or options that cannot be followed: its text has every problem with its place."""

    def __init__(self, text: str, problems: list[Problem] | None = None) -> None:
        super().__init__(text)
        self.problems = Problems(problems or ())

    def __reduce__(self) -> tuple[type[InputError], tuple[str, list[Problem]]]:
        return type(self), (str(self), list(self.problems))
