#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

/// Closed forms of the exact answers E1 … E12 of docs/theory.md. Pure functions of the data; no time stepping anywhere.
namespace conesweep::oracle {

/// E1: falls from `height` with horizontal speed u onto a rough plane, e = 0.
struct FallAndSlide {
  double hit_time, slide_speed, stop_time, stop_place;
};
inline FallAndSlide fall_and_slide(double height, double u, double mu, double gravity) {
  FallAndSlide a{};
  a.hit_time = std::sqrt(2 * height / gravity);
  a.slide_speed = std::max(0.0, u - mu * std::sqrt(2 * gravity * height));
  a.stop_time = a.hit_time + a.slide_speed / (mu * gravity);
  a.stop_place = u * a.hit_time + a.slide_speed * a.slide_speed / (2 * mu * gravity);
  return a;
}

/// E2: acceleration down a slope, from rest.
inline double slope_acceleration(double theta, double mu, double gravity) {
  return std::tan(theta) <= mu ? 0 : gravity * (std::sin(theta) - mu * std::cos(theta));
}

/// E3: turning points of a spring-held block on a rough plane, from rest at x0; the last one is where it rests.
inline std::vector<double> turning_points(double x0, double k, double mu, double gravity) {
  const double dead = mu * gravity / k;  // friction holds it where |x| <= dead
  std::vector<double> x = {x0};
  while (std::fabs(x.back()) > dead) x.push_back(-(x.back() - std::copysign(2 * dead, x.back())));
  return x;
}

/// E5: speed along a rough circular wall from inside, no force.
inline double bowl_speed(double s0, double mu, double radius, double t) { return s0 / (1 + mu * s0 * t / radius); }

/// ∫_0^t s² of the above; the scheme drifts out by h/(2R) times this (P9).
inline double bowl_speed_squared_integral(double s0, double mu, double radius, double t) {
  return s0 * s0 * t / (1 + mu * s0 * t / radius);
}

/// E6 with mu(x) = m0 (1 + b x): what is left of s², and where it is used up.
inline double rough_plane_speed_squared(double s0, double m0, double b, double gravity, double x) {
  return s0 * s0 - 2 * gravity * m0 * (x + b * x * x / 2);
}
inline double rough_plane_stop(double s0, double m0, double b, double gravity) {
  return (std::sqrt(1 + b * s0 * s0 / (gravity * m0)) - 1) / b;
}

/// E8: impact times of a ball that falls from rest at `height` with acceleration f and restitution e; and when it comes
/// to rest.
inline double impact_time(int k, double height, double f, double e) {
  const double arrival = std::sqrt(2 * f * height);
  double t = arrival / f;
  for (int j = 1; j < k; ++j) t += 2 * arrival * std::pow(e, j) / f;
  return t;
}
inline double rest_time(double height, double f, double e) { return std::sqrt(2 * height / f) * (1 + e) / (1 - e); }

/// E12: q'' = q'², q(0) = 0, q'(0) = 1.
inline double blow_up_position(double t) { return -std::log(1 - t); }
inline double blow_up_velocity(double t) { return 1 / (1 - t); }

}  // namespace conesweep::oracle
