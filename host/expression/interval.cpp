#include "expression/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "expression/evaluate.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::expression {
namespace {

constexpr Interval whole_line = {-infinity, infinity};

// A NaN among the corners (0 * inf, log of a negative number) tells nothing.
Interval hull(std::initializer_list<double> corners) {
  Interval result = {infinity, -infinity};
  for (const double x : corners) {
    if (std::isnan(x)) return whole_line;
    result.lower = std::min(result.lower, x);
    result.upper = std::max(result.upper, x);
  }
  return result;
}

template <class Function>
Interval monotone(Interval a, Function f) {
  return hull({f(a.lower), f(a.upper)});
}

Interval power(Interval a, Interval b) {
  const auto corners = [&] {
    return hull({std::pow(a.lower, b.lower), std::pow(a.lower, b.upper), std::pow(a.upper, b.lower),
                 std::pow(a.upper, b.upper)});
  };
  if (a.lower > 0) return corners();
  if (!b.is_point() || b.lower != std::floor(b.lower) || b.lower < 0) return whole_line;
  const Interval ends = corners();
  const bool even = std::fmod(b.lower, 2) == 0;
  return even && a.lower < 0 && a.upper > 0 ? Interval{0, ends.upper} : ends;
}

Interval magnitude(Interval a) {
  const Interval ends = monotone(a, [](double x) { return std::fabs(x); });
  return a.lower < 0 && a.upper > 0 ? Interval{0, ends.upper} : ends;
}

// Arguments that are single numbers: the operation itself.
struct PointWorld {
  const std::function<Interval(Symbol)>& lookup;
  double symbol(Symbol s) const { return lookup(s).lower; }
  double history(const Node&) const { return nan; }
};

}  // namespace

Interval bounds(const Expr& expr, const std::function<Interval(Symbol)>& symbol) {
  const Node& node = *expr;
  if (node.condition) return {0, 1};
  if (node.op == Op::constant) return {node.value, node.value};
  if (node.op == Op::symbol) return symbol(node.symbol);
  if (is_history(node.op)) return whole_line;
  if (node.op == Op::choose) {
    const Interval a = bounds(node.args[1], symbol), b = bounds(node.args[2], symbol);
    return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
  }

  const Interval a = bounds(node.args[0], symbol);
  const Interval b = node.args.size() > 1 ? bounds(node.args[1], symbol) : Interval{0, 0};
  if (a.is_point() && b.is_point()) {
    std::vector<Expr> numbers = {make_constant(a.lower)};
    if (node.args.size() > 1) numbers.push_back(make_constant(b.lower));
    const double value = evaluate<double>(make_node(node.op, std::move(numbers)), PointWorld{symbol});
    return std::isnan(value) ? whole_line : Interval{value, value};
  }
  switch (node.op) {
    case Op::negate: return {-a.upper, -a.lower};
    case Op::add: return hull({a.lower + b.lower, a.upper + b.upper});
    case Op::subtract: return hull({a.lower - b.upper, a.upper - b.lower});
    case Op::multiply: return hull({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
    case Op::divide:
      if (b.lower <= 0 && b.upper >= 0) return whole_line;
      return hull({a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper});
    case Op::power: return power(a, b);
    case Op::abs: return magnitude(a);
    case Op::cosh: return monotone(magnitude(a), [](double x) { return std::cosh(x); });
    case Op::acos: return monotone(a, [](double x) { return std::acos(x); });
    case Op::asin: return monotone(a, [](double x) { return std::asin(x); });
    case Op::atan: return monotone(a, [](double x) { return std::atan(x); });
    case Op::ceil: return monotone(a, [](double x) { return std::ceil(x); });
    case Op::exp: return monotone(a, [](double x) { return std::exp(x); });
    case Op::floor: return monotone(a, [](double x) { return std::floor(x); });
    case Op::log: return monotone(a, [](double x) { return std::log(x); });
    case Op::log10: return monotone(a, [](double x) { return std::log10(x); });
    case Op::sign: return monotone(a, [](double x) { return sign(x); });
    case Op::sinh: return monotone(a, [](double x) { return std::sinh(x); });
    case Op::sqrt: return monotone(a, [](double x) { return std::sqrt(x); });
    case Op::tanh: return monotone(a, [](double x) { return std::tanh(x); });
    case Op::tan:
      if (a.lower <= -std::numbers::pi / 2 || a.upper >= std::numbers::pi / 2) return whole_line;
      return monotone(a, [](double x) { return std::tan(x); });
    case Op::sin:
    case Op::cos: return {-1, 1};
    case Op::atan2: return {-std::numbers::pi, std::numbers::pi};
    case Op::hypot: {
      const Interval x = magnitude(a), y = magnitude(b);
      return hull({std::hypot(x.lower, y.lower), std::hypot(x.upper, y.upper)});
    }
    case Op::max: return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
    case Op::min: return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
    default: return whole_line;
  }
}

}  // namespace conesweep::expression
