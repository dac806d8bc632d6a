#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ensemble/levels.hpp"
#include "ensemble/run_ensemble.hpp"
#include "executor/executor.hpp"
#include "scenario/scenario.hpp"
#include "statistics/mean_error.hpp"
#include "team/team.hpp"

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
///   (L3)  mean: s / √n;   deviation: standard deviation of ((x - mean)² - s²) / 2s over √n  (first order in the deviations, for any distribution)
///   (L4)  quantile q_p: (q_{p + 2σ} - q_{p - 2σ}) / 4 with σ = √(p (1 - p) / n): the binomial interval between order statistics
///
/// These are for independent members; of others their own error of a mean takes the place of s/√n: of the mean of x, of ((x - mean)² - s²) / 2s, and of the
/// share below the quantile.
Statistics compute_statistics(std::span<const double> values, const statistics::MeanError& mean_error = {});

/// Differences a - b of the five statistics between two runs of the same members, and the standard error of each. Members are paired, so it is far
/// smaller than the sampling error.
///
///   (L5)  mean, deviation: the standard error of the paired differences of x and of ((x - mean)² - s²) / 2s
///   (L6)  quantile: error² = (s_a - s_b)² + s_a s_b w / (p (1 - p)), with the errors s (L4) and the share w of members on different sides of the quantile
///         in a and in b. Independent runs have w = 2 p (1 - p), so s_a² + s_b²; a shift common to all members has no error.
struct PairedDifferences {
  std::int64_t count = 0;    // pairs with a finite value on both sides
  std::int64_t changed = 0;  // on one side only
  std::int64_t differ = 0;   // pairs whose values are not equal
  bool whole = false;        // all values are whole numbers
  std::array<double, statistic_count> difference{};
  std::array<double, statistic_count> error{};
};
PairedDifferences compare_pairs(std::span<const double> a, std::span<const double> b, const statistics::MeanError& mean_error = {});

enum class Dominates { neither, step, sampling };

/// One statistic of one observable over the levels h, h/2, h/4, …
struct ConvergeLine {
  std::string observable;
  Statistic statistic = Statistic::mean;
  std::vector<double> values;                                 // [level]
  std::vector<double> differences;                            // [level], value at a level minus value at the next finer one, over the members that both have
  std::vector<double> difference_errors;                      // their standard errors
  std::vector<double> orders, order_errors;                   // [level]: log2 of the ratio of two successive differences; NaN where they drown in noise
  double order = 0, order_error = 0;                          // of all differences that do not; NaN: not to be had
  double step_error = 0;                                      // of the value at h (L7)
  double limit = 0;                                           // value at h minus its signed step error
  double sampling_error = 0;                                  // of the value at h
  bool sampled = true;                                        // false: a grid, which has none
  double at_most = std::numeric_limits<double>::quiet_NaN();  // a mean of whole numbers of which no pair differs: 95 % bound of the step error (L8)
  Dominates dominates = Dominates::neither;

  /// So many of the pairs of a level and the next differ, in a mean of whole numbers.
  void see_pairs(std::int64_t differ, std::int64_t pairs, bool first_level) {
    if (first_level || !std::isnan(at_most)) at_most = differ == 0 ? 2 * 3 / static_cast<double>(pairs) : std::numeric_limits<double>::quiet_NaN();
  }
};

/// Fills orders, errors and the verdict of a line from its differences. `rounding` is the share of a value below which a difference is nothing.
///
///   (L7)  S_h - S_0 = sum of the differences down to the finest level + the last one / (2^p - 1); p is the observed order where its standard error is at
///         most 1/4 and it is at least 1/2, else 1, the order of the scheme
void judge(ConvergeLine& line, double rounding);

struct ConvergeLevel {
  double step = 0;
  std::int64_t steps = 0;
  std::int64_t stopped = 0;  // members
  std::int64_t changed = 0;  // members that stopped here or at the next finer level, but not at both
  double seconds = 0;        // measured
};

struct Convergence {
  std::int64_t members = 0;
  std::vector<ConvergeLevel> levels;
  std::vector<ConvergeLine> lines;  // observables in their order, five statistics each; of one that never varies the mean alone
};

struct ConvergeRequest {
  int levels = 4;
  std::vector<std::string> observables;  // empty: all
  std::int64_t chunk = default_chunk;
  double rounding = 1e-12;     // relative: what some thousand steps round
  int threads = 1;             // that draw members and make the statistics
  team::Team* team = nullptr;  // that shares the members; null: this process is alone
};

/// Steps all members at h, h/2, …, h/2^(levels - 1) and compares neighbours. Two levels are in memory at a time. On a rank that follows it returns
/// nothing: the leader has it all.
using ConvergeBegins = std::function<void(int level, std::int64_t members, std::int64_t steps)>;
Convergence run_converge(const scenario::Scenario& scenario, const ConvergeRequest& request, const MakeExecutor& make, const executor::Watch& watch,
                         const ConvergeBegins& begins = {});

/// What to do about it, in one or two sentences: the step or the number of members that would balance the two errors. What vanishes with the step, as
/// penetration does (the limit is less than a tenth of the value at h), has no say.
std::string converge_advice(const scenario::Scenario& scenario, const Convergence& convergence);

}  // namespace conesweep::ensemble
