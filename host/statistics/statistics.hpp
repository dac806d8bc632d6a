#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <conesweep/statistics/moments.hpp>

#include "executor/executor.hpp"
#include "statistics/engine.hpp"

namespace conesweep::statistics {

/// Of one block, or of less: the members that are ok and have a value (are not NaN), one after another.
Moments block_moments(std::span<const double> values, std::span<const executor::Status> status);

/// Blocks merged in the tree of MergeTree.
Moments merge_blocks(const std::vector<Moments>& blocks);

/// Equal bins from min to max: edges[j] <= x < edges[j + 1], and the last bin holds its upper edge too. So values that
/// are all equal lie in the last of 64 bins without width. Infinite values are in no bin; without finite values there
/// are none.
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
  // of the mean: standard_deviation / sqrt(count), as of independent members (mean_error.hpp has others)
  double standard_error = 0;
  // m3 / m2^(3/2) with central moments over n; NaN if count < 3, if all are equal or a value is infinite
  double skewness = 0;
  double trimmed_mean = 0;  // without the 5 % on each side; NaN if count = 0
  double min = 0;           // NaN if count = 0
  double max = 0;
  std::vector<double> quantiles;  // of quantile_levels, type 7; NaN if count = 0
  Histogram histogram;
  double quantile_error = 0;  // of quantiles, as a share of the values they are between; 0: they are exact (sketch.hpp)
};

/// Count, mean, deviations and skewness from the sums of factor x; NaN where there is none, or one of the ends is
/// infinite.
void fill_moments(Summary& summary, const Moments& sums, double factor);

/// The ends; a mean of infinite values follows from them.
void fill_ends(Summary& summary, double min, double max);

/// The share of the values, on each side, that a trimmed mean leaves out: 1 in 20, rounded down.
inline constexpr std::int64_t trimmed_one_in = 20;

/// No result: the values spread over a million times what is typical of them, max(1, |median|), as those of members
/// that grow without bound do, or one is infinite. Their mean is that of the few largest.
bool is_mean_of_few(const Summary& summary);

/// The quantile of one of quantile_levels.
double quantile_of(const Summary& summary, double level);

/// The same bits with every engine.
Summary summarise(std::span<const double> values, std::span<const executor::Status> status,
                  Engine& engine = cpu_engine());

/// The same for a column that is not needed afterwards: it is sorted where it stands, which saves a copy.
Summary summarise_and_discard(std::vector<double>&& values, std::span<const executor::Status> status,
                              Engine& engine = cpu_engine());

}  // namespace conesweep::statistics
