#pragma once

#include <conesweep/contact/solve.hpp>
#include <conesweep/history/look_ahead.hpp>
#include <conesweep/state/looks.hpp>

// Order two (section A), one member at a time: a step is done in pieces, each evaluated anew where the last one ended.

namespace conesweep::step {

using history::Moment;
using state::Passage;

/// (A11) So many events a step are located.
enum EventLimit : int { most_events = 6 };

/// A wall at a place: its inward normal, and the velocity of its material there.
template <class Real, int D>
struct WallThere {
  Real n[D], c[D];
  Real steepness;

  /// Velocities relative to the wall: u = v - c, along the normal and along the wall.
  CS_HD Real along(const Real* v) const {
    Real sum = Real(0);
    for (int k = 0; k < D; ++k) sum = sum + n[k] * (v[k] - c[k]);
    return sum;
  }
  /// Of this one, where a piece begins, and that where it ends.
  CS_HD void take_mean(const WallThere& other) {
    for (int k = 0; k < D; ++k) n[k] = Real(0.5) * (n[k] + other.n[k]), c[k] = Real(0.5) * (c[k] + other.c[k]);
  }
  CS_HD void project(const Real* v, Real* u) const {
    const Real u_n = along(v);
    for (int k = 0; k < D; ++k) u[k] = (v[k] - c[k]) - u_n * n[k];
  }
};

template <int D, class Real>
CS_HD Real dot(const Real* a, const Real* b) {
  Real sum = Real(0);
  for (int k = 0; k < D; ++k) sum = sum + a[k] * b[k];
  return sum;
}

template <class Real, class Model>
CS_HD constexpr Real relative_tolerance() {
  return Real(is_double<Real> ? 1e-12 : 1e-6);
}

/// (A2) Velocities below this are 0. `wall`: 4 ulp(t)|ċ| of a wall that moves.
template <int D, class Real>
CS_HD Real velocity_tolerance(const Real* v, Real wall) {
  return Real(is_double<Real> ? 1e-12 : 1e-6) * (Real(1) + sqrt(metric::squared_length<D>(v))) + wall;
}

/// A member on its way from node i to node i + 1.
template <class Real, class Model, bool Checked>
struct Walker {
  static constexpr int D = Model::dimension;

  Passage<Real, Model, Checked>& s;         // the step: its node i, and its record, to which pieces add
  const history::Past<Real, Model>& past;   //
  const Moment<Real>& at;                   // node i
  state::Looks<Real, Model>& looks;         // what observers see between nodes
  Real t, begin, end, h;                    // now; of the step
  Real q[D], v[D];                          // where the member is, and its velocity
  state::Node<Real, Model> there = s.node;  // what names mean where formulas are asked
  Real f[D];                                // the newest force
  int events = 0;
  bool crowded = false;

  CS_HD const Real* constants() const { return s.node.c; }

  /// Names mean this time, place and velocity, in a piece of this length that begins where the member is.
  CS_HD void look(Real when, const Real* q_then, const Real* v_then, [[maybe_unused]] Real length) {
    there.t = when;
    for (int k = 0; k < D; ++k) there.q[k] = q_then[k], there.v[k] = v_then[k];
    if constexpr (Model::lags > 0) {
      const history::PieceBegin<Real> piece = {q, v, (t - begin) / h, length / h};
      history::look_ahead(past, there, piece, at, when == end ? Real(1) : (when - begin) / h);
    }
  }
  CS_HD void find_force(Real when, const Real* q_then, const Real* v_then, Real length, Real* force) {
    look(when, q_then, v_then, length);
    Model::force(there, force);
  }

  template <int P>
  CS_HD Real gap(const Real* place, Real when) const {
    return Model::template constraint<P>(place, constants(), when);
  }
  template <int P>
  CS_HD void see_wall(const Real* place, Real when, WallThere<Real, D>& wall) const {
    wall.steepness = Model::template steepness<P>(place, constants(), when);
    Model::template normal<P>(place, constants(), when, wall.n);
    if constexpr (Model::moves[P])
      Model::template wall_velocity<P>(place, constants(), when, when, Real(0), wall.c);
    else
      for (Real& part : wall.c) part = Real(0);
  }
  /// What rounding of the time does to the velocity of a wall that moves.
  template <int P>
  CS_HD Real find_wall_noise([[maybe_unused]] const WallThere<Real, D>& wall) const {
    if constexpr (Model::moves[P]) {
      WallThere<Real, D> later;
      see_wall<P>(q, end, later);
      const Real ulps = Real(is_double<Real> ? 8.9e-16 : 4.8e-7);
      return ulps * abs(t) * (metric::distance<D>(wall.c, later.c) / h);
    } else {
      return Real(0);
    }
  }
  /// (B5) on one wall; what is off by rounding stays where it is.
  template <int P>
  CS_HD void put_on_wall(Real when, Real* place) const {
    for (int round = 0; round < 2; ++round) {
      const Real g = gap<P>(place, when);
      Real size = Real(1);
      for (int k = 0; k < D; ++k) size = size + abs(place[k]);
      const Real steepness = Model::template steepness<P>(place, constants(), when);
      if (!(abs(g) > Real(is_double<Real> ? 8.9e-16 : 4.8e-7) * size * steepness)) return;
      Real n[D];
      Model::template normal<P>(place, constants(), when, n);
      for (int k = 0; k < D; ++k) place[k] = fma(g / steepness, n[k], place[k]);
    }
  }

  // ---- what a piece leaves for observers ----

  /// (O6) Forces in a piece of this length, which ends with the velocity v_after.
  CS_HD void note_motion(Real length, const Real* force, const Real* v_after) {
    auto& joint = s.record.joint();
    joint.force_work = joint.force_work + length * metric::along_mean<D>(force, v, v_after);
    joint.change = joint.change + metric::distance<D>(v, v_after);
  }
  /// Contact P in it: its impulse is what forces have not done; `wall`: the mean velocity of its material. more than 5
  /// parameters: what a piece is made of.
  CS_HD void note_contact(int p, Real length, const Real* force, const Real* v_after, const Real* n, const Real* wall) {
    Real r[D];
    for (int k = 0; k < D; ++k) r[k] = (v_after[k] - v[k]) - length * force[k];
    auto& record = s.record.contact[p];
    const Real drive = dot<D>(r, wall), r_n = dot<D>(r, n);
    record.r_n = record.r_n + r_n;
    record.work = record.work + (metric::along_mean<D>(r, v, v_after) - drive);
    record.drive = record.drive + drive;
    record.active = record.active || r_n > Real(0);
  }
  /// Everything that is closed sticks, or something slips, for so long.
  CS_HD void note_mode(Real length, bool sticks) {
    auto& pieces = s.record.pieces();
    (sticks ? pieces.stick : pieces.slip) = (sticks ? pieces.stick : pieces.slip) + length / h;
    pieces.first = min(pieces.first, t);
  }
  /// The member goes on from there.
  CS_HD void go_on(Real when, const Real* place, const Real* velocity) {
    t = when;
    for (int k = 0; k < D; ++k) q[k] = place[k], v[k] = velocity[k];
  }
  CS_HD bool fail([[maybe_unused]] state::Status why) {
    for (Real& part : v) part = canonical_nan<Real>();
    if constexpr (Checked) state::note_reason(s.record.reason.value, true, why);
    return false;
  }
};

}  // namespace conesweep::step
