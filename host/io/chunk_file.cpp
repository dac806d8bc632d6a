#include "io/chunk_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <span>

#include "statistics/statistics.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"

namespace conesweep::io {
namespace {

constexpr char magic[] = "conesweep chunk\n";  // 16 bytes
constexpr std::int64_t block = statistics::block_members;
static_assert(std::is_trivially_copyable_v<ChunkHeader> && std::is_trivially_copyable_v<Section>);

std::uint64_t checksum_of(ChunkHeader header, const std::vector<Section>& sections) {
  header.checksum = 0;
  return checksum(sections.data(), sections.size() * sizeof(Section), checksum(&header, sizeof header));
}

// So many values a column has, and bytes each.
struct Extent {
  std::int64_t count;
  std::int64_t size;
};

Extent extent_of(Kind kind, const ChunkShape& shape, MemberRange range) {
  const std::int64_t recorded = std::clamp<std::int64_t>(shape.recorded - range.first, 0, range.count);
  const bool covers = covers_first_block(range);
  switch (kind) {
    case Kind::parameter:
    case Kind::observable:
    case Kind::stop_time: return {range.count, 8};
    case Kind::residual: return {shape.joint ? range.count : 0, 8};
    case Kind::status:
    case Kind::flags: return {range.count, 1};
    case Kind::trajectory: return {recorded * shape.times, 8};
    case Kind::mode: return {recorded * shape.times, 1};
    case Kind::track_moments:
      return {((range.end() + block - 1) / block - range.first / block) * (1 + 2 * shape.times), 8};
    case Kind::track_bands:
      return {covers ? static_cast<std::int64_t>(std::size(statistics::quantile_levels)) * shape.times : 0, 8};
    case Kind::first_tracks:
      return {covers ? 0
                     : std::max<std::int64_t>(0, std::min(range.end(), block) - std::max(range.first, shape.recorded)) *
                           shape.times,
              8};
  }
  return {0, 1};
}

std::vector<double> flatten(const std::vector<statistics::TrackMoments>& blocks, std::int64_t times) {
  std::vector<double> numbers;
  for (const auto& sums : blocks) {
    CS_ASSERT(static_cast<std::int64_t>(sums.mean.size()) == times && sums.squares.size() == sums.mean.size());
    numbers.push_back(static_cast<double>(sums.count));
    numbers.insert(numbers.end(), sums.mean.begin(), sums.mean.end());
    numbers.insert(numbers.end(), sums.squares.begin(), sums.squares.end());
  }
  return numbers;
}

// Hands over a column of a part that lies there as the file has it: not the sums over time.
template <class AnyPart, class Take>
void with_column(AnyPart& part, Kind kind, std::size_t index, const Take& take) {
  auto& tracks = part.outcome.trajectories;
  const auto take_from = [&](auto& columns) {
    if (index < columns.size()) take(columns[index]);
  };
  switch (kind) {
    case Kind::parameter: return take_from(part.parameters);
    case Kind::observable: return take_from(part.outcome.observables);
    case Kind::status: return take(part.outcome.status);
    case Kind::stop_time: return take(part.outcome.stop_time);
    case Kind::trajectory: return take_from(tracks.columns);
    case Kind::mode: return take(tracks.mode);
    case Kind::track_bands: return take_from(part.track_bands);
    case Kind::first_tracks: return take_from(part.first_tracks);
    case Kind::flags: return take(part.outcome.flags);
    case Kind::residual: return take(part.outcome.residual);
    case Kind::track_moments: return;
  }
}

// The bytes of a column of a part; none where it has no such column. `sums` are those over time, as numbers.
std::span<const std::byte> bytes_of(const ChunkResults& part, const std::vector<std::vector<double>>& sums,
                                    const Section& column) {
  const auto index = static_cast<std::size_t>(column.index);
  if (column.kind == Kind::track_moments)
    return index < sums.size() ? std::as_bytes(std::span(sums[index])) : std::span<const std::byte>();
  std::span<const std::byte> bytes;
  with_column(part, column.kind, index, [&](const auto& values) { bytes = std::as_bytes(std::span(values)); });
  return bytes;
}

std::vector<std::vector<double>> flatten_all(const ChunkResults& part, std::int64_t times) {
  std::vector<std::vector<double>> sums;
  for (const auto& blocks : part.track_moments) sums.push_back(flatten(blocks, times));
  return sums;
}

}  // namespace

ChunkShape shape_of(const scenario::Scenario& scenario, bool tracked) {
  ChunkShape shape;
  shape.parameters = varying_parameters(scenario).size();
  shape.observables = observable_names(scenario).size();
  shape.states = count_states(scenario);
  shape.summed = summed_states(scenario).size();
  shape.recorded = scenario.record.members;
  shape.times = scenario.record.members > 0 ? scenario.steps / scenario.record.every + 1 : 0;
  shape.joint = has_flags(scenario);
  shape.tracked = tracked && scenario.record.members > 0;
  return shape;
}

std::vector<Section> lay_out(const ChunkShape& shape, MemberRange range) {
  std::vector<Section> sections;
  const auto add = [&](Kind kind, std::size_t columns) {
    const Extent extent = extent_of(kind, shape, range);
    for (std::size_t k = 0; k < columns; ++k)
      sections.push_back({kind, k, 0, static_cast<std::uint64_t>(extent.count * extent.size), 0});
  };
  add(Kind::parameter, shape.parameters);
  add(Kind::observable, shape.observables);
  add(Kind::status, 1);
  add(Kind::stop_time, 1);
  add(Kind::flags, 1);
  add(Kind::residual, shape.joint ? 1 : 0);
  add(Kind::trajectory, shape.states);
  add(Kind::mode, 1);
  for (const Kind kind : {Kind::track_moments, Kind::track_bands, Kind::first_tracks})
    add(kind, shape.tracked ? shape.summed : 0);
  std::uint64_t offset = sizeof(ChunkHeader) + sections.size() * sizeof(Section);
  for (Section& section : sections) section.offset = offset, offset += section.bytes;
  return sections;
}

std::size_t column_bytes(const ChunkShape& shape, MemberRange range, Kind kind) {
  const bool of_tracks = kind == Kind::track_moments || kind == Kind::track_bands || kind == Kind::first_tracks;
  if (of_tracks && !shape.tracked) return 0;
  const Extent extent = extent_of(kind, shape, range);
  return static_cast<std::size_t>(extent.count * extent.size);
}

double chunk_bytes(const ChunkShape& shape, MemberRange range) {
  const auto members = static_cast<double>(range.count), times = static_cast<double>(shape.times),
             summed = static_cast<double>(shape.summed);
  const auto recorded = static_cast<double>(std::clamp<std::int64_t>(shape.recorded - range.first, 0, range.count));
  double bytes = members * (8 * static_cast<double>(shape.parameters + shape.observables + (shape.joint ? 2 : 1)) + 2) +
                 recorded * times * static_cast<double>(8 * shape.states + 1);
  if (!shape.tracked) return bytes;
  bytes += summed * 8 * (members / static_cast<double>(block) + 2) * (1 + 2 * times);
  return bytes + summed * 8 * times *
                     static_cast<double>(std::max<std::int64_t>(
                         0, std::min(range.end(), block) - std::max(range.first, shape.recorded)));
}

ChunkFile::ChunkFile(const std::filesystem::path& path, const ChunkShape& shape)
    : path_(path), file_(path, O_RDONLY | O_NONBLOCK) {
  struct stat found {};
  if (::fstat(file_, &found) != 0) refuse("read", path_, system_code());
  if (!S_ISREG(found.st_mode)) throw Damaged{};  // a pipe would be waited for
  read_at(&header_, sizeof header_, 0);

  // no size in the file is used before it is known to be the one that it must be
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
  const MemberRange range = header_.range;
  if (std::memcmp(header_.magic, magic, sizeof header_.magic) != 0 || range.first < 0 || range.count <= 0 ||
      range.first > most || range.count > found.st_size || chunk_bytes(shape, range) > 0x1p62)
    throw Damaged{};
  sections_ = lay_out(shape, range);
  if (header_.sections != sections_.size() ||
      static_cast<std::uint64_t>(found.st_size) != sections_.back().offset + sections_.back().bytes)
    throw Damaged{};
  std::vector<Section> held(sections_.size());
  read_at(held.data(), held.size() * sizeof(Section), sizeof header_);
  if (checksum_of(header_, held) != header_.checksum) throw Damaged{};
  for (std::size_t k = 0; k < held.size(); ++k) {
    const Section &a = held[k], &b = sections_[k];
    if (a.kind != b.kind || a.index != b.index || a.offset != b.offset || a.bytes != b.bytes) throw Damaged{};
  }
  sections_ = std::move(held);
}

void ChunkFile::check_all() const {
  std::vector<char> bytes;
  for (const Section& section : sections_) {
    bytes.resize(section.bytes);
    read_section(section, bytes.data());
  }
}

void ChunkFile::read(Kind kind, std::size_t index, std::span<std::byte> to) const {
  for (const Section& section : sections_) {
    if (section.kind != kind || section.index != index) continue;
    CS_ASSERT(section.bytes == to.size());
    read_section(section, to.data());
  }
}

void ChunkFile::read_section(const Section& section, void* to) const {
  read_at(to, section.bytes, section.offset);
  if (checksum(to, section.bytes) != section.checksum) throw Damaged{};
  if (section.kind != Kind::status) return;
  const auto* codes = static_cast<const std::uint8_t*>(to);
  if (std::any_of(codes, codes + section.bytes, [](std::uint8_t code) { return code >= executor::status_count; }))
    throw Damaged{};
}

void ChunkFile::read_at(void* to, std::size_t bytes, std::uint64_t offset) const {
  for (char* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t count = ::pread(file_, at, bytes, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse("read", path_, system_code());
    if (count == 0) throw Damaged{};
    at += count, bytes -= static_cast<std::size_t>(count), offset += static_cast<std::uint64_t>(count);
  }
}

std::string pack_chunk(const ChunkResults& part, const ChunkShape& shape, std::uint64_t run, double seconds) {
  const auto sums = flatten_all(part, shape.times);
  std::vector<Section> sections = lay_out(shape, part.range);
  for (Section& section : sections) {
    const auto bytes = bytes_of(part, sums, section);
    CS_ASSERT(bytes.size() == section.bytes);
    section.checksum = checksum(bytes.data(), bytes.size());
  }
  ChunkHeader header{};
  std::memcpy(header.magic, magic, sizeof header.magic);
  header.run = run;
  header.range = part.range;
  header.seconds = seconds;
  header.sections = sections.size();
  header.checksum = checksum_of(header, sections);

  std::string bytes;
  bytes.reserve(sections.back().offset + sections.back().bytes);
  bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.append(reinterpret_cast<const char*>(sections.data()), sections.size() * sizeof(Section));
  for (const Section& section : sections) {
    const auto column = bytes_of(part, sums, section);
    bytes.append(reinterpret_cast<const char*>(column.data()), column.size());
  }
  return bytes;
}

ChunkResults unpack_chunk(const std::string& bytes, const ChunkShape& shape) {
  CS_ASSERT(bytes.size() >= sizeof(ChunkHeader));
  ChunkHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  ChunkResults part;
  part.range = header.range;
  part.parameters.resize(shape.parameters);
  part.outcome.observables.resize(shape.observables);
  part.outcome.trajectories.columns.resize(shape.states);
  part.outcome.trajectories.times = shape.times;
  part.outcome.trajectories.members = std::clamp<std::int64_t>(shape.recorded - part.range.first, 0, part.range.count);
  for (auto* columns : {&part.track_bands, &part.first_tracks}) columns->resize(shape.tracked ? shape.summed : 0);
  for (const Section& section : lay_out(shape, part.range)) {
    CS_ASSERT(section.offset + section.bytes <= bytes.size());
    const auto take = [&](auto& values) {
      values.resize(section.bytes / sizeof values[0]);
      if (section.bytes > 0) std::memcpy(values.data(), bytes.data() + section.offset, section.bytes);
    };
    if (section.kind != Kind::track_moments) {
      with_column(part, section.kind, static_cast<std::size_t>(section.index), take);
      continue;
    }
    std::vector<double> numbers;
    take(numbers);
    part.track_moments.push_back(unpack_moments(numbers, shape.times));
  }
  return part;
}

void copy_column(const ChunkResults& part, const ChunkShape& shape, const Section& column, std::span<std::byte> to) {
  std::vector<std::vector<double>> sums;
  if (column.kind == Kind::track_moments) sums = flatten_all(part, shape.times);
  const auto bytes = bytes_of(part, sums, column);
  CS_ASSERT(bytes.size() == to.size());
  if (!to.empty()) std::memcpy(to.data(), bytes.data(), to.size());
}

std::vector<statistics::TrackMoments> unpack_moments(const std::vector<double>& numbers, std::int64_t times) {
  std::vector<statistics::TrackMoments> blocks;
  for (auto at = numbers.begin(); at < numbers.end(); at += 1 + 2 * times)
    blocks.push_back({static_cast<std::int64_t>(*at), {at + 1, at + 1 + times}, {at + 1 + times, at + 1 + 2 * times}});
  return blocks;
}

}  // namespace conesweep::io
