#include "api/check.hpp"

#include <nlohmann/json.hpp>

#include "api/scenario_parts.hpp"
#include "model/history_plan.hpp"
#include "scenario/formulas.hpp"
#include "scenario/reading/theorems.hpp"

namespace conesweep {

using scenario::Note;

std::vector<Note> api::find_notes(const scenario::Scenario& scenario, const scenario::Source& source) {
  std::vector<Note> notes = scenario::describe_laws(scenario);
  for (const scenario::Length& term : scenario::history_lengths(scenario)) {
    if (term.node->op == expression::Op::delay || !model::looks_through_all_nodes(term.node)) continue;
    notes.push_back({source.inside_string(term.formula->quote, term.node->span.offset),
                     "this " + std::string(expression::op_name(term.node->op)) +
                         " sees the present by now(…), so it looks through all nodes of its window at every step: its "
                         "cost grows with its length"});
  }
  for (const Note& note : scenario::describe_islands(scenario)) notes.push_back(note);
  notes.push_back({{}, "theory: " + scenario::find_theorem(scenario).words});
  return notes;
}

std::string api::check_json(const scenario::Examined& examined, Spelling spelling) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& problem : examined.problems)
    list.push_back({{"severity", problem.severity == scenario::Severity::error ? "error" : "warning"},
                    {"where", problem.where.text(spelling)},
                    {"line", problem.place.line},
                    {"column", problem.place.column},
                    {"message", problem.message}});
  nlohmann::ordered_json json = {
      {"scenario", examined.source.name}, {"valid", !has_errors(examined.problems)}, {"problems", list}};
  if (examined.scenario)
    for (const Note& note : find_notes(*examined.scenario, examined.source))
      json["notes"].push_back({{"line", note.place.line}, {"column", note.place.column}, {"message", note.message}});
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

namespace {

Checked check_source(scenario::Source source, const Changes& changes) {
  scenario::Overrides overrides;
  api::apply(changes, source.text, overrides);
  const scenario::Examined examined = scenario::examine(std::move(source), overrides);
  Checked checked{examined.is_valid(), api::to_problems(examined), api::check_json(examined)};
  return checked;
}

}  // namespace

Checked check(const std::string& file, const Changes& changes) {
  return api::tell_plainly([&] { return check_source(scenario::load_source(file), changes); });
}

Checked check_text(const std::string& text, const std::string& name, const Changes& changes) {
  return api::tell_plainly([&] { return check_source({name, text}, changes); });
}

}  // namespace conesweep
