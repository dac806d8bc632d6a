#pragma once

#include <conesweep/step/walk.hpp>

// A step of second order (A) of members side by side. Lanes to which nothing happens stay in the pack: they fly, or, in
// front of one plane wall at rest, they slip or stick on it. The others leave it for this step, one by one.

namespace conesweep::step {

/// Do members that are closed stay in packs? On one plane wall at rest nothing turns and nothing is put back.
template <class Model>
CS_HD constexpr bool packs_closed() {
  return Model::contacts == 1 && Model::constant_gradient[0] && !Model::moves[0];
}

/// What happens to lanes in a step (A2).
template <class Real>
struct LaneWays {
  MaskOf<Real> leaves;  // the pack
  MaskOf<Real> closed;  // on the plane wall of a model that has just that
  MaskOf<Real> rests;   // and has no sliding velocity there
};

/// (A2) Which lanes are closed, and which leave.
template <class Real, class Model, bool Checked>
CS_INLINE LaneWays<Real> find_ways(Passage<Real, Model, Checked>& s) {
  const MaskOf<Real> never = Real(0) != Real(0);
  LaneWays<Real> ways = {never, never, never};
  const auto& node = s.node;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    const Real g = Model::template constraint<p>(node.q, node.c, node.t);
    const Real steepness = Model::template steepness<p>(node.q, node.c, node.t);
    const MaskOf<Real> near = contact::touches<p, Real, Model>(node.q, false, g, steepness);
    if (!any(near)) return;
    if (any(near && g > Real(0))) {
      s.record.outside = true;
      if constexpr (Model::Standard::penetration)
        s.record.penetration = max(s.record.penetration, contact::depth(near && g > Real(0), g, steepness));
    }
    if constexpr (packs_closed<Model>()) {
      Real n[Model::dimension], u_n = Real(0), square = Real(0);
      Model::template normal<p>(node.q, node.c, node.t, n);
      unroll<Model::dimension>([&](auto c) CS_LAMBDA { u_n = u_n + n[c] * node.v[c]; });
      const Real small = velocity_tolerance<Model::dimension>(node.v, Real(0));
      unroll<Model::dimension>([&](auto c) CS_LAMBDA {
        const Real u = node.v[c] - u_n * n[c];
        square = fma(u, u, square);
      });
      ways.closed = near && abs(u_n) <= small;
      // what is no number leaves
      ways.leaves = near && !(u_n >= -small);
      if constexpr (Model::Second::rubs(p)) ways.rests = ways.closed && sqrt(square) <= small;
    } else {
      ways.leaves = ways.leaves || near;
    }
  });
  return ways;
}

/// Delays and windows of a pack as they are `after` the node, in steps; windows lane by lane.
template <bool Early, class Real, class Model>
CS_INLINE void look_ahead([[maybe_unused]] Member<Real, Model>& m,
                                   [[maybe_unused]] state::Node<Real, Model>& node,
                                   [[maybe_unused]] const Moment<ScalarOf<Real>>& at,
                                   [[maybe_unused]] Real after, [[maybe_unused]] const Real* q,
                                   [[maybe_unused]] const Real* v) {
  if constexpr (Model::lags > 0 && Model::windows == 0) {
    history::look_ahead_in_pack<Early>(m.past(), node, at, after);
  } else if constexpr (Model::lags > 0) {
    using Scalar = ScalarOf<Real>;
    constexpr int lanes = RealTraits<Real>::lanes;
    for (int l = 0; l < lanes; ++l) {
      history::Past<Scalar, Model> past;
      for (int k = 0; k < Model::lags; ++k) past.lag(k).steps = get_lane(m.past().lag(k).steps, l);
      const history::Ring<Scalar> ring = {at.ring.data + l, at.ring.slots, at.ring.stride};
      const Moment<Scalar> here = {at.i, at.now, ring, at.clock};
      state::Node<Scalar, Model> one;
      Scalar constants[at_least_one(Model::constants)], q_one[Model::dimension], v_one[Model::dimension];
      state::take_lane(node, l, one);
      state::take_lane_of<Model::constants>(m.constants(), l, constants);
      state::take_lane_of<Model::dimension>(q, l, q_one);
      state::take_lane_of<Model::dimension>(v, l, v_one);
      one.c = constants;
      history::look_ahead(past, one, {q_one, v_one, Scalar(0), Scalar(1)}, here, get_lane(after, l));
      state::put_lane(one, l, node);
    }
    node.c = m.constants();
  }
}

/// (A4), as a bound: may the flight of a lane meet a wall?
template <class Real, class Model, bool Checked>
CS_INLINE MaskOf<Real> may_meet(const Passage<Real, Model, Checked>& s, const Real* q_after, MaskOf<Real> flies) {
  MaskOf<Real> meets = Real(0) != Real(0);
  const auto& node = s.node;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    const Real g = Model::template constraint<p>(node.q, node.c, node.t);
    const Real g_after = Model::template constraint<p>(q_after, node.c, s.t_next);
    const Real rate = Model::template closing_speed<p>(node.q, node.c, node.t, node.v);
    // in, or out and in again: the parabola's top lies inside
    const Real bend = (g_after - g) - rate * s.h;
    meets = meets || !(g_after <= Real(0)) || (rate > Real(0) && rate * s.h < Real(-2) * bend);
  });
  return meets && flies;
}

/// What the lanes of a pack do that stay in it: (A3), and on a plane (A6) and (A8). Adds lanes that leave after all.
///
/// It is longer than 60 lines: flight, slip and stick share one evaluation of the force.
template <bool Early, class Real, class Model, bool Checked>
CS_INLINE void pass_together(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                             const Moment<ScalarOf<Real>>& at, LaneWays<Real>& ways, Real* q_after) {
  using Scalar = ScalarOf<Real>;
  constexpr int D = Model::dimension;
  const Real half = Real(Scalar(0.5)) * s.h, zero = Real(0);
  const auto& node = s.node;
  state::Node<Real, Model> middle = node;
  Real f_0[D];
  if constexpr (Model::Second::force_uses_velocity) Model::force(node, f_0);
  const MaskOf<Real> rests = ways.rests;
  middle.t = select(rests, s.t_next, node.t + half);
  [[maybe_unused]] Real n[D], mu_0 = zero;
  if constexpr (packs_closed<Model>()) Model::template normal<0>(node.q, node.c, node.t, n);
  unroll<D>([&](auto c) CS_LAMBDA {
    middle.q[c] = select(rests, node.q[c], fma(half, node.v[c], node.q[c]));
    Real v_m = node.v[c];
    if constexpr (Model::Second::force_uses_velocity) v_m = fma(half, f_0[c], v_m);
    middle.v[c] = select(rests, zero, v_m);
  });
  if constexpr (packs_closed<Model>() && Model::Second::force_uses_velocity) {
    // v_m of what slips: (P6) half a step later
    if constexpr (Model::Second::rubs(0)) mu_0 = Model::template friction<0>(node);
    Real w_n = zero, square = zero, u[D];
    unroll<D>([&](auto c) CS_LAMBDA { w_n = w_n + n[c] * middle.v[c]; });
    unroll<D>([&](auto c) CS_LAMBDA {
      u[c] = middle.v[c] - w_n * n[c];
      square = fma(u[c], u[c], square);
    });
    const Real share = law::slide_or_stick(sqrt(square), mu_0 * -w_n);
    const MaskOf<Real> slips = ways.closed && !rests && w_n < zero;
    Real v_n = zero;
    unroll<D>([&](auto c) CS_LAMBDA { v_n = v_n + n[c] * node.v[c]; });
    unroll<D>([&](auto c) CS_LAMBDA {
      const Real slipping = select(share == Real(1), Real(Scalar(0.5)) * (node.v[c] - v_n * n[c]),
                                   fma(-share, u[c], u[c]));
      middle.v[c] = select(slips, slipping, middle.v[c]);
    });
  }
  look_ahead<Early>(m, middle, at, select(rests, Real(1), Real(Scalar(0.5))), node.q, node.v);
  Model::force(middle, s.f);

  // (A3) flight
  Real v_after[D];
  unroll<D>([&](auto c) CS_LAMBDA {
    s.w[c] = fma(s.h, s.f[c], node.v[c]);
    v_after[c] = s.w[c];
    q_after[c] = fma(half, node.v[c] + s.w[c], node.q[c]);
  });
  MaskOf<Real> flies = !ways.closed;
  if constexpr (packs_closed<Model>()) {
    if (any(ways.closed)) {
      Real w_n = zero, mean[D], square = zero, turn = zero, v_n = zero;
      unroll<D>([&](auto c) CS_LAMBDA { w_n = w_n + n[c] * s.w[c], v_n = v_n + n[c] * node.v[c]; });
      const Real r_n = -w_n;
      // (A8) what sticks has friction to spare at its end
      Real pull = zero, f_n = zero;
      unroll<D>([&](auto c) CS_LAMBDA { f_n = f_n + n[c] * s.f[c]; });
      unroll<D>([&](auto c) CS_LAMBDA {
        const Real along = s.f[c] - f_n * n[c];
        pull = fma(along, along, pull);
      });
      Real mu = zero;
      if constexpr (Model::Second::rubs(0)) {
        if constexpr (!Model::Second::force_uses_velocity && Model::Second::friction_uses_velocity(0)) {
          // μ at v_m, which forces have not asked for
          mu_0 = Model::template friction<0>(middle);
          Real half_n = zero, squared = zero, u[D];
          unroll<D>([&](auto c) CS_LAMBDA { half_n = half_n + n[c] * fma(half, s.f[c], node.v[c]); });
          unroll<D>([&](auto c) CS_LAMBDA {
            u[c] = fma(half, s.f[c], node.v[c]) - half_n * n[c];
            squared = fma(u[c], u[c], squared);
          });
          const Real share = law::slide_or_stick(sqrt(squared), mu_0 * -half_n);
          const MaskOf<Real> slips = ways.closed && !rests && half_n < zero;
          unroll<D>([&](auto c) CS_LAMBDA {
            const Real slipping = select(share == Real(1), Real(Scalar(0.5)) * (node.v[c] - v_n * n[c]),
                                         fma(-share, u[c], u[c]));
            middle.v[c] = select(slips, slipping, middle.v[c]);
          });
        }
        mu = Model::template friction<0>(middle);
      }
      const MaskOf<Real> holds = rests && -f_n >= zero && mu * -f_n >= sqrt(pull);
      // (A6) slip; what lets go flies
      unroll<D>([&](auto c) CS_LAMBDA { mean[c] = Real(Scalar(0.5)) * (node.v[c] + s.w[c]); });
      Real mean_n = zero;
      unroll<D>([&](auto c) CS_LAMBDA { mean_n = mean_n + n[c] * mean[c]; });
      unroll<D>([&](auto c) CS_LAMBDA {
        mean[c] = mean[c] - mean_n * n[c];
        square = fma(mean[c], mean[c], square);
      });
      const Real speed = sqrt(square), grip = mu * r_n;
      const Real along = select(speed > zero, grip / speed, zero);
      Real v_slip[D], slip_n = zero;
      unroll<D>([&](auto c) CS_LAMBDA {
        v_slip[c] = (s.w[c] + r_n * n[c]) - along * mean[c];
        slip_n = slip_n + n[c] * v_slip[c];
      });
      unroll<D>([&](auto c) CS_LAMBDA {
        v_slip[c] = v_slip[c] - slip_n * n[c];
        turn = fma(node.v[c] - v_n * n[c], v_slip[c], turn);
      });
      const MaskOf<Real> slips = ways.closed && !rests && r_n > zero;
      // (A7) where slip may end the lane leaves, and so does what breaks loose, and what a bad μ stops
      const MaskOf<Real> goes_on = !(grip > zero) || (speed > Real(Scalar(0.5)) * grip && turn > zero);
      ways.leaves = ways.leaves || (rests && !holds) || (slips && !goes_on) || (ways.closed && is_nan(grip));
      unroll<D>([&](auto c) CS_LAMBDA {
        v_after[c] = select(holds, zero, select(slips, v_slip[c], v_after[c]));
        const Real place = fma(half, node.v[c] + v_slip[c], node.q[c]);
        q_after[c] = select(holds, node.q[c], select(slips, place, q_after[c]));
      });
      flies = !(holds || slips);
      // rounding takes what slips along an oblique wall off it
      const Real g = Model::template constraint<0>(q_after, node.c, s.t_next);
      Real size = Real(1);
      unroll<D>([&](auto c) CS_LAMBDA { size = size + abs(q_after[c]); });
      const Real steepness = Model::template steepness<0>(q_after, node.c, s.t_next);
      const MaskOf<Real> off = slips && abs(g) > Real(Scalar(is_double<Real> ? 8.9e-16 : 4.8e-7)) * size * steepness;
      if (any(off))
        unroll<D>([&](auto c) CS_LAMBDA {
          q_after[c] = select(off, fma(g / steepness, n[c], q_after[c]), q_after[c]);
        });
      // what both leave for observers
      auto& record = s.record.contact[0];
      const MaskOf<Real> acts = holds || slips;
      Real r[D];
      unroll<D>([&](auto c) CS_LAMBDA { r[c] = (v_after[c] - node.v[c]) - s.h * s.f[c]; });
      record.active = acts;
      record.stick = holds;
      record.r_n = select(acts, select(holds, s.h * -f_n, r_n), zero);
      record.work = select(acts, metric::along_mean<D>(r, node.v, v_after), zero);
      auto& pieces = s.record.pieces();
      pieces.stick = select(holds, Real(1), zero);
      pieces.slip = select(slips, Real(1), zero);
      pieces.first = select(acts, node.t, pieces.first);
    }
  }
  ways.leaves = ways.leaves || may_meet(s, q_after, flies);
  auto& joint = s.record.joint();
  if constexpr (Model::Standard::variation) joint.change = metric::distance<D>(node.v, v_after);
  if constexpr (Model::Standard::work) joint.force_work = s.h * metric::along_mean<D>(s.f, node.v, v_after);
  unroll<D>([&](auto c) CS_LAMBDA { s.v.value[c] = v_after[c]; });
  s.v.forget_low();
  if constexpr (Checked)
    unroll<D>([&](auto c) CS_LAMBDA {
      note_reason(s.record.reason.value, !is_finite(s.w[c]) && !ways.leaves, Status::non_finite);
    });
}

/// The whole step of one lane by itself, piece by piece.
template <class Real, class Model, bool Checked>
CS_APART void walk_lane(Member<Real, Model>& m, Passage<Real, Model, Checked>& s, const Moment<ScalarOf<Real>>& at,
                        int lane, Real* q_after, state::Looks<ScalarOf<Real>, Model>& looks) {
  using Scalar = ScalarOf<Real>;
  constexpr int D = Model::dimension;
  Passage<Scalar, Model, Checked> one;
  Scalar constants[at_least_one(Model::constants)];
  state::take_lane(s, lane, one);
  state::take_lane_of<Model::constants>(s.node.c, lane, constants);
  one.node.c = constants;
  const Scalar penetration = one.record.penetration;
  one.record.start();
  one.record.penetration = penetration;
  one.record.outside = s.record.outside;
  history::Past<Scalar, Model> past;
  if constexpr (Model::lags > 0)
    for (int k = 0; k < Model::lags; ++k) past.lag(k).steps = get_lane(m.past().lag(k).steps, lane);
  const history::Ring<Scalar> ring = {at.ring.data + lane, at.ring.slots, at.ring.stride};
  const Moment<Scalar> here = {at.i, at.now, ring, at.clock};
  Walker<Scalar, Model, Checked> walker = {one, past, here, looks, one.node.t, one.node.t, get_lane(s.t_next, lane),
                                           at.clock.h, {}, {}};
  looks.count = 0;
  for (int k = 0; k < D; ++k) walker.q[k] = one.node.q[k], walker.v[k] = one.node.v[k], walker.f[k] = Scalar(0);
  walk(walker);
  if (walker.crowded) one.record.joint().crowded = Scalar(1);
  for (int k = 0; k < D; ++k) {
    one.v.value[k] = walker.v[k];
    set_lane(q_after[k], lane, walker.q[k]);
  }
  one.v.forget_low();
  state::put_lane(one, lane, s);
  s.record.outside = s.record.outside || one.record.outside;
}

/// A step of second order: s.v and q_after from s.node. Returns true if a contact did something in some lane. `looks`:
/// of every lane, what observers see between the nodes.
template <bool Early, class Real, class Model, bool Checked>
CS_INLINE bool pass_second(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                           const Moment<ScalarOf<Real>>& at, Real* q_after,
                           state::Looks<ScalarOf<Real>, Model>* looks) {
  constexpr int lanes = RealTraits<Real>::lanes;
  s.record.start();
  if constexpr (Model::Laws::uses_laws)
    unroll<state::count_laws<Model>()>([&](auto law) CS_LAMBDA { s.impulses()[law] = Real(0); });
  LaneWays<Real> ways = find_ways(s);
  pass_together<Early>(m, s, at, ways, q_after);
  if constexpr (observe::sees_between<Model>())
    for (int l = 0; l < lanes; ++l) looks[l].count = 0;
  if constexpr (Model::contacts > 0) {
    if (any(ways.leaves)) {
      const Real which = select(ways.leaves, Real(1), Real(0));
      [[maybe_unused]] state::Looks<ScalarOf<Real>, Model> unseen;
      for (int l = 0; l < lanes; ++l)
        if (get_lane(which, l) != ScalarOf<Real>(0))
          walk_lane(m, s, at, l, q_after, observe::sees_between<Model>() ? looks[l] : unseen);
      return true;
    }
  }
  if constexpr (packs_closed<Model>())
    return any(ways.closed);
  else
    return false;
}

/// (A14) What reducers see of a lane between its nodes, once they have seen the node where the step began.
template <class Real, class Model>
CS_APART void see_between(Member<Real, Model>& m, const state::Node<Real, Model>& begin,
                          const Moment<ScalarOf<Real>>& at, const Real* q_after, const Real* v_after, int lane,
                          const state::Looks<ScalarOf<Real>, Model>& looks) {
  using Scalar = ScalarOf<Real>;
  using Node = state::Node<Scalar, Model>;
  constexpr int D = Model::dimension, laws = state::count_laws<Model>();
  Node from;
  Scalar constants[at_least_one(Model::constants)], q[D], v[D];
  [[maybe_unused]] Scalar normal[at_least_one(laws)], slip[at_least_one(laws)];
  state::take_lane(begin, lane, from);
  state::take_lane_of<Model::constants>(begin.c, lane, constants);
  from.c = constants;
  if constexpr (Model::Laws::uses_laws) {
    state::take_lane_of<laws>(m.law_normal(), lane, normal);
    state::take_lane_of<laws>(m.law_slip(), lane, slip);
    from.laws() = {normal, slip};
  }
  state::take_lane_of<D>(q_after, lane, q);
  state::take_lane_of<D>(v_after, lane, v);
  [[maybe_unused]] history::Past<Scalar, Model> past;
  if constexpr (Model::lags > 0)
    for (int k = 0; k < Model::lags; ++k) past.lag(k).steps = get_lane(m.past().lag(k).steps, lane);
  const history::Ring<Scalar> ring = {at.ring.data + lane, at.ring.slots, at.ring.stride};
  const Moment<Scalar> here = {at.i, at.now, ring, at.clock};
  const Scalar end = Scalar(at.i + 1) * at.clock.h;
  const auto node_at = [&](Scalar t, const Scalar* q_there, const Scalar* v_there) {
    Node node = from;
    node.t = t;
    for (int k = 0; k < D; ++k) node.q[k] = q_there[k], node.v[k] = v_there[k];
    if constexpr (Model::lags > 0) {
      const Scalar after = t == end ? Scalar(1) : (t - from.t) / at.clock.h;
      history::look_ahead(past, node, {from.q, from.v, Scalar(0), Scalar(1)}, here, after);
    }
    return node;
  };
  observe::Reduced<Scalar, Model> one;
  state::take_lane(m.reduced(), lane, one);
  one.see_looks(from, node_at(end, q, v), looks, Scalar(at.i), at.clock.h, node_at);
  state::put_lane(one, lane, m.reduced());
}

}  // namespace conesweep::step
