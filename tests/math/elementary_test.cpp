// Elementary functions against MPFR: the largest error of each, in units in the last place (ulp) of the exact result.
//
// By default a sample of each function's whole range; with CONESWEEP_ALL=1 (about half an hour) samples a hundred times
// as large and every float for the functions of one argument. For these exhaustive runs the oracle is libm in double:
// its own error, below 1e-8 of a float's ulp, does not count.
#include <conesweep/math/elementary.hpp>
#include <conesweep/math/pack.hpp>

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ulps.hpp"

namespace conesweep::test {
namespace {

namespace m = conesweep::math;

using Exact1 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

using FloatPack = m::Pack<float, 8>;

/// A function of one argument: the intervals where it is interesting, points to look at closely, bounds in ulp.
struct Unary {
  const char* name;
  double (*in_double)(double);
  float (*in_float)(float);
  FloatPack (*in_pack)(FloatPack);  // for the exhaustive run
  Exact1 exact;
  double (*libm)(double);
  bool mirrored;  // odd or even: negative arguments need no separate look
  double low, high;
  std::vector<double> critical;
  double bound_double, bound_float;
};

double pi_halves(int n) { return n * 1.5707963267948966; }

std::vector<double> multiples_of_half_pi() {
  std::vector<double> points{0,
                             0.7853981633974483,
                             0x1p16,
                             0x1p30,
                             1e22,
                             1e300,
                             0x1.6ac5b262ca1ffp+849,  // nearest of all doubles to a multiple of π/2
                             0x1.f9cbe2p+7,
                             16367173.0 * 0x1p+72};
  for (int n = 1; n < 40; ++n) points.push_back(pi_halves(n));
  for (int n = 100; n < 100000000; n *= 3) points.push_back(pi_halves(n));
  return points;
}

// The bounds are those of the table in elementary.hpp.
// It is longer than 60 lines: a table.
std::vector<Unary> unary_functions() {
  return {
      {"sin", m::sin<double>, m::sin<float>, m::sin<FloatPack>, mpfr_sin, std::sin, true, -100, 100,
       multiples_of_half_pi(), 0.85, 0.85},
      {"cos", m::cos<double>, m::cos<float>, m::cos<FloatPack>, mpfr_cos, std::cos, true, -100, 100,
       multiples_of_half_pi(), 0.85, 0.85},
      {"tan", m::tan<double>, m::tan<float>, m::tan<FloatPack>, mpfr_tan, std::tan, true, -100, 100,
       multiples_of_half_pi(), 1.05, 0.95},
      {"asin",
       m::asin<double>,
       m::asin<float>,
       m::asin<FloatPack>,
       mpfr_asin,
       std::asin,
       true,
       -1,
       1,
       {0, 0.5, 1},
       0.75,
       0.70},
      {"acos",
       m::acos<double>,
       m::acos<float>,
       m::acos<FloatPack>,
       mpfr_acos,
       std::acos,
       false,
       -1,
       1,
       {0, 0.5, -0.5, 1, -1},
       0.70,
       0.70},
      {"atan",
       m::atan<double>,
       m::atan<float>,
       m::atan<FloatPack>,
       mpfr_atan,
       std::atan,
       true,
       -5,
       5,
       {0, 0.41421356, 1, 2.41421356, 0x1p60},
       0.75,
       0.75},
      {"sinh",
       m::sinh<double>,
       m::sinh<float>,
       m::sinh<FloatPack>,
       mpfr_sinh,
       std::sinh,
       true,
       -90,
       90,
       {0, 0.34657, 1.0397, 19, 40, 80, 88.72, 89.41, 700, 709.78, 710.4758},
       0.95,
       0.90},
      {"cosh",
       m::cosh<double>,
       m::cosh<float>,
       m::cosh<FloatPack>,
       mpfr_cosh,
       std::cosh,
       true,
       -90,
       90,
       {0, 0.34657, 1.0397, 19, 40, 80, 88.72, 89.41, 700, 709.78, 710.4758},
       0.85,
       0.80},
      {"tanh",
       m::tanh<double>,
       m::tanh<float>,
       m::tanh<FloatPack>,
       mpfr_tanh,
       std::tanh,
       true,
       -20,
       20,
       {0, 0.34657, 9.01, 19.06},
       0.85,
       0.80},
      {"exp",
       m::exp<double>,
       m::exp<float>,
       m::exp<FloatPack>,
       mpfr_exp,
       std::exp,
       false,
       -90,
       90,
       {0, 0.34657, -0.34657, 86, 88.72, -86, -87.33, -103.97, 707, 709.78, -707, -708.39, -745.13},
       0.85,
       0.85},
      {"log",
       m::log<double>,
       m::log<float>,
       m::log<FloatPack>,
       mpfr_log,
       std::log,
       false,
       0,
       3,
       {1, 0.70710678, 1.41421356, 2, 0.5},
       0.75,
       0.70},
      {"log10",
       m::log10<double>,
       m::log10<float>,
       m::log10<FloatPack>,
       mpfr_log10,
       std::log10,
       false,
       0,
       20,
       {1, 0.70710678, 1.41421356, 2, 0.5, 10, 100, 1e22},
       0.51,
       0.51},
  };
}

template <class T>
void check_unary(double Unary::*bound, T (*Unary::*function)(T), int count) {
  BigFloat x, exact;
  for (const Unary& f : unary_functions()) {
    Worst worst;
    for (const T a : arguments<T>(f.low, f.high, f.critical, count, 1)) {
      mpfr_set_d(x, static_cast<double>(a), MPFR_RNDN);
      f.exact(exact, x, MPFR_RNDN);
      worst.note(ulp_error((f.*function)(a), exact), static_cast<double>(a));
    }
    worst.report(f.name, f.*bound);
  }
}

TEST(Elementary, OfOneArgumentIsAccurateInDouble) {
  check_unary<double>(&Unary::bound_double, &Unary::in_double, run_all() ? 2000000 : 20000);
}

TEST(Elementary, OfOneArgumentIsAccurateInFloat) {
  check_unary<float>(&Unary::bound_float, &Unary::in_float, run_all() ? 200000 : 10000);
}

/// |computed - exact| in float ulps, where exact is a double. (As above, without MPFR.)
double float_ulp_error(float computed, double exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(computed)) return std::isnan(exact) && std::isnan(computed) ? 0 : wrong;
  if (exact == 0) return computed == 0 && std::signbit(exact) == std::signbit(computed) ? 0 : wrong;
  double value = static_cast<double>(computed);
  if (std::isinf(computed)) {
    value = std::copysign(0x1p128, value);
    if (std::fabs(exact) >= 0x1p128) return (exact > 0) == (value > 0) ? 0 : wrong;
  } else if (std::fabs(exact) >= 0x1p128) {
    return wrong;
  }
  // a double's exponent field, not below that of the smallest normal float
  const std::uint64_t exponent =
      std::max<std::uint64_t>((std::bit_cast<std::uint64_t>(exact) >> 52) & 0x7ff, 1023 - 126);
  const double per_ulp = std::bit_cast<double>((2046 + 23 - exponent) << 52);
  return std::fabs(value - exact) * per_ulp;
}

void PrintTo(const Unary& f, std::ostream* out) { *out << f.name; }

// one test a function: they run beside each other
class EveryFloat : public testing::TestWithParam<Unary> {};

TEST_P(EveryFloat, IsAccurate) {
  if (!run_all()) GTEST_SKIP() << "2^32 arguments: set CONESWEEP_ALL=1";
  const Unary& f = GetParam();
  Worst worst;
  const std::uint64_t count = f.mirrored ? 0x80000000ULL : 0x100000000ULL;  // without the sign bit
  for (std::uint64_t first = 0; first < count; first += 8) {
    float x[8], y[8];
    for (unsigned i = 0; i < 8; ++i) x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(first + i));
    f.in_pack(FloatPack::load(x)).store(y);
    for (unsigned i = 0; i < 8; ++i) {
      worst.note(float_ulp_error(y[i], f.libm(static_cast<double>(x[i]))), static_cast<double>(x[i]));
    }
  }
  worst.report(f.name, f.bound_float);
}

INSTANTIATE_TEST_SUITE_P(Of, EveryFloat, testing::ValuesIn(unary_functions()),
                         [](const auto& function) { return std::string(function.param.name); });

template <class T>
void expect_mirrored(T (*f)(T), int sign, const char* name) {
  for (const T x : arguments<T>(-100, 100, {0, 1}, 10000, 2)) {
    const T expected = sign < 0 ? -f(x) : f(x);
    if (std::isnan(expected)) continue;
    ASSERT_EQ(std::bit_cast<BitsOf<T>>(f(-x)), std::bit_cast<BitsOf<T>>(expected)) << name << " at " << x;
  }
}

TEST(Elementary, OddAndEvenFunctionsAreMirroredToTheBit) {
  for (const Unary& f : unary_functions()) {
    if (!f.mirrored) continue;
    const int sign = f.in_double(0.0) == 1 ? 1 : -1;
    expect_mirrored<double>(f.in_double, sign, f.name);
    expect_mirrored<float>(f.in_float, sign, f.name);
  }
}

}  // namespace
}  // namespace conesweep::test
