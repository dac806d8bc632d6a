#include <iostream>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/spelling.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "run/plan_executors.hpp"
#include "support/memory.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

struct PlanOptions {
  ScenarioFlags scenario;
  ExecutionFlags execution;
  TalkFlags talk;
};

std::string bytes(std::int64_t count) { return format_bytes(static_cast<double>(count)); }

void print_executors(const std::vector<runs::ExecutorPlan>& plans) {
  std::vector<std::vector<std::string>> rows = {
      {"executor", "chunks", "in flight", "memory of them", "member·steps/s", "time", "memory of the host"}};
  for (const runs::ExecutorPlan& one : plans)
    if (const runs::Plan& plan = one.plan; one.is_there())
      rows.push_back({one.name, counted(plan.chunks) + " x " + counted(plan.chunk), counted(plan.flight.members),
                      bytes(plan.flight.bytes), format_short(one.rate, 2), format_duration(one.seconds),
                      bytes(plan.memory_bytes)});
  std::cout << align_columns(rows);
  for (const runs::ExecutorPlan& one : plans)
    if (!one.is_there()) std::cout << in_flags(one.absent) << "\n";
}

int plan(const PlanOptions& options) {
  const auto [source, scenario] = load(options.scenario, options.talk);
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  const auto plans = runs::plan_executors(scenario, to_execution(options.execution, options.talk),
                                          to_chunk(options.execution, 0), watch);
  if (options.talk.json) {
    std::cout << to_json(scenario, plans);
    return fine;
  }
  const runs::Plan& any = any_plan(plans);
  std::cout << visible(scenario.title) << "\n"
            << counted(scenario.ensemble.members, scenario.sweep.empty() ? "member" : "row")
            << (scenario.sweep.empty() ? "" : " (" + counted(sweep_points(scenario), "point") + " of a sweep)") << ", "
            << counted(scenario.steps) << " steps of " << format_short(scenario.h()) << "; the longest history has "
            << counted(any.history) << " nodes\n\n";
  print_executors(plans);
  const bool keeps = keeps_members(scenario);
  std::cout << "\non disk: " << bytes(any.result_bytes) << " of results ("
            << (keeps ? std::to_string(any.member_bytes) + " bytes a member" : "statistics alone")
            << (scenario.record.members > 0 ? ", and trajectories" : "")
            << (scenario.sweep.empty() ? ")" : "), " + bytes(any.summary_bytes) + " of summary.json (its points)")
            << ", up to " << bytes(any.disk_bytes) << " while it runs\n";
  const std::int64_t available = available_memory();
  if (available >= 0 && any.memory_bytes > available)
    std::cout << "this machine has " << bytes(available) << " of memory left: it will not fit\n";
  return fine;
}

void declare(Flags& flags, PlanOptions& options) {
  add_scenario(flags, options.scenario);
  add_keep(flags, options.scenario);
  add_threads(flags, options.execution);
  add_precision(flags, options.execution);
  add_devices(flags, options.execution);
  flags.add("--chunk", options.execution.chunk, "members in a chunk; a multiple of 4096", "N");
  add_quiet(flags, options.talk, "no warnings");
  add_json(flags, options.talk);
}

}  // namespace

Command plan_command() {
  return make_command<PlanOptions>(
      {"plan", "memory, chunks, disk and estimated time of a run, for each executor, before it runs",
       "  conesweep plan slider.toml --members 1e7\n  conesweep plan slider.toml --json"},
      declare, plan);
}

}  // namespace conesweep::app
