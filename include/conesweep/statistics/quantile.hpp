#pragma once

#include <conesweep/math/config.hpp>

namespace conesweep::statistics {

/// a + t (b - a) for a <= b, 0 <= t <= 1, also where b - a is no number; never beyond b.
CS_HD inline double interpolate(double a, double b, double t) {
  if (t == 0 || a == b) return a;
  const double gap = b - a;
  const double between = gap - gap == 0 ? a + t * gap : (1 - t) * a + t * b;
  return between > b ? b : between;
}

/// Type 7 of `count` > 0 sorted values: they are the quantiles of 0, 1/(n - 1), …, 1, straight lines between them.
CS_HD inline double sorted_quantile(const double* sorted, long count, double level) {
  const double place = static_cast<double>(count - 1) * level;
  const long below = static_cast<long>(place);
  const long above = below + 1 < count ? below + 1 : count - 1;
  return interpolate(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace conesweep::statistics
