// What the command line overrides.
#include <gtest/gtest.h>

#include <limits>

#include "base_scenario.hpp"
#include "scenario/reading/reader.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

Overrides set(std::vector<std::pair<std::string, double>> values) {
  Overrides overrides;
  overrides.set = std::move(values);
  return overrides;
}

const std::string varied =
    base + "[ensemble]\nmembers = 50\nseed = 3\n[vary]\nmu = { uniform = [0.1, 0.2] }\nk = { uniform = [1, 2] }\n";

TEST(ScenarioOverrides, ReplaceWhatTheFileSays) {
  Overrides overrides;
  overrides.members = 7;
  overrides.seed = 99;
  overrides.step = 0.1;
  overrides.end = 2;
  const auto s = parse_scenario(varied, overrides);
  EXPECT_EQ(s.ensemble.members, 7);
  EXPECT_EQ(s.ensemble.seed, 99U);
  EXPECT_EQ(s.step, 0.1);
  EXPECT_EQ(s.end, 2);
  EXPECT_EQ(s.steps, 20);
}

TEST(ScenarioOverrides, SetChangesADefault) {
  const auto s = parse_scenario(varied, set({{"g", 1.5}, {"tau", 0.1}, {"g", 2.5}}));
  EXPECT_EQ(s.defaults, (std::vector<double>{2.5, 4, 0.1, 0.3}));
  EXPECT_EQ(s.vary.size(), 2U);
}

TEST(ScenarioOverrides, SetFixesAVariedParameter) {
  const auto s = parse_scenario(varied, set({{"mu", 0.7}}));
  ASSERT_EQ(s.vary.size(), 1U);
  EXPECT_EQ(s.names.parameters[static_cast<std::size_t>(s.vary[0].parameter)], "k");
  EXPECT_EQ(s.defaults[3], 0.7);
}

TEST(ScenarioOverrides, SetTakesAParameterOutOfItsCorrelations) {
  const std::string text = three + "[correlation]\nmu = { k = 0.5, tau = -0.25 }\nk = { tau = 0.1 }\n";
  const auto s = parse_scenario(text, set({{"k", 1.5}}));
  ASSERT_EQ(s.correlation.size(), 1U);
  EXPECT_EQ(s.correlation[0].value, -0.25);
  EXPECT_TRUE(parse_scenario(text, set({{"mu", 0.1}, {"k", 1}})).correlation.empty());
  // correlations that contradict each other no longer do
  const std::string contrary = three + "[correlation]\nmu = { k = 0.9, tau = 0.9 }\n";
  EXPECT_NE(said(contrary), "");
  EXPECT_EQ(said(contrary, set({{"tau", 0.2}})), "");
  // a parameter that never varied is still wrong
  EXPECT_EQ(said(three + "[correlation]\nmu = { g = 0.5 }\n", set({{"g", 1}})),
            "\ntest.toml:27:8: [correlation] names 'g', which does not vary; give it a distribution in [vary] or leave "
            "it out");
}

TEST(ScenarioOverrides, SetTakesAnAxisOutOfAGrid) {
  const std::string grid = base +
                           "[ensemble]\nsampler = \"grid\"\nlevels = { mu = 5, k = 7 }\nmembers = 35\n[vary]\nmu = { "
                           "uniform = [0.1, 0.2] }\nk = { uniform = [1, 2] }\n";
  EXPECT_EQ(parse_scenario(grid).ensemble.members, 35);
  EXPECT_EQ(parse_scenario(grid, set({{"mu", 0.1}})).ensemble.members, 7);
  EXPECT_EQ(parse_scenario(grid, set({{"mu", 0.1}, {"k", 1}})).ensemble.members, 1);
  Overrides overrides = set({{"mu", 0.1}});
  overrides.members = 35;
  EXPECT_EQ(
      said(grid, overrides),
      "\nmembers: the grid has 7 members (the product of its levels), not 35; leave members out or change levels");
}

TEST(ScenarioOverrides, AreCheckedLikeTheFile) {
  EXPECT_EQ(said(varied, set({{"nu", 1}})), "\nset: unknown parameter 'nu'; did you mean 'mu'?");
  EXPECT_EQ(said(varied, set({{"mu", -1}})), "\ntest.toml:12:13: friction is -1; allowed: friction >= 0");
  EXPECT_EQ(said(varied, set({{"mu", std::numeric_limits<double>::infinity()}})),
            "\nset: parameter 'mu' must be a finite number");
  Overrides overrides;
  overrides.members = 0;
  EXPECT_EQ(said(varied, overrides), "\nmembers: members must be a whole number between 1 and 1099511627776");
  overrides = {};
  overrides.step = 0.3;
  EXPECT_EQ(said(varied, overrides),
            "\nstep: end = 1 is not a whole number of steps of 0.3; nearest: end = 0.9 or 1.2");
  overrides = {};
  overrides.end = -1;
  EXPECT_EQ(said(varied, overrides), "\nend: end must be greater than 0, got -1");
}

TEST(ScenarioOverrides, ReplaceAValueThatIsWrong) {
  Overrides overrides;
  overrides.step = 0.1;
  EXPECT_EQ(said(with_time("1", "-3"), overrides), "");
}

}  // namespace
}  // namespace conesweep::test
