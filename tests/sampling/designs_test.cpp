// What all samplers have in common, and how they compare.
#include <gtest/gtest.h>

#include "ensembles.hpp"
#include "support/error.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using sampling::draw;
using sampling::make_points;
using sampling::support;
using scenario::Distribution;
using scenario::DistributionKind;
using scenario::Sampler;
using scenario::Scenario;

const std::vector<Sampler> samplers = [] {
  std::vector<Sampler> all;
  for (const auto& row : scenario::samplers) all.push_back(row.value);
  return all;
}();

TEST(Samplers, SayWhetherTheyDependOnTheNumberOfMembers) {
  for (const auto& row : scenario::samplers) {
    if (row.value == Sampler::grid) continue;  // its members are the product of its levels
    const bool same = draw(make_ensemble(row.value, 2, 100), 0, 100) == draw(make_ensemble(row.value, 2, 200), 0, 100);
    EXPECT_EQ(row.depends_on_members, !same) << row.name;
  }
  EXPECT_TRUE(scenario::samplers[Sampler::grid].depends_on_members);
}

TEST(Samplers, GiveCopiesThatExtendTheFirst) {
  for (const Sampler sampler : samplers) {
    const Scenario s = make_ensemble(sampler, 3, 100);
    if (sampler == Sampler::grid) {
      try {
        make_points(s, 2);
        FAIL() << "no error";
      } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "a grid has no second copy of its points; use another sampler");
      }
      continue;
    }
    const auto one = make_points(s), two = make_points(s, 2);
    int same = 0;
    for (std::int64_t m = 0; m < 100; ++m)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(one->coordinate(m, axis), two->coordinate(m, axis));
        same += two->coordinate(m, axis) == two->coordinate(m, axis + 3);
      }
    EXPECT_EQ(same, 0);
  }
}

// ---- pieces and threads ----

Scenario all_kinds(Sampler sampler, std::int64_t members) {
  Scenario s = make_ensemble(sampler, 8, members);
  s.vary[1].distribution = {DistributionKind::normal, {1, 2}, {}, {}};
  s.vary[2].distribution = {DistributionKind::lognormal, {0, 0.5}, {}, {}};
  s.vary[3].distribution = {DistributionKind::loguniform, {1, 10}, {}, {}};
  s.vary[4].distribution = {DistributionKind::triangular, {0, 1, 4}, {}, {}};
  s.vary[5].distribution = {DistributionKind::truncated_normal, {0, 1, -1, 3}, {}, {}};
  s.vary[6].distribution = {DistributionKind::choice, {1, 2, 4}, {}, {}};
  for (auto& variation : s.vary) variation.levels = 4;
  if (sampler != Sampler::grid) {
    s.vary[7].distribution = {DistributionKind::table, {}, "t.csv:a", "t.csv"};
    for (std::int64_t m = 0; m < members; ++m) s.vary[7].distribution.values.push_back(static_cast<double>(m));
    s.correlation = {{0, 1, 0.5}, {1, 6, -0.3}, {2, 3, 0.1}};
  }
  return s;
}

TEST(Draw, HasTheSameBitsInAnyPiecesAndOnAnyThreads) {
  for (const Sampler sampler : samplers) {
    constexpr std::int64_t members = 10'007;
    const Scenario s = all_kinds(sampler, members);
    const auto points = sampling::make_points(s);
    const auto whole = draw(s, 0, members, 1);
    for (const int threads : {0, 2, 3, 7})
      EXPECT_EQ(draw(s, *points, 0, members, threads), whole) << to_name(sampler) << " on " << threads;
    for (const std::int64_t piece : {1, 33, 1023, 1024, 1025, 4096}) {
      std::vector<std::vector<double>> gathered(8);
      const std::int64_t most = std::min<std::int64_t>(members, 40 * piece);
      for (std::int64_t first = 0; first < most; first += piece) {
        const auto part = draw(s, *points, first, std::min(piece, most - first));
        for (std::size_t v = 0; v < 8; ++v) gathered[v].insert(gathered[v].end(), part[v].begin(), part[v].end());
      }
      for (std::size_t v = 0; v < 8; ++v)
        EXPECT_EQ(gathered[v], std::vector<double>(whole[v].begin(), whole[v].begin() + most))
            << to_name(sampler) << " in pieces of " << piece << ", variation " << v;
    }
  }
}

TEST(Draw, PassesOnWhatGoesWrongOnAThread) {
  Scenario s = make_ensemble(Sampler::latin, 2, 50'000);
  const auto points = make_points(s);
  EXPECT_THROW(draw(s, *points, 0, 50'001), InternalError);
}

// ---- moments ----

struct Case {
  Distribution distribution;
  double mean, deviation;
};

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)); }
double below(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

// closed forms
std::vector<Case> cases() {
  const double l = std::log(10.0);
  const double share = below(3) - below(-1);
  const double cut_mean = (density(-1) - density(3)) / share;
  const double cut_variance = 1 + (-density(-1) - 3 * density(3)) / share - cut_mean * cut_mean;
  return {{{DistributionKind::uniform, {-1, 3}, {}, {}}, 1, 4 / std::sqrt(12)},
          {{DistributionKind::normal, {1, 2}, {}, {}}, 1, 2},
          {{DistributionKind::lognormal, {0.1, 0.5}, {}, {}},
           std::exp(0.1 + 0.125),
           std::exp(0.225) * std::sqrt(std::exp(0.25) - 1)},
          {{DistributionKind::loguniform, {1, 10}, {}, {}}, 9 / l, std::sqrt(99 / (2 * l) - 81 / (l * l))},
          {{DistributionKind::triangular, {0, 1, 4}, {}, {}}, 5.0 / 3, std::sqrt(13.0 / 18)},
          {{DistributionKind::truncated_normal, {5, 2, 3, 11}, {}, {}}, 5 + 2 * cut_mean, 2 * std::sqrt(cut_variance)},
          {{DistributionKind::choice, {1, 2, 6}, {}, {}}, 3, std::sqrt(14.0 / 3)}};
}

TEST(Samplers, GiveEveryDistributionItsMeanAndDeviation) {
  // over seeds, each sampler tells its own error; the mean of the estimates is right within five times that
  constexpr int seeds = 40;
  constexpr std::int64_t members = 1024;
  for (const auto& [distribution, mean, deviation] : cases()) {
    std::vector<double> spread;
    for (const Sampler sampler : {Sampler::random, Sampler::latin, Sampler::sobol}) {
      std::vector<double> means, squares;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Scenario s = make_ensemble(sampler, 2, members, seed);
        s.vary[1].distribution = distribution;
        auto x = draw(s, 0, members)[1];
        means.push_back(mean_of(x));
        for (double& value : x) value = (value - mean) * (value - mean);
        squares.push_back(mean_of(x));
      }
      const std::string what = std::string(to_name(distribution.kind)) + " by " + std::string(to_name(sampler));
      EXPECT_NEAR(mean_of(means), mean, 5 * deviation_of(means) / std::sqrt(seeds) + 1e-14) << what;
      EXPECT_NEAR(mean_of(squares), deviation * deviation, 5 * deviation_of(squares) / std::sqrt(seeds) + 1e-14)
          << what;
      spread.push_back(deviation_of(means));
    }
    EXPECT_NEAR(spread[0], deviation / 32, 5 * deviation / 32 / std::sqrt(2.0 * seeds)) << to_name(distribution.kind);
    // strata leave less than a fifth of the error, with a long tail too
    EXPECT_LT(spread[1], spread[0] / 5) << to_name(distribution.kind);
    EXPECT_LT(spread[2], spread[0] / 5) << to_name(distribution.kind);
  }
}

TEST(Samplers, GiveEveryDistributionItsMomentsOnAGrid) {
  // the ends of n levels weigh too much: 1/n each, in place of 1/(2n). Beyond that the rule is the trapezoidal one, or
  // that of midpoints
  constexpr std::int64_t levels = 3000;
  for (const auto& [distribution, mean, deviation] : cases()) {
    Scenario s = make_ensemble(Sampler::grid, 1, levels);
    s.vary[0] = {0, distribution, levels, {}};
    const auto x = draw(s, 0, levels)[0];
    const auto [lower, upper] = support(distribution);
    // the tail beyond the last midpoint
    const double ends = std::isfinite(lower) && std::isfinite(upper) ? (upper - lower) / levels : 0.01 * deviation;
    EXPECT_NEAR(mean_of(x), mean, ends) << to_name(distribution.kind);
    EXPECT_NEAR(deviation_of(x), deviation, 2 * ends) << to_name(distribution.kind);
  }
}

// ---- discrepancy ----

/// Warnock's formula: mean square of the difference between the share of points in [0, x[ and its volume.
double squared_discrepancy(const std::vector<std::vector<double>>& x) {
  const std::size_t d = x.size(), n = x[0].size();
  double single = 0, pairs = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double product = 1;
    for (std::size_t a = 0; a < d; ++a) product *= (1 - x[a][i] * x[a][i]) / 2;
    single += product;
    for (std::size_t j = 0; j < n; ++j) {
      product = 1;
      for (std::size_t a = 0; a < d; ++a) product *= 1 - std::max(x[a][i], x[a][j]);
      pairs += product;
    }
  }
  const auto count = static_cast<double>(n);
  return std::pow(3.0, -static_cast<double>(d)) - 2 * single / count + pairs / count / count;
}

TEST(Samplers, HaveLessDiscrepancyThanRandomPoints) {
  constexpr int seeds = 16;
  constexpr std::int64_t members = 512;
  for (const std::size_t axes : {std::size_t{2}, std::size_t{5}}) {
    double mean[3] = {};
    for (int which = 0; which < 3; ++which)
      for (std::uint64_t seed = 0; seed < seeds; ++seed)
        mean[which] += squared_discrepancy(draw_one_randomisation(
                           make_ensemble(samplers[static_cast<std::size_t>(which)], axes, members, seed), members)) /
                       seeds;
    // independent points: (2^-d - 3^-d)/n
    const double expected =
        (std::pow(0.5, static_cast<double>(axes)) - std::pow(3.0, -static_cast<double>(axes))) / members;
    EXPECT_NEAR(mean[0] / expected, 1, 0.5) << axes;
    EXPECT_LT(mean[1], expected * 0.6) << "latin, " << axes;
    EXPECT_LT(mean[2], expected / (axes == 2 ? 50 : 5)) << "sobol, " << axes;
  }
}

// ---- many parameters ----

TEST(Samplers, TakeAHundredVariedParametersFromAFile) {
  std::string parameters, sum = "0", vary;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "a" + std::to_string(i);
    parameters += name + " = 1\n";
    sum += " + " + name;
    vary += name + " = { uniform = [0, 2] }\n";
  }
  for (const std::string sampler : {"random", "latin", "sobol"}) {
    const auto text = "[model]\ncoordinates = ['x']\nforce = ['" + sum + "']\n[model.parameters]\n" + parameters +
                      "[start]\nx = 0\n[time]\nend = 1\nstep = 0.5\n[ensemble]\nmembers = 2000\nsampler = '" + sampler +
                      "'\n[vary]\n" + vary + "[observe]\nv = { final = 'vx' }\n";
    EXPECT_TRUE(find_problems(text).empty());
    const Scenario s = parse_scenario(text);
    const auto x = draw(s, 0, 2000);
    ASSERT_EQ(x.size(), 100u);
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_NEAR(mean_of(x[i]), 1, 5 * 2 / std::sqrt(12) / std::sqrt(2000));
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_LT(std::fabs(correlation_of(x[i], x[j])), 5 / std::sqrt(2000)) << sampler << ": " << i << " and " << j;
    }
    // and they reach the model: two steps of 1/2 with the sum as force
    const auto results = run_scenario(s);
    const auto& v = column(results, "v");
    for (std::size_t m = 0; m < v.size(); m += 97) {
      double force = 0;
      for (const auto& values : x) force += values[m];
      EXPECT_NEAR(v[m], force, 1e-11);
    }
  }
}

}  // namespace
}  // namespace conesweep::test
