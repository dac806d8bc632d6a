#include "scenario/source.hpp"

#include <gtest/gtest.h>

#include "support/scenario_text.hpp"

namespace conesweep::scenario {
namespace {

// A scenario around the force's line, and what is said about it.
std::string force_problem(const std::string& force_line) {
  const std::string text =
      "[model]\ncoordinates = [\"x\"]\n" + force_line + "\n[start]\nx = \"0\"\n[time]\nend = 1\nstep = 0.1\n";
  std::string all;
  for (const auto& problem : test::find_problems(text)) all += "\n" + problem.to_text();
  return all;
}

TEST(Source, GivesLinesWithoutTheirEnds) {
  const Source source{"a.toml", "one\r\ntwo\n\nfour"};
  EXPECT_EQ(source.line(1), "one");
  EXPECT_EQ(source.line(2), "two");
  EXPECT_EQ(source.line(3), "");
  EXPECT_EQ(source.line(4), "four");
  EXPECT_EQ(source.line(5), "");
}

TEST(Source, CountsCharactersBeforeTheFaultNotBytes) {
  EXPECT_EQ(force_problem(R"(force = [ "x + zz" ])"), R"(
test.toml:3:16: unknown name 'zz' in force
    force = [ "x + zz" ]
                   ^^)");
  EXPECT_EQ(force_problem("title = \"Größe µ → ∞\"\nforce = [\"x ≤ 0\"]"), R"(
test.toml:3:1: unknown key 'title' in [model]; known here: coordinates, force, mass, restitution_law, parameters, define, contact, bilateral and resistance
    title = "Größe µ → ∞"
    ^^^^^
test.toml:4:13: unexpected '≤'; write <=
    force = ["x ≤ 0"]
                ^)");
  EXPECT_EQ(force_problem("force = [\"x·π·zz\"]"), R"(
test.toml:3:12: unexpected '·'; write *
    force = ["x·π·zz"]
               ^)");
}

TEST(Source, SeesThroughEscapes) {
  EXPECT_EQ(force_problem(R"(force = ["x\t+\u0020zz"])"), R"(
test.toml:3:21: unknown name 'zz' in force
    force = ["x\t+\u0020zz"]
                        ^^)");
  EXPECT_EQ(force_problem(R"(force = ["x \u00b7 zz"])"), R"(
test.toml:3:13: unexpected '·'; write *
    force = ["x \u00b7 zz"]
                ^)");
  EXPECT_EQ(force_problem(R"(force = ["\U00000078 + zz"])"), R"(
test.toml:3:24: unknown name 'zz' in force
    force = ["\U00000078 + zz"]
                           ^^)");
  EXPECT_EQ(force_problem(R"(force = ['x + zz'])"), R"(
test.toml:3:15: unknown name 'zz' in force
    force = ['x + zz']
                  ^^)");
}

TEST(Source, FollowsMultiLineStrings) {
  EXPECT_EQ(force_problem("force = [\"\"\"\nx\n  + zz\"\"\"]"), R"(
test.toml:5:5: unknown name 'zz' in force
    + zz"""]
      ^^)");
  EXPECT_EQ(force_problem("force = ['''\r\nx\r\n  + zz''']"), R"(
test.toml:5:5: unknown name 'zz' in force
    + zz''']
      ^^)");
  EXPECT_EQ(force_problem("force = [\"\"\"x + \\\n     zz\"\"\"]"), R"(
test.toml:4:6: unknown name 'zz' in force
    zz"""]
    ^^)");
  EXPECT_EQ(force_problem("force = [\"\"\"zz + \\\n  \\\n  yy\"\"\"]"), R"(
test.toml:3:13: unknown name 'zz' in force
    force = ["""zz + \
                ^^
test.toml:5:3: unknown name 'yy' in force
    yy"""]
    ^^)");
}

TEST(Source, ShowsTabsAsOneColumn) {
  EXPECT_EQ(force_problem("\tforce\t= [\"zz\"]"),
            "\ntest.toml:3:12: unknown name 'zz' in force\n    force = [\"zz\"]\n              ^^");
}

TEST(Source, CutsLongLinesAroundTheFault) {
  std::string sum = "x";
  for (int i = 0; i < 100; ++i) sum += " + x";
  const std::string text = force_problem("force = [\"" + sum + " + zz + " + sum + "\"]");
  EXPECT_EQ(text, R"(
test.toml:3:415: unknown name 'zz' in force
    … + x + x + x + x + x + x + x + x + x + x + x + x + x + zz + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x…
                                                            ^^)");
}

TEST(Fault, WithoutAPlaceIsOneLine) {
  const Fault problem{Severity::error, Mention{"set", {}, true}, {}, 1, {}, "unknown parameter 'z'"};
  EXPECT_EQ(problem.to_text(), "set: unknown parameter 'z'");
  const Fault warning{Severity::warning, "a.toml", {2, 1}, 3, "abc", "odd"};
  EXPECT_EQ(warning.to_text(), "a.toml:2:1: warning: odd\n    abc\n    ^^^");
}

TEST(Fault, UnderlinesNoMoreThanTheLineHas) {
  const Fault problem{Severity::error, "a.toml", {1, 3}, 100, "abcd", "wrong"};
  EXPECT_EQ(problem.to_text(), "a.toml:1:3: wrong\n    abcd\n      ^^");
  const Fault behind{Severity::error, "a.toml", {1, 9}, 2, "abcd", "wrong"};
  EXPECT_EQ(behind.to_text(), "a.toml:1:9: wrong\n    abcd\n            ^");
}

}  // namespace
}  // namespace conesweep::scenario
