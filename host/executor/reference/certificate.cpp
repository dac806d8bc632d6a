#include "executor/reference/certificate.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace conesweep::executor::reference {

using coupled::Index;
using coupled::Matrix;

Certificates find_certificates(const CertificateProblem& problem) {
  const coupled::Cholesky mass(problem.mass);
  const Index n = problem.mu.size();
  const Eigen::FullPivLU<Matrix> normal(problem.normals * mass.solve(problem.normals.transpose()));
  const Matrix m = normal.solve(problem.normals * mass.solve(problem.tangents.transpose()));
  const coupled::Vector rho = normal.solve(-(problem.normals * mass.solve(problem.force) + problem.turning));
  Certificates found;
  for (std::size_t vertex = 0; vertex < (std::size_t{1} << n); ++vertex) {
    coupled::Vector slide = problem.mu;
    for (Index p = 0; p < n; ++p) slide[p] *= (vertex >> p) % 2 == 0 ? 1 : -1;
    const Eigen::FullPivLU<Matrix> balance(Matrix::Identity(n, n) + m * slide.asDiagonal());
    found.exact = std::min(found.exact, balance.determinant());
    if (balance.determinant() == 0) continue;
    const coupled::Vector r = balance.solve(rho);
    for (Index p = 0; p < n; ++p) found.exact = std::min(found.exact, rho[p] == 0 ? 0 : r[p] / std::fabs(rho[p]));
  }
  const double count = static_cast<double>(n), least = rho.minCoeff(), bound = m.cwiseAbs().maxCoeff();
  found.paper =
      least > 0 ? std::min(1 / count, 1 / (1 + rho.maxCoeff() / least)) / (bound * count * problem.mu.maxCoeff()) - 1
                : -1;
  return found;
}

double turning_of(const scenario::Scenario& scenario, const Place& place, const Vector& v, std::size_t contact) {
  const double speed = v.norm();
  if (speed == 0) return 0;
  const auto along = [&](double s) {
    const Vector q = place.q + s * v;
    return LawsAtPlace(scenario, {place.parameters, q, place.t}, {place.t, place.t, 0})
        .contact(contact)
        .a.row(0)
        .dot(v);
  };
  // differences over shrinking lengths, extrapolated to 0; the one whose neighbours differ least is taken
  constexpr double shrink = 1.6;
  constexpr std::size_t most = 24;
  std::vector<double> before;
  double length = 0.1 * (1 + place.q.norm()) / speed, best = 0, error = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < most; ++row, length /= shrink) {
    std::vector<double> now{(along(length) - along(-length)) / (2 * length)};
    double factor = shrink * shrink;
    for (std::size_t k = 0; k < before.size(); ++k, factor *= shrink * shrink) {
      now.push_back((now[k] * factor - before[k]) / (factor - 1));
      const double apart = std::max(std::fabs(now[k + 1] - now[k]), std::fabs(now[k + 1] - before[k]));
      if (apart <= error) error = apart, best = now[k + 1];
    }
    before = now;
  }
  return best;
}

}  // namespace conesweep::executor::reference
