#include "keep/digest.hpp"

// Digests as bytes: for other ranks, and for their file.
namespace conesweep::keep {

using statistics::Sketch;

namespace {

void put(ByteWriter& bytes, const BlockSums& sums) {
  bytes.put(sums.members).put(sums.columns).put(sums.codes).put(sums.tracks.size());
  for (const auto& track : sums.tracks) bytes.put(track.count).put(track.mean).put(track.squares);
}

BlockSums get_sums(ByteReader& bytes) {
  BlockSums sums;
  sums.members = bytes.get<std::int64_t>();
  sums.columns = bytes.get_all<ScaledMoments>();
  sums.codes = bytes.get_all<std::int64_t>();
  sums.tracks.resize(bytes.get<std::size_t>());
  for (auto& track : sums.tracks) {
    track.count = bytes.get<std::int64_t>();
    track.mean = bytes.get_all<double>();
    track.squares = bytes.get_all<double>();
  }
  return sums;
}

void put(ByteWriter& bytes, const Group& group) {
  bytes.put(group.tree.most()).put(group.tree.nodes().size());
  for (const auto& [first, node] : group.tree.nodes()) {
    bytes.put(first).put(node.level);
    put(bytes, node.sums);
  }
  for (const Sketch& sketch : group.sketches) bytes.put(sketch.pack());
  bytes.put(group.status).put(group.short_runs.size());
  for (const auto& [run, sums] : group.short_runs) {
    bytes.put(run);
    put(bytes, sums);
  }
  bytes.put(group.sampled).put(group.codes);
  for (const auto& column : group.values) bytes.put(column);
}

void get(ByteReader& bytes, Group& group) {
  group.tree.limit(bytes.get<int>());
  for (auto left = bytes.get<std::size_t>(); left > 0; --left) {
    const auto first = bytes.get<std::int64_t>();
    const int level = bytes.get<int>();
    group.tree.add(first, {level, get_sums(bytes)});
  }
  for (Sketch& sketch : group.sketches) sketch = Sketch::unpack(bytes.get_text());
  group.status = bytes.get_all<std::int64_t>();
  for (auto left = bytes.get<std::size_t>(); left > 0; --left) {
    const auto run = bytes.get<std::int64_t>();
    group.short_runs.emplace(run, get_sums(bytes));
  }
  group.sampled = bytes.get_all<std::int64_t>();
  group.codes = bytes.get_all<std::uint8_t>();
  for (auto& column : group.values) column = bytes.get_all<double>();
}

}  // namespace

std::string Digest::pack() const {
  ByteWriter bytes;
  bytes.put(members_).put(seconds);
  put(bytes, all_);
  bytes.put(points_.size());
  for (const auto& [point, group] : points_) {
    bytes.put(point);
    put(bytes, group);
  }
  for (const First& first : first_) bytes.put(first.member).put(first.stop_time).put(first.residual).put(first.varied);
  bytes.put(flags_).put(recorded_.size());
  for (const auto& [first, kept] : recorded_) {
    bytes.put(first).put(kept.columns.size()).put(kept.mode);
    for (const auto& column : kept.columns) bytes.put(column);
  }
  bytes.put(bands_.size());
  for (const auto& band : bands_) bytes.put(band);
  return bytes.take();
}

Digest Digest::unpack(const scenario::Scenario& scenario, const std::string& text) {
  Digest digest(scenario);
  ByteReader bytes(text);
  digest.members_ = bytes.get<std::int64_t>();
  digest.seconds = bytes.get<double>();
  get(bytes, digest.all_);
  for (auto left = bytes.get<std::size_t>(); left > 0; --left) {
    const auto point = bytes.get<std::int64_t>();
    get(bytes, digest.points_.emplace(point, digest.make_group(digest.point_shape_)).first->second);
  }
  for (First& first : digest.first_) {
    first.member = bytes.get<std::int64_t>();
    first.stop_time = bytes.get<double>();
    first.residual = bytes.get<double>();
    first.varied = bytes.get_all<double>();
  }
  digest.flags_ = bytes.get_all<std::int64_t>();
  for (auto left = bytes.get<std::size_t>(); left > 0; --left) {
    Recorded& kept = digest.recorded_[bytes.get<std::int64_t>()];
    kept.columns.resize(bytes.get<std::size_t>());
    kept.mode = bytes.get_all<std::uint8_t>();
    for (auto& column : kept.columns) column = bytes.get_all<double>();
  }
  digest.bands_.resize(bytes.get<std::size_t>());
  for (auto& band : digest.bands_) band = bytes.get_all<double>();
  return digest;
}

}  // namespace conesweep::keep
