#pragma once

#include <cstdint>

namespace conesweep::scenario {

inline constexpr std::int64_t most_steps = 2'000'000'000;  // an hour of stepping for one member, at best
inline constexpr std::int64_t most_members = std::int64_t{1} << 40;
inline constexpr std::int64_t most_coordinates = 64;
inline constexpr std::int64_t most_resistances = 64;
// of an island: laws that act on the same coordinates, and the coordinates that they and the mass connect (B11)
inline constexpr std::int64_t most_island_coordinates = 24;
inline constexpr std::int64_t most_island_firm_rows = 16;
inline constexpr std::int64_t most_island_resistances = 16;
// contacts that touch all the time; so many may touch at once
inline constexpr std::int64_t most_persistent = 8;
inline constexpr std::int64_t most_percussions = 100'000;  // of one resistance
// compilers still end in sensible time: docs/scenario.md, limits
inline constexpr std::int64_t most_parameters = 10'000;
inline constexpr std::int64_t most_observables = 2'000;
inline constexpr std::int64_t most_definitions = 2'000;
inline constexpr std::int64_t most_sweep_values = 100'000;  // of one axis
inline constexpr std::int64_t most_classes = 200;           // with the statuses their codes fit into 8 bits

/// Numbers, names and operations of all expressions with their definitions written out: what a file of the largest size
/// can hold without definitions.
inline constexpr std::int64_t most_nodes = std::int64_t{4} << 20;

/// A window looks back over so many steps at most. (A delay has no such limit: before the run's beginning it sees the
/// past as a formula.)
inline constexpr std::int64_t most_window_steps = 10'000'000;

/// A start may lie outside the admissible set by so much of its own size: distance <= start_tolerance (1 + |q|).
inline constexpr double start_tolerance = 1e-9;

/// And where [start] asks for it, one that misses a wall or a constraint by so much of its own size is put on it; so
/// are velocities.
inline constexpr double settling_distance = 1e-4;

/// Relative, on numbers of steps that are computed: end / step, every (docs/scenario.md, [time]).
inline constexpr double whole_steps_tolerance = 1e-9;

}  // namespace conesweep::scenario
