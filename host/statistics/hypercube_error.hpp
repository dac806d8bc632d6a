#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::statistics {

/// The standard error of a mean over a Latin hypercube of n members, from the one hypercube.
///
/// A hypercube integrates functions of one axis each, and sums of them, nearly exactly; what is left of an observable
/// has the error of independent members [Stein1987]. With z = x - mean (0 of members that are left out: the mean is a
/// ratio), and g the sum of one function an axis that is nearest to z,
///
///   (1)  error² = (n/m)² (s²/n + Σ_axes ∫ g_a'² / 12 n³)      m values, s² = Σ (z - g)² / (degrees of freedom left)
///
/// The second term is that of g itself: one point somewhere in each stratum.
///
/// g is piecewise linear in B equal bins of each axis, fitted by least squares, one axis after another until a sweep
/// takes off less than 2 % of what is left (Gauss-Seidel; where it ends early s² is too large). What g cannot follow
/// stays in s², so the error is right or somewhat too large. B is the largest power of two up to 32 that leaves 8
/// members for each of the 2 B coefficients of all axes together; with less than 4 for B = 1, g = 0 and the error is
/// that of independent members, which a hypercube never exceeds by more than n/(n - 1) [Owen1997].
///
/// At most `most_fitted` members are fitted, one of so many: s² is a property of the observable. Serial sums: the bits
/// depend on the values alone.
class HypercubeError {
 public:
  static constexpr std::int64_t most_fitted = 16384;

  /// Which members are fitted: 0, stride, 2 stride, … of n.
  static std::int64_t stride(std::int64_t members);
  static bool can_fit(std::int64_t members, std::size_t axes);

  /// points[axis][k]: where member k stride stands, in [0, 1]; no axes: nothing is fitted.
  HypercubeError(std::int64_t members, std::vector<std::vector<float>> points);

  /// NaN where less than two members have a value, or one is infinite.
  double operator()(std::span<const double> values, std::span<const executor::Status> status) const;

  /// The same but for rounding, of the values of those that are fitted (NaN: left out) and of what is known of all: how
  /// many count, their mean, and their largest |x|.
  double operator()(std::span<const double> fitted, std::int64_t count, double mean, double largest) const;

 private:
  struct Fit {
    double variance = 0;  // s²
    double slopes = 0;    // Σ_axes ∫ g_a'²
  };
  Fit fit(std::vector<double> z) const;

  std::int64_t members_;
  std::vector<std::vector<float>> points_;
  std::size_t bins_ = 1;
};

}  // namespace conesweep::statistics
