#include "run/shared_round.hpp"

#include "support/bytes.hpp"

namespace conesweep::runs {

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
