#include "run/step_ranges.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <system_error>

#include "executor/track_sums.hpp"
#include "support/error.hpp"

namespace conesweep::runs {

using io::Part;

namespace {

// Members that end together.
std::int64_t members_at_once(const executor::Executor& executor) { return std::max<std::int64_t>({1, executor.in_flight(0).members, executor.threads()}); }

std::int64_t choose_chunk_by(const executor::Executor& executor, const scenario::Scenario& scenario) {
  constexpr double seconds = 10;
  constexpr std::int64_t block = statistics::block_members;
  const auto quick = static_cast<std::int64_t>(seconds * executor.traits().rate / static_cast<double>(scenario.steps));
  if (quick >= block) return std::clamp(executor.busy_members(), block, quick) / block * block;
  const std::int64_t at_once = std::min(members_at_once(executor), block);
  return std::max<std::int64_t>(1, quick / at_once) * at_once;
}

}  // namespace

std::int64_t choose_chunk(const executor::Executor& executor, const scenario::Scenario& scenario, std::int64_t asked) {
  const std::int64_t chosen = choose_chunk_by(executor, scenario);
  return asked == 0 || chosen < statistics::block_members ? chosen : asked;
}

std::int64_t share_chunk(const executor::Executor& executor, std::int64_t chunk, const SharedWork& work) {
  constexpr std::int64_t block = statistics::block_members;
  constexpr double seconds = 0.1;            // against some milliseconds for a file, a message and a start
  constexpr std::int64_t chunks_a_rank = 8;  // the last one, which others wait for, is an eighth of a rank's time at most
  const auto worthwhile = static_cast<std::int64_t>(seconds * executor.traits().rate / static_cast<double>(work.steps));
  const std::int64_t at_once = members_at_once(executor);
  const std::int64_t least = std::max(at_once, worthwhile / at_once * at_once);
  const std::int64_t share = (work.members / (chunks_a_rank * work.ranks) + at_once - 1) / at_once * at_once;
  const std::int64_t shared = std::max(least, share);
  if (shared < block && work.whole_blocks) return std::min(chunk, block);
  return std::min(chunk, shared < block ? shared : shared / block * block);
}

void check_chunk(std::int64_t chunk) {
  constexpr std::int64_t block = statistics::block_members, most = 1'000'000'000 * block;
  if (chunk > most) throw InputError("--chunk: at most " + std::to_string(most) + " members are possible, got " + std::to_string(chunk));
  if (chunk < block || chunk % block != 0)
    throw InputError("--chunk: must be a multiple of " + std::to_string(block) + ", got " + std::to_string(chunk) +
                     "; nearest: " + std::to_string(std::max<std::int64_t>(1, (chunk + block / 2) / block) * block));
}

namespace {

// Members stepped at once where all of them leave tracks: so few that the tracks stay in the processor's cache, so many that all threads have work;
// a share of a block, or several blocks.
std::int64_t tracked_members(const scenario::Scenario& scenario, const executor::Executor& executor, std::int64_t chunk) {
  constexpr std::int64_t block = statistics::block_members;
  const bool on_device = executor.traits().on_device;
  const std::int64_t room = on_device ? 256 << 20 : 1 << 20;
  const std::int64_t least = on_device ? block : std::min<std::int64_t>(block, std::int64_t{64} * executor.threads());
  const std::int64_t times = scenario.steps / scenario.record.every + 1;
  const std::int64_t wanted = std::max(least, room / (times * (16 * scenario.dimension() + 1)));
  if (wanted >= block) return std::min(wanted / block * block, chunk);
  std::int64_t piece = block;
  while (piece / 2 >= wanted) piece /= 2;
  return piece;
}

// The tracks of all members become sums of each block; those of the recorded members stay.
class TrackReducer {
 public:
  TrackReducer(const scenario::Scenario& scenario, statistics::Engine& engine, std::vector<statistics::TrackMoments> begun)
      : scenario_(scenario), engine_(engine), begun_(std::move(begun)), first_block_(static_cast<std::size_t>(scenario.dimension())) {}

  /// Sums of the next members, where who stepped them made them; none of them is recorded.
  void add(const std::vector<executor::BlockSums>& sums, executor::Outcome& outcome, Part& part) {
    part.track_moments.resize(first_block_.size());
    for (const executor::BlockSums& block_sums : sums)
      for (std::size_t c = 0; c < first_block_.size(); ++c) part.track_moments[c].push_back({block_sums.count, block_sums.mean[c], block_sums.squares[c]});
    outcome.trajectories.times = scenario_.steps / scenario_.record.every + 1;
    outcome.trajectories.columns.resize(2 * first_block_.size());
  }

  /// The next members of a chunk.
  void add(std::int64_t first, executor::Outcome& outcome, Part& part) {
    executor::Trajectories& tracks = outcome.trajectories;
    part.track_moments.resize(first_block_.size());
    for (std::size_t c = 0; c < first_block_.size(); ++c) add_moments(first, outcome, c, part.track_moments[c]);
    keep_first_block(first, outcome, part);
    tracks.members = std::clamp<std::int64_t>(scenario_.record.members - first, 0, tracks.members);
    const auto cells = static_cast<std::size_t>(tracks.members * tracks.times);
    for (auto& column : tracks.columns) column.resize(cells);
    tracks.mode.resize(cells);
  }

 private:
  static constexpr std::int64_t block = statistics::block_members;

  // Blocks as far as they come; the first of the chunk may have begun in the one before.
  void add_moments(std::int64_t first, const executor::Outcome& outcome, std::size_t c, std::vector<statistics::TrackMoments>& blocks) {
    const executor::Trajectories& tracks = outcome.trajectories;
    for (std::int64_t at = 0, count = 0; at < tracks.members; at += count) {
      count = std::min(block - (first + at) % block, tracks.members - at);
      const std::span track(tracks.columns[c].data() + at * tracks.times, static_cast<std::size_t>(count * tracks.times));
      const std::span status(outcome.status.data() + at, static_cast<std::size_t>(count));
      if ((first + at) % block == 0)
        blocks.emplace_back();
      else if (blocks.empty())
        blocks.push_back(begun_[c]);
      blocks.back() = engine_.block_track_moments(track, status, tracks.times, std::move(blocks.back()));
    }
  }

  // The bands of quantiles need all of the first block. A chunk that has only a share of it keeps the tracks, until the others are there.
  void keep_first_block(std::int64_t first, const executor::Outcome& outcome, Part& part) {
    const executor::Trajectories& tracks = outcome.trajectories;
    const std::int64_t members = std::clamp<std::int64_t>(block - first, 0, tracks.members);
    if (members == 0) return;
    if (!covers_first_block(part.range)) {
      const std::int64_t recorded = std::clamp<std::int64_t>(scenario_.record.members - first, 0, members);
      part.first_tracks.resize(first_block_.size());
      for (std::size_t c = 0; c < first_block_.size(); ++c) {
        const auto begin = tracks.columns[c].begin();
        part.first_tracks[c].insert(part.first_tracks[c].end(), begin + recorded * tracks.times, begin + members * tracks.times);
      }
      return;
    }
    status_.insert(status_.end(), outcome.status.begin(), outcome.status.begin() + members);
    for (std::size_t c = 0; c < first_block_.size(); ++c)
      first_block_[c].insert(first_block_[c].end(), tracks.columns[c].begin(), tracks.columns[c].begin() + members * tracks.times);
    if (first + members < block) return;
    for (auto& track : first_block_) part.track_bands.push_back(engine_.track_quantiles(track, status_, tracks.times)), track = {};
    status_.clear();
  }

  const scenario::Scenario& scenario_;
  statistics::Engine& engine_;
  std::vector<statistics::TrackMoments> begun_;   // [coordinate], of the block that the chunk begins in, where it begins inside one
  std::vector<std::vector<double>> first_block_;  // [coordinate][member * times + time]
  std::vector<executor::Status> status_;          // of its members
};

// Members stepped at once where someone watches: several looks a chunk, but so many members that threads that wait for the last of them lose nothing that
// can be measured. What is on a device is done in no time, or must be kept busy.
std::int64_t watched_members(const executor::Executor& executor, std::int64_t chunk) {
  constexpr std::int64_t looks = 16, flights = 256;
  const std::int64_t flight = std::max<std::int64_t>(executor.in_flight(0).members, executor.threads());
  const std::int64_t piece = std::max(chunk / looks / flight, flights) * flight;
  return executor.traits().on_device ? chunk : std::min(piece, chunk);
}

std::int64_t choose_piece(const scenario::Scenario& scenario, const executor::Executor& executor, std::int64_t chunk, const Onlookers& onlookers) {
  if (onlookers.tracks != nullptr) return tracked_members(scenario, executor, chunk);
  return onlookers.see ? watched_members(executor, chunk) : chunk;
}

// Room for a whole chunk, before pieces of it come.
void reserve(executor::Outcome& outcome, std::size_t members) {
  for (auto& column : outcome.observables) column.reserve(members);
  outcome.status.reserve(members);
  outcome.stop_time.reserve(members);
  outcome.residual.reserve(members);
  outcome.flags.reserve(members);
}

/// Steps a chunk: all at once, or in pieces where all members leave tracks, or someone watches.
class ChunkRunner {
 public:
  ChunkRunner(const scenario::Scenario& scenario, executor::Executor& executor, const executor::Watch& watch, std::int64_t piece, const Onlookers& onlookers)
      : scenario_(scenario), executor_(executor), watch_(watch), piece_(piece), onlookers_(onlookers) {}

  /// Returns the seconds that members were being stepped.
  double run(Part& part, std::vector<statistics::TrackMoments> begun) {
    double seconds = 0;
    std::optional<TrackReducer> tracks;
    if (onlookers_.tracks != nullptr) tracks.emplace(scenario_, *onlookers_.tracks, std::move(begun));
    for (std::int64_t at = 0, count = 0; at < part.range.count; at += count) {
      executor::Chunk members;
      members.first = part.range.first + at;
      members.count = count = std::min(piece_, part.range.count - at);
      executor::SumsTracks* const summing = tracks ? choose_summing(members) : nullptr;
      if (tracks && summing == nullptr && members.first < block && dynamic_cast<executor::SumsTracks*>(&executor_) != nullptr)
        members.count = count = std::min(count, block - members.first);  // the tracks of the first block are needed, of the others their sums
      members.track_all = tracks && summing == nullptr;
      std::vector<executor::BlockSums> sums;
      for (const auto& column : part.parameters) members.varied.emplace_back(column.begin() + at, column.begin() + at + members.count);
      const auto start = std::chrono::steady_clock::now();
      executor::Outcome outcome = summing != nullptr ? summing->run_and_sum(members, watch_, sums) : executor_.run(members, watch_);
      const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      seconds += taken;
      if (!tracks && count == piece_ && taken < look_seconds) piece_ *= 2;  // who watches has time
      if (!sums.empty())
        tracks->add(sums, outcome, part);
      else if (tracks)
        tracks->add(members.first, outcome, part);
      if (onlookers_.see) onlookers_.see(members, outcome);
      if (at > 0) {
        io::append(part.outcome, outcome);
        continue;
      }
      part.outcome = std::move(outcome);
      if (members.count < part.range.count) reserve(part.outcome, static_cast<std::size_t>(part.range.count));
    }
    return seconds;
  }

 private:
  static constexpr double look_seconds = 0.5;  // nobody looks more often
  static constexpr std::int64_t block = statistics::block_members;

  // Who steps these members and sums their tracks, where nothing but the sums is wanted; nobody otherwise.
  executor::SumsTracks* choose_summing(const executor::Chunk& members) {
    if (members.first < block || members.first < scenario_.record.members || members.first % block != 0) return nullptr;
    return dynamic_cast<executor::SumsTracks*>(&executor_);
  }

  const scenario::Scenario& scenario_;
  executor::Executor& executor_;
  const executor::Watch& watch_;
  std::int64_t piece_;  // members stepped at once
  Onlookers onlookers_;
};

// Beside the next chunk's steps; at once where no thread can be made for it.
std::future<void> start_keeping(const Keep& keep, Part part, double seconds) {
  const auto shared = std::make_shared<const Part>(std::move(part));
  try {
    return std::async(std::launch::async, [&keep, seconds, shared] { keep(*shared, seconds); });
  } catch (const std::system_error&) {
    keep(*shared, seconds);
    return {};
  }
}

// What the block that is not full yet has given: the next chunk goes on with it.
std::vector<statistics::TrackMoments> last_block(const Part& part) {
  std::vector<statistics::TrackMoments> sums;
  if (part.range.end() % statistics::block_members != 0)
    for (const auto& blocks : part.track_moments) sums.push_back(blocks.back());
  return sums;
}

}  // namespace

void step_ranges(const scenario::Scenario& scenario, const sampling::UnitPoints& points, executor::Executor& executor, const NextGap& next, std::int64_t chunk,
                 const executor::Watch& watch, const Keep& keep, const Onlookers& onlookers) {
  CS_ASSERT(chunk > 0);
  const Onlookers those{scenario.record.members > 0 ? onlookers.tracks : nullptr, onlookers.see};
  ChunkRunner runner(scenario, executor, watch, choose_piece(scenario, executor, chunk, those), those);
  std::future<void> kept;  // the chunk before, on its way to the disk
  for (std::optional<Gap> gap = next(); gap; gap = next()) {
    std::vector<statistics::TrackMoments> begun = std::move(gap->begun);
    for (std::int64_t first = gap->range.first; first < gap->range.end(); first += chunk) {
      Part part;
      part.range = {first, std::min(chunk, gap->range.end() - first)};
      part.parameters = sampling::draw(scenario, points, part.range.first, part.range.count, executor.traits().on_device ? 0 : executor.threads());
      const double seconds = runner.run(part, std::move(begun));
      begun = last_block(part);
      if (kept.valid()) kept.get();
      kept = start_keeping(keep, std::move(part), seconds);
    }
  }
  if (kept.valid()) kept.get();
}

void step_ranges(const scenario::Scenario& scenario, const sampling::UnitPoints& points, executor::Executor& executor, const std::vector<Gap>& gaps,
                 std::int64_t chunk, const executor::Watch& watch, const Keep& keep, const Onlookers& onlookers) {
  const auto next = [at = gaps.begin(), end = gaps.end()]() mutable { return at == end ? std::nullopt : std::optional(*at++); };
  step_ranges(scenario, points, executor, NextGap(next), chunk, watch, keep, onlookers);
}

}  // namespace conesweep::runs
