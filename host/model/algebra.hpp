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

/// A power of two that all parts have as a factor, and what is left of them. It goes in and out of lengths and
/// directions exactly: of x² + y² <= r² the squares of the gradient are then those of the wall itself. 1 where a part
/// is not a number times something.
struct Scaled {
  double power;
  std::vector<expression::Expr> parts;
};
Scaled take_out_power(const std::vector<expression::Expr>& parts);

/// |a|, simplified: of one number without squaring it.
expression::Expr length_of(const std::vector<expression::Expr>& a);

/// The same trees; of two differences a - b and b - a the second is the first one, negated, which is exact: a pull
/// between two bodies is found once.
std::vector<expression::Expr> share_differences(const std::vector<expression::Expr>& trees);

/// h times a tree: what of it depends on parameters alone is multiplied first, and so once.
expression::Expr scale_first(const expression::Expr& h, const expression::Expr& tree);

bool is_zero(const expression::Expr& expr);

/// Made of + - * alone: with finite leaves never NaN, short of an overflow.
bool is_polynomial(const expression::Expr& expr);

}  // namespace conesweep::model
