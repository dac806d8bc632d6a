#pragma once

#include <vector>

#include "nonnegative.hpp"

/// All solutions of several coupled contacts in the plane, by trying every combination of modes.
///
///   u = b + W r,   contact k has rows 2k (normal) and 2k + 1 (tangential)
///
/// With its mode given, a contact's law is linear, and everything that must not be negative is an unknown x >= 0:
///   open     r = 0                                 u_n = x
///   stick    r = x (1, μ) + x' (1, -μ)              u = 0
///   slip ±   r = x (1, ∓μ)                          u_n = 0,  u_t = ±x'
/// (x, x' >= 0). A contact that holds with the impulse a has r + (a, 0) in place of r, open r_n = -a.
/// So a mode is possible iff a nonnegative least squares problem has residual 0; this also holds where impulses are not
/// unique.
namespace conesweep::oracle {

struct ModeSolution {
  std::vector<int> modes;  // 0 open, 1 stick, 2 slip with u_t >= 0, 3 with u_t <= 0
  Eigen::VectorXd r, u;
};

/// What contacts hold with; empty: nothing.
using Cohesions = std::vector<double>;

inline bool try_modes(const Eigen::MatrixXd& w, const Eigen::VectorXd& free, const std::vector<double>& mu,
                      const std::vector<int>& modes, double tolerance, ModeSolution& found,
                      const Cohesions& cohesions) {
  const Eigen::Index rows = free.size();
  Eigen::VectorXd least = Eigen::VectorXd::Zero(rows);
  for (std::size_t k = 0; k < cohesions.size(); ++k) least[2 * static_cast<Eigen::Index>(k)] = -cohesions[k];
  const Eigen::VectorXd b = free + w * least;
  // a column an unknown: velocity that an impulse makes, minus the velocity that is left
  std::vector<Eigen::VectorXd> columns, impulses;
  const auto add = [&](const Eigen::VectorXd& impulse, Eigen::Index row, double left) {
    Eigen::VectorXd column = w * impulse;
    if (left != 0) column[row] -= left;
    columns.push_back(column);
    impulses.push_back(impulse);
  };
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(rows);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Eigen::Index n = 2 * static_cast<Eigen::Index>(k), t = n + 1;
    const auto generator = [&](double side) {
      Eigen::VectorXd impulse = none;
      impulse[n] = 1;
      impulse[t] = side * mu[k];
      return impulse;
    };
    if (modes[k] == 0) {
      add(none, n, 1);
      add(none, t, 1), add(none, t, -1);  // slides as it likes
    } else if (modes[k] == 1) {
      add(generator(1), 0, 0), add(generator(-1), 0, 0);
    } else {
      const double sign = modes[k] == 2 ? 1 : -1;
      add(generator(-sign), 0, 0), add(none, t, sign);
    }
  }
  // columns of size 1
  Eigen::MatrixXd c(rows, static_cast<Eigen::Index>(columns.size()));
  Eigen::VectorXd size(c.cols());
  for (Eigen::Index j = 0; j < c.cols(); ++j) {
    const double length = columns[static_cast<std::size_t>(j)].norm();
    size[j] = length > 0 ? length : 1;
    c.col(j) = columns[static_cast<std::size_t>(j)] / size[j];
  }
  const Eigen::VectorXd x = least_squares_nonnegative(c, -b);
  if ((c * x + b).lpNorm<Eigen::Infinity>() > tolerance * b.lpNorm<Eigen::Infinity>()) return false;
  found.modes = modes;
  found.r = least;
  for (Eigen::Index j = 0; j < c.cols(); ++j) found.r += x[j] / size[j] * impulses[static_cast<std::size_t>(j)];
  found.u = free + w * found.r;
  return true;
}

/// visit(ModeSolution) for every combination that is possible, until it returns true. Returns whether it did.
template <class Visit>
bool find_among_modes(const Eigen::MatrixXd& w, const Eigen::VectorXd& b, const std::vector<double>& mu,
                      double tolerance, const Visit& visit, const Cohesions& cohesions = {}) {
  std::vector<int> modes(mu.size(), 0);
  for (;;) {
    ModeSolution found;
    if (try_modes(w, b, mu, modes, tolerance, found, cohesions) && visit(found)) return true;
    std::size_t k = 0;
    while (k < modes.size() && modes[k] == 3) modes[k++] = 0;
    if (k == modes.size()) return false;
    ++modes[k];
  }
}

}  // namespace conesweep::oracle
