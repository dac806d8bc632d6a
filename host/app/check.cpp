#include <iostream>

#include "api/check.hpp"
#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/spelling.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

struct CheckOptions {
  ScenarioFlags scenario;
  TalkFlags talk;
};

int check(const CheckOptions& options) {
  const scenario::Examined examined = examine(options.scenario);
  const auto& [source, scenario, problems] = examined;
  std::size_t errors = 0;
  for (const auto& problem : problems) errors += problem.severity == scenario::Severity::error ? 1 : 0;

  if (options.talk.json) {
    std::cout << api::check_json(examined, spell_as_flag);
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
  for (const scenario::Note& note : api::find_notes(*scenario, source)) {
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
