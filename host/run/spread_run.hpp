#pragma once

#include <span>

#include "executor/executor.hpp"
#include "tell/step_check.hpp"

namespace conesweep::runs {

/// Steps the spread members at h / 2^halvings.
executor::Outcome run_spread(const scenario::Scenario& scenario, int halvings, const executor::Model& model,
                             const executor::Watch& watch);

/// Compares them with the same at half the step (tell::compare_steps). A scenario whose steps cannot be doubled (there
/// is a largest number) is not checked: no members, no observables. `at_h` holds the spread members.
tell::StepCheck check_step(const scenario::Scenario& scenario, const executor::Outcome& at_h,
                           std::span<const tell::MeanEstimate> means, const executor::Model& model,
                           const executor::Watch& watch, std::span<const keep::ClassCount> classes = {});

}  // namespace conesweep::runs
