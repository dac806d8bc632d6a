#pragma once

#include <conesweep/step/strike.hpp>

// (A6) … (A9) A piece in which one contact is closed: it sticks, slips, or lets go.

namespace conesweep::step {

/// How a piece ends: the member is there already, or something is met before and has to be struck.
enum class PieceEnd { whole, event, stopped };

/// (A6) Mean friction over a piece: ū = ū_w max(0, 1 - μ r_n/(2|ū_w|)), the step (P4) of half its length at its middle.
/// Returns what friction takes of |ū_w|, at most all of it.
template <class Real>
CS_HD Real find_mean_friction(Real speed, Real grip) {
  const Real half = Real(0.5) * grip;
  return speed <= half ? speed : half;
}

/// A slip piece on its way to its end (A6).
template <class Real, int D>
struct Slip {
  WallThere<Real, D> begin, middle, end;  // the wall at t, q; t + ℓ/2, q_m; t + ℓ, q_e
  Real u[D];                              // sliding velocity at the begin
  Real f[D];                              // in the middle
  Real w[D];
  Real mu, r_n;
  bool stops;  // ū = 0
  Real v[D];   // v⁺
  Real u_end[D];
};

/// (A11), (A4), (A6) The place to which a path leads, on contact P's wall.
template <int P, class Real, class Model, bool Checked>
CS_HD void find_place(const Walker<Real, Model, Checked>& m, Real length, Real when, const Real* v_after, Real* place) {
  for (int k = 0; k < Model::dimension; ++k) place[k] = fma(Real(0.5) * length, m.v[k] + v_after[k], m.q[k]);
  m.template put_on_wall<P>(when, place);
}

/// (A6) From the middle's force to v⁺, with friction along the unit vector d, or where it is null along ū.
template <class Real, class Model, bool Checked>
CS_HD void apply_friction(const Walker<Real, Model, Checked>& m, const Real* d, Slip<Real, Model::dimension>& slip) {
  constexpr int D = Model::dimension;
  Real mean[D], along[D];
  const Real grip = slip.mu * slip.r_n;
  for (int k = 0; k < D; ++k)
    mean[k] = Real(0.5) * (m.v[k] + slip.w[k]) - Real(0.5) * (slip.begin.c[k] + slip.end.c[k]);
  const Real mean_n = dot<D>(slip.middle.n, mean);
  for (int k = 0; k < D; ++k) mean[k] = mean[k] - mean_n * slip.middle.n[k];
  const Real speed = sqrt(metric::squared_length<D>(mean));
  slip.stops = grip > Real(0) && find_mean_friction(speed, grip) == speed;
  for (int k = 0; k < D; ++k) along[k] = d != nullptr ? d[k] : speed > Real(0) ? mean[k] / speed : Real(0);
  for (int k = 0; k < D; ++k) slip.v[k] = (slip.w[k] + slip.r_n * slip.middle.n[k]) - grip * along[k];
  slip.end.project(slip.v, slip.u_end);
}

/// (A6) What a slip piece knows before friction: walls, force, w, μ and r_n. `f_0`: the force at its begin where that
/// is known; null: it is asked for where it is needed. `breaking`: it begins at rest, where stick has broken.
template <int P, class Real, class Model, bool Checked>
CS_HD void predict_slip(Walker<Real, Model, Checked>& m, Real length, const Real* f_0, bool breaking,
                        Slip<Real, Model::dimension>& slip) {
  constexpr int D = Model::dimension;
  const Real half = Real(0.5) * length, t_m = m.t + half;
  Real q_m[D], force[D], v_m[D];
  for (int k = 0; k < D; ++k) q_m[k] = fma(half, m.v[k], m.q[k]);
  m.template see_wall<P>(m.q, m.t, slip.begin);
  m.template see_wall<P>(q_m, t_m, slip.middle);
  slip.begin.project(m.v, slip.u);
  if constexpr (Model::Second::force_uses_velocity) {
    m.look(m.t, m.q, m.v, length);
    if (f_0 == nullptr) Model::force(m.there, force);
  } else {
    m.find_force(t_m, q_m, m.v, length, slip.f);
    if (f_0 == nullptr)
      for (int k = 0; k < D; ++k) force[k] = slip.f[k];
  }
  if (f_0 != nullptr)
    for (int k = 0; k < D; ++k) force[k] = f_0[k];
  // v_m: (P6) half a piece later; where friction stops it before, half of its velocity, its mean until then
  for (int k = 0; k < D; ++k) v_m[k] = fma(half, force[k], m.v[k]);
  const Real w_n = slip.middle.along(v_m);
  if (w_n < Real(0)) {
    Real u_t[D];
    slip.middle.project(v_m, u_t);
    if (!breaking) {
      const Real speed = sqrt(metric::squared_length<D>(u_t));
      const Real share = law::slide_or_stick(speed, Model::template friction<P>(m.there) * -w_n);
      for (int k = 0; k < D; ++k) u_t[k] = share == Real(1) ? Real(0.5) * slip.u[k] : fma(-share, u_t[k], u_t[k]);
    }
    for (int k = 0; k < D; ++k) v_m[k] = slip.middle.c[k] + u_t[k];
  }
  if constexpr (Model::Second::force_uses_velocity)
    m.find_force(t_m, q_m, v_m, length, slip.f);
  else
    for (int k = 0; k < D; ++k) m.there.v[k] = v_m[k];
  slip.mu = Model::template friction<P>(m.there);
  Real q_e[D];
  for (int k = 0; k < D; ++k) {
    slip.w[k] = fma(length, slip.f[k], m.v[k]);
    q_e[k] = fma(length, v_m[k], m.q[k]);
    m.f[k] = slip.f[k];
  }
  m.template see_wall<P>(q_e, m.t + length == m.end ? m.end : m.t + length, slip.end);
  // the turning of the normal, as a drive
  Real turning = Real(0);
  for (int k = 0; k < D; ++k)
    turning =
        turning + (slip.end.n[k] * slip.end.c[k] - (slip.end.n[k] - slip.middle.n[k]) * (Real(2) * v_m[k] - m.v[k]));
  slip.r_n = turning - dot<D>(slip.middle.n, slip.w);
}

/// (A4) Does a piece that leads from v to v_after in `length` meet another wall within `until` of it? Then it ends
/// there, and the member strikes it. P < 0: no wall is closed.
template <int P, class Real, class Model, bool Checked>
CS_HD bool meets_another(Walker<Real, Model, Checked>& m, Real length, Real until, const Real* v_after,
                         FirstMeeting<Real>& first) {
  if constexpr (Model::contacts < 2) {
    (void)m, (void)length, (void)until, (void)v_after, (void)first;
    return false;
  } else {
    bool closed[Model::contacts];
    for (int p = 0; p < Model::contacts; ++p) closed[p] = p == P;
    auto path = make_path(m, length, v_after);
    path.length = until;
    path.end = m.t + until == m.end || until == m.end - m.t ? m.end : m.t + until;
    first = find_first(m, path, closed);
    return first.contact >= 0;
  }
}

/// The piece that would lead from v to v_after in `length` with this force, up to another wall at `first`. more than 5
/// parameters: what a piece is made of.
template <int P, class Real, class Model, bool Checked>
CS_HD PieceEnd end_at_another(Walker<Real, Model, Checked>& m, Real length, const Real* force, const Real* v_after,
                              const FirstMeeting<Real>& first, bool sticks) {
  constexpr int D = Model::dimension;
  const auto path = make_path(m, length, v_after);
  const Real s = first.s, when = s >= m.end - m.t ? m.end : m.t + s;
  Real place[D], arriving[D];
  path.find(s, place);
  for (int k = 0; k < D; ++k) arriving[k] = fma(s / length, v_after[k] - m.v[k], m.v[k]);
  m.template put_on_wall<P>(when, place);
  at_contact<Model>(first.contact, [&](auto p) CS_LAMBDA { m.template put_on_wall<p>(when, place); });
  WallThere<Real, D> wall;
  m.template see_wall<P>(place, when, wall);
  Real u[D];
  wall.project(arriving, u);
  for (int k = 0; k < D; ++k) arriving[k] = wall.c[k] + u[k];
  WallThere<Real, D> mean;
  m.template see_wall<P>(m.q, m.t, mean);
  mean.take_mean(wall);
  m.note_motion(s, force, arriving);
  m.note_contact(P, s, force, arriving, mean.n, mean.c);
  m.note_mode(s, sticks);
  m.go_on(when, place, arriving);
  ++m.events;
  return strike(m, first.contact) ? PieceEnd::event : PieceEnd::stopped;
}

/// (A9) A contact that would pull lets go: the piece is a flight.
template <int P, class Real, class Model, bool Checked>
CS_HD PieceEnd release(Walker<Real, Model, Checked>& m, Real length, Real when, const Real* force, const Real* w) {
  constexpr int D = Model::dimension;
  FirstMeeting<Real> first;
  if (m.events < most_events && meets_another<P>(m, length, length, w, first)) {
    const auto path = make_path(m, length, w);
    Real place[D], arriving[D];
    path.find(first.s, place);
    const Real then = path.time(first.s);
    for (int k = 0; k < D; ++k) arriving[k] = fma(first.s, force[k], m.v[k]);
    at_contact<Model>(first.contact, [&](auto p) CS_LAMBDA { m.template put_on_wall<p>(then, place); });
    m.note_motion(first.s, force, arriving);
    m.go_on(then, place, arriving);
    ++m.events;
    return strike(m, first.contact) ? PieceEnd::event : PieceEnd::stopped;
  }
  Real place[D];
  for (int k = 0; k < D; ++k) place[k] = fma(Real(0.5) * length, m.v[k] + w[k], m.q[k]);
  if (m.template gap<P>(place, when) > Real(0)) m.template put_on_wall<P>(when, place);
  m.note_motion(length, force, w);
  m.go_on(when, place, w);
  return PieceEnd::whole;
}

/// (A6), (A7) The rest of a slip piece, which is known but for friction.
///
/// It is longer than 60 lines: slip that goes on, that ends and that meets another wall share a dozen values.
template <int P, class Real, class Model, bool Checked>
CS_HD PieceEnd finish_slip(Walker<Real, Model, Checked>& m, Real length, bool breaking,
                           Slip<Real, Model::dimension>& slip) {
  constexpr int D = Model::dimension;
  const Real when = m.t + length >= m.end ? m.end : m.t + length;
  if (is_nan(slip.mu)) return m.fail(state::Status::bad_angle), PieceEnd::stopped;
  if (!(slip.r_n > Real(0))) return release<P>(m, length, when, slip.f, slip.w);
  apply_friction(m, static_cast<const Real*>(nullptr), slip);
  Real wall_mean[D], place[D];
  for (int k = 0; k < D; ++k) wall_mean[k] = Real(0.5) * (slip.begin.c[k] + slip.end.c[k]);
  const Real speed = sqrt(metric::squared_length<D>(slip.u)), grip = slip.mu * slip.r_n;
  FirstMeeting<Real> first;

  // (A7) does slip end in this piece?
  if (!breaking && grip > Real(0) && speed > Real(0) && (slip.stops || dot<D>(slip.u, slip.u_end) <= Real(0))) {
    Slip<Real, D> on = slip;
    Real d[D];
    for (int k = 0; k < D; ++k) d[k] = slip.u[k] / speed;
    apply_friction(m, d, on);
    const Real a = dot<D>(d, on.u_end);
    if (!(a >= Real(0) && !slip.stops)) {
      Real s = a >= Real(0) ? length : length * (speed / (speed - a));
      s = min(max(s, Real(0)), length);
      Real u_w[D], v_s[D];
      slip.end.project(slip.w, u_w);
      const bool sticks = sqrt(metric::squared_length<D>(u_w)) <= grip;
      const bool located = m.events < most_events;
      if (!located) {
        // (A11) at the end by (P6)
        s = length;
        m.crowded = true;
      }
      const Real then = s == length ? when : m.t + s;
      const Real share = law::slide_or_stick(sqrt(metric::squared_length<D>(u_w)), grip);
      for (int k = 0; k < D; ++k) {
        const Real c_s = fma(s / length, slip.end.c[k] - slip.begin.c[k], slip.begin.c[k]);
        const Real left = located ? (s / length) * (on.u_end[k] - a * d[k]) : fma(-share, u_w[k], u_w[k]);
        v_s[k] = sticks ? c_s : c_s + left;
      }
      if (m.events < most_events && meets_another<P>(m, length, s, on.v, first))
        return end_at_another<P>(m, length, slip.f, on.v, first, false);
      find_place<P>(m, s, then, v_s, place);
      WallThere<Real, D> wall;
      m.template see_wall<P>(place, then, wall);
      Real rest[D];
      wall.project(v_s, rest);
      for (int k = 0; k < D; ++k) v_s[k] = sticks ? wall.c[k] : wall.c[k] + rest[k];
      m.note_motion(s, slip.f, v_s);
      m.note_contact(P, s, slip.f, v_s, slip.middle.n, wall_mean);
      m.note_mode(s, false);
      m.looks.add(then, place, v_s, v_s);
      m.go_on(then, place, v_s);
      if (s == length) return PieceEnd::whole;
      ++m.events;
      return PieceEnd::event;
    }
  }

  const bool sticks_after_all = breaking && slip.stops;
  if (sticks_after_all)
    for (int k = 0; k < D; ++k) slip.u_end[k] = Real(0);
  Real v_after[D];
  for (int k = 0; k < D; ++k) v_after[k] = slip.end.c[k] + slip.u_end[k];
  if (m.events < most_events && meets_another<P>(m, length, length, v_after, first))
    return end_at_another<P>(m, length, slip.f, v_after, first, sticks_after_all);
  find_place<P>(m, length, when, v_after, place);
  WallThere<Real, D> wall;
  m.template see_wall<P>(place, when, wall);
  Real u[D];
  wall.project(v_after, u);
  for (int k = 0; k < D; ++k) v_after[k] = sticks_after_all ? wall.c[k] : wall.c[k] + u[k];
  m.note_motion(length, slip.f, v_after);
  m.note_contact(P, length, slip.f, v_after, slip.middle.n, wall_mean);
  m.note_mode(length, sticks_after_all);
  m.go_on(when, place, v_after);
  m.s.record.contact[P].stick = sticks_after_all;
  return PieceEnd::whole;
}

/// (A8) What the wall would have to do to what sticks to it: R = ċ - f, and how much of friction is left, σ.
template <class Real, int D>
struct Hold {
  Real n, left;
};
/// The acceleration of a wall's material at both ends of a piece, from its velocities there and in the middle. (Their
/// mean in place of both finds where stick breaks on a wall that turns to first order only.) more than 5 parameters:
/// what a piece is made of.
template <int P, class Real, class Model, bool Checked>
CS_HD void find_wall_rates(const Walker<Real, Model, Checked>& m, Real length,
                           const WallThere<Real, Model::dimension>& here, const WallThere<Real, Model::dimension>& last,
                           const Real* place, Real* first_rate, Real* last_rate) {
  constexpr int D = Model::dimension;
  if constexpr (Model::moves[P]) {
    WallThere<Real, D> middle;
    Real between[D];
    for (int k = 0; k < D; ++k)
      between[k] = Real(0.5) * (m.q[k] + place[k]) + Real(0.125) * length * (here.c[k] - last.c[k]);
    m.template see_wall<P>(between, m.t + Real(0.5) * length, middle);
    for (int k = 0; k < D; ++k) {
      const Real before = middle.c[k] - here.c[k], after = last.c[k] - middle.c[k];
      first_rate[k] = (Real(3) * before - after) / length;
      last_rate[k] = (Real(3) * after - before) / length;
    }
  } else {
    (void)m, (void)length, (void)here, (void)last, (void)place;
    for (int k = 0; k < D; ++k) first_rate[k] = last_rate[k] = Real(0);
  }
}

template <int P, class Real, class Model, bool Checked>
CS_HD Hold<Real, Model::dimension> find_hold(const Walker<Real, Model, Checked>& m, const Real* rate, const Real* force,
                                             const Real* n) {
  constexpr int D = Model::dimension;
  Real r[D];
  for (int k = 0; k < D; ++k) r[k] = rate[k] - force[k];
  const Real r_n = dot<D>(r, n);
  for (int k = 0; k < D; ++k) r[k] = r[k] - r_n * n[k];
  return {r_n, Model::template friction<P>(m.there) * r_n - sqrt(metric::squared_length<D>(r))};
}

/// (A8) A piece that begins at rest on the wall of contact P: it sticks, or breaks. longer than 60 lines: both ask the
/// same walls, forces and rates.
template <int P, class Real, class Model, bool Checked>
CS_HD PieceEnd hold_or_break(Walker<Real, Model, Checked>& m, Real length,
                             const WallThere<Real, Model::dimension>& here) {
  constexpr int D = Model::dimension;
  const Real when = m.t + length >= m.end ? m.end : m.t + length;
  WallThere<Real, D> last = here;
  Real place[D], rate[D], rate_e[D], f_e[D];
  for (int k = 0; k < D; ++k) place[k] = m.q[k];
  if constexpr (Model::moves[P]) {
    for (int k = 0; k < D; ++k) place[k] = fma(length, here.c[k], m.q[k]);
    m.template see_wall<P>(place, when, last);
    for (int k = 0; k < D; ++k) place[k] = fma(Real(0.5) * length, here.c[k] + last.c[k], m.q[k]);
    m.template put_on_wall<P>(when, place);
    m.template see_wall<P>(place, when, last);
  }
  find_wall_rates<P>(m, length, here, last, place, rate, rate_e);
  m.find_force(when, place, last.c, length, f_e);
  const Hold<Real, D> at_end = find_hold<P>(m, rate_e, f_e, last.n);
  FirstMeeting<Real> first;
  if (at_end.n >= Real(0) && at_end.left >= Real(0)) {
    if (Model::moves[P] && m.events < most_events && meets_another<P>(m, length, length, last.c, first))
      return end_at_another<P>(m, length, f_e, last.c, first, true);
    for (int k = 0; k < D; ++k) m.f[k] = f_e[k];
    WallThere<Real, D> mean = here;
    mean.take_mean(last);
    m.note_motion(length, f_e, last.c);
    m.note_contact(P, length, f_e, last.c, mean.n, mean.c);
    m.note_mode(length, true);
    m.go_on(when, place, last.c);
    m.s.record.contact[P].stick = true;
    return PieceEnd::whole;
  }
  if (is_nan(at_end.left)) return m.fail(state::Status::bad_angle), PieceEnd::stopped;
  Real f_0[D];
  m.find_force(m.t, m.q, m.v, length, f_0);
  const Hold<Real, D> at_begin = find_hold<P>(m, rate, f_0, here.n);
  Real s = Real(0);
  if (at_begin.left > Real(0) && m.events < most_events) s = length * (at_begin.left / (at_begin.left - at_end.left));
  if (!(s > Real(1e-11) * m.h)) s = Real(0);
  for (int k = 0; k < D; ++k) f_0[k] = fma(s / length, f_e[k] - f_0[k], f_0[k]);
  if (s > Real(0)) {
    const Real then = m.t + s;
    WallThere<Real, D> wall = here;
    for (int k = 0; k < D; ++k) place[k] = fma(s, fma(Real(0.5) * s, rate[k], here.c[k]), m.q[k]);
    if constexpr (Model::moves[P]) {
      m.template put_on_wall<P>(then, place);
      m.template see_wall<P>(place, then, wall);
    } else {
      for (int k = 0; k < D; ++k) place[k] = m.q[k];
    }
    WallThere<Real, D> mean = here;
    mean.take_mean(wall);
    m.note_motion(s, f_0, wall.c);
    m.note_contact(P, s, f_0, wall.c, mean.n, mean.c);
    m.note_mode(s, true);
    m.looks.add(then, place, wall.c, wall.c);
    m.go_on(then, place, wall.c);
    ++m.events;
  }
  const Real rest = length - s;
  if (!(rest > Real(1e-11) * m.h)) return PieceEnd::whole;
  Slip<Real, D> slip;
  predict_slip<P>(m, rest, f_0, true, slip);
  return finish_slip<P>(m, rest, true, slip);
}

/// A piece in which contact P alone is closed.
template <int P, class Real, class Model, bool Checked>
CS_APART PieceEnd pass_closed(Walker<Real, Model, Checked>& m, Real length) {
  constexpr int D = Model::dimension;
  WallThere<Real, D> here;
  m.template see_wall<P>(m.q, m.t, here);
  if constexpr (Model::Second::rubs(P)) {
    Real u[D];
    here.project(m.v, u);
    const Real noise = m.template find_wall_noise<P>(here);
    if (sqrt(metric::squared_length<D>(u)) <= velocity_tolerance<D>(m.v, noise)) {
      for (int k = 0; k < D; ++k) m.v[k] = here.c[k];
      return hold_or_break<P>(m, length, here);
    }
  }
  Slip<Real, D> slip;
  predict_slip<P>(m, length, static_cast<const Real*>(nullptr), false, slip);
  return finish_slip<P>(m, length, false, slip);
}

}  // namespace conesweep::step
