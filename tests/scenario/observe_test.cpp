// after and before beside a reducer, stop and impacts in [time]: what is read, written back, and refused.
#include <gtest/gtest.h>

#include <string>

#include "scenario/writer.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using scenario::Scenario;

/// `stop` is line 11, `observe` from line 13 on.
std::string with(const std::string& stop, const std::string& observe) {
  return "[model]\ncoordinates = [\"x\"]\nforce = [\"-x\"]\n[model.parameters]\na = 0.5\n[start]\nx = "
         "\"1\"\n[time]\nend = 2.0\nstep = 0.5\n" +
         stop + "\n[observe]\n" + observe;
}

std::string problems_of(const std::string& text) {
  std::string got;
  for (const auto& problem : find_problems(text)) got += "\n" + problem.to_text();
  return got;
}

TEST(SeenTimes, AreReadAndWrittenBack) {
  const Scenario s = parse_scenario(
      with("stop = \"x < -a\"",
           "o = { before = \"end - a\", max = \"x\", after = 0.25 }\np = { share = \"x > 0\", after = \"end/2\" }\n"));
  const Scenario again = parse_scenario(write_scenario(s));
  for (const Scenario* one : {&s, &again}) {
    ASSERT_EQ(one->observables.size(), 2u);
    EXPECT_EQ(one->observables[0].after->text, "0.25");
    EXPECT_EQ(one->observables[0].before->text, "end - a");
    EXPECT_EQ(one->observables[1].after->text, "end/2");
    EXPECT_FALSE(one->observables[1].before);
    EXPECT_EQ(one->stop->text, "x < -a");
  }
  EXPECT_EQ(write_scenario(again), write_scenario(s));
  EXPECT_EQ(observable_names(s),
            (std::vector<std::string>{"o", "p", "impacts", "first_contact", "stick_time", "slip_time", "flight_time",
                                      "dissipated", "impulse", "variation", "penetration", "end_time", "final.x",
                                      "final.vx"}));
}

TEST(SeenTimes, AreWordsOnlyWhereTheyMeanSomething) {
  // names of 0.1: a parameter called end, observables called after, before, end_time
  const std::string text =
      "[model]\ncoordinates = [\"x\"]\nforce = [\"-end*x\"]\n[model.parameters]\nend = 0.5\n[start]\nx = "
      "\"1\"\n[time]\nend = 2.0\nstep = 0.5\n[observe]\n";
  EXPECT_EQ(problems_of(text + "after = { max = \"end*x\" }\nbefore = { max = \"x\" }\nend_time = { max = \"t\" }\n"),
            "");
  EXPECT_EQ(problems_of(text + "o = { max = \"x\", after = \"end/2\" }\n"), R"(
test.toml:12:27: 'end' has a meaning of its own in after, and is a name of the scenario, too; call that one something else
    o = { max = "x", after = "end/2" }
                              ^^^)");
}

TEST(SeenTimes, AreRefusedWithWhatToWrite) {
  EXPECT_EQ(problems_of(with("", "o = { after = 1 }\n")), R"(
test.toml:13:5: the observable 'o' must be one reducer with an expression, for example { max = "x" }; after and before may stand beside it
    o = { after = 1 }
        ^^^^^^^^^^^^^)");
  EXPECT_EQ(problems_of(with("", "o = { max = \"x\", after = \"x\" }\n")), R"(
test.toml:13:27: 'x' cannot be used in after: only end and parameters can
    o = { max = "x", after = "x" }
                              ^)");
  EXPECT_EQ(problems_of(with("", "o = { max = \"end\" }\n")), R"(
test.toml:13:14: unknown name 'end' in max
    o = { max = "end" }
                 ^^^)");
}

TEST(SeenTimes, MustSeeANode) {
  EXPECT_EQ(problems_of(with("", "o = { max = \"x\", after = 2.5 }\n")), R"(
test.toml:13:26: after is 2.5 and members end at 2, so that 'o' sees no node of any member; give an earlier time, "end/2" for example
    o = { max = "x", after = 2.5 }
                             ^^^)");
  EXPECT_EQ(problems_of(with("", "o = { max = \"x\", before = \"-a\" }\n")), R"(
test.toml:13:28: before is -0.5 and members start at 0, so that 'o' sees no node of any member; give a later time, "end/2" for example
    o = { max = "x", before = "-a" }
                               ^^)");
  EXPECT_EQ(problems_of(with("", "o = { max = \"x\", after = \"end/2\", before = \"end/2 - a\" }\n")), R"(
test.toml:13:45: after is 1, before is 0.5, so that 'o' sees no node of any member; they must leave a step between them, of 0.5
    o = { max = "x", after = "end/2", before = "end/2 - a" }
                                                ^^^^^^^^^)");
  // between two nodes
  EXPECT_NE(problems_of(with("", "o = { count = \"x > 0\", after = 0.6, before = 0.9 }\n")).find("sees no node"),
            std::string::npos);
  // one node is no time
  EXPECT_EQ(problems_of(with("", "o = { mean = \"x\", after = \"end\" }\n")), R"(
test.toml:13:28: after is 2, so that 'o' sees one node and no step, of which a mean is made; let it see more time
    o = { mean = "x", after = "end" }
                               ^^^)");
  EXPECT_EQ(problems_of(with("",
                             "o = { final = \"x\", after = 1, before = 1 }\np = { max = \"x\", after = \"end\" }\nq = "
                             "{ max = \"x\", before = 0 }\n")),
            "");
  // a node but for rounding: 3 h
  EXPECT_EQ(problems_of(with("", "o = { max = \"x\", after = 1.5000000000000002, before = 1.4999999999999998 }\n")),
            "");
}

TEST(SeenTimes, AreJudgedByTheSupportAndAfterOverrides) {
  const auto vary = [](const std::string& limits, const std::string& observe) {
    return with("", observe) + "[vary]\na = { uniform = " + limits + " }\n";
  };
  // for every member
  EXPECT_EQ(problems_of(vary("[2.5, 3]", "o = { max = \"x\", after = \"a\" }\n")), R"(
test.toml:13:27: after lies between 2.5 and 3 and members end at 2, so that 'o' sees no node of any member; give an earlier time, "end/2" for example
    o = { max = "x", after = "a" }
                              ^)");
  // for some: they have no value
  EXPECT_EQ(problems_of(vary("[1, 3]", "o = { max = \"x\", after = \"a\" }\n")), "");
  EXPECT_EQ(problems_of(with("", "o = { max = \"x\", after = \"a\" }\n") + "[sweep]\na = { values = [1, 3] }\n"), "");
  const auto said = [](const std::string& text, double end) {
    scenario::Overrides overrides;
    overrides.end = end;
    std::string got;
    for (const auto& problem : find_problems(text, overrides)) got += problem.message;
    return got;
  };
  const std::string late = with("", "o = { max = \"x\", after = 2.5 }\n"),
                    soon = with("", "o = { max = \"x\", after = 1.5 }\n");
  EXPECT_EQ(said(late, 3), "");
  EXPECT_EQ(said(soon, 2), "");
  EXPECT_NE(said(soon, 1).find("after is 1.5 and members end at 1"), std::string::npos);
  // nothing follows from an end that was not understood
  EXPECT_EQ(said(late, 0.7), "end = 0.7 is not a whole number of steps of 0.5; nearest: end = 0.5 or 1");
}

TEST(Stop, IsRefusedWithWhatToWrite) {
  EXPECT_EQ(problems_of(with("stop = \"x\"", "")), R"(
test.toml:11:9: stop needs a condition such as x > 0, got a number
    stop = "x"
            ^)");
  EXPECT_EQ(problems_of(with("stop = \"x < 0\"", "end_time = { max = \"t\" }\n")), R"(
test.toml:13:1: 'end_time' is observed where [time] has stop; choose another name
    end_time = { max = "t" }
    ^^^^^^^^)");
}

TEST(Impacts, AreReadAndWrittenBack) {
  const std::string wall = "[[model.contact]]\ninside = \"x >= 0\"\n[observe]\n";
  EXPECT_EQ(parse_scenario(with("", "")).impacts, scenario::Impacts::nodes);
  EXPECT_EQ(write_scenario(parse_scenario(with("", ""))).find("impacts ="), std::string::npos);
  for (const auto& [word, meaning] :
       {std::pair{"nodes", scenario::Impacts::nodes}, std::pair{"located", scenario::Impacts::located}}) {
    const std::string text = with("impacts = \"" + std::string(word) + "\"", "");
    const Scenario s = parse_scenario(text.substr(0, text.find("[observe]")) + wall);
    EXPECT_EQ(s.impacts, meaning);
    EXPECT_EQ(parse_scenario(write_scenario(s)).impacts, meaning);
    EXPECT_EQ(write_scenario(s).find("impacts = \"located\"\n") != std::string::npos,
              meaning == scenario::Impacts::located);
  }
}

TEST(Impacts, AreRefusedWithWhatToWrite) {
  EXPECT_EQ(problems_of(with("impacts = \"located\"", "")), R"(
test.toml:11:11: impacts = "located" needs a contact: what arrives is located at a wall; add a [[model.contact]], or leave impacts out
    impacts = "located"
              ^^^^^^^^^)");
  EXPECT_EQ(problems_of(with("impacts = \"exact\"", "")), R"(
test.toml:11:11: unknown impacts 'exact'; known: nodes and located
    impacts = "exact"
              ^^^^^^^)");
  EXPECT_EQ(problems_of(with("impacts = true", "")), R"(
test.toml:11:11: impacts must be a text in quotes: nodes or located
    impacts = true
              ^^^^)");
}

}  // namespace
}  // namespace conesweep::test
