#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace conesweep::statistics {

/// A power of two that brings values of this size to about 1 where their cubes, or those of their last bits, would
/// overflow or vanish; else 1.
inline double moment_factor(double largest) {
  if (largest == 0 || !std::isfinite(largest)) return 1;
  const int exponent = std::ilogb(largest);
  return std::abs(exponent) <= 200 ? 1 : std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
}

}  // namespace conesweep::statistics
