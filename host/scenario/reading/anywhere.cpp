#include "scenario/reading/anywhere.hpp"

#include <random>

#include "expression/still_world.hpp"

namespace conesweep::scenario {

double Anywhere::value(const expression::Expr& expr) const {
  return expression::evaluate<double>(expr, expression::StillWorld<double>{parameters, coordinates, t});
}

std::vector<Anywhere> random_places(const Scenario& scenario) {
  constexpr std::size_t count = 16;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> step(-1, 1);
  std::vector<Anywhere> places(count);
  for (Anywhere& place : places) {
    for (const double value : scenario.defaults) place.parameters.push_back(value == 0 ? step(random) : value * (1 + 0.5 * step(random)));
    for (int i = 0; i < scenario.dimension(); ++i) place.coordinates.push_back(step(random));
    place.t = step(random);
  }
  return places;
}

}  // namespace conesweep::scenario
