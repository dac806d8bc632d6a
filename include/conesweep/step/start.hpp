#pragma once

#include <conesweep/contact/one_block.hpp>
#include <conesweep/math/elementary.hpp>
#include <conesweep/metric/unit.hpp>
#include <conesweep/step/member.hpp>
#include <conesweep/step/settle.hpp>
#include <conesweep/step/start_laws.hpp>

namespace conesweep::step {

using history::Ring;
using state::Clock;

/// A start may lie outside contact P by 1e-9 of its own size.
template <int P, class Real, class Model>
CS_INLINE MaskOf<Real> lies_outside(Member<Real, Model>& m) {
  using Scalar = ScalarOf<Real>;
  const Real size = sqrt(metric::squared_length<Model::dimension>(m.q.value));
  const Real tolerance = Real(Scalar(is_double<Real> ? 1e-9 : 1e-6)) * (Real(1) + size);
  const Real g = Model::template constraint<P>(m.q.value, m.constants(), Real(0));
  return (g > Real(0)) && (g / Model::template steepness<P>(m.q.value, m.constants(), Real(0)) > tolerance);
}

/// From parameters to node 0. A member that cannot start gets NaN as its position, which no later step loses.
template <class Real, class Model>
CS_INLINE void start_member(Member<Real, Model>& m, const Real* parameters, const Clock<ScalarOf<Real>>& clock) {
  Model::prepare(parameters, m.constants());
  Model::past(Real(0), m.constants(), m.q.value);
  Model::start_velocity(m.constants(), m.v.value);
  contact::keep_factors<Model>(m.q.value, m.constants());
  if constexpr (state::settles<Model>()) settle(m);
  if constexpr (Model::Laws::percussions > 0) forget_atoms<Model>(m.families());
  MaskOf<Real> good = history::start_lags(m.past(), m.constants(), clock);
  unroll<Model::contacts>([&](auto p) CS_LAMBDA { good = good && !lies_outside<p>(m); });
  if constexpr (Model::Laws::packs)
    good = good && starts_on_firm_rows(m) && starts_within_sets(m);
  else if constexpr (Model::Laws::coupled)
    good = good && check_start(m, clock) == state::Status::ok;
  if constexpr (Model::Laws::uses_laws)
    for (int law = 0; law < state::count_laws<Model>(); ++law) m.law_normal()[law] = m.law_slip()[law] = Real(0);
  if constexpr (Model::Laws::persistent > 0)
    for (int p = 0; p < Model::contacts; ++p) m.lost()[p] = infinity<Real>();
  unroll<Model::dimension>([&](auto c)
                               CS_LAMBDA { m.q.value[c] = select(good, m.q.value[c], Real(canonical_nan<Real>())); });
  history::start_older(m.past(), m.q.value);
  m.q.forget_low();
  m.v.forget_low();
  m.observers().start(m.constants(), clock);
  m.mode = Real(0);
  if constexpr (state::stops<Model>()) m.running() = Real(0) == Real(0);
}

/// Slots that no node has reached yet must hold something finite.
template <class Real, class Model>
CS_INLINE void fill_ring(const Member<Real, Model>& m, const Ring<ScalarOf<Real>>& ring) {
  for (long slot = 0; slot < ring.slots; ++slot) history::remember<Model>(m.q.value, m.v.value, slot, ring);
}

}  // namespace conesweep::step
