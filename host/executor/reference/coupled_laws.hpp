#pragma once

#include <vector>

#include "executor/executor.hpp"
#include "executor/reference/linear_algebra.hpp"

namespace conesweep::executor::reference::coupled {

/// What enters may be left over of velocities a thousand times as large; 1e-12 of that is a few ulp of those.
inline constexpr double left_over = 1e-3;

enum class Law { contact, interval, ball, guide };

/// A block's place among the rows, and its law.
struct BlockPart {
  Law law;
  Index first, size;  // row 0 of a contact or guide is normal
  // interval: ends, which may be infinite; ball: radius in `high`; contact, guide: friction coefficient in `high`
  double low = 0, high = 0;
  bool slides_with_friction() const { return law == Law::contact && size > 1 && high > 0; }

  /// The radius of what is tangential, or of the ball, under a normal impulse r_n >= 0; its derivative by r_n.
  double reach(double r_n) const { return law == Law::contact ? high * r_n : high; }
  double slope(double) const { return law == Law::contact ? high : 0; }
};

/// Find r with u = b + W r and, between r and u of every block (B, table of laws),
///
///   contact    0 <= u_n ⊥ r_n >= 0,  |r_t| <= μ r_n,  r_t = -μ r_n u_t/|u_t| where u_t ≠ 0
///   interval   low <= r <= high,  u > 0 only at low, u < 0 only at high
///   ball       |r| <= radius,  r = -radius u/|u| where u ≠ 0
///   guide      u_n = 0,  |r_t| <= μ|r_n|,  r_t = -μ|r_n| u_t/|u_t| where u_t ≠ 0     (guides.hpp; none for
///              find_reactions)
struct Laws {
  Matrix w;  // symmetric, positive semidefinite
  Vector b;
  std::vector<BlockPart> parts = {};
  double speed = 0;  // what velocities are sums of, in the kinetic metric: along a row of unit length as large
};

struct Reactions {
  Vector r;
  std::vector<Mode> mode;  // flight: an open contact
  double residual;         // natural map in velocity units, of the size of the velocities that enter (B7)
  int pivots = 0;          // of Lemke's method, over all rounds
};

/// Another way than Gauss-Seidel and Newton on the natural map:
///
///   1. Disks and balls become polytopes with corners d_j. Friction is then a linear complementarity problem
///      ([StewartTrinkle1996]; in the plane, with
///      corners ±1, there is nothing to approximate), which Lemke's method solves.
///   2. Its answer tells the mode of every block: open, stick, slip with a direction d. In these modes the laws are
///      equations, in r_n, the speed s, and
///      d: u_t = -s d, r_t = μ r_n d, |d| = 1. A few linear solves satisfy them exactly.
///   3. Where the answer then misses a law, the mode was one of the polytope only: it gets corners where the answer
///      points, and 1. is done once more.
///
/// The best answer is returned, with its residual.
Reactions find_reactions(const Laws& laws);

}  // namespace conesweep::executor::reference::coupled
