#pragma once

#include <cstddef>
#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::sampling {

/// What a distribution is written with: so many numbers (0: one or more) and, for people, which. A table has none.
struct Form {
  std::size_t count;
  const char* numbers;
};
Form form_of(scenario::DistributionKind kind);

/// What is wrong with the values of a distribution that has as many as its form wants; empty if nothing. Below trusts what passed here.
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
