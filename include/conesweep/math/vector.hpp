#pragma once

#include <conesweep/math/scalar.hpp>

#if defined(__CUDACC__)
#error "vectors are for the host: a CUDA thread runs one member"
#endif

// Vectors, and what no operator says about them. This header alone names builtins of a compiler or a target: they come
// and go (clang 22 has no __builtin_ia32_vfmaddpd any more), so each is asked for. First what compilers have for every
// target, then the target's instruction, then half the width, then lane by lane: the bits are the same. The target's
// are those behind <immintrin.h>, which would cost half a second to include.

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

/// Lane i's sign as bit i.
template <class T, int N>
CS_INLINE int collect_signs(Vector<T, N> a) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
#if defined(__SSE2__) && __has_builtin(__builtin_ia32_movmskpd) && __has_builtin(__builtin_ia32_movmskps)
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return __builtin_ia32_movmskpd(reinterpret_cast<Vector<double, 2>>(a));
  else if constexpr (bytes == 16)
    return __builtin_ia32_movmskps(reinterpret_cast<Vector<float, 4>>(a));
#if defined(__AVX__) && __has_builtin(__builtin_ia32_movmskpd256) && __has_builtin(__builtin_ia32_movmskps256)
  else if constexpr (bytes == 32 && sizeof(T) == 8)
    return __builtin_ia32_movmskpd256(reinterpret_cast<Vector<double, 4>>(a));
  else if constexpr (bytes == 32)
    return __builtin_ia32_movmskps256(reinterpret_cast<Vector<float, 8>>(a));
#endif
#if CS_WIDE_PACKS && __has_builtin(__builtin_ia32_cvtq2mask512) && __has_builtin(__builtin_ia32_cvtd2mask512)
  else if constexpr (bytes == 64 && sizeof(T) == 8)
    return static_cast<unsigned char>(__builtin_ia32_cvtq2mask512(reinterpret_cast<Vector<long long, 8>>(a)));
  else if constexpr (bytes == 64)
    return static_cast<unsigned short>(__builtin_ia32_cvtd2mask512(reinterpret_cast<Vector<int, 16>>(a)));
#endif
  else
    return collect_signs<T, N / 2>(take_half<T, N, 0>(a)) | (collect_signs<T, N / 2>(take_half<T, N, 1>(a)) << (N / 2));
#else
  static_assert(bytes == 16 || bytes == 32 || bytes == 64);
  int signs = 0;
  for (int i = 0; i < N; ++i)
    signs |= (reinterpret_cast<Vector<typename SignedInteger<sizeof(T)>::type, N>>(a)[i] < 0 ? 1 : 0) << i;
  return signs;
#endif
}

// Lane by lane means calls of libm where the target has no such instruction: that stays out of line.
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

inline constexpr int current_rounding = 4;  // what instructions with masks are told

template <class T, int N>
CS_FMA_INLINE Vector<T, N> fma_lanes(Vector<T, N> a, Vector<T, N> b, Vector<T, N> c) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  static_assert(bytes == 16 || bytes == 32 || bytes == 64);
#if __has_builtin(__builtin_elementwise_fma)
  return __builtin_elementwise_fma(a, b, c);
#elif defined(__FMA__) && __has_builtin(__builtin_ia32_vfmaddpd256) && __has_builtin(__builtin_ia32_vfmaddps256)
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return __builtin_ia32_vfmaddpd(a, b, c);
  else if constexpr (bytes == 16)
    return __builtin_ia32_vfmaddps(a, b, c);
  else if constexpr (bytes == 32 && sizeof(T) == 8)
    return __builtin_ia32_vfmaddpd256(a, b, c);
  else if constexpr (bytes == 32)
    return __builtin_ia32_vfmaddps256(a, b, c);
#if defined(__AVX512F__) && __has_builtin(__builtin_ia32_vfmaddpd512_mask) && \
    __has_builtin(__builtin_ia32_vfmaddps512_mask)
  else if constexpr (bytes == 64 && sizeof(T) == 8)
    return __builtin_ia32_vfmaddpd512_mask(a, b, c, static_cast<unsigned char>(-1), current_rounding);
  else if constexpr (bytes == 64)
    return __builtin_ia32_vfmaddps512_mask(a, b, c, static_cast<unsigned short>(-1), current_rounding);
#endif
  else
    return join_halves<T, N>(fma_lanes<T, N / 2>(take_half<T, N, 0>(a), take_half<T, N, 0>(b), take_half<T, N, 0>(c)),
                             fma_lanes<T, N / 2>(take_half<T, N, 1>(a), take_half<T, N, 1>(b), take_half<T, N, 1>(c)));
#else
  Vector<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = fma(T(a[i]), T(b[i]), T(c[i]));
  return result;
#endif
}

/// GCC 12 makes vsqrtpd of a loop over lanes only with -fno-math-errno, and never vroundpd.
template <class T, int N>
CS_INLINE Vector<T, N> sqrt_lanes(Vector<T, N> a) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  static_assert(bytes == 16 || bytes == 32 || bytes == 64);
#if __has_builtin(__builtin_elementwise_sqrt)
  return __builtin_elementwise_sqrt(a);
#elif defined(__SSE2__) && __has_builtin(__builtin_ia32_sqrtpd) && __has_builtin(__builtin_ia32_sqrtps)
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return __builtin_ia32_sqrtpd(a);
  else if constexpr (bytes == 16)
    return __builtin_ia32_sqrtps(a);
#if defined(__AVX__) && __has_builtin(__builtin_ia32_sqrtpd256) && __has_builtin(__builtin_ia32_sqrtps256)
  else if constexpr (bytes == 32 && sizeof(T) == 8)
    return __builtin_ia32_sqrtpd256(a);
  else if constexpr (bytes == 32)
    return __builtin_ia32_sqrtps256(a);
#endif
// GCC's
#if defined(__AVX512F__) && __has_builtin(__builtin_ia32_sqrtpd512_mask) && __has_builtin(__builtin_ia32_sqrtps512_mask)
  else if constexpr (bytes == 64 && sizeof(T) == 8)
    return __builtin_ia32_sqrtpd512_mask(a, a, static_cast<unsigned char>(-1), current_rounding);
  else if constexpr (bytes == 64)
    return __builtin_ia32_sqrtps512_mask(a, a, static_cast<unsigned short>(-1), current_rounding);
// clang's before it had one for all targets
#elif defined(__AVX512F__) && __has_builtin(__builtin_ia32_sqrtpd512) && __has_builtin(__builtin_ia32_sqrtps512)
  else if constexpr (bytes == 64 && sizeof(T) == 8)
    return __builtin_ia32_sqrtpd512(a, current_rounding);
  else if constexpr (bytes == 64)
    return __builtin_ia32_sqrtps512(a, current_rounding);
#endif
  else
    return join_halves<T, N>(sqrt_lanes<T, N / 2>(take_half<T, N, 0>(a)), sqrt_lanes<T, N / 2>(take_half<T, N, 1>(a)));
#else
  Vector<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = sqrt(T(a[i]));
  return result;
#endif
}

/// Direction: 1 down (floor), 2 up (ceil), as the instruction counts them.
template <class T, int N, int Direction>
CS_ROUND_INLINE Vector<T, N> round_lanes(Vector<T, N> a) {
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  static_assert(bytes == 16 || bytes == 32 || bytes == 64);
#if __has_builtin(__builtin_elementwise_floor) && __has_builtin(__builtin_elementwise_ceil)
  if constexpr (Direction == 1)
    return __builtin_elementwise_floor(a);
  else
    return __builtin_elementwise_ceil(a);
#elif defined(__SSE4_1__) && __has_builtin(__builtin_ia32_roundpd) && __has_builtin(__builtin_ia32_roundps)
  if constexpr (bytes == 16 && sizeof(T) == 8)
    return __builtin_ia32_roundpd(a, Direction);
  else if constexpr (bytes == 16)
    return __builtin_ia32_roundps(a, Direction);
#if defined(__AVX__) && __has_builtin(__builtin_ia32_roundpd256) && __has_builtin(__builtin_ia32_roundps256)
  else if constexpr (bytes == 32 && sizeof(T) == 8)
    return __builtin_ia32_roundpd256(a, Direction);
  else if constexpr (bytes == 32)
    return __builtin_ia32_roundps256(a, Direction);
#endif
#if defined(__AVX512F__) && __has_builtin(__builtin_ia32_rndscalepd_mask) && \
    __has_builtin(__builtin_ia32_rndscaleps_mask)
  else if constexpr (bytes == 64 && sizeof(T) == 8)
    return __builtin_ia32_rndscalepd_mask(a, Direction, a, static_cast<unsigned char>(-1), current_rounding);
  else if constexpr (bytes == 64)
    return __builtin_ia32_rndscaleps_mask(a, Direction, a, static_cast<unsigned short>(-1), current_rounding);
#endif
  else
    return join_halves<T, N>(round_lanes<T, N / 2, Direction>(take_half<T, N, 0>(a)),
                             round_lanes<T, N / 2, Direction>(take_half<T, N, 1>(a)));
#else
  Vector<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = Direction == 1 ? floor(T(a[i])) : ceil(T(a[i]));
  return result;
#endif
}

#undef CS_FMA_INLINE
#undef CS_ROUND_INLINE

#if CS_MASK_REGISTERS
/// Vectors of 64 bytes with masks in registers of their own, a bit a lane. `all` tells an instruction to leave no lane
/// out.
template <class T>
struct Masked;

template <>
struct Masked<double> {
  using Bits = unsigned char;
  using Lanes = Vector<double, 8>;
  static constexpr Bits all = static_cast<Bits>(-1);

  template <int Which>
  static CS_INLINE Bits compare(Lanes a, Lanes b) {
    return static_cast<Bits>(__builtin_ia32_cmppd512_mask(a, b, Which, all, current_rounding));
  }
  static CS_INLINE Lanes select(Bits mask, Lanes a, Lanes b) { return __builtin_ia32_blendmpd_512_mask(b, a, mask); }
  // the second argument unless the first is smaller (larger)
  static CS_INLINE Lanes min(Lanes a, Lanes b) { return __builtin_ia32_minpd512_mask(a, b, b, all, current_rounding); }
  static CS_INLINE Lanes max(Lanes a, Lanes b) { return __builtin_ia32_maxpd512_mask(a, b, b, all, current_rounding); }
};

template <>
struct Masked<float> {
  using Bits = unsigned short;
  using Lanes = Vector<float, 16>;
  static constexpr Bits all = static_cast<Bits>(-1);

  template <int Which>
  static CS_INLINE Bits compare(Lanes a, Lanes b) {
    return static_cast<Bits>(__builtin_ia32_cmpps512_mask(a, b, Which, all, current_rounding));
  }
  static CS_INLINE Lanes select(Bits mask, Lanes a, Lanes b) { return __builtin_ia32_blendmps_512_mask(b, a, mask); }
  static CS_INLINE Lanes min(Lanes a, Lanes b) { return __builtin_ia32_minps512_mask(a, b, b, all, current_rounding); }
  static CS_INLINE Lanes max(Lanes a, Lanes b) { return __builtin_ia32_maxps512_mask(a, b, b, all, current_rounding); }
};
#endif

}  // namespace conesweep::math
