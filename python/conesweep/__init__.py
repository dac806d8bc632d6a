"""Ensembles of nonsmooth mechanical systems with dry friction and delay.

    import conesweep as cs

    study = cs.Scenario("slider.toml")
    study = study.with_(members=100_000, alpha=cs.uniform(0.1, 0.6), tau=0.2)
    run = study.run(out="runs/slider", progress=True)
    run["reach"], run.table, run.dataset, run.plot("histogram", x="reach")

Names are those of the scenario file and of the command line. Messages go to the logger "conesweep"; nothing prints unless it is asked for.
"""
from ._core import flag_names, mode_names, status_advice, status_names
from ._core import version as _version
from ._distributions import Distribution, choice, lognormal, loguniform, normal, table, triangular, truncated_normal, uniform
from ._evaluate import Values
from ._figures import Figure, Figures, panels, write_report
from ._problems import InputError, Problem, Problems
from ._run import Run, open
from ._scenario import Scenario
from ._studies import Study, Trace

__version__: str = _version()
__all__ = [
    "Distribution", "Figure", "Figures", "InputError", "Problem", "Problems", "Run", "Scenario", "Study", "Trace", "Values",
    "choice", "flag_names", "lognormal", "loguniform", "mode_names", "normal", "open", "panels", "status_advice", "status_names", "table",
    "triangular", "truncated_normal", "uniform", "write_report",
]
