#include "run/spread_run.hpp"

#include "sampling/sampler.hpp"
#include "scenario/refine.hpp"

namespace conesweep::runs {

std::vector<std::vector<double>> draw_spread(const scenario::Scenario& scenario) {
  return sampling::draw(scenario, tell::spread_members(scenario.ensemble.members));
}

executor::Outcome run_spread(const scenario::Scenario& scenario, int halvings,
                             const std::vector<std::vector<double>>& varied, const executor::Model& model,
                             const executor::Watch& watch) {
  const executor::Members members(scenario, tell::spread_members(scenario.ensemble.members));
  return model.run(scenario::refine(scenario, halvings), {members, varied}, watch);
}

tell::StepCheck check_step(const scenario::Scenario& scenario, const keep::SomeMembers& at_h, const tell::Means& means,
                           const executor::Model& model, const executor::Watch& watch) {
  if (scenario::most_halvings(scenario) == 0)
    return {.members = 0, .step = scenario.h(), .observables = {}, .classes = {}, .advised_step = scenario.h()};
  return tell::compare_steps(scenario, at_h, run_spread(scenario, 1, at_h.varied, model, watch), means);
}

}  // namespace conesweep::runs
