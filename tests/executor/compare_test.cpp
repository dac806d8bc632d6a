// What `conesweep compare` counts, on outcomes written by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "executor/agreement.hpp"

namespace conesweep::test {
namespace {

using executor::Outcome;
using executor::Status;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class Compare : public ::testing::Test {
 protected:
  // reach, often, late, the nine standard quantities, final.x, final.vx
  scenario::Scenario scenario_ = parse_scenario(R"toml(title = "by hand"
[model]
coordinates = ["x"]
force = ["-x"]
[[model.contact]]
name = "floor"
inside = "x >= -1"
[start]
x = "0.5"
[time]
end = 1.0
step = 0.1
[ensemble]
members = 100
[observe]
reach = { max = "x" }
often = { count = "x > 0" }
late = { last_time = "x > 0" }
[record]
members = 2
every = 5
)toml");
  Outcome a_ = filled(), b_ = filled();

  Outcome filled() const {
    Outcome outcome = executor::make_outcome(scenario_, {{scenario_, 0, 100}});
    for (std::size_t k = 0; k < outcome.observables.size(); ++k)
      for (std::size_t m = 0; m < 100; ++m) outcome.observables[k][m] = 1.0 + static_cast<double>(m) / 100;
    for (auto& column : outcome.trajectories.columns) column.assign(column.size(), 0.5);
    return outcome;
  }

  std::vector<double>& of(Outcome& outcome, const std::string& name) {
    const auto names = observable_names(scenario_);
    return outcome.observables[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  }

  ensemble::Comparison run(double tolerance = 1e-9, double grazing = 0.01) {
    return ensemble::compare(scenario_, a_, b_, {tolerance, grazing, false});
  }
  ensemble::Difference of(const ensemble::Comparison& comparison, const std::string& name) {
    for (const auto& d : comparison.differences)
      if (d.name == name) return d;
    throw std::runtime_error(name);
  }
};

TEST_F(Compare, EqualOutcomesAgreeToTheBit) {
  EXPECT_TRUE(run(0, 0).passed);
  const auto bits = ensemble::compare(scenario_, a_, b_, {0, 0, true});
  EXPECT_TRUE(bits.passed);
  EXPECT_EQ(bits.bits.differing, 0);
  // status, stop time, residual and flags, observables, mode, x and vx at three nodes
  EXPECT_EQ(bits.bits.values, 100 * 4 + 100 * 14 + 2 * 3 * 3);
}

TEST_F(Compare, NamesTheWorstMemberAndTheUsualDifference) {
  for (std::size_t m = 0; m < 100; ++m) of(b_, "reach")[m] += 1e-12;
  of(b_, "reach")[17] += 3e-10;
  const auto comparison = run();
  EXPECT_TRUE(comparison.passed);
  const auto reach = of(comparison, "reach");
  EXPECT_EQ(reach.worst_member, 17);
  EXPECT_EQ(reach.a, of(a_, "reach")[17]);
  EXPECT_EQ(reach.b, of(b_, "reach")[17]);
  EXPECT_NEAR(reach.absolute.median, 1e-12, 1e-15);
  EXPECT_NEAR(reach.absolute.worst, 3.01e-10, 1e-14);
  EXPECT_NEAR(reach.absolute.high, 1e-12, 1e-15);
  EXPECT_NEAR(reach.relative.worst, 3.01e-10 / 1.17, 1e-13);
  EXPECT_EQ(reach.compared, 100);
  EXPECT_NEAR(reach.scale, 1.99, 1e-9);
  EXPECT_EQ(of(comparison, "impulse").worst_member, -1);
  EXPECT_FALSE(run(1e-10).passed);
  EXPECT_FALSE(of(run(1e-10), "reach").within);
  EXPECT_TRUE(of(run(1e-10), "impulse").within);
}

TEST_F(Compare, TakesRoundingOfTheStateForNothingInAnObservableNearZero) {
  of(a_, "penetration").assign(100, 0.0);
  of(b_, "penetration").assign(100, 1e-16);
  EXPECT_TRUE(run().passed);
  of(b_, "penetration").assign(100, 1e-9);
  EXPECT_FALSE(run().passed);
}

TEST_F(Compare, CountsMembersWithAnotherContactHistoryApart) {
  of(b_, "impacts")[3] += 1;
  of(b_, "reach")[3] += 5;  // a consequence that says nothing
  const auto one = run();
  EXPECT_TRUE(one.passed);
  ASSERT_EQ(one.grazing.size(), 1u);
  EXPECT_EQ(one.grazing[0].member, 3);
  EXPECT_EQ(one.grazing[0].what, "impacts 1.03 and 2.03");
  EXPECT_EQ(of(one, "reach").compared, 99);
  EXPECT_FALSE(run(1e-9, 0).passed);
  of(b_, "stick_time")[4] += 0.1;  // one step
  EXPECT_EQ(run().grazing.size(), 2u);
  EXPECT_FALSE(run().passed) << "two in a hundred are more than one in a hundred";
  EXPECT_TRUE(run(1e-9, 0.02).passed);
}

TEST_F(Compare, SeesEveryKindOfHistory) {
  a_.status[1] = Status::non_finite, a_.stop_time[1] = 0.5;                                       // stopped on one side
  a_.status[2] = b_.status[2] = Status::bad_angle, a_.stop_time[2] = 0.5, b_.stop_time[2] = 0.6;  // at another node
  a_.status[5] = b_.status[5] = Status::bad_angle, a_.stop_time[5] = b_.stop_time[5] = 0.5;       // alike
  of(b_, "often")[6] += 1;
  of(b_, "late")[7] += 0.1;
  of(b_, "late")[8] += 1e-12;  // rounding
  of(b_, "first_contact")[9] = nan;
  of(b_, "reach")[10] = nan;
  of(b_, "reach")[11] = std::numeric_limits<double>::infinity();
  of(a_, "reach")[12] = of(b_, "reach")[12] = nan;  // alike
  b_.trajectories.mode[2] = 1;                      // member 0, last node
  const auto comparison = run();
  std::vector<std::int64_t> members;
  for (const auto& g : comparison.grazing) members.push_back(g.member);
  EXPECT_EQ(members, (std::vector<std::int64_t>{0, 1, 2, 6, 7, 9, 10, 11}));
  EXPECT_EQ(comparison.stopped, 1);
  EXPECT_EQ(comparison.grazing[0].what, "mode 0 and 1 at t = 1");
  EXPECT_EQ(comparison.grazing[1].what, "status non_finite and ok");
  EXPECT_EQ(comparison.grazing[2].what, "stopped at t = 0.5 and 0.6");
  EXPECT_EQ(comparison.grazing[5].what, "first_contact 1.09 and nan");
}

TEST_F(Compare, ComparesTrajectories) {
  b_.trajectories.columns[1][4] += 1e-3;
  const auto comparison = run();
  EXPECT_FALSE(comparison.passed);
  EXPECT_EQ(of(comparison, "trajectory.vx").worst_member, 1);
  EXPECT_TRUE(of(comparison, "trajectory.x").within);
}

TEST_F(Compare, CountsValuesWhoseBitsDiffer) {
  of(b_, "reach")[17] = std::nextafter(of(b_, "reach")[17], 2.0);
  of(a_, "impulse")[3] = 0.0, of(b_, "impulse")[3] = -0.0;
  b_.trajectories.mode[0] = 2;
  const auto comparison = ensemble::compare(scenario_, a_, b_, {1, 1, true});
  EXPECT_FALSE(comparison.passed);
  EXPECT_EQ(comparison.bits.differing, 3);
  EXPECT_EQ(comparison.bits.first, "reach of member 17: 0x1.2b851eb851eb8p+0 and 0x1.2b851eb851eb9p+0");
}

}  // namespace
}  // namespace conesweep::test
