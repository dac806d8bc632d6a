// Judging a scenario: what is certain is an error, what is possible a warning; and files that cannot be read.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base_scenario.hpp"
#include "scenario/reading/reader.hpp"
#include "support/error.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

std::string with_wall(const std::string& contact, const std::string& start, const std::string& vary) {
  return "[model]\ncoordinates = [\"x\"]\nforce = [\"-1\"]\n[model.parameters]\na = 0.5\n[[model.contact]]\n" +
         contact + "\n[start]\n" + start + "\n[time]\nend = 1\nstep = 0.1\n[ensemble]\nmembers = 1000\n" +
         (vary.empty() ? "" : "[vary]\na = { " + vary + " }\n");
}

TEST(ScenarioCheck, TellsCertainFromPossible) {
  const std::string law = "inside = \"x >= 0\"\nfriction_angle = \"a\"";
  // certain: no value of the distribution is allowed
  EXPECT_EQ(
      said(with_wall(law, "x = 0", "uniform = [1.6, 2]")),
      "\ntest.toml:8:19: friction_angle lies between 1.6 and 2; allowed: 0 <= friction_angle < pi/2 (in radians)");
  EXPECT_EQ(
      said(with_wall(law, "x = 0", "choice = [-1, -2]")),
      "\ntest.toml:8:19: friction_angle lies between -2 and -1; allowed: 0 <= friction_angle < pi/2 (in radians)");
  // possible: some are
  const auto problems = find_problems(with_wall(law, "x = 0", "choice = [0.1, 2]"));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].severity, scenario::Severity::warning);
  // unbounded, and all is well in the first thousand
  EXPECT_EQ(said(with_wall(law, "x = 0", "normal = [0.8, 0.01]")), "");
  // the default does not count where the parameter varies
  EXPECT_EQ(said(with_wall(law, "x = 0", "uniform = [0.1, 0.2]"), {}), "");
}

TEST(ScenarioCheck, CountsEachMemberOnce) {
  // a past that is outside at many instants
  const std::string text =
      "[model]\ncoordinates = [\"x\"]\nforce = [\"-delay(x, 1)\"]\n[model.parameters]\na = "
      "0.5\n[[model.contact]]\ninside = \"x >= 0\"\n"
      "[start]\nx = \"if(a < 0.5, t, 0)\"\nvx = \"0\"\n[time]\nend = 1\nstep = 0.1\n[ensemble]\nmembers = 4\nsampler = "
      "\"grid\"\nlevels = { a = 4 }\n"
      "[vary]\na = { uniform = [0, 1] }\n";
  EXPECT_EQ(said(text),
            "\ntest.toml:7:11: warning: 2 of the first 4 members: the past leaves 'contact1' at t = -0.015625 by "
            "0.015625; the theory wants it inside "
            "(delays still see it) (member 0: a = 0)");
}

TEST(ScenarioCheck, AllowsAStartOnTheWallUpToItsTolerance) {
  const std::string wall = "inside = \"x >= 0\"";
  EXPECT_EQ(said(with_wall(wall, "x = 0", "")), "");
  EXPECT_EQ(said(with_wall(wall, "x = -0.9e-9", "")), "");
  EXPECT_EQ(said(with_wall(wall, "x = -1.1e-9", "")),
            "\ntest.toml:7:11: the start lies outside 'contact1' by 1.1e-09; allowed: 1e-09 (1 + |q|); [start] settle "
            "= true puts it there");
  // a distance, whatever the inequality is multiplied by, and relative to the size
  EXPECT_EQ(said(with_wall("inside = \"1e12 * x >= 0\"", "x = -0.9e-9", "")), "");
  EXPECT_EQ(said(with_wall("inside = \"1e-12 * x >= 0\"", "x = -1.1e-9", "")),
            "\ntest.toml:7:11: the start lies outside 'contact1' by 1.1e-09; allowed: 1e-09 (1 + |q|); [start] settle "
            "= true puts it there");
  EXPECT_EQ(said(with_wall("inside = \"x <= 1e6\"", "x = 1000000.0005", "")), "");
  EXPECT_EQ(said(with_wall("inside = \"1e12 * x >= 0\"", "x = \"-1e-10 * a\"", "uniform = [1, 2]")), "")
      << "also where the start varies";
}

TEST(ScenarioCheck, KnowsThatEveryMemberStartsOutside) {
  EXPECT_EQ(said(with_wall("inside = \"x >= 0\"", "x = \"-a\"", "uniform = [1, 2]")),
            "\ntest.toml:7:11: every member starts outside 'contact1': inside does not hold at t = 0 for any value of "
            "the varied parameters");
}

TEST(ScenarioCheck, JudgesFrictionThatDependsOnThePlaceOnlyWhereItActs) {
  // far from the wall it does not act: what it would be there stops nobody
  EXPECT_EQ(said(with_wall("inside = \"x >= 0\"\nfriction = \"0.5 - x\"", "x = 2", "")), "");
  EXPECT_EQ(said(with_wall("inside = \"x >= 0\"\nfriction = \"x - 0.5\"", "x = 0", "")),
            "\ntest.toml:8:13: friction is -0.5 at the start; allowed: friction >= 0");
  EXPECT_EQ(said(with_wall("inside = \"x >= 0\"\nrestitution = \"1 + x + a\"", "x = 0", "uniform = [0.1, 0.2]"))
                .substr(0, 71),
            "\ntest.toml:8:16: warning: 1,000 of the first 1,000 members: restitution");
}

TEST(ScenarioCheck, WantsThePastBackToTheLongestDelay) {
  const auto past = [](const std::string& force, const std::string& x) {
    return said("[model]\ncoordinates = [\"x\"]\nforce = [\"" + force + "\"]\n[start]\nx = \"" + x +
                "\"\n[time]\nend = 1\nstep = 0.1\n[observe]\nw = { max = \"window_max(x, 0.5)\" }\n");
  };
  EXPECT_EQ(past("-delay(x, 0.1)", "log(t + 0.6)"), "");
  EXPECT_EQ(
      past("-delay(x, 0.8)", "log(t + 0.6)"),
      "\ntest.toml:5:6: the past of x is not a number at t = -0.6; it must be defined back to the longest delay, 0.8");
  EXPECT_EQ(
      past("-delay(x, 0.1)", "log(t + 0.25)"),
      "\ntest.toml:5:6: the past of x is not a number at t = -0.25; it must be defined back to the longest delay, 0.5");
  EXPECT_EQ(
      past("-delay(x, 0.1)", "log(t)"),
      "\ntest.toml:5:6: the past of x is not a number at t = 0; it must be defined back to the longest delay, 0.5");
}

TEST(ScenarioCheck, SaysNothingThatFollowsFromAnotherMistake) {
  // a parameter or a distribution that was not understood has no value to judge
  EXPECT_EQ(said(with_wall("inside = \"x >= 0\"\nfriction_angle = \"a + 2\"", "x = 0", "uniform = [2, 1]")),
            "\ntest.toml:17:17: uniform: lower must be less than upper, got 2 and 1");
  EXPECT_EQ(said("[model]\ncoordinates = [\"x\"]\nforce = [\"delay(x, a)\"]\n[model.parameters]\na = true\n[start]\nx "
                 "= \"0\"\n[time]\nend = 1\nstep = 1\n"),
            "\ntest.toml:5:5: parameter 'a' must be a finite number");
  // names are judged only if the coordinates are known
  EXPECT_EQ(said("[model]\nforce = [\"x\"]\n[start]\nx = \"0\"\n[time]\nend = 1\nstep = 1\n"),
            "\ntest.toml: [model] needs coordinates, for example coordinates = [\"x\", \"y\"]");
}

TEST(ScenarioCheck, TriesTheFirstThousandMembersOnly) {
  std::string text = with_wall("inside = \"x >= 0\"\nfriction = \"a\"", "x = 0", "normal = [0, 1]");
  text.replace(text.find("members = 1000"), 14, "members = 100000000");
  EXPECT_NE(said(text).find(" of the first 1,000 members: friction is "), std::string::npos) << said(text);
}

// ---- files ----

TEST(ScenarioFile, IsReadWithAByteOrderMarkAndWindowsLineEnds) {
  const auto path = std::filesystem::temp_directory_path() / ("conesweep-bom-" + std::to_string(getpid()) + ".toml");
  std::string text = "titel = 1\n" + base;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  std::ofstream(path, std::ios::binary) << "\xEF\xBB\xBF" << text;
  scenario::Source source = scenario::load_source(path);
  std::filesystem::remove(path);
  source.name = "bom.toml";
  scenario::Faults problems;
  read_scenario(source, {}, problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].to_text(),
            "bom.toml:1:1: unknown key 'titel' at the top level; did you mean 'title'?\n    titel = 1\n    ^^^^^");
}

TEST(ScenarioFile, ThatCannotBeReadIsAnInputError) {
  const auto refusal = [](const std::filesystem::path& path) {
    try {
      scenario::load_source(path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(refusal("no/such.toml"), "cannot read no/such.toml; is the path right?");
  EXPECT_EQ(refusal("."), ". is a folder; give a scenario file (*.toml)");
  const auto path = std::filesystem::temp_directory_path() / ("conesweep-large-" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << std::string((4 << 20) + 1, '#');
  EXPECT_EQ(refusal(path), path.string() + " has more than 4 MB; this is no scenario");
  std::filesystem::remove(path);
}

TEST(ScenarioFile, WithBrokenTextIsASyntaxError) {
  EXPECT_EQ(said("title = \"\xff\"\n").substr(0, 32), "\ntest.toml:1:9: not valid TOML: ");
  EXPECT_EQ(said(""),
            "\ntest.toml: the section [model] is missing; it holds coordinates and force"
            "\ntest.toml: the section [start] is missing; it gives every coordinate its past, an expression of t <= 0"
            "\ntest.toml: [time] needs end, the time at which a member ends"
            "\ntest.toml: [time] needs step, for example step = 1e-3");
}

}  // namespace
}  // namespace conesweep::test
