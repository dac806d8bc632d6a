#pragma once

#include <conesweep/step/advance.hpp>

namespace conesweep::step {

/// Node N: no step starts here, v_N := v_{N-1}.
template <class Real, class Model>
CS_INLINE void make_last_node(Member<Real, Model>& m, Node<Real, Model>& node, const Moment<ScalarOf<Real>>& at) {
  see_node<true>(m, node, at);
  // how deep it lies is asked here too, and a wall without a normal has no answer: the member stops
  unroll<Model::contacts>([&](auto p) {
    const Real g = Model::template constraint<p>(node.q, node.c);
    const Real steepness = Model::template steepness<p>(node.q, node.c);
    const MaskOf<Real> beyond = g > Real(0);
    m.balance().see_penetration(contact::depth(beyond, g, steepness));
    m.q.value[0] = select(beyond && contact::is_singular(steepness), Real(canonical_nan<Real>()), m.q.value[0]);
  });
  m.reduced().see_last(node);
}

}  // namespace conesweep::step
