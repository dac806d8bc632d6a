#include "executor/reference/slopes.hpp"

#include <span>

#include "executor/reference/autodiff.hpp"
#include "expression/still_world.hpp"

namespace conesweep::executor::reference {
namespace {

using expression::Expr;
using expression::StillWorld;

// A still world in which velocities have values too.
struct MovingWorld {
  StillWorld<Dual> still;
  std::span<const Dual> velocities;

  Dual symbol(expression::Symbol s) const {
    return s.kind == expression::Symbol::Kind::velocity ? velocities[static_cast<std::size_t>(s.index)]
                                                        : still.symbol(s);
  }
  Dual history(const expression::Node& node) const { return still.history(node); }
};

std::vector<Dual> constants(const Vector& q) {
  std::vector<Dual> numbers;
  for (const double x : q) numbers.emplace_back(x);
  return numbers;
}

std::vector<Dual> variables(const Vector& q) {
  std::vector<Dual> numbers;
  for (int i = 0; i < q.size(); ++i) numbers.push_back(make_variable(q[i], static_cast<int>(q.size()), i));
  return numbers;
}

}  // namespace

double value_at(const Expr& formula, const Place& place) {
  return expression::evaluate<double>(
      formula, StillWorld<double>{place.parameters, std::span(place.q.data(), static_cast<std::size_t>(place.q.size())),
                                  place.t});
}

Slope slope_by_coordinates(const Expr& formula, const Place& place) {
  const std::vector<Dual> q = variables(place.q);
  const Dual found = expression::evaluate<Dual>(formula, StillWorld<Dual>{place.parameters, q, Dual(place.t)});
  return {found.value(), gradient(found, place.q.size())};
}

Slope slope_by_velocities(const Expr& formula, const Place& place) {
  const std::vector<Dual> q = constants(place.q), v = variables(Vector::Zero(place.q.size()));
  const Dual found = expression::evaluate<Dual>(formula, MovingWorld{{place.parameters, q, Dual(place.t)}, v});
  return {found.value(), gradient(found, place.q.size())};
}

double slope_by_time(const Expr& formula, const Place& place) {
  const std::vector<Dual> q = constants(place.q);
  return gradient(
      expression::evaluate<Dual>(formula, StillWorld<Dual>{place.parameters, q, make_variable(place.t, 1, 0)}), 1)[0];
}

}  // namespace conesweep::executor::reference
