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
std::vector<T> StoredRun::gather(Kind kind, std::size_t index) const {
  CS_ASSERT(digest_ == nullptr);
  std::vector<T> column;
  if (kind == Kind::parameter || kind == Kind::observable || kind == Kind::status || kind == Kind::stop_time ||
      kind == Kind::residual || kind == Kind::flags)
    column.reserve(static_cast<std::size_t>(chunks_->members()));
  for (const auto& chunk : chunks_->used()) chunks_->append(chunk, kind, index, column);
  return column;
}

std::vector<double> StoredRun::parameter(std::size_t variation) const {
  return gather<double>(Kind::parameter, variation);
}
std::vector<double> StoredRun::observable(std::size_t observable) const {
  return gather<double>(Kind::observable, observable);
}
std::vector<Status> StoredRun::status() const { return gather<Status>(Kind::status, 0); }
std::vector<double> StoredRun::stop_time() const { return gather<double>(Kind::stop_time, 0); }
std::vector<double> StoredRun::residual() const { return gather<double>(Kind::residual, 0); }
std::vector<std::uint8_t> StoredRun::flags() const { return gather<std::uint8_t>(Kind::flags, 0); }

std::vector<double> StoredRun::trajectory(std::size_t column) const {
  if (digest_ == nullptr) return gather<double>(Kind::trajectory, column);
  std::vector<double> all;
  for (const auto& [first, kept] : digest_->recorded())
    all.insert(all.end(), kept.columns[column].begin(), kept.columns[column].end());
  return all;
}

std::vector<std::uint8_t> StoredRun::modes() const {
  if (digest_ == nullptr) return gather<std::uint8_t>(Kind::mode, 0);
  std::vector<std::uint8_t> all;
  for (const auto& [first, kept] : digest_->recorded()) all.insert(all.end(), kept.mode.begin(), kept.mode.end());
  return all;
}

std::vector<double> StoredRun::grid_levels(std::size_t variation) const {
  if (digest_ == nullptr) return RunData::grid_levels(variation);
  return sampling::draw(scenario, level_members(variation))[variation];
}

executor::Outcome StoredRun::some(const std::vector<std::int64_t>& members) const {
  const auto pick = [&](const auto& column) {
    std::remove_cvref_t<decltype(column)> picked;
    for (const std::int64_t member : members) picked.push_back(column[static_cast<std::size_t>(member)]);
    return picked;
  };
  executor::Outcome outcome;
  outcome.status = pick(status());
  for (std::size_t o = 0; o < chunks_->shape().observables; ++o) outcome.observables.push_back(pick(observable(o)));
  return outcome;
}

statistics::TrackMoments StoredRun::track_moments(std::size_t coordinate) const {
  if (digest_ != nullptr) {
    auto tracks = digest_->all().tree.total().tracks;
    return coordinate < tracks.size() ? std::move(tracks[coordinate]) : statistics::TrackMoments();
  }
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
  if (digest_ != nullptr)
    return coordinate < digest_->bands().size() ? digest_->bands()[coordinate] : std::vector<double>();
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

}  // namespace conesweep::keep
