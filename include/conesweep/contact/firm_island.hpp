#pragma once

#include <conesweep/contact/kept_factors.hpp>
#include <conesweep/contact/touching.hpp>

// (B4) Islands of firm rows, of members that stay in packs while no contact of theirs touches.

namespace conesweep::contact {

/// Has island I of a model firm rows, and nothing else that acts at every step?
template <class Model, int I>
CS_HD constexpr bool is_firm_island() {
  using Of = Island<Model, I>;
  return int(Of::firm) > 0 && int(Of::guides) == 0 && int(Of::resistances) == 0;
}

/// The velocity that island I's firm rows leave of s.w, and what they did. False in lanes where they are dependent.
template <int I, class Real, class Model, bool Checked, class Metric>
CS_INLINE MaskOf<Real> hold_firm_rows(Passage<Real, Model, Checked>& s, const Metric& metric) {
  using Of = Island<Model, I>;
  using Laws = typename Model::Laws;
  constexpr int D = Of::dimension, F = Of::firm;
  System<Real, D, F, 0, 0> system;
  Reduced<Real, D, F, 0, 0> reduced;
  system.clear();
  take_coordinates<Of>(s.w, system.w);
  take_coordinates<Of>(s.node.v, system.v_before);
  enter_firm_rows<Of>(s.node, StretchOf<Real, Model>{s.h, s.t_next}, system);
  if constexpr (Laws::constant_firm) system.kept_firm = s.node.c + find_kept_firm<Model, I>();
  const MaskOf<Real> good = eliminate_firm_rows(metric, system, reduced);
  put_coordinates<Of>(reduced.v_free, s.v.value);
  auto& joint = s.record.joint();
  for (int f = 0; f < F; ++f) {
    Real both = Real(-2) * system.firm_drive[f];
    for (int j = 0; j < D; ++j) both = both + system.firm_row[f][j] * (system.v_before[j] + reduced.v_free[j]);
    joint.other_work = joint.other_work + reduced.firm_normal[f] * (Real(0.5) * both);
    joint.other_drive = joint.other_drive + reduced.firm_normal[f] * system.firm_drive[f];
  }
  if constexpr (Laws::uses_laws) {
    for_each_constraint<Of>(
        [&](auto f) CS_LAMBDA { s.impulses()[Model::contacts + f] = reduced.firm_normal[Of::firm_place(f)]; });
  }
  return good;
}

/// Are the firm rows of island I orthogonal in M⁻¹ as they are written?
template <class Model, int I>
CS_HD constexpr bool is_orthogonal_island() {
  for (int f = Model::contacts; f < Model::contacts + int(Model::Laws::firm); ++f)
    if (is_of_island<Model, I>(f) && !Model::Laws::is_orthogonal(f)) return false;
  return true;
}

/// The same where they are: each is eliminated by itself,
///
///   λ = (c - b·w)/(b M⁻¹bᵀ),   v = w + Σ M⁻¹bᵀλ
template <int I, class Real, class Model, bool Checked>
CS_INLINE MaskOf<Real> hold_orthogonal_rows(Passage<Real, Model, Checked>& s) {
  using Of = Island<Model, I>;
  const auto& node = s.node;
  Real drive[at_least_one(Of::firm)], impulse[at_least_one(Of::firm)];
  MaskOf<Real> good = Real(0) == Real(0);
  for_each_constraint<Of>([&](auto f) CS_LAMBDA {
    constexpr int law = Model::contacts + f, k = Of::firm_place(f);
    Real u;
    Model::template row_velocity<law>(node.q, node.c, node.t, s.w, &u);
    drive[k] = Model::template firm_drive<f>(node.q, node.c, node.t, s.t_next, s.h);
    Real inertia;
    Model::template row_inertia<law>(node.q, node.c, node.t, inertia);
    good = good && inertia > Real(0) && is_finite(inertia);
    impulse[k] = inertia * (drive[k] - u);
    Model::template row_push<law>(node.q, node.c, node.t, impulse[k], s.v.value);
  });
  auto& joint = s.record.joint();
  for_each_constraint<Of>([&](auto f) CS_LAMBDA {
    constexpr int law = Model::contacts + f, k = Of::firm_place(f);
    Real before, after;
    Model::template row_velocity<law>(node.q, node.c, node.t, node.v, &before);
    Model::template row_velocity<law>(node.q, node.c, node.t, s.v.value, &after);
    joint.other_work = joint.other_work + impulse[k] * (Real(0.5) * (before + after) - drive[k]);
    joint.other_drive = joint.other_drive + impulse[k] * drive[k];
    if constexpr (Model::Laws::uses_laws) s.impulses()[law] = impulse[k];
  });
  return good;
}

/// All islands of firm rows. Lanes without an answer are those of `left`.
template <class Real, class Model, bool Checked, class Metric>
CS_INLINE void hold_firm_islands([[maybe_unused]] Passage<Real, Model, Checked>& s,
                                 [[maybe_unused]] const Metric& metric, [[maybe_unused]] MaskOf<Real>& left) {
  unroll<int(Model::Laws::islands)>([&](auto i) CS_LAMBDA {
    if constexpr (is_firm_island<Model, i>()) {
      if constexpr (is_orthogonal_island<Model, i>())
        left = left || !hold_orthogonal_rows<i>(s);
      else
        left = left || !hold_firm_rows<i>(s, take_metric<Island<Model, i>>(metric));
    }
  });
}

}  // namespace conesweep::contact
