#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "statistics/engine.hpp"

namespace conesweep::statistics {

/// Merge by (1) and (2) of Moments at each time; of the same number of times, unless one has no members.
TrackMoments merge(TrackMoments a, const TrackMoments& b);

/// Of one block of at most block_members members; see Engine. Merge blocks by a MergeTree.
TrackMoments block_track_moments(std::span<const double> track, std::span<const executor::Status> status,
                                 std::int64_t times, Engine& engine = cpu_engine(), TrackMoments begun = {});

/// Quantile curves of one block: [level][time], in the order of quantile_levels.
std::vector<std::vector<double>> track_quantiles(std::span<const double> track,
                                                 std::span<const executor::Status> status, std::int64_t times,
                                                 Engine& engine = cpu_engine());

/// With n - 1, at each time; NaN if count < 2.
std::vector<double> standard_deviations(const TrackMoments& moments);

}  // namespace conesweep::statistics
