#include "executor/reference/drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenario/limits.hpp"

namespace conesweep::executor::reference {
namespace {

using coupled::Matrix;
using Eigen::Index;
using expression::Expr;
using expression::Op;

constexpr int corrections = 2;
constexpr double dependent = 1e-12;  // pivot ratio (B9)

// The largest of the terms that a formula is the sum of.
double largest_term(const Expr& formula, const Place& place) {
  if (formula->op == Op::add || formula->op == Op::subtract)
    return std::max(largest_term(formula->args[0], place), largest_term(formula->args[1], place));
  if (formula->op == Op::negate) return largest_term(formula->args[0], place);
  return std::fabs(value_at(formula, place));
}

std::vector<Expr> holonomic_formulas(const scenario::Scenario& scenario) {
  std::vector<Expr> formulas;
  for (const auto& bilateral : scenario.bilaterals)
    if (bilateral.holonomic) formulas.push_back(bilateral.value);
  return formulas;
}

}  // namespace

Vector without_drift(const scenario::Scenario& scenario, const Place& moved, const Matrix& mass,
                     const std::vector<std::size_t>& held) {
  std::vector<Expr> formulas = holonomic_formulas(scenario);
  for (const std::size_t p : held) formulas.push_back(scenario.contacts[p].g);
  const auto count = static_cast<Index>(formulas.size());
  Vector q = moved.q;
  if (count == 0) return q;
  const coupled::Cholesky metric(mass);
  for (int step = 0; step < corrections; ++step) {
    const Place here{moved.parameters, q, moved.t};
    coupled::Vector phi(count);
    Matrix b(count, q.size());
    for (Index k = 0; k < count; ++k) {
      const Expr& formula = formulas[static_cast<std::size_t>(k)];
      const Slope slope = slope_by_coordinates(formula, here);
      const bool rounding = std::fabs(slope.value) < rounding_of(formula, here);
      phi[k] = rounding ? 0 : slope.value;
      b.row(k) = slope.gradient.transpose();
    }
    if ((phi.array() == 0).all()) break;

    // least change in the kinetic metric: with Z = L⁻¹Bᵀ = QR it is L⁻ᵀQ R⁻ᵀφ
    const Matrix z = metric.whiten(b.transpose());
    const coupled::OrthogonalFactors factors(z);
    for (Index k = 0; k < count; ++k)
      if (factors.is_dependent(z, k, dependent)) return q;
    q -= metric.unweigh(factors.made() * factors.solve_transposed(phi));
  }
  return q;
}

double rounding_of(const Expr& formula, const Place& place) {
  return 4 * std::numeric_limits<double>::epsilon() * largest_term(formula, place);
}

bool starts_on_constraints(const scenario::Scenario& scenario, const Place& start) {
  for (const Expr& formula : holonomic_formulas(scenario)) {
    const Slope slope = slope_by_coordinates(formula, start);
    if (!(std::fabs(slope.value) <= scenario::start_tolerance * (1 + start.q.norm()) * slope.gradient.norm()))
      return false;
  }
  return true;
}

}  // namespace conesweep::executor::reference
