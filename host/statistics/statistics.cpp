#include "statistics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/error.hpp"

namespace conesweep::statistics {

namespace {

using executor::Status;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// a + t (b - a) for a <= b, 0 <= t <= 1, also where b - a is no number; never beyond b.
double interpolate(double a, double b, double t) {
  if (t == 0 || a == b) return a;
  const double gap = b - a;
  return std::min(std::isfinite(gap) ? a + t * gap : (1 - t) * a + t * b, b);
}

/// Type 7: the sorted values are the quantiles of 0, 1/(n - 1), …, 1, straight lines between them.
double sorted_quantile(std::span<const double> sorted, double level) {
  const double place = static_cast<double>(sorted.size() - 1) * level;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return interpolate(sorted[below], sorted[above], place - static_cast<double>(below));
}

Histogram make_histogram(std::span<const double> sorted) {
  // infinite values stand at the ends
  const auto first = std::find_if(sorted.begin(), sorted.end(), [](double x) { return std::isfinite(x); });
  const auto last = std::lower_bound(first, sorted.end(), std::numeric_limits<double>::infinity());
  if (first == last) return {};

  // the edges decide, not a division: a value that equals an edge as printed lies above it
  Histogram histogram;
  const double min = *first;
  const double max = *(last - 1);
  auto from = first;
  histogram.edges.push_back(min);
  for (int bin = 1; bin <= histogram_bins; ++bin) {
    const bool upmost = bin == histogram_bins;
    histogram.edges.push_back(upmost ? max : interpolate(min, max, static_cast<double>(bin) / histogram_bins));
    const auto to = upmost ? last : std::lower_bound(from, last, histogram.edges.back());
    histogram.counts.push_back(to - from);
    from = to;
  }
  return histogram;
}

Moments all_moments(std::span<const double> values, std::span<const Status> status) {
  constexpr auto block = static_cast<std::size_t>(block_members);
  std::vector<Moments> blocks;
  for (std::size_t at = 0; at < values.size(); at += block) {
    const std::size_t count = std::min(block, values.size() - at);
    blocks.push_back(block_moments(values.subspan(at, count), status.subspan(at, count)));
  }
  return merge_blocks(std::move(blocks));
}

}  // namespace

/// Chan's formula, with δ = mean_b - mean_a:
///
///   (1)  mean = mean_a + δ n_b/n,     squares = squares_a + squares_b + δ² n_a n_b/n
///
/// Equal means stay as they are, so the deviation of equal values is 0 exactly.
Moments merge(const Moments& a, const Moments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const auto n_a = static_cast<double>(a.count);
  const auto n_b = static_cast<double>(b.count);
  const double share = n_b / (n_a + n_b);
  const double delta = b.mean - a.mean;
  Moments both;
  both.count = a.count + b.count;
  both.mean = a.mean + delta * share;
  both.squares = a.squares + b.squares + delta * delta * (n_a * share);
  both.min = b.min < a.min ? b.min : a.min;
  both.max = b.max > a.max ? b.max : a.max;
  return both;
}

/// Welford's sums: (1) with one value as b.
Moments block_moments(std::span<const double> values, std::span<const Status> status) {
  CS_ASSERT(values.size() == status.size());
  CS_ASSERT(values.size() <= static_cast<std::size_t>(block_members));
  Moments sums;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i] + 0.0;  // -0 becomes 0: which of the two is the minimum must not depend on their order
    if (status[i] != Status::ok || std::isnan(x)) continue;
    ++sums.count;
    const double delta = x - sums.mean;
    sums.mean += delta / static_cast<double>(sums.count);
    sums.squares += delta * (x - sums.mean);
    sums.min = sums.count == 1 || x < sums.min ? x : sums.min;
    sums.max = sums.count == 1 || x > sums.max ? x : sums.max;
  }
  return sums;
}

Moments merge_blocks(std::vector<Moments> blocks) {
  if (blocks.empty()) return {};
  while (blocks.size() > 1) {
    const std::size_t pairs = blocks.size() / 2;
    for (std::size_t i = 0; i < pairs; ++i) blocks[i] = merge(blocks[2 * i], blocks[2 * i + 1]);
    if (blocks.size() % 2 == 1) blocks[pairs] = blocks.back();
    blocks.resize(pairs + blocks.size() % 2);
  }
  return blocks.front();
}

Summary summarise(std::span<const double> values, std::span<const Status> status) {
  CS_ASSERT(values.size() == status.size());
  Summary summary;

  // order: quantiles and bins
  std::vector<double> sorted;
  sorted.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (status[i] == Status::ok && !std::isnan(values[i])) sorted.push_back(values[i] + 0.0);
  std::sort(sorted.begin(), sorted.end());
  for (const double level : quantile_levels) summary.quantiles.push_back(sorted.empty() ? nan : sorted_quantile(sorted, level));
  summary.histogram = make_histogram(sorted);
  summary.count = static_cast<std::int64_t>(sorted.size());
  summary.min = sorted.empty() ? nan : sorted.front();
  summary.max = sorted.empty() ? nan : sorted.back();
  summary.mean = summary.standard_deviation = summary.standard_error = nan;
  if (sorted.empty()) return summary;
  if (std::isinf(summary.min) || std::isinf(summary.max)) {
    summary.mean = summary.min + summary.max;
    return summary;
  }

  // moments; where squares of huge values overflow, once more with all values scaled (exactly: by a power of two)
  double scale = 1;
  Moments sums = all_moments(values, status);
  if (!std::isfinite(sums.squares)) {
    scale = 0x1p600;
    std::vector<double> scaled(values.begin(), values.end());
    for (double& x : scaled) x /= scale;
    sums = all_moments(scaled, status);
  }
  const auto n = static_cast<double>(sums.count);
  summary.mean = sums.mean * scale;
  if (sums.count > 1) {
    summary.standard_deviation = std::sqrt(sums.squares / (n - 1)) * scale;
    summary.standard_error = summary.standard_deviation / std::sqrt(n);
  }
  return summary;
}

}  // namespace conesweep::statistics
