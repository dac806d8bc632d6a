#pragma once

#include <cstdint>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::executor {

/// The tracks of a block of consecutive members, summed where they were made: [column that is summed][time].
struct TrackSums {
  std::int64_t count = 0;                    // members that are ok
  std::vector<std::vector<double>> mean;     //
  std::vector<std::vector<double>> squares;  // sum of (x - mean)^2
};

/// A model that can sum tracks itself. On a device they are then made, summed and forgotten there.
class SumsTracks {
 public:
  virtual ~SumsTracks() = default;

  /// As Model::run for members of which the setup records none, beginning with a whole block
  /// (statistics::block_members): `sums` are of all blocks, with the bits of a sum on the CPU. Where there is no room
  /// for the tracks of a block, `sums` stays empty and the outcome has the tracks of all members.
  virtual Outcome run_and_sum(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch,
                              std::vector<TrackSums>& sums) const = 0;
};

}  // namespace conesweep::executor
