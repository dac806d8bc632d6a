#pragma once

#include <conesweep/contact/certificate.hpp>
#include <conesweep/contact/together.hpp>
#include <conesweep/history/look_within.hpp>
#include <conesweep/step/arrival.hpp>
#include <conesweep/step/drift.hpp>
#include <conesweep/step/member.hpp>
#include <conesweep/step/tell.hpp>

// The step of a model with a mass, firm rows, resistances, points or slip rows (B), one member at a time.

namespace conesweep::step {

using state::Passage;
using state::Status;

/// (B1) w = v_{i-1} + h M⁻¹(f - D), and v = w until a law changes it. `motion` is what velocities of the step are sums
/// of, v_{i-1} and h M⁻¹(f - D) in the kinetic metric with the h of the whole step: at an atom, which has no length and
/// no force, and in a short stretch too.
template <class Real, class Model, bool Checked>
CS_INLINE void predict(Passage<Real, Model, Checked>& s, const contact::MetricOf<Real, Model>& metric, Real h,
                       contact::Motion<Real, Model::dimension>& motion) {
  constexpr int D = Model::dimension;
  Model::force(s.node, s.f);
  Real acceleration[D];
  for (int c = 0; c < D; ++c) acceleration[c] = s.f[c], motion.before[c] = s.node.v[c];
  if constexpr (Model::Laws::mass() != state::MassKind::unit) {
    Model::inertia(s.node, acceleration);
    for (int c = 0; c < D; ++c) acceleration[c] = s.f[c] - acceleration[c];
    metric.whiten(acceleration);
  }
  for (int c = 0; c < D; ++c) motion.push[c] = s.h * acceleration[c];
  metric.unwhiten(acceleration);
  metric.weigh(motion.before);
  if constexpr (state::is_split<Model>()) {
    if (h == Real(0)) {
      for (int c = 0; c < D; ++c) s.f[c] = Real(0), s.v.value[c] = s.w[c] = s.node.v[c];
      s.v.forget_low();
      return;
    }
  }
  for (int c = 0; c < D; ++c) s.v.value[c] = s.w[c] = fma(h, acceleration[c], s.node.v[c]);
  s.v.forget_low();
}

/// What the step's variation is made of: |after - before|_M.
template <class Real, class Model, bool Checked>
CS_INLINE void note_change(Passage<Real, Model, Checked>& s, const contact::MetricOf<Real, Model>& metric,
                           const Real* before, const Real* after) {
  Real change[Model::dimension];
  for (int c = 0; c < Model::dimension; ++c) change[c] = after[c] - before[c];
  metric.weigh(change);
  auto& joint = s.record.joint();
  joint.change = joint.change + sqrt(contact::dot(change, change));
}

/// And its work: h f·v̄ of one stretch.
template <class Real, class Model, bool Checked>
CS_INLINE void note_work(Passage<Real, Model, Checked>& s, Real h) {
  auto& joint = s.record.joint();
  joint.force_work = fma(h, metric::along_mean<Model::dimension>(s.f, s.node.v, s.v.value), joint.force_work);
}

/// How deep the node lies beyond its walls.
template <class Real, class Model, bool Checked>
CS_INLINE void note_depth(Passage<Real, Model, Checked>& s) {
  const auto& node = s.node;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    const Real g = Model::template constraint<p>(node.q, node.c, node.t);
    if (!(g > Real(0))) return;
    s.record.outside = true;
    s.record.penetration = max(s.record.penetration, g / Model::template depth_scale<p>(node.q, node.c, node.t));
  });
}

/// One stretch: laws make v of the velocity before, and the stretch learns its speed. Returns true if something pushes.
template <class Real, class Model, bool Checked>
CS_HD bool pass_stretch(Passage<Real, Model, Checked>& s, contact::MetricOf<Real, Model>& metric,
                        contact::StretchOf<Real, Model>& stretch, const contact::Scales<Real, Model>& scales) {
  if (!contact::make_metric<Real, Model>(s.node.q, s.node.c, metric)) {
    contact::fail(s, Status::bad_mass);
    return true;
  }
  predict(s, metric, stretch.h, stretch.motion);
  bool finite = true;
  for (int c = 0; c < Model::dimension; ++c) finite = finite && is_finite(s.w[c]);
  if (!finite) {
    contact::fail(s, Status::non_finite);
    return true;
  }
  if constexpr (state::is_certified<Model>())
    if (!scales.atom) contact::find_certificates(s, metric);
  const bool touched = contact::solve_together(s, metric, stretch, scales);
  note_change(s, metric, s.node.v, s.v.value);
  note_work(s, stretch.h);
  tell_part(s, contact::is_arrival(s));
  return touched;
}

/// (P5) and (B5): the next position.
template <class Real, class Model, bool Checked>
CS_INLINE void move(Member<Real, Model>& m, const contact::MetricOf<Real, Model>& metric,
                    Passage<Real, Model, Checked>& s, Real h, Real t_next) {
  for (int c = 0; c < Model::dimension; ++c) {
    math::Sum<Real> position = m.q.get(c);
    position.add_product(h, s.v.value[c]);
    m.q.set(c, position);
  }
  if constexpr (Model::Laws::persistent > 0)
    control_drift<Model>(metric, m.constants(), t_next, s.lost(), m.q.value);
  else if constexpr (is_held<Model>())
    control_drift<Model>(metric, m.constants(), t_next, static_cast<const Real*>(nullptr), m.q.value);
}

/// (I3) What forces, firm rows and resistances would change of the velocity in a whole step that goes on as this
/// stretch does.
template <class Real, class Model, bool Checked>
CS_INLINE void find_push(Passage<Real, Model, Checked>& s, const contact::MetricOf<Real, Model>& metric,
                         const contact::StretchOf<Real, Model>& stretch, const contact::Scales<Real, Model>& scales) {
  Real free[Model::dimension];
  contact::find_free_velocity(s, metric, stretch, scales, free);
  for (int c = 0; c < Model::dimension; ++c) s.arrival().push[c] = (free[c] - s.node.v[c]) * (s.h / stretch.h);
}

/// (P5), (B5) over a stretch that begins at s.node, x counted in steps, with an atom wherever a wall is met (I). The
/// node goes along. Returns true if something pushes there. `jumps` is the step's variation up to the stretch
/// (more than 5 parameters: who moves, and what pass_part has made of the stretch).
template <class Real, class Model, bool Checked>
CS_APART bool pass_way(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                       const contact::MetricOf<Real, Model>& metric, const contact::StretchOf<Real, Model>& stretch,
                       const contact::Scales<Real, Model>& scales,
                       [[maybe_unused]] const history::Moment<Real>& at_node, [[maybe_unused]] Real x, Real jumps) {
  constexpr int D = Model::dimension;
  const Real begin = s.node.t;
  Real before[D], jumped[D], gone = Real(0);  // jumped: what impacts changed of the velocity
  for (int c = 0; c < D; ++c) before[c] = s.node.v[c], jumped[c] = Real(0);
  bool touched = false;
  contact::Scales<Real, Model> none;
  none.atom = true;
  none.set_all(Real(0));
  int found = 0;
  for (;; ++found) {
    const Way<Real, Model> way = {m.q, s.v.value, m.constants(), s.node.t, stretch.h - gone, stretch.t_next};
    const Meeting<Real> next = find_first_meeting(s, way);
    if (next.contact < 0) break;
    if (found == most_arrivals) {
      s.record.joint().crowded = Real(1);
      break;
    }
    if (found == 0) find_push(s, metric, stretch, scales);
    gone = gone + next.after;
    s.node.t = begin + gone;
    move(m, metric, s, next.after, s.node.t);
    for (int c = 0; c < Model::dimension; ++c) s.node.q[c] = m.q.value[c], s.node.v[c] = s.v.value[c];
    s.first = false;
    if constexpr (Model::lags > 0) history::look_within(m.past(), s.node, at_node, x + gone / s.h);
    s.arrival().contact = next.contact;
    s.arrival().impact = false;
    s.record.joint().change = jumps;
    contact::MetricOf<Real, Model> here;
    contact::StretchOf<Real, Model> atom = {Real(0), s.node.t};
    touched = pass_stretch(s, here, atom, none) || touched;
    s.arrival().contact = -1;
    if (!s.arrival().impact) continue;
    jumps = s.record.joint().change;
    for (int c = 0; c < D; ++c) jumped[c] = jumped[c] + (s.v.value[c] - s.node.v[c]);
  }
  if (found > 0) {
    // (O7) impacts one by one, everything else at once
    for (int c = 0; c < D; ++c) jumped[c] = s.v.value[c] - jumped[c];
    s.record.joint().change = jumps;
    note_change(s, metric, before, jumped);
  }
  move(m, metric, s, stretch.h - gone, stretch.t_next);
  return touched;
}

/// The next time at which an atom of some family comes, in steps; infinite if none does.
template <class Real, class Model>
CS_INLINE Real find_next_atom(Member<Real, Model>& m) {
  Real x = Real(infinity<Real>());
  for (int k = 0; k < Model::Laws::percussions; ++k) x = min(x, m.families()[k].next);
  return x;
}

/// Does step i, of so many, own an atom at x?
template <class Real>
CS_INLINE bool owns(long i, long steps, Real x) {
  const Real end = Real(i + 1);
  return x < end || (i + 1 == steps && x <= end);
}

/// Takes all atoms that come at x, with the size of each resistance's.
template <class Real, class Model>
CS_HD void take_atoms_at(Member<Real, Model>& m, Real x, Real h, Batch<Real>* batches,
                         contact::Scales<Real, Model>& scales) {
  using Laws = typename Model::Laws;
  scales.set_all(Real(0));
  unroll<Laws::resistances>([&](auto r) CS_LAMBDA {
    constexpr int family = Laws::family_of(r);
    if constexpr (family >= 0) {
      if (m.families()[family].next == x)
        scales.of[r] = take_atoms<r, Model>(m.constants(), m.families()[family], h, batches[family]);
    }
  });
}

/// A stretch from x to `to`, both counted in steps, and the position at its end. Returns true if something pushes
/// (more than 5 parameters: who moves, and from where to where).
template <class Real, class Model, bool Checked>
CS_HD bool pass_part(Member<Real, Model>& m, Passage<Real, Model, Checked>& s, Real x, Real to,
                     const contact::Scales<Real, Model>& scales,
                     [[maybe_unused]] const history::Moment<Real>& at_node) {
  contact::MetricOf<Real, Model> metric;
  const Real h = (to - x) * s.h;
  [[maybe_unused]] const Real jumps = s.record.joint().change;
  contact::StretchOf<Real, Model> stretch = {h, to * s.h};
  bool touched = pass_stretch(s, metric, stretch, scales);
  if constexpr (state::is_located<Model>()) {
    if (h > Real(0)) touched = pass_way(m, s, metric, stretch, scales, at_node, x, jumps) || touched;
  } else {
    if (h > Real(0)) move(m, metric, s, h, to * s.h);
  }
  // the next one starts here
  for (int c = 0; c < Model::dimension; ++c) s.node.q[c] = m.q.value[c], s.node.v[c] = s.v.value[c];
  s.node.t = to * s.h;
  if (h > Real(0)) s.first = false;
  return touched;
}

/// A step split at its atoms: everything is evaluated anew after each.
template <class Real, class Model, bool Checked>
CS_APART bool pass_split_step(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                              const history::Moment<Real>& at_node) {
  const state::Node<Real, Model> node = s.node;
  contact::Scales<Real, Model> over, at;
  at.atom = true;
  bool touched = false;
  [[maybe_unused]] bool begun = false;
  Batch<Real> batches[at_least_one(Model::Laws::percussions)];
  const Real end = Real(at_node.i + 1);
  Real x = Real(at_node.i);
  const auto pass_to = [&](Real to, const contact::Scales<Real, Model>& scales) {
    if constexpr (Model::lags > 0) {
      if (begun) history::look_within(m.past(), s.node, at_node, x);
      begun = true;
    }
    touched = pass_part(m, s, x, to, scales, at_node) || touched;
    x = to;
  };
  for (Real next = find_next_atom(m); owns(at_node.i, at_node.clock.steps, next); next = find_next_atom(m)) {
    if (next > x) {
      over.set_all((next - x) * s.h);
      pass_to(next, over);
    }
    take_atoms_at(m, next, s.h, batches, at);
    pass_to(x, at);
  }
  if (x < end) {
    over.set_all((end - x) * s.h);
    pass_to(end, over);
  }
  // observables see node i, and its past
  s.node = node;
  return touched;
}

/// A whole step of the laws: s.v from s.node, and the position it leads to. Returns true if something pushed.
template <class Real, class Model, bool Checked>
CS_INLINE bool pass_step(Member<Real, Model>& m, Passage<Real, Model, Checked>& s,
                         [[maybe_unused]] const history::Moment<Real>& at_node) {
  s.record.start();
  if constexpr (Model::Laws::uses_laws)
    for (int law = 0; law < state::count_laws<Model>(); ++law) s.impulses()[law] = Real(0);
  if constexpr (Model::Laws::persistent > 0)
    for (int p = 0; p < Model::contacts; ++p) s.lost()[p] = m.lost()[p];
  if constexpr (state::is_certified<Model>()) s.certificates() = {infinity<Real>(), infinity<Real>()};
  note_depth(s);
  if constexpr (Model::Laws::percussions > 0) {
    if (owns(at_node.i, at_node.clock.steps, find_next_atom(m))) return pass_split_step(m, s, at_node);
  }
  contact::MetricOf<Real, Model> metric;
  contact::Scales<Real, Model> scales;
  scales.set_all(s.h);
  contact::StretchOf<Real, Model> stretch = {s.h, s.t_next};
  const bool touched = pass_stretch(s, metric, stretch, scales);
  if constexpr (state::is_located<Model>()) {
    const state::Node<Real, Model> node = s.node;
    const bool met = pass_way(m, s, metric, stretch, scales, at_node, Real(at_node.i), Real(0));
    s.node = node;  // observables see node i, and its past
    return met || touched;
  } else {
    move(m, metric, s, s.h, s.t_next);
    return touched;
  }
}

}  // namespace conesweep::step
