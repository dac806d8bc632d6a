"""A scenario: what its file says, and what can be done with it."""
from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._changes import Step, make_changes, to_steps
from ._evaluate import evaluate
from ._listening import Told, listen
from ._problems import Problems
from ._run import Run
from ._studies import Comparison, Convergence, Estimate, Plan, Sensitivities, Trace

Source = str | os.PathLike[str] | Mapping[str, Any]


def _execution(options: _core.Execution, backend: str, threads: int, devices: str, precision: str, chunk: int = 0) -> None:
    options.backend, options.threads, options.devices, options.precision, options.chunk = backend, threads, devices, precision, chunk


def _read_file(name: str) -> str:
    try:
        return Path(name).read_bytes().decode()
    except (OSError, UnicodeError):
        _core.Scenario.read(name, _core.Changes())  # says what is wrong with it
        raise


class Scenario:
    """A file, the text of one, a dict, or keyword arguments: the same keys as the file has.

    It is read and checked at once (InputError tells all problems), never changes, and pickles as its text.
    """

    _core: _core.Scenario
    _origin: tuple[str, str]  # name and text as they were read
    _steps: tuple[Step, ...]  # and what was changed since

    def __init__(self, source: Source | None = None, /, **keys: Any) -> None:
        name, text = "scenario.toml", ""
        if isinstance(source, Mapping):
            keys = {**source, **keys}
        elif isinstance(source, str) and "\n" in source:
            text = source
        elif source is not None:
            name = os.fspath(source)
            text = _read_file(name)
        self._read((name, text), to_steps(keys))

    def _read(self, origin: tuple[str, str], steps: tuple[Step, ...]) -> None:
        name, text = origin
        self._core = _core.Scenario.parse(text, name, make_changes(steps))
        self._origin, self._steps = origin, steps

    def with_(self, keys: Mapping[str, Any] | None = None, /, **changes: Any) -> Scenario:
        """A changed copy.

        members, seed, step, end and keep; any parameter as a number (for all members) or a distribution; any key of the file, a section as a dict:
        with_(observe={"reach": {"max": "x"}}), with_({"model.force": ["-k*x"]}). None erases a key.
        """
        steps = to_steps({**(keys or {}), **changes})
        made = object.__new__(Scenario)
        made._core = self._core.changed(make_changes(steps))
        made._origin, made._steps = self._origin, (*self._steps, *steps)
        return made

    def __getstate__(self) -> tuple[tuple[str, str], tuple[Step, ...]]:
        return self._origin, self._steps

    def __setstate__(self, state: tuple[tuple[str, str], tuple[Step, ...]]) -> None:
        self._read(*state)

    # ---- what it says ----

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def title(self) -> str:
        return self._core.title

    @property
    def text(self) -> str:
        """As TOML with every default and every change written out: running it gives the same numbers."""
        return self._core.resolved()

    @property
    def coordinates(self) -> list[str]:
        return self._core.coordinates

    @cached_property
    def parameters(self) -> Mapping[str, float]:
        """Values of parameters, where they do not vary."""
        return self._core.parameters

    @cached_property
    def varied(self) -> list[str]:
        """Parameters that differ between members: those of [vary], then of [sweep]."""
        return self._core.varied

    @property
    def observables(self) -> list[str]:
        return self._core.observables

    @property
    def classes(self) -> list[str]:
        return self._core.classes

    @property
    def members(self) -> int:
        return self._core.members

    @property
    def seed(self) -> int:
        return self._core.seed

    @cached_property
    def step(self) -> float:
        return self._core.step

    @cached_property
    def end(self) -> float:
        return self._core.end

    @cached_property
    def shape(self) -> tuple[str, str, tuple[str, ...]]:
        """Scenarios with the same one have the same formulas: they differ in values of parameters, in what varies, in step and end."""
        return self._core.name, self._core.text, tuple(self.parameters)

    def draw(self, count: int | None = None, first: int = 0) -> npt.NDArray[np.float64]:
        """The varied parameters of members: an array members × varied, as `evaluate` takes it."""
        return self._core.draw(first, self.members - first if count is None else count).T

    def check(self) -> Problems:
        """Warnings, and what is good to know: what its laws are, which theory holds for it."""
        return Problems(self._core.problems())

    def __repr__(self) -> str:
        return f"<Scenario {self.title or self.name!r}: {self.members:,} members, {self.step:g} to {self.end:g}, varied: {', '.join(self.varied) or 'none'}>"

    # ---- what can be done with it ----

    def run(
        self,
        out: str | os.PathLike[str] | None = None,
        *,
        backend: str = "auto",
        threads: int = 0,
        devices: str = "",
        precision: str = "double",
        chunk: int = 0,
        until: Mapping[str, float] | None = None,
        most: int | None = None,
        step_check: bool = True,
        watch: str = "",
        resume: bool = False,
        force: bool = False,
        progress: Told = False,
    ) -> Run:
        """Steps all members. Without `out` the run's folder is a temporary one, which goes with the Run.

        Ctrl-C ends it within a second; with `out` finished chunks are kept, and resume=True goes on with them.
        """
        options = _core.RunOptions()
        _execution(options, backend, threads, devices, precision, chunk)
        options.until, options.most, options.step_check, options.watch = dict(until or {}), most, step_check, watch
        options.resume, options.force = resume, force
        temporary = None if out is not None else tempfile.TemporaryDirectory(prefix="conesweep-")
        folder = Path(out) if out is not None else Path(temporary.name, "run")  # type: ignore[union-attr]
        options.out = str(folder)
        with listen(progress) as (tell, say):
            reached = _core.run(self._core, options, tell, say)
        return Run(folder, reached=reached, temporary=temporary)

    def evaluate(self, X: Any, *, backend: str = "auto", threads: int = 0, devices: str = "", precision: str = "double") -> Any:
        """The observables of members whose parameters are given.

        X: an array members × varied (or one member's row), a DataFrame, or a dict of columns; the last two may name any parameters. The result is the same
        kind of thing, with the members' statuses: an array members × observables with .status and .names; a frame or dict with a column "status". The model
        is compiled once for all scenarios that differ in numbers alone.
        """
        options = _core.Execution()
        _execution(options, backend, threads, devices, precision)
        return evaluate(self, options, X)

    def sensitivity(
        self,
        *,
        members: int | None = None,
        method: str = "sobol",
        second_order: bool = False,
        levels: int = 4,
        until: Mapping[str, float] | None = None,
        most: int | None = None,
        out: str | os.PathLike[str] | None = None,
        resume: bool = False,
        force: bool = False,
        watch: str = "",
        backend: str = "auto",
        threads: int = 0,
        devices: str = "",
        precision: str = "double",
        progress: Told = False,
    ) -> Sensitivities:
        """Which parameter drives which observable: Sobol indices by Saltelli's design, or Morris' screening."""
        options = _core.SensitivityOptions()
        _execution(options, backend, threads, devices, precision)
        options.method, options.second_order, options.levels = method, second_order, levels
        options.until, options.most, options.watch = dict(until or {}), most, watch
        options.out, options.resume, options.force = "" if out is None else os.fspath(out), resume, force
        asked = self if members is None else self.with_(members=members)
        with listen(progress) as (tell, say):
            return Sensitivities(_core.sensitivity(asked._core, options, tell, say))

    def converge(
        self,
        *,
        members: int | None = None,
        levels: int = 4,
        observables: Sequence[str] = (),
        out: str | os.PathLike[str] | None = None,
        force: bool = False,
        backend: str = "auto",
        threads: int = 0,
        devices: str = "",
        precision: str = "double",
        progress: Told = False,
    ) -> Convergence:
        """Is the step small enough? Statistics at h, h/2, h/4, …"""
        options = _core.ConvergeOptions()
        _execution(options, backend, threads, devices, precision)
        options.levels, options.observables = levels, list(observables)
        options.out, options.force = "" if out is None else os.fspath(out), force
        asked = self if members is None else self.with_(members=members)
        with listen(progress) as (tell, say):
            return Convergence(_core.converge(asked._core, options, tell, say))

    def mlmc(
        self,
        observable: str,
        rmse: float,
        *,
        levels_max: int = 12,
        members_max: int = 1_000_000_000,
        out: str | os.PathLike[str] | None = None,
        force: bool = False,
        backend: str = "auto",
        threads: int = 0,
        devices: str = "",
        precision: str = "double",
        progress: Told = False,
    ) -> Estimate:
        """The mean of an observable to the error asked for, by multilevel Monte Carlo."""
        options = _core.MlmcOptions()
        _execution(options, backend, threads, devices, precision)
        options.observable, options.rmse, options.levels_max, options.members_max = observable, rmse, levels_max, members_max
        options.out, options.force = "" if out is None else os.fspath(out), force
        with listen(progress) as (tell, say):
            return Estimate(_core.mlmc(self._core, options, tell, say))

    def compare(
        self,
        a: str = "cpu",
        b: str = "reference",
        *,
        members: int | None = None,
        tolerance: float | None = None,
        grazing: float = 1.0,
        judge: int = 4096,
        bits: bool = False,
        threads: int = 0,
        devices: str = "",
        precision: str = "double",
        progress: Told = False,
    ) -> Comparison:
        """Do two executors agree?"""
        options = _core.CompareOptions()
        _execution(options, "auto", threads, devices, precision)
        options.backends, options.members, options.tolerance = f"{a},{b}", members, tolerance
        options.grazing, options.judge, options.bits = grazing, judge, bits
        with listen(progress) as (tell, say):
            return Comparison(_core.compare(self._core, options, tell, say))

    def trace(self, member: int = 0, *, every: int = 1) -> Trace:
        """One member, every step, by the reference executor."""
        return Trace(_core.trace(self._core, member, every))

    def plan(self, *, threads: int = 0, devices: str = "", precision: str = "double", chunk: int = 0) -> Plan:
        """Memory, chunks, disk and time of a run, before it is begun."""
        options = _core.Execution()
        _execution(options, "auto", threads, devices, precision, chunk)
        with listen(False) as (_, say):
            return Plan(_core.plan(self._core, options, say))
