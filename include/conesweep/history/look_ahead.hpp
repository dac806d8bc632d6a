#pragma once

#include <conesweep/history/look_within.hpp>

namespace conesweep::history {

// (A10) What expressions ask of the past at order two, at the time x h with i <= x <= i + 1, where the velocity at a
// node is that at the node, and the motion between two of them is a parabola:
//
//   q(s) = q_j + s v_j + (s/h)² (q_{j+1} - q_j - h v_j)
//
//   k = x - τ/h < 0     φ0(k h), φ0'(k h)
//   k <= i              between nodes j and j + 1
//   k > i               in the present step: from node i to the place where its present piece begins, and beyond it
//                       with the velocity there
//
// A delayed velocity is the mean over the delayed piece, (q(t+ℓ-τ) - q(t-τ))/ℓ: through jumps the impulse of a force
// that is affine in it is right. Of a piece shorter than 1e-6 h it is the slope of the parabola.

/// The present piece, as the past knows it.
template <class Real>
struct PieceBegin {
  const Real* q;  // where it begins
  const Real* v;  // with which velocity
  Real after;     // node i, in steps
  Real length;    // of it, in steps
};

/// The parabola through a node and the next one: weights of q_j, q_{j+1} and h v_j at the share σ of the way.
template <class Real>
struct Parabola {
  Real older, newer, slope;

  static CS_INLINE Parabola at(Real share) {
    const Real square = share * share;
    return {Real(1) - square, square, share - square};
  }
  /// Of its derivative by σ.
  static CS_INLINE Parabola rate_at(Real share) {
    const Real twice = Real(2) * share;
    return {-twice, twice, Real(1) - twice};
  }
  CS_INLINE Real between(Real q, Real next, Real step) const { return fma(newer, next, fma(older, q, slope * step)); }
};

/// Coordinates at the place r, in steps after node i and not before t = 0, by column of the ring; or what they change
/// by in a step there.
template <class Real, class Model>
CS_HD void find_on_parabola(const PieceBegin<Real>& piece, const Moment<Real>& at, Real r, bool rate, Real* found) {
  const Real h = Real(at.clock.h);
  if (r > Real(0) && r >= piece.after) {
    const Real s = (r - piece.after) * h;
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
      constexpr int c = Model::q_column[column];
      found[column] = rate ? h * piece.v[c] : fma(s, piece.v[c], piece.q[c]);
    });
    return;
  }
  // from node j to the next one, or to where the piece begins
  const Real j = min(floor(r), Real(0));
  const bool last = j == Real(0);
  const Real length = last && r > Real(0) ? piece.after : Real(1);
  const Real share = (r - j) / length;
  const Parabola<Real> way = rate ? Parabola<Real>::rate_at(share) : Parabola<Real>::at(share);
  const long back = -static_cast<long>(j);
  const Real* older = find_node<Model>(at, back);
  const Real* newer = last ? older : find_node<Model>(at, back - 1);
  unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
    constexpr int c = Model::q_column[column];
    const long q_at = column * at.ring.stride, v_at = (Model::q_columns + column) * at.ring.stride;
    const Real q = older[q_at], step = length * h * older[v_at];
    const Real next = !last ? newer[q_at] : r > Real(0) ? piece.q[c] : q + step;
    const Real there = way.between(q, next, step);
    found[column] = rate ? there / length : there;
  });
}

/// The same at any place, before t = 0 by φ0.
template <class Real, class Model>
CS_HD void find_earlier(const Real* constants, const PieceBegin<Real>& piece, const Moment<Real>& at, Real r,
                        Real* q_then) {
  if (Real(at.i) + r < Real(0)) {
    Real past_q[Model::dimension];
    Model::past((Real(at.i) + r) * at.clock.h, constants, past_q);
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA { q_then[column] = past_q[Model::q_column[column]]; });
  } else {
    find_on_parabola<Real, Model>(piece, at, r, false, q_then);
  }
}

/// The mean velocity of the delayed piece, by column; before t = 0 that of φ0 at the place r.
template <class Real, class Model>
CS_HD void find_mean_velocity(const Real* constants, const PieceBegin<Real>& piece, const Moment<Real>& at, Real r,
                              Real steps, Real* v_then) {
  const Real h = Real(at.clock.h), i = Real(at.i);
  const Real from = find_place(piece.after, steps), to = find_place(piece.after + piece.length, steps);
  if (i + to <= Real(0)) {
    Real past_v[Model::dimension];
    Model::past_velocity((i + r) * h, constants, past_v);
    unroll<Model::v_columns>([&](auto column) CS_LAMBDA { v_then[column] = past_v[Model::v_column[column]]; });
    return;
  }
  Real first[at_least_one(Model::q_columns)], last[at_least_one(Model::q_columns)];
  Real over = piece.length * h;
  if (piece.length < Real(is_double<Real> ? 1e-6 : 1e-3)) {
    find_on_parabola<Real, Model>(piece, at, max(r, -i), true, last);
    for (Real& none : first) none = Real(0);
    over = h;
  } else {
    find_earlier<Real, Model>(constants, piece, at, from, first);
    find_earlier<Real, Model>(constants, piece, at, to, last);
  }
  // the columns of velocities are those of coordinates
  unroll<Model::v_columns>([&](auto column) CS_LAMBDA { v_then[column] = (last[column] - first[column]) / over; });
}

/// (P11) over the window's older end, the nodes after it, and the present at x; r: where the window begins.
template <int K, class Real, class Model>
CS_HD Real look_through_ahead(const Node<Real, Model>& node, const PieceBegin<Real>& piece, const Moment<Real>& at,
                              Real x, Real r) {
  constexpr int which = Model::window_lag[K], kind = Model::window_kind[K];
  Real older = Model::template window_value<K>(node, node.past_q[which]);
  Real gathered = older, area = Real(0);
  for (Real k = r; k < x;) {
    const Real next = min(floor(k) + Real(1), x);
    Real q_then[at_least_one(Model::q_columns)];
    if (next < x)
      find_earlier<Real, Model>(node.c, piece, at, next, q_then);
    else
      unroll<Model::q_columns>([&](auto column) CS_LAMBDA { q_then[column] = node.q[Model::q_column[column]]; });
    const Real value = Model::template window_value<K>(node, q_then);
    if constexpr (kind == window_mean)
      area = fma(next - k, Real(0.5) * (older + value), area);  // trapezoidal rule
    else
      gathered = gather<kind>(gathered, value);
    older = value;
    k = next;
  }
  if constexpr (kind == window_mean)
    return r < x ? area / (x - r) : older;
  else
    return gathered;
}

/// Delays and windows as they are at x steps after node i, of one member; `node` has the position and velocity then.
template <class Real, class Model>
CS_HD void look_ahead(const Past<Real, Model>& past, Node<Real, Model>& node, const PieceBegin<Real>& piece,
                      const Moment<Real>& at, Real x) {
  Real place[at_least_one(Model::lags)];
  unroll<Model::lags>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    const Real steps = past.lag(k).steps, r = place[k] = find_place(x, steps);
    node.past_t[k] = (Real(at.i) + r) * at.clock.h;
    if (r == x)
      unroll<Model::q_columns>([&](auto column) CS_LAMBDA { node.past_q[k][column] = node.q[Model::q_column[column]]; });
    else
      find_earlier<Real, Model>(node.c, piece, at, r, node.past_q[k]);
    if constexpr (Model::v_columns > 0)
      find_mean_velocity<Real, Model>(node.c, piece, at, r, steps, node.past_v[k]);
  });
  unroll<Model::windows>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    node.window[k] = look_through_ahead<k>(node, piece, at, x, place[Model::window_lag[k]]);
  });
}

}  // namespace conesweep::history
