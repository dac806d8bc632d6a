#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

/// What a study of the step found (converge.json, mlmc.json), as numbers over the step. None where its file is not in
/// the run's folder, or is about another problem. InputError if it has no levels.
namespace conesweep::tell {

struct StepCurve {
  std::string name;
  std::vector<double> steps, values;  // sizes: without their sign
};

/// How the mean of each observable that changes does so when a step is halved.
std::vector<StepCurve> read_convergence(const std::filesystem::path& folder, const scenario::Scenario& scenario);

/// Members, mean and variance of each level, of the difference to the level before.
std::vector<StepCurve> read_levels(const std::filesystem::path& folder, const scenario::Scenario& scenario);

}  // namespace conesweep::tell
