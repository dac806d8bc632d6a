// What is known of a mean while members are on their way.
#include "run/running_mean.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/sample_run.hpp"
#include "run/step_ranges.hpp"
#include "support/error.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::runs {
namespace {

using executor::Status;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const std::string text =
    "[model]\ncoordinates = [\"x\"]\nforce = [\"-k*x\"]\n[model.parameters]\nk = 1\n[start]\nx = \"1\"\n[time]\nend = "
    "1\nstep = 0.1\n"
    "[ensemble]\nmembers = 3000\n[vary]\nk = { uniform = [1, 2] }\n[observe]\nreach = { max = \"x\" }\nstandard = []\n";
const std::string classes = "[classes]\nnear = \"reach < 2\"\nfar = \"else\"\n";

/// Members whose `reach` is given; final.x and final.vx are 0.
keep::MemberColumns columns(const std::vector<double>& reach, const std::vector<Status>& status) {
  return {[reach](std::size_t o) { return o == 0 ? reach : std::vector<double>(reach.size(), 0); },
          [reach](std::size_t) { return std::vector<double>(reach.size(), 1); }, status};
}

keep::MemberColumns columns(const std::vector<double>& reach) {
  return columns(reach, std::vector<Status>(reach.size(), Status::ok));
}

RunningMean watch(const scenario::Scenario& scenario, const std::string& name, const tell::Draws& draws = {}) {
  RunningMean running(scenario, find_quantity(setting::watch, name, scenario), draws);
  running.begin(scenario.ensemble.members);
  return running;
}

// 1, 2, 4, 9: mean 4, squares 9 + 4 + 0 + 25 = 38, so the error is sqrt(38 / 3 / 4)
TEST(RunningMean, IsThatOfAllPiecesTogether) {
  const auto scenario = test::parse_scenario(text);
  RunningMean running = watch(scenario, "reach");
  EXPECT_EQ(running.estimate().count, 0);
  EXPECT_TRUE(std::isnan(running.estimate().mean));
  running.add(0, columns({1, nan}));
  EXPECT_EQ(running.estimate().mean, 1);
  EXPECT_TRUE(std::isnan(running.estimate().error)) << "one value has no error";
  running.add(2, columns({2, 4, 100, 9}, {Status::ok, Status::ok, Status::non_finite, Status::ok}));
  const Estimate found = running.estimate();
  EXPECT_EQ(found.name, "reach");
  EXPECT_EQ(found.members, 6);
  EXPECT_EQ(found.of, 3000);
  EXPECT_EQ(found.count, 4);
  EXPECT_DOUBLE_EQ(found.mean, 4);
  EXPECT_DOUBLE_EQ(found.error, std::sqrt(38.0 / 3 / 4));
  running.begin(5);
  EXPECT_EQ(running.estimate().members, 0);
  EXPECT_EQ(running.estimate().of, 5);
}

TEST(RunningMean, IsThatOfMembersThatCount) {
  const auto scenario = test::parse_scenario(text);
  RunningMean running = watch(scenario, "reach", {[](std::int64_t member) { return member % 3 == 0; }});
  running.add(5, columns({100, 1, 100, 100, 3}));
  EXPECT_EQ(running.estimate().count, 2);
  EXPECT_EQ(running.estimate().members, 5);
  EXPECT_DOUBLE_EQ(running.estimate().mean, 2);
}

TEST(RunningMean, HasNoErrorWhereMembersAreNoSample) {
  for (const char* change : {"grid", "sweep"}) {
    std::string other = text;
    if (std::string(change) == "grid")
      other.replace(other.find("members = 3000"), 14, "sampler = \"grid\"\nlevels = { k = 5 }");
    else
      other.replace(other.find("[vary]\nk = { uniform = [1, 2] }"), 31, "[sweep]\nk = { values = [1, 2] }");
    const auto scenario = test::parse_scenario(other);
    RunningMean running = watch(scenario, "reach", tell::ensemble_draws(scenario));
    running.add(0, columns({1, 2, 3}));
    EXPECT_DOUBLE_EQ(running.estimate().mean, 2) << change;
    EXPECT_TRUE(std::isnan(running.estimate().error)) << change;
  }
}

// three of four are near; one that stopped is of no class that the file names, and counts
TEST(RunningMean, OfAClassIsItsShare) {
  const auto scenario = test::parse_scenario(text + classes);
  for (const char* name : {"near", "class.near"}) {
    RunningMean running = watch(scenario, name);
    running.add(0, columns({1, 1.5, 3, nan}, {Status::ok, Status::ok, Status::ok, Status::non_finite}));
    const Estimate found = running.estimate();
    EXPECT_EQ(found.name, "class.near");
    EXPECT_EQ(found.count, 4);
    EXPECT_DOUBLE_EQ(found.mean, 0.5);
    EXPECT_DOUBLE_EQ(found.error, std::sqrt(4 * 0.25 / 3 / 4));
  }
  EXPECT_THAT(io::message_of<InputError>([&] { watch(scenario, "raech"); }),
              HasSubstr("watch: nothing observed and no class is called 'raech'; did you mean 'reach'?"));
}

// Who watches sees every member once, in order and several times a chunk, and what is kept has the same bits.
TEST(Onlookers, SeeAllMembersAndChangeNone) {
  const auto scenario = test::parse_scenario(text);
  std::string reason;
  const auto executor = executor::make_model("reference", scenario, {.threads = 1}, reason);
  const auto step = [&](const See& see) {
    io::Results all;
    step_ranges({scenario, *sampling::make_points(scenario), *executor, 2048, {}, {nullptr, see}}, {{{0, 3000}}},
                [&](const io::ChunkResults& part, double) { all.append(part); });
    return all;
  };
  std::vector<double> seen;
  int looks = 0;
  const auto watched = step([&](const executor::Chunk& members, const executor::Outcome& outcome) {
    EXPECT_EQ(members.members.first(), static_cast<std::int64_t>(seen.size()));
    EXPECT_EQ(members.varied[0].size(), outcome.status.size());
    seen.insert(seen.end(), outcome.observables[1].begin(), outcome.observables[1].end());
    ++looks;
  });
  const auto alone = step({});
  EXPECT_GT(looks, 2);  // one a chunk, if it were not for who watches
  EXPECT_EQ(seen, alone.outcome.observables[1]);
  EXPECT_EQ(watched.outcome.observables, alone.outcome.observables);
  EXPECT_EQ(watched.parameters, alone.parameters);
  EXPECT_EQ(watched.outcome.status, alone.outcome.status);
}

}  // namespace
}  // namespace conesweep::runs
