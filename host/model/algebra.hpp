#pragma once

#include <vector>

#include "expression/tree.hpp"

// Trees of our own making: sums, products, lengths.

namespace conesweep::model {

expression::Expr sum(expression::Expr a, expression::Expr b);
expression::Expr minus(expression::Expr a, expression::Expr b);
expression::Expr times(expression::Expr a, expression::Expr b);

/// Σ a_k b_k, simplified.
expression::Expr dot(const std::vector<expression::Expr>& a, const std::vector<expression::Expr>& b);

/// |a|, simplified: of one number without squaring it.
expression::Expr length_of(const std::vector<expression::Expr>& a);

bool is_zero(const expression::Expr& expr);

/// Made of + - * alone: with finite leaves never NaN, short of an overflow.
bool is_polynomial(const expression::Expr& expr);

}  // namespace conesweep::model
