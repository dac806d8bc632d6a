#pragma once

#include <conesweep/law/law.hpp>

namespace conesweep::law {

/// A resistance on one row: an impulse of Λ = [low, high] that dissipates most. low <= 0 <= high; either end may be
/// infinite (a freewheel is [-∞, 0]).
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

/// The same as a block. Limits: the ends of Λ.
///
///   (4)  P(x) = x clamped to Λ;   stick inside, where P' = 1, slip at an end, where P' = 0
struct Interval : CommonLaw<false> {
  template <class Real, int K>
  static CS_INLINE void solve(const Real (&w)[K][K], const Real (&b)[K], const Limits<Real>& limits, Real (&r)[K]) {
    r[0] = solve_interval(w[0][0], b[0], limits.low, limits.high);
  }
  template <class Real>
  static CS_INLINE void project(const Limits<Real>& limits, int, const Real (&x)[3], Nearest<Real>& to) {
    to.p[0] = max(min(x[0], limits.high), limits.low);
    to.mode = x[0] > limits.low && x[0] < limits.high ? Mode::stick : Mode::slip;
    to.shrink = Real(0);
    to.h[0] = Real(0);
  }
  static CS_INLINE constexpr bool is_flat(Mode mode) { return mode == Mode::slip; }
  template <class Real>
  static CS_INLINE Real border(const Limits<Real>& limits, Real h) {
    const Real end = h > Real(0) ? limits.low : limits.high;
    return is_finite(end) ? end : Real(0);
  }
  template <class Real>
  static CS_INLINE bool are_valid(const Limits<Real>& limits) {
    return limits.high >= Real(0) && limits.low <= Real(0);
  }
  template <class Real>
  static CS_INLINE bool is_rough(const Limits<Real>& limits) {
    return limits.high > Real(0) || limits.low < Real(0);
  }
};

}  // namespace conesweep::law
