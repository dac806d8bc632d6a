#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/sum.hpp>

namespace conesweep::law {

/// Friction at one contact, solved exactly.
///
///   (P4)  v = prox(0, [w + C] ∩ T)          least-norm velocity that friction can reach
///
/// With w = wₙ n + wₜ, wₙ < 0, the only freedom is the tangential impulse, |rₜ| <= μ rₙ, so
///
///   (P6)  v = wₜ max(0, 1 - μ rₙ / |wₜ|),   rₙ = |wₙ|.
///
/// Returns the share of wₜ that friction takes, min(1, μ rₙ / |wₜ|): v = wₜ - share wₜ. Sticking takes all of it, and v
/// is 0 exactly; no velocity threshold is involved. Limits: μ = 0 takes 0 (1 for wₜ = 0); μ → ∞ takes 1.  Invariant: 0
/// <= share <= 1.  A NaN in either argument comes back.
template <class Real>
CS_INLINE Real slide_or_stick(Real slip_speed, Real grip) {
  return select(!(slip_speed <= grip), in_all_lanes(grip / slip_speed), Real(1));
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

/// One contact by itself in the unit metric, in its own frame: w = wₙ n + wₜ becomes v = vₙ n + wₜ - share wₜ.
///
///   vₙ by (P12), rₙ = vₙ - wₙ, share by (P6)
///
/// Without restitution this is (P4).  Invariant: rₙ >= 0: wₙ < 0 by (P2), but rounding may turn a grazing one, and
/// friction never pushes. A NaN in e or μ comes back in the share, and so does an infinite rₙ.
template <class Real>
struct ContactSolution {
  Real v_n;    // normal velocity afterwards
  Real r_n;    // normal impulse
  Real grip;   // what friction can take of |wₜ|
  Real share;  // of wₜ that it takes; 1: stick
};

template <bool Rebounds, class Real>
CS_INLINE ContactSolution<Real> solve_contact(Real w_n, Real slip_speed, Real v_n_before, Real e, Real mu) {
  ContactSolution<Real> s;
  s.v_n = Rebounds ? rebound(e, v_n_before) : Real(0);
  s.r_n = max(Rebounds ? s.v_n - w_n : -w_n, Real(0));
  s.grip = fma(mu, s.r_n, s.r_n - s.r_n);  // μ rₙ, and NaN for an infinite rₙ
  s.share = slide_or_stick(slip_speed, s.grip);
  return s;
}

/// wₜ - share wₜ, by component. In float a stick loses what rounding had kept, too: v is 0 exactly.
template <class Real>
CS_INLINE math::Sum<Real> take_share(math::Sum<Real> w_t, Real share) {
  const Real all = w_t.value;
  w_t.add_product(share, -all);  // -all is known before the share is
  if constexpr (!is_double<Real>) {
    w_t.value = select(share == Real(1), Real(0), w_t.value);
    w_t.low = select(share == Real(1), Real(0), w_t.low);
  }
  return w_t;
}

/// μ = tan α is right for 0 <= α < π/2, a friction coefficient for 0 <= μ < ∞, a restitution for 0 <= e <= 1. Anything
/// else becomes NaN, which no later step loses: the member is found at its end and diagnosed.
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
