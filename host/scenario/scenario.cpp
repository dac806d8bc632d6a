#include "scenario/scenario.hpp"

#include <algorithm>

namespace conesweep::scenario {

bool is_coupled(const Problem& problem) {
  const auto is_laid_out = [](const Contact& contact) {
    return !contact.point.empty() || !contact.slip.empty() || contact.persistent || has_own_law(contact);
  };
  return !problem.mass.empty() || !problem.bilaterals.empty() || !problem.resistances.empty() ||
         std::any_of(problem.contacts.begin(), problem.contacts.end(), is_laid_out);
}

ContactKind kind_of(const Problem& problem, const Contact& contact) {
  if (!contact.point.empty()) return ContactKind::point;
  if (!contact.slip.empty()) return ContactKind::slip;
  return problem.mass.empty() ? ContactKind::particle : ContactKind::row;
}

std::string quantity_name(const Problem& problem, const LawQuantity& quantity) {
  return (quantity.kind == LawQuantity::Kind::impulse ? "impulse." : "lost.") +
         problem.names.laws[static_cast<std::size_t>(quantity.law)];
}

bool has_range(const Observable& observable) { return observable.after || observable.before; }

bool same_range(const Observable& a, const Observable& b) {
  const auto same = [](const std::optional<Formula>& x, const std::optional<Formula>& y) {
    return x.has_value() == y.has_value() && (!x || expression::same_tree(x->tree, y->tree));
  };
  return same(a.after, b.after) && same(a.before, b.before);
}

bool may_count(const Problem& problem, std::size_t observable) {
  const std::size_t own = problem.observables.size();
  if (observable < own) return true;
  return observable - own < problem.standard.size() &&
         standard_quantities[problem.standard[observable - own]].measure == Measure::count;
}

std::vector<std::string> observable_names(const Problem& problem) {
  std::vector<std::string> names;
  for (const auto& observable : problem.observables) names.push_back(observable.name);
  for (const Standard standard : problem.standard) names.emplace_back(to_name(standard));
  for (const LawQuantity& quantity : problem.of_laws) names.push_back(quantity_name(problem, quantity));
  if (problem.stop) names.emplace_back("end_time");
  for (const auto& state : state_names(problem)) names.push_back(final_name(state));
  return names;
}

std::size_t count_observables(const Problem& problem) {
  return problem.observables.size() + problem.standard.size() + problem.of_laws.size() + (problem.stop ? 1 : 0) +
         count_states(problem);
}

std::vector<std::string> class_names(const Design& design) {
  std::vector<std::string> names;
  for (const OutcomeClass& one : design.classes) names.push_back(one.name);
  for (const StatusRow& row : statuses)
    if (row.value != Status::ok) names.emplace_back(row.name);
  return names;
}

std::vector<int> varying_parameters(const Design& design) {
  std::vector<int> parameters;
  for (const Variation& variation : design.vary) parameters.push_back(variation.parameter);
  for (const SweepAxis& axis : design.sweep) parameters.push_back(axis.parameter);
  return parameters;
}

std::int64_t sweep_points(const Design& design) {
  std::int64_t points = 1;
  for (const SweepAxis& axis : design.sweep) points *= static_cast<std::int64_t>(axis.values.size());
  return points;
}

double sweep_value(const Design& design, std::size_t axis, std::int64_t point) {
  for (std::size_t later = design.sweep.size(); --later > axis;)
    point /= static_cast<std::int64_t>(design.sweep[later].values.size());
  const auto& values = design.sweep[axis].values;
  return values[static_cast<std::size_t>(point) % values.size()];
}

std::vector<double> member_parameters(const Setup& setup, const std::vector<int>& columns,
                                      const std::vector<double>& varied) {
  std::vector<double> parameters = setup.defaults;
  for (std::size_t i = 0; i < columns.size(); ++i) parameters[static_cast<std::size_t>(columns[i])] = varied[i];
  return parameters;
}

}  // namespace conesweep::scenario
