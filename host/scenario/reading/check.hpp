#pragma once

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// Finds what is certain to go wrong, from the defaults and the supports of the distributions: friction, restitution
/// and delays out of range for every member, a start outside the admissible set for every member.
void check_ranges(const Scenario& scenario, const Source& source, Faults& problems);

/// Tries the parameters of the first `count` members at their start and over their past. What stops every member of a
/// scenario without variation is an error; what only some members meet is a warning that counts them and names the
/// first.
void try_members(const Scenario& scenario, const Source& source, std::int64_t count, Faults& problems);

/// So many members are tried before anything is computed.
inline constexpr std::int64_t tried_members = 1000;

}  // namespace conesweep::scenario
