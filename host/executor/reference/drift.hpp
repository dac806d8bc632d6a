#pragma once

#include "executor/reference/coupled_laws.hpp"
#include "executor/reference/slopes.hpp"

namespace conesweep::executor::reference {

/// (B5) Brings a position that has moved back to its holonomic constraints, and to the walls of the contacts `held`, by
/// two steps of
///
///   q ← q - M⁻¹Bᵀ(B M⁻¹Bᵀ)⁻¹ φ(q, t),   B = ∂φ/∂q
///
/// A φ below 4 ulp of its own terms is rounding and counts as 0: what stands still does not creep. `mass` is that of
/// the position before the move. Where B M⁻¹Bᵀ cannot be inverted the position stays as it is: the next step finds its
/// rows dependent.
Vector without_drift(const scenario::Scenario& scenario, const Place& moved, const coupled::Matrix& mass,
                     const std::vector<std::size_t>& held = {});

/// The values of a formula that are rounding of its terms: below 4 ulp of the largest.
double rounding_of(const expression::Expr& formula, const Place& place);

/// Does the start satisfy all holonomic constraints, |φ|/|∇φ| <= 1e-9 (1 + |q|)? (B9)
bool starts_on_constraints(const scenario::Scenario& scenario, const Place& start);

}  // namespace conesweep::executor::reference
