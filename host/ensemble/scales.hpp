#pragma once

#include <vector>

#include "executor/executor.hpp"

namespace conesweep::ensemble {

/// The largest final position or velocity of any member; at rest the variation of the velocity tells what there was,
/// and of what rested all the time what its contacts carried in a step.
double state_size(const scenario::Scenario& scenario, const executor::Outcome& outcome);

/// What a tolerance of each observable is a share of: its largest |value|, and at least a thousandth of the state's
/// size: an observable that should be zero holds rounding errors of the state.
double least_scale(const scenario::Scenario& scenario, const executor::Outcome& outcome);
std::vector<double> observable_scales(const scenario::Scenario& scenario, const executor::Outcome& outcome);

/// An observable that counts nodes: it is equal up to rounding, or a step went another way.
struct Discrete {
  std::size_t observable;
  std::string name;
  double unit;  // the smallest change
};
std::vector<Discrete> find_discrete(const scenario::Scenario& scenario);

}  // namespace conesweep::ensemble
