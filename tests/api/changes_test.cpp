// Scenarios changed and built in memory: the same as a file that says so, and problems with their places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <conesweep/conesweep.hpp>
#include <limits>

#include "io/sample_run.hpp"

namespace conesweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string slider = CONESWEEP_SAMPLES "/slider.toml";

std::vector<Problem> problems_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const ScenarioError& error) {
    return error.problems();
  }
  ADD_FAILURE() << "nothing was wrong";
  return {};
}

TEST(Changes, AreThoseOfARunByTheSameNames) {
  const Scenario scenario = Scenario::read(slider);
  const Scenario changed = scenario.with(Changes()
                                             .members(50)
                                             .seed(7)
                                             .step(0.02)
                                             .end(2)
                                             .set("tau", 0.2)
                                             .vary("k", uniform(3, 5))
                                             .vary("v0", normal(1, 0.1)));
  RunOptions options;
  options.backend = "reference";
  const Ensemble of_changes = run(changed, options);
  options.members = 50, options.seed = 7, options.step = 0.02, options.end = 2;
  options.set["tau"] = 0.2;
  options.vary = {{"k", "uniform:3:5"}, {"v0", "normal:1:0.1"}};
  const Ensemble of_options = run(scenario, options);
  EXPECT_EQ(of_changes.scenario, of_options.scenario);
  EXPECT_EQ(of_changes.observables, of_options.observables);
  EXPECT_THAT(changed.varied(), ElementsAre("alpha", "v0", "k"));
  EXPECT_EQ(changed.steps(), 100);
  EXPECT_EQ(scenario.steps(), 4000) << "the first one stays as it is";
}

TEST(Changes, AddUpAndTheLastOneCounts) {
  const Scenario scenario = Scenario::read(slider).with(Changes().members(50).set("alpha", 0.3));
  EXPECT_THAT(scenario.varied(), ElementsAre("v0", "tau"));
  const Scenario more = scenario.with(Changes().step(0.01));
  EXPECT_EQ(more.members(), 50);
  EXPECT_THAT(more.varied(), ElementsAre("v0", "tau"));
  EXPECT_THAT(more.with(Changes().vary("alpha", uniform(0.2, 0.3))).varied(), ElementsAre("alpha", "v0", "tau"));
  EXPECT_EQ(more.with(Changes().members(20).members(30)).members(), 30);
  EXPECT_EQ(more.with(Changes().write("ensemble.members", 40)).members(), 40) << "a key that is written now counts";
  EXPECT_EQ(more.with(Changes().write("time.step", 0.02).step(0.005)).step(), 0.005);
}

TEST(Changes, WriteAnyKeyOfTheFile) {
  const Scenario scenario = Scenario::read(slider);
  const Scenario changed = scenario.with(Changes()
                                             .write("model.contact.0.friction_angle", "alpha / 2")
                                             .write("ensemble.sampler", "sobol")
                                             .write("vary.k", Value::Table{{"uniform", Value::List{3, 5.5}}})
                                             .write("record", Value::Table{{"members", 3}, {"every", 7}})
                                             .observe("fast", "max", "abs(vx)")
                                             .parameter("unused", 3)
                                             .erase("observe.hold"));
  EXPECT_THAT(changed.text(), HasSubstr("friction_angle = \"alpha / 2\"                        # radians"));
  EXPECT_THAT(changed.text(), HasSubstr("k = { uniform = [3, 5.5] }"));
  EXPECT_EQ(changed.recorded_members(), 3);
  EXPECT_EQ(changed.recorded_every(), 7);
  const auto observables = changed.observables();
  EXPECT_THAT(std::vector(observables.begin(), observables.begin() + 3), ElementsAre("reach", "settled", "fast"));
  EXPECT_THAT(changed.varied(), ElementsAre("alpha", "v0", "tau", "k"));
  EXPECT_EQ(changed.parameters().at("unused"), 3);
  EXPECT_EQ(Scenario::parse(changed.text()).resolved(), Scenario::parse(changed.resolved()).resolved());
}

TEST(Changes, BuildAScenarioFromNothing) {
  const Scenario built =
      Scenario::build(Changes()
                          .write("title", "Bouncing \"ball\"")
                          .write("model", Value::Table{{"coordinates", Value::List{"y"}}, {"force", Value::List{"-g"}}})
                          .parameter("g", 9.81)
                          .parameter("e", 0.5)
                          .write("model.contact.0", Value::Table{{"inside", "y >= 0"}, {"restitution", "e"}})
                          .write("start.y", "1")
                          .write("time", Value::Table{{"end", 2.0}, {"step", 0.001}})
                          .vary("e", uniform(0.4, 0.6))
                          .members(3)
                          .observe("top", "max", "if(t > 0.5, y, 0)"));
  const Scenario parsed = Scenario::parse(R"toml(title = "Bouncing \"ball\""
model.coordinates = ["y"]
model.force = ["-g"]
model.parameters = { g = 9.81, e = 0.5 }
model.contact = [ { inside = "y >= 0", restitution = "e" } ]
start.y = "1"
time = { end = 2.0, step = 0.001 }
vary.e = { uniform = [0.4, 0.6] }
ensemble.members = 3
observe.top = { max = "if(t > 0.5, y, 0)" }
)toml");
  EXPECT_EQ(built.resolved(), parsed.resolved());
  EXPECT_EQ(built.with(Changes().write("model.contact.1", Value::Table{{"inside", "y <= 3"}})).resolved(),
            parsed.with(Changes().write("model.contact.1", Value::Table{{"inside", "y <= 3"}})).resolved());
}

TEST(Changes, HaveAllProblemsWithTheirPlaces) {
  const Scenario scenario = Scenario::read(slider);
  const auto problems = problems_of([&] {
    scenario.with(
        Changes().write("model.contact.0.friction_angle", "alfa").write("time.stp", 1).set("taw", 1).step(-1));
  });
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_THAT(problems[0].file, "set");
  EXPECT_THAT(problems[0].hint, HasSubstr("did you mean 'tau'?"));
  EXPECT_EQ(problems[1].file, "step");
  EXPECT_EQ(problems[1].line, 0);
  EXPECT_EQ(problems[2].file, slider);
  EXPECT_THAT(problems[2].excerpt, HasSubstr("friction_angle = \"alfa\""));
  EXPECT_EQ(problems[2].excerpt.substr(static_cast<std::size_t>(problems[2].column - 1), 4), "alfa");
  EXPECT_THAT(problems[3].words(), HasSubstr("unknown key 'stp' in [time]; did you mean 'step'?"));
  EXPECT_THAT(problems[3].words(), HasSubstr("\n    stp = 1\n    ^^^"));
  EXPECT_THROW(scenario.with(Changes().write("time.end.x", 1)), ScenarioError);
  EXPECT_THROW(scenario.with(Changes().set("tau", std::numeric_limits<double>::infinity())), ScenarioError);
  EXPECT_THROW(scenario.with(Changes().keep("all")), ScenarioError);
}

TEST(Changes, AreCheckedWithAllThatIsWorthKnowing) {
  const Checked good = check(slider);
  EXPECT_TRUE(good.valid);
  ASSERT_FALSE(good.problems.empty());
  EXPECT_EQ(good.problems.back().severity, Problem::Severity::note);
  EXPECT_THAT(good.problems.back().words(), HasSubstr("note: theory: "));
  EXPECT_EQ(Scenario::read(slider).notes().size(), good.problems.size());
  const Checked wrong = check(slider, Changes().write("time.step", "often"));
  EXPECT_FALSE(wrong.valid);
  EXPECT_THAT(wrong.json, HasSubstr("\"valid\": false"));
  EXPECT_FALSE(check_text("a = = 1").valid);
}

TEST(Value, IsWrittenAsTomlReadsIt) {
  EXPECT_EQ(Value(5.0).text(), "5.0");
  EXPECT_EQ(Value(1e-7).text(), "1e-07");
  EXPECT_EQ(Value(0.1).text(), "0.1");
  EXPECT_EQ(Value(5).text(), "5");
  EXPECT_EQ(Value(true).text(), "true");
  EXPECT_EQ(Value("a\"b").text(), "\"a\\\"b\"");
  EXPECT_EQ(Value(Value::Table{{"a b", Value::List{1, "x"}}, {"c", Value::List{}}}).text(),
            "{ \"a b\" = [1, \"x\"], c = [] }");
}

}  // namespace
}  // namespace conesweep
