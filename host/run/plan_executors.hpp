#pragma once

#include <string>
#include <vector>

#include "run/plan.hpp"
#include "support/sentence.hpp"

namespace conesweep::runs {

/// What a run takes on one executor.
struct ExecutorPlan {
  std::string name;
  Sentence absent = {};  // why it cannot run here; empty: it can
  Plan plan = {};
  double rate = 0, seconds = 0;  // member·steps a second; for all of them

  bool is_there() const { return plan.chunk > 0; }
};

/// The same on each: cuda, cpu, reference. Every one that is there steps some members for a fraction of a second.
/// SystemError where none is; InputError where nothing could be planned.
std::vector<ExecutorPlan> plan_executors(const scenario::Scenario& scenario, const executor::Options& execution,
                                         std::int64_t chunk, const executor::Watch& watch);

/// One of those that are there: disk and summary are the same on all.
const Plan& any_plan(const std::vector<ExecutorPlan>& plans);

std::string to_json(const scenario::Scenario& scenario, const std::vector<ExecutorPlan>& plans);

}  // namespace conesweep::runs
