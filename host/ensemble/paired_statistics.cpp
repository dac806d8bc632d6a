#include "ensemble/paired_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include <conesweep/statistics/quantile.hpp>

#include "statistics/share.hpp"
#include "statistics/statistics.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::ensemble {
namespace {

using executor::Status;

constexpr std::array<double, 3> quantile_of = {0.05, 0.5, 0.95};  // low, median, high

// Mean and deviation in blocks and a fixed tree; NaN is left out.
statistics::Moments moments_of(std::span<const double> values) {
  constexpr auto block = static_cast<std::size_t>(statistics::block_members);
  const std::vector<Status> ok(std::min(block, values.size()), Status::ok);
  std::vector<statistics::Moments> blocks;
  for (std::size_t at = 0; at < values.size(); at += block) {
    const std::size_t count = std::min(block, values.size() - at);
    blocks.push_back(statistics::block_moments(values.subspan(at, count), std::span(ok).first(count)));
  }
  return statistics::merge_blocks(blocks);
}

double deviation_of(const statistics::Moments& sums) {
  return sums.count > 1 ? std::sqrt(sums.squares / static_cast<double>(sums.count - 1)) : nan;
}

// Members as they were drawn: the standard error of the mean of `pulls`, one a member, NaN where there is none.
class Errors {
 public:
  explicit Errors(const statistics::MeanError& own) : own_(own) {}

  double of_mean(std::span<const double> pulls) const {
    if (own_) return own_(pulls, std::vector<Status>(pulls.size(), Status::ok));
    const auto sums = moments_of(pulls);
    return deviation_of(sums) / std::sqrt(static_cast<double>(sums.count));
  }

  // (L4) is for independent members; of others the share below the quantile has an error of its own
  double of_quantile(std::span<const double> values, std::span<const double> sorted, double level) const;

 private:
  const statistics::MeanError& own_;
};

// Type 7, as in the summary.
double quantile(std::span<const double> sorted, double level) {
  return statistics::sorted_quantile(sorted.data(), static_cast<long>(sorted.size()), level);
}

// (L4)
double error_of_quantile(std::span<const double> sorted, double level) {
  const double reach = 2 * std::sqrt(level * (1 - level) / static_cast<double>(sorted.size()));
  return (quantile(sorted, std::min(level + reach, 1.0)) - quantile(sorted, std::max(level - reach, 0.0))) / 4;
}

double Errors::of_quantile(std::span<const double> values, std::span<const double> sorted, double level) const {
  const double independent = error_of_quantile(sorted, level);
  if (!own_) return independent;
  const double q = quantile(sorted, level);
  std::vector<double> below(values.size());
  for (std::size_t m = 0; m < values.size(); ++m) below[m] = std::isnan(values[m]) ? nan : values[m] <= q ? 1.0 : 0.0;
  const auto n = static_cast<double>(sorted.size());
  const double share_error = std::max(of_mean(below), statistics::least_share_error(n));  // NaN stays
  const double error = independent * (share_error / std::sqrt(level * (1 - level) / n));
  return error > 0 ? error : nan;
}

// what a member adds to the deviation, to first order
double pull_on_deviation(double x, double mean, double deviation) {
  return deviation > 0 ? ((x - mean) * (x - mean) - deviation * deviation) / (2 * deviation) : 0;
}

// Values of the members, NaN where there is none.
struct Prepared {
  std::vector<double> values, sorted;  // the latter without holes
  statistics::Moments sums;
  double deviation = nan;

  explicit Prepared(std::vector<double> with_holes)
      : values(std::move(with_holes)), sums(moments_of(values)), deviation(deviation_of(sums)) {
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](double x) { return !std::isnan(x); });
    std::sort(sorted.begin(), sorted.end());
  }

  std::vector<double> pulls() const {
    std::vector<double> all(values.size());
    for (std::size_t m = 0; m < values.size(); ++m) all[m] = pull_on_deviation(values[m], sums.mean, deviation);
    return all;
  }
};

Statistics statistics_of(const Prepared& p, const Errors& errors) {
  Statistics result;
  result.count = p.sums.count;
  result.value.fill(nan), result.error.fill(nan);
  if (p.sorted.empty()) return result;
  result.value[0] = p.sums.mean, result.value[1] = p.deviation;
  for (std::size_t q = 0; q < quantile_of.size(); ++q) result.value[2 + q] = quantile(p.sorted, quantile_of[q]);
  if (p.sums.count < 2) return result;
  result.error[0] = errors.of_mean(p.values), result.error[1] = errors.of_mean(p.pulls());
  for (std::size_t q = 0; q < quantile_of.size(); ++q)
    result.error[2 + q] = errors.of_quantile(p.values, p.sorted, quantile_of[q]);
  return result;
}

// Both have the same holes.
PairedDifferences differences_of(const Prepared& a, const Prepared& b, const Errors& errors) {
  CS_ASSERT(a.values.size() == b.values.size() && a.sorted.size() == b.sorted.size());
  PairedDifferences result;
  result.count = a.sums.count;
  result.difference.fill(nan), result.error.fill(nan);
  if (a.sorted.empty()) return result;
  const std::size_t n = a.values.size();
  const auto count = static_cast<double>(result.count);
  const bool several = result.count > 1;

  // (L5); the mean of the differences, not the difference of the means: fewer digits are lost
  std::vector<double> apart(n);
  for (std::size_t m = 0; m < n; ++m) apart[m] = a.values[m] - b.values[m];
  result.difference[0] = moments_of(apart).mean;
  result.difference[1] = a.deviation - b.deviation;
  result.differ = std::count_if(apart.begin(), apart.end(), [](double d) { return d != 0 && !std::isnan(d); });
  result.whole = std::all_of(a.sorted.begin(), a.sorted.end(), [](double x) { return x == std::floor(x); });
  if (several) {
    result.error[0] = errors.of_mean(apart);
    for (std::size_t m = 0; m < n; ++m)
      apart[m] = pull_on_deviation(a.values[m], a.sums.mean, a.deviation) -
                 pull_on_deviation(b.values[m], b.sums.mean, b.deviation);
    result.error[1] = errors.of_mean(apart);
  }

  // (L6)
  for (std::size_t q = 0; q < quantile_of.size(); ++q) {
    const double level = quantile_of[q], q_a = quantile(a.sorted, level), q_b = quantile(b.sorted, level);
    result.difference[2 + q] = q_a - q_b;
    if (!several) continue;
    std::size_t switched = 0;
    // a hole is on neither side
    for (std::size_t m = 0; m < n; ++m) switched += (a.values[m] <= q_a) != (b.values[m] <= q_b) ? 1 : 0;
    const double share = static_cast<double>(switched) / count;
    const double s_a = error_of_quantile(a.sorted, level), s_b = error_of_quantile(b.sorted, level);
    result.error[2 + q] = std::sqrt((s_a - s_b) * (s_a - s_b) + s_a * s_b * share / (level * (1 - level)));
  }
  return result;
}

}  // namespace

std::string_view to_name(Statistic statistic) {
  constexpr std::array<std::string_view, statistic_count> names = {"mean", "deviation", "5 %", "median", "95 %"};
  return names.at(static_cast<std::size_t>(statistic));
}

Statistics compute_statistics(std::span<const double> values, const statistics::MeanError& mean_error) {
  std::vector<double> with_holes(values.begin(), values.end());
  for (double& x : with_holes) x = std::isfinite(x) ? x + 0.0 : nan;
  return statistics_of(Prepared(std::move(with_holes)), Errors(mean_error));
}

PairedDifferences compare_pairs(std::span<const double> a, std::span<const double> b,
                                const statistics::MeanError& mean_error) {
  CS_ASSERT(a.size() == b.size());
  std::vector<double> from(a.size(), nan), to(a.size(), nan);
  std::int64_t changed = 0;
  for (std::size_t m = 0; m < a.size(); ++m) {
    const bool in_a = std::isfinite(a[m]), in_b = std::isfinite(b[m]);
    changed += in_a != in_b ? 1 : 0;
    if (in_a && in_b) from[m] = a[m] + 0.0, to[m] = b[m] + 0.0;
  }
  PairedDifferences result = differences_of(Prepared(std::move(from)), Prepared(std::move(to)), Errors(mean_error));
  result.changed = changed;
  return result;
}

}  // namespace conesweep::ensemble
