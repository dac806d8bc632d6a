#include "model/algebra.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include "expression/calculus.hpp"
#include "model/emitter.hpp"

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

namespace {

// Trees with every difference written one way round; what was turned is negated where it is used, or further up.
class Turning {
 public:
  struct Signed {
    Expr tree;
    bool negative = false;

    Expr whole() const { return negative ? make_node(Op::negate, {tree}) : tree; }
  };

  Signed visit(const Expr& expr) {
    if (expr->args.empty()) return {expr};
    const auto known = done_.find(expr.get());
    if (known != done_.end()) return known->second;
    std::vector<Signed> parts;
    for (const Expr& arg : expr->args) parts.push_back(visit(arg));
    return done_[expr.get()] = put_together(expr, parts);
  }

 private:
  Signed put_together(const Expr& expr, const std::vector<Signed>& parts) {
    const Signed &a = parts[0], &b = parts.back();
    switch (expr->op) {
      case Op::negate: return {a.tree, !a.negative};
      case Op::multiply:
      case Op::divide: return {make_node(expr->op, {a.tree, b.tree}), a.negative != b.negative};
      case Op::add: return add(a, b);
      case Op::subtract: return add(a, {b.tree, !b.negative});
      default: break;
    }
    std::vector<Expr> args;
    for (const Signed& part : parts) args.push_back(part.whole());
    return {make_node(expr->op, std::move(args))};
  }

  Signed add(const Signed& a, const Signed& b) {
    if (a.negative == b.negative) return {sum(a.tree, b.tree), a.negative};
    const Expr &plus = a.negative ? b.tree : a.tree, &less = a.negative ? a.tree : b.tree;
    const std::pair<int, int> one = {numbering_.number_of(plus), numbering_.number_of(less)};
    if (known_.contains({one.second, one.first})) return {minus(less, plus), true};
    known_.insert(one);
    return {minus(plus, less)};
  }

  Numbering numbering_;
  std::set<std::pair<int, int>> known_;
  std::unordered_map<const expression::Node*, Signed> done_;
};

}  // namespace

std::vector<Expr> share_differences(const std::vector<Expr>& trees) {
  Turning turning;
  std::vector<Expr> shared;
  for (const Expr& tree : trees) shared.push_back(turning.visit(tree).whole());
  return shared;
}

Expr scale_first(const Expr& h, const Expr& tree) {
  if (is_of_parameters(tree)) return times(h, tree);
  const auto& args = tree->args;
  if (tree->op == Op::negate) return make_node(Op::negate, {scale_first(h, args[0])});
  if (tree->op == Op::divide) return make_node(Op::divide, {scale_first(h, args[0]), args[1]});
  if (tree->op == Op::multiply && is_of_parameters(args[1])) return times(scale_first(h, args[1]), args[0]);
  if (tree->op == Op::multiply) return times(scale_first(h, args[0]), args[1]);
  return times(h, tree);
}

bool is_zero(const Expr& expr) { return expr->op == Op::constant && expr->value == 0; }

bool is_polynomial(const Expr& expr) {
  return !expression::any_node(expr, [](const expression::Node& n) {
    return n.op != Op::constant && n.op != Op::symbol && n.op != Op::negate && n.op != Op::add &&
           n.op != Op::subtract && n.op != Op::multiply;
  });
}

}  // namespace conesweep::model
