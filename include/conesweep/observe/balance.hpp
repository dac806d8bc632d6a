#pragma once

#include <conesweep/math/sum.hpp>
#include <conesweep/metric/unit.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/passage.hpp>

namespace conesweep::observe {

enum BalanceSum { dissipated_energy, normal_impulse, velocity_variation, force_work };

template <class Model>
struct NeedsBalance {
  using Standard = typename Model::Standard;
  static constexpr int count = 4;
  CS_HD static constexpr bool entry(int k) {
    if (k == velocity_variation) return Standard::variation;
    if (k == force_work) return Standard::work;
    return Model::contacts > 0 && (k == dissipated_energy ? Standard::dissipated : Standard::impulse);
  }
};

/// The one entry: the largest penetration so far.
template <class Model>
struct NeedsPenetration {
  static constexpr int count = 1;
  CS_HD static constexpr bool entry(int) { return Model::contacts > 0 && Model::Standard::penetration; }
};

/// Sums and a maximum over the steps (O6, O7): energy lost in contact, normal impulse, variation of the velocity, work of the forces, penetration.
///
///   K_N - K_0 = work - dissipated, to rounding: every step takes v_{i-1} to v_i by h f and r, and each works along v̄ = (v_{i-1} + v_i)/2
template <class Real, class Model>
struct Balance : state::KeptEntries<NeedsBalance<Model>, math::Sum<Real>>, state::KeptEntries<NeedsPenetration<Model>, Real> {
  using Needs = NeedsBalance<Model>;

  template <int K>
  CS_INLINE math::Sum<Real>& sum() {
    return state::get<K, Needs>(*this);
  }

  CS_INLINE void start() {
    unroll<Needs::count>([&](auto k) {
      if constexpr (Needs::entry(k)) sum<k>().start(Real(0));
    });
    if constexpr (NeedsPenetration<Model>::entry(0)) state::get<0, NeedsPenetration<Model>>(*this) = Real(0);
  }

  /// variation = Σ |v_i - v_{i-1}|, work = Σ h f·v̄
  template <bool Checked>
  CS_INLINE void see_velocity([[maybe_unused]] const state::Passage<Real, Model, Checked>& s) {
    if constexpr (Needs::entry(velocity_variation)) sum<velocity_variation>().add(metric::distance<Model::dimension>(s.node.v, s.v.value));
    if constexpr (Needs::entry(force_work)) sum<force_work>().add_product(s.h, metric::along_mean<Model::dimension>(s.f, s.node.v, s.v.value));
  }

  CS_INLINE void see_penetration([[maybe_unused]] Real depth) {
    if constexpr (NeedsPenetration<Model>::entry(0)) {
      Real& deepest = state::get<0, NeedsPenetration<Model>>(*this);
      deepest = max(deepest, depth);
    }
  }

  /// Contact somewhere in this pack. dissipated = -Σ r·v̄, impulse = Σ rₙ.
  template <bool Checked>
  CS_INLINE void see_contacts([[maybe_unused]] const state::StepRecord<Real, Model, Checked>& record) {
    if constexpr (Needs::entry(normal_impulse)) sum<normal_impulse>().add(add_up(record, [](const auto& contact) { return contact.r_n; }));
    if constexpr (Needs::entry(dissipated_energy)) sum<dissipated_energy>().add(add_up(record, [](const auto& contact) { return -contact.work; }));
  }

  /// At the end.
  template <int K>
  CS_INLINE Real result() {
    if constexpr (Needs::entry(K))
      return sum<K>().value;
    else
      return Real(0);
  }
  CS_INLINE Real penetration() const { return state::get_or<0, NeedsPenetration<Model>>(*this, Real(0)); }

 private:
  // over the active contacts
  template <bool Checked, class Quantity>
  static CS_INLINE Real add_up(const state::StepRecord<Real, Model, Checked>& record, const Quantity& quantity) {
    Real sum = Real(0);
    unroll<Model::contacts>([&](auto p) {
      const Real part = select(record.contact[p].active, quantity(record.contact[p]), Real(0));
      sum = p == 0 ? part : sum + part;
    });
    return sum;
  }
};

}  // namespace conesweep::observe
