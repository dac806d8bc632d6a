#pragma once

#include <conesweep/history/aim.hpp>
#include <conesweep/history/lag.hpp>
#include <conesweep/history/ring.hpp>
#include <conesweep/history/window.hpp>
#include <conesweep/state/clock.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/node.hpp>

namespace conesweep::history {

using state::Clock;
using state::Node;

/// Numbers a node leaves in the ring: coordinates and velocities that are asked for later, and an item of every
/// gathered window.
template <class Model>
inline constexpr int ring_columns = Model::q_columns + Model::v_columns + Model::gathered_windows;

/// May members differ in lag k? A model that does not say whether its lengths depend on what varies has this for all.
template <class Model>
CS_HD constexpr bool lag_varies([[maybe_unused]] int k) {
  if constexpr (requires { Model::lag_varies[0]; })
    return Model::lag_varies[k];
  else
    return true;
}

/// Are all walls planes, as far as the model knows?
template <class Model>
CS_HD constexpr bool has_plane_walls() {
  bool planes = true;
  for (int p = 0; p < Model::contacts; ++p) planes = planes && Model::constant_gradient[p];
  return planes;
}

/// Is the ring kept in rows? Where lanes look back to different nodes, a member's numbers of a node are asked for
/// together: a row is one load from one line of the cache, and columns are as many. Of four lanes the shuffles cost
/// more than that, and beside a curved wall, which needs the registers. Windows, and steps of several parts, look
/// through columns.
template <class Real, class Model>
CS_HD constexpr bool is_in_rows() {
  constexpr int lanes = RealTraits<Real>::lanes, columns = ring_columns<Model>;
  if (!is_double<Real> || lanes != 8 || columns < 3 || columns > row_length || Model::windows > 0 ||
      state::is_split<Model>())
    return false;
  bool some = false;
  for (int k = 0; k < Model::lags; ++k) some = some || lag_varies<Model>(k);
  return some && has_plane_walls<Model>();
}

/// Numbers a member takes in a slot.
template <class Real, class Model>
inline constexpr int slot_size = is_in_rows<Real, Model>() ? row_length : ring_columns<Model>;

/// Does a window look back over lag k?
template <class Model>
CS_HD constexpr bool has_window(int k) {
  for (int number = 0; number < Model::windows; ++number)
    if (Model::window_lag[number] == k) return true;
  return false;
}

/// May all delays of a model be whole numbers of steps for all members at once? Then the past is a node, and steps that
/// know it have nothing to interpolate. Delayed velocities and windows lie between nodes whatever the length; of a step
/// that solves laws together this is too small a part.
template <class Model>
CS_HD constexpr bool may_look_at_nodes() {
  if (Model::lags == 0 || Model::windows > 0 || Model::v_columns > 0 || state::is_split<Model>() ||
      (Model::Laws::coupled != 0 && Model::Laws::packs == 0))
    return false;
  for (int k = 0; k < Model::lags; ++k)
    if (lag_varies<Model>(k)) return false;
  return true;
}

/// Which coordinates, of node i-D, does which lag read? By lag, then by column of the ring.
template <class Model>
struct NeedsOlder {
  static constexpr int count = Model::lags * Model::q_columns;
  CS_HD static constexpr bool entry(int k) {
    return Model::lag_q[k / at_least_one(Model::q_columns)][k % at_least_one(Model::q_columns)];
  }
};

/// Is rest q_{i-D} kept in place of q_{i-D}? A product found a step early takes the place of the last one, and on a GPU
/// no number has to be moved. Windows need the node itself; packs are not faster for it.
template <class Real, class Model>
CS_HD constexpr bool keeps_product(int k) {
  return RealTraits<Real>::lanes == 1 && !has_window<Model>(k);
}

struct Lags;
struct Windows;
struct Aims;

/// What a member keeps of its history beside the ring.
template <class Real, class Model>
struct Past : state::KeptArray<Lags, Lag<Real, (Model::windows > 0)>, Model::lags>,
              state::KeptEntries<NeedsOlder<Model>, Real>,
              state::KeptArray<Aims, Aim<Real>, state::is_second<Model>() ? 2 * Model::lags : 0>,
              state::KeptArray<Windows, Window<Real>, Model::gathered_windows> {
  static constexpr bool windowed = Model::windows > 0;

  CS_INLINE auto& lag(int k) { return state::KeptArray<Lags, Lag<Real, windowed>, Model::lags>::entries[k]; }
  CS_INLINE const auto& lag(int k) const {
    return state::KeptArray<Lags, Lag<Real, windowed>, Model::lags>::entries[k];
  }
  /// (A10) Where lag k looks from the middle of a step, and from its end.
  using AimsOfLags = state::KeptArray<Aims, Aim<Real>, 2 * Model::lags>;
  CS_INLINE Aim<Real>& from_middle(int k) { return AimsOfLags::entries[2 * k]; }
  CS_INLINE Aim<Real>& from_end(int k) { return AimsOfLags::entries[2 * k + 1]; }
  CS_INLINE const Aim<Real>& from_middle(int k) const { return AimsOfLags::entries[2 * k]; }
  CS_INLINE const Aim<Real>& from_end(int k) const { return AimsOfLags::entries[2 * k + 1]; }
  CS_INLINE auto& window(int place) {
    return state::KeptArray<Windows, Window<Real>, Model::gathered_windows>::entries[place];
  }

  /// Coordinate `Column` of node i-D of lag K, the newer one a step ago; or its product with `rest` (keeps_product).
  template <int K, int Column>
  CS_INLINE Real& older() {
    return state::get<K * Model::q_columns + Column, NeedsOlder<Model>>(*this);
  }

  /// Is the past of this model, whose members have the same delays, a node for every lag?
  CS_INLINE bool looks_at_nodes() const {
    if constexpr (!may_look_at_nodes<Model>()) {
      return false;
    } else {
      bool whole = true;
      unroll<Model::lags>([&](auto k) CS_LAMBDA { whole = whole && get_lane(lag(k).share, 0) == ScalarOf<Real>(0); });
      return whole;
    }
  }

  /// Slots that the ring must hold: as many as the longest lag has steps. A step of several parts looks back from
  /// within, one node further.
  CS_INLINE long count_slots() const {
    long longest = 0;
    unroll<Model::lags>([&](auto k) CS_LAMBDA { longest = lag(k).longest() > longest ? lag(k).longest() : longest; });
    return Model::lags > 0 && state::is_split<Model>() ? longest + 1 : longest;
  }

  /// Nodes that a step looks through for its windows.
  CS_INLINE long count_looked_through() const {
    long nodes = 0;
    if constexpr (windowed)
      unroll<Model::windows>([&](auto k) CS_LAMBDA {
        constexpr int which = Model::window_lag[k];
        if constexpr (Model::window_place[k] < 0 || state::is_split<Model>()) nodes += lag(which).reach().furthest;
      });
    return nodes;
  }
};

/// Where a member stands: at node i, which lies in slot `now` of the ring.
template <class Scalar>
struct Moment {
  long i;
  long now;
  const Ring<Scalar>& ring;
  const Clock<Scalar>& clock;

  CS_INLINE void go_on() {
    ++i;
    now = now + 1 == ring.slots ? 0 : now + 1;
  }
};

/// The length of lag K, and whether a member can run with it.
template <int K, class Model, class Real>
CS_INLINE Real find_length(const Real* c, ScalarOf<Real> h, MaskOf<Real>& valid) {
  const Real length = Model::template length<K>(c);
  constexpr bool windowed = has_window<Model>(K);
  valid = windowed ? is_valid_window(length, h) : is_valid_length(length);
  return length;
}

/// Lags from their lengths; says in which lanes all of them are valid. A gathered window keeps φ0 in the ring, as far
/// as it reaches.
template <class Real, class Model>
CS_INLINE MaskOf<Real> start_lags(Past<Real, Model>& past, const Real* c, const Clock<ScalarOf<Real>>& clock) {
  MaskOf<Real> good = Real(0) == Real(0);
  unroll<Model::lags>([&](auto k) CS_LAMBDA {
    MaskOf<Real> valid;
    const Real length = find_length<k, Model>(c, clock.h, valid);
    constexpr bool gathered = Model::lag_gathered[k];
    past.lag(k) = make_lag<Real, Past<Real, Model>::windowed>(select(valid, length, Real(0)), clock.h,
                                                              gathered ? most_window_steps + 1 : clock.steps + 2);
    if constexpr (state::is_second<Model>()) {
      past.from_middle(k) = take_aim(past.lag(k).steps, Real(ScalarOf<Real>(0.5)), clock.h, lag_varies<Model>(k));
      past.from_end(k) = take_aim(past.lag(k).steps, Real(1), clock.h, lag_varies<Model>(k));
    }
    good = good && valid;
  });
  return good;
}

/// Before the first step the older node of every lag is node 0.
template <class Real, class Model>
CS_INLINE void start_older([[maybe_unused]] Past<Real, Model>& past, [[maybe_unused]] const Real* q) {
  if constexpr (Model::lags > 0)
    unroll<Model::lags>([&](auto number) CS_LAMBDA {
      constexpr int k = number;
      const Real weight = keeps_product<Real, Model>(k) ? past.lag(k).rest : Real(1);
      unroll<Model::q_columns>([&](auto column) CS_LAMBDA {
        constexpr int coordinate = Model::q_column[column];
        if constexpr (Model::lag_q[k][column]) past.template older<k, column>() = weight * q[coordinate];
      });
    });
}

/// Node i goes into slot `slot` of the ring: coordinates, and the velocities that led to it.
template <class Model, class Real>
CS_INLINE void remember(const Real* q, const Real* v, long slot, const Ring<ScalarOf<Real>>& ring) {
  ScalarOf<Real>* to = ring.data + slot * slot_size<Real, Model> * ring.stride;
#if !defined(__CUDACC__)
  if constexpr (is_in_rows<Real, Model>()) {
    Real column[row_length];
    unroll<Model::q_columns>([&](auto k) CS_LAMBDA { column[k] = q[Model::q_column[k]]; });
    unroll<Model::v_columns>([&](auto k) CS_LAMBDA { column[Model::q_columns + k] = v[Model::v_column[k]]; });
    if constexpr (ring_columns<Model> < row_length) column[row_length - 1] = column[row_length - 2];
    store_rows(to, column[0], column[1], column[2], column[3]);
    return;
  }
#endif
  unroll<Model::q_columns>([&](auto k) CS_LAMBDA {
    constexpr int coordinate = Model::q_column[k];
    store_members<Real>(to + k * ring.stride, q[coordinate]);
  });
  unroll<Model::v_columns>([&](auto k) CS_LAMBDA {
    constexpr int coordinate = Model::v_column[k];
    store_members<Real>(to + (Model::q_columns + k) * ring.stride, v[coordinate]);
  });
}

}  // namespace conesweep::history
