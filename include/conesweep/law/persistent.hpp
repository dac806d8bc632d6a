#pragma once

#include <conesweep/law/coulomb_coupled.hpp>

namespace conesweep::law {

/// One contact that persists (T), solved exactly: no impulse opens it, and none closes it.
///
///   (1)  u = b + W r
///   (2)  uₙ = 0,   |rₜ| <= μ max(0, rₙ),   rₜ = -μ max(0, rₙ) uₜ/|uₜ| where uₜ ≠ 0
///
/// rₙ has either sign. Where it presses (2) is Coulomb's law with μ rₙ [MartinsMonteiroMarquesPetrov2004, (3.17)]. A
/// contact that would have to pull has no friction; the paper has no law for it, and no step ends there: the contact is
/// lost, and the step is solved again.
///   bₙ < 0:   as an ordinary contact that closes (coulomb_coupled.hpp)
///   bₙ >= 0:  rₙ = -bₙ/Wₙₙ <= 0, rₜ = 0
/// Invariant: where rₙ > 0 it solves the ordinary contact too.  Limit: Wₙₙ = 0 gives r = 0.
template <class Real, int K>
CS_HD void solve_persistent(const Real (&w)[K][K], const Real (&b)[K], Real mu, Real (&r)[K]) {
  solve_coulomb<Real, K>(w, b, mu, r);
  if (b[0] > Real(0) && w[0][0] > Real(0)) r[0] = -b[0] / w[0][0];
}

/// The same as a block. Limits: as an ordinary contact's.
///
///   (3)  Pₙ = xₙ, which makes uₙ = 0,   Pₜ the nearest to xₜ in the disk of radius μ max(0, xₙ)
///
/// In its last mode it pulls: uₙ = 0 and no friction, P'ₜ = 0, as slip with h = 0.
struct Persistent : CommonLaw<true> {
  static constexpr bool is_contact = true, persists = true;

  template <class Real, int K>
  static CS_INLINE void solve(const Real (&w)[K][K], const Real (&b)[K], const Limits<Real>& limits, Real (&r)[K]) {
    solve_persistent<Real, K>(w, b, limits.high, r);
  }
  template <class Real>
  static CS_INLINE void project(const Limits<Real>& limits, int size, const Real (&x)[3], Nearest<Real>& to) {
    Coulomb::project(limits, size, x, to);
    if (to.mode == Mode::flight) to.mode = Mode::slip;
    to.p[0] = x[0];
  }
  static CS_INLINE constexpr bool has_flight(int) { return true; }
  static CS_INLINE constexpr int rows_in_flight(int) { return 1; }
  template <class Real>
  static CS_INLINE bool takes_part(const Limits<Real>&, Real) {
    return true;
  }
  template <class Real>
  static CS_INLINE Real load(Real r_n) {
    return Coulomb::load(r_n);
  }
};

}  // namespace conesweep::law
