#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "executor/agreement.hpp"

namespace conesweep::test {

using executor::Outcome;
using executor::Status;
using scenario::Scenario;

inline constexpr double rounding = 1e-12;  // of an observable's scale, in runs of at most some hundred steps

struct Both {
  Scenario scenario;
  Outcome fast, reference;

  Both(const std::string& text, const std::string& backend) : scenario(parse_scenario(text)) {
    fast = run_first(scenario, backend, scenario.ensemble.members);
    reference = run_first(scenario, "reference", scenario.ensemble.members);
  }

  std::map<Status, int> statuses() const {
    std::map<Status, int> count;
    for (const Status status : fast.status) ++count[status];
    return count;
  }

  const std::vector<double>& column(const std::string& name) const {
    const auto names = observable_names(scenario);
    return fast.observables[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  }
};

// Agreement, and the same stop nodes to the bit.
inline Both expect_same_on(const std::string& backend, const std::string& text, double tolerance) {
  Both both(text, backend);
  EXPECT_TRUE(agree(both.scenario, both.fast, both.reference, tolerance)) << text;
  for (std::size_t m = 0; m < both.fast.status.size(); ++m)
    if (both.fast.status[m] != Status::ok) {
      EXPECT_EQ(both.fast.stop_time[m], both.reference.stop_time[m]) << "member " << m;
    }
  // NaN stands where it stands in the reference: nothing is told of nodes that were not reached
  std::size_t other = 0;
  for (std::size_t c = 0; c < both.fast.trajectories.columns.size(); ++c)
    for (std::size_t cell = 0; cell < both.fast.trajectories.columns[c].size(); ++cell) {
      other += std::isnan(both.fast.trajectories.columns[c][cell]) !=
                       std::isnan(both.reference.trajectories.columns[c][cell])
                   ? 1
                   : 0;
      other += both.fast.trajectories.mode[cell] != both.reference.trajectories.mode[cell] ? 1 : 0;
    }
  EXPECT_EQ(other, 0u);
  return both;
}

/// How scenarios of these cases end.
inline const std::string falling_tail = R"toml(
[time]
end = 1.0
step = 0.015625
[ensemble]
members = 48
[record]
members = 48
every = 3
)toml";

class SharedStep : public OnExecutor {
 protected:
  Both expect_same(const std::string& text, double tolerance = rounding) const {
    return expect_same_on(backend(), text, tolerance);
  }
};

}  // namespace conesweep::test
