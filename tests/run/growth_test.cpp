// How many members an ensemble gets, and when it has enough.
#include "run/growth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/sample_run.hpp"
#include "support/error.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::runs {
namespace {

using io::message_of;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t plenty = 1'000'000'000;

scenario::Scenario make_scenario(const std::string& sampler) {
  return test::parse_scenario(
      "[model]\ncoordinates = [\"x\"]\nforce = [\"-k*x\"]\n[model.parameters]\nk = 1\n[start]\nx = \"1\"\n[time]\nend "
      "= 1\nstep = 0.1\n"
      "[ensemble]\nmembers = 100\nsampler = \"" +
      sampler + "\"\n[vary]\nk = { uniform = [1, 2] }\n[observe]\nreach = { max = \"x\" }\nstandard = []\n");
}

TEST(Goals, AreReadAsPeopleWriteThem) {
  const auto scenario = make_scenario("random");
  const auto goals = parse_goals("reach:1%,final.x:0.02", scenario);
  ASSERT_EQ(goals.size(), 2u);
  EXPECT_EQ(goals[0].observable, 0u);
  EXPECT_DOUBLE_EQ(goals[0].share, 0.01);
  EXPECT_EQ(goals[1].name, "final.x");
  EXPECT_EQ(goals[1].observable, 1u);
  EXPECT_EQ(make_goal("final.x", 0.02, scenario).observable, goals[1].observable);
  for (const char* text : {"reach", "reach:", "reach:x", "reach:1%%", "reach:1 %"})
    EXPECT_THAT(message_of<InputError>([&] { parse_goals(text, scenario); }), HasSubstr("should read name:share"))
        << text;
  for (const char* text : {"reach:0", "reach:100%", "reach:-1%", "reach:nan"})
    EXPECT_THAT(message_of<InputError>([&] { parse_goals(text, scenario); }), HasSubstr("must lie between 0 and 1"))
        << text;
  EXPECT_THAT(message_of<InputError>([&] { make_goal("rech", 0.1, scenario); }), HasSubstr("did you mean 'reach'?"));
}

TEST(Growth, IsBoundedByWhatTheSamplerCan) {
  EXPECT_EQ(bound_growth(make_scenario("random"), 100), 100);
  EXPECT_THAT(message_of<InputError>([] { bound_growth(make_scenario("random"), 99); }),
              HasSubstr("at least the 100 members"));
  EXPECT_THAT(message_of<InputError>([] { bound_growth(make_scenario("latin"), 1000); }),
              HasSubstr("depend on the number of members"));
}

// errors fall like n^(-1/2), and 5 % are in reserve
TEST(Growth, FollowsTheError) {
  EXPECT_EQ(grow(1000, 1.5, 1, plenty), 2362);
  EXPECT_EQ(grow(1000, 1.5, 4096, plenty), 4096);
  EXPECT_EQ(grow(1000, 1.001, 1, plenty), 1100);  // at least a tenth
  EXPECT_EQ(grow(1000, 1e6, 1, plenty), 4000);    // at most three times more
  EXPECT_EQ(grow(1000, infinity, 1, plenty), 4000);
  EXPECT_EQ(grow(1000, infinity, 1, 2000), 2000);
}

TEST(Growth, KnowsTheWorstGoal) {
  Growth growth;
  growth.goals = {{"a", 0, 0.1}, {"b", 1, 0.01}};
  growth.errors = {0.15, 0.005};
  EXPECT_DOUBLE_EQ(growth.excess(), 1.5);
  growth.errors = {0.05, nan};
  EXPECT_EQ(growth.excess(), infinity);
}

}  // namespace
}  // namespace conesweep::runs
