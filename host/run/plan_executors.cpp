#include "run/plan_executors.hpp"

#include <algorithm>
#include <new>

#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "keep/digest.hpp"
#include "run/step_ranges.hpp"
#include "support/error.hpp"

namespace conesweep::runs {
namespace {

// By an executor that is there.
ExecutorPlan plan_one(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t chunk,
                      std::int64_t history, const executor::Watch& watch) {
  ExecutorPlan made{model.name()};
  const Trial trial = try_members(scenario, model, watch);
  made.plan = make_plan(scenario, model, choose_chunk(model, scenario, chunk), history, &trial);
  made.rate = trial.rate;
  made.seconds = static_cast<double>(scenario.ensemble.members) * static_cast<double>(scenario.steps) / trial.rate;
  return made;
}

}  // namespace

std::vector<ExecutorPlan> plan_executors(const scenario::Scenario& scenario, const executor::Options& execution,
                                         std::int64_t chunk, const executor::Watch& watch) {
  keep::check_digested(scenario);
  const std::int64_t history = longest_history(scenario);
  std::vector<ExecutorPlan> plans;
  for (const auto& name : executor::executor_names()) {
    try {
      std::string reason;
      const auto model = executor::make_model(name, scenario, execution, reason);
      plans.push_back(plan_one(scenario, *model, chunk, history, watch));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const UserError& error) {
      plans.push_back({name, name + ": " + error.sentence()});
    } catch (const std::exception& error) {
      plans.push_back({name, name + ": " + error.what()});
    }
  }
  if (std::none_of(plans.begin(), plans.end(), [](const auto& one) { return one.is_there(); }))
    throw SystemError(plans.back().absent);
  return plans;
}

const Plan& any_plan(const std::vector<ExecutorPlan>& plans) {
  return std::find_if(plans.rbegin(), plans.rend(), [](const auto& one) { return one.is_there(); })->plan;
}

std::string to_json(const scenario::Scenario& scenario, const std::vector<ExecutorPlan>& plans) {
  nlohmann::ordered_json json = {{"title", scenario.title},
                                 {"members", scenario.ensemble.members},
                                 {"steps", scenario.steps},
                                 {"executors", nlohmann::ordered_json::object()}};
  for (const ExecutorPlan& one : plans)
    if (one.is_there())
      json["executors"][one.name] = {{"chunk", one.plan.chunk},
                                     {"chunks", one.plan.chunks},
                                     {"members_in_flight", one.plan.flight.members},
                                     {"bytes_in_flight", one.plan.flight.bytes},
                                     {"member_steps_per_second", one.rate},
                                     {"seconds", one.seconds},
                                     {"host_bytes", one.plan.memory_bytes}};
  const Plan& any = any_plan(plans);
  json["bytes_a_member"] = keeps_members(scenario) ? any.member_bytes : 0;
  json["history_nodes"] = any.history;
  json["results_bytes"] = any.result_bytes;
  json["summary_bytes"] = any.summary_bytes;
  json["disk_bytes"] = any.disk_bytes;
  return io::format_json(json);
}

}  // namespace conesweep::runs
