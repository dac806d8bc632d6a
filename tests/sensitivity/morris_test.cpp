#include "sensitivity/morris.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

#include "ensemble.hpp"
#include "support/error.hpp"

namespace conesweep::sensitivity {
namespace {

using executor::Status;
using testing::ElementsAre;

std::vector<Status> all_ok(std::size_t members) { return std::vector<Status>(members, Status::ok); }

template <class F>
MorrisEffects screen(const MorrisPoints& points, std::int64_t trajectories, const F& f) {
  const auto values = test::values_at(points, points.parameters(), 0, points.members(trajectories), f);
  MorrisSums sums(points);
  sums.add(values, all_ok(values.size()));
  return sums.effects(test::names_of(points.parameters()));
}

std::vector<bool> bounded(std::size_t parameters) { return std::vector<bool>(parameters, true); }

// ---- points ----

TEST(MorrisPoints, MoveEveryAxisOnceByHalfOfTheLevels) {
  for (const int levels : {2, 4, 6}) {
    const MorrisPoints points(3, {true, false, true, false, true}, levels);
    for (std::int64_t t = 0; t < 200; ++t) {
      const auto steps = points.steps(t);
      std::set<std::size_t> moved;
      for (std::size_t s = 0; s < 5; ++s) {
        for (std::size_t axis = 0; axis < 5; ++axis) {
          const double before = points.coordinate(6 * t + static_cast<std::int64_t>(s), axis);
          const double after = points.coordinate(6 * t + static_cast<std::int64_t>(s) + 1, axis);
          if (axis != steps[s].axis) {
            EXPECT_EQ(before, after);
            continue;
          }
          const double size = axis % 2 == 0 ? levels / (2.0 * (levels - 1)) : 0.5;
          EXPECT_NEAR(after - before, steps[s].change, 1e-15);
          EXPECT_DOUBLE_EQ(std::abs(steps[s].change), size);
          moved.insert(axis);
        }
      }
      EXPECT_EQ(moved.size(), 5u);
    }
  }
}

TEST(MorrisPoints, StandOnLevelsAndAvoidTheEndsWhereTheyAreInfinite) {
  const MorrisPoints points(1, {true, false}, 4);
  std::map<double, int> ends;
  std::map<double, int> middles;
  const std::int64_t members = points.members(20'000);  // 60 000
  for (std::int64_t m = 0; m < members; ++m) {
    ++ends[points.coordinate(m, 0)];
    ++middles[points.coordinate(m, 1)];
  }
  ASSERT_EQ(ends.size(), 4u);
  ASSERT_EQ(middles.size(), 4u);
  for (const double u : {0.0, 1.0 / 3, 2.0 / 3, 1.0}) EXPECT_NEAR(ends[u], 15'000, 5 * std::sqrt(3 * 60'000.0));
  for (const double u : {0.125, 0.375, 0.625, 0.875}) EXPECT_NEAR(middles[u], 15'000, 5 * std::sqrt(3 * 60'000.0));
}

TEST(MorrisPoints, TakeAllOrdersAndDirectionsEquallyOften) {
  const MorrisPoints points(7, bounded(3));
  std::map<std::vector<std::size_t>, int> orders;
  std::vector<int> up(3);
  constexpr int trajectories = 6000;
  for (int t = 0; t < trajectories; ++t) {
    std::vector<std::size_t> order;
    for (const auto& step : points.steps(t)) {
      order.push_back(step.axis);
      up[step.axis] += step.change > 0;
    }
    ++orders[order];
  }
  ASSERT_EQ(orders.size(), 6u);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 5 * std::sqrt(1000.0 * 5 / 6));
  for (const int count : up) EXPECT_NEAR(count, 3000, 5 * std::sqrt(1500.0));
}

TEST(MorrisPoints, DependOnTheSeedAndTheTrajectoryAlone) {
  const MorrisPoints one(1, bounded(10));
  const MorrisPoints same(1, bounded(10));
  const MorrisPoints other(2, bounded(10));
  int differ = 0;
  for (std::int64_t m = one.members(50); m-- > 0;)
    for (std::size_t axis = 0; axis < 10; ++axis) {
      EXPECT_EQ(one.coordinate(m, axis), same.coordinate(m, axis));
      differ += one.coordinate(m, axis) != other.coordinate(m, axis);
    }
  EXPECT_GT(differ, 3000);  // 3/4 of 5500
}

TEST(MorrisPoints, RefuseAnOddNumberOfLevels) {
  for (const int levels : {-2, 0, 1, 3, 5}) {
    try {
      const MorrisPoints points(1, bounded(2), levels);
      FAIL() << levels;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()),
                "screening needs an even number of levels, 2 or more, not " + std::to_string(levels));
    }
  }
}

TEST(MorrisPoints, LearnFromTheScenarioWhichEndsAreInfinite) {
  auto scenario = test::unit_scenario(3, 1);
  scenario.vary[1].distribution = {scenario::DistributionKind::normal, {0, 1}, {}, {}};
  scenario.vary[2].distribution = {scenario::DistributionKind::lognormal, {0, 1}, {}, {}};
  EXPECT_EQ(bounded_axes(scenario), (std::vector<bool>{true, false, false}));
}

// ---- effects ----

TEST(MorrisEffects, OfALinearFunctionAreItsCoefficients) {
  const auto result = screen(MorrisPoints(1, {true, false, true}), 50, [](auto u) { return 5 + 3 * u[0] - 2 * u[1]; });
  EXPECT_EQ(result.trajectories, 50);
  const double expected[] = {3, -2, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    const Effect& effect = result.effects[i];
    EXPECT_EQ(effect.count, 50);
    EXPECT_NEAR(effect.mu, expected[i], 1e-14);
    EXPECT_NEAR(effect.mu_star.value, std::abs(expected[i]), 1e-14);
    EXPECT_NEAR(effect.sigma, 0, 1e-14);
    EXPECT_NEAR(effect.mu_star.upper - effect.mu_star.lower, 0, 1e-14);
  }
  EXPECT_THAT(result.warnings, ElementsAre("effect of x3: 0 in every trajectory"));
}

TEST(MorrisEffects, ArePerUnitOfProbability) {
  // a parameter in [10, 30]: u -> 10 + 20 u, so a slope of 0.5 is an effect of 10
  const auto result = screen(MorrisPoints(1, bounded(1)), 20, [](auto u) { return 0.5 * (10 + 20 * u[0]); });
  EXPECT_NEAR(result.effects[0].mu, 10, 1e-13);
}

TEST(MorrisEffects, OfAnInteractionScatterAsTheOtherParameterDoes) {
  // u1 u2: the effect of u1 is u2 at its level 0, 1/3, 2/3, 1: mean 1/2, variance 5/36
  constexpr std::int64_t n = 20'000;
  const auto result = screen(MorrisPoints(4, bounded(2)), n, [](auto u) { return u[0] * u[1]; });
  for (const Effect& effect : result.effects) {
    EXPECT_NEAR(effect.mu, 0.5, 5 * std::sqrt(5.0 / 36 / n));
    EXPECT_NEAR(effect.sigma, std::sqrt(5.0 / 36), 0.01);
    EXPECT_NEAR(effect.standard_error, std::sqrt(5.0 / 36 / n), 1e-4);
  }
}

TEST(MorrisEffects, ThatCancelAreSeenByMuStar) {
  // (u - 1/2)²: from 0 to 2/3 and back the effect is -1/3, from 1/3 to 1 and back +1/3
  const auto result = screen(MorrisPoints(4, bounded(1)), 10'000, [](auto u) { return (u[0] - 0.5) * (u[0] - 0.5); });
  EXPECT_NEAR(result.effects[0].mu, 0, 5 * (1.0 / 3) / 100);
  EXPECT_NEAR(result.effects[0].mu_star.value, 1.0 / 3, 1e-14);
  EXPECT_NEAR(result.effects[0].sigma, 1.0 / 3, 1e-3);
  EXPECT_NEAR(result.effects[0].standard_error, 0, 1e-15);  // all |e| are equal, the e are not
}

TEST(MorrisEffects, AreCoveredByTheirIntervals) {
  // u1 (1 + u2) + u3 u2²: mu* of u1 = 1 + <u2> = 3/2; u2: <u1 + u3 (2 u2 ± 2/3)> over the pairs (0, 2/3), (1/3, 1): sum
  // of levels is 2/3 or 4/3, so 1/2 + 1/2 · 1 = 1; u3: <u2²> = 14/36
  const auto f = [](auto u) { return u[0] * (1 + u[1]) + u[2] * u[1] * u[1]; };
  const double expected[] = {1.5, 1, 14.0 / 36};
  const int seeds = std::getenv("CONESWEEP_ALL") != nullptr ? 4000 : 400;
  int hits[3] = {};
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto result = screen(MorrisPoints(static_cast<std::uint64_t>(seed), bounded(3)), 40, f);
    for (std::size_t i = 0; i < 3; ++i)
      hits[i] += result.effects[i].mu_star.lower <= expected[i] && expected[i] <= result.effects[i].mu_star.upper;
  }
  for (const int hit : hits) {
    const double rate = static_cast<double>(hit) / seeds;
    std::printf("  mu*: intervals cover in %.1f %% of %d seeds\n", 100 * rate, seeds);
    EXPECT_GE(rate, 0.90);
    EXPECT_LE(rate, 0.99);
  }
}

TEST(MorrisEffects, NextToAMissingValueAreLeftOut) {
  const MorrisPoints points(1, bounded(3));
  auto values = test::values_at(points, 3, 0, points.members(10), [](auto u) { return 3 * u[0] - 2 * u[1] + u[2]; });
  auto status = all_ok(values.size());
  values[4 * 2] = std::numeric_limits<double>::quiet_NaN();  // the first point of trajectory 2: one effect
  status[4 * 5 + 2] = Status::non_finite;                    // an inner point of trajectory 5: two effects
  MorrisSums sums(points);
  // one at a time: pieces do not matter
  for (std::size_t m = 0; m < values.size(); ++m) sums.add({&values[m], 1}, {&status[m], 1});
  const auto result = sums.effects(test::names_of(3));
  std::vector<std::int64_t> expected(3, 10);
  --expected[points.steps(2)[0].axis];
  --expected[points.steps(5)[1].axis];
  --expected[points.steps(5)[2].axis];
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.effects[i].count, expected[i]);
  EXPECT_EQ(result.left_out, 3);
  EXPECT_NEAR(result.effects[1].mu, -2, 1e-14);
  EXPECT_THAT(
      result.warnings,
      ElementsAre(
          "3 of 30 effects are left out (a member stopped or has no value): mu, mu* and sigma speak of the others"));
}

TEST(MorrisEffects, OfOneTrajectoryHaveNoInterval) {
  const auto result = screen(MorrisPoints(1, bounded(2)), 1, [](auto u) { return u[0] + u[1]; });
  EXPECT_NEAR(result.effects[0].mu, 1, 1e-14);
  EXPECT_TRUE(std::isnan(result.effects[0].sigma));
  EXPECT_TRUE(std::isnan(result.effects[0].mu_star.lower));
  EXPECT_THAT(
      result.warnings,
      ElementsAre("effect of x1 and x2: fewer than two values, so no spread and no interval; take more trajectories"));
}

}  // namespace
}  // namespace conesweep::sensitivity
