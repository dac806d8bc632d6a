#pragma once

#include <conesweep/math/exponential.hpp>

// log, log10, pow. Coefficients: tools/minimax.sollya.

namespace conesweep::math {

/// x = 2^k m, m in [1/√2, √2[, for positive finite x (subnormal ones too).
template <class Real>
struct Mantissa {
  Real m;
  Real k;
};

template <class Real>
CS_INLINE Mantissa<Real> split_mantissa(Real x) {
  using Scalar = ScalarOf<Real>;
  using F = FormatOf<Real>;
  using Word = typename F::Bits;
  constexpr Word half_sqrt2 =
      is_double<Real> ? static_cast<Word>(0x3fe6a09e667f3bcdULL) : static_cast<Word>(0x3f3504f3U);
  constexpr Scalar integer_one = Scalar(2) / Scalar(3) * F::shifter;  // 2^52, 2^23: the fraction is an integer
  constexpr Word integer_bits = (static_cast<Word>(F::fraction_bits + F::exponent_bias)) << F::fraction_bits;

  // subnormal numbers are made normal first
  const MaskOf<Real> subnormal = x < Real(F::smallest_normal);
  const Real normal = select(subnormal, x * Real(integer_one), x);
  const Real offset = select(subnormal, Real(integer_one + Scalar(F::exponent_bias + F::fraction_bits)),
                             Real(integer_one + Scalar(F::exponent_bias)));

  // adding 1 - 1/√2 in the last places moves the change of exponent to √2
  const BitsOf<Real> moved = to_bits(normal) + (F::one - half_sqrt2);
  const Real k = from_bits<Real>((moved >> F::fraction_bits) | integer_bits) - offset;
  return {from_bits<Real>((moved & F::fraction) + half_sqrt2), k};
}

/// log(x) where x is 0, negative, inf or NaN.
template <class Real>
CS_INLINE Real log_special(Real x) {
  const Real inf = infinity<Real>();
  return select(x == Real(0), -inf, select(x == inf, inf, Real(canonical_nan<Real>())));
}

/// log(±0) = -inf, log(x < 0) = NaN, log(1) = 0, log(inf) = inf.
///
/// With f = m - 1 and s = f / (2 + f), log m = 2 artanh s, and the part that is linear in f is kept exact:
///
///   log m = f - f²/2 + s (f²/2 + R),   R = 2 artanh(s)/s - 2 ≈ s² P(s²).
template <class Real>
CS_HD inline Real log(Real x) {
  const Mantissa<Real> split = split_mantissa(x);
  const Real k = split.k;
  const Real f = split.m - Real(1);
  const Real s = f / (f + Real(2));
  const Real z = s * s;
  const Real half_f2 = f * f * Real(ScalarOf<Real>(0.5));
  Real p, ln2_hi, ln2_lo;
  if constexpr (is_double<Real>) {
    p = polynomial<Real>(z, 0x1.555555555559bp-1, 0x1.999999997cb3p-2, 0x1.24924944f457ep-2, 0x1.c71c4f6de2877p-3,
                         0x1.7466cf7acba25p-3, 0x1.3992730d3d6d1p-3, 0x1.2fa5f832eb33cp-3);
    ln2_hi = 0x1.62e42fefa38p-1;  // 42 bits: k ln2_hi is exact
    ln2_lo = 0x1.ef35793c7673p-45;
  } else {
    p = polynomial<Real>(z, 0x1.55557cp-1f, 0x1.995cap-2f, 0x1.322216p-2f);
    ln2_hi = 0x1.62e4p-1f;  // 16 bits
    ln2_lo = 0x1.7f7d1cp-20f;
  }
  const Real correction = fma(k, ln2_lo, s * fma(z, p, half_f2));
  const TwoPart<Real> main = add_smaller_exactly(k * ln2_hi, f);
  const TwoPart<Real> less = add_smaller_exactly(main.hi, -half_f2);
  const Real half_f2_lo = fma(f * Real(ScalarOf<Real>(0.5)), f, -half_f2);
  const Real result = less.hi + ((less.lo + main.lo) + (correction - half_f2_lo));

  const MaskOf<Real> usual = (x > Real(0)) && (x < Real(infinity<Real>()));
  if (all(usual)) return result;
  return select(usual, result, log_special(x));
}

/// log(x) = hi + lo for positive finite x, with a relative error below 2^-64 (double), 2^-34 (float).
///
///   log m = 2 s + s³ (2/3 + s² P(s²)),  s = (m - 1)/(m + 1);
///
/// s, s² and the 2/3 carry two parts, P only one.
template <class Real>
CS_INLINE TwoPart<Real> log_two_part(Real x) {
  const Mantissa<Real> split = split_mantissa(x);
  const Real k = split.k;
  const Real f = split.m - Real(1);
  const TwoPart<Real> s = divide({f, Real(0)}, add_exactly(split.m, Real(1)));
  const Real z_hi = s.hi * s.hi;
  const Real z_lo = fma(s.hi, s.hi, -z_hi) + (s.hi + s.hi) * s.lo;
  Real p, third_hi, third_lo, ln2_hi, ln2_lo;
  if constexpr (is_double<Real>) {
    p = polynomial<Real>(z_hi, 0x1.9999999999995p-2, 0x1.24924924931a7p-2, 0x1.c71c71c55326p-3, 0x1.745d1848686b5p-3,
                         0x1.3b135cc2a5e6ep-3, 0x1.11219c174c8f3p-3, 0x1.de0ec2a00a259p-4, 0x1.ec430d55874a9p-4);
    third_hi = 0x1.5555555555555p-1;  // 2/3
    third_lo = 0x1.5555555555555p-55;
    ln2_hi = 0x1.62e42fefa38p-1;
    ln2_lo = 0x1.ef35793c7673p-45;
  } else {
    p = polynomial<Real>(z_hi, 0x1.999a06p-2f, 0x1.244ffep-2f, 0x1.e01db6p-3f);
    third_hi = 0x1.555556p-1f;
    third_lo = -0x1.555556p-26f;
    ln2_hi = 0x1.62e4p-1f;
    ln2_lo = 0x1.7f7d1cp-20f;
  }
  TwoPart<Real> q = add_smaller_exactly(third_hi, z_hi * p);
  q.lo = q.lo + third_lo;
  TwoPart<Real> cube = multiply_exactly(s.hi, z_hi);
  cube.lo = fma(s.lo, z_hi, fma(s.hi, z_lo, cube.lo));
  TwoPart<Real> v = multiply_exactly(cube.hi, q.hi);
  v.lo = fma(cube.lo, q.hi, fma(cube.hi, q.lo, v.lo));

  const TwoPart<Real> with_s = add_smaller_exactly(k * ln2_hi, s.hi + s.hi);
  const TwoPart<Real> with_v = add_smaller_exactly(with_s.hi, v.hi);
  const Real lo = fma(k, ln2_lo, (with_s.lo + with_v.lo) + (v.lo + (s.lo + s.lo)));
  return add_smaller_exactly(with_v.hi, lo);
}

/// As log; log10(10^n) = n exactly.
template <class Real>
CS_HD inline Real log10(Real x) {
  const TwoPart<Real> l = log_two_part(x);
  Real c_hi, c_lo;  // 1 / ln 10
  if constexpr (is_double<Real>) {
    c_hi = 0x1.bcb7b1526e50ep-2;
    c_lo = 0x1.95355baaafad3p-57;
  } else {
    c_hi = 0x1.bcb7b2p-2f;
    c_lo = -0x1.5b235ep-27f;
  }
  const TwoPart<Real> product = multiply_exactly(l.hi, c_hi);
  const Real result = product.hi + fma(l.hi, c_lo, fma(l.lo, c_hi, product.lo));

  const MaskOf<Real> usual = (x > Real(0)) && (x < Real(infinity<Real>()));
  if (all(usual)) return result;
  return select(usual, result, log_special(x));
}

/// What C99 (F.9.4.4) asks of pow(x, y) when x is not positive and finite, or y is not finite; p is |x|^y where that
/// is an ordinary number.
template <class Real>
CS_NOINLINE Real pow_special(Real x, Real y, Real p) {
  using Mask = MaskOf<Real>;
  const Real zero = 0;
  const Real one = 1;
  const Real inf = infinity<Real>();
  const Real a = abs(x);
  const Real half_y = y * Real(ScalarOf<Real>(0.5));
  const Mask whole = floor(y) == y;
  const Mask odd = whole && (floor(half_y) != half_y);

  const Mask limit = (a == zero) || (a == inf) || (abs(y) == inf);
  const Mask grows = (a > one) != (y < zero);
  Real r = select(limit, select(grows, inf, zero), p);
  r = select((abs(y) == inf) && (a == one), one, r);
  r = select((copysign(one, x) < zero) && odd, -r, r);
  r = select((x < zero) && (a < inf) && !whole, Real(canonical_nan<Real>()), r);
  r = select(is_nan(x) || is_nan(y), Real(canonical_nan<Real>()), r);
  return select((y == zero) || (x == one), one, r);
}

/// x^y = exp(y log |x|), the logarithm and the product in two parts; signs and special values as in C99.
template <class Real>
CS_HD inline Real pow(Real x, Real y) {
  // beyond this |y| every x but ±1 over- or underflows; the limit keeps products finite
  const Real y_limit = is_double<Real> ? ScalarOf<Real>(0x1p70) : ScalarOf<Real>(0x1p35);
  const Real y_inside = min(max(y, -y_limit), y_limit);
  const TwoPart<Real> l = log_two_part(abs(x));
  const TwoPart<Real> product = multiply_exactly(y_inside, l.hi);
  const Real lo = fma(y_inside, l.lo, product.lo);
  const MaskOf<Real> ordinary = abs(product.hi) < Real(is_double<Real> ? ScalarOf<Real>(800) : ScalarOf<Real>(120));
  const Real p = exp_of_sum(product.hi, select(ordinary, lo, Real(0)));

  const Real inf = infinity<Real>();
  const MaskOf<Real> usual = (x > Real(0)) && (x < inf) && (abs(y) < inf);
  if (all(usual)) return p;
  return select(usual, p, pow_special<Real>(x, y, p));
}

}  // namespace conesweep::math
