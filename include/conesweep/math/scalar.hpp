#pragma once

#include <conesweep/math/config.hpp>

// double and float as members of the family Real = {double, float, Pack<double, N>, Pack<float, N>}.
//
// Laws and elementary functions are templates over Real and use only what is declared here, so that one text runs with
// one member a thread or with N members a pack. Every operation is exact or correctly rounded; hence all of them have
// the same bits on every machine. Call them unqualified and inside namespace conesweep: those of packs are found by
// their argument, those of scalars by the enclosing namespace.

namespace conesweep::math {

/// The numbers behind a Real.
///
///   Scalar   double or float
///   Bits     unsigned integer of the same size and, for packs, the same number of lanes
///   Mask     result of a comparison: bool, or one truth value a lane
///   lanes    members in one Real
template <class Real>
struct RealTraits;

template <>
struct RealTraits<double> {
  using Scalar = double;
  using Bits = unsigned long long;
  using Mask = bool;
  static constexpr int lanes = 1;
};

template <>
struct RealTraits<float> {
  using Scalar = float;
  using Bits = unsigned int;
  using Mask = bool;
  static constexpr int lanes = 1;
};

template <class Real>
using ScalarOf = typename RealTraits<Real>::Scalar;
template <class Real>
using BitsOf = typename RealTraits<Real>::Bits;
template <class Real>
using MaskOf = typename RealTraits<Real>::Mask;

/// The two IEEE formats, in numbers.
template <class Scalar>
struct Format;

template <>
struct Format<double> {
  using Bits = unsigned long long;
  static constexpr int fraction_bits = 52;
  static constexpr int exponent_bias = 1023;
  static constexpr Bits sign = 0x8000000000000000ULL;
  static constexpr Bits fraction = 0x000fffffffffffffULL;  // mask of the fraction
  static constexpr Bits one = 0x3ff0000000000000ULL;       // bits of 1
  static constexpr Bits infinity = 0x7ff0000000000000ULL;
  static constexpr Bits nan = 0x7ff8000000000000ULL;  // the canonical NaN
  static constexpr double smallest_normal = 0x1p-1022;
  static constexpr double shifter = 0x1.8p52;  // x + shifter rounds to an integer, which the low bits then hold
};

template <>
struct Format<float> {
  using Bits = unsigned int;
  static constexpr int fraction_bits = 23;
  static constexpr int exponent_bias = 127;
  static constexpr Bits sign = 0x80000000U;
  static constexpr Bits fraction = 0x007fffffU;
  static constexpr Bits one = 0x3f800000U;
  static constexpr Bits infinity = 0x7f800000U;
  static constexpr Bits nan = 0x7fc00000U;
  static constexpr float smallest_normal = 0x1p-126f;
  static constexpr float shifter = 0x1.8p23f;
};

static_assert(sizeof(unsigned long long) == sizeof(double) && sizeof(unsigned int) == sizeof(float));

template <class Real>
using FormatOf = Format<ScalarOf<Real>>;

template <class Real>
inline constexpr bool is_double = sizeof(ScalarOf<Real>) == sizeof(double);

// bits

CS_INLINE unsigned long long to_bits(double x) {
#if CS_ON_DEVICE
  return static_cast<unsigned long long>(__double_as_longlong(x));
#else
  return __builtin_bit_cast(unsigned long long, x);
#endif
}

CS_INLINE unsigned int to_bits(float x) {
#if CS_ON_DEVICE
  return __float_as_uint(x);
#else
  return __builtin_bit_cast(unsigned int, x);
#endif
}

CS_INLINE double make_from_bits(unsigned long long bits, double) {
#if CS_ON_DEVICE
  return __longlong_as_double(static_cast<long long>(bits));
#else
  return __builtin_bit_cast(double, bits);
#endif
}

CS_INLINE float make_from_bits(unsigned int bits, float) {
#if CS_ON_DEVICE
  return __uint_as_float(bits);
#else
  return __builtin_bit_cast(float, bits);
#endif
}

/// from_bits<Real>(b): the Real with these bits. (The second argument of make_from_bits only selects the overload.)
template <class Real>
CS_INLINE Real from_bits(BitsOf<Real> bits) {
  return make_from_bits(bits, Real{});
}

template <class Real>
CS_INLINE ScalarOf<Real> infinity() {
  return from_bits<ScalarOf<Real>>(FormatOf<Real>::infinity);
}

/// The one NaN that results are stored with; which NaN an operation makes differs between x86 and CUDA.
template <class Real>
CS_INLINE ScalarOf<Real> canonical_nan() {
  return from_bits<ScalarOf<Real>>(FormatOf<Real>::nan);
}

// correctly rounded operations; without FMA hardware the builtin calls libm's fma, exact too

#if CS_ON_DEVICE
CS_INLINE double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
CS_INLINE float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
CS_INLINE double sqrt(double x) { return __dsqrt_rn(x); }
CS_INLINE float sqrt(float x) { return __fsqrt_rn(x); }
CS_INLINE double abs(double x) { return ::fabs(x); }
CS_INLINE float abs(float x) { return ::fabsf(x); }
CS_INLINE double floor(double x) { return ::floor(x); }
CS_INLINE float floor(float x) { return ::floorf(x); }
CS_INLINE double ceil(double x) { return ::ceil(x); }
CS_INLINE float ceil(float x) { return ::ceilf(x); }
CS_INLINE double copysign(double magnitude, double sign) { return ::copysign(magnitude, sign); }
CS_INLINE float copysign(float magnitude, float sign) { return ::copysignf(magnitude, sign); }
#else
CS_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
CS_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CS_INLINE double sqrt(double x) { return __builtin_sqrt(x); }
CS_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
CS_INLINE double abs(double x) { return __builtin_fabs(x); }
CS_INLINE float abs(float x) { return __builtin_fabsf(x); }
CS_INLINE double floor(double x) { return __builtin_floor(x); }
CS_INLINE float floor(float x) { return __builtin_floorf(x); }
CS_INLINE double ceil(double x) { return __builtin_ceil(x); }
CS_INLINE float ceil(float x) { return __builtin_ceilf(x); }
CS_INLINE double copysign(double magnitude, double sign) { return __builtin_copysign(magnitude, sign); }
CS_INLINE float copysign(float magnitude, float sign) { return __builtin_copysignf(magnitude, sign); }
#endif

// selection

CS_INLINE double select(bool mask, double a, double b) { return mask ? a : b; }
CS_INLINE float select(bool mask, float a, float b) { return mask ? a : b; }

/// x, computed in all lanes also where a select behind it does not take all of them: a long operation need not wait for
/// the mask.
CS_INLINE double in_all_lanes(double x) { return x; }
CS_INLINE float in_all_lanes(float x) { return x; }
CS_INLINE bool any(bool mask) { return mask; }
CS_INLINE bool all(bool mask) { return mask; }

/// min, max: the first argument unless the second is smaller (larger). So a NaN in the first argument is kept, one in
/// the second is dropped, and of zeros with different signs the first is taken.
CS_INLINE double min(double a, double b) { return b < a ? b : a; }
CS_INLINE float min(float a, float b) { return b < a ? b : a; }
CS_INLINE double max(double a, double b) { return b > a ? b : a; }
CS_INLINE float max(float a, float b) { return b > a ? b : a; }

/// Lanes one by one, for rare paths that are written for scalars; a scalar has lane 0 only.
CS_INLINE double get_lane(double x, int) { return x; }
CS_INLINE float get_lane(float x, int) { return x; }
CS_INLINE bool get_lane(bool mask, int) { return mask; }
CS_INLINE void set_lane(double& x, int, double value) { x = value; }
CS_INLINE void set_lane(float& x, int, float value) { x = value; }
CS_INLINE void set_lane(bool& mask, int, bool value) { mask = value; }

/// odd_mask<Real>(b): where the lowest bit is set.
CS_INLINE bool make_odd_mask(unsigned long long bits, double) { return (bits & 1U) != 0; }
CS_INLINE bool make_odd_mask(unsigned int bits, float) { return (bits & 1U) != 0; }

template <class Real>
CS_INLINE MaskOf<Real> odd_mask(BitsOf<Real> bits) {
  return make_odd_mask(bits, Real{});
}

// for every Real

template <class Real>
CS_INLINE MaskOf<Real> is_nan(Real x) {
  return x != x;
}

template <class Real>
CS_INLINE MaskOf<Real> is_finite(Real x) {
  return abs(x) < Real(infinity<Real>());
}

/// x with every NaN replaced by the canonical one; results are stored through this.
template <class Real>
CS_INLINE Real canonicalize(Real x) {
  return select(is_nan(x), Real(canonical_nan<Real>()), x);
}

/// x with the sign bit flipped where `sign` has it set.
template <class Real>
CS_INLINE Real flip_sign(Real x, BitsOf<Real> sign) {
  return from_bits<Real>(to_bits(x) ^ sign);
}

template <class Real>
CS_INLINE BitsOf<Real> sign_bit(Real x) {
  return to_bits(x) & FormatOf<Real>::sign;
}

/// Nearest integer, halves to even.
template <class Real>
CS_INLINE Real round_to_nearest(Real x) {
  using Scalar = ScalarOf<Real>;
  // 2^52, 2^23: integers from here on
  const Real last_fraction = Real(Scalar(2) / Scalar(3) * FormatOf<Real>::shifter);
  const Real rounded = (abs(x) + last_fraction) - last_fraction;
  return select(abs(x) < last_fraction, copysign(rounded, x), x);
}

}  // namespace conesweep::math

// law, step and the others say sin(x) and must not find the global ::sin, ::abs of a vendor's header.
namespace conesweep {
using namespace math;
}
