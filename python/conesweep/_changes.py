"""Changes of a scenario, as plain steps that can be kept, sent and made again."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from . import _core
from ._distributions import Distribution

Step = tuple[Any, ...]  # a method of _core.Changes and what it takes

# what the program has flags for
SETTINGS = {"members": int, "seed": int, "step": float, "end": float, "keep": str}


def to_steps(changes: Mapping[str, Any]) -> tuple[Step, ...]:
    return tuple(_to_step(name, value) for name, value in changes.items())


def make_changes(steps: Iterable[Step]) -> _core.Changes:
    changes = _core.Changes()
    for method, *arguments in steps:
        getattr(changes, method)(*arguments)
    return changes


def _to_step(name: str, value: Any) -> Step:
    if name in ("step", "end") and isinstance(value, str):  # "2*pi/1000", as the file may have it
        return ("write", f"time.{name}", value)
    if name in SETTINGS:
        return (name, _to_setting(name, value))
    if value is None:
        return ("erase", name)
    if isinstance(value, Distribution) and value.kind != "table":
        return ("vary", name, value.kind, list(value.numbers))
    if isinstance(value, Distribution):
        return ("write", f"vary.{name}", value.entry())
    if isinstance(value, Real) and not isinstance(value, bool) and "." not in name:
        return ("set", name, float(value))
    return ("write", name, to_plain(value))


def _to_setting(name: str, value: Any) -> Any:
    kind = SETTINGS[name]
    made = kind(value)
    if made != value:  # 10.5 members
        raise TypeError(f"{name} is {'a whole number' if kind is int else f'a {kind.__name__}'}, got {value!r}")
    return made


def to_plain(value: Any) -> Any:
    """As TOML can have it: bool, int, float, str, list, dict."""
    if isinstance(value, Distribution):
        return value.entry()
    if isinstance(value, Mapping):
        return {str(key): to_plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [to_plain(one) for one in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    raise TypeError(f"a scenario has no value like {value!r}")
