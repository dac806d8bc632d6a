#pragma once

#include <cstdint>
#include <string>

#include "scenario/limits.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// Why a member cannot go to its end in such steps: it is no whole number of them, or too many; empty: it can.
std::string find_fault_of_steps(double end, double step);

/// The same setup at step h / 2^halvings, without trajectories.
Setup refine(const Setup& setup, int halvings);

/// The largest number of halvings after which a member has at most `limit` steps.
int most_halvings(const Setup& setup, std::int64_t limit = most_steps);

/// h / 2^halvings in as few digits as can be, such that [time] end is a whole number of it.
double readable_step(const Setup& setup, int halvings);

}  // namespace conesweep::scenario
