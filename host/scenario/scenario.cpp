#include "scenario/scenario.hpp"

#include <array>

namespace conesweep::scenario {

bool takes_condition(Reducer reducer) { return reducer >= Reducer::first_time; }

std::string_view to_name(Sampler sampler) {
  constexpr std::array<std::string_view, 4> names = {"random", "latin", "sobol", "grid"};
  return names.at(static_cast<std::size_t>(sampler));
}

std::string_view to_name(DistributionKind kind) {
  constexpr std::array<std::string_view, 8> names = {"uniform", "normal", "lognormal", "loguniform", "triangular", "truncated_normal", "choice", "table"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view to_name(Reducer reducer) {
  constexpr std::array<std::string_view, 8> names = {"final", "min", "max", "mean", "integral", "first_time", "last_time", "count"};
  return names.at(static_cast<std::size_t>(reducer));
}

std::string_view to_name(Standard standard) {
  constexpr std::array<std::string_view, standard_count> names = {"impacts",    "first_contact", "stick_time", "slip_time",  "flight_time",
                                                                  "dissipated", "impulse",       "variation",  "penetration"};
  return names.at(static_cast<std::size_t>(standard));
}

std::vector<std::string> observable_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& observable : scenario.observables) names.push_back(observable.name);
  for (const Standard standard : scenario.standard) names.emplace_back(to_name(standard));
  for (const auto& coordinate : scenario.names.coordinates) names.push_back("final." + coordinate);
  for (const auto& coordinate : scenario.names.coordinates) names.push_back("final.v" + coordinate);
  return names;
}

std::vector<double> member_parameters(const Scenario& scenario, const std::vector<double>& varied) {
  std::vector<double> parameters = scenario.defaults;
  for (std::size_t i = 0; i < scenario.vary.size(); ++i) parameters[static_cast<std::size_t>(scenario.vary[i].parameter)] = varied[i];
  return parameters;
}

}  // namespace conesweep::scenario
