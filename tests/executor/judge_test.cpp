// Where a step has several solutions two executors may differ and both be right: does `compare` see that, and nothing else as that?
#include <gtest/gtest.h>

#include "ensemble/judge.hpp"
#include "executor/agreement.hpp"
#include "executor/random_system.hpp"

namespace conesweep::test {
namespace {

using ensemble::Comparison;
using ensemble::JudgedMember;

// μ is above what the slope needs: it sticks, and four rows in the space of three share the load as they like.
const std::string groove = R"toml(title = "held by a groove"
[model]
coordinates = ["x", "y", "z"]
force = ["9.81*sin(theta)", "0.5*sin(3*t)", "-9.81*cos(theta)"]
[model.parameters]
theta = 0.6
mu = 1.5
[[model.contact]]
name = "left"
inside = "0.8*y + 0.6*z >= 0"
friction = "mu"
[[model.contact]]
name = "right"
inside = "-0.8*y + 0.6*z >= 0"
friction = "mu"
[start]
x = "0"
y = "0"
z = "0"
[time]
end = 0.5
step = 0.02
[ensemble]
members = 12
[vary]
theta = { uniform = [0.3, 0.7] }
[observe]
left = { mean = "normal(left)" }
)toml";

std::string table_on_four_feet() {
  std::string defines, contacts;
  const double at[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (int k = 0; k < 4; ++k) {
    const std::string n = std::to_string(k), x = format_number(0.5 * at[k][0]), y = format_number(0.5 * at[k][1]);
    defines +=
        "X" + n + " = \"x + " + x + " - (" + y + ")*c\"\nY" + n + " = \"y + " + y + " + (" + x + ")*c\"\nZ" + n + " = \"z + (" + y + ")*a - (" + x + ")*b\"\n";
    contacts += "[[model.contact]]\nname = \"foot" + n + "\"\npoint = [\"X" + n + "\", \"Y" + n + "\", \"Z" + n + "\"]\ninside = \"Z" + n +
                " >= 0\"\nfriction = \"0.4\"\n";
  }
  return R"toml(title = "a table, pushed about"
[model]
coordinates = ["x", "y", "z", "a", "b", "c"]
mass = ["1", "1", "1", "0.2", "0.2", "0.3"]
force = ["F*sin(4*t)", "0.3*F*cos(3*t)", "-9.81", "0", "0", "0"]
[model.parameters]
F = 3
[model.define]
)toml" + defines +
         contacts + R"toml([start]
x = "0.5*t"
y = "0"
z = "0"
a = "0"
b = "0"
c = "0.2*t"
[time]
end = 1
step = 0.02
[ensemble]
members = 12
[vary]
F = { uniform = [0.3, 6] }
[observe]
first = { mean = "normal(foot0)" }
)toml";
}

std::vector<JudgedMember> judge(const scenario::Scenario& scenario, const std::vector<std::int64_t>& members) {
  executor::Options options;
  options.threads = 1;
  return ensemble::judge_members(scenario, {"cpu", options, members}, {});
}

class SeveralSolutions : public ::testing::TestWithParam<std::string> {};

TEST_P(SeveralSolutions, AreAcceptedByResidual) {
  const scenario::Scenario scenario = parse_scenario(GetParam());
  ASSERT_TRUE(ensemble::may_have_several_solutions(scenario));
  const auto cpu = run_first(scenario, "cpu", 12), reference = run_first(scenario, "reference", 12);
  EXPECT_FALSE(ensemble::compare(scenario, cpu, reference, {}).passed) << "their impulses are not the same";

  const auto differing = ensemble::find_differing(scenario, cpu, reference, {});
  const auto judged = judge(scenario, differing);
  const Comparison comparison = ensemble::compare(scenario, cpu, reference, {}, judged);
  EXPECT_TRUE(comparison.passed) << describe(comparison);
  EXPECT_TRUE(comparison.grazing.empty());
  EXPECT_EQ(comparison.several.size(), differing.size());
  EXPECT_GE(comparison.several.size(), 6u);
  for (const auto& member : comparison.several) {
    EXPECT_GT(member.steps, 0);
    EXPECT_LE(member.residual, executor::reference::accepted_residual);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, SeveralSolutions, ::testing::Values(groove, table_on_four_feet()));

TEST(JudgedMembers, CountApart) {
  const scenario::Scenario scenario = parse_scenario(groove);
  const auto a = run_first(scenario, "cpu", 12);
  auto b = a;
  for (const std::size_t m : {2, 5, 7, 9}) b.observables[0][m] += 1;
  EXPECT_EQ(ensemble::find_differing(scenario, a, b, {}), (std::vector<std::int64_t>{2, 5, 7, 9}));

  JudgedMember several{2, {}}, wrong{5, {}}, unknown{7, {}}, unique{9, {}};
  several.found.several = 3;
  wrong.found.several = 3, wrong.found.wrong = 10, wrong.found.residual = 2e-4;
  unknown.found.several = 3, unknown.found.not_judged = 2, unknown.found.first_unjudged = 4;
  unknown.found.why_unjudged = executor::reference::Judged::not_percussions;
  const Comparison all = ensemble::compare(scenario, a, b, {}, {several, wrong, unknown, unique});
  EXPECT_FALSE(all.passed);
  ASSERT_EQ(all.several.size(), 1u);
  EXPECT_EQ(all.several[0].member, 2);
  ASSERT_EQ(all.wrong.size(), 1u);
  EXPECT_EQ(all.wrong[0].what, "step 10 at t = 0.2 is no solution: residual 0.0002, allowed: 1e-09");
  ASSERT_EQ(all.unjudged.size(), 1u);
  EXPECT_EQ(all.unjudged[0].what, "2 steps not judged, the first at t = 0.08: percussions split it");
  EXPECT_EQ(all.differences[0].compared, 10) << "what is not explained stays";
  EXPECT_FALSE(all.differences[0].within);

  // each alone
  for (const std::size_t m : {7, 9}) b.observables[0][m] = a.observables[0][m];
  EXPECT_FALSE(ensemble::compare(scenario, a, b, {}, {several, wrong}).passed) << "a wrong step is never within the tolerance";
  b.observables[0][5] = a.observables[0][5];
  EXPECT_TRUE(ensemble::compare(scenario, a, b, {}, {several}).passed);
  EXPECT_FALSE(ensemble::compare(scenario, a, b, {}).passed);
}

// All that the cpu executor does in random systems obeys the laws, whether the reference does the same or not.
class RandomSystemsJudged : public ::testing::TestWithParam<int> {};

TEST_P(RandomSystemsJudged, HaveNoWrongStep) {
  const std::string text = testing::RandomSystem(static_cast<std::uint64_t>(GetParam()), 8).text();
  SCOPED_TRACE(text);
  const scenario::Scenario scenario = parse_scenario(text);
  for (const JudgedMember& member : judge(scenario, {0, 1, 2, 3, 4, 5, 6, 7}))
    EXPECT_EQ(member.found.wrong, -1) << "member " << member.member << ", residual " << member.found.residual << ", status " << to_name(member.found.stopped);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystemsJudged, ::testing::Range(0, std::getenv("CONESWEEP_ALL") != nullptr ? 300 : 30));

}  // namespace
}  // namespace conesweep::test
