#pragma once

#include <conesweep/math/polynomial.hpp>
#include <conesweep/math/quadrant.hpp>

// sin, cos, tan. Coefficients: tools/minimax.sollya.

namespace conesweep::math {

/// sin(r) = hi + lo for a reduced r; hi is r itself, lo is up to a tenth of it.
///   sin r ≈ r + r³ S(r²), and the tail of r enters with its derivative 1 - r²/2.
template <class Real>
CS_INLINE TwoPart<Real> sin_reduced(TwoPart<Real> r) {
  const Real z = r.hi * r.hi;
  Real s;
  if constexpr (is_double<Real>) {
    s = polynomial<Real>(z, -0x1.5555555555547p-3, 0x1.111111110f575p-7, -0x1.a01a019badf62p-13, 0x1.71de351f67b1p-19,
                         -0x1.ae5e1fe4951fcp-26, 0x1.5d7e52a3c72b3p-33);
  } else {
    s = polynomial<Real>(z, -0x1.555556p-3f, 0x1.111162p-7f, -0x1.a045f2p-13f, 0x1.772d18p-19f);
  }
  const Real tail = fma(Real(ScalarOf<Real>(-0.5)) * z, r.lo, r.lo);
  return {r.hi, fma(r.hi * z, s, tail)};
}

/// cos(r) = hi + lo for a reduced r.
///   cos r ≈ 1 - r²/2 + r⁴ C(r²); 1 - r²/2 is formed without error (the low part of r² included).
template <class Real>
CS_INLINE TwoPart<Real> cos_reduced(TwoPart<Real> r) {
  const Real half = ScalarOf<Real>(0.5);
  const Real one = 1;
  const Real z = r.hi * r.hi;
  const Real z_lo = fma(r.hi, r.hi, -z);
  Real c;
  if constexpr (is_double<Real>) {
    c = polynomial<Real>(z, 0x1.5555555555549p-5, -0x1.6c16c16c14bf4p-10, 0x1.a01a019c2afb3p-16, -0x1.27e4f7aa91f51p-22,
                         0x1.1ee9ac2468b4p-29, -0x1.8f8e0900a589fp-37);
  } else {
    c = polynomial<Real>(z, 0x1.55554ap-5f, -0x1.6c0c16p-10f, 0x1.99df46p-16f);
  }
  const Real hi = fma(-half, z, one);
  const Real hi_error = fma(-half, z, one - hi);
  const Real tail = hi_error - fma(r.hi, r.lo, half * z_lo);
  return {hi, fma(z * z, c, tail)};
}

/// The sign of sin in quadrants 2 and 3, as a bit.
template <class Real>
CS_INLINE BitsOf<Real> half_turn_sign(BitsOf<Real> n) {
  return (n << (8 * sizeof(ScalarOf<Real>) - 2)) & FormatOf<Real>::sign;
}

/// What is left of sin, cos and tan when the argument is reduced; `sign` is the argument's.
struct Sin {
  template <class Real>
  static CS_INLINE Real finish(Quadrant<Real> q, BitsOf<Real> sign) {
    const BitsOf<Real> n = to_bits(q.n_shifted);
    const TwoPart<Real> s = sin_reduced(q.r);
    const TwoPart<Real> c = cos_reduced(q.r);
    const MaskOf<Real> odd = odd_mask<Real>(n);
    const Real value = select(odd, c.hi, s.hi) + select(odd, c.lo, s.lo);
    return flip_sign(value, half_turn_sign<Real>(n) ^ sign);
  }
};

struct Cos {  // cos x = sin(x + π/2)
  template <class Real>
  static CS_INLINE Real finish(Quadrant<Real> q, BitsOf<Real>) {
    const BitsOf<Real> n = to_bits(q.n_shifted);
    const TwoPart<Real> s = sin_reduced(q.r);
    const TwoPart<Real> c = cos_reduced(q.r);
    const MaskOf<Real> odd = odd_mask<Real>(n);
    const Real value = select(odd, s.hi, c.hi) + select(odd, s.lo, c.lo);
    return flip_sign(value, half_turn_sign<Real>(n + 1));
  }
};

struct Tan {  // sin r / cos r for even n, -cos r / sin r for odd n
  template <class Real>
  static CS_INLINE Real finish(Quadrant<Real> q, BitsOf<Real> sign) {
    const BitsOf<Real> n = to_bits(q.n_shifted);
    TwoPart<Real> s = sin_reduced(q.r);
    TwoPart<Real> c = cos_reduced(q.r);
    s = add_smaller_exactly(s.hi, s.lo);
    c = add_smaller_exactly(c.hi, c.lo);
    const MaskOf<Real> odd = odd_mask<Real>(n);
    const TwoPart<Real> top{select(odd, c.hi, s.hi), select(odd, c.lo, s.lo)};
    const TwoPart<Real> bottom{select(odd, s.hi, c.hi), select(odd, s.lo, c.lo)};
    const TwoPart<Real> ratio = divide(top, bottom);
    return flip_sign(ratio.hi + ratio.lo, half_turn_sign<Real>(n << 1) ^ sign);
  }
};

/// `result` with the lanes whose argument is huge, inf or NaN computed anew, one by one; the others stay untouched.
template <class Function, class Real>
CS_NOINLINE Real replace_huge_lanes(Real x, Real result) {
  using Scalar = ScalarOf<Real>;
  for (int i = 0; i < RealTraits<Real>::lanes; ++i) {
    const Scalar x_i = get_lane(x, i);
    if (abs(x_i) <= quadrant_limit<Real>()) continue;
    set_lane(result, i, Function::template finish<Scalar>(reduce_huge_to_quadrant<Scalar>(abs(x_i)), sign_bit(x_i)));
  }
  return result;
}

template <class Function, class Real>
CS_INLINE Real apply_to_angle(Real x) {
  const Real a = abs(x);
  const Real result = Function::template finish<Real>(reduce_to_quadrant(a), sign_bit(x));
  if (all(a <= Real(quadrant_limit<Real>()))) return result;
  return replace_huge_lanes<Function, Real>(x, result);
}

/// sin(±0) = ±0; sin(±inf) = NaN. (The errors of all functions are in elementary.hpp.)
template <class Real>
CS_HD inline Real sin(Real x) {
  return apply_to_angle<Sin>(x);
}

/// cos(±0) = 1; cos(±inf) = NaN.
template <class Real>
CS_HD inline Real cos(Real x) {
  return apply_to_angle<Cos>(x);
}

/// tan(±0) = ±0; tan(±inf) = NaN; no double or float is close enough to a pole to overflow.
template <class Real>
CS_HD inline Real tan(Real x) {
  return apply_to_angle<Tan>(x);
}

}  // namespace conesweep::math
