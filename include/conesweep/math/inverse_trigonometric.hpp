#pragma once

#include <conesweep/math/polynomial.hpp>
#include <conesweep/math/two_part.hpp>

// asin, acos, atan, atan2. Coefficients: tools/minimax.sollya.

namespace conesweep::math {

/// arcsin(s) = s + w, where s = a for a <= 1/2 and s = √((1 - a)/2) beyond.
template <class Real>
struct HalfArcsine {
  Real s;
  Real w;
  MaskOf<Real> beyond;  // a > 1/2: arcsin a = π/2 - 2 (s + w)
};

/// The root's rounding error, (z - s²) / 2s, is part of w. a > 1 and NaN give NaN.
template <class Real>
CS_INLINE HalfArcsine<Real> half_arcsine(Real a) {
  const Real half = ScalarOf<Real>(0.5);
  const Real never_zero = FormatOf<Real>::smallest_normal;  // changes no s but 0
  const MaskOf<Real> beyond = a > half;
  const Real z = select(beyond, fma(-half, a, half), a * a);
  const Real root = sqrt(z);
  const Real root_lo = fma(-root, root, z) / (root + root + never_zero);
  const Real s = select(beyond, root, a);
  Real p;
  if constexpr (is_double<Real>) {
    p = polynomial<Real>(z, 0x1.5555555555577p-3, 0x1.333333332e133p-4, 0x1.6db6db721247bp-5, 0x1.f1c71a95002fbp-6,
                         0x1.6e8bdedebf9dfp-6, 0x1.1c49f077d5bc7p-6, 0x1.ca1f8af1f0a3ap-7, 0x1.75859dad05d79p-7,
                         0x1.613c1e6ed73f2p-7, 0x1.e5fbe88dfba57p-9, 0x1.639a894e228e8p-6, -0x1.57fad0deac45ep-6,
                         0x1.0b45e9f72edb3p-5);
  } else {
    p = polynomial<Real>(z, 0x1.55554cp-3f, 0x1.33389ep-4f, 0x1.6caab6p-5f, 0x1.04af34p-5f, 0x1.d7924cp-7f,
                         0x1.33d432p-5f);
  }
  return {s, fma(s * z, p, select(beyond, root_lo, Real(0))), beyond};
}

/// π/2 as hi + lo.
template <class Real>
CS_INLINE TwoPart<Real> half_pi() {
  if constexpr (is_double<Real>)
    return {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  else
    return {0x1.921fb6p0f, -0x1.777a5cp-25f};
}

/// asin(±0) = ±0; |x| > 1 gives NaN.
template <class Real>
CS_HD inline Real asin(Real x) {
  const HalfArcsine<Real> h = half_arcsine(abs(x));
  const TwoPart<Real> right = half_pi<Real>();
  const Real base = select(h.beyond, right.hi, Real(0));
  const Real base_lo = select(h.beyond, right.lo, Real(0));
  const Real times = select(h.beyond, Real(-2), Real(1));
  const TwoPart<Real> sum = add_smaller_exactly(base, times * h.s);
  return copysign(sum.hi + (sum.lo + fma(times, h.w, base_lo)), x);
}

/// acos(1) = +0; |x| > 1 gives NaN.
///
///   x > 1/2:     2 (s + w)        x < -1/2:   π - 2 (s + w)        else   π/2 - sign(x) (s + w)
template <class Real>
CS_HD inline Real acos(Real x) {
  const HalfArcsine<Real> h = half_arcsine(abs(x));
  const TwoPart<Real> right = half_pi<Real>();
  const Real turns = select(h.beyond, select(x < Real(0), Real(2), Real(0)), Real(1));  // of π/2
  const Real times = copysign(select(h.beyond, Real(2), Real(1)), select(h.beyond, x, -x));
  const TwoPart<Real> sum = add_smaller_exactly(turns * right.hi, times * h.s);
  return sum.hi + (sum.lo + fma(times, h.w, turns * right.lo));
}

/// Angle of the vector (x, y), x, y >= 0 given as larger and smaller: `swapped` where y is the larger, `behind` where
/// x has a minus sign.
///
/// t = smaller/larger <= 1 is brought below tan(π/8) by atan t = π/4 + atan((t - 1)/(t + 1)); then atan t ≈ t + t³
/// P(t²). The angle is j π/4 ± atan t with a whole j.
template <class Real>
CS_INLINE Real angle_of_ratio(Real smaller, Real larger, MaskOf<Real> swapped, MaskOf<Real> behind) {
  const Real zero = 0;
  const Real tan_pi_8 = ScalarOf<Real>(0.41421356);  // where exactly does not matter
  const MaskOf<Real> shifted = smaller > tan_pi_8 * larger;
  const TwoPart<Real> difference = add_smaller_exactly(-larger, smaller);
  const TwoPart<Real> sum = add_smaller_exactly(larger, smaller);
  const TwoPart<Real> t =
      divide(TwoPart<Real>{select(shifted, difference.hi, smaller), select(shifted, difference.lo, zero)},
             TwoPart<Real>{select(shifted, sum.hi, larger), select(shifted, sum.lo, zero)});

  const Real z = t.hi * t.hi;
  Real p;
  if constexpr (is_double<Real>) {
    p = polynomial<Real>(z, -0x1.5555555555537p-2, 0x1.9999999994a82p-3, -0x1.249249225390cp-3, 0x1.c71c70c22ceeap-4,
                         -0x1.745cf4c021643p-4, 0x1.3b10cec24ddc2p-4, -0x1.10e85ef273e03p-4, 0x1.deddf530c5c55p-5,
                         -0x1.9bf2168df4802p-5, 0x1.3595b0f9ad666p-5, -0x1.20730b89473e2p-6);
  } else {
    p = polynomial<Real>(z, -0x1.555548p-2f, 0x1.9990fep-3f, -0x1.23a944p-3f, 0x1.b1346p-4f, -0x1.ee250ap-5f);
  }
  const Real tail = fma(t.hi * z, p, fma(-z, t.lo, t.lo));  // the derivative of atan is 1/(1 + t²) ≈ 1 - t²

  // j counts π/4; swapping takes the angle from π/2, being behind takes it from π
  Real j = select(shifted, Real(1), zero);
  j = select(swapped, Real(2) - j, j);
  j = select(behind, Real(4) - j, j);
  const Real sign = select(swapped != behind, Real(-1), Real(1));
  const Real half = ScalarOf<Real>(0.5);
  const TwoPart<Real> right = half_pi<Real>();
  const TwoPart<Real> base = multiply_exactly(j, half * right.hi);
  const Real base_lo = fma(j, half * right.lo, base.lo);
  const TwoPart<Real> angle = add_smaller_exactly(base.hi, sign * t.hi);
  return angle.hi + (angle.lo + fma(sign, tail, base_lo));
}

/// atan(±0) = ±0, atan(±inf) = ±π/2.
template <class Real>
CS_HD inline Real atan(Real x) {
  const Real one = 1;
  const Real a = min(abs(x), Real(ScalarOf<Real>(0x1p60)));  // π/2 long before
  const MaskOf<Real> swapped = a > one;
  const Real angle = angle_of_ratio(select(swapped, one, a), select(swapped, a, one), swapped, one < Real(0));
  return copysign(angle, x);
}

/// Angle of the vector (x, y) in [-π, π]; zeros and infinities as in C99: the angle depends on their signs.
template <class Real>
CS_HD inline Real atan2(Real y, Real x) {
  const Real one = 1;
  const Real inf = infinity<Real>();
  const Real a = abs(x);
  const Real b = abs(y);
  const MaskOf<Real> swapped = b > a;
  Real larger = select(swapped, b, a);
  Real smaller = select(swapped, a, b);

  // zeros, infinities and sizes at which the remainder of smaller/larger would underflow or 1/larger leave the range
  constexpr auto most = is_double<Real> ? ScalarOf<Real>(0x1p120) : ScalarOf<Real>(0x1p60);
  constexpr auto least = ScalarOf<Real>(1) / most;
  const MaskOf<Real> usual = (larger < Real(most)) && (smaller > Real(least));
  if (!all(usual)) {
    const Real scale = select(larger > one, Real(least), Real(most));
    Real ratio = smaller / larger;
    ratio = select(larger == Real(0), Real(0), ratio);
    ratio = select(larger == inf, select(smaller == inf, one, Real(0)), ratio);
    ratio = select(is_nan(x) || is_nan(y), Real(canonical_nan<Real>()), ratio);
    // atan t = t to the last place, or t needs no second part
    constexpr auto negligible = is_double<Real> ? ScalarOf<Real>(0x1p-30) : ScalarOf<Real>(0x1p-15);
    const MaskOf<Real> direct = !((ratio > Real(negligible)) && (larger < inf));
    smaller = select(usual, smaller, select(direct, ratio, smaller * scale));
    larger = select(usual, larger, select(direct, one, larger * scale));
  }
  return copysign(angle_of_ratio(smaller, larger, swapped, copysign(one, x) < Real(0)), y);
}

}  // namespace conesweep::math
