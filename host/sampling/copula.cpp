#include "sampling/copula.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

#include "sampling/normal.hpp"
#include "support/error.hpp"

namespace conesweep::sampling {

Correlations gather_correlations(const scenario::Scenario& scenario) {
  Correlations correlations;
  auto& variations = correlations.variations;
  std::vector<std::size_t> place(scenario.names.parameters.size(), 0);  // of a parameter in the matrix
  for (std::size_t v = 0; v < scenario.vary.size(); ++v) {
    const int parameter = scenario.vary[v].parameter;
    const bool has_one = std::any_of(scenario.correlation.begin(), scenario.correlation.end(), [&](const auto& pair) {
      return pair.first == parameter || pair.second == parameter;
    });
    if (!has_one) continue;
    place[static_cast<std::size_t>(parameter)] = variations.size();
    variations.push_back(v);
  }
  Matrix& matrix = correlations.matrix;
  matrix.assign(variations.size(), std::vector<double>(variations.size(), 0));
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i][i] = 1;
  for (const auto& pair : scenario.correlation) {
    const std::size_t i = place[static_cast<std::size_t>(pair.first)], j = place[static_cast<std::size_t>(pair.second)];
    CS_ASSERT(i != j);
    matrix[i][j] = matrix[j][i] = pair.value;
  }
  return correlations;
}

std::optional<Matrix> factor(const Matrix& a) {
  Matrix l(a.size(), std::vector<double>(a.size(), 0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = a[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= l[i][k] * l[j][k];
      if (i != j) {
        l[i][j] = rest / l[j][j];
      } else {
        if (!(rest > 0)) return std::nullopt;
        l[i][i] = std::sqrt(rest);
      }
    }
  return l;
}

double smallest_eigenvalue(const Matrix& a) {
  const auto n = static_cast<Eigen::Index>(a.size());
  if (n == 0) return 1;
  Eigen::MatrixXd matrix(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) matrix(i, j) = a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
}

Copula::Copula(const scenario::Scenario& scenario) {
  if (scenario.correlation.empty()) return;
  const Correlations correlations = gather_correlations(scenario);
  const auto& variations = correlations.variations;
  const auto l = factor(correlations.matrix);
  CS_ASSERT(l.has_value());
  std::vector<bool> needed(variations.size(), false);
  for (std::size_t i = 0; i < variations.size(); ++i) {
    Row row{variations[i], {}};
    for (std::size_t j = 0; j <= i; ++j)
      if ((*l)[i][j] != 0) row.terms.push_back({variations[j], (*l)[i][j]});
    if (row.terms.size() == 1) continue;
    for (std::size_t j = 0; j <= i; ++j) needed[j] = needed[j] || (*l)[i][j] != 0;
    rows_.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i]) sources_.push_back(variations[i]);
}

void Copula::correlate(std::span<const std::span<double>> columns) const {
  std::vector<std::vector<double>> z(columns.size());
  for (const std::size_t source : sources_) {
    z[source].reserve(columns[source].size());
    for (const double u : columns[source]) z[source].push_back(normal_quantile(u));
  }
  for (const Row& row : rows_)
    for (std::size_t m = 0; m < columns[row.target].size(); ++m) {
      double sum = 0;
      for (const Term& term : row.terms) sum += term.weight * z[term.source][m];
      columns[row.target][m] = std::clamp(normal_probability(sum), 0x1p-53, 1 - 0x1p-53);
    }
}

}  // namespace conesweep::sampling
