#include "scenario/reading/regularity.hpp"

#include <cmath>

#include "sampling/distribution.hpp"
#include "scenario/reading/dependence.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Interval;
using expression::Op;
using expression::Symbol;

bool is_whole(double x) { return std::isfinite(x) && x == std::floor(x); }
bool excludes(Interval i, double x) { return i.lower > x || i.upper < x; }

// What the operation itself does to numbers that are analytic functions of the state.
Regularity regularity_of(const Scenario& scenario, const expression::Node& node) {
  const auto range = [&](std::size_t k) { return bounds_anywhere(scenario, node.args[k]); };
  switch (node.op) {
    case Op::constant:
    case Op::symbol:
    case Op::negate:
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:  // its poles are no part of its domain; the same holds of tan and log
    case Op::tan:
    case Op::log:
    case Op::log10:
    case Op::atan:
    case Op::cos:
    case Op::cosh:
    case Op::exp:
    case Op::sin:
    case Op::sinh:
    case Op::tanh:
    case Op::delay:
    case Op::now: return Regularity::analytic;
    case Op::power: {
      const Interval base = range(0), exponent = range(1);
      if (base.lower > 0 || (exponent.is_point() && is_whole(exponent.lower))) return Regularity::analytic;
      return exponent.lower >= 1 ? Regularity::lipschitz : Regularity::bounded;
    }
    case Op::abs: return excludes(range(0), 0) ? Regularity::analytic : Regularity::lipschitz;
    case Op::hypot:
      return excludes(range(0), 0) || excludes(range(1), 0) ? Regularity::analytic : Regularity::lipschitz;
    case Op::atan2: return range(1).lower > 0 ? Regularity::analytic : Regularity::bounded;
    case Op::sqrt: return range(0).lower > 0 ? Regularity::analytic : Regularity::bounded;
    case Op::acos:
    case Op::asin: return range(0).lower > -1 && range(0).upper < 1 ? Regularity::analytic : Regularity::bounded;
    case Op::max:
    case Op::min:
      return range(0).lower > range(1).upper || range(0).upper < range(1).lower ? Regularity::analytic
                                                                                : Regularity::lipschitz;
    case Op::window_max:
    case Op::window_min:
    case Op::window_mean: return Regularity::lipschitz;
    default: return Regularity::bounded;  // conditions and what they choose; sign, floor, ceil, mod
  }
}

}  // namespace

Expr find_rough(const Scenario& scenario, const Expr& expr, Regularity wanted) {
  const auto is_number = [](const Expr& part) {
    return is_fixed(part) && !expression::any_node(part, [](const auto& n) { return expression::is_history(n.op); });
  };
  if (is_number(expr)) return nullptr;
  // a choice between parameters' cases is one of its branches for the whole motion
  const bool settled = expr->op == Op::choose && is_number(expr->args[0]);
  for (const Expr& arg : expr->args)
    if (Expr found = find_rough(scenario, arg, wanted)) return found;
  return settled || regularity_of(scenario, *expr) >= wanted ? nullptr : expr;
}

Interval bounds_anywhere(const Scenario& scenario, const Expr& expr) {
  return expression::bounds(expr, [&](Symbol symbol) -> Interval {
    if (symbol.kind != Symbol::Kind::parameter) return {-infinity, infinity};
    for (const Variation& variation : scenario.vary)
      if (variation.parameter == symbol.index) {
        const auto [lower, upper] = sampling::support(variation.distribution);
        return {lower, upper};
      }
    const double value = scenario.defaults[static_cast<std::size_t>(symbol.index)];
    return {value, value};
  });
}

}  // namespace conesweep::scenario
