#include "statistics/statistics.hpp"

#include <gtest/gtest.h>

#include "statistics/merge_tree.hpp"
#include "support/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "noise.hpp"

namespace conesweep::statistics {
namespace {

using executor::Status;

/// Two passes in long double.
struct Naive {
  long double mean = 0;
  long double deviation = 0;
  long double skewness = 0;
};
Naive naive(const std::vector<double>& values) {
  Naive result;
  const auto n = static_cast<long double>(values.size());
  for (const double x : values) result.mean += x / n;
  for (const double x : values) result.deviation += (x - result.mean) * (x - result.mean);
  for (const double x : values) result.skewness += (x - result.mean) * (x - result.mean) * (x - result.mean) / n;
  result.skewness /= std::pow(result.deviation / n, 1.5L);
  result.deviation = std::sqrt(result.deviation / (n - 1));
  return result;
}

// ---- by hand ----

TEST(Summary, OfFewValuesIsWhatAPersonFinds) {
  const Summary s = summarise_ok({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(s.count, 8);
  EXPECT_DOUBLE_EQ(s.mean, 5);
  EXPECT_DOUBLE_EQ(s.standard_deviation, std::sqrt(32.0 / 7));  // with n - 1; n would give 2
  EXPECT_DOUBLE_EQ(s.standard_error, std::sqrt(32.0 / 7 / 8));
  EXPECT_EQ(s.min, 2);
  EXPECT_EQ(s.max, 9);
}

TEST(Skewness, IsThatOfThePopulation) {
  // 0, 1, 1, 6: mean 2, d = -2, -1, -1, 4, squares 22, cubes 54
  EXPECT_DOUBLE_EQ(summarise_ok({0, 1, 1, 6}).skewness, 54.0 / 4 / std::pow(22.0 / 4, 1.5));
  EXPECT_DOUBLE_EQ(summarise_ok({0, -1, -1, -6}).skewness, -54.0 / 4 / std::pow(22.0 / 4, 1.5));
  EXPECT_EQ(summarise_ok({1, 2, 3}).skewness, 0);
  EXPECT_TRUE(std::isnan(summarise_ok({1, 2}).skewness));

  // of an exponential distribution it is 2, of one value in n that is 1 (the others 0) it is (n - 2)/sqrt(n - 1)
  std::vector<double> exponential(100'000), lonely(10'001, 0.0);
  for (std::size_t i = 0; i < exponential.size(); ++i)
    exponential[i] = -std::log1p(-(static_cast<double>(i) + 0.5) / 1e5);
  lonely[5000] = 1;
  EXPECT_NEAR(summarise_ok(exponential).skewness, 2, 2e-3);  // the tail beyond 1 - 1/2n is missing
  EXPECT_NEAR(summarise_ok(lonely).skewness, 9'999 / 100.0, 1e-10);
}

TEST(Quantiles, AreOfTypeSeven) {
  // n = 5: positions 0.2, 1, 2, 3, 3.8 between the sorted values
  const Summary s = summarise_ok({50, 10, 40, 20, 30});
  ASSERT_EQ(s.quantiles.size(), 9u);
  EXPECT_DOUBLE_EQ(quantile_of(s, 0.001), 10.04);
  EXPECT_DOUBLE_EQ(quantile_of(s, 0.01), 10.4);
  EXPECT_DOUBLE_EQ(quantile_of(s, 0.05), 12);
  EXPECT_EQ(quantile_of(s, 0.25), 20);
  EXPECT_EQ(quantile_of(s, 0.5), 30);
  EXPECT_EQ(quantile_of(s, 0.75), 40);
  EXPECT_DOUBLE_EQ(quantile_of(s, 0.95), 48);
  EXPECT_DOUBLE_EQ(quantile_of(s, 0.99), 49.6);
  EXPECT_DOUBLE_EQ(quantile_of(s, 0.999), 49.96);

  // an even number: the median between two
  EXPECT_DOUBLE_EQ(quantile_of(summarise_ok({1, 2, 4, 8}), 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile_of(summarise_ok({1, 2, 4, 8}), 0.25), 1.75);

  // n = 21: the level 0.05 is the second value exactly
  std::vector<double> squares;
  for (int i = 0; i <= 20; ++i) squares.push_back(i * i);
  EXPECT_EQ(quantile_of(summarise_ok(squares), 0.05), 1);
  EXPECT_EQ(quantile_of(summarise_ok(squares), 0.95), 361);
}

TEST(Histogram, CountsEveryValueInItsBin) {
  // min 0, max 64: edges are whole numbers
  std::vector<double> values = {0, 0.5, 1, 1.5, 31.999, 32, 63, 63.5, 64, 64};
  const Histogram h = summarise_ok(values).histogram;
  ASSERT_EQ(h.edges.size(), 65u);
  ASSERT_EQ(h.counts.size(), 64u);
  for (std::size_t j = 0; j <= 64; ++j) EXPECT_EQ(h.edges[j], static_cast<double>(j));
  std::vector<std::int64_t> expected(64, 0);
  expected[0] = 2;  // 0, 0.5
  expected[1] = 2;  // 1 lies above its edge
  expected[31] = 1;
  expected[32] = 1;
  expected[63] = 4;  // the last bin holds its upper edge
  EXPECT_EQ(h.counts, expected);
}

TEST(Histogram, HasItsEdgesAtMinAndMaxAndLosesNobody) {
  const auto values = noise(10'007, 0.1, 1e-3);
  const Summary s = summarise_ok(values);
  const auto& h = s.histogram;
  EXPECT_EQ(h.edges.front(), s.min);
  EXPECT_EQ(h.edges.back(), s.max);
  EXPECT_TRUE(std::is_sorted(h.edges.begin(), h.edges.end()));
  for (std::size_t j = 0; j < 64; ++j) {
    EXPECT_NEAR(h.edges[j + 1] - h.edges[j], (s.max - s.min) / 64, 1e-15);
    const auto inside = std::count_if(values.begin(), values.end(), [&](double x) {
      return x >= h.edges[j] && (x < h.edges[j + 1] || (j == 63 && x == s.max));
    });
    EXPECT_EQ(h.counts[j], inside) << "bin " << j;
  }
  EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0}), s.count);
}

// ---- who counts ----

TEST(Summary, LeavesOutStoppedMembersAndNan) {
  const std::vector<double> values = {1, 100, nan, 3, 5, -100};
  const std::vector<Status> status = {Status::ok, Status::non_finite, Status::ok,
                                      Status::ok, Status::ok,         Status::bad_angle};
  const Summary s = summarise(values, status);
  EXPECT_EQ(s.count, 3);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.standard_deviation, 2);
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 5);
  EXPECT_EQ(quantile_of(s, 0.5), 3);
}

TEST(Summary, OfNobodyIsNan) {
  for (const auto& values : {std::vector<double>{}, std::vector<double>{nan, nan}}) {
    const Summary s = summarise_ok(values);
    EXPECT_EQ(s.count, 0);
    for (const double x : {s.mean, s.standard_deviation, s.standard_error, s.min, s.max, s.skewness, s.quantiles.at(0),
                           s.quantiles.at(8)})
      EXPECT_TRUE(std::isnan(x));
    EXPECT_TRUE(s.histogram.edges.empty());
    EXPECT_TRUE(s.histogram.counts.empty());
  }
}

TEST(Summary, OfOneHasNoDeviation) {
  const Summary s = summarise_ok({7});
  EXPECT_EQ(s.count, 1);
  EXPECT_EQ(s.mean, 7);
  EXPECT_TRUE(std::isnan(s.standard_deviation));
  EXPECT_TRUE(std::isnan(s.standard_error));
  EXPECT_TRUE(std::isnan(s.skewness));
  for (const double q : s.quantiles) EXPECT_EQ(q, 7);
}

TEST(Summary, OfEqualValuesHasNoSpreadAtAll) {
  // 0.1 is no binary fraction: a sum of 10007 of them, divided, is not 0.1
  const Summary s = summarise_ok(std::vector<double>(10'007, 0.1));
  EXPECT_EQ(s.mean, 0.1);
  EXPECT_EQ(s.standard_deviation, 0);
  EXPECT_TRUE(std::isnan(s.skewness));
  for (const double q : s.quantiles) EXPECT_EQ(q, 0.1);
  ASSERT_EQ(s.histogram.edges.size(), 65u);
  for (const double edge : s.histogram.edges) EXPECT_EQ(edge, 0.1);
  EXPECT_EQ(s.histogram.counts.back(), 10'007);
  EXPECT_EQ(std::accumulate(s.histogram.counts.begin(), s.histogram.counts.end(), std::int64_t{0}), 10'007);
}

TEST(Summary, HasOneZero) {
  for (const auto& values : {std::vector<double>{-0.0, 0.0}, std::vector<double>{0.0, -0.0}}) {
    const Summary s = summarise_ok(values);
    for (const double x : {s.mean, s.min, s.max, s.quantiles[0], s.histogram.edges[0]}) EXPECT_FALSE(std::signbit(x));
  }
}

// ---- large numbers ----

TEST(Summary, OfHugeAndTinyValuesIsTheScaledOne) {
  // by powers of two: nothing is rounded, as long as cubes neither overflow nor vanish
  std::vector<double> values = noise(10'007, 1, 0.3);
  for (double& x : values) x = x * x;
  const Summary expected = summarise_ok(values);
  for (const double scale : {0x1p1000, 0x1p700, 0x1p500, 0x1p390, 0x1p345, 0x1p250, 0x1p190, 0x1p-190, 0x1p-300,
                             0x1p-390, 0x1p-500, 0x1p-900}) {
    std::vector<double> scaled = values;
    for (double& x : scaled) x *= scale;
    const Summary s = summarise_ok(scaled);
    EXPECT_EQ(s.mean / scale, expected.mean) << scale;
    EXPECT_EQ(s.standard_deviation / scale, expected.standard_deviation) << scale;
    EXPECT_EQ(s.standard_error / scale, expected.standard_error) << scale;
    EXPECT_EQ(s.skewness, expected.skewness) << scale;
    EXPECT_EQ(quantile_of(s, 0.5), quantile_of(expected, 0.5) * scale) << scale;
    EXPECT_EQ(s.histogram.counts, expected.histogram.counts) << scale;
  }
}

TEST(Summary, OfTheSmallestNumbersHasItsSpread) {
  constexpr double smallest = std::numeric_limits<double>::denorm_min();
  const Summary s = summarise_ok({0, smallest * 100, smallest * 100, smallest * 600});
  EXPECT_EQ(s.mean, 200 * smallest);
  EXPECT_NEAR(s.standard_deviation / smallest, 100 * std::sqrt(22.0 / 3), 1);
  EXPECT_DOUBLE_EQ(s.skewness, 54.0 / 4 / std::pow(22.0 / 4, 1.5));
}

TEST(Summary, OfASmallSpreadOnAHugeMeanHasItsSkewness) {
  const double ulp = 0x1p600;  // the values are 2^652 … 2^652 + 6 ulp
  const Summary s = summarise_ok({0x1p652, 0x1p652 + ulp, 0x1p652 + ulp, 0x1p652 + 6 * ulp});
  EXPECT_EQ(s.standard_deviation, std::sqrt(22.0 / 3) * ulp);
  EXPECT_DOUBLE_EQ(s.skewness, 54.0 / 4 / std::pow(22.0 / 4, 1.5));
}

TEST(Summary, OfTheLargestNumbersStaysFinite) {
  const Summary s = summarise_ok({-largest, largest, 0, 0, 0});
  EXPECT_EQ(s.mean, 0);
  EXPECT_NEAR(s.standard_deviation / largest, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(quantile_of(s, 0.5), 0);
  EXPECT_NEAR(quantile_of(s, 0.05) / largest, -0.8, 1e-15);
  for (std::size_t j = 0; j <= 64; ++j)
    EXPECT_NEAR(s.histogram.edges[j] / largest, static_cast<double>(j) / 32 - 1, 1e-15);
  EXPECT_EQ(s.histogram.counts[0], 1);
  EXPECT_EQ(s.histogram.counts[32], 3);
  EXPECT_EQ(s.histogram.counts[63], 1);
}

TEST(Summary, OfInfiniteValuesSaysSoAndKeepsFiniteBins) {
  const Summary up = summarise_ok({1, 2, 3, infinity});
  EXPECT_EQ(up.count, 4);
  EXPECT_EQ(up.mean, infinity);
  EXPECT_TRUE(std::isnan(up.standard_deviation));
  EXPECT_TRUE(std::isnan(up.skewness));
  EXPECT_EQ(up.max, infinity);
  EXPECT_DOUBLE_EQ(quantile_of(up, 0.5), 2.5);
  EXPECT_EQ(up.histogram.edges.front(), 1);
  EXPECT_EQ(up.histogram.edges.back(), 3);
  EXPECT_EQ(std::accumulate(up.histogram.counts.begin(), up.histogram.counts.end(), std::int64_t{0}), 3);

  const Summary both = summarise_ok({-infinity, infinity, infinity});
  EXPECT_TRUE(std::isnan(both.mean));
  EXPECT_EQ(quantile_of(both, 0.5), infinity);
  EXPECT_TRUE(both.histogram.edges.empty());
}

// ---- precision ----

TEST(Summary, AgreesWithTwoPassesInLongDouble) {
  for (const std::size_t count : {2u, 31u, 4095u, 4096u, 4097u, 8192u, 8193u, 50'000u})
    for (const double mean : {0.0, 1.0, 1e6}) {
      const auto values = noise(count, mean, 1);
      const Naive expected = naive(values);
      const Summary s = summarise_ok(values);
      EXPECT_NEAR(s.mean, static_cast<double>(expected.mean), 1e-14 * (1 + mean)) << count << " values around " << mean;
      EXPECT_NEAR(s.standard_deviation, static_cast<double>(expected.deviation), 1e-14 * (1 + mean))
          << count << " values around " << mean;
      if (count > 2) {
        EXPECT_NEAR(s.skewness, static_cast<double>(expected.skewness), 1e-14 * (1 + mean))
            << count << " values around " << mean;
      }
    }
}

TEST(Summary, KeepsASmallSpreadOnALargeMean) {
  // mean of squares minus square of the mean would lose everything here
  const auto values = noise(20'000, 1e9, 1e-2);
  EXPECT_NEAR(summarise_ok(values).standard_deviation, static_cast<double>(naive(values).deviation), 1e-8);
}

TEST(QuantileOf, KnowsItsLevels) {
  const Summary s = summarise_ok({1, 2, 3});
  for (std::size_t q = 0; q < std::size(quantile_levels); ++q)
    EXPECT_EQ(quantile_of(s, quantile_levels[q]), s.quantiles[q]);
  EXPECT_THROW(quantile_of(s, 0.3), InternalError);
}

}  // namespace
}  // namespace conesweep::statistics
