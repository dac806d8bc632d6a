#pragma once

#include <Eigen/Core>
#include <cmath>

#include "support/dense.hpp"

namespace conesweep::test {

/// A uniform ladder that slides on floor and wall, from rest: with c = L/2, x = c cos θ, y = c sin θ and both forces of
/// friction against the slide
///
///   m x'' = N2 - μ1 N1,   m y'' = N1 + μ2 N2 - m g,   (m L²/12) θ'' = c [(μ1 sin θ - cos θ) N1 + (μ2 cos θ + sin θ)
///   N2],
///
/// which is linear in θ'', N1 and N2. Classical Runge-Kutta, with steps so small that its error is far below that of
/// what it checks.
class FallingLadder {
 public:
  struct Data {
    double m, L, g, mu1, mu2;
  };

  FallingLadder(const Data& data, double angle, double end) : data_(data), angle_(angle) {
    constexpr int steps = 1000;
    const double h = end / steps;
    for (int i = 0; i < steps; ++i) {
      const double a1 = acceleration(angle_, speed_), v1 = speed_;
      const double v2 = speed_ + h / 2 * a1, a2 = acceleration(angle_ + h / 2 * v1, v2);
      const double v3 = speed_ + h / 2 * a2, a3 = acceleration(angle_ + h / 2 * v2, v3);
      const double v4 = speed_ + h * a3, a4 = acceleration(angle_ + h * v3, v4);
      angle_ += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      speed_ += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }

  double angle() const { return angle_; }
  double speed() const { return speed_; }
  /// A force became so small that the ladder is about to leave floor or wall: from there on the equations are others.
  bool lets_go() const { return least_force_ < 0.02 * data_.m * data_.g; }

 private:
  double acceleration(double angle, double speed) {
    const double c = data_.L / 2, s = std::sin(angle), k = std::cos(angle), m = data_.m;
    Eigen::Matrix3d equations;  // of θ'', N1, N2
    equations << -m * c * s, data_.mu1, -1, m * c * k, -1, -data_.mu2, m * data_.L * data_.L / 12,
        -c * (data_.mu1 * s - k), -c * (data_.mu2 * k + s);
    const Eigen::Vector3d known(m * c * k * speed * speed, m * c * s * speed * speed - m * data_.g, 0);
    const Eigen::Vector3d solved = test::solve(equations, known);
    least_force_ = std::min({least_force_, solved[1], solved[2]});
    return solved[0];
  }

  Data data_;
  double angle_, speed_ = 0;
  double least_force_ = 1e300;
};

}  // namespace conesweep::test
