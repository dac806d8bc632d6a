#pragma once

#include <Eigen/Core>

/// The factorisations that the reference executor asks for, of plain matrices. They are Eigen's, compiled here and
/// once: each of its templates takes seconds wherever it is used.
namespace conesweep::executor::reference::coupled {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// M = L Lᵀ: lengths in the kinetic metric. Columns x become L⁻¹x, and velocities Lᵀv have the length |v|_M.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const Matrix& m);
  bool succeeded() const { return succeeded_; }
  const Matrix& lower() const { return lower_; }

  Matrix solve(const Matrix& columns) const;   // M⁻¹x
  Matrix whiten(const Matrix& columns) const;  // L⁻¹x
  Vector weigh(const Vector& v) const;         // Lᵀv
  Vector unweigh(const Vector& y) const;       // L⁻ᵀy

 private:
  Matrix lower_;
  bool succeeded_ = false;
};

/// A = Q [R; 0] of a matrix with no more columns than rows: Q is square, R upper triangular.
struct OrthogonalFactors {
  OrthogonalFactors() = default;
  explicit OrthogonalFactors(const Matrix& a);
  Matrix q, r;

  Vector solve(const Vector& x) const;                                 // R⁻¹x
  Vector solve_transposed(const Vector& x) const;                      // R⁻ᵀx
  auto made() const { return q.leftCols(r.cols()); }                   // spans the columns of A
  auto left_over() const { return q.rightCols(q.cols() - r.cols()); }  // is orthogonal to them

  /// Is column k of A, but for so small a share of its squared length, made of those before it?
  bool is_dependent(const Matrix& a, Index k, double share) const;
};

/// The shortest x that minimises |A x - b|.
Vector solve_least_squares(const Matrix& a, const Vector& b);

/// A⁺
Matrix pseudo_inverse(const Matrix& a);

/// Pivots of A above so large a share of the largest.
Index count_pivots(const Matrix& a, double share);

}  // namespace conesweep::executor::reference::coupled
