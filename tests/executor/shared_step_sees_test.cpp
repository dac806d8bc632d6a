// Hand-made edge cases of what the shared step sees and shows: history, observables and records.
#include <gtest/gtest.h>

#include <cmath>

#include "shared_step.hpp"

namespace conesweep::test {
namespace {

TEST_P(SharedStep, SeesThePastOfDelaysAndWindowsOfEveryLength) {
  // none, below a step, whole, not whole, beyond the end; of positions, velocities and t; a past with a kink at 0
  expect_same(R"toml(title = "history"
[model]
coordinates = ["x", "y"]
force = ["-4 * delay(x, tau) - 0.1 * delay(vx, tau) + 0.2 * delay(t, 2 * tau)", "-9.81 + window_mean(x * y, delta) + delay(vy, 0) * 0.1"]
[model.parameters]
tau = 0.1
delta = 0.1
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction_angle = "if(window_max(abs(x - now(x)), delta) < 0.02, 0.6, 0.3)"
restitution = "0.3"
[start]
x = "1 - abs(t) + 0.1 * sin(5 * t)"
y = "0.4 + max(t, -0.2)"
[vary]
tau = { choice = [0.0, 0.001, 0.015625, 0.03125, 0.04, 0.3, 1.0, 1.5, 7.0, 0.0156250000001] }
delta = { choice = [0.0, 0.002, 0.015625, 0.1, 0.33, 1.0, 1.4, 3.0] }
[observe]
oldest = { final = "window_max(x, delta)" }
least = { min = "window_min(x + y, 2.5)" }
averaged = { integral = "window_mean(x^2, delta)" }
mixed = { max = "window_mean(x - 2 * now(x), tau) * delay(x * vy + t, delta)" }
)toml" + falling_tail);
}

TEST_P(SharedStep, NeedsNoColumnsForADelayedTime) {
  const Both both = expect_same(R"toml(title = "time"
[model]
coordinates = ["x"]
force = ["delay(t, tau)"]
[model.parameters]
tau = 0.3
[start]
x = "0"
[vary]
tau = { uniform = [0, 2] }
)toml" + falling_tail);
  EXPECT_EQ(both.statuses().size(), 1u);
}

TEST_P(SharedStep, ObservablesSkipCountAndKeepNaNAsTheReferenceDoes) {
  const Both both = expect_same(R"toml(title = "observables"
[model]
coordinates = ["x"]
force = ["-16 * x + p"]
[model.parameters]
p = 0.0
[start]
x = "1 + p"
[vary]
p = { uniform = [-0.5, 0.5] }
[observe]
smallest = { min = "log(x)" }
largest = { max = "sqrt(-x)" }
last = { final = "log(-1 - x^2)" }
total = { integral = "sqrt(x + 3)" }
lost = { mean = "log(x)" }
often = { count = "x > 0" }
late = { last_time = "log(x) < 0 or vx > 1" }
soon = { first_time = "not (x > -0.5)" }
never = { first_time = "x > 100" }
always = { last_time = "x == x" }
infinite = { max = "1 / (x - x)" }
standard = ["variation", "flight_time"]
)toml" + falling_tail);
  EXPECT_TRUE(std::isnan(both.column("last")[0]));
  EXPECT_TRUE(std::isnan(both.column("lost")[0]));
  EXPECT_TRUE(std::isnan(both.column("never")[0]));
  EXPECT_FALSE(std::isnan(both.column("smallest")[0]));
  EXPECT_EQ(both.column("always")[0], 1.0);
}

TEST_P(SharedStep, KeepsTheNaNOfAProductWithZero) {
  // 0 log(-1) stops a member; simplified to 0 it would not
  const Both both = expect_same(R"toml(title = "zero times nothing"
[model]
coordinates = ["x"]
force = ["0 * log(p) + (t - t) * sqrt(p)"]
[model.parameters]
p = 1.0
[start]
x = "0"
[vary]
p = { choice = [1.0, -1.0] }
[observe]
same = { final = "(p - p) / (p - 1) + 0 / (p - 1)" }
)toml" + falling_tail);
  EXPECT_EQ(both.statuses().size(), 2u);
}

TEST_P(SharedStep, RecordsTheNodesAskedFor) {
  for (const char* record : {"members = 5", "members = 48\nevery = 64", "members = 3\nevery = 63",
                             "members = 13\nevery = 1000", "members = 0"}) {
    const Both both = expect_same(std::string(R"toml(title = "record"
[model]
coordinates = ["x", "y"]
force = ["-x", "-9.81"]
[model.parameters]
mu = 0.2
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
[start]
x = "3 * t"
y = "0.3"
[time]
end = 1.0
step = 0.015625
[ensemble]
members = 48
[vary]
mu = { uniform = [-0.2, 0.8] }
[record]
)toml") + record + "\n");
    EXPECT_EQ(both.statuses().size(), 2u) << record;
  }
}

}  // namespace
}  // namespace conesweep::test
