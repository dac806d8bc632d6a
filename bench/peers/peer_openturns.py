"""OpenTURNS: design, estimator (Saltelli) and bootstrap intervals; the model is Numba's."""
import numpy as np
# user: indices
import openturns as ot

from peer_numba import fall
# end


def versions():
    return f"OpenTURNS {ot.__version__}"


# user: indices
def find_indices(base, h, steps, g):
    inputs = ot.JointDistribution([ot.Uniform(0.1, 0.6), ot.Uniform(1, 3), ot.Uniform(0.5, 1.5)])
    points = ot.SobolIndicesExperiment(ot.LowDiscrepancyExperiment(ot.SobolSequence(), inputs, base), False).generate()
    out = np.empty((6, len(points)))
    mu, v0, height = np.ascontiguousarray(np.array(points).T)
    fall(mu, v0, height, h, steps, g, out)
    found = ot.SaltelliSensitivityAlgorithm(points, ot.Sample(out[0][:, None]), base)
    found.setUseAsymptoticDistribution(False)
    return found.getFirstOrderIndices(), found.getTotalOrderIndices(), found.getFirstOrderIndicesInterval(), found.getTotalOrderIndicesInterval()
# end


def prepare(workload, inputs):
    from cases import GRAVITY
    base = inputs["members"] // 5

    def run():
        first, total, first_ends, total_ends = find_indices(base, inputs["h"], inputs["steps"], GRAVITY)
        return first, total, first_ends.getLowerBound(), first_ends.getUpperBound(), total_ends.getLowerBound(), total_ends.getUpperBound()

    return run, base * 5
