#pragma once

#include <conesweep/contact/solve.hpp>
#include <conesweep/history/look_back.hpp>
#include <conesweep/history/look_through.hpp>
#include <conesweep/math/elementary.hpp>
#include <conesweep/step/member.hpp>

namespace conesweep::step {

using history::Moment;
using state::Node;
using state::Passage;

/// Node i as expressions see it: the present, and what they ask of the past.
template <bool Early, class Real, class Model>
CS_INLINE void see_node(Member<Real, Model>& m, Node<Real, Model>& node, const Moment<ScalarOf<Real>>& at) {
  node.t = Real(ScalarOf<Real>(at.i)) * Real(at.clock.h);
  node.c = m.constants();
  unroll<Model::dimension>([&](auto c) { node.q[c] = m.q.value[c], node.v[c] = m.v.value[c]; });
  if constexpr (Model::lags > 0) {
    history::remember<Model>(m.q.value, m.v.value, at.now, at.ring);
    history::look_back<Early>(m.past(), node, at);
    history::look_through_windows<Early>(m.past(), node, at);
  }
}

/// One step from node i to node i + 1. `record_node(node, mode)` is called with v_i where `recording`. A checked step says what kept it
/// from a finite velocity; Status::ok: nothing did.
template <bool Early, bool Checked, class Real, class Model, class RecordNode>
CS_INLINE state::Kept<Checked, Real> advance(Member<Real, Model>& m, const Moment<ScalarOf<Real>>& at, bool recording, const RecordNode& record_node) {
  Passage<Real, Model, Checked> s;
  s.h = at.clock.h;
  see_node<Early>(m, s.node, at);

  // (P1) prospective velocity: forces see the past
  Model::force(s.node, s.f);
  unroll<Model::dimension>([&](auto c) {
    math::Sum<Real> velocity = m.v.get(c);
    velocity.add_product(s.h, s.f[c]);
    s.w[c] = velocity.value;
    s.v.set(c, velocity);
  });

  // (P2) … (P4) contact makes v of w
  if (contact::solve(s)) m.observers().see_contacts(s, Real(ScalarOf<Real>(at.i)));
  m.observers().see_step(s);

  // observables see the node with its new velocity
  unroll<Model::dimension>([&](auto c) { s.node.v[c] = s.v.value[c]; });
  m.reduced().see(s.node);
  if (recording) {
    m.mode = s.record.mode();
    record_node(s.node, m.mode);
  }

  // (P5) move
  unroll<Model::dimension>([&](auto c) {
    math::Sum<Real> position = m.q.get(c);
    position.add_product(s.h, s.v.value[c]);
    m.q.set(c, position);
    m.v.set(c, s.v.get(c));
  });
  return s.record.reason;
}

}  // namespace conesweep::step
