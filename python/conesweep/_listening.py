"""What is told while members are stepped: sentences to the logger, progress to one bar or to a function."""
from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

logger = logging.getLogger("conesweep")


@dataclass(frozen=True)
class Progress:
    """How far it is."""

    done: int  # members that are there …
    members: int  # … of so many; with `until` there may be more to come
    level: int  # of converge and mlmc: members are counted anew on each
    count: int  # of what `watch` names: members with a value, its mean, the error of that
    mean: float
    standard_error: float


Told = bool | Callable[[Progress], object]


class _TextBar:
    """One line on standard error."""

    width = 40
    shown = False

    def show(self, progress: Progress) -> None:
        share = progress.done / progress.members if progress.members else 0.0
        filled = int(share * self.width)
        self.shown = True
        level = f"level {progress.level}  " if progress.level else ""
        print(f"\r{level}[{'#' * filled}{'.' * (self.width - filled)}] {progress.done:,} of {progress.members:,}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.shown:
            print(file=sys.stderr, flush=True)


class _NotebookBar:
    """tqdm's, where there is a notebook to show it."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(unit=" members", unit_scale=True)

    def show(self, progress: Progress) -> None:
        self._bar.total = progress.members
        self._bar.n = progress.done
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


def _make_bar() -> _TextBar | _NotebookBar:
    shell = sys.modules.get("IPython")
    if shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell":
        try:
            from tqdm.notebook import tqdm

            return _NotebookBar(tqdm)
        except ImportError:  # without ipywidgets it can be imported, but not made
            pass
    return _TextBar()


@contextmanager
def listen(progress: Told) -> Iterator[tuple[Callable[..., object] | None, Callable[[str], object]]]:
    """The two functions that the library calls."""
    if progress is False:
        yield None, logger.info
    elif progress is True:
        bar = _make_bar()
        try:
            yield lambda *numbers: bar.show(Progress(*numbers)), logger.info
        finally:
            bar.close()
    else:
        yield lambda *numbers: progress(Progress(*numbers)), logger.info
