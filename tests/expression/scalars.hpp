#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

#include "expression/evaluate.hpp"

/// Two number types for expression::evaluate that tell how far a result can be trusted.
namespace conesweep::testing {

/// What makes a result, or the bound of its error, meaningless.
struct Doubt {
  bool non_finite = false;
  bool range = false;    // outside 1e-100 … 1e100: a product of such numbers may leave the range of a double
  bool branch = false;   // a comparison, jump or kink closer than the slack of its operands
  bool blurred = false;  // fewer than 6 digits are left

  bool any() const { return non_finite || range || branch || blurred; }
};

/// A double with a bound of its rounding error, by first-order running error analysis:
///
///   slack(f(a, b)) = |∂₁f| slack(a) + |∂₂f| slack(b) + ulps · u |f|,    u = 2⁻⁵³
///
/// with 1 ulp for + - * / sqrt and 4 for a library function. The value is that of evaluate<double>, to the bit.
/// `doubt` collects what was met on the way; reset it before.
struct Rounded {
  static inline thread_local Doubt doubt;

  double value = 0;
  double slack = 0;

  explicit Rounded(double exact) : Rounded(exact, 0) {}
  Rounded(double result, double error) : value(result), slack(error) {
    const double size = std::fabs(result);
    if (!std::isfinite(result)) doubt.non_finite = true;
    if (!(size < 1e100) || (size < 1e-100 && (size > 0 || error > 0))) doubt.range = true;
    if (!(error <= 1e-6 * size) && error != 0) doubt.blurred = true;
  }

  static constexpr double u = 0x1p-53;
  static constexpr double library = 4;  // ulps

  static Rounded of(double result, double ulps, double p, const Rounded& a) {
    return {result, part(p, a) + ulps * u * std::fabs(result)};
  }
  static Rounded of(double result, double ulps, double p, const Rounded& a, double q, const Rounded& b) {
    return {result, part(p, a) + part(q, b) + ulps * u * std::fabs(result)};
  }
  // an exact operand brings no error, not even where the derivative is infinite
  static double part(double factor, const Rounded& a) { return a.slack == 0 ? 0 : std::fabs(factor) * a.slack; }
  // a jump of the result where `distance` is zero
  static void beware(double distance, double slack) {
    if (!(std::fabs(distance) > slack)) doubt.branch = true;
  }
};

inline Rounded operator-(const Rounded& a) { return {-a.value, a.slack}; }
// a sum of 0 may be exact (x - x); its slack is what the operands bring
inline Rounded operator+(const Rounded& a, const Rounded& b) { return Rounded::of(a.value + b.value, 1, 1, a, 1, b); }
inline Rounded operator-(const Rounded& a, const Rounded& b) { return Rounded::of(a.value - b.value, 1, 1, a, 1, b); }
inline Rounded operator*(const Rounded& a, const Rounded& b) {
  return Rounded::of(a.value * b.value, 1, b.value, a, a.value, b);
}
inline Rounded operator/(const Rounded& a, const Rounded& b) {
  return Rounded::of(a.value / b.value, 1, 1 / b.value, a, a.value / b.value / b.value, b);
}

inline void beware_of_equality(const Rounded& a, const Rounded& b) {
  Rounded::beware(a.value - b.value, a.slack + b.slack);
}
inline bool operator<(const Rounded& a, const Rounded& b) { return beware_of_equality(a, b), a.value < b.value; }
inline bool operator<=(const Rounded& a, const Rounded& b) { return beware_of_equality(a, b), a.value <= b.value; }
inline bool operator>(const Rounded& a, const Rounded& b) { return beware_of_equality(a, b), a.value > b.value; }
inline bool operator>=(const Rounded& a, const Rounded& b) { return beware_of_equality(a, b), a.value >= b.value; }
inline bool operator==(const Rounded& a, const Rounded& b) { return beware_of_equality(a, b), a.value == b.value; }
inline bool operator!=(const Rounded& a, const Rounded& b) { return beware_of_equality(a, b), a.value != b.value; }

inline Rounded abs(const Rounded& a) { return {std::fabs(a.value), a.slack}; }
inline Rounded acos(const Rounded& a) {
  return Rounded::of(std::acos(a.value), Rounded::library, 1 / std::sqrt(1 - a.value * a.value), a);
}
inline Rounded asin(const Rounded& a) {
  return Rounded::of(std::asin(a.value), Rounded::library, 1 / std::sqrt(1 - a.value * a.value), a);
}
inline Rounded atan(const Rounded& a) {
  return Rounded::of(std::atan(a.value), Rounded::library, 1 / (1 + a.value * a.value), a);
}
inline Rounded cos(const Rounded& a) { return Rounded::of(std::cos(a.value), Rounded::library, std::sin(a.value), a); }
inline Rounded cosh(const Rounded& a) {
  return Rounded::of(std::cosh(a.value), Rounded::library, std::sinh(a.value), a);
}
inline Rounded exp(const Rounded& a) { return Rounded::of(std::exp(a.value), Rounded::library, std::exp(a.value), a); }
inline Rounded log(const Rounded& a) { return Rounded::of(std::log(a.value), Rounded::library, 1 / a.value, a); }
inline Rounded log10(const Rounded& a) {
  return Rounded::of(std::log10(a.value), Rounded::library, 0.4343 / a.value, a);
}
inline Rounded sin(const Rounded& a) { return Rounded::of(std::sin(a.value), Rounded::library, std::cos(a.value), a); }
inline Rounded sinh(const Rounded& a) {
  return Rounded::of(std::sinh(a.value), Rounded::library, std::cosh(a.value), a);
}
inline Rounded sqrt(const Rounded& a) { return Rounded::of(std::sqrt(a.value), 1, 0.5 / std::sqrt(a.value), a); }
inline Rounded tan(const Rounded& a) {
  return Rounded::of(std::tan(a.value), Rounded::library, 1 + std::tan(a.value) * std::tan(a.value), a);
}
inline Rounded tanh(const Rounded& a) {
  return Rounded::of(std::tanh(a.value), Rounded::library, 1 - std::tanh(a.value) * std::tanh(a.value), a);
}
inline Rounded floor(const Rounded& a) {
  Rounded::beware(a.value - std::round(a.value), a.slack);
  return Rounded(std::floor(a.value));
}
inline Rounded ceil(const Rounded& a) {
  Rounded::beware(a.value - std::round(a.value), a.slack);
  return Rounded(std::ceil(a.value));
}
inline Rounded sign(const Rounded& a) {
  Rounded::beware(a.value, a.slack);
  return Rounded(a.value > 0 ? 1 : a.value < 0 ? -1 : a.value);
}
inline Rounded hypot(const Rounded& a, const Rounded& b) {
  return Rounded::of(std::hypot(a.value, b.value), Rounded::library, 1, a, 1, b);
}
inline Rounded atan2(const Rounded& a, const Rounded& b) {
  const double r = std::hypot(a.value, b.value);
  if (b.value < 0) Rounded::beware(a.value, a.slack);  // the cut
  return Rounded::of(expression::atan2(a.value, b.value), Rounded::library, 1 / r, a, 1 / r, b);
}
inline Rounded pow(const Rounded& a, const Rounded& b) {
  const double power = std::pow(a.value, b.value);
  const double by_base = b.value == 0 ? 0 : b.value * std::pow(a.value, b.value - 1);
  return Rounded::of(power, Rounded::library, by_base, a, power * std::log(std::fabs(a.value)), b);
}
inline Rounded mod(const Rounded& a, const Rounded& b) {
  const double whole = floor(a / b).value;
  return Rounded::of(expression::mod(a.value, b.value), 1, 1, a, whole, b);
}

/// 113 binary digits (34 decimal): finite differences in it are exact for every purpose of double.
struct Quad {
  using Digits = boost::multiprecision::cpp_bin_float_quad;
  Digits value;

  explicit Quad(double exact) : value(exact) {}
  explicit Quad(Digits digits) : value(std::move(digits)) {}
};

inline Quad operator-(const Quad& a) { return Quad(Quad::Digits(-a.value)); }
inline Quad operator+(const Quad& a, const Quad& b) { return Quad(Quad::Digits(a.value + b.value)); }
inline Quad operator-(const Quad& a, const Quad& b) { return Quad(Quad::Digits(a.value - b.value)); }
inline Quad operator*(const Quad& a, const Quad& b) { return Quad(Quad::Digits(a.value * b.value)); }
inline Quad operator/(const Quad& a, const Quad& b) { return Quad(Quad::Digits(a.value / b.value)); }
inline bool operator<(const Quad& a, const Quad& b) { return a.value < b.value; }
inline bool operator<=(const Quad& a, const Quad& b) { return a.value <= b.value; }
inline bool operator>(const Quad& a, const Quad& b) { return a.value > b.value; }
inline bool operator>=(const Quad& a, const Quad& b) { return a.value >= b.value; }
inline bool operator==(const Quad& a, const Quad& b) { return a.value == b.value; }
inline bool operator!=(const Quad& a, const Quad& b) { return a.value != b.value; }
inline Quad abs(const Quad& a) { return Quad(Quad::Digits(fabs(a.value))); }
inline Quad acos(const Quad& a) { return Quad(Quad::Digits(acos(a.value))); }
inline Quad asin(const Quad& a) { return Quad(Quad::Digits(asin(a.value))); }
inline Quad atan(const Quad& a) { return Quad(Quad::Digits(atan(a.value))); }
inline Quad ceil(const Quad& a) { return Quad(Quad::Digits(ceil(a.value))); }
inline Quad cos(const Quad& a) { return Quad(Quad::Digits(cos(a.value))); }
inline Quad cosh(const Quad& a) { return Quad(Quad::Digits(cosh(a.value))); }
inline Quad exp(const Quad& a) { return Quad(Quad::Digits(exp(a.value))); }
inline Quad floor(const Quad& a) { return Quad(Quad::Digits(floor(a.value))); }
inline Quad log(const Quad& a) { return Quad(Quad::Digits(log(a.value))); }
inline Quad log10(const Quad& a) { return Quad(Quad::Digits(log10(a.value))); }
inline Quad sign(const Quad& a) { return Quad(a.value > 0 ? 1.0 : a.value < 0 ? -1.0 : 0.0); }
inline Quad sin(const Quad& a) { return Quad(Quad::Digits(sin(a.value))); }
inline Quad sinh(const Quad& a) { return Quad(Quad::Digits(sinh(a.value))); }
inline Quad sqrt(const Quad& a) { return Quad(Quad::Digits(sqrt(a.value))); }
inline Quad tan(const Quad& a) { return Quad(Quad::Digits(tan(a.value))); }
inline Quad tanh(const Quad& a) { return Quad(Quad::Digits(tanh(a.value))); }
inline Quad atan2(const Quad& a, const Quad& b) { return Quad(Quad::Digits(atan2(a.value, b.value))); }
inline Quad hypot(const Quad& a, const Quad& b) {
  return Quad(Quad::Digits(sqrt(a.value * a.value + b.value * b.value)));
}
inline Quad pow(const Quad& a, const Quad& b) { return Quad(Quad::Digits(pow(a.value, b.value))); }
inline Quad mod(const Quad& a, const Quad& b) { return a - b * floor(a / b); }

}  // namespace conesweep::testing
