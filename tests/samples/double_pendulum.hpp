#pragma once

#include <Eigen/Core>
#include <cmath>

#include "support/dense.hpp"

namespace conesweep::test {

/// Two bars with spiral springs in their joints, a follower force λ at the end and damping η in both joints, by the
/// equations of Lagrange written out by hand, with a = m2 l1 l2/2, δ = q1 - q2:
///
///   (m1/3 + m2) l1² q1'' + a cos δ q2'' = λ l1 sin δ - (k1 + k2) q1 + k2 q2 - 2η q1' + η q2' - a sin δ q2'²
///   a cos δ q1'' + (m2/3) l2² q2''      = k2 (q1 - q2) + η (q1' - q2') + a sin δ q1'²
///
/// Classical Runge-Kutta. Beside a wall the joint and the end bounce with restitution e, at times found by bisection.
class DoublePendulum {
 public:
  using Vector = Eigen::Vector2d;
  struct Data {
    double m1, m2, l1, l2, k1, k2, lam, eta = 0, e = 0;
    bool wall = false;
  };
  struct State {
    Vector q, v;
  };

  DoublePendulum(const Data& data, const Vector& q) : data_(data), now_{q, Vector::Zero()}, swing_(std::fabs(q[0])) {}

  void run(double end, int steps) {
    const double h = end / steps;
    for (int i = 0; i < steps; ++i) {
      double left = h;
      while (left > 0) left -= step(left, i * h + h - left);
      swing_ = std::max(swing_, std::fabs(now_.q[0]));
    }
  }

  const State& state() const { return now_; }
  double swing() const { return swing_; }  // largest |q1|
  int impacts() const { return impacts_; }
  double first_impact() const { return first_impact_; }
  double last_impact() const { return last_impact_; }
  double slowest_impact() const { return slowest_impact_; }

 private:
  Eigen::Matrix2d mass(const Vector& q) const {
    const double a = data_.m2 * data_.l1 * data_.l2 / 2 * std::cos(q[0] - q[1]);
    Eigen::Matrix2d m;
    m << (data_.m1 / 3 + data_.m2) * data_.l1 * data_.l1, a, a, data_.m2 * data_.l2 * data_.l2 / 3;
    return m;
  }
  Vector acceleration(const State& s) const {
    const double b = data_.m2 * data_.l1 * data_.l2 / 2 * std::sin(s.q[0] - s.q[1]), eta = data_.eta;
    const Vector f(data_.lam * data_.l1 * std::sin(s.q[0] - s.q[1]) - (data_.k1 + data_.k2) * s.q[0] +
                       data_.k2 * s.q[1] - 2 * eta * s.v[0] + eta * s.v[1] - b * s.v[1] * s.v[1],
                   data_.k2 * (s.q[0] - s.q[1]) + eta * (s.v[0] - s.v[1]) + b * s.v[0] * s.v[0]);
    return test::solve(mass(s.q), f);
  }
  State advanced(const State& s, double h) const {
    const auto at = [&](const Vector& dq, const Vector& dv, double share) {
      return State{s.q + share * dq, s.v + share * dv};
    };
    const Vector a1 = acceleration(s);
    const State s2 = at(s.v, a1, h / 2);
    const Vector a2 = acceleration(s2);
    const State s3 = at(s2.v, a2, h / 2);
    const Vector a3 = acceleration(s3);
    const State s4 = at(s3.v, a3, h);
    return {s.q + h / 6 * (s.v + 2 * s2.v + 2 * s3.v + s4.v), s.v + h / 6 * (a1 + 2 * a2 + 2 * a3 + acceleration(s4))};
  }

  double gap(int contact, const Vector& q) const {
    return data_.l1 * std::sin(q[0]) + (contact == 1 ? data_.l2 * std::sin(q[1]) : 0);
  }
  Vector row(int contact, const Vector& q) const {
    return {data_.l1 * std::cos(q[0]), contact == 1 ? data_.l2 * std::cos(q[1]) : 0};
  }
  // a contact that the end of the step lies behind, and that is approached there
  int crossed(const State& s) const {
    for (int contact = 0; data_.wall && contact < 2; ++contact)
      if (gap(contact, s.q) < 0 && row(contact, s.q).dot(s.v) < 0) return contact;
    return -1;
  }

  // at most h long; ends at an impact. Gives the length
  double step(double h, double t) {
    const State end = advanced(now_, h);
    if (crossed(end) < 0) {
      now_ = end;
      return h;
    }
    double before = 0, after = h;
    for (int i = 0; i < 60; ++i) {
      const double middle = (before + after) / 2;
      (crossed(advanced(now_, middle)) < 0 ? before : after) = middle;
    }
    now_ = advanced(now_, after);
    const int contact = crossed(now_);
    const Vector a = row(contact, now_.q), push = test::solve(mass(now_.q), a);
    const double speed = a.dot(now_.v);
    now_.v -= (1 + data_.e) * speed / a.dot(push) * push;
    if (impacts_++ == 0) first_impact_ = t + after;
    last_impact_ = t + after;
    slowest_impact_ = std::min(slowest_impact_, -speed);
    return after;
  }

  Data data_;
  State now_;
  double swing_;
  int impacts_ = 0;
  double first_impact_ = std::nan(""), last_impact_ = 0, slowest_impact_ = 1e300;
};

}  // namespace conesweep::test
