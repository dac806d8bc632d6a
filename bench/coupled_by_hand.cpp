// The systems of bench/islands, each as a loop of its own in double precision, one member after the other: what
// somebody writes who needs one of them. bench/islands.py compiles it twice: with solvers by hand, and with those of
// Siconos in the same loops (-DWITH_SICONOS, linked with siconos_numerics). loops.hpp says how it is called.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "apart_systems.hpp"
#include "contacts_by_hand.hpp"
#include "coupled_loop.hpp"
#include "resisted_by_hand.hpp"

namespace {

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

/// One end of a bar touches: its normal and its tangent as rows, over masses m and the moment of inertia.
void touch(Touching<2, 2, 3>& t, const double (&rows)[2][3], double m, double inertia, double mu) {
  for (int a = 0; a < 2; ++a)
    for (int j = 0; j < 3; ++j)
      t.row[2 * t.count + a][j] = rows[a][j], t.over_mass[2 * t.count + a][j] = rows[a][j] / (j < 2 ? m : inertia);
  t.mu[t.count++] = mu;
}

Numbers rod(const Numbers& p) {
  const double mu = p[0], a0 = p[1], m = 2, l = 1, inertia = m * l * l / 12;
  double q[3] = {0, 0.1 + l / 2 * std::sin(a0), a0}, v[3] = {p[2], 0, 0}, sx = 0, sa = 0;
  Touching<2, 2, 3> t;
  for (long i = 0; i < steps; ++i) {
    double w[3] = {v[0], std::fma(h, -g, v[1]), v[2]};
    const double near = reach_of<3>(q, i), x = l / 2 * std::cos(q[2]), y = l / 2 * std::sin(q[2]);
    t.count = 0;
    for (const double side : {-1.0, 1.0})
      if (-(q[1] + side * y) >= -near) touch(t, {{0, 1, side * x}, {1, 0, -side * y}}, m, inertia, mu);
    if (t.count > 0) t.couple(w, v);
    if (t.closes()) solve_friction(t), t.push(w);
    sx += h * q[0], sa += h * q[2];
    for (int j = 0; j < 3; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  return {q[0], q[1], q[2], v[0], v[1], v[2], sx, sa};
}

Numbers ladder(const Numbers& p) {
  const double mu[2] = {p[1], 0.4}, m = 2, l = 1, inertia = m * l * l / 12;
  double q[3] = {l / 2 * std::cos(p[0]), l / 2 * std::sin(p[0]), p[0]}, v[3] = {};
  Touching<2, 2, 3> t;
  for (long i = 0; i < steps; ++i) {
    double w[3] = {v[0], std::fma(h, -g, v[1]), v[2]};
    const double near = reach_of<3>(q, i), x = l / 2 * std::cos(q[2]), y = l / 2 * std::sin(q[2]);
    t.count = 0;
    if (-(q[1] - y) >= -near) touch(t, {{0, 1, -x}, {1, 0, -y}}, m, inertia, mu[0]);
    if (-(q[0] - x) >= -near) touch(t, {{1, 0, y}, {0, 1, x}}, m, inertia, mu[1]);
    if (t.count > 0) t.couple(w, v);
    if (t.closes()) solve_friction(t), t.push(w);
    for (int j = 0; j < 3; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  return {q[0], q[1], q[2], v[0], v[1], v[2]};
}

// a mass on a spring on a floor, which it could leave
Numbers slip(const Numbers& p) {
  const double m = p[0], k = 10;
  double q[2] = {p[1], 0}, v[2] = {};
  Touching<1, 2, 2> t;
  t.mu[0] = p[2];
  for (int a = 0; a < 2; ++a)
    for (int j = 0; j < 2; ++j) t.row[a][j] = a != j, t.over_mass[a][j] = (a != j) / m;
  for (long i = 0; i < steps; ++i) {
    double w[2] = {std::fma(-h * k / m, q[0], v[0]), std::fma(-h, g, v[1])};
    t.count = q[1] <= reach_of<2>(q, i);
    if (t.count > 0) t.couple(w, v);
    if (t.closes()) solve_friction(t), t.push(w);
    for (int j = 0; j < 2; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  return {q[0], q[1], v[0], v[1]};
}

#ifndef WITH_SICONOS
// A ball that rolls: nothing to solve but rows that are orthogonal.
Numbers ball(const Numbers& p) {
  const One of[3] = {{p[0]}, {p[1]}, {p[2]}}, step = {h};
  apart::Ball<One> at;
  at.start(of, step);
  for (long i = 0; i < steps; ++i) at.step(step, 0);
  One out[12];
  at.finish(out);
  Numbers numbers;
  for (const One& number : out) numbers.push_back(number.x);
  return numbers;
}
#endif

// Two arms beside a wall, with friction in their joints where it is `resisted`.
template <bool resisted>
Numbers swing(const double* start, double e, double lam, const double* tau) {
  const double m1 = 1, m2 = 0.6, l1 = 1, l2 = 0.8, k1 = 2, k2 = 1.5;
  const double m11 = (m1 / 3 + m2) * l1 * l1, m22 = m2 * l2 * l2 / 3, half = m2 * l1 * l2 / 2;
  double q[2] = {start[0], start[1]}, v[2] = {}, s1 = 0, s2 = 0;
  Touching<2, 1, 2> t;
  Joints joints(tau);
  for (long i = 0; i < steps; ++i) {
    const double sine = std::sin(q[0] - q[1]), m12 = half * std::cos(q[0] - q[1]), det = m11 * m22 - m12 * m12;
    const double f1 = lam * l1 * sine - (k1 + k2) * q[0] + k2 * q[1] - half * sine * v[1] * v[1],
                 f2 = k2 * (q[0] - q[1]) + half * sine * v[0] * v[0];
    const double over = 1 / det, over_m11 = m22 * over, over_m12 = -m12 * over, over_m22 = m11 * over;
    double w[2] = {std::fma(h, over_m11 * f1 + over_m12 * f2, v[0]), std::fma(h, over_m12 * f1 + over_m22 * f2, v[1])};
    const double free[2] = {w[0], w[1]};
    if constexpr (resisted) joints.resist(over_m11, over_m12, over_m22, w);
    const double y1 = l1 * std::sin(q[0]), y2 = y1 + l2 * std::sin(q[1]);
    if (y1 < 1e-6 || y2 < 1e-6) {
      const double near = reach_of<2>(q, i), c1 = l1 * std::cos(q[0]), c2 = l2 * std::cos(q[1]);
      t.count = 0;
      for (int k = 0; k < 2; ++k) {
        const double row[2] = {c1, k == 0 ? 0 : c2};
        if (-(k == 0 ? y1 : y2) < -near * std::hypot(row[0], row[1])) continue;
        t.row[t.count][0] = row[0], t.row[t.count][1] = row[1];
        t.over_mass[t.count][0] = over_m11 * row[0] + over_m12 * row[1];
        t.over_mass[t.count++][1] = over_m12 * row[0] + over_m22 * row[1];
      }
      if (t.count > 0) t.couple(w, v);
      if (t.closes()) {
        if constexpr (resisted)
          joints.resist_beside(t, e, free, v, w);
        else
          solve_impact(t, e), t.push(w);
      }
    }
    s1 += h * q[0], s2 += h * q[1];
    for (int j = 0; j < 2; ++j) v[j] = w[j], q[j] = std::fma(h, v[j], q[j]);
  }
  return {q[0], q[1], v[0], v[1], s1, s2};
}
Numbers pendulum(const Numbers& p) { return swing<false>(&p[0], p[2], p[3], &p[0]); }
Numbers pendulum_friction(const Numbers& p) { return swing<true>(&p[0], 0.6, 0, &p[2]); }

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
  steps = std::atol(words[2]);
  h = std::atof(words[3]);
  std::map<std::string, Numbers (*)(const Numbers&)> systems = {{"resistance", resistance},
                                                                {"mass", mass},
                                                                {"slip", slip},
                                                                {"belt", belt},
                                                                {"chain12", chain<12>},
                                                                {"chain48", chain<48>},
                                                                {"pendulum", pendulum},
                                                                {"pendulum_friction", pendulum_friction},
                                                                {"rod", rod},
                                                                {"ladder", ladder},
                                                                {"groove", groove},
                                                                {"feet", feet},
                                                                {"cradle", cradle}};
#ifndef WITH_SICONOS
  systems["ball"] = ball;
#endif
  const auto found = systems.find(words[1]);
  if (found == systems.end()) return 2;
  const std::vector<Numbers> members = read_members(words[4]);
  std::vector<Numbers> ends;
  const double nanoseconds = time_members(members.size(), steps, [&] {
    ends.clear();
    for (const Numbers& member : members) ends.push_back(found->second(member));
  });
  print_ends(nanoseconds, ends);
}
