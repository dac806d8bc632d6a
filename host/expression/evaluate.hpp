#pragma once

#include <cmath>

#include "expression/tree.hpp"
#include "support/error.hpp"

namespace conesweep::expression {

/// Interprets a tree over any number type: double, one that carries its gradient.
///
/// `World` gives the leaves their meaning:
///   Scalar symbol(Symbol)             value of t, a coordinate, a velocity, a parameter
///   Scalar history(const Node&)       value of delay(…), window_…(…) or now(…)
///
/// The fast executors never come here: they compile code made from the trees.
template <class Scalar, class World>
Scalar evaluate(const Expr& expr, const World& world);

template <class Scalar, class World>
bool holds(const Expr& expr, const World& world) {
  const Node& node = *expr;
  if (node.op == Op::constant) return node.value != 0;
  if (node.op == Op::logical_and) return holds<Scalar>(node.args[0], world) && holds<Scalar>(node.args[1], world);
  if (node.op == Op::logical_or) return holds<Scalar>(node.args[0], world) || holds<Scalar>(node.args[1], world);
  if (node.op == Op::logical_not) return !holds<Scalar>(node.args[0], world);
  const Scalar a = evaluate<Scalar>(node.args[0], world);
  const Scalar b = evaluate<Scalar>(node.args[1], world);
  switch (node.op) {
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    case Op::greater_equal: return a >= b;
    case Op::equal: return a == b;
    case Op::not_equal: return a != b;
    default: throw InternalError("a condition is a comparison or joins some", __FILE__, __LINE__);
  }
}

/// sign(0) = 0 and sign(nan) = nan
inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/// The remainder with the sign of the divisor: a - b floor(a/b), not from the rounded quotient, which may be a whole
/// number too large.
inline double mod(double a, double b) {
  const double rest = std::fmod(a, b);  // exact, with the sign of a
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// In ]-pi, pi]: the sign of a zero does not count. The library's atan2(-0, -1) is -pi, so that 0*x simplified to 0
/// would change a value.
inline double atan2(double a, double b) { return std::atan2(a + 0.0, b + 0.0); }

// One operation on numbers; apart from the recursion, whose frames stay small that way.

template <class Scalar>
Scalar apply_operation(Op op, const Scalar& a) {
  using std::abs, std::acos, std::asin, std::atan, std::ceil, std::cos, std::cosh, std::exp, std::floor, std::log,
      std::log10, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  switch (op) {
    case Op::negate: return Scalar(-a);
    case Op::abs: return Scalar(abs(a));
    case Op::acos: return Scalar(acos(a));
    case Op::asin: return Scalar(asin(a));
    case Op::atan: return Scalar(atan(a));
    case Op::ceil: return Scalar(ceil(a));
    case Op::cos: return Scalar(cos(a));
    case Op::cosh: return Scalar(cosh(a));
    case Op::exp: return Scalar(exp(a));
    case Op::floor: return Scalar(floor(a));
    case Op::log: return Scalar(log(a));
    case Op::log10: return Scalar(log10(a));
    case Op::sign: return Scalar(sign(a));
    case Op::sin: return Scalar(sin(a));
    case Op::sinh: return Scalar(sinh(a));
    case Op::sqrt: return Scalar(sqrt(a));
    case Op::tan: return Scalar(tan(a));
    case Op::tanh: return Scalar(tanh(a));
    default: throw InternalError("every function of one number can be evaluated", __FILE__, __LINE__);
  }
}

template <class Scalar>
Scalar apply_operation(Op op, const Scalar& a, const Scalar& b) {
  using std::hypot, std::pow;
  switch (op) {
    case Op::add: return Scalar(a + b);
    case Op::subtract: return Scalar(a - b);
    case Op::multiply: return Scalar(a * b);
    case Op::divide: return Scalar(a / b);
    case Op::power: return Scalar(pow(a, b));
    case Op::atan2: return Scalar(atan2(a, b));
    case Op::hypot: return Scalar(hypot(a, b));
    case Op::max: return a > b ? a : b;
    case Op::min: return a < b ? a : b;
    case Op::mod: return Scalar(mod(a, b));
    default: throw InternalError("every function of two numbers can be evaluated", __FILE__, __LINE__);
  }
}

template <class Scalar, class World>
Scalar evaluate(const Expr& expr, const World& world) {
  const Node& node = *expr;
  if (node.op == Op::constant) return Scalar(node.value);
  if (node.op == Op::symbol) return world.symbol(node.symbol);
  if (is_history(node.op)) return world.history(node);
  if (node.op == Op::choose) return evaluate<Scalar>(node.args[holds<Scalar>(node.args[0], world) ? 1 : 2], world);

  const Scalar a = evaluate<Scalar>(node.args[0], world);
  if (node.args.size() == 1) return apply_operation(node.op, a);
  const Scalar b = evaluate<Scalar>(node.args[1], world);
  return apply_operation(node.op, a, b);
}

}  // namespace conesweep::expression
