#pragma once

#include <conesweep/observe/contact_times.hpp>

namespace conesweep::observe {

/// Impacts, the first contact, and times of stick and slip of members whose steps are done in pieces (A14): by the
/// length of pieces, in steps, and by located instants.
template <class Real, class Model>
struct PieceTimes : state::KeptEntries<NeedsContact<Model>, Real> {
  using Needs = NeedsContact<Model>;

  template <int K>
  CS_INLINE Real& number() {
    return state::get<K, Needs>(*this);
  }

  CS_INLINE void start() {
    unroll<Needs::count>([&](auto k) CS_LAMBDA {
      if constexpr (Needs::entry(k)) number<k>() = k == first_contact ? Real(infinity<ScalarOf<Real>>()) : Real(0);
    });
  }

  template <bool Checked>
  CS_INLINE void see(const state::StepRecord<Real, Model, Checked>& record, Real, Real) {
    const auto& pieces = record.pieces();
    if constexpr (Needs::entry(stick_nodes)) number<stick_nodes>() = number<stick_nodes>() + pieces.stick;
    if constexpr (Needs::entry(slip_nodes)) number<slip_nodes>() = number<slip_nodes>() + pieces.slip;
    if constexpr (Needs::entry(impact_count)) number<impact_count>() = number<impact_count>() + pieces.impacts;
    if constexpr (Needs::entry(first_contact)) number<first_contact>() = min(number<first_contact>(), pieces.first);
  }
  CS_INLINE void see_none(Real) {}

  /// Before the results.
  CS_INLINE void end(Real) {
    if constexpr (Needs::entry(first_contact)) {
      Real& first = number<first_contact>();
      first = select(first < Real(infinity<ScalarOf<Real>>()), first, Real(canonical_nan<Real>()));
    }
  }

  CS_INLINE Real flight(long steps) const {
    return (Real(ScalarOf<Real>(steps)) - state::get_or<stick_nodes>(*this, Real(0))) -
           state::get_or<slip_nodes>(*this, Real(0));
  }
};

/// How a model's contact times are kept.
template <class Real, class Model, bool Second = state::is_second<Model>()>
struct TimesOf {
  using Type = ContactTimes<Real, Model>;
};
template <class Real, class Model>
struct TimesOf<Real, Model, true> {
  using Type = PieceTimes<Real, Model>;
};

}  // namespace conesweep::observe
