#pragma once

#include <functional>

#include "executor/executor.hpp"
#include "io/run_folder.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::ensemble {

/// Members in one chunk: a multiple of the statistics' block, small enough to hear Ctrl-C and show progress.
inline constexpr std::int64_t default_chunk = 16 * statistics::block_members;

/// Draws, steps and gathers all members of a scenario, chunk by chunk. The result does not depend on the chunk size.
/// `solve_seconds` receives the time members were being stepped.
io::Results run_ensemble(const scenario::Scenario& scenario, executor::Executor& executor, std::int64_t chunk, const executor::Watch& watch, double& solve_seconds);

}  // namespace conesweep::ensemble
