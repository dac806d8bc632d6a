#pragma once

#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// Some parameters, position and time: what two formulas have in common there they have in common everywhere, as a rule.
struct Anywhere {
  std::vector<double> parameters, coordinates;
  double t = 0;

  /// Of a formula without velocities and history.
  double value(const expression::Expr& expr) const;
};

/// Sixteen of them, always the same: parameters near their defaults, coordinates and time in [-1, 1].
std::vector<Anywhere> random_places(const Scenario& scenario);

}  // namespace conesweep::scenario
