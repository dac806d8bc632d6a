#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::math {

// polynomial<Real>(x, c0, c1, …) = c0 + c1 x + c2 x² + …
//
// Estrin's scheme: pairs are summed first, then pairs of pairs with x², x⁴, …; a member's step is one long chain of
// dependent operations, and this tree is about half as deep as Horner's rule. The order is part of the result's bits.

template <class Real>
CS_INLINE Real polynomial(Real x, Real c0, Real c1) {
  return fma(x, c1, c0);
}

template <class Real>
CS_INLINE Real polynomial(Real x, Real c0, Real c1, Real c2) {
  return fma(x * x, c2, fma(x, c1, c0));
}

template <class Real>
CS_INLINE Real polynomial(Real x, Real c0, Real c1, Real c2, Real c3) {
  return fma(x * x, fma(x, c3, c2), fma(x, c1, c0));
}

// (more than 5 parameters: coefficients are one thing)
template <class Real>
CS_INLINE Real polynomial(Real x, Real c0, Real c1, Real c2, Real c3, Real c4) {
  const Real x2 = x * x;
  return fma(x2 * x2, c4, fma(x2, fma(x, c3, c2), fma(x, c1, c0)));
}

// (more than 5 parameters: coefficients are one thing)
template <class Real>
CS_INLINE Real polynomial(Real x, Real c0, Real c1, Real c2, Real c3, Real c4, Real c5) {
  const Real x2 = x * x;
  return fma(x2 * x2, fma(x, c5, c4), fma(x2, fma(x, c3, c2), fma(x, c1, c0)));
}

// (more than 5 parameters: coefficients are one thing)
template <class Real>
CS_INLINE Real polynomial(Real x, Real c0, Real c1, Real c2, Real c3, Real c4, Real c5, Real c6) {
  const Real x2 = x * x;
  return fma(x2 * x2, fma(x2, c6, fma(x, c5, c4)), fma(x2, fma(x, c3, c2), fma(x, c1, c0)));
}

/// Eight and more: the first eight by their tree, the others by theirs
/// (more than 5 parameters: coefficients are one thing).
template <class Real, class... Rest>
CS_INLINE Real polynomial(Real x, Real c0, Real c1, Real c2, Real c3, Real c4, Real c5, Real c6, Real c7,
                          Rest... rest) {
  const Real x2 = x * x;
  const Real x4 = x2 * x2;
  const Real low = fma(x4, fma(x2, fma(x, c7, c6), fma(x, c5, c4)), fma(x2, fma(x, c3, c2), fma(x, c1, c0)));
  if constexpr (sizeof...(rest) == 0)
    return low;
  else
    return fma(x4 * x4, polynomial<Real>(x, rest...), low);
}

}  // namespace conesweep::math
