// Classes of members, their shares, and Wilson's intervals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "keep/classes.hpp"
#include "sampling/philox.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::keep {
namespace {

using executor::Status;
using testing::ElementsAre;

// z √(p (1 - p)/n) on either side of p: the interval is all p for which the share lies inside. By bisection, from the
// definition.
double end_of_interval(double share, double n, double inside, double outside) {
  constexpr double z = 1.959963984540054;
  for (int k = 0; k < 200; ++k) {
    const double p = (inside + outside) / 2;
    (std::fabs(share - p) <= z * std::sqrt(p * (1 - p) / n) ? inside : outside) = p;
  }
  return inside;
}

TEST(Wilson, IsTheSetOfSharesThatTheSampleAllows) {
  for (const std::int64_t n : {1, 2, 7, 50, 1000, 1'000'000})
    for (const double part : {0.0, 0.001, 0.02, 0.3, 0.5, 0.77, 1.0}) {
      const auto hits = static_cast<std::int64_t>(part * static_cast<double>(n));
      const double share = static_cast<double>(hits) / static_cast<double>(n);
      const auto interval = statistics::wilson_interval(hits, n);
      EXPECT_NEAR(interval.lower, end_of_interval(share, static_cast<double>(n), share, -1e-12), 2e-12)
          << hits << " of " << n;
      EXPECT_NEAR(interval.upper, end_of_interval(share, static_cast<double>(n), share, 1 + 1e-12), 2e-12)
          << hits << " of " << n;
      EXPECT_LE(0, interval.lower);
      EXPECT_LE(interval.upper, 1);
    }
  EXPECT_EQ(statistics::wilson_interval(0, 100).lower, 0);
  EXPECT_EQ(statistics::wilson_interval(100, 100).upper, 1);
  EXPECT_NEAR(statistics::wilson_interval(0, 100).upper, 0.0370, 1e-4);  // 3.84 / 103.84
}

TEST(Wilson, CountsAsManyMembersAsTheErrorIsWorth) {
  // the error of 400 independent members, from 100 and from 1600 that are not
  const double error = std::sqrt(0.25 * 0.75 / 400);
  for (const std::int64_t n : {100, 1600}) {
    EXPECT_NEAR(statistics::wilson_interval(n / 4, n, error).lower, statistics::wilson_interval(100, 400).lower, 1e-15);
    EXPECT_NEAR(statistics::wilson_interval(n / 4, n, error).upper, statistics::wilson_interval(100, 400).upper, 1e-15);
  }
  // members that are all alike show no error, and counting knows half a member at best
  EXPECT_EQ(statistics::wilson_interval(0, 100, 0.0).upper, statistics::wilson_interval(0, 100).upper);
  EXPECT_EQ(statistics::wilson_interval(100, 100, 0.0).lower, statistics::wilson_interval(100, 100).lower);
  EXPECT_EQ(statistics::wilson_interval(30, 100, std::nan("")).lower, statistics::wilson_interval(30, 100).lower);
  EXPECT_NEAR(statistics::wilson_interval(5000, 10'000, 0.0).half_width(), 1.96 * 0.5 / 10'000, 1e-8);
}

// Over 1000 seeds of the sampler's own numbers. Binomial counts are lattice points, so coverage wanders around 95 %
// with p and n; the mean over p does not.
TEST(Wilson, CoversTheTrueShareOverSeeds) {
  constexpr int seeds = 1000;
  double mean = 0;
  int cases = 0;
  for (const int n : {100, 400})
    for (const double p : {0.02, 0.1, 0.3, 0.5, 0.688}) {
      int covered = 0;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        std::int64_t hits = 0;
        for (std::uint64_t m = 0; m < static_cast<std::uint64_t>(n); ++m)
          hits += sampling::random_unit(seed, m, 17) < p ? 1 : 0;
        const auto interval = statistics::wilson_interval(hits, n);
        covered += interval.lower <= p && p <= interval.upper ? 1 : 0;
      }
      const double share = covered / static_cast<double>(seeds);
      EXPECT_GT(share, 0.925) << "p = " << p << ", n = " << n;
      EXPECT_LT(share, 0.985) << "p = " << p << ", n = " << n;
      mean += share;
      ++cases;
    }
  EXPECT_NEAR(mean / cases, 0.953, 0.01);
}

const std::string scenario_text = R"~([model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
limit = 2.0
[start]
x = "0"
[time]
end = 1.0
step = 0.5
[ensemble]
members = 6
[vary]
limit = { uniform = [1, 3] }
[observe]
standard = []
late = { first_time = "x > 1" }
[classes]
never_came = "never(late)"
beyond = "final.x > limit"
near = "final.x > limit - 1 and late < 0.5"
rest = "else"
)~";

TEST(Classify, TakesTheFirstThatHoldsAndStatusesAsTheyAre) {
  const auto scenario = test::parse_scenario(scenario_text);
  const double nan = std::nan("");
  const std::vector<std::vector<double>> observables = {
      {nan, 0.1, 0.1, 0.1, 0.9, nan}, {9, 3, 3, 0.5, 1.5, nan}, {0, 0, 0, 0, 0, nan}};
  const std::vector<double> limit = {1, 2, 3.5, 3, 2, 1};
  const MemberColumns columns = {[&](std::size_t o) { return observables[o]; },
                                 [&](std::size_t) { return limit; },
                                 {Status::ok, Status::ok, Status::ok, Status::ok, Status::ok, Status::bad_delay}};
  const auto codes = classify(scenario, columns);
  const auto names = class_names(scenario);
  std::vector<std::string> found;
  for (const auto code : codes) found.push_back(names[code]);
  EXPECT_THAT(found, ElementsAre("never_came", "beyond", "near", "rest", "rest", "bad_delay"));

  const auto counts = count_classes(scenario, codes, {});
  ASSERT_EQ(counts.size(), 5u);
  EXPECT_EQ(counts[3].members, 2);
  EXPECT_EQ(counts[3].share, 2.0 / 6);
  EXPECT_EQ(counts[4].name, "bad_delay");
  EXPECT_EQ(counts[4].interval.lower, statistics::wilson_interval(1, 6).lower);
  EXPECT_FALSE(count_classes(scenario, codes, {.sampled = false})[0].has_interval);
  EXPECT_EQ(share_interval(codes, 3, {}).half_width(), statistics::wilson_interval(2, 6).half_width());
}

// (S1) of each member's own parameters
TEST(Classify, ComputesParametersOfEachMember) {
  std::string text = scenario_text;
  text.insert(text.find("[start]"), "near = \"reach - 1\"\nreach = \"2*limit\"\n");
  text.replace(text.find("never_came ="), std::string::npos,
               "between = \"final.x > near and final.x <= reach\"\nrest = \"else\"\n");
  const auto scenario = test::parse_scenario(text);
  const std::vector<std::vector<double>> observables = {{0, 0, 0, 0, 0, 0}, {1, 1.5, 2, 3, 4.5, 5}, {0, 0, 0, 0, 0, 0}};
  // ]1, 2], ]1.5, 2.5] twice, ]3, 4], ]3.5, 4.5] twice
  const std::vector<double> limit = {1, 1.25, 1.25, 2, 2.25, 2.25};
  const MemberColumns columns = {[&](std::size_t o) { return observables[o]; }, [&](std::size_t) { return limit; },
                                 std::vector<Status>(6, Status::ok)};
  EXPECT_THAT(classify(scenario, columns), ElementsAre(1, 1, 0, 1, 0, 1));
}

}  // namespace
}  // namespace conesweep::keep
