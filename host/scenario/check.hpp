#pragma once

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// A window looks back over so many steps at most. (A delay has no such limit: before the run's beginning it sees the past as a formula.)
inline constexpr std::int64_t most_window_steps = 10'000'000;

/// A start may lie outside the admissible set by so much of its own size: distance <= start_tolerance (1 + |q|).
inline constexpr double start_tolerance = 1e-9;

/// A delay or window somewhere in the scenario.
struct Length {
  expression::Expr node;   // delay(…, tau) or window_…(…, delta); its second argument is an expression of parameters
  const Formula* formula;  // where it stands
};
std::vector<Length> history_lengths(const Scenario& scenario);

/// Finds what is certain to go wrong, from the defaults and the supports of the distributions: friction, restitution and delays
/// out of range for every member, a start outside the admissible set for every member.
void check_ranges(const Scenario& scenario, const Source& source, Problems& problems);

/// Tries the parameters of the first `count` members at their start and over their past. What stops every member of a
/// scenario without variation is an error; what only some members meet is a warning that counts them and names the first.
void try_members(const Scenario& scenario, const Source& source, std::int64_t count, Problems& problems);

/// read_scenario and try_members in one: what a command runs before it computes anything.
inline constexpr std::int64_t tried_members = 1000;

}  // namespace conesweep::scenario
