#include "model/formula.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "expression/calculus.hpp"
#include "model/algebra.hpp"
#include "model/rewrite.hpp"

namespace conesweep::model {

using expression::Expr;
using expression::make_node;
using expression::Node;
using expression::Op;
using expression::Symbol;

namespace {

Expr fold_node(const Expr& expr, std::vector<Expr> args) {
  const bool constant = std::all_of(args.begin(), args.end(), [](const Expr& arg) { return arg->op == Op::constant; });
  const bool product = expr->op == Op::multiply || expr->op == Op::divide || expr->op == Op::power ||
                       std::any_of(args.begin(), args.end(), [](const Expr& arg) { return arg->from_product; });
  Expr node = make_node(expr->op, std::move(args));
  if (!constant || expression::is_history(expr->op)) return node;
  node = expression::simplify(node);
  if (!product || node->op != Op::constant) return node;
  Node folded = *node;  // sums keep equalities with it, too
  folded.from_product = true;
  return std::make_shared<const Node>(std::move(folded));
}

bool sees_past(const Expr& expr) {
  if (expr->op == Op::now) return false;
  return (expr->op == Op::symbol && expr->symbol.kind == Symbol::Kind::coordinate) ||
         std::any_of(expr->args.begin(), expr->args.end(), sees_past);
}

// window_max(|a - b|) of a past a and a present b is the larger of window_max(a) - b and b - window_min(a), which do
// not look through all nodes. Rounding is monotone: not a bit changes.
Expr split_distances(const Expr& formula) {
  return rewrite(formula, [](const Expr& expr) -> Expr {
    if (expr->op != Op::window_max || expr->args[0]->op != Op::abs || expr->args[0]->args[0]->op != Op::subtract)
      return nullptr;
    Expr past = expr->args[0]->args[0]->args[0], present = expr->args[0]->args[0]->args[1];
    if (sees_present(past)) std::swap(past, present);
    if (sees_present(past) || !sees_present(present) || sees_past(present)) return nullptr;
    const Expr now = rewrite(present, [](const Expr& e) -> Expr { return e->op == Op::now ? e->args[0] : nullptr; });
    return make_node(Op::max, {minus(make_node(Op::window_max, {past, expr->args[1]}), now),
                               minus(now, make_node(Op::window_min, {past, expr->args[1]}))});
  });
}

}  // namespace

Expr fold(const Expr& formula) {
  std::unordered_map<const Node*, Expr> done;
  const std::function<Expr(const Expr&)> visit = [&](const Expr& expr) -> Expr {
    if (expr->args.empty()) return expr;
    Expr& known = done[expr.get()];
    if (known) return known;
    std::vector<Expr> args;
    for (const auto& arg : expr->args) args.push_back(visit(arg));
    return done[expr.get()] = fold_node(expr, std::move(args));
  };
  return visit(formula);
}

bool sees_present(const Expr& expr) {
  return expression::any_node(expr, [](const Node& n) { return n.op == Op::now; });
}

Expr prepared(const Expr& formula) { return split_distances(fold(formula)); }

}  // namespace conesweep::model
