// `converge`: errors of statistics against repeated sampling, orders of made-up differences, and a motion whose step
// error is known.
#include "ensemble/converge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "ensemble/drag.hpp"
#include "statistics/statistics.hpp"
#include "support/error.hpp"

namespace conesweep::test {
namespace {

using ensemble::ConvergeLine;
using ensemble::ConvergeRequest;
using ensemble::Dominates;
using ensemble::Statistic;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::size_t at(Statistic statistic) { return static_cast<std::size_t>(statistic); }

std::vector<double> exponential_values(int seed, std::size_t n) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(seed));
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k)
    values.push_back(-std::log((static_cast<double>(generator() >> 12) + 0.5) * 0x1p-52));
  return values;
}

TEST(Statistics, AreThoseOfTheSummary) {
  auto values = exponential_values(1, 10007);
  values[5] = nan;
  const auto here = ensemble::compute_statistics(values);
  const auto summary =
      statistics::summarise(values, std::vector<executor::Status>(values.size(), executor::Status::ok));
  EXPECT_EQ(here.count, 10006);
  EXPECT_NEAR(here.value[at(Statistic::mean)], summary.mean, 1e-14);
  EXPECT_NEAR(here.value[at(Statistic::deviation)], summary.standard_deviation, 1e-14);
  EXPECT_NEAR(here.error[at(Statistic::mean)], summary.standard_error, 1e-14);
  const std::vector<double> levels(std::begin(statistics::quantile_levels), std::end(statistics::quantile_levels));
  const auto place = [&](double level) {
    return static_cast<std::size_t>(std::find(levels.begin(), levels.end(), level) - levels.begin());
  };
  EXPECT_EQ(here.value[at(Statistic::low)], summary.quantiles[place(0.05)]);
  EXPECT_EQ(here.value[at(Statistic::median)], summary.quantiles[place(0.5)]);
  EXPECT_EQ(here.value[at(Statistic::high)], summary.quantiles[place(0.95)]);
}

// The scatter of a statistic over many ensembles is what its stated error must be on average; 2000 of them know it to 2
// %.
TEST(Statistics, StateTheErrorThatRepeatedSamplingShows) {
  constexpr int runs = 2000;
  std::array<double, ensemble::statistic_count> sum{}, squares{}, stated{};
  for (int k = 0; k < runs; ++k) {
    const auto s = ensemble::compute_statistics(exponential_values(k, 1000));
    for (std::size_t j = 0; j < sum.size(); ++j)
      sum[j] += s.value[j], squares[j] += s.value[j] * s.value[j], stated[j] += s.error[j] * s.error[j];
  }
  for (std::size_t j = 0; j < sum.size(); ++j) {
    const double seen = std::sqrt(squares[j] / runs - sum[j] / runs * sum[j] / runs);
    EXPECT_NEAR(std::sqrt(stated[j] / runs) / seen, 1, 0.12) << to_name(static_cast<Statistic>(j));
  }
}

// Half of a hypercube's, or a net's, members lie below the median of a function of one input, in every sample; the
// median still lies between two members.
TEST(Statistics, KnowNoMedianBetterThanToHalfAMember) {
  const auto none = [](std::span<const double>, std::span<const executor::Status>) { return 0.0; };
  constexpr std::size_t n = 1000;
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) values.push_back(static_cast<double>(k * 389 % n) / n);
  const auto s = ensemble::compute_statistics(values, none);
  for (const Statistic q : {Statistic::low, Statistic::median, Statistic::high}) {
    EXPECT_NEAR(s.error[at(q)], 0.5 / n, 0.05 / n) << to_name(q);  // members stand 1/n apart
  }
  // values that are all alike about the median have no distance to tell an error by
  for (double& x : values) x = x < 0.7 ? 0 : 1;
  EXPECT_TRUE(std::isnan(ensemble::compute_statistics(values, none).error[at(Statistic::median)]));
}

// Three couplings: a member-wise shift that depends on the value, one that does not, and members that move by noise of
// their own.
TEST(PairedDifferences, StateTheErrorThatRepeatedSamplingShows) {
  for (const int coupling : {0, 1, 2}) {
    constexpr int runs = 1000;
    std::array<double, ensemble::statistic_count> sum{}, squares{}, stated{};
    for (int k = 0; k < runs; ++k) {
      const auto a = exponential_values(k, 1000), noise = exponential_values(k + 100000, 1000);
      auto b = a;
      for (std::size_t m = 0; m < b.size(); ++m)
        b[m] += coupling == 0 ? 0.1 * a[m] : coupling == 1 ? 0.3 : 0.2 * noise[m];
      const auto pairs = ensemble::compare_pairs(a, b);
      for (std::size_t j = 0; j < sum.size(); ++j)
        sum[j] += pairs.difference[j], squares[j] += pairs.difference[j] * pairs.difference[j],
            stated[j] += pairs.error[j] * pairs.error[j];
    }
    for (std::size_t j = 0; j < sum.size(); ++j) {
      const double mean = sum[j] / runs, seen = std::sqrt(std::max(0.0, squares[j] / runs - mean * mean)),
                   said = std::sqrt(stated[j] / runs);
      if (coupling == 1) {
        EXPECT_NEAR(said, 0, 1e-12);
        EXPECT_NEAR(mean, j == 1 ? 0 : -0.3, 1e-12);
      } else {
        EXPECT_NEAR(said / seen, 1, 0.3) << to_name(static_cast<Statistic>(j)) << ", coupling " << coupling;
      }
    }
  }
}

TEST(PairedDifferences, LeaveOutMembersThatHaveAValueOnOneSideOnly) {
  const std::vector<double> a = {1, 2, nan, 4, nan}, b = {1.5, nan, 3, 4.5, nan};
  const auto pairs = ensemble::compare_pairs(a, b);
  EXPECT_EQ(pairs.count, 2);
  EXPECT_EQ(pairs.changed, 2);
  EXPECT_EQ(pairs.difference[0], -0.5);
  EXPECT_EQ(pairs.error[0], 0);
}

TEST(PairedDifferences, CountPairsOfWholeNumbersThatDiffer) {
  const std::vector<double> a = {1, 2, nan, 4}, b = {1, 3, 3, 4};
  EXPECT_TRUE(ensemble::compare_pairs(a, b).whole);
  EXPECT_EQ(ensemble::compare_pairs(a, b).differ, 1);
  EXPECT_FALSE(ensemble::compare_pairs(std::vector<double>{1.5}, std::vector<double>{1.5}).whole);
}

// (L8)
TEST(ConvergeLine, DoesNotCallZeroWhatItDidNotSee) {
  const auto pairs = [](std::int64_t differ, double difference, double error) {
    ensemble::PairedDifferences found;
    found.differ = differ, found.count = 300, found.difference[0] = difference, found.error[0] = error;
    return found;
  };
  ConvergeLine line;
  line.see_pairs(pairs(0, 0, 0), true);
  line.see_pairs(pairs(0, 0, 0), false);
  EXPECT_EQ(line.at_most, 0.02);
  line.see_pairs(pairs(2, 0, 0.005), true);  // two jump, one to each side: no step error of 0
  EXPECT_NEAR(line.at_most, 2 * (2 * 0.005 + 0.01), 1e-15);
  line.see_pairs(pairs(12, 0.04, 0.01), false);  // many of some level differ: the error is what the differences say
  EXPECT_TRUE(std::isnan(line.at_most));
}

ConvergeLine made_of(std::vector<double> differences, double noise, double sampling) {
  ConvergeLine line;
  line.values.assign(differences.size() + 1, 1.0);
  line.difference_errors.assign(differences.size(), noise);
  line.differences = std::move(differences);
  line.sampling_error = sampling;
  ensemble::judge(line, 1e-12);
  return line;
}

TEST(Judge, KnowsNoSamplingErrorOfAGridAndNothingOfWhatWasNotSeen) {
  ConvergeLine line;
  line.values = {1, 1.1, 1.15}, line.differences = {-0.1, -0.05}, line.difference_errors = {0, 0};
  line.sampling_error = nan, line.sampled = false;
  ensemble::judge(line, 1e-12);
  EXPECT_NEAR(line.order, 1, 1e-3);
  EXPECT_EQ(line.dominates, Dominates::step);
  line = made_of({0, 0}, 0, 1e-3);
  EXPECT_EQ(line.dominates, Dominates::sampling);
  line.at_most = 0.02;
  ensemble::judge(line, 1e-12);
  EXPECT_EQ(line.dominates, Dominates::neither);
}

TEST(Judge, FindsTheOrderAndTheErrorOfAPowerLaw) {
  for (const double p : {0.5, 1.0, 2.0}) {
    std::vector<double> differences;
    // C h^p, C = -3e-3
    for (int k = 0; k < 4; ++k) differences.push_back(-3e-3 * std::pow(2, -p * k) * (1 - std::pow(2, -p)));
    const auto line = made_of(differences, 1e-8, 1e-3);
    EXPECT_NEAR(line.order, p, 1e-3);
    EXPECT_LT(line.order_error, 0.01);
    for (const double order : line.orders) EXPECT_NEAR(order, p, 1e-9);
    EXPECT_NEAR(line.step_error, 3e-3, p > 0.5 ? 1e-8 : 1e-4);
    EXPECT_NEAR(line.limit, 1 + 3e-3, 1e-4);
    EXPECT_EQ(line.dominates, Dominates::step);
  }
}

TEST(Judge, ClaimsNoOrderFromNoise) {
  auto line = made_of({1e-3, 0.5e-3, 0.25e-3}, 0.6e-3, 1e-2);
  EXPECT_TRUE(std::isnan(line.order));
  EXPECT_TRUE(std::isnan(line.orders[0]));
  EXPECT_NEAR(line.step_error, 2e-3, 1e-15);  // order one
  EXPECT_EQ(line.dominates, Dominates::sampling);
  line = made_of({1e-3, -0.5e-3, 0.25e-3}, 1e-6, 1e-2);  // changes its sign
  EXPECT_TRUE(std::isnan(line.order));
  line = made_of({1e-14, 0.5e-14, 0.25e-14}, 0, 0);  // rounding
  EXPECT_TRUE(std::isnan(line.order));
  EXPECT_EQ(line.step_error, 0);
  EXPECT_EQ(line.dominates, Dominates::neither);
  line = made_of({1e-3, 0.9e-3, 0.2e-3}, 1e-6, 1e-2);  // no straight line
  EXPECT_GT(line.order_error, 0.25);
  EXPECT_NEAR(line.step_error, 2.3e-3, 1e-15);
}

TEST(Converge, FindsOrderOneAndTheStepErrorOfAClosedForm) {
  const auto scenario = drag(64, 5000);
  ConvergeRequest request;
  request.observables = {"speed"};
  const auto convergence = ensemble::run_converge(scenario, request, cpu(), {});
  ASSERT_EQ(convergence.lines.size(), 5u);
  ASSERT_EQ(convergence.levels.size(), 4u);
  for (const auto& line : convergence.lines) EXPECT_EQ(line.values.size(), 4u);
  const auto& mean = convergence.lines[0];
  EXPECT_NEAR(mean.order, 1, 0.05);
  // 5000 members know the mean of the difference to 1 %
  EXPECT_NEAR(mean.step_error / std::fabs(drag_mean_at(64) - drag_mean), 1, 0.02);
  for (std::size_t l = 0; l < 4; ++l) EXPECT_NEAR(mean.values[l], drag_mean_at(64 << l), 5 * mean.sampling_error);
  EXPECT_NEAR(convergence.lines[1].order, 1, 0.1);
  EXPECT_NEAR(convergence.lines[3].order, 1, 0.2);
}

TEST(Converge, SaysWhatWouldBalanceTheErrors) {
  auto scenario = drag(8, 20000);
  ConvergeRequest request;
  request.observables = {"speed"};
  auto advice = ensemble::converge_advice(scenario, ensemble::run_converge(scenario, request, cpu(), {})).text();
  EXPECT_THAT(advice, ::testing::MatchesRegex("The step dominates . of 5 statistics, most of all speed, .*: step .*, "
                                              "sampling .*; step 0.0[0-9]* would bring it below the sampling error."));
  scenario = drag(512, 100);
  advice = ensemble::converge_advice(scenario, ensemble::run_converge(scenario, request, cpu(), {})).text();
  EXPECT_THAT(
      advice,
      ::testing::MatchesRegex(
          "Sampling dominates all 5 statistics. The nearest is speed, .*: step .*, sampling .*; with this step, up to "
          "about .* members are worth running before the step dominates."));
}

TEST(Converge, GivesNoAdviceOnWhatVanishesWithTheStep) {
  ensemble::Convergence convergence;
  ConvergeLine line = made_of({0.5, 0.25, 0.125}, 1e-6, 1e-3);  // 1, 1/2, 1/4, 1/8
  line.observable = "penetration";
  convergence.members = 100;
  convergence.lines = {line};
  EXPECT_THAT(ensemble::converge_advice(drag(), convergence).text(),
              ::testing::StartsWith("Nothing varies between members but what vanishes with the step"));
}

TEST(Converge, HasTheSameBitsForAnyThreadsAndChunks) {
  const auto scenario = drag(16, 9000);
  ConvergeRequest request, other;
  other.chunk = 4096, other.threads = 3;
  const auto a = ensemble::run_converge(scenario, request, cpu(1), {}),
             b = ensemble::run_converge(scenario, other, cpu(3), {});
  ASSERT_EQ(a.lines.size(), b.lines.size());
  for (std::size_t k = 0; k < a.lines.size(); ++k) {
    EXPECT_EQ(a.lines[k].values, b.lines[k].values);
    EXPECT_EQ(a.lines[k].differences, b.lines[k].differences);
    EXPECT_EQ(a.lines[k].difference_errors, b.lines[k].difference_errors);
    EXPECT_EQ(a.lines[k].step_error, b.lines[k].step_error);
  }
}

TEST(Converge, CountsMembersThatStop) {
  auto scenario = drag(16, 500);
  // anti-drag grows like (1 - c h)^N, the faster the smaller the step
  scenario.vary[1].distribution.values = {0.5, 1e302};
  scenario.vary[0].distribution.values = {-30, 2};
  const auto convergence = ensemble::run_converge(scenario, {}, cpu(), {});
  for (const auto& level : convergence.levels) {
    EXPECT_GT(level.stopped, 0);
    EXPECT_LT(level.stopped, 500);
  }
  EXPECT_GT(convergence.levels[0].changed, 0);
}

TEST(Converge, RefusesTooManyLevelsAndUnknownObservables) {
  const auto message = [](int levels, std::vector<std::string> observables) {
    ConvergeRequest request;
    request.levels = levels;
    request.observables = std::move(observables);
    try {
      ensemble::run_converge(drag(), request, cpu(), {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(29, {}), "levels: 29 levels would make more than 2,000,000,000 steps; at most 28 are possible");
  EXPECT_EQ(message(2, {"sped"}), "observable: unknown observable 'sped'; did you mean 'speed'?");
}

}  // namespace
}  // namespace conesweep::test
