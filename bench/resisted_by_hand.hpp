#pragma once

// Loops of coupled_by_hand.cpp for systems with resistances, one member after the other. Those whose laws never meet
// are in apart_by_hand.cpp too, side by side.
#include <cmath>
#include <limits>

#include "contacts_by_hand.hpp"
#include "coupled_loop.hpp"
#include "resistances_by_hand.hpp"

/// Resistances that share no coordinate: w becomes what they leave of it, `most` being how much each can take.
template <int N>
void resist(double* w, const double* most) {
#ifdef WITH_SICONOS
  static Intervals<N> t;
  t.count = N;
  for (int i = 0; i < N; ++i) t.w[i][i] = 1, t.b[i] = w[i], t.low[i] = -most[i], t.high[i] = most[i];
  solve_intervals(t);
  for (int i = 0; i < N; ++i) w[i] += t.r[i];
#else
  for (int i = 0; i < N; ++i) w[i] -= std::max(std::min(w[i], most[i]), -most[i]);
#endif
}

inline Numbers oscillate(double m, double start, double mu) {
  const double k = 10, pull = h * k / m, most = h * mu * g;
  double x = start, v = 0;
  for (long i = 0; i < steps; ++i) {
    v = std::fma(-pull, x, v);
    resist<1>(&v, &most);
    x = std::fma(h, v, x);
  }
  return {x, v};
}
inline Numbers resistance(const Numbers& p) { return oscillate(1, p[0], p[1]); }
inline Numbers mass(const Numbers& p) { return oscillate(p[0], p[1], p[2]); }

inline Numbers belt(const Numbers& p) {
  const double m[2] = {p[0], p[1]}, most[2] = {h * p[2] * g, h * p[3] * g}, speed = p[4];
  double x[2] = {}, v[2] = {};
  for (long i = 0; i < steps; ++i) {
    const double between = 8 * (x[1] - x[0]);
    double u[2] = {std::fma(h / m[0], between - 10 * x[0], v[0]) - speed,
                   std::fma(h / m[1], -between - 15 * x[1], v[1]) - speed};
    resist<2>(u, most);
    for (int j = 0; j < 2; ++j) v[j] = speed + u[j], x[j] = std::fma(h, v[j], x[j]);
  }
  return {x[0], x[1], v[0], v[1]};
}

template <int N>
Numbers chain(const Numbers& p) {
  const double a = p[0], speed = p[1], kc = 10;
  double x[N], v[N] = {}, w[N], most[N];
  for (int i = 0; i < N; ++i) x[i] = p[2] * std::sin((i + 1) * (i + 1));
  for (long i = 0; i < steps; ++i) {
    const double plate = speed * (static_cast<double>(i) * h);
    for (int j = 0; j < N; ++j) {
      const double left = j > 0 ? x[j - 1] - x[j] : 0, right = j + 1 < N ? x[j + 1] - x[j] : 0;
      w[j] = std::fma(h, kc * (left + right) + (plate - x[j]), v[j]);
      most[j] = h / (1 + a * std::fabs(v[j]));
    }
    resist<N>(w, most);
    for (int j = 0; j < N; ++j) v[j] = w[j], x[j] = std::fma(h, v[j], x[j]);
  }
  Numbers out(x, x + N);
  out.insert(out.end(), v, v + N);
  return out;
}

/// Friction in the joints of two arms: on the speed of the first, and on that of the second relative to it.
class Joints {
 public:
  explicit Joints(const double* most) { pair_.most[0] = h * most[0], pair_.most[1] = h * most[1]; }

  /// What it leaves of the velocity w; M⁻¹ by its entries.
  void resist(double m11, double m12, double m22, double* w) {
    const double over[2][2] = {{m11, m12}, {m11 - m12, m12 - m22}};
    pair_.w[0][0] = m11, pair_.w[0][1] = pair_.w[1][0] = m11 - m12, pair_.w[1][1] = m11 - 2 * m12 + m22;
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j) over_mass_[k][j] = over[k][j];
    const double b[2] = {w[0], w[0] - w[1]};
    pair_.solve(b);
    for (int j = 0; j < 2; ++j) w[j] += over[0][j] * pair_.r[0] + over[1][j] * pair_.r[1];
  }

  /// (B2) together with contacts t that close: w, of the velocity without any of them.
  void resist_beside(const Touching<2, 1, 2>& t, double e, const double* free, const double* before, double* w) {
    const double rows[2][2] = {{1, 0}, {1, -1}};
    const int n = t.count;
    const double *row[4], *over[4];
    for (int k = 0; k < n; ++k) row[k] = t.row[k], over[k] = t.over_mass[k];
    for (int k = 0; k < 2; ++k) row[n + k] = rows[k], over[n + k] = over_mass_[k];
    Intervals<4> all;
    all.count = n + 2;
    double rebound[4] = {}, total[4] = {}, largest = 0;
    for (int k = 0; k < n + 2; ++k) {
      for (int j = 0; j < n + 2; ++j) all.w[k][j] = row[k][0] * over[j][0] + row[k][1] * over[j][1];
      all.b[k] = row[k][0] * free[0] + row[k][1] * free[1];
      const double u = row[k][0] * before[0] + row[k][1] * before[1];
      largest = std::max({largest, std::fabs(all.b[k]), std::fabs(u)});
      rebound[k] = k < n ? e * u : 0;
      all.low[k] = k < n ? 0 : -pair_.most[k - n];
      all.high[k] = k < n ? std::numeric_limits<double>::max() : pair_.most[k - n];
    }
    for (int turn = 0; turn < 2; ++turn) {
      for (int k = 0; k < n; ++k) all.b[k] += rebound[k] * (turn == 0);
      solve_intervals(all);
      bool again = false;
      for (int k = 0; k < n + 2; ++k) {
        all.b[k] -= rebound[k] * (turn == 0);
        for (int j = 0; j < n + 2; ++j) all.b[k] += all.w[k][j] * all.r[j];
        again = again || (rebound[k] > 0 && all.b[k] < -1e-12 * largest);
        total[k] += all.r[k];
        if (k >= n) all.low[k] -= all.r[k], all.high[k] -= all.r[k];
      }
      if (!again) break;
    }
    for (int j = 0; j < 2; ++j) {
      w[j] = free[j];
      for (int k = 0; k < n + 2; ++k) w[j] += over[k][j] * total[k];
    }
  }

 private:
  Pair pair_;
  double over_mass_[2][2];
};
