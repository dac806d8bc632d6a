#pragma once

#include <conesweep/math/scalar.hpp>

#if defined(__CUDACC__)
#error "packs are for the host: a CUDA thread runs one member"
#endif

namespace conesweep::math {

template <class T, int N>
struct VectorType {
  typedef T type __attribute__((vector_size(N * static_cast<int>(sizeof(T)))));
};
template <class T, int N>
using Vector = typename VectorType<T, N>::type;

template <int Bytes>
struct SignedInteger;
template <>
struct SignedInteger<4> {
  using type = int;
};
template <>
struct SignedInteger<8> {
  using type = long long;
};

template <class T, int N>
struct Pack;

/// Half of a vector, and two halves as one: for operations that the target has only in half the width.
/// By shuffles and not lane by lane: sanitizers would turn thousands of lane accesses into minutes of compilation.
template <class T, int N, int Half>
CS_INLINE Vector<T, N / 2> take_half(Vector<T, N> a) {
  constexpr int f = Half * (N / 2);
  if constexpr (N == 4)
    return __builtin_shufflevector(a, a, f, f + 1);
  else if constexpr (N == 8)
    return __builtin_shufflevector(a, a, f, f + 1, f + 2, f + 3);
  else
    return __builtin_shufflevector(a, a, f, f + 1, f + 2, f + 3, f + 4, f + 5, f + 6, f + 7);
}
template <class T, int N>
CS_INLINE Vector<T, N> join_halves(Vector<T, N / 2> low, Vector<T, N / 2> high) {
  if constexpr (N == 4)
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
  else if constexpr (N == 8)
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
  else
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/// Lane i's sign as bit i: movemask, in halves where the target has it only for half the width.
template <class T, int N>
CS_INLINE int collect_signs(Vector<T, N> a) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
#if defined(__SSE2__)
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return __builtin_ia32_movmskpd(reinterpret_cast<Vector<double, 2>>(a));
  else if constexpr (bytes == 16)
    return __builtin_ia32_movmskps(reinterpret_cast<Vector<float, 4>>(a));
#if defined(__AVX__)
  else if constexpr (bytes == 32 && sizeof(T) == 8)
    return __builtin_ia32_movmskpd256(reinterpret_cast<Vector<double, 4>>(a));
  else if constexpr (bytes == 32)
    return __builtin_ia32_movmskps256(reinterpret_cast<Vector<float, 8>>(a));
#endif
  else
    return collect_signs<T, N / 2>(take_half<T, N, 0>(a)) | (collect_signs<T, N / 2>(take_half<T, N, 1>(a)) << (N / 2));
#else
  static_assert(bytes == 16 || bytes == 32 || bytes == 64);
  int signs = 0;
  for (int i = 0; i < N; ++i) signs |= (a[i] < 0 ? 1 : 0) << i;
  return signs;
#endif
}

/// A bit a lane.
template <int N>
struct LaneBits {
  using type = unsigned char;
};
template <>
struct LaneBits<16> {
  using type = unsigned short;
};
template <int N>
inline constexpr auto every_lane = static_cast<typename LaneBits<N>::type>(-1);
inline constexpr int current_rounding = 4;  // what instructions with masks are told

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
  friend CS_INLINE int collect_bits(PackMask a) { return collect_signs<Integer, N>(a.lanes); }  // lane i as bit i
  friend CS_INLINE bool any(PackMask a) { return collect_bits(a) != 0; }
  friend CS_INLINE bool all(PackMask a) { return collect_bits(a) == (1 << N) - 1; }
};

#if CS_MASK_REGISTERS
/// The same as bits in a register of masks: lane i is bit i.
template <class T, int N>
struct PackMask<T, N, true> {
  using Bits = typename LaneBits<N>::type;
  Bits bits;

  friend CS_INLINE PackMask operator&&(PackMask a, PackMask b) { return {static_cast<Bits>(a.bits & b.bits)}; }
  friend CS_INLINE PackMask operator||(PackMask a, PackMask b) { return {static_cast<Bits>(a.bits | b.bits)}; }
  friend CS_INLINE PackMask operator!(PackMask a) { return {static_cast<Bits>(~a.bits)}; }
  friend CS_INLINE PackMask operator==(PackMask a, PackMask b) { return {static_cast<Bits>(~(a.bits ^ b.bits))}; }
  friend CS_INLINE PackMask operator!=(PackMask a, PackMask b) { return {static_cast<Bits>(a.bits ^ b.bits)}; }
  friend CS_INLINE bool get_lane(PackMask a, int i) { return ((a.bits >> i) & 1) != 0; }
  friend CS_INLINE int collect_bits(PackMask a) { return a.bits; }
  friend CS_INLINE bool any(PackMask a) { return a.bits != 0; }
  friend CS_INLINE bool all(PackMask a) { return a.bits == every_lane<N>; }
};
#endif

/// Comparisons as the instruction counts them; with a NaN only != is true.
enum class Comparison { equal = 0, not_equal = 4, less = 17, less_or_equal = 18, greater_or_equal = 29, greater = 30 };

/// `Which` between lanes that are not both known when compiling; `generic` is the same as the compiler's own operator says it.
template <Comparison Which, class T, int N>
CS_INLINE PackMask<T, N> compare_lanes([[maybe_unused]] Vector<T, N> a, [[maybe_unused]] Vector<T, N> b,
                                       Vector<typename SignedInteger<sizeof(T)>::type, N> generic) {
#if CS_MASK_REGISTERS
  if constexpr (has_mask_registers<sizeof(a)>) {
    // the builtins are never folded
    if (__builtin_constant_p(a) && __builtin_constant_p(b)) {
      typename LaneBits<N>::type bits = 0;
      for (int i = 0; i < N; ++i) bits = static_cast<decltype(bits)>(bits | ((generic[i] != 0 ? 1 : 0) << i));
      return {bits};
    }
    if constexpr (sizeof(T) == 8)
      return {static_cast<unsigned char>(__builtin_ia32_cmppd512_mask(a, b, int(Which), every_lane<8>, current_rounding))};
    else
      return {static_cast<unsigned short>(__builtin_ia32_cmpps512_mask(a, b, int(Which), every_lane<16>, current_rounding))};
  } else
#endif
    return {generic};
}

// fma, sqrt, floor and ceil of raw vectors: the target's instruction, else half the width, else lane by lane.
// The builtins are those behind <immintrin.h>, which would cost half a second to include. GCC 12 turns a loop over lanes
// into vsqrtpd only with -fno-math-errno, and never into vroundpd. Lane by lane means calls of libm: it stays out of line.
#if defined(__FMA__)
#define CS_FMA_INLINE CS_INLINE
#else
#define CS_FMA_INLINE __attribute__((noinline))
#endif
#if defined(__SSE4_1__)
#define CS_ROUND_INLINE CS_INLINE
#else
#define CS_ROUND_INLINE __attribute__((noinline))
#endif

template <class T, int N>
CS_FMA_INLINE Vector<T, N> fma_lanes(Vector<T, N> a, Vector<T, N> b, Vector<T, N> c) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
#if defined(__FMA__)
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return __builtin_ia32_vfmaddpd(a, b, c);
  else if constexpr (bytes == 16)
    return __builtin_ia32_vfmaddps(a, b, c);
  else if constexpr (bytes == 32 && sizeof(T) == 8)
    return __builtin_ia32_vfmaddpd256(a, b, c);
  else if constexpr (bytes == 32)
    return __builtin_ia32_vfmaddps256(a, b, c);
#if defined(__AVX512F__)
  else if constexpr (bytes == 64 && sizeof(T) == 8)
    return __builtin_ia32_vfmaddpd512_mask(a, b, c, every_lane<8>, current_rounding);
  else if constexpr (bytes == 64)
    return __builtin_ia32_vfmaddps512_mask(a, b, c, every_lane<16>, current_rounding);
#endif
  else
    return join_halves<T, N>(fma_lanes<T, N / 2>(take_half<T, N, 0>(a), take_half<T, N, 0>(b), take_half<T, N, 0>(c)),
                             fma_lanes<T, N / 2>(take_half<T, N, 1>(a), take_half<T, N, 1>(b), take_half<T, N, 1>(c)));
#else
  static_assert(bytes == 16 || bytes == 32 || bytes == 64);
  Vector<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = fma(T(a[i]), T(b[i]), T(c[i]));
  return result;
#endif
}

template <class T, int N>
CS_INLINE Vector<T, N> sqrt_lanes(Vector<T, N> a) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
#if defined(__SSE2__)
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return __builtin_ia32_sqrtpd(a);
  else if constexpr (bytes == 16)
    return __builtin_ia32_sqrtps(a);
#if defined(__AVX__)
  else if constexpr (bytes == 32 && sizeof(T) == 8)
    return __builtin_ia32_sqrtpd256(a);
  else if constexpr (bytes == 32)
    return __builtin_ia32_sqrtps256(a);
#endif
#if CS_MASK_REGISTERS
  else if constexpr (bytes == 64 && sizeof(T) == 8)
    return __builtin_ia32_sqrtpd512_mask(a, a, every_lane<8>, current_rounding);
  else if constexpr (bytes == 64)
    return __builtin_ia32_sqrtps512_mask(a, a, every_lane<16>, current_rounding);
#endif
  else
    return join_halves<T, N>(sqrt_lanes<T, N / 2>(take_half<T, N, 0>(a)), sqrt_lanes<T, N / 2>(take_half<T, N, 1>(a)));
#else
  static_assert(bytes == 16 || bytes == 32 || bytes == 64);
  Vector<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = sqrt(T(a[i]));
  return result;
#endif
}

/// Direction: 1 down (floor), 2 up (ceil), as the instruction counts them.
template <class T, int N, int Direction>
CS_ROUND_INLINE Vector<T, N> round_lanes(Vector<T, N> a) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
#if defined(__SSE4_1__)
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return __builtin_ia32_roundpd(a, Direction);
  else if constexpr (bytes == 16)
    return __builtin_ia32_roundps(a, Direction);
#if defined(__AVX__)
  else if constexpr (bytes == 32 && sizeof(T) == 8)
    return __builtin_ia32_roundpd256(a, Direction);
  else if constexpr (bytes == 32)
    return __builtin_ia32_roundps256(a, Direction);
#endif
#if CS_MASK_REGISTERS
  else if constexpr (bytes == 64 && sizeof(T) == 8)
    return __builtin_ia32_rndscalepd_mask(a, Direction, a, every_lane<8>, current_rounding);
  else if constexpr (bytes == 64)
    return __builtin_ia32_rndscaleps_mask(a, Direction, a, every_lane<16>, current_rounding);
#endif
  else
    return join_halves<T, N>(round_lanes<T, N / 2, Direction>(take_half<T, N, 0>(a)), round_lanes<T, N / 2, Direction>(take_half<T, N, 1>(a)));
#else
  static_assert(bytes == 16 || bytes == 32 || bytes == 64);
  Vector<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = Direction == 1 ? floor(T(a[i])) : ceil(T(a[i]));
  return result;
#endif
}

#undef CS_FMA_INLINE
#undef CS_ROUND_INLINE

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

  friend CS_INLINE Mask operator<(Pack a, Pack b) { return compare_lanes<Comparison::less, T, N>(a.lanes, b.lanes, a.lanes < b.lanes); }
  friend CS_INLINE Mask operator>(Pack a, Pack b) { return compare_lanes<Comparison::greater, T, N>(a.lanes, b.lanes, a.lanes > b.lanes); }
  friend CS_INLINE Mask operator<=(Pack a, Pack b) { return compare_lanes<Comparison::less_or_equal, T, N>(a.lanes, b.lanes, a.lanes <= b.lanes); }
  friend CS_INLINE Mask operator>=(Pack a, Pack b) { return compare_lanes<Comparison::greater_or_equal, T, N>(a.lanes, b.lanes, a.lanes >= b.lanes); }
  friend CS_INLINE Mask operator==(Pack a, Pack b) { return compare_lanes<Comparison::equal, T, N>(a.lanes, b.lanes, a.lanes == b.lanes); }
  friend CS_INLINE Mask operator!=(Pack a, Pack b) { return compare_lanes<Comparison::not_equal, T, N>(a.lanes, b.lanes, a.lanes != b.lanes); }

  friend CS_INLINE BitLanes to_bits(Pack x) { return reinterpret_cast<BitLanes>(x.lanes); }
  friend CS_INLINE Pack make_from_bits(BitLanes bits, Pack) { return reinterpret_cast<Lanes>(bits); }
  friend CS_INLINE Mask make_odd_mask(BitLanes bits, Pack) {
    const BitLanes lowest = bits & 1;
#if CS_MASK_REGISTERS
    if constexpr (sizeof(Lanes) == 64 && sizeof(T) == 8)
      return {static_cast<unsigned char>(__builtin_ia32_cvtq2mask512(reinterpret_cast<Vector<long long, 8>>(-lowest)))};
    else if constexpr (sizeof(Lanes) == 64)
      return {static_cast<unsigned short>(__builtin_ia32_cvtd2mask512(reinterpret_cast<Vector<int, 16>>(-lowest)))};
    else
#endif
      return {reinterpret_cast<typename Mask::Lanes>(-lowest)};
  }

  friend CS_INLINE Pack in_all_lanes(Pack x) {
#if CS_MASK_REGISTERS
    if constexpr (has_mask_registers<sizeof(Lanes)>) asm("" : "+v"(x.lanes));  // else GCC divides under the mask
#endif
    return x;
  }
  friend CS_INLINE Pack select(Mask mask, Pack a, Pack b) {
#if CS_MASK_REGISTERS
    if constexpr (sizeof(Lanes) == 64 && sizeof(T) == 8)
      return __builtin_ia32_blendmpd_512_mask(b.lanes, a.lanes, mask.bits);
    else if constexpr (sizeof(Lanes) == 64)
      return __builtin_ia32_blendmps_512_mask(b.lanes, a.lanes, mask.bits);
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
  // the instructions give their second argument unless the first is smaller (larger), which is our law with the arguments exchanged
  friend CS_INLINE Pack min(Pack a, Pack b) {
#if CS_MASK_REGISTERS
    if constexpr (sizeof(Lanes) == 64 && sizeof(T) == 8)
      return __builtin_ia32_minpd512_mask(b.lanes, a.lanes, a.lanes, every_lane<8>, current_rounding);
    else if constexpr (sizeof(Lanes) == 64)
      return __builtin_ia32_minps512_mask(b.lanes, a.lanes, a.lanes, every_lane<16>, current_rounding);
    else
#endif
      return select(b < a, b, a);
  }
  friend CS_INLINE Pack max(Pack a, Pack b) {
#if CS_MASK_REGISTERS
    if constexpr (sizeof(Lanes) == 64 && sizeof(T) == 8)
      return __builtin_ia32_maxpd512_mask(b.lanes, a.lanes, a.lanes, every_lane<8>, current_rounding);
    else if constexpr (sizeof(Lanes) == 64)
      return __builtin_ia32_maxps512_mask(b.lanes, a.lanes, a.lanes, every_lane<16>, current_rounding);
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

/// Members in a pack that this target is fastest with. 512 bits without registers of masks are slower than 256.
template <class T>
inline constexpr int best_lanes = (CS_MASK_REGISTERS ? 64 : 32) / static_cast<int>(sizeof(T));

template <class T, int N>
struct RealTraits<Pack<T, N>> {
  using Scalar = T;
  using Bits = typename Pack<T, N>::BitLanes;
  using Mask = PackMask<T, N>;
  static constexpr int lanes = N;
};

}  // namespace conesweep::math
