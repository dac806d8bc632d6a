#include "run/shared_round.hpp"

#include <algorithm>

#include "support/bytes.hpp"

namespace conesweep::runs {
namespace {

std::int64_t round_up(std::int64_t members, std::int64_t unit) { return (members + unit - 1) / unit * unit; }

}  // namespace

WorkList::WorkList(std::vector<Gap> gaps, const Cut& cut) : gaps_(std::move(gaps)), cut_(cut) {
  constexpr std::int64_t shares = 4;  // of what is left for a rank, a piece
  const std::int64_t block = statistics::block_members,
                     unit = cut.whole_blocks || cut.chunk >= block ? block : std::max<std::int64_t>(1, cut.least);
  const std::int64_t most = round_up(cut.chunk, unit),
                     least = std::min(most, round_up(std::max<std::int64_t>(1, cut.least), unit));
  std::int64_t left = 0;
  for (const Gap& gap : gaps_) left += gap.range.count;
  for (std::size_t k = 0; k < gaps_.size(); ++k) {
    const io::MemberRange& gap = gaps_[k].range;
    for (std::int64_t at = gap.first; at < gap.end();) {
      const std::int64_t wanted = std::clamp(left / (shares * cut.ranks) / unit * unit, least, most);
      // blocks begin at multiples of them, wherever the gap does
      const std::int64_t end = std::min(cut.whole_blocks ? at / block * block + wanted : at + wanted, gap.end());
      pieces_.push_back({k, {at, end - at}});
      left -= end - at;
      at = end;
    }
  }
}

std::optional<Gap> WorkList::find(std::int64_t number) const {
  if (number >= size()) return std::nullopt;
  const Piece& piece = pieces_[static_cast<std::size_t>(number)];
  Gap part{piece.range};
  if (piece.range.first == gaps_[piece.gap].range.first) part.begun = gaps_[piece.gap].begun;
  return part;
}

std::string WorkList::pack() const {
  ByteWriter bytes;
  bytes.put(cut_.chunk).put(cut_.least).put(cut_.ranks).put(cut_.whole_blocks).put(gaps_.size());
  for (const Gap& gap : gaps_) {
    bytes.put(gap.range).put(gap.begun.size());
    for (const auto& sums : gap.begun) bytes.put(sums.count).put(sums.mean).put(sums.squares);
  }
  return bytes.take();
}

WorkList WorkList::unpack(const std::string& text) {
  ByteReader bytes(text);
  Cut cut;
  cut.chunk = bytes.get<std::int64_t>();
  cut.least = bytes.get<std::int64_t>();
  cut.ranks = bytes.get<int>();
  cut.whole_blocks = bytes.get<bool>();
  std::vector<Gap> gaps(bytes.get<std::size_t>());
  for (Gap& gap : gaps) {
    gap.range = bytes.get<io::MemberRange>();
    gap.begun.resize(bytes.get<std::size_t>());
    for (auto& sums : gap.begun) {
      sums.count = bytes.get<std::int64_t>();
      sums.mean = bytes.get_all<double>();
      sums.squares = bytes.get_all<double>();
    }
  }
  return {std::move(gaps), cut};
}

std::string RoundJob::pack() const {
  return ByteWriter()
      .put(run)
      .put(members)
      .put(mark.has_value())
      .put(mark.value_or(keep::ChunkStore::Mark{}))
      .put(work.pack())
      .take();
}

RoundJob RoundJob::unpack(const std::string& text) {
  ByteReader bytes(text);
  const auto run = bytes.get<std::uint64_t>();
  const auto members = bytes.get<std::int64_t>();
  const bool has_mark = bytes.get<bool>();
  const auto mark = bytes.get<keep::ChunkStore::Mark>();
  return {run, members, has_mark ? std::optional(mark) : std::nullopt, WorkList::unpack(bytes.get_text())};
}

std::string ChunkReport::pack() const { return ByteWriter().put(chunk).put(bytes).take(); }

ChunkReport ChunkReport::unpack(const std::string& text) {
  ByteReader reader(text);
  const auto chunk = reader.get<keep::ChunkSet::Chunk>();
  return {chunk, reader.get_text()};
}

}  // namespace conesweep::runs
