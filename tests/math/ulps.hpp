#pragma once

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

namespace conesweep::test {

inline bool run_all() {
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

}  // namespace conesweep::test
