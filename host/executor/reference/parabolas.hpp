#pragma once

#include "executor/reference/motion.hpp"

namespace conesweep::executor::reference {

/// The motion of a member whose steps are of second order (A10): nodes have the velocity there, and between two of them
/// lies the parabola that leaves the first with its velocity and ends in the second.
class Parabolas final : public Motion {
 public:
  using Motion::Motion;

  /// In the present step a piece begins at k, in steps, and has this length, in steps.
  void begin_piece(double k, double length, const Vector& q, const Vector& v);

  Vector position(double k) const override;
  /// The mean over the delayed piece, (q(t+ℓ-τ) - q(t-τ))/ℓ.
  Vector delayed_velocity(double length) const override;

 private:
  Vector at(double k) const;
  Vector velocity_at(double k) const;

  double begin_ = 0, length_ = 1;
  Vector q_begin_, v_begin_;
};

}  // namespace conesweep::executor::reference
