#include "executor/reference/lemke.hpp"

#include <cmath>
#include <vector>

namespace conesweep::executor::reference::coupled {
namespace {

using Eigen::Index;

/// Columns y (n), z (n), z0, right-hand side; a row a basic unknown. The columns of y are the inverse of the basis.
struct Tableau {
  Index n;
  WideMatrix t;
  std::vector<Index> basic;  // column of the unknown that is basic in a row

  Tableau(const WideMatrix& m, const WideVector& q, const WideVector& cover)
      : n(q.size()), t(n, 2 * n + 2), basic(static_cast<std::size_t>(n)) {
    t << WideMatrix::Identity(n, n), -m, -cover, q;
    for (Index i = 0; i < n; ++i) basic[static_cast<std::size_t>(i)] = i;
  }
  Index z0() const { return 2 * n; }
  Index right() const { return 2 * n + 1; }
  Index partner(Index column) const { return column < n ? column + n : column - n; }

  /// Is row i before row k in the order of (right, inverse of the basis) over the entering column? Ratios that differ
  /// by rounding are equal.
  bool comes_before(Index i, Index k, Index entering) const {
    constexpr Wide rounding = 1e-15L;
    for (Index step = 0; step <= n; ++step) {
      const Index column = step == 0 ? right() : step - 1;
      const Wide a = t(i, column) / t(i, entering), b = t(k, column) / t(k, entering);
      if (std::fabs(a - b) > rounding * (std::fabs(a) + std::fabs(b))) return a < b;
    }
    return false;
  }

  void pivot(Index row, Index entering) {
    t.row(row) /= Wide(t(row, entering));
    for (Index i = 0; i < n; ++i) {
      if (const Wide factor = t(i, entering); i != row && factor != 0) t.row(i) -= factor * t.row(row);
    }
    basic[static_cast<std::size_t>(row)] = entering;
  }
};

}  // namespace

LemkeEnd solve_lcp(const WideMatrix& m, const WideVector& q, const WideVector& cover, WideVector& z, int& pivots) {
  const Index n = q.size();
  z = WideVector::Zero(n);
  if (n == 0 || q.minCoeff() >= 0) return LemkeEnd::solved;
  Tableau tableau(m, q, cover);

  // z0 enters as large as it must be: the lexicographically last of the rows (q, I)/d leaves
  Index leaving = 0;
  for (Index i = 1; i < n; ++i) {
    if (q[i] / cover[i] <= q[leaving] / cover[leaving]) leaving = i;
  }
  Index entering = tableau.z0();
  for (Index count = 0; count < 50 * n + 100; ++count) {
    const Index left = tableau.basic[static_cast<std::size_t>(leaving)];
    tableau.pivot(leaving, entering);
    ++pivots;
    if (left == tableau.z0()) {
      for (Index i = 0; i < n; ++i) {
        const Index column = tableau.basic[static_cast<std::size_t>(i)];
        if (column >= n) z[column - n] = std::fmax(Wide(0), tableau.t(i, tableau.right()));
      }
      return LemkeEnd::solved;
    }
    // its partner enters; the first row to reach 0 leaves, z0 before others
    entering = tableau.partner(left);
    const Wide small = 1e-14L * tableau.t.col(entering).cwiseAbs().maxCoeff();
    leaving = -1;
    for (Index i = 0; i < n; ++i) {
      if (tableau.t(i, entering) > small && (leaving < 0 || tableau.comes_before(i, leaving, entering))) leaving = i;
    }
    if (leaving < 0) return LemkeEnd::ray;
    for (Index i = 0; i < n; ++i) {
      if (tableau.basic[static_cast<std::size_t>(i)] != tableau.z0() || !(tableau.t(i, entering) > small)) continue;
      const Wide ratio = tableau.t(i, tableau.right()) / tableau.t(i, entering),
                 least = tableau.t(leaving, tableau.right()) / tableau.t(leaving, entering);
      if (ratio <= least + 1e-15L * std::fabs(least)) leaving = i;
    }
  }
  return LemkeEnd::cycled;
}

}  // namespace conesweep::executor::reference::coupled
