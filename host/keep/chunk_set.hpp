#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/chunk_file.hpp"
#include "io/run_data.hpp"

namespace conesweep::keep {

using io::ChunkResults;
using io::MemberRange;

/// The finished chunks of a run: which there are, which of them an ensemble uses, and what is missing of it. Where they
/// lie, on disk or in memory, says who derives from it.
class ChunkSet {
 public:
  struct Chunk {
    MemberRange range;
    double seconds = 0;  // members were being stepped
  };

  explicit ChunkSet(const io::ChunkShape& shape, std::uint64_t run = 0) : shape_(shape), run_(run) {}
  virtual ~ChunkSet() = default;
  ChunkSet(const ChunkSet&) = delete;
  ChunkSet& operator=(const ChunkSet&) = delete;

  const io::ChunkShape& shape() const { return shape_; }

  /// From now on it is about an ensemble of so many members. Chunks beyond its end do not count; they stay, for the
  /// ensemble may grow.
  void fit(std::int64_t members);

  std::int64_t members() const { return members_; }
  const std::vector<Chunk>& used() const { return used_; }  // of the ensemble as it is, in order
  std::int64_t finished_members() const;
  std::int64_t kept_members() const;  // with those beyond the end that an ensemble that grows can use
  std::int64_t kept_end() const;      // no kept chunk goes beyond this member
  double solve_seconds() const;       // spent on the chunks that are used

  /// What is left to do.
  std::vector<MemberRange> missing() const;

  /// The sums over time of the block that `first` lies in, of its members before: where a range that is missing begins.
  /// Empty at the begin of a block.
  std::vector<statistics::TrackMoments> begun(std::int64_t first) const;

  /// One more chunk. Returns when it is safe.
  virtual void write(ChunkResults part, double solve_seconds) = 0;

  /// The same as the bytes of its file.
  virtual void write_packed(const Chunk& chunk, const std::string& bytes) = 0;

  /// One that another rank put where the chunks are; it belongs to the ensemble as it is.
  void take_new(const Chunk& chunk);

  /// They are not needed any more: what they held is kept otherwise.
  virtual void remove_columns() = 0;

  /// The run is whole elsewhere.
  virtual void remove() { remove_columns(); }

  /// Where the digest of members lies that are not kept; empty: nowhere.
  virtual std::filesystem::path digest_file() const { return {}; }

  virtual std::int64_t damaged() const { return 0; }  // files that were not as written, and are gone

  std::uint64_t run() const { return run_; }

  /// Chunks whose files were removed meanwhile are not there any more.
  virtual void forget_lost() {}

  /// Appends a column of a chunk; nothing where it has none of that kind.
  template <class T>
  void append(const Chunk& chunk, io::Kind kind, std::size_t index, std::vector<T>& column) const {
    const std::size_t before = column.size();
    column.resize(before + io::column_bytes(shape_, chunk.range, kind) / sizeof(T));
    if (column.size() > before) read(chunk, kind, index, std::as_writable_bytes(std::span(column).subspan(before)));
  }

 protected:
  /// A column of a chunk, as long as io::column_bytes says.
  virtual void read(const Chunk& chunk, io::Kind kind, std::size_t index, std::span<std::byte> to) const = 0;

  /// A chunk that is there.
  void take(const Chunk& chunk);
  void drop_if(const std::function<bool(const Chunk&)>& is_lost);

  const std::vector<Chunk>& all() const { return all_; }

 private:
  // chunks that cover an ensemble of so many members without overlap
  std::vector<Chunk> choose(std::int64_t members) const;

  io::ChunkShape shape_;
  std::uint64_t run_;        // hash of what they are chunks of
  std::vector<Chunk> all_;   // that are there, by range
  std::vector<Chunk> used_;  // of the ensemble as it is
  std::int64_t members_ = 0;
};

/// Chunks in memory, as they came: nothing is packed, and nothing has a checksum.
class ChunkMemory final : public ChunkSet {
 public:
  using ChunkSet::ChunkSet;
  void write(ChunkResults part, double solve_seconds) override;
  void write_packed(const Chunk& chunk, const std::string& bytes) override;
  void remove_columns() override;

 private:
  void read(const Chunk& chunk, io::Kind kind, std::size_t index, std::span<std::byte> to) const override;

  std::map<std::int64_t, ChunkResults> parts_;  // by the first member
};

}  // namespace conesweep::keep
