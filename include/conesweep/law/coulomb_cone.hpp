#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::law {

/// Friction at one contact, solved exactly.
///
///   (P4)  v = prox(0, [w + C] ∩ T)          least-norm velocity that friction can reach
///
/// With w = wₙ n + wₜ, wₙ < 0, the only freedom is the tangential impulse, |rₜ| <= μ rₙ, so
///
///   (P6)  v = wₜ max(0, 1 - μ rₙ / |wₜ|),   rₙ = |wₙ|.
///
/// Returns the share of wₜ that friction takes, min(1, μ rₙ / |wₜ|): v = wₜ - share wₜ. Sticking takes all of it, and v is 0
/// exactly; no velocity threshold is involved.
/// Limits: μ = 0 takes 0 (1 for wₜ = 0); μ → ∞ takes 1.  Invariant: 0 <= share <= 1.  A NaN in either argument comes back.
template <class Real>
CS_INLINE Real slide_or_stick(Real slip_speed, Real grip) {
  return select(!(slip_speed <= grip), grip / slip_speed, Real(1));
}

/// Partially elastic contact: the normal velocity after it.
///
///   (P12)  vₙ = max(0, -e vₙ⁻),  rₙ = vₙ - wₙ
///
/// e = 0 gives vₙ = 0 and rₙ = |wₙ|.  Invariant: vₙ >= 0.  A NaN in e comes back.
template <class Real>
CS_INLINE Real rebound(Real e, Real v_n_before) {
  return max(-(e * v_n_before), Real(0));
}

/// μ = tan α is right for 0 <= α < π/2, a friction coefficient for 0 <= μ < ∞, a restitution for 0 <= e <= 1. Anything else
/// becomes NaN, which no later step loses: the member is found at its end and diagnosed.
template <class Real>
CS_INLINE Real check_angle(Real alpha) {
  constexpr double right_angle = 1.5707963267948966;  // the double below π/2
  return select((alpha >= Real(0)) && (alpha < Real(ScalarOf<Real>(right_angle))), alpha, Real(canonical_nan<Real>()));
}

template <class Real>
CS_INLINE Real check_coefficient(Real mu) {
  return select((mu >= Real(0)) && is_finite(mu), mu, Real(canonical_nan<Real>()));
}

template <class Real>
CS_INLINE Real check_restitution(Real e) {
  return select((e >= Real(0)) && (e <= Real(1)), e, Real(canonical_nan<Real>()));
}

}  // namespace conesweep::law
