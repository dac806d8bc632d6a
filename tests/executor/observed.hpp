#pragma once

#include <gtest/gtest.h>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {

using executor::Status;
using test::column;
using test::parse_scenario;
using test::run_scenario;

/// One member's observable, in a scenario of one member.
inline double observe(const io::Results& results, const std::string& name) {
  EXPECT_EQ(results.outcome.status.at(0), Status::ok);
  return column(results, name).at(0);
}

// ---- free flight with constant velocity: x = t/2, 16 steps of 1/8 ----

inline io::Results fly_on(const std::string& backend, const std::string& observables) {
  return run_scenario(parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[start]
x = "t/2"
[time]
end = 2
step = 0.125
[observe]
)toml" + observables),
                      backend);
}

class Observed : public test::OnExecutor {
 protected:
  io::Results run(const scenario::Scenario& scenario) const { return run_scenario(scenario, backend()); }
  io::Results fly(const std::string& observables) const { return fly_on(backend(), observables); }
};

// ---- a block that slides and stops: loses 1/16 of its speed 1 every step of 1/8 ----

inline const char* const sliding_block = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-1"]
[[model.contact]]
inside = "y >= 0"
friction = 0.5
[start]
x = "t"
y = "0"
[time]
end = 4
step = 0.125
[record]
members = 1
every = 4
)toml";

}  // namespace conesweep
