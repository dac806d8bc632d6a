"""Figures of finished runs, as the program draws them."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._listening import logger

if TYPE_CHECKING:
    from ._run import Run


@dataclass(frozen=True)
class Figure:
    """One figure; notebooks show it."""

    title: str
    note: str
    svg: str = field(repr=False)
    csv: str = field(repr=False)  # its numbers

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """As SVG, or its numbers as CSV: the ending says which."""
        ending = Path(path).suffix
        if ending not in (".svg", ".csv"):
            raise ValueError(f"a figure is saved as .svg or .csv, not as {ending or 'a file without ending'}")
        Path(path).write_text(self.csv if ending == ".csv" else self.svg, encoding="utf-8")

    @property
    def table(self) -> Any:
        """Its numbers as a DataFrame."""
        import io

        import pandas

        return pandas.read_csv(io.StringIO(self.csv), comment="#")


class Figures(tuple[Figure, ...]):
    """All figures of a panel."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return "\n".join(figure.svg for figure in self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Of several, all but the first have a number in their names."""
        for number, figure in enumerate(self, start=1):
            place = Path(path)
            figure.save(place if number == 1 else place.with_stem(f"{place.stem}-{number}"))


def draw(folder: Path, panel: str, x: str, y: str, color: str, width: float) -> Figures:
    return Figures(Figure(*one) for one in _core.draw(str(folder), panel, x, y, color, width))


def panels() -> dict[str, str]:
    """Kinds of figures by name, each with what it shows."""
    return dict(_core.panels())


def write_report(runs: Sequence[Run] | Iterable[Run | str | os.PathLike[str]], path: str | os.PathLike[str], *, force: bool = False) -> None:
    """One HTML page of some runs, which needs no network and no other file."""
    folders = [str(getattr(run, "folder", run)) for run in runs]
    for sentence in _core.write_report(folders, os.fspath(path), force):
        logger.warning(sentence)
