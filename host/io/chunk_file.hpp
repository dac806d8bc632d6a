#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/files.hpp"
#include "io/run_data.hpp"

namespace conesweep::io {

/// What the chunks of a run hold: it follows from the scenario, so that a file of another shape is none of them.
struct ChunkShape {
  std::size_t parameters = 0, observables = 0;
  std::size_t states = 0, summed = 0;  // columns of a trajectory; the first so many of them have sums over time
  std::int64_t recorded = 0;           // members whose trajectories are kept: the first ones
  std::int64_t times = 0;              // of a trajectory
  bool tracked = false;                // sums over time of all members
  bool joint = false;                  // several laws can act in one step: members have residuals
};
ChunkShape shape_of(const scenario::Scenario& scenario, bool tracked);

/// Columns of a chunk.
enum class Kind : std::uint64_t {
  parameter,
  observable,
  status,
  stop_time,
  trajectory,
  mode,
  track_moments,
  track_bands,
  first_tracks,
  flags,
  residual
};

/// A column in the file.
struct Section {
  Kind kind = Kind::parameter;
  std::uint64_t index = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// The file begins with it; the sections follow, then their columns.
struct ChunkHeader {
  char magic[16];
  std::uint64_t run = 0;  // hash of what it is a chunk of
  MemberRange range;
  double seconds = 0;  // members were being stepped
  std::uint64_t sections = 0;
  std::uint64_t checksum = 0;  // of the header with 0 here, and of the sections
};

/// The sections of a chunk, without checksums: a function of shape and range.
std::vector<Section> lay_out(const ChunkShape& shape, MemberRange range);

/// Of one column; 0 where chunks of that shape have none of the kind.
std::size_t column_bytes(const ChunkShape& shape, MemberRange range, Kind kind);

/// About how many bytes the chunks of a range take, at most: in a number that does not overflow.
double chunk_bytes(const ChunkShape& shape, MemberRange range);

/// A file that is not what was written.
struct Damaged {};

/// Reads a chunk's file a column at a time. Header, sections and length are checked before anything is made of them;
/// every column as it is read.
class ChunkFile {
 public:
  ChunkFile(const std::filesystem::path& path, const ChunkShape& shape);

  const ChunkHeader& header() const { return header_; }

  /// A column, as long as column_bytes says.
  void read(Kind kind, std::size_t index, std::span<std::byte> to) const;

  /// Reads all columns and their checksums.
  void check_all() const;

 private:
  void read_at(void* to, std::size_t bytes, std::uint64_t offset) const;
  void read_section(const Section& section, void* to) const;

  std::filesystem::path path_;
  Descriptor file_;
  ChunkHeader header_;
  std::vector<Section> sections_;
};

/// The bytes of a chunk's file.
std::string pack_chunk(const ChunkResults& part, const ChunkShape& shape, std::uint64_t run, double seconds);

/// The part that such bytes were made of. They come from another rank, not from a disk: checksums are not looked at.
ChunkResults unpack_chunk(const std::string& bytes, const ChunkShape& shape);

/// A column of a part, as the file would have it; as long as column_bytes says.
void copy_column(const ChunkResults& part, const ChunkShape& shape, const Section& column, std::span<std::byte> to);

/// Blocks of tracks as numbers (count, means, squares), and back.
std::vector<statistics::TrackMoments> unpack_moments(const std::vector<double>& numbers, std::int64_t times);

}  // namespace conesweep::io
