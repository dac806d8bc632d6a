#include "statistics/part_error.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "statistics/scale.hpp"
#include "support/error.hpp"

namespace conesweep::statistics {

using executor::Status;

namespace {

struct PartSum {
  double count = 0;
  double sum = 0;  // of factor (x - origin)
};

}  // namespace

double error_by_parts(std::span<const double> values, std::span<const Status> status, const Parts& parts) {
  CS_ASSERT(values.size() == status.size() && parts.together > 0 && parts.count >= 0);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto counts = [&](std::size_t m) { return status[m] == Status::ok && !std::isnan(values[m]); };

  // about an origin of their own, so that digits are not lost to a large mean
  double origin = none, largest = 0;
  for (std::size_t m = 0; m < values.size(); ++m) {
    if (!counts(m)) continue;
    if (std::isnan(origin)) origin = values[m];
    largest = std::max(largest, std::fabs(values[m]));
  }
  if (!std::isfinite(largest) || std::isnan(origin)) return none;
  const double factor = moment_factor(largest);
  std::vector<PartSum> sums(
      values.empty() ? 0
                     : static_cast<std::size_t>(
                           parts.count > 0 ? parts.count : parts.of(static_cast<std::int64_t>(values.size()) - 1) + 1));
  PartSum all;
  for (std::size_t m = 0; m < values.size(); ++m) {
    if (!counts(m)) continue;
    const double x = factor * values[m] - factor * origin;
    PartSum& part = sums[static_cast<std::size_t>(parts.of(static_cast<std::int64_t>(m)))];
    part.count += 1, part.sum += x;
  }
  for (const PartSum& part : sums) all.count += part.count, all.sum += part.sum;

  double squares = 0, used = 0;
  for (const PartSum& part : sums) {
    if (part.count == 0) continue;
    const double e = part.sum - part.count * (all.sum / all.count);
    squares += e * e;
    used += 1;
  }
  return used < 2 ? none : std::sqrt(used / (used - 1) * squares) / all.count / factor;
}

double error_of_parts(std::span<const PartMean> parts) {
  double count = 0, used = 0, origin = 0, about = 0;
  for (const PartMean& part : parts) {
    if (part.count == 0) continue;
    if (used == 0) origin = part.mean;
    used += 1, count += part.count, about += part.count * (part.mean - origin);
  }
  const double mean = about / count;  // from the origin
  double squares = 0;
  for (const PartMean& part : parts)
    if (part.count > 0) squares += std::pow(part.count * (part.mean - origin - mean), 2);
  return used < 2 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(used / (used - 1) * squares) / count;
}

double error_of_runs(std::vector<PartMean> runs) {
  double worst = error_of_parts(runs);
  for (int halvings = 0; halvings < 2; ++halvings) {
    for (std::size_t k = 0; k < runs.size(); k += 2) {
      PartMean both = runs[k];
      if (k + 1 < runs.size() && runs[k + 1].count > 0) {
        const PartMean& next = runs[k + 1];
        both = {both.count + next.count,
                both.count == 0 ? next.mean
                                : both.mean + (next.mean - both.mean) * (next.count / (both.count + next.count))};
      }
      runs[k / 2] = both;
    }
    runs.resize((runs.size() + 1) / 2);
    worst = std::fmax(worst, error_of_parts(runs));
  }
  return worst;
}

std::int64_t shortest_run(std::int64_t members) {
  std::int64_t length = 1;
  while (2 * length * 64 <= members) length *= 2;
  return length;
}

double error_by_runs(std::span<const double> values, std::span<const Status> status) {
  const auto members = static_cast<std::int64_t>(values.size());
  double worst = std::numeric_limits<double>::quiet_NaN();
  for (const std::int64_t runs : {16, 32, 64}) {
    Parts parts;
    while (2 * parts.together * runs <= members) parts.together *= 2;
    worst = std::fmax(worst, error_by_parts(values, status, parts));
  }
  return worst;
}

}  // namespace conesweep::statistics
