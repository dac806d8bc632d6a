#include "executor/reference/nonnegative.hpp"

#include <algorithm>
#include <vector>

#include "executor/reference/linear_algebra.hpp"

namespace conesweep::executor::reference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double no_gain = 1e-16;  // of |y|: a direction that gains less does so by rounding

class ActiveSets {
 public:
  ActiveSets(const MatrixXd& columns, const VectorXd& y)
      : c_(columns), y_(y), x_(VectorXd::Zero(columns.cols())), rest_(y) {
    for (Index j = 0; j < c_.cols(); ++j) length_.push_back(c_.col(j).norm());
    for (Index j = 0; j < c_.cols(); ++j)
      if (length_[static_cast<std::size_t>(j)] > 0) c_.col(j) /= length_[static_cast<std::size_t>(j)];
  }

  VectorXd solve(double enough) {
    if (!begin_with_all(enough)) go_on_from_none(enough);
    VectorXd x = x_;
    for (Index j = 0; j < x.size(); ++j)
      if (x[j] > 0) x[j] /= length_[static_cast<std::size_t>(j)];
    return x;
  }

 private:
  /// The shortest x of all columns, without those that it needs negative. Where columns nearly coincide this sees
  /// solutions that steps one by one cannot.
  bool begin_with_all(double enough) {
    std::vector<Index> some;
    for (Index j = 0; j < c_.cols(); ++j) some.push_back(j);
    while (!some.empty()) {
      const VectorXd wanted = shortest(some);
      Index worst = 0;
      if (wanted.minCoeff(&worst) >= 0) {
        x_.setZero();
        x_(some) = wanted;
        break;
      }
      some.erase(some.begin() + worst);
    }
    rest_ = y_ - c_ * x_;
    if (rest_.norm() <= enough) return true;
    x_.setZero();
    rest_ = y_;
    return false;
  }

  void go_on_from_none(double enough) {
    const Index most = 3 * c_.cols() + 10;
    for (Index count = 0; count < most && rest_.norm() > enough; ++count) {
      const Index next = best_outside();
      if (next < 0) break;
      const double before = rest_.norm();
      used_.push_back(next);
      fit();
      if (x_[next] > 0 && rest_.norm() < before)
        refused_.clear();
      else
        refused_.push_back(next);
    }
  }

  VectorXd shortest(const std::vector<Index>& some) const {
    return coupled::solve_least_squares(c_(Eigen::all, some), y_);
  }

  /// The unused column that shortens the rest most; -1: none does.
  Index best_outside() const {
    const VectorXd gain = c_.transpose() * rest_;
    Index best = -1;
    double most = no_gain * y_.norm();
    for (Index j = 0; j < gain.size(); ++j) {
      if (gain[j] <= most || holds(used_, j) || holds(refused_, j)) continue;
      best = j;
      most = gain[j];
    }
    return best;
  }

  static bool holds(const std::vector<Index>& list, Index j) {
    return std::find(list.begin(), list.end(), j) != list.end();
  }

  /// Least squares in the used columns; those that would become negative leave, the first on the way first.
  void fit() {
    while (!used_.empty()) {
      const VectorXd wanted = shortest(used_);
      double share = 1;
      Index leaves = -1;
      for (Index k = 0; k < wanted.size(); ++k) {
        const double now = x_[used_[static_cast<std::size_t>(k)]];
        if (wanted[k] > 0) continue;
        const double until = now > 0 ? now / (now - wanted[k]) : 0;
        if (leaves < 0 || until < share) share = until, leaves = k;
      }
      for (Index k = 0; k < wanted.size(); ++k) {
        double& x = x_[used_[static_cast<std::size_t>(k)]];
        x += share * (wanted[k] - x);
      }
      if (leaves < 0) break;
      x_[used_[static_cast<std::size_t>(leaves)]] = 0;
      used_.erase(used_.begin() + leaves);
    }
    rest_ = y_ - c_ * x_;
  }

  MatrixXd c_;
  const VectorXd& y_;
  VectorXd x_, rest_;
  std::vector<double> length_;  // of the columns, which are kept as directions
  std::vector<Index> used_;
  std::vector<Index> refused_;  // since the rest became shorter: rounding alone spoke for them
};

}  // namespace

VectorXd nearest_nonnegative(const MatrixXd& columns, const VectorXd& y, double enough) {
  return ActiveSets(columns, y).solve(enough);
}

}  // namespace conesweep::executor::reference
