#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::math {

/// A sum of many terms. In double it is a plain sum; in float the part of every term that rounding loses is kept and
/// added with the next one, so that thousands of steps cost a few units in the last place instead of thousands.
///
///   y = x + low,  s = sum + y,  low = what s lacks of sum + y   (exact, whichever is larger)
template <class Real, bool KeepsLow = !is_double<Real>>
struct Sum {
  Real value;

  CS_INLINE void start(Real x) { value = x; }
  CS_INLINE void add(Real x) { value = value + x; }
  // as adding 0 elsewhere: a sum is never -0
  CS_INLINE void add_where(MaskOf<Real> mask, Real x) { value = select(mask, value + x, value); }
  CS_INLINE void add_product(Real a, Real b) { value = fma(a, b, value); }  // sum += a b

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.value...);
  }
};

template <class Real>
struct Sum<Real, true> {
  Real value;
  Real low;

  CS_INLINE void start(Real x) {
    value = x;
    low = Real(0);
  }
  CS_INLINE void add(Real x) { add_keeping(x + low); }
  CS_INLINE void add_where(MaskOf<Real> mask, Real x) { add(select(mask, x, Real(0))); }
  CS_INLINE void add_product(Real a, Real b) { add_keeping(fma(a, b, low)); }

  CS_INLINE void add_keeping(Real y) {
    const Real s = value + y;
    const Real back = s - value;
    low = (value - (s - back)) + (y - back);
    value = s;
  }

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.value...);
    visit(some.low...);
  }
};

/// N sums, their values side by side as a vector.
template <class Real, int N, bool KeepsLow = !is_double<Real>>
struct Sums {
  Real value[N];

  CS_INLINE Sum<Real> get(int k) const { return {value[k]}; }
  CS_INLINE void set(int k, const Sum<Real>& sum) { value[k] = sum.value; }
  CS_INLINE void forget_low() {}

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.value...);
  }
};

template <class Real, int N>
struct Sums<Real, N, true> {
  Real value[N];
  Real low[N];

  CS_INLINE Sum<Real> get(int k) const { return {value[k], low[k]}; }
  CS_INLINE void set(int k, const Sum<Real>& sum) { value[k] = sum.value, low[k] = sum.low; }
  CS_INLINE void forget_low() {
    for (int k = 0; k < N; ++k) low[k] = Real(0);
  }

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.value...);
    visit(some.low...);
  }
};

}  // namespace conesweep::math
