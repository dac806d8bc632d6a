#pragma once

#include <conesweep/contact/problem.hpp>

namespace conesweep::contact {

/// Where the natural map sends a block:
///
///   (1)  x = r - u,   P(x) the nearest impulse that the law allows,   F = r - P(x) = 0 iff the law holds
///
/// interval, ball: nearest in the set. Contact: Pₙ = max(0, xₙ), Pₜ the nearest to xₜ in the disk of radius μPₙ (Alart and Curnier). Persistent contact (T):
/// Pₙ = xₙ, which makes uₙ = 0, and the disk of radius μ max(0, Pₙ); guide (G): the same with μ|Pₙ|. Since the diagonal of W is about 1, F is the velocity by
/// which the law is missed.
template <class Real>
struct Nearest {
  Real p[3];    // P(x)
  Mode mode;    // stick: P is the identity there
  Real h[3];    // slip of a ball or of friction: direction of x (of xₜ, from h[1] on)
  Real shrink;  // radius/|x| there
};

/// P for a disk or ball in the components first … size - 1.
template <class Real>
CS_INLINE void project_on_ball(Nearest<Real>& to, const Real (&x)[3], int first, int size, Real radius) {
  Real x2 = Real(0);
  for (int k = first; k < size; ++k) x2 = x2 + x[k] * x[k];
  const bool inside = x2 <= radius * radius;
  const Real length = sqrt(x2);
  to.mode = inside ? Mode::stick : Mode::slip;
  to.shrink = inside ? Real(1) : radius / length;
  for (int k = first; k < size; ++k) {
    to.h[k] = inside ? Real(0) : x[k] / length;
    to.p[k] = inside ? x[k] : radius * to.h[k];
  }
}

/// `r` and `u` are those of the block's rows.
template <class Real>
CS_HD Nearest<Real> find_nearest(Law law, int size, Real low, Real high, const Real* r, const Real* u) {
  Nearest<Real> to;
  Real x[3];
  for (int k = 0; k < 3; ++k) x[k] = k < size ? r[k] - u[k] : Real(0);
  if (law == Law::interval) {
    to.p[0] = max(min(x[0], high), low);
    to.mode = x[0] > low && x[0] < high ? Mode::stick : Mode::slip;
    to.shrink = Real(0);
    to.h[0] = Real(0);
  } else if (law == Law::ball) {
    project_on_ball(to, x, 0, size, high);
  } else if (law == Law::guide) {
    project_on_ball(to, x, 1, size, high * abs(x[0]));
    to.p[0] = x[0];
  } else if (!(x[0] > Real(0))) {
    // open; a persistent contact that pulls: without friction
    const bool pulls = low < Real(0);
    to.mode = pulls ? Mode::slip : Mode::flight;
    to.shrink = Real(0);
    for (int k = 0; k < size; ++k) to.p[k] = to.h[k] = Real(0);
    if (pulls) to.p[0] = x[0];
  } else {
    to.mode = Mode::slip;
    if (size > 1) project_on_ball(to, x, 1, size, high * x[0]);
    to.p[0] = x[0];
  }
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
///   speed / 1024        where b is left over of far larger velocities (a percussion on a body at rest): 1e-12 of it is a few ulp of those
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

/// (2)  residual = max over blocks of |F| / max(size, t/64),  t = |b| + Σ|W r| of the row with the largest terms of the block
///
/// `size` is size_of. Where single impulses make velocities far above it (heavy on light, a wedge that jams) their own rounding is all that can be asked: 1e-12
/// then is 70 ulp of t. NaN where something is not finite. `velocity` receives u of all blocks that are awake; where NaN is returned, of those before.
template <class Real, int MaxBlocks, int MaxRows>
CS_APART Real residual_of(const Problem<Real, MaxBlocks, MaxRows>& p, const Real (&r)[MaxRows], Real size, Real (&velocity)[MaxRows]) {
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
    const Nearest<Real> to = find_nearest(p.law[block], p.size[block], p.low[block], p.high[block], &r[first], u);
    Real missed = Real(0);
    for (int k = 0; k < p.size[block]; ++k) missed = missed + (r[first + k] - to.p[k]) * (r[first + k] - to.p[k]);
    const Real share = sqrt(missed) / max(size, terms / Real(64));
    if (!(share <= worst)) worst = share;  // keeps NaN
    if (is_nan(share)) return share;
  }
  return worst;
}

}  // namespace conesweep::contact
