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
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace m = conesweep::math;

bool run_all() {
  const char* all = std::getenv("CONESWEEP_ALL");
  return all != nullptr && std::strcmp(all, "1") == 0;
}

class BigFloat {
 public:
  explicit BigFloat(double value = 0) {
    mpfr_init2(number_, 140);
    mpfr_set_d(number_, value, MPFR_RNDN);
  }
  BigFloat(const BigFloat&) = delete;
  BigFloat& operator=(const BigFloat&) = delete;
  ~BigFloat() { mpfr_clear(number_); }
  operator mpfr_ptr() { return number_; }

 private:
  mpfr_t number_;
};

/// |computed - exact| in ulps of the exact value; infinite where one is NaN or has the wrong infinity or zero's sign.
template <class T>
double ulp_error(T computed, mpfr_ptr exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (mpfr_nan_p(exact)) return std::isnan(computed) ? 0 : wrong;
  if (std::isnan(computed)) return wrong;
  if (mpfr_inf_p(exact)) return std::isinf(computed) && (computed > 0) == (mpfr_sgn(exact) > 0) ? 0 : wrong;
  if (mpfr_zero_p(exact)) return computed == 0 && std::signbit(computed) == (mpfr_signbit(exact) != 0) ? 0 : wrong;

  constexpr int digits = std::numeric_limits<T>::digits;
  const long exponent = std::max<long>(mpfr_get_exp(exact), std::numeric_limits<T>::min_exponent) - digits;
  BigFloat difference;
  if (std::isinf(computed)) {  // counts as the power of two beyond the largest number
    mpfr_set_si_2exp(difference, computed > 0 ? 1 : -1, std::numeric_limits<T>::max_exponent, MPFR_RNDN);
    if (mpfr_cmpabs(exact, difference) >= 0) return (computed > 0) == (mpfr_sgn(exact) > 0) ? 0 : wrong;
  } else {
    const long largest_exponent = std::numeric_limits<T>::max_exponent;
    if (mpfr_get_exp(exact) > largest_exponent) return wrong;  // must overflow
    mpfr_set_d(difference, static_cast<double>(computed), MPFR_RNDN);
  }
  mpfr_sub(difference, difference, exact, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, -exponent, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference, MPFR_RNDN));
}

struct Worst {
  double error = 0;
  double x = 0;
  double y = 0;
  std::uint64_t count = 0;

  void note(double e, double at_x, double at_y = 0) {
    ++count;
    if (e > error || std::isnan(e)) *this = {e, at_x, at_y, count};
  }
  void report(const std::string& name, double bound) const {
    std::printf("  %-8s %.4f ulp (bound %.2f) at %a, %a; %llu arguments\n", name.c_str(), error, bound, x, y,
                static_cast<unsigned long long>(count));
    std::fflush(stdout);
    EXPECT_LE(error, bound) << name << " at " << x << ", " << y;
  }
};

using Exact1 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Exact2 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

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
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// Arguments in four parts: every exponent, the interesting interval, surroundings of critical points, special values.
template <class T>
std::vector<T> arguments(double low, double high, const std::vector<double>& critical, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<T> result;
  for (int i = 0; i < count; ++i) result.push_back(std::bit_cast<T>(static_cast<BitsOf<T>>(random())));
  for (int i = 0; i < count; ++i) result.push_back(static_cast<T>(uniform(random)));
  for (const double point : critical) {
    const T centre = static_cast<T>(point);
    T up = centre, down = centre;
    for (int i = 0; i < 20; ++i) {
      result.insert(result.end(), {up, down, -up, -down});
      up = std::nextafter(up, std::numeric_limits<T>::infinity());
      down = std::nextafter(down, -std::numeric_limits<T>::infinity());
    }
    for (int i = 0; i < count / static_cast<int>(critical.size()); ++i) {
      const double off = std::ldexp(uniform(random) / std::max(std::fabs(low), std::fabs(high)),
                                    -static_cast<int>(random() % std::numeric_limits<T>::digits));
      result.push_back(static_cast<T>(point + off));
    }
  }
  const T inf = std::numeric_limits<T>::infinity();
  result.insert(result.end(), {T(0), -T(0), inf, -inf, std::numeric_limits<T>::quiet_NaN(), T(1), T(-1),
                               std::numeric_limits<T>::denorm_min(), -std::numeric_limits<T>::denorm_min(),
                               std::numeric_limits<T>::min(), std::numeric_limits<T>::max()});
  return result;
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
