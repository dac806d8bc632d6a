// A compiled scenario called over arrays: the numbers of a run, where the caller wants them.
#include "conesweep/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <conesweep/conesweep.hpp>
#include <thread>

#include "io/sample_run.hpp"

namespace conesweep {
namespace {

using io::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string slider = CONESWEEP_SAMPLES "/slider.toml";

Scenario read_short(const std::string& file = slider, const Changes& more = {}) {
  setenv("CONESWEEP_CACHE", CONESWEEP_TEST_CACHE, 1);
  return Scenario::read(file).with(more);
}

Changes few() { return Changes().members(40).step(0.02); }

Model compile_for(const Scenario& scenario, const std::string& backend) {
  CompileOptions options;
  options.backend = backend;
  return compile(scenario, options);
}

// all bits, NaN too
template <class A, class B>
void expect_same(const A& a, const B& b, const std::string& what) {
  ASSERT_EQ(std::size(a), std::size(b)) << what;
  for (std::size_t k = 0; k < std::size(a); ++k)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(double(a[k])), std::bit_cast<std::uint64_t>(double(b[k])))
        << what << " " << k;
}

Call call_of(const Scenario& scenario, const std::vector<double>& parameters) {
  Call call;
  call.count = scenario.members();
  call.parameters = parameters;
  call.recorded = scenario.recorded_members();
  call.every = scenario.recorded_every();
  return call;
}

// the members of a run, called with their parameters
void expect_run(const Scenario& scenario, const std::string& backend) {
  RunOptions options;
  options.backend = backend;
  options.step_check = false;
  const Ensemble ensemble = run(scenario, options);
  const Model model = compile_for(scenario, backend);
  EXPECT_EQ(model.backend(), backend);
  const auto parameters = scenario.draw(0, scenario.members());
  const Call call = call_of(scenario, parameters);
  const Outcome outcome = model.evaluate(call);
  for (std::size_t o = 0; o < model.observables().size(); ++o)
    expect_same(outcome.observable(o), ensemble.observables.at(model.observables()[o]), model.observables()[o]);
  EXPECT_EQ(outcome.status, ensemble.status);
  EXPECT_EQ(outcome.flags, ensemble.flags);
  EXPECT_EQ(outcome.classes, ensemble.class_of);
  expect_same(outcome.stop_time, ensemble.stop_time, "stop_time");
  ASSERT_EQ(outcome.recorded, ensemble.tracks.members);
  if (outcome.recorded == 0) return;
  EXPECT_EQ(model.times(call), ensemble.tracks.time);
  EXPECT_EQ(model.tracks(), ensemble.tracks.names);
  std::vector<double> tracks;
  for (const auto& column : ensemble.tracks.columns) tracks.insert(tracks.end(), column.begin(), column.end());
  expect_same(outcome.trajectories, tracks, "trajectories");
  EXPECT_EQ(outcome.modes, ensemble.tracks.mode);
}

TEST(Model, GivesTheMembersOfARunOnBothExecutors) {
  const Scenario scenario = read_short(slider, few().end(1));
  for (const char* backend : {"cpu", "reference"}) expect_run(scenario, backend);
}

TEST(Model, TellsOfMembersThatStop) {
  const Scenario scenario = read_short(CONESWEEP_SAMPLES "/blow_up.toml");
  expect_run(scenario, "cpu");
  const Outcome outcome =
      compile_for(scenario, "cpu").evaluate(call_of(scenario, scenario.draw(0, scenario.members())));
  ASSERT_TRUE(std::any_of(outcome.status.begin(), outcome.status.end(), [](auto status) { return status != 0; }));
  for (const auto status : outcome.status) EXPECT_EQ(status_names()[status], status == 0 ? "ok" : "non_finite");
  EXPECT_THAT(status_advice(1), HasSubstr("smaller [time] step"));
}

TEST(Model, TellsClasses) {
  const Scenario scenario =
      read_short(slider, few().write("classes", Value::Table{{"far", "reach > 1"}, {"near", "else"}}));
  expect_run(scenario, "cpu");
  const Model model = compile_for(scenario, "cpu");
  EXPECT_EQ(model.classes()[0], "far");
}

TEST(Model, WritesOnlyWhatIsWantedAndWhereItIsWanted) {
  const Scenario scenario = read_short(slider, few());
  const Model model = compile_for(scenario, "cpu");
  const auto parameters = scenario.draw(0, 40);
  const Outcome all = model.evaluate(call_of(scenario, parameters));
  std::vector<double> observables(model.observables().size() * 40, -1);
  std::vector<std::uint8_t> status(40, 9);
  Call call = call_of(scenario, parameters);
  call.observables = observables;
  model.run(call);
  EXPECT_EQ(status[0], 9);
  EXPECT_EQ(observables, all.observables);
  call.observables = {};
  call.status = status;
  model.run(call);
  EXPECT_EQ(status, all.status);
}

TEST(Model, TakesOtherValuesStepsAndEndsWithoutCompilingAgain) {
  const Scenario scenario = read_short(slider, few());
  const Model model = compile_for(scenario, "cpu");
  const auto parameters = scenario.draw(0, 40);
  Call call;
  call.count = 40;
  call.parameters = parameters;
  call.set["k"] = 3.5;
  call.step = 0.01;
  call.end = 2;
  const Scenario changed = scenario.with(Changes().set("k", 3.5).step(0.01).end(2));
  const Outcome by_call = model.evaluate(call);
  call.set.clear(), call.step.reset(), call.end.reset();
  EXPECT_EQ(by_call.observables, compile_for(changed, "cpu").evaluate(call).observables);
}

TEST(Model, TakesTheColumnsThatAreAskedFor) {
  const Scenario scenario = read_short(slider, few());
  CompileOptions options;
  options.backend = "cpu";
  options.columns = {"target", "alpha"};
  const Model model = compile(scenario, options);
  EXPECT_THAT(model.columns(), ElementsAre("target", "alpha"));
  const std::vector<double> parameters = {1, 1.5, 2, 0.2, 0.3, 0.4};
  Call call;
  call.count = 3;
  call.parameters = parameters;
  const Outcome outcome = model.evaluate(call);
  for (std::size_t m = 0; m < 3; ++m) {
    const Scenario one = scenario.with(
        Changes().members(1).set("target", parameters[m]).set("alpha", parameters[3 + m]).set("v0", 1).set("tau", 0.2));
    RunOptions alone;
    alone.backend = "cpu";
    EXPECT_EQ(outcome.observable(0)[m], run(one, alone).observables.at("reach")[0]) << m;
  }
  options.columns = {"alpha", "taw"};
  EXPECT_THAT(message_of<ScenarioError>([&] { compile(scenario, options); }), HasSubstr("did you mean 'tau'?"));
}

TEST(Model, LetsComputedParametersFollow) {
  const Scenario scenario =
      read_short(slider, few().write("model.parameters.g", "9.81 * target").erase("vary").members(1));
  const Model model = compile_for(scenario, "cpu");
  Call call;
  call.count = 1;
  call.set["target"] = 1.25;
  RunOptions alone;
  alone.backend = "cpu";
  EXPECT_EQ(model.evaluate(call).observable(0)[0],
            run(scenario.with(Changes().set("target", 1.25)), alone).observables.at("reach")[0]);
}

TEST(Model, IsCalledBySeveralThreadsAtOnce) {
  const Scenario scenario = read_short(slider, few());
  const Model model = compile_for(scenario, "cpu");
  const auto parameters = scenario.draw(0, 40);
  Call call;
  call.count = 40;
  call.parameters = parameters;
  const Outcome alone = model.evaluate(call);
  std::vector<Outcome> together(6);
  std::vector<std::thread> threads;
  for (auto& outcome : together)
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) outcome = model.evaluate(call);
    });
  for (auto& thread : threads) thread.join();
  for (const Outcome& outcome : together) EXPECT_EQ(outcome.observables, alone.observables);
}

TEST(Model, TellsHowFarItIsAndStops) {
  const Scenario scenario = read_short(slider, few());
  const Model model = compile_for(scenario, "cpu");
  const auto parameters = scenario.draw(0, 40);
  Call call;
  call.count = 40;
  call.parameters = parameters;
  std::int64_t finished = 0;
  call.finished = [&](std::int64_t members) { finished += members; };
  model.evaluate(call);
  EXPECT_EQ(finished, 40);
  const std::atomic<bool> cancel = true;
  call.cancel = &cancel;
  EXPECT_THROW(model.evaluate(call), Cancelled);
  // not even its memory is made ready, which of many members takes seconds
  std::vector<double> observables(model.observables().size() * 40, 7.0);
  call.observables = observables;
  EXPECT_THROW(model.run(call), Cancelled);
  EXPECT_EQ(observables, std::vector<double>(observables.size(), 7.0));
  CompileOptions options;
  options.cancel = &cancel;
  EXPECT_THROW(compile(read_short(slider, few().write("model.force", Value::List{"-x - 0.12345 * y", "-g"})), options),
               Cancelled);
}

TEST(Model, IsAsPreciseAsAsked) {
  const Scenario scenario = read_short(slider, few());
  CompileOptions options;
  options.backend = "cpu";
  options.precision = "single";
  const auto parameters = scenario.draw(0, 40);
  Call call;
  call.count = 40;
  call.parameters = parameters;
  const Outcome in_single = compile(scenario, options).evaluate(call);
  const Outcome in_double = compile_for(scenario, "cpu").evaluate(call);
  EXPECT_NE(in_single.observables, in_double.observables);
  for (std::size_t m = 0; m < 40; ++m) EXPECT_NEAR(in_single.observable(0)[m], in_double.observable(0)[m], 1e-3);
}

TEST(Model, RefusesWhatMakesNoSense) {
  const Scenario scenario = read_short(slider, few());
  const Model model = compile_for(scenario, "cpu");
  const auto parameters = scenario.draw(0, 40);
  const auto refusal = [&](const std::function<void(Call&)>& change) {
    Call call;
    call.count = 40;
    call.parameters = parameters;
    change(call);
    return message_of<ScenarioError>([&] { model.run(call); });
  };
  std::vector<double> short_one(3);
  EXPECT_EQ(refusal([](Call& c) { c.count = 41; }), "parameters has room for 120 numbers; wanted: 123");
  EXPECT_THAT(refusal([&](Call& c) { c.observables = short_one; }), HasSubstr("observables has room for 3 numbers"));
  EXPECT_THAT(refusal([](Call& c) { c.set["alpha"] = 1; }), HasSubstr("'alpha' comes as a column"));
  EXPECT_THAT(refusal([](Call& c) { c.set["kk"] = 1; }), HasSubstr("unknown parameter 'kk'; did you mean 'k'?"));
  EXPECT_THAT(refusal([](Call& c) { c.set["k"] = std::nan(""); }), HasSubstr("set k: nan is not a finite number"));
  EXPECT_THAT(refusal([](Call& c) { c.step = 0.03; }), HasSubstr("is not a whole number of steps of 0.03"));
  EXPECT_THAT(refusal([](Call& c) { c.step = -1; }), HasSubstr("step: must be greater than 0, got -1"));
  EXPECT_THAT(refusal([](Call& c) { c.every = 0; }), HasSubstr("every at least 1"));
  EXPECT_THAT(refusal([](Call& c) { c.count = -1; }), HasSubstr("count and first must be at least 0"));
}

}  // namespace
}  // namespace conesweep
