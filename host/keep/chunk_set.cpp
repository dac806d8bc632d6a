#include "keep/chunk_set.hpp"

#include <algorithm>

#include "statistics/statistics.hpp"
#include "support/error.hpp"

namespace conesweep::keep {
namespace {

std::int64_t count_members(const std::vector<ChunkSet::Chunk>& chunks) {
  std::int64_t members = 0;
  for (const auto& chunk : chunks) members += chunk.range.count;
  return members;
}

// By their first member; of two that begin with one member the longer one, which is taken if it fits.
void insert(std::vector<ChunkSet::Chunk>& chunks, const ChunkSet::Chunk& chunk) {
  const auto comes_before = [](const ChunkSet::Chunk& a, const ChunkSet::Chunk& b) {
    return a.range.first != b.range.first ? a.range.first < b.range.first : a.range.count > b.range.count;
  };
  chunks.insert(std::upper_bound(chunks.begin(), chunks.end(), chunk, comes_before), chunk);
}

}  // namespace

std::vector<ChunkSet::Chunk> ChunkSet::choose(std::int64_t members) const {
  std::vector<Chunk> chosen;
  for (const Chunk& chunk : all_)
    if (chunk.range.first >= (chosen.empty() ? 0 : chosen.back().range.end()) && chunk.range.end() <= members)
      chosen.push_back(chunk);
  return chosen;
}

void ChunkSet::fit(std::int64_t members) {
  members_ = members;
  used_ = choose(members);
}

void ChunkSet::take(const Chunk& chunk) { insert(all_, chunk); }

void ChunkSet::take_new(const Chunk& chunk) {
  take(chunk);
  insert(used_, chunk);
}

void ChunkSet::drop_if(const std::function<bool(const Chunk&)>& is_lost) {
  for (auto* list : {&all_, &used_}) std::erase_if(*list, is_lost);
}

std::int64_t ChunkSet::finished_members() const { return count_members(used_); }
std::int64_t ChunkSet::kept_members() const { return count_members(choose(kept_end())); }

std::int64_t ChunkSet::kept_end() const {
  std::int64_t end = 0;
  for (const Chunk& chunk : all_) end = std::max(end, chunk.range.end());
  return end;
}

double ChunkSet::solve_seconds() const {
  double seconds = 0;
  for (const Chunk& chunk : used_) seconds += chunk.seconds;
  return seconds;
}

std::vector<MemberRange> ChunkSet::missing() const {
  std::vector<MemberRange> gaps;
  std::int64_t at = 0;
  for (const Chunk& chunk : used_) {
    if (chunk.range.first > at) gaps.push_back({at, chunk.range.first - at});
    at = chunk.range.end();
  }
  if (at < members_) gaps.push_back({at, members_ - at});
  return gaps;
}

std::vector<statistics::TrackMoments> ChunkSet::begun(std::int64_t first) const {
  std::vector<statistics::TrackMoments> sums;
  if (!shape_.tracked || first % statistics::block_members == 0) return sums;
  for (const Chunk& chunk : used_) {
    if (chunk.range.end() != first) continue;
    for (std::size_t c = 0; c < shape_.summed; ++c) {
      std::vector<double> numbers;
      append(chunk, io::Kind::track_moments, c, numbers);
      sums.push_back(io::unpack_moments(numbers, shape_.times).back());
    }
  }
  CS_ASSERT(sums.size() == shape_.summed);
  return sums;
}

void ChunkMemory::write(ChunkResults part, double solve_seconds) {
  const Chunk chunk{part.range, solve_seconds};
  if (!shape().joint) std::vector<double>().swap(part.outcome.residual);  // a column that nobody will ask for
  parts_[chunk.range.first] = std::move(part);
  take_new(chunk);
}

void ChunkMemory::write_packed(const Chunk& chunk, const std::string& bytes) {
  write(io::unpack_chunk(bytes, shape()), chunk.seconds);
}

void ChunkMemory::remove_columns() {
  parts_.clear();
  drop_if([](const Chunk&) { return true; });
}

void ChunkMemory::read(const Chunk& chunk, io::Kind kind, std::size_t index, std::span<std::byte> to) const {
  io::copy_column(parts_.at(chunk.range.first), shape(), {kind, index}, to);
}

}  // namespace conesweep::keep
