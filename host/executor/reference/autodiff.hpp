#pragma once

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>  // leaves it to us to include Core before it

#include <cmath>

#include "expression/evaluate.hpp"

/// Numbers that carry their gradient, for expression::evaluate<Dual>: the reference executor's own way to derivatives.
///
///   (f, ∇f) with  ∇(f ∘ (a, b)) = ∂₁f ∇a + ∂₂f ∇b
///
/// Eigen's AutoDiffScalar gives the type, + - * and most functions; what it lacks stands below, and some of its rules are replaced:
/// abs (derivative 0 at 0, as the symbolic calculus has it), / and atan2 (b² overflows and underflows; atan2 does not take a constant),
/// asin and acos (1 - a² has no digits left near |a| = 1), pow (no exponent that is a Dual). A constant has an empty gradient, which
/// means zero.
///
/// Where a derivative does not exist: abs, sign, floor and ceil give 0; min, max and if that of the branch taken.
namespace conesweep::executor::reference {

using Dual = Eigen::AutoDiffScalar<Eigen::VectorXd>;

/// The i-th of n independent variables.
inline Dual make_variable(double value, int n, int i) { return {value, n, i}; }

/// The gradient with all its n components, also of a constant.
inline Eigen::VectorXd gradient(const Dual& a, int n) {
  if (a.derivatives().size() == 0) return Eigen::VectorXd::Zero(n);
  return a.derivatives();
}

/// (value, p ∇a)
inline Dual chain(double value, double p, const Dual& a) { return {value, p * a.derivatives()}; }

/// (value, p ∇a + q ∇b), where an empty gradient is zero, and zero times anything is zero
inline Dual chain(double value, double p, const Dual& a, double q, const Dual& b) {
  const auto times = [](double factor, const Eigen::VectorXd& v) -> Eigen::VectorXd {
    return v.unaryExpr([factor](double x) { return x == 0 ? 0 : factor * x; });
  };
  if (b.derivatives().size() == 0) return {value, times(p, a.derivatives())};
  if (a.derivatives().size() == 0) return {value, times(q, b.derivatives())};
  return {value, times(p, a.derivatives()) + times(q, b.derivatives())};
}

}  // namespace conesweep::executor::reference

// Argument-dependent lookup looks for functions of a Dual here. Being no templates, they win over Eigen's own.
namespace Eigen {

using conesweep::executor::reference::chain;
using conesweep::executor::reference::Dual;

inline Dual operator/(const Dual& a, const Dual& b) {
  const double quotient = a.value() / b.value();
  return chain(quotient, 1 / b.value(), a, -quotient / b.value(), b);
}

inline Dual abs(const Dual& a) { return chain(std::fabs(a.value()), a.value() > 0 ? 1 : a.value() < 0 ? -1 : 0, a); }

inline Dual sign(const Dual& a) { return chain(a.value() > 0 ? 1 : a.value() < 0 ? -1 : a.value(), 0, a); }

inline Dual floor(const Dual& a) { return chain(std::floor(a.value()), 0, a); }

inline Dual ceil(const Dual& a) { return chain(std::ceil(a.value()), 0, a); }

inline Dual atan(const Dual& a) { return chain(std::atan(a.value()), 1 / (1 + a.value() * a.value()), a); }

inline Dual asin(const Dual& a) { return chain(std::asin(a.value()), 1 / std::sqrt((1 - a.value()) * (1 + a.value())), a); }

inline Dual acos(const Dual& a) { return chain(std::acos(a.value()), -1 / std::sqrt((1 - a.value()) * (1 + a.value())), a); }

inline Dual log10(const Dual& a) { return chain(std::log10(a.value()), 1 / (a.value() * std::log(10.0)), a); }

/// r = √(a² + b²):  ∇r = (a ∇a + b ∇b) / r
inline Dual hypot(const Dual& a, const Dual& b) {
  const double r = std::hypot(a.value(), b.value());
  return chain(r, a.value() / r, a, b.value() / r, b);
}

/// The angle of the point (b, a), in ]-π, π]:  ∇φ = (b ∇a - a ∇b) / r²
inline Dual atan2(const Dual& a, const Dual& b) {
  const double r = std::hypot(a.value(), b.value());
  return chain(conesweep::expression::atan2(a.value(), b.value()), b.value() / r / r, a, -a.value() / r / r, b);
}

/// a - b floor(a/b), between its jumps
inline Dual mod(const Dual& a, const Dual& b) { return chain(conesweep::expression::mod(a.value(), b.value()), 1, a, -std::floor(a.value() / b.value()), b); }

/// ∇aᵇ = b aᵇ⁻¹ ∇a + aᵇ log(a) ∇b.  The logarithm counts only where the exponent varies, so that (-2)² has a derivative;
/// a⁰ = 1 does not depend on a, even at a = 0.
inline Dual pow(const Dual& a, const Dual& b) {
  const double power = std::pow(a.value(), b.value());
  const double by_base = b.value() == 0 ? 0 : b.value() * std::pow(a.value(), b.value() - 1);
  return chain(power, by_base, a, power * std::log(a.value()), b);
}

}  // namespace Eigen
