#include "run/stored_run.hpp"

#include <algorithm>

#include "statistics/merge_tree.hpp"
#include "statistics/statistics.hpp"
#include "statistics/tracks.hpp"
#include "support/error.hpp"

namespace conesweep::runs {

using executor::Status;
using io::Kind;

namespace {

constexpr std::int64_t block = statistics::block_members;

}  // namespace

// The chunks up to the one that holds the last of so many members.
template <class T>
std::vector<T> StoredRun::gather(Kind kind, std::size_t index, std::int64_t members) const {
  std::vector<T> column;
  if (kind == Kind::parameter || kind == Kind::observable || kind == Kind::status || kind == Kind::stop_time) column.reserve(static_cast<std::size_t>(members));
  for (const auto& chunk : chunks_->used())
    if (chunk.range.first < members) chunks_->append(chunk, kind, index, column);
  return column;
}

std::vector<double> StoredRun::parameter(std::size_t variation) const { return gather<double>(Kind::parameter, variation, chunks_->members()); }
std::vector<double> StoredRun::observable(std::size_t observable) const { return gather<double>(Kind::observable, observable, chunks_->members()); }
std::vector<Status> StoredRun::status() const { return gather<Status>(Kind::status, 0, chunks_->members()); }
std::vector<double> StoredRun::stop_time() const { return gather<double>(Kind::stop_time, 0, chunks_->members()); }
std::vector<double> StoredRun::trajectory(std::size_t column) const { return gather<double>(Kind::trajectory, column, chunks_->members()); }
std::vector<std::uint8_t> StoredRun::modes() const { return gather<std::uint8_t>(Kind::mode, 0, chunks_->members()); }

executor::Outcome StoredRun::first(std::int64_t members) const {
  CS_ASSERT(members <= chunks_->finished_members());
  executor::Outcome outcome;
  outcome.status = gather<Status>(Kind::status, 0, members);
  outcome.status.resize(static_cast<std::size_t>(members));
  for (std::size_t o = 0; o < chunks_->shape().observables; ++o)
    outcome.observables.push_back(gather<double>(Kind::observable, o, members)), outcome.observables.back().resize(static_cast<std::size_t>(members));
  return outcome;
}

statistics::TrackMoments StoredRun::track_moments(std::size_t coordinate) const {
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

std::vector<double> StoredRun::track_bands(std::size_t coordinate, statistics::Engine& engine) const {
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

}  // namespace conesweep::runs
