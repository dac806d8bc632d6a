#pragma once

#include "report/charts.hpp"
#include "report/run_view.hpp"

/// What `converge --out` and `mlmc --out` left in the folder of a run, if it is about the same problem; else empty.
namespace conesweep::report {

/// Changes of the means over the steps: a curve for each observable that changes, or for one by its name.
std::vector<Curve> read_convergence(const RunView& run, const std::string& observable = {});

/// Numbers of the levels, by their names in mlmc.json, over their steps.
std::vector<Curve> read_levels(const RunView& run, const std::vector<std::string>& keys);

}  // namespace conesweep::report
