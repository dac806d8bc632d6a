// A sketch beside the sorted values themselves: its error, and that nothing depends on the order.
#include "statistics/sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <conesweep/statistics/quantile.hpp>

#include "statistics/statistics.hpp"

namespace conesweep::test {
namespace {

using executor::Status;
using statistics::Sketch;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Sketch sketch_of(const std::vector<double>& values, std::size_t room = Sketch::most_room) {
  Sketch sketch(room);
  sketch.add(values, std::vector<Status>(values.size(), Status::ok));
  return sketch;
}

std::vector<double> sorted(std::vector<double> values) {
  for (double& x : values) x += 0.0;
  std::sort(values.begin(), values.end());
  return values;
}

// (1), at many levels
void expect_error_bound(const std::vector<double>& values, std::size_t room = Sketch::most_room) {
  const Sketch sketch = sketch_of(values, room);
  const auto exact = sorted(values);
  ASSERT_EQ(sketch.count(), std::ssize(values));
  for (int k = 0; k <= 1000; ++k) {
    const double level = k / 1000.0, place = static_cast<double>(exact.size() - 1) * level;
    const auto below = static_cast<std::size_t>(place), above = std::min(below + 1, exact.size() - 1);
    const double want = statistics::sorted_quantile(exact.data(), static_cast<long>(exact.size()), level);
    const double largest = std::max(std::fabs(exact[below]), std::fabs(exact[above]));
    EXPECT_NEAR(sketch.quantile(level, exact.front(), exact.back()), want,
                sketch.error() * largest * (1 + 1e-12) + 0x1p-1022)
        << "level " << level;
  }
}

std::vector<double> draw(std::size_t count, auto value) {
  std::mt19937_64 random(7);
  std::vector<double> values;
  for (std::size_t k = 0; k < count; ++k) values.push_back(value(random));
  return values;
}

std::vector<double> normal_values(std::size_t count) {
  return draw(count, [d = std::normal_distribution<double>()](auto& random) mutable { return d(random); });
}

// any finite double, with all exponents alike
std::vector<double> any_values(std::size_t count) {
  return draw(count, [](auto& random) {
    for (;;)
      if (const double x = std::bit_cast<double>(random()); std::isfinite(x)) return x;
  });
}

TEST(Sketch, IsExactOfAsManyDifferentValuesAsItHasRoomFor) {
  const auto values = normal_values(65536);
  const Sketch sketch = sketch_of(values);
  EXPECT_EQ(sketch.digits(), 52);
  EXPECT_EQ(sketch.error(), 0);
  const auto exact = sorted(values);
  const auto want = statistics::summarise(values, std::vector<Status>(values.size(), Status::ok));
  for (std::size_t k = 0; k < want.quantiles.size(); ++k)
    EXPECT_EQ(sketch.quantile(statistics::quantile_levels[k], exact.front(), exact.back()), want.quantiles[k]);
  const auto histogram = sketch.histogram(exact.front(), exact.back());
  EXPECT_EQ(histogram.edges, want.histogram.edges);
  EXPECT_EQ(histogram.counts, want.histogram.counts);
  EXPECT_NEAR(sketch.trimmed_mean(exact.front(), exact.back()), want.trimmed_mean, 1e-13);
}

TEST(Sketch, KeepsItsErrorOfManyValues) {
  EXPECT_LE(sketch_of(normal_values(400000)).error(), 0x1p-10);
  expect_error_bound(normal_values(400000));
  expect_error_bound(
      draw(300000, [](auto& random) { return 5 + std::ldexp(static_cast<double>(random() >> 11), -53); }));
}

TEST(Sketch, KeepsItsErrorWhateverTheValues) {
  const auto values = any_values(300000);
  EXPECT_EQ(sketch_of(values).digits(), 4);
  expect_error_bound(values);
  expect_error_bound(values, Sketch::least_room);
  // as many neighbours as can be, and one far away on either side
  std::vector<double> close;
  for (double x = 1; close.size() < 200000; x = std::nextafter(x, 2)) close.push_back(x);
  close.push_back(1e300), close.push_back(-1e-300);
  expect_error_bound(close);
  // denormal numbers of both signs
  std::vector<double> tiny;
  for (int k = -100000; k <= 100000; ++k) tiny.push_back(k * 0x1p-1074);
  expect_error_bound(tiny);
}

TEST(Sketch, HasWholeNumbersAndEqualValuesExactly) {
  const auto values = draw(500000, [](auto& random) { return static_cast<double>(random() % 1000); });
  const Sketch sketch = sketch_of(values);
  EXPECT_EQ(sketch.error(), 0);
  const auto exact = sorted(values);
  EXPECT_EQ(sketch.quantile(0.5, 0, 999), statistics::sorted_quantile(exact.data(), std::ssize(exact), 0.5));
  const Sketch equal = sketch_of(std::vector<double>(300000, 0.1));
  EXPECT_EQ(equal.quantile(0.3, 0.1, 0.1), 0.1);
  EXPECT_EQ(equal.trimmed_mean(0.1, 0.1), 0.1);
  EXPECT_EQ(equal.histogram(0.1, 0.1).counts.back(), 300000);
}

TEST(Sketch, HasZerosExactlyAmongOtherValues) {
  auto values = normal_values(300000);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (k % 2 == 0) values[k] = k % 4 == 0 ? 0.0 : -0.0;
  const Sketch sketch = sketch_of(values);
  EXPECT_GT(sketch.error(), 0);
  EXPECT_EQ(sketch.quantile(0.5, -10, 10), 0);
  EXPECT_FALSE(std::signbit(sketch.quantile(0.5, -10, 10)));
}

TEST(Sketch, LeavesOutMembersThatStoppedOrHaveNoValueAndKeepsInfiniteOnes) {
  std::vector<double> values = normal_values(200000);
  std::vector<Status> status(values.size(), Status::ok);
  values[3] = nan, values[4] = infinity, values[5] = -infinity, values[6] = 1e30;
  status[6] = Status::non_finite;
  Sketch sketch;
  sketch.add(values, status);
  EXPECT_EQ(sketch.count(), 199998);
  EXPECT_EQ(sketch.quantile(0, -infinity, infinity), -infinity);
  EXPECT_EQ(sketch.quantile(1, -infinity, infinity), infinity);
  EXPECT_NEAR(sketch.quantile(0.5, -infinity, infinity), 0, 0.01);
  const auto histogram = sketch.histogram(-infinity, infinity);
  std::int64_t binned = 0;
  for (const auto count : histogram.counts) binned += count;
  EXPECT_EQ(binned, 199996);
  EXPECT_TRUE(std::isnan(Sketch().quantile(0.5, nan, nan)));
  EXPECT_TRUE(Sketch().histogram(nan, nan).edges.empty());
}

TEST(Sketch, IsTheSameWhateverTheOrderAndWhoeverAddsIt) {
  for (const auto& values : {normal_values(400000), any_values(400000), draw(400000, [](auto& random) {
                               return std::exp2(static_cast<double>(random() % 300));
                             })}) {
    const Sketch once = sketch_of(values);
    // pieces of unequal lengths, merged from the left, from the right, and as a tree
    std::vector<Sketch> parts;
    for (std::size_t at = 0, length = 1; at < values.size(); at += length, length = length * 7 % 50021 + 1)
      parts.push_back(sketch_of({values.begin() + static_cast<std::ptrdiff_t>(at),
                                 values.begin() + static_cast<std::ptrdiff_t>(std::min(at + length, values.size()))}));
    Sketch left, right;
    for (const Sketch& part : parts) left.add(part);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) right.add(*part);
    EXPECT_TRUE(left == once);
    EXPECT_TRUE(right == once);
    while (parts.size() > 1) {
      for (std::size_t k = 0; 2 * k < parts.size(); ++k) {
        Sketch both = parts[2 * k];
        if (2 * k + 1 < parts.size()) both.add(parts[2 * k + 1]);
        parts[k] = both;
      }
      parts.resize((parts.size() + 1) / 2);
    }
    EXPECT_TRUE(parts.front() == once);
    auto backwards = values;
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_TRUE(sketch_of(backwards) == once);
    EXPECT_TRUE(Sketch::unpack(once.pack()) == once);
  }
}

TEST(Sketch, HistogramCountsAllAndMissesEdgesByItsErrorAtMost) {
  const auto values = normal_values(500000);
  const auto exact = sorted(values);
  const Sketch sketch = sketch_of(values);
  const auto found = sketch.histogram(exact.front(), exact.back());
  const auto want = statistics::summarise(values, std::vector<Status>(values.size(), Status::ok)).histogram;
  EXPECT_EQ(found.edges, want.edges);
  std::int64_t all = 0, below = 0, below_want = 0;
  for (std::size_t bin = 0; bin < want.counts.size(); ++bin) {
    all += found.counts[bin];
    below += found.counts[bin], below_want += want.counts[bin];
    const double edge = want.edges[bin + 1], reach = 2 * sketch.error() * std::fabs(edge) + 1e-300;
    const auto near = std::upper_bound(exact.begin(), exact.end(), edge + reach) -
                      std::lower_bound(exact.begin(), exact.end(), edge - reach);
    EXPECT_LE(std::abs(below - below_want), near) << "edge " << edge;
  }
  EXPECT_EQ(all, 500000);
}

}  // namespace
}  // namespace conesweep::test
