#include "counting.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>

static constexpr size_t ahead = 4096;  // blocks that a thread notes before its warp follows

const char* counts_file() {
  static const char* const file = [] {
    const char* text = getenv("PTXRUN_COUNT");
    return text && *text ? text : nullptr;
  }();
  return file;
}

Followers::Followers(const Kernel& kernel, u32 threads, std::vector<BlockCount>& counts)
    : facts_(kernel.blocks), counts_(counts), ways_(threads) {
  for (Way& way : ways_) way.blocks.resize(ahead);
  for (u32 first = 0; first < threads; first += 32) {
    const u32 lanes = std::min(32u, threads - first);
    warps_.push_back({Group{lanes == 32 ? ~0u : (1u << lanes) - 1, -1, 0}});
  }
}

bool Followers::make_room(u32 i, Ctx& c, bool forced) {
  Way& way = ways_[i];
  std::copy(way.blocks.begin() + (long)way.next, way.blocks.begin() + (long)way.end, way.blocks.begin());
  way.end -= way.next;
  way.next = 0;
  if (way.end == way.blocks.size() && forced) way.blocks.resize(2 * way.blocks.size());
  c.way = way.blocks.data() + way.end;
  c.way_end = way.blocks.data() + way.blocks.size();
  c.counts = counts_.data();
  return c.way < c.way_end;
}

void Followers::take(u32 i, const Ctx& c, bool ended) {
  ways_[i].end = (size_t)(c.way - ways_[i].blocks.data());
  ways_[i].ended = ended;
}

bool Followers::follow() {
  bool moved = false;
  for (u32 warp = 0; warp < warps_.size(); ++warp) moved = follow(warp) || moved;
  return moved;
}

u32 Followers::depth_of(const Way& way) const { return way.depth + facts_[way.blocks[way.next]].enters; }

bool Followers::is_at(const Way& way, s32 join, u32 depth) const {
  const u32 here = depth_of(way);
  return here < depth || (here == depth && (s32)way.blocks[way.next] == join);
}

bool Followers::follow(u32 warp) {
  std::vector<Group>& groups = warps_[warp];
  bool moved = false;
  while (!groups.empty()) {
    // a lane that has ended is in no group any more
    u32 lanes = groups.back().lanes, waiting = 0;
    for (u32 rest = lanes; rest; rest &= rest - 1) {
      const u32 lane = (u32)__builtin_ctz(rest);
      const Way& way = ways_[warp * 32 + lane];
      if (way.next < way.end) continue;
      if (way.ended)
        lanes &= ~(1u << lane);
      else
        return moved;
    }
    for (u32 rest = lanes; rest; rest &= rest - 1)
      if (!is_at(ways_[warp * 32 + (u32)__builtin_ctz(rest)], groups.back().join, groups.back().depth))
        waiting |= rest & -rest;
    if (waiting == 0)
      groups.pop_back();
    else if (!step(warp, groups.back(), lanes))
      part(warp, lanes);
    moved = true;
  }
  return moved;
}

// executes the block where all lanes are; false where they are not at one
bool Followers::step(u32 warp, Group& group, u32 lanes) {
  const Way& first = ways_[warp * 32 + (u32)__builtin_ctz(lanes)];
  const u32 block = first.blocks[first.next], depth = depth_of(first);
  for (u32 rest = lanes; rest; rest &= rest - 1) {
    const Way& way = ways_[warp * 32 + (u32)__builtin_ctz(rest)];
    if (way.blocks[way.next] != block || depth_of(way) != depth) return false;
  }
  for (u32 rest = lanes; rest; rest &= rest - 1) {
    Way& way = ways_[warp * 32 + (u32)__builtin_ctz(rest)];
    ++way.next;
    way.depth = depth - facts_[block].leaves;
  }
  ++counts_[block].warps;
  counts_[block].lanes += (u64)__builtin_popcount(lanes);
  group.last = block;
  group.last_depth = depth;
  return true;
}

// a group for each way that lanes have gone from the last block; those that are where ways meet wait
void Followers::part(u32 warp, u32 lanes) {
  const u32 last = warps_[warp].back().last, depth = warps_[warp].back().last_depth;
  const s32 join = facts_[last].joins;
  const size_t before = warps_[warp].size();
  while (lanes) {
    const Way& first = ways_[warp * 32 + (u32)__builtin_ctz(lanes)];
    u32 same = 0;
    for (u32 rest = lanes; rest; rest &= rest - 1) {
      const Way& way = ways_[warp * 32 + (u32)__builtin_ctz(rest)];
      if (way.blocks[way.next] == first.blocks[first.next] && depth_of(way) == depth_of(first)) same |= rest & -rest;
    }
    lanes &= ~same;
    if (!is_at(first, join, depth)) warps_[warp].push_back(Group{same, join, depth});
  }
  if (warps_[warp].size() == before) ptx_die("PTXRUN_COUNT: lanes of a warp have come to two places at once");
}

static std::string quote_json(const std::string& text) { return '"' + text + '"'; }  // names of PTX: nothing to escape

void tell_counts(const Kernel& kernel, u64 threads, const std::vector<BlockCount>& counts) {
  u64 of_threads = 0, of_warps = 0, local[2] = {0, 0};
  std::string blocks;
  for (u32 b = 0; b < kernel.block_count; ++b) {
    const BlockFact& fact = kernel.blocks[b];
    const BlockCount& count = counts[b];
    if (count.warps == 0) continue;
    of_threads += count.lanes * fact.instructions;
    of_warps += count.warps * fact.instructions;
    for (int k = 0; k < 2; ++k) local[k] += count.local[k];
    if (fact.instructions == 0) continue;
    blocks += (blocks.empty() ? "" : ", ") + std::string("{\"function\": ") + quote_json(fact.function);
    const std::pair<const char*, u64> numbers[] = {
        {"line", fact.line},    {"instructions", fact.instructions}, {"warps", count.warps},
        {"lanes", count.lanes}, {"local_read", count.local[0]},      {"local_written", count.local[1]}};
    for (const auto& [name, number] : numbers) blocks += std::string(", \"") + name + "\": " + std::to_string(number);
    blocks += "}";
  }
  static std::mutex one_at_a_time;
  std::lock_guard<std::mutex> lock(one_at_a_time);
  FILE* file = fopen(counts_file(), "a");
  if (!file) ptx_die(std::string("cannot write PTXRUN_COUNT=") + counts_file());
  fprintf(
      file,
      "{\"kernel\": %s, \"threads\": %lu, \"thread_instructions\": %lu, \"warp_instructions\": %lu, \"local_read\": "
      "%lu, \"local_written\": %lu, \"blocks\": [%s]}\n",
      quote_json(kernel.name).c_str(), (unsigned long)threads, (unsigned long)of_threads, (unsigned long)of_warps,
      (unsigned long)local[0], (unsigned long)local[1], blocks.c_str());
  fclose(file);
}
