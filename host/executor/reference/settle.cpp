#include "executor/reference/settle.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "executor/reference/coupled_laws.hpp"
#include "executor/reference/drift.hpp"
#include "executor/reference/laws_at_place.hpp"
#include "scenario/limits.hpp"

namespace conesweep::executor::reference {
namespace {

using coupled::Matrix;
using Eigen::Index;
using Eigen::VectorXd;

constexpr int most_steps = 8;
constexpr double dependent = 1e-12;  // what is left of a row, of its length squared (B9)

// A condition on a small change δ: value + row·δ = 0, or of a wall >= 0.
struct Condition {
  VectorXd row;
  double value;
  bool equation;
  std::optional<std::size_t> contact = {};
};

// Those that a start misses, with the equations, which hold on.
struct Conditions {
  std::vector<Condition> list;
  bool missed = false;  // by more than rounding
  bool little = true;   // and nowhere by more than its reach

  void add(const Condition& condition, double rounding, double reach) {
    const bool off = condition.equation ? !(std::fabs(condition.value) <= rounding) : !(condition.value >= -rounding);
    missed = missed || off;
    little = little && (!off || std::fabs(condition.value) <= reach);
    if (off || condition.equation) list.push_back(condition);
  }
};

struct Change {
  VectorXd by;
  std::vector<std::size_t> pushed_by;  // contacts
};

// The least change in M. In the coordinates y = Lᵀδ equations fix a part of it; in what is left walls push as contacts
// do in a step (B2).
Change find_least_change(const std::vector<Condition>& list, const coupled::Cholesky& metric) {
  const auto whitened = [&](const Condition& condition) -> VectorXd { return metric.whiten(condition.row); };
  std::vector<const Condition*> equations, walls;
  for (const Condition& condition : list) (condition.equation ? equations : walls).push_back(&condition);
  const Index d = metric.lower().rows();
  Matrix rows(static_cast<Index>(equations.size()), d);
  VectorXd values(rows.rows());
  for (Index k = 0; k < rows.rows(); ++k) {
    rows.row(k) = whitened(*equations[static_cast<std::size_t>(k)]).transpose();
    values[k] = equations[static_cast<std::size_t>(k)]->value;
  }
  VectorXd y = VectorXd::Zero(d);
  Matrix free = Matrix::Identity(d, d);  // projects onto what equations leave
  if (rows.rows() > 0) {
    y = -coupled::solve_least_squares(rows, values);
    free -= coupled::pseudo_inverse(rows) * rows;
  }
  Change change;
  std::vector<VectorXd> across;
  std::vector<double> heights;
  for (const Condition* wall : walls) {
    const VectorXd z = whitened(*wall), left = free * z;
    if (!(left.squaredNorm() > dependent * z.squaredNorm())) continue;
    across.push_back(left);
    heights.push_back(wall->value + z.dot(y));
    change.pushed_by.push_back(*wall->contact);
  }
  if (!across.empty()) {
    const auto count = static_cast<Index>(across.size());
    Matrix z(d, count);
    coupled::Laws laws;
    laws.b.resize(count);
    for (Index k = 0; k < count; ++k) {
      z.col(k) = across[static_cast<std::size_t>(k)];
      laws.b[k] = heights[static_cast<std::size_t>(k)];
      laws.parts.push_back({coupled::Law::contact, k, 1});
    }
    const double size = laws.b.cwiseAbs().maxCoeff();
    std::vector<std::size_t> pushed_by;
    if (size > 0) {
      laws.w = z.transpose() * z;
      laws.b /= size;
      const VectorXd push = coupled::find_reactions(laws).r * size;
      y += z * push;
      for (Index k = 0; k < count; ++k)
        if (push[k] > 0) pushed_by.push_back(change.pushed_by[static_cast<std::size_t>(k)]);
    }
    change.pushed_by = pushed_by;
  }
  change.by = metric.unweigh(y);
  return change;
}

std::optional<coupled::Cholesky> factor_mass(const scenario::Scenario& scenario, const Place& place, const Vector& v) {
  const Matrix mass = LawsAtPlace(scenario, place, {}).inertia(v).mass;
  const coupled::Cholesky metric(mass);
  if (!mass.allFinite() || !metric.succeeded()) return std::nullopt;
  return metric;
}

Vector settled_position(const scenario::Scenario& scenario, const Place& start, const coupled::Cholesky& metric) {
  const double reach = scenario::settling_distance * (1 + start.q.norm());
  std::vector<bool> on;
  for (const scenario::Contact& contact : scenario.contacts) on.push_back(contact.persistent);
  Vector q = start.q;
  for (int step = 0; step < most_steps; ++step) {
    const Place here{start.parameters, q, start.t};
    const LawsAtPlace laws(scenario, here, {});
    Conditions conditions;
    for (const scenario::Bilateral& bilateral : scenario.bilaterals) {
      if (!bilateral.holonomic) continue;
      const Slope slope = slope_by_coordinates(bilateral.value, here);
      conditions.add({slope.gradient, slope.value, true}, rounding_of(bilateral.value, here),
                     reach * slope.gradient.norm());
    }
    for (std::size_t p = 0; p < scenario.contacts.size(); ++p) {
      const double g = laws.g(p), rounding = rounding_of(scenario.contacts[p].g, here);
      if (!on[p] && !(g > rounding)) continue;
      const double steepness = laws.gap(p).steepness, scale = laws.scale(p);
      if (!(steepness > 0) || !std::isfinite(steepness)) return start.q;  // no way out; the checks of the start say so
      conditions.add({laws.contact(p).a.row(0).transpose(), -g / scale, on[p], p}, rounding / scale, reach);
    }
    if (!conditions.missed) return q;
    if (!conditions.little) return start.q;
    const Change change = find_least_change(conditions.list, metric);
    for (const std::size_t p : change.pushed_by) on[p] = true;
    q += change.by;
  }
  return q;
}

Vector settled_velocity(const scenario::Scenario& scenario, const Place& start, const coupled::Cholesky& metric,
                        const Vector& v) {
  const LawsAtPlace laws(scenario, start, {});
  const double reach = scenario::settling_distance * (1 + v.norm());
  Conditions conditions;
  const auto add = [&](const Rows& rows, Index row) {
    const VectorXd a = rows.a.row(row);
    const double size = std::fabs(rows.c[row]) + a.cwiseProduct(v).cwiseAbs().sum();
    conditions.add({a, a.dot(v) - rows.c[row], true}, 16 * std::numeric_limits<double>::epsilon() * size, reach);
  };
  const Rows firm = laws.firm();
  for (Index b = 0; b < firm.a.rows(); ++b) add(firm, b);
  for (std::size_t p = 0; p < scenario.contacts.size(); ++p)
    if (scenario.contacts[p].persistent) add(laws.contact(p), 0);
  if (!conditions.missed || !conditions.little) return v;
  return v + find_least_change(conditions.list, metric).by;
}

}  // namespace

void settle_start(const scenario::Scenario& scenario, const std::vector<double>& parameters, Vector& q, Vector& v) {
  const auto there = factor_mass(scenario, {parameters, q, 0}, v);
  if (!there) return;
  q = settled_position(scenario, {parameters, q, 0}, *there);
  const auto here = factor_mass(scenario, {parameters, q, 0}, v);
  if (here) v = settled_velocity(scenario, {parameters, q, 0}, *here, v);
}

}  // namespace conesweep::executor::reference
