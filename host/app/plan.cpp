#include <iostream>
#include <new>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/spelling.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "io/json_text.hpp"
#include "keep/digest.hpp"
#include "run/plan.hpp"
#include "run/step_ranges.hpp"
#include "support/error.hpp"
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

int plan(const PlanOptions& options) {
  const auto [source, scenario] = load(options.scenario, options.talk);
  keep::check_digested(scenario);
  const std::int64_t asked = to_chunk(options.execution, 0);
  executor::Watch watch;
  watch.stop = &watch_interrupts();
  const double work = static_cast<double>(scenario.ensemble.members) * static_cast<double>(scenario.steps);

  nlohmann::ordered_json json = {{"title", scenario.title},
                                 {"members", scenario.ensemble.members},
                                 {"steps", scenario.steps},
                                 {"executors", nlohmann::ordered_json::object()}};
  std::vector<std::vector<std::string>> rows = {
      {"executor", "chunks", "in flight", "memory of them", "member·steps/s", "time", "memory of the host"}};
  std::vector<std::string> absent;
  runs::Plan any;
  for (const std::string name : {"cuda", "cpu", "reference"}) {
    try {
      std::string reason;
      const auto executor = executor::make_model(name, scenario, to_execution(options.execution, options.talk), reason);
      const runs::Trial trial = runs::try_members(scenario, *executor, watch);
      const runs::Plan plan = runs::make_plan(scenario, *executor, runs::choose_chunk(*executor, scenario, asked),
                                              runs::longest_history(scenario), &trial);
      const double rate = trial.rate, seconds = work / rate;
      any = plan;
      rows.push_back({name, counted(plan.chunks) + " x " + counted(plan.chunk), counted(plan.flight.members),
                      bytes(plan.flight.bytes), format_short(rate, 2), format_duration(seconds),
                      bytes(plan.memory_bytes)});
      json["executors"][name] = {{"chunk", plan.chunk},
                                 {"chunks", plan.chunks},
                                 {"members_in_flight", plan.flight.members},
                                 {"bytes_in_flight", plan.flight.bytes},
                                 {"member_steps_per_second", rate},
                                 {"seconds", seconds},
                                 {"host_bytes", plan.memory_bytes}};
    } catch (const Interrupted&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const UserError& error) {
      absent.push_back(name + ": " + in_flags(error.sentence()));
    } catch (const std::exception& error) {
      absent.push_back(name + ": " + error.what());
    }
  }
  if (any.chunk == 0) throw SystemError(absent.back());
  json["bytes_a_member"] = keeps_members(scenario) ? any.member_bytes : 0;
  json["history_nodes"] = any.history;
  json["results_bytes"] = any.result_bytes;
  json["summary_bytes"] = any.summary_bytes;
  json["disk_bytes"] = any.disk_bytes;
  if (options.talk.json) {
    std::cout << io::format_json(json);
    return fine;
  }
  std::cout << visible(scenario.title) << "\n"
            << counted(scenario.ensemble.members, scenario.sweep.empty() ? "member" : "row")
            << (scenario.sweep.empty() ? "" : " (" + counted(sweep_points(scenario), "point") + " of a sweep)") << ", "
            << counted(scenario.steps) << " steps of " << format_short(scenario.h()) << "; the longest history has "
            << counted(any.history) << " nodes\n\n"
            << align_columns(rows);
  for (const auto& why : absent) std::cout << why << "\n";
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
