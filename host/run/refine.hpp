#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "executor/executor.hpp"
#include "scenario/limits.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::runs {

/// Makes the executor of a scenario. An executor keeps a reference to its scenario.
using MakeExecutor = std::function<std::unique_ptr<executor::Executor>(const scenario::Scenario&)>;

/// The same scenario at step h / 2^halvings, without trajectories. The model is the same text, so a compiled one is found again.
scenario::Scenario refine(const scenario::Scenario& scenario, int halvings);

/// The largest number of halvings after which a member has at most `limit` steps.
int most_halvings(const scenario::Scenario& scenario, std::int64_t limit = scenario::most_steps);

/// h / 2^halvings in as few digits as can be, such that [time] end is a whole number of it.
double readable_step(const scenario::Scenario& scenario, int halvings);

}  // namespace conesweep::runs
