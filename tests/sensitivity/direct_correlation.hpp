#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace conesweep::sensitivity {

using Columns = std::vector<std::vector<double>>;

/// Rank: how many are smaller, and half of those that are equal; counted one by one.
inline std::vector<double> count_ranks(const std::vector<double>& x) {
  std::vector<double> ranks;
  for (const double a : x) {
    double rank = 0.5;
    for (const double b : x) rank += b < a ? 1 : b == a ? 0.5 : 0;
    ranks.push_back(rank);
  }
  return ranks;
}

using Real = long double;
inline Real dot(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline std::vector<Real> centred(const std::vector<double>& x) {
  std::vector<Real> c(x.begin(), x.end());
  Real mean = 0;
  for (const Real v : c) mean += v / static_cast<Real>(c.size());
  for (Real& v : c) v -= mean;
  return c;
}
/// What is left of y when the columns explain what they can: Gram and Schmidt, twice.
inline std::vector<Real> residual(std::vector<Real> y, std::vector<std::vector<Real>> columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t j = 0; j < i; ++j) {
        const Real share = dot(columns[i], columns[j]) / dot(columns[j], columns[j]);
        for (std::size_t m = 0; m < y.size(); ++m) columns[i][m] -= share * columns[j][m];
      }
    const Real share = dot(y, columns[i]) / dot(columns[i], columns[i]);
    for (std::size_t m = 0; m < y.size(); ++m) y[m] -= share * columns[i][m];
  }
  return y;
}
inline double cosine(const std::vector<Real>& a, const std::vector<Real>& b) {
  return static_cast<double>(dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)));
}

/// The definitions: partial correlations are those of residuals; a coefficient is what a residual of x_i explains of y.
struct Direct {
  std::vector<double> spearman, partial_rank, regression;
  double r_squared = 0;
};
inline Direct direct(const Columns& parameters, const std::vector<double>& observable) {
  Direct d;
  const auto y = centred(observable);
  const auto rank_y = centred(count_ranks(observable));
  std::vector<std::vector<Real>> x, rank_x;
  for (const auto& column : parameters) {
    x.push_back(centred(column));
    rank_x.push_back(centred(count_ranks(column)));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto others = x;
    auto rank_others = rank_x;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    rank_others.erase(rank_others.begin() + static_cast<std::ptrdiff_t>(i));
    d.spearman.push_back(cosine(rank_x[i], rank_y));
    d.partial_rank.push_back(cosine(residual(rank_x[i], rank_others), residual(rank_y, rank_others)));
    const auto own = residual(x[i], others);
    d.regression.push_back(static_cast<double>(dot(own, y) / dot(own, own) * std::sqrt(dot(x[i], x[i]) / dot(y, y))));
  }
  const auto rest = residual(y, x);
  d.r_squared = static_cast<double>(1 - dot(rest, rest) / dot(y, y));
  return d;
}

}  // namespace conesweep::sensitivity
