#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

/// (P4) solved by searching, not by formula: v = prox(0, [w + C] ∩ T), the point of least norm that friction can reach.
///
/// Three ways, none of which uses (P6):
///   descend_in_the_disk    projected gradient on the tangential impulse, written in an orthonormal basis of T
///   project_alternately    Dykstra's algorithm between the two convex sets w + C and T; knows nothing of impulses
///   any reachable velocity can only be longer: reachable_velocity draws them at random
namespace conesweep::oracle {

using Numbers = std::vector<double>;

inline double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double length(const Numbers& a) {
  double r = 0;
  for (const double x : a) r = std::hypot(r, x);
  return r;
}

/// a + s b
inline Numbers add(const Numbers& a, double s, const Numbers& b) {
  Numbers sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + s * b[i];
  return sum;
}

inline Numbers scale(double s, const Numbers& a) { return add(Numbers(a.size(), 0.0), s, a); }

inline double distance(const Numbers& a, const Numbers& b) { return length(add(a, -1, b)); }

/// Orthonormal vectors that span T = {u : u·n = 0}, by Gram-Schmidt on the coordinate axes (twice, for rounding).
inline std::vector<Numbers> tangent_basis(const Numbers& n) {
  std::vector<Numbers> basis;
  for (std::size_t axis = 0; axis < n.size() && basis.size() + 1 < n.size(); ++axis) {
    Numbers u(n.size(), 0.0);
    u[axis] = 1;
    for (int pass = 0; pass < 2; ++pass) {
      u = add(u, -dot(u, n), n);
      for (const Numbers& b : basis) u = add(u, -dot(u, b), b);
    }
    if (const double size = length(u); size > 0.05) basis.push_back(scale(1 / size, u));
  }
  return basis;
}

/// min ½|w + r|² over r = |w_n| n + Σ c_k b_k, |c| <= mu |w_n|: gradient steps c -= s ∇, each followed by the
/// projection onto the disk. The objective has Hessian I, so that a step of 1/2 halves the distance to the minimum each
/// time.
inline Numbers descend_in_the_disk(const Numbers& w, const Numbers& n, double mu) {
  const double normal = -dot(w, n);
  const std::vector<Numbers> basis = tangent_basis(n);
  const double radius = mu * normal;
  const Numbers lifted = add(w, normal, n);  // w without its normal part: where c = 0 leads
  Numbers c(basis.size(), 0.0);
  for (int step = 0; step < 200; ++step) {
    Numbers v = lifted;
    for (std::size_t k = 0; k < basis.size(); ++k) v = add(v, c[k], basis[k]);
    for (std::size_t k = 0; k < basis.size(); ++k) c[k] -= 0.5 * dot(v, basis[k]);
    if (const double size = length(c); size > radius) c = scale(radius / size, c);
  }
  Numbers v = lifted;
  for (std::size_t k = 0; k < basis.size(); ++k) v = add(v, c[k], basis[k]);
  return v;
}

/// Nearest point of the cone {r : |r_t| <= mu r_n}: r itself, the tip, or the foot on the mantle.
inline Numbers nearest_in_cone(const Numbers& r, const Numbers& n, double mu) {
  const double r_n = dot(r, n);
  const Numbers r_t = add(r, -r_n, n);
  const double slide = length(r_t);
  if (slide <= mu * r_n) return r;
  if (mu * slide <= -r_n) return Numbers(r.size(), 0.0);
  const double along = (r_n + mu * slide) / (1 + mu * mu);  // of the mantle's generator n + mu r_t/|r_t|
  return add(scale(along, n), along * mu / slide, r_t);
}

/// Dykstra: from 0, project onto w + C and onto T in turn, carrying each set's correction. Converges to the projection
/// of 0 onto the intersection. Stops when a round moves less than `still`, or gives up after `rounds`.
inline Numbers project_alternately(const Numbers& w, const Numbers& n, double mu, double still, int rounds) {
  const std::size_t d = w.size();
  Numbers v(d, 0.0), cone_correction(d, 0.0);
  for (int round = 0; round < rounds; ++round) {
    const Numbers before = v;
    const Numbers from = add(v, 1, cone_correction);
    const Numbers reached = add(w, 1, nearest_in_cone(add(from, -1, w), n, mu));
    cone_correction = add(from, -1, reached);
    v = add(reached, -dot(reached, n), n);  // a subspace needs no correction
    if (distance(v, before) <= still && distance(v, reached) <= still) break;
  }
  return v;
}

/// A random velocity of [w + C] ∩ T: a random direction of the cone, as long as it takes to stop the normal motion.
template <class Random>
Numbers reachable_velocity(const Numbers& w, const Numbers& n, double mu, Random& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(0, 1);
  Numbers u(w.size());
  for (double& x : u) x = normal(random);
  u = add(u, -dot(u, n), n);
  const double size = length(u);
  // towards the mantle as often as inside
  const double share = unit(random) < 0.5
                           ? 1
                           : std::pow(unit(random), 1.0 / static_cast<double>(std::max<std::size_t>(1, w.size() - 1)));
  const Numbers direction = size > 0 ? add(n, mu * share / size, u) : n;
  return add(w, -dot(w, n), direction);
}

}  // namespace conesweep::oracle
