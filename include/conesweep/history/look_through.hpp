#pragma once

#include <conesweep/history/past.hpp>

namespace conesweep::history {

// Window functionals (P11) at node i: over the nodes i-D+1 … i and the window's older end, which look_back has found.

/// φ0 at the time j h, by column of the ring.
template <class Real, class Model>
CS_INLINE void look_before_start(const Node<Real, Model>& node, Real j, Real h, Real* q_then) {
  Real past_q[Model::dimension];
  Model::past(j * h, node.c, past_q);
  unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
    constexpr int coordinate = Model::q_column[column];
    q_then[column] = past_q[coordinate];
  });
}

/// A window that does not depend on the present: gathered, at a cost that does not depend on its length.
template <bool Early, int K, class Real, class Model>
CS_INLINE Real gather_window(Past<Real, Model>& past, const Node<Real, Model>& node, const Moment<ScalarOf<Real>>& at) {
  using Scalar = ScalarOf<Real>;
  constexpr int which = Model::window_lag[K], kind = Model::window_kind[K], place = Model::window_place[K];
  const auto& lag = past.lag(which);
  const Ring<Scalar>& ring = at.ring;
  const WindowColumn<Real> column = {ring.data + (Model::q_columns + Model::v_columns + place) * ring.stride,
                                     ring.slots, ring_columns<Model> * ring.stride};
  Real q_then[at_least_one(Model::q_columns)];
  if (Early && at.i == 0)
    start_window<kind>(past.window(place), lag, column, [&](long j) {
      look_before_start(node, Real(Scalar(j)), Real(at.clock.h), q_then);
      return Model::template window_value<K>(node, q_then);
    });
  unroll<Model::q_columns>([&](auto c) CS_LAMBDA {
    constexpr int coordinate = Model::q_column[c];
    q_then[c] = node.q[coordinate];
  });
  const Real value = Model::template window_value<K>(node, q_then);
  const Real gathered = advance_window<kind>(past.window(place), lag, column, at.now, value);

  // the window's older end, which look_back has found
  const Real end = Model::template window_value<K>(node, node.past_q[which]);
  if constexpr (kind != window_mean) {
    return gather<kind>(end, gathered);
  } else {
    // and the first node inside, i-D+1, from it on
    unroll<Model::q_columns>([&](auto c) CS_LAMBDA {
      if constexpr (Model::lag_q[which][c]) q_then[c] = past.template older<which, c>();
    });
    Real first = Model::template window_value<K>(node, q_then);
    if constexpr (Early) {
      const MaskOf<Real> before = Real(Scalar(at.i + 1)) < lag.reach().up;
      if (any(before)) {
        look_before_start(node, Real(Scalar(at.i + 1)) - lag.reach().up, Real(at.clock.h), q_then);
        first = select(before, Model::template window_value<K>(node, q_then), first);
      }
    }
    const Real area = fma(lag.rest, Real(Scalar(0.5)) * (end + first), gathered);
    return select(lag.steps > Real(0), area / lag.steps, value);
  }
}

/// A window that depends on the present: all its nodes, every time.
template <bool Early, int K, class Real, class Model>
CS_INLINE Real look_through_window(const Past<Real, Model>& past, const Node<Real, Model>& node,
                                   const Moment<ScalarOf<Real>>& at) {
  using Scalar = ScalarOf<Real>;
  constexpr int which = Model::window_lag[K], kind = Model::window_kind[K];
  const auto& lag = past.lag(which);
  Real older = Model::template window_value<K>(node, node.past_q[which]);
  Real best = older, area = Real(0);
  Real width = lag.rest;  // from the older end to the first node
  for (long back = lag.reach().furthest - 1; back >= 0; --back) {
    // node i - back, of the past where it is negative
    Real q_then[at_least_one(Model::q_columns)];
    if (Early && at.i < back) {
      look_before_start(node, Real(Scalar(at.i - back)), Real(at.clock.h), q_then);
    } else {
      const Scalar* slot =
          at.ring.data + slot_before(at.now, back, at.ring.slots) * ring_columns<Model> * at.ring.stride;
      unroll<Model::q_columns>([&](auto column)
                                   CS_LAMBDA { q_then[column] = load_members<Real>(slot + column * at.ring.stride); });
    }
    const MaskOf<Real> inside = Real(Scalar(back)) < lag.reach().up;  // is this node inside the window of every lane?
    const Real value = Model::template window_value<K>(node, q_then);
    if constexpr (kind == window_max) best = select(inside && (value > best), value, best);
    if constexpr (kind == window_min) best = select(inside && (value < best), value, best);
    if constexpr (kind == window_mean) {
      area = select(inside, fma(width, Real(Scalar(0.5)) * (older + value), area), area);  // trapezoidal rule
      width = select(inside, Real(1), width);
    }
    older = select(inside, value, older);
  }
  return kind != window_mean ? best : select(lag.steps > Real(0), area / lag.steps, older);
}

template <bool Early, class Real, class Model>
CS_INLINE void look_through_windows(Past<Real, Model>& past, Node<Real, Model>& node,
                                    const Moment<ScalarOf<Real>>& at) {
  unroll<Model::windows>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    if constexpr (Model::window_place[k] >= 0)
      node.window[k] = gather_window<Early, k>(past, node, at);
    else
      node.window[k] = look_through_window<Early, k>(past, node, at);
  });
}

}  // namespace conesweep::history
