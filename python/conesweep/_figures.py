"""Figures of finished runs, as the program draws them."""
from __future__ import annotations

import base64
import html
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._listening import logger

if TYPE_CHECKING:
    from ._run import Run


class Axis(NamedTuple):
    label: str  # empty: it has none
    least: float
    most: float
    logarithmic: bool
    names: tuple[str, ...]  # instead of numbers: at 0, 1, … from the left or from the top


class Mark(NamedTuple):
    join: str  # how its points are joined: dots, line (interrupted by NaN), area, boxes (between two corners)
    style: str  # classes of the style sheet in the SVG
    width: float  # of dots and lines, where the SVG is 400 wide; 0: as the style says
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]


class Content(NamedTuple):
    """What a figure is made of, in units of its axes."""

    height: float  # where it is 400 wide
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]  # the later ones over the earlier ones
    names: tuple[tuple[str, str], ...]  # of a legend: style, words; without a style words alone
    colours: Axis  # of values, by the styles f0 … or g0 …


@dataclass(frozen=True)
class Figure:
    """One figure; notebooks show it."""

    title: str
    note: str
    svg: str = field(repr=False)
    csv: str = field(repr=False)  # its numbers
    content: Content = field(repr=False, compare=False)

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """As SVG, or its numbers as CSV: the ending says which."""
        ending = Path(path).suffix
        if ending not in (".svg", ".csv"):
            raise ValueError(f"a figure is saved as .svg or .csv, not as {ending or 'a file without ending'}")
        Path(path).write_text(self.csv if ending == ".csv" else self.svg, encoding="utf-8")

    def matplotlib(self, axes: Any = None) -> Any:
        """The same on matplotlib's axes, new ones unless some are given, to be changed and saved as they are."""
        from ._matplotlib import draw_on

        return draw_on(self.content, self.svg, axes)

    @property
    def table(self) -> Any:
        """Its numbers as a DataFrame."""
        import io

        import pandas

        return pandas.read_csv(io.StringIO(self.csv), comment="#")


class Figures(tuple[Figure, ...]):
    """All figures of a panel."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return self[0].svg if len(self) == 1 else None

    def _repr_html_(self) -> str | None:
        return None if len(self) == 1 else show(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Of several, all but the first have a number in their names."""
        for number, figure in enumerate(self, start=1):
            place = Path(path)
            figure.save(place if number == 1 else place.with_stem(f"{place.stem}-{number}"))

    def matplotlib(self, axes: Any = None) -> Any:
        """On matplotlib's axes; of several figures a list, each on axes of its own."""
        if len(self) == 1:
            return self[0].matplotlib(axes)
        return [figure.matplotlib(one) for figure, one in zip(self, [None] * len(self) if axes is None else np.ravel(axes))]


def show(figures: Iterable[Figure]) -> str:
    """As HTML, each an image by itself: styles and names of drawings in one page would mix."""
    images = (
        f'<img alt="{html.escape(figure.title)}" src="data:image/svg+xml;base64,{base64.b64encode(figure.svg.encode()).decode()}">' for figure in figures
    )
    return f'<div style="display: flex; flex-wrap: wrap">{"".join(images)}</div>'


def draw(folder: Path, panel: str, x: str, y: str, color: str, width: float) -> Figures:
    return Figures(_make_figure(*one) for one in _core.draw(str(folder), panel, x, y, color, width))


def _make_figure(title: str, note: str, svg: str, csv: str, content: _core._Figure) -> Figure:
    height, across, up, marks, names, colours = content
    return Figure(title, note, svg, csv, Content(height, Axis(*across), Axis(*up), tuple(Mark(*mark) for mark in marks), names, Axis(*colours)))


def panels() -> dict[str, str]:
    """Kinds of figures by name, each with what it shows."""
    return dict(_core.panels())


def write_report(runs: Sequence[Run] | Iterable[Run | str | os.PathLike[str]], path: str | os.PathLike[str], *, force: bool = False) -> None:
    """One HTML page of some runs, which needs no network and no other file."""
    folders = [str(getattr(run, "folder", run)) for run in runs]
    for sentence in _core.write_report(folders, os.fspath(path), force):
        logger.warning(sentence)
