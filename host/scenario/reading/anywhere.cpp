#include "scenario/reading/anywhere.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "expression/calculus.hpp"
#include "expression/still_world.hpp"

namespace conesweep::scenario {
namespace {

double dot(const Row& a, const Row& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

}  // namespace

double Anywhere::value(const expression::Expr& expr) const {
  return expression::evaluate<double>(expr, expression::StillWorld<double>{parameters, coordinates, t});
}

std::vector<Anywhere> random_places(const Scenario& scenario) {
  constexpr std::size_t count = 16;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> step(-1, 1);
  std::vector<Anywhere> places(count);
  for (Anywhere& place : places) {
    for (const double value : scenario.defaults)
      place.parameters.push_back(value == 0 ? step(random) : value * (1 + 0.5 * step(random)));
    for (int i = 0; i < scenario.dimension(); ++i) place.coordinates.push_back(step(random));
    place.t = step(random);
  }
  return places;
}

std::vector<Row> rows_at(const std::vector<Anywhere>& places, const expression::Expr& expr,
                         expression::Symbol::Kind kind, int dimension) {
  std::vector<Row> rows(places.size());
  for (int i = 0; i < dimension; ++i) {
    const auto part = expression::differentiate(expr, {kind, i});
    for (std::size_t k = 0; k < places.size(); ++k) rows[k].push_back(places[k].value(part));
  }
  return rows;
}

bool is_zero(const Row& row) { return dot(row, row) == 0; }

bool has_pieces(const expression::Expr& expr) {
  using expression::Op;
  constexpr std::array pieces{Op::choose, Op::abs, Op::sign, Op::floor, Op::ceil, Op::min, Op::max, Op::mod};
  return expression::any_node(
      expr, [&](const auto& node) { return std::find(pieces.begin(), pieces.end(), node.op) != pieces.end(); });
}

bool counts_none(const std::vector<Anywhere>& places, const expression::Expr& expr, expression::Symbol::Kind kind,
                 int dimension) {
  if (has_pieces(expr)) return false;
  const std::vector<Row> rows = rows_at(places, expr, kind, dimension);
  return std::all_of(rows.begin(), rows.end(), is_zero);
}

bool are_parallel(const std::vector<Row>& some, const std::vector<Row>& others) {
  constexpr double rounding = 1e-12;
  bool met = false;
  for (std::size_t k = 0; k < some.size(); ++k) {
    const double sizes = std::sqrt(dot(some[k], some[k])) * std::sqrt(dot(others[k], others[k]));
    if (!std::isfinite(sizes) || sizes == 0) continue;
    met = true;
    if (sizes - std::fabs(dot(some[k], others[k])) > rounding * sizes) return false;
  }
  return met;
}

}  // namespace conesweep::scenario
