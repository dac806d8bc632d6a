// PTXRUN_COUNT: what a launch costs in instructions of threads and of warps.
#pragma once
#include <vector>

#include "modules.hpp"

const char* counts_file();  // PTXRUN_COUNT; null: nothing is counted

/// Blocks that a thread has entered and its warp has not followed yet.
struct Way {
  std::vector<u32> blocks;
  size_t next = 0, end = 0;  // of the blocks: those that are to be followed
  u32 depth = 0;             // of calls, where the warp is
  bool ended = false;
};

/// The warps of a block of threads, which follow what their lanes have run through, as if lanes were executed together
/// wherever they are at one place.
///
/// Lanes of a warp are together until a branch parts them. Those that went one way go on alone, up to the branch's
/// immediate post-dominator, where they wait for the others; then these go. A function's end is such a place, and what
/// a call returns to is reached at the depth of the call only.
class Followers {
 public:
  Followers(const Kernel& kernel, u32 threads, std::vector<BlockCount>& counts);

  /// Gives thread i room to note blocks. False where it has run far enough ahead of its warp; `forced`: then too there
  /// is more.
  bool make_room(u32 i, Ctx& c, bool forced);
  /// Thread i has noted blocks, and has perhaps ended.
  void take(u32 i, const Ctx& c, bool ended);
  /// Lets every warp go as far as is known. Did one move?
  bool follow();

 private:
  struct Group {  // lanes that go together
    u32 lanes;
    s32 join;  // where they stop: this block at this depth, or less depth
    u32 depth;
    u32 last = 0, last_depth = 0;  // the block they have executed last
  };
  bool follow(u32 warp);
  bool step(u32 warp, Group& group, u32 lanes);
  void part(u32 warp, u32 lanes);
  u32 depth_of(const Way& way) const;
  bool is_at(const Way& way, s32 join, u32 depth) const;

  const BlockFact* facts_;
  std::vector<BlockCount>& counts_;
  std::vector<Way> ways_;
  std::vector<std::vector<Group>> warps_;  // innermost last
};

/// Appends one line of JSON to the file.
void tell_counts(const Kernel& kernel, u64 threads, const std::vector<BlockCount>& counts);
