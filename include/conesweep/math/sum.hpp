#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::math {

/// A sum of many terms. In double it is a plain sum; in float the part of every term that rounding loses is kept and added with the
/// next one, so that thousands of steps cost a few units in the last place instead of thousands.
///
///   y = x + low,  s = sum + y,  low = what s lacks of sum + y   (exact, whichever is larger)
template <class Real>
struct Sum {
  Real value;
  Real low;  // float only

  CS_INLINE void start(Real x) {
    value = x;
    low = Real(0);
  }

  CS_INLINE void add(Real x) {
    if constexpr (is_double<Real>) {
      value = value + x;
    } else {
      add_keeping(x + low);
    }
  }

  /// sum += a b
  CS_INLINE void add_product(Real a, Real b) {
    if constexpr (is_double<Real>) {
      value = fma(a, b, value);
    } else {
      add_keeping(fma(a, b, low));
    }
  }

  CS_INLINE void add_keeping(Real y) {
    const Real s = value + y;
    const Real back = s - value;
    low = (value - (s - back)) + (y - back);
    value = s;
  }
};

}  // namespace conesweep::math
