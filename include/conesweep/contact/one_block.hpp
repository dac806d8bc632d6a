#pragma once

#include <conesweep/contact/touching.hpp>
#include <conesweep/law/coulomb_cone.hpp>

namespace conesweep::contact {

/// (P2) … (P4) for contact P of the model, in the unit metric and by itself: turns the prospective velocity w into v
/// where it is active. Returns true if it is in some lane. The model has the geometry (g, ∇g, the frame of the
/// contact), law/coulomb_cone.hpp the law.
///
/// What cannot be solved makes v NaN, and the member is found at its end. A checked step tells why: members run so a
/// second time.
///
/// `alone`, where the model has several contacts or locates impacts: the lanes in which this one touches and no other
/// does.
///
/// It is longer than 60 lines: apart, its parts would hand on a dozen values that stay in registers here.
template <int P, class Real, class Model, bool Checked>
CS_INLINE bool solve_block(Passage<Real, Model, Checked>& s, [[maybe_unused]] MaskOf<Real> alone,
                           [[maybe_unused]] Real& reason_of_law) {
  using Mask = MaskOf<Real>;
  const Mask never = Real(0) != Real(0);
  const auto& node = s.node;

  // (P2) contact is active where the particle is outside and moving further out. A wall that is nowhere would let
  // everything through, so where g may not be a number, NaN counts as outside
  const Real g = Model::template constraint<P>(node.q, node.c, node.t);
  constexpr bool defined = Model::defined_everywhere[P];
  constexpr bool chosen = Model::contacts > 1 || state::is_located<Model>();
  const Mask outside = chosen ? alone : defined ? g >= Real(0) : !(g < Real(0));
  if (!any(outside)) return false;
  if constexpr (!chosen) s.record.outside = true;
  const Real steepness = Model::template steepness<P>(node.q, node.c, node.t);
  const Mask singular = is_singular(steepness) || (defined ? never : is_nan(g));
  // where it is below 0, the largest so far is larger
  if constexpr (Model::Standard::penetration && !chosen) s.record.penetration = g / steepness;
  // (P13) velocities are those relative to the wall
  constexpr bool moves = Model::moves[P];
  [[maybe_unused]] Real wall[Model::dimension];
  Real w[Model::dimension], before[Model::dimension];
  if constexpr (moves) Model::template wall_velocity<P>(node.q, node.c, node.t, s.t_next, s.h, wall);
  unroll<Model::dimension>([&](auto c) CS_LAMBDA {
    w[c] = moves ? s.w[c] - wall[c] : s.w[c];
    before[c] = moves ? node.v[c] - wall[c] : node.v[c];
  });
  const Mask active =
      outside && (singular || (Model::template constraint_rate<P>(node.q, node.c, node.t, w) > Real(0)));
  if (!any(active)) return false;

  // (P4), (P6), (P12) in the frame of the contact
  Real w_t[Model::dimension], w_n, slip_speed;
  Model::template split<P>(node.q, node.c, node.t, w, w_n, w_t, slip_speed);
  const Real u_n_before = Model::template along_normal<P>(node.q, node.c, node.t, before);
  constexpr bool rebounds = Model::rebounds[P];
  Real e = rebounds ? Model::template restitution<P>(node) : Real(0);
  [[maybe_unused]] Real push_n = Real(0);
  if constexpr (state::is_located<Model>()) {
    // (I3) what arrives slowly stays
    if (is_arrival(s)) {
      push_n = Model::template along_normal<P>(node.q, node.c, node.t, s.arrival().push);
      e = select(stays<P>(s, u_n_before, push_n), Real(0), e);
      s.arrival().impact = s.arrival().impact || any(active && state::is_impact(u_n_before, push_n));
    }
  }
  const Real mu = Model::template friction<P>(node);
  // a singular gradient has no normal: its friction is NaN, and with it the velocity
  constexpr bool may_be_singular = !Model::constant_gradient[P] || !defined;
  const Real mu_or_none = may_be_singular ? select(singular, Real(canonical_nan<Real>()), mu) : mu;
  const law::ContactSolution<Real> solved = law::solve_contact<rebounds>(w_n, slip_speed, u_n_before, e, mu_or_none);
  Real v_t[Model::dimension], v_touched[Model::dimension];
  unroll<Model::dimension>([&](auto c) CS_LAMBDA {
    math::Sum<Real> slip = s.v.get(c);
    slip.value = w_t[c];
    slip = law::take_share(slip, solved.share);
    v_t[c] = slip.value;
    if constexpr (!is_double<Real>) s.v.low[c] = select(active, slip.low, s.v.low[c]);
  });
  Model::template join<P>(node.q, node.c, node.t, v_t, solved.v_n, v_touched);
  if constexpr (moves) unroll<Model::dimension>([&](auto c) CS_LAMBDA { v_touched[c] = v_touched[c] + wall[c]; });

  unroll<Model::dimension>([&](auto c) CS_LAMBDA { s.v.value[c] = select(active, v_touched[c], s.v.value[c]); });
  if constexpr (Checked) {
    note_reason(s.record.reason.value, active && is_nan(g), Status::non_finite);
    note_reason(s.record.reason.value, active && singular, Status::singular_gradient);
    note_reason(reason_of_law, active && is_nan(mu), Status::bad_angle);
    note_reason(reason_of_law, active && is_nan(e), Status::bad_restitution);
  }

  auto& record = s.record.contact[P];
  record.active = active;
  record.stick = active && (solved.share == Real(1));
  record.u_n_before = u_n_before;
  record.force_n = is_arrival(s) ? push_n : s.h * Model::template along_normal<P>(node.q, node.c, node.t, s.f);
  record.r_n = solved.r_n;
  if constexpr (Model::Standard::dissipated || Model::Standard::drive_work) {
    Real r[Model::dimension];
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { r[c] = v_touched[c] - s.w[c]; });
    record.work = metric::along_mean<Model::dimension>(r, node.v, v_touched);
    if constexpr (moves) {
      record.drive = metric::along_mean<Model::dimension>(r, wall, wall);
      record.work = record.work - record.drive;
    } else {
      record.drive = Real(0);
    }
  }
  return true;
}

}  // namespace conesweep::contact
