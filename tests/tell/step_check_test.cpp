// What `run` says about its step: on outcomes written by hand, and on a motion whose step error is known in closed
// form.
#include "tell/step_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ensemble/drag.hpp"
#include "run/spread_run.hpp"
#include "scenario/refine.hpp"

namespace conesweep::test {
namespace {

using executor::Outcome;
using executor::Status;
using tell::MeanEstimate;
using tell::StepCheck;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<MeanEstimate> means_of(const scenario::Scenario& scenario, const Outcome& outcome) {
  std::vector<MeanEstimate> means;
  for (std::size_t k = 0; k < observable_names(scenario).size(); ++k) {
    const auto summary = statistics::summarise(outcome.observables[k], outcome.status);
    means.push_back({summary.mean, summary.standard_deviation, summary.standard_error});
  }
  return means;
}

// The members that the check takes.
keep::SomeMembers spread(const scenario::Scenario& scenario, const Outcome& all) {
  const auto members = tell::spread_members(static_cast<std::int64_t>(all.status.size()));
  keep::SomeMembers some{sampling::draw(scenario, members), {}};
  some.outcome.observables.resize(all.observables.size());
  for (const std::int64_t member : members) {
    some.outcome.status.push_back(all.status[static_cast<std::size_t>(member)]);
    for (std::size_t o = 0; o < all.observables.size(); ++o)
      some.outcome.observables[o].push_back(all.observables[o][static_cast<std::size_t>(member)]);
  }
  return some;
}

class StepCheckByHand : public ::testing::Test {
 protected:
  // speed, final.x, final.vx
  scenario::Scenario scenario_ = drag(8, 4);
  Outcome at_h_ = filled(), at_half_ = filled();
  std::vector<MeanEstimate> means_ = {{10, 1, 0.001}, {10, 1, 0.001}, {10, 1, 0.001}};

  Outcome filled() const {
    Outcome outcome = executor::make_outcome(scenario_, {{scenario_, 0, 4}});
    for (auto& column : outcome.observables) column = {9, 10, 10, 11};
    return outcome;
  }
  StepCheck run() { return tell::compare_steps(scenario_, {{}, at_h_}, at_half_, {means_}); }
};

TEST_F(StepCheckByHand, TakesTwiceTheMeanDifference) {
  at_h_.observables[0] = {9.1, 10.2, 10.3, 11.2};
  const auto error = run().observables[0];
  EXPECT_EQ(error.name, "speed");
  EXPECT_EQ(error.compared, 4);
  EXPECT_EQ(error.changed, 0);
  EXPECT_NEAR(error.difference, 0.2, 1e-14);
  EXPECT_NEAR(error.difference_error, std::sqrt(0.02 / 3 / 4), 1e-14);  // deviations -0.1, 0, 0.1, 0
  EXPECT_NEAR(error.step_error, 0.4, 1e-14);
  EXPECT_EQ(error.sampling_error, 0.001);
  EXPECT_TRUE(error.is_large);
  EXPECT_EQ(error.halvings, 2);  // 0.4 → 0.2 → 0.1 = 1 % of the mean
}

TEST_F(StepCheckByHand, IsLargeOnlyWhereAllThreeReasonsHold) {
  at_h_.observables[0] = {9.2, 10.2, 10.2, 11.2};
  EXPECT_TRUE(run().observables[0].is_large);
  means_[0].standard_error = 0.21;  // 0.4 < 2 × 0.21: more members first
  EXPECT_FALSE(run().observables[0].is_large);
  means_[0] = {41, 1, 0.001};  // less than 1 % of the mean
  EXPECT_FALSE(run().observables[0].is_large);
  means_[0] = {0, 41, 0.001};  // or of the deviation
  EXPECT_FALSE(run().observables[0].is_large);
  means_[0] = {10, 1, 0.001};
  at_h_.observables[0] = {8.2, 11.2, 11.2, 10.2};  // the same mean difference, within its noise
  EXPECT_NEAR(run().observables[0].step_error, 0.4, 1e-14);
  EXPECT_FALSE(run().observables[0].is_large);
}

TEST_F(StepCheckByHand, LeavesOutMembersThatTookAnotherPathAndCountsThem) {
  at_h_.status[0] = Status::non_finite;                      // stopped on one side
  at_h_.status[1] = at_half_.status[1] = Status::bad_angle;  // on both
  for (auto* outcome : {&at_h_, &at_half_})
    for (auto& column : outcome->observables) column[1] = nan;
  at_half_.observables[1][2] = nan;  // no event on one side
  const auto check = run();
  EXPECT_EQ(check.observables[0].compared, 2);
  EXPECT_EQ(check.observables[0].changed, 1);
  EXPECT_EQ(check.observables[1].compared, 1);
  EXPECT_EQ(check.observables[1].changed, 2);
  EXPECT_TRUE(std::isnan(check.observables[1].difference_error));
  EXPECT_FALSE(check.observables[1].is_large);
}

TEST_F(StepCheckByHand, DoesNotWarnOfWhatVanishesWithTheStep) {
  means_[0] = {0.2, 0.02, 0.001};
  at_h_.observables[0] = {0.18, 0.19, 0.2, 0.23};
  at_half_.observables[0] = {0.09, 0.095, 0.1, 0.115};
  EXPECT_TRUE(run().observables[0].vanishes);
  EXPECT_FALSE(run().observables[0].is_large);
  at_half_.observables[0] = {0.12, 0.13, 0.14, 0.16};
  EXPECT_FALSE(run().observables[0].vanishes);
  EXPECT_TRUE(run().observables[0].is_large);
}

// (L8): whole numbers, of which no pair differs
TEST_F(StepCheckByHand, DoesNotCallZeroWhatItDidNotSee) {
  EXPECT_EQ(run().observables[0].step_error, 0);
  EXPECT_EQ(run().observables[0].at_most, 2 * 3 / 4.0);
  at_h_.observables[0][1] = 11;  // one pair differs: what it happened to be, and what was not seen
  EXPECT_NEAR(run().observables[0].at_most, 2 * (0.25 + 2 * 0.25 + 0.75), 1e-14);
  at_h_.observables[0][2] = 9;  // jumps to both sides cancel: that is not 0
  EXPECT_EQ(run().observables[0].step_error, 0);
  EXPECT_GT(run().observables[0].at_most, 1.5);
  at_h_.observables[0] = at_half_.observables[0] = {9.5, 10, 10, 11};  // not a count
  EXPECT_TRUE(std::isnan(run().observables[0].at_most));
  EXPECT_EQ(run().observables[0].step_error, 0);
}

// Values that jump: two of 256 make the whole difference, and 2|d| is their luck.
TEST(StepCheck, BoundsWhatFewMembersMake) {
  const auto scenario = drag(8, 256);
  Outcome at_h = executor::make_outcome(scenario, {{scenario, 0, 256}}), at_half = at_h;
  for (std::size_t m = 0; m < 256; ++m)
    for (std::size_t o = 0; o < 3; ++o) {
      const double x = 0.1 + static_cast<double>(m) / 256;
      at_h.observables[o][m] = x, at_half.observables[o][m] = x * (1 + 1e-3);
    }
  at_half.observables[0][7] += 1.5, at_half.observables[0][200] -= 1.5;
  const std::vector<MeanEstimate> means(3, {0.6, 0.29, 0.018});
  const auto check = tell::compare_steps(scenario, {{}, at_h}, at_half, {means});
  EXPECT_LT(check.observables[0].step_error, 0.002);
  EXPECT_NEAR(check.observables[0].at_most, 2 * (3 * 1.5 / 256 + 2 * 1.5 * std::sqrt(2.0) / 256), 0.003);
  EXPECT_TRUE(std::isnan(check.observables[1].at_most));  // all members move
}

TEST_F(StepCheckByHand, AsksForNoSamplingErrorWhereThereIsNone) {
  at_h_.observables[0] = {9.2, 10.2, 10.2, 11.2};
  means_[0].standard_error = nan;
  EXPECT_TRUE(run().observables[0].is_large);
}

// One member has no scatter to hold a difference against, and its value is what a reader believes: a top that stands at
// 0.04 and is found at 2.44.
TEST(StepCheck, WarnsOfOneMember) {
  const auto scenario = drag(8, 1);
  Outcome at_h = executor::make_outcome(scenario, {{scenario, 0, 1}}), at_half = at_h;
  at_h.observables = {{2.44}, {1.0}, {1e-17}}, at_half.observables = {{0.04}, {1.001}, {3e-17}};
  const std::vector<MeanEstimate> means = {{2.44, nan, nan}, {1.0, nan, nan}, {1e-17, nan, nan}};
  const auto check = tell::compare_steps(scenario, {{}, at_h}, at_half, {means});
  EXPECT_TRUE(check.observables[0].is_large);
  EXPECT_FALSE(check.observables[1].is_large);  // 0.2 %
  EXPECT_FALSE(check.observables[2].is_large);  // rounding
  EXPECT_THAT(tell::step_warning(check).text(),
              ::testing::StartsWith(
                  "the step is large for speed: halving it moves the value of the one member by -2.4, so the step "
                  "costs about 4.8; try step "));
  // the whole way: v0 (1 - c h)^N is 2.5 % off at h = 1/8
  const auto coarse = drag(8, 1);
  const auto outcome = run_first(coarse, "cpu", 1);
  EXPECT_TRUE(runs::check_step(coarse, spread(coarse, outcome), {means_of(coarse, outcome)}, *cpu()(coarse), {})
                  .observables[0]
                  .is_large);
}

TEST(StepCheck, TellsTheErrorOfTheSharesOfClasses) {
  const auto scenario = drag(16, 256, 1, "[classes]\nslow = \"speed < 0.3\"\ntiny = \"speed < 0\"\n");
  const auto outcome = run_first(scenario, "cpu", 256);
  const std::vector<keep::ClassCount> classes = {{"slow", 128, 0.5, true, {0.44, 0.56}},
                                                 {"tiny", 0, 0, true, {0, 0.015}},
                                                 {"other", 128, 0.5, true, {0.44, 0.56}}};
  const auto check = runs::check_step(scenario, spread(scenario, outcome), {means_of(scenario, outcome), classes},
                                      *cpu()(scenario), {});
  ASSERT_EQ(check.classes.size(), 3u);
  // P(v0 exp(-c) < 0.3) is 0.5 or so; at h = 1/16 and 1/32 it differs by half a per cent: few of 256 pairs do
  EXPECT_EQ(check.classes[0].compared, 256);
  EXPECT_EQ(check.classes[0].difference, -check.classes[2].difference);
  EXPECT_GT(check.classes[0].at_most, 2 * 3 / 256.0 - 1e-12);
  EXPECT_LT(check.classes[0].at_most, 0.15);
  EXPECT_EQ(check.classes[1].at_most, 2 * 3 / 256.0);  // none: that is not 0
}

TEST(SpreadMembers, HaveOneInEveryPartAndAllLevelsOfAGrid) {
  for (const std::int64_t members : {1, 5, 255, 256}) {
    const auto all = tell::spread_members(members);
    ASSERT_EQ(static_cast<std::int64_t>(all.size()), members);
    for (std::int64_t k = 0; k < members; ++k) EXPECT_EQ(all[static_cast<std::size_t>(k)], k);
  }
  for (const std::int64_t members : {257, 1000, 4096, 3'600, 1'000'000}) {
    const auto some = tell::spread_members(members);
    ASSERT_EQ(some.size(), 256u);
    for (std::int64_t k = 0; k < 256; ++k) {
      EXPECT_GE(some[static_cast<std::size_t>(k)], k * members / 256);
      EXPECT_LT(some[static_cast<std::size_t>(k)], (k + 1) * members / 256);
    }
  }
  // 256 rows of 16 levels: a fixed stride would see one level only
  std::vector<int> seen(16, 0);
  for (const std::int64_t member : tell::spread_members(4096)) ++seen[static_cast<std::size_t>(member % 16)];
  for (const int count : seen) EXPECT_GE(count, 8);
}

TEST_F(StepCheckByHand, SaysWhichStepToTry) {
  EXPECT_EQ(tell::step_warning(run()).text(), "");
  EXPECT_EQ(run().advised_step, 0.125);
  at_h_.observables[0] = {9.1, 10.2, 10.3, 11.2};
  EXPECT_EQ(run().advised_step, 0.03125);
  EXPECT_EQ(tell::step_warning(run()).text(),
            "the step is large for speed: halving it moves the mean by -0.2 (± 0.041), so the step costs about 0.4 "
            "where sampling costs 0.001; try step 0.03125");
  at_h_.observables[2] = {9.5, 10.5, 10.5, 11.6};
  EXPECT_THAT(tell::step_warning(run()).text(), ::testing::StartsWith("the step is large for final.vx: "));
  EXPECT_THAT(tell::step_warning(run()).text(), ::testing::EndsWith("; also for speed; try step 0.0078125"));
}

TEST(ReadableStep, IsShortAndDividesTheEnd) {
  scenario::Scenario scenario = drag(1000);
  EXPECT_EQ(scenario::readable_step(scenario, 0), 1e-3);
  EXPECT_EQ(scenario::readable_step(scenario, 3), 1.25e-4);
  scenario.end = 1, scenario.steps = 3;
  for (int k = 0; k < 20; ++k) {
    const double steps = scenario.end / scenario::readable_step(scenario, k);
    EXPECT_NEAR(steps / std::ldexp(3, k), 1, 1e-10);
  }
}

TEST(Refine, HalvesTheStepAndKeepsTheValues) {
  const auto scenario = drag(8, 100);
  const auto fine = scenario::refine(scenario, 2);
  EXPECT_EQ(fine.steps, 32);
  EXPECT_EQ(fine.h(), 1.0 / 32);
  EXPECT_EQ(fine.defaults, scenario.defaults);
  EXPECT_EQ(fine.record.members, 0);
  EXPECT_EQ(scenario::most_halvings(scenario), 27);  // 8 × 2^27 = 1.07e9
  EXPECT_EQ(scenario::most_halvings(scenario, 31), 1);
}

// E (1 - c h)^N - E exp(-c): what (L2) estimates from 256 members. The rest of the series is a share h of it, the noise
// of 256 members some per cent.
TEST(StepCheck, FindsTheStepErrorOfAClosedForm) {
  for (const std::int64_t steps : {16, 64, 256}) {
    const auto scenario = drag(steps, 2000);
    const auto outcome = run_first(scenario, "cpu", 2000);
    const auto check =
        runs::check_step(scenario, spread(scenario, outcome), {means_of(scenario, outcome)}, *cpu()(scenario), {});
    EXPECT_EQ(check.members, 256);
    const double exact = std::fabs(drag_mean_at(steps) - drag_mean);
    EXPECT_NEAR(check.observables[0].step_error / exact, 1, 0.1 + 1.0 / static_cast<double>(steps))
        << steps << " steps";
    EXPECT_EQ(check.observables[0].is_large, steps == 16);
  }
}

TEST(StepCheck, HasTheSameBitsForAnyNumberOfThreads) {
  const auto scenario = drag(16, 300);
  const auto outcome = run_first(scenario, "cpu", 300);
  const auto means = means_of(scenario, outcome);
  const auto one = runs::check_step(scenario, spread(scenario, outcome), {means}, *cpu(1)(scenario), {}),
             three = runs::check_step(scenario, spread(scenario, outcome), {means}, *cpu(3)(scenario), {});
  for (std::size_t k = 0; k < one.observables.size(); ++k) {
    EXPECT_EQ(one.observables[k].difference, three.observables[k].difference);
    EXPECT_EQ(one.observables[k].difference_error, three.observables[k].difference_error);
  }
}

TEST(StepCheck, RunsFewerMembersWhereThereAreFewer) {
  const auto scenario = drag(16, 5);
  const auto outcome = run_first(scenario, "cpu", 5);
  EXPECT_EQ(runs::check_step(scenario, spread(scenario, outcome), {means_of(scenario, outcome)}, *cpu()(scenario), {})
                .members,
            5);
}

// One model for all steps: what a call brings is no part of it.
TEST(StepCheck, TakesTheModelAtAnyStep) {
  const auto scenario = drag(16, 5);
  const auto model = make(scenario, "cpu");
  const auto varied = runs::draw_spread(scenario);
  for (int k = 1; k < 6; ++k) {
    scenario::Scenario fine = scenario;
    fine.steps = 16 << k;
    EXPECT_TRUE(same_bits(fine, runs::run_spread(scenario, k, varied, *model, {}), run_first(fine, "cpu", 5)))
        << k << " halvings";
  }
}

}  // namespace
}  // namespace conesweep::test
