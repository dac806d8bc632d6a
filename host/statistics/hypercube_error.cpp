#include "statistics/hypercube_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "statistics/scale.hpp"
#include "support/error.hpp"

namespace conesweep::statistics {

using executor::Status;

namespace {

constexpr std::size_t most_bins = 32;
constexpr double members_a_coefficient = 8, least_members_a_coefficient = 4;
constexpr int most_sweeps = 20;
constexpr double worth_going_on = 0.02;  // of the squares that are left

std::int64_t count_fitted(std::int64_t members) {
  const std::int64_t stride = HypercubeError::stride(members);
  return (members + stride - 1) / stride;
}

double sum_squares(std::span<const double> z) {
  double sum = 0;
  for (const double x : z) sum += x * x;
  return sum;
}

// A place on an axis: its bin, and where in it, from -1/2 to 1/2.
struct BinPlace {
  std::size_t bin = 0;
  double within = 0;
  BinPlace(float u, std::size_t bins) {
    const double scaled = static_cast<double>(u) * static_cast<double>(bins);
    bin = std::min(static_cast<std::size_t>(scaled), bins - 1);
    within = scaled - static_cast<double>(bin) - 0.5;
  }
};

// Sums over the members of one bin, for the line through them.
struct BinSums {
  double count = 0, x = 0, xx = 0, z = 0, xz = 0;
  double slope() const {
    const double spread = xx - x * x / count;
    return count > 1 && spread > 0 ? (xz - x * z / count) / spread : 0;
  }
  double height() const { return count > 0 ? (z - slope() * x) / count : 0; }  // in the middle of the bin
};

}  // namespace

std::int64_t HypercubeError::stride(std::int64_t members) { return (members + most_fitted - 1) / most_fitted; }

bool HypercubeError::can_fit(std::int64_t members, std::size_t axes) {
  return axes > 0 &&
         2 * static_cast<double>(axes) * least_members_a_coefficient <= static_cast<double>(count_fitted(members));
}

HypercubeError::HypercubeError(std::int64_t members, std::vector<std::vector<float>> points)
    : members_(members), points_(std::move(points)) {
  CS_ASSERT(members > 0 && (points_.empty() || can_fit(members, points_.size())));
  const auto fitted = static_cast<std::size_t>(count_fitted(members));
  for (const auto& axis : points_) CS_ASSERT(axis.size() == fitted);
  const double coefficients = static_cast<double>(fitted) / members_a_coefficient;
  while (bins_ < most_bins && 4 * static_cast<double>(bins_ * points_.size()) <= coefficients) bins_ *= 2;
}

HypercubeError::Fit HypercubeError::fit(std::vector<double> z) const {
  std::vector<std::vector<double>> slopes(points_.size(), std::vector<double>(bins_, 0.0));  // of g, in a bin's width
  double left = sum_squares(z);
  for (int sweep = 0; sweep < most_sweeps && left > 0; ++sweep) {
    for (std::size_t axis = 0; axis < points_.size(); ++axis) {
      std::vector<BinSums> sums(bins_);
      for (std::size_t k = 0; k < z.size(); ++k) {
        const BinPlace at(points_[axis][k], bins_);
        BinSums& bin = sums[at.bin];
        bin.count += 1, bin.x += at.within, bin.xx += at.within * at.within, bin.z += z[k], bin.xz += at.within * z[k];
      }
      std::vector<double> heights(bins_), steps(bins_);
      for (std::size_t b = 0; b < bins_; ++b)
        heights[b] = sums[b].height(), steps[b] = sums[b].slope(), slopes[axis][b] += steps[b];
      for (std::size_t k = 0; k < z.size(); ++k) {
        const BinPlace at(points_[axis][k], bins_);
        z[k] -= heights[at.bin] + steps[at.bin] * at.within;
      }
    }
    const double before = std::exchange(left, sum_squares(z));
    if (left > (1 - worth_going_on) * before) break;
  }
  // the heights of all axes share one constant
  const double coefficients = points_.empty() ? 1 : static_cast<double>(points_.size() * (2 * bins_ - 1) + 1);
  Fit found;
  found.variance = left / (static_cast<double>(z.size()) - coefficients);
  // ∫ = Σ (B slope)² / B
  for (const auto& axis : slopes) found.slopes += sum_squares(axis) * static_cast<double>(bins_);
  return found;
}

double HypercubeError::operator()(std::span<const double> values, std::span<const Status> status) const {
  CS_ASSERT(values.size() == status.size() && static_cast<std::int64_t>(values.size()) == members_);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto counts = [&](std::size_t m) { return status[m] == Status::ok && !std::isnan(values[m]); };

  // about an origin of their own, so that digits are not lost to a large mean
  double origin = none, largest = 0, count = 0;
  for (std::size_t m = 0; m < values.size(); ++m) {
    if (!counts(m)) continue;
    if (std::isnan(origin)) origin = values[m];
    largest = std::max(largest, std::fabs(values[m]));
    count += 1;
  }
  if (!std::isfinite(largest) || count < 2) return none;
  const double factor = moment_factor(largest);
  const auto away = [&](std::size_t m) { return factor * values[m] - factor * origin; };
  double sum = 0;
  for (std::size_t m = 0; m < values.size(); ++m)
    if (counts(m)) sum += away(m);

  // (1)
  std::vector<double> z;
  const auto step = static_cast<std::size_t>(stride(members_));
  for (std::size_t m = 0; m < values.size(); m += step) z.push_back(counts(m) ? away(m) - sum / count : 0);
  const Fit found = fit(std::move(z));
  const auto n = static_cast<double>(members_);
  return n / count * std::sqrt(found.variance / n + found.slopes / (12 * n * n * n)) / factor;
}

double HypercubeError::operator()(std::span<const double> fitted, std::int64_t count, double mean,
                                  double largest) const {
  if (!std::isfinite(largest) || count < 2) return std::numeric_limits<double>::quiet_NaN();
  const double factor = moment_factor(largest);
  std::vector<double> z;
  for (const double x : fitted) z.push_back(std::isnan(x) ? 0 : factor * x - factor * mean);
  const Fit found = fit(std::move(z));
  const auto n = static_cast<double>(members_);
  return n / static_cast<double>(count) * std::sqrt(found.variance / n + found.slopes / (12 * n * n * n)) / factor;
}

}  // namespace conesweep::statistics
