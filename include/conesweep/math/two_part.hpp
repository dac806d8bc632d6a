#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::math {

/// A number kept as hi + lo, |lo| about half a unit in the last place of hi: twice the digits.
template <class Real>
struct TwoPart {
  Real hi;
  Real lo;
};

/// a + b exactly.
template <class Real>
CS_INLINE TwoPart<Real> add_exactly(Real a, Real b) {
  const Real sum = a + b;
  const Real b_seen = sum - a;
  return {sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/// a + b exactly, if |a| >= |b| or a = 0.
template <class Real>
CS_INLINE TwoPart<Real> add_smaller_exactly(Real a, Real b) {
  const Real sum = a + b;
  return {sum, b - (sum - a)};
}

/// a * b exactly, if nothing underflows.
template <class Real>
CS_INLINE TwoPart<Real> multiply_exactly(Real a, Real b) {
  const Real product = a * b;
  return {product, fma(a, b, -product)};
}

/// a / b with one division: the reciprocal's error is corrected by the remainder, which fma gives exactly.
/// The relative error is a few units of the square of the working precision.
template <class Real>
CS_INLINE TwoPart<Real> divide(TwoPart<Real> a, TwoPart<Real> b) {
  const Real reciprocal = Real(1) / b.hi;
  const Real quotient = a.hi * reciprocal;
  const Real remainder = fma(-quotient, b.hi, a.hi) + fma(-quotient, b.lo, a.lo);
  return {quotient, remainder * reciprocal};
}

}  // namespace conesweep::math
