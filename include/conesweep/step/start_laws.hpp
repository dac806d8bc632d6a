#pragma once

#include <conesweep/contact/model_blocks.hpp>
#include <conesweep/step/member.hpp>

namespace conesweep::step {

/// Where a set has no end, no impulse density keeps the sliding velocity on the wrong side of 0: is it on the right
/// one?
template <class Real, class Model>
CS_HD MaskOf<Real> starts_within_sets(Member<Real, Model>& m) {
  using Laws = typename Model::Laws;
  constexpr int D = Model::dimension;
  [[maybe_unused]] const Real small = Real(ScalarOf<Real>(is_double<Real> ? 1e-9 : 1e-5));
  [[maybe_unused]] const Real speed = small * (Real(1) + sqrt(metric::squared_length<D>(m.v.value)));
  MaskOf<Real> good = Real(0) == Real(0);
  unroll<int(Laws::resistances)>([&](auto r) CS_LAMBDA {
    if constexpr (Laws::is_open_below(r) || Laws::is_open_above(r)) {
      Real row[D], u;
      Model::template resistance_rows<r>(m.q.value, m.constants(), Real(0), row);
      Model::template resistance_drive<r>(m.q.value, m.constants(), Real(0), &u);
      u = -u;
      for (int j = 0; j < D; ++j) u = u + row[j] * m.v.value[j];
      if constexpr (Laws::is_open_below(r)) good = good && u <= speed;
      if constexpr (Laws::is_open_above(r)) good = good && u >= -speed;
    }
  });
  return good;
}

/// Do firm rows hold at the start (B9)?
///
///   |φ|/|∇φ| <= 1e-9 (1 + |q|),   |B v - c| <= 1e-9 (1 + |v|)
template <class Real, class Model>
CS_HD MaskOf<Real> starts_on_firm_rows(Member<Real, Model>& m) {
  using Laws = typename Model::Laws;
  constexpr int D = Model::dimension;
  MaskOf<Real> good = Real(0) == Real(0);
  if constexpr (Laws::firm > 0) {
    const Real small = Real(ScalarOf<Real>(is_double<Real> ? 1e-9 : 1e-5));
    const Real *q = m.q.value, *v = m.v.value, *c = m.constants();
    [[maybe_unused]] const Real place = small * (Real(1) + sqrt(metric::squared_length<D>(q)));
    const Real speed = small * (Real(1) + sqrt(metric::squared_length<D>(v)));
    unroll<Laws::firm>([&](auto f) CS_LAMBDA {
      Real row[D];
      Model::template firm_row<f>(q, c, Real(0), row);
      Real u = -Model::template firm_drive<f>(q, c, Real(0), Real(0), Real(0));
      for (int j = 0; j < D; ++j) u = u + row[j] * v[j];
      good = good && abs(u) <= speed;
      if constexpr (Laws::is_holonomic(f))
        good =
            good && abs(Model::template firm_value<f>(q, c, Real(0))) <= place * sqrt(metric::squared_length<D>(row));
    });
  }
  return good;
}

/// What keeps a member of a coupled model from starting (B9); Status::ok: nothing. Its position, velocity and constants
/// are there.
///
///   |φ|/|∇φ| <= 1e-9 (1 + |q|),   |A v - c| <= 1e-9 (1 + |v|) of firm rows, and of the normal rows of persistent
///   contacts,
///   and where a set has no end no impulse density keeps the sliding velocity on the wrong side of 0
template <class Real, class Model>
CS_HD state::Status check_start(Member<Real, Model>& m, const state::Clock<Real>& clock) {
  using Laws = typename Model::Laws;
  constexpr int D = Model::dimension;
  [[maybe_unused]] const Real small = Real(is_double<Real> ? 1e-9 : 1e-5);
  [[maybe_unused]] const Real *q = m.q.value, *v = m.v.value, *c = m.constants();
  [[maybe_unused]] const Real place = small * (Real(1) + sqrt(metric::squared_length<D>(q)));
  [[maybe_unused]] const Real speed = small * (Real(1) + sqrt(metric::squared_length<D>(v)));
  bool good = starts_on_firm_rows(m);
  if constexpr (Laws::persistent > 0) {
    unroll<Model::contacts>([&](auto p) CS_LAMBDA {
      if constexpr (Laws::is_persistent(p)) {
        Real row[D];
        contact::put_normal_row<p, Model>(q, c, Real(0), row);
        Real u = -Model::template wall_speed<p>(q, c, Real(0), Real(0), Real(0));
        for (int j = 0; j < D; ++j) u = u + row[j] * v[j];
        good = good && abs(u) <= speed;
        good = good &&
               abs(Model::template constraint<p>(q, c, Real(0))) <= place * Model::template steepness<p>(q, c, Real(0));
      }
    });
  }
  good = good && starts_within_sets(m);
  if (!good) return state::Status::bad_start;
  if constexpr (Laws::percussions > 0) {
    unroll<Laws::resistances>([&](auto r) CS_LAMBDA {
      constexpr int family = Laws::family_of(r);
      if constexpr (family >= 0) good = good && start_family<r, Model>(c, clock, m.families()[family]);
    });
    if (!good) return state::Status::bad_percussions;
  }
  return state::Status::ok;
}

}  // namespace conesweep::step
