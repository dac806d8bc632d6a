// Random scenarios: the cpu executor against the reference, by a ladder of comparisons, and against itself, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "executor/agreement.hpp"
#include "executor/random_scenario.hpp"
#include "model/compiler.hpp"

namespace conesweep::test {
namespace {

using conesweep::testing::RandomScenario;
using executor::Outcome;
using scenario::Scenario;

constexpr int members = 131;
constexpr int members_with_reference = 64;

bool everything() { return std::getenv("CONESWEEP_ALL") != nullptr; }
int scenarios() { return everything() ? 500 : 30; }

/// A scenario that can be read: what is certain to go wrong is refused, and another one is tried.
struct Drawn {
  std::string text;
  Scenario scenario;
};

Drawn draw_scenario(int number, bool tame) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    const std::string text = RandomScenario(static_cast<std::uint64_t>(number) + 1000003 * attempt, tame, members).text();
    try {
      return {text, parse_scenario(text)};
    } catch (const std::runtime_error&) {
      if (attempt == 200) throw;
    }
  }
}

bool is_tame(int number) { return number % 2 == 0; }

class RandomScenarios : public ::testing::TestWithParam<int> {
 protected:
  Drawn drawn_ = draw_scenario(GetParam(), is_tame(GetParam()));
  const Scenario& scenario_ = drawn_.scenario;
};

/// The columns of members taken from an outcome; trajectories are left out.
Outcome take(const Outcome& all, const std::vector<std::int64_t>& which) {
  Outcome some;
  for (const auto& column : all.observables) {
    some.observables.emplace_back();
    for (const auto m : which) some.observables.back().push_back(column[static_cast<std::size_t>(m)]);
  }
  for (const auto m : which)
    some.status.push_back(all.status[static_cast<std::size_t>(m)]), some.stop_time.push_back(all.stop_time[static_cast<std::size_t>(m)]);
  return some;
}

Outcome without_trajectories(Outcome outcome) {
  outcome.trajectories = {};
  return outcome;
}

TEST_P(RandomScenarios, BitsDoNotDependOnThreadsChunksCrowdOrOrder) {
  SCOPED_TRACE(drawn_.text);
  const auto executor = make(scenario_, "cpu");
  const Outcome all = run_some(scenario_, *executor, 0, members);
  EXPECT_TRUE(same_bits(scenario_, all, run_first(scenario_, "cpu", members, 3))) << "three threads";

  // the first k members of a crowd are what they are without it, and so is each one alone
  for (const std::int64_t count : {1, 31, 32, 33, 127, 129}) {
    std::vector<std::int64_t> first(static_cast<std::size_t>(count));
    std::iota(first.begin(), first.end(), 0);
    EXPECT_TRUE(same_bits(scenario_, take(all, first), without_trajectories(executor->run({0, count, sampling::draw(scenario_, 0, count)}, {}))))
        << count << " members";
  }
  for (const std::int64_t m : {5, 63, 64, 130})
    EXPECT_TRUE(same_bits(scenario_, take(all, {m}), without_trajectories(run_some(scenario_, *executor, m, 1)))) << "member " << m << " alone";

  // in another order
  std::vector<std::int64_t> order(members);
  for (std::int64_t k = 0; k < members; ++k) order[static_cast<std::size_t>(k)] = (k * 37 + 11) % members;
  auto varied = sampling::draw(scenario_, 0, members);
  for (auto& column : varied) {
    const auto before = column;
    for (std::size_t k = 0; k < order.size(); ++k) column[k] = before[static_cast<std::size_t>(order[k])];
  }
  EXPECT_TRUE(same_bits(scenario_, take(all, order), without_trajectories(executor->run({members, members, varied}, {})))) << "permuted";
}

TEST_P(RandomScenarios, BitsDoNotDependOnTheCompiler) {
  SCOPED_TRACE(drawn_.text);
  const Outcome usual = run_first(scenario_, "cpu", members);
  // in the default run every third scenario, and one other way each: all ways have their turn
  struct Way {
    const char *compiler, *flags;
  };
  constexpr Way ways[] = {{"clang++", "-O1"}, {"g++", "-O1 -mno-avx -mno-fma"}, {"g++", "-O0 -mno-avx2"}, {"clang++", "-O1 -mno-fma -mno-sse4.1 -mno-avx"}};
  for (int k = 0; k < 4; ++k) {
    if (!everything() && (GetParam() % 3 != 0 || k != GetParam() / 3 % 4)) continue;
    if (model::find_program(ways[k].compiler).empty()) GTEST_SKIP() << ways[k].compiler << " is not here";
    const CompilerSettings settings(ways[k].compiler, ways[k].flags);
    EXPECT_TRUE(same_bits(scenario_, usual, run_first(scenario_, "cpu", members))) << ways[k].compiler << " " << ways[k].flags;
  }
}

// How far apart cpu and reference may be: as far as rounding errors carry the reference itself, which runs twice more with a disturbance of some
// ulps in every force.
struct Ladder {
  Outcome cpu, reference, up, down;

  explicit Ladder(const std::string& text, scenario::Overrides overrides, const Scenario& scenario)
      : cpu(run_first(scenario, "cpu", members_with_reference)), reference(run_first(scenario, "reference", members_with_reference)) {
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

// Every number of a column, allowed: 100 times what the disturbances do, and `rounding` of the column's largest.
template <class Use>
int count_beyond(const std::vector<double>& cpu, const std::vector<double>& reference, const std::vector<double>& up, const std::vector<double>& down,
                 double rounding, const Use& use, const std::string& name) {
  double scale = 1e-3;
  for (const double x : reference)
    if (std::isfinite(x)) scale = std::max(scale, std::fabs(x));
  int beyond = 0;
  for (std::size_t k = 0; k < cpu.size(); ++k) {
    if (!use(k) || !std::isfinite(cpu[k]) || !std::isfinite(reference[k])) continue;
    const double spread = std::max(std::fabs(up[k] - reference[k]), std::fabs(down[k] - reference[k]));
    if (std::fabs(cpu[k] - reference[k]) <= 100 * spread + rounding * scale) continue;
    if (beyond++ == 0) ::testing::Test::RecordProperty("first", name);
    if (beyond < 3)
      ADD_FAILURE() << name << "[" << k << "]: " << format_number(cpu[k]) << " and " << format_number(reference[k]) << ", disturbed by "
                    << format_short(spread, 2);
  }
  return beyond;
}

void expect_agreement(const std::string& text, const scenario::Overrides& overrides, double rounding, int unexplained_allowed) {
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
  for (std::size_t k = 0; k < names.size(); ++k)
    count_beyond(ladder.cpu.observables[k], ladder.reference.observables[k], ladder.up.observables[k], ladder.down.observables[k], rounding, together,
                 names[k]);

  // trajectories to the first event, of all members
  const auto& tracks = ladder.reference.trajectories;
  if (tracks.members == 0) return;
  const auto times = static_cast<std::size_t>(tracks.times);
  std::vector<bool> before(tracks.mode.size());
  for (std::size_t cell = 0; cell < before.size(); ++cell)
    before[cell] = (cell % times == 0 || before[cell - 1]) && tracks.mode[cell] == 0 && ladder.cpu.trajectories.mode[cell] == 0 &&
                   ladder.up.trajectories.mode[cell] == 0 && scenario.record.every == 1;
  for (std::size_t c = 0; c < tracks.columns.size(); ++c)
    count_beyond(
        ladder.cpu.trajectories.columns[c], tracks.columns[c], ladder.up.trajectories.columns[c], ladder.down.trajectories.columns[c], rounding,
        [&](std::size_t cell) { return before[cell]; }, "trajectory " + std::to_string(c));
}

TEST_P(RandomScenarios, AgreeWithTheReference) {
  SCOPED_TRACE(drawn_.text);
  if (is_tame(GetParam())) {
    // one step: some roundings; then all of them. A rounding error may send a member another way that the two disturbances do not
    scenario::Overrides one_step;
    one_step.end = scenario_.step;
    expect_agreement(drawn_.text, one_step, 1e-14, 0);
    expect_agreement(drawn_.text, {}, 1e-12, 2);
    return;
  }
  // poles and overflows: the statuses and what they are after one step; later, most of them
  const auto differing = [&](const Scenario& scenario) {
    return ensemble::compare(scenario, run_first(scenario, "cpu", members_with_reference), run_first(scenario, "reference", members_with_reference), {});
  };
  scenario::Overrides one_step;
  one_step.end = scenario_.step;
  const auto first = differing(parse_scenario(drawn_.text, one_step));
  EXPECT_LE(first.grazing.size(), 1) << describe(first);
  const auto whole = differing(scenario_);
  EXPECT_LE(whole.grazing.size(), members_with_reference / 8) << describe(whole);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomScenarios, ::testing::Range(0, scenarios()));

}  // namespace
}  // namespace conesweep::test
