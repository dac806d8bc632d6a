#pragma once

#include <conesweep/contact/solve.hpp>
#include <conesweep/history/look_within.hpp>
#include <conesweep/step/arrival.hpp>
#include <conesweep/step/member.hpp>
#include <conesweep/step/tell.hpp>

// (P5) of a particle whose impacts are located (I): lanes that meet a wall leave the pack one by one.

namespace conesweep::step {

using history::Moment;
using state::Passage;

/// (P5) q + h v.
template <class Real, int N>
CS_INLINE void go(Real h, const Real* v, math::Sums<Real, N>& q) {
  unroll<N>([&](auto c) CS_LAMBDA {
    math::Sum<Real> position = q.get(c);
    position.add_product(h, v[c]);
    q.set(c, position);
  });
}

/// Delays and windows of one lane, as they are `after` the node (B6).
template <class Real, class Model>
CS_INLINE void look_from_arrival([[maybe_unused]] Member<Real, Model>& m,
                                 [[maybe_unused]] state::Node<ScalarOf<Real>, Model>& node,
                                 [[maybe_unused]] const Moment<ScalarOf<Real>>& at,
                                 [[maybe_unused]] ScalarOf<Real> after, [[maybe_unused]] int lane) {
  if constexpr (Model::lags > 0) {
    using Scalar = ScalarOf<Real>;
    history::Past<Scalar, Model> past;
    for (int k = 0; k < Model::lags; ++k) past.lag(k).steps = get_lane(m.past().lag(k).steps, lane);
    const history::Ring<Scalar> ring = {at.ring.data + lane, at.ring.slots, at.ring.stride};
    const Moment<Scalar> here = {at.i, at.now, ring, at.clock};
    history::look_within(past, node, here, Scalar(at.i) + after / at.clock.h);
  }
}

/// Adds what contacts did at an arrival to the step's record.
template <class Real, class Model, bool Checked>
CS_HD void add_arrival(const Passage<ScalarOf<Real>, Model, Checked>& one, int lane, Passage<Real, Model, Checked>& s) {
  using Scalar = ScalarOf<Real>;
  Real here = Real(0);
  set_lane(here, lane, Scalar(1));
  const MaskOf<Real> is_here = here != Real(0), never = Real(0) != Real(0);
  for (int p = 0; p < Model::contacts; ++p) {
    const auto& from = one.record.contact[p];
    auto& to = s.record.contact[p];
    if (!from.active) continue;
    const bool known = get_lane(to.active, lane);
    const auto add = [&](Real& sum, Scalar more) { set_lane(sum, lane, known ? get_lane(sum, lane) + more : more); };
    if (!known) {
      set_lane(to.u_n_before, lane, from.u_n_before);
      set_lane(to.force_n, lane, from.force_n);
    }
    add(to.r_n, from.r_n);
    if constexpr (Model::Standard::dissipated || Model::Standard::drive_work || Model::contacts > 1) {
      add(to.work, from.work);
      add(to.drive, from.drive);
    }
    to.active = to.active || is_here;
    to.stick = (to.stick && !is_here) || (from.stick ? is_here : never);
  }
  auto& joint = s.record.joint();
  const auto& more = one.record.joint();
  set_lane(joint.painleve, lane, min(get_lane(joint.painleve, lane), more.painleve));
  set_lane(joint.hyperstatic, lane, max(get_lane(joint.hyperstatic, lane), more.hyperstatic));
  if constexpr (Checked) {
    Scalar reason = get_lane(s.record.reason.value, lane);
    if (reason == Scalar(0)) reason = one.record.reason.value;
    set_lane(s.record.reason.value, lane, reason);
    set_lane(joint.residual, lane, max(get_lane(joint.residual, lane), more.residual));
  }
}

/// (I1) … (I4) for one lane, from the node to the end of the step.
template <class Real, class Model, bool Checked>
CS_APART void pass_way_of_lane(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                               const Moment<ScalarOf<Real>>& at, int lane) {
  using Scalar = ScalarOf<Real>;
  constexpr int D = Model::dimension;
  Passage<Scalar, Model, Checked> one;
  Scalar constants[at_least_one(Model::constants)];
  state::take_lane(s, lane, one);
  state::take_lane_of<Model::constants>(s.node.c, lane, constants);
  one.node.c = constants;
  math::Sums<Scalar, D> q;
  state::take_lane(m.q, lane, q);
  const Scalar h = at.clock.h, begin = one.node.t, end = get_lane(s.t_next, lane);
  one.h = Scalar(0);  // an arrival has no length
  for (int c = 0; c < D; ++c) {
    one.arrival().push[c] = h * get_lane(s.f[c], lane);
    one.f[c] = Scalar(0);
  }
  Scalar before[D], jumped[D], jumps = Scalar(0), gone = Scalar(0);  // jumped: what impacts changed of the velocity
  for (int c = 0; c < D; ++c) before[c] = one.node.v[c], jumped[c] = Scalar(0);
  for (int found = 0;; ++found) {
    const Way<Scalar, Model> way = {q, one.v.value, constants, one.node.t, h - gone, end};
    const Meeting<Scalar> next = find_first_meeting(one, way);
    if (next.contact < 0) break;
    if (found == most_arrivals) {
      set_lane(s.record.joint().crowded, lane, Scalar(1));
      break;
    }
    go(next.after, one.v.value, q);
    gone = gone + next.after;
    one.node.t = one.t_next = begin + gone;
    for (int c = 0; c < D; ++c) one.node.q[c] = q.value[c], one.node.v[c] = one.w[c] = one.v.value[c];
    one.first = false;
    one.arrival().contact = next.contact;
    one.arrival().impact = false;
    look_from_arrival(m, one.node, at, gone, lane);
    if constexpr (Model::Laws::uses_laws)
      for (int law = 0; law < state::count_laws<Model>(); ++law) one.impulses()[law] = Scalar(0);
    contact::solve(one);
    tell_part(one, true);
    add_arrival(one, lane, s);
    if (!one.arrival().impact) continue;
    jumps = jumps + metric::distance<D>(one.node.v, one.v.value);
    for (int c = 0; c < D; ++c) jumped[c] = jumped[c] + (one.v.value[c] - one.node.v[c]);
  }
  // (O7) impacts one by one, everything else at once
  for (int c = 0; c < D; ++c) jumped[c] = one.v.value[c] - jumped[c];
  set_lane(s.record.joint().change, lane, jumps + metric::distance<D>(before, jumped));
  go(h - gone, one.v.value, q);
  state::put_lane(q, lane, m.q);
  state::put_lane(one.v, lane, s.v);
}

/// (P5): the next position, and the velocity at the end of the step. Returns true if something was met on the way, in
/// some lane.
template <class Real, class Model, bool Checked>
CS_INLINE bool move_located(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                            const Moment<ScalarOf<Real>>& at) {
  using Mask = MaskOf<Real>;
  auto& joint = s.record.joint();
  if constexpr (Model::Standard::variation) joint.change = metric::distance<Model::dimension>(s.node.v, s.v.value);
  if constexpr (Model::Standard::work)
    joint.force_work = s.h * metric::along_mean<Model::dimension>(s.f, s.node.v, s.v.value);

  const Way<Real, Model> way = {m.q, s.v.value, m.constants(), s.node.t, s.h, s.t_next};
  Mask some = Real(0) != Real(0);
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    some = some || leads_out<p>(way, contact::touching_tolerance<p, Real, Model>(m.q.value, s.first));
  });
  if (any(some)) {
    // lanes that meet nothing go as they are
    const Real leaves = select(some, Real(1), Real(0));
    for (int lane = 0; lane < RealTraits<Real>::lanes; ++lane)
      if (get_lane(leaves, lane) != ScalarOf<Real>(0)) pass_way_of_lane(m, s, at, lane);
  }
  math::Sums<Real, Model::dimension> q = m.q;
  go(s.h, s.v.value, q);
  unroll<Model::dimension>([&](auto c) CS_LAMBDA {
    m.q.value[c] = select(some, m.q.value[c], q.value[c]);
    if constexpr (!is_double<Real>) m.q.low[c] = select(some, m.q.low[c], q.low[c]);
  });
  return any(some);
}

}  // namespace conesweep::step
