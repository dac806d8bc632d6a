// The model written by hand (kernels/user_model.cu, compiled by nvcc) beside the same system written as formulas.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/device.hpp"
#include "executor/agreement.hpp"
#include "executor/columns.hpp"
#include "user_model.hpp"

namespace conesweep::test {
namespace {

// the numbers, distributions and observables are the scenario's in both cases
const char* const slider = R"toml(
title = "Slider written by hand"
[model]
coordinates = ["x", "y"]
force = ["k * (target - delay(x, tau))", "-g"]
[model.parameters]
g = 9.81
k = 4.0
target = 1.0
tau = 0.2
alpha = 0.35
v0 = 1.0
[[model.contact]]
inside = "y >= 0"
friction_angle = "alpha"
[start]
x = "v0 * t"
y = "0"
[time]
end = 4.0
step = 1e-3
[ensemble]
members = 1000
[vary]
alpha = { uniform = [0.1, 0.6] }
v0 = { normal = [1.0, 0.2] }
tau = { uniform = [0.05, 0.4] }
[observe]
reach = { max = "x" }
settled = { last_time = "abs(vx) > 1e-6" }
[record]
members = 8
every = 100
)toml";

class UserModel : public OnDevice {};

TEST_F(UserModel, HasTheBitsOfTheFormulas) {
  const auto scenario = parse_scenario(slider);
  const executor::Chunk chunk = {{scenario, 0, scenario.ensemble.members},
                                 sampling::draw(scenario, 0, scenario.ensemble.members)};

  executor::Columns<double> columns(executor::OutcomeShape(scenario), scenario, chunk);
  user::run_slider(columns.job());
  ASSERT_EQ(std::count(columns.marks.begin(), columns.marks.end(), 0), chunk.count()) << "members that stopped";
  const executor::Outcome by_hand =
      columns.to_outcome(scenario, chunk, [](std::int64_t) { return chunk::Diagnosis{}; });

  EXPECT_TRUE(same_bits(scenario, by_hand, run_first(scenario, "cpu", chunk.count()))) << "cpu";
  EXPECT_TRUE(same_bits(scenario, by_hand, run_first(scenario, "cuda", chunk.count()))) << "cuda";
}

}  // namespace
}  // namespace conesweep::test
