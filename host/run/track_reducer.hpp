#pragma once

#include <cstdint>
#include <vector>

#include "executor/track_sums.hpp"
#include "io/run_data.hpp"
#include "scenario/scenario.hpp"
#include "statistics/engine.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::runs {

/// The tracks of all members of a chunk become sums of each block; those of the recorded members stay. Members of a
/// block come one after another; several blocks may go on at once.
class TrackReducer {
 public:
  /// `begun`: sums of the block that the chunk begins inside.
  TrackReducer(const scenario::Scenario& scenario, statistics::Engine& engine, io::ChunkResults& part,
               const std::vector<statistics::TrackMoments>& begun);

  /// Sums of the next members, where who stepped them made them; none of them is recorded.
  void add(std::int64_t first, const std::vector<executor::TrackSums>& sums, executor::Outcome& outcome);

  /// The next members of a block, or of several.
  void add(std::int64_t first, executor::Outcome& outcome);

 private:
  static constexpr std::int64_t block = statistics::block_members;
  statistics::TrackMoments& moments_of(std::size_t coordinate, std::int64_t member);
  void add_moments(std::int64_t first, const executor::Outcome& outcome, std::size_t c);
  void keep_first_block(std::int64_t first, const executor::Outcome& outcome);

  const scenario::Scenario& scenario_;
  statistics::Engine& engine_;
  io::ChunkResults& part_;
  std::vector<std::vector<double>> first_block_;  // [column that is summed][member * times + time]
  std::vector<executor::Status> status_;          // of its members
};

}  // namespace conesweep::runs
