#include "executor/reference/coupled_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "executor/reference/polytope_lcp.hpp"

namespace conesweep::executor::reference::coupled {
namespace {

constexpr double accepted = 1e-12;    // (B7)
constexpr double at_rest = 1e-12;     // of what velocities are sums of
constexpr double vanishes = 1e-150;   // velocities whose squares vanish are 0
constexpr int most_rounds = 10;       // of corners
constexpr int most_corrections = 12;  // linear solves in given modes
constexpr int most_creeps = 20, creeping_steps = 1000;

constexpr Attempt attempts[] = {{0, 0},    {1e-12, 0}, {1e-9, 0},  {0, 1},    {1e-12, 2}, {1e-9, 3}, {1e-6, 0},
                                {1e-9, 4}, {1e-6, 5},  {1e-10, 6}, {1e-7, 7}, {1e-9, 8},  {1e-4, 0}};

/// Nearest to x in the ball of this radius.
Vector nearest_in_ball(const Vector& x, double radius) {
  const double length = x.norm();
  return length <= radius ? x : Vector(x * (radius / length));
}

/// P(x): the nearest impulse that the law allows, in normal direction first. r obeys the law iff r = P(r - u).
Vector nearest_allowed(const BlockPart& part, const Vector& x) {
  Vector allowed(part.size);
  if (part.law == Law::interval) {
    allowed[0] = std::min(std::max(x[0], part.low), part.high);
  } else if (part.law == Law::ball) {
    allowed = nearest_in_ball(x, part.high);
  } else {
    allowed[0] = x[0] > 0 ? x[0] : 0;
    allowed.tail(part.size - 1) = nearest_in_ball(x.tail(part.size - 1), part.reach(allowed[0]));
  }
  return allowed;
}

/// (B7) The worst miss, in units in which the velocities that enter are of size 1; where impulses make far larger ones
/// that cancel, of a hundredth of these. But impulses above a million times that velocity are no excuse: without a
/// solution they grow without bound.
double residual_of(const Laws& laws, const Vector& r) {
  const Vector u = laws.b + laws.w * r;
  const Vector terms = laws.b.cwiseAbs() + laws.w.cwiseAbs() * r.cwiseAbs();
  if (!terms.allFinite()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (const BlockPart& part : laws.parts) {
    const Vector own = r.segment(part.first, part.size);
    const double off = (own - nearest_allowed(part, own - u.segment(part.first, part.size))).norm();
    if (off == 0) continue;
    worst = std::max(worst, off / std::max(1.0, std::min(terms.segment(part.first, part.size).maxCoeff() / 100, 1e4)));
    if (std::isnan(off)) return std::numeric_limits<double>::infinity();
  }
  return worst;
}

/// The equations of given modes, F(x) = 0. Unknowns of a block:
///
///   stick        r:           u = 0
///   slip         r_n, s, d:   u_n = 0,  u_t + s d = 0,  d·d = 1;  r_t = μ r_n d    (a ball: without r_n, r = radius d)
///   frictionless r_n:         u_n = 0
///   open, or at an end of an interval: none
class ModeEquations {
 public:
  ModeEquations(const Laws& laws, const std::vector<Mode>& mode, const Vector& r) : laws_(laws), mode_(mode), r_(r) {
    const Vector u = laws.b + laws.w * r;
    for (std::size_t k = 0; k < laws.parts.size(); ++k) {
      const BlockPart& part = laws.parts[k];
      const Index tangent = part.law == Law::contact ? part.first + 1 : part.first,
                  tangents = part.first + part.size - tangent;
      if (mode[k] == Mode::flight) {
        r_.segment(part.first, part.size).setZero();
      } else if (part.law == Law::interval && mode[k] == Mode::slip) {
        r_[part.first] = r[part.first] <= part.low ? part.low : part.high;
      } else if (mode[k] == Mode::stick) {
        for (Index i = 0; i < part.size; ++i) append(r[part.first + i]);
      } else {
        if (part.law == Law::contact) append(r[part.first]);
        if (!has_direction(part)) {
          r_.segment(tangent, tangents).setZero();
          continue;
        }
        const Vector slip = u.segment(tangent, tangents), pull = r.segment(tangent, tangents);
        append(slip.norm());
        const Vector d = slip.norm() > 0   ? Vector(-slip / slip.norm())
                         : pull.norm() > 0 ? Vector(pull / pull.norm())
                                           : Vector::Unit(tangents, 0);
        for (Index i = 0; i < tangents; ++i) append(d[i]);
      }
    }
  }

  /// Newton's method; what the equations leave open stays where it is (least change). Returns r.
  Vector solve() {
    for (int count = 0; count < most_corrections && x_.size() > 0; ++count) {
      evaluate();
      const double before = f_.lpNorm<Eigen::Infinity>();
      if (before == 0 || !std::isfinite(before)) break;
      const Vector x = x_, change = -solve_least_squares(jacobian_, f_);
      x_ += change;
      evaluate();
      if (count > 3 && !(f_.lpNorm<Eigen::Infinity>() < before)) {
        x_ = x;
        break;
      }
    }
    evaluate();
    return r_;
  }

 private:
  static bool has_direction(const BlockPart& part) {
    return part.slides_with_friction() || (part.law == Law::ball && part.high > 0);
  }

  void append(double value) {
    x_.conservativeResize(x_.size() + 1);
    x_[x_.size() - 1] = value;
  }

  /// r, F and ∂F/∂x at x.
  void evaluate() {
    const Index n = x_.size();
    Matrix dr = Matrix::Zero(r_.size(), n);
    for_blocks([&](const BlockPart& part, bool stick, Index j) {
      if (stick) {
        for (Index i = 0; i < part.size; ++i) r_[part.first + i] = x_[j + i], dr(part.first + i, j + i) = 1;
        return;
      }
      const Index normal = part.law == Law::contact ? 1 : 0;
      if (normal == 1) r_[part.first] = x_[j], dr(part.first, j) = 1;
      if (!has_direction(part)) return;
      const double reach = part.reach(normal == 1 ? x_[j] : 0);
      for (Index i = normal; i < part.size; ++i) {
        const Index d = j + 1 + i;  // after r_n and s, or after s
        r_[part.first + i] = reach * x_[d];
        dr(part.first + i, d) = reach;
        if (normal == 1) dr(part.first + i, j) = part.slope(x_[j]) * x_[d];
      }
    });
    const Vector u = laws_.b + laws_.w * r_;
    const Matrix du = laws_.w * dr;
    f_ = Vector::Zero(n);
    jacobian_ = Matrix::Zero(n, n);
    for_blocks([&](const BlockPart& part, bool stick, Index j) {
      const Index normal = part.law == Law::contact ? 1 : 0;
      const bool sliding = !stick && has_direction(part);
      const Index rows = stick || sliding ? part.size : normal;
      f_.segment(j, rows) = u.segment(part.first, rows);
      jacobian_.middleRows(j, rows) = du.middleRows(part.first, rows);
      if (!sliding) return;
      const Index s = j + normal, last = j + part.size;  // the last equation: d·d = 1
      f_[last] = -0.5;
      for (Index i = normal; i < part.size; ++i) {
        const Index d = j + 1 + i;
        f_[j + i] += x_[s] * x_[d];
        jacobian_(j + i, s) += x_[d];
        jacobian_(j + i, d) += x_[s];
        f_[last] += 0.5 * x_[d] * x_[d];
        jacobian_(last, d) = x_[d];
      }
    });
  }

  /// visit(block, does it stick, its first unknown) for all blocks that have unknowns.
  template <class Visit>
  void for_blocks(const Visit& visit) const {
    Index j = 0;
    for (std::size_t k = 0; k < laws_.parts.size(); ++k) {
      const BlockPart& part = laws_.parts[k];
      const bool stick = mode_[k] == Mode::stick;
      Index unknowns = 0;
      if (stick)
        unknowns = part.size;
      else if (mode_[k] == Mode::slip && part.law != Law::interval)
        unknowns = has_direction(part) ? part.size + 1 : part.law == Law::contact ? 1 : 0;
      if (unknowns > 0) visit(part, stick, j);
      j += unknowns;
    }
  }

  const Laws& laws_;
  const std::vector<Mode>& mode_;
  Vector r_, x_, f_;
  Matrix jacobian_;
};

void keep_better(const Laws& laws, Vector r, Reactions& best) {
  // rounding may leave a normal impulse that pulls: such a contact is open
  for (const BlockPart& part : laws.parts) {
    if (part.law == Law::contact && !(r[part.first] > 0)) r.segment(part.first, part.size).setZero();
  }
  const double residual = residual_of(laws, r);
  if (!(residual < best.residual)) return;
  best.r = r;
  best.residual = residual;
}

/// (O) A block sticks where its relative velocity is zero, up to rounding of velocities as large as `speed`.
Mode mode_of(const BlockPart& part, double speed, const Vector& r, const Vector& u) {
  if (part.law != Law::contact) return u.norm() <= at_rest * speed ? Mode::stick : Mode::slip;
  if (!(r[0] > 0)) return Mode::flight;
  if (part.size == 1) return Mode::slip;
  return u.tail(part.size - 1).norm() <= at_rest * speed ? Mode::stick : Mode::slip;
}

/// Adds corners where friction points, and against the slip. Returns whether there were any to add.
bool add_corners(const Laws& laws, const Vector& r, std::vector<Corners>& corners) {
  bool added = false;
  const Vector u = laws.b + laws.w * r;
  for (std::size_t k = 0; k < laws.parts.size(); ++k) {
    const BlockPart& part = laws.parts[k];
    const Index tangents = part.law == Law::ball ? part.size : part.size - 1,
                tangent = part.first + part.size - tangents;
    const std::size_t before = corners[k].size();
    add_corner(corners[k], -u.segment(tangent, tangents));
    add_corner(corners[k], r.segment(tangent, tangents));
    added = added || corners[k].size() > before;
  }
  return added;
}

/// Polytopes, modes, corners (coupled_laws.hpp). In units in which W has diagonal 1 and velocities are about 1.
void search(const Laws& laws, const Attempt& attempt, Reactions& best) {
  std::vector<Corners> corners;
  for (const BlockPart& part : laws.parts) corners.push_back(first_corners(part));
  for (int round = 0; round < most_rounds; ++round) {
    Vector r;
    std::vector<Mode> mode(laws.parts.size(), Mode::flight);
    if (!PolytopeProblem(laws, corners).solve(attempt, r, mode, best.pivots)) return;
    keep_better(laws, r, best);
    keep_better(laws, ModeEquations(laws, mode, r).solve(), best);
    if (best.residual <= accepted || !add_corners(laws, r, corners)) return;
  }
}

/// Where polytopes end near a border between modes: many small steps r ← P(r - u/|W|) from the best answer so far, then
/// the equations of the modes that these come to.
void creep(const Laws& laws, Reactions& best) {
  const double share = 1 / laws.w.cwiseAbs().rowwise().sum().maxCoeff();
  Vector r = best.r;
  for (int round = 0; round < most_creeps && best.residual > accepted && std::isfinite(share); ++round) {
    for (int count = 0; count < creeping_steps; ++count) {
      const Vector x = r - share * (laws.b + laws.w * r);
      for (const BlockPart& part : laws.parts)
        r.segment(part.first, part.size) = nearest_allowed(part, x.segment(part.first, part.size));
    }
    keep_better(laws, r, best);
    std::vector<Mode> mode;
    for (const BlockPart& part : laws.parts) {
      const Index normal = part.law == Law::contact ? 1 : 0;
      const Vector own = r.segment(part.first, part.size);
      const double reach = part.reach(own[0]);
      const bool inside = part.law == Law::interval ? own[0] > part.low && own[0] < part.high
                                                    : own.tail(part.size - normal).norm() < (1 - 1e-9) * reach;
      mode.push_back(normal == 1 && !(own[0] > 0) ? Mode::flight : inside ? Mode::stick : Mode::slip);
    }
    keep_better(laws, ModeEquations(laws, mode, r).solve(), best);
  }
}

}  // namespace

Reactions find_reactions(const Laws& laws) {
  // rows in units of the speed that a unit impulse gives to them; the tangents of a block share one
  const Index rows = laws.b.size();
  Vector unit(rows);
  for (const BlockPart& part : laws.parts) {
    const Index normal = part.law == Law::contact ? 1 : 0;
    const auto speed = [&](Index first, Index count) {
      const double most = count > 0 ? laws.w.diagonal().segment(part.first + first, count).maxCoeff() : 0;
      return most > 0 ? std::sqrt(most) : 1.0;
    };
    if (normal == 1) unit[part.first] = speed(0, 1);
    unit.segment(part.first + normal, part.size - normal).setConstant(speed(normal, part.size - normal));
  }
  const double fastest = rows > 0 ? laws.b.cwiseQuotient(unit).lpNorm<Eigen::Infinity>() : 0;
  const double entering = std::max(fastest, left_over * laws.speed);
  const bool moves = entering > vanishes;
  const double size = moves && std::isfinite(entering) ? entering : 1;

  Laws scaled;
  scaled.w = unit.cwiseInverse().asDiagonal() * laws.w * unit.cwiseInverse().asDiagonal();
  scaled.b = laws.b.cwiseQuotient(unit) / size;
  scaled.speed = std::max(laws.speed / size, 1.0);
  bool numbers = scaled.w.allFinite() && scaled.b.allFinite();
  for (BlockPart part : laws.parts) {
    numbers = numbers && !std::isnan(part.low) && !std::isnan(part.high);
    if (part.law == Law::contact)
      part.high *= part.size > 1 ? unit[part.first + 1] / unit[part.first] : 1;
    else
      part.low *= unit[part.first] / size, part.high *= unit[part.first] / size;
    scaled.parts.push_back(part);
  }
  Reactions found{Vector::Zero(rows), std::vector<Mode>(laws.parts.size(), Mode::flight),
                  std::numeric_limits<double>::infinity(), 0};
  if (!numbers) return found;
  found.residual = moves ? residual_of(scaled, found.r) : 0;
  for (const Attempt& attempt : attempts) {
    if (found.residual == 0) break;
    search(scaled, attempt, found);
    if (found.residual <= accepted) break;
  }
  if (!(found.residual <= accepted) && std::isfinite(found.residual)) creep(scaled, found);

  const Vector u = scaled.b + scaled.w * found.r, r = found.r;
  found.r = (r * size).cwiseQuotient(unit);
  for (std::size_t k = 0; k < scaled.parts.size(); ++k) {
    const BlockPart& part = scaled.parts[k];
    found.mode[k] = mode_of(part, scaled.speed, r.segment(part.first, part.size), u.segment(part.first, part.size));
    if (part.law != Law::interval) continue;  // an end of an interval is that end to the bit
    if (r[part.first] == part.low) found.r[part.first] = laws.parts[k].low;
    if (r[part.first] == part.high) found.r[part.first] = laws.parts[k].high;
  }
  return found;
}

}  // namespace conesweep::executor::reference::coupled
