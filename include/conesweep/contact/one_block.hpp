#pragma once

#include <conesweep/law/coulomb_cone.hpp>
#include <conesweep/metric/unit.hpp>
#include <conesweep/state/passage.hpp>

namespace conesweep::contact {

using state::note_reason;
using state::Passage;
using state::Status;

/// A gradient without a direction.
template <class Real>
CS_INLINE MaskOf<Real> is_singular(Real steepness) {
  return !((steepness > Real(0)) && is_finite(steepness));
}

/// How deep a point lies beyond wall P: max(0, g) / |∇g|.
template <class Real>
CS_INLINE Real depth(MaskOf<Real> beyond, Real g, Real steepness) {
  return select(beyond, g / steepness, Real(0));
}

/// (P2) … (P4) for contact P of the model, in the unit metric and by itself: turns the prospective velocity w into v where it is active. Returns true if
/// it is in some lane.
/// The model has the geometry (g, ∇g, the frame of the contact), law/coulomb_cone.hpp the law.
///
/// What cannot be solved makes v NaN, and the member is found at its end. A checked step tells why: members run so a second time.
template <int P, class Real, class Model, bool Checked>
CS_INLINE bool solve_block(Passage<Real, Model, Checked>& s, [[maybe_unused]] MaskOf<Real>& taken, [[maybe_unused]] Real& reason_of_law) {
  using Mask = MaskOf<Real>;
  const Mask never = Real(0) != Real(0);
  const auto& node = s.node;

  // (P2) contact is active where the particle is outside and moving further out. A wall that is nowhere would let everything through, so
  // where g may not be a number, NaN counts as outside
  const Real g = Model::template constraint<P>(node.q, node.c);
  constexpr bool defined = Model::defined_everywhere[P];
  const Mask outside = defined ? g >= Real(0) : !(g < Real(0));
  if (!any(outside)) return false;
  s.record.outside = true;
  const Real steepness = Model::template steepness<P>(node.q, node.c);
  const Mask singular = is_singular(steepness) || (defined ? never : is_nan(g));
  if constexpr (Model::Standard::penetration) s.record.penetration = max(s.record.penetration, max(depth(outside, g, steepness), Real(0)));
  const Mask active = outside && (singular || (Model::template constraint_rate<P>(node.q, node.c, s.w) > Real(0)));
  if (!any(active)) return false;

  // (P4), (P6), (P12) in the frame of the contact
  Real w_t[Model::dimension], w_n, slip_speed;
  Model::template split<P>(node.q, node.c, s.w, w_n, w_t, slip_speed);
  const Real u_n_before = Model::template along_normal<P>(node.q, node.c, node.v);
  constexpr bool rebounds = Model::rebounds[P];
  const Real e = rebounds ? Model::template restitution<P>(node) : Real(0);
  const Real mu = Model::template friction<P>(node);
  const law::ContactSolution<Real> solved = law::solve_contact<rebounds>(w_n, slip_speed, u_n_before, e, mu);
  Real v_t[Model::dimension], v_touched[Model::dimension];
  unroll<Model::dimension>([&](auto c) {
    math::Sum<Real> slip = s.v.get(c);
    slip.value = w_t[c];
    slip = law::take_share(slip, solved.share);
    v_t[c] = slip.value;
    if constexpr (!is_double<Real>) s.v.low[c] = select(active, slip.low, s.v.low[c]);
  });
  Model::template join<P>(node.q, node.c, v_t, solved.v_n, v_touched);

  // two contacts at once are not solved here, and a singular gradient has no normal
  constexpr bool may_be_bad = Model::contacts > 1 || !Model::constant_gradient[P] || !defined;
  const Mask bad = active && (singular || taken);
  unroll<Model::dimension>([&](auto c) {
    s.v.value[c] = select(active, v_touched[c], s.v.value[c]);
    if constexpr (may_be_bad) s.v.value[c] = select(bad, Real(canonical_nan<Real>()), s.v.value[c]);
  });
  if constexpr (Checked) {
    note_reason(s.record.reason.value, active && is_nan(g), Status::non_finite);
    note_reason(s.record.reason.value, active && singular, Status::singular_gradient);
    note_reason(s.record.reason.value, active && taken, Status::several_contacts);
    note_reason(reason_of_law, active && is_nan(mu), Status::bad_angle);
    note_reason(reason_of_law, active && is_nan(e), Status::bad_restitution);
  }
  if constexpr (Model::contacts > 1) taken = taken || active;

  auto& record = s.record.contact[P];
  record.active = active;
  record.stick = active && (solved.share == Real(1));
  record.u_n_before = u_n_before;
  record.force_n = s.h * Model::template along_normal<P>(node.q, node.c, s.f);
  record.r_n = solved.r_n;
  if constexpr (Model::Standard::dissipated) {
    Real r[Model::dimension];
    unroll<Model::dimension>([&](auto c) { r[c] = v_touched[c] - s.w[c]; });
    record.work = metric::along_mean<Model::dimension>(r, node.v, v_touched);
  }
  return true;
}

}  // namespace conesweep::contact
