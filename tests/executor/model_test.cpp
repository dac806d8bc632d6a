// A model is made once of a problem and called with setups and columns: what a call brings is no part of it, and calls
// do not know of each other.
#include <gtest/gtest.h>

#include <thread>

#include "executor/agreement.hpp"

namespace conesweep::test {
namespace {

using executor::Outcome;
using scenario::Scenario;

// a delay that differs between members, another that does not, a floor with friction, and members that end early: all
// that may depend on a setup
Scenario make_scenario() {
  return parse_scenario(R"toml([model]
coordinates = ["x", "y"]
force = ["k * (goal - delay(x, tau)) - 0.1 * delay(vx, lag)", "-9.81"]
[model.parameters]
k = 4.0
goal = 1.0
tau = 0.2
lag = 0.05
mu = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
[start]
x = "t"
y = "0.01"
[time]
end = 1.0
step = 0.01
stop = "x > 1.1"
[ensemble]
members = 40
seed = 3
[vary]
tau = { uniform = [0.05, 0.4] }
mu = { uniform = [0.1, 0.6] }
[observe]
reach = { max = "x", after = "end/2" }
[record]
members = 3
every = 5
)toml");
}

// the same problem with other values, another end, another step, other trajectories
std::vector<Scenario> make_others(const Scenario& scenario) {
  std::vector<Scenario> others(5, scenario);
  others[1].defaults[1] = 0.8, others[1].defaults[3] = 0.11;
  others[2].end = 1.7, others[2].steps = 170;
  others[3].steps = 333;
  others[4].record = {40, 1};
  return others;
}

class Models : public OnExecutor {};
ON_EVERY_EXECUTOR(Models);

TEST_P(Models, TakeAnySetup) {
  const Scenario scenario = make_scenario();
  const auto model = make(scenario, backend());
  for (const Scenario& other : make_others(scenario)) {
    const auto own = make(other, backend());
    EXPECT_TRUE(same_bits(other, run_some(other, *model, 0, 40), run_some(other, *own, 0, 40)));
  }
  // and the first one again
  EXPECT_TRUE(same_bits(scenario, run_some(scenario, *model, 0, 40), run_first(scenario, backend(), 40)));
}

TEST_P(Models, AreCalledBySeveralThreadsAtOnce) {
  const std::vector<Scenario> scenarios = make_others(make_scenario());
  const auto model = make(scenarios[0], backend(), 2);
  std::vector<Outcome> alone, together(scenarios.size());
  for (const Scenario& scenario : scenarios) alone.push_back(run_some(scenario, *model, 0, 40));
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < scenarios.size(); ++k)
    threads.emplace_back([&, k] {
      for (int again = 0; again < 3; ++again) together[k] = run_some(scenarios[k], *model, 0, 40);
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t k = 0; k < scenarios.size(); ++k)
    EXPECT_TRUE(same_bits(scenarios[k], alone[k], together[k])) << "setup " << k;
}

TEST_P(Models, OutliveWhatTheyWereMadeOf) {
  const Scenario scenario = make_scenario();
  std::unique_ptr<executor::Model> model;
  {
    auto made_of = std::make_unique<Scenario>(scenario);
    model = make(*made_of, backend());
    made_of->contacts.clear(), made_of->defaults.clear(), made_of->vary.clear();
  }
  EXPECT_TRUE(same_bits(scenario, run_some(scenario, *model, 0, 40), run_first(scenario, backend(), 40)));
}

}  // namespace
}  // namespace conesweep::test
