#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <compare>
#include <utility>

#include "expression/evaluate.hpp"

namespace conesweep::executor::reference {

/// A number that carries its gradient, for expression::evaluate<Dual>: the reference executor's own way to derivatives.
///
///   (f, ∇f) with  ∇(f ∘ (a, b)) = ∂₁f ∇a + ∂₂f ∇b
///
/// A constant has an empty gradient, which means zero. Numbers compare by their values.
///
/// Where a derivative does not exist: abs, sign, floor and ceil give 0; min, max and if that of the branch taken.
class Dual {
 public:
  explicit Dual(double value, Eigen::VectorXd gradient = {}) : value_(value), gradient_(std::move(gradient)) {}

  double value() const { return value_; }
  const Eigen::VectorXd& gradient() const { return gradient_; }

  friend auto operator<=>(const Dual& a, const Dual& b) { return a.value_ <=> b.value_; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }

 private:
  double value_;
  Eigen::VectorXd gradient_;
};

/// The i-th of n independent variables.
inline Dual make_variable(double value, int n, int i) { return Dual(value, Eigen::VectorXd::Unit(n, i)); }

/// The gradient with all its n components, also of a constant.
inline Eigen::VectorXd gradient(const Dual& a, Eigen::Index n) {
  return a.gradient().size() == 0 ? Eigen::VectorXd::Zero(n) : a.gradient();
}

/// (value, p ∇a)
inline Dual chain(double value, double p, const Dual& a) { return Dual(value, p * a.gradient()); }

/// (value, p ∇a + q ∇b), where zero times anything is zero: a derivative that does not exist does not count where
/// nothing varies.
inline Dual chain(double value, double p, const Dual& a, double q, const Dual& b) {
  const auto times = [](double factor, const Eigen::VectorXd& v) -> Eigen::VectorXd {
    return v.unaryExpr([factor](double x) { return x == 0 ? 0 : factor * x; });
  };
  if (b.gradient().size() == 0) return Dual(value, times(p, a.gradient()));
  if (a.gradient().size() == 0) return Dual(value, times(q, b.gradient()));
  return Dual(value, times(p, a.gradient()) + times(q, b.gradient()));
}

/// (value, p ∇a + q ∇b) of finite p and q; where one is not, neither is the value, and the member stops.
inline Dual combine(double value, double p, const Dual& a, double q, const Dual& b) {
  const Eigen::Index n = std::max(a.gradient().size(), b.gradient().size());
  if (a.gradient().size() < n) return Dual(value, Eigen::VectorXd::Zero(n) * p + b.gradient() * q);
  if (b.gradient().size() < n) return Dual(value, a.gradient() * p + Eigen::VectorXd::Zero(n) * q);
  return Dual(value, a.gradient() * p + b.gradient() * q);
}

inline Dual operator-(const Dual& a) { return chain(-a.value(), -1, a); }
inline Dual operator+(const Dual& a, const Dual& b) { return combine(a.value() + b.value(), 1, a, 1, b); }
inline Dual operator-(const Dual& a, const Dual& b) { return combine(a.value() - b.value(), 1, a, -1, b); }
inline Dual operator*(const Dual& a, const Dual& b) {
  return combine(a.value() * b.value(), b.value(), a, a.value(), b);
}

/// Not over b², which overflows and underflows.
inline Dual operator/(const Dual& a, const Dual& b) {
  const double quotient = a.value() / b.value();
  return chain(quotient, 1 / b.value(), a, -quotient / b.value(), b);
}

inline Dual abs(const Dual& a) { return chain(std::fabs(a.value()), a.value() > 0 ? 1 : a.value() < 0 ? -1 : 0, a); }
inline Dual sign(const Dual& a) { return chain(expression::sign(a.value()), 0, a); }
inline Dual floor(const Dual& a) { return chain(std::floor(a.value()), 0, a); }
inline Dual ceil(const Dual& a) { return chain(std::ceil(a.value()), 0, a); }

inline Dual sin(const Dual& a) { return chain(std::sin(a.value()), std::cos(a.value()), a); }
inline Dual cos(const Dual& a) { return chain(std::cos(a.value()), -std::sin(a.value()), a); }
inline Dual tan(const Dual& a) {
  const double c = std::cos(a.value());
  return chain(std::tan(a.value()), 1 / (c * c), a);
}

// 1 - a² has no digits left near |a| = 1
inline Dual asin(const Dual& a) {
  return chain(std::asin(a.value()), 1 / std::sqrt((1 - a.value()) * (1 + a.value())), a);
}
inline Dual acos(const Dual& a) {
  return chain(std::acos(a.value()), -1 / std::sqrt((1 - a.value()) * (1 + a.value())), a);
}
inline Dual atan(const Dual& a) { return chain(std::atan(a.value()), 1 / (1 + a.value() * a.value()), a); }

inline Dual sinh(const Dual& a) { return chain(std::sinh(a.value()), std::cosh(a.value()), a); }
inline Dual cosh(const Dual& a) { return chain(std::cosh(a.value()), std::sinh(a.value()), a); }
inline Dual tanh(const Dual& a) {
  const double c = std::cosh(a.value());
  return chain(std::tanh(a.value()), 1 / (c * c), a);
}

inline Dual exp(const Dual& a) {
  const double power = std::exp(a.value());
  return chain(power, power, a);
}
inline Dual log(const Dual& a) { return chain(std::log(a.value()), 1 / a.value(), a); }
inline Dual log10(const Dual& a) { return chain(std::log10(a.value()), 1 / (a.value() * std::log(10.0)), a); }
inline Dual sqrt(const Dual& a) {
  const double root = std::sqrt(a.value());
  return chain(root, 0.5 / root, a);
}

/// r = √(a² + b²):  ∇r = (a ∇a + b ∇b) / r
inline Dual hypot(const Dual& a, const Dual& b) {
  const double r = std::hypot(a.value(), b.value());
  return chain(r, a.value() / r, a, b.value() / r, b);
}

/// The angle of the point (b, a), in ]-π, π]:  ∇φ = (b ∇a - a ∇b) / r²
inline Dual atan2(const Dual& a, const Dual& b) {
  const double r = std::hypot(a.value(), b.value());
  return chain(expression::atan2(a.value(), b.value()), b.value() / r / r, a, -a.value() / r / r, b);
}

/// a - b floor(a/b), between its jumps
inline Dual mod(const Dual& a, const Dual& b) {
  return chain(expression::mod(a.value(), b.value()), 1, a, -std::floor(a.value() / b.value()), b);
}

/// ∇aᵇ = b aᵇ⁻¹ ∇a + aᵇ log(a) ∇b.  The logarithm counts only where the exponent varies, so that (-2)² has a
/// derivative; a⁰ = 1 does not depend on a, even at a = 0.
inline Dual pow(const Dual& a, const Dual& b) {
  const double power = std::pow(a.value(), b.value());
  const double by_base = b.value() == 0 ? 0 : b.value() * std::pow(a.value(), b.value() - 1);
  return chain(power, by_base, a, power * std::log(a.value()), b);
}

}  // namespace conesweep::executor::reference
