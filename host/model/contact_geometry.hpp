#pragma once

#include <vector>

#include "scenario/scenario.hpp"

// ∇g of contacts and their normals, as trees.

namespace conesweep::model {

/// ∂/∂q_0, ∂/∂q_1, …
std::vector<expression::Expr> gradient_of(const expression::Expr& tree, int dimension);

/// Of a contact with a point: the gradient in space, at the point.
std::vector<expression::Expr> gradient_in_space(const scenario::Contact& contact);

/// |∇g|; with a point that in space.
expression::Expr steepness_of(const scenario::Contact& contact, int dimension);

/// The inward normal -∇g / |∇g|; of a wall along an axis exactly ±1.
std::vector<expression::Expr> find_normal(const std::vector<expression::Expr>& gradient);

/// The normal row of a contact in a coupled step (B8): n = -∇g/|∇g|, of a point in its space; with `slip`, or a mass,
/// -∇g as written.
std::vector<expression::Expr> inward_of(const scenario::Problem& problem, const scenario::Contact& contact);

}  // namespace conesweep::model
