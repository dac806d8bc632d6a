#pragma once

#include "expression/interval.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// How well a formula behaves, as far as its form tells.
enum class Regularity {
  bounded,    // on bounded sets: it may jump
  lipschitz,  // on bounded sets: abs, min, max, hypot and windows are, beside what is analytic
  analytic,   // where it is defined
};

/// The innermost part of `expr` that keeps it from being as regular as wanted; none if nothing does.
///
/// Conservative: roots, arcs, broken powers, atan2 are taken to be analytic only where interval bounds keep their
/// arguments away from the place at which they are not; conditions, sign, floor, ceil and mod may jump, whatever they
/// are used for. Made of parameters alone a part is a number.
expression::Expr find_rough(const Scenario& scenario, const expression::Expr& expr, Regularity wanted);

/// An interval that holds the formula wherever the member is, for all values of varied parameters.
expression::Interval bounds_anywhere(const Scenario& scenario, const expression::Expr& expr);

}  // namespace conesweep::scenario
