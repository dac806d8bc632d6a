"""The estimators of conesweep against those of OpenTURNS, on the same designs and values.

    python3 openturns_test.py EXPORT

EXPORT prints them as JSON. What OpenTURNS computes [its sources, lib/src/Uncertainty/Algorithm/Sensitivity], with var = variance of A alone:
  Jansen            first = 1 - sum (B - AB)^2 / (2N - 1) / var      total = sum (A - AB)^2 / (2N - 1) / var
  MauntzKucherenko  first = sum (B - c)(AB - A) / (N - 1) / var      c = mean of all values
  Saltelli          first, second: other estimators of the same indices
So Jansen's and Mauntz and Kucherenko's are ours but for the divisors and the centre, and must agree to rounding; intervals of Saltelli's must
meet ours. Exit code 77 (a visible skip) without OpenTURNS.
"""
import json
import subprocess
import sys

try:
    import numpy as np
    import openturns as ot
except ImportError as error:
    print(f"skipped: {error}; install python3-openturns")
    sys.exit(77)

ROUNDING = 1e-12  # indices of size 1 from sums of a few thousand terms
failures = []
checked = 0


def close(what, ours, theirs, tolerance=ROUNDING):
    global checked
    checked += 1
    if not abs(ours - theirs) <= tolerance:
        failures.append(f"{what}: {ours!r} is not {theirs!r}")


def overlap(what, index, lower, upper):
    global checked
    checked += 1
    if not (index["lower"] <= upper and lower <= index["upper"]):
        failures.append(f"{what}: [{lower}, {upper}] does not meet {index}")


def algorithm(kind, blocks, points, n):
    design = ot.Sample(np.concatenate(points))
    values = ot.Sample(np.concatenate(blocks).reshape(-1, 1))
    return getattr(ot, kind + "SensitivityAlgorithm")(design, values, n)


def check_sobol(case):
    k, n, rows = case["parameters"], case["bases"], case["rows"]
    values = np.array(case["values"]).reshape(n, rows)
    design = np.array(case["design"]).reshape(n, rows, k)
    y = [values[:, r] for r in range(rows)]
    x = [design[:, r, :] for r in range(rows)]
    name = case["name"] + (" with second order" if case["second_order"] else "")

    # one role, or both: A and B exchanged
    roles = [list(range(rows))]
    if case["second_order"]:
        roles.append([1, 0] + list(range(2 + k, 2 + 2 * k)) + list(range(2, 2 + k)))
    first, jansen, total = np.zeros(k), np.zeros(k), np.zeros(k)
    for order in roles:
        blocks, points = [y[r] for r in order][: 2 + k], [x[r] for r in order][: 2 + k]
        variance = np.var(blocks[0], ddof=1)
        by_jansen = algorithm("Jansen", blocks, points, n)
        by_mauntz = algorithm("MauntzKucherenko", blocks, points, n)
        jansen += (1 - np.array(by_jansen.getFirstOrderIndices())) * variance * (2 * n - 1) / (2 * n) / len(roles)
        total += np.array(by_jansen.getTotalOrderIndices()) * variance * (2 * n - 1) / (2 * n) / len(roles)
        centre = np.mean(np.concatenate(blocks))
        shift = np.array([np.mean(blocks[2 + i] - blocks[0]) for i in range(k)])
        first += (np.array(by_mauntz.getFirstOrderIndices()) * variance * (n - 1) / n + (centre - case["mean"]) * shift) / len(roles)
    close(f"{name}: variance", case["variance"], np.var(np.concatenate([y[0], y[1]]), ddof=1))
    for i in range(k):
        close(f"{name}: total {i}", case["total"][i]["value"], total[i] / case["variance"])
        close(f"{name}: first by Jansen {i}", case["first_jansen"][i]["value"], 1 - jansen[i] / case["variance"])
        close(f"{name}: first {i}", case["first"][i]["value"], first[i] / case["variance"])

    # the same index by another estimator
    saltelli = algorithm("Saltelli", y, x, n)
    saltelli.setUseAsymptoticDistribution(False)
    saltelli.setBootstrapSize(200)
    theirs = saltelli.getFirstOrderIndicesInterval()
    for i in range(k):
        overlap(f"{name}: first by Saltelli 2002 {i}", case["first"][i], theirs.getLowerBound()[i], theirs.getUpperBound()[i])
    if case["second_order"]:
        second = saltelli.getSecondOrderIndices()
        pair = 0
        for i in range(k):
            for j in range(i + 1, k):
                # theirs has no interval; its error is mostly that of S_i + S_j by Saltelli's estimator
                reach = sum(0.5 * (theirs.getUpperBound()[q] - theirs.getLowerBound()[q]) for q in (i, j))
                overlap(f"{name}: second {i} {j}", case["second"][pair], second[i, j] - reach, second[i, j] + reach)
                pair += 1


def check_correlation(case):
    analysis = ot.CorrelationAnalysis(ot.Sample(np.array(case["parameters"]).T), ot.Sample(np.array(case["values"]).reshape(-1, 1)))
    for ours, theirs in (("spearman", analysis.computeSpearmanCorrelation()), ("partial_rank", analysis.computePRCC()), ("regression", analysis.computeSRC())):
        for i, value in enumerate(theirs):
            close(f"{ours} {i}", case[ours][i]["value"], value)


ot.Log.Show(ot.Log.ERROR)
data = json.loads(subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout)
for case in data["sobol"]:
    check_sobol(case)
check_correlation(data["correlation"])
for failure in failures:
    print(failure)
print(f"OpenTURNS {ot.__version__}: {len(failures)} of {checked} comparisons differ")
sys.exit(1 if failures else 0)
