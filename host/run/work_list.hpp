#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/step_ranges.hpp"

namespace conesweep::runs {

/// Gaps cut into pieces that ranks take one by one: a chunk each. Where sums over time are asked for, a block of members is summed from its first to its last,
/// so pieces begin where blocks do: then a piece has whole blocks, though its chunks may be smaller.
class WorkList {
 public:
  WorkList(std::vector<Gap> gaps, std::int64_t chunk, bool whole_blocks);

  std::int64_t size() const { return first_.back(); }  // pieces

  /// A piece; nothing beyond the last.
  std::optional<Gap> find(std::int64_t piece) const;

  std::int64_t chunk() const { return chunk_; }  // members

  /// For other ranks.
  std::string pack() const;
  static WorkList unpack(const std::string& bytes);

 private:
  std::int64_t border(const Gap& gap, std::int64_t piece) const;  // the first member of a gap's piece

  std::vector<Gap> gaps_;
  std::int64_t chunk_;
  std::int64_t unit_;  // members in a piece
  bool whole_blocks_;
  std::vector<std::int64_t> first_;  // [gap] its first piece; the number of pieces at the end
};

}  // namespace conesweep::runs
