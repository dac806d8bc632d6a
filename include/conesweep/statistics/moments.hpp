#pragma once

#include <conesweep/math/config.hpp>

// Moments of a block of members and how two of them merge. Sums are serial inside a block and the merging tree is
// fixed, so the bits depend on the members alone: not on chunks, threads or devices.

namespace conesweep::statistics {

/// Sums are made over blocks of so many consecutive members.
inline constexpr long block_members = 4096;

/// Count, mean, second and third central moment of some values.
struct Moments {
  long count = 0;
  double mean = 0;
  double squares = 0;  // sum of (x - mean)^2
  double cubes = 0;    // sum of (x - mean)^3
  double min = 0;      // of no values: 0, and count says so
  double max = 0;

  bool operator==(const Moments&) const = default;
};

/// Two sets of values as one [Pebay2008], with δ = mean_b - mean_a and n = n_a + n_b:
///
///   (1)  mean = mean_a + δ n_b/n
///   (2)  squares = squares_a + squares_b + δ² n_a n_b/n
///   (3)  cubes = cubes_a + cubes_b + δ³ n_a n_b (n_a - n_b)/n² + 3 δ (n_a squares_b - n_b squares_a)/n
///
/// Equal means stay as they are, so the deviation of equal values is 0 exactly.
CS_HD inline Moments merge(const Moments& a, const Moments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const double n_a = static_cast<double>(a.count);
  const double n_b = static_cast<double>(b.count);
  const double share_a = n_a / (n_a + n_b);
  const double share_b = n_b / (n_a + n_b);
  const double delta = b.mean - a.mean;
  const double between = delta * delta * (n_a * share_b);
  Moments both;
  both.count = a.count + b.count;
  both.mean = a.mean + delta * share_b;
  both.squares = a.squares + b.squares + between;
  both.cubes = a.cubes + b.cubes + between * (delta * (share_a - share_b)) +
               3 * delta * (share_a * b.squares - share_b * a.squares);
  both.min = b.min < a.min ? b.min : a.min;
  both.max = b.max > a.max ? b.max : a.max;
  return both;
}

/// Welford's recurrence: (1) and (2) with one value as b, the n-th; `share` is 1/n.
CS_HD inline void add_value(double x, double share, double& mean, double& squares) {
  const double delta = x - mean;
  mean += delta * share;
  squares += delta * (x - mean);
}

/// The moments of factor x over the members that are ok (status 0) and have a value (are not NaN), in two passes: about
/// the first value for a mean c, then about c. With S_k = sum of (x - c)^k and e = S_1/n, what rounding left of c is
/// taken out:
///
///   (4)  mean = c + e,   squares = S_2 - e S_1,   cubes = S_3 - 3 e S_2 + 2 e² S_1
///
/// `factor` is a power of two, for values whose cubes would overflow or vanish.
CS_HD inline Moments sum_moments(const double* values, const unsigned char* status, long count, double factor) {
  Moments sums;
  double first = 0, about_first = 0;
  for (long i = 0; i < count; ++i) {
    // -0 becomes 0: which of the two is the minimum must not depend on their order
    const double x = factor * values[i] + 0.0;
    if (status[i] != 0 || x != x) continue;
    if (sums.count == 0) first = sums.min = sums.max = x;
    ++sums.count;
    about_first += x - first;
    sums.min = x < sums.min ? x : sums.min;
    sums.max = x > sums.max ? x : sums.max;
  }
  if (sums.count == 0) return sums;

  const double n = static_cast<double>(sums.count);
  const double centre = first + about_first / n;
  double s1 = 0, s2 = 0, s3 = 0;
  for (long i = 0; i < count; ++i) {
    const double x = factor * values[i] + 0.0;
    if (status[i] != 0 || x != x) continue;
    const double d = x - centre;
    s1 += d;
    s2 += d * d;
    s3 += d * d * d;
  }
  const double e = s1 / n;
  sums.mean = centre + e;
  sums.squares = s2 - e * s1;
  sums.cubes = s3 - 3 * e * s2 + 2 * e * e * s1;
  return sums;
}

}  // namespace conesweep::statistics
