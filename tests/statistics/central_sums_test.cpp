#include "statistics/central_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/observed_order.hpp"

namespace conesweep {
namespace {

using statistics::CentralSums;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CentralSums, MergeToTheSumsOfAllValues) {
  std::vector<double> values;
  for (int k = 0; k < 3000; ++k) values.push_back(std::exp(3 * oracle::jitter(k)) - 7);
  for (const std::size_t cut : {1u, 2u, 700u, 2999u}) {
    const auto both = statistics::merge(statistics::sum_block(std::span(values).first(cut)),
                                        statistics::sum_block(std::span(values).subspan(cut)));
    long double mean = 0, sums[5] = {};
    for (const double x : values) mean += x;
    mean /= static_cast<long double>(values.size());
    for (const double x : values)
      for (int p = 2; p <= 4; ++p) sums[p] += std::pow(x - mean, static_cast<long double>(p));
    EXPECT_EQ(both.count, 3000);
    EXPECT_NEAR(both.mean, static_cast<double>(mean), 1e-13);
    EXPECT_NEAR(both.second / static_cast<double>(sums[2]), 1, 1e-13);
    EXPECT_NEAR(both.third / static_cast<double>(sums[3]), 1, 1e-12);
    EXPECT_NEAR(both.fourth / static_cast<double>(sums[4]), 1, 1e-12);
    EXPECT_NEAR(both.variance(), static_cast<double>(sums[2] / 2999), 1e-11);
    EXPECT_NEAR(both.kurtosis(), static_cast<double>(3000 * sums[4] / (sums[2] * sums[2])), 1e-11);
  }
  const std::vector<double> holes = {1, nan, 3};
  EXPECT_EQ(statistics::sum_block(holes).count, 2);
  EXPECT_EQ(statistics::sum_block(holes).mean, 2);
  EXPECT_EQ(statistics::merge({}, statistics::sum_block(holes)), statistics::sum_block(holes));
  EXPECT_EQ(CentralSums().kurtosis(), 1);
}

// 0 + 1, 2 + 3, 4 as it is; then (0 + 1) + (2 + 3); then 4: other trees have other bits
TEST(CentralSums, OfBlocksMergeNeighboursFirst) {
  std::vector<CentralSums> blocks;
  for (int b = 0; b < 5; ++b) {
    std::vector<double> values;
    for (int k = 0; k < 40 + b; ++k) values.push_back(std::exp(3 * oracle::jitter(k, b % 4)) * (b + 1));
    blocks.push_back(statistics::sum_block(values));
  }
  EXPECT_EQ(statistics::merge_blocks(blocks),
            merge(merge(merge(blocks[0], blocks[1]), merge(blocks[2], blocks[3])), blocks[4]));
  EXPECT_EQ(statistics::merge_blocks(std::vector<CentralSums>()), CentralSums());
}

}  // namespace
}  // namespace conesweep
