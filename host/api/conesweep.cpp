#include "conesweep/conesweep.hpp"

#include "ensemble/run_ensemble.hpp"
#include "io/version.hpp"
#include "scenario/reading/examine.hpp"
#include "support/error.hpp"

namespace conesweep {

Ensemble run(const std::string& scenario_file, const RunOptions& options) {
  try {
    scenario::Overrides overrides{options.members, options.seed, options.step, options.end, {options.set.begin(), options.set.end()}};
    const scenario::Examined examined = scenario::examine(scenario::load_source(scenario_file), overrides);
    if (!examined.is_valid()) {
      std::string text;
      for (const auto& problem : examined.problems) text += problem.to_text() + "\n";
      throw ScenarioError(text);
    }
    const auto& scenario = examined.scenario;

    std::string reason;
    const auto executor = executor::make_executor(options.backend, *scenario, {.threads = options.threads}, reason);
    double solve_seconds = 0;
    io::Results results = ensemble::run_ensemble(*scenario, *executor, ensemble::default_chunk, {}, solve_seconds);

    Ensemble ensemble;
    ensemble.title = scenario->title;
    ensemble.scenario = results.scenario_text;
    for (std::size_t k = 0; k < scenario->vary.size(); ++k)
      ensemble.parameters[scenario->names.parameters[static_cast<std::size_t>(scenario->vary[k].parameter)]] = std::move(results.parameters[k]);
    const auto names = observable_names(*scenario);
    for (std::size_t k = 0; k < names.size(); ++k) ensemble.observables[names[k]] = std::move(results.outcome.observables[k]);
    for (const executor::Status status : results.outcome.status) ensemble.status.emplace_back(to_name(status));
    return ensemble;
  } catch (const InputError& error) {
    throw ScenarioError(error.what());
  }
}

std::string version() { return io::version(); }

}  // namespace conesweep
