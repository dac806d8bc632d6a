#include "model/algebra.hpp"

#include <utility>

#include "expression/calculus.hpp"

namespace conesweep::model {

using expression::Expr;
using expression::make_constant;
using expression::make_node;
using expression::Op;

Expr sum(Expr a, Expr b) { return make_node(Op::add, {std::move(a), std::move(b)}); }
Expr minus(Expr a, Expr b) { return make_node(Op::subtract, {std::move(a), std::move(b)}); }
Expr times(Expr a, Expr b) { return make_node(Op::multiply, {std::move(a), std::move(b)}); }

Expr dot(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  Expr product = make_constant(0);
  for (std::size_t k = 0; k < a.size(); ++k) product = sum(product, times(a[k], b[k]));
  return expression::simplify(product);
}

Expr length_of(const std::vector<Expr>& a) {
  std::vector<Expr> parts;
  for (const Expr& part : a)
    if (!is_zero(expression::simplify(part))) parts.push_back(part);
  if (parts.empty()) return make_constant(0);
  if (parts.size() == 1) return expression::simplify(make_node(Op::abs, parts));
  return expression::simplify(make_node(Op::sqrt, {dot(parts, parts)}));
}

bool is_zero(const Expr& expr) { return expr->op == Op::constant && expr->value == 0; }

bool is_polynomial(const Expr& expr) {
  return !expression::any_node(expr, [](const expression::Node& n) {
    return n.op != Op::constant && n.op != Op::symbol && n.op != Op::negate && n.op != Op::add && n.op != Op::subtract && n.op != Op::multiply;
  });
}

}  // namespace conesweep::model
