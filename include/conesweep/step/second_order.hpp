#pragma once

#include <conesweep/step/leaving_lanes.hpp>

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
      Real u_n, u_t[Model::dimension], speed;
      Model::template split<p>(node.q, node.c, node.t, node.v, u_n, u_t, speed);
      const Real square = metric::squared_length<Model::dimension>(u_t);
      // velocities below the least tolerance are 0 whatever |v| is; mostly that decides
      const Real least = Real(ScalarOf<Real>(is_double<Real> ? 1e-12 : 1e-6)), least_square = least * least;
      ways.closed = near && abs(u_n) <= least;
      ways.rests = ways.closed && square <= least_square;
      Real most = Real(1);
      unroll<Model::dimension>([&](auto c) CS_LAMBDA { most = most + abs(node.v[c]); });
      most = least * most;
      const Real most_square = most * most;
      if (any(near && ((abs(u_n) > least && abs(u_n) <= most) || (square > least_square && square <= most_square)))) {
        const Real small = velocity_tolerance<Model::dimension>(node.v, Real(0));
        ways.closed = near && abs(u_n) <= small;
        ways.rests = ways.closed && sqrt(square) <= small;
      }
      if constexpr (!Model::Second::rubs(p)) ways.rests = never;
      // what is struck leaves, and what is no number
      ways.leaves = near && !ways.closed && !(u_n > Real(0));
    } else {
      ways.leaves = ways.leaves || near;
    }
  });
  return ways;
}

enum class LookFrom { node, middle };

/// Delays and windows of a pack in the middle of the step, or in lanes that are `at_end` there; windows lane by lane.
template <bool Early, class Real, class Model>
CS_INLINE void look_ahead([[maybe_unused]] Member<Real, Model>& m, [[maybe_unused]] state::Node<Real, Model>& node,
                          [[maybe_unused]] const Moment<ScalarOf<Real>>& at, [[maybe_unused]] LookFrom from,
                          [[maybe_unused]] MaskOf<Real> at_end) {
  if constexpr (Model::lags > 0 && Model::windows == 0) {
    if (from == LookFrom::node)
      history::look_from_node<Early>(m.past(), node, at);
    else
      history::look_from_middle<Early>(m.past(), node, at, at_end);
  } else if constexpr (Model::lags > 0) {
    using Scalar = ScalarOf<Real>;
    const Real after = from == LookFrom::node ? Real(0) : select(at_end, Real(1), Real(Scalar(0.5)));
    for (int l = 0; l < RealTraits<Real>::lanes; ++l) {
      history::Past<Scalar, Model> past;
      for (int k = 0; k < Model::lags; ++k) past.lag(k).steps = get_lane(m.past().lag(k).steps, l);
      const history::Ring<Scalar> ring = {at.ring.data + l, at.ring.slots, at.ring.stride};
      const Moment<Scalar> here = {at.i, at.now, ring, at.clock};
      state::Node<Scalar, Model> one;
      Scalar constants[at_least_one(Model::constants)], q_one[Model::dimension], v_one[Model::dimension];
      state::take_lane(node, l, one);
      state::take_lane_of<Model::constants>(m.constants(), l, constants);
      state::take_lane_of<Model::dimension>(m.q.value, l, q_one);
      state::take_lane_of<Model::dimension>(m.v.value, l, v_one);
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

/// (A6) v_m of the lanes that slip on the plane wall, from w half a step later: by (P6); where friction stops it
/// before, half of its velocity.
template <class Real, class Model>
CS_INLINE void predict_slipping(const state::Node<Real, Model>& node, Real* v_m, Real mu, const LaneWays<Real>& ways) {
  using Scalar = ScalarOf<Real>;
  constexpr int D = Model::dimension;
  Real w_n, w_t[D], speed, v_n, v_t[D], slipping[D], joined[D];
  [[maybe_unused]] Real length;
  Model::template split<0>(node.q, node.c, node.t, v_m, w_n, w_t, speed);
  Model::template split<0>(node.q, node.c, node.t, node.v, v_n, v_t, length);
  const Real share = law::slide_or_stick(speed, mu * -w_n);
  unroll<D>([&](auto c) CS_LAMBDA {
    slipping[c] = select(share == Real(1), Real(Scalar(0.5)) * v_t[c], fma(-share, w_t[c], w_t[c]));
  });
  Model::template join<0>(node.q, node.c, node.t, slipping, Real(0), joined);
  const MaskOf<Real> slips = ways.closed && !ways.rests && w_n < Real(0);
  unroll<D>([&](auto c) CS_LAMBDA { v_m[c] = select(slips, joined[c], v_m[c]); });
}

/// What the lanes of a pack do that stay in it: (A3), and on a plane (A6) and (A8). Adds lanes that leave after all.
///
/// It is longer than 60 lines: flight, slip and stick share one evaluation of the force.
template <bool Early, class Real, class Model, bool Checked>
CS_INLINE void pass_together(Member<Real, Model>& m, Passage<Real, Model, Checked>& s, const Moment<ScalarOf<Real>>& at,
                             LaneWays<Real>& ways, Real* q_after) {
  using Scalar = ScalarOf<Real>;
  constexpr int D = Model::dimension;
  const Real half = Real(Scalar(0.5)) * s.h, zero = Real(0);
  const auto& node = s.node;
  state::Node<Real, Model> middle = node;
  Real f_0[D];
  if constexpr (Model::Second::force_uses_velocity) Model::force(node, f_0);
  const MaskOf<Real> rests = ways.rests;
  middle.t = select(rests, s.t_next, node.t + half);
  [[maybe_unused]] Real mu_0 = zero;
  unroll<D>([&](auto c) CS_LAMBDA {
    middle.q[c] = select(rests, node.q[c], fma(half, node.v[c], node.q[c]));
    Real v_m = node.v[c];
    if constexpr (Model::Second::force_uses_velocity) v_m = fma(half, f_0[c], v_m);
    middle.v[c] = select(rests, zero, v_m);
  });
  if constexpr (packs_closed<Model>() && Model::Second::force_uses_velocity) {
    // v_m of what slips: (P6) half a step later
    if constexpr (Model::Second::rubs(0)) mu_0 = Model::template friction<0>(node);
    predict_slipping(node, middle.v, mu_0, ways);
  }
  look_ahead<Early>(m, middle, at, LookFrom::middle, rests);
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
      Real w_n, w_t[D], v_n, v_t[D], f_n, f_t[D], mean_n, mean_t[D], mean[D], speed, pull;
      [[maybe_unused]] Real length;
      Model::template split<0>(node.q, node.c, node.t, s.w, w_n, w_t, length);
      Model::template split<0>(node.q, node.c, node.t, node.v, v_n, v_t, length);
      Model::template split<0>(node.q, node.c, node.t, s.f, f_n, f_t, pull);
      const Real r_n = -w_n;
      Real mu = zero;
      if constexpr (Model::Second::rubs(0)) {
        if constexpr (!Model::Second::force_uses_velocity && Model::Second::friction_uses_velocity(0)) {
          // μ at v_m, which forces have not asked for
          mu_0 = Model::template friction<0>(middle);
          Real v_m[D];
          unroll<D>([&](auto c) CS_LAMBDA { v_m[c] = fma(half, s.f[c], node.v[c]); });
          predict_slipping(node, v_m, mu_0, ways);
          unroll<D>([&](auto c) CS_LAMBDA { middle.v[c] = select(rests, middle.v[c], v_m[c]); });
        }
        mu = Model::template friction<0>(middle);
      }
      // (A8) what sticks has friction to spare at its end
      MaskOf<Real> holds = rests;
      if (any(rests)) holds = rests && -f_n >= zero && mu * -f_n >= pull;
      // (A6) slip; what lets go flies
      unroll<D>([&](auto c) CS_LAMBDA { mean[c] = Real(Scalar(0.5)) * (node.v[c] + s.w[c]); });
      Model::template split<0>(node.q, node.c, node.t, mean, mean_n, mean_t, speed);
      const Real grip = mu * r_n, along = select(speed > zero, grip / speed, zero);
      Real v_slip[D], turn = zero;
      unroll<D>([&](auto c) CS_LAMBDA {
        v_slip[c] = fma(-along, mean_t[c], w_t[c]);
        turn = fma(v_t[c], v_slip[c], turn);
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
      if (any(off)) {
        Real n[D];
        Model::template normal<0>(node.q, node.c, node.t, n);
        unroll<D>([&](auto c)
                      CS_LAMBDA { q_after[c] = select(off, fma(g / steepness, n[c], q_after[c]), q_after[c]); });
      }
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
      note_reason(s.record.reason.value, !is_finite(s.w[c]) && !ways.leaves, state::Status::non_finite);
    });
}

/// How a step of second order went.
enum class Second { alone, closed, left };  // nothing touches; some lanes are closed; some have left the pack

/// A step of second order: s.v and q_after from s.node. more than 5 parameters: what it hands over stays in registers.
template <bool Early, class Real, class Model, bool Checked>
CS_INLINE Second pass_second(Member<Real, Model>& m, Passage<Real, Model, Checked>& s, const Moment<ScalarOf<Real>>& at,
                             Real* q_after, Leaving<Real, Model>& leaving,
                             [[maybe_unused]] LooksOfLanes<Real, Model>& looks) {
  using Scalar = ScalarOf<Real>;
  s.record.start();
  if constexpr (Model::Laws::uses_laws)
    unroll<state::count_laws<Model>()>([&](auto law) CS_LAMBDA { s.impulses()[law] = Real(0); });
  LaneWays<Real> ways = find_ways(s);
  pass_together<Early>(m, s, at, ways, q_after);
  if constexpr (Model::contacts > 0) {
    if (__builtin_expect(any(ways.leaves), 0)) {
      Passage<Real, Model, Checked> copy = s;
      leaving.take(m);
      copy.node.c = leaving.constants;
      unroll<Model::dimension>([&](auto c) CS_LAMBDA { leaving.q[c] = q_after[c]; });
      const history::Ring<Scalar> ring = at.ring;
      const Moment<Scalar> here = {at.i, at.now, ring, at.clock};
      [[maybe_unused]] state::Looks<Scalar, Model> unseen;
      for (int l = 0; l < RealTraits<Real>::lanes; ++l) {
        const bool leaves = get_lane(select(ways.leaves, Real(1), Real(0)), l) != Scalar(0);
        if constexpr (observe::sees_between<Model>()) {
          looks.entries[l].count = 0;
          if (leaves) walk_lane(copy, leaving, here, l, looks.entries[l]);
        } else if (leaves) {
          walk_lane(copy, leaving, here, l, unseen);
        }
      }
      s = copy;
      s.node.c = m.constants();
      unroll<Model::dimension>([&](auto c) CS_LAMBDA { q_after[c] = leaving.q[c]; });
      return Second::left;
    }
  }
  return packs_closed<Model>() && any(ways.closed) ? Second::closed : Second::alone;
}

}  // namespace conesweep::step
