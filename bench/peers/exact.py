"""What the answers are compared with, in the order of trust: closed forms, and the scheme's own text in extended precision (80 bits), which is peer_numpy.py
in another type. Run by peers.py as a process of its own, since it needs NumPy: exact.py WORKLOAD INPUT.json, prints {"scheme": columns, "motion": columns}.

  scheme   final values of (P1)-(P6) at step h, exact but for 1e-16
  motion   final values of the motion itself: (E1), (E2), (E15), or the scheme at a much finer step, `finer` of the input
  indices  first and total indices by quadrature of (E1)
"""
import json
import sys

import numpy as np

import peer_numpy


def fall(mu, v0, height, end, g):
    """(E1): final x, vx."""
    hit, speed = np.sqrt(2 * height / g), np.maximum(0, v0 - mu * np.sqrt(2 * g * height))
    left = np.minimum(end - hit, speed / (mu * g))
    return v0 * hit + speed * left - mu * g * left**2 / 2, speed - mu * g * left


def slide(theta, mu, beta, g):
    """(E15): acceleration along the groove."""
    return np.maximum(0, g * (np.sin(theta) - mu * np.cos(theta) / np.sin(beta)))


def indices(g, end, points=128):
    """First and total Sobol indices of (E1)'s final x by the midpoint rule: mu in [0.1, 0.6], v0 in [1, 3], height in [0.5, 1.5]."""
    middle = (np.arange(points) + 0.5) / points
    y = fall(*np.meshgrid(0.1 + 0.5 * middle, 1 + 2 * middle, 0.5 + middle, indexing="ij"), end, g)[0]
    y = y - y.mean()
    variance = (y * y).mean()
    others = [tuple(a for a in range(3) if a != i) for i in range(3)]
    return [[(y.mean(o) ** 2).mean() / variance for o in others], [1 - (y.mean(i) ** 2).mean() / variance for i in range(3)]]


def main(workload, path):
    from cases import GRAVITY
    with open(path) as file:
        inputs = json.load(file)
    h, steps, finer = inputs["h"], inputs["steps"], inputs["finer"]
    columns = {name: np.array(values) for name, values in inputs["columns"].items()}
    zero = np.zeros(len(next(iter(columns.values()))))
    scheme = motion = None
    if workload == "indices":
        scheme = motion = indices(GRAVITY, h * steps)
    elif workload == "slope":
        scheme = motion = [zero] * 6  # (E2): tan theta <= mu for all of them
    elif workload == "groove":
        a = slide(columns["theta"], columns["mu"], 0.7, GRAVITY)
        scheme = [a * h * h * steps * (steps + 1) / 2, zero, zero, a * h * steps, zero, zero]
        motion = [a * (h * steps) ** 2 / 2, zero, zero, a * h * steps, zero, zero]
    elif workload != "rod":
        scheme = peer_numpy.prepare(workload, inputs, np.longdouble)[0]()
        if workload == "plane":
            x, vx = fall(columns["mu"], columns["v0"], 1.0, h * steps, GRAVITY)
            motion = [x, zero, zero, vx, zero, zero]
        else:
            few = {**inputs, "h": h / finer, "steps": steps * finer, "columns": {name: values[:64] for name, values in inputs["columns"].items()}}
            motion = peer_numpy.prepare(workload, few, np.longdouble)[0]()
            if workload == "smooth":  # smooth: an extrapolation takes the first power of h away
                finest = {**few, "h": few["h"] / 2, "steps": few["steps"] * 2}
                motion = 2 * peer_numpy.prepare(workload, finest, np.longdouble)[0]() - motion
    json.dump({name: None if values is None else [[float(x) for x in column] for column in values] for name, values in (("scheme", scheme), ("motion", motion))},
              sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
