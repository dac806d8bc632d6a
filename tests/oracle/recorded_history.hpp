#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "support/seen_members.hpp"

/// (P10), (P11) by looking things up in a motion that has been kept whole. The past is given as plain functions.
namespace conesweep::oracle {

class RecordedHistory {
 public:
  using Vector = Eigen::VectorXd;
  using Node = test::SeenNode;

  RecordedHistory(const std::vector<Node>& nodes, double h, std::function<Vector(double)> past,
                  std::function<Vector(double)> past_velocity)
      : nodes_(nodes), h_(h), past_(std::move(past)), past_velocity_(std::move(past_velocity)) {}

  /// Where t_i - length lies, in steps.
  double place(std::size_t i, double length) const {
    const double whole = std::round(length / h_);
    return static_cast<double>(i) - (std::fabs(length / h_ - whole) <= 1e-9 ? whole : length / h_);
  }

  Vector position(double k) const {
    if (k < 0) return past_(k * h_);
    const auto j = static_cast<std::size_t>(k);
    const double into = (k - static_cast<double>(j)) * h_;
    return into == 0 ? nodes_[j].q : Vector(nodes_[j].q + into * nodes_[j].v);
  }

  /// Of the step that contains k h; seen from node i, whose own step is not known yet.
  Vector velocity(double k, std::size_t i) const {
    if (k < 0) return past_velocity_(k * h_);
    const auto j = static_cast<std::size_t>(k);
    return j == i ? nodes_[i].v_before : nodes_[j].v;
  }

  /// The points of a window: its older end, then every node up to i.
  std::vector<double> window(std::size_t i, double length) const {
    const double oldest = place(i, length);
    std::vector<double> points = {oldest};
    for (auto j = static_cast<long>(std::floor(oldest)) + 1; j <= static_cast<long>(i); ++j)
      points.push_back(static_cast<double>(j));
    return points;
  }

  double max_over(const std::vector<double>& points, const std::function<double(const Vector&)>& of) const {
    double best = -INFINITY;
    for (const double k : points) best = std::max(best, of(position(k)));
    return best;
  }

  double min_over(const std::vector<double>& points, const std::function<double(const Vector&)>& of) const {
    return -max_over(points, [&](const Vector& q) { return -of(q); });
  }

  double mean_over(const std::vector<double>& points, const std::function<double(const Vector&)>& of) const {
    if (points.size() == 1) return of(position(points[0]));
    double sum = 0;
    for (std::size_t k = 1; k < points.size(); ++k)
      sum += (points[k] - points[k - 1]) * (of(position(points[k - 1])) + of(position(points[k])));
    return sum / (2 * (points.back() - points.front()));
  }

 private:
  const std::vector<Node>& nodes_;
  double h_;
  std::function<Vector(double)> past_, past_velocity_;
};

}  // namespace conesweep::oracle
