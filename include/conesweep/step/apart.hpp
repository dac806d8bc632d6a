#pragma once

#include <conesweep/contact/apart.hpp>
#include <conesweep/step/member.hpp>
#include <conesweep/step/tell.hpp>

// The step of a model with a mass, resistances, points or slip rows whose laws never meet (B11): (B1), (B2) and (P5) in
// closed form, in packs.

namespace conesweep::step {

using state::Passage;
using state::Status;

/// M(q_i), diagonal, and its inverse.
template <class Real, int D>
struct Masses {
  Real of[D], inverse[D];
};

/// (B1) w = v_{i-1} + h M⁻¹(f - D), and v = w until a law changes it.
template <class Real, class Model, bool Checked>
CS_INLINE void predict_apart(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                             Masses<Real, Model::dimension>& masses) {
  constexpr int D = Model::dimension;
  Real push[D];
  Model::force(s.node, s.f);
  if constexpr (Model::Laws::mass() == state::MassKind::unit) {
    unroll<D>([&](auto c) CS_LAMBDA { masses.of[c] = masses.inverse[c] = Real(1), push[c] = s.f[c]; });
  } else {
    Model::inertia(s.node, push);
    unroll<D>([&](auto c) CS_LAMBDA { push[c] = s.f[c] - push[c]; });
    Model::masses(s.node.q, s.node.c, masses.of, masses.inverse);
  }
  unroll<D>([&](auto c) CS_LAMBDA {
    math::Sum<Real> velocity = m.v.get(c);
    [[maybe_unused]] MaskOf<Real> good = Real(0) == Real(0);
    if constexpr (Model::Laws::mass() != state::MassKind::unit) {
      good = masses.of[c] > Real(0) && is_finite(masses.of[c]);
      velocity.add_product(select(good, s.h * masses.inverse[c], Real(canonical_nan<ScalarOf<Real>>())), push[c]);
    } else {
      velocity.add_product(s.h, push[c]);
    }
    s.w[c] = velocity.value;
    s.v.set(c, velocity);
    if constexpr (Checked) {
      note_reason(s.record.reason.value, !good, Status::bad_mass);
      note_reason(s.record.reason.value, !is_finite(s.w[c]), Status::non_finite);
    }
  });
}

/// (O6), (O7) |v_i - v_{i-1}|_M, and h f·v̄.
template <class Real, class Model, bool Checked>
CS_INLINE void note_motion(Passage<Real, Model, Checked>& s, const Masses<Real, Model::dimension>& masses) {
  auto& joint = s.record.joint();
  Real square = Real(0);
  unroll<Model::dimension>([&](auto c) CS_LAMBDA {
    const Real change = s.v.value[c] - s.node.v[c];
    square = square + masses.of[c] * change * change;
  });
  joint.change = sqrt(square);
  joint.force_work = s.h * metric::along_mean<Model::dimension>(s.f, s.node.v, s.v.value);
}

/// A whole step: s.v from s.node, and the position it leads to. Returns true if something pushed somewhere.
template <class Real, class Model, bool Checked>
CS_INLINE bool pass_step_apart(Member<Real, Model>& m, Passage<Real, Model, Checked>& s) {
  constexpr int D = Model::dimension;
  s.record.start();
  if constexpr (Model::Laws::uses_laws)
    unroll<state::count_laws<Model>()>([&](auto law) CS_LAMBDA { s.impulses()[law] = Real(0); });
  Masses<Real, D> masses;
  predict_apart(m, s, masses);
  const bool touched = contact::solve_apart(s, masses.inverse);
  note_motion(s, masses);
  tell_part(s, false);
  unroll<D>([&](auto c) CS_LAMBDA {
    if constexpr (!is_double<Real>) s.v.low[c] = select(s.v.value[c] == s.w[c], s.v.low[c], Real(0));
    math::Sum<Real> position = m.q.get(c);
    position.add_product(s.h, s.v.value[c]);
    m.q.set(c, position);
  });
  return touched;
}

}  // namespace conesweep::step
