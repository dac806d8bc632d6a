#pragma once

#include <conesweep/history/lag.hpp>
#include <conesweep/history/ring.hpp>

namespace conesweep::history {

// Window functionals (P11) without now(…), at a cost a step that does not depend on the window's length.
//
// Nodes are cut into blocks as long as the window, so that every window is the end of one block and the beginning of
// the next [vanHerk1992, GilWerman1993]. The beginning is gathered as nodes come; when a block is full, one pass
// backwards over it leaves in every place what is gathered from there to the block's end: two operations a node,
// whatever the length. Nothing is ever taken back out of a sum, so nothing drifts, and an infinity or a NaN is
// forgotten when it leaves the window.
//
// max, min: the items are the values at the D nodes i-D+1 … i. mean: the areas between them, D-1. The window's older
// end is the step's to add.

enum WindowKind { window_max, window_min, window_mean };

/// One window of a member between two steps. The items, or the ends gathered from them, lie in a column of the ring.
template <class Real>
struct Window {
  Real beginning;  // of the present block, gathered
  Real count;      // items in it
  Real last;       // value at the node before
};

template <int Kind, class Real>
CS_INLINE Real gather(Real older, Real newer) {
  if constexpr (Kind == window_max)
    return select(newer > older, newer, older);
  else if constexpr (Kind == window_min)
    return select(newer < older, newer, older);
  else
    return older + newer;
}

/// Nothing gathered yet.
template <int Kind, class Real>
CS_INLINE Real gather_nothing() {
  if constexpr (Kind == window_mean)
    return Real(0);
  else
    return Real(Kind == window_max ? -infinity<Real>() : infinity<Real>());
}

/// A value, where a NaN counts for nothing; or the area between two nodes, in steps.
template <int Kind, class Real>
CS_INLINE Real make_item(Real before, Real value) {
  if constexpr (Kind == window_mean)
    return Real(ScalarOf<Real>(0.5)) * (before + value);
  else
    return select(is_nan(value), gather_nothing<Kind, Real>(), value);
}

/// The column of the ring that a window keeps, from slot 0 on; slots lie `stride` apart.
template <class Real>
struct WindowColumn {
  ScalarOf<Real>* first;
  long slots, stride;

  CS_INLINE ScalarOf<Real>* at(long slot) const { return first + slot * stride; }
};

/// The block that ended before node 0, from φ0: value_at(j) is the value at node j < 0.
template <int Kind, class Real, class ValueAt>
CS_INLINE void start_window(Window<Real>& window, const Lag<Real>& lag, const WindowColumn<Real>& column,
                            const ValueAt& value_at) {
  const long items = Kind == window_mean ? lag.longest() - 1 : lag.longest();
  window.beginning = gather_nothing<Kind, Real>();
  window.count = Real(0);
  window.last = value_at(-1);
  Real end = window.beginning, value = window.last;
  for (long j = -1; j > -items; --j) {
    const Real before = value_at(j - 1);
    end = gather<Kind>(make_item<Kind>(before, value), end);
    store_members<Real>(column.at(column.slots + j), end);
    value = before;
  }
}

/// Turns the items of the full block that ends in slot `now` into ends, in the lanes that are `full`.
template <int Kind, class Real>
CS_INLINE void end_block(const Lag<Real>& lag, MaskOf<Real> full, const WindowColumn<Real>& column, long now,
                         Real item) {
  using Scalar = ScalarOf<Real>;
  constexpr long fewer = Kind == window_mean ? 1 : 0;
  if (lag.is_common()) {
    Scalar* at = column.at(now);
    for (long k = lag.longest() - fewer - 1; k > 0; --k) {
      at = at == column.first ? column.at(column.slots - 1) : at - column.stride;
      item = gather<Kind>(load_members<Real>(at), item);
      store_members<Real>(at, item);
    }
    return;
  }
  for (int l = 0; l < RealTraits<Real>::lanes; ++l) {
    if (!get_lane(full, l)) continue;
    Scalar* at = column.at(now) + l;
    Scalar end = get_lane(item, l);
    for (long k = lag.whole[l] - fewer - 1; k > 0; --k) {
      at = at == column.first + l ? column.at(column.slots - 1) + l : at - column.stride;
      end = gather<Kind>(*at, end);
      *at = end;
    }
  }
}

/// Takes in the value at node i, whose slot is `now`, and returns what is gathered over the window that ends there.
template <int Kind, class Real>
CS_INLINE Real advance_window(Window<Real>& window, const Lag<Real>& lag, const WindowColumn<Real>& column, long now,
                              Real value) {
  using Mask = MaskOf<Real>;
  constexpr long fewer = Kind == window_mean ? 1 : 0;
  const Real items = lag.reach().up - Real(ScalarOf<Real>(fewer));
  const Real item = make_item<Kind>(window.last, value);
  window.last = value;
  window.beginning = select(window.count == Real(0), item, gather<Kind>(window.beginning, item));
  window.count = window.count + Real(1);
  store_members<Real>(column.at(now), item);

  // the end of the block before, from the window's oldest item on
  const auto oldest = [&](long whole) {
    return column.at(slot_before(now, whole > fewer ? whole - fewer - 1 : 0, column.slots));
  };
  Real end;
  if (lag.is_common()) {
    end = load_members<Real>(oldest(lag.longest()));
  } else {
    const ScalarOf<Real>* at[RealTraits<Real>::lanes];
    for (int l = 0; l < RealTraits<Real>::lanes; ++l) at[l] = oldest(lag.whole[l]) + l;
    end = load_scattered<Real>(at, 0);
  }
  const Mask full = window.count == items;
  Real gathered = select(full, window.beginning, gather<Kind>(end, window.beginning));
  if constexpr (Kind == window_mean) gathered = select(items > Real(0), gathered, Real(0));
  if (any(full)) {
    end_block<Kind>(lag, full, column, now, item);
    window.count = select(full, Real(0), window.count);
  }
  return gathered;
}

}  // namespace conesweep::history
