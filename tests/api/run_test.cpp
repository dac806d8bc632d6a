// conesweep::run of the public header: folder and memory, resume, cancellation, growth, precision, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <conesweep/conesweep.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "io/sample_run.hpp"

namespace conesweep {
namespace {

namespace fs = std::filesystem;
using io::list;
using io::message_of;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string slider = CONESWEEP_SAMPLES "/slider.toml";

RunOptions cpu(std::int64_t members) {
  setenv("CONESWEEP_CACHE", CONESWEEP_TEST_CACHE, 1);
  RunOptions options;
  options.members = members;
  options.backend = "cpu";
  options.step = 0.02;
  return options;
}

// What a summary says beside who ran it and how long it took.
json results_of(const std::string& summary) {
  json all = json::parse(summary);
  all.erase("run");
  all.erase("timing");
  return all;
}

// All numbers, bit by bit: NaN is equal to NaN.
void expect_same(const Ensemble& a, const Ensemble& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.flags, b.flags);
  EXPECT_EQ(a.tracks.members, b.tracks.members);
  EXPECT_EQ(a.tracks.time, b.tracks.time);
  EXPECT_EQ(a.tracks.names, b.tracks.names);
  EXPECT_EQ(a.tracks.columns, b.tracks.columns);
  EXPECT_EQ(a.tracks.mode, b.tracks.mode);
  EXPECT_EQ(a.scenario, b.scenario);
  EXPECT_EQ(results_of(a.summary), results_of(b.summary));
  for (const auto& [of_a, of_b] :
       {std::pair(&a.parameters, &b.parameters), std::pair(&a.observables, &b.observables)}) {
    ASSERT_EQ(of_a->size(), of_b->size());
    for (const auto& [name, column] : *of_a) {
      const auto& other = of_b->at(name);
      ASSERT_EQ(column.size(), other.size()) << name;
      for (std::size_t m = 0; m < column.size(); ++m)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(column[m]), std::bit_cast<std::uint64_t>(other[m]))
            << name << " of member " << m;
    }
  }
}

class RunTest : public io::InFolder {
 protected:
  std::string out = (folder / "deep" / "run").string();
};

TEST_F(RunTest, AFinishedRunThatIsOpenKeepsNoOtherThreadWaiting) {
  RunOptions options = cpu(100);
  options.out = out;
  run(slider, options);
  const FinishedRun open = FinishedRun::open(out);
  options.out = (folder / "other").string();
  std::thread([&] { run(slider, options); }).join();
  EXPECT_EQ(FinishedRun::open(options.out).observable("reach"), open.observable("reach"));
}

TEST_F(RunTest, GivesTheSameInMemoryAndInAFolder) {
  RunOptions options = cpu(5000);
  const Ensemble in_memory = run(slider, options);
  EXPECT_FALSE(fs::exists(out));
  options.out = out;
  const Ensemble in_folder = run(slider, options);
  EXPECT_THAT(list(out), ElementsAre("results.h5", "scenario.toml", "summary.json"));
  EXPECT_EQ(io::read_file(out + "/summary.json"), in_folder.summary);
  EXPECT_EQ(io::read_file(out + "/scenario.toml"), in_folder.scenario);
  EXPECT_EQ(in_memory.members, 5000);
  EXPECT_EQ(in_memory.stopped, 0);
  EXPECT_EQ(in_memory.observables.at("reach").size(), 5000u);
  EXPECT_EQ(results_of(in_memory.summary)["step_check"]["members"], 256);
  EXPECT_TRUE(results_of(in_memory.summary).contains("trajectories"));
  expect_same(in_memory, in_folder);
}

TEST_F(RunTest, DoesNotDependOnThreadsAndChunks) {
  RunOptions options = cpu(9000);
  const Ensemble whole = run(slider, options);
  options.threads = 1;
  options.chunk = 4096;
  expect_same(run(slider, options), whole);
}

TEST_F(RunTest, ReplacesNothingUnasked) {
  RunOptions options = cpu(300);
  options.out = out;
  const Ensemble first = run(slider, options);
  EXPECT_THAT(message_of<ScenarioError>([&] { run(slider, options); }), HasSubstr("holds a finished run"));
  options.seed = 7;
  options.resume = true;
  EXPECT_THAT(message_of<ScenarioError>([&] { run(slider, options); }),
              HasSubstr("holds a finished run of another scenario"));
  options.resume = false;
  options.force = true;
  const Ensemble second = run(slider, options);
  EXPECT_NE(first.observables.at("reach"), second.observables.at("reach"));
  EXPECT_EQ(json::parse(io::read_file(out + "/summary.json"))["run"]["seed"], 7);
}

TEST_F(RunTest, ReadsAFinishedRunInsteadOfSteppingIt) {
  RunOptions options = cpu(300);
  options.out = out;
  const Ensemble first = run(slider, options);
  options.resume = true;
  options.progress = [](const Progress&) { FAIL() << "a member was stepped"; };
  expect_same(run(slider, options), first);
  EXPECT_EQ(run(slider, options).summary, first.summary);
}

TEST_F(RunTest, CanLeaveTheColumnsInTheFolder) {
  RunOptions options = cpu(300);
  options.out = out;
  options.columns = false;
  const Ensemble ensemble = run(slider, options);
  EXPECT_TRUE(ensemble.observables.empty() && ensemble.parameters.empty() && ensemble.status.empty());
  EXPECT_EQ(ensemble.members, 300);
  options.resume = true;
  EXPECT_TRUE(run(slider, options).status.empty());
}

TEST_F(RunTest, TellsHowFarItIs) {
  RunOptions options = cpu(9000);
  options.chunk = 4096;
  std::vector<Progress> told;
  options.progress = [&](const Progress& progress) { told.push_back(progress); };
  run(slider, options);
  ASSERT_GT(told.size(), 2u);
  EXPECT_EQ(told.front().done, 0);
  EXPECT_EQ(told.back().done, 9000);
  for (std::size_t k = 0; k < told.size(); ++k) {
    EXPECT_EQ(told[k].members, 9000);
    EXPECT_GE(told[k].done, told[k > 0 ? k - 1 : 0].done);
  }
}

TEST_F(RunTest, TellsTheMeanThatIsWatched) {
  RunOptions options = cpu(9000);
  options.chunk = 4096;
  options.watch = "reach";
  std::vector<Progress> told;
  options.progress = [&](const Progress& progress) { told.push_back(progress); };
  const std::vector<double> reach = run(slider, options).observables.at("reach");
  double sum = 0, squares = 0;
  for (const double x : reach) sum += x;
  const double n = static_cast<double>(reach.size()), mean = sum / n;
  for (const double x : reach) squares += (x - mean) * (x - mean);
  ASSERT_GT(told.size(), 3u);
  EXPECT_TRUE(std::isnan(told.front().mean)) << "no member is there";
  EXPECT_EQ(told.back().count, 9000);
  EXPECT_NEAR(told.back().mean, mean, 1e-12);
  EXPECT_NEAR(told.back().standard_error, std::sqrt(squares / (n - 1) / n), 1e-12);
  for (const Progress& progress : told) {
    EXPECT_EQ(progress.members, 9000);
    EXPECT_LE(progress.count, progress.done);
  }
  options.watch = "raech";
  EXPECT_THAT(message_of<ScenarioError>([&] { run(slider, options); }),
              HasSubstr("watch: nothing observed is called 'raech'; did you mean 'reach'?"));
}

TEST_F(RunTest, CancelledGoesOnToTheSameBits) {
  RunOptions options = cpu(20000);
  options.chunk = 4096;
  options.out = (folder / "whole").string();
  const Ensemble whole = run(slider, options);

  std::atomic<bool> cancel = false;
  options.out = out;
  options.cancel = &cancel;
  options.progress = [&](const Progress& progress) { cancel = cancel || progress.done > 3 * 4096; };
  EXPECT_THAT(message_of<Cancelled>([&] { run(slider, options); }), HasSubstr("are kept in " + out));
  EXPECT_FALSE(fs::exists(out + "/summary.json"));
  EXPECT_TRUE(fs::exists(out + "/chunks/run.txt"));

  // not unasked, and not as another run
  cancel = false;
  std::int64_t begun = -1;
  options.progress = [&](const Progress& progress) { begun = begun < 0 ? progress.done : begun; };
  EXPECT_THAT(message_of<ScenarioError>([&] { run(slider, options); }), HasSubstr("holds an unfinished run"));
  options.resume = true;
  options.precision = "single";
  EXPECT_THAT(message_of<ScenarioError>([&] { run(slider, options); }),
              HasSubstr("is another one: 'precision double' in the unfinished run"));
  options.precision = "double";
  EXPECT_EQ(begun, -1);

  const Ensemble resumed = run(slider, options);
  EXPECT_GE(begun, 4096);
  expect_same(resumed, whole);
  EXPECT_TRUE(io::read_file(out + "/results.h5") == io::read_file(folder / "whole" / "results.h5"));
  EXPECT_THAT(list(out), ElementsAre("results.h5", "scenario.toml", "summary.json"));
}

TEST_F(RunTest, CancelledBeforeItBeginsLeavesNothing) {
  const std::atomic<bool> cancel = true;
  RunOptions options = cpu(5000);
  options.cancel = &cancel;
  EXPECT_EQ(message_of<Cancelled>([&] { run(slider, options); }), "interrupted; nothing was written");
  options.out = out;
  EXPECT_EQ(message_of<Cancelled>([&] { run(slider, options); }), "interrupted; nothing was written");
  EXPECT_FALSE(fs::exists(folder / "deep"));
}

TEST_F(RunTest, EndsWithWhatAFunctionOfTheUsersThrows) {
  RunOptions options = cpu(20000);
  options.progress = [](const Progress& progress) {
    if (progress.done > 5000) throw std::logic_error("enough");
  };
  EXPECT_EQ(message_of<std::logic_error>([&] { run(slider, options); }), "enough");
}

TEST_F(RunTest, GrowsUntilTheMeanIsKnown) {
  RunOptions options = cpu(500);
  options.until["reach"] = 0.01;
  std::int64_t most = 0;
  options.progress = [&](const Progress& progress) { most = progress.members; };
  const Ensemble in_memory = run(slider, options);
  EXPECT_TRUE(in_memory.reached);
  EXPECT_GT(in_memory.members, 500);
  EXPECT_EQ(in_memory.members, most);
  const json reach = results_of(in_memory.summary)["observables"]["reach"];
  EXPECT_LE(reach["standard_error"].get<double>(), 0.01 * std::fabs(reach["mean"].get<double>()));
  options.out = out;
  expect_same(run(slider, options), in_memory);

  options.out = "";
  options.until["reach"] = 1e-4;
  options.most = 700;
  const Ensemble bounded = run(slider, options);
  EXPECT_FALSE(bounded.reached);
  EXPECT_EQ(bounded.members, 700);
}

TEST_F(RunTest, HasThePrecisionAskedFor) {
  RunOptions options = cpu(300);
  const Ensemble in_double = run(slider, options);
  options.precision = "single";
  const Ensemble in_single = run(slider, options);
  EXPECT_EQ(json::parse(in_single.summary)["run"]["precision"], "single");
  const auto &a = in_double.observables.at("reach"), &b = in_single.observables.at("reach");
  EXPECT_NE(a, b);
  for (std::size_t m = 0; m < a.size(); ++m) EXPECT_NEAR(a[m], b[m], 1e-3);
}

TEST_F(RunTest, SaysWhatAUserShouldKnow) {
  std::vector<std::string> messages;
  RunOptions options = cpu(2000);
  options.step = 0.2;  // far too large
  options.message = [&](const std::string& sentence) { messages.push_back(sentence); };
  run(slider, options);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(messages[0], StartsWith("the step is large for "));
  messages.clear();
  options.step_check = false;
  EXPECT_FALSE(results_of(run(slider, options).summary).contains("step_check"));
  EXPECT_TRUE(messages.empty());
}

TEST_F(RunTest, CountsMembersThatStopped) {
  RunOptions options = cpu(0);
  options.members.reset(), options.step.reset();
  const Ensemble ensemble = run(CONESWEEP_SAMPLES "/blow_up.toml", options);
  EXPECT_GT(ensemble.stopped, 0);
  EXPECT_EQ(ensemble.stopped, ensemble.members - std::count(ensemble.status.begin(), ensemble.status.end(), 0));
  for (std::size_t m = 0; m < ensemble.status.size(); ++m)
    EXPECT_EQ(ensemble.status[m] == 0, std::isnan(ensemble.stop_time[m]));
}

TEST_F(RunTest, GoesBesideOthersInOneProgram) {
  RunOptions options = cpu(3000);
  const Ensemble alone = run(slider, options);
  std::vector<Ensemble> together(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < together.size(); ++k)
    threads.emplace_back([&, k] {
      RunOptions mine = options;
      mine.out = (folder / std::to_string(k)).string();
      together[k] = run(slider, mine);
    });
  for (auto& thread : threads) thread.join();
  for (const Ensemble& one : together) expect_same(one, alone);
}

TEST_F(RunTest, RefusesWhatMakesNoSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refusal = [&](const std::function<void(RunOptions&)>& change) {
    RunOptions options = cpu(300);
    change(options);
    return message_of<ScenarioError>([&] { run(slider, options); });
  };
  EXPECT_EQ(refusal([](RunOptions& o) { o.precision = "half"; }),
            "precision: 'half' is not known; double and single are");
  EXPECT_EQ(refusal([](RunOptions& o) { o.threads = -1; }), "threads: from 1 to 4096, or 0 for all cores; got -1");
  EXPECT_THAT(refusal([](RunOptions& o) { o.backend = "gpu"; }), HasSubstr("gpu"));
  EXPECT_EQ(refusal([](RunOptions& o) { o.chunk = 4097; }),
            "chunk: must be a multiple of 4096, got 4097; nearest: 4096");
  EXPECT_EQ(refusal([](RunOptions& o) { o.chunk = -4096; }),
            "chunk: must be a multiple of 4096, got -4096; nearest: 4096");
  EXPECT_EQ(refusal([](RunOptions& o) { o.resume = true; }),
            "'force' and 'resume' are about a folder, and there is none");
  EXPECT_EQ(refusal([&](RunOptions& o) { o.out = out, o.resume = o.force = true; }),
            "'force' starts over and 'resume' goes on; give one of them");
  EXPECT_EQ(refusal([](RunOptions& o) { o.most = 1000; }), "'most' bounds 'until'; without it 'members' says how many");
  EXPECT_EQ(refusal([](RunOptions& o) { o.until["rech"] = 0.01; }),
            "until: nothing observed is called 'rech'; did you mean 'reach'?");
  EXPECT_EQ(refusal([](RunOptions& o) { o.until["reach"] = 1.5; }),
            "until: the share of 'reach:1.5' must lie between 0 and 1 (100%)");
  EXPECT_EQ(refusal([&](RunOptions& o) { o.until["reach"] = nan; }),
            "until: the share of 'reach:nan' must lie between 0 and 1 (100%)");
  EXPECT_EQ(refusal([&](RunOptions& o) { o.step = nan; }), "step: nan is not a finite number");
  EXPECT_EQ(refusal([&](RunOptions& o) { o.set["alpha"] = nan; }), "set alpha: nan is not a finite number");
  EXPECT_THAT(refusal([](RunOptions& o) { o.members = -1; }), HasSubstr("members"));
  EXPECT_THAT(refusal([](RunOptions& o) { o.set["alfa"] = 1; }), HasSubstr("did you mean 'alpha'?"));
  EXPECT_THAT(message_of<ScenarioError>([] { run("nowhere.toml"); }), HasSubstr("nowhere.toml"));
  EXPECT_FALSE(fs::exists(folder / "deep"));
}

TEST_F(RunTest, SaysWhatTheSystemRefuses) {
  io::write_file(folder / "file", "mine");
  RunOptions options = cpu(300);
  options.out = (folder / "file").string();
  EXPECT_THAT(message_of<std::runtime_error>([&] { run(slider, options); }), HasSubstr("it is a file"));
  EXPECT_EQ(io::read_file(folder / "file"), "mine");
}

TEST_F(RunTest, CountsClassesAndTellsThatOfEveryMember) {
  const std::string scenario = (folder / "classes.toml").string();
  io::write_file(scenario, io::read_file(slider) + "\n[classes]\nfar = \"reach > 1\"\nnear = \"else\"\n");
  RunOptions options = cpu(500);
  options.out = out;
  const Ensemble ensemble = run(scenario, options);
  const auto& reach = ensemble.observables.at("reach");
  const auto far = std::count_if(reach.begin(), reach.end(), [](double x) { return x > 1; });
  EXPECT_EQ(ensemble.classes.at("far"), far);
  EXPECT_EQ(ensemble.classes.at("near"), 500 - far);
  ASSERT_EQ(ensemble.class_of.size(), 500u);
  for (std::size_t m = 0; m < reach.size(); ++m)
    EXPECT_EQ(ensemble.class_names[ensemble.class_of[m]], reach[m] > 1 ? "far" : "near");
  options.resume = true;
  const Ensemble again = run(scenario, options);
  EXPECT_EQ(again.classes, ensemble.classes);
  EXPECT_EQ(again.class_of, ensemble.class_of);
  EXPECT_TRUE(run(slider, cpu(10)).classes.empty());
}

}  // namespace
}  // namespace conesweep
