// The five systems of bench/coupled, each as a loop of its own in double precision: what somebody writes who needs one
// of them. bench/coupled.py compiles it twice: with solvers by hand, and with those of Siconos in the same loops
// (-DWITH_SICONOS, linked with siconos_numerics).
//
//   coupled_by_hand system steps h members.txt      a line a member: its varied parameters in the order of the scenario
//
// prints nanoseconds a member·step, the best of several rounds, and for every member q, v at the end and the integrals
// that the scenario observes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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

namespace {

constexpr double g = 9.81, solved = 1e-13;
double h;
long steps;

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

template <int D>
double reach_of(const double* q, long i) {
  double sum = 0;
  for (int j = 0; j < D; ++j) sum += q[j] * q[j];
  return (i == 0 ? 1e-9 : 1e-12) * (1 + std::sqrt(sum));
}

using Numbers = std::vector<double>;

Numbers groove(const Numbers& p) {
  const double theta = p[0], mu = p[1], beta = 0.7, s = std::sin(beta), c = std::cos(beta),
               f[3] = {g * std::sin(theta), 0, -g * std::cos(theta)};
  double q[3] = {}, v[3] = {}, sx = 0, sz = 0;
  Touching<2, 3, 3> t;
  for (long i = 0; i < steps; ++i) {
    double w[3];
    for (int j = 0; j < 3; ++j) w[j] = std::fma(h, f[j], v[j]);
    const double near = reach_of<3>(q, i);
    t.count = 0;
    for (const double side : {1.0, -1.0}) {
      if (-(q[2] * s + side * q[1] * c) < -near) continue;
      const double rows[3][3] = {{0, side * c, s}, {1, 0, 0}, {0, s, -side * c}};
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j) t.row[3 * t.count + a][j] = t.over_mass[3 * t.count + a][j] = rows[a][j];
      t.mu[t.count++] = mu;
    }
    if (t.count > 0) t.couple(w, v);
    if (t.closes()) solve_friction(t), t.push(w);
    sx += h * q[0], sz += h * q[2];
    for (int j = 0; j < 3; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  return {q[0], q[1], q[2], v[0], v[1], v[2], sx, sz};
}

Numbers rod(const Numbers& p) {
  const double mu = p[0], a0 = p[1], m = 2, l = 1, inertia = m * l * l / 12;
  double q[3] = {0, 0.1 + l / 2 * std::sin(a0), a0}, v[3] = {p[2], 0, 0}, sx = 0, sa = 0;
  Touching<2, 2, 3> t;
  for (long i = 0; i < steps; ++i) {
    double w[3] = {v[0], std::fma(h, -g, v[1]), v[2]};
    const double near = reach_of<3>(q, i), x = l / 2 * std::cos(q[2]), y = l / 2 * std::sin(q[2]);
    t.count = 0;
    for (const double side : {-1.0, 1.0}) {
      if (-(q[1] + side * y) < -near) continue;
      const double rows[2][3] = {{0, 1, side * x}, {1, 0, -side * y}};
      for (int a = 0; a < 2; ++a)
        for (int j = 0; j < 3; ++j)
          t.row[2 * t.count + a][j] = rows[a][j], t.over_mass[2 * t.count + a][j] = rows[a][j] / (j < 2 ? m : inertia);
      t.mu[t.count++] = mu;
    }
    if (t.count > 0) t.couple(w, v);
    if (t.closes()) solve_friction(t), t.push(w);
    sx += h * q[0], sa += h * q[2];
    for (int j = 0; j < 3; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  return {q[0], q[1], q[2], v[0], v[1], v[2], sx, sa};
}

Numbers pendulum(const Numbers& p) {
  const double a1 = p[0], a2 = p[1], e = p[2], lam = p[3], m1 = 1, m2 = 0.6, l1 = 1, l2 = 0.8, k1 = 2, k2 = 1.5;
  const double m11 = (m1 / 3 + m2) * l1 * l1, m22 = m2 * l2 * l2 / 3, half = m2 * l1 * l2 / 2;
  double q[2] = {a1, a2}, v[2] = {}, s1 = 0, s2 = 0;
  Touching<2, 1, 2> t;
  for (long i = 0; i < steps; ++i) {
    const double sine = std::sin(q[0] - q[1]), m12 = half * std::cos(q[0] - q[1]), det = m11 * m22 - m12 * m12;
    const double f1 = lam * l1 * sine - (k1 + k2) * q[0] + k2 * q[1] - half * sine * v[1] * v[1],
                 f2 = k2 * (q[0] - q[1]) + half * sine * v[0] * v[0];
    double w[2] = {std::fma(h, (m22 * f1 - m12 * f2) / det, v[0]), std::fma(h, (m11 * f2 - m12 * f1) / det, v[1])};
    const double near = reach_of<2>(q, i), y1 = l1 * std::sin(q[0]), y2 = y1 + l2 * std::sin(q[1]);
    t.count = 0;
    if (y1 < 1e-6 || y2 < 1e-6) {
      const double c1 = l1 * std::cos(q[0]), c2 = l2 * std::cos(q[1]);
      for (int k = 0; k < 2; ++k) {
        const double row[2] = {c1, k == 0 ? 0 : c2};
        if (-(k == 0 ? y1 : y2) < -near * std::hypot(row[0], row[1])) continue;
        t.row[t.count][0] = row[0], t.row[t.count][1] = row[1];
        t.over_mass[t.count][0] = (m22 * row[0] - m12 * row[1]) / det;
        t.over_mass[t.count++][1] = (m11 * row[1] - m12 * row[0]) / det;
      }
      if (t.count > 0) t.couple(w, v);
      if (t.closes()) solve_impact(t, e), t.push(w);
    }
    s1 += h * q[0], s2 += h * q[1];
    for (int j = 0; j < 2; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  return {q[0], q[1], v[0], v[1], s1, s2};
}

Numbers feet(const Numbers& p) {
  const double mu = p[0], m = 10, r = 0.5, half = 0.5, tall = 0.4, inertia = m * r * r;
  double q[6] = {0, 0, tall + 0.02, 0, 0, p[1]}, v[6] = {p[2], p[3], 0, 0, 0, 0}, sx = 0, sy = 0;
  Touching<4, 3, 6> t;
  for (long i = 0; i < steps; ++i) {
    double w[6] = {v[0], v[1], std::fma(h, -g, v[2]), v[3], v[4], v[5]};
    const double near = reach_of<6>(q, i), cosine = std::cos(q[5]), sine = std::sin(q[5]), a = q[3], b = q[4];
    double x = half * (cosine - sine), y = half * (sine + cosine);
    t.count = 0;
    for (int k = 0; k < 4; ++k) {
      if (-(q[2] - tall + y * a - x * b) >= -near) {
        const double rows[3][6] = {{0, 0, 1, y, -x, x * a + y * b}, {1, 0, 0, 0, -tall, -y}, {0, 1, 0, tall, 0, x}};
        for (int n = 0; n < 3; ++n)
          for (int j = 0; j < 6; ++j)
            t.row[3 * t.count + n][j] = rows[n][j],
                                t.over_mass[3 * t.count + n][j] = rows[n][j] / (j < 3 ? m : inertia);
        t.mu[t.count++] = mu;
      }
      const double turned = x;
      x = -y, y = turned;
    }
    if (t.count > 0) t.couple(w, v);
    if (t.closes()) solve_friction(t), t.push(w);
    sx += h * q[0], sy += h * q[1];
    for (int j = 0; j < 6; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  Numbers out(q, q + 6);
  out.insert(out.end(), v, v + 6);
  out.insert(out.end(), {sx, sy});
  return out;
}

Numbers cradle(const Numbers& p) {
  const double e = p[0], m = 1, k = 4;
  double q[5] = {-2.25, -1, 0, 1, 2}, v[5] = {p[1], 0, 0, 0, 0}, sa = 0, sf = 0;
  Touching<4, 1, 5> t;
  for (long i = 0; i < steps; ++i) {
    double w[5];
    for (int j = 0; j < 5; ++j) w[j] = std::fma(h, -k * q[j] / m, v[j]);
    const double near = reach_of<5>(q, i) * std::sqrt(2.0);
    t.count = 0;
    for (int n = 0; n < 4; ++n) {
      if (1 - (q[n + 1] - q[n]) < -near) continue;
      for (int j = 0; j < 5; ++j)
        t.row[t.count][j] = j == n ? -1 : j == n + 1 ? 1 : 0, t.over_mass[t.count][j] = t.row[t.count][j] / m;
      ++t.count;
    }
    if (t.count > 0) t.couple(w, v);
    if (t.closes()) solve_impact(t, e), t.push(w);
    sa += h * q[0], sf += h * q[4];
    for (int j = 0; j < 5; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  Numbers out(q, q + 5);
  out.insert(out.end(), v, v + 5);
  out.insert(out.end(), {sa, sf});
  return out;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) return 2;
  const std::string name = words[1];
  steps = std::atol(words[2]);
  h = std::atof(words[3]);
  Numbers (*run)(const Numbers&) = name == "groove"     ? groove
                                   : name == "rod"      ? rod
                                   : name == "pendulum" ? pendulum
                                   : name == "feet"     ? feet
                                                        : cradle;
  std::vector<Numbers> members, ends;
  std::ifstream in(words[4]);
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    members.emplace_back();
    for (double x; cells >> x;) members.back().push_back(x);
  }
  double best = 1e300, spent = 0;
  while (spent < 0.3) {
    ends.clear();
    const std::clock_t start = std::clock();  // of the processor: neighbours on the machine count less
    for (const Numbers& member : members) ends.push_back(run(member));
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::min(best, seconds), spent += seconds;
  }
  std::printf("%.6g\n", 1e9 * best / static_cast<double>(steps) / static_cast<double>(members.size()));
  for (const Numbers& end : ends) {
    for (const double x : end) std::printf("%.17g ", x);
    std::printf("\n");
  }
}
