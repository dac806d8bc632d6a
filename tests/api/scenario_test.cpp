// conesweep::Scenario: read and parsed, what it says, its problems as data, and its run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <conesweep/conesweep.hpp>

#include "io/sample_run.hpp"

namespace conesweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string slider = CONESWEEP_SAMPLES "/slider.toml";

std::vector<Problem> problems_of(const std::string& text) {
  try {
    Scenario::parse(text, "wrong.toml");
  } catch (const ScenarioError& error) {
    return error.problems();
  }
  return {};
}

TEST(Scenario, TellsWhatTheFileSays) {
  const Scenario scenario = Scenario::read(slider);
  EXPECT_EQ(scenario.name(), slider);
  EXPECT_EQ(scenario.text(), io::read_file(slider));
  EXPECT_THAT(scenario.coordinates(), ElementsAre("x", "y"));
  EXPECT_EQ(scenario.parameters().at("g"), 9.81);
  EXPECT_THAT(scenario.varied(), ElementsAre("alpha", "v0", "tau"));
  EXPECT_EQ(scenario.observables().front(), "reach");
  EXPECT_EQ(scenario.steps(), 4000);
  EXPECT_EQ(scenario.end() / scenario.step(), 4000);
}

TEST(Scenario, ReadsBackWhatItResolves) {
  const Scenario scenario = Scenario::read(slider);
  const Scenario again = Scenario::parse(scenario.resolved());
  EXPECT_EQ(again.resolved(), scenario.resolved());
  EXPECT_EQ(again.draw(3, 5), scenario.draw(3, 5));
}

TEST(Scenario, HasAllProblemsAsData) {
  std::string text = io::read_file(slider);
  const auto replace = [&](const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("\"alpha\"", "\"alfa\"");
  replace("step = ", "stepp = ");
  const auto problems = problems_of(text);
  ASSERT_GE(problems.size(), 2u);
  bool name_found = false, key_found = false;
  for (const Problem& problem : problems) {
    EXPECT_EQ(problem.file, "wrong.toml");
    EXPECT_EQ(problem.severity, Problem::Severity::error);
    if (problem.hint == "did you mean 'alpha'?") {
      name_found = true;
      EXPECT_THAT(problem.text, HasSubstr("unknown name 'alfa'"));
      EXPECT_EQ(problem.excerpt.substr(static_cast<std::size_t>(problem.column - 1),
                                       static_cast<std::size_t>(problem.length)),
                "alfa");
    }
    if (problem.hint == "did you mean 'step'?") key_found = true;
  }
  EXPECT_TRUE(name_found && key_found);
}

TEST(Scenario, DrawsTheMembersOfItsRun) {
  setenv("CONESWEEP_CACHE", CONESWEEP_TEST_CACHE, 1);
  const Scenario scenario = Scenario::read(slider);
  RunOptions options;
  options.members = 40;
  options.backend = "cpu";
  options.step = 0.02;
  const Ensemble of_scenario = run(scenario, options), of_file = run(slider, options);
  EXPECT_EQ(of_scenario.observables.at("reach"), of_file.observables.at("reach"));
  const auto drawn = scenario.draw(0, 40);
  ASSERT_EQ(drawn.size(), 120u);
  EXPECT_EQ(std::vector<double>(drawn.begin(), drawn.begin() + 40), of_scenario.parameters.at("alpha"));
  EXPECT_THROW(scenario.draw(scenario.members(), 1), ScenarioError);
  EXPECT_THROW(scenario.draw(-1, 1), ScenarioError);
}

TEST(Scenario, SaysWhichFileIsNotThere) {
  EXPECT_THAT(io::message_of<ScenarioError>([] { Scenario::read("nowhere.toml"); }), HasSubstr("nowhere.toml"));
  EXPECT_THAT(problems_of(io::read_file(slider)), IsEmpty());
}

}  // namespace
}  // namespace conesweep
