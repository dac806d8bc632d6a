#include "ensemble/run_ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <system_error>

#include "io/run_folder.hpp"
#include "scenario/writer.hpp"
#include "support/error.hpp"

namespace conesweep::ensemble {

using io::Part;
using io::Range;

std::int64_t choose_chunk(const executor::Executor& executor, const scenario::Scenario& scenario) {
  constexpr double seconds = 10;
  const double rate = executor.name() == "reference" ? 2e6 : 1e8;  // member·steps a second that a slow machine reaches
  const auto quick = static_cast<std::int64_t>(seconds * rate / static_cast<double>(scenario.steps));
  const std::int64_t block = statistics::block_members;
  return std::clamp(executor.busy_members(), block, std::max(block, quick)) / block * block;
}

std::string resolved_text(const scenario::Scenario& scenario) {
  scenario::Scenario moved = scenario;
  for (std::size_t k = 0; k < moved.vary.size(); ++k) {
    scenario::Distribution& distribution = moved.vary[k].distribution;
    if (distribution.kind != scenario::DistributionKind::table) continue;
    distribution.table = io::table_name_in_folder(scenario, k) + distribution.table.substr(distribution.table.rfind(':'));
  }
  return write_scenario(moved);
}

namespace {

// Members stepped at once where all of them leave tracks: so few that the tracks stay in the processor's cache, so many that all threads have work;
// a share of a block, or several blocks.
std::int64_t tracked_members(const scenario::Scenario& scenario, const executor::Executor& executor, std::int64_t chunk) {
  constexpr std::int64_t block = statistics::block_members;
  const bool on_device = executor.name() == "cuda";
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
  TrackReducer(const scenario::Scenario& scenario, statistics::Engine& engine)
      : scenario_(scenario), engine_(engine), first_block_(static_cast<std::size_t>(scenario.dimension())) {}

  /// The next members of a chunk: a share of a block, or whole blocks.
  void add(std::int64_t first, executor::Outcome& outcome, Part& part) {
    constexpr std::int64_t block = statistics::block_members;
    executor::Trajectories& tracks = outcome.trajectories;
    const std::int64_t members = tracks.members, times = tracks.times;
    part.track_moments.resize(first_block_.size());
    for (std::size_t c = 0; c < first_block_.size(); ++c) {
      auto& blocks = part.track_moments[c];
      for (std::int64_t at = 0; at < members; at += block) {
        const std::int64_t count = std::min(block, members - at);
        const std::span track(tracks.columns[c].data() + at * times, static_cast<std::size_t>(count * times));
        const std::span status(outcome.status.data() + at, static_cast<std::size_t>(count));
        if ((first + at) % block == 0) blocks.emplace_back();
        blocks.back() = engine_.block_track_moments(track, status, times, std::move(blocks.back()));
        if (first + at < block) first_block_[c].insert(first_block_[c].end(), track.begin(), track.end());
      }
    }
    if (first < block) status_.insert(status_.end(), outcome.status.begin(), outcome.status.begin() + std::min(block - first, members));
    // the bands of quantiles need all of the first block
    if (first + members >= std::min(block, part.range.end()) && !status_.empty()) {
      for (auto& track : first_block_) part.track_bands.push_back(engine_.track_quantiles(track, status_, times)), track = {};
      status_.clear();
    }
    tracks.members = std::clamp<std::int64_t>(scenario_.record.members - first, 0, members);
    const auto cells = static_cast<std::size_t>(tracks.members * times);
    for (auto& column : tracks.columns) column.resize(cells);
    tracks.mode.resize(cells);
  }

 private:
  const scenario::Scenario& scenario_;
  statistics::Engine& engine_;
  std::vector<std::vector<double>> first_block_;  // [coordinate][member * times + time]
  std::vector<executor::Status> status_;          // of its members
};

}  // namespace

namespace {

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

}  // namespace

void run_ranges(const scenario::Scenario& scenario, const sampling::UnitPoints& points, executor::Executor& executor, const std::vector<Range>& ranges,
                std::int64_t chunk, const executor::Watch& watch, const Keep& keep, statistics::Engine* engine) {
  CS_ASSERT(chunk > 0);
  const bool tracked = engine != nullptr && scenario.record.members > 0;
  const std::int64_t piece = tracked ? tracked_members(scenario, executor, chunk) : chunk;
  std::future<void> kept;  // the chunk before, on its way to the disk
  for (const Range& range : ranges) {
    for (std::int64_t first = range.first; first < range.end(); first += chunk) {
      Part part;
      part.range = {first, std::min(chunk, range.end() - first)};
      part.parameters = sampling::draw(scenario, points, part.range.first, part.range.count, executor.name() == "cuda" ? 0 : executor.threads());
      double seconds = 0;
      std::optional<TrackReducer> tracks;
      if (tracked) tracks.emplace(scenario, *engine);
      for (std::int64_t at = 0; at < part.range.count; at += piece) {
        executor::Chunk members;
        members.first = first + at;
        members.count = std::min(piece, part.range.count - at);
        members.track_all = tracked;
        for (const auto& column : part.parameters) members.varied.emplace_back(column.begin() + at, column.begin() + at + members.count);
        const auto start = std::chrono::steady_clock::now();
        executor::Outcome outcome = executor.run(members, watch);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (tracks) tracks->add(members.first, outcome, part);
        if (at == 0)
          part.outcome = std::move(outcome);
        else
          io::append(part.outcome, outcome);
      }
      if (kept.valid()) kept.get();
      kept = start_keeping(keep, std::move(part), seconds);
    }
  }
  if (kept.valid()) kept.get();
}

io::Results run_ensemble(const scenario::Scenario& scenario, executor::Executor& executor, std::int64_t chunk, const executor::Watch& watch,
                         double& solve_seconds) {
  io::Results results;
  results.scenario = scenario;
  results.scenario_text = resolved_text(scenario);
  results.backend = executor.name();
  results.device = executor.device();
  solve_seconds = 0;
  run_ranges(scenario, *sampling::make_points(scenario), executor, {{0, scenario.ensemble.members}}, chunk, watch, [&](const Part& part, double seconds) {
    results.append(part);
    solve_seconds += seconds;
  });
  return results;
}

}  // namespace conesweep::ensemble
