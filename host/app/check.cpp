#include <iostream>

#include <nlohmann/json.hpp>

#include "app/options.hpp"
#include "scenario/check.hpp"
#include "support/text.hpp"

namespace conesweep::app {

int check(const Options& options) {
  const scenario::Source source = scenario::load_source(options.scenario);
  scenario::Problems problems;
  const auto scenario = scenario::read_scenario(source, to_overrides(options), problems);
  if (scenario) scenario::try_members(*scenario, source, scenario::tried_members, problems);
  std::size_t errors = 0;
  for (const auto& problem : problems) errors += problem.severity == scenario::Severity::error ? 1 : 0;

  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& problem : problems)
      list.push_back({{"severity", problem.severity == scenario::Severity::error ? "error" : "warning"},
                      {"where", problem.where}, {"line", problem.place.line}, {"column", problem.place.column}, {"message", problem.message}});
    std::cout << nlohmann::ordered_json{{"scenario", source.name}, {"valid", errors == 0}, {"problems", list}}.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    return errors == 0 ? fine : bad_input;
  }

  for (const auto& problem : problems)
    if (problem.severity == scenario::Severity::error || !options.quiet) std::cout << problem.to_text() << "\n";
  if (options.quiet) return errors == 0 ? fine : bad_input;
  if (errors > 0) {
    std::cout << errors << (errors == 1 ? " problem in " : " problems in ") << source.name << "\n";
    return bad_input;
  }
  const auto count = [](std::size_t n, const char* one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); };
  std::cout << source.name << " is fine: " << count(scenario->names.coordinates.size(), "coordinate") << ", " << count(scenario->contacts.size(), "contact") << ", "
            << count(scenario->vary.size(), "varied parameter") << ", " << count(observable_names(*scenario).size(), "observable") << "; "
            << format_count(static_cast<unsigned long long>(scenario->ensemble.members)) << (scenario->ensemble.members == 1 ? " member of " : " members of ")
            << format_count(static_cast<unsigned long long>(scenario->steps)) << " steps\n";
  return fine;
}

}  // namespace conesweep::app
