#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/dense.hpp"

/// Random coupled problems with what makes them hard: dense ones, and small mechanisms. Everything is drawn from a
/// seeded generator of its own, so that a problem is known by its family, seed and number.
namespace conesweep::families {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 0x1234567ULL) {}

  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  // both ends
  int integer(int low, int high) { return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1)); }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform()); }
  double exponential() { return -std::log(1 - uniform()); }
  bool toss(double probability) { return uniform() < probability; }
  double choose(std::initializer_list<double> values) {
    return values.begin()[integer(0, static_cast<int>(values.size()) - 1)];
  }
  Vector normals(int n) {
    Vector x(n);
    for (double& value : x) value = normal();
    return x;
  }
  Matrix normals(int n, int m) {
    Matrix x(n, m);
    for (int i = 0; i < n; ++i) x.row(i) = normals(m).transpose();
    return x;
  }

 private:
  std::uint64_t bits() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

enum class Kind { interval, ball, contact };

struct Block {
  Kind kind;
  int first, size;
  // interval: ends; ball: radius; contact: friction coefficient, and the least normal impulse where it holds
  double low = 0, high = 0;
};

/// u = b + W r, W = A M⁻¹Aᵀ.
struct Sample {
  Matrix mass, rows;
  Vector w;  // velocity without impulses
  Matrix delassus;
  Vector b;
  std::vector<Block> blocks;
  bool plane = false;  // only contacts with two rows: modes can be enumerated
};

inline Matrix random_mass(Random& random, int n, double condition) {
  const Matrix q = test::random_rotation(random.normals(n, n));
  Vector d(n);
  for (double& value : d) value = random.log_uniform(1, condition);
  return q * d.asDiagonal() * q.transpose();
}

/// W and b, the restitution's part included: b_n += e min(0, u_n before), with a velocity before close to w.
inline void finish(Random& random, Sample& s, double e) {
  const Matrix solved = test::solve(s.mass, s.rows.transpose());
  s.delassus = s.rows * solved;
  s.delassus = (0.5 * (s.delassus + s.delassus.transpose())).eval();
  s.b = s.rows * s.w;
  const Vector before = s.w + 0.01 * random.normals(static_cast<int>(s.w.size()));
  s.plane = true;
  for (const Block& block : s.blocks) {
    s.plane = s.plane && block.kind == Kind::contact && block.size == 2;
    if (block.kind == Kind::contact) s.b[block.first] += e * std::min(0.0, s.rows.row(block.first).dot(before));
  }
}

inline void add_contacts(Random& random, Sample& s, int contacts, int size, double mu_max) {
  for (int k = 0; k < contacts; ++k)
    s.blocks.push_back({Kind::contact, static_cast<int>(k * size), size, 0, random.uniform(0, mu_max)});
}

/// Some velocity opens all contacts; most of them close.
inline Sample dense(Random& random, int contacts, int size, bool singular, double e_max) {
  for (;;) {
    Sample s;
    const int rows = contacts * size;
    const int n = singular ? random.integer(std::max(2, rows / 2), rows - 1) : random.integer(rows, std::max(rows, 12));
    s.mass = random_mass(random, n, 100);
    s.rows = random.normals(rows, n);
    const Vector opening = random.normals(n);
    for (int k = 0; k < rows; k += size) {
      if (s.rows.row(k).dot(opening) < 0) s.rows.row(k) *= -1;
    }
    s.w = random.normals(n);
    add_contacts(random, s, contacts, size, 1.5);
    finish(random, s, random.uniform(0, e_max));
    int closing = 0;
    for (int k = 0; k < rows; k += size) closing += s.b[k] < 0;
    if (closing >= std::max(1, contacts - 1)) return s;
  }
}

/// Rows normal, t1, t2 of points of a free rigid body with velocities (v, ω), all on the floor.
inline Matrix feet(const std::vector<Eigen::Vector3d>& points) {
  Matrix rows(3 * static_cast<int>(points.size()), 6);
  const Eigen::Vector3d axes[3] = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY()};
  for (int k = 0; k < static_cast<int>(points.size()); ++k) {
    for (int i = 0; i < 3; ++i)
      rows.row(3 * k + i) << axes[i].transpose(), points[static_cast<std::size_t>(k)].cross(axes[i]).transpose();
  }
  return rows;
}

/// 3 to 6 feet on a floor: hyperstatic with friction. Thrown at it, or resting on it (a step of gravity, pushed a
/// little, hard or not at all).
inline Sample table(Random& random, bool resting) {
  Sample s;
  const int legs = random.integer(3, 6);
  const double a = random.uniform(0.3, 1), b = random.uniform(0.3, 1), h = random.uniform(0.3, 1),
               m = random.uniform(1, 10);
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < legs; ++k) {
    const double angle = 6.283185307179586 * (k + 0.5) / legs;
    points.emplace_back(a * 1.4142135623730951 * std::cos(angle), b * 1.4142135623730951 * std::sin(angle), -h);
  }
  s.rows = feet(points);
  Vector mass(6);
  mass << m, m, m, m * random.uniform(0.05, 0.5), m * random.uniform(0.05, 0.5), m * random.uniform(0.05, 0.5);
  s.mass = mass.asDiagonal();
  s.w = 0.5 * random.normals(6);
  if (resting) {
    const double push = random.choose({0.0, 1e-3, 1.0}), spin = random.choose({0.0, 1e-3, 1.0});
    s.w << random.normal() * push, random.normal() * push, -9.81e-3, 0, 0, random.normal() * spin;
  } else {
    s.w.head(3) << random.normal(), random.normal(), -std::fabs(random.normal());
  }
  add_contacts(random, s, legs, 3, resting ? 1.0 : 1.5);
  finish(random, s, 0);
  return s;
}

/// Blocks (x, y each) on one another on a floor; the heavier on top the harder.
inline Sample stack(Random& random, int n, double ratio) {
  Sample s;
  Vector masses(2 * n);
  const bool ordered = random.toss(0.5);
  for (int k = 0; k < n; ++k) {
    const double m = ordered ? std::pow(ratio, k / std::max(1.0, n - 1.0)) : random.log_uniform(1, ratio);
    masses[2 * k] = masses[2 * k + 1] = m;
  }
  s.mass = masses.asDiagonal();
  s.rows = Matrix::Zero(2 * n, 2 * n);
  s.w = Vector(2 * n);
  for (int k = 0; k < n; ++k) {
    s.rows(2 * k, 2 * k + 1) = s.rows(2 * k + 1, 2 * k) = 1;
    if (k > 0) s.rows(2 * k, 2 * k - 1) = s.rows(2 * k + 1, 2 * k - 2) = -1;
    s.w[2 * k] = 0.05 * random.normal();
    s.w[2 * k + 1] = -9.81e-3;
  }
  add_contacts(random, s, n, 2, 1.0);
  finish(random, s, 0);
  return s;
}

/// A particle between two planes, from an angle at which it jams to an obtuse corner.
inline Sample wedge(Random& random, int size) {
  Sample s;
  const double half = random.log_uniform(0.01, 1.5);
  s.rows = Matrix::Zero(2 * size, size);
  for (int k = 0; k < 2; ++k) {
    const double sign = k == 0 ? 1 : -1;
    s.rows.row(k * size).head(2) << std::sin(half), sign * std::cos(half);
    s.rows.row(k * size + 1).head(2) << sign * std::cos(half), -std::sin(half);
    if (size == 3) s.rows(k * size + 2, 2) = 1;
  }
  s.mass = Matrix::Identity(size, size);
  s.w = random.normals(size);
  s.w[0] = -std::fabs(s.w[0]);
  add_contacts(random, s, 2, size, 1.5);
  finish(random, s, 0);
  return s;
}

/// A rod in the plane with one end on a floor, or both ends in a corner; friction up to 3, where normal and tangential
/// motion are strongly coupled (Painlevé).
inline Sample rod(Random& random) {
  Sample s;
  const double angle = random.uniform(0.05, 1.5);
  const int contacts = random.toss(0.5) ? 2 : 1;
  s.rows = Matrix(2 * contacts, 3);
  for (int k = 0; k < contacts; ++k) {
    const double x = (k == 0 ? -0.5 : 0.5) * std::cos(angle), y = (k == 0 ? -0.5 : 0.5) * std::sin(angle);
    const double nx = k == 0 ? 0 : -1, ny = k == 0 ? 1 : 0, tx = k == 0 ? 1 : 0, ty = k == 0 ? 0 : 1;
    s.rows.row(2 * k) << nx, ny, x * ny - y * nx;
    s.rows.row(2 * k + 1) << tx, ty, x * ty - y * tx;
  }
  s.mass = Eigen::Vector3d(1, 1, 1.0 / 12).asDiagonal();
  s.w = random.normals(3);
  add_contacts(random, s, contacts, 2, 3.0);
  finish(random, s, 0);
  return s;
}

/// 0 to 2 contacts (in space, in the plane, without friction), intervals (some with one end only) and balls of 1 to 3
/// rows, on dependent or independent rows.
inline Sample mixed(Random& random, bool with_contacts) {
  Sample s;
  const int contacts = with_contacts ? random.integer(1, 2) : 0;
  int rows = 0;
  const auto add = [&](Kind kind, int size, double low, double high) {
    s.blocks.push_back({kind, rows, size, low, high});
    rows += size;
  };
  for (int k = 0; k < contacts; ++k) add(Kind::contact, random.integer(1, 3), 0, random.uniform(0, 1.5));
  for (int k = random.integer(with_contacts ? 0 : 1, 2); k > 0; --k) {
    const double inf = std::numeric_limits<double>::infinity();
    add(Kind::interval, 1, random.toss(0.3) ? -inf : -random.exponential(), random.exponential());
  }
  for (int k = random.integer(with_contacts ? 0 : 1, 2); k > 0; --k)
    add(Kind::ball, random.integer(1, 3), 0, random.exponential());
  const int n = random.integer(std::max(2, rows - 2), rows + 2);
  s.mass = random_mass(random, n, 30);
  s.rows = random.normals(rows, n);
  const Vector opening = random.normals(n);
  for (const Block& block : s.blocks) {
    if (block.kind == Kind::contact && s.rows.row(block.first).dot(opening) < 0) s.rows.row(block.first) *= -1;
  }
  s.w = random.normals(n);
  finish(random, s, 0);
  for (const Block& block : s.blocks) {  // drives; on dependent rows two of them could contradict each other
    for (int k = 0; k < block.size && block.kind != Kind::contact && n >= rows; ++k)
      s.b[block.first + k] -= 0.3 * random.normal();
  }
  return s;
}

/// The same with contacts of which two in three hold with about what closes them, or with far more or less.
inline void add_cohesion(Random& random, Sample& s) {
  for (Block& block : s.blocks) {
    const double w = s.delassus(block.first, block.first);
    if (block.kind != Kind::contact || !(w > 0) || random.toss(1.0 / 3)) continue;
    block.low = -random.log_uniform(0.01, 100) * (std::fabs(s.b[block.first]) + 1e-3 * s.w.norm() * std::sqrt(w)) / w;
  }
}

struct Family {
  const char* name;
  int share;  // of the default number of problems, in %
  Sample (*draw)(Random&);
};

inline constexpr Family all_families[] = {
    {"dense, plane, e to 1", 8, [](Random& r) { return dense(r, r.integer(1, 4), 2, false, 1); }},
    {"dense, space, e to 1", 10, [](Random& r) { return dense(r, r.integer(1, 4), 3, false, 1); }},
    {"dense, plane, W singular", 8, [](Random& r) { return dense(r, r.integer(2, 4), 2, true, 0); }},
    {"dense, space, W singular", 10, [](Random& r) { return dense(r, r.integer(1, 4), 3, true, 0); }},
    {"singular, plane, e to 1", 4, [](Random& r) { return dense(r, r.integer(2, 4), 2, true, 1); }},
    {"stack, mass ratio 100", 8, [](Random& r) { return stack(r, r.integer(2, 4), 100); }},
    {"stack, mass ratio 1e6", 8, [](Random& r) { return stack(r, r.integer(2, 6), 1e6); }},
    {"wedge, plane", 6, [](Random& r) { return wedge(r, 2); }},
    {"wedge, space", 6, [](Random& r) { return wedge(r, 3); }},
    {"table, thrown", 8, [](Random& r) { return table(r, false); }},
    {"table, resting", 8, [](Random& r) { return table(r, true); }},
    {"rod, mu to 3", 6, [](Random& r) { return rod(r); }},
    {"resistances alone", 4, [](Random& r) { return mixed(r, false); }},
    {"contacts and resistances", 6, [](Random& r) { return mixed(r, true); }},
};

}  // namespace conesweep::families
