// A run from begin to end: what it does to each member once, and what does not depend on where members are kept.
#include "run/ensemble_run.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/sample_run.hpp"
#include "keep/crowd.hpp"
#include "keep/stored_run.hpp"
#include "sampling/sampler.hpp"
#include "support/scenario_text.hpp"
#include "tell/summary_file.hpp"

namespace conesweep::runs {
namespace {

const std::string classes = "\n[classes]\nfar = \"reach > 0.1\"\n";
// a window makes the run look at its first members, for how much memory their histories take
const std::string looks_back = "\nlate = { final = \"delay(x, 0.1*k)\" }\n";

class EnsembleRun : public io::InFolder {
 protected:
  Request request(const std::string& out = {}) const {
    Request asked;
    if (!out.empty()) asked.folder = folder / out;
    asked.backend = "reference";
    asked.execution.threads = 1;
    asked.chunk = statistics::block_members;
    return asked;
  }

  // Members that a run draws.
  std::int64_t drawn_by(const scenario::Scenario& scenario, const Request& asked) const {
    Listener listener;
    const std::int64_t before = sampling::count_drawn();
    run_ensemble(scenario, asked, listener);
    return sampling::count_drawn() - before;
  }
};

TEST_F(EnsembleRun, DrawsEachMemberOnce) {
  const auto scenario = test::parse_scenario(keep::make_crowd(6000) + classes);
  EXPECT_EQ(drawn_by(scenario, request()), 6000);       // with classes and step check
  EXPECT_EQ(drawn_by(scenario, request("out")), 6000);  // in a folder, too
}

TEST_F(EnsembleRun, DrawsEachMemberOnceWhileItGrows) {
  const auto scenario = test::parse_scenario(keep::make_crowd(500) + classes);
  Request asked = request();
  asked.goals = parse_goals("final.vx:1%", scenario);
  asked.most = 20000;
  Listener listener;
  const std::int64_t before = sampling::count_drawn();
  const Ended ended = run_ensemble(scenario, asked, listener);
  EXPECT_GT(ended.summary.members, 500);
  EXPECT_EQ(sampling::count_drawn() - before, ended.summary.members);
}

TEST_F(EnsembleRun, TriesTheMembersOfAHistoryOnce) {
  std::string text = keep::make_crowd(6000);
  text.replace(text.find("[record]"), 0, looks_back.substr(1));
  const auto scenario = test::parse_scenario(text);
  Listener listener;
  EXPECT_EQ(drawn_by(scenario, request()), 6000 + 1000);  // for its plan
}

}  // namespace
}  // namespace conesweep::runs
