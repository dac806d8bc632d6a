#include "keep/stored_run.hpp"

#include <algorithm>

#include "sampling/sampler.hpp"
#include "statistics/merge_tree.hpp"
#include "statistics/statistics.hpp"
#include "statistics/tracks.hpp"
#include "support/error.hpp"

namespace conesweep::keep {

using executor::Status;
using io::Kind;

namespace {

constexpr std::int64_t block = statistics::block_members;

}  // namespace

template <class T>
std::vector<T> ColumnsRun::gather(Kind kind, std::size_t index) const {
  std::vector<T> column;
  if (kind != Kind::trajectory && kind != Kind::mode) column.reserve(static_cast<std::size_t>(chunks_->members()));
  for (const auto& chunk : chunks_->used()) chunks_->append(chunk, kind, index, column);
  return column;
}

std::vector<double> ColumnsRun::parameter(std::size_t variation) const {
  return gather<double>(Kind::parameter, variation);
}
std::vector<double> ColumnsRun::observable(std::size_t observable) const {
  return gather<double>(Kind::observable, observable);
}
std::vector<Status> ColumnsRun::status() const { return gather<Status>(Kind::status); }
std::vector<double> ColumnsRun::stop_time() const { return gather<double>(Kind::stop_time); }
std::vector<double> ColumnsRun::residual() const { return gather<double>(Kind::residual); }
std::vector<std::uint8_t> ColumnsRun::flags() const { return gather<std::uint8_t>(Kind::flags); }
std::vector<double> ColumnsRun::trajectory(std::size_t column) const {
  return gather<double>(Kind::trajectory, column);
}
std::vector<std::uint8_t> ColumnsRun::modes() const { return gather<std::uint8_t>(Kind::mode); }

// Chunk by chunk: no column is ever whole.
SomeMembers ColumnsRun::some(const std::vector<std::int64_t>& members) const {
  const auto pick = [&](auto& picked, Kind kind, std::size_t index) {
    picked.resize(members.size());
    std::remove_cvref_t<decltype(picked)> column;
    for (const auto& chunk : chunks_->used()) {
      column.clear();
      for (std::size_t k = 0; k < members.size(); ++k) {
        if (members[k] < chunk.range.first || members[k] >= chunk.range.end()) continue;
        if (column.empty()) chunks_->append(chunk, kind, index, column);
        picked[k] = column[static_cast<std::size_t>(members[k] - chunk.range.first)];
      }
    }
  };
  SomeMembers found;
  found.varied.resize(chunks_->shape().parameters);
  found.outcome.observables.resize(chunks_->shape().observables);
  for (std::size_t v = 0; v < found.varied.size(); ++v) pick(found.varied[v], Kind::parameter, v);
  for (std::size_t o = 0; o < found.outcome.observables.size(); ++o)
    pick(found.outcome.observables[o], Kind::observable, o);
  pick(found.outcome.status, Kind::status, 0);
  return found;
}

statistics::TrackMoments ColumnsRun::track_moments(std::size_t coordinate) const {
  statistics::MergeTree<statistics::TrackMoments> tree;
  for (const auto& chunk : chunks_->used()) {
    std::vector<double> numbers;
    chunks_->append(chunk, Kind::track_moments, coordinate, numbers);
    std::int64_t end = chunk.range.first / block * block;
    for (auto& sums : io::unpack_moments(numbers, chunks_->shape().times)) {
      end = std::min(end + block, chunks_->members());
      if (end <= chunk.range.end()) tree.add(std::move(sums));  // else a later chunk has the block to its end
    }
  }
  return tree.finish();
}

std::vector<double> ColumnsRun::track_bands(std::size_t coordinate, statistics::Engine& engine) const {
  const auto& used = chunks_->used();
  const std::int64_t times = chunks_->shape().times;
  if (!chunks_->shape().tracked || used.empty()) return {};
  std::vector<double> tracks;
  if (covers_first_block(used.front().range)) {
    chunks_->append(used.front(), Kind::track_bands, coordinate, tracks);
    return tracks;
  }
  std::vector<Status> status;
  for (const auto& chunk : used) {
    if (chunk.range.first >= block) break;
    chunks_->append(chunk, Kind::trajectory, coordinate, tracks);
    tracks.resize(std::min(tracks.size(), static_cast<std::size_t>(block * times)));
    chunks_->append(chunk, Kind::first_tracks, coordinate, tracks);
    chunks_->append(chunk, Kind::status, 0, status);
  }
  status.resize(std::min(status.size(), static_cast<std::size_t>(block)));
  return engine.track_quantiles(tracks, status, times);
}

std::vector<double> DigestRun::trajectory(std::size_t column) const {
  std::vector<double> all;
  for (const auto& [first, kept] : digest_.recorded())
    all.insert(all.end(), kept.columns[column].begin(), kept.columns[column].end());
  return all;
}

std::vector<std::uint8_t> DigestRun::modes() const {
  std::vector<std::uint8_t> all;
  for (const auto& [first, kept] : digest_.recorded()) all.insert(all.end(), kept.mode.begin(), kept.mode.end());
  return all;
}

std::vector<double> DigestRun::grid_levels(std::size_t variation) const {
  return sampling::draw(scenario, level_members(variation))[variation];
}

statistics::TrackMoments DigestRun::track_moments(std::size_t coordinate) const {
  auto tracks = digest_.all().tree.total().tracks;
  return coordinate < tracks.size() ? std::move(tracks[coordinate]) : statistics::TrackMoments();
}

std::vector<double> DigestRun::track_bands(std::size_t coordinate, statistics::Engine&) const {
  return coordinate < digest_.bands().size() ? digest_.bands()[coordinate] : std::vector<double>();
}

void DigestRun::refuse() { throw InternalError("members that are not kept have no columns", __FILE__, __LINE__); }

}  // namespace conesweep::keep
