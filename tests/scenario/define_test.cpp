// [model.define]: names for expressions. A definition is replaced as a tree, so a scenario with definitions is the
// scenario written out by hand; what is wrong is told where it is used.
#include <gtest/gtest.h>

#include <string>

#include "scenario/limits.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using expression::same_tree;
using scenario::Overrides;

/// A scenario with these definitions, from line 10 on, and this force; `rest` are further lines, from [start] on.
struct Defined {
  std::string definitions;
  std::string force = "0";
  std::string inside = "y >= -1";
  std::string rest = {};

  std::string text() const {
    return "[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"" + force +
           "\", \"0\"]\n[model.parameters]\nk = 4.0\ntau = 0.2\n[[model.contact]]\ninside = \"" + inside +
           "\"\n[model.define]\n" + definitions + "\n[start]\nx = \"0\"\ny = \"0\"\n[time]\nend = 1.0\nstep = 0.01\n" +
           rest;
  }
};

std::string problems_of(const Defined& defined, const Overrides& overrides = {}) {
  std::string got;
  for (const auto& problem : find_problems(defined.text(), overrides)) got += "\n" + problem.to_text();
  return got;
}

expression::Expr force_of(const Defined& defined) { return parse_scenario(defined.text()).force[0].tree; }

// ---- meaning ----

TEST(Definitions, AreReplacedAsTrees) {
  struct Case {
    std::string definitions, force, by_hand;
  };
  const std::vector<Case> cases = {
      {"a = \"x + k\"", "2 * a^2 - a", "2 * (x + k)^2 - (x + k)"},
      {"a = \"x + k\"", "-a", "-(x + k)"},
      {"a = 0.5", "a * x", "0.5 * x"},
      {"b = \"vx * t\"\na = \"b - b / k\"", "a", "(vx * t) - (vx * t) / k"},  // not in the order of the alphabet
      {"a = \"max(x, y)\"", "max(a, k)", "max(max(x, y), k)"},
      {"a = \"x + vx * t\"", "delay(a, tau)", "delay(x + vx * t, tau)"},
      {"a = \"delay(x, tau)\"\nd = \"2 * tau\"", "a - delay(y, d)", "delay(x, tau) - delay(y, 2 * tau)"},
      {"a = \"abs(x - now(x))\"", "window_max(a, tau)", "window_max(abs(x - now(x)), tau)"},
      {"a = \"x * y\"", "window_mean(a - now(a), tau)", "window_mean(x * y - now(x * y), tau)"},
      {"fast = \"vx > k\"\nlate = \"fast and t > 1\"", "if(not late or fast, 1, 0)",
       "if(not (vx > k and t > 1) or vx > k, 1, 0)"},
      {"a = \"vy\"\nunused = \"delay(vx, tau) + t\"", "a", "vy"},
  };
  for (const auto& c : cases) {
    const Defined with{c.definitions, c.force}, without{"", c.by_hand};
    ASSERT_EQ(problems_of(with), "") << c.force;
    EXPECT_TRUE(same_tree(force_of(with), force_of(without))) << c.force;
  }
}

TEST(Definitions, CanBeUsedInEveryExpression) {
  Defined defined;
  defined.definitions = R"~(height = "y + 0 * k"
level = "height + t"
high = "level > 1"
wall = "height >= -1"
begin = "k * t"
speed = "k")~";
  defined.force = "level";
  defined.inside = "wall";
  defined.rest = "[observe]\nr = { max = \"level\" }\ns = { first_time = \"high\" }\n";
  std::string text = defined.text();
  text.replace(text.find("x = \"0\""), 7, "x = \"begin\"\nvx = \"speed\"");

  const auto s = parse_scenario(text);
  ASSERT_EQ(s.definitions.size(), 6U);
  const auto tree = [&](std::size_t i) { return s.definitions[i].tree; };
  EXPECT_EQ(s.names.definitions[5].name, "speed");
  EXPECT_TRUE(same_tree(s.force[0].tree, tree(1)));
  EXPECT_TRUE(same_tree(s.contacts[0].inside.tree, tree(3)));
  EXPECT_TRUE(same_tree(s.start[0].past.tree, tree(4)));
  EXPECT_TRUE(same_tree(s.start[0].velocity->tree, tree(5)));
  EXPECT_TRUE(same_tree(s.observables[0].formula.tree, tree(1)));
  EXPECT_TRUE(same_tree(s.observables[1].formula.tree, tree(2)));
}

// ---- messages ----

TEST(Definitions, UseThoseAboveThem) {
  EXPECT_EQ(problems_of({"a = \"1 + b\"\nb = \"x\"", "a + b"}), R"~(
test.toml:10:10: 'b' is defined further down; a definition can use those above it
    a = "1 + b"
             ^)~");
  EXPECT_EQ(problems_of({"a = \"1 + a\""}), R"~(
test.toml:10:10: 'a' cannot be used in its own definition
    a = "1 + a"
             ^)~");
}

TEST(Definitions, HaveNamesOfTheirOwn) {
  const auto clash = [](const std::string& name) { return problems_of({name + " = \"1\""}); };
  EXPECT_EQ(clash("k"),
            "\ntest.toml:10:1: definition 'k' clashes with the parameter of the same name (velocities are called v + "
            "coordinate)\n    k = \"1\"\n    ^");
  EXPECT_EQ(clash("x"),
            "\ntest.toml:10:1: definition 'x' clashes with the coordinate of the same name (velocities are called v + "
            "coordinate)\n    x = \"1\"\n    ^");
  EXPECT_EQ(clash("vy"),
            "\ntest.toml:10:1: definition 'vy' clashes with the velocity of the same name (velocities are called v + "
            "coordinate)\n    vy = \"1\"\n    ^^");
  EXPECT_EQ(clash("sin"),
            "\ntest.toml:10:1: definition 'sin' clashes with a word of the expression language; choose another name\n  "
            "  sin = \"1\"\n    ^^^");
  EXPECT_EQ(clash("t"),
            "\ntest.toml:10:1: definition 't' clashes with a word of the expression language; choose another name\n    "
            "t = \"1\"\n    ^");
  EXPECT_EQ(clash("\"a b\""),
            "\ntest.toml:10:1: 'a b' cannot be a name: a letter, then letters, digits and underscores\n    \"a b\" = "
            "\"1\"\n    ^^^^^");
  EXPECT_EQ(clash("time"), "") << "no column of the results has a definition's name";
}

TEST(Definitions, AreSuggestedForUnknownNames) {
  EXPECT_EQ(problems_of({"height = \"x\"", "k * hieght"}), R"~(
test.toml:3:15: unknown name 'hieght' in force; did you mean 'height'?
    force = ["k * hieght", "0"]
                  ^^^^^^)~");
  EXPECT_EQ(problems_of({"height = \"x\"", "height(2)"}), R"~(
test.toml:3:11: 'height' is not a function; to multiply write height * (…)
    force = ["height(2)", "0"]
              ^^^^^^)~");
}

TEST(Definitions, AreNotSetByTheCommandLine) {
  Overrides overrides;
  overrides.set = {{"height", 2}};
  EXPECT_EQ(problems_of({"height = \"x\""}, overrides),
            "\nset: 'height' is a definition of the scenario; only parameters can be set");
}

TEST(Definitions, DoNotVary) {
  EXPECT_EQ(problems_of({"height = \"x\"", "0", "y >= -1", "[vary]\nheight = { uniform = [0, 1] }\n"}), R"~(
test.toml:18:1: 'height' is a definition; only parameters can vary
    height = { uniform = [0, 1] }
    ^^^^^^)~");
}

TEST(Definitions, ThatAreFaultyAreToldOnceAndNotWhereTheyAreUsed) {
  EXPECT_EQ(problems_of({"a = \"x +\"\nb = \"2 * a\"", "a + b"}), R"~(
test.toml:10:9: the expression ends too early
    a = "x +"
            ^)~");
  EXPECT_EQ(problems_of({"a = [1]", "a"}), R"~(
test.toml:10:5: the definition of a must be an expression in quotes, or a number
    a = [1]
        ^^^)~");
  EXPECT_EQ(problems_of({"a = \"window_max(vx, tau)\""}), R"~(
test.toml:10:17: 'vx' cannot be used inside a window: only coordinates and parameters can
    a = "window_max(vx, tau)"
                    ^^)~");
}

TEST(Definitions, AreJudgedByThePlaceWhereTheyAreUsed) {
  EXPECT_EQ(problems_of({"tip = \"y + vx * vx\"", "0", "0 <= tip"}), R"~(
test.toml:8:16: definition 'tip': 'vx' cannot be used in inside: only t, coordinates and parameters can
    inside = "0 <= tip"
                   ^^^)~");
  EXPECT_EQ(problems_of({"far = \"x + t\"", "delay(x, 2 * far)"}), R"~(
test.toml:3:24: definition 'far': 'x' cannot be part of a delay or window length: only parameters can
    force = ["delay(x, 2 * far)", "0"]
                           ^^^
test.toml:3:24: definition 'far': 't' cannot be part of a delay or window length: only parameters can
    force = ["delay(x, 2 * far)", "0"]
                           ^^^)~");
  EXPECT_EQ(problems_of({"old = \"delay(x, tau)\"\nolder = \"1 + old\"", "delay(older, tau)"}), R"~(
test.toml:3:17: definition 'older': delays and windows do not nest
    force = ["delay(older, tau)", "0"]
                    ^^^^^)~");
  EXPECT_EQ(problems_of({"gone = \"x - now(x)\"", "gone"}), R"~(
test.toml:3:11: definition 'gone': now(…) has a meaning only inside a window, where names mean the past
    force = ["gone", "0"]
              ^^^^)~");
  EXPECT_EQ(problems_of({"fast = \"vx > 1\"", "fast"}), R"~(
test.toml:3:11: definition 'fast': force needs a number, got a condition; write if(condition, 1, 0)
    force = ["fast", "0"]
              ^^^^)~");
  EXPECT_EQ(problems_of({"fast = \"vx > 1\"", "2 < fast"}), R"~(
test.toml:3:15: '<' needs a number, got a condition; write if(condition, 1, 0)
    force = ["2 < fast", "0"]
                  ^^^^)~");
  std::string text = Defined{"home = \"x\""}.text();
  text.replace(text.find("x = \"0\""), 7, "x = \"home + t\"");
  const auto problems = find_problems(text);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].to_text(),
            R"~(test.toml:12:6: definition 'home': 'x' cannot be used in the past of x: only t and parameters can
    x = "home + t"
         ^^^^)~");
}

TEST(Definitions, WithADelayThatIsOutOfRangeAreToldWhereTheyAreUsed) {
  EXPECT_EQ(problems_of({"old = \"delay(x, -tau)\"", "1 + old"}), R"~(
test.toml:3:15: the length of delay is -0.2; allowed: a finite number >= 0
    force = ["1 + old", "0"]
                  ^^^)~");
}

// ---- limits ----

TEST(Definitions, ThatDoubleFortyTimesAreRefused) {
  std::string chain = "d0 = \"x\"";
  for (int i = 1; i <= 40; ++i) {
    const std::string last = "d" + std::to_string(i - 1);
    chain += "\nd" + std::to_string(i) + " = \"" + last + " + " + last + "\"";
  }
  // d12 has 8191 nodes
  EXPECT_EQ(problems_of({chain, "d12"}), R"~(
test.toml:23:14: expression is too large: with its definitions written out it has more than 10,000 numbers, names and operations
    d13 = "d12 + d12"
                 ^^^)~");
}

TEST(Definitions, ThatGoDeepAreRefused) {
  std::string chain = "d0 = \"x\"";
  for (int i = 1; i <= 1000; ++i) chain += "\nd" + std::to_string(i) + " = \"sin(d" + std::to_string(i - 1) + ")\"";
  EXPECT_EQ(problems_of({chain, "d999"}), R"~(
test.toml:1010:10: expression is too deep (more than 1000 operations inside each other); group its terms by parentheses
    d1000 = "sin(d999)"
             ^^^^^^^^^)~");
}

TEST(Definitions, OfAWholeFileAreNoLargerThanAFileWrittenByHand) {
  std::string big = "big = \"x", uses;
  for (int i = 0; i < 900; ++i) big += " + x";
  for (int i = 0; i < 1000; ++i) uses += "r" + std::to_string(i) + " = { max = \"big + big + big + big + big\" }\n";
  const auto problems = find_problems(Defined{big + "\"", "0", "y >= -1", "[observe]\n" + uses}.text());
  ASSERT_EQ(problems.size(), 1U) << "told once";
  EXPECT_EQ(problems[0].message,
            "the expressions up to here are too large: with their definitions written out they have more than "
            "4,194,304 numbers, names and operations");
  EXPECT_GT(problems[0].place.line, 400);
}

TEST(Definitions, AreCounted) {
  std::string many;
  for (int i = 0; i <= scenario::most_definitions; ++i) many += "d" + std::to_string(i) + " = \"x\"\n";
  const auto problems = find_problems(Defined{many}.text());
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].message, "at most 2,000 definitions, got 2,001");
}

}  // namespace
}  // namespace conesweep::test
