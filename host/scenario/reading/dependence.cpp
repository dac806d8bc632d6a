#include "scenario/reading/dependence.hpp"

#include <algorithm>

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Node;
using expression::Op;
using expression::Symbol;

bool is_varied(const Scenario& scenario, Symbol symbol) {
  const auto is_it = [&](const auto& varied) { return varied.parameter == symbol.index; };
  return symbol.kind == Symbol::Kind::parameter && (std::any_of(scenario.vary.begin(), scenario.vary.end(), is_it) ||
                                                    std::any_of(scenario.sweep.begin(), scenario.sweep.end(), is_it));
}

bool has_varied(const Scenario& scenario, const Expr& expr) {
  return depends_on(expr, [&](Symbol s) { return is_varied(scenario, s); });
}

bool has_velocity(const Expr& expr) { return names_a(Symbol::Kind::velocity, expr); }

// Affine, where each of its arguments is.
bool joins_affinely(const Node& node) {
  const auto& args = node.args;
  switch (node.op) {
    case Op::negate:
    case Op::add:
    case Op::subtract: return true;
    case Op::multiply: return !has_velocity(args[0]) || !has_velocity(args[1]);
    case Op::divide: return !has_velocity(args[1]);
    case Op::choose: return !has_velocity(args[0]);
    default: return false;
  }
}

}  // namespace

bool depends_on(const Expr& expr, const std::function<bool(Symbol)>& test) {
  return expression::any_node(expr, [&](const Node& node) { return node.op == Op::symbol && test(node.symbol); });
}

bool names_a(Symbol::Kind kind, const Expr& expr) {
  return depends_on(expr, [&](Symbol s) { return s.kind == kind; });
}

bool is_fixed(const Expr& expr) {
  return !depends_on(expr, [](Symbol s) { return s.kind != Symbol::Kind::parameter; });
}

bool is_static(const Expr& expr) {
  const auto is_known = [](Symbol::Kind kind) {
    return kind == Symbol::Kind::time || kind == Symbol::Kind::coordinate || kind == Symbol::Kind::parameter;
  };
  return !expression::any_node(expr, [&](const Node& n) {
    return expression::is_history(n.op) || (n.op == Op::symbol && !is_known(n.symbol.kind));
  });
}

bool varies(const Scenario& scenario, const Expr& expr) {
  return depends_on(expr, [&](Symbol s) {
    if (s.kind == Symbol::Kind::coordinate) return start_varies(scenario);
    if (s.kind == Symbol::Kind::velocity) return start_velocity_varies(scenario);
    return is_varied(scenario, s);
  });
}

bool start_varies(const Scenario& scenario) {
  return std::any_of(scenario.start.begin(), scenario.start.end(),
                     [&](const Start& s) { return has_varied(scenario, s.past.tree); });
}

bool start_velocity_varies(const Scenario& scenario) {
  return std::any_of(scenario.start.begin(), scenario.start.end(),
                     [&](const Start& s) { return has_varied(scenario, s.velocity ? s.velocity->tree : s.past.tree); });
}

Expr find_nonlinear(const Expr& expr) {
  if (expr->op == Op::symbol || !has_velocity(expr)) return nullptr;
  for (const Expr& arg : expr->args)
    if (Expr found = find_nonlinear(arg)) return found;
  return joins_affinely(*expr) ? nullptr : expr;
}

}  // namespace conesweep::scenario
