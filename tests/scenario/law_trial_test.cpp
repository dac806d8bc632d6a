// What the trial of the first members says of laws is what becomes of these members.
#include <gtest/gtest.h>

#include <algorithm>

#include "law_scenario.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using scenario::Status;

// One warning, of all members of an ensemble that varies mu; the reference executor stops as many.
void expect_stopped(Status status, const std::string& mu, const Replacements& replacements) {
  Replacements all = replacements;
  all.emplace_back("[observe]", "[ensemble]\nmembers = 100\n[vary]\nmu = { " + mu + " }\n[observe]");
  const std::string text = wheel_with(all);
  const auto problems = find_problems(text);
  ASSERT_EQ(problems.size(), 1U) << replacements.front().second;
  const std::string& message = problems.front().message;
  EXPECT_EQ(problems.front().severity, scenario::Severity::warning);
  EXPECT_TRUE(message.ends_with("such members stop with status " + std::string(to_name(status)))) << message;
  const auto results = run_scenario(parse_scenario(text));
  const auto stopped = std::count(results.outcome.status.begin(), results.outcome.status.end(), status);
  EXPECT_GT(stopped, 0);
  EXPECT_LT(stopped, 100);
  EXPECT_TRUE(message.starts_with(std::to_string(stopped) + " of the first 100 members: "))
      << message << "; stopped: " << stopped;
}

TEST(LawTrial, CountsTheMembersThatStop) {
  const std::string uniform = "uniform = [0, 1]";
  expect_stopped(Status::bad_mass, uniform, {{"mass = [\"m\", \"m\", \"J\"]", "mass = [\"m\", \"m\", \"J - mu\"]"}});
  expect_stopped(Status::bad_mass, uniform,
                 {{"mass = [\"m\", \"m\", \"J\"]", "mass = [[2, 0, 0], [0, 1, \"2*mu\"], [0, \"mu*2\", 1]]"}});
  expect_stopped(Status::bad_limit, uniform, {{"limit = \"mu*abs(normal(rail))\"", "limit = \"mu - 0.5\""}});
  expect_stopped(Status::bad_limit, uniform, {{"limit = \"mu*abs(normal(rail))\"", "limit = [\"0.3 - mu\", 1]"}});
  expect_stopped(Status::bad_start, "choice = [0.1, 0.5]", {{"holds = \"y = R\"", "holds = \"y = mu\""}});
  expect_stopped(Status::bad_start, "choice = [0, 1]", {{"x = \"0\"", "x = \"0\"\nvx = \"mu\""}});
  expect_stopped(Status::bad_start, "choice = [0, 1]", {{"holds = \"y = R\"", "holds = \"y = R + mu*sin(t)\""}});
  expect_stopped(
      Status::bad_start, uniform,
      {{"drive = [\"sin(t)\"]\nlimit = \"mu*abs(normal(rail))\"", "drive = [\"mu - 0.5\"]\nlimit = [0, \"inf\"]"}});
  expect_stopped(Status::bad_percussions, uniform, {{"time = \"1 - 2^(-j)\"", "time = \"mu*j/10\""}});
  expect_stopped(Status::bad_percussions, uniform, {{"size = \"2^(-j)\"", "size = \"mu - 0.01*j\""}});
  expect_stopped(Status::bad_percussions, "choice = [0.5, 0.51]", {{"count = \"count\" }", "count = \"20*mu\" }"}});
  expect_stopped(Status::bad_percussions, "choice = [0, 0.5]", {{"count = \"count\" }", "count = \"20*mu - 1\" }"}});
}

// two by two they are independent, but not all three: it shows at the start
TEST(LawTrial, FindsConstraintsThatAreDependentTogether) {
  const auto bar = [](const std::string& third) {
    return "[model]\ncoordinates = ['x', 'y', 'z']\nforce = [0, 0, 0]\n[[model.bilateral]]\nname = 'a'\nholds = 'x = "
           "y'\n[[model.bilateral]]\nname = "
           "'b'\nholds = 'y = z'\n[[model.bilateral]]\nname = 'c'\n" +
           third + "\n[start]\nx = 0\ny = 0\nz = 0\n[time]\nend = 1\nstep = 0.1\n";
  };
  const std::string same = bar("holds = 'x = z'");
  const auto problems = find_problems(same);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems.front().severity, scenario::Severity::error);
  EXPECT_EQ(problems.front().message,
            "at the start 'c' binds nothing that the bilateral constraints before it do not bind: they say the same, "
            "or contradict each other; leave one out");
  EXPECT_EQ(run_scenario(parse_scenario(same)).outcome.status.front(), Status::dependent_constraints);
  EXPECT_TRUE(find_problems(bar("holds = 'x = -z'")).empty());
  ASSERT_EQ(find_problems(bar("holds = 'x^2 + z^2 = 0'")).size(), 1U);  // its gradient vanishes there
}

TEST(LawTrial, TakesTheDistanceInThePlaneOfThePoint) {
  // the rim is 1e-6 too low, in a wall that is written a thousand times steeper
  const auto problems = find_problems(wheel_with({{"inside = \"rimy >= 0\"", "inside = \"1000*rimy >= 1e-3\""}}));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems.front().message,
            "the start lies outside 'rim' by 1e-06; allowed: 1e-09 (1 + |q|); [start] settle = true puts it there");
}

}  // namespace
}  // namespace conesweep::test
