// Where a step has several solutions, or rounding parts motions, two executors may differ and both be right: does
// `compare` see that, and nothing else as that?
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
    defines += "X" + n + " = \"x + " + x + " - (" + y + ")*c\"\nY" + n + " = \"y + " + y + " + (" + x + ")*c\"\nZ" + n +
               " = \"z + (" + y + ")*a - (" + x + ")*b\"\n";
    contacts += "[[model.contact]]\nname = \"foot" + n + "\"\npoint = [\"X" + n + "\", \"Y" + n + "\", \"Z" + n +
                "\"]\ninside = \"Z" + n + " >= 0\"\nfriction = \"0.4\"\n";
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

std::vector<JudgedMember> judge(const scenario::Scenario& scenario, const std::vector<std::int64_t>& members,
                                const executor::Outcome* outcome = nullptr) {
  const auto model = make(scenario, "cpu");
  return ensemble::judge_members(scenario, {"cpu", model.get(), members, outcome}, {});
}

// As the command does: members that differ are judged, and nothing may stay that is not.
Comparison compare_and_judge(const scenario::Scenario& scenario, const executor::Outcome& cpu,
                             const executor::Outcome& reference) {
  return ensemble::compare(scenario, cpu, reference, {.grazing = 0},
                           judge(scenario, ensemble::find_differing(scenario, cpu, reference, {}), &cpu));
}

class SeveralSolutions : public ::testing::TestWithParam<std::string> {};

TEST_P(SeveralSolutions, AreAcceptedByResidual) {
  const scenario::Scenario scenario = parse_scenario(GetParam());
  const auto cpu = run_first(scenario, "cpu", 12), reference = run_first(scenario, "reference", 12);
  EXPECT_FALSE(ensemble::compare(scenario, cpu, reference, {}).passed) << "their impulses are not the same";

  const auto differing = ensemble::find_differing(scenario, cpu, reference, {});
  const auto judged = judge(scenario, differing, &cpu);
  const Comparison comparison = ensemble::compare(scenario, cpu, reference, {}, judged);
  EXPECT_TRUE(comparison.passed) << describe(comparison);
  EXPECT_TRUE(comparison.grazing.empty());
  EXPECT_EQ(comparison.several.size(), differing.size());
  EXPECT_GE(comparison.several.size(), 6u);
  for (const auto& member : comparison.several) {
    EXPECT_GT(member.several, 0);
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

  JudgedMember several{2, {}, "cpu"}, wrong{5, {}, "cpu"}, unknown{7, {}, "cpu"}, unique{9, {}, "cpu"};
  several.found.several = 3;
  wrong.found.several = 3, wrong.found.wrong = 10, wrong.found.residual = 2e-4;
  unknown.found.several = 3, unknown.found.not_judged = 2, unknown.found.first_unjudged = 4;
  unknown.found.why_unjudged = executor::reference::Judged::not_percussions;
  const Comparison all = ensemble::compare(scenario, a, b, {}, {several, wrong, unknown, unique});
  EXPECT_FALSE(all.passed);
  ASSERT_EQ(all.several.size(), 1u);
  EXPECT_EQ(all.several[0].member, 2);
  ASSERT_EQ(all.wrong.size(), 1u);
  EXPECT_EQ(all.wrong[0].what, "cpu's step 10 at t = 0.2 is no solution: residual 0.0002, allowed: 1e-09");
  ASSERT_EQ(all.unjudged.size(), 1u);
  EXPECT_EQ(all.unjudged[0].what, "2 steps of cpu not judged, the first at t = 0.08: percussions split it");
  ASSERT_EQ(all.parted.size(), 1u);
  EXPECT_EQ(all.parted[0].member, 9);
  EXPECT_EQ(all.differences[0].compared, 8) << "what was judged says nothing about numbers";
  EXPECT_TRUE(all.differences[0].within);

  // each alone
  const auto passes = [&](const std::vector<JudgedMember>& judged) {
    return ensemble::compare(scenario, a, b, {.grazing = 0}, judged).passed;
  };
  for (const std::size_t m : {5, 7, 9}) b.observables[0][m] = a.observables[0][m];
  EXPECT_TRUE(passes({several}));
  EXPECT_FALSE(passes({})) << "who is not judged is not right";
  EXPECT_FALSE(passes({several, wrong})) << "a wrong step is never within the tolerance";
  EXPECT_FALSE(passes({several, unknown})) << "nor is one of which nothing is known";
  EXPECT_TRUE(passes({several, unique}));
  EXPECT_FALSE(ensemble::compare(scenario, a, b, {.grazing = 0, .parted = 0}, {several, unique}).passed);
  JudgedMember other = unique;
  other.other = "left is 1, and 2 by its own nodes";
  EXPECT_FALSE(passes({several, other})) << "nor one whose observables come from elsewhere";
  JudgedMember second = wrong;
  second.member = 9, second.who = "cuda";
  EXPECT_FALSE(passes({several, unique, second})) << "both sides are judged";
}

// A ball on a table that shakes: high bounces are chaotic, and rounding parts all members long before the end.
const std::string shaken = R"toml(title = "shaken"
[model]
coordinates = ["x", "y"]
force = ["-4*x", "-1"]
[model.parameters]
A = 0.1
mu = 0.2
[[model.contact]]
name = "table"
inside = "y >= A*sin(6*t)"
friction = "mu"
restitution = "0.8"
belt = ["0", "0"]
[start]
x = "0.5*t"
y = "1"
[time]
end = 100
step = 0.01
impacts = "located"
[ensemble]
members = 12
[vary]
A = { uniform = [0.09, 0.11] }
mu = { uniform = [0.1, 0.3] }
[observe]
reach = { max = "x" }
late = { last_time = "x > 0.1" }
)toml";

class Chaos : public ::testing::Test {
 protected:
  scenario::Scenario scenario_ = parse_scenario(shaken);
  executor::Outcome cpu_ = run_first(scenario_, "cpu", 12), reference_ = run_first(scenario_, "reference", 12);
};

TEST_F(Chaos, PartsMembersThatObeyTheLaws) {
  EXPECT_FALSE(ensemble::compare(scenario_, cpu_, reference_, {}).passed);
  const Comparison comparison = compare_and_judge(scenario_, cpu_, reference_);
  EXPECT_TRUE(comparison.passed) << describe(comparison);
  EXPECT_GE(comparison.parted.size(), 10u);
  for (const auto& member : comparison.parted) EXPECT_LE(member.residual, executor::reference::accepted_residual);
}

TEST_F(Chaos, HidesNoFault) {
  // no friction in two members, in the run that is compared and not where nodes are kept
  scenario::Overrides smooth;
  smooth.set = {{"mu", 0}};
  const auto slides = run_first(parse_scenario(shaken, smooth), "cpu", 12);
  executor::Outcome wrong = cpu_;
  for (auto [to, from] = std::pair{wrong.observables.begin(), slides.observables.begin()};
       to != wrong.observables.end(); ++to, ++from)
    for (const std::size_t m : {3, 8}) (*to)[m] = (*from)[m];
  const Comparison comparison = compare_and_judge(scenario_, wrong, reference_);
  EXPECT_FALSE(comparison.passed);
  ASSERT_EQ(comparison.wrong.size(), 2u);
  EXPECT_EQ(comparison.wrong[0].member, 3);
  EXPECT_NE(comparison.wrong[0].what.find("where its nodes are kept"), std::string::npos) << comparison.wrong[0].what;
}

TEST_F(Chaos, WantsObservablesThatFollowFromTheNodes) {
  executor::Outcome wrong = cpu_;
  wrong.observables[0][5] *= 1 + 1e-6;
  const Comparison comparison = compare_and_judge(scenario_, wrong, reference_);
  EXPECT_FALSE(comparison.passed);
  ASSERT_EQ(comparison.wrong.size(), 1u);
  EXPECT_NE(comparison.wrong[0].what.find("cpu's reach is "), std::string::npos) << comparison.wrong[0].what;
}

TEST_F(Chaos, IsJudgedInSinglePrecisionByItsOwnTolerance) {
  executor::Options options;
  options.threads = 1;
  options.precision = executor::Precision::single;
  std::string reason;
  const auto model = executor::make_model("cpu", scenario_, options, reason);
  const auto outcome = run_some(scenario_, *model, 0, 12);
  const auto judged = ensemble::judge_members(
      scenario_,
      {"cpu:single", model.get(), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, &outcome, ensemble::tolerance_of_single}, {});
  for (const JudgedMember& member : judged)
    EXPECT_TRUE(member.is_right()) << member.member << ": step " << member.found.wrong << ", residual "
                                   << member.found.residual << " " << member.other;
  // what is right in single precision is not in double
  EXPECT_GT(judged[0].found.residual, executor::reference::accepted_residual);
}

TEST(Means, TellADirectionFromParting) {
  const scenario::Scenario scenario = parse_scenario(shaken);
  executor::Outcome a = executor::make_outcome(scenario, {{scenario, 0, 400}}), b = a;
  for (std::size_t k = 0; k < a.observables.size(); ++k)
    for (std::size_t m = 0; m < 400; ++m) {
      a.observables[k][m] = 1 + 0.1 * std::sin(static_cast<double>(m));
      b.observables[k][m] = 1 + 0.1 * std::sin(static_cast<double>(m) + 2);
    }
  ensemble::CompareLimits limits;
  limits.tolerance = 1e-4, limits.grazing = 1, limits.means = true;
  const auto within = [&] {
    const auto means = ensemble::compare(scenario, a, b, limits).means;
    return std::all_of(means.begin(), means.end(), [](const auto& mean) { return mean.within; });
  };
  EXPECT_TRUE(within());
  for (double& reach : b.observables[0]) reach += 0.05;
  EXPECT_FALSE(within());
  EXPECT_FALSE(ensemble::compare(scenario, a, b, limits).passed);
}

// All that the cpu executor does in random systems obeys the laws, whether the reference does the same or not.
class RandomSystemsJudged : public ::testing::TestWithParam<int> {};

TEST_P(RandomSystemsJudged, HaveNoWrongStep) {
  const std::string text = testing::RandomSystem(static_cast<std::uint64_t>(GetParam()), 8).text();
  SCOPED_TRACE(text);
  const scenario::Scenario scenario = parse_scenario(text);
  const auto outcome = run_first(scenario, "cpu", 8);
  for (const JudgedMember& member : judge(scenario, {0, 1, 2, 3, 4, 5, 6, 7}, &outcome))
    EXPECT_TRUE(member.is_right()) << "member " << member.member << ", step " << member.found.wrong << ", residual "
                                   << member.found.residual << ", status " << to_name(member.found.stopped) << ", kind "
                                   << static_cast<int>(member.found.why_wrong) << "; " << member.found.not_judged
                                   << " not judged, the first is " << member.found.first_unjudged << ", for "
                                   << reason_of(member.found.why_unjudged) << ": " << member.other;
}

// cpu and reference side by side, as `compare` does it: what differs is judged, and nothing but rounding, or steps with
// several solutions, is behind it.
TEST_P(RandomSystemsJudged, DifferByNothingButRounding) {
  const std::string text = testing::RandomSystem(static_cast<std::uint64_t>(GetParam()), 8).text();
  SCOPED_TRACE(text);
  const scenario::Scenario scenario = parse_scenario(text);
  const auto cpu = run_first(scenario, "cpu", 8), reference = run_first(scenario, "reference", 8);
  const auto differing = ensemble::find_differing(scenario, cpu, reference, {});
  const Comparison comparison = ensemble::compare(scenario, cpu, reference, {}, judge(scenario, differing, &cpu));
  EXPECT_TRUE(comparison.passed) << describe(comparison);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystemsJudged,
                         ::testing::Range(0, std::getenv("CONESWEEP_ALL") != nullptr ? 300 : 16));

}  // namespace
}  // namespace conesweep::test
