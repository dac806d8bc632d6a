#pragma once

#include <conesweep/math/polynomial.hpp>
#include <conesweep/math/two_part.hpp>

// exp, sinh, cosh, tanh. Coefficients: tools/minimax.sollya.

namespace conesweep::math {

/// x = k ln 2 + r, |r| <= ln(2)/2.
template <class Real>
struct ScaledByTwo {
  TwoPart<Real> r;
  Real k_shifted;  // its lowest bits are those of k
};

/// For x + x_lo. With ln 2 = A + B, x - k A is exact for the k that occur; x_lo - k B is added with its rounding error.
template <class Real>
CS_INLINE ScaledByTwo<Real> reduce_by_ln2(Real x, Real x_lo) {
  Real log2_e, a, b;
  if constexpr (is_double<Real>) {
    log2_e = 0x1.71547652b82fep+0;
    a = 0x1.62e42fefa39efp-1;
    b = 0x1.abc9e3b39803fp-56;
  } else {
    log2_e = 0x1.715476p0f;
    a = 0x1.62e43p-1f;
    b = -0x1.05c61p-29f;
  }
  const Real shifter = FormatOf<Real>::shifter;
  const Real k_shifted = fma(x, log2_e, shifter);
  const Real k = k_shifted - shifter;
  return {add_smaller_exactly(fma(-k, a, x), fma(-k, b, x_lo)), k_shifted};
}

/// x 2^k for the k in the low bits of k_shifted, if the result is a normal number: k is added to the exponent.
template <class Real>
CS_INLINE Real scale_normal(Real x, BitsOf<Real> k) {
  return from_bits<Real>(to_bits(x) + (k << FormatOf<Real>::fraction_bits));
}

/// exp(x + x_lo), |x_lo| small against 1.
///
///   e^r ≈ 1 + r + r² Q(r);  1 + r is formed without error.
///
/// Results that are not normal numbers, or nearly so, are scaled in two steps, the last of which rounds.
template <class Real>
CS_INLINE Real exp_of_sum(Real x, Real x_lo) {
  using Scalar = ScalarOf<Real>;
  Scalar lowest, highest, usual_limit;
  if constexpr (is_double<Real>) {
    lowest = -746;  // exp is 0 from -745.2 down, inf from 709.8 up
    highest = 710;
    usual_limit = 707;
  } else {
    lowest = -105;  // -104.0, 88.73
    highest = 89;
    usual_limit = 86;
  }
  const Real inside = min(max(x, Real(lowest)), Real(highest));
  const ScaledByTwo<Real> s = reduce_by_ln2(inside, x_lo);
  const Real r = s.r.hi;
  Real q;
  if constexpr (is_double<Real>) {
    q = polynomial<Real>(r, 0x1.000000000000bp-1, 0x1.55555555554f5p-3, 0x1.555555555007p-5, 0x1.1111111128792p-7,
                         0x1.6c16c185ec859p-10, 0x1.a01a0129149c2p-13, 0x1.a019953c73db4p-16, 0x1.71df21f8e6e25p-19,
                         0x1.28b1f22b4943dp-22, 0x1.ad8e8eda4ca83p-26);
  } else {
    q = polynomial<Real>(r, 0x1.fffffap-2f, 0x1.55548ap-3f, 0x1.555a12p-5f, 0x1.123f7cp-7f, 0x1.696e4ep-10f);
  }
  const TwoPart<Real> one_plus_r = add_smaller_exactly(Real(1), r);
  const Real value = one_plus_r.hi + fma(r * r, q, one_plus_r.lo + s.r.lo);
  const BitsOf<Real> k = to_bits(s.k_shifted);
  const Real result = scale_normal(value, k);

  const MaskOf<Real> usual = abs(x) <= Real(usual_limit);
  if (all(usual)) return result;
  constexpr int step = is_double<Real> ? 128 : 32;
  constexpr Scalar up = is_double<Real> ? Scalar(0x1p64) * Scalar(0x1p64) : Scalar(0x1p32);
  constexpr Scalar down = Scalar(1) / up;
  const Real large = scale_normal(value, k - step) * Real(up);
  const Real small = scale_normal(value, k + step) * Real(down);
  return select(usual, result, select(x > Real(0), large, select(is_nan(x), x, small)));
}

/// exp(-inf) = 0, exp(±0) = 1, exp(inf) = inf.
template <class Real>
CS_HD inline Real exp(Real x) {
  return exp_of_sum(x, Real(0));
}

/// sinh and cosh of x >= 0, each as hi + lo, times 2^-shift.
template <class Real>
struct HyperbolicPair {
  TwoPart<Real> sinh;
  TwoPart<Real> cosh;
};

/// With x = k ln 2 + r, a = (2^k - 2^-k)/2 = sinh(k ln 2) and b = (2^k + 2^-k)/2 = cosh(k ln 2):
///
///   sinh x = a cosh r + b sinh r,   cosh x = b cosh r + a sinh r,
///   sinh r ≈ r + r³ S(r²),          cosh r ≈ 1 + r² C(r²).
///
/// a and b are exact but for a tail, a + b r is formed without error, and small x (k = 0, a = 0, b = 1) need no case
/// of their own. Where x > 40 the 2^-k no longer counts. `scale` is 1, or 1/16 to stay below overflow.
template <class Real>
CS_INLINE HyperbolicPair<Real> sinh_cosh_parts(Real x, Real scale) {
  using F = FormatOf<Real>;
  const ScaledByTwo<Real> s = reduce_by_ln2(x, Real(0));
  const Real r = s.r.hi;
  const Real z = r * r;
  Real odd, even;
  if constexpr (is_double<Real>) {
    odd = polynomial<Real>(z, 0x1.5555555555555p-3, 0x1.1111111111301p-7, 0x1.a01a019f1d1c8p-13, 0x1.71de3e01c87ecp-19,
                           0x1.ae5790f05b125p-26, 0x1.7235cffada5cfp-33);
    even = polynomial<Real>(z, 0x1.000000000000dp-1, 0x1.555555554f817p-5, 0x1.6c16c1875e538p-10, 0x1.a01991f9c141bp-16,
                            0x1.28b488a33684dp-22);
  } else {
    odd = polynomial<Real>(z, 0x1.555556p-3f, 0x1.110fe4p-7f, 0x1.a2895ap-13f);
    even = polynomial<Real>(z, 0x1p-1f, 0x1.5554ep-5f, 0x1.6d56eep-10f);
  }
  const Real sinh_tail = fma(r * z, odd, s.r.lo);   // sinh r - r
  const Real cosh_tail = fma(z, even, r * s.r.lo);  // cosh r - 1

  // 2^(k-1) scale and 2^(-k-1): exponents are added
  const BitsOf<Real> k = to_bits(s.k_shifted) << F::fraction_bits;
  const Real half_scale = scale * Real(ScalarOf<Real>(0.5));
  const Real up = from_bits<Real>(to_bits(half_scale) + k);
  const Real down = select(x > Real(40), Real(0), from_bits<Real>(to_bits(half_scale) - k));
  const TwoPart<Real> a = add_smaller_exactly(up, -down);
  const TwoPart<Real> b = add_smaller_exactly(up, down);

  const Real sinh_hi = fma(b.hi, r, a.hi);
  const Real sinh_error = fma(b.hi, r, a.hi - sinh_hi) + fma(b.lo, r, a.lo);
  const Real cosh_hi = fma(a.hi, r, b.hi);
  const Real cosh_error = fma(a.hi, r, b.hi - cosh_hi) + fma(a.lo, r, b.lo);
  return {{sinh_hi, fma(b.hi, sinh_tail, fma(a.hi, cosh_tail, sinh_error))},
          {cosh_hi, fma(a.hi, sinh_tail, fma(b.hi, cosh_tail, cosh_error))}};
}

/// |x| where sinh and cosh come near overflow, and where they are past it.
template <class Real>
CS_INLINE ScalarOf<Real> hyperbolic_large() {
  return is_double<Real> ? ScalarOf<Real>(700) : ScalarOf<Real>(80);
}
template <class Real>
CS_INLINE ScalarOf<Real> hyperbolic_past() {
  return is_double<Real> ? ScalarOf<Real>(711) : ScalarOf<Real>(90);
}

/// sinh(±0) = ±0, sinh(±inf) = ±inf.
template <class Real>
CS_HD inline Real sinh(Real x) {
  const Real a = min(abs(x), Real(hyperbolic_past<Real>()));
  const MaskOf<Real> large = a > Real(hyperbolic_large<Real>());
  const TwoPart<Real> s = sinh_cosh_parts(a, select(large, Real(ScalarOf<Real>(0.0625)), Real(1))).sinh;
  return copysign((s.hi + s.lo) * select(large, Real(16), Real(1)), x);
}

/// cosh(±0) = 1, cosh(±inf) = inf.
template <class Real>
CS_HD inline Real cosh(Real x) {
  const Real a = min(abs(x), Real(hyperbolic_past<Real>()));
  const MaskOf<Real> large = a > Real(hyperbolic_large<Real>());
  const TwoPart<Real> c = sinh_cosh_parts(a, select(large, Real(ScalarOf<Real>(0.0625)), Real(1))).cosh;
  return (c.hi + c.lo) * select(large, Real(16), Real(1));
}

/// tanh(±0) = ±0, tanh(±inf) = ±1.
template <class Real>
CS_HD inline Real tanh(Real x) {
  const Real a = min(abs(x), Real(is_double<Real> ? ScalarOf<Real>(22) : ScalarOf<Real>(12)));  // 1 from 19.1 (9.1) on
  HyperbolicPair<Real> p = sinh_cosh_parts(a, Real(1));
  p.sinh = add_smaller_exactly(p.sinh.hi, p.sinh.lo);
  p.cosh = add_smaller_exactly(p.cosh.hi, p.cosh.lo);
  const TwoPart<Real> ratio = divide(p.sinh, p.cosh);
  return copysign(ratio.hi + ratio.lo, x);
}

}  // namespace conesweep::math
