// The cuda executor against the cpu executor: all bits of observables, statuses, stop times and trajectories.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "cuda/device.hpp"
#include "executor/drawn_scenario.hpp"
#include "executor/random_system.hpp"

namespace conesweep::test {
namespace {

using executor::Outcome;
using executor::Precision;
using executor::Status;
using scenario::Scenario;

bool everything() { return std::getenv("CONESWEEP_ALL") != nullptr; }

Outcome run_members(const Scenario& scenario, const std::string& backend, std::int64_t first, std::int64_t count,
                    Precision precision = Precision::double_) {
  std::string reason;
  executor::Options options;
  options.threads = 1;
  options.precision = precision;
  return run_some(scenario, *executor::make_model(backend, scenario, options, reason), first, count);
}

::testing::AssertionResult same_on_both(const Scenario& scenario, std::int64_t first, std::int64_t count,
                                        Precision precision = Precision::double_) {
  return same_bits(scenario, run_members(scenario, "cpu", first, count, precision),
                   run_members(scenario, "cuda", first, count, precision));
}

// ---- samples ----

class Samples : public OnDevice, public ::testing::WithParamInterface<std::string> {
 protected:
  static Scenario read(const std::string& name) {
    const scenario::Source source = scenario::load_source(std::filesystem::path(CONESWEEP_SAMPLES) / (name + ".toml"));
    scenario::Faults problems;
    auto scenario = scenario::read_scenario(source, {}, problems);
    if (!scenario) throw std::runtime_error(name + " cannot be read");
    return std::move(*scenario);
  }
};

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(CONESWEEP_SAMPLES))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(Samples, HaveTheSameBits) {
  const Scenario scenario = read(GetParam());
  EXPECT_TRUE(same_on_both(scenario, 0, scenario.ensemble.members));
}

INSTANTIATE_TEST_SUITE_P(All, Samples, ::testing::ValuesIn(sample_names()),
                         [](const auto& sample) { return sample.param; });

class SinglePrecisionSamples : public Samples {};

TEST_P(SinglePrecisionSamples, HaveTheSameBits) {
  const Scenario scenario = read(GetParam());
  EXPECT_TRUE(same_on_both(scenario, 0, std::min<std::int64_t>(scenario.ensemble.members, 500), Precision::single));
}

// A model more each: by default of every third sample.
std::vector<std::string> samples_in_single_precision() {
  const std::vector<std::string> all = sample_names();
  std::vector<std::string> some;
  for (std::size_t k = 0; k < all.size(); k += everything() ? 1 : 3) some.push_back(all[k]);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Some, SinglePrecisionSamples, ::testing::ValuesIn(samples_in_single_precision()),
                         [](const auto& sample) { return sample.param; });

// Run with every access looked at, in memory that holds nothing useful (cuda.Checked).
class SamplesChecked : public Samples {};

TEST_P(SamplesChecked, HaveTheSameBits) { EXPECT_TRUE(same_on_both(read(GetParam()), 0, 33)); }

INSTANTIATE_TEST_SUITE_P(Some, SamplesChecked,
                         ::testing::ValuesIn(everything()
                                                 ? sample_names()
                                                 : std::vector<std::string>{"four_legged_table", "pendulum_friction",
                                                                            "persistent"}),
                         [](const auto& sample) { return sample.param; });

// ---- sizes ----

// A delay of its own for each member; some stop at the start, some on the way, and the first ones are recorded.
const char* const crowd = R"toml(
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau)) + if(s > 0.9, exp(40 * x), 0)", "-9.81 + 0.1 * window_max(x^2, 0.03)"]
[model.parameters]
k = 4.0
tau = 0.02
mu = 0.3
s = 0.0
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
restitution = "0.3"
[start]
x = "1 + t"
y = "0.01 - if(s < 0.05, 0.05, 0)"
[time]
end = 0.12
step = 2e-3
[ensemble]
members = 10007
seed = 3
[vary]
tau = { uniform = [-0.002, 0.04] }
mu = { uniform = [0.1, 0.6] }
s = { uniform = [0.0, 1.0] }
[observe]
reach = { max = "x" }
late = { last_time = "vx > 1" }
[record]
members = 100
every = 7
)toml";

class Crowd : public OnDevice {
 protected:
  static Scenario make_scenario(std::int64_t recorded = 100, std::int64_t every = 7) {
    std::string text = crowd;
    const auto replace = [&](const std::string& from, const std::string& to) {
      const std::size_t at = text.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      text.replace(at, from.size(), to);
    };
    replace("members = 100\n", "members = " + std::to_string(recorded) + "\n");
    replace("every = 7", "every = " + std::to_string(every));
    return parse_scenario(text);
  }
};

TEST_F(Crowd, HasTheSameBitsInEverySize) {
  const Scenario scenario = make_scenario();
  for (const std::int64_t count : {1, 31, 32, 33, 127, 129, 10007})
    EXPECT_TRUE(same_on_both(scenario, 0, count)) << count << " members";
}

TEST_F(Crowd, HoldsMembersThatStopForEveryReason) {
  const Outcome outcome = run_members(make_scenario(), "cuda", 0, 1000);
  for (const Status status : {Status::ok, Status::non_finite, Status::bad_delay, Status::start_outside})
    EXPECT_GT(std::count(outcome.status.begin(), outcome.status.end(), status), 10) << to_name(status);
}

TEST_F(Crowd, HasTheSameBitsFromAnyMemberOn) {
  const Scenario scenario = make_scenario();
  // chunks that begin before, at and after the last recorded member, and its trajectories alone
  for (const std::int64_t first : {1, 37, 99, 100, 4096})
    EXPECT_TRUE(same_on_both(scenario, first, 333)) << "from member " << first << " on";
  for (const std::int64_t recorded : {0, 1, 10007})
    EXPECT_TRUE(same_on_both(make_scenario(recorded, 60), 0, 500)) << recorded << " recorded";
  EXPECT_TRUE(same_on_both(make_scenario(64, 61), 0, 100)) << "only node 0 recorded";
}

TEST_F(Crowd, IsTheSameWhereverLaunchesAreCut) {
  const Scenario scenario = make_scenario(10007, 1);
  const Outcome expected = run_members(scenario, "cpu", 0, 400);
  for (const long steps : {1, 7, 20, 59, 60, 1000}) {
    const LaunchSteps forced(steps);
    EXPECT_TRUE(same_bits(scenario, expected, run_members(scenario, "cuda", 0, 400))) << steps << " steps a launch";
  }
}

TEST_F(Crowd, IsTheSameInTheSameExecutorAgain) {
  // buffers are kept, grow and shrink between chunks
  const Scenario scenario = make_scenario();
  std::string reason;
  const auto cuda = executor::make_model("cuda", scenario, {}, reason);
  EXPECT_TRUE(cuda->traits().on_device);
  for (const std::int64_t count : {100, 1000, 10, 1000})
    EXPECT_TRUE(same_bits(scenario, run_members(scenario, "cpu", 7, count), run_some(scenario, *cuda, 7, count)))
        << count;
}

TEST_F(Crowd, HearsThatItShouldStop) {
  const Scenario scenario = make_scenario();
  std::string reason;
  const auto cuda = executor::make_model("cuda", scenario, {}, reason);
  const std::atomic<bool> stop = true;
  executor::Watch watch;
  watch.stop = &stop;
  EXPECT_THROW(cuda->run(scenario, {{scenario, 0, 1000}, sampling::draw(scenario, 0, 1000)}, watch), Interrupted);
  EXPECT_TRUE(same_bits(scenario, run_members(scenario, "cpu", 0, 100), run_some(scenario, *cuda, 0, 100)))
      << "after an interruption";
}

TEST_F(Crowd, CountsEveryMemberOnce) {
  const Scenario scenario = make_scenario();
  std::string reason;
  const auto cuda = executor::make_model("cuda", scenario, {}, reason);
  std::atomic<std::int64_t> finished = 0;
  executor::Watch watch;
  watch.finished = [&](std::int64_t members) { finished += members; };
  cuda->run(scenario, {{scenario, 0, 1234}, sampling::draw(scenario, 0, 1234)}, watch);
  EXPECT_EQ(finished, 1234);
}

TEST_F(Crowd, MayLookBackAtNothingInTheRing) {
  // a delayed time and a window of the present are lags without a column
  std::string text = crowd;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("delay(x, tau)", "delay(t, tau)");
  replace("window_max(x^2, 0.03)", "window_max(now(x)^2, tau)");
  EXPECT_TRUE(same_on_both(parse_scenario(text), 0, 500));
}

TEST_F(Crowd, GoesToTheDeviceByItselfWhenItIsLarge) {
  scenario::Overrides overrides;
  std::string reason;
  overrides.members = 10'000'000;  // times 60 steps
  EXPECT_EQ(executor::make_model("auto", parse_scenario(crowd, overrides), {}, reason)->name(), "cuda");
  EXPECT_EQ(reason, "a GPU is there");
  overrides.members = 1000;
  EXPECT_EQ(executor::make_model("auto", parse_scenario(crowd, overrides), {}, reason)->name(), "cpu");
  EXPECT_EQ(reason, "too little work for the GPU");
}

// ---- random scenarios ----

class RandomScenarios : public OnDevice, public ::testing::WithParamInterface<int> {};

TEST_P(RandomScenarios, HaveTheSameBits) {
  constexpr int members = 131;
  const Drawn drawn(GetParam(), members);  // the same as in tests/executor
  SCOPED_TRACE(drawn.text);
  const LaunchSteps forced(GetParam() % 3 == 0 ? 17 : 0);
  EXPECT_TRUE(same_on_both(drawn.scenario, 0, members));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomScenarios, ::testing::Range(0, everything() ? 500 : 6));

// ---- random systems of several laws ----

class RandomSystems : public OnDevice, public ::testing::WithParamInterface<int> {};

// The same systems as in tests/executor.
::testing::AssertionResult system_has_same_bits(int seed) {
  constexpr int members = 33;
  const std::string text = testing::RandomSystem(static_cast<std::uint64_t>(seed), members).text();
  const LaunchSteps forced(seed % 3 == 0 ? 7 : 0);
  return same_on_both(parse_scenario(text), 0, members) << text;
}

TEST_P(RandomSystems, HaveTheSameBits) { EXPECT_TRUE(system_has_same_bits(GetParam())); }

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystems, ::testing::Range(0, everything() ? 30 : 6));

// As SamplesChecked: a particle between walls and systems of several laws, all of them in the long batteries.
class RandomSystemsChecked : public RandomSystems {};

TEST_P(RandomSystemsChecked, HaveTheSameBits) { EXPECT_TRUE(system_has_same_bits(GetParam())); }

std::vector<int> checked_systems() {
  std::vector<int> seeds = {3, 4, 10, 57};  // 57: located, and several walls touch at once
  if (everything()) seeds.resize(300), std::iota(seeds.begin(), seeds.end(), 0);
  return seeds;
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystemsChecked, ::testing::ValuesIn(checked_systems()));

}  // namespace
}  // namespace conesweep::test
