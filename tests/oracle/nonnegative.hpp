#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "support/dense.hpp"

namespace conesweep::oracle {

/// min |C x - y| over x >= 0, by active sets (Lawson and Hanson, Solving Least Squares Problems, ch. 23). Dense, for a
/// few dozen unknowns.
inline Eigen::VectorXd least_squares_nonnegative(const Eigen::MatrixXd& c, const Eigen::VectorXd& y) {
  const Eigen::Index n = c.cols();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  std::vector<bool> positive(static_cast<std::size_t>(n), false), refused(static_cast<std::size_t>(n), false);
  const double tiny = 1e-13 * c.norm() * y.norm() + 1e-300;
  for (Eigen::Index round = 0; round < 10 * n + 10; ++round) {
    // the most promising of those that are zero
    const Eigen::VectorXd gain = c.transpose() * (y - c * x);
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto k = static_cast<std::size_t>(j);
      if (!positive[k] && !refused[k] && gain[j] > tiny && (best < 0 || gain[j] > gain[best])) best = j;
    }
    if (best < 0) break;
    positive[static_cast<std::size_t>(best)] = true;
    for (bool entering = true;; entering = false) {
      std::vector<Eigen::Index> in;
      for (Eigen::Index j = 0; j < n; ++j) {
        if (positive[static_cast<std::size_t>(j)]) in.push_back(j);
      }
      const Eigen::VectorXd free = test::solve_least_squares(c(Eigen::all, in), y);
      Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
      for (std::size_t k = 0; k < in.size(); ++k) z[in[k]] = free[static_cast<Eigen::Index>(k)];
      if (entering && z[best] <= 0) {  // rounding: it does not want to come in
        positive[static_cast<std::size_t>(best)] = false;
        refused[static_cast<std::size_t>(best)] = true;
        break;
      }
      double share = 1;
      for (const Eigen::Index j : in) {
        if (z[j] <= 0) share = std::min(share, x[j] / (x[j] - z[j]));
      }
      x += share * (z - x);
      bool whole = true;
      for (const Eigen::Index j : in) {
        if (z[j] <= 0 && x[j] <= 1e-14 * x.lpNorm<Eigen::Infinity>())
          x[j] = 0, positive[static_cast<std::size_t>(j)] = false, whole = false;
      }
      if (whole || share == 1) {
        refused.assign(refused.size(), false);
        break;
      }
    }
  }
  return x;
}

}  // namespace conesweep::oracle
