// Random scenarios: the cpu executor against the reference, by a ladder of comparisons, and against itself, bit for
// bit.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <regex>
#include <set>

#include "executor/drawn_scenario.hpp"
#include "model/compiler.hpp"

namespace conesweep::test {
namespace {

using executor::Outcome;
using executor::Status;
using scenario::Scenario;

constexpr int members = 131;
constexpr int members_with_reference = 64;

bool everything() { return std::getenv("CONESWEEP_ALL") != nullptr; }
int scenarios() { return everything() ? 500 : 16; }

class RandomScenarios : public ::testing::TestWithParam<int> {
 protected:
  Drawn drawn_ = Drawn(GetParam(), members);
  const Scenario& scenario_ = drawn_.scenario;
};

TEST_P(RandomScenarios, BitsDoNotDependOnThreadsChunksCrowdOrOrder) {
  SCOPED_TRACE(drawn_.text);
  const auto executor = make(scenario_, "cpu");
  const Outcome all = run_some(scenario_, *executor, 0, members);
  EXPECT_TRUE(same_bits(scenario_, all, run_first(scenario_, "cpu", members, 3))) << "three threads";

  // the first k members of a crowd are what they are without it, and so is each one alone
  for (const std::int64_t count : {1, 31, 32, 33, 127, 129}) {
    std::vector<std::int64_t> first(static_cast<std::size_t>(count));
    std::iota(first.begin(), first.end(), 0);
    EXPECT_TRUE(same_bits(scenario_, take(all, first),
                          without_trajectories(executor->run(
                              scenario_, {{scenario_, 0, count}, sampling::draw(scenario_, 0, count)}, {}))))
        << count << " members";
  }
  for (const std::int64_t m : {5, 63, 64, 130})
    EXPECT_TRUE(same_bits(scenario_, take(all, {m}), without_trajectories(run_some(scenario_, *executor, m, 1))))
        << "member " << m << " alone";

  // in another order
  std::vector<std::int64_t> order(members);
  for (std::int64_t k = 0; k < members; ++k) order[static_cast<std::size_t>(k)] = (k * 37 + 11) % members;
  auto varied = sampling::draw(scenario_, 0, members);
  for (auto& column : varied) {
    const auto before = column;
    for (std::size_t k = 0; k < order.size(); ++k) column[k] = before[static_cast<std::size_t>(order[k])];
  }
  EXPECT_TRUE(same_bits(scenario_, take(all, order),
                        without_trajectories(executor->run(scenario_, {{scenario_, order}, varied}, {}))))
      << "permuted";
}

// Another compiler, other flags: a scenario and one way each, so that all ways have their turn; with CONESWEEP_ALL
// every scenario in every way.
struct Way {
  const char *compiler, *flags;
};
constexpr Way ways[] = {{"clang++", "-O1"},
                        {"g++", "-O1 -mno-avx -mno-fma"},
                        {"g++", "-O0 -mno-avx2"},
                        {"clang++", "-O1 -mno-fma -mno-sse4.1 -mno-avx"}};

class RandomScenariosCompiled : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(RandomScenariosCompiled, BitsDoNotDependOnTheCompiler) {
  const auto [number, way] = GetParam();
  const auto& [compiler, flags] = ways[way];
  if (model::find_program(compiler).empty()) GTEST_SKIP() << compiler << " is not here";
  const Drawn drawn(number, members);
  SCOPED_TRACE(drawn.text);
  const Outcome usual = run_first(drawn.scenario, "cpu", members);
  const CompilerSettings settings(compiler, flags);
  EXPECT_TRUE(same_bits(drawn.scenario, usual, run_first(drawn.scenario, "cpu", members))) << compiler << " " << flags;
}

std::vector<std::pair<int, int>> scenarios_and_ways() {
  std::vector<std::pair<int, int>> all;
  for (int number = 0; number < scenarios(); ++number)
    for (int way = 0; way < 4; ++way)
      if (everything() || (number % 3 == 1 && way == number / 3 % 4)) all.emplace_back(number, way);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Ways, RandomScenariosCompiled, ::testing::ValuesIn(scenarios_and_ways()),
                         [](const auto& drawn) {
                           return std::to_string(drawn.param.first) + "_" + std::to_string(drawn.param.second);
                         });

// How far apart cpu and reference may be: as far as rounding errors carry the reference itself, which runs twice more
// with a disturbance of some ulps in every force.
struct Ladder {
  Outcome cpu, reference, up, down;

  explicit Ladder(const std::string& text, scenario::Overrides overrides, const Scenario& scenario)
      : cpu(run_first(scenario, "cpu", members_with_reference)),
        reference(run_first(scenario, "reference", members_with_reference)) {
    overrides.set = {{"eps", 1e-15}};
    up = run_first(parse_scenario(text, overrides), "reference", members_with_reference);
    overrides.set = {{"eps", -1.2e-15}};
    down = run_first(parse_scenario(text, overrides), "reference", members_with_reference);
  }

  // members that a disturbance sends another way
  std::set<std::int64_t> sensitive(const Scenario& scenario) const {
    std::set<std::int64_t> all;
    for (const Outcome* disturbed : {&up, &down})
      for (const auto& g : ensemble::compare(scenario, reference, *disturbed, {}).grazing) all.insert(g.member);
    return all;
  }
};

// Every number of a column, and how many there were; allowed: 100 times what the disturbances do, and `rounding` of the
// column's largest.
template <class Use>
int compare_column(const std::vector<double>& cpu, const std::vector<double>& reference, const std::vector<double>& up,
                   const std::vector<double>& down, double rounding, const Use& use, const std::string& name) {
  double scale = 1e-3;
  for (const double x : reference)
    if (std::isfinite(x)) scale = std::max(scale, std::fabs(x));
  int beyond = 0, compared = 0;
  for (std::size_t k = 0; k < cpu.size(); ++k) {
    if (!use(k) || !std::isfinite(cpu[k]) || !std::isfinite(reference[k])) continue;
    ++compared;
    const double spread = std::max(std::fabs(up[k] - reference[k]), std::fabs(down[k] - reference[k]));
    if (std::fabs(cpu[k] - reference[k]) <= 100 * spread + rounding * scale) continue;
    if (beyond++ == 0) ::testing::Test::RecordProperty("first", name);
    if (beyond < 3)
      ADD_FAILURE() << name << "[" << k << "]: " << format_number(cpu[k]) << " and " << format_number(reference[k])
                    << ", disturbed by " << format_short(spread, 2);
  }
  return compared;
}

/// Numbers that were compared: of observables, and of trajectories.
struct Compared {
  int members = 0, observables = 0, cells = 0;
};

Compared expect_agreement(const std::string& text, const scenario::Overrides& overrides, double rounding,
                          int unexplained_allowed) {
  const Scenario scenario = parse_scenario(text, overrides);
  const Ladder ladder(text, overrides, scenario);
  const auto sensitive = ladder.sensitive(scenario);
  std::set<std::int64_t> apart = sensitive;
  int unexplained = 0;
  std::string what;
  for (const auto& g : ensemble::compare(scenario, ladder.cpu, ladder.reference, {}).grazing) {
    apart.insert(g.member);
    if (sensitive.contains(g.member)) continue;
    ++unexplained;
    what += "member " + std::to_string(g.member) + ": " + g.what + "\n";
  }
  EXPECT_LE(unexplained, unexplained_allowed) << what;

  // the numbers of the members that stay together
  const auto names = observable_names(scenario);
  const auto together = [&](std::size_t m) { return !apart.contains(static_cast<std::int64_t>(m)); };
  Compared compared;
  for (std::size_t m = 0; m < ladder.reference.status.size(); ++m)
    compared.members += ladder.reference.status[m] == Status::ok && together(m) ? 1 : 0;
  for (std::size_t k = 0; k < names.size(); ++k)
    compared.observables +=
        compare_column(ladder.cpu.observables[k], ladder.reference.observables[k], ladder.up.observables[k],
                       ladder.down.observables[k], rounding, together, names[k]);

  // trajectories to the first event, of all members
  const auto& tracks = ladder.reference.trajectories;
  if (tracks.members == 0) return compared;
  const auto times = static_cast<std::size_t>(tracks.times);
  std::vector<bool> before(tracks.mode.size());
  for (std::size_t cell = 0; cell < before.size(); ++cell)
    before[cell] = (cell % times == 0 || before[cell - 1]) && tracks.mode[cell] == 0 &&
                   ladder.cpu.trajectories.mode[cell] == 0 && ladder.up.trajectories.mode[cell] == 0 &&
                   scenario.record.every == 1;
  for (std::size_t c = 0; c < tracks.columns.size(); ++c)
    compared.cells += compare_column(
        ladder.cpu.trajectories.columns[c], tracks.columns[c], ladder.up.trajectories.columns[c],
        ladder.down.trajectories.columns[c], rounding, [&](std::size_t cell) { return before[cell]; },
        "trajectory " + std::to_string(c));
  return compared;
}

// All steps of all members obey the laws, whether the reference goes the same way or not, and observables follow from
// the nodes.
TEST_P(RandomScenarios, ObeyTheLawsInEveryStep) {
  SCOPED_TRACE(drawn_.text);
  constexpr int count = 24;
  const auto model = make(scenario_, "cpu");
  const Outcome outcome = run_some(scenario_, *model, 0, count);
  std::vector<std::int64_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  for (const auto& member : ensemble::judge_members(scenario_, {"cpu", model.get(), all, &outcome}, {}))
    EXPECT_TRUE(member.is_right()) << "member " << member.member << ", "
                                   << to_name(outcome.status[static_cast<std::size_t>(member.member)]) << ", step "
                                   << member.found.wrong << ", residual " << member.found.residual << ", status "
                                   << to_name(member.found.stopped) << ", kind "
                                   << static_cast<int>(member.found.why_wrong) << ", " << member.found.not_judged
                                   << " not judged: " << member.other;
}

// In one step nobody sees a node after or before much of it.
std::string without_windows(const std::string& text) {
  return std::regex_replace(text, std::regex(R"re(, (after|before) = ("[^"]*"|[^",} ]+))re"), "");
}

TEST_P(RandomScenarios, AgreeWithTheReference) {
  SCOPED_TRACE(drawn_.text);
  std::cout << drawn_.content.text() << "\n";
  if (Drawn::is_tame(GetParam())) {
    // one step: some roundings; then all of them. A rounding error may send a member another way that the two
    // disturbances do not
    scenario::Overrides one_step;
    one_step.end = scenario_.step;
    const Compared first = expect_agreement(without_windows(drawn_.text), one_step, 1e-14, 0),
                   whole = expect_agreement(drawn_.text, {}, 1e-12, 2);
    std::cout << "compared " << first.observables << " observables after a step, " << whole.observables << " of "
              << whole.members << " members after all and " << whole.cells
              << " cells of trajectories before the first event\n";
    // final coordinates and velocities at least, of most members that reach the end
    EXPECT_GE(first.observables, members_with_reference);
    EXPECT_GE(whole.members, members_with_reference / 4);
    EXPECT_GE(whole.observables, 2 * scenario_.dimension() * whole.members);
    return;
  }
  // poles and overflows: the statuses and what they are after one step; later, most of them
  const auto differing = [&](const Scenario& scenario) {
    return ensemble::compare(scenario, run_first(scenario, "cpu", members_with_reference),
                             run_first(scenario, "reference", members_with_reference), {});
  };
  scenario::Overrides one_step;
  one_step.end = scenario_.step;
  const auto first = differing(parse_scenario(without_windows(drawn_.text), one_step));
  EXPECT_LE(first.grazing.size(), 1) << describe(first);
  const auto whole = differing(scenario_);
  EXPECT_LE(whole.grazing.size(), members_with_reference / 8) << describe(whole);
  const auto compared = members_with_reference - whole.stopped - static_cast<std::int64_t>(whole.grazing.size());
  std::cout << "compared statuses of " << members_with_reference << " members and histories of " << compared
            << " that reach the end\n";
  EXPECT_GE(compared, members_with_reference / 16);
}

// The family as a whole: what a comparison could miss, some scenario has.
TEST(RandomFamily, HasContactHistoryAndStopsOfManyKinds) {
  std::map<std::string, int> cases;
  for (int number = 0; number < 30; ++number) {
    const Drawn drawn(number, members);
    const Content& content = drawn.content;
    EXPECT_GE(content.ok, Drawn::least_ok(number, members)) << "scenario " << number;
    cases["touch"] += content.touching > 0 ? 1 : 0;
    cases["stick"] += content.sticking > 0 ? 1 : 0;
    cases["slide"] += content.sliding > 0 ? 1 : 0;
    cases["bounce"] += content.bouncing > 0 ? 1 : 0;
    cases["stop, some of their members"] += content.ok < content.members ? 1 : 0;
    cases["dimension " + std::to_string(drawn.scenario.dimension())] += 1;
    for (const char* word : {"delay(", "window_max(", "window_min(", "window_mean(", "now(",
                             "friction =", "friction_angle =", "restitution ="})
      cases[word] += drawn.text.find(word) != std::string::npos ? 1 : 0;
    cases["several walls"] += drawn.scenario.contacts.size() > 1 ? 1 : 0;
  }
  std::string all;
  for (const auto& [what, count] : cases) {
    all += what + " " + std::to_string(count) + "; ";
    EXPECT_GE(count, 2) << what;
  }
  std::cout << "of 30 scenarios: " << all << "\n";
  EXPECT_GE(cases["touch"], 20);
  EXPECT_GE(cases["delay("], 8);
  EXPECT_EQ(cases.count("dimension 6"), 1u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomScenarios, ::testing::Range(0, scenarios()));

}  // namespace
}  // namespace conesweep::test
