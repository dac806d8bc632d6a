#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>

namespace conesweep::metric {

// The kinetic metric of a unit mass: M = I.

/// |x|²
template <int Dim, class Real>
CS_INLINE Real squared_length(const Real* x) {
  Real sum = Real(0);
  unroll<Dim>([&](auto c) CS_LAMBDA { sum = c == 0 ? x[c] * x[c] : fma(x[c], x[c], sum); });
  return sum;
}

/// |b - a|²
template <int Dim, class Real>
CS_INLINE Real squared_distance(const Real* a, const Real* b) {
  Real change[Dim];
  unroll<Dim>([&](auto c) CS_LAMBDA { change[c] = b[c] - a[c]; });
  return squared_length<Dim>(change);
}

/// |b - a|
template <int Dim, class Real>
CS_INLINE Real distance(const Real* a, const Real* b) {
  return sqrt(squared_distance<Dim>(a, b));
}

/// x·v̄ with v̄ = (v_before + v)/2, the mean velocity of a step: an impulse's work, or a force's power (O6).
template <int Dim, class Real>
CS_INLINE Real along_mean(const Real* x, const Real* v_before, const Real* v) {
  Real twice = Real(0);
  unroll<Dim>([&](auto c) CS_LAMBDA {
    const Real both = v_before[c] + v[c];
    twice = c == 0 ? x[c] * both : fma(x[c], both, twice);
  });
  return Real(ScalarOf<Real>(0.5)) * twice;
}

}  // namespace conesweep::metric
