#pragma once

#include <Eigen/Core>
#include <optional>

/// Linear algebra for tests that know an answer by equations of their own: Eigen's, compiled here and once, for each of
/// its factorisations takes seconds wherever it is used.
namespace conesweep::test {

/// The solution of A X = B, by full pivoting.
Eigen::MatrixXd solve(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// The same, if there is one and one alone.
std::optional<Eigen::VectorXd> solve_unique(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);
double determinant(const Eigen::MatrixXd& a);

/// The shortest x that minimises |A x - b|.
Eigen::VectorXd solve_least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// L of M = L Lᵀ, and L⁻¹X: columns in coordinates in which M is 1.
Eigen::MatrixXd lower_factor(const Eigen::MatrixXd& m);
Eigen::MatrixXd whiten(const Eigen::MatrixXd& m, const Eigen::MatrixXd& columns);

/// Q of A = Q R: of normal numbers it is a random rotation, or reflection.
Eigen::MatrixXd random_rotation(const Eigen::MatrixXd& normals);

/// Eigenvalues of a symmetric matrix, in order.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& a);

}  // namespace conesweep::test
