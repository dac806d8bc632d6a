#pragma once

#include <conesweep/law/coulomb_coupled.hpp>

namespace conesweep::law {

/// A guide (G): a bilateral constraint with Coulomb friction, by itself, solved exactly. Row 0 is the constraint, the K
/// - 1 others what slides.
///
///   (1)  u = b + W r
///   (2)  uₙ = 0,   |rₜ| <= μ|rₙ|,   rₜ = -μ|rₙ| uₜ/|uₜ| where uₜ ≠ 0
///
/// rₙ has either sign, and friction acts back on it through Wₙₜ. Turned so that it presses without friction, -bₙ/Wₙₙ >
/// 0, a solution of an ordinary contact (coulomb_coupled.hpp), which closes, is one of (2); and such a one exists for
/// every μ as long as W is definite. For μ|Wₙₜ| < Wₙₙ it is the only one. Beyond there may be others, on which the
/// guide presses with its other side (G2); they are not taken. Limits: μ = 0 gives rₙ = -bₙ/Wₙₙ alone; bₙ = 0 gives r =
/// 0: what does not press does not rub.
template <class Real, int K>
CS_HD void solve_guide(const Real (&w)[K][K], const Real (&b)[K], Real mu, Real (&r)[K]) {
  const Real side = b[0] > Real(0) ? Real(-1) : Real(1);
  Real turned_w[K][K], turned_b[K];
  for (int i = 0; i < K; ++i) {
    turned_b[i] = i == 0 ? side * b[0] : b[i];
    for (int j = 0; j < K; ++j) turned_w[i][j] = (i == 0) != (j == 0) ? side * w[i][j] : w[i][j];
  }
  solve_coulomb<Real, K>(turned_w, turned_b, mu, r);
  r[0] = side * r[0];
}

/// The same as a block. Limits: μ is `high`.
///
///   (3)  Pₙ = xₙ,   Pₜ the nearest to xₜ in the disk of radius μ|xₙ|;   slip: P'ₜₙ = μ h sign xₙ
///
/// It has no flight. Its last mode is slip along several rows with rₙ < 0; along one row that is slip the other way.
struct Guide : CommonLaw<true> {
  static constexpr bool binds = true;

  template <class Real, int K>
  static CS_INLINE void solve(const Real (&w)[K][K], const Real (&b)[K], const Limits<Real>& limits, Real (&r)[K]) {
    solve_guide<Real, K>(w, b, limits.high, r);
  }
  template <class Real>
  static CS_INLINE void project(const Limits<Real>& limits, int size, const Real (&x)[3], Nearest<Real>& to) {
    project_on_ball(to, x, 1, size, limits.high * abs(x[0]));
    to.p[0] = x[0];
  }
  template <class Real>
  static CS_INLINE Real lean(const Limits<Real>& limits, Real side) {
    return side < Real(0) ? -limits.high : limits.high;
  }
  static CS_INLINE constexpr bool has_flight(int slips) { return slips > 1; }
  static CS_INLINE constexpr int rows_in_flight(int size) { return size; }
};

}  // namespace conesweep::law
