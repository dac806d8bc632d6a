// Packs of every width against scalars: same bits, whatever stands in the neighbouring lanes.

#include "all_functions.hpp"

#include <conesweep/math/pack.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace conesweep {
namespace {

template <class PackType>
class PackTest : public testing::Test {};

using PackTypes =
    testing::Types<Pack<double, 2>, Pack<double, 4>, Pack<double, 8>, Pack<float, 4>, Pack<float, 8>, Pack<float, 16>>;
TYPED_TEST_SUITE(PackTest, PackTypes);

template <class Real>
using LaneArray = std::array<ScalarOf<Real>, RealTraits<Real>::lanes>;

template <class Real>
LaneArray<Real> lanes_of(Real x) {
  LaneArray<Real> result;
  x.store(result.data());
  return result;
}

/// Numbers that take the rare paths: special values, and sizes near and beyond the ends of each function's common path.
template <class Scalar>
std::vector<Scalar> rare_arguments() {
  const Scalar inf = infinity<Scalar>();
  std::vector<Scalar> result{0,
                             -Scalar(0),
                             inf,
                             -inf,
                             canonical_nan<Scalar>(),
                             Format<Scalar>::smallest_normal,
                             from_bits<Scalar>(1),
                             from_bits<Scalar>(Format<Scalar>::infinity - 1),
                             Scalar(1e9),
                             Scalar(-1e9 - 64),
                             Scalar(2e9),
                             Scalar(-7e4),
                             Scalar(1e30),
                             Scalar(-1e37),
                             Scalar(709.9),
                             Scalar(-745.1),
                             Scalar(88.8),
                             Scalar(-103.9),
                             Scalar(711),
                             Scalar(1e-30),
                             Scalar(1e-42),
                             1,
                             -1,
                             Scalar(0.5),
                             Scalar(-1.5),
                             3,
                             -2};
  if (sizeof(Scalar) == 8) {
    result.push_back(static_cast<Scalar>(1e300));
    result.push_back(static_cast<Scalar>(-1e-310));
  }
  return result;
}

template <class Scalar>
Scalar random_argument(std::mt19937_64& random) {
  const double unit = std::ldexp(static_cast<double>(random() >> 11), -53);
  switch (random() % 4) {
    case 0: return from_bits<Scalar>(static_cast<typename Format<Scalar>::Bits>(random()));
    case 1: return static_cast<Scalar>(2 * unit - 1);
    case 2: return static_cast<Scalar>(200000 * unit);
    default: return static_cast<Scalar>(20 * unit - 10);
  }
}

template <class Real>
void expect_same_bits(const char* name, int lane, ScalarOf<Real> got, ScalarOf<Real> expected, ScalarOf<Real> x,
                      ScalarOf<Real> y) {
  ASSERT_EQ(to_bits(canonicalize(got)), to_bits(canonicalize(expected)))
      << name << " in lane " << lane << " at " << x << ", " << y << ": pack " << got << ", scalar " << expected;
}

/// f on packs whose lanes are ordinary but one, in each position in turn, and on packs filled at random.
template <class Real, class F>
void check_function(const char* name, F f) {
  using Scalar = ScalarOf<Real>;
  constexpr int lanes = RealTraits<Real>::lanes;
  std::mt19937_64 random(1);
  const auto check = [&](const LaneArray<Real>& x, const LaneArray<Real>& y) {
    const LaneArray<Real> got = lanes_of<Real>(f(Real::load(x.data()), Real::load(y.data())));
    for (int i = 0; i < lanes; ++i) {
      const auto k = static_cast<std::size_t>(i);
      expect_same_bits<Real>(name, i, got[k], f(x[k], y[k]), x[k], y[k]);
    }
  };
  LaneArray<Real> ordinary_x, ordinary_y;
  for (std::size_t i = 0; i < lanes; ++i) {
    ordinary_x[i] = Scalar(0.3) + Scalar(0.04) * static_cast<Scalar>(i);
    ordinary_y[i] = Scalar(1.7) - Scalar(0.06) * static_cast<Scalar>(i);
  }
  for (const Scalar rare : rare_arguments<Scalar>()) {
    for (std::size_t i = 0; i < lanes; ++i) {
      LaneArray<Real> x = ordinary_x, y = ordinary_y;
      x[i] = rare;
      check(x, y);
      y[(i + 1) % lanes] = rare;
      check(x, y);
    }
  }
  for (int n = 0; n < 2000; ++n) {
    LaneArray<Real> x, y;
    for (std::size_t i = 0; i < lanes; ++i) {
      x[i] = random_argument<Scalar>(random);
      y[i] = random_argument<Scalar>(random);
    }
    check(x, y);
  }
}

TYPED_TEST(PackTest, GivesTheScalarsBitsInEveryLane) {
  for (int function = 0; function < function_count; ++function) {
    check_function<TypeParam>(function_names[function], [=](auto x, auto y) { return evaluate(function, x, y); });
  }
}

TYPED_TEST(PackTest, OperationsGiveTheScalarsBitsInEveryLane) {
  using Real = TypeParam;
  check_function<Real>("+", [](auto x, auto y) { return x + y; });
  check_function<Real>("-", [](auto x, auto y) { return x - y; });
  check_function<Real>("*", [](auto x, auto y) { return x * y; });
  check_function<Real>("/", [](auto x, auto y) { return x / y; });
  check_function<Real>("odd bits", [](auto x, auto y) { return select(odd_mask<decltype(x)>(to_bits(x)), x, y); });
  check_function<Real>("unary -", [](auto x, auto) { return -x; });
  check_function<Real>("<", [](auto x, auto y) { return select(x < y, x, y); });
  check_function<Real>("<=", [](auto x, auto y) { return select(x <= y, x, y); });
  check_function<Real>(">", [](auto x, auto y) { return select(x > y, x, y); });
  check_function<Real>(">=", [](auto x, auto y) { return select(x >= y, x, y); });
  check_function<Real>("==", [](auto x, auto y) { return select(x == y, x, -y); });
  check_function<Real>("!=", [](auto x, auto y) { return select(x != y, x, -y); });
  check_function<Real>("masks", [](auto x, auto y) {
    return select(((x < y) && is_finite(x)) || !is_nan(y), x, select((x < y) != (y < x), y, -x));
  });
}

TYPED_TEST(PackTest, MasksTellAnyAndAll) {
  using Real = TypeParam;
  using Scalar = ScalarOf<Real>;
  constexpr int lanes = RealTraits<Real>::lanes;
  EXPECT_FALSE(any(Real(1) < Real(0)));
  EXPECT_TRUE(all(Real(0) < Real(1)));
  for (int i = 0; i < lanes; ++i) {
    Real x = 0;
    set_lane(x, i, Scalar(1));
    EXPECT_TRUE(any(x > Real(0)));
    EXPECT_FALSE(all(x > Real(0)));
    EXPECT_FALSE(all(x == Real(0)));
    for (int j = 0; j < lanes; ++j) EXPECT_EQ(get_lane(x > Real(0), j), i == j);
  }
}

TYPED_TEST(PackTest, LoadsStoresAndBroadcasts) {
  using Real = TypeParam;
  using Scalar = ScalarOf<Real>;
  LaneArray<Real> values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Scalar>(i) + Scalar(0.5);
  const Real x = Real::load(values.data());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(x[static_cast<int>(i)], values[i]);
  EXPECT_EQ(lanes_of(x), values);
  for (const Scalar lane : lanes_of(Real(-Scalar(0)))) EXPECT_TRUE(std::signbit(lane));
  for (const Scalar lane : lanes_of(Real(Scalar(0)))) EXPECT_FALSE(std::signbit(lane));
}

TYPED_TEST(PackTest, CanonicalizeLeavesOneNan) {
  using Real = TypeParam;
  using F = FormatOf<Real>;
  using Scalar = ScalarOf<Real>;
  LaneArray<Real> values;
  // NaNs of both signs with something in their lowest bits, and numbers
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = static_cast<typename F::Bits>(F::nan | (i % 2 == 0 ? F::sign : 0) | (i + 1));
    values[i] = i % 3 == 2 ? static_cast<Scalar>(i) : from_bits<Scalar>(bits);
  }
  const LaneArray<Real> stored = lanes_of(canonicalize(Real::load(values.data())));
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(to_bits(stored[i]), i % 3 == 2 ? to_bits(values[i]) : F::nan) << "lane " << i;
  }
}

TYPED_TEST(PackTest, MixesWithScalars) {
  using Real = TypeParam;
  using Scalar = ScalarOf<Real>;
  const Scalar two = 2;
  Real x = 3;
  EXPECT_TRUE(all(two * x == Real(6)));
  EXPECT_TRUE(all(x - two == Scalar(1)));
  EXPECT_TRUE(all(fma(x, two, Scalar(1)) == Scalar(7)));
  EXPECT_TRUE(all(select(x > two, x, two) == x));
  EXPECT_TRUE(all(max(x, Scalar(5)) == Scalar(5)));
  x += two;
  x *= two;
  x -= Scalar(1);
  x /= Scalar(3);
  EXPECT_TRUE(all(x == Scalar(3)));
}

}  // namespace
}  // namespace conesweep
