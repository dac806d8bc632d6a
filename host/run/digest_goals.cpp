#include "run/digest_goals.hpp"

#include <cmath>

namespace conesweep::runs {

double error_of(const keep::Digest& digest, const tell::DigestErrors& errors, const Goal& goal) {
  const keep::BlockSums total = digest.all().tree.total();
  if (goal.of_class) {
    const std::int64_t hits = total.codes[goal.observable];
    if (errors.plain()) return statistics::wilson_interval(hits, total.members).half_width();
    return statistics::wilson_interval(hits, total.members,
                                       errors.of_share(digest.all(), digest.shape(), goal.observable))
        .half_width();
  }
  const keep::ScaledMoments& column = total.columns[goal.observable];
  const auto n = static_cast<double>(column.sums.count);
  const double error = errors.plain() ? std::sqrt(column.sums.squares / (n - 1) / n) / column.factor
                                      : errors.of_mean(digest.all(), digest.shape(), goal.observable);
  return error / std::fabs(column.sums.mean / column.factor);
}

statistics::Moments moments_of(const keep::Digest& digest, const Quantity& quantity) {
  const keep::BlockSums total = digest.all().tree.total();
  if (total.members == 0) return {};
  if (quantity.of_class) {
    const double n = static_cast<double>(total.members), share = total.share(quantity.number);
    statistics::Moments sums;
    sums.count = static_cast<long>(total.members);
    sums.mean = share;
    sums.squares = n * share * (1 - share);
    return sums;
  }
  const keep::ScaledMoments& column = total.columns[quantity.number];
  statistics::Moments sums = column.sums;
  sums.mean /= column.factor;
  sums.min = column.min, sums.max = column.max;
  sums.squares = sums.squares / column.factor / column.factor;
  return sums;
}

}  // namespace conesweep::runs
