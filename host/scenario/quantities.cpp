#include "scenario/quantities.hpp"

#include <algorithm>

namespace conesweep::scenario {
namespace {

constexpr std::string_view final_value = "final.";
constexpr std::string_view end_time = "end_time";

std::string given_unit(const Scenario& scenario, const std::string& name) {
  for (const auto& [quantity, unit] : scenario.units)
    if (quantity == name) return unit;
  return {};
}

// What a quantity is measured like: another one, by its name; empty where nothing tells.
std::string measured_like(const Scenario& scenario, const std::string& name) {
  const std::string time = "t";
  if (name.starts_with(final_value)) return name.substr(final_value.size());
  for (const Observable& observable : scenario.observables) {
    if (observable.name != name) continue;
    if (reducers[observable.reducer].measure == Measure::time || observable.reducer == Reducer::period) return time;
    const bool keeps = observable.reducer == Reducer::final || observable.reducer == Reducer::min ||
                       observable.reducer == Reducer::max || observable.reducer == Reducer::mean;
    return keeps ? observable.formula.text : std::string();
  }
  const auto is_time = [&](Standard standard) {
    return to_name(standard) == name && standard_quantities[standard].measure == Measure::time;
  };
  const auto is_loss = [&](const LawQuantity& quantity) {
    return quantity.kind == LawQuantity::Kind::loss && quantity_name(scenario, quantity) == name;
  };
  const bool timed = std::any_of(scenario.standard.begin(), scenario.standard.end(), is_time) ||
                     std::any_of(scenario.of_laws.begin(), scenario.of_laws.end(), is_loss) ||
                     (scenario.stop && name == end_time);
  return timed ? time : std::string();
}

std::string meaning_of(const Observable& observable) {
  std::string text = std::string(reducers[observable.reducer].meaning) + " " + observable.formula.text;
  if (observable.after) text += ", after " + observable.after->text;
  if (observable.before) text += ", before " + observable.before->text;
  return text;
}

std::string meaning_of(const Scenario& scenario, const LawQuantity& quantity) {
  const std::string& law = scenario.names.laws[static_cast<std::size_t>(quantity.law)];
  return quantity.kind == LawQuantity::Kind::impulse ? "sum of the normal impulses of " + law
                                                     : "time at which " + law + " was lost";
}

}  // namespace

std::vector<std::string> quantity_names(const Scenario& scenario) {
  std::vector<std::string> names = {"t"};
  const auto states = state_names(scenario);
  names.insert(names.end(), states.begin(), states.end());
  names.insert(names.end(), scenario.names.parameters.begin(), scenario.names.parameters.end());
  for (const Computed& computed : scenario.computed) names.push_back(computed.name);
  const auto observed = observable_names(scenario);
  names.insert(names.end(), observed.begin(), observed.end());
  return names;
}

std::string unit_of(const Scenario& scenario, const std::string& name) {
  const std::string given = given_unit(scenario, name);
  return given.empty() ? given_unit(scenario, measured_like(scenario, name)) : given;
}

std::string meaning_of(const Scenario& scenario, std::size_t observable) {
  std::size_t at = observable;
  if (at < scenario.observables.size()) return meaning_of(scenario.observables[at]);
  at -= scenario.observables.size();
  if (at < scenario.standard.size()) return std::string(standard_quantities[scenario.standard[at]].meaning);
  at -= scenario.standard.size();
  if (at < scenario.of_laws.size()) return meaning_of(scenario, scenario.of_laws[at]);
  const std::string name = observable_names(scenario)[observable];
  if (name == end_time) return "time at which the member ended";
  return name.substr(final_value.size()) + " at the end";
}

}  // namespace conesweep::scenario
