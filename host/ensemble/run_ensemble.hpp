#pragma once

#include "executor/executor.hpp"
#include "io/run_data.hpp"
#include "scenario/scenario.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::ensemble {

/// Members in one chunk: a multiple of the statistics' block.
inline constexpr std::int64_t default_chunk = 16 * statistics::block_members;

/// All members of a scenario in memory. `solve_seconds` receives the time members were being stepped.
io::Results run_ensemble(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t chunk,
                         const executor::Watch& watch, double& solve_seconds);

}  // namespace conesweep::ensemble
