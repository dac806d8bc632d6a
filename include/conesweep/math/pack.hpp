#pragma once

#include <conesweep/math/vector.hpp>

namespace conesweep::math {

/// Have packs of so many bytes masks in registers of their own?
template <int Bytes>
inline constexpr bool has_mask_registers = CS_MASK_REGISTERS&& Bytes == 64;

/// One truth value a lane: all bits set or none. && and || are those of bool, lane by lane (both sides are evaluated).
template <class T, int N, bool InRegister = has_mask_registers<N* static_cast<int>(sizeof(T))>>
struct PackMask {
  using Integer = typename SignedInteger<sizeof(T)>::type;
  using Lanes = Vector<Integer, N>;
  Lanes lanes;

  friend CS_INLINE PackMask operator&&(PackMask a, PackMask b) { return {a.lanes & b.lanes}; }
  friend CS_INLINE PackMask operator||(PackMask a, PackMask b) { return {a.lanes | b.lanes}; }
  friend CS_INLINE PackMask operator!(PackMask a) { return {~a.lanes}; }
  friend CS_INLINE PackMask operator==(PackMask a, PackMask b) { return {~(a.lanes ^ b.lanes)}; }
  friend CS_INLINE PackMask operator!=(PackMask a, PackMask b) { return {a.lanes ^ b.lanes}; }
  friend CS_INLINE bool get_lane(PackMask a, int i) { return a.lanes[i] != 0; }
  friend CS_INLINE void set_lane(PackMask& a, int i, bool value) { a.lanes[i] = value ? Integer(-1) : Integer(0); }
  friend CS_INLINE int collect_bits(PackMask a) { return collect_signs<Integer, N>(a.lanes); }  // lane i as bit i
  friend CS_INLINE bool any(PackMask a) { return collect_bits(a) != 0; }
  friend CS_INLINE bool all(PackMask a) { return collect_bits(a) == (1 << N) - 1; }
};

#if CS_MASK_REGISTERS
/// The same as bits in a register of masks: lane i is bit i.
template <class T, int N>
struct PackMask<T, N, true> {
  using Bits = typename Masked<T>::Bits;
  Bits bits;

  friend CS_INLINE PackMask operator&&(PackMask a, PackMask b) { return {static_cast<Bits>(a.bits & b.bits)}; }
  friend CS_INLINE PackMask operator||(PackMask a, PackMask b) { return {static_cast<Bits>(a.bits | b.bits)}; }
  friend CS_INLINE PackMask operator!(PackMask a) { return {static_cast<Bits>(~a.bits)}; }
  friend CS_INLINE PackMask operator==(PackMask a, PackMask b) { return {static_cast<Bits>(~(a.bits ^ b.bits))}; }
  friend CS_INLINE PackMask operator!=(PackMask a, PackMask b) { return {static_cast<Bits>(a.bits ^ b.bits)}; }
  friend CS_INLINE bool get_lane(PackMask a, int i) { return ((a.bits >> i) & 1) != 0; }
  friend CS_INLINE void set_lane(PackMask& a, int i, bool value) {
    a.bits = static_cast<Bits>((a.bits & ~(1 << i)) | ((value ? 1 : 0) << i));
  }
  friend CS_INLINE int collect_bits(PackMask a) { return a.bits; }
  friend CS_INLINE bool any(PackMask a) { return a.bits != 0; }
  friend CS_INLINE bool all(PackMask a) { return a.bits == Masked<T>::all; }
};
#endif

/// Comparisons by the numbers of the instruction for masks in registers; with a NaN only != is true.
enum class Comparison { equal = 0, not_equal = 4, less = 17, less_or_equal = 18, greater_or_equal = 29, greater = 30 };

/// `Which` between lanes; `generic` is the same as the compiler's own operator says it.
template <Comparison Which, class T, int N>
CS_INLINE PackMask<T, N> compare_lanes([[maybe_unused]] Vector<T, N> a, [[maybe_unused]] Vector<T, N> b,
                                       Vector<typename SignedInteger<sizeof(T)>::type, N> generic) {
#if CS_MASK_REGISTERS
  if constexpr (has_mask_registers<sizeof(a)>) {
    // what is known when compiling: the instruction is never folded
    if (__builtin_constant_p(a) && __builtin_constant_p(b)) {
      typename Masked<T>::Bits bits = 0;
      for (int i = 0; i < N; ++i) bits = static_cast<decltype(bits)>(bits | ((generic[i] != 0 ? 1 : 0) << i));
      return {bits};
    }
    return {Masked<T>::template compare<static_cast<int>(Which)>(a, b)};
  } else
#endif
    return {generic};
}

/// N members side by side in one vector register; a lane's result never depends on its neighbours.
/// N * sizeof(T) is 16, 32 or 64 bytes. A scalar converts to a pack with equal lanes.
template <class T, int N>
struct Pack {
  using Lanes = Vector<T, N>;
  using BitLanes = Vector<typename Format<T>::Bits, N>;
  using Mask = PackMask<T, N>;
  static_assert(sizeof(Lanes) == 16 || sizeof(Lanes) == 32 || sizeof(Lanes) == 64);

  Lanes lanes;

  Pack() = default;
  CS_INLINE Pack(Lanes values) : lanes(values) {}
  CS_INLINE Pack(T value) : lanes(value - Lanes{}) {}  // not 0 + value: keeps the sign of zero

  static CS_INLINE Pack load(const T* from) {
    Pack x;
    __builtin_memcpy(&x.lanes, from, sizeof(Lanes));
    return x;
  }
  CS_INLINE void store(T* to) const { __builtin_memcpy(to, &lanes, sizeof(Lanes)); }

  CS_INLINE T operator[](int i) const { return lanes[i]; }

  CS_INLINE Pack operator-() const { return -lanes; }
  CS_INLINE Pack& operator+=(Pack b) { return *this = *this + b; }
  CS_INLINE Pack& operator-=(Pack b) { return *this = *this - b; }
  CS_INLINE Pack& operator*=(Pack b) { return *this = *this * b; }
  CS_INLINE Pack& operator/=(Pack b) { return *this = *this / b; }
  friend CS_INLINE Pack operator+(Pack a, Pack b) { return a.lanes + b.lanes; }
  friend CS_INLINE Pack operator-(Pack a, Pack b) { return a.lanes - b.lanes; }
  friend CS_INLINE Pack operator*(Pack a, Pack b) { return a.lanes * b.lanes; }
  friend CS_INLINE Pack operator/(Pack a, Pack b) { return a.lanes / b.lanes; }

  friend CS_INLINE Mask operator<(Pack a, Pack b) {
    return compare_lanes<Comparison::less, T, N>(a.lanes, b.lanes, a.lanes < b.lanes);
  }
  friend CS_INLINE Mask operator>(Pack a, Pack b) {
    return compare_lanes<Comparison::greater, T, N>(a.lanes, b.lanes, a.lanes > b.lanes);
  }
  friend CS_INLINE Mask operator<=(Pack a, Pack b) {
    return compare_lanes<Comparison::less_or_equal, T, N>(a.lanes, b.lanes, a.lanes <= b.lanes);
  }
  friend CS_INLINE Mask operator>=(Pack a, Pack b) {
    return compare_lanes<Comparison::greater_or_equal, T, N>(a.lanes, b.lanes, a.lanes >= b.lanes);
  }
  friend CS_INLINE Mask operator==(Pack a, Pack b) {
    return compare_lanes<Comparison::equal, T, N>(a.lanes, b.lanes, a.lanes == b.lanes);
  }
  friend CS_INLINE Mask operator!=(Pack a, Pack b) {
    return compare_lanes<Comparison::not_equal, T, N>(a.lanes, b.lanes, a.lanes != b.lanes);
  }

  friend CS_INLINE BitLanes to_bits(Pack x) { return reinterpret_cast<BitLanes>(x.lanes); }
  friend CS_INLINE Pack make_from_bits(BitLanes bits, Pack) { return reinterpret_cast<Lanes>(bits); }
  friend CS_INLINE Mask make_odd_mask(BitLanes bits, Pack) {
    const auto lowest = reinterpret_cast<Vector<typename SignedInteger<sizeof(T)>::type, N>>(-(bits & 1));
#if CS_MASK_REGISTERS
    if constexpr (has_mask_registers<sizeof(Lanes)>)
      return {static_cast<typename Mask::Bits>(collect_signs<typename SignedInteger<sizeof(T)>::type, N>(lowest))};
    else
#endif
      return {lowest};
  }

  friend CS_INLINE Pack in_all_lanes(Pack x) {
#if CS_MASK_REGISTERS
    if constexpr (has_mask_registers<sizeof(Lanes)>) asm("" : "+v"(x.lanes));  // else GCC divides under the mask
#endif
    return x;
  }
  friend CS_INLINE Pack select(Mask mask, Pack a, Pack b) {
#if CS_MASK_REGISTERS
    if constexpr (has_mask_registers<sizeof(Lanes)>)
      return Masked<T>::select(mask.bits, a.lanes, b.lanes);
    else
#endif
    {
#if defined(__SSE4_1__)
      return mask.lanes < 0 ? a.lanes : b.lanes;  // blendv looks at the sign bit: one instruction
#else
      const BitLanes chosen = reinterpret_cast<BitLanes>(mask.lanes);
      return reinterpret_cast<Lanes>((to_bits(a) & chosen) | (to_bits(b) & ~chosen));
#endif
    }
  }
  // the instructions give their second argument unless the first is smaller (larger), which is our law with the
  // arguments exchanged
  friend CS_INLINE Pack min(Pack a, Pack b) {
#if CS_MASK_REGISTERS
    if constexpr (has_mask_registers<sizeof(Lanes)>)
      return Masked<T>::min(b.lanes, a.lanes);
    else
#endif
      return select(b < a, b, a);
  }
  friend CS_INLINE Pack max(Pack a, Pack b) {
#if CS_MASK_REGISTERS
    if constexpr (has_mask_registers<sizeof(Lanes)>)
      return Masked<T>::max(b.lanes, a.lanes);
    else
#endif
      return select(b > a, b, a);
  }

  friend CS_INLINE Pack fma(Pack a, Pack b, Pack c) { return fma_lanes<T, N>(a.lanes, b.lanes, c.lanes); }
  friend CS_INLINE Pack sqrt(Pack x) { return sqrt_lanes<T, N>(x.lanes); }
  friend CS_INLINE Pack floor(Pack x) { return round_lanes<T, N, 1>(x.lanes); }
  friend CS_INLINE Pack ceil(Pack x) { return round_lanes<T, N, 2>(x.lanes); }
  friend CS_INLINE Pack abs(Pack x) { return reinterpret_cast<Lanes>(to_bits(x) & ~Format<T>::sign); }
  friend CS_INLINE Pack copysign(Pack magnitude, Pack sign) {
    return reinterpret_cast<Lanes>((to_bits(magnitude) & ~Format<T>::sign) | (to_bits(sign) & Format<T>::sign));
  }

  friend CS_INLINE T get_lane(Pack x, int i) { return x.lanes[i]; }
  friend CS_INLINE void set_lane(Pack& x, int i, T value) { x.lanes[i] = value; }
};

/// Members in a pack that this target is fastest with.
template <class T>
inline constexpr int best_lanes = (CS_WIDE_PACKS ? 64 : 32) / static_cast<int>(sizeof(T));

template <class T, int N>
struct RealTraits<Pack<T, N>> {
  using Scalar = T;
  using Bits = typename Pack<T, N>::BitLanes;
  using Mask = PackMask<T, N>;
  static constexpr int lanes = N;
};

}  // namespace conesweep::math
