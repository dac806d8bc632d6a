// Multilevel Monte Carlo: the algorithm on levels made of formulas.
#include "ensemble/mlmc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <set>

#include "ensemble/drag.hpp"
#include "formula_levels.hpp"
#include "oracle/observed_order.hpp"
#include "support/error.hpp"

namespace conesweep::test {
namespace {

using ensemble::MlmcRequest;
using ensemble::MlmcResult;
using ::testing::HasSubstr;

TEST(LevelSeed, IsAnotherOneForEveryLevelAndSeed) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    for (int level = 0; level < 20; ++level) seen.insert(ensemble::level_seed(seed, level));
  EXPECT_EQ(seen.size(), 20000u);
}

TEST(Mlmc, SharesMembersOutAsTheLeastCostWants) {
  const auto result = run(by(smooth), 1e-3);
  ASSERT_GE(result.levels.size(), 4u);
  double sum = 0;
  for (const auto& level : result.levels) sum += std::sqrt(level.variance * static_cast<double>(level.cost));
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const auto& level = result.levels[l];
    EXPECT_EQ(level.steps, 8 << l);
    EXPECT_EQ(level.cost, l == 0 ? 8 : 12 << l);
    EXPECT_EQ(level.members, level.correction.count);
    const double wanted = std::sqrt(level.variance / static_cast<double>(level.cost)) * sum / (0.25e-6);
    // never less, but for the 1 % that is let go; more only where a pilot, or an earlier variance, was larger
    EXPECT_GE(static_cast<double>(level.members), wanted / 1.011);
    EXPECT_LE(static_cast<double>(level.members), std::max(128.0, 1.2 * wanted));
    if (l == 0) continue;
    EXPECT_NEAR(level.correction.mean / -std::ldexp(0.25, -static_cast<int>(l)), 1, 0.1);  // -2 h_l
    EXPECT_NEAR(level.correction.variance() / (std::ldexp(1.0 / 64, -2 * static_cast<int>(l)) / 12), 1, 0.5);
  }
}

TEST(Mlmc, StatesTheErrorItHas) {
  const auto result = run(by(smooth), 1e-3);
  EXPECT_TRUE(result.reached);
  EXPECT_TRUE(result.notes.empty());
  EXPECT_LE(result.bias, 0.25e-3);
  EXPECT_LE(result.standard_error, 0.5e-3 * 1.01);
  EXPECT_NEAR(result.bias / (2 * result.levels.back().step), 1, 0.15);  // E P_h - E P_0 = 2 h
  EXPECT_NEAR(result.alpha, 1, 0.05);
  EXPECT_NEAR(result.beta, 2, 0.2);
  double cost = 0;
  for (const auto& level : result.levels) cost += static_cast<double>(level.members * level.cost);
  EXPECT_EQ(result.cost, cost);
  // V u² = E u^4 - (E u²)² = 1.5125 - 1.1736 = 0.339, and N = V / (rmse / 2)²; V is that of the step the members were
  // run at, u² + h u
  EXPECT_NEAR(result.plain_members / (0.3389 / 0.25e-6), 1, 0.05);
  EXPECT_EQ(result.plain_cost, result.plain_members * static_cast<double>(result.levels.back().steps));
}

TEST(Mlmc, IsWithinTheAskedErrorInNineOfTenRunsOrMore) {
  for (const Formula& formula : {Formula(smooth), Formula(jumping)}) {
    int within = 0, within_two_errors = 0;
    double squares = 0;
    const int runs = 400;
    const double rmse = 0.01;
    for (int k = 0; k < runs; ++k) {
      const auto result = run(by(formula), rmse, static_cast<std::uint64_t>(1000 + k));
      const double miss = std::fabs(result.estimate - smooth_mean);
      within += miss <= rmse ? 1 : 0;
      within_two_errors += miss <= result.bias + 2 * result.standard_error ? 1 : 0;
      squares += miss * miss;
    }
    std::cout << within << " of " << runs << " within the rmse, " << within_two_errors
              << " within bias and two standard errors; root mean square " << std::sqrt(squares / runs) / rmse
              << " rmse\n";
    EXPECT_GE(within, 9 * runs / 10);
    EXPECT_GE(within_two_errors, 94 * runs / 100);
    EXPECT_LE(std::sqrt(squares / runs), rmse);
  }
}

// A count that changes with the step for one member in a thousand, by h: pilots of 128 see nothing.
TEST(Mlmc, DoesNotStateABiasOfZeroWherePilotsSawNothing) {
  const auto rare = [](double u, double h) { return u - 0.5 < 8 * h * 1e-3 ? 1.0 : 0.0; };
  const auto coarse = run(by(rare), 0.2);
  EXPECT_TRUE(coarse.bias_is_bound);
  EXPECT_GT(coarse.bias, 0.01);  // 3/128
  EXPECT_LE(coarse.bias, 0.05);
  EXPECT_THAT(texts_of(coarse.notes),
              ::testing::Contains(
                  HasSubstr("no pair of two steps differs in the last levels, which does not make the bias 0")));
  // who asks for more gets so many members that a share of it would have been seen, or is bounded
  const auto fine = run(by(rare), 1e-2);
  for (std::size_t l = 1; l < fine.levels.size(); ++l)
    if (fine.levels[l].saw_nothing()) {
      EXPECT_GE(fine.levels[l].members, 1200);
    }
  EXPECT_GT(fine.bias, 0);
  EXPECT_LE(fine.bias, 0.25e-2);
  // what is no count, and does not depend on the step, has no bias
  const auto exact = run(by([](double u, double) { return u * u; }), 0.05);
  EXPECT_FALSE(exact.bias_is_bound);
  EXPECT_EQ(exact.bias, 0);
}

// An indicator of a share p of the members, that the step does not change: pilots of 128 see nothing of it in nine of
// ten runs.
TEST(Mlmc, DoesNotStateAnErrorOfZeroWherePilotsSawNoEvent) {
  constexpr double rmse = 1e-4;
  const int runs = run_all() ? 40 : 10;
  for (const double p : run_all() ? std::vector{5e-5, 2e-4, 9.4e-4, 4e-3} : std::vector{9.4e-4}) {
    int within = 0;
    for (int k = 0; k < runs; ++k) {
      const auto result =
          run(by([p](double u, double) { return u - 0.5 < p ? 1.0 : 0.0; }), rmse, static_cast<std::uint64_t>(1 + k));
      EXPECT_TRUE(result.reached);
      EXPECT_GE(result.levels[0].members, 30'000);
      EXPECT_GT(result.standard_error, 0.2 * rmse);
      EXPECT_LE(result.standard_error, 0.5 * rmse * 1.01);
      within += std::fabs(result.estimate - p) <= rmse ? 1 : 0;
    }
    std::cout << "an event of " << p << ": " << within << " of " << runs << " within the rmse\n";
    EXPECT_GE(within, 9 * runs / 10);
  }
}

// (M5): what no member did may still happen to 3/n of all.
TEST(Mlmc, BoundsWhatNoMemberOfTheCoarsestLevelDid) {
  const auto result = run(by([](double, double) { return 0.0; }), 1e-3);
  EXPECT_EQ(result.estimate, 0);
  EXPECT_TRUE(result.reached);
  EXPECT_TRUE(result.error_is_bound);
  EXPECT_GE(result.levels[0].members, 3000);
  EXPECT_NEAR(result.standard_error, 1.5 / static_cast<double>(result.levels[0].members), 1e-12);
  EXPECT_GT(result.bias, 0);
  EXPECT_LE(result.bias, 0.25e-3);
  EXPECT_THAT(texts_of(result.notes), ::testing::Contains(HasSubstr("have the value 0: what happens to fewer than")));
  // as few as are allowed do not see enough: the error asked for is not reached, whatever the members have in common
  MlmcRequest few;
  few.members_max = 2000;
  const auto cut = run(by([](double, double) { return 0.0; }), 1e-3, 1, few);
  EXPECT_FALSE(cut.reached);
  EXPECT_GT(cut.standard_error, 0.5e-3);
}

TEST(Mlmc, KeepsTheVarianceOfALevelThatSawNoRareEvent) {
  const auto result = run(by([](double u, double h) { return u + (u - 0.5 < 0.2 * h ? 10 : 0); }), 0.1);
  for (std::size_t l = 2; l < result.levels.size(); ++l)
    EXPECT_GE(result.levels[l].variance, result.levels[l - 1].variance / std::pow(2, result.beta) / 2 * (1 - 1e-12));
  ASSERT_FALSE(result.notes.empty());
  EXPECT_THAT(result.notes[0].text(), HasSubstr("few members make the whole variance of level"));
}

TEST(Mlmc, HasNothingToDoWhereNothingVaries) {
  MlmcRequest request;
  request.observable = "speed";
  request.rmse = 1e-6;
  auto scenario = drag();
  scenario.vary.clear();
  const auto result = ensemble::run_mlmc(scenario, request, by([](double, double) { return 3.0; }), {});
  EXPECT_EQ(result.estimate, 3);
  EXPECT_EQ(result.bias, 0);
  EXPECT_EQ(result.standard_error, 0);
  EXPECT_EQ(result.levels.size(), 3u);
  EXPECT_EQ(result.levels[0].members, 128);
  EXPECT_TRUE(result.reached);
}

TEST(Mlmc, LeavesOutMembersWithoutAValueAndSaysSo) {
  const auto formula = [](double u, double h) {
    return u < 0.6 ? nan : u > 1.4 ? FormulaExecutor::stop : u > 1.3 && h > 0.1 ? nan : smooth(u, h);
  };
  const auto result = run(by(formula), 0.01);
  // uniform on [0.6, 1.4] but for [1.3, 1.4] on level 0, which the telescoping sum does not know
  std::int64_t members = 0, stopped = 0, without = 0, changed = 0;
  for (const auto& level : result.levels) {
    members += level.members, stopped += level.stopped, without += level.without, changed += level.changed;
    EXPECT_EQ(level.correction.count, level.members - level.stopped - level.without);
    EXPECT_EQ(level.changed > 0, level.step < 0.1 && level.step > 0.06);
  }
  EXPECT_EQ(result.stopped(), stopped);
  EXPECT_NEAR(static_cast<double>(stopped) / static_cast<double>(members), 0.1, 0.02);
  ASSERT_EQ(result.notes.size(), 3u);
  EXPECT_THAT(result.notes[0].text(),
              HasSubstr("members stopped and were left out: the answer is the mean of the others"));
  EXPECT_THAT(result.notes[1].text(), HasSubstr("have no finite value of 'speed' and were left out"));
  EXPECT_THAT(result.notes[2].text(), HasSubstr("have a value at one of their two steps only"));
  EXPECT_LE(result.standard_error, 0.005 * 1.02);
}

TEST(Mlmc, RefusesAnObservableWithoutValues) {
  const auto message = [](const Formula& formula) {
    try {
      run(by(formula), 0.1);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([](double, double) { return nan; }),
            "'speed' has a value in 0 of 1,024 members at step 0.125: the event it waits for never came; choose "
            "another observable or a later [time] end");
  EXPECT_EQ(message([](double, double) { return FormulaExecutor::stop; }),
            "'speed' has a value in 0 of 1,024 members at step 0.125; most members stopped: conesweep run tells why");
}

TEST(Mlmc, EndsHonestlyAtItsLimits) {
  MlmcRequest few;
  few.members_max = 3000;
  auto result = run(by(smooth), 1e-3, 1, few);
  EXPECT_FALSE(result.reached);
  std::int64_t members = 0;
  for (const auto& level : result.levels) members += level.members;
  EXPECT_LE(members, 3000);
  EXPECT_GE(members, 2900);
  EXPECT_GT(result.standard_error, 0.5e-3);
  EXPECT_THAT(result.notes.back().text(),
              HasSubstr("members, and 'members_max' allows 3,000; the answer stands with the error it has"));
  EXPECT_NEAR(result.estimate, smooth_mean, 2 * result.standard_error + 2 * result.bias);

  MlmcRequest coarse;
  coarse.levels_max = 3;
  result = run(by(smooth), 1e-2, 1, coarse);
  EXPECT_FALSE(result.reached);
  EXPECT_EQ(result.levels.size(), 4u);
  EXPECT_THAT(result.notes.front().text(),
              HasSubstr("is still above 0.0025, a quarter of the rmse asked for, at level 3; allow more with "
                        "'levels_max', begin with a smaller 'step', or ask for less"));
  coarse.levels_max = 12;
  coarse.steps_max = 64;
  result = run(by(smooth), 1e-2, 1, coarse);
  EXPECT_EQ(result.levels.size(), 4u);
  EXPECT_THAT(result.notes.front().text(), HasSubstr("a finer level would have too many steps"));
}

TEST(Mlmc, SaysWhatIsWrongWithARequest) {
  const auto message = [](const auto& change) {
    MlmcRequest request;
    request.observable = "speed";
    request.rmse = 0.1;
    auto scenario = drag();
    change(request, scenario);
    try {
      ensemble::run_mlmc(scenario, request, by(smooth), {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using scenario::Scenario;
  EXPECT_EQ(message([](MlmcRequest& r, Scenario&) { r.observable = "sped"; }),
            "observable: unknown observable 'sped'; did you mean 'speed'?");
  EXPECT_EQ(message([](MlmcRequest& r, Scenario&) { r.observable = "gravity"; }),
            "observable: unknown observable 'gravity'; known: speed, final.x and final.vx");
  EXPECT_EQ(message([](MlmcRequest& r, Scenario&) { r.rmse = 0; }),
            "rmse: the error asked for must be a number > 0, got 0");
  EXPECT_EQ(message([](MlmcRequest& r, Scenario&) { r.rmse = nan; }),
            "rmse: the error asked for must be a number > 0, got nan");
  EXPECT_EQ(message([](MlmcRequest& r, Scenario&) { r.levels_max = 1; }),
            "levels_max: at least 2, so that the rate of convergence shows; got 1");
  EXPECT_EQ(message([](MlmcRequest& r, Scenario&) { r.members_max = 10; }),
            "members_max: at least 384, the pilot members of the first levels; got 10");
  EXPECT_EQ(message([](MlmcRequest&, Scenario& s) { s.steps = 1'000'000'000; }),
            "mlmc halves the step at least twice, and the scenario has 1,000,000,000 steps already; begin with a "
            "larger 'step'");
  EXPECT_EQ(message([](MlmcRequest&, Scenario& s) { s.vary[0].distribution.kind = scenario::DistributionKind::table; }),
            "mlmc draws members of its own on every level, and a table has one row a member: give 'c' a distribution, "
            "or fix it with 'set'");
}

void expect_same_bits(const MlmcResult& a, const MlmcResult& b) {
  EXPECT_EQ(a.estimate, b.estimate);
  EXPECT_EQ(a.bias, b.bias);
  EXPECT_EQ(a.standard_error, b.standard_error);
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t l = 0; l < a.levels.size(); ++l) {
    EXPECT_EQ(a.levels[l].members, b.levels[l].members);
    EXPECT_EQ(a.levels[l].correction, b.levels[l].correction);
    EXPECT_EQ(a.levels[l].value, b.levels[l].value);
  }
}

TEST(Mlmc, HasTheSameBitsForAnyThreadsAndChunks) {
  MlmcRequest small;
  small.chunk = 4096;
  const auto result = run(cpu(1), 2e-3, 1);
  ASSERT_GT(result.levels[0].members, 3 * 4096);
  expect_same_bits(result, run(cpu(3), 2e-3, 1, small));
}

TEST(Mlmc, DoesNotCareForTheSamplerOfTheScenario) {
  MlmcRequest request;
  request.observable = "speed";
  request.rmse = 0.01;
  auto scenario = drag();
  const auto random = ensemble::run_mlmc(scenario, request, cpu(), {});
  scenario.ensemble.sampler = scenario::Sampler::grid;
  for (auto& variation : scenario.vary) variation.levels = 10;
  expect_same_bits(random, ensemble::run_mlmc(scenario, request, cpu(), {}));
}

TEST(Mlmc, HearsCtrlC) {
  std::atomic<bool> stop = true;
  executor::Watch watch;
  watch.stop = &stop;
  MlmcRequest request;
  request.observable = "speed";
  request.rmse = 1e-3;
  EXPECT_THROW(ensemble::run_mlmc(drag(), request, cpu(), watch), Interrupted);
}

}  // namespace
}  // namespace conesweep::test
