#pragma once

#include "executor/executor.hpp"
#include "tell/step_check.hpp"

/// Some members, spread over the ensemble (tell::spread_members), once more: what the step check compares.
namespace conesweep::runs {

/// Their parameters, where there are no columns to take them from.
std::vector<std::vector<double>> draw_spread(const scenario::Scenario& scenario);

/// With these parameters, at step h / 2^halvings.
executor::Outcome run_spread(const scenario::Scenario& scenario, int halvings,
                             const std::vector<std::vector<double>>& varied, const executor::Model& model,
                             const executor::Watch& watch);

/// Compares them at h with the same at half the step (tell::compare_steps). A scenario whose steps cannot be doubled
/// (there is a largest number) is not checked: no members, no observables.
tell::StepCheck check_step(const scenario::Scenario& scenario, const keep::SomeMembers& at_h, const tell::Means& means,
                           const executor::Model& model, const executor::Watch& watch);

}  // namespace conesweep::runs
