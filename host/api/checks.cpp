#include <cmath>

#include "api/execution.hpp"
#include "api/scenario_parts.hpp"
#include "conesweep/studies.hpp"
#include "ensemble/compare_sides.hpp"
#include "run/plan_executors.hpp"
#include "run/trace.hpp"

/// What looks at a scenario's members before an ensemble is run: two executors side by side, one member step by step,
/// what a run will take.
namespace conesweep {
namespace {

std::vector<std::int64_t> members_of(const auto& list) {
  std::vector<std::int64_t> members;
  for (const auto& one : list) members.push_back(one.member);
  return members;
}

Comparison run_comparison(const scenario::Scenario& scenario, const CompareOptions& options) {
  ensemble::CompareRequest request;
  request.backends = options.backends;
  request.execution = api::to_options(options);
  request.members_are_asked_for = options.members.has_value();
  request.tolerance = options.tolerance.value_or(no_number);
  request.grazing = options.grazing;
  request.judge = options.judge;
  request.bits = options.bits;
  api::Teller teller(options);
  ensemble::CompareHooks hooks;
  hooks.begins = [&](std::int64_t runs) { teller.begin(runs); };
  hooks.watch = teller.watch();
  const ensemble::Compared compared = ensemble::compare_sides(scenario, request, hooks);
  const ensemble::Comparison& found = compared.comparison;
  Comparison made;
  made.passed = found.passed;
  made.members = found.members;
  for (const auto& one : found.differences)
    made.observables.push_back({one.name, one.compared, one.scale, one.absolute.worst, one.relative.worst,
                                one.worst_member, one.a, one.b, one.within});
  made.parted = members_of(found.parted);
  made.several = members_of(found.several);
  made.wrong = members_of(found.wrong);
  made.unjudged = members_of(found.unjudged);
  made.values = found.bits.values;
  made.differing_bits = found.bits.differing;
  made.verdict = verdict(compared).text();
  made.json = ensemble::to_json(scenario, compared);
  return made;
}

PlannedExecutor to_planned(const runs::ExecutorPlan& one) {
  PlannedExecutor made;
  made.name = one.name;
  made.absent = one.absent.text();
  made.chunk = one.plan.chunk;
  made.chunks = one.plan.chunks;
  made.members_in_flight = one.plan.flight.members;
  made.bytes_in_flight = one.plan.flight.bytes;
  made.member_steps_per_second = one.rate;
  made.seconds = one.seconds;
  made.host_bytes = one.plan.memory_bytes;
  return made;
}

Plan make_plan(const scenario::Scenario& scenario, const PlanOptions& options) {
  Execution execution;
  execution.threads = options.threads;
  execution.precision = options.precision;
  execution.devices = options.devices;
  execution.cancel = options.cancel;
  executor::Watch watch;
  watch.stop = options.cancel;
  const auto plans = runs::plan_executors(scenario, api::to_options(execution), api::to_chunk(options.chunk, 0), watch);
  Plan made;
  made.members = scenario.ensemble.members;
  made.steps = scenario.steps;
  for (const auto& one : plans) made.executors.push_back(to_planned(one));
  const runs::Plan& any = any_plan(plans);
  made.bytes_a_member = keeps_members(scenario) ? any.member_bytes : 0;
  made.history_nodes = any.history;
  made.results_bytes = any.result_bytes;
  made.summary_bytes = any.summary_bytes;
  made.disk_bytes = any.disk_bytes;
  made.json = runs::to_json(scenario, plans);
  return made;
}

}  // namespace

Comparison compare(const Scenario& scenario, const CompareOptions& options) {
  return api::tell_plainly([&] {
    const Scenario asked = options.members ? scenario.with(Changes().members(*options.members)) : scenario;
    return run_comparison(*api::Access::parts(asked).scenario, options);
  });
}

TraceEnd trace(const Scenario& scenario, const TraceOptions& options,
               const std::function<void(std::string_view)>& rows) {
  return api::tell_plainly([&]() -> TraceEnd {
    const auto& read = *api::Access::parts(scenario).scenario;
    const auto end = runs::trace_member(read, {options.member, options.every}, options.cancel, rows);
    const bool ok = end.status == executor::Status::ok;
    return {static_cast<std::uint8_t>(end.status), ok ? read.end : end.time};
  });
}

std::string trace(const Scenario& scenario, const TraceOptions& options) {
  std::string text;
  trace(scenario, options, [&](std::string_view rows) { text += rows; });
  return text;
}

Plan plan(const Scenario& scenario, const PlanOptions& options) {
  return api::tell_plainly([&] { return make_plan(*api::Access::parts(scenario).scenario, options); });
}

}  // namespace conesweep
