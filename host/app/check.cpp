#include <iostream>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/spelling.hpp"
#include "model/history_plan.hpp"
#include "scenario/formulas.hpp"
#include "scenario/reading/notes.hpp"
#include "scenario/reading/theorems.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

struct CheckOptions {
  ScenarioFlags scenario;
  TalkFlags talk;
};

using scenario::Note;

std::vector<Note> find_notes(const scenario::Scenario& scenario, const scenario::Source& source) {
  std::vector<Note> notes = scenario::describe_laws(scenario);
  for (const scenario::Length& term : scenario::history_lengths(scenario)) {
    if (term.node->op == expression::Op::delay || !model::looks_through_all_nodes(term.node)) continue;
    notes.push_back({source.inside_string(term.formula->quote, term.node->span.offset),
                     "this " + std::string(expression::op_name(term.node->op)) +
                         " sees the present by now(…), so it looks through all nodes of its window at every step: its "
                         "cost grows with its length"});
  }
  notes.push_back({{}, "theory: " + scenario::find_theorem(scenario).words});
  return notes;
}

int check(const CheckOptions& options) {
  const auto [source, scenario, problems] = examine(options.scenario);
  std::size_t errors = 0;
  for (const auto& problem : problems) errors += problem.severity == scenario::Severity::error ? 1 : 0;

  if (options.talk.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& problem : problems)
      list.push_back({{"severity", problem.severity == scenario::Severity::error ? "error" : "warning"},
                      {"where", in_flags(problem.where)},
                      {"line", problem.place.line},
                      {"column", problem.place.column},
                      {"message", problem.message}});
    nlohmann::ordered_json json = {{"scenario", source.name}, {"valid", errors == 0}, {"problems", list}};
    if (scenario)
      for (const Note& note : find_notes(*scenario, source))
        json["notes"].push_back({{"line", note.place.line}, {"column", note.place.column}, {"message", note.message}});
    std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    return errors == 0 ? fine : bad_input;
  }

  for (const auto& problem : problems)
    if (problem.severity == scenario::Severity::error || !options.talk.quiet)
      std::cout << problem.to_text(spell_as_flag) << "\n";
  if (options.talk.quiet) return errors == 0 ? fine : bad_input;
  if (errors > 0) {
    std::cout << errors << " " << plural(static_cast<std::int64_t>(errors), "problem") << " in " << source.name << "\n";
    return bad_input;
  }
  const auto count = [](std::size_t n, const char* one) {
    return std::to_string(n) + " " + plural(static_cast<std::int64_t>(n), one);
  };
  std::string laws = count(scenario->contacts.size(), "contact");
  if (!scenario->bilaterals.empty()) laws += ", " + count(scenario->bilaterals.size(), "bilateral constraint");
  if (!scenario->resistances.empty()) laws += ", " + count(scenario->resistances.size(), "resistance");
  std::cout << source.name << " is fine: " << count(scenario->names.coordinates.size(), "coordinate") << ", " << laws
            << ", " << count(scenario->vary.size(), "varied parameter") << ", "
            << count(observable_names(*scenario).size(), "observable")
            << (scenario->classes.empty() ? ""
                                          : ", " + std::to_string(scenario->classes.size()) +
                                                (scenario->classes.size() == 1 ? " class" : " classes"))
            << "; " << (scenario->sweep.empty() ? "" : counted(sweep_points(*scenario), "point") + " of ")
            << counted(members_of_point(*scenario), "member") << (scenario->sweep.empty() ? " of " : " each, of ")
            << counted(scenario->steps) << " steps\n";
  for (const Note& note : find_notes(*scenario, source)) {
    std::cout << source.name;
    if (note.place.line > 0) std::cout << ":" << note.place.line << ":" << note.place.column;
    std::cout << ": note: " << note.message << "\n";
  }
  return fine;
}

void declare(Flags& flags, CheckOptions& options) {
  add_scenario(flags, options.scenario);
  add_quiet(flags, options.talk);
  add_json(flags, options.talk, "print the problems as JSON");
}

}  // namespace

Command check_command() {
  return make_command<CheckOptions>(
      {"check", "validate a scenario: every problem with its place; tries the first thousand members' parameters",
       "  conesweep check slider.toml\n  conesweep check slider.toml --set alpha=2 --json"},
      declare, check);
}

}  // namespace conesweep::app
