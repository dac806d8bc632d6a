#include "executor/reference/linear_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>

namespace conesweep::executor::reference::coupled {

Cholesky::Cholesky(const Matrix& m) {
  const Eigen::LLT<Matrix> factors(m);
  lower_ = factors.matrixL();
  succeeded_ = factors.info() == Eigen::Success;
}

Matrix Cholesky::solve(const Matrix& columns) const {
  return lower_.transpose().triangularView<Eigen::Upper>().solve(whiten(columns));
}

Matrix Cholesky::whiten(const Matrix& columns) const { return lower_.triangularView<Eigen::Lower>().solve(columns); }
Vector Cholesky::weigh(const Vector& v) const { return lower_.transpose().triangularView<Eigen::Upper>() * v; }
Vector Cholesky::unweigh(const Vector& y) const { return lower_.transpose().triangularView<Eigen::Upper>().solve(y); }

OrthogonalFactors::OrthogonalFactors(const Matrix& a) : q(Matrix::Identity(a.rows(), a.rows())), r(0, 0) {
  if (a.cols() == 0) return;
  const Eigen::HouseholderQR<Matrix> factors(a);
  q = factors.householderQ();
  r = factors.matrixQR().topRows(a.cols()).triangularView<Eigen::Upper>();
}

Vector OrthogonalFactors::solve(const Vector& x) const { return r.triangularView<Eigen::Upper>().solve(x); }
Vector OrthogonalFactors::solve_transposed(const Vector& x) const {
  return r.transpose().triangularView<Eigen::Lower>().solve(x);
}

bool OrthogonalFactors::is_dependent(const Matrix& a, Index k, double share) const {
  return !(r(k, k) * r(k, k) > share * a.col(k).squaredNorm());
}

Vector solve_least_squares(const Matrix& a, const Vector& b) { return a.completeOrthogonalDecomposition().solve(b); }

Matrix pseudo_inverse(const Matrix& a) { return a.completeOrthogonalDecomposition().pseudoInverse(); }

Index count_pivots(const Matrix& a, double share) {
  Eigen::ColPivHouseholderQR<Matrix> factors(a);
  factors.setThreshold(share);
  return factors.rank();
}

}  // namespace conesweep::executor::reference::coupled
