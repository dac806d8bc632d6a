#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "statistics/mean_error.hpp"

namespace conesweep::ensemble {

/// What is said about an observable over the members.
enum class Statistic { mean, deviation, low, median, high };
inline constexpr int statistic_count = 5;
std::string_view to_name(Statistic statistic);  // mean, deviation, 5 %, median, 95 %

/// The five statistics of some values, and the sampling error of each.
struct Statistics {
  std::int64_t count = 0;
  std::array<double, statistic_count> value{};  // NaN: too few values
  std::array<double, statistic_count> error{};
};

/// Finite values only; sorts a copy. Members may have errors of their own (statistics/mean_error.hpp).
///
///   (L3)  mean: s / √n;   deviation: standard deviation of ((x - mean)² - s²) / 2s over √n  (first order in the
///         deviations, for any distribution)
///   (L4)  quantile q_p: (q_{p + 2σ} - q_{p - 2σ}) / 4 with σ = √(p (1 - p) / n): the binomial interval between order
///         statistics
///
/// These are for independent members; of others their own error of a mean takes the place of s/√n: of the mean of x, of
/// ((x - mean)² - s²) / 2s, and of the share below the quantile, which is not taken below half a member
/// (statistics/share.hpp): a hypercube or a net has exactly half of its members below the median of a function of one
/// input, and the median still lies anywhere between two of them. NaN where the values about a quantile are all the
/// same, and there is no distance to tell an error by.
Statistics compute_statistics(std::span<const double> values, const statistics::MeanError& mean_error = {});

/// Differences a - b of the five statistics between two runs of the same members, and the standard error of each.
/// Members are paired, so it is far smaller than the sampling error.
///
///   (L5)  mean, deviation: the standard error of the paired differences of x and of ((x - mean)² - s²) / 2s
///   (L6)  quantile: error² = (s_a - s_b)² + s_a s_b w / (p (1 - p)), with the errors s (L4) and the share w of members
///         on different sides of the quantile
///         in a and in b. Independent runs have w = 2 p (1 - p), so s_a² + s_b²; a shift common to all members has no
///         error.
struct PairedDifferences {
  std::int64_t count = 0;    // pairs with a finite value on both sides
  std::int64_t changed = 0;  // on one side only
  std::int64_t differ = 0;   // pairs whose values are not equal
  bool whole = false;        // all values are whole numbers
  std::array<double, statistic_count> difference{};
  std::array<double, statistic_count> error{};
};
PairedDifferences compare_pairs(std::span<const double> a, std::span<const double> b,
                                const statistics::MeanError& mean_error = {});

}  // namespace conesweep::ensemble
