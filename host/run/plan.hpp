#pragma once

#include <cstdint>
#include <vector>

#include "executor/executor.hpp"
#include "io/run_data.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::runs {

/// What a run will take, before it runs.
struct Plan {
  std::int64_t chunk = 0, chunks = 0;  // members; number
  std::int64_t history = 0;            // nodes of the longest delay or window, of the members tried
  executor::Flight flight;
  std::int64_t result_bytes = 0;   // results.h5
  std::int64_t summary_bytes = 0;  // summary.json
  std::int64_t disk_bytes = 0;     // at most: the chunks stay until results.h5 is whole
  std::int64_t member_bytes = 0;   // of a member in results.h5
  std::int64_t memory_bytes = 0;   // of the host, to a fifth
};
Plan make_plan(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t chunk);

/// Throws SystemError where the host has not so much memory left.
void demand_memory(const Plan& plan, const scenario::Scenario& scenario);

/// Bytes that a run still needs on disk: chunks of the members that are missing, and results.h5 of all.
std::int64_t missing_bytes(const scenario::Scenario& scenario, const std::vector<io::Range>& missing, bool tracked);

/// Member·steps a second, from some members over some steps: a fraction of a second.
double calibrate(const scenario::Scenario& scenario, const executor::Model& model, const executor::Watch& watch);

}  // namespace conesweep::runs
