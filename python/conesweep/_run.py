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
from ._figures import Figures, draw, panels, write_report
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
            column = self._read(name)
            column.flags.writeable = False
            self._columns[name] = column
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
        """An xarray.Dataset: columns over member, or over the axes of a sweep and member; trajectories over recorded × time."""
        import xarray

        axes: dict[str, list[float]] = self.summary.get("sweep", {}).get("axes", {})
        dims = (*axes, "member")
        shape = [*(len(values) for values in axes.values()), -1]
        names = [name for name in [*self.parameters, *self.observables] if name not in axes] if len(self) else []
        variables: dict[str, Any] = {name: (dims, self[name].reshape(shape)) for name in names}
        if len(self):
            variables["status"] = (dims, self["status"].reshape(shape), _flags(_core.status_names()))
            if self.class_names:
                variables["class"] = (dims, self["class"].reshape(shape), _flags(self.class_names))
        coordinates: dict[str, Any] = dict(axes)
        for name, column in self.trajectories.items():
            if name == "time":
                coordinates[name] = column
            else:
                variables[name] = (("recorded", "time"), column, _flags(_core.mode_names()) if name == "mode" else {})
        return xarray.Dataset(variables, coordinates, {"title": self.title})

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
        return f"<Run {self.title!r}: {self.members:,} members, {self.stopped:,} stopped, in {self.folder}>"

    def _repr_html_(self) -> str:
        head = f"<h4>{html.escape(self.title)}</h4><p>{self.members:,} members, {self.stopped:,} stopped</p>"
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td>" + "".join(f"<td>{_number(entry.get(key))}</td>" for key in _SHOWN) + "</tr>"
            for name, entry in self.summary["observables"].items()
        )
        table = "<table><tr><th></th>" + "".join(f"<th>{key.replace('_', ' ')}</th>" for key in _SHOWN) + f"</tr>{rows}</table>"
        first = next(iter(self.observables), None) if len(self) else None
        return head + table + (self.plot("histogram", x=first)[0].svg if first else "")


_SHOWN = ("count", "mean", "standard_error", "standard_deviation", "min", "max")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.5g}"


def _flags(names: list[str]) -> dict[str, Any]:
    return {"flag_values": np.arange(len(names), dtype=np.uint8), "flag_meanings": " ".join(name.replace(" ", "_") for name in names)}


def open(folder: str | os.PathLike[str]) -> Run:
    """A finished run, by the folder that it left."""
    return Run(Path(folder))
