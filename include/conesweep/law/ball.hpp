#pragma once

#include <conesweep/law/law.hpp>
#include <conesweep/metric/principal_axes.hpp>

namespace conesweep::law {

/// A resistance on K = 1, 2 or 3 rows: an impulse of the ball |r| <= ρ that dissipates most, in the metric W.
///
///   (1)  u = b + W r,  -u ∈ N_ball(r):   u = 0 inside,  r = -ρ u/|u| where u ≠ 0
///
/// r minimises ½ r·W r + b·r over the ball. Inside, W r = -b. On the sphere u = -s r for some s > 0, so that
///
///   (2)  r(s) = -(W + s)⁻¹b,   |r(s)| = ρ        (the secular equation)
///
/// |r(s)| falls, and 1/|r(s)| is concave in s. Newton on 1/|r(s)| = 1/ρ from a lower bound of s rises to the root
/// without passing it: 4 steps as a rule, 6 in 99 of 100 cases, at most 20 here. In the axes of W, (2) is a sum over K
/// terms, each of which has a lower bound of its own, |cₖ|/ρ - dₖ. A direction without W and, but for rounding, without
/// b has no impulse.
template <class Real, int K>
CS_HD void solve_ball(const Real (&w)[K][K], const Real (&b)[K], Real radius, Real (&r)[K]) {
  for (int k = 0; k < K; ++k) r[k] = Real(0);
  if (!(radius > Real(0))) return;
  const metric::PrincipalAxes<Real, K> axes = metric::find_axes(w);
  Real c[K], x[K];  // b and -r in these axes
  Real x2 = Real(0), s = Real(0);
  for (int k = 0; k < K; ++k) {
    Real terms = Real(0);
    c[k] = Real(0);
    for (int i = 0; i < K; ++i) {
      c[k] = c[k] + axes.q[i][k] * b[i];
      terms = terms + abs(b[i]);
    }
    if (axes.d[k] == Real(0) && abs(c[k]) <= metric::lost_in_rounding<Real> * terms) c[k] = Real(0);
    x[k] = c[k] == Real(0) ? Real(0) : c[k] / axes.d[k];  // infinite where d = 0
    x2 = x2 + x[k] * x[k];
    s = max(s, abs(c[k]) / radius - axes.d[k]);
  }
  if (!(x2 <= radius * radius)) {
    for (int step = 0; step < 20; ++step) {
      Real fall = Real(0);  // -½ d|r|²/ds
      x2 = Real(0);
      for (int k = 0; k < K; ++k) {
        x[k] = c[k] == Real(0) ? Real(0) : c[k] / (axes.d[k] + s);
        x2 = x2 + x[k] * x[k];
        fall = fall + (x[k] == Real(0) ? Real(0) : x[k] * x[k] / (axes.d[k] + s));
      }
      const Real ds = (sqrt(x2) - radius) / radius * (x2 / fall);
      if (!(ds > s * Real(is_double<Real> ? 1e-15 : 1e-7))) break;
      s = s + ds;
    }
    const Real onto = radius / sqrt(x2);
    for (int k = 0; k < K; ++k) x[k] = x[k] * onto;
  }
  for (int i = 0; i < K; ++i) {
    for (int k = 0; k < K; ++k) r[i] = r[i] - axes.q[i][k] * x[k];
  }
}

/// The same as a block. Limits: the radius ρ is `high`.
///
///   (3)  P(x) the nearest point of the ball;   slip: P' = (ρ/|x|)(I - h hᵀ),  h = x/|x|
struct Ball : CommonLaw<false> {
  template <class Real, int K>
  static CS_INLINE void solve(const Real (&w)[K][K], const Real (&b)[K], const Limits<Real>& limits, Real (&r)[K]) {
    solve_ball<Real, K>(w, b, limits.high, r);
  }
  template <class Real>
  static CS_INLINE void project(const Limits<Real>& limits, int size, const Real (&x)[3], Nearest<Real>& to) {
    project_on_ball(to, x, 0, size, limits.high);
  }
  template <class Real>
  static CS_INLINE Real border(const Limits<Real>& limits, Real h) {
    return -limits.high * h;
  }
  template <class Real>
  static CS_INLINE bool are_valid(const Limits<Real>& limits) {
    return limits.high >= Real(0);
  }
};

}  // namespace conesweep::law
