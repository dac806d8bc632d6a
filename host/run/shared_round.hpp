#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keep/chunk_store.hpp"
#include "run/step_ranges.hpp"

/// What the ranks of a run tell each other, and the pieces of work that they take.
namespace conesweep::runs {

/// How gaps are cut into pieces.
struct Cut {
  std::int64_t chunk = 0;  // members in a piece, at most
  std::int64_t least = 0;  // and at least, but for what is left of a gap
  int ranks = 1;           // that share them
  // pieces begin where blocks do: a block of members is summed from its first to its last. Then chunks may be smaller
  // than a piece
  bool whole_blocks = false;
};

/// Gaps cut into pieces that ranks take one by one: a chunk each, as long as there is much to do; then a quarter of a
/// rank's share of what is left, so that unequal ranks end together.
class WorkList {
 public:
  WorkList(std::vector<Gap> gaps, const Cut& cut);

  std::int64_t size() const { return static_cast<std::int64_t>(pieces_.size()); }

  /// A piece; nothing beyond the last.
  std::optional<Gap> find(std::int64_t piece) const;

  std::int64_t chunk() const { return cut_.chunk; }  // members

  /// For other ranks.
  std::string pack() const;
  static WorkList unpack(const std::string& bytes);

 private:
  struct Piece {
    std::size_t gap;
    io::MemberRange range;
  };
  std::vector<Gap> gaps_;
  Cut cut_;
  std::vector<Piece> pieces_;
};

/// The leader's words: which members to step now.
struct RoundJob {
  std::uint64_t run = 0;  // hash of what must be the same for all
  std::int64_t members = 0;
  std::optional<keep::ChunkStore::Mark> mark;  // of the folder; nothing: the chunks lie in the leader's memory
  WorkList work;

  std::string pack() const;
  static RoundJob unpack(const std::string& bytes);
};

/// A follower's: a chunk is done. Its bytes, if the follower does not see the folder.
struct ChunkReport {
  keep::ChunkSet::Chunk chunk;
  std::string bytes;

  std::string pack() const;
  static ChunkReport unpack(const std::string& bytes);
};

}  // namespace conesweep::runs
