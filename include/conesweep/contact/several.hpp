#pragma once

#include <conesweep/contact/one_block.hpp>
#include <conesweep/contact/together.hpp>

// Particles in the unit metric, with several contacts or with one whose impacts are located: where one touches, it is
// solved in closed form; lanes in which several do leave the pack one by one, so that a lane never depends on its
// neighbours.

namespace conesweep::contact {

/// All contacts of one member at once.
template <class Real, class Model, bool Checked>
CS_HD void solve_member(Passage<Real, Model, Checked>& s) {
  Scales<Real, Model> scales;
  scales.set_all(s.h);
  Motion<Real, Model::dimension> motion;
  for (int c = 0; c < Model::dimension; ++c) motion.before[c] = s.node.v[c], motion.push[c] = s.h * s.f[c];
  if constexpr (state::is_located<Model>())
    if (is_arrival(s))
      for (int c = 0; c < Model::dimension; ++c) motion.push[c] = s.arrival().push[c];
  solve_together(s, metric::UnitMetric<Real, Model::dimension>{}, {s.h, s.t_next, motion}, scales);
}

/// The same for one lane of a pack.
template <class Real, class Model, bool Checked>
CS_APART void solve_lane(Passage<Real, Model, Checked>& s, int lane) {
  using Scalar = ScalarOf<Real>;
  Passage<Scalar, Model, Checked> one;
  Scalar constants[at_least_one(Model::constants)];
  state::take_lane(s, lane, one);
  state::take_lane_of<Model::constants>(s.node.c, lane, constants);
  one.node.c = constants;
  for (int c = 0; c < Model::dimension; ++c) one.v.value[c] = one.w[c];
  one.v.forget_low();
  // contacts of other lanes have left numbers in all of them; how deep the lane lies is known already
  const Scalar penetration = one.record.penetration;
  one.record.start();
  one.record.penetration = penetration;
  if constexpr (Model::Laws::uses_laws)
    for (int law = 0; law < state::count_laws<Model>(); ++law) one.impulses()[law] = Scalar(0);
  solve_member(one);
  state::put_lane(one, lane, s);
}

/// (B2) for particles. Returns true if some contact pushes in some lane.
template <class Real, class Model, bool Checked>
CS_INLINE bool solve_several(Passage<Real, Model, Checked>& s, Real& reason_of_law) {
  using Mask = MaskOf<Real>;
  const auto& node = s.node;
  Mask touching[Model::contacts];
  [[maybe_unused]] Mask closing = Real(0) != Real(0);
  Real count = Real(0);
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    const Real g = Model::template constraint<p>(node.q, node.c, node.t);
    const Real steepness = Model::template steepness<p>(node.q, node.c, node.t);
    touching[p] = touches<p, Real, Model>(node.q, s.first, g, steepness);
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
