#pragma once

#include <conesweep/contact/boxed_island.hpp>
#include <conesweep/contact/firm_island.hpp>
#include <conesweep/step/coupled.hpp>

// A step of a model with a mass, resistances, points or slip rows (B), of members that stay in packs: (B1) and (P5),
// laws in closed form (B11), firm rows, and boxes. Where a contact touches that meets other laws, or has no closed
// form, its lane leaves the pack for this step, so that a lane never depends on its neighbours. A pack may have one
// lane, as on a device.

namespace conesweep::step {

/// Does contact P have to be solved together with others, or by a search?
template <class Model>
CS_HD constexpr bool leaves_packs(int p) {
  return !Model::Laws::is_closed(p) && !Model::Laws::is_boxed(p);
}

template <class Model>
CS_HD constexpr bool has_boxes() {
  for (int law = 0; law < state::count_laws<Model>(); ++law)
    if (Model::Laws::is_boxed(law)) return true;
  return false;
}

/// Can a lane leave its pack: at such a contact, or where boxes or firm rows have no answer?
template <class Model>
CS_HD constexpr bool may_leave() {
  for (int p = 0; p < Model::contacts; ++p)
    if (leaves_packs<Model>(p)) return true;
  return has_boxes<Model>() || Model::Laws::firm > 0;
}

/// In which lanes does such a contact touch, or is it nowhere? Notes how deep lanes lie beyond these walls.
template <class Real, class Model, bool Checked>
CS_INLINE MaskOf<Real> find_leaving_lanes(Passage<Real, Model, Checked>& s) {
  const auto& node = s.node;
  MaskOf<Real> leaves = Real(0) != Real(0);
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    if constexpr (leaves_packs<Model>(p)) {
      const Real g = Model::template constraint<p>(node.q, node.c, node.t);
      const Real steepness = Model::template steepness<p>(node.q, node.c, node.t);
      leaves = leaves || contact::touches<p, Real, Model>(node.q, s.first, g, steepness);
      if (!any(g > Real(0))) return;
      s.record.outside = true;
      if constexpr (Model::Standard::penetration)
        s.record.penetration =
            max(s.record.penetration,
                contact::depth(g > Real(0), g, Model::template depth_scale<p>(node.q, node.c, node.t)));
    }
  });
  return leaves;
}

/// Makes s.w[c], and with it s.v, of v_{i-1}: v + by·push.
template <class Real, class Model, bool Checked>
CS_INLINE void push_velocity(Member<Real, Model>& m, Passage<Real, Model, Checked>& s, int c, Real by, Real push) {
  math::Sum<Real> velocity = m.v.get(c);
  velocity.add_product(by, push);
  s.w[c] = velocity.value;
  s.v.set(c, velocity);
}

/// h/m of every coordinate of a diagonal M; no number where m is no mass.
template <class Real, class Model, bool Checked>
CS_INLINE void find_mobilities(Passage<Real, Model, Checked>& s, Real (&by)[Model::dimension]) {
  constexpr int D = Model::dimension;
  if constexpr (Model::Laws::mass() == state::MassKind::unit) {
    unroll<D>([&](auto c) CS_LAMBDA { by[c] = s.h; });
  } else {
    contact::Masses<Real, D> masses;
    contact::find_masses(s.node, masses);
    unroll<D>([&](auto c) CS_LAMBDA {
      const MaskOf<Real> positive = masses.of[c] > Real(0) && is_finite(masses.of[c]);
      by[c] = select(positive, s.h * masses.inverse[c], Real(canonical_nan<ScalarOf<Real>>()));
      if constexpr (Checked) note_reason(s.record.reason.value, !positive, Status::bad_mass);
    });
  }
}

/// D of the forces (B1), which a mass that depends on the place has.
template <class Real, class Model, bool Checked>
CS_INLINE void find_inertia(const Passage<Real, Model, Checked>& s, Real (&inertia)[Model::dimension]) {
  if constexpr (Model::Laws::mass() == state::MassKind::unit)
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { inertia[c] = Real(0); });
  else
    Model::inertia(s.node, inertia);
}

/// (B1) w = v_{i-1} + h M⁻¹(f - D), and v = w until a law changes it.
template <class Real, class Model, bool Checked>
CS_INLINE void predict_pack(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                            [[maybe_unused]] contact::MetricOf<Real, Model>& metric) {
  constexpr int D = Model::dimension;
  Real by[D], push[D], inertia[D];
  Model::force(s.node, s.f);
  find_inertia(s, inertia);
  unroll<D>([&](auto c) CS_LAMBDA { push[c] = s.f[c] - inertia[c]; });
  if constexpr (Model::Laws::mass() == state::MassKind::dense) {
    const MaskOf<Real> good = contact::make_metric<Real, Model>(s.node.q, s.node.c, metric);
    metric.whiten(push);
    metric.unwhiten(push);
    unroll<D>([&](auto c) CS_LAMBDA { by[c] = select(good, s.h, Real(canonical_nan<ScalarOf<Real>>())); });
    if constexpr (Checked) note_reason(s.record.reason.value, !good, Status::bad_mass);
  } else {
    find_mobilities(s, by);
  }
  unroll<D>([&](auto c) CS_LAMBDA {
    push_velocity(m, s, c, by[c], push[c]);
    if constexpr (Checked) note_reason(s.record.reason.value, !is_finite(s.w[c]), Status::non_finite);
  });
}

/// Are there resistances in closed form, and no other laws?
template <class Model>
CS_HD constexpr bool only_resists() {
  return Model::contacts == 0 && Model::Laws::firm == 0 && Model::Laws::resistances > 0 && !state::meets<Model>();
}

/// The last coordinate that a resistance acts on.
template <class Model>
CS_HD constexpr int last_of(int r) {
  int last = 0;
  for (int c = 0; c < Model::dimension; ++c)
    if ((Model::Laws::coordinates(r) >> c & 1) != 0) last = c;
  return last;
}

/// The same, and what resistances then take of it. Coordinate by coordinate, so that little is alive at once: a force
/// is followed by its velocity, and that by the law on it.
template <class Real, class Model, bool Checked>
CS_INLINE bool predict_and_resist(Member<Real, Model>& m, Passage<Real, Model, Checked>& s) {
  Real by[Model::dimension], inertia[Model::dimension], least_limit = Real(0);
  find_mobilities(s, by);
  find_inertia(s, inertia);
  Model::force(s.node, s.f, [&](auto c) CS_LAMBDA {
    constexpr int here = c;
    push_velocity(m, s, c, by[c], s.f[c] - inertia[c]);
    if constexpr (Checked) note_reason(s.record.reason.value, !is_finite(s.w[c]), Status::non_finite);
    unroll<int(Model::Laws::resistances)>([&](auto r) CS_LAMBDA {
      if constexpr (last_of<Model>(r) == here) contact::resist_apart<r>(s, least_limit);
    });
  });
  contact::poison_below(s, least_limit);
  return true;
}

/// (O6), (O7) |v_i - v_{i-1}|_M, and h f·v̄.
template <class Real, class Model, bool Checked>
CS_INLINE void note_motion(Passage<Real, Model, Checked>& s,
                           [[maybe_unused]] const contact::MetricOf<Real, Model>& metric) {
  constexpr int D = Model::dimension;
  auto& joint = s.record.joint();
  Real change[D];
  unroll<D>([&](auto c) CS_LAMBDA { change[c] = s.v.value[c] - s.node.v[c]; });
  Real square = Real(0);
  if constexpr (Model::Laws::mass() == state::MassKind::dense) {
    metric.weigh(change);
    unroll<D>([&](auto c) CS_LAMBDA { square = square + change[c] * change[c]; });
  } else {
    contact::Masses<Real, D> masses;
    contact::find_masses(s.node, masses);
    unroll<D>([&](auto c) CS_LAMBDA { square = square + masses.of[c] * change[c] * change[c]; });
  }
  joint.change = sqrt(square);
  joint.force_work = s.h * metric::along_mean<D>(s.f, s.node.v, s.v.value);
}

/// A step of one member by itself, from its node: all its laws. What the pack has left in its record goes.
template <class Real, class Model, bool Checked>
CS_HD bool pass_alone(Passage<Real, Model, Checked>& s) {
  // how deep it lies is known already
  const Real penetration = s.record.penetration;
  const bool outside = s.record.outside;
  s.record.start();
  s.record.penetration = penetration;
  s.record.outside = outside;
  if constexpr (Model::Laws::uses_laws)
    for (int law = 0; law < state::count_laws<Model>(); ++law) s.impulses()[law] = Real(0);
  contact::MetricOf<Real, Model> metric;
  contact::Scales<Real, Model> scales;
  scales.set_all(s.h);
  contact::StretchOf<Real, Model> stretch = {s.h, s.t_next};
  return pass_stretch(s, metric, stretch, scales);
}

/// The same for those lanes of a pack.
template <class Real, class Model, bool Checked>
CS_APART void pass_lanes(Passage<Real, Model, Checked>& s, MaskOf<Real> which) {
  using Scalar = ScalarOf<Real>;
  for (int lane = 0; lane < RealTraits<Real>::lanes; ++lane) {
    if (!get_lane(which, lane)) continue;
    Passage<Scalar, Model, Checked> one;
    Scalar constants[at_least_one(contact::count_constants<Model>())];
    state::take_lane(s, lane, one);
    state::take_lane_of<contact::count_constants<Model>()>(s.node.c, lane, constants);
    one.node.c = constants;
    pass_alone(one);
    state::put_lane(one, lane, s);
  }
}

/// The same of a copy, with constants of its own, so that the pack's passage and its member can stay in registers.
template <class Real, class Model, bool Checked>
CS_INLINE void pass_leaving(Passage<Real, Model, Checked>& s, MaskOf<Real> which) {
  if constexpr (RealTraits<Real>::lanes == 1) {
    pass_alone(s);
  } else {
    constexpr int count = contact::count_constants<Model>();
    const Real* const here = s.node.c;
    Real constants[at_least_one(count)];
    unroll_many<count>([&](auto k) CS_LAMBDA { constants[k] = here[k]; });
    s.node.c = nullptr;
    Passage<Real, Model, Checked> apart = s;
    apart.node.c = constants;
    pass_lanes(apart, which);
    s = apart;
    s.node.c = here;
  }
}

/// A whole step: s.v from s.node, and the position it leads to. Returns true if something pushed somewhere.
template <class Real, class Model, bool Checked>
CS_INLINE bool pass_pack(Member<Real, Model>& m, Passage<Real, Model, Checked>& s) {
  using Laws = typename Model::Laws;
  constexpr int laws = state::count_laws<Model>();
  s.record.start();
  if constexpr (Laws::uses_laws) unroll<laws>([&](auto law) CS_LAMBDA { s.impulses()[law] = Real(0); });
  MaskOf<Real> leaves = find_leaving_lanes(s);
  // what limits know: pushes are those of laws that they meet
  [[maybe_unused]] Real normal[at_least_one(laws)], slip[at_least_one(laws)];
  if constexpr (Laws::uses_laws && Laws::resistances > 0) {
    for (Real& impulse : normal) impulse = Real(0);
    contact::find_slips(s.node, s.t_next, s.node.v, slip);
    s.node.laws() = {normal, slip};
  }
  contact::MetricOf<Real, Model> metric;
  bool touched;
  if constexpr (only_resists<Model>()) {
    touched = predict_and_resist(m, s);
  } else {
    predict_pack(m, s, metric);
    touched = contact::solve_closed<true>(s);
  }
  if constexpr (has_boxes<Model>() || Laws::firm > 0 || contact::has_smooth_contacts<Model>()) {
    // a full M is known already
    if constexpr (Laws::mass() != state::MassKind::dense) contact::make_metric<Real, Model>(s.node.q, s.node.c, metric);
    contact::hold_firm_islands(s, metric, leaves);
    touched = contact::solve_boxed_islands(s, metric, leaves) || touched;
    if (touched) {
      MaskOf<Real> pushes[at_least_one(Model::contacts)];
      unroll<Model::contacts>([&](auto p) CS_LAMBDA { pushes[p] = s.record.contact[p].active; });
      contact::note_rest(s, metric, pushes);
    }
  }
  note_motion(s, metric);
  bool left = false;
  if constexpr (may_leave<Model>()) left = any(leaves);
  if (left) [[unlikely]] {
    touched = true;
    if constexpr (may_leave<Model>()) pass_leaving(s, leaves);
  } else {
    tell_part(s, false);
  }
  unroll<Model::dimension>([&](auto c) CS_LAMBDA {
    if constexpr (!is_double<Real>) s.v.low[c] = select(s.v.value[c] == s.w[c], s.v.low[c], Real(0));
    math::Sum<Real> position = m.q.get(c);
    position.add_product(s.h, s.v.value[c]);
    m.q.set(c, position);
  });
  if constexpr (holds_row_by_row<Model>())
    control_drift_by_rows<Model>(m.constants(), s.t_next, m.q.value);
  else if constexpr (is_held<Model>())
    control_drift<Model>(metric, m.constants(), s.t_next, static_cast<const Real*>(nullptr), m.q.value);
  return touched;
}

}  // namespace conesweep::step
