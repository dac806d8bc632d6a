#pragma once

#include <optional>
#include <string>

#include "keep/chunk_store.hpp"
#include "run/work_list.hpp"

/// What the ranks of a run tell each other.
namespace conesweep::runs {

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
