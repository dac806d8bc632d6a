#include "statistics/statistics.hpp"

#include <algorithm>
#include <cmath>

#include <conesweep/statistics/quantile.hpp>

#include "statistics/engine_input.hpp"
#include "statistics/merge_tree.hpp"
#include "statistics/scale.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::statistics {

namespace {

using executor::Status;

Histogram make_histogram(std::span<const double> sorted) {
  // infinite values stand at the ends
  const auto first = std::find_if(sorted.begin(), sorted.end(), [](double x) { return std::isfinite(x); });
  const auto last = std::lower_bound(first, sorted.end(), infinity);
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

/// How many members count, and how large the largest |x| is.
struct Extent {
  std::int64_t count = 0;
  double largest = 0;
};
Extent measure(std::span<const double> values, std::span<const Status> status) {
  Extent extent;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (status[i] != Status::ok || std::isnan(values[i])) continue;
    ++extent.count;
    extent.largest = std::max(extent.largest, std::abs(values[i]));
  }
  return extent;
}

/// Of sorted values; infinite where one of those that are left is.
double trimmed_mean_of(std::span<const double> sorted) {
  if (sorted.empty()) return nan;
  const std::size_t off = sorted.size() / static_cast<std::size_t>(trimmed_one_in);
  const std::span<const double> kept = sorted.subspan(off, sorted.size() - 2 * off);
  if (std::isinf(kept.front()) || std::isinf(kept.back())) return kept.front() + kept.back();
  const double factor = moment_factor(std::max(std::abs(kept.front()), std::abs(kept.back())));
  const double middle = factor * kept[kept.size() / 2];
  double sum = 0;
  for (const double x : kept) sum += factor * x - middle;
  return std::clamp((middle + sum / static_cast<double>(kept.size())) / factor, kept.front(), kept.back());
}

/// Quantiles, bins, and the ends.
void fill_order(Summary& summary, std::span<const double> sorted) {
  for (const double level : quantile_levels)
    summary.quantiles.push_back(
        sorted.empty() ? nan : sorted_quantile(sorted.data(), static_cast<long>(sorted.size()), level));
  summary.trimmed_mean = trimmed_mean_of(sorted);
  summary.histogram = make_histogram(sorted);
  fill_ends(summary, sorted.empty() ? nan : sorted.front(), sorted.empty() ? nan : sorted.back());
}

/// take_sorted gives the values that count, sorted, after the moments have been read.
template <class TakeSorted>
Summary summarise_column(std::span<const double> values, std::span<const Status> status, Engine& engine,
                         const TakeSorted& take_sorted) {
  CS_ASSERT(values.size() == status.size());
  const Extent extent = measure(values, status);
  Summary summary;
  fill_moments(summary, {}, 1);
  if (extent.count > 0 && std::isfinite(extent.largest)) {
    const double factor = moment_factor(extent.largest);
    fill_moments(summary, merge_blocks(engine.block_moments(values, status, factor)), factor);
    CS_ASSERT(summary.count == extent.count);
  }
  summary.count = extent.count;
  const std::vector<double> sorted = take_sorted(extent.count);
  fill_order(summary, sorted);
  return summary;
}

}  // namespace

Moments block_moments(std::span<const double> values, std::span<const Status> status) {
  CS_ASSERT(values.size() == status.size());
  CS_ASSERT(values.size() <= static_cast<std::size_t>(block_members));
  return sum_moments(values.data(), plain(status), static_cast<long>(values.size()), 1);
}

Moments merge_blocks(const std::vector<Moments>& blocks) { return merge_in_tree(blocks); }

void fill_moments(Summary& summary, const Moments& sums, double factor) {
  summary.count = sums.count;
  summary.mean = summary.standard_deviation = summary.standard_error = summary.skewness = nan;
  if (sums.count == 0 || !std::isfinite(sums.min) || !std::isfinite(sums.max)) return;
  const auto n = static_cast<double>(sums.count);
  summary.mean = std::clamp(sums.mean, sums.min, sums.max) / factor;
  if (sums.count > 1) {
    summary.standard_deviation = std::sqrt(sums.squares / (n - 1)) / factor;
    summary.standard_error = summary.standard_deviation / std::sqrt(n);
  }
  if (sums.count > 2 && sums.squares > 0) {
    const double variance = sums.squares / n;
    summary.skewness = sums.cubes / n / (variance * std::sqrt(variance));
  }
}

void fill_ends(Summary& summary, double min, double max) {
  summary.min = min;
  summary.max = max;
  if (std::isinf(min) || std::isinf(max)) summary.mean = min + max;
}

double quantile_of(const Summary& summary, double level) {
  const auto place = std::find(std::begin(quantile_levels), std::end(quantile_levels), level);
  CS_ASSERT(place != std::end(quantile_levels));
  return summary.quantiles.at(static_cast<std::size_t>(place - std::begin(quantile_levels)));
}

bool is_mean_of_few(const Summary& summary) {
  constexpr double far = 1e6;
  if (summary.count == 0) return false;
  if (std::isinf(summary.min) || std::isinf(summary.max)) return true;
  return summary.standard_deviation > far * std::max(1.0, std::abs(quantile_of(summary, 0.5)));
}

Summary summarise(std::span<const double> values, std::span<const Status> status, Engine& engine) {
  return summarise_column(values, status, engine, [&](std::int64_t count) {
    std::vector<double> sorted;
    sorted.reserve(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (status[i] == Status::ok && !std::isnan(values[i])) sorted.push_back(values[i] + 0.0);
    engine.sort(sorted);
    return sorted;
  });
}

Summary summarise_and_discard(std::vector<double>&& values, std::span<const Status> status, Engine& engine) {
  return summarise_column(values, status, engine, [&](std::int64_t count) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (status[i] == Status::ok && !std::isnan(values[i])) values[kept++] = values[i] + 0.0;
    values.resize(static_cast<std::size_t>(count));
    engine.sort(values);
    return std::move(values);
  });
}

}  // namespace conesweep::statistics
