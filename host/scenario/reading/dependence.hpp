#pragma once

#include <functional>

#include "scenario/scenario.hpp"

// What a formula depends on.

namespace conesweep::scenario {

bool depends_on(const expression::Expr& expr, const std::function<bool(expression::Symbol)>& test);

/// Is a symbol of this kind part of it?
bool names_a(expression::Symbol::Kind kind, const expression::Expr& expr);

/// The same wherever and whenever it is asked for: made of parameters.
bool is_fixed(const expression::Expr& expr);

/// Known at the start without stepping: no velocity, no history, nothing of a law.
bool is_static(const expression::Expr& expr);

/// Does it differ between members at their start?
bool varies(const Scenario& scenario, const expression::Expr& expr);

/// Do members start at different places? With different velocities?
bool start_varies(const Scenario& scenario);
bool start_velocity_varies(const Scenario& scenario);

/// The innermost part that keeps `expr` from being affine in the velocities, a(q, t)·v + b(q, t); none if it is.
///
/// Seen from the form alone: a product of two velocities, a velocity in a function, a condition, an exponent or a
/// divisor.
expression::Expr find_nonlinear(const expression::Expr& expr);

}  // namespace conesweep::scenario
