#include "model/algebra.hpp"

#include <algorithm>
#include <cmath>
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

namespace {

// k of k * something; 0: it is not of this kind
double find_factor(const Expr& part) {
  if (part->op == Op::negate) return find_factor(part->args[0]);
  return part->op == Op::multiply && part->args[0]->op == Op::constant ? std::fabs(part->args[0]->value) : 0;
}

Expr divide_factor(const Expr& part, double power) {
  if (part->op == Op::negate) return make_node(Op::negate, {divide_factor(part->args[0], power)});
  return times(make_constant(part->args[0]->value / power), part->args[1]);
}

}  // namespace

Scaled take_out_power(const std::vector<Expr>& parts) {
  constexpr int most = 8;  // larger ones would change which squares overflow
  std::vector<Expr> simple;
  double least = HUGE_VAL;
  for (const Expr& part : parts) {
    simple.push_back(expression::simplify(part));
    if (!is_zero(simple.back())) least = std::min(least, find_factor(simple.back()));
  }
  if (least == 0 || !std::isfinite(least) || std::abs(std::ilogb(least)) > most) return {1, parts};
  const double power = std::ldexp(1.0, std::ilogb(least));
  if (power == 1) return {1, parts};
  for (Expr& part : simple)
    if (!is_zero(part)) part = expression::simplify(divide_factor(part, power));
  return {power, simple};
}

Expr length_of(const std::vector<Expr>& a) {
  const Scaled scaled = take_out_power(a);
  std::vector<Expr> parts;
  for (const Expr& part : scaled.parts)
    if (!is_zero(expression::simplify(part))) parts.push_back(part);
  if (parts.empty()) return make_constant(0);
  const Expr length = parts.size() == 1 ? make_node(Op::abs, parts) : make_node(Op::sqrt, {dot(parts, parts)});
  return expression::simplify(times(make_constant(scaled.power), length));
}

bool is_zero(const Expr& expr) { return expr->op == Op::constant && expr->value == 0; }

bool is_polynomial(const Expr& expr) {
  return !expression::any_node(expr, [](const expression::Node& n) {
    return n.op != Op::constant && n.op != Op::symbol && n.op != Op::negate && n.op != Op::add &&
           n.op != Op::subtract && n.op != Op::multiply;
  });
}

}  // namespace conesweep::model
