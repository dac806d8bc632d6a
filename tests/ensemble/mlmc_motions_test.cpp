// Multilevel Monte Carlo on motions whose exact mean is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "ensemble/drag.hpp"
#include "ensemble/mlmc.hpp"
#include "formula_levels.hpp"
#include "oracle/observed_order.hpp"

namespace conesweep::test {
namespace {

using ensemble::MlmcRequest;

// The whole way on the cpu executor: E v0 exp(-c) is known.
TEST(MlmcOfDrag, IsWithinItsErrorOfTheExactMean) {
  const int runs = run_all() ? 50 : 10;
  const double rmse = 1e-3;
  int within = 0;
  double worst = 0;
  for (int k = 0; k < runs; ++k) {
    const auto result = run(cpu(), rmse, static_cast<std::uint64_t>(100 + k));
    EXPECT_TRUE(result.reached);
    const double miss = std::fabs(result.estimate - drag_mean);
    within += miss <= rmse ? 1 : 0;
    worst = std::max(worst, miss);
  }
  std::cout << "drag: " << within << " of " << runs << " within the rmse, the worst missed by " << worst / rmse
            << " rmse\n";
  EXPECT_GE(within, 9 * runs / 10);
}

// A rare event of a motion, of which the coarsest step sees less than half: {v0 exp(-c) > s} has the probability (ln r
// - 1 + 1/r) for r = 1.5 exp(-0.5)/s, which is 9.4e-4.
TEST(MlmcOfDrag, FindsTheProbabilityOfARareEvent) {
  const double r = 1.04465, s = 1.5 * std::exp(-0.5) / r, exact = std::log(r) - 1 + 1 / r, rmse = 1e-4;
  EXPECT_NEAR(exact, 9.4e-4, 2e-5);
  // the motion in closed form: v0 (1 - c h)^N
  const ensemble::MakeModel make = [&](const scenario::Scenario& scenario) {
    return std::make_unique<IndicatorExecutor>(scenario, s);
  };
  const int runs = run_all() ? 40 : 4;
  int within = 0;
  double worst = 0;
  for (int k = 0; k < runs; ++k) {
    const auto result = run(make, rmse, static_cast<std::uint64_t>(1 + k));
    EXPECT_TRUE(result.reached);
    const double miss = std::fabs(result.estimate - exact);
    within += miss <= rmse ? 1 : 0;
    worst = std::max(worst, miss);
  }
  std::cout << "a rare event of drag: " << within << " of " << runs << " within the rmse, the worst missed by "
            << worst / rmse << " rmse\n";
  EXPECT_GE(within, 9 * runs / 10);
}

TEST(MlmcOfDrag, CostGrowsLikeTheInverseSquareOfTheError) {
  std::vector<double> rmse, cost;
  // three decades, of which the first, where the pilots cost most of all, and the last, a minute, are left out by
  // default
  for (int k = run_all() ? 0 : 2; k < (run_all() ? 7 : 5); ++k) {
    rmse.push_back(0.02 * std::pow(10.0, -0.5 * k));
    const auto result = run(cpu(), rmse.back());
    cost.push_back(result.cost);
    std::cout << "  rmse " << rmse.back() << ": " << result.levels.size() << " levels, " << result.cost
              << " member·steps, plain " << result.plain_cost / result.cost << " times as much; error "
              << std::fabs(result.estimate - drag_mean) / rmse.back() << " rmse\n";
  }
  const double slope = oracle::fit_power(rmse, cost);
  std::cout << "drag: cost ~ rmse^" << slope << "\n";
  EXPECT_NEAR(slope, -2, 0.2);
}

TEST(MlmcOfDrag, CoupledVarianceFallsLikeTheSquareOfTheStep) {
  const auto result = run(cpu(), 5e-4);
  std::vector<double> h, variance, mean;
  for (std::size_t l = 1; l < result.levels.size(); ++l)
    h.push_back(result.levels[l].step), variance.push_back(result.levels[l].correction.variance()),
        mean.push_back(std::fabs(result.levels[l].correction.mean));
  const double beta = oracle::fit_power(h, variance), alpha = oracle::fit_power(h, mean);
  std::cout << "drag: alpha " << alpha << ", beta " << beta << "\n";
  EXPECT_NEAR(beta, 2, 0.3);
  EXPECT_NEAR(alpha, 1, 0.15);
}

// A block falls on a rough floor and slides to rest (E1): a nonsmooth motion, an observable that is the time of an
// event, an exact mean by quadrature.
TEST(MlmcOfAFallingBlock, IsWithinItsErrorOfTheExactMean) {
  scenario::Overrides overrides;
  overrides.step = 0.05;
  const auto base = [&] {
    scenario::Faults problems;
    return *scenario::read_scenario(scenario::load_source(CONESWEEP_SAMPLES "/falling_slider.toml"), overrides,
                                    problems);
  }();
  // stopped: √(2 H / g) + max(0, u - μ √(2 g H)) / (μ g), with H, u, μ uniform on [0.1, 1] × [1, 4] × [0.2, 0.8];
  // midpoint rule
  const double g = 9.81;
  double exact = 0;
  const int n = 120;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double H = 0.1 + 0.9 * (i + 0.5) / n, u = 1 + 3 * (j + 0.5) / n, mu = 0.2 + 0.6 * (k + 0.5) / n;
        exact += std::sqrt(2 * H / g) + std::max(0.0, u - mu * std::sqrt(2 * g * H)) / (mu * g);
      }
  exact /= std::pow(n, 3);
  MlmcRequest request;
  request.observable = "stopped";
  request.rmse = 3e-3;
  const int runs = run_all() ? 20 : 3;
  int within = 0;
  for (int k = 0; k < runs; ++k) {
    auto scenario = base;
    scenario.ensemble.seed = static_cast<std::uint64_t>(k);
    const auto result = ensemble::run_mlmc(scenario, request, cpu(), {});
    EXPECT_TRUE(result.reached);
    within += std::fabs(result.estimate - exact) <= request.rmse ? 1 : 0;
    if (k == 0)
      std::cout << "falling block: alpha " << result.alpha << ", beta " << result.beta << ", " << result.levels.size()
                << " levels, plain " << result.plain_cost / result.cost << " times as much\n";
  }
  std::cout << "falling block: " << within << " of " << runs << " within the rmse\n";
  EXPECT_GE(within, 9 * runs / 10);
}

}  // namespace
}  // namespace conesweep::test
