#pragma once

#include <conesweep/law/law.hpp>
#include <conesweep/metric/principal_axes.hpp>

namespace conesweep::law {

/// One contact with Coulomb friction whose normal and tangential rows are coupled, solved exactly. Row 0 is normal, the
/// K - 1 others tangential.
///
///   (1)  u = b + W r
///   (2)  0 <= uₙ ⊥ rₙ >= 0,   |rₜ| <= μ rₙ,   rₜ = -μ rₙ uₜ/|uₜ| where uₜ ≠ 0
///
/// Tried in this order, the first that fits is taken; where (2) has several solutions this is the choice.
///   open    bₙ >= 0:  r = 0
///   stick   u = 0, where |rₜ| <= μ rₙ
///   slip    uₙ = 0, uₜ = -s rₜ, s > 0
/// uₙ = 0 eliminates rₙ. With a = -bₙ/Wₙₙ > 0, β = Wₙₜ/Wₙₙ, S = Wₜₜ - Wₙₜβᵀ, c = bₜ + a Wₙₜ:
///
///   (3)  rₙ = a - β·rₜ,   uₜ = c + S rₜ,   slip: rₜ(s) = -(S + s)⁻¹c
///   (4)  F(s) = |rₜ(s)| - μ rₙ(s) = 0,   F(0) > 0 where it does not stick,   F(∞) = -μa < 0
///
/// So a solution exists for every μ as long as W is definite. In the plane S, c, β are numbers, uₜ has the sign σ of c,
/// and (4) is linear in 1/(S + s):
///
///   (5)  rₙ = a/(1 - σμβ),   rₜ = -σμ rₙ
///
/// In space Newton on 1/|rₜ(s)| = 1/(μ rₙ(s)), almost linear in s, kept inside a bracket; 6 steps as a rule, 12 in 99
/// of 100 cases, at most 40 here. K = 1 or μ = 0: rₙ = a.  Limits: Wₙₙ = 0 and bₙ < 0 has no solution, nor has (5) for
/// S = 0 with σμβ >= 1; rₜ = 0 is returned then, and u tells.
template <class Real, int K>
CS_HD void solve_coulomb(const Real (&w)[K][K], const Real (&b)[K], Real mu, Real (&r)[K]);

/// (3) in space, in the axes of S.
template <class Real>
struct SpaceContact {
  Real a;        // normal impulse without friction
  Real beta[2];  // what a tangential impulse takes from it
  Real c[2];     // tangential velocity without friction
  Real d[2];     // values of S
};

/// (4) in space.
template <class Real>
CS_HD void slip_in_space(const SpaceContact<Real>& contact, Real mu, Real (&x)[2], Real& r_n) {
  const Real inf = infinity<Real>();
  const Real size_c = sqrt(contact.c[0] * contact.c[0] + contact.c[1] * contact.c[1]);
  const Real size_beta = sqrt(contact.beta[0] * contact.beta[0] + contact.beta[1] * contact.beta[1]);
  Real low = Real(0), high = size_c * (Real(1) + mu * size_beta) / (mu * contact.a);  // F(high) <= 0
  Real s = Real(0), size = Real(0);
  for (int step = 0; step < 40; ++step) {
    Real size2 = Real(0), fall = Real(0), rise = Real(0);  // |rₜ|², -½ of its slope, slope of rₙ
    r_n = contact.a;
    for (int k = 0; k < 2; ++k) {
      const Real stiff = contact.d[k] + s;
      x[k] = contact.c[k] == Real(0) ? Real(0) : -contact.c[k] / stiff;
      const Real slope = x[k] == Real(0) ? Real(0) : x[k] / stiff;
      size2 = size2 + x[k] * x[k];
      fall = fall + x[k] * slope;
      rise = rise + contact.beta[k] * slope;
      r_n = r_n - contact.beta[k] * x[k];
    }
    size = sqrt(size2);
    if (!(size - mu * r_n <= Real(0)))  // infinite minus infinite too
      low = s;
    else
      high = s;
    // G = 1/|rₜ| - 1/(μ rₙ)
    Real next = -Real(1);
    if (r_n > Real(0) && size > Real(0) && size < inf) {
      const Real grip = mu * r_n;
      const Real slope = fall / (size2 * size) + mu * rise / (grip * grip);
      if (slope > Real(0)) next = s - (Real(1) / size - Real(1) / grip) / slope;
    }
    // the root may be of any size
    if (!(next >= low && next <= high)) next = low > Real(0) ? sqrt(low * high) : high / Real(1024);
    if (abs(next - s) <= Real(is_double<Real> ? 2e-15 : 1e-6) * s) break;
    s = next;
  }
  if (!(r_n > Real(0))) r_n = Real(0);
  const Real onto = size > Real(0) && size < inf ? mu * r_n / size : Real(0);
  x[0] = size < inf ? x[0] * onto : Real(0);
  x[1] = size < inf ? x[1] * onto : Real(0);
}

template <class Real, int K>
CS_HD void solve_coulomb(const Real (&w)[K][K], const Real (&b)[K], Real mu, Real (&r)[K]) {
  for (int k = 0; k < K; ++k) r[k] = Real(0);
  if (b[0] >= Real(0) || !(w[0][0] > Real(0))) return;
  const Real a = -b[0] / w[0][0];
  r[0] = a;
  if constexpr (K == 2) {
    if (mu == Real(0)) return;
    const Real beta = w[0][1] / w[0][0];
    const Real s = w[1][1] - w[0][1] * beta, c = b[1] + a * w[0][1];
    const bool slack = !(s > metric::lost_in_rounding<Real> * w[1][1]);  // no tangential impulse changes uₜ
    if (c == Real(0) || (slack && abs(c) <= metric::lost_in_rounding<Real> * (abs(b[1]) + abs(a * w[0][1])))) return;
    if (!slack) {
      const Real stuck = -c / s, r_n = a - beta * stuck;
      if (abs(stuck) <= mu * r_n) {
        r[0] = r_n;
        r[1] = stuck;
        return;
      }
    }
    const Real along = copysign(mu, c);
    const Real share = Real(1) - along * beta;
    if (!(share > Real(0))) return;
    r[0] = a / share;
    r[1] = -along * r[0];
  }
  if constexpr (K == 3) {
    if (mu == Real(0)) return;
    Real beta[2], s[2][2], c[2];
    for (int i = 0; i < 2; ++i) {
      beta[i] = w[0][i + 1] / w[0][0];
      c[i] = b[i + 1] + a * w[0][i + 1];
    }
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) s[i][j] = w[i + 1][j + 1] - w[0][(i < j ? j : i) + 1] * beta[i < j ? i : j];
    }
    const metric::PrincipalAxes<Real, 2> axes = metric::find_axes(s);
    const Real none_s = metric::lost_in_rounding<Real> * (w[1][1] + w[2][2]);
    const Real none_c = metric::lost_in_rounding<Real> * (abs(b[1]) + abs(b[2]) + a * (abs(w[0][1]) + abs(w[0][2])));
    SpaceContact<Real> contact;
    contact.a = a;
    Real x[2], size2 = Real(0), r_n = a;
    for (int k = 0; k < 2; ++k) {
      contact.beta[k] = axes.q[0][k] * beta[0] + axes.q[1][k] * beta[1];
      contact.c[k] = axes.q[0][k] * c[0] + axes.q[1][k] * c[1];
      contact.d[k] = axes.d[k] > none_s ? axes.d[k] : Real(0);
      if (contact.d[k] == Real(0) && abs(contact.c[k]) <= none_c) contact.c[k] = Real(0);
      x[k] = contact.c[k] == Real(0) ? Real(0) : -contact.c[k] / contact.d[k];  // infinite where d = 0
      size2 = size2 + x[k] * x[k];
      r_n = r_n - (x[k] == Real(0) ? Real(0) : contact.beta[k] * x[k]);
    }
    if (!(r_n >= Real(0) && size2 <= mu * mu * (r_n * r_n) && is_finite(size2))) slip_in_space(contact, mu, x, r_n);
    r[0] = r_n;
    r[1] = axes.q[0][0] * x[0] + axes.q[0][1] * x[1];
    r[2] = axes.q[1][0] * x[0] + axes.q[1][1] * x[1];
  }
}

/// The same as a block. Limits: μ is `high`, in the units of normal and tangents.
///
///   (6)  Pₙ = max(0, xₙ),   Pₜ the nearest to xₜ in the disk of radius μPₙ  (Alart and Curnier);   open: P = 0
///   (7)  slip: P'ₜₜ = (μxₙ/|xₜ|)(I - h hᵀ),   P'ₜₙ = μ h
struct Coulomb : CommonLaw<true> {
  static constexpr bool is_contact = true, opens = true;

  template <class Real, int K>
  static CS_INLINE void solve(const Real (&w)[K][K], const Real (&b)[K], const Limits<Real>& limits, Real (&r)[K]) {
    solve_coulomb<Real, K>(w, b, limits.high, r);
  }
  template <class Real>
  static CS_INLINE void project(const Limits<Real>& limits, int size, const Real (&x)[3], Nearest<Real>& to) {
    const bool closed = x[0] > Real(0);
    to.mode = closed ? Mode::slip : Mode::flight;
    to.shrink = Real(0);
    for (int k = 0; k < size; ++k) to.p[k] = to.h[k] = Real(0);
    if (!closed) return;
    if (size > 1) project_on_ball(to, x, 1, size, limits.high * x[0]);
    to.p[0] = x[0];
  }
  static CS_INLINE constexpr bool has_flight(int) { return true; }
  template <class Real>
  static CS_INLINE Real load(Real r_n) {
    return max(r_n, Real(0));
  }
};

}  // namespace conesweep::law
