// [classes] and [sweep]: what they are read as, how they are written, and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "scenario/writer.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string base = R"~([model]
coordinates = ["x"]
force = ["-k * x"]
[model.parameters]
k = 4.0
c = 1.0
limit = 0.5
[[model.contact]]
name = "floor"
inside = "x >= 0"
[start]
x = "1"
[time]
end = 1.0
step = 0.01
[ensemble]
members = 10
[vary]
c = { uniform = [0, 1] }
[observe]
also = ["impulse.floor"]
settled = { first_time = "x < 0.1" }
max = { max = "x" }
)~";

std::string problems_of(const std::string& more) {
  std::string text;
  for (const auto& problem : find_problems(base + more)) text += problem.to_text() + "\n";
  return text;
}

TEST(Classes, SeeObservablesWithDotsParametersAndEventsThatNeverCame) {
  const auto scenario = parse_scenario(base + R"~([classes]
stuck = "never(settled) or not settled < 0.2"
stick-slip = "final.vx^2 + abs(final.x) > limit and impulse.floor > 1.5"
tall = "max > max(1, 2) * c"
rest = "else"
)~");
  ASSERT_EQ(scenario.classes.size(), 4u);
  EXPECT_THAT(class_names(scenario), testing::Contains("stick-slip"));
  EXPECT_EQ(class_names(scenario)[4], "non_finite");
  EXPECT_FALSE(scenario.classes[3].condition.tree);
  // what was written is read back to the same
  const std::string written = write_scenario(scenario);
  EXPECT_THAT(written, HasSubstr("[classes]\nstuck = \"never(settled) or not settled < 0.2\"\nstick-slip = \""));
  EXPECT_EQ(write_scenario(parse_scenario(written)), written);
}

TEST(Classes, SeeParametersThatAreComputed) {
  std::string text = base + "[classes]\nfar = \"final.x > half and not never(half)\"\n";
  text.insert(text.find("[[model.contact]]"), "half = \"third*1.5\"\nthird = \"c/3\"\n");
  const auto scenario = parse_scenario(text);
  // the condition's names are numbered by observables, then parameters: c is the second of those
  const auto observables = observable_names(scenario);
  std::vector<std::size_t> used;
  expression::for_each_node(scenario.classes[0].condition.tree, [&](const expression::Expr& node) {
    if (node->op == expression::Op::symbol) used.push_back(static_cast<std::size_t>(node->symbol.index));
  });
  const auto final_x =
      static_cast<std::size_t>(std::find(observables.begin(), observables.end(), "final.x") - observables.begin());
  EXPECT_THAT(used, ElementsAre(final_x, observables.size() + 1, observables.size() + 1, observables.size() + 1));
  const std::string written = write_scenario(scenario);
  EXPECT_EQ(write_scenario(parse_scenario(written)), written);
  // as a parameter would be, it is hidden by an observable, suggested, and given by --set
  scenario::Overrides overrides;
  overrides.set = {{"half", 2}};
  EXPECT_EQ(parse_scenario(text, overrides).classes[0].condition.tree->args[0]->args[1]->symbol.index,
            static_cast<int>(observables.size()) + 3);  // after k, c and limit
  text.replace(text.find("x > half"), 8, "x > halv");
  EXPECT_THROW(parse_scenario(text), std::runtime_error);
  std::string said;
  for (const auto& problem : find_problems(text)) said += problem.message;
  EXPECT_EQ(said, "unknown name 'halv' in class 'far'; did you mean 'half'?");
}

TEST(Classes, HaveObservablesThatAreNotCalledLikeAWord) {
  for (const std::string word : {"pi", "t", "and", "or", "not"})
    EXPECT_THAT(
        problems_of(word + " = { max = \"x\" }\n[classes]\nfar = \"max > 0\"\n"),
        HasSubstr(
            "test.toml:24:1: observable '" + word +
            "' clashes with a word of the expression language, which it would be in a class; choose another name, "
            "for example '" +
            word + "_observed'"));
  // those that are words nowhere, or only before a parenthesis, are names
  for (const std::string name : {"e", "inf", "end", "j", "hold", "never", "sin", "after"})
    EXPECT_EQ(
        problems_of(name + " = { max = \"x\" }\n[classes]\nfar = \"" + name + " > 0 and sin(" + name + ") > 0\"\n"), "")
        << name;
}

TEST(Classes, HaveOneForTheOthers) {
  const auto scenario = parse_scenario(base + "[classes]\nfast = \"final.vx > 1\"\n");
  ASSERT_EQ(scenario.classes.size(), 2u);
  EXPECT_EQ(scenario.classes[1].name, "other");
  EXPECT_THAT(write_scenario(scenario), HasSubstr("fast = \"final.vx > 1\"\nother = \"else\"\n"));
  EXPECT_THAT(problems_of("[classes]\nother = \"final.vx > 1\"\n"),
              HasSubstr("write a last one, for example rest = \"else\""));
}

TEST(Classes, NameTheClosestNameUnderTheFault) {
  EXPECT_EQ(problems_of("[classes]\nfar = \"final.y > 1\"\n"),
            R"~(test.toml:25:8: unknown name 'final.y' in class 'far'; did you mean 'final.x'?
    far = "final.y > 1"
           ^^^^^^^
)~");
  EXPECT_EQ(
      problems_of("[classes]\nfar = \"x > 1\"\n"),
      R"~(test.toml:25:8: unknown name 'x' in class 'far'; a class sees observables, not the motion: did you mean 'final.x'?
    far = "x > 1"
           ^
)~");
  EXPECT_THAT(problems_of("[classes]\nlate = \"never(setled)\"\n"),
              HasSubstr("unknown name 'setled' in class 'late'; did you mean 'settled'?"));
  EXPECT_THAT(problems_of("[classes]\nlate = \"settled\"\n"),
              HasSubstr("class 'late' needs a condition such as x > 0, got a number"));
  EXPECT_THAT(problems_of("[classes]\nlate = \"never(2)\"\n"), HasSubstr("'never' takes the name of an observable"));
  EXPECT_THAT(problems_of("[classes]\nlate = \"delay(settled, 1) > 0\"\n"),
              HasSubstr("delay cannot be used in class 'late': only observables and parameters can"));
  // an observable that was not understood is a name nevertheless: one problem, not two
  const std::string twice = problems_of("odd = { max = \"zz\" }\n[classes]\nlate = \"odd > 1\"\n");
  EXPECT_THAT(twice, HasSubstr("unknown name 'zz' in max"));
  EXPECT_THAT(twice, testing::Not(HasSubstr("'odd'")));
}

TEST(Classes, AreNoStatusesAndElseIsTheLast) {
  EXPECT_THAT(problems_of("[classes]\nnon_finite = \"max > 1\"\n"),
              HasSubstr("test.toml:25:1: 'non_finite' is a status, which is the class of members that stop with it; "
                        "choose another name"));
  EXPECT_THAT(problems_of("[classes]\nrest = \"else\"\nlate = \"max > 1\"\n"), HasSubstr("it must be the last class"));
  EXPECT_THAT(problems_of("[classes]\n\"2nd\" = \"max > 1\"\n"), HasSubstr("'2nd' cannot name a class"));
  std::string many = "[classes]\n";
  for (int k = 0; k < 201; ++k) many += "c" + std::to_string(k) + " = \"max > 1\"\n";
  EXPECT_THAT(problems_of(many), HasSubstr("at most 200 classes, got 201"));
}

TEST(Sweep, IsTheProductOfItsAxesTheLastFastest) {
  const auto scenario =
      parse_scenario(base + "[sweep]\nk = { values = [4, 2.5] }\nlimit = { from = 0, to = 1, count = 11 }\n");
  EXPECT_EQ(sweep_points(scenario), 22);
  EXPECT_EQ(members_of_point(scenario), 10);
  EXPECT_EQ(scenario.ensemble.members, 220);
  // as they are written, to the bit
  EXPECT_THAT(scenario.sweep[1].values, ElementsAre(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1));
  EXPECT_EQ(sweep_value(scenario, 0, 10), 4);
  EXPECT_EQ(sweep_value(scenario, 0, 11), 2.5);
  EXPECT_EQ(sweep_value(scenario, 1, 10), 1);
  EXPECT_EQ(sweep_value(scenario, 1, 12), 0.1);
  EXPECT_THAT(varying_parameters(scenario), ElementsAre(1, 0, 2));
  EXPECT_EQ(member_parameters(scenario, {0.7, 2.5, 0.3})[0], 2.5);
  const std::string written = write_scenario(scenario);
  EXPECT_THAT(written, HasSubstr("members = 10\n"));
  EXPECT_THAT(written,
              HasSubstr("[sweep]\nk = { values = [4.0, 2.5] }\nlimit = { from = 0.0, to = 1.0, count = 11 }\n"));
  EXPECT_EQ(write_scenario(parse_scenario(written)), written);
}

TEST(Sweep, TakesOnePointBySet) {
  scenario::Overrides overrides;
  overrides.set = {{"k", 3}};
  const auto scenario = parse_scenario(base + "[sweep]\nk = { values = [4, 2.5] }\n", overrides);
  EXPECT_TRUE(scenario.sweep.empty());
  EXPECT_EQ(scenario.ensemble.members, 10);
  EXPECT_EQ(scenario.defaults[0], 3);
}

TEST(Sweep, SaysWhatIsWrong) {
  EXPECT_EQ(problems_of("[sweep]\nc = { values = [1, 2] }\n"),
            R"~(test.toml:25:1: 'c' varies already; a parameter is either drawn, in [vary], or swept
    c = { values = [1, 2] }
    ^
)~");
  EXPECT_THAT(problems_of("[sweep]\nlimi = { values = [1, 2] }\n"),
              HasSubstr("[sweep] names an unknown parameter 'limi'; did you mean 'limit'?"));
  EXPECT_THAT(problems_of("[sweep]\nk = [1, 2]\n"),
              HasSubstr("must be { from = 0, to = 1, count = 11 } or { values = [0.1, 0.2, 0.5] }"));
  EXPECT_THAT(problems_of("[sweep]\nk = { from = 0, to = 1 }\n"),
              HasSubstr("must be { from = 0, to = 1, count = 11 }"));
  EXPECT_THAT(problems_of("[sweep]\nk = { from = 0, to = 1, count = 1 }\n"),
              HasSubstr("count must be a whole number between 2 and 100000, got 1"));
  EXPECT_THAT(problems_of("[sweep]\nk = { values = [1, 2, 1] }\n"), HasSubstr("the value 1 stands there twice"));
  EXPECT_THAT(problems_of("[sweep]\nk = { from = 2, to = 2, count = 3 }\n"),
              HasSubstr("for one value write values = [2]"));
}

}  // namespace
}  // namespace conesweep::test
