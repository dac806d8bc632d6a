#pragma once

#include <conesweep/contact/kept_factors.hpp>
#include <conesweep/contact/search.hpp>
#include <conesweep/contact/touching.hpp>

// Islands of smooth contacts and of resistances with one row, in packs: every row has an interval for its impulse,
//
//   (1)  u = b + W r,   low <= r <= high,   u > 0 only where r = low, u < 0 only where r = high
//
// with [0, ∞[ of a contact that touches. Solved by active sets, all rows at once [HintermuellerItoKunisch2002]: rows
// between the ends of their interval have u = 0, which is a linear problem; then those that left it go to its end, and
// those at an end with the wrong u come back; no change: that is the answer. The same in every lane, whatever its
// neighbours do: a lane whose set has not come to rest after a few rounds is left to the search.

namespace conesweep::contact {

/// N rows of a step on D coordinates.
template <class Real, int N, int D>
struct Boxes {
  Real row[N][D];   // A
  Real over[N][D];  // M⁻¹Aᵀ, row by row
  Real w[N][N];
  Real free[N], before[N];  // A w - c, A v_{i-1} - c
  Real drive[N];            // c
  Real low[N], high[N];
  Real small[N];  // velocities along the row that are rounding
};

/// Rounds until a set rests: two or three as a rule.
inline constexpr int most_rounds = 10;

/// Which end a row is at; neither: its velocity is 0. `fixed` is the impulse there.
template <class Real>
struct Ends {
  MaskOf<Real> low, high;
  Real fixed;

  CS_INLINE MaskOf<Real> is_fixed() const { return low || high; }
};

/// The impulses of rows First … N - 1 with the given ends: of rows between them so that u = 0. `b` is that of rows.
/// False in lanes where these are dependent.
template <int First, class Real, int N, int D>
CS_INLINE MaskOf<Real> solve_between(const Boxes<Real, N, D>& boxes, const Real (&b)[N], const Ends<Real> (&at)[N],
                                     Real (&r)[N]) {
  Real l[N][N], pivot[N], inverse[N];
  MaskOf<Real> good = Real(0) == Real(0);
  // L D Lᵀ of W, with the unit matrix in place of rows at their ends
  for (int i = First; i < N; ++i) {
    Real right = -b[i];
    for (int j = First; j < N; ++j)
      if (j != i) right = right - boxes.w[i][j] * at[j].fixed;
    Real left = boxes.w[i][i];
    for (int j = First; j < i; ++j) {
      Real sum = select(at[i].is_fixed() || at[j].is_fixed(), Real(0), boxes.w[i][j]);
      for (int k = First; k < j; ++k) sum = sum - l[i][k] * (pivot[k] * l[j][k]);
      l[i][j] = sum * inverse[j];
      left = left - l[i][j] * sum;
    }
    good = good && (at[i].is_fixed() || left > Real(dependent_ratio<ScalarOf<Real>>) * boxes.w[i][i]);
    pivot[i] = select(at[i].is_fixed(), Real(1), left);
    inverse[i] = Real(1) / pivot[i];
    r[i] = select(at[i].is_fixed(), at[i].fixed, right);
    for (int k = First; k < i; ++k) r[i] = r[i] - l[i][k] * r[k];
  }
  for (int i = N - 1; i >= First; --i) {
    Real sum = r[i] * inverse[i];
    for (int k = i + 1; k < N; ++k) sum = sum - l[k][i] * r[k];
    r[i] = select(at[i].is_fixed(), at[i].fixed, sum);
  }
  return good;
}

/// (1) for those of rows First … N - 1 that take part; r = 0 of all others. False in lanes without an answer.
template <int First, class Real, int N, int D>
CS_APART MaskOf<Real> solve_boxes(const Boxes<Real, N, D>& boxes, const Real (&b)[N],
                                  const MaskOf<Real> (&takes_part)[N], Real (&r)[N]) {
  Ends<Real> at[N];
  Real low[N], high[N];
  const MaskOf<Real> never = Real(0) != Real(0);
  const auto set_end = [&](int i, MaskOf<Real> is_low, MaskOf<Real> is_high) CS_LAMBDA {
    at[i] = {is_low, is_high, select(is_low, low[i], select(is_high, high[i], Real(0)))};
  };
  for (int i = First; i < N; ++i) {
    low[i] = select(takes_part[i], boxes.low[i], Real(0));
    high[i] = select(takes_part[i], boxes.high[i], Real(0));
    const Real alone = -b[i];  // W r, if no other acted
    const MaskOf<Real> is_low = !takes_part[i] || !(alone > low[i] * boxes.w[i][i]);
    set_end(i, is_low, !is_low && alone > high[i] * boxes.w[i][i]);
  }
  for (int i = 0; i < First; ++i) r[i] = Real(0);
  MaskOf<Real> solved = never;
  for (int round = 0; round < most_rounds; ++round) {
    const MaskOf<Real> good = solve_between<First>(boxes, b, at, r);
    MaskOf<Real> changed = never;
    for (int i = First; i < N; ++i) {
      Real u = b[i];
      for (int j = First; j < N; ++j) u = u + boxes.w[i][j] * r[j];
      const MaskOf<Real> between = !at[i].is_fixed();
      const MaskOf<Real> is_low = !takes_part[i] || (between && r[i] < low[i]) || (at[i].low && u >= -boxes.small[i]);
      const MaskOf<Real> is_high = !is_low && ((between && r[i] > high[i]) || (at[i].high && u <= boxes.small[i]));
      changed = changed || (is_low != at[i].low) || (is_high != at[i].high);
      set_end(i, is_low, is_high);
    }
    solved = good && !changed;
    if (all(solved)) break;
  }
  return solved;
}

}  // namespace conesweep::contact
