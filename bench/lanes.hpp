#pragma once

// Members side by side in one register, as the hand-written kernels use them: `Four` with AVX2, `Eight` with AVX-512.
// One kernel, written once over these words; every word is an instruction, or the best few, of its own width. What is
// masked with AVX-512 is blended or cut by bits with AVX2.
#include <cmath>

#if defined(__AVX2__)
#include <immintrin.h>

extern "C" __m256d _ZGVdN4v_sin(__m256d);  // glibc's vector sines
extern "C" __m512d _ZGVeN8v_sin(__m512d);
#endif

/// One member, for systems written over these words.
struct One {
  double x;

  static One all(double value) { return {value}; }
  friend One operator+(One a, One b) { return {a.x + b.x}; }
  friend One operator-(One a, One b) { return {a.x - b.x}; }
  friend One operator*(One a, One b) { return {a.x * b.x}; }
  friend One operator/(One a, One b) { return {a.x / b.x}; }
  friend One fma(One a, One b, One c) { return {std::fma(a.x, b.x, c.x)}; }
  friend One fnma(One a, One b, One c) { return {std::fma(-a.x, b.x, c.x)}; }
  friend One sqrt(One a) { return {std::sqrt(a.x)}; }
  friend One sin(One a) { return {std::sin(a.x)}; }
};

#if defined(__AVX2__)
struct Four {
  static constexpr int count = 4;
  static constexpr const char* name = "avx2";
  __m256d x;
  using Mask = __m256d;

  static Four all(double value) { return {_mm256_set1_pd(value)}; }
  static Four load(const double* from) { return {_mm256_loadu_pd(from)}; }
  // plain loads: they beat the gather instruction
  static Four gather(const double* const* at, long offset) {
    const __m128d low = _mm_loadh_pd(_mm_load_sd(at[0] + offset), at[1] + offset),
                  high = _mm_loadh_pd(_mm_load_sd(at[2] + offset), at[3] + offset);
    return {_mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1)};
  }
  void store(double* to) const { _mm256_storeu_pd(to, x); }

  friend Four operator+(Four a, Four b) { return {_mm256_add_pd(a.x, b.x)}; }
  friend Four operator-(Four a, Four b) { return {_mm256_sub_pd(a.x, b.x)}; }
  friend Four operator*(Four a, Four b) { return {_mm256_mul_pd(a.x, b.x)}; }
  friend Four operator/(Four a, Four b) { return {_mm256_div_pd(a.x, b.x)}; }
  friend Four fma(Four a, Four b, Four c) { return {_mm256_fmadd_pd(a.x, b.x, c.x)}; }
  friend Four fnma(Four a, Four b, Four c) { return {_mm256_fnmadd_pd(a.x, b.x, c.x)}; }  // c - a b
  friend Four sqrt(Four a) { return {_mm256_sqrt_pd(a.x)}; }
  friend Four sin(Four a) { return {_ZGVdN4v_sin(a.x)}; }
  friend Four abs(Four a) { return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.x)}; }
  friend Four min(Four a, Four b) { return {_mm256_min_pd(a.x, b.x)}; }
  friend Four max(Four a, Four b) { return {_mm256_max_pd(a.x, b.x)}; }

  friend Mask less(Four a, Four b) { return _mm256_cmp_pd(a.x, b.x, _CMP_LT_OQ); }
  friend Mask less_or_equal(Four a, Four b) { return _mm256_cmp_pd(a.x, b.x, _CMP_LE_OQ); }
  static Mask both(Mask a, Mask b) { return _mm256_and_pd(a, b); }
  static bool any(Mask a) { return _mm256_movemask_pd(a) != 0; }
  friend Four choose(Mask where, Four a, Four b) { return {_mm256_blendv_pd(b.x, a.x, where)}; }
  friend Four or_zero(Mask where, Four a) { return {_mm256_and_pd(where, a.x)}; }
};
#endif

#if defined(__AVX512F__)
struct Eight {
  static constexpr int count = 8;
  static constexpr const char* name = "avx512";
  __m512d x;
  using Mask = __mmask8;

  static Eight all(double value) { return {_mm512_set1_pd(value)}; }
  static Eight load(const double* from) { return {_mm512_loadu_pd(from)}; }
  static Eight gather(const double* const* at, long offset) {
    const __m256d low = Four::gather(at, offset).x, high = Four::gather(at + 4, offset).x;
    return {_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1)};
  }
  void store(double* to) const { _mm512_storeu_pd(to, x); }

  friend Eight operator+(Eight a, Eight b) { return {_mm512_add_pd(a.x, b.x)}; }
  friend Eight operator-(Eight a, Eight b) { return {_mm512_sub_pd(a.x, b.x)}; }
  friend Eight operator*(Eight a, Eight b) { return {_mm512_mul_pd(a.x, b.x)}; }
  friend Eight operator/(Eight a, Eight b) { return {_mm512_div_pd(a.x, b.x)}; }
  friend Eight fma(Eight a, Eight b, Eight c) { return {_mm512_fmadd_pd(a.x, b.x, c.x)}; }
  friend Eight fnma(Eight a, Eight b, Eight c) { return {_mm512_fnmadd_pd(a.x, b.x, c.x)}; }
  friend Eight sqrt(Eight a) { return {_mm512_sqrt_pd(a.x)}; }
  friend Eight sin(Eight a) { return {_ZGVeN8v_sin(a.x)}; }
  friend Eight abs(Eight a) { return {_mm512_abs_pd(a.x)}; }
  friend Eight min(Eight a, Eight b) { return {_mm512_min_pd(a.x, b.x)}; }
  friend Eight max(Eight a, Eight b) { return {_mm512_max_pd(a.x, b.x)}; }

  friend Mask less(Eight a, Eight b) { return _mm512_cmp_pd_mask(a.x, b.x, _CMP_LT_OQ); }
  friend Mask less_or_equal(Eight a, Eight b) { return _mm512_cmp_pd_mask(a.x, b.x, _CMP_LE_OQ); }
  static Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
  static bool any(Mask a) { return a != 0; }
  friend Eight choose(Mask where, Eight a, Eight b) { return {_mm512_mask_blend_pd(where, b.x, a.x)}; }
  friend Eight or_zero(Mask where, Eight a) { return {_mm512_maskz_mov_pd(where, a.x)}; }
};
#endif
