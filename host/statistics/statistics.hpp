#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::statistics {

/// Sums are made over blocks of so many consecutive members, serially inside a block, then merged in a fixed tree: the
/// bits of a result depend on the members alone, not on chunks, threads or devices.
inline constexpr std::int64_t block_members = 4096;

/// Count, mean and second central moment of some values; two of them merge by Chan's formula.
struct Moments {
  std::int64_t count = 0;
  double mean = 0;
  double squares = 0;  // sum of (x - mean)^2
  double min = 0;      // of no values: 0, and count says so
  double max = 0;

  bool operator==(const Moments&) const = default;
};
Moments merge(const Moments& a, const Moments& b);

/// Of one block, or of less: the members that are ok and have a value (are not NaN), one after another.
Moments block_moments(std::span<const double> values, std::span<const executor::Status> status);

/// Blocks merged in a fixed tree: neighbours 0 + 1, 2 + 3, …, an odd last one as it is; then again, until one is left.
/// A function of the list of blocks, so whoever has computed them.
Moments merge_blocks(std::vector<Moments> blocks);

/// Equal bins from min to max: edges[j] <= x < edges[j + 1], and the last bin holds its upper edge too. So values that are
/// all equal lie in the last of 64 bins without width. Infinite values are in no bin; without finite values there are none.
struct Histogram {
  std::vector<double> edges;         // bins + 1
  std::vector<std::int64_t> counts;  // bins
};
inline constexpr int histogram_bins = 64;

/// The statistics of one observable over the members that are ok; NaN (an event that never came) is left out.
struct Summary {
  std::int64_t count = 0;
  double mean = 0;                // NaN if count = 0; infinite or NaN if a value is infinite
  double standard_deviation = 0;  // with n - 1; NaN if count < 2 or a value is infinite
  double standard_error = 0;      // of the mean: standard_deviation / sqrt(count)
  double min = 0;                 // NaN if count = 0
  double max = 0;
  std::vector<double> quantiles;  // of quantile_levels, type 7; NaN if count = 0
  Histogram histogram;
};
inline constexpr double quantile_levels[] = {0.05, 0.25, 0.5, 0.75, 0.95};

Summary summarise(std::span<const double> values, std::span<const executor::Status> status);

}  // namespace conesweep::statistics
