#pragma once

#include <conesweep/history/past.hpp>

namespace conesweep::history {

// What expressions ask of the past inside a step of several parts (B6), (I), at the time x h with i <= x <= i + 1, one
// member at a time.
//
//   k = x - τ/h, the place in the past, counted in steps; within 1e-9 of a whole number it is that number
//   k < 0       φ0(k h), φ0'(k h)
//   k <= i      q_N between two nodes; the velocity of the step that holds k h
//   k >= i      the line from q_i to the present position; the newest velocity of this step: the present one
//
// At x = i with the velocity v_{i-1} this is what look_back finds. A ring with one node more than the longest lag
// reaches far enough: k > i - D.

/// Where a look from x over so many steps ends.
template <class Real>
CS_INLINE Real find_place(Real x, Real steps) {
  const Real k = x - steps, nearest = round_to_nearest(k);
  return abs(k - nearest) <= Real(is_double<Real> ? 1e-9 : 1e-4) ? nearest : k;
}

/// The numbers of node i - back.
template <class Model, class Real>
CS_INLINE const Real* find_node(const Moment<Real>& at, long back) {
  return at.ring.data + slot_before(at.now, back, at.ring.slots) * ring_columns<Model> * at.ring.stride;
}

/// Coordinates at the place k, by column of the ring.
template <class Real, class Model>
CS_HD void find_position(const Node<Real, Model>& node, const Moment<Real>& at, Real x, Real k, Real* q_then) {
  if (k < Real(0)) {
    Real past_q[Model::dimension];
    Model::past(k * at.clock.h, node.c, past_q);
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
      constexpr int coordinate = Model::q_column[column];
      q_then[column] = past_q[coordinate];
    });
    return;
  }
  // between node j and the next one, or the present position
  const Real newest = Real(at.i), j = min(floor(k), newest);
  const bool last = j == newest;
  const Real share = !last ? k - j : x > newest ? (k - newest) / (x - newest) : Real(1);
  const long back = at.i - static_cast<long>(j);
  const Real* older = find_node<Model>(at, back);
  const Real* newer = last ? older : find_node<Model>(at, back - 1);
  unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
    constexpr int coordinate = Model::q_column[column];
    const Real after = last ? node.q[coordinate] : newer[column * at.ring.stride];
    q_then[column] = fma(share, after, (Real(1) - share) * older[column * at.ring.stride]);
  });
}

/// Velocities at the place k, by column of the ring.
template <class Real, class Model>
CS_HD void find_velocity(const Node<Real, Model>& node, const Moment<Real>& at, Real k, Real* v_then) {
  if (k < Real(0)) {
    Real past_v[Model::dimension];
    Model::past_velocity(k * at.clock.h, node.c, past_v);
    unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
      constexpr int coordinate = Model::v_column[column];
      v_then[column] = past_v[coordinate];
    });
    return;
  }
  const bool last = k >= Real(at.i);
  const Real* led_to = find_node<Model>(at, last ? 0 : at.i - static_cast<long>(floor(k)) - 1);
  unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
    constexpr int coordinate = Model::v_column[column];
    v_then[column] = last ? node.v[coordinate] : led_to[(Model::q_columns + column) * at.ring.stride];
  });
}

/// (P11) over the window's older end, which is at the place `oldest`, the nodes after it and the present.
template <int K, class Real, class Model>
CS_HD Real look_through_within(const Node<Real, Model>& node, const Moment<Real>& at, Real x, Real oldest) {
  constexpr int which = Model::window_lag[K], kind = Model::window_kind[K];
  Real older = Model::template window_value<K>(node, node.past_q[which]);
  Real gathered = older, area = Real(0);
  for (Real k = oldest; k < x;) {
    const Real next = min(floor(k) + Real(1), x);
    Real q_then[at_least_one(Model::q_columns)];
    find_position(node, at, x, next, q_then);
    const Real value = Model::template window_value<K>(node, q_then);
    if constexpr (kind == window_mean)
      area = fma(next - k, Real(0.5) * (older + value), area);  // trapezoidal rule
    else
      gathered = gather<kind>(gathered, value);
    older = value;
    k = next;
  }
  if constexpr (kind == window_mean)
    return oldest < x ? area / (x - oldest) : older;
  else
    return gathered;
}

/// Delays and windows as they are at x, from the present position and velocity in `node`.
template <class Real, class Model>
CS_HD void look_within(const Past<Real, Model>& past, Node<Real, Model>& node, const Moment<Real>& at, Real x) {
  Real place[at_least_one(Model::lags)];
  unroll<Model::lags>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    place[k] = find_place(x, past.lag(k).steps);
    node.past_t[k] = place[k] * at.clock.h;
    find_position(node, at, x, place[k], node.past_q[k]);
    find_velocity(node, at, place[k], node.past_v[k]);
  });
  unroll<Model::windows>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    node.window[k] = look_through_within<k>(node, at, x, place[Model::window_lag[k]]);
  });
}

}  // namespace conesweep::history
