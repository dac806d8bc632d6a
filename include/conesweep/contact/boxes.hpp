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

/// Which end a row is at; neither: its velocity is 0.
template <class Real>
struct Ends {
  MaskOf<Real> low, high;
};

/// The impulses with the given ends: of rows between them so that u = 0. `b` is that of rows. False in lanes where
/// these are dependent.
template <class Real, int N, int D>
CS_INLINE MaskOf<Real> solve_between(const Boxes<Real, N, D>& boxes, const Real (&b)[N], const Ends<Real> (&at)[N],
                                     Real (&r)[N]) {
  Real l[N][N], pivot[N];
  MaskOf<Real> good = Real(0) == Real(0);
  for (int i = 0; i < N; ++i) r[i] = select(at[i].low, boxes.low[i], select(at[i].high, boxes.high[i], Real(0)));
  Real right[N];
  for (int i = 0; i < N; ++i) {
    right[i] = -b[i];
    for (int j = 0; j < N; ++j)
      if (j != i) right[i] = right[i] - boxes.w[i][j] * r[j];
  }
  // L D Lᵀ of W, with the unit matrix in place of rows at their ends
  for (int i = 0; i < N; ++i) {
    const MaskOf<Real> fixed = at[i].low || at[i].high;
    for (int j = 0; j < i; ++j) {
      const MaskOf<Real> out = fixed || at[j].low || at[j].high;
      Real sum = select(out, Real(0), boxes.w[i][j]);
      for (int k = 0; k < j; ++k) sum = sum - l[i][k] * (pivot[k] * l[j][k]);
      l[i][j] = sum / pivot[j];
    }
    Real left = boxes.w[i][i];
    for (int k = 0; k < i; ++k) left = left - l[i][k] * (pivot[k] * l[i][k]);
    pivot[i] = select(fixed, Real(1), left);
    good = good && (fixed || left > Real(dependent_ratio<ScalarOf<Real>>) * boxes.w[i][i]);
    right[i] = select(fixed, r[i], right[i]);
    for (int k = 0; k < i; ++k) right[i] = right[i] - l[i][k] * right[k];
  }
  for (int i = N - 1; i >= 0; --i) {
    const MaskOf<Real> fixed = at[i].low || at[i].high;
    Real sum = right[i] / pivot[i];
    for (int k = i + 1; k < N; ++k) sum = sum - l[k][i] * r[k];
    r[i] = select(fixed, r[i], sum);
  }
  return good;
}

/// (1) for the rows that take part; r = 0 of all others. False in lanes without an answer.
template <class Real, int N, int D>
CS_APART MaskOf<Real> solve_boxes(const Boxes<Real, N, D>& boxes, const Real (&b)[N],
                                  const MaskOf<Real> (&takes_part)[N], Real (&r)[N]) {
  Ends<Real> at[N];
  const MaskOf<Real> never = Real(0) != Real(0);
  Boxes<Real, N, D> own = boxes;
  for (int i = 0; i < N; ++i) {
    own.low[i] = select(takes_part[i], boxes.low[i], Real(0));
    own.high[i] = select(takes_part[i], boxes.high[i], Real(0));
    const Real alone = -b[i];  // W r, if no other acted
    at[i].low = !takes_part[i] || !(alone > own.low[i] * boxes.w[i][i]);
    at[i].high = !at[i].low && alone > own.high[i] * boxes.w[i][i];
  }
  MaskOf<Real> solved = never;
  for (int round = 0; round < most_rounds; ++round) {
    const MaskOf<Real> good = solve_between(own, b, at, r);
    MaskOf<Real> changed = never;
    for (int i = 0; i < N; ++i) {
      Real u = b[i];
      for (int j = 0; j < N; ++j) u = u + boxes.w[i][j] * r[j];
      const MaskOf<Real> between = !at[i].low && !at[i].high;
      const MaskOf<Real> low = !takes_part[i] || (between && r[i] < own.low[i]) || (at[i].low && u >= -boxes.small[i]);
      const MaskOf<Real> high = !low && ((between && r[i] > own.high[i]) || (at[i].high && u <= boxes.small[i]));
      changed = changed || (low != at[i].low) || (high != at[i].high);
      at[i] = {low, high};
    }
    solved = good && !changed;
    if (all(solved)) break;
  }
  return solved;
}

}  // namespace conesweep::contact
