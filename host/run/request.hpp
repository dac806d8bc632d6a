#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "run/growth.hpp"
#include "run/quantity.hpp"
#include "team/team.hpp"

namespace conesweep::runs {

/// How the members of a scenario are run, and where they go.
struct Request {
  std::filesystem::path folder = {};  // empty: they stay in memory
  bool force = false;                 // what another run left there is replaced …
  bool resume = false;                // … or gone on with
  std::string backend = "auto";
  executor::Options execution = {};
  std::int64_t chunk = 0;        // members; 0: what is done in seconds
  std::vector<Goal> goals = {};  // the ensemble grows until they are reached …
  // … or there are so many members; left out: a thousand times those it begins with
  std::optional<std::int64_t> most = {};
  std::optional<Quantity> watched = {};  // the listener hears of its mean while members are on their way
  bool step_check = true;                // the first members are stepped once more at half the step
  team::Team* team = nullptr;            // that shares the members; null: this process is alone

  bool follows() const { return team != nullptr && !team->leads(); }
  int ranks() const { return team == nullptr ? 1 : team->place().size; }

  std::string precision() const { return std::string(to_name(execution.precision)); }
};

/// InputError where parts of it contradict each other.
void check_request(const Request& request);

/// How far the ensemble may grow; InputError where it cannot. Without goals: as large as it is.
std::int64_t most_members(const Request& request, const scenario::Scenario& scenario);

}  // namespace conesweep::runs
