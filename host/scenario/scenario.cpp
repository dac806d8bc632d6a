#include "scenario/scenario.hpp"

#include <algorithm>

namespace conesweep::scenario {

bool is_coupled(const Scenario& scenario) {
  const auto is_laid_out = [](const Contact& contact) { return !contact.point.empty() || !contact.slip.empty() || contact.persistent; };
  return !scenario.mass.empty() || !scenario.bilaterals.empty() || !scenario.resistances.empty() ||
         std::any_of(scenario.contacts.begin(), scenario.contacts.end(), is_laid_out);
}

ContactKind kind_of(const Scenario& scenario, const Contact& contact) {
  if (!contact.point.empty()) return ContactKind::point;
  if (!contact.slip.empty()) return ContactKind::slip;
  return scenario.mass.empty() ? ContactKind::particle : ContactKind::row;
}

std::string quantity_name(const Scenario& scenario, const LawQuantity& quantity) {
  return (quantity.kind == LawQuantity::Kind::impulse ? "impulse." : "lost.") + scenario.names.laws[static_cast<std::size_t>(quantity.law)];
}

bool has_range(const Observable& observable) { return observable.after || observable.before; }

bool same_range(const Observable& a, const Observable& b) {
  const auto same = [](const std::optional<Formula>& x, const std::optional<Formula>& y) {
    return x.has_value() == y.has_value() && (!x || expression::same_tree(x->tree, y->tree));
  };
  return same(a.after, b.after) && same(a.before, b.before);
}

bool may_count(const Scenario& scenario, std::size_t observable) {
  const std::size_t own = scenario.observables.size();
  if (observable < own) return true;
  return observable - own < scenario.standard.size() && standard_quantities[scenario.standard[observable - own]].measure == Measure::count;
}

std::vector<std::string> observable_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& observable : scenario.observables) names.push_back(observable.name);
  for (const Standard standard : scenario.standard) names.emplace_back(to_name(standard));
  for (const LawQuantity& quantity : scenario.of_laws) names.push_back(quantity_name(scenario, quantity));
  if (scenario.stop) names.emplace_back("end_time");
  for (const auto& coordinate : scenario.names.coordinates) names.push_back("final." + coordinate);
  for (const auto& coordinate : scenario.names.coordinates) names.push_back("final.v" + coordinate);
  return names;
}

std::vector<std::string> class_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const OutcomeClass& one : scenario.classes) names.push_back(one.name);
  for (const StatusRow& row : statuses)
    if (row.value != Status::ok) names.emplace_back(row.name);
  return names;
}

std::vector<int> varying_parameters(const Scenario& scenario) {
  std::vector<int> parameters;
  for (const Variation& variation : scenario.vary) parameters.push_back(variation.parameter);
  for (const SweepAxis& axis : scenario.sweep) parameters.push_back(axis.parameter);
  return parameters;
}

std::int64_t sweep_points(const Scenario& scenario) {
  std::int64_t points = 1;
  for (const SweepAxis& axis : scenario.sweep) points *= static_cast<std::int64_t>(axis.values.size());
  return points;
}

double sweep_value(const Scenario& scenario, std::size_t axis, std::int64_t point) {
  for (std::size_t later = scenario.sweep.size(); --later > axis;) point /= static_cast<std::int64_t>(scenario.sweep[later].values.size());
  const auto& values = scenario.sweep[axis].values;
  return values[static_cast<std::size_t>(point) % values.size()];
}

std::vector<double> member_parameters(const Scenario& scenario, const std::vector<double>& varied) {
  std::vector<double> parameters = scenario.defaults;
  const auto varying = varying_parameters(scenario);
  for (std::size_t i = 0; i < varying.size(); ++i) parameters[static_cast<std::size_t>(varying[i])] = varied[i];
  return parameters;
}

}  // namespace conesweep::scenario
