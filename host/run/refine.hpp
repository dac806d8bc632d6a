#pragma once

#include <cstdint>

#include "scenario/limits.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::runs {

/// The same setup at step h / 2^halvings, without trajectories.
scenario::Setup refine(const scenario::Setup& setup, int halvings);

/// The largest number of halvings after which a member has at most `limit` steps.
int most_halvings(const scenario::Setup& setup, std::int64_t limit = scenario::most_steps);

/// h / 2^halvings in as few digits as can be, such that [time] end is a whole number of it.
double readable_step(const scenario::Setup& setup, int halvings);

}  // namespace conesweep::runs
