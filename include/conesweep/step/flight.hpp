#pragma once

#include <conesweep/step/walker.hpp>

// (A3) A piece without contact, and (A4) the wall that it meets first.

namespace conesweep::step {

/// A path q + s v + s² a, 0 <= s <= length.
template <class Real, int D>
struct Path {
  const Real* q;
  const Real* v;
  Real a[D];
  Real t, length, end;  // end: t + length, as others round it

  CS_HD Real time(Real s) const { return s == length ? end : t + s; }
  CS_HD void find(Real s, Real* place) const {
    for (int k = 0; k < D; ++k) place[k] = fma(s, fma(s, a[k], v[k]), q[k]);
  }
};

/// The wall that a path meets first.
template <class Real>
struct FirstMeeting {
  int contact = -1;  // -1: none
  Real s = Real(0);
};

/// Two places of a path between which g becomes positive.
template <class Real>
struct Bracket {
  Real inner, outer, g_inner, g_outer;
};

/// (A4) The first place where g is positive, its inner end: secants whose older end loses half its weight (Illinois),
/// every fourth time the middle; at most 60 steps.
template <int P, class Real, class Model, bool Checked>
CS_APART Real narrow(const Walker<Real, Model, Checked>& m, const Path<Real, Model::dimension>& path,
                     Bracket<Real> way) {
  const Real width = Real(is_double<Real> ? 0x1p-52 : 0x1p-23);
  int kept = 0;  // which end the last secant left where it was: -1 the inner, 1 the outer one
  for (int k = 0; k < 60 && way.outer - way.inner > width * way.outer; ++k) {
    const Real middle = way.inner + Real(0.5) * (way.outer - way.inner);
    Real s = k % 4 == 3 ? middle : (way.inner * way.g_outer - way.outer * way.g_inner) / (way.g_outer - way.g_inner);
    if (!(s > way.inner && s < way.outer)) s = middle;
    if (!(s > way.inner && s < way.outer)) break;
    Real place[Model::dimension];
    path.find(s, place);
    const Real g = m.template gap<P>(place, path.time(s));
    if (g > Real(0)) {
      way.outer = s, way.g_outer = g;
      if (kept == -1) way.g_inner = Real(0.5) * way.g_inner;
      kept = -1;
    } else {
      way.inner = s, way.g_inner = g;
      if (g == Real(0)) break;
      if (kept == 1) way.g_outer = Real(0.5) * way.g_outer;
      kept = 1;
    }
  }
  return way.inner;
}

/// (A4) Does the path lead through the wall of contact P, and between which places? By g where it begins and ends, and
/// by the top of the parabola through g(0), ġ(0), g(ℓ); where it leaves the wall that it touches, from the parabola's
/// lowest point on.
template <int P, class Real, class Model, bool Checked>
CS_HD bool find_bracket(const Walker<Real, Model, Checked>& m, const Path<Real, Model::dimension>& path,
                        Bracket<Real>& way) {
  constexpr int D = Model::dimension;
  Real place[D];
  const auto gap_at = [&](Real s) {
    path.find(s, place);
    return m.template gap<P>(place, path.time(s));
  };
  const Real length = path.length, g = m.template gap<P>(path.q, path.t), g_end = gap_at(length);
  const Real steepness = Model::template steepness<P>(path.q, m.constants(), path.t);
  const Real rate = Model::template closing_speed<P>(path.q, m.constants(), path.t, path.v);
  const Real bend = Real(2) * (g_end - g - rate * length);
  way = {Real(0), length, g, g_end};
  if (g >= -(contact::touching_tolerance<P, Real, Model>(path.q, false) * steepness)) {
    if (!(rate < Real(0)) || !(g_end > Real(0)) || !(bend > Real(0))) return false;
    way.inner = min(-rate * length * length / bend, length);
    for (int halved = 0; halved < 2; ++halved) {
      way.g_inner = gap_at(way.inner);
      if (way.g_inner < Real(0)) return true;
      way.inner = Real(0.5) * way.inner;
    }
    return false;
  }
  if (g_end > Real(0)) return true;
  if (!(rate > Real(0)) || !(bend < Real(0))) return false;
  way.outer = -rate * length * length / bend;
  if (!(way.outer < length)) return false;
  way.g_outer = gap_at(way.outer);
  return way.g_outer > Real(0);
}

/// (A4) Of the contacts but `closed`, the one that is met first; of several at once the first in the file.
template <class Real, class Model, bool Checked>
CS_HD FirstMeeting<Real> find_first(const Walker<Real, Model, Checked>& m, const Path<Real, Model::dimension>& path,
                                    const bool* closed) {
  FirstMeeting<Real> first;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    Bracket<Real> way;
    if (closed[p] || !find_bracket<p>(m, path, way)) return;
    const Real s = narrow<p>(m, path, way);
    if (first.contact < 0 || s < first.s) first = {p, s};
  });
  return first;
}

/// body(p) for the contact of this number.
template <class Model, class Body>
CS_HD void at_contact(int number, const Body& body) {
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    if (p == number) body(p);
  });
}

/// (A3) The force in the middle of a flight of this length, from f_0 where it uses velocities; and w.
template <class Real, class Model, bool Checked>
CS_HD void predict_flight(Walker<Real, Model, Checked>& m, Real length, const Real* f_0, Real* w) {
  constexpr int D = Model::dimension;
  Real q_m[D], v_m[D];
  for (int k = 0; k < D; ++k) {
    q_m[k] = fma(Real(0.5) * length, m.v[k], m.q[k]);
    v_m[k] = Model::Second::force_uses_velocity ? fma(Real(0.5) * length, f_0[k], m.v[k]) : m.v[k];
  }
  m.find_force(m.t + Real(0.5) * length, q_m, v_m, length, m.f);
  for (int k = 0; k < D; ++k) w[k] = fma(length, m.f[k], m.v[k]);
}

/// The path of a piece that begins with v and ends with w.
template <class Real, class Model, bool Checked>
CS_HD Path<Real, Model::dimension> make_path(const Walker<Real, Model, Checked>& m, Real length, const Real* w) {
  Path<Real, Model::dimension> path = {m.q, m.v, {}, m.t, length, m.end};
  for (int k = 0; k < Model::dimension; ++k) path.a[k] = (w[k] - m.v[k]) / (Real(2) * length);
  return path;
}

}  // namespace conesweep::step
