#pragma once

#include <conesweep/law/coulomb_coupled.hpp>

namespace conesweep::law {

/// One contact that holds fast (H), solved exactly: it opens only where it is pulled by more than its cohesion, whose
/// impulse over the step is a > 0. Row 0 is normal, the others tangential.
///
///   (1)  u = b + W r
///   (2)  0 <= uₙ ⊥ rₙ + a >= 0,   |rₜ| <= μ (rₙ + a),   rₜ = -μ (rₙ + a) uₜ/|uₜ| where uₜ ≠ 0
///
/// What is pressed together by a from outside is an ordinary contact: with r' = r + a n,
///
///   (3)  u = b - a W n + W r',   (2) is Coulomb's law between r' and u
///
/// So a solution exists wherever it does there; what opens has rₙ = -a: it was pulled at until it gave way.  Invariant:
/// rₙ >= -a.  Limit: a = 0 is Coulomb's law.
template <class Real, int K>
CS_HD void solve_cohesive(const Real (&w)[K][K], const Real (&b)[K], Real mu, Real a, Real (&r)[K]) {
  Real pulled[K];
  for (int k = 0; k < K; ++k) pulled[k] = b[k] - w[k][0] * a;
  solve_coulomb<Real, K>(w, pulled, mu, r);
  r[0] = r[0] - a;
}

/// The same as a block. Limits: -a is `low`, its least normal impulse; μ is `high`.
///
///   (4)  Pₙ = max(-a, xₙ),   Pₜ the nearest to xₜ in the disk of radius μ (Pₙ + a)
///   (5)  slip along h: rₜ + μ h rₙ = -μ h a
///
/// A contact holds with a = h c over a stretch of length h, and at an atom, h = 0, with nothing.
struct Cohesive : Coulomb {
  template <int P, class Model, class Node, class Real>
  static CS_INLINE bool enter([[maybe_unused]] const Node& node, [[maybe_unused]] Real h,
                              [[maybe_unused]] Limits<Real>& limits) {
    if constexpr (requires { Model::template cohesion<P>(node); }) {
      if (!(h > Real(0))) return false;
      const Real a = h * Model::template cohesion<P>(node);
      if (a == Real(0)) return false;
      limits.low = -a;
      return true;
    } else {
      return false;
    }
  }
  template <class Real, int K>
  static CS_INLINE void solve(const Real (&w)[K][K], const Real (&b)[K], const Limits<Real>& limits, Real (&r)[K]) {
    solve_cohesive<Real, K>(w, b, limits.high, -limits.low, r);
  }
  template <class Real>
  static CS_INLINE void project(const Limits<Real>& limits, int size, const Real (&x)[3], Nearest<Real>& to) {
    const Real pressed[3] = {x[0] - limits.low, x[1], x[2]};
    Coulomb::project(limits, size, pressed, to);
    to.p[0] = to.p[0] + limits.low;
  }
  template <class Real>
  static CS_INLINE Real border(const Limits<Real>& limits, Real h) {
    return limits.high * h * limits.low;
  }
  template <class Real>
  static CS_INLINE Real least(const Limits<Real>& limits) {
    return limits.low;
  }
  template <class Real>
  static CS_INLINE bool are_valid(const Limits<Real>& limits) {
    return limits.low <= Real(0) && is_finite(limits.low);
  }
  template <class Real>
  static CS_INLINE bool takes_part(const Limits<Real>&, Real) {
    return true;
  }
  template <class Real>
  static CS_INLINE bool presses(const Limits<Real>& limits, Real r_n) {
    return r_n > limits.low;
  }
  template <class Real>
  static CS_INLINE Real load(Real r_n) {
    return r_n;
  }
};

}  // namespace conesweep::law
