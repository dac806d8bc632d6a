"""What studies found: the JSON that the program prints, and tables of it."""
from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt


def flatten(entry: Mapping[str, Any]) -> dict[str, Any]:
    """One row of a table: an interval is two columns, a table within is one column for each of its entries, lists of other lengths stay out."""
    row: dict[str, Any] = {}
    for name, value in entry.items():
        if name.endswith("_interval"):
            for key, bounds in value.items() if isinstance(value, Mapping) else [("", value)]:
                ending = f".{key}" if key else ""
                lower, upper = name.replace("_interval", "_lower"), name.replace("_interval", "_upper")
                row[lower + ending], row[upper + ending] = bounds or (None, None)  # null: it is not known
        elif isinstance(value, Mapping):
            row.update({f"{name}.{key}": one for key, one in flatten(value).items()})
        elif not isinstance(value, list):
            row[name] = value
    return row


def make_frame(rows: Mapping[Any, Mapping[str, Any]], index: list[str]) -> Any:
    import pandas

    keys = list(rows)
    frame = pandas.DataFrame([flatten(row) for row in rows.values()])
    frame.index = pandas.MultiIndex.from_tuples(keys, names=index) if len(index) > 1 else pandas.Index(keys, name=index[0])
    # null is a number that there is not; words stay words
    return frame.apply(lambda column: column.astype(float) if column.isna().any() and not column.map(lambda one: isinstance(one, str)).any() else column)


class Study:
    """What came out: `summary` is the JSON of the command of the same name, `table` a DataFrame of it."""

    def __init__(self, text: str) -> None:
        self.summary: dict[str, Any] = json.loads(text)

    @property
    def table(self) -> Any:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return str(self.table.to_html())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.summary.get('title') or 'a scenario'}>"


class _Pairs(Study):
    """A row an observable and something else."""

    second = "parameter"

    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        return self.summary

    @property
    def table(self) -> Any:
        rows = {(name, other): row for name, of in self.rows().items() for other, row in of.items() if isinstance(row, Mapping)}
        return make_frame(rows, ["observable", self.second])


class Sensitivities(_Pairs):
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = self.summary["sensitivity"]
        return found

    @property
    def pairs(self) -> Any:
        """Of a study with second_order=True: what two parameters do together, as a share of the variance, with its interval."""
        rows = {}
        for name, of in self.rows().items():
            indices = {one: row for one, row in of.items() if isinstance(row, Mapping)}
            for one, row in indices.items():
                for other in row.get("second", {}):
                    if (name, other, one) not in rows:
                        rows[name, one, other] = {"second": row["second"][other], "second_interval": row["second_interval"][other]}
        return make_frame(rows, ["observable", "parameter", "other"])


class Correlations(_Pairs):
    """Rank, partial rank and regression coefficients of a finished run."""


class Convergence(_Pairs):
    second = "statistic"

    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = self.summary["observables"]
        return found

    @property
    def advice(self) -> str:
        return str(self.summary.get("advice", ""))


class Estimate(Study):
    """The mean that mlmc found; the table has its levels."""

    @property
    def value(self) -> float:
        return float(self.summary["estimate"])

    @property
    def rmse(self) -> float:
        return float(self.summary["error"]["rmse"])

    @property
    def table(self) -> Any:
        return make_frame(dict(enumerate(self.summary["levels"])), ["level"])

    def __repr__(self) -> str:
        return f"<Estimate of {self.summary['observable']}: {self.value:.6g} ± {self.rmse:.2g}>"


class Comparison(Study):
    @property
    def passed(self) -> bool:
        return bool(self.summary["passed"])

    @property
    def table(self) -> Any:
        return make_frame(self.summary.get("observables", {}), ["observable"])

    def __repr__(self) -> str:
        return f"<Comparison of {' and '.join(self.summary['backends'])}, {self.summary['members']:,} members: {'passed' if self.passed else 'failed'}>"


class Plan(Study):
    @property
    def table(self) -> Any:
        return make_frame(self.summary["executors"], ["executor"])


class Trace:
    """One member, a row a node."""

    def __init__(self, text: str) -> None:
        self.csv = text

    @property
    def names(self) -> list[str]:
        return self._body().split("\n", 1)[0].split(",")

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        cells = [row[name] for row in csv.DictReader(io.StringIO(self._body()))]
        try:
            return np.array([float(cell or "nan") for cell in cells])  # an empty cell is a number that there is not
        except ValueError:
            return np.array(cells)

    @property
    def table(self) -> Any:
        import pandas

        return pandas.read_csv(io.StringIO(self._body()))

    def _repr_html_(self) -> str:
        return str(self.table.to_html(max_rows=20))

    def __repr__(self) -> str:
        head = self.csv.split("\n", 1)[0].lstrip("# ")  # "Slider with …, member 3"
        return f"<Trace of {head}: {len(self['t']):,} nodes of {', '.join(self.names)}>"

    def _body(self) -> str:
        return "".join(line for line in self.csv.splitlines(keepends=True) if not line.startswith("#"))
