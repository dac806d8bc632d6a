#pragma once

#include <conesweep/contact/natural_map.hpp>

namespace conesweep::contact {

/// Linear equations of a Newton step, reused for every one.
template <class Real, int MaxRows>
struct Equations {
  int count;             // unknowns that are coupled
  int unknown[MaxRows];  // their rows
  Real rest[MaxRows];    // right-hand side
  Real j[MaxRows][MaxRows];
};

/// max |x[c]|, c = first … end - 1; by fours, so that no comparison waits for the one before.
template <class Real, int N>
CS_INLINE Real largest_of(const Real (&x)[N], int first, int end) {
  Real a = Real(0), b = Real(0), c = Real(0), d = Real(0);
  int i = first;
  for (; i + 3 < end; i += 4) {
    a = max(a, abs(x[i]));
    b = max(b, abs(x[i + 1]));
    c = max(c, abs(x[i + 2]));
    d = max(d, abs(x[i + 3]));
  }
  for (; i < end; ++i) a = max(a, abs(x[i]));
  return max(max(a, b), max(c, d));
}

/// Takes `factor` times `from` from `to`, columns first … end - 1. Returns the largest of what is left, by magnitude.
template <class Real, int N>
CS_INLINE Real take_multiple(Real (&to)[N], const Real (&from)[N], Real factor, int first, int end) {
  Real a = Real(0), b = Real(0);
  int i = first;
  for (; i + 1 < end; i += 2) {
    to[i] = to[i] - factor * from[i];
    to[i + 1] = to[i + 1] - factor * from[i + 1];
    a = max(a, abs(to[i]));
    b = max(b, abs(to[i + 1]));
  }
  if (i < end) {
    to[i] = to[i] - factor * from[i];
    a = max(a, abs(to[i]));
  }
  return max(a, b);
}

/// J x = rest by elimination with complete pivoting, in place. A pivot below 1e-13 of the largest element ends it: the
/// unknowns that are left stay as they are (x = 0). This is how dependent rows are treated: any share between them will
/// do, and they keep theirs.
template <class Real, int MaxRows>
CS_APART void eliminate(Equations<Real, MaxRows>& e) {
  const int n = e.count;
  Real top = Real(0), largest_in[MaxRows];
  for (int i = 0; i < n; ++i) largest_in[i] = largest_of(e.j[i], 0, n);
  int rank = n;
  for (int k = 0; k < n; ++k) {
    // the largest element: the first of them, row by row
    int row = k, column = k;
    for (int i = k + 1; i < n; ++i) {
      if (largest_in[i] > largest_in[row]) row = i;
    }
    const Real largest = largest_in[row];
    if (k == 0) top = largest;
    if (!(largest > top * Real(is_double<Real> ? 1e-13 : 1e-5)) || !is_finite(largest)) {
      rank = k;
      break;
    }
    while (abs(e.j[row][column]) != largest) ++column;
    largest_in[row] = largest_in[k];
    if (row != k) {
      for (int c = k; c < n; ++c) {
        const Real kept = e.j[k][c];
        e.j[k][c] = e.j[row][c];
        e.j[row][c] = kept;
      }
      const Real kept = e.rest[k];
      e.rest[k] = e.rest[row];
      e.rest[row] = kept;
    }
    if (column != k) {
      for (int i = 0; i < n; ++i) {
        const Real kept = e.j[i][k];
        e.j[i][k] = e.j[i][column];
        e.j[i][column] = kept;
      }
      const int kept = e.unknown[k];
      e.unknown[k] = e.unknown[column];
      e.unknown[column] = kept;
    }
    for (int i = k + 1; i < n; ++i) {
      const Real factor = e.j[i][k] / e.j[k][k];
      if (factor != Real(0)) {
        largest_in[i] = take_multiple(e.j[i], e.j[k], factor, k + 1, n);
        e.rest[i] = e.rest[i] - factor * e.rest[k];
      } else {
        largest_in[i] = largest_of(e.j[i], k + 1, n);
      }
    }
  }
  for (int k = rank; k < n; ++k) e.rest[k] = Real(0);
  for (int k = rank - 1; k >= 0; --k) {
    Real sum = e.rest[k];
    for (int c = k + 1; c < rank; ++c) sum = sum - e.j[k][c] * e.rest[c];
    e.rest[k] = sum / e.j[k][k];
  }
}

/// One step of Newton's method on the natural map, which is smooth but for the borders between modes:
///
///   (1)  J dr = -F,   J = I - P'(x)(I - W)
///
///   flat (open, an interval at its border)   P' = 0
///   stick                                    P' = I
///   slip without normal                      P' = (ρ/|x|)(I - h hᵀ),  h = x/|x|
///   slip with normal                         normal as stick;  P'ₜₜ = (ρ/|xₜ|)(I - h hᵀ),  P'ₜₙ = lean h
///                                            (ρ the radius, lean its slope over xₙ)
///
/// Rows with P' = 0 are solved by dr = -F, exactly: what opens has r = 0. Only the others are eliminated. `u` is that
/// of r before the step.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART void newton_step(const Problem<Real, MaxBlocks, MaxRows>& p, Real (&r)[MaxRows], const Real (&u)[MaxRows],
                          Equations<Real, MaxRows>& e) {
  Real known[MaxRows];  // dr of the rows with P' = 0, 0 of the others
  bool all_coupled = true;
  e.count = 0;
  for (int i = 0; i < p.rows; ++i) known[i] = Real(0);
  for (int block = 0; block < p.blocks; ++block) {
    if (p.asleep[block]) {
      all_coupled = false;
      continue;
    }
    const int first = p.first[block], size = p.size[block];
    const Nearest<Real> to = find_nearest(p, block, &r[first], &u[first]);
    if (law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.is_flat(to.mode); })) {
      for (int k = 0; k < size; ++k) {
        known[first + k] = to.p[k] - r[first + k];
        r[first + k] = to.p[k];
      }
      all_coupled = false;
      continue;
    }
    const bool normal = has_normal(p.law[block]);
    const int from = normal ? 1 : 0;  // components of the ball or disk
    const law::Limits<Real> limits = limits_of(p, block);
    const Real lean = law::ask(p.law[block], [&](auto law) CS_LAMBDA { return law.lean(limits, to.p[0]); });
    for (int k = 0; k < size; ++k) {
      Real(&row)[MaxRows] = e.j[e.count];
      e.unknown[e.count] = first + k;
      e.rest[e.count] = to.p[k] - r[first + k];
      ++e.count;
      if (to.mode == Mode::stick || k < from) {
        for (int j = 0; j < p.rows; ++j) row[j] = p.w[first + k][j];
        continue;
      }
      // row of I - P'(I - W); a contact's part lean h of the normal row is W's own, P'ₜₙ(I - W)
      Real factor[3];
      for (int i = from; i < size; ++i) factor[i] = to.shrink * ((i == k ? Real(1) : Real(0)) - to.h[k] * to.h[i]);
      if (normal) factor[0] = lean * to.h[k];
      for (int j = 0; j < p.rows; ++j) {
        Real sum = Real(0) + factor[0] * p.w[first][j];
        if (size > 1) sum = sum + factor[1] * p.w[first + 1][j];
        if (size > 2) sum = sum + factor[2] * p.w[first + 2][j];
        row[j] = sum;
      }
      for (int i = 0; i < size; ++i) row[first + i] = row[first + i] - factor[i];
      row[first + k] = row[first + k] + Real(1);
    }
  }
  // what is known goes to the right, the columns of the unknowns move together
  for (int i = 0; i < e.count && !all_coupled; ++i) {
    for (int j = 0; j < p.rows; ++j) {
      if (known[j] != Real(0)) e.rest[i] = e.rest[i] - e.j[i][j] * known[j];
    }
    for (int c = 0; c < e.count; ++c) e.j[i][c] = e.j[i][e.unknown[c]];
  }
  eliminate(e);
  for (int k = 0; k < e.count; ++k) r[e.unknown[k]] = r[e.unknown[k]] + e.rest[k];
}

}  // namespace conesweep::contact
