// (B11) Laws that do not meet are solved each by itself, whatever way a model is stepped: as particles, law by law in
// closed form, or beside other laws that do meet. By hand, on every executor.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "oracle/differences.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep::test {
namespace {

using executor::Status;
using oracle::Differences;

class Islands : public OnExecutor {
 protected:
  std::vector<SeenMember> see(const std::string& text, const std::vector<std::vector<double>>& rows) const {
    return see_members(parse_scenario(text), backend(), rows);
  }
};
ON_EVERY_EXECUTOR(Islands);

/// What else a model has, and so how it is stepped.
struct Way {
  const char *name, *mass, *more;
};
const char* const two_brakes_on_z = R"toml(
[[model.resistance]]
name = "z_one"
slip = ["vz"]
limit = 0.25
[[model.resistance]]
name = "z_two"
slip = ["vz"]
limit = 0.5
)toml";
const Way particles = {"particles", "", ""};
const Way closed = {"in closed form", "mass = [\"m\", \"2\", \"0.5\"]\n", ""};
const Way moreau = {"Moreau's law", "mass = [\"m\", \"2\", \"0.5\"]\nrestitution_law = \"moreau\"\n", ""};
const Way beside = {"beside laws that meet", "mass = [\"m\", \"2\", \"0.5\"]\n", two_brakes_on_z};

/// Three bodies on lines of their own, x, y and z.
std::string bodies(const Way& way, const std::string& laws, const std::string& start, int steps = 1) {
  return std::string("[model]\ncoordinates = [\"x\", \"y\", \"z\"]\nforce = [\"m * fx\", \"2 * fy\", \"0\"]\n") +
         way.mass + "[model.parameters]\nm = 1\nfx = 0\nfy = 0\n" + laws + way.more + "[start]\nz = \"0\"\n" + start +
         "[time]\nend = " + std::to_string(steps) + "\nstep = \"1/8\"\n";
}

// x was on its way into its wall, and forces turn it round in the same step: it leaves with what they have made of it,
// 0.2. That y hits a wall of its own does not make it rebound with 0.8.
const char* const walls = R"toml(
[[model.contact]]
name = "at_x"
inside = "x >= 0"
restitution = 0.8
[[model.contact]]
name = "at_y"
inside = "y >= 0"
restitution = 0.5
)toml";
const char* const at_walls = "x = \"0\"\ny = \"0\"\nvx = -1\nvy = -1\n";

TEST_P(Islands, AContactElsewhereDoesNotMakeAnotherOneRebound) {
  for (const Way& way : {particles, closed, moreau, beside}) {
    const SeenMember apart = see(bodies(way, walls, at_walls), {{1, 9.6, 0}})[0];
    EXPECT_NEAR(apart.nodes[0].v[0], 0.2, 1e-15) << way.name;
    EXPECT_NEAR(apart.nodes[0].v[1], 0.5, 1e-15) << way.name;
  }
}

// As it is written: whatever the limit takes of the other contact's load.
TEST_P(Islands, ALimitWithAnotherContactsLoadMakesThemOne) {
  const std::string brake =
      "[[model.resistance]]\nname = \"brake\"\nslip = [\"vx\"]\nlimit = \"0.6 + fy * normal(at_y)\"\n";
  const SeenMember joined = see(bodies(closed, walls + brake, at_walls), {{1.5, 9.6, 0}})[0];
  EXPECT_NEAR(joined.nodes[0].v[0], 0.8, 1e-15);
  EXPECT_NEAR(joined.nodes[0].v[1], 0.5, 1e-15);
}

// The brake of x presses with what lies on y, and lets go where y is in the air.
TEST_P(Islands, ALimitThatAsksAnotherLawIsSolvedWithIt) {
  const std::string laws = R"toml(
[model.define]
load = "0.5 * normal(floor)"
[[model.contact]]
name = "floor"
inside = "y >= 0"
[[model.resistance]]
name = "brake"
slip = ["vx"]
limit = "load"
)toml";
  for (const Way& way : {closed, beside}) {
    const auto members =
        see(bodies(way, laws, "x = \"t\"\ny = \"-10 * min(0, fx)\"\n", 2), {{1.5, 0, -3}, {1.5, -1e-3, -3}});
    for (const SeenNode& node : members[0].nodes) {
      if (node.last) continue;
      EXPECT_NEAR(node.v[0], std::max(0.0, 1 - 0.5 * 6 / 8 / 1.5 * static_cast<double>(node.i + 1)), 1e-14);
    }
    EXPECT_NEAR(members[1].nodes[0].v[0], 1 - 1e-3 / 8, 1e-15);
  }
}

// What no set can be stops its member at that node, and no other: of members side by side one limit falls below 0.
TEST_P(Islands, ALimitBelowZeroStopsItsMemberAlone) {
  const std::string laws = R"toml(
[[model.resistance]]
name = "brake_x"
slip = ["vx"]
limit = 0.25
[[model.resistance]]
name = "brake_y"
slip = ["vy"]
limit = "(0.3 - fy * t) / (1 + abs(vy))"
)toml";
  for (const Way& way : {closed, beside}) {
    const auto members =
        see(bodies(way, laws, "x = \"t\"\ny = \"t\"\n"), {{1, 0, 0.25}, {1, 0, 1.25}, {1, 0, 0.125}, {1, 0, -1}});
    for (std::size_t k : {0, 2, 3}) {
      EXPECT_EQ(members[k].status, Status::ok) << way.name;
      EXPECT_NEAR(members[k].nodes[7].v[0], 0.75, 1e-15) << way.name;
    }
    EXPECT_EQ(members[1].status, Status::bad_limit) << way.name;
    EXPECT_EQ(members[1].stop_time, 0.25) << way.name;
  }
}

// A ball rolls on a turning table, and its rows are orthogonal: each is eliminated by itself, and both hold.
TEST_P(Islands, OrthogonalRowsAllHold) {
  const auto members = see(R"toml([model]
coordinates = ["x", "y", "a", "b"]
mass = ["m", "m", "2 * m * R^2 / 5", "2 * m * R^2 / 5"]
force = ["m", "0", "0", "0.1"]
[model.parameters]
m = 2
R = 0.25
w = 3
[[model.bilateral]]
name = "roll_x"
velocity = "vx - R * vb = -w * y"
[[model.bilateral]]
name = "roll_y"
velocity = "vy + R * va = w * x"
[start]
x = "1"
y = "0"
a = "0"
b = "0"
va = "w / R"
[time]
end = 1
step = 0.125
)toml",
                           {{2, 0.25, 3}, {0.5, 0.5, -1}});
  for (std::size_t k = 0; k < 2; ++k) {
    const double radius = k == 0 ? 0.25 : 0.5, turns = k == 0 ? 3 : -1;
    ASSERT_EQ(members[k].status, Status::ok);
    for (const SeenNode& node : members[k].nodes) {
      if (node.last) continue;
      EXPECT_NEAR(node.v[0] - radius * node.v[3], -turns * node.q[1], 1e-13);
      EXPECT_NEAR(node.v[1] + radius * node.v[2], turns * node.q[0], 1e-13);
    }
  }
}

// Two bodies on a rod, braked by a tenth of what it carries, go their way beside an impact: λ = -2.5, 2 - 0.25 over 4.
TEST_P(Islands, FirmRowsBelongToTheirBodies) {
  const SeenMember member = see(std::string(R"toml([model]
coordinates = ["a", "b", "x", "y"]
mass = ["1", "3", "2", "0.5"]
force = ["3", "-1", "2 * 9.6", "0"]
[model.parameters]
unused = 0
)toml") + walls + R"toml([[model.bilateral]]
name = "rod"
holds = "a = b"
[[model.resistance]]
name = "rub"
slip = ["va"]
limit = "0.1 * abs(normal(rod))"
[start]
a = "t"
b = "t"
)toml" + at_walls + "[time]\nend = 0.125\nstep = 0.125\n",
                                {{0}})[0];
  EXPECT_NEAR(member.nodes[0].v[0], 1 + 0.4375 / 8, 1e-15);
  EXPECT_NEAR(member.nodes[0].v[1], 1 + 0.4375 / 8, 1e-15);
  EXPECT_NEAR(member.nodes[0].v[2], 0.2, 1e-15);
  EXPECT_NEAR(member.nodes[0].v[3], 0.5, 1e-15);
}

// A wall 5e-8 away is not touched, however far away another body is.
TEST_P(Islands, WhatTouchesIsAQuestionOfItsOwnPlace) {
  const std::string far_walls =
      "[[model.contact]]\nname = \"at_x\"\ninside = \"x >= 0\"\n[[model.contact]]\nname = \"at_y\"\ninside = \"y <= "
      "2e6\"\n";
  for (const Way& way : {closed, beside}) {
    const SeenMember member = see(bodies(way, far_walls, "x = \"5e-8\"\ny = \"1e6\"\nvx = -1e-3\n"), {{1.5, 0, 0}})[0];
    EXPECT_EQ(member.nodes[0].v[0], -1e-3) << way.name;
    EXPECT_EQ(member.nodes[1].v[0], 0) << way.name;
  }
}

// x creeps, pulled by as much as its brake takes; that y is 1e13 times as fast does not make it rest.
TEST_P(Islands, WhatRestsIsAQuestionOfItsOwnSpeed) {
  const std::string brake = "[[model.resistance]]\nname = \"brake\"\nslip = [\"vx\"]\nlimit = \"m * fx\"\n",
                    drag = "[[model.resistance]]\nname = \"drag\"\nslip = [\"vy\"]\nlimit = \"2\"\n";
  for (const Way& way : {closed, beside}) {
    const SeenMember member =
        see(bodies(way, brake + drag, "x = \"1e-10 * t\"\ny = \"1e3 * t\"\n"), {{1.5, 1e-9, 0}})[0];
    EXPECT_EQ(member.observed("stick_time"), 0) << way.name;
    for (const SeenNode& node : member.nodes) EXPECT_NEAR(node.v[0], 1e-10, 1e-22) << way.name;
  }
}

// The same where nothing holds the fast body, and two laws meet on the slow one.
TEST_P(Islands, WhatNoLawHoldsIsInNone) {
  const std::string brakes =
      "[[model.resistance]]\nname = \"one\"\nslip = [\"vx\"]\nlimit = \"m * fx / 2\"\n"
      "[[model.resistance]]\nname = \"other\"\nslip = [\"2 * vx\"]\nlimit = \"m * fx / 4\"\n";
  const SeenMember member = see(bodies(closed, brakes, "x = \"1e-10 * t\"\ny = \"1e3 * t\"\n"), {{1.5, 1e-9, 0}})[0];
  EXPECT_EQ(member.observed("stick_time"), 0);
  for (const SeenNode& node : member.nodes) EXPECT_NEAR(node.v[0], 1e-10, 1e-22);
}

// A foot stands on a rough floor; a smooth wall below it falls away and bears nothing, slow as it is beside the third
// body. If it stays, nobody knows who bears the foot.
TEST_P(Islands, WhoBearsALoadIsAQuestionOfItsOwnSpeed) {
  const auto results = run_scenario(parse_scenario(R"toml([model]
coordinates = ["x", "z", "y"]
mass = ["1", "2", "3"]
force = ["0", "-2", "0"]
[model.parameters]
fall = 0
[[model.contact]]
name = "rough"
inside = "z >= 0"
slip = ["vx"]
friction = 0.3
[[model.contact]]
name = "smooth"
inside = "z >= -fall * t"
[[model.resistance]]
name = "drag"
slip = ["vy"]
limit = 1
[start]
x = "0"
z = "0"
y = "1e3 * t"
[time]
end = 0.125
step = 0.125
[ensemble]
sampler = "grid"
[vary]
fall = { choice = [1e-10, 0] }
)toml"),
                                    backend());
  EXPECT_EQ(results.outcome.flags.at(0), 0);
  EXPECT_EQ(results.outcome.flags.at(1), static_cast<std::uint8_t>(state::Flag::hyperstatic));
}

// ---- a law alone holds exactly ----

// Two resistances, a ball, a contact with slip and one of a point, each on coordinates of its own, with masses, speeds
// to stick at and forces drawn at random; alone, and beside laws that meet.
TEST_P(Islands, ALawAloneHoldsExactly) {
  const std::string laws = R"toml([model]
coordinates = ["x", "bx", "by", "sx", "sy", "px", "py", "z"]
mass = ["m", "n", "n", "m", "n", "m", "m", "n"]
force = ["m * f", "n * f", "n", "m * f", "-n * (1 + f^2)", "m * f", "-m * (1 + f^2)", "0"]
[model.parameters]
m = 1
n = 1
c = 0
f = 0
[[model.contact]]
name = "slips"
inside = "sy >= 0"
slip = ["vsx"]
belt = ["c"]
friction = 1e6
[[model.contact]]
name = "point"
point = ["px", "py"]
inside = "py >= 0"
belt = ["c", "0"]
friction = 1e6
[[model.resistance]]
name = "row"
slip = ["vx"]
drive = ["c"]
limit = "1e3 * m"
[[model.resistance]]
name = "ball"
slip = ["vbx", "vby"]
drive = ["c", "0"]
limit = "1e3 * n"
)toml",
                    start = R"toml([start]
x = "0.3 * t"
bx = "0.3 * t"
by = "0.1 * t"
sx = "0.3 * t"
sy = "0"
px = "0.3 * t"
py = "0"
z = "t"
[time]
end = 0.5
step = "1/80"
)toml";
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < 60; ++k)
    rows.push_back({std::exp(2 * normal(random)), std::exp(2 * normal(random)), 0.3 * normal(random), normal(random)});
  for (const std::string& more : {std::string(), std::string(two_brakes_on_z)}) {
    const auto members = see(laws + more + start, rows);
    for (const Eigen::Index c : {0, 1, 2, 3, 4, 5, 6}) {
      Differences off("velocity " + std::to_string(c) + (more.empty() ? "" : ", beside others"));
      const bool along = c == 0 || c == 1 || c == 3 || c == 5;
      for (std::size_t m = 0; m < members.size(); ++m)
        for (const SeenNode& node : members[m].nodes)
          off.compare(node.v[c], along ? rows[m][2] : 0, 0,
                      "member " + std::to_string(m) + ", node " + std::to_string(node.i));
      EXPECT_TRUE(off.none());
    }
  }
}

}  // namespace
}  // namespace conesweep::test
