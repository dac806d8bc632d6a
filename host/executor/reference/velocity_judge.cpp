#include "executor/reference/velocity_judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "executor/reference/guides.hpp"
#include "executor/reference/nonnegative.hpp"

namespace conesweep::executor::reference::coupled {
namespace {

constexpr int first_corners = 8;          // of a disk
constexpr int most_rounds = 60;           // of new corners
constexpr double worth_a_corner = 1e-13;  // of what is left
constexpr double dependent_rows = 1e-6;   // of the largest pivot
constexpr double well_below = 0.01;       // of what is accepted: nearer is not looked for
constexpr double least_turn = 1e-6;       // of a direction; what solvers leave over cannot turn it further

/// Corners of one block's set, as columns of least squares.
struct Corners {
  const Matrix* g;         // rows of the block, in the kinetic metric
  double mu = -1;          // of a cone; negative: a ball
  double radius = 0;       // of a ball
  Index bound = -1;        // its row of the shares' sum; -1: a cone
  double bound_scale = 0;  // velocity that a share of 1 stands for

  Index tangents() const { return mu < 0 ? g->rows() : g->rows() - 1; }

  /// The corner that points along d.
  Vector column(const Vector& d, Index length) const {
    Vector all = Vector::Zero(length);
    if (mu < 0) {
      all.head(g->cols()) = radius * (g->transpose() * d);
      all[bound] = bound_scale;
    } else {
      all.head(g->cols()) = g->row(0).transpose() + mu * (g->bottomRows(tangents()).transpose() * d);
    }
    return all;
  }
};

/// A disk or a ball with the corners it has so far.
struct Round {
  Corners corners;
  std::size_t block;
  std::vector<Vector> directions;
  std::vector<Index> places;  // their columns
};

class Judge {
 public:
  explicit Judge(const Claim& claim) : claim_(claim), mass_(claim.step.mass) {}

  VelocityJudgement judge() {
    set_metric();
    found_.normals = Vector::Zero(static_cast<Index>(claim_.blocks.size()));
    for (std::size_t k = 0; k < claim_.blocks.size(); ++k) {
      if (claim_.blocks[k].law == Law::contact || claim_.blocks[k].law == Law::guide)
        add_contact(k);
      else
        add_resistance(k);
    }
    found_.unique_impulses = are_independent();
    find_nearest();
    if (speed_ > 0) found_.residual /= speed_;
    return found_;
  }

 private:
  Matrix whiten(const Matrix& rows) const { return mass_.whiten(rows.transpose()).transpose(); }
  Vector velocities(const Block& block, const Vector& v) const { return block.rows * v - block.drive; }
  void miss(double by) { found_.residual = std::max(found_.residual, by); }

  /// Lᵀv has the length |v|_M; what firm rows can do is left out.
  void set_metric() {
    const Step& step = claim_.step;
    const auto length = [&](const Vector& v) { return mass_.weigh(v).norm(); };
    speed_ = std::max({length(claim_.v), length(step.w), length(step.v_before), speed_of(step)});
    const Index d = step.w.size(), firm = step.firm_rows.rows();
    free_ = Matrix::Identity(d, d);
    const auto see_drives = [&](const Matrix& rows, const Vector& drive) {
      for (Index i = 0; i < rows.rows(); ++i)
        if (rows.row(i).norm() > 0) speed_ = std::max(speed_, std::fabs(drive[i]) / rows.row(i).norm());
    };
    const Matrix z = whiten(step.firm_rows);
    if (firm > 0) {
      see_drives(z, step.firm_drive);
      free_ = OrthogonalFactors(z.transpose()).left_over();
      const Vector u = step.firm_rows * claim_.v - step.firm_drive;
      for (Index i = 0; i < firm; ++i) miss(std::fabs(u[i]) / z.row(i).norm());
    }
    for (const Block& block : claim_.blocks) {
      const Matrix rows = whiten(block.rows);
      see_drives(rows, block.drive);
      g_.push_back(rows * free_);
    }
    y_ = free_.transpose() * mass_.weigh(claim_.v - step.w);
    extent_ = y_.size();
    for (const Block& block : claim_.blocks)
      if (block.law == Law::interval || block.law == Law::ball) ++extent_;
    y_.conservativeResizeLike(Vector::Zero(extent_));
    next_bound_ = free_.cols();
  }

  /// The largest |row| of some rows of a block: velocities along them over this are velocities in the kinetic metric.
  double unit(std::size_t k, Index first, Index count) const {
    const Matrix rows = whiten(claim_.blocks[k].rows.middleRows(first, count));
    return count > 0 ? rows.rowwise().norm().maxCoeff() : 0;
  }
  bool is_rest(double velocity, double unit) const { return std::fabs(velocity) <= claim_.accepted * speed_ * unit; }

  /// Or a guide, turned to its side: a contact that is closed.
  void add_contact(std::size_t k) {
    const Block& block = claim_.blocks[k];
    const bool guide = block.law == Law::guide;
    const Index tangents = block.rows.rows() - 1;
    const Vector u = velocities(block, claim_.v), before = velocities(block, claim_.step.v_before);
    const double normal_unit = unit(k, 0, 1);
    if ((u[0] < 0 || guide) && normal_unit > 0) miss(std::fabs(u[0]) / normal_unit);
    if (!claim_.contacts_act[k] && !guide) return;
    if (block.e > 0 && before[0] > 0) found_.maybe_two_parts = true;
    // (H2) its preload, too, whether or not it opens
    y_.head(free_.cols()) += block.preload * g_[k].row(0).transpose();
    found_.normals[static_cast<Index>(k)] -= block.preload;

    // (i) the law's own velocities
    Vector law = u;
    const Index with_restitution = claim_.step.restitution == Restitution::moreau ? law.size() : 1;
    law.head(with_restitution) += block.e * before.head(with_restitution);
    if (law[0] < 0 && normal_unit > 0) miss(-law[0] / normal_unit);
    if (law[0] > 0 && !is_rest(law[0], normal_unit) && !guide) return;

    const Vector slip = law.tail(tangents);
    const bool rubs = tangents > 0 && block.mu > 0;
    if (rubs && is_rest(slip.norm(), unit(k, 1, tangents))) {
      Corners corners{&g_[k]};
      corners.mu = block.mu;
      add_round(corners, k);
      carry(g_[k]);
    } else {
      const auto ray = [&](const Vector& d) -> Vector {
        return g_[k].row(0).transpose() + block.mu * (g_[k].bottomRows(tangents).transpose() * d);
      };
      const Vector against = rubs ? Vector(-slip / slip.norm()) : Vector(Vector::Zero(tangents));
      add_column(extended(ray(against)), k);
      carry(ray(against).transpose());
      if (!rubs) return;
      for (const Vector& aside : turns(slip, unit(k, 1, tangents))) add_column(extended(ray(against + aside)), k);
    }
  }

  void add_resistance(std::size_t k) {
    const Block& block = claim_.blocks[k];
    const Vector u = velocities(block, claim_.v);
    const double row_unit = unit(k, 0, block.rows.rows());
    const Index bound = next_bound_++;
    const bool sticks = is_rest(u.norm(), row_unit);
    if (has_any_limit(k)) return sticks ? add_free(k) : add_ray(k, u, row_unit);
    if (block.high == 0 && (block.law == Law::ball || block.low == 0)) return;
    if (!sticks) {
      const double reach = block.law == Law::ball ? block.high : (u[0] > 0 ? -block.low : block.high);
      if (std::isinf(reach))
        miss(u.norm() / row_unit);
      else
        slip_resistance(k, u, reach, bound);
      return;
    }
    carry(g_[k]);
    if (block.law == Law::ball && std::isfinite(block.high)) {
      Corners corners{&g_[k]};
      corners.radius = block.high;
      corners.bound = bound;
      corners.bound_scale = block.high * row_unit;
      add_bound(bound, corners.bound_scale, k);
      add_round(corners, k);
      return;
    }
    const double low = block.law == Law::ball ? -block.high : block.low;
    const double scale = row_unit * std::max(std::isinf(low) ? 0 : -low, std::isinf(block.high) ? 0 : block.high);
    if (scale > 0) add_bound(bound, scale, k);
    for (Index i = 0; i < g_[k].rows(); ++i) {
      for (const double end : {low, block.high}) {
        if (end == 0) continue;
        Vector column = extended(g_[k].row(i).transpose() * (std::isinf(end) ? std::copysign(1.0, end) : end));
        if (!std::isinf(end)) column[bound] = scale;
        add_column(column, k);
      }
    }
  }

  bool has_any_limit(std::size_t k) const { return k < claim_.any_limit.size() && claim_.any_limit[k]; }

  /// λ = -x u/|u|, x >= 0, and what is as near to it as u is known
  void add_ray(std::size_t k, const Vector& u, double row_unit) {
    const Vector against = -u / u.norm();
    carry((g_[k].transpose() * against).transpose());
    add_column(extended(g_[k].transpose() * against), k);
    for (const Vector& aside : turns(u, row_unit)) add_column(extended(g_[k].transpose() * (against + aside)), k);
  }

  void add_free(std::size_t k) {
    carry(g_[k]);
    for (Index i = 0; i < g_[k].rows(); ++i)
      for (const double sign : {1.0, -1.0}) add_column(extended(sign * g_[k].row(i).transpose()), k);
  }

  /// λ = -reach u/|u|, and what is as near to it as u is known
  void slip_resistance(std::size_t k, const Vector& u, double reach, Index bound) {
    y_.head(free_.cols()) += g_[k].transpose() * (reach * u / u.norm());
    const double row_unit = unit(k, 0, u.size());
    const std::vector<Vector> asides = turns(u, row_unit);
    if (asides.empty() || reach == 0) return;
    const double scale = reach * row_unit * asides.front().norm();
    add_bound(bound, scale, k);
    for (const Vector& aside : asides) {
      Vector column = extended(reach * (g_[k].transpose() * aside));
      column[bound] = scale;
      add_column(column, k);
    }
  }

  /// A slow slip is known up to what is accepted, and with it its direction: the ends of what it may turn by.
  std::vector<Vector> turns(const Vector& slip, double row_unit) const {
    std::vector<Vector> asides;
    const double share = std::min(1.0, claim_.accepted * speed_ * row_unit / slip.norm());
    const Index n = slip.size();
    if (n < 2 || share < least_turn) return asides;
    const Matrix across = OrthogonalFactors(slip).left_over();
    for (Index i = 0; i + 1 < n; ++i)
      for (const double sign : {share, -share}) asides.push_back(sign * across.col(i));
    return asides;
  }

  Vector extended(const Vector& some) const {
    Vector all = Vector::Zero(extent_);
    all.head(some.size()) = some;
    return all;
  }

  void add_column(const Vector& column, std::size_t k) {
    columns_.conservativeResize(extent_, columns_.cols() + 1);
    columns_.col(columns_.cols() - 1) = column;
    block_of_.push_back(k);
  }

  /// shares + what is left = 1
  void add_bound(Index bound, double scale, std::size_t k) {
    y_[bound] = scale;
    Vector slack = Vector::Zero(extent_);
    slack[bound] = scale;
    add_column(slack, k);
  }

  void add_round(const Corners& corners, std::size_t k) {
    Round set{corners, k, {}, {}};
    const Index n = corners.tangents();
    if (n == 2) {
      for (int j = 0; j < first_corners; ++j) {
        const double angle = 2 * std::numbers::pi * j / first_corners;
        add_corner(set, Eigen::Vector2d(std::cos(angle), std::sin(angle)));
      }
    } else {
      for (Index i = 0; i < n; ++i)
        for (const double sign : {1.0, -1.0}) add_corner(set, sign * Vector::Unit(n, i));
    }
    if (n > 1) round_.push_back(set);
  }

  void add_corner(Round& set, const Vector& d) {
    set.directions.push_back(d);
    set.places.push_back(columns_.cols());
    add_column(set.corners.column(d, extent_), set.block);
  }

  void carry(const Matrix& rows) {
    const Index before = carrying_.rows();
    carrying_.conservativeResize(before + rows.rows(), free_.cols());
    carrying_.bottomRows(rows.rows()) = rows;
  }

  bool are_independent() const {
    if (carrying_.rows() == 0) return true;
    if (carrying_.rows() > carrying_.cols()) return false;
    Matrix directions = carrying_;
    for (Index i = 0; i < directions.rows(); ++i) {
      if (!(directions.row(i).norm() > 0)) return false;
      directions.row(i).normalize();
    }
    return count_pivots(directions.transpose(), dependent_rows) == directions.rows();
  }

  void find_nearest() {
    const double enough = well_below * claim_.accepted * speed_;
    Vector x = Vector::Zero(0), rest = y_;
    for (int round = 0; round < most_rounds; ++round) {
      if (columns_.cols() > 0) {
        x = nearest_nonnegative(columns_, y_, enough);
        rest = y_ - columns_ * x;
      }
      if (rest.norm() <= enough || !add_corners(x, rest)) break;
    }
    miss(rest.norm());
    for (Index j = 0; j < x.size(); ++j) {
      const std::size_t k = block_of_[static_cast<std::size_t>(j)];
      // corners have r_n = 1
      if (claim_.blocks[k].law == Law::contact || claim_.blocks[k].law == Law::guide)
        found_.normals[static_cast<Index>(k)] += x[j];
    }
  }

  /// Corners that bring the sum nearer: where it should go, and where friction points, on whose border it may lie.
  /// Returns whether there were any.
  bool add_corners(const Vector& x, const Vector& rest) {
    bool added = false;
    for (Round& set : round_) {
      const Index n = set.corners.tangents();
      Vector friction = Vector::Zero(n);
      for (std::size_t j = 0; j < set.directions.size(); ++j) friction += x[set.places[j]] * set.directions[j];
      for (const Vector& d : {Vector(set.corners.g->bottomRows(n) * rest.head(free_.cols())), friction}) {
        if (!(d.norm() > 0)) continue;
        const Vector column = set.corners.column(d / d.norm(), extent_);
        if (!(column.dot(rest) > worth_a_corner * column.norm() * rest.norm())) continue;
        add_corner(set, d / d.norm());
        added = true;
      }
    }
    return added;
  }

  const Claim& claim_;
  Cholesky mass_;
  VelocityJudgement found_;
  double speed_ = 0;       // the largest velocity, in the kinetic metric
  Matrix free_;            // directions that firm rows leave
  std::vector<Matrix> g_;  // rows of each block along these
  Vector y_;               // v - w along these, less what slipping resistances do; then 1 for every bounded set
  Index extent_ = 0, next_bound_ = 0;
  Matrix columns_;                     // corners of all sets
  std::vector<std::size_t> block_of_;  // of each column
  std::vector<Round> round_;           // sets that may need more of them
  Matrix carrying_;                    // rows that may carry an impulse
};

}  // namespace

VelocityJudgement judge_velocity(const Claim& claim) {
  std::vector<std::size_t> guides;
  for (std::size_t k = 0; k < claim.blocks.size(); ++k)
    if (claim.blocks[k].law == Law::guide) guides.push_back(k);
  if (guides.empty()) return Judge(claim).judge();

  // the best over the sides on which guides press
  VelocityJudgement best;
  best.residual = std::numeric_limits<double>::infinity();
  for_each_choice_of_sides(std::vector<double>(guides.size(), 1), [&](const std::vector<double>& sides) {
    std::vector<Block> blocks = claim.blocks;
    for (std::size_t n = 0; n < guides.size(); ++n)
      blocks[guides[n]].rows.row(0) *= sides[n], blocks[guides[n]].drive[0] *= sides[n];
    VelocityJudgement found =
        Judge({claim.step, blocks, claim.contacts_act, claim.v, claim.accepted, claim.any_limit}).judge();
    for (std::size_t n = 0; n < guides.size(); ++n) found.normals[static_cast<Index>(guides[n])] *= sides[n];
    if (found.residual < best.residual) best = found;
    return best.residual <= well_below * claim.accepted;
  });
  return best;
}

}  // namespace conesweep::executor::reference::coupled
