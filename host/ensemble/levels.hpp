#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "executor/executor.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::ensemble {

/// Makes the executor of a scenario. An executor keeps a reference to its scenario.
using MakeExecutor = std::function<std::unique_ptr<executor::Executor>(const scenario::Scenario&)>;

/// The same scenario at step h / 2^halvings, without trajectories. The model is the same text, so a compiled one is found again.
scenario::Scenario refine(const scenario::Scenario& scenario, int halvings);

/// Steps that one member can make (the limit of scenarios).
inline constexpr std::int64_t most_steps = 2'000'000'000;

/// The largest number of halvings after which a member has at most `limit` steps.
int most_halvings(const scenario::Scenario& scenario, std::int64_t limit = most_steps);

/// h / 2^halvings in as few digits as can be, such that [time] end is a whole number of it.
double readable_step(const scenario::Scenario& scenario, int halvings);

/// The number of an observable by its name; an InputError suggests the closest one.
std::size_t find_observable(const scenario::Scenario& scenario, const std::string& name);

// base 2, from IEEE operations alone: what is decided with them is the same on every machine
double log2_of(double x);
double exp2_of(double x);

}  // namespace conesweep::ensemble
