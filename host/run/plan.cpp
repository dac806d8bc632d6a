#include "run/plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <span>

#include "expression/still_world.hpp"
#include "io/chunk_file.hpp"
#include "io/results_file.hpp"
#include "keep/digest.hpp"
#include "sampling/sampler.hpp"
#include "scenario/formulas.hpp"
#include "scenario/reading/check.hpp"
#include "statistics/statistics.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "tell/points_text.hpp"
#include "tell/summary.hpp"

namespace conesweep::runs {
namespace {

// Columns that the largest condition of a class needs at once.
double class_columns(const scenario::Scenario& scenario) {
  std::size_t most = 0;
  for (const auto& one : scenario.classes) {
    std::set<int> names;
    if (!one.condition.tree) continue;
    expression::for_each_node(one.condition.tree, [&](const expression::Expr& node) {
      if (node->op == expression::Op::symbol) names.insert(node->symbol.index);
    });
    const bool uses_parameters =
        !names.empty() && *names.rbegin() >= static_cast<int>(observable_names(scenario).size());
    most = std::max(most, names.size() + (uses_parameters ? varying_parameters(scenario).size() : 0));
  }
  return static_cast<double>(most);
}

// In double, all of it, so that no product overflows.

double as_double(std::int64_t count) { return static_cast<double>(count); }

// Times at which tracks are recorded.
double count_times(const scenario::Scenario& scenario) {
  return as_double(scenario.record.members > 0 ? scenario.steps / scenario.record.every + 1 : 0);
}

// Values that are there: a NaN is none.
std::int64_t count_different(std::span<const double> values) {
  std::set<double> different;
  for (const double value : values)
    if (!std::isnan(value)) different.insert(value);
  return std::ssize(different);
}

// summary.json. Of an observable: its moments, quantiles and 64 bins; of a coordinate: curves of mean, deviation and
// quantiles.
double summary_bytes(const scenario::Scenario& scenario) {
  constexpr double observable = 2500, number = 16;  // most numbers take 20 letters, and those that are 0 take 5
  double bytes = observable * as_double(std::ssize(observable_names(scenario)));
  bytes += number * (2 + std::size(statistics::quantile_levels)) * count_times(scenario) *
           static_cast<double>(summed_states(scenario).size());
  return scenario.sweep.empty() ? bytes : bytes + as_double(sweep_points(scenario)) * tell::bytes_a_point(scenario);
}

// The program with its libraries, and what a small run takes: measured.
constexpr double program_bytes = 24e6;

// While members are stepped: the chunk in the executor's columns and in those of its outcome; the chunk before, and its
// bytes on their way to the disk.
double stepping_bytes(const scenario::Scenario& scenario, const executor::Model& model, const Plan& plan) {
  const bool alone = plan.chunks == 1;  // its bytes are made when the executor has done
  const double chunk = as_double(plan.chunk), times = count_times(scenario);
  // members that are not kept are on no way to the disk
  const double copies = alone ? 2.3 : keep::is_digested(scenario) ? 3.3 : 4.3;
  double bytes =
      copies * chunk * as_double(plan.member_bytes) + (model.traits().on_device ? 0 : as_double(plan.flight.bytes));
  const double recorded =
      std::min(as_double(scenario.record.members), chunk) * times * static_cast<double>(8 * count_states(scenario) + 1);
  bytes += (scenario.record.members <= plan.chunk ? 2 : 3) * recorded;
  // the first block, of which quantiles are made, and its copy by time
  const double block = std::min(as_double(scenario.ensemble.members), as_double(statistics::block_members));
  return bytes + times * block * 8 * static_cast<double>(summed_states(scenario).size() + 1);
}

// In the end: columns side by side (summary.cpp), each with a sorted copy, and the statuses; or the columns of one
// class; beside the points of a sweep.
double gathering_bytes(const scenario::Scenario& scenario, const executor::Model& model) {
  const double members = as_double(scenario.ensemble.members);
  const int threads = model.traits().on_device ? 1 : model.threads();
  const double columns =
      as_double(tell::columns_at_once(scenario.ensemble.members, std::ssize(observable_names(scenario)), threads));
  const double recorded = std::min(as_double(scenario.record.members), members) * count_times(scenario) * 8;
  const double points = scenario.sweep.empty() ? 0 : as_double(sweep_points(scenario)) * tell::point_bytes(scenario);
  return points + recorded + members * std::max(16 * columns + 3, 8 * class_columns(scenario) + 2);
}

}  // namespace

// Beyond the run's begin a delay sees the past that the scenario gives, and keeps
// no more nodes than the run has; a window gathers that past as well, up to the longest that an executor takes.
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
      const double value =
          expression::evaluate<double>(length.node->args[1], expression::StillWorld<double>{parameters});
      if (!std::isfinite(value)) continue;
      const double most =
          length.node->op == expression::Op::delay ? static_cast<double>(scenario.steps) : most_in_window;
      longest = std::max(longest, std::min(std::ceil(value / scenario.h()), most));
    }
  }
  return longest > 0 ? static_cast<std::int64_t>(longest) + 2 : 0;
}

Plan make_plan(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t chunk,
               std::int64_t history, const Trial* trial) {
  Plan plan;
  const std::int64_t members = scenario.ensemble.members;
  plan.chunk = std::min(chunk, members);
  plan.chunks = (members - 1) / chunk + 1;
  plan.history = history;
  plan.flight = model.in_flight(plan.history);
  plan.result_bytes = io::results_bytes(scenario);
  plan.summary_bytes = count_bytes(summary_bytes(scenario));
  const bool digested = keep::is_digested(scenario);
  keep::ExpectedValues expected = [](std::size_t, double count) { return count; };
  if (trial != nullptr)
    expected = [trial](std::size_t observable, double count) { return trial->expect_values(observable, count); };
  const double digest = digested ? keep::digest_bytes(scenario, expected) : 0;
  // the digest that is there, and the next one beside it
  plan.disk_bytes =
      digested
          ? count_bytes(static_cast<double>(plan.result_bytes) + static_cast<double>(plan.summary_bytes) + 2 * digest)
          : missing_bytes(scenario, {{0, members}}, true);
  plan.member_bytes = io::member_bytes(scenario);

  const double stepping = stepping_bytes(scenario, model, plan);
  // a digest, another that is merged into it, and its bytes for the disk, now and then: 2.0 to 2.7 measured
  constexpr double digests = 2.35;
  plan.memory_bytes = count_bytes(
      program_bytes + (digested ? stepping + digests * digest : std::max(stepping, gathering_bytes(scenario, model))));
  return plan;
}

void demand_memory(const Plan& plan, const scenario::Scenario& scenario) {
  const std::int64_t available = available_memory();
  if (available < 0 || plan.memory_bytes <= available) return;
  throw SystemError("the run will need about " + format_bytes(static_cast<double>(plan.memory_bytes)) +
                    " of memory, but only " + format_bytes(static_cast<double>(available)) + " are available; " +
                    (scenario.record.members > 0 ? "record fewer trajectories or fewer times, " : "") +
                    "take a smaller " + setting::chunk + ", or ask for fewer members");
}

std::int64_t missing_bytes(const scenario::Scenario& scenario, const std::vector<io::MemberRange>& missing,
                           bool tracked) {
  const io::ChunkShape shape = io::shape_of(scenario, tracked);
  double bytes = static_cast<double>(io::results_bytes(scenario)) + summary_bytes(scenario);
  for (const io::MemberRange& range : missing) bytes += io::chunk_bytes(shape, range);
  return count_bytes(bytes);
}

Trial try_members(const scenario::Scenario& scenario, const executor::Model& model, const executor::Watch& watch) {
  constexpr std::int64_t most_steps = 4000;
  constexpr double enough = 0.15;  // seconds
  scenario::Setup part = scenario;
  part.steps = std::min(scenario.steps, most_steps);
  part.end = scenario.h() * static_cast<double>(part.steps);
  part.record.members = 0;
  const std::int64_t most = std::min(scenario.ensemble.members, model.busy_members());
  for (std::int64_t members = std::min<std::int64_t>(most, 64);; members = std::min(most, 4 * members)) {
    const executor::Chunk chunk{{scenario, 0, members}, sampling::draw(scenario, 0, members)};
    const auto start = std::chrono::steady_clock::now();
    const executor::Outcome outcome = model.run(part, chunk, watch.without_progress());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds < enough && members < most) continue;
    Trial trial{
        static_cast<double>(members) * static_cast<double>(part.steps) / std::max(seconds, 1e-9), members, {}, {}};
    for (const auto& column : outcome.observables) {
      trial.values.push_back(count_different(column));
      trial.values_of_half.push_back(count_different(std::span(column).first(column.size() / 2)));
    }
    return trial;
  }
}

double Trial::expect_values(std::size_t observable, double count) const {
  const auto all = static_cast<double>(values[observable]), half = static_cast<double>(values_of_half[observable]);
  if (half == 0 || count <= 0) return std::min(all, count);
  const double growth = std::clamp(std::log2(all / half), 0.0, 1.0);
  return std::min(count, all * std::pow(count / static_cast<double>(members), growth));
}

}  // namespace conesweep::runs
