#include <conesweep/contact/boxes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <conesweep/math/pack.hpp>

#include "support/dense.hpp"

// Rows with intervals for their impulses (contact/boxes.hpp) beside all combinations of ends, one after the other.
namespace conesweep::contact {
namespace {

constexpr int n = 4;
using Problem4 = Boxes<double, n, 1>;
constexpr double inf = std::numeric_limits<double>::infinity();

struct Drawn {
  Problem4 boxes;
  double b[n];
  bool takes_part[n];
};

/// W of a random basis, contacts and resistances of any limits; some rows do not take part.
Drawn draw(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Drawn drawn;
  Eigen::MatrixXd basis(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) basis(i, j) = uniform(random) + (i == j ? 1.5 : 0);
  const Eigen::MatrixXd w = basis * basis.transpose();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) drawn.boxes.w[i][j] = w(i, j);
    drawn.b[i] = uniform(random);
    drawn.takes_part[i] = uniform(random) > -0.7;
    const bool contact = uniform(random) > 0;
    drawn.boxes.low[i] = contact ? 0 : -0.3 * (1 + uniform(random));
    drawn.boxes.high[i] = contact ? inf : 0.3 * (1 + uniform(random));
    drawn.boxes.small[i] = 1e-14;
  }
  return drawn;
}

/// The impulses that obey (1), by trying: every row free, at its low or at its high end.
bool find_by_trying(const Drawn& drawn, double (&r)[n]) {
  for (int code = 0; code < 81; ++code) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd right(n);
    bool possible = true;
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      const double low = drawn.takes_part[i] ? drawn.boxes.low[i] : 0,
                   high = drawn.takes_part[i] ? drawn.boxes.high[i] : 0;
      right[i] = rest % 3 == 0 ? -drawn.b[i] : rest % 3 == 1 ? low : high;
      possible = possible && std::isfinite(right[i]);
      for (int j = 0; j < n && rest % 3 == 0; ++j) a(i, j) = drawn.boxes.w[i][j];
    }
    if (!possible) continue;
    const Eigen::VectorXd x = test::solve(a, right);
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      double u = drawn.b[i];
      for (int j = 0; j < n; ++j) u += drawn.boxes.w[i][j] * x[j];
      if (!drawn.takes_part[i])
        possible = possible && rest % 3 == 1;
      else if (rest % 3 == 0)
        possible = possible && x[i] >= drawn.boxes.low[i] && x[i] <= drawn.boxes.high[i];
      else
        possible = possible && (rest % 3 == 1 ? u >= 0 : u <= 0);
    }
    if (!possible) continue;
    for (int i = 0; i < n; ++i) r[i] = x[i];
    return true;
  }
  return false;
}

TEST(Boxes, AreSolvedAsByTryingAllEnds) {
  std::mt19937_64 random(7);
  int solved = 0;
  for (int number = 0; number < 2000; ++number) {
    const Drawn drawn = draw(random);
    double r[n], tried[n];
    ASSERT_TRUE(find_by_trying(drawn, tried)) << number;
    if (!solve_boxes<0>(drawn.boxes, drawn.b, drawn.takes_part, r)) continue;
    ++solved;
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(r[i], tried[i], 1e-12 * (1 + std::fabs(tried[i]))) << "problem " << number << ", row " << i;
  }
  EXPECT_GE(solved, 1990) << "sets that do not come to rest are left to the search";
}

TEST(Boxes, AreTheSameInEveryLane) {
  using Pack = math::Pack<double, 4>;
  std::mt19937_64 random(11);
  for (int number = 0; number < 500; ++number) {
    Drawn drawn[4];
    Boxes<Pack, n, 1> boxes;
    Pack b[n], r[n];
    MaskOf<Pack> takes_part[n];
    for (int lane = 0; lane < 4; ++lane) {
      drawn[lane] = draw(random);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) set_lane(boxes.w[i][j], lane, drawn[lane].boxes.w[i][j]);
        set_lane(boxes.low[i], lane, drawn[lane].boxes.low[i]);
        set_lane(boxes.high[i], lane, drawn[lane].boxes.high[i]);
        set_lane(boxes.small[i], lane, drawn[lane].boxes.small[i]);
        set_lane(b[i], lane, drawn[lane].b[i]);
        set_lane(takes_part[i], lane, drawn[lane].takes_part[i]);
      }
    }
    const MaskOf<Pack> good = solve_boxes<0>(boxes, b, takes_part, r);
    for (int lane = 0; lane < 4; ++lane) {
      double alone[n];
      ASSERT_EQ(solve_boxes<0>(drawn[lane].boxes, drawn[lane].b, drawn[lane].takes_part, alone), get_lane(good, lane));
      for (int i = 0; i < n; ++i) EXPECT_EQ(get_lane(r[i], lane), alone[i]) << "problem " << number;
    }
  }
}

TEST(Boxes, WithoutAnAnswerSaySo) {
  Drawn drawn;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) drawn.boxes.w[i][j] = 1;  // rows that say the same
    drawn.boxes.low[i] = 0, drawn.boxes.high[i] = inf, drawn.boxes.small[i] = 0;
    drawn.b[i] = -1;
    drawn.takes_part[i] = true;
  }
  double r[n];
  EXPECT_FALSE(solve_boxes<0>(drawn.boxes, drawn.b, drawn.takes_part, r));
  drawn.b[0] = std::nan("");
  EXPECT_FALSE(solve_boxes<0>(drawn.boxes, drawn.b, drawn.takes_part, r));
}

}  // namespace
}  // namespace conesweep::contact
