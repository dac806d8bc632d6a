#include "run/work_list.hpp"

#include <algorithm>

#include "support/bytes.hpp"

namespace conesweep::runs {
namespace {

std::int64_t round_up(std::int64_t members, std::int64_t unit) { return (members + unit - 1) / unit * unit; }

}  // namespace

WorkList::WorkList(std::vector<Gap> gaps, std::int64_t chunk, bool whole_blocks)
    : gaps_(std::move(gaps)), chunk_(chunk), unit_(whole_blocks ? round_up(chunk, statistics::block_members) : chunk), whole_blocks_(whole_blocks) {
  first_.push_back(0);
  for (const Gap& gap : gaps_) {
    const std::int64_t begin = whole_blocks_ ? gap.range.first / statistics::block_members * statistics::block_members : gap.range.first;
    first_.push_back(first_.back() + (gap.range.end() - begin + unit_ - 1) / unit_);
  }
}

std::int64_t WorkList::border(const Gap& gap, std::int64_t piece) const {
  const std::int64_t begin = whole_blocks_ ? gap.range.first / statistics::block_members * statistics::block_members : gap.range.first;
  return std::clamp(begin + piece * unit_, gap.range.first, gap.range.end());
}

std::optional<Gap> WorkList::find(std::int64_t piece) const {
  if (piece >= size()) return std::nullopt;
  const auto gap = static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), piece) - first_.begin() - 1);
  const std::int64_t at = piece - first_[gap], first = border(gaps_[gap], at);
  Gap part{{first, border(gaps_[gap], at + 1) - first}};
  if (at == 0) part.begun = gaps_[gap].begun;
  return part;
}

std::string WorkList::pack() const {
  ByteWriter bytes;
  bytes.put(chunk_).put(whole_blocks_).put(gaps_.size());
  for (const Gap& gap : gaps_) {
    bytes.put(gap.range).put(gap.begun.size());
    for (const auto& sums : gap.begun) bytes.put(sums.count).put(sums.mean).put(sums.squares);
  }
  return bytes.take();
}

WorkList WorkList::unpack(const std::string& text) {
  ByteReader bytes(text);
  const auto chunk = bytes.get<std::int64_t>();
  const bool whole_blocks = bytes.get<bool>();
  std::vector<Gap> gaps(bytes.get<std::size_t>());
  for (Gap& gap : gaps) {
    gap.range = bytes.get<io::Range>();
    gap.begun.resize(bytes.get<std::size_t>());
    for (auto& sums : gap.begun) {
      sums.count = bytes.get<std::int64_t>();
      sums.mean = bytes.get_all<double>();
      sums.squares = bytes.get_all<double>();
    }
  }
  return {std::move(gaps), chunk, whole_blocks};
}

}  // namespace conesweep::runs
