#pragma once

#include "executor/reference/coupled_laws.hpp"
#include "executor/reference/slopes.hpp"

namespace conesweep::executor::reference {

/// A stretch of time that is solved at once: a step, a part of a step between percussions, or a percussion, whose
/// length is 0 (B6).
struct Stretch {
  double begin = 0, end = 0;
  double h = 0;
  bool is_atom() const { return h == 0; }
};

/// Rows of a law and its drive: velocities u = A v - c.
struct Rows {
  coupled::Matrix a;
  coupled::Vector c;
  coupled::Vector velocities(const Vector& v) const { return a * v - c; }
};

/// |u_t| of a contact: of its sliding rows; a plain row, which has none, leaves what of v lies along it.
double speed_along(const Rows& contact, const Vector& v);

/// g of a contact and the length of its gradient: of g in the coordinates, with a point in space.
struct Gap {
  double g;
  double steepness;
};

/// The mass matrix and what its changes do to a motion.
struct Inertia {
  coupled::Matrix mass;
  coupled::Vector turning;  // D_i = Σ_jk [∂M_ij/∂q_k - ½ ∂M_jk/∂q_i] v_j v_k
};

/// Rows and drives (B, B8) of the laws of a scenario at one place, for one stretch of time. Rows are those at its
/// begin, drives those at its end; a wall that moves has the difference quotient of g over the stretch (P13), at a
/// percussion ∂g/∂t.
class LawsAtPlace {
 public:
  LawsAtPlace(const scenario::Scenario& scenario, const Place& begin, const Stretch& stretch)
      : scenario_(scenario), begin_(begin), stretch_(stretch) {}

  const Place& begin() const { return begin_; }
  double g(std::size_t contact) const { return value_at(scenario_.contacts[contact].g, begin_); }
  Gap gap(std::size_t contact) const;
  double penetration(std::size_t contact) const;  // (O7) max(0, g) over the scale of the normal row
  double scale(std::size_t contact) const;        // |∇g|, of a point in space; 1 where the row is -∇g as written

  /// Row 0 is normal, the others are sliding velocities: all tangents of a particle, those in space of a point, the
  /// slip rows, or none (in one dimension, and of a plain row). Stops with singular_gradient where there is no normal.
  Rows contact(std::size_t contact) const;

  /// |u_t| of a contact, touching or not; NaN where it has no normal.
  double sliding_speed(std::size_t contact, const Vector& v) const;

  Rows firm() const;                        // of all bilateral constraints
  Rows guide(std::size_t bilateral) const;  // one with friction (G): its row, then what slides
  Rows resistance(std::size_t resistance) const;

  Inertia inertia(const Vector& v) const;

 private:
  struct Obstacle;
  Obstacle obstacle(const scenario::Contact& contact) const;
  Place end() const { return {begin_.parameters, begin_.q, stretch_.end}; }
  double rate(const expression::Expr& formula) const;
  void add_sliding(const std::vector<scenario::Formula>& slip, const std::vector<scenario::Formula>& drive,
                   Eigen::Index first, Rows& rows) const;

  const scenario::Scenario& scenario_;
  Place begin_;
  Stretch stretch_;
};

}  // namespace conesweep::executor::reference
