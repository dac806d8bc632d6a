#pragma once

#include <conesweep/observe/see_looks.hpp>
#include <conesweep/step/member.hpp>
#include <conesweep/step/walk.hpp>

// Lanes that leave their pack for a step of second order: each walks through it by itself, and observers see where its
// pieces ended.

namespace conesweep::step {

/// What a lane takes with it when it leaves its pack: copies, so that members and steps whose address nobody knows stay
/// in registers.
template <class Real, class Model>
struct Leaving {
  Real constants[at_least_one(Model::constants)];
  Real steps[at_least_one(Model::lags)];  // of its delays
  Real q[Model::dimension];               // where it ends

  CS_INLINE void take(Member<Real, Model>& m) {
    if constexpr (Model::constants > 0)
      for (int k = 0; k < Model::constants; ++k) constants[k] = m.constants()[k];
    unroll<Model::lags>([&](auto k) CS_LAMBDA { steps[k] = m.past().lag(k).steps; });
  }
};

/// One lane of what leaves, and the ring as it sees it.
template <class Scalar, class Model>
struct LeavingLane {
  Scalar constants[at_least_one(Model::constants)];
  history::Past<Scalar, Model> past;
  history::Ring<Scalar> ring;

  template <class Real>
  CS_HD LeavingLane(const Leaving<Real, Model>& from, const history::Ring<Scalar>& all, int lane)
      : ring{all.data + lane, all.slots, all.stride} {
    state::take_lane_of<Model::constants>(from.constants, lane, constants);
    if constexpr (Model::lags > 0)
      for (int k = 0; k < Model::lags; ++k) past.lag(k).steps = get_lane(from.steps[k], lane);
  }
};

/// The whole step of one lane by itself, piece by piece.
template <class Real, class Model, bool Checked>
CS_APART void walk_lane(Passage<Real, Model, Checked>& s, Leaving<Real, Model>& leaving,
                        const Moment<ScalarOf<Real>>& at, int lane, state::Looks<ScalarOf<Real>, Model>& looks) {
  using Scalar = ScalarOf<Real>;
  constexpr int D = Model::dimension;
  const LeavingLane<Scalar, Model> own(leaving, at.ring, lane);
  Passage<Scalar, Model, Checked> one;
  state::take_lane(s, lane, one);
  one.node.c = own.constants;
  const Scalar penetration = one.record.penetration;
  one.record.start();
  one.record.penetration = penetration;
  one.record.outside = s.record.outside;
  const Moment<Scalar> here = {at.i, at.now, own.ring, at.clock};
  Walker<Scalar, Model, Checked> walker = {
      one, own.past, here, looks, one.node.t, one.node.t, get_lane(s.t_next, lane), at.clock.h, {}, {}};
  looks.count = 0;
  for (int k = 0; k < D; ++k) walker.q[k] = one.node.q[k], walker.v[k] = one.node.v[k], walker.f[k] = Scalar(0);
  walk(walker);
  if (walker.crowded) one.record.joint().crowded = Scalar(1);
  for (int k = 0; k < D; ++k) {
    one.v.value[k] = walker.v[k];
    // a member that stops has no place either
    set_lane(leaving.q[k], lane, is_finite(walker.v[0]) ? walker.q[k] : Scalar(canonical_nan<Scalar>()));
  }
  one.v.forget_low();
  state::put_lane(one, lane, s);
  s.record.outside = s.record.outside || one.record.outside;
}

/// (A14) What reducers see of a lane between its nodes, once they have seen the node where the step began; `leaving.q`
/// and v_after: the node where it ends. more than 5 parameters: copies of what a member keeps in registers.
template <class Real, class Model>
CS_APART void see_between(observe::Reduced<Real, Model>& reduced, const Leaving<Real, Model>& leaving,
                          const state::Node<Real, Model>& begin, const Real* v_after, const Moment<ScalarOf<Real>>& at,
                          const state::Looks<ScalarOf<Real>, Model>* looks) {
  using Scalar = ScalarOf<Real>;
  using Node = state::Node<Scalar, Model>;
  constexpr int D = Model::dimension, laws = state::count_laws<Model>();
  for (int lane = 0; lane < RealTraits<Real>::lanes; ++lane) {
    if (looks[lane].count == 0) continue;
    const LeavingLane<Scalar, Model> own(leaving, at.ring, lane);
    Node from;
    Scalar q[D], v[D];
    [[maybe_unused]] Scalar normal[at_least_one(laws)], slip[at_least_one(laws)];
    state::take_lane(begin, lane, from);
    from.c = own.constants;
    if constexpr (Model::Laws::uses_laws) {
      state::take_lane_of<laws>(begin.laws().normal, lane, normal);
      state::take_lane_of<laws>(begin.laws().slip, lane, slip);
      from.laws() = {normal, slip};
    }
    state::take_lane_of<D>(leaving.q, lane, q);
    state::take_lane_of<D>(v_after, lane, v);
    const Moment<Scalar> here = {at.i, at.now, own.ring, at.clock};
    const Scalar end = Scalar(at.i + 1) * at.clock.h;
    const auto node_at = [&](Scalar t, const Scalar* q_there, const Scalar* v_there) {
      Node node = from;
      node.t = t;
      for (int k = 0; k < D; ++k) node.q[k] = q_there[k], node.v[k] = v_there[k];
      if constexpr (Model::lags > 0) {
        const Scalar after = t == end ? Scalar(1) : (t - from.t) / at.clock.h;
        history::look_ahead(own.past, node, {from.q, from.v, Scalar(0), Scalar(1)}, here, after);
      }
      return node;
    };
    observe::Reduced<Scalar, Model> one;
    state::take_lane(reduced, lane, one);
    const Node to = node_at(end, q, v);
    observe::see_looks(one, {from, to, Scalar(at.i), at.clock.h}, looks[lane], node_at);
    state::put_lane(one, lane, reduced);
  }
}

/// What observers of a pack see between its nodes, of every lane; nothing where none of them looks there.
template <class Real, class Model>
struct LooksOfLanes
    : state::KeptArray<LooksOfLanes<Real, Model>, state::Looks<ScalarOf<Real>, Model>,
                       state::is_second<Model>() && observe::sees_between<Model>() ? RealTraits<Real>::lanes : 0> {};

}  // namespace conesweep::step
