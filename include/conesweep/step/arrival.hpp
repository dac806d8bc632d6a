#pragma once

#include <conesweep/contact/persistence.hpp>
#include <conesweep/contact/touching.hpp>
#include <conesweep/math/sum.hpp>

// Where a step meets a wall on its way (I1).

namespace conesweep::step {

/// So many arrivals a step are located (I4); after them it goes on to its end as if there were no walls.
inline constexpr int most_arrivals = 3;

/// What is left of a step: a straight line from q with the velocity v.
template <class Real, class Model>
struct Way {
  const math::Sums<Real, Model::dimension>& q;
  const Real* v;
  const Real* constants;
  Real t;       // where it begins
  Real length;  // in time
  Real t_end;   // t + length, as others round it

  /// g of contact P after the time s.
  template <int P>
  CS_INLINE Real gap_after(Real s) const {
    Real place[Model::dimension];
    unroll<Model::dimension>([&](auto c) CS_LAMBDA {
      math::Sum<Real> position = q.get(c);
      position.add_product(s, v[c]);
      place[c] = position.value;
    });
    return Model::template constraint<P>(place, constants, select(s == length, t_end, t + s));
  }
  template <int P>
  CS_INLINE Real gap_here() const {
    return Model::template constraint<P>(q.value, constants, t);
  }
};

/// (I1) Does the way lead through the wall of contact P? It begins inside, where the wall does not touch, and ends
/// outside.
template <int P, class Real, class Model>
CS_INLINE MaskOf<Real> leads_out(const Way<Real, Model>& way, Real tolerance) {
  const MaskOf<Real> ends_outside = way.template gap_after<P>(way.length) > Real(0);
  if (!any(ends_outside)) return ends_outside;
  const Real steepness = Model::template steepness<P>(way.q.value, way.constants, way.t);
  return ends_outside && (way.template gap_here<P>() < -(tolerance * steepness));
}

/// Is g affine along every way?
template <class Model>
CS_HD constexpr bool is_plane(int p) {
  return Model::constant_gradient[p] && !Model::moves[p] && Model::Laws::contact_kind(p) != state::ContactKind::point;
}

/// (I1) When a way that leads out meets the wall of contact P: by proportion for a plane, else between two places that
/// draw together, of which the inner one is taken. Secants whose older end loses half its weight each time (Illinois),
/// every third time the middle: the bound is that of bisection.
template <int P, class Real, class Model>
CS_APART Real find_meeting(const Way<Real, Model>& way) {
  constexpr int halvings = is_double<Real> ? 52 : 23;
  const Real width = way.length / Real(is_double<Real> ? 4503599627370496.0 : 8388608.0);  // 2^52, 2^23
  Real inner = Real(0), outer = way.length;
  Real g_inner = way.template gap_here<P>(), g_outer = way.template gap_after<P>(way.length);
  if constexpr (is_plane<Model>(P)) return way.length * (g_inner / (g_inner - g_outer));
  int kept = 0;  // which end the last secant left where it was: -1 the inner, 1 the outer one
  for (int k = 0; k < 3 * halvings && outer - inner > width && g_inner < Real(0); ++k) {
    const Real middle = inner + Real(0.5) * (outer - inner);
    const bool halve = k % 3 == 2;
    Real s = halve ? middle : inner + (outer - inner) * (g_inner / (g_inner - g_outer));
    if (!(s > inner && s < outer)) s = middle;
    if (!(s > inner && s < outer)) break;
    const Real g = way.template gap_after<P>(s);
    if (g > Real(0)) {
      outer = s, g_outer = g;
      if (kept == -1 && !halve) g_inner = Real(0.5) * g_inner;
      kept = -1;
    } else {
      inner = s, g_inner = g;
      if (kept == 1 && !halve) g_outer = Real(0.5) * g_outer;
      kept = 1;
    }
  }
  return inner;
}

/// The first wall that a way meets.
template <class Real>
struct Meeting {
  int contact = -1;  // -1: it meets none
  Real after = Real(0);
};

/// Of contacts that persist none arrives. Of those that are met at once the first in the file is said to; the others
/// touch.
template <class Real, class Model, bool Checked>
CS_HD Meeting<Real> find_first_meeting(const state::Passage<Real, Model, Checked>& s, const Way<Real, Model>& way) {
  Meeting<Real> first;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    const Real tolerance = contact::touching_tolerance<p, Real, Model>(way.q.value, s.first);
    if (contact::persists<p>(s) || !leads_out<p>(way, tolerance)) return;
    const Real after = find_meeting<p>(way);
    if (first.contact < 0 || after < first.after) first = {p, after};
  });
  return first;
}

}  // namespace conesweep::step
