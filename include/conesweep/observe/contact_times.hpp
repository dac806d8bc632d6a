#pragma once

#include <conesweep/state/kept.hpp>
#include <conesweep/state/passage.hpp>

namespace conesweep::observe {

/// What is kept for impacts, the first contact and the times of stick and slip.
enum ContactNumber {
  last_contact,   // node of the last one; -2: never
  stick_nodes,    // how many
  slip_nodes,     // how many
  impact_count,   //
  first_contact,  // its time
  last_of_first,  // node of the last contact of contact 0, and so on, where there are several
};

template <class Model>
struct NeedsContact {
  using Standard = typename Model::Standard;
  static constexpr int watched = state::count_watched<Model>();
  static constexpr bool some = Model::contacts > 0;
  static constexpr bool times = watched > 0 && (Standard::stick_time || Standard::slip_time || Standard::flight_time);
  static constexpr bool onsets = times || (some && (Standard::impacts || Standard::first_contact));
  static constexpr bool several = watched > 1;

  static constexpr int count = last_of_first + watched;
  CS_HD static constexpr bool entry(int k) {
    return k == last_contact    ? onsets && !state::is_second<Model>()
           : k == impact_count  ? some && Standard::impacts
           : k == first_contact ? some && Standard::first_contact
           : k >= last_of_first ? onsets && several && !state::is_second<Model>()
                                : times;
  }
};

/// In packs with one contact: nodes at which the same lanes touch and the same ones stick are counted together, when
/// that changes. Whole numbers: in double the order of their sum does not matter.
template <class Real, class Model>
inline constexpr bool counts_runs =
    RealTraits<Real>::lanes > 1 && is_double<Real>&& NeedsContact<Model>::onsets&& NeedsContact<Model>::watched == 1;
template <class Real>
struct Run {
  MaskOf<Real> active, stick;
  Real since;   // its first node
  int pattern;  // both masks as bits; 0: no lane touches
};

/// Impacts, the first contact, and times of stick and slip (O3 … O5). By node numbers: nothing is counted while there
/// is no contact.
template <class Real, class Model>
struct ContactTimes : state::KeptEntries<NeedsContact<Model>, Real>, state::Kept<counts_runs<Real, Model>, Run<Real>> {
  using Mask = MaskOf<Real>;
  using Needs = NeedsContact<Model>;

  template <int K>
  CS_INLINE Real& number() {
    return state::get<K, Needs>(*this);
  }

  CS_INLINE void start() {
    unroll<Needs::count>([&](auto k) CS_LAMBDA {
      constexpr bool is_node = k == last_contact || k >= last_of_first;
      if constexpr (Needs::entry(k))
        number<k>() = is_node ? Real(-2) : k == first_contact ? Real(canonical_nan<Real>()) : Real(0);
    });
    if constexpr (counts_runs<Real, Model>) {
      const Mask never = Real(0) != Real(0);
      run() = {never, never, Real(0), 0};
    }
  }

  /// No contact at node i in this pack: what went on ends.
  CS_INLINE void see_none([[maybe_unused]] Real i) {
    if constexpr (counts_runs<Real, Model>) {
      if (run().pattern == 0) return;
      end_run(i);
      const Mask never = Real(0) != Real(0);
      run() = {never, never, i, 0};
    }
  }

  /// Contact at node i somewhere in this pack.
  template <bool Checked>
  CS_INLINE void see(const state::StepRecord<Real, Model, Checked>& record, Real i, Real t) {
    if constexpr (counts_runs<Real, Model>) {
      const Mask active = record.contact[0].active, stick = record.contact[0].stick;
      const int pattern = collect_bits(active) | collect_bits(stick) << RealTraits<Real>::lanes;
      if (__builtin_expect(pattern == run().pattern, 1)) return;
      end_run(i);
      const Mask onset = active && !run().active;
      if (any(onset)) see_onset(record, &onset, onset, i, t);
      run() = {active, stick, i, pattern};
    } else if constexpr (Needs::onsets) {
      const Mask active = record.is_active();
      // most contacts go on from the step before; only an onset takes thought
      Mask onset[Needs::watched], some_onset = Real(0) != Real(0);
      unroll<Needs::watched>([&](auto p) CS_LAMBDA {
        constexpr int last = Needs::several ? last_of_first + p : int(last_contact);
        onset[p] = record.contact[p].active && (number<last>() != i - Real(1));
        some_onset = p == 0 ? onset[p] : some_onset || onset[p];
      });
      if (any(some_onset)) see_onset(record, onset, some_onset, i, t);
      if constexpr (Needs::times) {
        const Mask sticks = record.is_stick();
        number<stick_nodes>() = select(active && sticks, number<stick_nodes>() + Real(1), number<stick_nodes>());
        number<slip_nodes>() = select(active && !sticks, number<slip_nodes>() + Real(1), number<slip_nodes>());
      }
      number<last_contact>() = select(active, i, number<last_contact>());
      if constexpr (Needs::several)
        unroll<Needs::watched>([&](auto p) CS_LAMBDA {
          number<last_of_first + p>() = select(record.contact[p].active, i, number<last_of_first + p>());
        });
    }
  }

  /// Before the results, at node i.
  CS_INLINE void end([[maybe_unused]] Real i) {
    if constexpr (counts_runs<Real, Model>) end_run(i);
  }

  CS_INLINE Real flight(long steps) const {
    return (Real(ScalarOf<Real>(steps)) - state::get_or<stick_nodes>(*this, Real(0))) -
           state::get_or<slip_nodes>(*this, Real(0));
  }

 private:
  CS_INLINE Run<Real>& run() { return state::Kept<true, Run<Real>>::value; }

  /// What went on until node i - 1.
  CS_INLINE void end_run(Real i) {
    if constexpr (Needs::times) {
      const Real nodes = i - run().since;
      number<stick_nodes>() = select(run().stick, number<stick_nodes>() + nodes, number<stick_nodes>());
      number<slip_nodes>() = select(run().active && !run().stick, number<slip_nodes>() + nodes, number<slip_nodes>());
    }
    number<last_contact>() = select(run().active, i - Real(1), number<last_contact>());
  }

  template <bool Checked>
  CS_INLINE void see_onset(const state::StepRecord<Real, Model, Checked>& record, const Mask* onset, Mask some_onset,
                           Real i, Real t) {
    // (O3) an impact arrives faster than ten steps of the present force could make it
    Mask some_impact = Real(0) != Real(0);
    unroll<Needs::watched>([&](auto p) CS_LAMBDA {
      const auto& contact = record.contact[p];
      const Mask impact = onset[p] && state::is_impact(contact.u_n_before, contact.force_n);
      if constexpr (Needs::entry(impact_count))
        number<impact_count>() = number<impact_count>() + select(impact, Real(1), Real(0));
      some_impact = p == 0 ? impact : some_impact || impact;
    });
    const Real last = number<last_contact>();
    const Mask touched = last >= Real(0);
    if constexpr (Needs::entry(first_contact))
      number<first_contact>() = select(some_onset && !touched, t, number<first_contact>());
    // (O5) a gap between contacts that ends without an impact was slip along the surface
    if constexpr (Needs::times)
      number<slip_nodes>() =
          number<slip_nodes>() + select(some_onset && touched && !some_impact, (i - last) - Real(1), Real(0));
  }
};

}  // namespace conesweep::observe
