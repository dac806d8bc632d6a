#include "ensemble/run_ensemble.hpp"

#include <algorithm>
#include <chrono>

#include "sampling/sampler.hpp"
#include "scenario/writer.hpp"

namespace conesweep::ensemble {
namespace {

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) { all.insert(all.end(), more.begin(), more.end()); }

void append(std::vector<std::vector<double>>& all, const std::vector<std::vector<double>>& more) {
  all.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) append(all[k], more[k]);
}

// Chunks come in member order, and the recorded members are the first ones.
void append(executor::Outcome& all, const executor::Outcome& more) {
  append(all.observables, more.observables);
  append(all.status, more.status);
  append(all.stop_time, more.stop_time);
  if (more.trajectories.members == 0) return;
  all.trajectories.members += more.trajectories.members;
  all.trajectories.times = more.trajectories.times;
  append(all.trajectories.columns, more.trajectories.columns);
  append(all.trajectories.mode, more.trajectories.mode);
}

// The resolved scenario refers to the copies of its tables in the run folder.
scenario::Scenario with_tables_in_folder(scenario::Scenario scenario) {
  for (std::size_t k = 0; k < scenario.vary.size(); ++k) {
    scenario::Distribution& distribution = scenario.vary[k].distribution;
    if (distribution.kind != scenario::DistributionKind::table) continue;
    distribution.table = io::table_name_in_folder(scenario, k) + distribution.table.substr(distribution.table.rfind(':'));
  }
  return scenario;
}

}  // namespace

io::Results run_ensemble(const scenario::Scenario& scenario, executor::Executor& executor, std::int64_t chunk, const executor::Watch& watch, double& solve_seconds) {
  io::Results results;
  results.scenario = scenario;
  results.scenario_text = write_scenario(with_tables_in_folder(scenario));
  results.backend = executor.name();
  results.device = executor.device();
  solve_seconds = 0;

  for (std::int64_t first = 0; first < scenario.ensemble.members; first += chunk) {
    executor::Chunk part;
    part.first = first;
    part.count = std::min(chunk, scenario.ensemble.members - first);
    part.varied = sampling::draw(scenario, part.first, part.count);
    const auto start = std::chrono::steady_clock::now();
    const executor::Outcome outcome = executor.run(part, watch);
    solve_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    append(results.outcome, outcome);
    append(results.parameters, part.varied);
  }
  return results;
}

}  // namespace conesweep::ensemble
