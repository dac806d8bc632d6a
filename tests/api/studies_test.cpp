// Studies as functions: the numbers of the library below, and JSON as the program prints it.
#include "conesweep/studies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <conesweep/conesweep.hpp>
#include <nlohmann/json.hpp>

#include "io/sample_run.hpp"

namespace conesweep {
namespace {

namespace fs = std::filesystem;
using io::message_of;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAreArray;

class StudiesTest : public io::InFolder {
 protected:
  void SetUp() override { setenv("CONESWEEP_CACHE", CONESWEEP_TEST_CACHE, 1); }
  Scenario slider = Scenario::read(CONESWEEP_SAMPLES "/slider.toml").with(Changes().members(200).step(0.02));
  std::string out = (folder / "run").string();

  template <class Options>
  Options on_cpu() const {
    Options options;
    options.backend = "cpu";
    return options;
  }

  void run_into(const std::string& place) const {
    auto options = on_cpu<RunOptions>();
    options.out = place;
    run(slider, options);
  }
};

TEST_F(StudiesTest, ConvergesAsTheProgramPrintsIt) {
  auto options = on_cpu<ConvergeOptions>();
  options.levels = 3;
  options.observables = {"reach"};
  options.out = out;
  std::vector<Progress> told;
  options.progress = [&](const Progress& progress) { told.push_back(progress); };
  const Convergence found = converge(slider, options);
  EXPECT_EQ(found.members, 200);
  ASSERT_EQ(found.levels.size(), 3u);
  EXPECT_EQ(found.levels[2].step, 0.005);
  EXPECT_EQ(found.lines[0].observable, "reach");
  EXPECT_EQ(found.lines[0].statistic, "mean");
  const json printed = json::parse(found.json);
  EXPECT_EQ(printed["study"], "converge");
  EXPECT_EQ(printed["observables"]["reach"]["mean"]["step_error"], found.lines[0].step_error);
  EXPECT_EQ(printed["advice"], found.advice);
  EXPECT_EQ(io::read_file(out + "/converge.json"), found.json);
  EXPECT_EQ(told.back().level, 2);
  EXPECT_EQ(told.back().done, told.back().members);
  // a run's mean is that of the first level
  const json summary = json::parse(run(slider, on_cpu<RunOptions>()).summary);
  EXPECT_EQ(summary["observables"]["reach"]["mean"], found.lines[0].values[0]);
  options.levels = 1;
  EXPECT_EQ(message_of<ScenarioError>([&] { converge(slider, options); }), "levels: at least 2, got 1");
}

TEST_F(StudiesTest, EstimatesAMeanOnLevels) {
  auto options = on_cpu<MlmcOptions>();
  options.observable = "reach";
  options.rmse = 0.01;
  const MlmcEstimate found = mlmc(slider.with(Changes().step(0.08)), options);
  EXPECT_TRUE(found.reached);
  EXPECT_LE(found.rmse, 0.01);
  EXPECT_NEAR(found.estimate, 1.2, 0.2);
  const json printed = json::parse(found.json);
  EXPECT_EQ(printed["estimate"], found.estimate);
  EXPECT_EQ(printed["levels"].size(), found.levels.size());
  std::atomic<bool> cancel = false;
  options.cancel = &cancel;
  options.progress = [&](const Progress&) { cancel = true; };
  EXPECT_THROW(mlmc(slider, options), Cancelled);
  options.observable = "rech";
  EXPECT_THAT(message_of<ScenarioError>([&] { mlmc(slider, options); }), HasSubstr("did you mean 'reach'?"));
}

TEST_F(StudiesTest, ComparesTwoExecutors) {
  CompareOptions options;
  options.members = 20;
  const Comparison found = compare(slider, options);
  EXPECT_TRUE(found.passed) << found.verdict;
  EXPECT_EQ(found.members, 20);
  EXPECT_EQ(found.observables[0].name, "reach");
  EXPECT_LT(found.observables[0].absolute_worst, 1e-9);
  EXPECT_THAT(found.verdict, StartsWith("cpu and reference agree"));
  EXPECT_EQ(json::parse(found.json)["members"], 20);
  options.backends = "cpu:single,cpu";
  options.tolerance = 1e-30;
  options.judge = 1;
  const Comparison strict = compare(slider, options);
  EXPECT_FALSE(strict.passed);
  EXPECT_THAT(strict.verdict, HasSubstr("judge"));
  EXPECT_THAT(strict.verdict, testing::Not(HasSubstr("--")));
  options.backends = "cpu";
  EXPECT_THAT(message_of<ScenarioError>([&] { compare(slider, options); }),
              StartsWith("backends: 'cpu' should name two executors"));
  options.backends = "cpu,reference";
  options.tolerance = -1;
  EXPECT_EQ(message_of<ScenarioError>([&] { compare(slider, options); }), "tolerance: must be at least 0, got -1");
}

TEST_F(StudiesTest, FindsSensitivities) {
  auto options = on_cpu<SensitivityOptions>();
  options.second_order = true;
  const Scenario many = slider.with(Changes().members(800));
  const Sensitivities found = find_sensitivities(many, options);
  EXPECT_THAT(found.parameters, ElementsAre("alpha", "v0", "tau"));
  ASSERT_EQ(found.of[0].name, "reach");
  EXPECT_EQ(found.of[0].first.size(), 3u);
  EXPECT_EQ(found.of[0].second.size(), 3u);
  const json summary = json::parse(found.json);
  EXPECT_EQ(summary["sensitivity"]["reach"]["v0"]["total"], found.of[0].total[1].value);
  options.method = "morris";
  EXPECT_THAT(message_of<ScenarioError>([&] { find_sensitivities(many, options); }),
              HasSubstr("belong to method sobol"));
  options.second_order = false;
  const Sensitivities screened = find_sensitivities(many, options);
  EXPECT_EQ(screened.of[0].mu_star.size(), 3u);
  EXPECT_GT(screened.of[0].mu_star[1].value, 0);
  options.method = "guess";
  EXPECT_THROW(find_sensitivities(many, options), ScenarioError);
}

TEST_F(StudiesTest, CorrelatesAFinishedRun) {
  run_into(out);
  const Correlations found = find_correlations(out);
  ASSERT_EQ(found.of[0].name, "reach");
  EXPECT_EQ(found.of[0].count, 200);
  EXPECT_GT(found.of[0].spearman[1].value, 0) << "the faster, the further";
  EXPECT_EQ(json::parse(found.json)["reach"]["v0"]["spearman"], found.of[0].spearman[1].value);
  EXPECT_THROW(find_correlations((folder / "nowhere").string()), ScenarioError);
}

TEST_F(StudiesTest, TracesOneMember) {
  const std::string all = trace(slider, {.member = 3});
  EXPECT_THAT(all, StartsWith("# Slider with delayed feedback on a rough floor, member 3\n# "));
  EXPECT_THAT(all, HasSubstr("\nstep,t,x,y,vx,vy,mode,contact,event,"));
  EXPECT_THAT(all, HasSubstr("\n200,4,"));
  std::string pieces;
  const TraceEnd end = trace(slider, {.member = 3}, [&](std::string_view rows) { pieces += rows; });
  EXPECT_EQ(pieces, all);
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.time, 4);
  EXPECT_LT(trace(slider, {.member = 3, .every = 50}).size(), all.size() / 10);
  EXPECT_EQ(message_of<ScenarioError>([&] { trace(slider, {.member = 200}); }),
            "member: 200 is not a member; they are numbered from 0 to 199");
  const std::atomic<bool> cancel = true;
  EXPECT_THROW(trace(slider, {.member = 3, .cancel = &cancel}), Cancelled);
}

TEST_F(StudiesTest, PlansARun) {
  const Plan found = plan(slider);
  EXPECT_EQ(found.members, 200);
  ASSERT_EQ(found.executors.size(), 3u);
  for (const PlannedExecutor& one : found.executors)
    EXPECT_NE(one.absent.empty(), one.member_steps_per_second == 0) << one.name << one.absent;
  EXPECT_EQ(found.executors[2].name, "reference");
  EXPECT_GT(found.executors[2].seconds, 0);
  EXPECT_EQ(json::parse(found.json)["disk_bytes"], found.disk_bytes);
  EXPECT_THROW(plan(slider, {.chunk = 7}), ScenarioError);
}

TEST_F(StudiesTest, OpensAFinishedRun) {
  auto options = on_cpu<RunOptions>();
  options.out = out;
  const Ensemble ensemble = run(slider, options);
  const FinishedRun finished = FinishedRun::open(out);
  EXPECT_EQ(finished.summary(), ensemble.summary);
  EXPECT_EQ(finished.scenario(), ensemble.scenario);
  EXPECT_EQ(finished.members(), 200);
  EXPECT_EQ(finished.parameter("tau"), ensemble.parameters.at("tau"));
  EXPECT_EQ(finished.observable("reach"), ensemble.observables.at("reach"));
  EXPECT_EQ(finished.status(), ensemble.status);
  EXPECT_EQ(finished.flags(), ensemble.flags);
  EXPECT_EQ(finished.tracks().columns, ensemble.tracks.columns);
  EXPECT_EQ(finished.tracks(2).members, 2);
  EXPECT_EQ(finished.meaning("reach"), "max of x");
  EXPECT_EQ(finished.meaning("tau"), "parameter tau");
  EXPECT_EQ(finished.unit("reach"), "1");
  EXPECT_EQ(finished.unit("time"), "1");
  EXPECT_EQ(finished.unit("nothing"), "");
  EXPECT_THAT(message_of<ScenarioError>([&] { finished.observable("rech"); }), HasSubstr("did you mean 'reach'?"));
  EXPECT_THROW(FinishedRun::open((folder / "nowhere").string()), ScenarioError);
}

TEST_F(StudiesTest, ReportsAndDrawsFinishedRuns) {
  run_into(out);
  const std::string page = make_report({out});
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  const std::string file = (folder / "page.html").string();
  EXPECT_TRUE(write_report({out}, file).empty());
  EXPECT_EQ(io::read_file(file), page);
  EXPECT_TRUE(write_report({out}, file).empty()) << "a report of ours is replaced";
  EXPECT_FALSE(panels().empty());
  const auto figures = draw(out, "histogram", {.x = "reach"});
  ASSERT_FALSE(figures.empty());
  EXPECT_THAT(figures[0].svg, HasSubstr("<svg"));
  EXPECT_THAT(figures[0].csv, HasSubstr("\n"));
  EXPECT_EQ(figures[0].x.label, "reach");
  EXPECT_FALSE(figures[0].marks.empty());
  EXPECT_THAT(message_of<ScenarioError>([&] { draw(out, "histogramm"); }), HasSubstr("did you mean 'histogram'?"));
  EXPECT_THROW(make_report({}), ScenarioError);
  const std::string head = make_report_head(out);
  EXPECT_THAT(head, StartsWith("<h1>"));
  EXPECT_THAT(page, HasSubstr(head.substr(0, head.find("</p>"))));
  EXPECT_THROW(make_report_head((folder / "nowhere").string()), ScenarioError);
}

TEST_F(StudiesTest, HandsOutWhatFiguresAreMadeOf) {
  run_into(out);
  const FinishedRun run = FinishedRun::open(out);
  const auto figures = draw(out, "scatter", {.x = "tau", .y = "reach", .color = "alpha"});
  ASSERT_EQ(figures.size(), 1u);
  std::vector<double> across, up;
  for (const FigureMark& mark : figures[0].marks) {
    EXPECT_EQ(mark.join, "dots");
    EXPECT_THAT(figures[0].svg, HasSubstr("." + mark.style + "{"));
    across.insert(across.end(), mark.x.begin(), mark.x.end());
    up.insert(up.end(), mark.y.begin(), mark.y.end());
  }
  EXPECT_THAT(across, UnorderedElementsAreArray(run.parameter("tau")));
  EXPECT_THAT(up, UnorderedElementsAreArray(run.observable("reach")));
  EXPECT_LT(figures[0].x.least, *std::min_element(across.begin(), across.end()));
  EXPECT_GT(figures[0].x.most, *std::max_element(across.begin(), across.end()));
  EXPECT_EQ(figures[0].colours.label, "α");
}

}  // namespace
}  // namespace conesweep
