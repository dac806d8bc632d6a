#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

/// Do impulses r and velocities u obey a block's law? Written out as inequalities, without projections: by how much, as
/// a velocity, the worst of them is missed. `w` is the block's part of W; an impulse counts as the velocity that it
/// makes in its own row.
namespace conesweep::oracle {

inline double positive(double x) { return std::isnan(x) ? x : std::max(0.0, x); }

/// low <= r <= high; u > 0 only at low, u < 0 only at high.
inline double miss_interval(double w, double r, double u, double low, double high) {
  return std::max({positive(low - r) * w, positive(r - high) * w, std::min(positive(u), positive(r - low) * w),
                   std::min(positive(-u), positive(high - r) * w)});
}

/// |r| <= radius, and maximal dissipation: |u| r = -radius u, as a velocity whichever of |u| and the radius is small.
inline double miss_ball(double w, const Eigen::VectorXd& r, const Eigen::VectorXd& u, double radius) {
  const double speed = u.norm(), sum = speed + radius * w;
  const double maximal = sum == 0 ? 0 : (speed * r + radius * u).norm() * w / sum;
  return std::max(positive(r.norm() - radius) * w, maximal);
}

/// 0 <= u_n, 0 <= r_n, one of them 0; friction is in the disk of radius μ r_n and dissipates most. With cohesion the
/// same of r_n + cohesion.
inline double miss_contact(const Eigen::MatrixXd& w, const Eigen::VectorXd& r, const Eigen::VectorXd& u, double mu,
                           double cohesion = 0) {
  const double w_n = w(0, 0), pressed = r[0] + cohesion;
  const double normal =
      std::max({positive(-u[0]), positive(-pressed) * w_n, std::min(positive(u[0]), positive(pressed) * w_n)});
  const Eigen::Index tangents = r.size() - 1;
  if (tangents == 0) return normal;
  return std::max(normal, miss_ball(w.diagonal().tail(tangents).maxCoeff(), r.tail(tangents), u.tail(tangents),
                                    mu * positive(pressed)));
}

}  // namespace conesweep::oracle
