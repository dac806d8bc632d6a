#pragma once

#include <conesweep/step/sliding.hpp>

// (A1), (A2), (A11) A step of order two of one member, piece by piece.

namespace conesweep::step {

/// What touches where the member is (A2).
template <class Model>
struct Touched {
  bool closed[at_least_one(Model::contacts)];
  int count = 0;        // of them
  bool struck = false;  // something has to be struck first
  bool lost = false;    // a wall is nowhere
};

template <class Real, class Model, bool Checked>
CS_HD Touched<Model> find_touched(Walker<Real, Model, Checked>& m, bool may_strike) {
  constexpr int D = Model::dimension;
  Touched<Model> found;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    found.closed[p] = false;
    const Real g = m.template gap<p>(m.q, m.t);
    const Real steepness = Model::template steepness<p>(m.q, m.constants(), m.t);
    if (is_nan(g)) {
      m.fail(state::Status::non_finite);
      found.lost = true;
      return;
    }
    if (!(g >= -(contact::touching_tolerance<p, Real, Model>(m.q, false) * steepness))) return;
    if (contact::is_singular(steepness)) {
      m.fail(state::Status::singular_gradient);
      found.lost = true;
      return;
    }
    WallThere<Real, D> wall;
    m.template see_wall<p>(m.q, m.t, wall);
    const Real u_n = wall.along(m.v), small = velocity_tolerance<D>(m.v, m.template find_wall_noise<p>(wall));
    if (u_n < -small && may_strike)
      found.struck = true;
    else if (u_n <= small)
      found.closed[p] = true, ++found.count;
  });
  return found;
}

/// (A11) The piece goes to its end; what is outside there is put on its wall, and all of it is struck together.
template <class Real, class Model, bool Checked>
CS_HD PieceEnd pass_crowded(Walker<Real, Model, Checked>& m, const Real* w) {
  constexpr int D = Model::dimension;
  const Real length = m.end - m.t;
  Real place[D];
  for (int k = 0; k < D; ++k) place[k] = fma(Real(0.5) * length, m.v[k] + w[k], m.q[k]);
  m.crowded = true;
  m.note_motion(length, m.f, w);
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    if (m.template gap<p>(place, m.end) > Real(0)) m.template put_on_wall<p>(m.end, place);
  });
  m.go_on(m.end, place, w);
  return strike(m, -1) ? PieceEnd::whole : PieceEnd::stopped;
}

/// (A3), (A4) A piece in which nothing is closed.
template <class Real, class Model, bool Checked>
CS_APART PieceEnd fly(Walker<Real, Model, Checked>& m) {
  constexpr int D = Model::dimension;
  const Real length = m.end - m.t;
  Real f_0[D], w[D];
  if constexpr (Model::Second::force_uses_velocity) m.find_force(m.t, m.q, m.v, length, f_0);
  predict_flight(m, length, f_0, w);
  bool closed[at_least_one(Model::contacts)];
  for (bool& none : closed) none = false;
  const FirstMeeting<Real> first = find_first(m, make_path(m, length, w), closed);
  if (first.contact < 0) {
    Real place[D];
    for (int k = 0; k < D; ++k) place[k] = fma(Real(0.5) * length, m.v[k] + w[k], m.q[k]);
    m.note_motion(length, m.f, w);
    m.go_on(m.end, place, w);
    return PieceEnd::whole;
  }
  if (m.events >= most_events) return pass_crowded(m, w);

  // once more, with the force of the part before the arrival
  Real s = first.s;
  if (s > Real(0)) predict_flight(m, s, f_0, w);
  Real place[D];
  at_contact<Model>(first.contact, [&](auto p) CS_LAMBDA {
    if (s > Real(0)) {
      Path<Real, D> path = make_path(m, s, w);
      path.length = length;
      path.find(s, place);
      Real v_s[D];
      for (int k = 0; k < D; ++k) v_s[k] = fma(s, m.f[k], m.v[k]);
      const Real rate = Model::template closing_speed<p>(place, m.constants(), path.time(s), v_s);
      if (rate > Real(0)) s = min(max(s - m.template gap<p>(place, path.time(s)) / rate, Real(0)), length);
      path.find(s, place);
    } else {
      for (int k = 0; k < D; ++k) place[k] = m.q[k];
    }
    m.template put_on_wall<p>(s == length ? m.end : m.t + s, place);
  });
  for (int k = 0; k < D; ++k) w[k] = fma(s, m.f[k], m.v[k]);
  m.note_motion(s, m.f, w);
  m.go_on(s == length ? m.end : m.t + s, place, w);
  ++m.events;
  return strike(m, first.contact) ? PieceEnd::event : PieceEnd::stopped;
}

/// (A12) in the unit metric: a piece in which several contacts are closed. v̄ solves the step (B2) of half its length at
/// its middle, v⁺ = 2 v̄ - v. Where all walls are planes at rest this is of second order.
template <class Real, class Model, bool Checked>
CS_HD bool solve_middle(Walker<Real, Model, Checked>& m, Real length, const Touched<Model>& touched, const Real* force,
                        Passage<Real, Model, Checked>& one) {
  constexpr int D = Model::dimension;
  Real q_m[D];
  const Real half = Real(0.5) * length, t_m = m.t + half;
  for (int k = 0; k < D; ++k) q_m[k] = fma(half, m.v[k], m.q[k]);
  for (int round = 0; round < 4; ++round)
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      if (touched.closed[p]) m.template put_on_wall<p>(t_m, q_m);
    });
  one.node = m.there;
  one.node.c = m.constants();
  one.node.t = one.t_next = t_m;
  one.h = Real(0);
  one.first = false;
  one.arrival().contact = Model::contacts;
  one.arrival().impact = false;
  for (Real& rest : one.arrival().rests) rest = Real(1);
  for (int k = 0; k < D; ++k) {
    one.node.q[k] = q_m[k];
    one.node.v[k] = m.v[k];
    one.f[k] = Real(0);
    one.arrival().push[k] = half * force[k];
    one.w[k] = one.v.value[k] = fma(half, force[k], m.v[k]);
  }
  one.v.forget_low();
  if constexpr (Model::Laws::uses_laws)
    for (int law = 0; law < state::count_laws<Model>(); ++law) one.impulses()[law] = Real(0);
  contact::solve(one);
  return is_finite(one.v.value[0]);
}

/// Of several closed contacts: what the middle, solved for a piece that is `solved` long, says of all of them over one
/// of this length. Their work is noted at the first of them.
template <class Real, class Model, bool Checked>
CS_HD void note_closed(Walker<Real, Model, Checked>& m, Real length, Real solved, const Real* v_after,
                       const Passage<Real, Model, Checked>& one) {
  m.note_motion(length, m.f, v_after);
  bool some = false, stick = true;
  for (int p = 0; p < Model::contacts; ++p) {
    const auto& from = one.record.contact[p];
    if (!from.active) continue;
    auto& to = m.s.record.contact[p];
    to.active = true;
    to.stick = from.stick;
    // the impulse of the piece is twice that of its middle
    to.r_n = to.r_n + Real(2) * (length / solved) * from.r_n;
    if (!some) {
      Real r[Model::dimension];
      for (int k = 0; k < Model::dimension; ++k) r[k] = (v_after[k] - m.v[k]) - length * m.f[k];
      to.work = to.work + metric::along_mean<Model::dimension>(r, m.v, v_after);
    }
    some = true;
    stick = stick && from.stick;
  }
  if (some) m.note_mode(length, stick);
}

/// (A12) The piece of several closed contacts. longer than 60 lines: it goes on, stops or meets a wall with the same
/// solved middle.
template <class Real, class Model, bool Checked>
CS_APART PieceEnd pass_several([[maybe_unused]] Walker<Real, Model, Checked>& m,
                               [[maybe_unused]] const Touched<Model>& touched) {
  constexpr int D = Model::dimension;
  if constexpr (Model::contacts < 2) {
    return PieceEnd::stopped;
  } else {
    Real length = m.end - m.t, solved = length, force[D], v_m[D], q_m[D], w[D];
    Passage<Real, Model, Checked> one;
    for (int k = 0; k < D; ++k) v_m[k] = m.v[k];
    if constexpr (Model::Second::force_uses_velocity) {
      m.find_force(m.t, m.q, m.v, length, force);
      if (!solve_middle(m, length, touched, force, one)) return m.fail(state::Status::not_converged), PieceEnd::stopped;
      for (int k = 0; k < D; ++k) v_m[k] = one.v.value[k];
    }
    for (int k = 0; k < D; ++k) q_m[k] = fma(Real(0.5) * length, m.v[k], m.q[k]);
    m.find_force(m.t + Real(0.5) * length, q_m, v_m, length, m.f);
    if (!solve_middle(m, length, touched, m.f, one)) return m.fail(state::Status::not_converged), PieceEnd::stopped;
    for (int k = 0; k < D; ++k) w[k] = Real(2) * one.v.value[k] - m.v[k];
    // (A7) where everything that moves turns round in this piece, it ends where it comes to rest
    const Real speed = sqrt(metric::squared_length<D>(m.v));
    bool stopped = false;
    if (speed > velocity_tolerance<D>(m.v, Real(0)) && m.events < most_events && dot<D>(m.v, w) <= Real(0)) {
      const Real part = Real(1e-3) * length;
      if (!solve_middle(m, part, touched, m.f, one)) return m.fail(state::Status::not_converged), PieceEnd::stopped;
      const Real slower = (speed - dot<D>(m.v, one.v.value) / speed) / (Real(0.5) * part);
      const Real s = slower > Real(0) ? speed / slower : length;
      if (s < length) {
        length = s;
        stopped = true;
        solved = part;
        for (int k = 0; k < D; ++k) w[k] = Real(0);
      }
    }
    FirstMeeting<Real> first;
    const auto path = make_path(m, length, w);
    first = find_first(m, path, touched.closed);
    const bool meets = first.contact >= 0 && m.events < most_events;
    if (meets) {
      const Real share = first.s / length;
      for (int k = 0; k < D; ++k) w[k] = fma(share, w[k] - m.v[k], m.v[k]);
      length = first.s;
    }
    Real place[D];
    const bool whole = !stopped && !meets;
    const Real when = whole ? m.end : m.t + length;
    for (int k = 0; k < D; ++k) place[k] = fma(Real(0.5) * length, m.v[k] + w[k], m.q[k]);
    for (int round = 0; round < 4; ++round)
      unroll<Model::contacts>([&](auto p) CS_LAMBDA {
        if (one.record.contact[p].active || m.template gap<p>(place, when) > Real(0))
          m.template put_on_wall<p>(when, place);
        if (!one.record.contact[p].active) return;
        WallThere<Real, D> wall;
        m.template see_wall<p>(place, when, wall);
        const Real u_n = wall.along(w);
        for (int k = 0; k < D; ++k) w[k] = w[k] - u_n * wall.n[k];
      });
    note_closed(m, length, solved, w, one);
    if (!whole) ++m.events;
    if (stopped && !meets) m.looks.add(when, place, w, w);
    m.go_on(when, place, w);
    if (meets) return strike(m, first.contact) ? PieceEnd::event : PieceEnd::stopped;
    return whole ? PieceEnd::whole : PieceEnd::event;
  }
}

/// A whole step of order two of one member.
template <class Real, class Model, bool Checked>
CS_HD void walk(Walker<Real, Model, Checked>& m) {
  int struck = 0;  // at this instant
  // pieces and atoms are at most two for each event that is located, and a few more
  Real last = m.t;
  for (int pass = 0; pass < 8 * most_events && m.end - m.t > Real(1e-11) * m.h; ++pass) {
    if (m.t != last) struck = 0;
    last = m.t;
    const Touched<Model> touched = find_touched(m, struck < 2);
    if (touched.lost) return;
    if (touched.struck) {
      // what is struck where a step begins knows the force there
      m.find_force(m.t, m.q, m.v, m.end - m.t, m.f);
      if (!strike(m, -1)) return;
      ++struck;
      continue;
    }
    PieceEnd ended = PieceEnd::stopped;
    if (touched.count == 0) {
      ended = fly(m);
    } else if (touched.count > 1) {
      ended = pass_several(m, touched);
    } else {
      unroll<Model::contacts>([&](auto p) CS_LAMBDA {
        if (touched.closed[p]) ended = pass_closed<p>(m, m.end - m.t);
      });
    }
    if (ended == PieceEnd::stopped) return;
    if (!is_finite(m.v[0])) return;
  }
}

}  // namespace conesweep::step
