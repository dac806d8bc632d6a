// The kernels written by hand that ours are measured against (bench/particle_by_hand.cu, compiled by nvcc): do they
// compute the same?
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cuda/device.hpp"
#include "executor/agreement.hpp"
#include "particle_by_hand.hpp"

namespace conesweep::test {
namespace {

class ByHand : public OnDevice, public ::testing::WithParamInterface<const char*> {};

// `conesweep bench` writes its problem; all bits of the final states of the cpu executor are those of the kernel
TEST_P(ByHand, HasTheBitsOfTheCpuExecutor) {
  const std::string name = GetParam(), folder = ::testing::TempDir() + "bench_problems_" + name;
  ASSERT_EQ(std::system(("'" CONESWEEP_PROGRAM "' bench --only " + name + " --out '" + folder + "'").c_str()), 0);
  scenario::Faults problems;
  const auto scenario = scenario::read_scenario(scenario::load_source(folder + "/" + name + ".toml"), {}, problems);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(scenario.has_value());
  const std::int64_t members = 129;
  const executor::Outcome expected = run_first(*scenario, "cpu", members);

  // parameters by name: those that vary, then those that do not
  const std::vector<std::vector<double>> drawn = sampling::draw(*scenario, 0, members);
  const auto column = [&](const std::string& parameter) {
    const auto& names = scenario->names.parameters;
    const auto number = std::find(names.begin(), names.end(), parameter) - names.begin();
    const auto varying = scenario::varying_parameters(*scenario);
    const auto place = std::find(varying.begin(), varying.end(), number);
    if (place == varying.end())
      return std::vector<double>(members, scenario->defaults[static_cast<std::size_t>(number)]);
    return drawn[static_cast<std::size_t>(place - varying.begin())];
  };
  const by_hand::Particles particles = {column("mu"), column("v0"), column("tau"), column("k").front(),
                                        column("g").front()};
  const auto delay = name == "fixed" ? by_hand::Delay::fixed : by_hand::Delay::member;
  const std::vector<double> found =
      by_hand::run_particles(delay, particles, static_cast<long>(scenario->steps), scenario->h());

  std::int64_t touched = 0;
  ASSERT_EQ(expected.observables.size(), 6u) << "the final state alone";
  for (std::size_t c = 0; c < 6; ++c)
    for (std::size_t m = 0; m < members; ++m) {
      EXPECT_EQ(found[c * members + m], expected.observables[c][m]) << "member " << m << ", number " << c;
      touched += c == 5 && expected.observables[c][m] == 0 ? 1 : 0;
    }
  EXPECT_GT(touched, members / 2) << "most members have come to the floor";
}

INSTANTIATE_TEST_SUITE_P(Faults, ByHand, ::testing::Values("fixed", "member"),
                         [](const auto& problem) { return std::string(problem.param); });

}  // namespace
}  // namespace conesweep::test
