#pragma once

// Resistances of coupled_by_hand.cpp, alone and beside contacts without friction: solved by hand or, with
// -DWITH_SICONOS, by Siconos.
#include <algorithm>
#include <cmath>

#ifdef WITH_SICONOS
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/RelayProblem.h>
#include <siconos/numerics/Relay_Solvers.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/relay_cst.h>
#endif

/// Laws of one row each, N at most: u = b + W r; r lies in [low, high], u > 0 only where r = low, u < 0 only where
/// r = high. A contact has [0, ∞[.
template <int N>
struct Intervals {
  int count = 0;
  double w[N][N], b[N], low[N], high[N], r[N];
};

#ifdef WITH_SICONOS

template <int N>
void solve_intervals(Intervals<N>& t) {
  static double m[N * N], velocity[N];
  for (int i = 0; i < t.count; ++i)
    for (int j = 0; j < t.count; ++j) m[i * t.count + j] = t.w[j][i];
  static SolverOptions* options = [] {
    SolverOptions* made = solver_options_create(SICONOS_RELAY_PGS);
    made->dparam[SICONOS_DPARAM_TOL] = 1e-13;
    made->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
    return made;
  }();
  NumericsMatrix matrix;
  NM_null(&matrix);
  NM_fill(&matrix, NM_DENSE, t.count, t.count, m);
  std::fill(t.r, t.r + t.count, 0);
  RelayProblem problem = {t.count, &matrix, t.b, t.low, t.high};
  relay_driver(&problem, t.r, velocity, options);
}

#else

/// Gauss-Seidel.
template <int N>
void solve_intervals(Intervals<N>& t) {
  double size = 0;
  for (int k = 0; k < t.count; ++k) size = std::max(size, std::fabs(t.b[k])), t.r[k] = 0;
  for (int sweep = 0; sweep < 100000; ++sweep) {
    double change = 0;
    for (int k = 0; k < t.count; ++k) {
      double u = t.b[k];
      for (int j = 0; j < t.count; ++j) u += t.w[k][j] * t.r[j];
      const double r = std::clamp(t.r[k] - u / t.w[k][k], t.low[k], t.high[k]);
      change = std::max(change, std::fabs(r - t.r[k]) * t.w[k][k]), t.r[k] = r;
    }
    if (change <= 1e-14 * size) break;
  }
}

#endif

/// Two resistances that share coordinates. Each sticks or slips; what they did in the step before is tried first.
struct Pair {
  double w[2][2], most[2], r[2];
  int slips[2] = {};  // 1, -1: towards; 0: sticks

  void solve(const double* b) {
#ifndef WITH_SICONOS
    for (int turn = 0; turn < 9; ++turn)
      if (holds(b)) return;
#endif
    Intervals<2> t = {
        2, {{w[0][0], w[0][1]}, {w[1][0], w[1][1]}}, {b[0], b[1]}, {-most[0], -most[1]}, {most[0], most[1]}, {}};
    solve_intervals(t);
    r[0] = t.r[0], r[1] = t.r[1];
  }

 private:
  // r if they slip as it is thought; otherwise another thought
  bool holds(const double* b) {
    const double det = w[0][0] * w[1][1] - w[0][1] * w[0][1];
    for (int k = 0; k < 2; ++k) r[k] = -slips[k] * most[k];
    if (slips[0] == 0 && slips[1] == 0)
      r[0] = (w[0][1] * b[1] - w[1][1] * b[0]) / det, r[1] = (w[0][1] * b[0] - w[0][0] * b[1]) / det;
    else if (slips[0] == 0)
      r[0] = -(b[0] + w[0][1] * r[1]) / w[0][0];
    else if (slips[1] == 0)
      r[1] = -(b[1] + w[0][1] * r[0]) / w[1][1];
    bool same = true;
    for (int k = 0; k < 2; ++k) {
      const double u = b[k] + w[k][0] * r[0] + w[k][1] * r[1];
      const int next = slips[k] == 0 ? (r[k] < -most[k]) - (r[k] > most[k]) : slips[k] * u < 0 ? 0 : slips[k];
      same = same && next == slips[k], slips[k] = next;
    }
    return same;
  }
};
