// (P4), (P6), (P12) as the fast executors compile them, over every number type: hand values, limits, invariants, and
// the minimum found by search.
#include <conesweep/law/coulomb_cone.hpp>

#include <limits>
#include <random>

#include "oracle/contact_minimum.hpp"
#include "oracle/differences.hpp"
#include "support/lanes.hpp"

namespace conesweep::test {
namespace {

using oracle::Differences;
using oracle::Numbers;

template <class Real>
class CoulombCone : public ::testing::Test {};
TYPED_TEST_SUITE(CoulombCone, Reals);

template <class Real>
using Rows = std::vector<std::vector<ScalarOf<Real>>>;

/// Numbers at the ends of the format.
template <class Real, class Limits = std::numeric_limits<ScalarOf<Real>>>
struct Ends {
  static constexpr ScalarOf<Real> eps = Limits::epsilon(), inf = Limits::infinity(), nan = Limits::quiet_NaN(),
                                  largest = Limits::max(), tiny = Limits::denorm_min();
};

/// 10^a … 10^b
template <class Real>
ScalarOf<Real> draw_size(std::mt19937_64& random, double a, double b) {
  return static_cast<ScalarOf<Real>>(std::pow(10, std::uniform_real_distribution<double>(a, b)(random)));
}

// every row: arguments, then the value; NaN means NaN
template <class Real, class Scalar, class Apply>
void expect_values(const std::vector<std::vector<Scalar>>& rows, const Apply& apply) {
  for_rows<Real>(rows, apply,
                 [](const std::vector<Scalar>& row, const std::vector<Scalar>& got, const std::string& where) {
                   if (std::isnan(row.back()))
                     EXPECT_TRUE(std::isnan(got[0])) << where << ": " << got[0];
                   else
                     EXPECT_EQ(got[0], row.back()) << where;
                 });
}

// ---- (P6) ----

TYPED_TEST(CoulombCone, TakesTheShareOfTheSlipThatFrictionReaches) {
  using Scalar = ScalarOf<TypeParam>;
  const Scalar inf = Ends<TypeParam>::inf, nan = Ends<TypeParam>::nan, below_one = 1 - Ends<TypeParam>::eps / 2;
  // slip speed, grip = mu r_n, share
  const Rows<TypeParam> rows = {{4, 1, Scalar(0.25)},
                                {8, 2, Scalar(0.25)},
                                {3, 0, 0},  // no friction
                                {3, 3, 1},  // just enough sticks
                                {3, 5, 1},  // more than enough too
                                {0, 0, 1},  // at rest without friction: nothing to take, and it sticks
                                {0, 2, 1},
                                {1, below_one, below_one},  // an ulp short of sticking slides
                                {Ends<TypeParam>::tiny, 0, 0},
                                {Ends<TypeParam>::largest, Ends<TypeParam>::largest, 1},
                                {2, inf, 1},
                                {inf, 2, 0},
                                {nan, 2, nan},
                                {2, nan, nan},
                                {nan, nan, nan}};
  expect_values<TypeParam>(rows, [](const auto& x) { return std::vector<TypeParam>{law::slide_or_stick(x[0], x[1])}; });
}

TYPED_TEST(CoulombCone, TakesAShareBetweenNoneAndAll) {
  std::mt19937_64 random(21);
  using Scalar = ScalarOf<TypeParam>;
  Rows<TypeParam> rows;
  for (int k = 0; k < 500; ++k)
    rows.push_back({draw_size<TypeParam>(random, -30, 30), draw_size<TypeParam>(random, -30, 30)});
  for (int k = 0; k < 500; ++k) {  // near the border
    const Scalar slip = draw_size<TypeParam>(random, -3, 3);
    rows.push_back({slip, slip * (1 + static_cast<Scalar>(k - 250) * Ends<TypeParam>::eps)});
  }
  int sticks = 0, slides = 0;
  for_rows<TypeParam>(
      rows, [](const auto& x) { return std::vector<TypeParam>{law::slide_or_stick(x[0], x[1])}; },
      [&](const auto& row, const auto& share, const std::string& where) {
        EXPECT_GE(share[0], 0) << where;
        EXPECT_LE(share[0], 1) << where;
        EXPECT_EQ(share[0], row[0] <= row[1] ? Scalar(1) : row[1] / row[0]) << where;
        ++(share[0] == 1 ? sticks : slides);
      });
  EXPECT_GT(sticks, 100);
  EXPECT_GT(slides, 100);
}

TYPED_TEST(CoulombCone, LeavesExactlyNothingWhereItSticks) {
  std::mt19937_64 random(21);
  // wₜ - 1 wₜ, by component
  Rows<TypeParam> rows;
  for (int k = 0; k < 200; ++k)
    rows.push_back({draw_size<TypeParam>(random, -20, 20) * static_cast<ScalarOf<TypeParam>>(k % 2 == 0 ? 1 : -1),
                    draw_size<TypeParam>(random, -30, -10)});
  for_rows<TypeParam>(
      rows,
      [](const auto& x) {
        math::Sum<TypeParam> w;
        w.start(x[0]);
        w.add(x[1]);  // what rounding loses is kept in float
        const auto left = law::take_share(w, TypeParam(1));
        return std::vector<TypeParam>{left.value};
      },
      [](const auto&, const auto& left, const std::string& where) { EXPECT_EQ(left[0], 0) << where; });
}

// ---- (P12) ----

TYPED_TEST(CoulombCone, ReboundsWithTheShareOfTheSpeedBefore) {
  using Scalar = ScalarOf<TypeParam>;
  const Scalar nan = Ends<TypeParam>::nan;
  // e, v_n before, v_n after
  const Rows<TypeParam> rows = {{Scalar(0.5), -2, 1},
                                {1, -3, 3},
                                {0, -3, 0},
                                {Scalar(0.5), 0, 0},
                                {Scalar(0.5), 2, 0},  // it was leaving: nothing to give back
                                {1, 5, 0},
                                {1, -Ends<TypeParam>::largest, Ends<TypeParam>::largest},
                                {nan, -1, nan},
                                {Scalar(0.5), nan, nan}};
  expect_values<TypeParam>(rows, [](const auto& x) { return std::vector<TypeParam>{law::rebound(x[0], x[1])}; });
}

// ---- one contact ----

TYPED_TEST(CoulombCone, SolvesAContactByHand) {
  using Scalar = ScalarOf<TypeParam>;
  // w_n, slip, v_n before, e, mu; v_n, r_n, share
  const Rows<TypeParam> rows = {
      {-2, 8, -1, 0, Scalar(0.5), 0, 2, Scalar(0.125)},  // grip 1 of 8
      // the rebound adds to the impulse
      {-2, 8, -1, Scalar(0.5), Scalar(0.5), Scalar(0.5), Scalar(2.5), Scalar(0.15625)},
      {-2, 1, -1, 0, Scalar(0.5), 0, 2, 1},             // sticks
      {-2, 8, -1, 0, 0, 0, 2, 0},                       // frictionless
      {-2, 8, 1, 1, Scalar(0.5), 0, 2, Scalar(0.125)},  // it was leaving: no rebound
      // grazing, turned by rounding: friction never pushes
      {Scalar(1e-9), 8, 0, 0, 4, 0, 0, 0},
  };
  for_rows<TypeParam>(
      rows,
      [](const auto& x) {
        const auto s = law::solve_contact<true>(x[0], x[1], x[2], x[3], x[4]);
        return std::vector<TypeParam>{s.v_n, s.r_n, s.share};
      },
      [](const auto& row, const auto& got, const std::string& where) {
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(got[k], row[5 + k]) << where << ", result " << k;
      });
}

TYPED_TEST(CoulombCone, WithoutRestitutionIsTheInelasticLawBitForBit) {
  std::mt19937_64 random(21);
  Rows<TypeParam> rows;
  for (int k = 0; k < 400; ++k)
    rows.push_back({-draw_size<TypeParam>(random, -6, 6), draw_size<TypeParam>(random, -6, 6),
                    -draw_size<TypeParam>(random, -6, 6), k % 5 == 0 ? 0 : draw_size<TypeParam>(random, -2, 4)});
  for_rows<TypeParam>(
      rows,
      [](const auto& x) {
        const TypeParam none(0);
        const auto a = law::solve_contact<false>(x[0], x[1], x[2], none, x[3]),
                   b = law::solve_contact<true>(x[0], x[1], x[2], none, x[3]);
        return std::vector<TypeParam>{a.v_n, b.v_n, a.r_n, b.r_n, a.share, b.share};
      },
      [](const auto&, const auto& got, const std::string& where) {
        for (std::size_t k = 0; k < 6; k += 2) EXPECT_EQ(got[k], got[k + 1]) << where;
      });
}

TYPED_TEST(CoulombCone, StaysInTheConeAndNeverPullsIn) {
  std::mt19937_64 random(21);
  using Scalar = ScalarOf<TypeParam>;
  const Scalar eps = Ends<TypeParam>::eps;
  Rows<TypeParam> rows;
  for (int k = 0; k < 1000; ++k)
    rows.push_back({-draw_size<TypeParam>(random, -4, 4), draw_size<TypeParam>(random, -4, 4),
                    (k % 7 == 0 ? 1 : -1) * draw_size<TypeParam>(random, -4, 4), static_cast<Scalar>(k % 11) / 10,
                    draw_size<TypeParam>(random, -3, 3)});
  for_rows<TypeParam>(
      rows,
      [](const auto& x) {
        const auto s = law::solve_contact<true>(x[0], x[1], x[2], x[3], x[4]);
        return std::vector<TypeParam>{s.v_n, s.r_n, s.share};
      },
      [&](const auto& row, const auto& s, const std::string& where) {
        const Scalar w_n = row[0], slip = row[1], mu = row[4], v_n = s[0], r_n = s[1], share = s[2];
        EXPECT_GE(v_n, 0) << where;
        EXPECT_GE(r_n, -w_n * (1 - eps)) << where;
        EXPECT_LE(share * slip, mu * r_n * (1 + 4 * eps)) << where;  // |r_t| <= mu r_n
        if (share < 1) {
          EXPECT_NEAR(share * slip, mu * r_n, 4 * eps * mu * r_n) << where;  // a slide takes all there is
        }
      });
}

TYPED_TEST(CoulombCone, IsTheMinimumThatProjectedGradientFinds) {
  std::mt19937_64 random(21);
  using Scalar = ScalarOf<TypeParam>;
  Differences velocities("velocities against the search");
  std::normal_distribution<double> normal;
  for (const std::size_t d : {1, 2, 3, 6}) {
    // w and n in d dimensions; what the law needs of them: w_n and the slip speed
    std::vector<Numbers> ws, ns;
    Rows<TypeParam> rows;
    for (int k = 0; k < 150; ++k) {
      Numbers n(d), w(d);
      for (double& x : n) x = normal(random);
      n = oracle::scale(1 / oracle::length(n), n);
      for (double& x : w) x = normal(random);
      if (oracle::dot(w, n) > 0) w = oracle::scale(-1, w);
      const double w_n = oracle::dot(w, n);
      rows.push_back({static_cast<Scalar>(w_n), static_cast<Scalar>(oracle::length(oracle::add(w, -w_n, n))),
                      static_cast<Scalar>(w_n), 0,
                      k % 10 == 0   ? 0
                      : k % 10 == 1 ? draw_size<TypeParam>(random, 3, 6)
                                    : draw_size<TypeParam>(random, -2, 1),
                      static_cast<Scalar>(k)});
      ws.push_back(w), ns.push_back(n);
    }
    for_rows<TypeParam>(
        rows,
        [](const auto& x) {
          const auto s = law::solve_contact<false>(x[0], x[1], x[2], x[3], x[4]);
          return std::vector<TypeParam>{s.v_n, s.share};
        },
        [&](const auto& row, const auto& s, const std::string& where) {
          const auto k = static_cast<std::size_t>(row[5]);
          const Numbers w_t = oracle::add(ws[k], -oracle::dot(ws[k], ns[k]), ns[k]);
          const Numbers v =
              oracle::add(oracle::scale(1 - static_cast<double>(s[1]), w_t), static_cast<double>(s[0]), ns[k]);
          const double size = oracle::length(ws[k]), mu = static_cast<double>(row[4]);
          velocities.compare(oracle::distance(v, oracle::descend_in_the_disk(ws[k], ns[k], mu)), 0,
                             64 * static_cast<double>(Ends<TypeParam>::eps) * size * (1 + mu),
                             "d = " + std::to_string(d) + ", " + where);
        });
  }
  EXPECT_TRUE(velocities.none());
}

TYPED_TEST(CoulombCone, BringsBackWhatIsNoNumber) {
  using Scalar = ScalarOf<TypeParam>;
  const Scalar nan = Ends<TypeParam>::nan, inf = Ends<TypeParam>::inf;
  // e or mu that a check refused; an impulse that overflowed. In each the share is NaN, which no later step loses
  const Rows<TypeParam> rows = {
      {-1, 1, -1, nan, Scalar(0.5)}, {-1, 1, -1, Scalar(0.5), nan}, {-inf, 1, -1, 0, Scalar(0.5)}, {-inf, 1, -1, 0, 0}};
  for_rows<TypeParam>(
      rows,
      [](const auto& x) {
        return std::vector<TypeParam>{law::solve_contact<true>(x[0], x[1], x[2], x[3], x[4]).share};
      },
      [](const auto&, const auto& share, const std::string& where) { EXPECT_TRUE(std::isnan(share[0])) << where; });
}

// ---- ranges ----

TYPED_TEST(CoulombCone, RefusesNumbersOutOfRange) {
  using Scalar = ScalarOf<TypeParam>;
  const Scalar nan = Ends<TypeParam>::nan, inf = Ends<TypeParam>::inf, tiny = Ends<TypeParam>::tiny,
               right = static_cast<Scalar>(std::acos(0.0)), below = std::nextafter(right, Scalar(0)),
               above_one = 1 + Ends<TypeParam>::eps;
  // argument, angle, coefficient, restitution; NaN where it is refused
  const Rows<TypeParam> rows = {{0, 0, 0, 0},
                                {tiny, tiny, tiny, tiny},
                                {1, 1, 1, 1},
                                {above_one, above_one, above_one, nan},
                                {below, below, below, nan},
                                {right, nan, right, nan},
                                {Ends<TypeParam>::largest, nan, Ends<TypeParam>::largest, nan},
                                {inf, nan, nan, nan},
                                {-tiny, nan, nan, nan},
                                {-1, nan, nan, nan},
                                {-inf, nan, nan, nan},
                                {nan, nan, nan, nan}};
  for_rows<TypeParam>(
      rows,
      [](const auto& x) {
        return std::vector<TypeParam>{law::check_angle(x[0]), law::check_coefficient(x[0]),
                                      law::check_restitution(x[0])};
      },
      [](const auto& row, const auto& got, const std::string& where) {
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_TRUE(std::isnan(row[k + 1]) ? std::isnan(got[k]) : got[k] == row[k + 1])
              << where << ", check " << k << ": " << got[k];
      });
}

}  // namespace
}  // namespace conesweep::test
