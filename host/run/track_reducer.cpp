#include "run/track_reducer.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace conesweep::runs {

using io::ChunkResults;

TrackReducer::TrackReducer(const scenario::Scenario& scenario, statistics::Engine& engine, ChunkResults& part,
                           const std::vector<statistics::TrackMoments>& begun)
    : scenario_(scenario), engine_(engine), part_(part), first_block_(summed_states(scenario).size()) {
  const std::int64_t blocks = (part.range.end() + block - 1) / block - part.range.first / block;
  part.track_moments.assign(first_block_.size(),
                            std::vector<statistics::TrackMoments>(static_cast<std::size_t>(blocks)));
  // of the block that the chunk begins inside
  for (std::size_t c = 0; c < begun.size(); ++c) part.track_moments[c].front() = begun[c];
}

void TrackReducer::add(std::int64_t first, const std::vector<executor::TrackSums>& sums, executor::Outcome& outcome) {
  for (std::size_t c = 0; c < first_block_.size(); ++c)
    for (std::size_t k = 0; k < sums.size(); ++k)
      moments_of(c, first + static_cast<std::int64_t>(k) * block) = {sums[k].count, sums[k].mean[c],
                                                                     sums[k].squares[c]};
  outcome.trajectories.times = scenario_.steps / scenario_.record.every + 1;
  outcome.trajectories.columns.resize(count_states(scenario_));
}

void TrackReducer::add(std::int64_t first, executor::Outcome& outcome) {
  executor::Trajectories& tracks = outcome.trajectories;
  for (std::size_t c = 0; c < first_block_.size(); ++c) add_moments(first, outcome, c);
  keep_first_block(first, outcome);
  tracks.members = std::clamp<std::int64_t>(scenario_.record.members - first, 0, tracks.members);
  const auto cells = static_cast<std::size_t>(tracks.members * tracks.times);
  for (auto& column : tracks.columns) column.resize(cells);
  tracks.mode.resize(cells);
}

// of the block that a member belongs to
statistics::TrackMoments& TrackReducer::moments_of(std::size_t coordinate, std::int64_t member) {
  return part_.track_moments[coordinate][static_cast<std::size_t>(member / block - part_.range.first / block)];
}

void TrackReducer::add_moments(std::int64_t first, const executor::Outcome& outcome, std::size_t c) {
  const executor::Trajectories& tracks = outcome.trajectories;
  for (std::int64_t at = 0, count = 0; at < tracks.members; at += count) {
    count = std::min(block - (first + at) % block, tracks.members - at);
    const std::span track(tracks.columns[c].data() + at * tracks.times, static_cast<std::size_t>(count * tracks.times));
    const std::span status(outcome.status.data() + at, static_cast<std::size_t>(count));
    statistics::TrackMoments& sums = moments_of(c, first + at);
    sums = engine_.block_track_moments(track, status, tracks.times, std::move(sums));
  }
}

// The bands of quantiles need all of the first block. A chunk that has only a share of it keeps the tracks, until the
// others are there.
void TrackReducer::keep_first_block(std::int64_t first, const executor::Outcome& outcome) {
  const executor::Trajectories& tracks = outcome.trajectories;
  const std::int64_t members = std::clamp<std::int64_t>(block - first, 0, tracks.members);
  if (members == 0) return;
  if (!covers_first_block(part_.range)) {
    const std::int64_t recorded = std::clamp<std::int64_t>(scenario_.record.members - first, 0, members);
    part_.first_tracks.resize(first_block_.size());
    for (std::size_t c = 0; c < first_block_.size(); ++c) {
      const auto begin = tracks.columns[c].begin();
      part_.first_tracks[c].insert(part_.first_tracks[c].end(), begin + recorded * tracks.times,
                                   begin + members * tracks.times);
    }
    return;
  }
  // at once: growing would take twice as much
  for (auto& track : first_block_) track.reserve(static_cast<std::size_t>(block * tracks.times));
  status_.insert(status_.end(), outcome.status.begin(), outcome.status.begin() + members);
  for (std::size_t c = 0; c < first_block_.size(); ++c)
    first_block_[c].insert(first_block_[c].end(), tracks.columns[c].begin(),
                           tracks.columns[c].begin() + members * tracks.times);
  if (first + members < block) return;
  for (auto& track : first_block_)
    part_.track_bands.push_back(engine_.track_quantiles(track, status_, tracks.times)), track = {};
  status_.clear();
}

}  // namespace conesweep::runs
