#include "scenario/scenario.hpp"

namespace conesweep::scenario {

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
