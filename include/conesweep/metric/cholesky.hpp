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
  Real root[D];     // √m
  Real inverse[D];  // 1/√m

  /// False where a mass is not a positive finite number.
  CS_INLINE MaskOf<Real> factor(const Real (&mass)[D]) {
    for (int i = 0; i < D; ++i) {
      root[i] = sqrt(mass[i]);
      inverse[i] = Real(1) / root[i];
    }
    return is_definite();
  }
  /// Are the roots those of positive finite masses?
  CS_INLINE MaskOf<Real> is_definite() const {
    MaskOf<Real> good = Real(0) == Real(0);
    for (int i = 0; i < D; ++i) good = good && root[i] > Real(0) && is_finite(root[i]);
    return good;
  }
  CS_INLINE void whiten(Real (&a)[D]) const {
    for (int i = 0; i < D; ++i) a[i] = a[i] * inverse[i];
  }
  CS_INLINE void unwhiten(Real (&y)[D]) const { whiten(y); }
  CS_INLINE void weigh(Real (&v)[D]) const {
    for (int i = 0; i < D; ++i) v[i] = v[i] * root[i];
  }
};

/// M full and symmetric; only its lower triangle is read.
template <class Real, int D>
struct DenseMetric {
  Real l[D][D];     // lower triangle, the rest is not touched
  Real inverse[D];  // 1/l[j][j]

  /// False where M is not positive definite: a pivot that is not above the rounding of its diagonal element (D ulp of
  /// it), or is not finite.
  CS_HD MaskOf<Real> factor(const Real (&mass)[D][D]) {
    const Real rounding = Real(ScalarOf<Real>(is_double<Real> ? 2.3e-16 : 1.2e-7) * ScalarOf<Real>(D));
    MaskOf<Real> good = Real(0) == Real(0);
    for (int j = 0; j < D; ++j) {
      Real pivot = mass[j][j];
      for (int k = 0; k < j; ++k) pivot = pivot - l[j][k] * l[j][k];
      good = good && pivot > rounding * mass[j][j] && is_finite(pivot);
      l[j][j] = sqrt(pivot);
      inverse[j] = Real(1) / l[j][j];
      for (int i = j + 1; i < D; ++i) {
        Real sum = mass[i][j];
        for (int k = 0; k < j; ++k) sum = sum - l[i][k] * l[j][k];
        l[i][j] = sum / l[j][j];
      }
    }
    return good;
  }
  /// As a list of numbers, and back. What is no factor is kept as no number.
  static constexpr CS_HD int count_kept() { return D * (D + 1) / 2 + D; }
  CS_INLINE void keep(Real* kept, MaskOf<Real> good) const {
    int next = 0;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j <= i; ++j) kept[next++] = l[i][j];
      kept[next++] = select(good, inverse[i], Real(canonical_nan<ScalarOf<Real>>()));
    }
  }
  CS_INLINE MaskOf<Real> restore(const Real* kept) {
    int next = 0;
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j <= i; ++j) l[i][j] = kept[next++];
      inverse[i] = kept[next++];
    }
    return !is_nan(inverse[0]);
  }
  CS_HD void whiten(Real (&a)[D]) const {
    for (int i = 0; i < D; ++i) {
      Real sum = a[i];
      for (int k = 0; k < i; ++k) sum = sum - l[i][k] * a[k];
      a[i] = sum * inverse[i];
    }
  }
  CS_HD void unwhiten(Real (&y)[D]) const {
    for (int i = D - 1; i >= 0; --i) {
      Real sum = y[i];
      for (int k = i + 1; k < D; ++k) sum = sum - l[k][i] * y[k];
      y[i] = sum * inverse[i];
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
