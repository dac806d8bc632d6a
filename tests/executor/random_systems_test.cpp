// Random systems of several laws: the cpu executor against the reference, whose step is solved by another method, and
// against itself, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <numeric>

#include "executor/agreement.hpp"
#include "executor/random_system.hpp"
#include "executor/reference/member.hpp"
#include "support/constant_mass.hpp"

namespace conesweep::test {
namespace {

using executor::Outcome;
using executor::Status;
using scenario::Scenario;

constexpr int members = 33;

int systems() { return std::getenv("CONESWEEP_ALL") != nullptr ? 300 : 16; }

class RandomSystems : public ::testing::TestWithParam<int> {
 protected:
  std::string text_ = testing::RandomSystem(static_cast<std::uint64_t>(GetParam()), members).text();
  Scenario scenario_ = parse_scenario(text_);
};

TEST_P(RandomSystems, BitsDoNotDependOnThreadsChunksOrCrowd) {
  SCOPED_TRACE(text_);
  const auto executor = make(scenario_, "cpu");
  const Outcome all = run_some(scenario_, *executor, 0, members);
  EXPECT_TRUE(same_bits(scenario_, all, run_first(scenario_, "cpu", members, 3))) << "three threads";
  for (const std::int64_t count : {1, 7, 32}) {
    std::vector<std::int64_t> first(static_cast<std::size_t>(count));
    std::iota(first.begin(), first.end(), 0);
    EXPECT_TRUE(same_bits(scenario_, take(all, first), without_trajectories(run_some(scenario_, *executor, 0, count))))
        << count << " members";
  }
  for (const std::int64_t m : {3, 32})
    EXPECT_TRUE(same_bits(scenario_, take(all, {m}), without_trajectories(run_some(scenario_, *executor, m, 1))))
        << "member " << m << " alone";
}

// Particles in packs: lanes in which several contacts act leave the pack one by one, and none depends on its
// neighbours; in single precision too.
TEST_P(RandomSystems, SinglePrecisionDoesNotDependOnTheCrowd) {
  if (!scenario_.mass.empty() || !scenario_.bilaterals.empty() || !scenario_.resistances.empty()) return;
  SCOPED_TRACE(text_);
  std::string reason;
  executor::Options options;
  options.threads = 1;
  options.precision = executor::Precision::single;
  const auto executor = executor::make_model("cpu", scenario_, options, reason);
  const Outcome all = run_some(scenario_, *executor, 0, members);
  for (std::int64_t m = 0; m < members; ++m)
    ASSERT_TRUE(same_bits(scenario_, take(all, {m}), without_trajectories(run_some(scenario_, *executor, m, 1))))
        << "member " << m << " alone";
}

// (O6) K_N - K_0 = work - dissipated + drive_work to rounding, where the mass is constant: percussions, second parts
// and passes included.
TEST_P(RandomSystems, BalanceTheirEnergy) {
  SCOPED_TRACE(text_);
  if (!find_constant_mass(scenario_, scenario_.defaults)) return;
  Scenario free = scenario_;  // shows the velocity before node 0, and nothing else
  free.contacts.clear(), free.bilaterals.clear(), free.resistances.clear(), free.observables.clear(),
      free.standard.clear();
  free.steps = 1;
  const auto names = observable_names(scenario_);
  for (const auto& [backend, count] : {std::pair{"cpu", 33}, std::pair{"reference", 6}}) {
    const executor::Chunk chunk{{scenario_, 0, count}, sampling::draw(scenario_, 0, count)};
    const Outcome outcome = make(scenario_, backend)->run(scenario_, chunk, {});
    const auto at = [&](const std::string& observable, std::size_t m) {
      return outcome
          .observables[static_cast<std::size_t>(std::find(names.begin(), names.end(), observable) - names.begin())][m];
    };
    for (std::size_t m = 0; m < outcome.status.size(); ++m) {
      if (outcome.status[m] != Status::ok) continue;
      auto parameters = scenario_.defaults;
      for (std::size_t k = 0; k < scenario_.vary.size(); ++k)
        parameters[static_cast<std::size_t>(scenario_.vary[k].parameter)] = chunk.varied[k][m];
      const Eigen::MatrixXd mass = *find_constant_mass(scenario_, parameters);
      double before = std::nan("");
      executor::reference::run_member(free, parameters, [&](const executor::reference::NodeRecord& node, const auto&) {
        if (node.i == 0) before = node.v_before.dot(mass * node.v_before) / 2;
      });
      Eigen::VectorXd last(static_cast<Eigen::Index>(scenario_.dimension()));
      for (std::size_t k = 0; k < scenario_.names.coordinates.size(); ++k)
        last[static_cast<Eigen::Index>(k)] = at("final.v" + scenario_.names.coordinates[k], m);
      const double work = at("work", m), lost = at("dissipated", m), driven = at("drive_work", m),
                   after = last.dot(mass * last) / 2;
      EXPECT_NEAR(after - before, work - lost + driven,
                  1e-10 * (1 + before + after + std::fabs(work) + std::fabs(lost) + std::fabs(driven)))
          << backend << ", member " << m;
    }
  }
}

// Velocities and what follows from them alone; impulses need not be unique. Members whose velocities are the solver's
// selection (hyperstatic) may differ, and a few that an event within rounding sends another way.
TEST_P(RandomSystems, AgreeWithTheReference) {
  SCOPED_TRACE(text_);
  const Outcome cpu = run_first(scenario_, "cpu", members), reference = run_first(scenario_, "reference", members);
  const auto names = observable_names(scenario_);
  int ok = 0, apart = 0;
  std::string worst;
  for (std::size_t m = 0; m < members; ++m) {
    if (cpu.flags[m] != 0 || reference.flags[m] != 0) continue;
    ok += cpu.status[m] == Status::ok ? 1 : 0;
    std::string found = cpu.status[m] != reference.status[m] ? "status" : "";
    for (std::size_t k = 0; k < names.size() && found.empty() && cpu.status[m] == Status::ok; ++k) {
      const bool follows = names[k].starts_with("final.") || names[k] == "work" || names[k] == "variation" ||
                           names[k] == "dissipated" || names[k] == "far" ||
                           (scenario_.title == "body at rest" && names[k].ends_with("_time"));
      const double a = cpu.observables[k][m], b = reference.observables[k][m];
      if (follows && !(std::fabs(a - b) <= 1e-8 * (1 + std::fabs(b))))
        found = names[k] + " " + format_number(a) + " and " + format_number(b);
    }
    if (found.empty()) continue;
    ++apart;
    worst = "member " + std::to_string(m) + ": " + found;
  }
  EXPECT_LE(apart, members / 10) << worst;
  RecordProperty("compared", ok);
}

// What the family has, in the thirty that are compared by default; and that most of its members come to their end.
TEST(FamilyOfRandomSystems, HasEveryLaw) {
  std::map<std::string, int> cases;
  std::int64_t ended = 0;
  for (int seed = 0; seed < 30; ++seed) {
    const std::string text = testing::RandomSystem(static_cast<std::uint64_t>(seed), members).text();
    const Scenario scenario = parse_scenario(text);
    const bool coupled = !scenario.mass.empty() || !scenario.bilaterals.empty() || !scenario.resistances.empty();
    cases["particle with several contacts"] += !coupled && scenario.contacts.size() > 1 ? 1 : 0;
    cases["constant mass"] += !scenario.mass.empty() && find_constant_mass(scenario, scenario.defaults) ? 1 : 0;
    cases["mass of coordinates"] += find_constant_mass(scenario, scenario.defaults) ? 0 : 1;
    cases["more than six coordinates"] += scenario.dimension() > 6 ? 1 : 0;
    for (const char* words : {"point = [",
                              "slip = [\"v",
                              "belt = [",
                              "sin(5 * t)",
                              "friction = ",
                              "friction_angle = ",
                              "restitution = ",
                              "cohesion = \"kappa",
                              "cohesion = \"6",
                              "tanh(v",
                              "restitution_law = \"moreau\"",
                              "holds = ",
                              "velocity = ",
                              "t^2",
                              "0.2 * t\"",
                              "drive = [",
                              "\"-inf\"",
                              "\"inf\"",
                              "mu * abs(normal(rail",
                              "normal(wall0) + 0.1 * slip(",
                              "percussions = ",
                              "limit = \"0.5 * kappa\"",
                              "delay(",
                              "impacts = \"located\"",
                              "body at rest",
                              "persistent = true",
                              "friction = \"0.5 * mu\"",
                              "2 * kappa\"]"})
      cases[words] += text.find(words) != std::string::npos ? 1 : 0;
    const Outcome outcome = run_first(scenario, "cpu", members);
    const auto ok = std::count(outcome.status.begin(), outcome.status.end(), Status::ok);
    cases["systems with members that stop"] += ok < members ? 1 : 0;
    ended += ok;
  }
  std::string all;
  for (const auto& [what, count] : cases) {
    all += what + " " + std::to_string(count) + "; ";
    EXPECT_GE(what == "systems with members that stop" ? 1 : count, 1) << what;
  }
  EXPECT_GE(ended, 30 * members * 3 / 4);
  std::cout << "of 30 systems: " << all << ended << " of " << 30 * members << " members end\n";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystems, ::testing::Range(0, systems()));

}  // namespace
}  // namespace conesweep::test
