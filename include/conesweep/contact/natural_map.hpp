#pragma once

#include <conesweep/contact/problem.hpp>

namespace conesweep::contact {

using law::Nearest;

/// Where the natural map (law/law.hpp) sends a block. `r` and `u` are those of its rows.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD Nearest<Real> find_nearest(const Problem<Real, MaxBlocks, MaxRows>& p, int block, const Real* r, const Real* u) {
  Nearest<Real> to;
  const int size = p.size[block];
  Real x[3];
  for (int k = 0; k < 3; ++k) x[k] = k < size ? r[k] - u[k] : Real(0);
  law::ask(p.law[block], [&](auto law) CS_LAMBDA { law.project(limits_of(p, block), size, x, to); });
  return to;
}

/// u = b + W r, sums from the first row to the last.
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE Real velocity_of_row(const Problem<Real, MaxBlocks, MaxRows>& p, const Real (&r)[MaxRows], int i) {
  Real u = p.b[i];
  for (int j = 0; j < p.rows; ++j) u = u + p.w[i][j] * r[j];
  return u;
}

/// Size of the velocities that enter: (2) is measured by it. The largest of
///
///   |b|                 of all rows
///   speed / 1024        where b is left over of far larger velocities (a percussion on a body at rest): 1e-12 of it is
///                       a few ulp of those
///
/// 0: nothing moves. Velocities whose squares vanish are 0.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD Real size_of(const Problem<Real, MaxBlocks, MaxRows>& p) {
  constexpr Real left_over = Real(is_double<Real> ? 0x1p-10 : 0x1p-6);
  constexpr Real vanishes = Real(is_double<Real> ? 0x1p-500 : 0x1p-60);
  Real size = left_over * p.speed;
  for (int block = 0; block < p.blocks; ++block) {
    if (p.asleep[block]) continue;
    for (int k = 0; k < p.size[block]; ++k) size = max(size, abs(p.b[p.first[block] + k]));
  }
  return size > vanishes ? size : Real(0);
}

/// Are all |b| at most so much? What is no number is not.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD bool is_slower(const Problem<Real, MaxBlocks, MaxRows>& p, Real most) {
  for (int block = 0; block < p.blocks; ++block) {
    if (p.asleep[block]) continue;
    for (int k = 0; k < p.size[block]; ++k)
      if (!(abs(p.b[p.first[block] + k]) <= most)) return false;
  }
  return true;
}

/// (2)  residual = max over blocks of |F| / max(size, t/64),  t = |b| + Σ|W r| of the row with the largest terms of the
/// block
///
/// `size` is size_of. Where single impulses make velocities far above it (heavy on light, a wedge that jams) their own
/// rounding is all that can be asked: 1e-12 then is 70 ulp of t. NaN where something is not finite. `velocity` receives
/// u of all blocks that are awake; where NaN is returned, of those before.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART Real residual_of(const Problem<Real, MaxBlocks, MaxRows>& p, const Real (&r)[MaxRows], Real size,
                          Real (&velocity)[MaxRows]) {
  Real worst = Real(0);
  for (int block = 0; block < p.blocks; ++block) {
    if (p.asleep[block]) continue;
    const int first = p.first[block];
    Real* u = &velocity[first];
    Real terms = Real(0);
    for (int k = 0; k < p.size[block]; ++k) {
      Real sum = p.b[first + k], t = abs(sum);
      for (int j = 0; j < p.rows; ++j) {
        const Real part = p.w[first + k][j] * r[j];
        sum = sum + part;
        t = t + abs(part);
      }
      u[k] = sum;
      terms = max(terms, t);
    }
    const Nearest<Real> to = find_nearest(p, block, &r[first], u);
    Real missed = Real(0);
    for (int k = 0; k < p.size[block]; ++k) missed = missed + (r[first + k] - to.p[k]) * (r[first + k] - to.p[k]);
    const Real share = sqrt(missed) / max(size, terms / Real(64));
    if (!(share <= worst)) worst = share;  // keeps NaN
    if (is_nan(share)) return share;
  }
  return worst;
}

}  // namespace conesweep::contact
