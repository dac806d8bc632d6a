#pragma once

#include <conesweep/math/sum.hpp>
#include <conesweep/state/clock.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/node.hpp>

namespace conesweep::observe {

using state::Node;

/// How the values of an expression at the nodes become one number (O1, O2). The numbers are those of the scenario's reducers.
enum Reducer { reduce_final, reduce_min, reduce_max, reduce_mean, reduce_integral, reduce_first_time, reduce_last_time, reduce_count };

CS_HD constexpr bool is_sum(int reducer) { return reducer == reduce_mean || reducer == reduce_integral; }
CS_HD constexpr bool takes_condition(int reducer) { return reducer == reduce_first_time || reducer == reduce_last_time || reducer == reduce_count; }

/// A `final` is read off the last node; a sum keeps what rounding takes; all others keep one number.
template <class Model>
struct NeedsNumber {
  static constexpr int count = Model::observables;
  CS_HD static constexpr bool entry(int k) { return Model::reducers[k] != reduce_final && !is_sum(Model::reducers[k]); }
};
template <class Model>
struct NeedsSum {
  static constexpr int count = Model::observables;
  CS_HD static constexpr bool entry(int k) { return is_sum(Model::reducers[k]); }
};
template <class Model>
struct NeedsCondition {
  static constexpr int count = Model::observables;
  CS_HD static constexpr bool entry(int k) { return Model::reducers[k] == reduce_count; }
};

/// The user's expressions.
template <class Real, class Model>
struct Reduced : state::KeptEntries<NeedsNumber<Model>, Real>,
                 state::KeptEntries<NeedsSum<Model>, math::Sum<Real>>,
                 state::KeptEntries<NeedsCondition<Model>, Real> {
  using Mask = MaskOf<Real>;

  /// Of observable K: the number so far, NaN while nothing was seen; the sum so far; 1 where a counted condition held at the node before.
  template <int K>
  CS_INLINE Real& number() {
    return state::get<K, NeedsNumber<Model>>(*this);
  }
  template <int K>
  CS_INLINE math::Sum<Real>& sum() {
    return state::get<K, NeedsSum<Model>>(*this);
  }
  template <int K>
  CS_INLINE Real& held() {
    return state::get<K, NeedsCondition<Model>>(*this);
  }

  CS_INLINE void start() {
    unroll_many<Model::observables>([&](auto k) {
      constexpr int reducer = Model::reducers[k];
      if constexpr (is_sum(reducer))
        sum<k>().start(Real(0));
      else if constexpr (reducer != reduce_final)
        number<k>() = reducer == reduce_count ? Real(0) : Real(canonical_nan<Real>());
      if constexpr (reducer == reduce_count) held<k>() = Real(0);
    });
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
      if constexpr (reducer != reduce_final && !is_sum(reducer)) reduce<k, reducer>(node);
    });
  }

  template <int K, int reducer>
  CS_INLINE void reduce(const Node<Real, Model>& node) {
    if constexpr (reducer == reduce_count) {
      const Mask holds = Model::template condition<K>(node);
      number<K>() = number<K>() + select(holds && (held<K>() == Real(0)), Real(1), Real(0));
      held<K>() = select(holds, Real(1), Real(0));
    } else if constexpr (takes_condition(reducer)) {
      const Mask holds = Model::template condition<K>(node);
      Real& time = number<K>();
      time = reducer == reduce_first_time ? select(holds && is_nan(time), node.t, time) : select(holds, node.t, time);
    } else if constexpr (is_sum(reducer)) {
      sum<K>().add(Model::template value<K>(node));
    } else {
      // a node where the expression is NaN is skipped
      const Real x = Model::template value<K>(node);
      Real& best = number<K>();
      best = select((reducer == reduce_max ? x > best : x < best) || is_nan(best), x, best);
    }
  }

  /// Observable K at the end; `node` is node N.
  template <int K>
  CS_INLINE Real result(const Node<Real, Model>& node, const state::Clock<ScalarOf<Real>>& clock) {
    constexpr int reducer = Model::reducers[K];
    if constexpr (reducer == reduce_final)
      return Model::template value<K>(node);
    else if constexpr (reducer == reduce_mean)
      return sum<K>().value * Real(clock.h) / Real(clock.end);
    else if constexpr (reducer == reduce_integral)
      return sum<K>().value * Real(clock.h);
    else
      return number<K>();
  }
};

}  // namespace conesweep::observe
