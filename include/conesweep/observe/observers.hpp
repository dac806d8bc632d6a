#pragma once

#include <conesweep/math/sum.hpp>
#include <conesweep/step/node.hpp>

namespace conesweep::observe {

using step::ContactRecord;
using step::Node;

/// How the values of an expression at the nodes become one number (O1, O2). The numbers are those of the scenario's reducers.
enum Reducer { reduce_final, reduce_min, reduce_max, reduce_mean, reduce_integral, reduce_first_time, reduce_last_time, reduce_count };

/// Everything observed of a member while it runs: the user's expressions and the standard quantities (O3 … O6). What is not
/// asked for costs nothing.
template <class Real, class Model>
struct Observers {
  using Mask = MaskOf<Real>;
  using Standard = typename Model::Standard;

  Real user[at_least_one(Model::observables)];
  Real lost[at_least_one(Model::observables)];  // what rounding took from a sum, in float
  Real held[at_least_one(Model::observables)];  // 1 where a counted condition held at the node before

  // contact, by node numbers: nothing is counted while there is none
  Real last;         // node of the last contact; -2: never
  Real last_which;   // which it was
  Real stick, slip;  // nodes
  Real impacts, first_contact, penetration;
  Sum<Real> dissipated, impulse, variation;

  CS_INLINE void start() {
    const Real nan = canonical_nan<Real>();
    unroll_many<Model::observables>([&](auto k) {
      constexpr int reducer = Model::reducers[k];
      constexpr bool sum = reducer == reduce_mean || reducer == reduce_integral || reducer == reduce_count;
      user[k] = sum ? Real(0) : nan;
      held[k] = lost[k] = Real(0);
    });
    last = Real(-2);
    last_which = Real(-1);
    stick = slip = impacts = penetration = Real(0);
    dissipated.start(Real(0)), impulse.start(Real(0)), variation.start(Real(0));
    first_contact = nan;
  }

  /// Node i < N, after its step: node.v is v_i.
  CS_INLINE void see(const Node<Real, Model>& node) {
    unroll_many<Model::observables>([&](auto k) {
      constexpr int reducer = Model::reducers[k];
      if constexpr (reducer != reduce_final) reduce<k, reducer>(node);
    });
  }

  /// Node N, with v_N := v_{N-1}; integrals end before it.
  CS_INLINE void see_last(const Node<Real, Model>& node) {
    unroll_many<Model::observables>([&](auto k) {
      constexpr int reducer = Model::reducers[k];
      if constexpr (reducer == reduce_final)
        user[k] = Model::template value<k>(node);
      else if constexpr (reducer != reduce_mean && reducer != reduce_integral)
        reduce<k, reducer>(node);
    });
  }

  template <int k, int reducer>
  CS_INLINE void reduce(const Node<Real, Model>& node) {
    if constexpr (reducer >= reduce_first_time) {
      const Mask holds = Model::template condition<k>(node);
      if constexpr (reducer == reduce_first_time) user[k] = select(holds && is_nan(user[k]), node.t, user[k]);
      if constexpr (reducer == reduce_last_time) user[k] = select(holds, node.t, user[k]);
      if constexpr (reducer == reduce_count) {
        user[k] = user[k] + select(holds && (held[k] == Real(0)), Real(1), Real(0));
        held[k] = select(holds, Real(1), Real(0));
      }
    } else {
      const Real x = Model::template value<k>(node);
      // a node where the expression is NaN is skipped
      if constexpr (reducer == reduce_max) user[k] = select((x > user[k]) || is_nan(user[k]), x, user[k]);
      if constexpr (reducer == reduce_min) user[k] = select((x < user[k]) || is_nan(user[k]), x, user[k]);
      if constexpr (reducer == reduce_mean || reducer == reduce_integral) {
        Sum<Real> sum{user[k], lost[k]};
        sum.add(x);
        user[k] = sum.value, lost[k] = sum.low;
      }
    }
  }

  /// (O6) variation = Σ |v_i - v_{i-1}|
  CS_INLINE void see_velocity(const Real* v_before, const Real* v) {
    if constexpr (Standard::variation) {
      Real sum = Real(0);
      unroll<Model::dimension>([&](auto c) {
        const Real change = v[c] - v_before[c];
        sum = c == 0 ? change * change : fma(change, change, sum);
      });
      variation.add(sqrt(sum));
    }
  }

  CS_INLINE void see_penetration(Real depth) {
    if constexpr (Standard::penetration) penetration = max(penetration, depth);
  }

  /// Contact at node i somewhere in this pack.
  CS_INLINE void see_contact(const ContactRecord<Real>& contact, Real i, Real t, const Real* w, const Real* v) {
    const Mask active = contact.active;
    if constexpr (Standard::impacts || Standard::times || Standard::first_contact) {
      // most contacts go on from the step before; only an onset takes thought
      Mask onset = active && (last != i - Real(1));
      if constexpr (Model::contacts > 1) onset = onset || (active && (last_which != contact.which));
      if (any(onset)) {
        // (O3) an impact arrives faster than ten steps of the present force could make it
        const Mask impact = onset && (abs(contact.v_n_before) > Real(10) * abs(contact.force_n));
        const Mask touched = last >= Real(0);
        if constexpr (Standard::impacts) impacts = impacts + select(impact, Real(1), Real(0));
        if constexpr (Standard::first_contact) first_contact = select(onset && !touched, t, first_contact);
        // (O5) a gap between contacts that ends without an impact was slip along the surface
        if constexpr (Standard::times) slip = slip + select(onset && touched && !impact, (i - last) - Real(1), Real(0));
      }
      if constexpr (Standard::times) {
        stick = stick + select(active && contact.stick, Real(1), Real(0));
        slip = slip + select(active && !contact.stick, Real(1), Real(0));
      }
      last = select(active, i, last);
      if constexpr (Model::contacts > 1) last_which = select(active, contact.which, last_which);
    }
    // (O6)
    if constexpr (Standard::impulse) impulse.add(select(active, contact.r_n, Real(0)));
    if constexpr (Standard::dissipated) {
      Real before = Real(0), after = Real(0);
      unroll<Model::dimension>([&](auto c) {
        before = c == 0 ? w[c] * w[c] : fma(w[c], w[c], before);
        after = c == 0 ? v[c] * v[c] : fma(v[c], v[c], after);
      });
      dissipated.add(select(active, Real(ScalarOf<Real>(0.5)) * (before - after), Real(0)));
    }
  }

  /// Calls store(number, value) for every observable in the order of the results.
  template <class Store>
  CS_INLINE void finish(const Node<Real, Model>& node, ScalarOf<Real> h, ScalarOf<Real> end, long steps, const Store& store) const {
    int number = 0;
    unroll_many<Model::observables>([&](auto k) {
      constexpr int reducer = Model::reducers[k];
      Real x = user[k];
      if constexpr (reducer == reduce_mean || reducer == reduce_integral) x = x * Real(h);
      if constexpr (reducer == reduce_mean) x = x / Real(end);
      store(number++, x);
    });
    if constexpr (Standard::impacts) store(number++, impacts);
    if constexpr (Standard::first_contact) store(number++, first_contact);
    if constexpr (Standard::stick_time) store(number++, stick * Real(h));
    if constexpr (Standard::slip_time) store(number++, slip * Real(h));
    if constexpr (Standard::flight_time) store(number++, ((Real(ScalarOf<Real>(steps)) - stick) - slip) * Real(h));
    if constexpr (Standard::dissipated) store(number++, dissipated.value);
    if constexpr (Standard::impulse) store(number++, impulse.value);
    if constexpr (Standard::variation) store(number++, variation.value);
    if constexpr (Standard::penetration) store(number++, penetration);
    unroll<Model::dimension>([&](auto c) { store(number++, node.q[c]); });
    unroll<Model::dimension>([&](auto c) { store(number++, node.v[c]); });
  }
};

}  // namespace conesweep::observe
