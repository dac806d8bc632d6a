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

/// What some members over some steps show.
struct Trial {
  double rate = 0;           // member·steps a second
  std::int64_t members = 0;  // that were tried
  // [observable] how many different ones they have, and the first half of them
  std::vector<std::int64_t> values, values_of_half;

  /// About how many different values of an observable so many members have: grown on as they grew from the half to the
  /// whole.
  double expect_values(std::size_t observable, double count) const;
};

/// Takes a fraction of a second.
Trial try_members(const scenario::Scenario& scenario, const executor::Model& model, const executor::Watch& watch);

/// Nodes that the longest history keeps, of the members tried, which are drawn for it.
std::int64_t longest_history(const scenario::Scenario& scenario);

/// `history` as longest_history says. Without a trial all values are taken to be different: a digest takes at most what
/// is planned then.
Plan make_plan(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t chunk,
               std::int64_t history, const Trial* trial = nullptr);

/// Throws SystemError where the host has not so much memory left.
void demand_memory(const Plan& plan, const scenario::Scenario& scenario);

/// Bytes that a run still needs on disk: chunks of the members that are missing, and results.h5 of all.
std::int64_t missing_bytes(const scenario::Scenario& scenario, const std::vector<io::MemberRange>& missing,
                           bool tracked);

}  // namespace conesweep::runs
