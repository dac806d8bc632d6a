#pragma once

#include <functional>
#include <optional>

#include "executor/executor.hpp"
#include "io/run_data.hpp"
#include "sampling/sampler.hpp"
#include "scenario/scenario.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::runs {

/// A chunk that keeps the executor busy, and is done in seconds: what a kill costs. A multiple of the statistics'
/// block, or less than one where members are so long that a block would take longer; but never fewer members than the
/// executor steps at once, which all end together. `asked`, if it is not 0, replaces one that is not less than a block.
std::int64_t choose_chunk(const executor::Model& model, const scenario::Scenario& scenario, std::int64_t asked = 0);

/// Work that several ranks share.
struct SharedWork {
  std::int64_t members, steps;
  int ranks;
  bool whole_blocks = false;  // no rank takes less than a block
};

/// So few members are enough for what a chunk costs beside its steps.
std::int64_t least_chunk(const executor::Model& model, std::int64_t steps);

/// A chunk for it: not more than `chunk`, and so few members that every rank has several chunks and unequal ranks end
/// together; but not less than the least.
std::int64_t share_chunk(const executor::Model& model, std::int64_t chunk, const SharedWork& work);

/// InputError unless a chunk that is asked for is a multiple of the block.
void check_chunk(std::int64_t chunk);

/// Members that are missing. Where the coordinates of all members go into the statistics of tracks and the range begins
/// inside a block: the block's sums over time of the members before, [coordinate].
struct Gap {
  io::MemberRange range;
  std::vector<statistics::TrackMoments> begun = {};
};

using Keep = std::function<void(io::ChunkResults part, double solve_seconds)>;

/// Who sees members as soon as they are stepped, several times a chunk where that costs nothing.
using See = std::function<void(const executor::Chunk& members, const executor::Outcome& outcome)>;

struct Onlookers {
  // the coordinates of all members at the recorded times go into the statistics of tracks
  statistics::Engine* tracks = nullptr;
  See see = {};
};

/// Members at these points, to be stepped by this model, in chunks of so many.
struct Stepping {
  const scenario::Scenario& scenario;
  const sampling::UnitPoints& points;
  const executor::Model& model;
  std::int64_t chunk;
  executor::Watch watch = {};
  Onlookers onlookers = {};
};

/// Draws and steps the members of some ranges, chunk by chunk; `keep` receives each with the seconds its members were
/// being stepped. The results do not depend on the chunk size. `keep` works beside the next chunk, one at a time.
void step_ranges(const Stepping& members, const std::vector<Gap>& gaps, const Keep& keep);

/// The same for ranges that `next` hands out, one after the other, until there is none.
using NextGap = std::function<std::optional<Gap>()>;
void step_ranges(const Stepping& members, const NextGap& next, const Keep& keep);

}  // namespace conesweep::runs
