// Parameters that are computed from others: as if the expression stood in place of the name, unless --set or [vary]
// give it a value.
#include <gtest/gtest.h>

#include <string>

#include "scenario/writer.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using expression::same_tree;
using scenario::Overrides;
using scenario::Scenario;

/// A scenario with these parameters, from line 5 on.
std::string with(const std::string& parameters, const std::string& force, const std::string& rest = {}) {
  return "[model]\ncoordinates = [\"x\"]\nforce = [\"" + force + "\"]\n[model.parameters]\n" + parameters +
         "\n[start]\nx = \"0\"\n[time]\nend = 1.0\nstep = 0.01\n" + rest;
}

std::string problems_of(const std::string& text, const Overrides& overrides = {}) {
  std::string got;
  for (const auto& problem : find_problems(text, overrides)) got += "\n" + problem.to_text();
  return got;
}

Overrides set(const std::string& name, double value) {
  Overrides overrides;
  overrides.set = {{name, value}};
  return overrides;
}

TEST(ComputedParameters, StandForTheirExpressionInAnyOrder) {
  const Scenario computed =
      parse_scenario(with("k = \"m*w^2\"\nc = \"2*z*sqrt(k*m)\"\nm = 2.0\nw = 3.0\nz = 0.1\n", "-k*x - c*vx"));
  const Scenario by_hand = parse_scenario(with("m = 2.0\nw = 3.0\nz = 0.1\n", "-(m*w^2)*x - (2*z*sqrt((m*w^2)*m))*vx"));
  EXPECT_EQ(computed.names.parameters, by_hand.names.parameters);
  EXPECT_TRUE(same_tree(computed.force[0].tree, by_hand.force[0].tree));
  // wherever a parameter can stand
  const std::string text =
      with("tau = \"lag/2\"\nlag = 0.5\n", "-delay(x, tau)",
           "[observe]\no = { max = \"x\", after = \"tau\" }\n[model.define]\nlate = \"delay(x, 2*tau)\"\n");
  EXPECT_EQ(problems_of(text), "");
}

TEST(ComputedParameters, TakeWhatSetAndVaryGiveThem) {
  const std::string text = with("k = \"m*9\"\nm = 2.0\nc = \"k/10\"\n", "-k*x - c*vx");
  const Scenario fixed = parse_scenario(text, set("k", 5));
  const Scenario by_hand = parse_scenario(with("k = 5.0\nm = 2.0\n", "-k*x - (k/10)*vx"));
  EXPECT_EQ(fixed.names.parameters, by_hand.names.parameters);
  EXPECT_EQ(fixed.defaults, by_hand.defaults);
  EXPECT_TRUE(same_tree(fixed.force[0].tree, by_hand.force[0].tree));

  const Scenario varied = parse_scenario(text + "[vary]\nk = { uniform = [1, 2] }\n");
  EXPECT_TRUE(same_tree(varied.force[0].tree, by_hand.force[0].tree));
  ASSERT_EQ(varied.vary.size(), 1u);
  EXPECT_EQ(varied.names.parameters[static_cast<std::size_t>(varied.vary[0].parameter)], "k");
  EXPECT_EQ(varied.defaults[static_cast<std::size_t>(varied.vary[0].parameter)], 18);
}

TEST(ComputedParameters, AreOfEachMembersOwnParameters) {
  const std::string observe =
      "[ensemble]\nmembers = 5\n[vary]\nm = { uniform = [1, 2] }\n[observe]\no = { final = \"k\" }\n";
  const auto results = run_scenario(parse_scenario(with("k = \"m*w^2\"\nm = 2.0\nw = 3.0\n", "0", observe)));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(column(results, "o")[i], results.parameters[0][i] * 9);
}

TEST(ComputedParameters, AreWrittenAsExpressions) {
  for (const std::string rest : {"", "[vary]\nk = { uniform = [1, 2] }\n", "[vary]\nm = { uniform = [1, 2] }\n"}) {
    const Scenario first = parse_scenario(with("c = \"k/10\"\nk = \"m*9\"\nm = 2.0\n", "-k*x - c*vx", rest));
    const std::string text = write_scenario(first);
    EXPECT_NE(text.find("\nc = \"k/10\"\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nk = \"m*9\"\n"), std::string::npos) << text;
    const Scenario again = parse_scenario(text);
    EXPECT_EQ(write_scenario(again), text);
    EXPECT_TRUE(same_tree(first.force[0].tree, again.force[0].tree));
  }
  EXPECT_NE(write_scenario(parse_scenario(with("c = \"k/10\"\nk = \"m*9\"\nm = 2.0\n", "-k*x - c*vx"), set("k", 4)))
                .find("k = 4.0\n"),
            std::string::npos);
}

TEST(ComputedParameters, ThatNeedEachOtherAreNamed) {
  EXPECT_EQ(problems_of(with("a = \"b + 1\"\nb = \"2*c\"\nc = \"a/d\"\nd = 2.0\ne = \"a\"", "a*x + e")), R"(
test.toml:5:5: parameters cannot need each other in a circle: 'a' needs 'b', 'b' needs 'c', 'c' needs 'a'
    a = "b + 1"
        ^^^^^^^)");
  EXPECT_EQ(problems_of(with("a = \"a + 1\"", "a*x")), R"(
test.toml:5:5: parameters cannot need each other in a circle: 'a' needs 'a'
    a = "a + 1"
        ^^^^^^^)");
}

TEST(ComputedParameters, SeeParametersOnly) {
  EXPECT_EQ(problems_of(with("a = \"2*x\"\nb = \"t\"\nc = \"delay(1, 2)\"\nd = \"e\"\nf = \"a1 > 0\"\na1 = 1.0", "0")),
            R"~(
test.toml:5:8: 'x' cannot be used in parameter 'a': only parameters can
    a = "2*x"
           ^
test.toml:6:6: 't' cannot be used in parameter 'b': only parameters can
    b = "t"
         ^
test.toml:7:6: delay cannot be used in parameter 'c': only parameters can
    c = "delay(1, 2)"
         ^^^^^^^^^^^
test.toml:8:6: unknown name 'e' in parameter 'd'
    d = "e"
         ^
test.toml:9:6: parameter 'f' needs a number, got a condition; write if(condition, 1, 0)
    f = "a1 > 0"
         ^^^^^^)~");
}

TEST(ComputedParameters, AreJudgedWhereTheyAreUsed) {
  EXPECT_EQ(problems_of(with("tau = \"-lag\"\nlag = 0.5", "delay(x, tau)")), R"~(
test.toml:3:20: the length of delay is -0.5; allowed: a finite number >= 0
    force = ["delay(x, tau)"]
                       ^^^)~");
}

}  // namespace
}  // namespace conesweep::test
