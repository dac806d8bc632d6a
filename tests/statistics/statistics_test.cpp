#include "statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace conesweep::statistics {
namespace {

using executor::Status;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();

std::vector<Status> all_ok(std::size_t members) { return std::vector<Status>(members, Status::ok); }

Summary summarise_ok(const std::vector<double>& values) { return summarise(values, all_ok(values.size())); }

std::vector<double> noise(std::size_t count, double mean, double deviation) {
  std::mt19937_64 bits(count);
  std::vector<double> values(count);
  for (double& x : values) {
    double sum = 0;  // twelve uniform ones: nearly normal, and the same on every machine
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(bits() >> 11) * 0x1p-53;
    x = mean + deviation * (sum - 6);
  }
  return values;
}

/// Two passes in long double.
struct Naive {
  long double mean = 0;
  long double deviation = 0;
};
Naive naive(const std::vector<double>& values) {
  Naive result;
  const auto n = static_cast<long double>(values.size());
  for (const double x : values) result.mean += x / n;
  for (const double x : values) result.deviation += (x - result.mean) * (x - result.mean);
  result.deviation = std::sqrt(result.deviation / (n - 1));
  return result;
}

// ---- by hand -------------------------------------------------------------------------------------------------------

TEST(Summary, OfFewValuesIsWhatAPersonFinds) {
  const Summary s = summarise_ok({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(s.count, 8);
  EXPECT_DOUBLE_EQ(s.mean, 5);
  EXPECT_DOUBLE_EQ(s.standard_deviation, std::sqrt(32.0 / 7));  // with n - 1; n would give 2
  EXPECT_DOUBLE_EQ(s.standard_error, std::sqrt(32.0 / 7 / 8));
  EXPECT_EQ(s.min, 2);
  EXPECT_EQ(s.max, 9);
}

TEST(Quantiles, AreOfTypeSeven) {
  // n = 5: positions 0.2, 1, 2, 3, 3.8 between the sorted values
  const Summary s = summarise_ok({50, 10, 40, 20, 30});
  ASSERT_EQ(s.quantiles.size(), 5u);
  EXPECT_DOUBLE_EQ(s.quantiles[0], 12);
  EXPECT_EQ(s.quantiles[1], 20);
  EXPECT_EQ(s.quantiles[2], 30);
  EXPECT_EQ(s.quantiles[3], 40);
  EXPECT_DOUBLE_EQ(s.quantiles[4], 48);

  // an even number: the median between two
  EXPECT_DOUBLE_EQ(summarise_ok({1, 2, 4, 8}).quantiles[2], 3);
  EXPECT_DOUBLE_EQ(summarise_ok({1, 2, 4, 8}).quantiles[1], 1.75);

  // n = 21: the level 0.05 is the second value exactly
  std::vector<double> squares;
  for (int i = 0; i <= 20; ++i) squares.push_back(i * i);
  EXPECT_EQ(summarise_ok(squares).quantiles[0], 1);
  EXPECT_EQ(summarise_ok(squares).quantiles[4], 361);
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
    const auto inside = std::count_if(values.begin(), values.end(),
                                      [&](double x) { return x >= h.edges[j] && (x < h.edges[j + 1] || (j == 63 && x == s.max)); });
    EXPECT_EQ(h.counts[j], inside) << "bin " << j;
  }
  EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0}), s.count);
}

// ---- who counts ----------------------------------------------------------------------------------------------------

TEST(Summary, LeavesOutStoppedMembersAndNan) {
  const std::vector<double> values = {1, 100, nan, 3, 5, -100};
  const std::vector<Status> status = {Status::ok, Status::non_finite, Status::ok, Status::ok, Status::ok, Status::bad_angle};
  const Summary s = summarise(values, status);
  EXPECT_EQ(s.count, 3);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.standard_deviation, 2);
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 5);
  EXPECT_EQ(s.quantiles[2], 3);
}

TEST(Summary, OfNobodyIsNan) {
  for (const auto& values : {std::vector<double>{}, std::vector<double>{nan, nan}}) {
    const Summary s = summarise_ok(values);
    EXPECT_EQ(s.count, 0);
    for (const double x : {s.mean, s.standard_deviation, s.standard_error, s.min, s.max, s.quantiles.at(0), s.quantiles.at(4)})
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
  for (const double q : s.quantiles) EXPECT_EQ(q, 7);
}

TEST(Summary, OfEqualValuesHasNoSpreadAtAll) {
  // 0.1 is no binary fraction: a sum of 10007 of them, divided, is not 0.1
  const Summary s = summarise_ok(std::vector<double>(10'007, 0.1));
  EXPECT_EQ(s.mean, 0.1);
  EXPECT_EQ(s.standard_deviation, 0);
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

// ---- large numbers -------------------------------------------------------------------------------------------------

TEST(Summary, OfHugeValuesIsTheScaledOne) {
  const auto values = noise(10'007, 1, 0.3);
  const Summary expected = summarise_ok(values);
  std::vector<double> huge = values;
  for (double& x : huge) x *= 0x1p1000;
  const Summary s = summarise_ok(huge);
  EXPECT_NEAR(s.mean / 0x1p1000, expected.mean, 1e-14);
  EXPECT_NEAR(s.standard_deviation / 0x1p1000, expected.standard_deviation, 1e-14);
  EXPECT_EQ(s.quantiles[2], expected.quantiles[2] * 0x1p1000);
  EXPECT_EQ(s.histogram.counts, expected.histogram.counts);
}

TEST(Summary, OfTheLargestNumbersStaysFinite) {
  const Summary s = summarise_ok({-largest, largest, 0, 0, 0});
  EXPECT_EQ(s.mean, 0);
  EXPECT_NEAR(s.standard_deviation / largest, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(s.quantiles[2], 0);
  EXPECT_NEAR(s.quantiles[0] / largest, -0.8, 1e-15);
  for (std::size_t j = 0; j <= 64; ++j) EXPECT_NEAR(s.histogram.edges[j] / largest, static_cast<double>(j) / 32 - 1, 1e-15);
  EXPECT_EQ(s.histogram.counts[0], 1);
  EXPECT_EQ(s.histogram.counts[32], 3);
  EXPECT_EQ(s.histogram.counts[63], 1);
}

TEST(Summary, OfInfiniteValuesSaysSoAndKeepsFiniteBins) {
  const Summary up = summarise_ok({1, 2, 3, infinity});
  EXPECT_EQ(up.count, 4);
  EXPECT_EQ(up.mean, infinity);
  EXPECT_TRUE(std::isnan(up.standard_deviation));
  EXPECT_EQ(up.max, infinity);
  EXPECT_DOUBLE_EQ(up.quantiles[2], 2.5);
  EXPECT_EQ(up.histogram.edges.front(), 1);
  EXPECT_EQ(up.histogram.edges.back(), 3);
  EXPECT_EQ(std::accumulate(up.histogram.counts.begin(), up.histogram.counts.end(), std::int64_t{0}), 3);

  const Summary both = summarise_ok({-infinity, infinity, infinity});
  EXPECT_TRUE(std::isnan(both.mean));
  EXPECT_EQ(both.quantiles[2], infinity);
  EXPECT_TRUE(both.histogram.edges.empty());
}

// ---- precision -----------------------------------------------------------------------------------------------------

TEST(Summary, AgreesWithTwoPassesInLongDouble) {
  for (const std::size_t count : {2u, 31u, 4095u, 4096u, 4097u, 8192u, 8193u, 50'000u})
    for (const double mean : {0.0, 1.0, 1e6}) {
      const auto values = noise(count, mean, 1);
      const Naive expected = naive(values);
      const Summary s = summarise_ok(values);
      EXPECT_NEAR(s.mean, static_cast<double>(expected.mean), 1e-14 * (1 + mean)) << count << " values around " << mean;
      EXPECT_NEAR(s.standard_deviation, static_cast<double>(expected.deviation), 1e-14 * (1 + mean)) << count << " values around " << mean;
    }
}

TEST(Summary, KeepsASmallSpreadOnALargeMean) {
  // mean of squares minus square of the mean would lose everything here
  const auto values = noise(20'000, 1e9, 1e-2);
  EXPECT_NEAR(summarise_ok(values).standard_deviation, static_cast<double>(naive(values).deviation), 1e-8);
}

// ---- bits ----------------------------------------------------------------------------------------------------------

TEST(Moments, OfChunksMergeToTheBitsOfTheWhole) {
  const auto values = noise(100'003, 3, 2);
  auto status = all_ok(values.size());
  for (std::size_t i = 0; i < status.size(); i += 97) status[i] = Status::non_finite;
  const Summary whole = summarise(values, status);

  // whoever computes the blocks, in whichever order
  for (const std::size_t blocks_a_chunk : {1u, 2u, 3u, 7u, 25u}) {
    const std::size_t chunk = blocks_a_chunk * block_members;
    std::vector<std::vector<Moments>> chunks((values.size() + chunk - 1) / chunk);
    for (std::size_t c = chunks.size(); c-- > 0;)
      for (std::size_t at = c * chunk; at < std::min(values.size(), (c + 1) * chunk); at += block_members) {
        const std::size_t count = std::min<std::size_t>(block_members, values.size() - at);
        chunks[c].push_back(block_moments(std::span(values).subspan(at, count), std::span(status).subspan(at, count)));
      }
    std::vector<Moments> blocks;
    for (const auto& some : chunks) blocks.insert(blocks.end(), some.begin(), some.end());
    const Moments merged = merge_blocks(blocks);
    EXPECT_EQ(merged.count, whole.count);
    EXPECT_EQ(merged.mean, whole.mean);
    EXPECT_EQ(std::sqrt(merged.squares / static_cast<double>(merged.count - 1)), whole.standard_deviation);
    EXPECT_EQ(merged.min, whole.min);
    EXPECT_EQ(merged.max, whole.max);
  }
}

TEST(Moments, MergeInTheTreeThatTheHeaderPromises) {
  std::vector<Moments> b;
  for (std::size_t i = 0; i < 7; ++i) {
    const auto values = noise(100 + i, static_cast<double>(i), 1);
    b.push_back(block_moments(values, all_ok(values.size())));
  }
  const Moments seven = merge(merge(merge(b[0], b[1]), merge(b[2], b[3])), merge(merge(b[4], b[5]), b[6]));
  EXPECT_EQ(merge_blocks(b), seven);
  const Moments five = merge(merge(merge(b[0], b[1]), merge(b[2], b[3])), b[4]);
  EXPECT_EQ(merge_blocks({b.begin(), b.begin() + 5}), five);
  EXPECT_EQ(merge_blocks({b[0]}), b[0]);
  EXPECT_EQ(merge_blocks({}), Moments{});

  // the order is no idle promise: from left to right the bits are others
  Moments serial;
  for (const auto& block : b) serial = merge(serial, block);
  EXPECT_NE(merge_blocks(b), serial);
}

TEST(Moments, MergeWithNobodyChangesNothing) {
  const std::vector<double> values = {3, 5};
  const Moments two = block_moments(values, all_ok(2));
  EXPECT_EQ(merge(two, Moments{}), two);
  EXPECT_EQ(merge(Moments{}, two), two);
  EXPECT_EQ(two, (Moments{2, 4, 2, 3, 5}));
}

}  // namespace
}  // namespace conesweep::statistics
