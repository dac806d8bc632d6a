"""A scenario as a function of arrays."""
from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._listening import listen

if TYPE_CHECKING:
    from ._scenario import Scenario

MOST_MODELS = 16  # that are kept; each holds its threads and what was loaded


class Values(np.ndarray[Any, np.dtype[np.float64]]):
    """Observables of members, members × observables, with what belongs to them. NaN: an event that never came, or a member that stopped."""

    names: list[str]  # of observables
    status: npt.NDArray[np.uint8]  # of members: 0 ok, others by status_names
    stop_time: npt.NDArray[np.float64]  # NaN for those that are ok

    def __array_finalize__(self, made_of: Any) -> None:
        for name in "names", "status", "stop_time":
            setattr(self, name, getattr(made_of, name, None))

    def __getitem__(self, what: Any) -> Any:
        """A name, or a list of some: these observables of all members."""
        if isinstance(what, str):
            return np.asarray(self)[..., self._find(what)]
        if isinstance(what, list) and what and all(isinstance(one, str) for one in what):
            return np.asarray(self)[..., [self._find(one) for one in what]]
        return np.asarray(self)[what]

    def __reduce__(self) -> Any:
        return _make_values, (np.asarray(self), self.names, self.status, self.stop_time)

    def _find(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"no observable is called {name!r}; there are {', '.join(self.names)}")
        return self.names.index(name)


def _make_values(array: npt.NDArray[np.float64], names: list[str], status: npt.NDArray[np.uint8], stop_time: npt.NDArray[np.float64]) -> Values:
    values: Values = array.view(Values)
    values.names, values.status, values.stop_time = names, status, stop_time
    return values


class _Slot:
    """A model with the scenario that it was compiled for; others that differ in numbers alone use it, too."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.model: _core.Model | None = None
        self.scenario: Scenario

    def make(self, scenario: Scenario, compile: Callable[[], _core.Model]) -> _core.Model:
        with self.lock:
            if self.model is None:
                self.scenario, self.model = scenario, compile()
            return self.model


class _Models:
    """Those used last. A process that was forked begins anew: threads of models are not there."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.slots: OrderedDict[Hashable, _Slot] = OrderedDict()

    def find(self, key: Hashable) -> _Slot:
        with self.lock:
            slot = self.slots.setdefault(key, _Slot())
            self.slots.move_to_end(key)
            if len(self.slots) > MOST_MODELS:
                self.slots.popitem(last=False)
            return slot


_models = _Models()
os.register_at_fork(after_in_child=lambda: _models.__init__())  # type: ignore[misc]


def evaluate(scenario: Scenario, execution: _core.Execution, X: Any) -> Any:
    if hasattr(X, "columns") and hasattr(X, "to_numpy"):
        import pandas

        names = [str(name) for name in X.columns]
        values = _step(scenario, execution, names, np.ascontiguousarray(X.to_numpy(dtype=float).T))
        frame = pandas.DataFrame(np.asarray(values), index=X.index, columns=values.names)
        frame["status"] = pandas.Categorical.from_codes(values.status, categories=_core.status_names())
        return frame
    if isinstance(X, Mapping):
        columns = np.broadcast_arrays(*(np.atleast_1d(np.asarray(column, dtype=float)) for column in X.values()))
        values = _step(scenario, execution, [str(name) for name in X], np.stack(columns))
        return {**{name: values[name] for name in values.names}, "status": values.status}
    rows = np.asarray(X, dtype=float)
    wanted = len(scenario.varied)
    if rows.ndim not in (1, 2) or rows.shape[-1] != wanted:
        varied, got = ", ".join(scenario.varied), " × ".join(map(str, rows.shape))
        raise TypeError(f"an array has a column for each parameter that varies, members × {wanted} ({varied}); got {got}")
    values = _step(scenario, execution, scenario.varied, np.ascontiguousarray(np.atleast_2d(rows).T))
    return values if rows.ndim == 2 else _make_values(np.asarray(values)[0], values.names, values.status, values.stop_time)


def _step(scenario: Scenario, execution: _core.Execution, columns: list[str], parameters: npt.NDArray[np.float64]) -> Values:
    key = (*scenario.shape, tuple(columns), execution.backend, execution.precision, execution.threads, execution.devices)
    slot = _models.find(key)

    def compile() -> _core.Model:
        with listen(False) as (_, say):
            return _core.compile(scenario._core, execution, columns, say)

    model = slot.make(scenario, compile)
    call = _core.Call()
    asked, compiled = scenario.parameters, slot.scenario.parameters
    if asked != compiled:
        call.set = {name: value for name, value in asked.items() if value != compiled[name] and name not in columns}
    if scenario.end != slot.scenario.end or scenario.step != slot.scenario.step:
        call.end, call.step = scenario.end, scenario.step
    members = parameters.shape[1]
    observables = np.empty((len(model.observables), members))
    status = np.empty(members, np.uint8)
    stop_time = np.empty(members)
    model.run(call, parameters, observables, status, stop_time)
    return _make_values(observables.T, model.observables, status, stop_time)
