#pragma once

#include <conesweep/step/advance.hpp>

namespace conesweep::step {

/// Node i as expressions see it becomes node N: no step starts here, v_N := v_{N-1}.
template <class Real, class Model>
CS_INLINE void end_at(Member<Real, Model>& m, Node<Real, Model>& node, long i, ScalarOf<Real> h) {
  // how deep it lies is asked here too, and a wall without a normal has no answer: the member stops
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    const Real g = Model::template constraint<p>(node.q, node.c, node.t);
    const Real steepness = Model::template steepness<p>(node.q, node.c, node.t);
    const MaskOf<Real> beyond = g > Real(0);
    if constexpr (Model::Laws::coupled)
      m.balance().see_penetration(contact::depth(beyond, g, Model::template depth_scale<p>(node.q, node.c, node.t)));
    else
      m.balance().see_penetration(contact::depth(beyond, g, steepness));
    m.q.value[0] = select(beyond && contact::is_singular(steepness), Real(canonical_nan<Real>()), m.q.value[0]);
  });
  if constexpr (Model::Laws::uses_laws) node.laws() = {m.law_normal(), m.law_slip()};
  m.reduced().see_last(node, Real(ScalarOf<Real>(i)), Real(h));
}

/// Node N of a member that took all steps.
template <class Real, class Model>
CS_INLINE void make_last_node(Member<Real, Model>& m, Node<Real, Model>& node, const Moment<ScalarOf<Real>>& at) {
  see_node<Look::early>(m, node, at);
  end_at(m, node, at.i, at.clock.h);
}

}  // namespace conesweep::step
