#pragma once

#include <conesweep/contact/system.hpp>

namespace conesweep::contact {

/// Below this ratio of what is left of a row to the row, squared in the kinetic metric, it depends on those before it
/// (B9).
template <class Real>
inline constexpr Real dependent_ratio = Real(is_double<Real> ? 1e-12 : 1e-5);

/// The step without its firm rows, as a problem of blocks.
///
/// With M = L Lᵀ, rows g = L⁻¹a and firm rows H = L⁻¹Bᵀ (metric/cholesky.hpp), S = B M⁻¹Bᵀ = H Hᵀ. Gram-Schmidt, twice,
/// gives
///
///   (1)  H = R Z,  Z Zᵀ = I,  S = R Rᵀ          R is the Cholesky factor of S, without squaring H's condition
///
/// and (B4) becomes
///
///   (2)  t = R⁻¹(B w - c),   v' = w - L⁻ᵀZᵀt,   λ_N = -R⁻ᵀt
///   (3)  K = G Zᵀ,   G̃ = G - K Z,   W̃ = G̃ G̃ᵀ,   b = A v' - c        (rows à of the paper are L G̃)
///   (4)  v = v' + L⁻ᵀG̃ᵀλ,   firm impulses with all other impulses: λ_N - R⁻ᵀKᵀλ
///
/// A row of a block that lies in the span of the firm rows, up to rounding, becomes 0: no impulse changes its velocity.
template <class Real, int D, int Firm, int Blocks, int Rows>
struct Reduced {
  Problem<Real, at_least_one(Blocks), at_least_one(Rows)> problem;
  Real v_free[D];                                     // v'
  Real free[at_least_one(Rows)];                      // b, in the problem's units
  Real u_before[at_least_one(Rows)];                  // A v_{i-1} - c
  Real firm_normal[at_least_one(Firm)];               // λ_N
  Real firm_length[at_least_one(Firm)];               // of each firm row, in the kinetic metric
  Real firm_speed[at_least_one(Firm)];                // of its drive there
  Real z[at_least_one(Firm)][D];                      //
  Real root[at_least_one(Firm)][at_least_one(Firm)];  // R, lower triangle
  Real load[at_least_one(Rows)][at_least_one(Firm)];  // K
};

template <class Real, int D>
CS_INLINE Real dot(const Real (&a)[D], const Real (&b)[D]) {
  Real sum = Real(0);
  for (int j = 0; j < D; ++j) sum = sum + a[j] * b[j];
  return sum;
}

/// Takes from g its parts along z[0] … z[count - 1] and adds them to `parts`.
template <class Real, int D, int Firm, int Width>
CS_HD void take_parts(Real (&g)[D], const Real (&z)[Firm][D], int count, Real (&parts)[Width]) {
  for (int k = 0; k < count; ++k) parts[k] = Real(0);
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < count; ++k) {
      const Real part = dot(g, z[k]);
      parts[k] = parts[k] + part;
      for (int j = 0; j < D; ++j) g[j] = g[j] - part * z[k][j];
    }
  }
}

/// x ← R⁻ᵀx
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD void solve_transposed(const Reduced<Real, D, Firm, Blocks, Rows>& reduced, Real (&x)[at_least_one(Firm)]) {
  for (int f = Firm - 1; f >= 0; --f) {
    Real sum = x[f];
    for (int k = f + 1; k < Firm; ++k) sum = sum - reduced.root[k][f] * x[k];
    x[f] = sum / reduced.root[f][f];
  }
}

/// (1): Z, R and |H| row by row. False where the firm rows are dependent.
template <class Real, int D, int Firm, int Blocks, int Rows, class Metric>
CS_HD MaskOf<Real> factor_firm_rows(const Metric& metric, const System<Real, D, Firm, Blocks, Rows>& system,
                                    Reduced<Real, D, Firm, Blocks, Rows>& reduced) {
  MaskOf<Real> good = Real(0) == Real(0);
  for (int f = 0; f < Firm; ++f) {
    Real(&g)[D] = reduced.z[f];
    for (int j = 0; j < D; ++j) g[j] = system.firm_row[f][j];
    metric.whiten(g);
    const Real whole = dot(g, g);
    take_parts(g, reduced.z, f, reduced.root[f]);
    const Real left = dot(g, g);
    good = good && left > Real(dependent_ratio<ScalarOf<Real>>) * whole;
    reduced.firm_length[f] = sqrt(whole);
    reduced.root[f][f] = sqrt(left);
    for (int j = 0; j < D; ++j) g[j] = g[j] / reduced.root[f][f];
  }
  return good;
}

/// The same as a list of numbers, and back: rows that are constant, in a constant metric, are factored once a member.
template <int D, int Firm>
CS_HD constexpr int count_kept_firm() {
  return Firm * D + Firm * (Firm + 1) / 2 + Firm;
}
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD void keep_firm_rows(const Reduced<Real, D, Firm, Blocks, Rows>& reduced, MaskOf<Real> good, Real* kept) {
  int next = 0;
  for (int f = 0; f < Firm; ++f) {
    kept[next++] = select(good, reduced.firm_length[f], Real(canonical_nan<ScalarOf<Real>>()));
    for (int j = 0; j < D; ++j) kept[next++] = reduced.z[f][j];
    for (int k = 0; k <= f; ++k) kept[next++] = reduced.root[f][k];
  }
}
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD MaskOf<Real> restore_firm_rows(const Real* kept, Reduced<Real, D, Firm, Blocks, Rows>& reduced) {
  int next = 0;
  for (int f = 0; f < Firm; ++f) {
    reduced.firm_length[f] = kept[next++];
    for (int j = 0; j < D; ++j) reduced.z[f][j] = kept[next++];
    for (int k = 0; k <= f; ++k) reduced.root[f][k] = kept[next++];
  }
  return !is_nan(reduced.firm_length[0]);
}

/// (1), (2). False where the firm rows are dependent.
template <class Real, int D, int Firm, int Blocks, int Rows, class Metric>
CS_HD MaskOf<Real> eliminate_firm_rows(const Metric& metric, const System<Real, D, Firm, Blocks, Rows>& system,
                                       Reduced<Real, D, Firm, Blocks, Rows>& reduced) {
  MaskOf<Real> good = Real(0) == Real(0);
  Real& speed = reduced.problem.speed;
  speed = system.speed;
  for (int j = 0; j < D; ++j) reduced.v_free[j] = system.w[j];
  if constexpr (Firm > 0) {
    const Real* kept = system.kept_firm;
    good = kept != nullptr ? restore_firm_rows(kept, reduced) : factor_firm_rows(metric, system, reduced);
    Real t[Firm], change[D];
    for (int j = 0; j < D; ++j) change[j] = Real(0);
    for (int f = 0; f < Firm; ++f) {
      Real sum = dot(system.firm_row[f], system.w) - system.firm_drive[f];
      reduced.firm_speed[f] = abs(system.firm_drive[f]) / reduced.firm_length[f];
      speed = max(speed, reduced.firm_speed[f]);
      for (int k = 0; k < f; ++k) sum = sum - reduced.root[f][k] * t[k];
      t[f] = sum / reduced.root[f][f];
      for (int j = 0; j < D; ++j) change[j] = change[j] - reduced.z[f][j] * t[f];
    }
    metric.unwhiten(change);
    for (int j = 0; j < D; ++j) reduced.v_free[j] = system.w[j] + change[j];
    for (int f = 0; f < Firm; ++f) reduced.firm_normal[f] = -t[f];
    solve_transposed(reduced, reduced.firm_normal);
  }
  return good;
}

/// (1) … (3). system.row becomes G̃. False where the firm rows are dependent.
template <class Real, int D, int Firm, int Blocks, int Rows, class Metric>
CS_APART bool reduce(const Metric& metric, System<Real, D, Firm, Blocks, Rows>& system,
                     Reduced<Real, D, Firm, Blocks, Rows>& reduced) {
  if (!eliminate_firm_rows(metric, system, reduced)) return false;
  auto& p = reduced.problem;
  p.blocks = system.blocks;
  p.rows = system.rows;
  for (int block = 0; block < p.blocks; ++block) {
    p.law[block] = system.law[block];
    p.first[block] = system.first[block];
    p.size[block] = system.size[block];
    p.asleep[block] = false;
  }
  for (int i = 0; i < p.rows; ++i) {
    Real(&g)[D] = system.row[i];
    reduced.free[i] = dot(g, reduced.v_free) - system.drive[i];
    reduced.u_before[i] = dot(g, system.v_before) - system.drive[i];
    metric.whiten(g);
    if constexpr (Firm > 0) {
      constexpr Real rounding = Real(is_double<Real> ? 1e-28 : 1e-12);
      const Real whole = dot(g, g);
      take_parts(g, reduced.z, Firm, reduced.load[i]);
      if (!(dot(g, g) > rounding * whole)) {
        for (int j = 0; j < D; ++j) g[j] = Real(0);
      }
    }
    for (int j = 0; j <= i; ++j) p.w[i][j] = p.w[j][i] = dot(g, system.row[j]);
  }
  bring_to_units(p);
  for (int i = 0; i < p.rows; ++i) {
    reduced.free[i] = reduced.free[i] * p.unit[i];
    p.speed = max(p.speed, abs(system.drive[i]) * p.unit[i]);
  }
  for (int block = 0; block < p.blocks; ++block) {
    if (has_normal(p.law[block])) set_friction(p, block, system.low[block], system.high[block]);
  }
  return true;
}

/// (4): firm impulses where the impulses r (in the problem's units) act, of contacts and guides alone or of all blocks.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD void load_firm_rows(const Reduced<Real, D, Firm, Blocks, Rows>& reduced, const Real (&r)[at_least_one(Rows)],
                          bool without_resistances, Real (&firm)[at_least_one(Firm)]) {
  if constexpr (Firm > 0) {
    const auto& p = reduced.problem;
    for (int f = 0; f < Firm; ++f) firm[f] = Real(0);
    for (int block = 0; block < p.blocks; ++block) {
      if (without_resistances && !has_normal(p.law[block])) continue;
      for (int i = p.first[block]; i < p.first[block] + p.size[block]; ++i) {
        for (int f = 0; f < Firm; ++f) firm[f] = firm[f] - reduced.load[i][f] * (r[i] * p.unit[i]);
      }
    }
    solve_transposed(reduced, firm);
    for (int f = 0; f < Firm; ++f) firm[f] = reduced.firm_normal[f] + firm[f];
  }
}

/// (4): the velocity after the impulses r, in the problem's units. Without impulses it is v' to the bit.
template <class Real, int D, int Firm, int Blocks, int Rows, class Metric>
CS_HD void apply_impulses(const Metric& metric, const System<Real, D, Firm, Blocks, Rows>& system,
                          const Reduced<Real, D, Firm, Blocks, Rows>& reduced, const Real (&r)[at_least_one(Rows)],
                          Real (&v)[D]) {
  const auto& p = reduced.problem;
  Real change[D];
  for (int j = 0; j < D; ++j) change[j] = Real(0);
  for (int i = 0; i < p.rows; ++i) {
    const Real impulse = r[i] * p.unit[i];
    for (int j = 0; j < D; ++j) change[j] = change[j] + system.row[i][j] * impulse;
  }
  metric.unwhiten(change);
  for (int j = 0; j < D; ++j) v[j] = reduced.v_free[j] + change[j];
}

}  // namespace conesweep::contact
