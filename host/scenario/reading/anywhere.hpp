#pragma once

#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// Some parameters, position and time: what two formulas have in common there they have in common everywhere, as a
/// rule.
struct Anywhere {
  std::vector<double> parameters, coordinates;
  double t = 0;

  /// Of a formula without velocities and history.
  double value(const expression::Expr& expr) const;
};

/// Sixteen of them, always the same: parameters near their defaults, coordinates and time in [-1, 1].
std::vector<Anywhere> random_places(const Scenario& scenario);

/// The derivatives of a formula with respect to all coordinates, or all velocities, at each of the places.
using Row = std::vector<double>;
std::vector<Row> rows_at(const std::vector<Anywhere>& places, const expression::Expr& expr,
                         expression::Symbol::Kind kind, int dimension);

bool is_zero(const Row& row);

/// Is it made of pieces (`if`, `max`, `floor`, …), so that places may all lie in one of them?
bool has_pieces(const expression::Expr& expr);

/// Does a formula name coordinates, or velocities, of which none counts? Not said of formulas with pieces, of which
/// another piece may.
bool counts_none(const std::vector<Anywhere>& places, const expression::Expr& expr, expression::Symbol::Kind kind,
                 int dimension);

/// At every place where both have a direction, and there are such places?
bool are_parallel(const std::vector<Row>& some, const std::vector<Row>& others);

}  // namespace conesweep::scenario
