// Results do not depend on how an ensemble is run: exact equality, NaN for NaN.

#include <gtest/gtest.h>

#include "executor/agreement.hpp"
#include "oracle/differences.hpp"

namespace conesweep {
namespace {

using executor::Outcome;
using oracle::Differences;
using test::parse_scenario;

// Friction, delay, start and restitution vary; some members stop early.
const std::string ensemble = R"toml(
[model]
coordinates = ["x", "y"]
force = ["4*(1 - delay(x, tau)) - window_mean(x, 0.0537)", "-9.81"]
[model.parameters]
alpha = 0.3
tau = 0.1
v0 = 1.0
e = 0.0
[[model.contact]]
inside = "y - 0.1*sin(3*x) >= 0"
friction_angle = "alpha"
restitution = "e"
[start]
x = "v0*t"
y = "0.2"
[time]
end = 0.5
step = 0.005
[observe]
reach = { max = "x" }
settled = { last_time = "abs(vx) > 0.1" }
hits = { count = "y < 0.05" }
[record]
members = 11
every = 7
)toml";
const std::string random_members = ensemble + R"toml(
[ensemble]
members = 97
seed = 7
[vary]
alpha = { uniform = [-0.02, 0.8] }
tau = { uniform = [0, 0.7] }
v0 = { normal = [1, 0.5] }
e = { uniform = [0, 1] }
)toml";

void compare_outcomes(const Outcome& got, const Outcome& wanted, const std::string& where) {
  Differences numbers("observables, stop times and trajectories " + where);
  ASSERT_EQ(got.observables.size(), wanted.observables.size());
  for (std::size_t k = 0; k < wanted.observables.size(); ++k) {
    ASSERT_EQ(got.observables[k].size(), wanted.observables[k].size());
    for (std::size_t m = 0; m < wanted.observables[k].size(); ++m)
      numbers.compare_bits(got.observables[k][m], wanted.observables[k][m],
                           "observable " + std::to_string(k) + " of member " + std::to_string(m));
  }
  for (std::size_t m = 0; m < wanted.stop_time.size(); ++m)
    numbers.compare_bits(got.stop_time[m], wanted.stop_time[m], "stop time of member " + std::to_string(m));
  EXPECT_EQ(got.status, wanted.status) << where;
  EXPECT_EQ(got.trajectories.members, wanted.trajectories.members);
  EXPECT_EQ(got.trajectories.times, wanted.trajectories.times);
  EXPECT_EQ(got.trajectories.mode, wanted.trajectories.mode);
  ASSERT_EQ(got.trajectories.columns.size(), wanted.trajectories.columns.size());
  for (std::size_t c = 0; c < wanted.trajectories.columns.size(); ++c)
    for (std::size_t k = 0; k < wanted.trajectories.columns[c].size(); ++k)
      numbers.compare_bits(got.trajectories.columns[c][k], wanted.trajectories.columns[c][k],
                           "trajectory column " + std::to_string(c) + ", cell " + std::to_string(k));
  EXPECT_TRUE(numbers.none());
}

class EnsembleInvariance : public test::OnExecutor {
 protected:
  Outcome run_with(const scenario::Scenario& scenario, int threads, std::int64_t chunk) const {
    const auto executor = test::make(scenario, backend(), threads);
    double seconds = 0;
    return ensemble::run_ensemble(scenario, *executor, chunk, {}, seconds).outcome;
  }
};
ON_EVERY_EXECUTOR(EnsembleInvariance);

TEST_P(EnsembleInvariance, TheSampleHasMembersThatStopAndMembersThatGoOn) {
  const Outcome outcome = run_with(parse_scenario(random_members), 1, 97);
  const auto ok = std::count(outcome.status.begin(), outcome.status.end(), executor::Status::ok);
  EXPECT_GT(ok, 50);
  EXPECT_LT(ok, 97);
}

TEST_P(EnsembleInvariance, ThreadsDoNotMatter) {
  const scenario::Scenario scenario = parse_scenario(random_members);
  const Outcome one = run_with(scenario, 1, 97);
  for (const int threads : {2, 3})
    compare_outcomes(run_with(scenario, threads, 97), one, "with " + std::to_string(threads) + " threads");
}

TEST_P(EnsembleInvariance, ChunksDoNotMatter) {
  const scenario::Scenario scenario = parse_scenario(random_members);
  const Outcome whole = run_with(scenario, 1, 97);
  for (const std::int64_t chunk : {1, 7, 11, 32, 96, 98, 4096})
    compare_outcomes(run_with(scenario, 2, chunk), whole, "in chunks of " + std::to_string(chunk));
}

TEST_P(EnsembleInvariance, AMemberAloneIsTheMemberInACrowd) {
  const scenario::Scenario scenario = parse_scenario(random_members);
  const Outcome whole = run_with(scenario, 1, 97);
  const auto executor = test::make(scenario, backend());
  Differences numbers("members alone");
  for (const std::int64_t m : {0, 1, 5, 10, 11, 50, 96}) {
    const Outcome alone = test::run_some(scenario, *executor, m, 1);
    const auto at = static_cast<std::size_t>(m);
    EXPECT_EQ(alone.status[0], whole.status[at]);
    for (std::size_t k = 0; k < whole.observables.size(); ++k)
      numbers.compare_bits(alone.observables[k][0], whole.observables[k][at],
                           "observable " + std::to_string(k) + " of member " + std::to_string(m));
    EXPECT_EQ(alone.trajectories.members, m < 11 ? 1 : 0);
    for (std::size_t c = 0; m < 11 && c < whole.trajectories.columns.size(); ++c)
      for (std::int64_t k = 0; k < whole.trajectories.times; ++k)
        numbers.compare_bits(alone.trajectories.columns[c][static_cast<std::size_t>(k)],
                             whole.trajectories.columns[c][static_cast<std::size_t>(m * whole.trajectories.times + k)],
                             "trajectory of member " + std::to_string(m));
  }
  EXPECT_TRUE(numbers.none());
}

TEST_P(EnsembleInvariance, FewerMembersAreTheFirstOfMore) {
  scenario::Overrides few;
  few.members = 20;
  const Outcome whole = run_with(parse_scenario(random_members), 1, 97),
                part = run_with(parse_scenario(random_members, few), 1, 97);
  Differences numbers("the first 20 of 97");
  for (std::size_t k = 0; k < whole.observables.size(); ++k)
    for (std::size_t m = 0; m < 20; ++m)
      numbers.compare_bits(part.observables[k][m], whole.observables[k][m],
                           "observable " + std::to_string(k) + " of member " + std::to_string(m));
  EXPECT_TRUE(numbers.none());
}

TEST_P(EnsembleInvariance, AGridMemberIsTheScenarioWithItsParametersSet) {
  const std::string text = ensemble + R"toml(
[ensemble]
sampler = "grid"
levels = { alpha = 3, tau = 4 }
[vary]
alpha = { uniform = [0.1, 0.6] }
tau = { uniform = [0, 0.7] }
)toml";
  const io::Results grid = test::run_scenario(parse_scenario(text), backend());
  ASSERT_EQ(grid.outcome.status.size(), 12u);
  Differences numbers("grid members against --set");
  for (std::size_t m = 0; m < 12; ++m) {
    // on the varied parameters, which fixes them; and in a scenario that varies nothing
    scenario::Overrides set;
    set.set = {{"alpha", grid.parameters[0][m]}, {"tau", grid.parameters[1][m]}};
    for (const std::string& base : {text, ensemble}) {
      const io::Results alone = test::run_scenario(parse_scenario(base, set), backend());
      ASSERT_EQ(alone.outcome.status.size(), 1u);
      EXPECT_EQ(alone.outcome.status[0], grid.outcome.status[m]);
      for (std::size_t k = 0; k < grid.outcome.observables.size(); ++k)
        numbers.compare_bits(alone.outcome.observables[k][0], grid.outcome.observables[k][m],
                             "observable " + std::to_string(k) + " of member " + std::to_string(m));
    }
  }
  EXPECT_TRUE(numbers.none());
}

}  // namespace
}  // namespace conesweep
