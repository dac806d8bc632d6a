// A run's statistics: who is counted, and what is told of whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/sample_run.hpp"
#include "keep/summary_pieces.hpp"
#include "tell/summary_file.hpp"

namespace conesweep::tell {
namespace {

using executor::Status;
using io::make_run;
using io::Results;
using testing::ElementsAre;

TEST(Summarise, CountsStatusesAndNamesTheFirstMember) {
  Results run = make_run();
  run.outcome.status[6] = Status::non_finite;
  const Summary summary = summarise(run, {});
  EXPECT_EQ(summary.members, 7);
  ASSERT_EQ(summary.status.size(), 3u);
  EXPECT_EQ(summary.status[0].status, Status::ok);
  EXPECT_EQ(summary.status[0].members, 4);
  EXPECT_EQ(summary.status[0].first, 0);
  EXPECT_EQ(summary.status[1].status, Status::non_finite);
  EXPECT_EQ(summary.status[1].members, 2);
  EXPECT_EQ(summary.status[1].first, 5);
  EXPECT_EQ(summary.status[2].status, Status::bad_angle);
  EXPECT_EQ(summary.status[2].members, 1);
  EXPECT_EQ(summary.status[2].first, 2);
}

TEST(Summarise, AlwaysTellsOfOk) {
  Results run = make_run();
  std::fill(run.outcome.status.begin(), run.outcome.status.end(), Status::start_outside);
  const Summary summary = summarise(run, {});
  ASSERT_EQ(summary.status.size(), 2u);
  EXPECT_EQ(summary.status[0].status, Status::ok);
  EXPECT_EQ(summary.status[0].members, 0);
  EXPECT_EQ(summary.status[0].first, -1);
  EXPECT_EQ(summary.observables[0].second.count, 0);
}

TEST(Summarise, HasEveryObservableInTheOrderOfTheScenario) {
  const Summary summary = summarise(make_run(), {});
  std::vector<std::string> names;
  for (const auto& [name, observable] : summary.observables) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("reach", "settled", "impacts", "final.x", "final.y", "final.vx", "final.vy"));
  EXPECT_EQ(summary.observables[0].second.count, 5);
  EXPECT_EQ(summary.observables[1].second.count, 4);          // one event never came
  EXPECT_DOUBLE_EQ(summary.observables[0].second.mean, 2.9);  // of 0.1, 1.1, 3.1, 4.1, 6.1
  EXPECT_EQ(summary.observables[6].second.min, 60.1);
}

}  // namespace
}  // namespace conesweep::tell
