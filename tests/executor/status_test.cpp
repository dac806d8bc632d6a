// A bad member stops alone: every status provoked, with its stop time; its observables are NaN; the others go on.

#include <gtest/gtest.h>

#include <cmath>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Status;
using test::parse_scenario;
using test::run_scenario;

/// Members with p = each of the values, in this order (a grid over a choice).
std::string with_members(const std::string& text, const std::string& values) {
  return text + "\n[ensemble]\nsampler = \"grid\"\n[vary]\np = { choice = [" + values + "] }\n";
}

/// Expects these statuses and stop times, NaN in every observable of those that stopped, and numbers in the others.
void expect_statuses_on(const std::string& backend, const std::string& text, const std::vector<Status>& statuses,
                        const std::vector<double>& times) {
  const io::Results results = run_scenario(parse_scenario(text), backend);
  ASSERT_EQ(results.outcome.status.size(), statuses.size());
  for (std::size_t m = 0; m < statuses.size(); ++m) {
    EXPECT_EQ(to_name(results.outcome.status[m]), to_name(statuses[m])) << "member " << m;
    const bool ok = statuses[m] == Status::ok;
    EXPECT_EQ(std::isnan(results.outcome.stop_time[m]), ok) << "member " << m;
    EXPECT_DOUBLE_EQ(ok ? 0 : results.outcome.stop_time[m], times[m]) << "member " << m;
    const auto names = observable_names(results.scenario);
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (names[k] == "first_contact") continue;  // NaN may also mean never
      EXPECT_EQ(std::isnan(results.outcome.observables[k][m]), !ok) << names[k] << " of member " << m;
    }
  }
}

class Stops : public test::OnExecutor {
 protected:
  void expect_statuses(const std::string& text, const std::vector<Status>& statuses,
                       const std::vector<double>& times) const {
    expect_statuses_on(backend(), text, statuses, times);
  }
};
ON_EVERY_EXECUTOR(Stops);

// On the floor with friction p; pressed on, h = 1/8.
const std::string floor_with = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-1"]
[model.parameters]
p = 0.1
[start]
x = "t"
y = "0"
[time]
end = 2
step = 0.125
[[model.contact]]
inside = "y >= 0"
)toml";

TEST_P(Stops, NonFiniteByAForce) {
  // 1/(1 - p t): a pole at t = 1/p, which node 4 meets for p = 2 and no node for p = 0 or 0.3
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["1 / (1 - p*t)"]
[model.parameters]
p = 0
[start]
x = "0"
[time]
end = 2
step = 0.125
[observe]
top = { max = "x" }
)toml";
  expect_statuses(with_members(text, "0, 2, 0.3, 1"), {Status::ok, Status::non_finite, Status::ok, Status::non_finite},
                  {0, 0.5, 0, 1});
}

TEST_P(Stops, NonFiniteByTheStart) {
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
p = 1
[start]
x = "sqrt(p) + t"
[time]
end = 1
step = 0.5
)toml";
  expect_statuses(with_members(text, "4, -4"), {Status::ok, Status::non_finite}, {0, 0});
}

TEST_P(Stops, NonFiniteByAWallThatIsNoNumber) {
  // where g is NaN there is no wall, and nothing may pass silently
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
p = 1
[[model.contact]]
inside = "sqrt(p - x) >= 0.5"
[start]
x = "t"
[time]
end = 2
step = 0.5
)toml";
  // p = 1: reaches the wall at x = 0.75 by steps of 0.5, is past it at x = 1 where the slope is infinite; p = 0.8 jumps
  // to where the root is of a negative number; p = 9: never near
  expect_statuses(with_members(text, "9, 0.8, 1"), {Status::ok, Status::non_finite, Status::singular_gradient},
                  {0, 1, 1});
}

TEST_P(Stops, BadAngleByAMembersParameter) {
  expect_statuses(with_members(floor_with + "friction_angle = \"p\"\n", "0.1, -0.1, 1.6, 0, 1.5"),
                  {Status::ok, Status::bad_angle, Status::bad_angle, Status::ok, Status::ok}, {0, 0, 0, 0, 0});
  expect_statuses(with_members(floor_with + "friction = \"p\"\n", "0.1, -0.1, 1e6"),
                  {Status::ok, Status::bad_angle, Status::ok}, {0, 0, 0});
}

TEST_P(Stops, BadAngleIsHalfPiItself) {
  const scenario::Scenario scenario = parse_scenario(floor_with + "friction_angle = \"p\"\n");
  const auto members = test::see_members(scenario, backend(), {{std::acos(0.0)}, {std::nextafter(std::acos(0.0), 0)}});
  EXPECT_EQ(members[0].status, Status::bad_angle);
  EXPECT_EQ(members[1].status, Status::ok);
}

TEST_P(Stops, BadAngleByThePosition) {
  // friction 0.5 - p x with x moving right at about 1 - t/2: member 1 slides into negative friction, member 0 does not
  const std::string text = with_members(floor_with + "friction = \"0.5 - p*x\"\n", "0.1, 2");
  const io::Results results = run_scenario(parse_scenario(text), backend());
  EXPECT_EQ(results.outcome.status[0], Status::ok);
  EXPECT_EQ(results.outcome.status[1], Status::bad_angle);
  // v loses h (0.5 - 2 x) a step until x exceeds 1/4
  double x = 0, v = 1;
  int i = 0;
  for (; x <= 0.25; ++i) v -= 0.125 * (0.5 - 2 * x), x += 0.125 * v;
  EXPECT_DOUBLE_EQ(results.outcome.stop_time[1], 0.125 * i);
}

TEST_P(Stops, BadAngleOnlyCountsInContact) {
  // in the air nobody asks for the friction
  std::string text = floor_with + "friction = \"p\"\n";
  text.replace(text.find("y = \"0\""), 7, "y = \"9\"");
  expect_statuses(with_members(text, "0.1, -5"), {Status::ok, Status::ok}, {0, 0});
}

TEST_P(Stops, BadRestitution) {
  expect_statuses(with_members(floor_with + "restitution = \"p\"\n", "0.5, 1.5, -0.5, 0, 1"),
                  {Status::ok, Status::bad_restitution, Status::bad_restitution, Status::ok, Status::ok},
                  {0, 0, 0, 0, 0});
}

TEST_P(Stops, BadDelay) {
  std::string text = floor_with;
  text.replace(text.find("force = [\"0\""), 12, "force = [\"delay(x, p)\"");
  expect_statuses(with_members(text, "0.5, -0.5, 0"), {Status::ok, Status::bad_delay, Status::ok}, {0, 0, 0});
  // also one in an observable, in a window, and one that is infinite
  expect_statuses(with_members(floor_with + "[observe]\na = { max = \"window_max(x, p)\" }\n", "0.5, -0.5"),
                  {Status::ok, Status::bad_delay}, {0, 0});
  expect_statuses(with_members(floor_with + "[observe]\na = { max = \"delay(x, 1/p)\" }\n", "0.5, 0"),
                  {Status::ok, Status::bad_delay}, {0, 0});
}

TEST_P(Stops, SingularGradient) {
  // the floor y³ >= 0 has no normal at y = 0; a start above meets it below 0, where it has one
  std::string text = R"toml(
[model]
coordinates = ["y"]
force = ["-2"]
[model.parameters]
p = 1
[[model.contact]]
inside = "y^3 >= 0"
[start]
y = "p"
[time]
end = 2
step = 0.25
)toml";
  // y_i = p - 2 h² i(i+1)/2 = p - i(i+1)/16: from 0 at once, from 3/4 at node 3; from 1 it passes from 1/4 to -1/4 and
  // rests there
  expect_statuses(with_members(text, "1, 0, 0.75"), {Status::ok, Status::singular_gradient, Status::singular_gradient},
                  {0, 0, 0.75});
}

TEST_P(Stops, SeveralContacts) {
  // friction of a particle in four coordinates is solved for one wall alone: x reaches the wall at 1 while the floor
  // carries; member 1 stops short of it
  const std::string text = R"toml(
[model]
coordinates = ["x", "y", "a", "b"]
force = ["0", "-1", "0", "0"]
[model.parameters]
p = 1
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "0"
[[model.contact]]
name = "wall"
inside = "x <= 1"
friction = "0"
[start]
x = "p*t"
y = "0"
a = "0"
b = "0"
[time]
end = 2
step = 0.125
)toml";
  expect_statuses(with_members(text, "1, 0.25, 2"), {Status::several_contacts, Status::ok, Status::several_contacts},
                  {1, 0, 0.5});
}

TEST_P(Stops, SeveralContactsAreFineOneAtATime) {
  // without weight the floor does nothing while the wall stops it
  const std::string text = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[[model.contact]]
name = "floor"
inside = "y >= 0"
[[model.contact]]
name = "wall"
inside = "x <= 1"
[start]
x = "t"
y = "0"
[time]
end = 2
step = 0.125
)toml";
  const test::SeenMember member = test::see_member(parse_scenario(text), backend());
  EXPECT_EQ(member.status, Status::ok);
  EXPECT_TRUE(member.nodes[8].touches());
  EXPECT_EQ(member.nodes.back().q[0], 1);
}

TEST_P(Stops, StartOutside) {
  // allowed: a distance of 1e-9 (1 + |q|), whatever the scale of g
  for (const std::string inside : {"x >= 1", "1000*x >= 1000", "x/1000 >= 0.001"}) {
    const std::string text =
        "[model]\ncoordinates = [\"x\"]\nforce = [\"0\"]\n[model.parameters]\np = 2\n[[model.contact]]\ninside = \"" +
        inside + "\"\n[start]\nx = \"p\"\n[time]\nend = 1\nstep = 0.5\n";
    expect_statuses(with_members(text, "2, 0.5, 1, 0.999999999, 0.99999999"),
                    {Status::ok, Status::start_outside, Status::ok, Status::ok, Status::start_outside},
                    {0, 0, 0, 0, 0});
  }
}

TEST_P(Stops, AStoppedMemberLeavesItsTrajectoryUpToThere) {
  const std::string text = with_members(R"toml(
[model]
coordinates = ["x"]
force = ["1 / (1 - p*t)"]
[model.parameters]
p = 0
[start]
x = "0"
[time]
end = 2
step = 0.125
[record]
members = 2
every = 2
)toml",
                                        "2, 0");
  const io::Results results = run_scenario(parse_scenario(text), backend());
  const auto& recorded = results.outcome.trajectories;
  ASSERT_EQ(recorded.members, 2);
  ASSERT_EQ(recorded.times, 9);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_EQ(std::isnan(recorded.columns[0][k]), k >= 2) << k;  // stopped at t = 0.5, node 4, before it was shown
    EXPECT_FALSE(std::isnan(recorded.columns[0][9 + k])) << k;
  }
}

TEST(Status, EveryOneHasANameAndAdvice) {
  for (const auto& row : scenario::statuses) {
    EXPECT_FALSE(to_name(row.value).empty());
    EXPECT_FALSE(advice(row.value, 1).empty());
  }
}

TEST(Status, AStepIsBlamedOnlyWhereItCanHelp) {
  EXPECT_NE(advice(Status::non_finite, 0.5).find("try a smaller [time] step if it grew"), std::string_view::npos);
  EXPECT_EQ(advice(Status::non_finite, 0).find("smaller"), std::string_view::npos);
  EXPECT_NE(advice(Status::non_finite, 0).find("whatever the step"), std::string_view::npos);
}

}  // namespace
}  // namespace conesweep
