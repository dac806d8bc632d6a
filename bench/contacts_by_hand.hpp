#pragma once

// Contacts of coupled_by_hand.cpp: the few that touch, solved by hand or, with -DWITH_SICONOS, by Siconos.
#include <algorithm>
#include <cmath>

#ifdef WITH_SICONOS
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#endif

constexpr double solved = 1e-13;

/// Contacts that touch, C at most, K rows each: u = b + W r, row 0 normal; |r_t| <= mu r_n.
template <int C, int K, int D>
struct Touching {
  int count = 0;
  double row[C * K][D], over_mass[C * K][D], b[C * K], before[C * K], r[C * K], w[C * K][C * K], mu[C];

  void couple(const double* v, const double* v_before) {
    for (int i = 0; i < count * K; ++i) {
      r[i] = b[i] = before[i] = 0;
      for (int j = 0; j < D; ++j) b[i] += row[i][j] * v[j], before[i] += row[i][j] * v_before[j];
      for (int j = 0; j <= i; ++j) {
        double sum = 0;
        for (int k = 0; k < D; ++k) sum += over_mass[i][k] * row[j][k];
        w[i][j] = w[j][i] = sum;
      }
    }
  }
  bool closes() const {
    for (int k = 0; k < count; ++k)
      if (b[k * K] < 0) return true;
    return false;
  }
  void push(double* v) const {
    for (int i = 0; i < count * K; ++i)
      for (int j = 0; j < D; ++j) v[j] += over_mass[i][j] * r[i];
  }
};

#ifdef WITH_SICONOS

template <int C, int K, int D>
void solve_friction(Touching<C, K, D>& t) {
  const int n = t.count * K;
  static double m[C * K * C * K], velocity[C * K];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m[i * n + j] = t.w[i][j];
  static SolverOptions* options = [] {
    SolverOptions* made = solver_options_create(K == 3 ? SICONOS_FRICTION_3D_NSGS : SICONOS_FRICTION_2D_NSGS);
    made->dparam[SICONOS_DPARAM_TOL] = 1e-13;
    made->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    return made;
  }();
  NumericsMatrix matrix;
  NM_null(&matrix);
  NM_fill(&matrix, NM_DENSE, n, n, m);
  FrictionContactProblem problem = {K, t.count, &matrix, t.b, t.mu};
  if constexpr (K == 3)
    fc3d_driver(&problem, t.r, velocity, options);
  else
    fc2d_driver(&problem, t.r, velocity, options);
}

template <int C, int D>
void solve_normal(Touching<C, 1, D>& t) {
  const int n = t.count;
  static double m[C * C], velocity[C];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m[i * n + j] = t.w[i][j];
  static SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  NumericsMatrix matrix;
  NM_null(&matrix);
  NM_fill(&matrix, NM_DENSE, n, n, m);
  LinearComplementarityProblem problem = {n, &matrix, t.b};
  linearComplementarity_driver(&problem, t.r, velocity, options);
}

#else

/// One contact in the plane while the others stand, b the velocities without it: open, stick or slip.
/// (more than 5 parameters: the three numbers of a symmetric matrix are one thing)
void solve_in_plane(double nn, double nt, double tt, const double* b, double mu, double* r) {
  r[0] = r[1] = 0;
  if (b[0] >= 0) return;
  const double det = nn * tt - nt * nt, r_n = (nt * b[1] - tt * b[0]) / det, r_t = (nt * b[0] - nn * b[1]) / det;
  if (std::fabs(r_t) <= mu * r_n) {
    r[0] = r_n, r[1] = r_t;
    return;
  }
  const double along = b[1] * nn - nt * b[0] > 0 ? -mu : mu;  // against the slip
  r[0] = -b[0] / (nn + along * nt);
  r[1] = along * r[0];
}

/// Gauss-Seidel: in the plane contact by contact; in space normal, then tangential, each projected.
template <int C, int K, int D>
void solve_friction(Touching<C, K, D>& t) {
  const int n = t.count * K;
  double size = 0;
  for (int i = 0; i < n; ++i) size = std::max(size, std::fabs(t.b[i]));
  for (int sweep = 0; sweep < 100000; ++sweep) {
    double change = 0;
    for (int k = 0; k < n; k += K) {
      if constexpr (K == 2) {
        double b[2] = {t.b[k], t.b[k + 1]}, r[2];
        for (int j = 0; j < n; ++j)
          if (j < k || j > k + 1) b[0] += t.w[k][j] * t.r[j], b[1] += t.w[k + 1][j] * t.r[j];
        solve_in_plane(t.w[k][k], t.w[k][k + 1], t.w[k + 1][k + 1], b, t.mu[k / 2], r);
        change =
            std::max({change, std::fabs(r[0] - t.r[k]) * t.w[k][k], std::fabs(r[1] - t.r[k + 1]) * t.w[k + 1][k + 1]});
        t.r[k] = r[0], t.r[k + 1] = r[1];
        continue;
      }
      double u[K];
      for (int i = 0; i < K; ++i) {
        u[i] = t.b[k + i];
        for (int j = 0; j < n; ++j) u[i] += t.w[k + i][j] * t.r[j];
      }
      const double r_n = std::max(0.0, t.r[k] - u[0] / t.w[k][k]), step = r_n - t.r[k], reach = t.mu[k / K] * r_n;
      t.r[k] = r_n;
      change = std::max(change, std::fabs(step) * t.w[k][k]);
      const double stiff =
          K == 2 ? t.w[k + 1][k + 1]
                 : std::max(t.w[k + 1][k + 1], t.w[k + K - 1][k + K - 1]) + std::fabs(t.w[k + 1][k + K - 1]);
      double x[K] = {}, length2 = 0;
      for (int i = 1; i < K; ++i) {
        x[i] = t.r[k + i] - (u[i] + t.w[k + i][k] * step) / stiff;
        length2 += x[i] * x[i];
      }
      const double shrink = length2 > reach * reach ? reach / std::sqrt(length2) : 1;
      for (int i = 1; i < K; ++i) {
        change = std::max(change, std::fabs(shrink * x[i] - t.r[k + i]) * stiff);
        t.r[k + i] = shrink * x[i];
      }
    }
    if (change <= solved * size) break;
  }
}

/// Active sets: solve for those that push, drop what pulls, add what closes.
template <int C, int D>
void solve_normal(Touching<C, 1, D>& t) {
  bool pushes[C];
  for (int k = 0; k < t.count; ++k) pushes[k] = t.b[k] < 0;
  for (int turn = 0; turn < 4 * C; ++turn) {
    double a[C][C + 1];
    int of[C], n = 0;
    for (int k = 0; k < t.count; ++k)
      if (pushes[k]) of[n++] = k;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) a[i][j] = t.w[of[i]][of[j]];
      a[i][n] = -t.b[of[i]];
    }
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i) {
        const double factor = a[i][k] / a[k][k];
        for (int j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
      }
    for (int k = 0; k < t.count; ++k) t.r[k] = 0;
    for (int i = n - 1; i >= 0; --i) {
      double sum = a[i][n];
      for (int j = i + 1; j < n; ++j) sum -= a[i][j] * t.r[of[j]];
      t.r[of[i]] = sum / a[i][i];
    }
    bool changed = false;
    for (int k = 0; k < t.count; ++k) {
      if (pushes[k] && t.r[k] < 0) pushes[k] = false, t.r[k] = 0, changed = true;
    }
    for (int k = 0; k < t.count && !changed; ++k) {
      if (pushes[k]) continue;
      double u = t.b[k], size = std::fabs(u);
      for (int j = 0; j < t.count; ++j) u += t.w[k][j] * t.r[j], size += std::fabs(t.w[k][j] * t.r[j]);
      if (u < -1e-14 * size) pushes[k] = changed = true;
    }
    if (!changed) return;
  }
}

#endif

/// (B2) with restitution: for u + e u_before, then once more for u where something still closes.
template <int C, int D>
void solve_impact(Touching<C, 1, D>& t, double e) {
  double free[C], first[C];
  for (int k = 0; k < t.count; ++k) free[k] = t.b[k], t.b[k] += e * t.before[k];
  solve_normal(t);
  double largest = 0;
  for (int k = 0; k < t.count; ++k) largest = std::max({largest, std::fabs(free[k]), std::fabs(t.before[k])});
  bool again = false;
  for (int k = 0; k < t.count; ++k) {
    double u = free[k];
    for (int j = 0; j < t.count; ++j) u += t.w[k][j] * t.r[j];
    t.b[k] = u, first[k] = t.r[k];
    again = again || (e * t.before[k] > 0 && u < -1e-12 * largest);
  }
  if (!again) return;
  solve_normal(t);
  for (int k = 0; k < t.count; ++k) t.r[k] += first[k];
}
