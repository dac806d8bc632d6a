#pragma once

#include <conesweep/contact/one_block.hpp>
#include <conesweep/contact/together.hpp>

// Particles in the unit metric, with several contacts or with one whose impacts are located: where one touches, it is
// solved in closed form; lanes in which several do leave the pack one by one, so that a lane never depends on its
// neighbours.

namespace conesweep::contact {

/// One lane of a node.
template <class Real, class Model>
CS_HD void take_lane(const Node<Real, Model>& from, int lane, Node<ScalarOf<Real>, Model>& to,
                     ScalarOf<Real>* constants) {
  to.t = get_lane(from.t, lane);
  for (int c = 0; c < Model::dimension; ++c) to.q[c] = get_lane(from.q[c], lane), to.v[c] = get_lane(from.v[c], lane);
  for (int k = 0; k < Model::constants; ++k) constants[k] = get_lane(from.c[k], lane);
  to.c = constants;
  for (int k = 0; k < Model::lags; ++k) {
    to.past_t[k] = get_lane(from.past_t[k], lane);
    for (int c = 0; c < Model::q_columns; ++c)
      to.past_q[k][c] = Model::lag_q[k][c] ? get_lane(from.past_q[k][c], lane) : ScalarOf<Real>(0);
    for (int c = 0; c < Model::v_columns; ++c)
      to.past_v[k][c] = Model::lag_v[k][c] ? get_lane(from.past_v[k][c], lane) : ScalarOf<Real>(0);
  }
  for (int k = 0; k < Model::windows; ++k) to.window[k] = get_lane(from.window[k], lane);
}

/// All contacts of one member at once.
template <class Real, class Model, bool Checked>
CS_HD void solve_member(Passage<Real, Model, Checked>& s) {
  Scales<Real, Model> scales;
  scales.set_all(s.h);
  Real push = s.h * sqrt(metric::squared_length<Model::dimension>(s.f));
  if constexpr (state::is_located<Model>())
    if (is_arrival(s)) push = sqrt(metric::squared_length<Model::dimension>(s.arrival().push));
  const Real speed = sqrt(metric::squared_length<Model::dimension>(s.node.v)) + push;
  solve_together(s, metric::UnitMetric<Real, Model::dimension>{}, {s.h, s.t_next, speed}, scales);
}

/// The same for one lane of a pack.
template <class Real, class Model, bool Checked>
CS_APART void solve_lane(Passage<Real, Model, Checked>& s, int lane) {
  using Scalar = ScalarOf<Real>;
  Passage<Scalar, Model, Checked> one;
  Scalar constants[at_least_one(Model::constants)];
  take_lane(s.node, lane, one.node, constants);
  one.h = get_lane(s.h, lane);
  one.t_next = get_lane(s.t_next, lane);
  one.first = s.first;
  for (int c = 0; c < Model::dimension; ++c) {
    one.f[c] = get_lane(s.f[c], lane);
    one.v.value[c] = one.w[c] = get_lane(s.w[c], lane);
  }
  one.v.forget_low();
  one.record.start();
  if constexpr (Model::Laws::uses_laws)
    for (int law = 0; law < state::count_laws<Model>(); ++law) one.impulses()[law] = Scalar(0);
  solve_member(one);

  for (int c = 0; c < Model::dimension; ++c) {
    set_lane(s.v.value[c], lane, one.v.value[c]);
    if constexpr (!is_double<Real>) set_lane(s.v.low[c], lane, one.v.low[c]);
  }
  for (int p = 0; p < Model::contacts; ++p) {
    auto& to = s.record.contact[p];
    const auto& from = one.record.contact[p];
    Real active = Real(0), stick = Real(0);
    set_lane(active, lane, from.active ? Scalar(1) : Scalar(0));
    set_lane(stick, lane, from.stick ? Scalar(1) : Scalar(0));
    to.active = to.active || active != Real(0);
    to.stick = to.stick || stick != Real(0);
    set_lane(to.u_n_before, lane, from.u_n_before);
    set_lane(to.force_n, lane, from.force_n);
    set_lane(to.r_n, lane, from.r_n);
    set_lane(to.work, lane, from.work);
    set_lane(to.drive, lane, from.drive);
    if constexpr (Model::Laws::uses_laws) set_lane(s.impulses()[p], lane, one.impulses()[p]);
  }
  set_lane(s.record.joint().painleve, lane, one.record.joint().painleve);
  set_lane(s.record.joint().hyperstatic, lane, one.record.joint().hyperstatic);
  if constexpr (Checked) {
    set_lane(s.record.reason.value, lane, one.record.reason.value);
    set_lane(s.record.joint().residual, lane, one.record.joint().residual);
  }
}

/// (B2) for particles. Returns true if some contact pushes in some lane.
template <class Real, class Model, bool Checked>
CS_INLINE bool solve_several(Passage<Real, Model, Checked>& s, Real& reason_of_law) {
  using Mask = MaskOf<Real>;
  const auto& node = s.node;
  const Real tolerance = touching_tolerance<Real, Model>(node.q, s.first);
  Mask touching[Model::contacts];
  [[maybe_unused]] Mask closing = Real(0) != Real(0);
  Real count = Real(0);
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    const Real g = Model::template constraint<p>(node.q, node.c, node.t);
    const Real steepness = Model::template steepness<p>(node.q, node.c, node.t);
    touching[p] = !(g < -(tolerance * steepness));
    if constexpr (RealTraits<Real>::lanes == 1) touching[p] = touching[p] || has_arrived<p>(s);
    count = count + select(touching[p], Real(1), Real(0));
    if (!any(touching[p])) return;
    s.record.outside = true;
    if constexpr (Model::Standard::penetration)
      s.record.penetration = max(s.record.penetration, max(depth(g >= Real(0), g, steepness), Real(0)));
  });
  if (!any(count > Real(0))) return false;

  if constexpr (Model::contacts == 1) {
    return solve_block<0>(s, touching[0], reason_of_law);
  } else {
    Mask several = count > Real(1);
    if (any(several)) {
      unroll<Model::contacts>([&](auto p) CS_LAMBDA {
        Real w[Model::dimension];
        [[maybe_unused]] Real wall[Model::dimension];
        if constexpr (Model::moves[p]) Model::template wall_velocity<p>(node.q, node.c, node.t, s.t_next, s.h, wall);
        unroll<Model::dimension>([&](auto c) CS_LAMBDA { w[c] = Model::moves[p] ? s.w[c] - wall[c] : s.w[c]; });
        closing =
            closing || (touching[p] && !(Model::template constraint_rate<p>(node.q, node.c, node.t, w) <= Real(0)));
      });
      several = several && closing;
    }

    bool touched = false;
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      if (solve_block<p>(s, touching[p] && !several, reason_of_law)) touched = true;
    });
    if (any(several)) {
      touched = true;
      if constexpr (RealTraits<Real>::lanes == 1) {
        solve_member(s);
      } else {
        const Real leaves = select(several, Real(1), Real(0));
        for (int lane = 0; lane < RealTraits<Real>::lanes; ++lane)
          if (get_lane(leaves, lane) != ScalarOf<Real>(0)) solve_lane(s, lane);
      }
    }
    return touched;
  }
}

}  // namespace conesweep::contact
