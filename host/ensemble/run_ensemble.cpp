#include "ensemble/run_ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <future>

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

void run_ranges(const scenario::Scenario& scenario, const sampling::UnitPoints& points, executor::Executor& executor, const std::vector<Range>& ranges, std::int64_t chunk,
                const executor::Watch& watch, const Keep& keep) {
  CS_ASSERT(chunk > 0);
  std::future<void> kept;  // the chunk before, on its way to the disk
  for (const Range& range : ranges) {
    for (std::int64_t first = range.first; first < range.end(); first += chunk) {
      executor::Chunk members;
      members.first = first;
      members.count = std::min(chunk, range.end() - first);
      members.varied = sampling::draw(scenario, points, members.first, members.count);
      Part part;
      part.range = {members.first, members.count};
      const auto start = std::chrono::steady_clock::now();
      part.outcome = executor.run(members, watch);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      part.parameters = std::move(members.varied);
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
