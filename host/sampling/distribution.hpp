#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::sampling {

/// What is wrong with the values of a distribution that has as many as its row in the list wants; empty if nothing.
/// Below trusts what passed here.
std::string find_fault(const scenario::Distribution& distribution);

/// Inverse of the distribution function: u in [0, 1] -> value, within the support. `table` has none.
double quantile(const scenario::Distribution& distribution, double u);

/// Smallest and largest value a distribution can give.
struct Support {
  double lower = 0;
  double upper = 0;
};
Support support(const scenario::Distribution& distribution);

}  // namespace conesweep::sampling
