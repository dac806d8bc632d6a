#pragma once

#include <deque>
#include <vector>

#include <Eigen/Core>

#include "scenario/scenario.hpp"

namespace conesweep::executor::reference {

/// Position, velocity, force: one entry a coordinate. Room for 64, the most a scenario may have, so that nothing is
/// allocated.
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 64, 1>;

/// The motion of one member as far as it is known: the past phi0 before 0, then the nodes. Of order one:
///
///   (P5)  q_N(s) = q_j + (s - t_j) v_j   on [t_j, t_{j+1}]
///
/// Times are counted in steps: k stands for the time k h.
class Motion {
 public:
  Motion(const scenario::Scenario& scenario, const std::vector<double>& parameters);
  virtual ~Motion() = default;

  /// Delays and windows reach so far back.
  void remember(double longest_length);

  /// The time so long before now, in steps (P10); lengths and times within 1e-9 of a whole number of steps are that
  /// number.
  double before_now(double length) const;

  /// Appends node i = 0, 1, … with the velocity v_{i-1} that led to it (v_{-1}: the start velocity).
  void add_node(const Vector& q, const Vector& v_before);

  /// The time up to which the motion is known: the newest node, or, inside the step after it, the end of a line from
  /// there to q (B6).
  void look_from(double k, const Vector& q, const Vector& v);

  virtual Vector position(double k) const;  // q at the time k h <= now
  /// So long before now: of the step that holds that time; of the step that begins at the newest node the newest known,
  /// that of now.
  virtual Vector delayed_velocity(double length) const;

  Vector past_position(double t) const;  // phi0(t)
  Vector past_velocity(double t) const;  // phi0'(t); at 0 what [start] says, or the derivative from the left

 protected:
  double h() const { return h_; }
  double now() const { return now_; }
  const Vector& present_position() const { return q_now_; }
  std::int64_t newest() const { return newest_; }
  /// Of node j, which is still known.
  const Vector& node_position(std::int64_t j) const { return q_[place_of(j)]; }
  const Vector& node_velocity(std::int64_t j) const { return v_before_[place_of(j)]; }

 private:
  std::size_t place_of(std::int64_t j) const {
    return static_cast<std::size_t>(j - (newest_ + 1 - static_cast<std::int64_t>(q_.size())));
  }

  const scenario::Scenario& scenario_;
  const std::vector<double>& parameters_;
  double h_;
  std::size_t kept_ = 2;         // nodes that a delay can still reach
  std::int64_t newest_ = -1;     // i
  std::deque<Vector> q_;         // nodes newest - size + 1 … newest
  std::deque<Vector> v_before_;  // the velocities that led to them
  double now_ = 0;               // in steps; after the newest node only inside a step
  Vector q_now_, v_now_;
};

/// In steps; within 1e-9 of a whole number it is that number (P10).
double to_whole(double steps);

}  // namespace conesweep::executor::reference
