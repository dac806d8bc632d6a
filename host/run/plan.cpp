#include "run/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "expression/still_world.hpp"
#include "io/chunk_file.hpp"
#include "io/results_file.hpp"
#include "run/digest.hpp"
#include "sampling/sampler.hpp"
#include "scenario/formulas.hpp"
#include "scenario/reading/check.hpp"
#include "statistics/statistics.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

namespace conesweep::runs {
namespace {

// Nodes that the longest history keeps. Beyond the run's begin a delay sees the past that the scenario gives, and keeps no more nodes than the run has; a
// window gathers that past as well, up to the longest that an executor takes.
std::int64_t longest_history(const scenario::Scenario& scenario) {
  constexpr double most_in_window = 0x1p31;
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
      const double value = expression::evaluate<double>(length.node->args[1], expression::StillWorld<double>{parameters});
      if (!std::isfinite(value)) continue;
      const double most = length.node->op == expression::Op::delay ? static_cast<double>(scenario.steps) : most_in_window;
      longest = std::max(longest, std::min(std::ceil(value / scenario.h()), most));
    }
  }
  return longest > 0 ? static_cast<std::int64_t>(longest) + 2 : 0;
}

// Columns that the largest condition of a class needs at once.
double class_columns(const scenario::Scenario& scenario) {
  std::size_t most = 0;
  for (const auto& one : scenario.classes) {
    std::set<int> names;
    if (!one.condition.tree) continue;
    expression::for_each_node(one.condition.tree, [&](const expression::Expr& node) {
      if (node->op == expression::Op::symbol) names.insert(node->symbol.index);
    });
    const bool uses_parameters = !names.empty() && *names.rbegin() >= static_cast<int>(observable_names(scenario).size());
    most = std::max(most, names.size() + (uses_parameters ? varying_parameters(scenario).size() : 0));
  }
  return static_cast<double>(most);
}

}  // namespace

Plan make_plan(const scenario::Scenario& scenario, const executor::Executor& executor, std::int64_t chunk) {
  Plan plan;
  const std::int64_t members = scenario.ensemble.members;
  plan.chunk = std::min(chunk, members);
  plan.chunks = (members - 1) / chunk + 1;
  plan.history = longest_history(scenario);
  plan.flight = executor.in_flight(plan.history);
  plan.result_bytes = io::results_bytes(scenario);
  const bool digested = is_digested(scenario);
  // the digest that is there, and the next one beside it
  plan.disk_bytes = digested ? count_bytes(static_cast<double>(plan.result_bytes) + 2 * digest_bytes(scenario)) : missing_bytes(scenario, {{0, members}}, true);
  plan.member_bytes = io::member_bytes(scenario);

  // in double, so that no product overflows. A chunk: columns of the executor, its outcome, the chunk before and its bytes on their way to the disk
  constexpr double program = 80 << 20;
  const auto dimension = static_cast<double>(scenario.dimension());
  double stepping = 5.0 * static_cast<double>(plan.chunk) * static_cast<double>(plan.member_bytes) +
                    (executor.traits().on_device ? 0 : static_cast<double>(plan.flight.bytes));
  // statistics of tracks: pieces, the first block and its copy by time
  const auto times = static_cast<double>(scenario.record.members > 0 ? scenario.steps / scenario.record.every + 1 : 0);
  const double recorded = static_cast<double>(std::min(scenario.record.members, plan.chunk)) * times * (16 * dimension + 1);
  stepping += 5 * recorded + times * static_cast<double>(std::min(members, std::int64_t{statistics::block_members})) * 8 * (dimension + 1);
  // in the end: a column and its sorted copy, the statuses, the classes; or the columns of one class
  const double gathering = static_cast<double>(members) * std::max(19.0, 8 * class_columns(scenario) + 2) +
                           static_cast<double>(std::min(scenario.record.members, members)) * times * 8;
  // a digest, another that is merged into it or made of it, and its bytes
  plan.memory_bytes = count_bytes(program + (digested ? stepping + 3 * digest_bytes(scenario) : std::max(stepping, gathering)));
  return plan;
}

void demand_memory(const Plan& plan, const scenario::Scenario& scenario) {
  const std::int64_t available = available_memory();
  if (available < 0 || plan.memory_bytes <= available) return;
  throw SystemError("the run will need about " + format_bytes(static_cast<double>(plan.memory_bytes)) + " of memory, but only " +
                    format_bytes(static_cast<double>(available)) + " are available; " +
                    (scenario.record.members > 0 ? "record fewer trajectories or fewer times, " : "") + "take a smaller --chunk, or ask for fewer members");
}

std::int64_t missing_bytes(const scenario::Scenario& scenario, const std::vector<io::Range>& missing, bool tracked) {
  const io::ChunkShape shape = io::shape_of(scenario, tracked);
  double bytes = static_cast<double>(io::results_bytes(scenario));
  for (const io::Range& range : missing) bytes += io::chunk_bytes(shape, range);
  return count_bytes(bytes);
}

double calibrate(const scenario::Scenario& scenario, const MakeExecutor& make, const executor::Watch& watch) {
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
    executor->run(chunk, watch.without_progress());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds >= enough || members == most) return static_cast<double>(members) * static_cast<double>(part.steps) / std::max(seconds, 1e-9);
  }
}

}  // namespace conesweep::runs
