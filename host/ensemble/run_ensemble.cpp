#include "ensemble/run_ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <span>

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

// Members stepped at once where all of them leave tracks: blocks that stay within some hundred megabytes, and at least one.
std::int64_t tracked_members(const scenario::Scenario& scenario, std::int64_t chunk) {
  constexpr std::int64_t room = 128 << 20;
  const std::int64_t times = scenario.steps / scenario.record.every + 1;
  const std::int64_t member = times * (16 * scenario.dimension() + 1);
  return std::clamp<std::int64_t>(room / member / statistics::block_members * statistics::block_members, statistics::block_members, chunk);
}

// The tracks of all members become sums of each block; those of the recorded members stay.
void reduce_tracks(const scenario::Scenario& scenario, std::int64_t first, executor::Outcome& outcome, Part& part, statistics::Engine& engine) {
  executor::Trajectories& tracks = outcome.trajectories;
  const std::int64_t members = tracks.members, times = tracks.times, block = statistics::block_members;
  CS_ASSERT(first % block == 0);
  const auto dimension = static_cast<std::size_t>(scenario.dimension());
  part.track_moments.resize(dimension);
  for (std::size_t c = 0; c < dimension; ++c) {
    for (std::int64_t at = 0; at < members; at += block) {
      const std::int64_t count = std::min(block, members - at);
      const std::span track(tracks.columns[c].data() + at * times, static_cast<std::size_t>(count * times));
      const std::span status(outcome.status.data() + at, static_cast<std::size_t>(count));
      part.track_moments[c].push_back(engine.block_track_moments(track, status, times));
      if (first + at == 0) part.track_bands.push_back(engine.track_quantiles(track, status, times));
    }
  }
  tracks.members = std::clamp<std::int64_t>(scenario.record.members - first, 0, members);
  const auto cells = static_cast<std::size_t>(tracks.members * times);
  for (auto& column : tracks.columns) column.resize(cells);
  tracks.mode.resize(cells);
}

}  // namespace

void run_ranges(const scenario::Scenario& scenario, const sampling::UnitPoints& points, executor::Executor& executor, const std::vector<Range>& ranges, std::int64_t chunk,
                const executor::Watch& watch, const Keep& keep, statistics::Engine* engine) {
  CS_ASSERT(chunk > 0);
  const bool tracked = engine != nullptr && scenario.record.members > 0;
  const std::int64_t piece = tracked ? tracked_members(scenario, chunk) : chunk;
  std::future<void> kept;  // the chunk before, on its way to the disk
  for (const Range& range : ranges) {
    for (std::int64_t first = range.first; first < range.end(); first += chunk) {
      Part part;
      part.range = {first, std::min(chunk, range.end() - first)};
      part.parameters = sampling::draw(scenario, points, part.range.first, part.range.count);
      double seconds = 0;
      for (std::int64_t at = 0; at < part.range.count; at += piece) {
        executor::Chunk members;
        members.first = first + at;
        members.count = std::min(piece, part.range.count - at);
        members.track_all = tracked;
        for (const auto& column : part.parameters) members.varied.emplace_back(column.begin() + at, column.begin() + at + members.count);
        const auto start = std::chrono::steady_clock::now();
        executor::Outcome outcome = executor.run(members, watch);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (tracked) reduce_tracks(scenario, members.first, outcome, part, *engine);
        if (at == 0)
          part.outcome = std::move(outcome);
        else
          io::append(part.outcome, outcome);
      }
      if (kept.valid()) kept.get();
      kept = std::async(std::launch::async, [&keep, seconds, part = std::move(part)] { keep(part, seconds); });
    }
  }
  if (kept.valid()) kept.get();
}

io::Results run_ensemble(const scenario::Scenario& scenario, executor::Executor& executor, std::int64_t chunk, const executor::Watch& watch, double& solve_seconds) {
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
