#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ensemble/run_ensemble.hpp"
#include "scenario/reading/examine.hpp"

namespace conesweep::test {

/// A scenario from its text; a problem in it is a test's own mistake and throws with its message.
inline scenario::Scenario parse_scenario(const std::string& text, const scenario::Overrides& overrides = {}) {
  scenario::Faults problems;
  auto scenario = scenario::read_scenario({"test.toml", text}, overrides, problems);
  if (!scenario) {
    std::string all;
    for (const auto& problem : problems) all += problem.to_text() + "\n";
    throw std::runtime_error(all);
  }
  return std::move(*scenario);
}

/// Every problem of a scenario text, as `check` finds them.
inline scenario::Faults find_problems(const std::string& text, const scenario::Overrides& overrides = {}) {
  return scenario::examine({"test.toml", text}, overrides).problems;
}

/// All members of a scenario on an executor.
inline io::Results run_scenario(const scenario::Scenario& scenario, const std::string& backend = "reference",
                                int threads = 1) {
  std::string reason;
  const auto executor = executor::make_model(backend, scenario, {.threads = threads}, reason);
  double solve_seconds = 0;
  return ensemble::run_ensemble(scenario, *executor, ensemble::default_chunk, {}, solve_seconds);
}

/// One observable of every member.
inline const std::vector<double>& column(const io::Results& results, const std::string& name) {
  const auto names = observable_names(results.scenario);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return results.outcome.observables[k];
  throw std::runtime_error("no observable called " + name);
}

}  // namespace conesweep::test
