#pragma once

#include <vector>

#include "executor/reference/parabolas.hpp"
#include "executor/reference/stretch.hpp"

namespace conesweep::executor::reference {

/// (A11) so many events a step
inline constexpr int most_events = 6;

/// A wall at a place (A): its inward normal, and the velocity of its material.
struct WallAt {
  Vector n, c;
  double steepness;

  double along(const Vector& v) const { return n.dot(v - c); }
  Vector tangential(const Vector& v) const { return (v - c) - along(v) * n; }
};

/// Where a piece of a step ended before the step did, and the velocities there.
struct PieceEnd {
  double t;
  Vector q, before, after;
};

/// A step of second order on its way: where the member is, and what its pieces did so far.
class StepOnTheWay {
 public:
  StepOnTheWay(const scenario::Scenario& scenario, const std::vector<double>& parameters, Present& present,
               Parabolas& motion, std::int64_t i);

  double t, begin, end, h;  // now; of the step
  Vector q, v;              // where the member is
  Vector f;                 // the newest force
  int events = 0;
  bool crowded = false, hyperstatic = false;
  std::vector<PieceEnd> met;  // in the order of time

  std::size_t contacts() const { return scenario_.contacts.size(); }
  const scenario::Contact& contact(std::size_t p) const { return scenario_.contacts[p]; }
  double steps_at(double time) const;  // in steps since the start

  /// Names mean this time, place and velocity, in a piece that begins here and now and has this length.
  void look(double when, const Vector& place, const Vector& velocity, double length);
  Vector force(double when, const Vector& place, const Vector& velocity, double length);
  double friction(std::size_t p) const { return friction_of(contact(p), present_); }
  bool forces_use_velocity() const { return forces_use_velocity_; }

  double gap(std::size_t p, double when, const Vector& place) const;
  WallAt wall(std::size_t p, double when, const Vector& place) const;
  double closing_speed(std::size_t p, double when, const Vector& place, const Vector& velocity) const;  // ġ
  double closing_acceleration(std::size_t p, const Vector& velocity) const;  // g̈ here and now, with the force f
  Vector on_wall(std::size_t p, double when, Vector place) const;            // (B5)
  double place_tolerance() const;
  double velocity_tolerance(std::size_t p) const;

  /// (A5) all that touches, at once; `arrived` touches whatever rounding says.
  void strike(std::optional<std::size_t> arrived);

  /// (A12) v̄ of a piece of this length, from its force, with the contacts `closed`; what they did.
  Solved solve_middle(const std::vector<std::size_t>& closed, double length, const Vector& force);

  // what a piece leaves
  void note_motion(double length, const Vector& force, const Vector& after);
  void note_contact(std::size_t p, double length, const Vector& force, const Vector& after, const WallAt& mean);
  void note_closed(double length, double share, const Vector& after, const Solved& middle);
  void note_mode(double length, bool stick);
  void note_stick(std::size_t p, bool stick) { sticks_[p] = stick; }
  void go_on(double when, const Vector& place, const Vector& velocity);

  /// What observers read of the whole step.
  void tell(NodeRecord& node) const;
  double impulse_of(std::size_t p) const { return impulse_[p]; }

 private:
  Solved solve(const std::vector<std::size_t>& touching, const std::vector<bool>& rests);

  const scenario::Scenario& scenario_;
  const std::vector<double>& parameters_;
  Present& present_;
  Parabolas& motion_;
  bool forces_use_velocity_;
  std::int64_t i_;
  std::vector<double> impulse_;
  std::vector<bool> active_, sticks_, struck_;
  Balance balance_;
  Pieces pieces_;
};

}  // namespace conesweep::executor::reference
