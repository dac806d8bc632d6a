#pragma once

#include <vector>

#include "executor/reference/coupled_laws.hpp"
#include "executor/reference/lemke.hpp"

namespace conesweep::executor::reference::coupled {

/// Unit vectors whose hull stands for the disk of friction, or for a ball, of one block. Empty where the law has
/// neither.
using Corners = std::vector<Vector>;

/// ±1 on a line, where the hull is the ball; 8 on a circle, 14 on a sphere.
Corners first_corners(const BlockPart& part);

/// Adds the direction of x, unless x is 0 or the direction is there.
void add_corner(Corners& corners, const Vector& x);

/// Lemke's path can be chosen: another covering vector leads along another one. A little compliance, W + ε I, makes it
/// lead somewhere where a block jams: impulses that cancel can then be added at will, and rounding decides whether a
/// path goes to infinity along them.
struct Attempt {
  double compliance;
  int cover;  // 0: all ones; others are spread over [1, 3[ by the golden ratio
};

/// The laws as a linear complementarity problem. Every unknown z_j >= 0 is an impulse along g_j, or the speed σ of a
/// block's slip:
///
///   r = r0 + G z,   y = Gᵀu + C z + c,   u = b + W r
///
///   contact      z_n: y = u_n.  z_j along corner d_j: y = d_j·u_t + σ.  σ: y = μ z_n - Σ z_j   [StewartTrinkle1996]
///   ball         z_j: y = d_j·u + σ.  σ: y = radius - Σ z_j
///   interval     r = low + z: y = u + σ.  σ: y = high - low - z; with one end, or none, the like without σ
class PolytopeProblem {
 public:
  PolytopeProblem(const Laws& laws, const std::vector<Corners>& corners);

  /// Impulses, and the mode that the complementary basis says. False where Lemke's method fails. `pivots` is raised by
  /// its number of pivots.
  bool solve(const Attempt& attempt, Vector& r, std::vector<Mode>& mode, int& pivots) const;

 private:
  Index add_unknown();  // its number
  Index add_impulse(Index row, double along);
  Index add_corners(const BlockPart& part, Index first_row, const Corners& corners);  // the number of σ
  void add_interval(const BlockPart& part);
  void add(const BlockPart& part, const Corners& corners);

  struct Unknowns {  // unknowns of a block: -1 where it has none
    Index normal = -1, slip = -1;
  };
  const Laws& laws_;
  WideMatrix g_, c_matrix_;
  WideVector r0_, c_;
  std::vector<Unknowns> places_;
};

}  // namespace conesweep::executor::reference::coupled
