"""Figures on matplotlib's axes: the same marks, in the looks of the figure's own style sheet."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._figures import Axis, Content, Mark

WIDE = 400  # a drawing, in pixels; one of them is a point here
Look = Mapping[str, str]  # "stroke": "#0072b2"


class _Styles:
    """The style sheet of a drawing: what classes look like."""

    def __init__(self, svg: str) -> None:
        sheet = re.search("<style>(.*?)</style>", svg, re.S)
        rules = re.findall(r"\.(\w+)\{(.*?)\}", sheet[1] if sheet else "")
        self._rules = {name: dict(entry.split(":", 1) for entry in body.split(";") if entry) for name, body in rules}

    def look_of(self, style: str) -> Look:
        """Of several classes, where two say something the later rule holds."""
        classes = style.split()
        return {key: value for name, rule in self._rules.items() if name in classes for key, value in rule.items()}

    def field(self) -> list[str]:
        """The colours of values, from low to high."""
        steps = [name for name in self._rules if re.fullmatch(r"f\d+", name)]
        return [self._rules[name]["fill"] for name in sorted(steps, key=lambda name: int(name[1:]))]


def draw_on(content: Content, svg: str, axes: Any) -> Any:
    if axes is None:
        from matplotlib import pyplot

        _, axes = pyplot.subplots(figsize=(WIDE / 72, content.height / 72), layout="constrained")
    styles = _Styles(svg)
    for number, mark in enumerate(content.marks):
        _draw_mark(axes, mark, styles.look_of(mark.style), 2 + number / len(content.marks))
    _set_axis(axes, "x", content.x)
    _set_axis(axes, "y", content.y)
    axes.grid(color=styles.look_of("grid").get("stroke"), axis="x" if content.y.names else "both")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    _add_legend(axes, content, styles)
    _add_colours(axes, content.colours, styles)
    return axes


def _draw_mark(axes: Any, mark: Mark, look: Look, order: float) -> None:
    width = mark.width or float(look.get("stroke-width", 1))
    alpha = float(look.get("opacity", 1))
    stroke, fill = look.get("stroke", "none"), look.get("fill", "none")
    if mark.join == "dots":
        axes.plot(mark.x, mark.y, "o", markersize=width, color=stroke, markeredgewidth=0, alpha=alpha, zorder=order)
    elif mark.join == "line":
        axes.plot(mark.x, mark.y, color=stroke, linewidth=width, alpha=alpha, zorder=order)
    elif mark.join == "area":
        axes.fill(mark.x, mark.y, facecolor=fill, linewidth=0, alpha=alpha, zorder=order)
    else:
        from matplotlib.collections import PolyCollection

        boxes = PolyCollection(_corners(mark), facecolors=fill, edgecolors=stroke, linewidths=width if "stroke" in look else 0, alpha=alpha, zorder=order)
        axes.add_collection(boxes, autolim=False)


def _corners(mark: Mark) -> Any:
    """Of boxes, [box, corner, x and y]; those that are not there are left out."""
    x, y = mark.x.reshape(-1, 2), mark.y.reshape(-1, 2)
    boxes = np.stack([x[:, [0, 1, 1, 0]], y[:, [0, 0, 1, 1]]], axis=-1)
    return boxes[np.isfinite(boxes).all(axis=(1, 2))]


def _set_axis(axes: Any, which: str, axis: Axis) -> None:
    downwards = which == "y" and axis.names
    axes.set(**{f"{which}label": axis.label, f"{which}scale": "log" if axis.logarithmic else "linear"})
    axes.set(**{f"{which}lim": (axis.most, axis.least) if downwards else (axis.least, axis.most)})
    if axis.names:
        axes.set(**{f"{which}ticks": range(len(axis.names)), f"{which}ticklabels": axis.names})


def _add_legend(axes: Any, content: Content, styles: _Styles) -> None:
    from matplotlib.patches import Patch

    patches = [Patch(facecolor=styles.look_of(style).get("fill", "none"), edgecolor="none", label=words) for style, words in content.names]
    if patches:
        axes.legend(handles=patches, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize="small", borderaxespad=0.2)


def _add_colours(axes: Any, colours: Axis, styles: _Styles) -> None:
    if not colours.label:
        return
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, LogNorm, Normalize

    scale = (LogNorm if colours.logarithmic else Normalize)(colours.least, colours.most)
    axes.figure.colorbar(ScalarMappable(scale, ListedColormap(styles.field())), ax=axes, label=colours.label)
