#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>

namespace conesweep::history {

/// The last nodes of the members side by side: [slot][column][member], or in rows, [slot][member][column]. Node i lies
/// in slot i mod slots.
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

/// A number from each of `lanes` places. Plain loads: the gather instruction is slower, and so is setting lane after
/// lane.
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
    return typename Real::Lanes{at[0][offset], at[1][offset], at[2][offset], at[3][offset],
                                at[4][offset], at[5][offset], at[6][offset], at[7][offset]};
  else
    return typename Real::Lanes{at[0][offset],  at[1][offset],  at[2][offset],  at[3][offset],
                                at[4][offset],  at[5][offset],  at[6][offset],  at[7][offset],
                                at[8][offset],  at[9][offset],  at[10][offset], at[11][offset],
                                at[12][offset], at[13][offset], at[14][offset], at[15][offset]};
}

// A device has no room for 2^31 slots, and twice the work with numbers of 64 bits.
#if CS_ON_DEVICE
using SlotNumber = int;
#else
using SlotNumber = long;
#endif

/// Numbers a member has in a slot where a ring is kept in rows: up to so many columns, in one load.
inline constexpr int row_length = 4;

#if !defined(__CUDACC__)
/// A member's row among the eight of its pack. Rows stand in the order in which shuffles make them.
CS_HD constexpr int row_of_lane(int lane) { return lane % 2 * 4 + lane / 2; }

/// Four columns of eight members as rows.
template <class Real>
CS_INLINE void store_rows(ScalarOf<Real>* to, Real x, Real y, Real z, Real u) {
  const auto xy_even = __builtin_shufflevector(x.lanes, y.lanes, 0, 8, 2, 10, 4, 12, 6, 14);
  const auto xy_odd = __builtin_shufflevector(x.lanes, y.lanes, 1, 9, 3, 11, 5, 13, 7, 15);
  const auto zu_even = __builtin_shufflevector(z.lanes, u.lanes, 0, 8, 2, 10, 4, 12, 6, 14);
  const auto zu_odd = __builtin_shufflevector(z.lanes, u.lanes, 1, 9, 3, 11, 5, 13, 7, 15);
  Real(__builtin_shufflevector(xy_even, zu_even, 0, 1, 8, 9, 2, 3, 10, 11)).store(to);
  Real(__builtin_shufflevector(xy_even, zu_even, 4, 5, 12, 13, 6, 7, 14, 15)).store(to + 8);
  Real(__builtin_shufflevector(xy_odd, zu_odd, 0, 1, 8, 9, 2, 3, 10, 11)).store(to + 16);
  Real(__builtin_shufflevector(xy_odd, zu_odd, 4, 5, 12, 13, 6, 7, 14, 15)).store(to + 24);
}

/// And back: a row from each of eight places.
template <class Real>
CS_INLINE void load_rows(const ScalarOf<Real>* const* at, Real (&columns)[row_length]) {
  typedef ScalarOf<Real> Row __attribute__((vector_size(row_length * sizeof(ScalarOf<Real>))));
  Row row[8];
  math::unroll<8>([&](auto l) CS_LAMBDA { __builtin_memcpy(&row[l], at[l], sizeof(Row)); });
  const auto a = __builtin_shufflevector(row[0], row[2], 0, 1, 2, 3, 4, 5, 6, 7),
             b = __builtin_shufflevector(row[1], row[3], 0, 1, 2, 3, 4, 5, 6, 7);
  const auto c = __builtin_shufflevector(row[4], row[6], 0, 1, 2, 3, 4, 5, 6, 7),
             d = __builtin_shufflevector(row[5], row[7], 0, 1, 2, 3, 4, 5, 6, 7);
  const auto xz_low = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14),
             xz_high = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
  const auto yu_low = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15),
             yu_high = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
  columns[0] = __builtin_shufflevector(xz_low, xz_high, 0, 1, 4, 5, 8, 9, 12, 13);
  columns[1] = __builtin_shufflevector(yu_low, yu_high, 0, 1, 4, 5, 8, 9, 12, 13);
  columns[2] = __builtin_shufflevector(xz_low, xz_high, 2, 3, 6, 7, 10, 11, 14, 15);
  columns[3] = __builtin_shufflevector(yu_low, yu_high, 2, 3, 6, 7, 10, 11, 14, 15);
}
#endif

/// The slot `back` nodes before slot `now`, back <= slots.
CS_INLINE long slot_before(long now, long back, long slots) {
#if CS_ON_DEVICE
  // a negative number is a large one without its sign, so the lesser of both is the slot: one instruction fewer
  const auto before = static_cast<unsigned>(now) - static_cast<unsigned>(back),
             around = before + static_cast<unsigned>(slots);
  return static_cast<SlotNumber>(before < around ? before : around);
#else
  const long slot = now - back;
  return slot < 0 ? slot + slots : slot;
#endif
}

}  // namespace conesweep::history
