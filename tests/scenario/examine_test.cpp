#include "scenario/reading/examine.hpp"

#include <gtest/gtest.h>

#include <string>

namespace conesweep::scenario {
namespace {

// A point that starts at height y over a floor.
Examined examine_start(const std::string& y, const std::string& vary = "") {
  return examine({"test.toml",
                  "[model]\ncoordinates = [\"y\"]\nforce = [\"-1\"]\n[model.parameters]\na = "
                  "1\n[[model.contact]]\nname = \"floor\"\ninside = \"y >= 0\"\n"
                  "[start]\ny = \"" +
                      y + "\"\n[time]\nend = 1\nstep = 0.1\n[ensemble]\nmembers = 10\n" + vary});
}

TEST(Examine, AScenarioWithoutProblemsIsValid) {
  const Examined examined = examine_start("a");
  EXPECT_TRUE(examined.is_valid());
  EXPECT_TRUE(examined.problems.empty());
  EXPECT_EQ(examined.source.name, "test.toml");
  EXPECT_EQ(examined.scenario->ensemble.members, 10);
}

TEST(Examine, WhatCannotBeReadHasNoScenarioAndIsNotTried) {
  const Examined examined = examine_start("-b");
  EXPECT_FALSE(examined.is_valid());
  EXPECT_FALSE(examined.scenario.has_value());
  ASSERT_EQ(examined.problems.size(), 1u);
  EXPECT_EQ(examined.problems[0].message, "unknown name 'b' in the past of y");
}

TEST(Examine, WhatEveryMemberMeetsIsAnErrorOfAScenarioThatWasRead) {
  const Examined examined = examine_start("-a");
  EXPECT_FALSE(examined.is_valid());
  EXPECT_TRUE(examined.scenario.has_value());
  ASSERT_EQ(examined.problems.size(), 1u);
  EXPECT_EQ(examined.problems[0].message, "the start lies outside 'floor' by 1; allowed: 1e-09 (1 + |q|)");
}

TEST(Examine, WhatSomeMembersMeetIsAWarningAndValid) {
  const Examined examined = examine_start("a", "[vary]\na = { choice = [1, -1] }\n");
  EXPECT_TRUE(examined.is_valid());
  ASSERT_EQ(examined.problems.size(), 1u);
  EXPECT_EQ(examined.problems[0].severity, Severity::warning);
}

TEST(Examine, OverridesReachReadingAndTrial) {
  Overrides overrides;
  overrides.set.emplace_back("a", -1);
  const Examined good = examine_start("a");
  const Examined bad = examine(good.source, overrides);
  EXPECT_TRUE(good.is_valid());
  EXPECT_FALSE(bad.is_valid());
  EXPECT_TRUE(bad.scenario.has_value());
}

}  // namespace
}  // namespace conesweep::scenario
