#pragma once

#include <conesweep/math/exponential.hpp>
#include <conesweep/math/inverse_trigonometric.hpp>
#include <conesweep/math/logarithm.hpp>
#include <conesweep/math/trigonometric.hpp>

// Largest error seen, in units in the last place of the exact result, and the bound that tests/math/elementary_test.cpp
// asserts. Arguments cover the whole range: subnormal numbers, sin(1e300), results next to overflow.
//
//             double          float                        double          float
//             seen    bound   seen     bound               seen    bound   seen     bound
//   sin       0.78    0.85    0.77 *   0.85      tanh      0.77    0.85    0.74 *   0.80
//   cos       0.77    0.85    0.73     0.85      exp       0.79    0.85    0.80 *   0.85
//   tan       0.94    1.05    0.81     0.95      log       0.67    0.75    0.62     0.70
//   asin      0.70    0.75    0.66 *   0.70      log10     0.501   0.51    0.501    0.51
//   acos      0.62    0.70    0.64 *   0.70      pow       0.84    0.95    0.78     0.85
//   atan      0.70    0.75    0.70 *   0.75      atan2     0.65    0.75    0.65     0.75
//   sinh      0.88    0.95    0.84 *   0.90      hypot     0.75    0.80    0.75     0.80
//   cosh      0.77    0.85    0.75 *   0.80
//
//   * over all floats; the others over 4 to 6 million doubles and 0.6 to 4 million floats. Nothing is proved:
//     a bound is what was seen, rounded up, with a margin. mod and sign are exact but for the case named at mod.
//
// float is computed in float throughout, in two parts where one does not reach the bound (pow, log10, tan, tanh and all
// reductions); only sin, cos and tan beyond 65536 go through double.

namespace conesweep::math {

/// -1, 0 or 1; ±0 and NaN stay what they are.
template <class Real>
CS_HD inline Real sign(Real x) {
  const Real one = 1;
  const Real zero = 0;
  return select(x > zero, one, select(x < zero, -one, x));
}

/// mod by the remainder after division, for quotients of 2^50 (2^21) and more: b is taken off in multiples 2^k b, each
/// step exact, until the quotient is small.
template <class Scalar>
CS_NOINLINE Scalar reduce_for_mod(Scalar a, Scalar b) {
  constexpr Scalar small = is_double<Scalar> ? Scalar(0x1p50) : Scalar(0x1p21);
  constexpr Scalar step = is_double<Scalar> ? Scalar(0x1p48) : Scalar(0x1p19);
  Scalar rest = abs(a);
  const Scalar divisor = abs(b);
  while (rest >= small * divisor) {
    Scalar multiple = divisor;
    while (rest / step >= small * multiple) multiple *= step;  // rest / multiple stays below 2^98 (2^40)
    Scalar quotient = rest / multiple;
    if (quotient >= small) {
      multiple *= step;
      quotient = rest / multiple;
    }
    rest = fma(-floor(quotient), multiple, rest);
    if (rest < Scalar(0)) rest += multiple;  // the quotient had been rounded up
  }
  return copysign(rest, a);
}

/// a - b floor(a/b): in [0, b[ for b > 0, in ]b, 0] for b < 0, without rounding but in one case: a between -b and 0
/// gives a + b rounded, which may be b. b = ±0 and a = ±inf give NaN; b = ±inf gives a, or b where the signs differ.
template <class Real>
CS_HD inline Real mod(Real a, Real b) {
  using Scalar = ScalarOf<Real>;
  const Real zero = 0;
  Real rest = a;
  const Real quotient = a / b;
  const MaskOf<Real> many =
      (abs(quotient) >= Real(is_double<Real> ? Scalar(0x1p50) : Scalar(0x1p21))) && is_finite(a) && (b != zero);
  if (any(many)) {
    for (int i = 0; i < RealTraits<Real>::lanes; ++i) {
      if (get_lane(many, i)) set_lane(rest, i, reduce_for_mod<Scalar>(get_lane(rest, i), get_lane(b, i)));
    }
  }
  const Real n = floor(select(many, rest / b, quotient));
  Real r = select(n == zero, rest, fma(-n, b, rest));
  r = select((r < zero) && (b > zero), r + b, r);  // the quotient had been rounded up to a whole number
  r = select((r > zero) && (b < zero), r + b, r);
  return select(is_finite(a), r, Real(canonical_nan<Real>()));
}

/// √(x² + y²) without over- or underflow on the way; inf if either is inf, even beside a NaN.
///
/// The root's and the squares' rounding errors are collected and taken off [Borges2020]: nearly correctly rounded.
template <class Real>
CS_HD inline Real hypot(Real x, Real y) {
  using Scalar = ScalarOf<Real>;
  const Real one = 1;
  const Real half = Scalar(0.5);
  const Real inf = infinity<Real>();
  constexpr Scalar large = is_double<Real> ? Scalar(0x1p126) * Scalar(0x1p126) : Scalar(0x1p50);
  constexpr Scalar small = Scalar(1) / large;
  const Real a = abs(x);
  const Real b = abs(y);
  const MaskOf<Real> swapped = b > a;
  const Real longest = select(swapped, b, a);

  // powers of two that bring the longer side to where its square and the square's error are normal numbers
  const MaskOf<Real> down = longest > Real(large);
  const MaskOf<Real> up = longest < Real(small);
  constexpr Scalar shrink = is_double<Real> ? small * small * Scalar(0x1p-100) : small * Scalar(0x1p-50);
  constexpr Scalar grow = Scalar(1) / shrink;
  const Real scale = select(down, Real(shrink), select(up, Real(grow), one));
  const Real unscale = select(down, Real(grow), select(up, Real(shrink), one));
  const Real p = longest * scale;
  const Real q = select(swapped, a, b) * scale;

  const Real p2 = p * p;
  const Real h = sqrt(fma(q, q, p2));
  const Real h2 = h * h;
  const Real excess = (fma(-q, q, h2 - p2) + fma(h, h, -h2)) - fma(p, p, -p2);
  const Real result = (h - half * (excess / (h + Real(FormatOf<Real>::smallest_normal)))) * unscale;
  const Real with_nan = select(is_nan(x) || is_nan(y), Real(canonical_nan<Real>()), result);
  return select((a == inf) || (b == inf), inf, with_nan);
}

/// x^N by repeated squaring, for a small N known when compiling; each product rounds, so about N/2 units in the last
/// place may be lost. pow is the accurate one.
template <int N, class Real>
CS_HD inline Real pow_int(Real x) {
  if constexpr (N < 0)
    return Real(1) / pow_int<-N>(x);
  else if constexpr (N == 0)
    return Real(1);
  else if constexpr (N == 1)
    return x;
  else if constexpr (N % 2 == 0)
    return pow_int<N / 2>(x * x);
  else
    return x * pow_int<N - 1>(x);
}

}  // namespace conesweep::math
