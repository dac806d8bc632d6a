#include "support/dense.hpp"

#include <Eigen/Dense>

namespace conesweep::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd solve(const MatrixXd& a, const MatrixXd& b) { return a.fullPivLu().solve(b); }

std::optional<VectorXd> solve_unique(const MatrixXd& a, const VectorXd& b) {
  const Eigen::FullPivLU<MatrixXd> factors(a);
  if (!factors.isInvertible()) return std::nullopt;
  return VectorXd(factors.solve(b));
}

MatrixXd inverse(const MatrixXd& a) { return a.fullPivLu().inverse(); }
double determinant(const MatrixXd& a) { return a.fullPivLu().determinant(); }

VectorXd solve_least_squares(const MatrixXd& a, const VectorXd& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}

MatrixXd lower_factor(const MatrixXd& m) { return m.llt().matrixL(); }
MatrixXd whiten(const MatrixXd& m, const MatrixXd& columns) { return m.llt().matrixL().solve(columns); }

MatrixXd random_rotation(const MatrixXd& normals) { return normals.householderQr().householderQ(); }

VectorXd eigenvalues(const MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace conesweep::test
