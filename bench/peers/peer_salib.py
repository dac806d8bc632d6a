"""SALib: design, estimator and bootstrap intervals; the model is Numba's."""
import importlib.metadata

import numpy as np
# user: indices
from SALib.analyze import sobol as analyze
from SALib.sample import sobol as sample

from peer_numba import fall
# end


def versions():
    return f"SALib {importlib.metadata.version('SALib')}"


# user: indices
def find_indices(base, h, steps, g):
    problem = {"num_vars": 3, "names": ["mu", "v0", "height"], "bounds": [[0.1, 0.6], [1, 3], [0.5, 1.5]]}
    points = sample.sample(problem, base, calc_second_order=False, seed=1)
    out = np.empty((6, len(points)))
    mu, v0, height = np.ascontiguousarray(points.T)
    fall(mu, v0, height, h, steps, g, out)
    found = analyze.analyze(problem, out[0], calc_second_order=False, seed=1)
    return found["S1"], found["ST"], found["S1_conf"], found["ST_conf"]
# end


def prepare(workload, inputs):
    from cases import GRAVITY
    base = inputs["members"] // 5

    def run():
        first, total, first_width, total_width = find_indices(base, inputs["h"], inputs["steps"], GRAVITY)
        return first, total, first - first_width, first + first_width, total - total_width, total + total_width

    return run, base * 5
