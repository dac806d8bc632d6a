#include "run/spread_run.hpp"

#include "sampling/sampler.hpp"
#include "scenario/refine.hpp"

namespace conesweep::runs {

using executor::Outcome;

Outcome run_spread(const scenario::Scenario& scenario, int halvings, const executor::Model& model,
                   const executor::Watch& watch) {
  const auto members = tell::spread_members(scenario.ensemble.members);
  return model.run(scenario::refine(scenario, halvings),
                   {0, static_cast<std::int64_t>(members.size()), sampling::draw(scenario, members)}, watch);
}

tell::StepCheck check_step(const scenario::Scenario& scenario, const Outcome& at_h,
                           std::span<const tell::MeanEstimate> means, const executor::Model& model,
                           const executor::Watch& watch, std::span<const keep::ClassCount> classes) {
  if (scenario::most_halvings(scenario) == 0)
    return {.members = 0, .step = scenario.h(), .observables = {}, .classes = {}, .advised_step = scenario.h()};
  return tell::compare_steps(scenario, at_h, run_spread(scenario, 1, model, watch), means, classes);
}

}  // namespace conesweep::runs
