#pragma once

#include <conesweep/contact/solve.hpp>
#include <conesweep/history/look_back.hpp>
#include <conesweep/history/look_through.hpp>
#include <conesweep/math/elementary.hpp>
#include <conesweep/step/coupled.hpp>
#include <conesweep/step/located.hpp>
#include <conesweep/step/member.hpp>
#include <conesweep/step/packs.hpp>
#include <conesweep/step/second_order.hpp>
#include <conesweep/step/tell.hpp>

namespace conesweep::step {

using history::Moment;
using state::Node;
using state::Passage;

using history::Look;

/// Node i as expressions see it: the present, and what they ask of the past.
template <Look How, class Real, class Model>
CS_INLINE void see_node(Member<Real, Model>& m, Node<Real, Model>& node, const Moment<ScalarOf<Real>>& at) {
  node.t = Real(ScalarOf<Real>(at.i)) * Real(at.clock.h);
  node.c = m.constants();
  if constexpr (state::is_numbered<Model>()) node.identity() = m.identity();
  unroll<Model::dimension>([&](auto c) CS_LAMBDA { node.q[c] = m.q.value[c], node.v[c] = m.v.value[c]; });
  if constexpr (state::is_second<Model>()) {
    if constexpr (Model::lags > 0) {
      history::remember<Model>(m.q.value, m.v.value, at.now, at.ring);
      look_ahead<How == Look::early>(m, node, at, LookFrom::node, Real(0) != Real(0));
    }
  } else if constexpr (Model::lags > 0) {
    if constexpr (How == Look::at_nodes) history::look_at_nodes(m.past(), node, at);
    history::remember<Model>(m.q.value, m.v.value, at.now, at.ring);
    if constexpr (How != Look::at_nodes) {
      history::look_back<How>(m.past(), node, at);
      history::look_through_windows<How == Look::early>(m.past(), node, at);
    }
  }
}

/// (O8) normal(…) and slip(…) of the step, for the expressions of observables.
template <class Real, class Model, bool Checked>
CS_HD void see_laws(Member<Real, Model>& m, Passage<Real, Model, Checked>& s) {
  constexpr int laws = state::count_laws<Model>();
  if constexpr (Model::Laws::coupled) {
    contact::find_slips(s.node, s.t_next, s.v.value, m.law_slip());
    unroll<laws>([&](auto law) CS_LAMBDA { m.law_normal()[law] = s.impulses()[law] / s.h; });
  } else {
    const auto& node = s.node;
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      m.law_normal()[p] = select(s.record.contact[p].active, s.record.contact[p].r_n, Real(0)) / s.h;
      Real v[Model::dimension], v_t[Model::dimension], v_n;
      [[maybe_unused]] Real wall[Model::dimension];
      if constexpr (Model::moves[p]) Model::template wall_velocity<p>(node.q, node.c, node.t, s.t_next, s.h, wall);
      unroll<Model::dimension>([&](auto c)
                                   CS_LAMBDA { v[c] = Model::moves[p] ? s.v.value[c] - wall[c] : s.v.value[c]; });
      Model::template split<p>(node.q, node.c, node.t, v, v_n, v_t, m.law_slip()[p]);
    });
  }
  s.node.laws() = {m.law_normal(), m.law_slip()};
}

/// A member that no condition ends.
struct GoesOn {};

/// One step from node i to node i + 1. Where the model has a condition to end at (O10), `arrive(node)` is asked before:
/// does the step take place? Where it can, `arrive.see_record(record)` learns what the step did. `record_node(node,
/// mode)` is called with v_i where `recording`. A checked step says what kept it from a finite velocity; Status::ok:
/// nothing did.
///
/// It is longer than 60 lines: (P1) … (P5) in their order, to be read at once.
template <Look How, bool Checked, class Real, class Model, class RecordNode, class Arrive = GoesOn>
CS_INLINE state::Kept<Checked, state::Stopped<Real>> advance(Member<Real, Model>& m, const Moment<ScalarOf<Real>>& at,
                                                             bool recording, const RecordNode& record_node,
                                                             [[maybe_unused]] const Arrive& arrive = {}) {
  Passage<Real, Model, Checked> s;
  s.h = at.clock.h;
  s.t_next = Real(ScalarOf<Real>(at.i + 1)) * s.h;
  if constexpr (state::adds_up<Model>()) s.first = at.i == 0;
  see_node<How>(m, s.node, at);
  if constexpr (state::stops<Model>()) {
    if (!arrive(s.node)) return {};
  }

  bool touched;
  // of order two
  [[maybe_unused]] Real q_after[Model::dimension];
  [[maybe_unused]] Leaving<Real, Model> leaving;
  [[maybe_unused]] LooksOfLanes<Real, Model> looks;
  [[maybe_unused]] Second second = Second::alone;
  if constexpr (state::is_second<Model>()) {
    // (A1) … (A11)
    second = pass_second<How == Look::early>(m, s, at, q_after, leaving, looks);
    touched = second != Second::alone;
  } else if constexpr (Model::Laws::packs) {
    // (B1), (B2), (B11)
    touched = pass_pack(m, s);
  } else if constexpr (Model::Laws::coupled) {
    // (B1) … (B6)
    touched = pass_step(m, s, at);
    if constexpr (Model::Laws::persistent > 0)
      for (int p = 0; p < Model::contacts; ++p) m.lost()[p] = s.lost()[p];
  } else {
    // (P1) prospective velocity: forces see the past
    Model::force(s.node, s.f);
    unroll<Model::dimension>([&](auto c) CS_LAMBDA {
      math::Sum<Real> velocity = m.v.get(c);
      velocity.add_product(s.h, s.f[c]);
      s.w[c] = velocity.value;
      s.v.set(c, velocity);
    });

    // the root of the step before (O7): its square is known long since, so that nothing waits for it
    m.observers().end_last_step();
    // (P2) … (P4) contact makes v of w
    touched = contact::solve(s);
    tell_part(s, false);
    // (P5) with impacts where they are (I)
    if constexpr (state::is_located<Model>()) touched = move_located(m, s, at) || touched;
  }
  if (touched)
    m.observers().see_contacts(s, Real(ScalarOf<Real>(at.i)));
  else
    m.observers().see_no_contact(Real(ScalarOf<Real>(at.i)));
  m.observers().see_step(s);
  if constexpr (requires { arrive.see_record(s.record); }) arrive.see_record(s.record);
  if constexpr (Model::Laws::uses_laws) see_laws(m, s);

  // observables see the node with its new velocity; at order two that is the one it has
  if constexpr (!state::is_second<Model>())
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { s.node.v[c] = s.v.value[c]; });
  m.reduced().see(s.node, Real(ScalarOf<Real>(at.i)), s.h);
  if constexpr (state::is_second<Model>() && observe::sees_between<Model>()) {
    if (second == Second::left) {
      observe::Reduced<Real, Model> reduced = m.reduced();
      Node<Real, Model> begin = s.node;
      Real v_after[Model::dimension];
      unroll<Model::dimension>([&](auto c) CS_LAMBDA { v_after[c] = s.v.value[c]; });
      const history::Ring<ScalarOf<Real>> ring = at.ring;
      see_between(reduced, leaving, begin, v_after, {at.i, at.now, ring, at.clock}, looks.entries);
      m.reduced() = reduced;
    }
  }
  if (recording) {
    m.mode = s.record.mode();
    record_node(s.node, m.mode);
  }

  // (P5) move; a coupled step has moved already, and so has one that locates impacts
  unroll<Model::dimension>([&](auto c) CS_LAMBDA {
    if constexpr (state::is_second<Model>()) {
      m.q.value[c] = q_after[c];
    } else if constexpr (!Model::Laws::coupled && !state::is_located<Model>()) {
      math::Sum<Real> position = m.q.get(c);
      position.add_product(s.h, s.v.value[c]);
      m.q.set(c, position);
    }
    m.v.set(c, s.v.get(c));
  });
  state::Kept<Checked, state::Stopped<Real>> stopped;
  if constexpr (Checked) {
    stopped.value = {s.record.reason.value, Real(0)};
    if constexpr (state::is_joint<Model>()) stopped.value.residual = s.record.joint().residual;
  }
  return stopped;
}

}  // namespace conesweep::step
