// Every value of the lists that generated code and kernels share with the host (scenario/lists.hpp, the windows of the
// language), taken from those lists: a value that only one side knows, or that stands at another place there, fails
// here.
#include <gtest/gtest.h>

#include <cmath>

#include "executor/agreement.hpp"
#include "expression/tree.hpp"

namespace conesweep::test {
namespace {

using executor::Outcome;
using scenario::Scenario;

// A ball that falls on a slope that moves along itself, bounces, slides and sticks: no standard quantity is zero, and
// no two are the same.
std::string sliding_ball(const std::string& observe) {
  return R"toml(title = "every value"
[model]
coordinates = ["x", "y"]
force = ["12 * sin(5 * t) - 4 * delay(x, tau)", "-9.81"]
[model.parameters]
mu = 0.4
tau = 0.1
height = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0.1 * x"
friction = "mu"
restitution = "0.7"
belt = ["0.2", "0.3 * t"]
[start]
x = "0.5 * t"
y = "height"
[time]
end = 3.0
step = 0.01
[ensemble]
members = 40
[vary]
mu = { uniform = [0.3, 0.8] }
tau = { uniform = [0, 0.2] }
height = { uniform = [0.2, 0.4] }
[observe]
)toml" + observe;
}

// Columns that agree with the reference's, and differ from each other: none stands at another's place.
void expect_agreement_on(const std::string& backend, const std::string& observe) {
  const Scenario scenario = parse_scenario(sliding_ball(observe));
  const Outcome fast = run_first(scenario, backend, scenario.ensemble.members),
                reference = run_first(scenario, "reference", scenario.ensemble.members);
  EXPECT_TRUE(agree(scenario, fast, reference, 1e-10, 0.1));
  const auto names = observable_names(scenario);
  for (std::size_t a = 0; a < names.size(); ++a) {
    for (std::size_t b = a + 1; b < names.size(); ++b)
      EXPECT_NE(reference.observables[a], reference.observables[b]) << names[a] << " and " << names[b];
    const auto& column = fast.observables[a];
    EXPECT_TRUE(std::any_of(column.begin(), column.end(), [](double x) { return std::isfinite(x) && x != 0; }))
        << names[a] << " is nothing";
  }
}

class SharedLists : public OnExecutor {
 protected:
  void expect_agreement(const std::string& observe) const { expect_agreement_on(backend(), observe); }
};
ON_FAST_EXECUTORS(SharedLists);

TEST_P(SharedLists, EveryReducerIsKnownToTheStep) {
  std::string observe = "standard = []\n";
  for (const auto& row : scenario::reducers)
    observe += "o_" + std::string(row.name) + " = { " + std::string(row.name) +
               (row.takes_condition ? " = \"x > 0.25\" }\n" : " = \"x + 2 * y + vy\" }\n");
  expect_agreement(observe);
}

TEST_P(SharedLists, EveryWindowIsKnownToTheStep) {
  // gathered, and looked through
  std::string observe = "standard = []\n";
  int kinds = 0;
  for (const auto& function : expression::functions()) {
    if (!function.name.starts_with("window_")) continue;
    ++kinds;
    observe +=
        "gathered_" + std::string(function.name) + " = { integral = \"" + std::string(function.name) + "(x, 0.3)\" }\n";
    observe += "scanned_" + std::string(function.name) + " = { integral = \"" + std::string(function.name) +
               "(x - 0.5 * now(x), 0.3)\" }\n";
  }
  EXPECT_GE(kinds, 3);
  expect_agreement(observe);
}

TEST_P(SharedLists, EveryStandardQuantityIsKnownToTheStep) {
  // all, and every second one: what is not asked for leaves no gap
  for (const std::size_t stride : {1, 2}) {
    for (std::size_t first = 0; first < stride; ++first) {
      std::string list;
      std::size_t number = 0;
      for (const auto& row : scenario::standard_quantities)
        if (row.value < scenario::Standard::lost && number++ % stride == first)
          list += (list.empty() ? "\"" : ", \"") + std::string(row.name) + "\"";
      expect_agreement("standard = [" + list + "]\n");
    }
  }
}

// those of persistent contacts: a sledge whose rear foot is lost on the way
TEST_P(SharedLists, EveryQuantityOfPersistentContactsIsKnownToTheStep) {
  for (const std::string list :
       {R"("lost", "certificate", "certificate_paper")", R"("certificate", "lost.front", "impulse.rear", "lost.rear")",
        R"("certificate_paper", "work")", R"("lost")"}) {
    const Scenario scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y", "theta"]
mass = ["2", "2", "1.5"]
force = ["0", "-2*9.81", "-k*t"]
[model.parameters]
k = 4.0
[model.define]
rearx = "x - 0.9*cos(theta) + 0.8*sin(theta)"
reary = "y - 0.9*sin(theta) - 0.8*cos(theta)"
frontx = "x + 0.7*cos(theta) + 0.8*sin(theta)"
fronty = "y + 0.7*sin(theta) - 0.8*cos(theta)"
[[model.contact]]
name = "rear"
point = ["rearx", "reary"]
inside = "reary >= 0"
friction = 0.3
persistent = true
[[model.contact]]
name = "front"
point = ["frontx", "fronty"]
inside = "fronty >= 0"
friction = 0.2
persistent = true
[start]
x = "9*t"
y = "0.8"
theta = "0"
[time]
end = 1.6
step = 0.01
[ensemble]
members = 12
[vary]
k = { uniform = [4, 12] }
[observe]
standard = [)toml" + list + "]\n");
    const Outcome fast = run_first(scenario, backend(), 12), reference = run_first(scenario, "reference", 12);
    EXPECT_TRUE(agree(scenario, fast, reference, 1e-9, 0.1)) << list;
  }
}

}  // namespace
}  // namespace conesweep::test
