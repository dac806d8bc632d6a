#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::history {

/// The last nodes of the members side by side: [slot][column][member]. Node i lies in slot i mod slots.
template <class Scalar>
struct Ring {
  Scalar* data;  // of this pack's first member
  long slots;    // as many as Past::count_slots says, and no more: it should stay in the first-level cache
  long stride;   // members beside each other
};

template <class Real>
CS_INLINE Real load_members(const ScalarOf<Real>* from) {
  if constexpr (RealTraits<Real>::lanes == 1)
    return *from;
  else
    return Real::load(from);
}

template <class Real>
CS_INLINE void store_members(ScalarOf<Real>* to, Real x) {
  if constexpr (RealTraits<Real>::lanes == 1)
    *to = x;
  else
    x.store(to);
}

/// A number from each of `lanes` places. Plain loads: the gather instruction is slower, and so is setting lane after lane.
template <class Real>
CS_INLINE Real load_scattered(const ScalarOf<Real>* const* at, long offset) {
  constexpr int lanes = RealTraits<Real>::lanes;
  if constexpr (lanes == 1)
    return at[0][offset];
  else if constexpr (lanes == 2)
    return typename Real::Lanes{at[0][offset], at[1][offset]};
  else if constexpr (lanes == 4)
    return typename Real::Lanes{at[0][offset], at[1][offset], at[2][offset], at[3][offset]};
  else if constexpr (lanes == 8)
    return typename Real::Lanes{at[0][offset], at[1][offset], at[2][offset], at[3][offset], at[4][offset], at[5][offset], at[6][offset], at[7][offset]};
  else
    return typename Real::Lanes{at[0][offset], at[1][offset], at[2][offset],  at[3][offset],  at[4][offset],  at[5][offset],  at[6][offset],  at[7][offset],
                                at[8][offset], at[9][offset], at[10][offset], at[11][offset], at[12][offset], at[13][offset], at[14][offset], at[15][offset]};
}

// A device has no room for 2^31 slots, and twice the work with numbers of 64 bits.
#if CS_ON_DEVICE
using SlotNumber = int;
#else
using SlotNumber = long;
#endif

/// The slot `back` nodes before slot `now`, back < slots.
CS_INLINE long slot_before(long now, long back, long slots) {
  const auto slot = static_cast<SlotNumber>(now) - static_cast<SlotNumber>(back);
  return slot < 0 ? slot + static_cast<SlotNumber>(slots) : slot;
}

}  // namespace conesweep::history
