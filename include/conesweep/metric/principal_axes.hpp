#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::metric {

/// Below this share of its terms a difference is rounding.
template <class Real>
inline constexpr Real lost_in_rounding = Real(is_double<Real> ? 4e-15 : 2e-6);

/// A symmetric positive semidefinite matrix of size K = 1, 2, 3 in its own axes.
///
///   (1)  W = Q diag(d) Qᵀ,  columns of Q orthonormal, d >= 0
///
/// K = 2 in closed form, K = 3 by Jacobi's rotations in the order (0,1), (0,2), (1,2), six rounds: the off-diagonal
/// part is squared away, four rounds leave nothing of any matrix of doubles that was tried. Values that are rounding of
/// the largest count as 0.
template <class Real, int K>
struct PrincipalAxes {
  Real d[K];     // values, in no order
  Real q[K][K];  // q[i][k]: component i of axis k
};

/// One rotation in the plane (i, j) that makes a[i][j] zero.
template <class Real, int K>
CS_INLINE void rotate_away(Real (&a)[K][K], Real (&q)[K][K], int i, int j) {
  if (a[i][j] == Real(0)) return;
  // t = tan of the smaller angle: t² + 2 t θ - 1 = 0
  const Real theta = (a[j][j] - a[i][i]) / (Real(2) * a[i][j]);
  const Real t = copysign(Real(1) / (abs(theta) + sqrt(theta * theta + Real(1))), theta);
  const Real c = Real(1) / sqrt(t * t + Real(1)), s = t * c;
  for (int k = 0; k < K; ++k) {
    const Real x = a[k][i], y = a[k][j];
    a[k][i] = c * x - s * y;
    a[k][j] = s * x + c * y;
  }
  for (int k = 0; k < K; ++k) {
    const Real x = a[i][k], y = a[j][k];
    a[i][k] = c * x - s * y;
    a[j][k] = s * x + c * y;
    const Real u = q[k][i], v = q[k][j];
    q[k][i] = c * u - s * v;
    q[k][j] = s * u + c * v;
  }
  a[i][j] = a[j][i] = Real(0);
}

template <class Real, int K>
CS_HD PrincipalAxes<Real, K> find_axes(const Real (&w)[K][K]) {
  PrincipalAxes<Real, K> axes;
  Real a[K][K];
  for (int i = 0; i < K; ++i) {
    for (int j = 0; j < K; ++j) {
      a[i][j] = w[i][j];
      axes.q[i][j] = i == j ? Real(1) : Real(0);
    }
  }
  constexpr int rounds = K < 2 ? 0 : K == 2 ? 1 : 6;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < K; ++i) {
      for (int j = i + 1; j < K; ++j) rotate_away(a, axes.q, i, j);
    }
  }
  Real largest = Real(0);
  for (int k = 0; k < K; ++k) largest = max(largest, a[k][k]);
  const Real none = largest * lost_in_rounding<Real>;
  for (int k = 0; k < K; ++k) axes.d[k] = a[k][k] > none ? a[k][k] : Real(0);
  return axes;
}

}  // namespace conesweep::metric
