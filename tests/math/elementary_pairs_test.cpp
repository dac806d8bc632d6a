// Functions of two arguments against MPFR, and what must hold to the bit.
#include <conesweep/math/elementary.hpp>
#include <conesweep/math/pack.hpp>

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "ulps.hpp"

namespace conesweep::test {
namespace {

namespace m = conesweep::math;

using Exact2 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// Pairs: every exponent; moderate sizes; nearly equal sizes; special values with each other.
template <class T>
std::vector<std::pair<T, T>> argument_pairs(int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<std::pair<T, T>> result;
  const auto any = [&] { return std::bit_cast<T>(static_cast<BitsOf<T>>(random())); };
  for (int i = 0; i < count; ++i) {
    result.emplace_back(any(), any());
    result.emplace_back(static_cast<T>(10 * uniform(random)), static_cast<T>(10 * uniform(random)));
    const T x = any();
    result.emplace_back(x, static_cast<T>(x * (1 + std::ldexp(uniform(random), -static_cast<int>(random() % 30)))));
    result.emplace_back(x, static_cast<T>(std::ldexp(x, static_cast<int>(random() % 120) - 60)));
  }
  const T inf = std::numeric_limits<T>::infinity();
  const T special[] = {0,
                       -T(0),
                       inf,
                       -inf,
                       std::numeric_limits<T>::quiet_NaN(),
                       1,
                       -1,
                       2,
                       -2,
                       3,
                       -3,
                       T(0.5),
                       T(-0.5),
                       T(1.5),
                       T(1e9),
                       T(-1e9 - 1),
                       std::numeric_limits<T>::denorm_min(),
                       std::numeric_limits<T>::max(),
                       -std::numeric_limits<T>::max(),
                       std::numeric_limits<T>::min(),
                       std::nextafter(T(1), T(2)),
                       std::nextafter(T(1), T(0)),
                       T(0x1p52) + 1,
                       T(0x1p23) + 1,
                       T(-0x1p23) - 1};
  for (const T x : special)
    for (const T y : special) result.emplace_back(x, y);
  return result;
}

/// For pow: x^y that neither over- nor underflows at once.
template <class T>
std::vector<std::pair<T, T>> power_pairs(int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double most = std::is_same_v<T, double> ? 745 : 104;  // of |log x^y|
  std::vector<std::pair<T, T>> result = argument_pairs<T>(count / 4, seed);
  for (int i = 0; i < count; ++i) {
    T x = std::bit_cast<T>(static_cast<BitsOf<T>>(random()));
    if (i % 2 == 0)
      x = static_cast<T>(1 + std::ldexp(uniform(random), -static_cast<int>(random() % std::numeric_limits<T>::digits)));
    x = std::fabs(x);
    if (!(x > 0) || std::isinf(x)) continue;
    result.emplace_back(x, static_cast<T>(most * uniform(random) / std::log(static_cast<double>(x))));
    result.emplace_back(-x, static_cast<T>(std::floor(most * uniform(random) / std::log(static_cast<double>(x)))));
    result.emplace_back(x, static_cast<T>(0.5 * static_cast<double>(static_cast<int>(random() % 40) - 20)));
  }
  return result;
}

template <class T>
void check_binary(const char* name, T (*f)(T, T), Exact2 exact_f, const std::vector<std::pair<T, T>>& pairs,
                  double bound) {
  BigFloat x, y, exact;
  Worst worst;
  for (const auto& [a, b] : pairs) {
    mpfr_set_d(x, static_cast<double>(a), MPFR_RNDN);
    mpfr_set_d(y, static_cast<double>(b), MPFR_RNDN);
    exact_f(exact, x, y, MPFR_RNDN);
    worst.note(ulp_error(f(a, b), exact), static_cast<double>(a), static_cast<double>(b));
  }
  worst.report(name, bound);
}

TEST(Elementary, OfTwoArgumentsIsAccurateInDouble) {
  const int count = run_all() ? 1000000 : 10000;
  check_binary<double>("atan2", m::atan2<double>, mpfr_atan2, argument_pairs<double>(count, 3), 0.75);
  check_binary<double>("hypot", m::hypot<double>, mpfr_hypot, argument_pairs<double>(count, 4), 0.80);
  check_binary<double>("pow", m::pow<double>, mpfr_pow, power_pairs<double>(count, 5), 0.95);
}

TEST(Elementary, OfTwoArgumentsIsAccurateInFloat) {
  const int count = run_all() ? 1000000 : 10000;
  check_binary<float>("atan2", m::atan2<float>, mpfr_atan2, argument_pairs<float>(count, 6), 0.75);
  check_binary<float>("hypot", m::hypot<float>, mpfr_hypot, argument_pairs<float>(count, 7), 0.80);
  check_binary<float>("pow", m::pow<float>, mpfr_pow, power_pairs<float>(count, 8), 0.85);
}

TEST(Elementary, PowersOfTenHaveExactLogarithms) {
  for (int n = 0; n <= 22; ++n) EXPECT_EQ(m::log10(std::pow(10.0, n)), n);  // 10^22 is the last exact one
  for (int n = 0; n <= 10; ++n) EXPECT_EQ(m::log10(static_cast<float>(std::pow(10.0, n))), static_cast<float>(n));
}

TEST(Elementary, PowIsExactWhereTheResultIs) {
  for (int base = -20; base <= 20; ++base) {
    double product = 1;
    for (int n = 0; n <= 12; ++n, product *= base) {
      EXPECT_EQ(m::pow(static_cast<double>(base), static_cast<double>(n)), product);
    }
  }
  EXPECT_EQ(m::pow(2.0, -1074.0), 0x1p-1074);
  EXPECT_EQ(m::pow(0.25, 0.5), 0.5);
}

/// mod against fmod, which is exact; fmod has the sign of a, mod that of b.
template <class T>
void check_mod(int count) {
  for (const auto& [a, b] : argument_pairs<T>(count, 9)) {
    const T computed = m::mod(a, b);
    T expected = std::fmod(a, b);
    if (expected != 0 && (expected < 0) != (b < 0)) expected += b;
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(computed)) << a << " mod " << b;
    } else {
      EXPECT_EQ(computed, expected) << a << " mod " << b;
    }
  }
}

TEST(Elementary, ModIsTheExactRemainder) {
  check_mod<double>(run_all() ? 1000000 : 20000);
  check_mod<float>(run_all() ? 1000000 : 20000);
}

TEST(Elementary, ModMatchesItsFormulaOnHandValues) {
  EXPECT_EQ(m::mod(7.0, 3.0), 1);
  EXPECT_EQ(m::mod(-7.0, 3.0), 2);
  EXPECT_EQ(m::mod(7.0, -3.0), -2);
  EXPECT_EQ(m::mod(-7.0, -3.0), -1);
  EXPECT_EQ(m::mod(0.75f, 0.5f), 0.25f);
}

TEST(Elementary, SignKeepsZeroAndNan) {
  EXPECT_EQ(m::sign(-3.0), -1);
  EXPECT_EQ(m::sign(0x1p-1074), 1);
  EXPECT_TRUE(std::signbit(m::sign(-0.0)));
  EXPECT_TRUE(std::isnan(m::sign(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Elementary, IntegerPowersMultiply) {
  EXPECT_EQ(m::pow_int<3>(-2.0), -8);
  EXPECT_EQ(m::pow_int<10>(2.0f), 1024);
  EXPECT_EQ(m::pow_int<-2>(4.0), 0.0625);
  EXPECT_EQ(m::pow_int<0>(0.0), 1);
}

TEST(Scalar, RoundsToNearestEvenAtAnySize) {
  for (const double x : arguments<double>(-10, 10, {0, 0.5, 1.5, 2.5, 0x1p52, 0x1p51}, 20000, 10)) {
    if (std::isnan(x)) continue;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(m::round_to_nearest(x)), std::bit_cast<std::uint64_t>(std::nearbyint(x)))
        << x;
  }
  EXPECT_EQ(m::round_to_nearest(-2.5f), -2.0f);
}

TEST(Scalar, MinAndMaxKeepANanOfTheFirstArgumentOnly) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(m::min(nan, 1.0)));
  EXPECT_EQ(m::min(1.0, nan), 1);
  EXPECT_TRUE(std::isnan(m::max(nan, 1.0)));
  EXPECT_EQ(m::max(1.0, nan), 1);
}

TEST(Scalar, CanonicalNanHasOneSetOfBits) {
  EXPECT_EQ(m::to_bits(m::canonicalize(-std::numeric_limits<double>::quiet_NaN())), 0x7ff8000000000000ULL);
  EXPECT_EQ(m::to_bits(m::canonicalize(std::bit_cast<float>(0xffc12345U))), 0x7fc00000U);
  EXPECT_EQ(m::canonicalize(2.0), 2);
}

}  // namespace
}  // namespace conesweep::test
