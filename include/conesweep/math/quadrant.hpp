#pragma once

#include <conesweep/math/two_part.hpp>

namespace conesweep::math {

/// x = n π/2 + r, |r| <= π/4 (and a little more when x is large).
template <class Real>
struct Quadrant {
  TwoPart<Real> r;
  Real n_shifted;  // its lowest bits are those of n
};

/// n mod 4 and r for a finite x = mantissa 2^exponent of any size, by integer arithmetic [PayneHanek1983].
///
/// Of the binary digits of 2/π only those count whose product with x is neither a multiple of 4 quadrants nor below the
/// wanted precision: a window of 192 bits. The product modulo 4 is exact but for the digits behind the window, an error
/// below 2^-137 quadrants; no double is nearer to a multiple of π/2 than 2^-61.
struct HugeQuadrant {
  TwoPart<double> r;
  int n;
};

// longer than 60 lines: with the digits of 2/π
template <class Scalar>  // a template, so that it may be defined in a header and stay out of line
CS_NOINLINE HugeQuadrant reduce_huge(unsigned long long mantissa, int exponent) {
  // 32 zeros, then the binary digits of 2/π behind the point
  static constexpr unsigned int two_over_pi[] = {
      0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
      0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5,
      0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff,
      0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7,
      0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20};
  constexpr int words = 6;
  const unsigned long long low_half = 0xffffffffULL;

  // the window, most significant word first; its first bit weighs 2 quadrants
  const int first_bit = exponent + 30;
  const int first_word = first_bit >> 5;
  const int shift = first_bit & 31;
  unsigned int window[words];
  for (int i = 0; i < words; ++i) {
    const unsigned long long two_words =
        (static_cast<unsigned long long>(two_over_pi[first_word + i]) << 32) | two_over_pi[first_word + i + 1];
    window[i] = static_cast<unsigned int>((two_words << shift) >> 32);
  }

  // mantissa times window modulo 2^192, in words of 32 bits from the last to the first
  const unsigned long long m_low = mantissa & low_half;
  const unsigned long long m_high = mantissa >> 32;
  unsigned int product[words];
  unsigned long long carry = 0;
  for (int i = words - 1; i >= 0; --i) {
    const unsigned long long a = m_low * window[i];
    const unsigned long long b = i + 1 < words ? m_high * window[i + 1] : 0;
    const unsigned long long sum = carry + (a & low_half) + (b & low_half);
    product[i] = static_cast<unsigned int>(sum & low_half);
    carry = (sum >> 32) + (a >> 32) + (b >> 32);
  }

  // two bits of quadrants, then the fraction; beyond one half it is counted from the next quadrant down
  const unsigned int quadrant = product[0] >> 30;
  const bool beyond = ((product[0] >> 29) & 1U) != 0;
  if (beyond) {
    unsigned long long borrow = 1;  // two's complement
    for (int i = words - 1; i >= 0; --i) {
      const unsigned long long sum = (~static_cast<unsigned long long>(product[i]) & low_half) + borrow;
      product[i] = static_cast<unsigned int>(sum & low_half);
      borrow = sum >> 32;
    }
  }
  product[0] &= 0x3fffffffU;

  // fraction as hi + lo: words are exact in double, what does not fit into hi goes to lo
  TwoPart<double> fraction{0, 0};
  double weight = 0x1p-30;
  for (int i = 0; i < words; ++i) {
    const TwoPart<double> sum = add_exactly(fraction.hi, static_cast<double>(product[i]) * weight);
    fraction.hi = sum.hi;
    fraction.lo += sum.lo;
    weight *= 0x1p-32;
  }

  // r = fraction π/2
  const double half_pi = 0x1.921fb54442d18p+0;
  const double half_pi_lo = 0x1.1a62633145c07p-54;
  TwoPart<double> r = multiply_exactly(fraction.hi, half_pi);
  r.lo += fma(fraction.hi, half_pi_lo, fraction.lo * half_pi);
  if (beyond) r = {-r.hi, -r.lo};
  return {r, static_cast<int>((quadrant + (beyond ? 1U : 0U)) & 3U)};
}

/// Beyond this, reduce_to_quadrant is no longer exact.
template <class Real>
CS_INLINE ScalarOf<Real> quadrant_limit() {
  return is_double<Real> ? ScalarOf<Real>(0x1p30) : ScalarOf<Real>(0x1p16);
}

/// Reduction of 0 <= x <= quadrant_limit.
///
/// π/2 = A + B + C with A, B, C of full precision. With n = round(2x/π), x - n A is exact: it is at most 1 and a
/// multiple of half a unit of A. n B is subtracted with its rounding errors collected, n C is a last correction. So r
/// has an absolute error below 2^-120 (double) or 2^-55 (float), small against the smallest |r| that occurs,
/// about 2^-62 or 2^-28.
template <class Real>
CS_INLINE Quadrant<Real> reduce_to_quadrant(Real x) {
  Real two_over_pi, a, b, c;
  if constexpr (is_double<Real>) {
    two_over_pi = 0x1.45f306dc9c883p-1;
    a = 0x1.921fb54442d18p+0;
    b = 0x1.1a62633145c07p-54;
    c = -0x1.f1976b7ed8fbcp-110;
  } else {
    two_over_pi = 0x1.45f306p-1f;
    a = 0x1.921fb6p0f;
    b = -0x1.777a5cp-25f;
    c = -0x1.ee59dap-50f;
  }
  const Real shifter = FormatOf<Real>::shifter;
  const Real n_shifted = fma(x, two_over_pi, shifter);
  const Real n = n_shifted - shifter;
  const TwoPart<Real> nb = multiply_exactly(n, b);
  TwoPart<Real> r = add_exactly(fma(-n, a, x), -nb.hi);
  r.lo = fma(-n, c, r.lo - nb.lo);
  return {r, n_shifted};
}

/// Reduction of any x >= 0, for one scalar; inf and NaN get r = NaN.
template <class Scalar>
CS_HD inline Quadrant<Scalar> reduce_huge_to_quadrant(Scalar x) {
  using F = Format<Scalar>;
  if (!is_finite(x)) return {{canonical_nan<Scalar>(), Scalar(0)}, F::shifter};
  const auto bits = to_bits(x);
  const int exponent = static_cast<int>(bits >> F::fraction_bits) - F::exponent_bias - F::fraction_bits;
  const HugeQuadrant huge = reduce_huge<Scalar>((bits & F::fraction) | (F::fraction + 1), exponent);
  const Scalar hi = static_cast<Scalar>(huge.r.hi);
  const Scalar lo = static_cast<Scalar>((huge.r.hi - static_cast<double>(hi)) + huge.r.lo);
  return {{hi, lo}, F::shifter + static_cast<Scalar>(huge.n)};
}

}  // namespace conesweep::math
