// Observables (O1)-(O6) on motions whose every number is known: dyadic steps and data, so that nothing is rounded and
// EXPECT_EQ holds.
#include <gtest/gtest.h>

#include <cmath>

#include "observed.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using test::parse_scenario;

class Reducer : public Observed {};
class Trajectory : public Observed {};
ON_EVERY_EXECUTOR(Reducer);
ON_EVERY_EXECUTOR(Trajectory);

TEST_P(Reducer, MaxAndMinLookAtAllNodesFromZeroToTheEnd) {
  const auto r =
      fly("a = { max = \"x\" }\nb = { min = \"x\" }\nc = { max = \"-x\" }\nd = { min = \"-x\" }\ne = { max = \"(x - "
          "0.5)*(0.5 - x)\" }\n");
  EXPECT_EQ(observe(r, "a"), 1);
  EXPECT_EQ(observe(r, "b"), 0);
  EXPECT_EQ(observe(r, "c"), 0);
  EXPECT_EQ(observe(r, "d"), -1);
  EXPECT_EQ(observe(r, "e"), 0);
}

TEST_P(Reducer, MaxAndMinSkipNodesWhereTheExpressionIsNoNumber) {
  const auto r =
      fly("a = { max = \"sqrt(x - 0.5)\" }\nb = { min = \"sqrt(0.5 - x)\" }\nc = { max = \"sqrt(-1 - x)\" }\n");
  EXPECT_DOUBLE_EQ(observe(r, "a"), std::sqrt(0.5));
  EXPECT_EQ(observe(r, "b"), 0);
  EXPECT_TRUE(std::isnan(observe(r, "c")));
}

TEST_P(Reducer, FinalIsTheValueAtTheLastNode) {
  const auto r = fly("a = { final = \"x + 10*vx + 100*t\" }\n");
  EXPECT_EQ(observe(r, "a"), 1 + 5 + 200);
  EXPECT_EQ(observe(r, "final.x"), 1);
  EXPECT_EQ(observe(r, "final.vx"), 0.5);
}

TEST_P(Reducer, IntegralSumsTheNodesBeforeTheEnd) {
  const auto r =
      fly("a = { integral = \"x\" }\nb = { integral = \"vx\" }\nc = { integral = \"1\" }\nd = { integral = \"if(t >= "
          "2, 1e6, 0)\" }\n");
  EXPECT_EQ(observe(r, "a"), 0.5 * 0.125 * 0.125 * 16 * 15 / 2);  // h Σ x_i, i < N
  EXPECT_EQ(observe(r, "b"), 1);                                  // exact for velocities: x(T) - x(0)
  EXPECT_EQ(observe(r, "c"), 2);
  EXPECT_EQ(observe(r, "d"), 0);  // node N has no step of its own
}

TEST_P(Reducer, MeanIsTheIntegralOverTheTime) {
  const auto r = fly("a = { mean = \"x\" }\nb = { mean = \"vx\" }\nc = { mean = \"3\" }\n");
  EXPECT_EQ(observe(r, "a"), 0.5 * 0.125 * 0.125 * 16 * 15 / 2 / 2);
  EXPECT_EQ(observe(r, "b"), 0.5);
  EXPECT_EQ(observe(r, "c"), 3);
}

TEST_P(Reducer, FirstTimeIsThatOfTheFirstNodeThatHolds) {
  const auto r =
      fly("a = { first_time = \"x >= 0.5\" }\nb = { first_time = \"x > 0.5\" }\nc = { first_time = \"x < 2\" }\nd = { "
          "first_time = \"x > 2\" }\ne = { "
          "first_time = \"t >= 2\" }\n");
  EXPECT_EQ(observe(r, "a"), 1);
  EXPECT_EQ(observe(r, "b"), 1.125);
  EXPECT_EQ(observe(r, "c"), 0);
  EXPECT_TRUE(std::isnan(observe(r, "d")));
  EXPECT_EQ(observe(r, "e"), 2);  // node N counts
}

TEST_P(Reducer, LastTimeIsThatOfTheLastNodeThatHolds) {
  const auto r =
      fly("a = { last_time = \"x < 0.5\" }\nb = { last_time = \"x <= 0.5\" }\nc = { last_time = \"vx > 0\" }\nd = { "
          "last_time = \"vx < 0\" }\ne = { last_time "
          "= \"t == 0\" }\n");
  EXPECT_EQ(observe(r, "a"), 0.875);
  EXPECT_EQ(observe(r, "b"), 1);
  EXPECT_EQ(observe(r, "c"), 2);
  EXPECT_TRUE(std::isnan(observe(r, "d")));
  EXPECT_EQ(observe(r, "e"), 0);
}

TEST_P(Reducer, CountIsHowOftenTheConditionBecomesTrue) {
  const auto r = fly(R"toml(
a = { count = "x >= 0.25" }
b = { count = "x >= 0" }
c = { count = "x > 5" }
d = { count = "mod(t, 0.5) < 0.25" }
e = { count = "mod(t, 0.5) >= 0.25" }
f = { count = "t >= 2" }
g = { count = "mod(t, 0.25) == 0" }
)toml");
  EXPECT_EQ(observe(r, "a"), 1);
  EXPECT_EQ(observe(r, "b"), 1);  // true at node 0 counts, and stays true
  EXPECT_EQ(observe(r, "c"), 0);
  EXPECT_EQ(observe(r, "d"), 5);  // at 0, 0.5, 1, 1.5 and at node N
  EXPECT_EQ(observe(r, "e"), 4);
  EXPECT_EQ(observe(r, "f"), 1);
  EXPECT_EQ(observe(r, "g"), 9);  // every other of 17 nodes
}

TEST_P(Reducer, SeesTheVelocityOfTheStepThatStartsAtTheNode) {
  // x'' = -2 from rest, h = 1/4: v_i = -(i+1)/2, x_i = -i(i+1)/16
  const auto r = run(parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["-2"]
[start]
x = "0"
[time]
end = 1
step = 0.25
[observe]
fastest_first = { max = "vx" }
all = { integral = "vx" }
speed = { first_time = "vx <= -1" }
last = { final = "vx" }
place = { min = "x" }
)toml"));
  EXPECT_EQ(observe(r, "fastest_first"), -0.5);
  EXPECT_EQ(observe(r, "all"), -4.0 * 5 / 16);
  EXPECT_EQ(observe(r, "speed"), 0.25);
  EXPECT_EQ(observe(r, "last"), -2);
  EXPECT_EQ(observe(r, "place"), -4.0 * 5 / 16);
  EXPECT_EQ(observe(r, "variation"), 2);  // four steps of 1/2
  EXPECT_EQ(observe(r, "flight_time"), 1);
}

TEST_P(Trajectory, HasCoordinatesVelocitiesAndModeAtEveryKthNode) {
  const auto r = run(parse_scenario(sliding_block));
  const auto& recorded = r.outcome.trajectories;
  ASSERT_EQ(recorded.members, 1);
  ASSERT_EQ(recorded.times, 9);  // nodes 0, 4, …, 32
  ASSERT_EQ(recorded.columns.size(), 4u);
  double x = 0;
  for (int i = 0, k = 0; i <= 32; ++i) {
    const double v = i < 15 ? 1 - (i + 1) / 16.0 : 0;
    if (i % 4 == 0) {
      const auto at = static_cast<std::size_t>(k++);
      EXPECT_EQ(recorded.columns[0][at], x) << i;
      EXPECT_EQ(recorded.columns[1][at], 0) << i;
      EXPECT_EQ(recorded.columns[2][at], v) << i;
      EXPECT_EQ(recorded.columns[3][at], 0) << i;
      EXPECT_EQ(recorded.mode[at], i < 15 ? 1 : 2) << i;  // node 32 = N has the mode of step 31
    }
    x += 0.125 * v;
  }
}

TEST_P(Trajectory, LeavesOutTheEndIfItIsNoMultiple) {
  std::string text = sliding_block;
  text.replace(text.find("every = 4"), 9, "every = 5");
  const auto r = run(parse_scenario(text));
  EXPECT_EQ(r.outcome.trajectories.times, 7);  // 0, 5, …, 30
  EXPECT_EQ(r.outcome.trajectories.columns[2][6], 0);
  EXPECT_EQ(r.outcome.trajectories.columns[2][1], 1 - 6 / 16.0);
}

TEST_P(Trajectory, OfTheFirstMembersOnly) {
  std::string text = sliding_block;
  text.replace(text.find("members = 1"), 11, "members = 3");
  text += "[ensemble]\nmembers = 5\n";
  EXPECT_EQ(run(parse_scenario(text)).outcome.trajectories.members, 3);
}

}  // namespace
}  // namespace conesweep
