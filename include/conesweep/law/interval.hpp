#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::law {

/// A resistance on one row: an impulse of Λ = [low, high] that dissipates most. low <= 0 <= high; either end may be infinite (a freewheel is [-∞, 0]).
///
///   (1)  u = b + W r,  -u ∈ N_Λ(r):   u = 0 inside,  u >= 0 at low,  u <= 0 at high
///
/// Its solution minimises ½W r² + b r over Λ, hence
///
///   (2)  W > 0:  r = -b/W clamped to Λ
///   (3)  W = 0:  r = low where b > 0, high where b < 0, else 0
///
/// Unique for W > 0.  In (3) an infinite end has no solution: 0 is returned and u = b stands.
template <class Real>
CS_INLINE Real solve_interval(Real w, Real b, Real low, Real high) {
  if (w > Real(0)) return max(min(-b / w, high), low);
  const Real end = b > Real(0) ? low : b < Real(0) ? high : Real(0);
  return is_finite(end) ? end : Real(0);
}

}  // namespace conesweep::law
