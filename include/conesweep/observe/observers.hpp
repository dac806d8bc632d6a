#pragma once

#include <conesweep/observe/balance.hpp>
#include <conesweep/observe/contact_times.hpp>
#include <conesweep/observe/persistence.hpp>
#include <conesweep/observe/piece_times.hpp>
#include <conesweep/observe/reducers.hpp>
#include <conesweep/state/columns.hpp>

namespace conesweep::observe {

/// Everything observed of a member while it runs: the user's expressions and the standard quantities. Observers read
/// nodes and records and know no law. What is not asked for costs nothing.
template <class Real, class Model>
struct Observers : Reduced<Real, Model>, TimesOf<Real, Model>::Type, Balance<Real, Model>, Persistence<Real, Model> {
  using Times = typename TimesOf<Real, Model>::Type;

  CS_INLINE Reduced<Real, Model>& reduced() { return *this; }
  CS_INLINE Times& contact() { return *this; }
  CS_INLINE Balance<Real, Model>& balance() { return *this; }
  CS_INLINE Persistence<Real, Model>& persistence() { return *this; }

  CS_INLINE void start(const Real* constants, const state::Clock<ScalarOf<Real>>& clock) {
    reduced().start(constants, clock);
    contact().start();
    balance().start();
    persistence().start();
  }

  /// What the step before left to be done: the root of (O7).
  CS_INLINE void end_last_step() { balance().add_late_root(); }

  /// What contacts did in the step from node i, where some pushed.
  template <bool Checked>
  CS_INLINE void see_contacts(const state::Passage<Real, Model, Checked>& s, Real i) {
    contact().see(s.record, i, s.node.t);
    balance().see_contacts(s.record);
  }

  /// None did.
  CS_INLINE void see_no_contact(Real i) { contact().see_none(i); }

  /// Every step from its place and the velocities before and after.
  template <bool Checked>
  CS_INLINE void see_step(const state::Passage<Real, Model, Checked>& s) {
    if (s.record.outside) balance().see_penetration(s.record.penetration);
    balance().see_velocity(s);
    persistence().see(s);
  }

  /// Calls store(number, value) for every observable in the order of the results: the user's, the standard ones, the
  /// final state. `clock` ends where the members do.
  template <class Store>
  CS_INLINE void finish(const Node<Real, Model>& node, const state::Clock<ScalarOf<Real>>& clock, const Store& store) {
    using Standard = typename Model::Standard;
    using state::get_or;
    const Real h = clock.h, zero = Real(0);
    contact().end(Real(ScalarOf<Real>(clock.steps)));
    const Times& times = *this;
    balance().add_late_root();
    int number = 0;
    unroll_many<Model::observables>([&](auto k)
                                        CS_LAMBDA { store(number++, reduced().template result<k>(node, clock)); });
    if constexpr (Standard::impacts) store(number++, get_or<impact_count>(times, zero));
    if constexpr (Standard::first_contact) store(number++, get_or<first_contact>(times, Real(canonical_nan<Real>())));
    if constexpr (Standard::stick_time) store(number++, get_or<stick_nodes>(times, zero) * h);
    if constexpr (Standard::slip_time) store(number++, get_or<slip_nodes>(times, zero) * h);
    if constexpr (Standard::flight_time) store(number++, times.flight(clock.steps) * h);
    if constexpr (Standard::dissipated) store(number++, balance().template result<dissipated_energy>());
    if constexpr (Standard::impulse) store(number++, balance().template result<normal_impulse>());
    if constexpr (Standard::variation) store(number++, balance().template result<velocity_variation>());
    if constexpr (Standard::penetration) store(number++, balance().penetration());
    if constexpr (Standard::work) store(number++, balance().template result<force_work>());
    if constexpr (Standard::drive_work) store(number++, balance().template result<wall_work>());
    if constexpr (Standard::gained) store(number++, balance().template result<gained_energy>());
    if constexpr (Standard::painleve) store(number++, balance().painleve());
    if constexpr (Standard::lost) store(number++, persistence().template loss<first_loss>());
    if constexpr (Standard::certificate) store(number++, persistence().template certificate<least_exact>());
    if constexpr (Standard::certificate_paper) store(number++, persistence().template certificate<least_paper>());
    unroll<int(Model::Laws::law_impulses)>(
        [&](auto k) CS_LAMBDA { store(number++, balance().template result<first_of_laws + k>()); });
    unroll<int(Model::Laws::law_losses)>(
        [&](auto k) CS_LAMBDA { store(number++, persistence().template loss<first_of_losses + k>()); });
    if constexpr (state::stops<Model>()) store(number++, Real(clock.end));  // end_time
    state::for_each_state(node, [&](int, const Real& x) CS_LAMBDA { store(number++, x); });
  }
};

}  // namespace conesweep::observe
