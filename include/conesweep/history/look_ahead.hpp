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

/// The mean velocity of the delayed piece, by column; before t = 0 that of φ0 at the place r. more than 5 parameters:
/// what the past knows of a piece, and of a delay.
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

/// Does lag K read a delayed velocity?
template <class Model>
CS_HD constexpr bool reads_velocity(int k) {
  for (int column = 0; column < Model::v_columns; ++column)
    if (Model::lag_v[k][column]) return true;
  return false;
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
      unroll<Model::q_columns>([&](auto column)
                                   CS_LAMBDA { node.past_q[k][column] = node.q[Model::q_column[column]]; });
    else
      find_earlier<Real, Model>(node.c, piece, at, r, node.past_q[k]);
    if constexpr (reads_velocity<Model>(k))
      find_mean_velocity<Real, Model>(node.c, piece, at, r, steps, node.past_v[k]);
  });
  unroll<Model::windows>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    node.window[k] = look_through_ahead<k>(node, piece, at, x, place[Model::window_lag[k]]);
  });
}

// ---- members side by side, at the beginning, in the middle and at the end of a step that is one piece ----

/// Coordinates there, of the columns that lag K reads; before t = 0 by φ0, where some member may look so far.
template <bool Early, int K, class Real, class Model>
CS_INLINE void find_in_pack(const Aim<Real>& aim, const Real* constants, const Moment<ScalarOf<Real>>& at,
                            Real* q_then) {
  using Scalar = ScalarOf<Real>;
  constexpr int lanes = RealTraits<Real>::lanes, columns = ring_columns<Model>;
  const Ring<Scalar>& ring = at.ring;
  const Scalar* older[lanes];
  const Scalar* newer[lanes];
  const auto slot = [&](long back) {
    return ring.data + slot_before(at.now, back < ring.slots ? back : 0, ring.slots) * columns * ring.stride;
  };
  if (aim.common) {
    older[0] = slot(aim.older_back[0]), newer[0] = slot(aim.newer_back[0]);
  } else {
    unroll<lanes>([&](auto l)
                      CS_LAMBDA { older[l] = slot(aim.older_back[l]) + l, newer[l] = slot(aim.newer_back[l]) + l; });
  }
  const auto load = [&](const Scalar* const* from, long column) CS_LAMBDA {
    return aim.common ? load_members<Real>(from[0] + column * ring.stride)
                      : load_scattered<Real>(from, column * ring.stride);
  };
  unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
    if constexpr (Model::lag_q[K][column])
      q_then[column] = fma(aim.newer, load(newer, column),
                           fma(aim.older, load(older, column), aim.slope * load(older, Model::q_columns + column)));
  });
  if constexpr (Early) {
    const MaskOf<Real> before = Real(Scalar(at.i)) + aim.place < Real(0);
    if (any(before)) {
      Real past_q[Model::dimension];
      Model::past((Real(Scalar(at.i)) + aim.place) * Real(at.clock.h), constants, past_q);
      unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
        if constexpr (Model::lag_q[K][column])
          q_then[column] = select(before, past_q[Model::q_column[column]], q_then[column]);
      });
    }
  }
}

/// Delay K as it is where `aim` looks from, `after` node i, in steps; of a pack whose step is one piece. `node` has the
/// position then.
template <bool Early, int K, class Real, class Model>
CS_INLINE void look_along(const Past<Real, Model>& past, const Aim<Real>& aim, Real after, Node<Real, Model>& node,
                          const Moment<ScalarOf<Real>>& at) {
  using Scalar = ScalarOf<Real>;
  node.past_t[K] = (Real(Scalar(at.i)) + aim.place) * Real(at.clock.h);
  find_in_pack<Early, K, Real, Model>(aim, node.c, at, node.past_q[K]);
  // no delay at all: the present
  const MaskOf<Real> now = aim.place == after;
  if (any(now))
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_q[K][column])
        node.past_q[K][column] = select(now, node.q[Model::q_column[column]], node.past_q[K][column]);
    });
  if constexpr (reads_velocity<Model>(K)) {
    Real first[Model::q_columns], last[Model::q_columns];
    const Real steps = past.lag(K).steps;
    const Aim<Real>& end = past.from_end(K);
    find_in_pack<Early, K, Real, Model>(take_aim(steps, Real(0), at.clock.h, lag_varies<Model>(K)), node.c, at, first);
    find_in_pack<Early, K, Real, Model>(end, node.c, at, last);
    unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_v[K][column]) node.past_v[K][column] = (last[column] - first[column]) / Real(at.clock.h);
    });
    if constexpr (Early) {
      const MaskOf<Real> before = Real(Scalar(at.i)) + end.place <= Real(0);
      if (any(before)) {
        Real past_v[Model::dimension];
        Model::past_velocity(node.past_t[K], node.c, past_v);
        unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
          if constexpr (Model::lag_v[K][column])
            node.past_v[K][column] = select(before, past_v[Model::v_column[column]], node.past_v[K][column]);
        });
      }
    }
  }
}

/// All delays from the middle of a step, or in lanes that are `at_end` from its end; a model without windows.
template <bool Early, class Real, class Model>
CS_INLINE void look_from_middle(const Past<Real, Model>& past, Node<Real, Model>& node,
                                const Moment<ScalarOf<Real>>& at, MaskOf<Real> at_end) {
  const Real half = Real(ScalarOf<Real>(0.5));
  const bool some_at_end = any(at_end), all_at_end = all(at_end);
  unroll<Model::lags>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    if (all_at_end) {
      look_along<Early, k>(past, past.from_end(k), Real(1), node, at);
      return;
    }
    look_along<Early, k>(past, past.from_middle(k), half, node, at);
    if (!some_at_end) return;
    Node<Real, Model> end = node;
    look_along<Early, k>(past, past.from_end(k), Real(1), end, at);
    node.past_t[k] = select(at_end, end.past_t[k], node.past_t[k]);
    unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_q[k][column])
        node.past_q[k][column] = select(at_end, end.past_q[k][column], node.past_q[k][column]);
    });
    unroll<Model::v_columns>([&](auto column) CS_LAMBDA {
      if constexpr (Model::lag_v[k][column])
        node.past_v[k][column] = select(at_end, end.past_v[k][column], node.past_v[k][column]);
    });
  });
}

/// All delays at the node.
template <bool Early, class Real, class Model>
CS_INLINE void look_from_node(const Past<Real, Model>& past, Node<Real, Model>& node,
                              const Moment<ScalarOf<Real>>& at) {
  unroll<Model::lags>([&](auto number) CS_LAMBDA {
    constexpr int k = number;
    const Aim<Real> aim = take_aim(past.lag(k).steps, Real(0), at.clock.h, lag_varies<Model>(k));
    look_along<Early, k>(past, aim, Real(0), node, at);
  });
}

}  // namespace conesweep::history
