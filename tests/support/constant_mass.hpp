#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <optional>
#include <vector>

#include "expression/still_world.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::test {

inline bool uses_coordinates(const expression::Expr& tree) {
  if (tree->op == expression::Op::symbol) return tree->symbol.kind == expression::Symbol::Kind::coordinate;
  return std::any_of(tree->args.begin(), tree->args.end(), uses_coordinates);
}

/// Nothing where the mass depends on the coordinates: the balance then holds up to the step only.
inline std::optional<Eigen::MatrixXd> find_constant_mass(const scenario::Scenario& scenario,
                                                         const std::vector<double>& parameters) {
  const auto d = static_cast<Eigen::Index>(scenario.dimension());
  Eigen::MatrixXd mass = Eigen::MatrixXd::Identity(d, d);
  const bool diagonal = static_cast<Eigen::Index>(scenario.mass.size()) == d;
  for (std::size_t k = 0; k < scenario.mass.size(); ++k) {
    if (uses_coordinates(scenario.mass[k].tree)) return std::nullopt;
    const auto at = static_cast<Eigen::Index>(k);
    mass(diagonal ? at : at / d, diagonal ? at : at % d) =
        expression::evaluate<double>(scenario.mass[k].tree, expression::StillWorld<double>{parameters});
  }
  return mass;
}

}  // namespace conesweep::test
