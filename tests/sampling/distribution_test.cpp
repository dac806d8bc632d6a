#include "sampling/distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "sampling/sampler.hpp"
#include "support/error.hpp"

namespace conesweep::sampling {
namespace {

using scenario::Distribution;
using scenario::DistributionKind;

constexpr double infinity = std::numeric_limits<double>::infinity();

Distribution make(DistributionKind kind, std::vector<double> values) { return {kind, std::move(values), {}, {}}; }

/// Upper tail of the standard normal distribution in long double, by libm and not by Boost.
long double upper_tail(long double z) { return std::erfc(z / std::sqrt(2.0L)) / 2; }

// ---- its own judge ----

TEST(Distribution, JudgesItsNumbers) {
  EXPECT_EQ(find_fault(make(DistributionKind::uniform, {1, 2})), "");
  EXPECT_EQ(find_fault(make(DistributionKind::uniform, {2, 2})), "lower must be less than upper, got 2 and 2");
  EXPECT_EQ(find_fault(make(DistributionKind::normal, {0, 1e307})), "");
  EXPECT_NE(find_fault(make(DistributionKind::normal, {0, 2e307})), "");
  EXPECT_EQ(find_fault(make(DistributionKind::lognormal, {0, 0})),
            "the standard deviation must be greater than 0, got 0");
  EXPECT_EQ(find_fault(make(DistributionKind::lognormal, {700, 1})), "");
  EXPECT_NE(find_fault(make(DistributionKind::lognormal, {701, 1})), "");
  EXPECT_EQ(find_fault(make(DistributionKind::loguniform, {0, 1})), "lower must be greater than 0, got 0");
  EXPECT_EQ(find_fault(make(DistributionKind::triangular, {0, 0, 1})), "");
  EXPECT_EQ(find_fault(make(DistributionKind::triangular, {0, 2, 1})), "lower <= mode <= upper must hold, got 0, 2, 1");
  EXPECT_EQ(find_fault(make(DistributionKind::truncated_normal, {0, 1, 37, 38})), "");
  EXPECT_NE(find_fault(make(DistributionKind::truncated_normal, {0, 1, 37.5, 38})), "");
  EXPECT_EQ(find_fault(make(DistributionKind::choice, {3, 3})), "");
  EXPECT_EQ(find_fault(make(DistributionKind::table, {})), "");
}

TEST(Distribution, IsJudgedWithAsManyNumbersAsItsRowWants) {
  EXPECT_EQ(scenario::distributions[DistributionKind::truncated_normal].count, 4u);
  EXPECT_THROW(find_fault(make(DistributionKind::truncated_normal, {0, 1, 2})), InternalError);
  EXPECT_THROW(find_fault(make(DistributionKind::choice, {})), InternalError);
}

// ---- values by hand ----

TEST(Uniform, IsStraightBetweenItsEnds) {
  const auto d = make(DistributionKind::uniform, {-1, 3});
  EXPECT_EQ(quantile(d, 0), -1);
  EXPECT_EQ(quantile(d, 0.25), 0);
  EXPECT_EQ(quantile(d, 1), 3);
}

TEST(Uniform, SurvivesARangeThatIsNoNumber) {
  const auto d = make(DistributionKind::uniform, {-1.5e308, 1.5e308});
  EXPECT_EQ(quantile(d, 0), -1.5e308);
  EXPECT_EQ(quantile(d, 0.5), 0);
  EXPECT_EQ(quantile(d, 1), 1.5e308);
}

TEST(Normal, HasTheTabledQuantiles) {
  const auto d = make(DistributionKind::normal, {10, 2});
  EXPECT_EQ(quantile(d, 0.5), 10);
  EXPECT_NEAR(quantile(d, 0.975), 10 + 2 * 1.959963984540054, 1e-14);
  EXPECT_NEAR(quantile(d, 0.001), 10 - 2 * 3.090232306167813, 1e-14);
  EXPECT_EQ(quantile(d, 0), -infinity);
  EXPECT_EQ(quantile(d, 1), infinity);
}

TEST(Normal, InvertsTheTailsThatRandomPointsReach) {
  const auto d = make(DistributionKind::normal, {0, 1});
  for (const double u : {0x1p-53, 1e-12, 1e-4, 0.1}) {
    const double z = quantile(d, u);
    EXPECT_NEAR(static_cast<double>(upper_tail(-z)) / u, 1, 1e-13) << "u = " << u;
  }
  EXPECT_EQ(quantile(d, 1 - 0x1p-53), -quantile(d, 0x1p-53));
}

TEST(Lognormal, TakesMeanAndDeviationOfTheLogarithm) {
  const auto d = make(DistributionKind::lognormal, {std::log(2.0), 0.5});
  EXPECT_DOUBLE_EQ(quantile(d, 0.5), 2);
  EXPECT_NEAR(quantile(d, 0.975), 2 * std::exp(0.5 * 1.959963984540054), 1e-13);
  EXPECT_EQ(quantile(d, 0), 0);
  EXPECT_EQ(quantile(d, 1), infinity);
}

TEST(Loguniform, IsStraightInTheLogarithmWithExactEnds) {
  const auto d = make(DistributionKind::loguniform, {0.1, 1000});
  EXPECT_EQ(quantile(d, 0), 0.1);
  EXPECT_NEAR(quantile(d, 0.25), 1, 1e-14);
  EXPECT_NEAR(quantile(d, 0.75), 100, 1e-12);
  EXPECT_EQ(quantile(d, 1), 1000);
  EXPECT_NEAR(quantile(make(DistributionKind::loguniform, {1e-300, 1e300}), 0.5), 1, 1e-12);
}

TEST(Triangular, FollowsItsTwoParabolas) {
  const auto d = make(DistributionKind::triangular, {0, 1, 4});  // F(x) = x²/4 up to 1, 1 - (4 - x)²/12 from there
  EXPECT_EQ(quantile(d, 0), 0);
  EXPECT_NEAR(quantile(d, 0.0625), 0.5, 1e-15);
  EXPECT_NEAR(quantile(d, 0.25), 1, 1e-15);
  EXPECT_NEAR(quantile(d, 1 - 1.0 / 12), 3, 1e-14);
  EXPECT_EQ(quantile(d, 1), 4);
}

TEST(Triangular, TakesAModeAtEitherEnd) {
  const auto falling = make(DistributionKind::triangular, {2, 2, 4});
  const auto rising = make(DistributionKind::triangular, {2, 4, 4});
  EXPECT_EQ(quantile(falling, 0), 2);
  EXPECT_NEAR(quantile(falling, 0.75), 3, 1e-15);
  EXPECT_EQ(quantile(falling, 1), 4);
  EXPECT_EQ(quantile(rising, 0), 2);
  EXPECT_NEAR(quantile(rising, 0.25), 3, 1e-15);
  EXPECT_EQ(quantile(rising, 1), 4);
}

TEST(Triangular, SurvivesHugeAndTinyRanges) {
  EXPECT_NEAR(quantile(make(DistributionKind::triangular, {0, 0, 1e300}), 0.75) / 1e300, 0.5, 1e-15);
  EXPECT_NEAR(quantile(make(DistributionKind::triangular, {0, 0, 1e-300}), 0.75) / 1e-300, 0.5, 1e-15);
}

TEST(TruncatedNormal, IsTheNormalDistributionWhereNothingIsCut) {
  const auto whole = make(DistributionKind::normal, {1, 2});
  const auto cut = make(DistributionKind::truncated_normal, {1, 2, -1e3, 1e3});
  for (const double u : {1e-9, 0.1, 0.5, 0.8, 1 - 1e-9})
    EXPECT_NEAR(quantile(cut, u), quantile(whole, u), 1e-6 * (u > 0.9) + 1e-13) << u;
}

TEST(TruncatedNormal, HalvesAtTheMean) {
  const auto d = make(DistributionKind::truncated_normal, {3, 1, 3, 1e9});
  EXPECT_EQ(quantile(d, 0), 3);
  EXPECT_NEAR(quantile(d, 0.5), 3 + 0.6744897501960817, 1e-14);  // the upper quartile
  EXPECT_EQ(quantile(d, 1), 1e9);
}

TEST(TruncatedNormal, KeepsItsShapeInFarTails) {
  for (const double from : {3.0, 8.0, 20.0, 36.0}) {
    const double to = from + 1;
    const auto upper = make(DistributionKind::truncated_normal, {0, 1, from, to});
    const auto lower = make(DistributionKind::truncated_normal, {0, 1, -to, -from});
    for (const double u : {0x1p-53, 1e-6, 0.01, 0.25, 0.5, 0.75, 0.99, 1 - 0x1p-20}) {
      const double z = quantile(upper, u);
      const long double expected = (1 - static_cast<long double>(u)) * upper_tail(from) + u * upper_tail(to);
      EXPECT_NEAR(static_cast<double>(upper_tail(z) / expected), 1, 1e-12) << "from " << from << ", u = " << u;
      EXPECT_EQ(quantile(lower, 1 - u), -z) << "from " << from << ", u = " << u;
    }
    EXPECT_EQ(quantile(upper, 0), from);
    EXPECT_EQ(quantile(upper, 1), to);
  }
}

TEST(TruncatedNormal, StaysInsideWhateverIsAsked) {
  const std::vector<std::vector<double>> cases = {
      {0, 1, 8, 9},           {0, 1, -9, -8}, {0, 1, 37, 38},    {0, 1, 60, 61},   {0, 1, -61, -60}, {0, 1e-3, 1, 2},
      {5, 1, 5, 5.000000001}, {0, 1, -1, 40}, {1e9, 1e-3, 0, 2}, {0, 1e300, 1, 2}, {0, 1e-300, 1, 2}};
  for (const auto& values : cases) {
    const auto d = make(DistributionKind::truncated_normal, values);
    double before = values[2];
    for (int i = 0; i <= 1000; ++i) {
      const double x = quantile(d, i / 1000.0);
      ASSERT_GE(x, before) << "falls at u = " << i / 1000.0 << " of [" << values[0] << ", " << values[1] << ", "
                           << values[2] << ", " << values[3] << "]";
      ASSERT_LE(x, values[3]);
      before = x;
    }
  }
}

TEST(Choice, GivesEveryValueItsShare) {
  const auto d = make(DistributionKind::choice, {5, -1, 2});
  EXPECT_EQ(quantile(d, 0), 5);
  EXPECT_EQ(quantile(d, 0.333), 5);
  EXPECT_EQ(quantile(d, 0.334), -1);
  EXPECT_EQ(quantile(d, 0.667), 2);
  EXPECT_EQ(quantile(d, 1), 2);
}

TEST(Table, HasNoQuantiles) { EXPECT_THROW(quantile(make(DistributionKind::table, {1, 2}), 0.5), InternalError); }

TEST(Quantile, RefusesPointsOutsideTheUnitInterval) {
  const auto d = make(DistributionKind::uniform, {0, 1});
  EXPECT_THROW(quantile(d, -1e-300), InternalError);
  EXPECT_THROW(quantile(d, 1.0000001), InternalError);
  EXPECT_THROW(quantile(d, std::nan("")), InternalError);
}

// ---- supports ----

TEST(Support, IsWhatTheQuantilesOfZeroAndOneGive) {
  const std::vector<Distribution> all = {
      make(DistributionKind::uniform, {-1, 3}),      make(DistributionKind::normal, {1, 2}),
      make(DistributionKind::lognormal, {0, 1}),     make(DistributionKind::loguniform, {0.1, 10}),
      make(DistributionKind::triangular, {0, 1, 4}), make(DistributionKind::truncated_normal, {0, 1, 8, 9}),
      make(DistributionKind::choice, {-2, 0, 7}),
  };
  for (const auto& d : all) {
    EXPECT_EQ(support(d).lower, quantile(d, 0)) << to_name(d.kind);
    EXPECT_EQ(support(d).upper, quantile(d, 1)) << to_name(d.kind);
  }
}

TEST(Support, OfAListIsItsExtremes) {
  EXPECT_EQ(support(make(DistributionKind::choice, {5, -1, 2})).lower, -1);
  EXPECT_EQ(support(make(DistributionKind::choice, {5, -1, 2})).upper, 5);
  EXPECT_EQ(support(make(DistributionKind::table, {3, 9, 4})).lower, 3);
  EXPECT_EQ(support(make(DistributionKind::table, {3, 9, 4})).upper, 9);
}

// ---- samples ----

/// A distribution by its textbook distribution function, mean and variance.
struct Law {
  Distribution distribution;
  std::function<double(double)> cdf;
  double mean;
  double variance;
};

double phi(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0)); }
double normal_cdf(double z) { return static_cast<double>(upper_tail(-z)); }

std::vector<Law> laws() {
  const double log_range = std::log(20.0);
  const double s = 0.4;
  const double cut = normal_cdf(1.5) - normal_cdf(-0.5);
  const double shift = (phi(-0.5) - phi(1.5)) / cut;
  return {
      {make(DistributionKind::uniform, {2, 5}), [](double x) { return (x - 2) / 3; }, 3.5, 0.75},
      {make(DistributionKind::normal, {-1, 3}), [](double x) { return normal_cdf((x + 1) / 3); }, -1, 9},
      {make(DistributionKind::lognormal, {0.3, s}), [=](double x) { return normal_cdf((std::log(x) - 0.3) / s); },
       std::exp(0.3 + s * s / 2), (std::exp(s * s) - 1) * std::exp(0.6 + s * s)},
      {make(DistributionKind::loguniform, {0.5, 10}), [=](double x) { return std::log(x / 0.5) / log_range; },
       9.5 / log_range, (100 - 0.25) / (2 * log_range) - 9.5 * 9.5 / (log_range * log_range)},
      {make(DistributionKind::triangular, {0, 1, 4}),
       [](double x) { return x < 1 ? x * x / 4 : 1 - (4 - x) * (4 - x) / 12; }, 5.0 / 3,
       (0 + 1 + 16 - 0 - 0 - 4) / 18.0},
      {make(DistributionKind::truncated_normal, {1, 2, 0, 4}),
       [=](double x) { return (normal_cdf((x - 1) / 2) - normal_cdf(-0.5)) / cut; }, 1 + 2 * shift,
       4 * (1 + (-0.5 * phi(-0.5) - 1.5 * phi(1.5)) / cut - shift * shift)},
  };
}

class SampledLaw : public testing::TestWithParam<std::size_t> {};

TEST_P(SampledLaw, HasItsDistributionFunctionMeanAndVariance) {
  const Law law = laws()[GetParam()];
  constexpr std::int64_t members = 200'000;
  scenario::Scenario s;
  s.names.parameters = {"p"};
  s.vary = {{0, law.distribution, 0, {}}};
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    s.ensemble = {members, seed, scenario::Sampler::random};
    std::vector<double> x = draw(s, 0, members).front();

    // moments within five of their own deviations (that of the variance with the sample's fourth moment)
    long double sum = 0;
    for (const double value : x) sum += value;
    const double mean = static_cast<double>(sum) / members;
    double second = 0, fourth = 0;
    for (const double value : x) {
      const double square = (value - law.mean) * (value - law.mean);
      second += square / members;
      fourth += square * square / members;
    }
    EXPECT_NEAR(mean, law.mean, 5 * std::sqrt(law.variance / members));
    EXPECT_NEAR(second, law.variance, 5 * std::sqrt((fourth - law.variance * law.variance) / members));

    // Kolmogorov-Smirnov: sqrt(n) D exceeds 1.95 once in a thousand
    std::sort(x.begin(), x.end());
    double distance = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double f = law.cdf(x[i]);
      distance = std::max({distance, f - static_cast<double>(i) / members, static_cast<double>(i + 1) / members - f});
    }
    EXPECT_LT(std::sqrt(static_cast<double>(members)) * distance, 1.95);
    // and a distance of 0 would be no sample
    EXPECT_GT(std::sqrt(static_cast<double>(members)) * distance, 0.3);
  }
}

INSTANTIATE_TEST_SUITE_P(Distributions, SampledLaw, testing::Range<std::size_t>(0, 6), [](const auto& parameter) {
  return std::string(to_name(laws()[parameter.param].distribution.kind));
});

TEST(SampledChoice, HasEqualShares) {
  constexpr std::int64_t members = 30'000;
  scenario::Scenario s;
  s.names.parameters = {"p"};
  s.vary = {{0, make(DistributionKind::choice, {0, 1, 2}), 0, {}}};
  s.ensemble = {members, 7, scenario::Sampler::random};
  const auto x = draw(s, 0, members).front();
  for (const double value : {0.0, 1.0, 2.0})
    EXPECT_NEAR(static_cast<double>(std::count(x.begin(), x.end(), value)), members / 3.0,
                5 * std::sqrt(members * 2.0 / 9));
}

}  // namespace
}  // namespace conesweep::sampling
