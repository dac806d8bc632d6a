#include "ensemble/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "expression/evaluate.hpp"
#include "io/chunk_store.hpp"
#include "io/run_folder.hpp"
#include "sampling/sampler.hpp"
#include "scenario/check.hpp"
#include "statistics/statistics.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace conesweep::ensemble {
namespace {

// Lengths of delays and windows are expressions of parameters.
struct ParameterWorld {
  const std::vector<double>& parameters;
  double symbol(expression::Symbol symbol) const { return parameters[static_cast<std::size_t>(symbol.index)]; }
  double history(const expression::Node&) const { throw InternalError("lengths know no history", __FILE__, __LINE__); }
};

double longest_length(const scenario::Scenario& scenario) {
  const auto lengths = history_lengths(scenario);
  const std::int64_t tried = std::min(scenario.ensemble.members, scenario::tried_members);
  if (lengths.empty()) return 0;
  const auto varied = sampling::draw(scenario, 0, tried);
  double longest = 0;
  for (std::size_t m = 0; m < static_cast<std::size_t>(tried); ++m) {
    std::vector<double> values;
    for (const auto& column : varied) values.push_back(column[m]);
    const auto parameters = member_parameters(scenario, values);
    for (const auto& length : lengths) {
      const double value = expression::evaluate<double>(length.node->args[1], ParameterWorld{parameters});
      if (std::isfinite(value)) longest = std::max(longest, value);
    }
  }
  return longest;
}

}  // namespace

Plan make_plan(const scenario::Scenario& scenario, const executor::Executor& executor, std::int64_t chunk) {
  Plan plan;
  const std::int64_t members = scenario.ensemble.members;
  plan.chunk = std::min(chunk, members);
  plan.chunks = (members + chunk - 1) / chunk;
  const double nodes = longest_length(scenario) / scenario.h();
  plan.history = nodes > 0 ? static_cast<std::int64_t>(std::min(std::ceil(nodes), 1e15)) + 2 : 0;
  plan.flight = executor.in_flight(plan.history);
  plan.result_bytes = io::results_bytes(scenario);
  plan.disk_bytes = io::missing_bytes(scenario, {{0, members}});
  scenario::Scenario bare = scenario;
  bare.record.members = 0;
  plan.member_bytes = io::results_bytes(bare) / members;

  // a chunk: columns of the executor, its outcome, the chunk before and its bytes on their way to the disk
  constexpr std::int64_t program = 80 << 20;
  std::int64_t stepping = 5 * plan.chunk * plan.member_bytes + (executor.name() == "cuda" ? 0 : plan.flight.bytes);
  // statistics of tracks: pieces, the first block and its copy by time
  const std::int64_t times = scenario.record.members > 0 ? scenario.steps / scenario.record.every + 1 : 0;
  const std::int64_t recorded = std::min(scenario.record.members, plan.chunk) * times * (16 * scenario.dimension() + 1);
  stepping += 5 * recorded + times * std::min(members, std::int64_t{statistics::block_members}) * 8 * (scenario.dimension() + 1);
  // in the end: a column and its sorted copy, the statuses
  const std::int64_t gathering = members * 18 + std::min(scenario.record.members, members) * times * 8;
  plan.memory_bytes = program + std::max(stepping, gathering);
  return plan;
}

void demand_memory(const Plan& plan, const scenario::Scenario& scenario) {
  const std::int64_t available = available_memory();
  if (available < 0 || plan.memory_bytes <= available) return;
  throw SystemError("the run will need about " + format_bytes(static_cast<double>(plan.memory_bytes)) + " of memory, but only " +
                    format_bytes(static_cast<double>(available)) + " are available; " +
                    (scenario.record.members > 0 ? "record fewer trajectories or fewer times, " : "") + "take a smaller --chunk, or ask for fewer members");
}

double calibrate(const scenario::Scenario& scenario, const std::function<std::unique_ptr<executor::Executor>(const scenario::Scenario&)>& make,
                 const executor::Watch& watch) {
  constexpr std::int64_t most_steps = 4000;
  constexpr double enough = 0.15;  // seconds
  scenario::Scenario part = scenario;
  part.steps = std::min(scenario.steps, most_steps);
  part.end = scenario.h() * static_cast<double>(part.steps);
  part.record.members = 0;
  const auto executor = make(part);
  const std::int64_t most = std::min(scenario.ensemble.members, executor->busy_members());
  for (std::int64_t members = std::min<std::int64_t>(most, 64);; members = std::min(most, 4 * members)) {
    const executor::Chunk chunk{0, members, sampling::draw(scenario, 0, members)};
    const auto start = std::chrono::steady_clock::now();
    executor->run(chunk, {[](std::int64_t) {}, watch.stop});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds >= enough || members == most) return static_cast<double>(members) * static_cast<double>(part.steps) / std::max(seconds, 1e-9);
  }
}

}  // namespace conesweep::ensemble
