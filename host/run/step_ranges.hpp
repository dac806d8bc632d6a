#pragma once

#include <functional>

#include "executor/executor.hpp"
#include "io/run_data.hpp"
#include "sampling/sampler.hpp"
#include "scenario/scenario.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::runs {

/// A chunk that keeps the executor busy, and is done in seconds: what a kill costs. A multiple of the statistics' block, or less than one where members
/// are so long that a block would take longer; but never fewer members than the executor steps at once, which all end together.
/// `asked`, if it is not 0, replaces one that is not less than a block.
std::int64_t choose_chunk(const executor::Executor& executor, const scenario::Scenario& scenario, std::int64_t asked = 0);

/// InputError unless a chunk that is asked for is a multiple of the block.
void check_chunk(std::int64_t chunk);

/// Members that are missing. Where the coordinates of all members go into the statistics of tracks and the range begins inside a block: the block's sums
/// over time of the members before, [coordinate].
struct Gap {
  io::Range range;
  std::vector<statistics::TrackMoments> begun = {};
};

/// Draws and steps the members of some ranges, chunk by chunk; `keep` receives each with the seconds its members were being stepped. The
/// results do not depend on the chunk size. `keep` works beside the next chunk, one at a time.
///
/// With an engine, the coordinates of all members at the recorded times go into the statistics of tracks.
using Keep = std::function<void(const io::Part& part, double solve_seconds)>;
void step_ranges(const scenario::Scenario& scenario, const sampling::UnitPoints& points, executor::Executor& executor, const std::vector<Gap>& gaps,
                 std::int64_t chunk, const executor::Watch& watch, const Keep& keep, statistics::Engine* engine = nullptr);

}  // namespace conesweep::runs
