#pragma once

#include <conesweep/math/sum.hpp>
#include <conesweep/state/clock.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/node.hpp>

namespace conesweep::observe {

using state::Node;

/// How the values of an expression at the nodes become one number (O1, O2, O9). The numbers are those of the scenario's
/// reducers.
enum Reducer {
  reduce_final,
  reduce_min,
  reduce_max,
  reduce_mean,
  reduce_integral,
  reduce_first_time,
  reduce_last_time,
  reduce_count,
  reduce_share,
  reduce_crossings,
  reduce_period,
  reducer_room = 16,  // more than there are
};

/// An entry of Model::reducers: a reducer that sees the nodes of Model's range number `range` only. A reducer without
/// one sees all.
CS_HD constexpr int in_range(int reducer, int range) { return reducer + (range + 1) * reducer_room; }
template <class Model>
CS_HD constexpr int reducer_of(int k) {
  return Model::reducers[k] % reducer_room;
}
template <class Model>
CS_HD constexpr int range_of(int k) {
  return Model::reducers[k] / reducer_room - 1;
}

CS_HD constexpr bool is_sum(int reducer) { return reducer == reduce_mean || reducer == reduce_integral; }
// what is summed over steps leaves out node N, from which no step leads on
CS_HD constexpr bool is_of_steps(int reducer) { return is_sum(reducer) || reducer == reduce_share; }
CS_HD constexpr bool takes_condition(int reducer) {
  return reducer == reduce_first_time || reducer == reduce_last_time || reducer == reduce_count ||
         reducer == reduce_share;
}
CS_HD constexpr bool counts(int reducer) {
  return reducer == reduce_count || reducer == reduce_share || reducer == reduce_crossings || reducer == reduce_period;
}

/// A `final` of all nodes is read off the last one; a sum keeps what rounding takes; all others keep one number.
template <class Model>
struct NeedsNumber {
  static constexpr int count = Model::observables;
  CS_HD static constexpr bool entry(int k) {
    return Model::reducers[k] != reduce_final && !is_sum(reducer_of<Model>(k));
  }
};
template <class Model>
struct NeedsSum {
  static constexpr int count = Model::observables;
  CS_HD static constexpr bool entry(int k) { return is_sum(reducer_of<Model>(k)); }
};
/// (A14) A first or last time of a single comparison, which is found between nodes.
template <class Model>
CS_HD constexpr bool is_interpolated([[maybe_unused]] int k) {
  if constexpr (state::is_second<Model>())
    return (reducer_of<Model>(k) == reduce_first_time || reducer_of<Model>(k) == reduce_last_time) &&
           Model::Second::compares(k);
  else
    return false;
}
/// (A14) Does an observer see more of a step than its node?
template <class Model>
CS_HD constexpr bool sees_between() {
  if constexpr (state::is_second<Model>())
    for (int k = 0; k < Model::observables; ++k)
      if (Model::reducers[k] != reduce_final && reducer_of<Model>(k) != reduce_share) return true;
  return false;
}

template <class Model>
struct NeedsCondition {
  static constexpr int count = Model::observables;
  CS_HD static constexpr bool entry(int k) {
    const int reducer = reducer_of<Model>(k);
    return is_interpolated<Model>(k) || reducer == reduce_count || reducer == reduce_crossings ||
           reducer == reduce_period;
  }
};

/// Of a period: the value at the node before, and the times of the first and the last upward crossing.
template <class Real>
struct Rises {
  Real before, first, last;

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.before...);
    visit(some.first...);
    visit(some.last...);
  }
};
template <class Model>
struct NeedsRises {
  static constexpr int count = Model::observables;
  CS_HD static constexpr bool entry(int k) { return reducer_of<Model>(k) == reduce_period; }
};

/// Of what is found between looks (A14): the value and the time of the last look.
template <class Real>
struct LastLook {
  Real value, t;

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.value...);
    visit(some.t...);
  }
};
template <class Model>
struct NeedsLastLook {
  static constexpr int count = Model::observables;
  CS_HD static constexpr bool entry(int k) {
    return is_interpolated<Model>(k) || (state::is_second<Model>() && reducer_of<Model>(k) == reduce_period);
  }
};

/// Nodes that reducers with `after` or `before` see: first <= i <= last, whole numbers. NaN: none.
template <class Real>
struct SeenNodes {
  Real first, last;

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.first...);
    visit(some.last...);
  }

  /// t/h within 1e-9 of an integer (relatively, beyond 1) is that integer.
  static CS_INLINE Real in_steps(Real time, ScalarOf<Real> h) {
    using Scalar = ScalarOf<Real>;
    const Real steps = time / Real(h), nearest = round_to_nearest(steps);
    const Real tolerance = Real(Scalar(is_double<Real> ? 1e-9 : 0x1p-21)) * max(abs(steps), Real(1));
    return select(abs(steps - nearest) <= tolerance, nearest, steps);
  }
  static CS_INLINE SeenNodes between(Real after, Real before, const state::Clock<ScalarOf<Real>>& clock) {
    const Real from = ceil(in_steps(after, clock.h)), to = floor(in_steps(before, clock.h)),
               end = Real(ScalarOf<Real>(clock.steps));
    return {select(from < Real(0), Real(0), from), select(to > end, end, to)};
  }

  CS_INLINE MaskOf<Real> sees(Real i) const { return (i >= first) && (i <= last); }
  CS_INLINE MaskOf<Real> sees_step(Real i) const { return (i >= first) && (i < last); }
  CS_INLINE MaskOf<Real> sees_some(Real end) const { return (first <= end) && (first <= last); }
  CS_INLINE Real count_steps(Real end) const {
    const Real until = select(last < end, last, end);
    return select(until > first, until - first, Real(0));
  }
};

struct SeenRanges;
template <class Model>
CS_HD constexpr int count_ranges() {
  int ranges = 0;
  for (int k = 0; k < Model::observables; ++k) ranges = range_of<Model>(k) >= ranges ? range_of<Model>(k) + 1 : ranges;
  return ranges;
}

/// The user's expressions.
template <class Real, class Model>
struct Reduced : state::KeptEntries<NeedsNumber<Model>, Real>,
                 state::KeptEntries<NeedsSum<Model>, math::Sum<Real>>,
                 state::KeptEntries<NeedsCondition<Model>, Real>,
                 state::KeptEntries<NeedsRises<Model>, Rises<Real>>,
                 state::KeptEntries<NeedsLastLook<Model>, LastLook<Real>>,
                 state::KeptArray<SeenRanges, SeenNodes<Real>, count_ranges<Model>()> {
  using Mask = MaskOf<Real>;
  using Clock = state::Clock<ScalarOf<Real>>;
  using Numbers = state::KeptEntries<NeedsNumber<Model>, Real>;
  using SumsOver = state::KeptEntries<NeedsSum<Model>, math::Sum<Real>>;
  using Conditions = state::KeptEntries<NeedsCondition<Model>, Real>;
  using RisesOf = state::KeptEntries<NeedsRises<Model>, Rises<Real>>;
  using LastLooks = state::KeptEntries<NeedsLastLook<Model>, LastLook<Real>>;
  using Ranges = state::KeptArray<SeenRanges, SeenNodes<Real>, count_ranges<Model>()>;

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(state::part<typename Some::Numbers>(some)...);
    visit(state::part<typename Some::SumsOver>(some)...);
    visit(state::part<typename Some::Conditions>(some)...);
    visit(state::part<typename Some::RisesOf>(some)...);
    visit(state::part<typename Some::LastLooks>(some)...);
    visit(state::part<typename Some::Ranges>(some)...);
  }

  /// Of observable K: the number so far, NaN while nothing was seen; the sum so far; 1 where a counted condition held
  /// at the node before, or the sign that an expression had last.
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
  template <int K>
  CS_INLINE Rises<Real>& rises() {
    return state::get<K, NeedsRises<Model>>(*this);
  }
  template <int K>
  CS_INLINE LastLook<Real>& last_look() {
    return state::get<K, NeedsLastLook<Model>>(*this);
  }
  template <int K>
  CS_INLINE SeenNodes<Real>& range() {
    return state::KeptArray<SeenRanges, SeenNodes<Real>, count_ranges<Model>()>::entries[range_of<Model>(K)];
  }

  CS_INLINE void start([[maybe_unused]] const Real* constants, [[maybe_unused]] const Clock& clock) {
    unroll_many<Model::observables>([&](auto k) CS_LAMBDA {
      constexpr int reducer = reducer_of<Model>(k);
      if constexpr (is_sum(reducer))
        sum<k>().start(Real(0));
      else if constexpr (NeedsNumber<Model>::entry(k))
        number<k>() = counts(reducer) ? Real(0) : Real(canonical_nan<Real>());
      if constexpr (NeedsCondition<Model>::entry(k)) held<k>() = Real(0);
      if constexpr (reducer == reduce_period) rises<k>() = {Real(canonical_nan<Real>()), Real(0), Real(0)};
      if constexpr (NeedsLastLook<Model>::entry(k)) last_look<k>() = {Real(canonical_nan<Real>()), Real(0)};
    });
    if constexpr (count_ranges<Model>() > 0)
      unroll<count_ranges<Model>()>([&](auto r) CS_LAMBDA {
        const Real end = Real(clock.end);
        state::KeptArray<SeenRanges, SeenNodes<Real>, count_ranges<Model>()>::entries[r] = SeenNodes<Real>::between(
            Model::template seen_after<r>(constants, end), Model::template seen_before<r>(constants, end), clock);
      });
  }

  /// Node i < N, after its step: node.v is v_i.
  CS_INLINE void see(const Node<Real, Model>& node, Real i, Real h) {
    unroll_many<Model::observables>([&](auto k) CS_LAMBDA {
      if constexpr (Model::reducers[k] != reduce_final) see_one<k>(node, i, h);
    });
  }

  /// Node N, with v_N := v_{N-1}; integrals end before it.
  CS_INLINE void see_last(const Node<Real, Model>& node, Real i, Real h) {
    unroll_many<Model::observables>([&](auto k) CS_LAMBDA {
      if constexpr (Model::reducers[k] != reduce_final && !is_of_steps(reducer_of<Model>(k))) see_one<k>(node, i, h);
      if constexpr (is_trapezoidal(reducer_of<Model>(k))) add_node<k>(node, i, true);
    });
  }

  /// (A14) `integral` and `mean` at order two by the trapezoidal rule: a node counts half for each step that it ends.
  CS_HD static constexpr bool is_trapezoidal(int reducer) { return state::is_second<Model>() && is_sum(reducer); }
  template <int K>
  CS_INLINE void add_node(const Node<Real, Model>& node, Real i, bool last) {
    const Real half = Real(ScalarOf<Real>(0.5)), none = Real(0);
    Mask before = i > none, after = last ? none != none : none == none;
    if constexpr (range_of<Model>(K) >= 0) {
      before = before && range<K>().sees_step(i - Real(1));
      after = after && range<K>().sees_step(i);
      if (!any(before || after)) return;
    }
    const Real weight = select(before, half, none) + select(after, half, none);
    const Real x = Model::template value<K>(node);
    sum<K>().add(select(weight == none, none, weight * x));
  }

  template <int K>
  CS_INLINE void see_one(const Node<Real, Model>& node, [[maybe_unused]] Real i, Real h) {
    constexpr int reducer = reducer_of<Model>(K);
    if constexpr (is_trapezoidal(reducer)) {
      add_node<K>(node, i, false);
    } else if constexpr (range_of<Model>(K) < 0) {
      reduce<K, reducer, false>(node, Real(0) == Real(0), h);
    } else {
      const Mask seen = is_of_steps(reducer) ? range<K>().sees_step(i) : range<K>().sees(i);
      if (any(seen)) reduce<K, reducer, true>(node, seen, h);
    }
  }

  /// Only lanes of `seen` count, where it is `Ranged`.
  template <int K, int reducer, bool Ranged>
  CS_INLINE void reduce(const Node<Real, Model>& node, [[maybe_unused]] Mask seen, [[maybe_unused]] Real h) {
    if constexpr (takes_condition(reducer)) {
      Mask holds = Model::template condition<K>(node);
      if constexpr (Ranged) holds = holds && seen;
      Real& x = number<K>();
      if constexpr (reducer == reduce_count) {
        x = x + select(holds && (held<K>() == Real(0)), Real(1), Real(0));
        held<K>() = select(holds, Real(1), Real(0));
      } else if constexpr (reducer == reduce_share) {
        x = x + select(holds, Real(1), Real(0));
      } else if constexpr (is_interpolated<Model>(K)) {
        see_comparison<K>(node, holds);
      } else {
        x = reducer == reduce_first_time ? select(holds && is_nan(x), node.t, x) : select(holds, node.t, x);
      }
    } else {
      Real x = Model::template value<K>(node);
      if constexpr (is_sum(reducer)) {
        if constexpr (Ranged) x = select(seen, x, Real(0));
        sum<K>().add(x);
      } else {
        // a node where the expression is NaN is skipped
        if constexpr (Ranged && reducer != reduce_final) x = select(seen, x, Real(canonical_nan<Real>()));
        if constexpr (reducer == reduce_final) {
          number<K>() = select(seen, x, number<K>());
        } else if constexpr (reducer == reduce_crossings) {
          const Mask up = x > Real(0), down = x < Real(0);
          number<K>() =
              number<K>() + select((up && (held<K>() < Real(0))) || (down && (held<K>() > Real(0))), Real(1), Real(0));
          held<K>() = select(up, Real(1), select(down, Real(-1), held<K>()));
        } else if constexpr (reducer == reduce_period) {
          see_rise<K>(x, node.t, h);
        } else {
          Real& best = number<K>();
          best = select((reducer == reduce_max ? x > best : x < best) || is_nan(best), x, best);
        }
      }
    }
  }

  /// (A14) A comparison begins or ceases to hold on the line between two looks.
  template <int K>
  CS_INLINE void see_comparison(const Node<Real, Model>& node, Mask holds) {
    LastLook<Real>& last = last_look<K>();
    Real& x = number<K>();
    const Real margin = Model::template margin<K>(node);
    const Mask held_before = held<K>() != Real(0), known = !is_nan(last.value);
    const Real share = last.value / (last.value - margin);
    const Real crossing =
        select(known && share >= Real(0) && share <= Real(1), fma(share, node.t - last.t, last.t), node.t);
    if constexpr (reducer_of<Model>(K) == reduce_first_time)
      x = select(holds && is_nan(x), crossing, x);
    else
      x = select(holds, node.t, select(held_before, crossing, x));
    held<K>() = select(holds, Real(1), Real(0));
    last = {margin, node.t};
  }

  /// An upward crossing lies on the line between the last node that is not above 0 and the first that is.
  template <int K>
  CS_INLINE void see_rise(Real x, Real t, Real h) {
    Rises<Real>& rise = rises<K>();
    const Mask up = x > Real(0), crosses = up && (held<K>() < Real(0));
    if (any(crosses)) {
      const Real back = x / (x - rise.before);  // in steps
      Real since = h;
      if constexpr (NeedsLastLook<Model>::entry(K)) since = t - last_look<K>().t;
      const Real time = select(back >= Real(0), t - since * back, t);
      rise.first = select(crosses && (number<K>() == Real(0)), time, rise.first);
      rise.last = select(crosses, time, rise.last);
      number<K>() = number<K>() + select(crosses, Real(1), Real(0));
    }
    held<K>() = select(up, Real(1), select(x < Real(0), Real(-1), held<K>()));
    rise.before = x;
    if constexpr (NeedsLastLook<Model>::entry(K)) last_look<K>().t = t;
  }

  /// Observable K at the end; `node` is node N.
  template <int K>
  CS_INLINE Real result(const Node<Real, Model>& node, const Clock& clock) {
    constexpr int reducer = reducer_of<Model>(K);
    constexpr bool ranged = range_of<Model>(K) >= 0;
    [[maybe_unused]] const Real end = Real(ScalarOf<Real>(clock.steps)), nan = Real(canonical_nan<Real>());
    if constexpr (Model::reducers[K] == reduce_final) {
      return Model::template value<K>(node);
    } else if constexpr (reducer == reduce_mean && !ranged) {
      return sum<K>().value * Real(clock.h) / Real(clock.end);
    } else if constexpr (reducer == reduce_mean) {
      return sum<K>().value / range<K>().count_steps(end);
    } else if constexpr (reducer == reduce_integral && ranged) {
      return select(range<K>().sees_some(end), sum<K>().value * Real(clock.h), nan);
    } else if constexpr (reducer == reduce_integral) {
      return sum<K>().value * Real(clock.h);
    } else if constexpr (reducer == reduce_share) {
      Real steps = end;
      if constexpr (ranged) steps = range<K>().count_steps(end);
      return number<K>() / steps;
    } else if constexpr (reducer == reduce_period) {
      return select(number<K>() >= Real(2), (rises<K>().last - rises<K>().first) / (number<K>() - Real(1)), nan);
    } else {
      return number<K>();
    }
  }
};

}  // namespace conesweep::observe
