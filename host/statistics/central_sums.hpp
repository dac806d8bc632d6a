#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace conesweep::statistics {

/// Count, mean and the central sums of order two to four. Moments of the summary
/// (include/conesweep/statistics/moments.hpp) have the ends instead of the fourth, and stand in blocks that a GPU sums
/// too.
struct CentralSums {
  std::int64_t count = 0;
  double mean = 0;
  double second = 0, third = 0, fourth = 0;  // sums of (x - mean)^2, ^3, ^4

  double variance() const;  // with n - 1; 0 of less than two
  double kurtosis() const;  // fourth central moment over the squared second; 1 where there is no variance
  bool operator==(const CentralSums&) const = default;
};
CentralSums merge(const CentralSums& a, const CentralSums& b);
CentralSums sum_block(std::span<const double> values);  // NaN is left out

/// Blocks merged in the tree of MergeTree.
CentralSums merge_blocks(const std::vector<CentralSums>& blocks);

}  // namespace conesweep::statistics
