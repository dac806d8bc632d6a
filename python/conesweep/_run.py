"""Finished runs."""
from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._figures import Figure, Figures, draw, panels, show, write_report
from ._problems import InputError
from ._studies import Correlations, make_frame

if TYPE_CHECKING:
    from ._scenario import Scenario

Column = npt.NDArray[Any]


class Run:
    """A finished run in its folder. Columns are read when they are asked for, and are then the library's memory, without a copy."""

    def __init__(self, folder: Path, *, reached: bool = True, temporary: tempfile.TemporaryDirectory[str] | None = None) -> None:
        self.folder = folder
        self.reached = reached  # what `until` asked for
        self._temporary = temporary  # the folder goes with it
        self._core = _core.FinishedRun.open(str(folder))
        self._columns: dict[str, Column] = {}

    def __reduce__(self) -> Any:
        if self._temporary is not None:
            raise TypeError("a run in a temporary folder goes with its Run and cannot be sent; give it a folder of its own by `out`")
        return _reopen, (self.folder, self.reached)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json."""
        found: dict[str, Any] = json.loads(self._core.summary)
        return found

    @cached_property
    def scenario(self) -> Scenario:
        """The resolved scenario: running it gives the same numbers."""
        from ._scenario import Scenario

        return Scenario(self.folder / "scenario.toml")

    @property
    def title(self) -> str:
        return str(self.summary["title"])

    @property
    def members(self) -> int:
        return int(self.summary["members"])

    @property
    def stopped(self) -> int:
        """Members that did not reach the end."""
        return self.members - int(self.summary["status"].get("ok", 0))

    @property
    def parameters(self) -> list[str]:
        """Those that vary."""
        return self._core.parameters

    @property
    def observables(self) -> list[str]:
        return self._core.observables

    @property
    def class_names(self) -> list[str]:
        return self._core.class_names

    # ---- columns: a value a member ----

    def __getitem__(self, name: str) -> Column:
        """An observable or a varied parameter; "status" and "class", as codes by status_names and class_names; "stop_time", "flags"."""
        if name not in self._columns:
            self._columns[name] = self._read(name)
        return self._columns[name]

    def _read(self, name: str) -> Column:
        if name in self.parameters:
            return self._core.parameter(name)
        of_all = self._core
        others: dict[str, Callable[[], Column]] = {
            "status": of_all.status, "class": of_all.class_of, "stop_time": of_all.stop_time, "flags": of_all.flags,
        }
        if name in others and name not in self.observables:
            return others[name]()
        return self._core.observable(name)

    def __len__(self) -> int:
        return self._core.members

    @cached_property
    def trajectories(self) -> dict[str, Column]:
        """Of recorded members: "time"; coordinates, velocities and "mode" (by mode_names) as recorded × time."""
        tracks = self._core.tracks(2**62)
        columns = {name: tracks.column(number) for number, name in enumerate(tracks.names)}
        return {"time": tracks.time(), **columns, "mode": tracks.mode()} if columns else {}

    def unit(self, name: str) -> str:
        """Of a column, or of a recorded coordinate; "1" is a pure number."""
        return self._core.unit(name)

    def meaning(self, name: str) -> str:
        """What a column is: "max of x"."""
        return self._core.meaning(name)

    # ---- tables ----

    @property
    def table(self) -> Any:
        """The statistics of observables as a DataFrame."""
        rows = {name: {key: value for key, value in entry.items() if key != "histogram"} for name, entry in self.summary["observables"].items()}
        return make_frame(rows, ["observable"]).rename(columns=lambda name: name.replace("quantiles.", ""))

    @property
    def frame(self) -> Any:
        """All members as a DataFrame: parameters, observables, status, class."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in [*self.parameters, *self.observables]})
        frame["status"] = pandas.Categorical.from_codes(self["status"], categories=_core.status_names())
        if self.class_names:
            frame["class"] = pandas.Categorical.from_codes(self["class"], categories=self.class_names)
        frame.index.name = "member"
        return frame

    @property
    def dataset(self) -> Any:
        """An xarray.Dataset: columns over member, or over the axes of a sweep and member; trajectories over recorded × time. Labels as in results.h5."""
        import xarray

        axes: dict[str, list[float]] = self.summary.get("sweep", {}).get("axes", {})
        variables: dict[str, Any] = {}
        coordinates: dict[str, Any] = {name: (name, values, self._label(name)) for name, values in axes.items()}
        if len(self):
            dims, shape = (*axes, "member"), [*(len(values) for values in axes.values()), -1]
            columns = {name: self._label(name) for name in [*self.parameters, *self.observables] if name not in axes}
            columns |= {"status": _codes(_core.status_names()), "stop_time": {"units": self.unit("time") or "1"}, "flags": _masks(_core.flag_names())}
            columns |= {"class": _codes(self.class_names)} if self.class_names else {}
            variables = {name: (dims, self[name].reshape(shape), label) for name, label in columns.items()}
        for name, column in self.trajectories.items():
            if name == "time":
                coordinates[name] = (name, column, self._label(name))
            else:
                variables[name] = (("recorded", "time"), column, _codes(_core.mode_names()) if name == "mode" else self._label(name))
        return xarray.Dataset(variables, coordinates, {"title": self.title})

    def _label(self, name: str) -> dict[str, Any]:
        return {"units": self.unit(name), "long_name": self.meaning(name)}

    @property
    def correlations(self) -> Correlations:
        """How observables go with the parameters."""
        return Correlations(_core.correlate(str(self.folder)))

    # ---- figures ----

    def plot(self, panel: str, *, x: str = "", y: str = "", color: str = "", width: float = 86.0) -> Figures:
        """The figures of a panel (conesweep.panels() lists them), or the distribution of an observable that is named. Width in millimetres."""
        if panel not in panels() and panel in self.observables:
            panel, x = "histogram", panel
        return draw(self.folder, panel, x, y, color, width)

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """One HTML page, which needs no network and no other file."""
        write_report([self], path, force=force)

    def __repr__(self) -> str:
        place = "a temporary folder" if self._temporary else self.folder
        return f"<Run {self.title!r}: {self.members:,} members, {self.stopped:,} stopped, in {place}>"

    def _repr_html_(self) -> str:
        """The head of the report, with the statistics and some of its figures."""
        head = _core.report_head(str(self.folder)).replace("h1>", "h3>")  # a cell is no page
        return "\n".join([head, self._statistics(), show(self._figures())])

    def _statistics(self) -> str:
        steps = self.summary.get("step_check", {}).get("observables", {})
        rows, constant = [], []
        for name, entry in self.summary["observables"].items():
            if entry["count"] and entry["min"] == entry["max"]:
                constant.append(f"{html.escape(name)} = {entry['min']:.5g}")
                continue
            cells = [entry["mean"], entry["standard_error"], steps.get(name, {}).get("step_error"), entry["standard_deviation"], entry["min"]]
            cells += [entry["quantiles"]["0.5"], entry["max"]]
            rows.append(f"<tr><td>{html.escape(name)}</td>" + "".join(f"<td>{_number(cell)}</td>" for cell in cells) + "</tr>")
        head = "".join(f"<th>{word}</th>" for word in ("", "mean", "± sampling", "± step", "deviation", "min", "median", "max"))
        table = f"<table><tr>{head}</tr>{''.join(rows)}</table>" if rows else ""
        return table + (f"<p>The same for all members: {', '.join(constant)}.</p>" if constant else "")

    def _figures(self) -> list[Figure]:
        found: list[Figure] = []
        for panel in "histogram", "scatter", "band":
            try:
                found += self.plot(panel)[:1]
            except InputError:  # there is nothing to draw
                continue
        return found


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.5g}"


def _codes(names: list[str]) -> dict[str, Any]:
    """As the conventions of netCDF have it for numbers that stand for words."""
    return {"flag_values": np.arange(len(names), dtype=np.uint8), "flag_meanings": " ".join(name.replace(" ", "_") for name in names)}


def _masks(names: list[str]) -> dict[str, Any]:
    """The same for words that are a bit each."""
    return {"flag_masks": np.array([1 << bit for bit in range(len(names))], np.uint8), "flag_meanings": " ".join(names)}


def _reopen(folder: Path, reached: bool) -> Run:
    return Run(folder, reached=reached)


def open(folder: str | os.PathLike[str]) -> Run:
    """A finished run, by the folder that it left."""
    return Run(Path(folder))
