"""Turns the results of samples/slider.toml into the tables that picture.gp plots: extract.py RUN_FOLDER OUT_FOLDER."""
import sys
from pathlib import Path

import h5py
import numpy as np

run, out = Path(sys.argv[1]), Path(sys.argv[2])
with h5py.File(run / "results.h5") as results:
    # x(t) of every third recorded member, one block a member, with its contact mode
    group = results["trajectories"]
    time, x, mode = group["time"][:], group["x"][:], group["mode"][:]
    with open(out / "trajectories.txt", "w") as table:
        for m in range(0, x.shape[0], 3):
            np.savetxt(table, np.column_stack([time, x[m], mode[m]]), fmt=["%.4g", "%.5g", "%d"])
            table.write("\n\n")

    # reach against alpha, with tau, and the last time at which the member moved
    ok = results["status"][:] == 0
    columns = [results["parameters/alpha"], results["observables/reach"], results["parameters/tau"], results["observables/settled"]]
    np.savetxt(out / "reach.txt", np.column_stack([column[:][ok] for column in columns]), fmt="%.5g")
