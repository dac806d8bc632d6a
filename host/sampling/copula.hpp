#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::sampling {

using Matrix = std::vector<std::vector<double>>;  // [row][column]

/// The variations that the scenario correlates, in the order of `vary`, and their correlations; 0 where it says
/// nothing.
struct Correlations {
  std::vector<std::size_t> variations;
  Matrix matrix;
};
Correlations gather_correlations(const scenario::Scenario& scenario);

/// L with L Lᵀ = A, lower triangular; nothing if the symmetric A is not positive definite.
std::optional<Matrix> factor(const Matrix& a);

/// Of a correlation matrix; of one without rows (nothing is correlated) 1, as of the unit matrix.
double smallest_eigenvalue(const Matrix& a);

/// A correlation matrix nearer to singular than this is refused: its factor would be rounding errors.
inline constexpr double least_eigenvalue = 1e-12;

/// The normal copula: correlated points from independent ones.
///
///   (1)  z_i = Φ⁻¹(u_i),   z' = L z  with  L Lᵀ = R,   u'_i = Φ(z'_i)
///
/// R holds the scenario's correlations; each u'_i is uniform again. A point whose row of L is that of the unit matrix
/// stays what it is, to the bit: variations without correlation, and the first of those that have one.
class Copula {
 public:
  explicit Copula(const scenario::Scenario& scenario);

  /// Columns of points, one a variation, each of the same members.
  void correlate(std::span<const std::span<double>> columns) const;

 private:
  struct Term {
    std::size_t source;  // variation
    double weight;
  };
  struct Row {
    std::size_t target;  // variation
    std::vector<Term> terms;
  };
  std::vector<std::size_t> sources_;  // variations whose z is needed
  std::vector<Row> rows_;             // of L, those with more than the diagonal
};

}  // namespace conesweep::sampling
