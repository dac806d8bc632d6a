#pragma once

#include <Eigen/Core>

namespace conesweep::executor::reference::coupled {

/// Numbers with 64 bits of mantissa where the machine has them: a tableau gathers the rounding of all its pivots.
using Wide = long double;
using WideMatrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic>;
using WideVector = Eigen::Matrix<Wide, Eigen::Dynamic, 1>;

enum class LemkeEnd {
  solved,
  ray,     // no pivot: Lemke's path leads to infinity
  cycled,  // more pivots than a path should have: rounding has broken the order
};

/// The linear complementarity problem, by complementary pivoting [Lemke1965]:
///
///   y = q + M z,   y >= 0,   z >= 0,   y·z = 0
///
/// One more unknown z0 >= 0 with a covering vector d > 0, y = q + M z + d z0, makes a start possible: z = 0, z0 large.
/// Whatever leaves the basis, its partner enters, until z0 leaves. Ties are broken by lexicographic order, so that no
/// basis comes twice. For copositive M (plane friction, resistances) a ray means that there is no solution, or, with
/// restitution, that this path has found none. `pivots` is raised by how many the path took.
LemkeEnd solve_lcp(const WideMatrix& m, const WideVector& q, const WideVector& cover, WideVector& z, int& pivots);

}  // namespace conesweep::executor::reference::coupled
