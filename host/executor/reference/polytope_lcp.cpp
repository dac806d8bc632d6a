#include "executor/reference/polytope_lcp.hpp"

#include <cmath>

namespace conesweep::executor::reference::coupled {

Corners first_corners(const BlockPart& part) {
  if (!(part.slides_with_friction() || (part.law == Law::ball && part.high > 0))) return {};
  const Index tangents = part.law == Law::ball ? part.size : part.size - 1;
  Corners corners;
  if (tangents == 1) {
    for (const double sign : {1.0, -1.0}) corners.push_back(Vector::Constant(1, sign));
    return corners;
  }
  // the axes and what lies between them: all directions with coordinates in {-1, 0, 1} on a circle, axes and diagonals
  // on a sphere
  const int combinations = tangents == 2 ? 9 : 27;
  for (int number = 0; number < combinations; ++number) {
    Vector d(tangents);
    for (Index i = 0, rest = number; i < tangents; ++i, rest /= 3) d[i] = static_cast<double>(rest % 3 - 1);
    const double ones = d.squaredNorm();
    if (ones == 1 || ones == static_cast<double>(tangents)) corners.push_back(d.normalized());
  }
  return corners;
}

void add_corner(Corners& corners, const Vector& x) {
  const double length = x.norm();
  if (corners.empty() || x.size() < 2 || !(length > 0) || !std::isfinite(length)) return;
  const Vector d = x / length;
  for (const Vector& corner : corners) {
    if ((corner - d).norm() < 1e-7) return;
  }
  corners.push_back(d);
}

PolytopeProblem::PolytopeProblem(const Laws& laws, const std::vector<Corners>& corners)
    : laws_(laws), g_(laws.b.size(), 0), c_matrix_(0, 0), r0_(WideVector::Zero(laws.b.size())), c_(0) {
  for (std::size_t k = 0; k < laws.parts.size(); ++k) {
    places_.emplace_back();
    add(laws.parts[k], corners[k]);
  }
}

Index PolytopeProblem::add_unknown() {
  const Index j = c_.size();
  g_.conservativeResize(Eigen::NoChange, j + 1);
  g_.col(j).setZero();
  c_matrix_.conservativeResize(j + 1, j + 1);
  c_matrix_.row(j).setZero();
  c_matrix_.col(j).setZero();
  c_.conservativeResize(j + 1);
  c_[j] = 0;
  return j;
}

Index PolytopeProblem::add_impulse(Index row, double along) {
  const Index j = add_unknown();
  g_(row, j) = along;
  return j;
}

Index PolytopeProblem::add_corners(const BlockPart& part, Index first_row, const Corners& corners) {
  const Index sigma = add_unknown();
  for (const Vector& d : corners) {
    const Index j = add_unknown();
    for (Index i = 0; i < d.size(); ++i) g_(first_row + i, j) = d[i];
    c_matrix_(j, sigma) = 1;
    c_matrix_(sigma, j) = -1;
  }
  if (part.law == Law::ball) c_[sigma] = part.high;
  return sigma;
}

void PolytopeProblem::add_interval(const BlockPart& part) {
  const bool below = std::isfinite(part.low), above = std::isfinite(part.high);
  if (below && part.low == part.high) {
    r0_[part.first] = part.low;
  } else if (below) {
    r0_[part.first] = part.low;
    const Index x = add_impulse(part.first, 1);
    if (!above) return;
    const Index sigma = add_unknown();
    c_matrix_(x, sigma) = 1;
    c_matrix_(sigma, x) = -1;
    c_[sigma] = Wide(part.high) - Wide(part.low);
  } else if (above) {
    r0_[part.first] = part.high;
    add_impulse(part.first, -1);
  } else {
    add_impulse(part.first, 1);
    add_impulse(part.first, -1);
  }
}

void PolytopeProblem::add(const BlockPart& part, const Corners& corners) {
  Unknowns& place = places_.back();
  if (part.law == Law::interval) {
    add_interval(part);
    return;
  }
  if (part.law == Law::ball) {
    if (!corners.empty()) place.slip = add_corners(part, part.first, corners);
    return;
  }
  place.normal = add_impulse(part.first, 1);
  if (corners.empty()) return;
  place.slip = add_corners(part, part.first + 1, corners);
  c_matrix_(place.slip, place.normal) = part.high;
}

bool PolytopeProblem::solve(const Attempt& attempt, Vector& r, std::vector<Mode>& mode, int& pivots) const {
  const Index n = c_.size();
  const WideMatrix w =
      laws_.w.cast<Wide>() + Wide(attempt.compliance) * WideMatrix::Identity(laws_.b.size(), laws_.b.size());
  const WideMatrix m = g_.transpose() * w * g_ + c_matrix_;
  const WideVector q = g_.transpose() * (laws_.b.cast<Wide>() + w * r0_) + c_;
  WideVector d = WideVector::Ones(n);
  for (Index j = 0; j < n && attempt.cover > 0; ++j)
    d[j] += 2 * std::fmod(0.6180339887498949L * static_cast<Wide>((j + 1) * attempt.cover), Wide(1));
  WideVector z;
  if (solve_lcp(m, q, d, z, pivots) != LemkeEnd::solved) return false;

  r = (r0_ + g_ * z).cast<double>();
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const BlockPart& part = laws_.parts[k];
    const Unknowns& place = places_[k];
    if (part.law == Law::interval)
      mode[k] = r[part.first] > part.low && r[part.first] < part.high ? Mode::stick : Mode::slip;
    else if (part.law == Law::contact && !(z[place.normal] > 0))
      mode[k] = Mode::flight;
    else
      mode[k] = place.slip >= 0 && !(z[place.slip] > 0) ? Mode::stick : Mode::slip;
  }
  return true;
}

}  // namespace conesweep::executor::reference::coupled
