#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::metric {

// The kinetic metric |v|² = v·M v of one member, as three types with the same functions:
//
//   (1)  M = L Lᵀ,   y = Lᵀv:   |v|_M = |y|
//
// In the coordinates y the metric is Euclidean, and all that follows is written as for unit mass. A row a of
// velocities, u = a·v, becomes g = L⁻¹a, u = g·y; an impulse acts as δv = M⁻¹aλ = L⁻ᵀ(gλ).
//
//   whiten(a)     a ← L⁻¹a        rows, and generalised forces on their way to M⁻¹f
//   unwhiten(y)   y ← L⁻ᵀy        back to velocities
//   weigh(v)      v ← Lᵀv         a velocity whose Euclidean length is |v|_M
//
// Sums go from the first coordinate to the last, so that all machines round alike.

/// M = I.
template <class Real, int D>
struct UnitMetric {
  CS_INLINE void whiten(Real (&)[D]) const {}
  CS_INLINE void unwhiten(Real (&)[D]) const {}
  CS_INLINE void weigh(Real (&)[D]) const {}
};

/// M = diag(m).
template <class Real, int D>
struct DiagonalMetric {
  Real root[D];  // √m

  /// False where a mass is not a positive finite number.
  CS_INLINE bool factor(const Real (&mass)[D]) {
    bool good = true;
    for (int i = 0; i < D; ++i) {
      good = good && mass[i] > Real(0) && is_finite(mass[i]);
      root[i] = sqrt(mass[i]);
    }
    return good;
  }
  CS_INLINE void whiten(Real (&a)[D]) const {
    for (int i = 0; i < D; ++i) a[i] = a[i] / root[i];
  }
  CS_INLINE void unwhiten(Real (&y)[D]) const { whiten(y); }
  CS_INLINE void weigh(Real (&v)[D]) const {
    for (int i = 0; i < D; ++i) v[i] = v[i] * root[i];
  }
};

/// M full and symmetric; only its lower triangle is read.
template <class Real, int D>
struct DenseMetric {
  Real l[D][D];  // lower triangle, the rest is not touched

  /// False where M is not positive definite: a pivot that is not above the rounding of its diagonal element (D ulp of
  /// it), or is not finite.
  CS_HD bool factor(const Real (&mass)[D][D]) {
    constexpr Real rounding = Real(is_double<Real> ? 2.3e-16 : 1.2e-7) * Real(D);
    bool good = true;
    for (int j = 0; j < D; ++j) {
      Real pivot = mass[j][j];
      for (int k = 0; k < j; ++k) pivot = pivot - l[j][k] * l[j][k];
      good = good && pivot > rounding * mass[j][j] && is_finite(pivot);
      l[j][j] = sqrt(pivot);
      for (int i = j + 1; i < D; ++i) {
        Real sum = mass[i][j];
        for (int k = 0; k < j; ++k) sum = sum - l[i][k] * l[j][k];
        l[i][j] = sum / l[j][j];
      }
    }
    return good;
  }
  CS_HD void whiten(Real (&a)[D]) const {
    for (int i = 0; i < D; ++i) {
      Real sum = a[i];
      for (int k = 0; k < i; ++k) sum = sum - l[i][k] * a[k];
      a[i] = sum / l[i][i];
    }
  }
  CS_HD void unwhiten(Real (&y)[D]) const {
    for (int i = D - 1; i >= 0; --i) {
      Real sum = y[i];
      for (int k = i + 1; k < D; ++k) sum = sum - l[k][i] * y[k];
      y[i] = sum / l[i][i];
    }
  }
  CS_HD void weigh(Real (&v)[D]) const {
    for (int i = 0; i < D; ++i) {
      Real sum = l[i][i] * v[i];
      for (int k = i + 1; k < D; ++k) sum = sum + l[k][i] * v[k];
      v[i] = sum;
    }
  }
};

}  // namespace conesweep::metric
