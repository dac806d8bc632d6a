// Sticking is exact: a block below the friction angle does not move by one ulp in a million steps, and its velocity is zero.

#include <gtest/gtest.h>

#include "../oracle/kept_nodes.hpp"
#include "../support/scenario_text.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using executor::Status;
using executor::reference::NodeRecord;

constexpr long million = 1'000'000;

/// Steps a million times and expects every node where the first one was, at rest and in the mode stick.
void expect_motionless(const std::string& model) {
  const scenario::Scenario scenario = test::parse_scenario(model + "\n[time]\nend = 1000\nstep = 1e-3\n");
  ASSERT_EQ(scenario.steps, million);
  executor::reference::Vector start;
  long moved = 0, moving = 0, loose = 0, nodes = 0;
  const auto end = executor::reference::run_member(scenario, scenario.defaults, [&](const NodeRecord& node, const auto&) {
    if (node.i == 0) start = node.q;
    ++nodes;
    if (node.q != start) ++moved;
    if (node.v != executor::reference::Vector::Zero(start.size())) ++moving;
    if (node.mode != Mode::stick) ++loose;
  });
  EXPECT_EQ(end.status, Status::ok);
  EXPECT_EQ(nodes, million + 1);
  EXPECT_EQ(moved, 0) << "nodes that are not where the first one was";
  EXPECT_EQ(moving, 0) << "nodes with a velocity";
  EXPECT_EQ(loose, 0) << "nodes that do not stick";
}

TEST(Sticking, OnAFlatFloorUnderAHorizontalForce) {
  expect_motionless(R"toml(
[model]
coordinates = ["x", "y"]
force = ["2.9", "-9.81"]
[[model.contact]]
inside = "y >= 0"
friction = 0.3
[start]
x = "0.1"
y = "0"
)toml");
}

TEST(Sticking, UnderTiltedGravity) {
  // a hair below the angle
  expect_motionless(R"toml(
[model]
coordinates = ["x", "y"]
force = ["9.81 * sin(th)", "-9.81 * cos(th)"]
[model.parameters]
th = 0.29999
[[model.contact]]
inside = "y >= 0"
friction_angle = "0.3"
[start]
x = "0.7"
y = "0"
)toml");
}

TEST(Sticking, OnATiltedPlane) {
  expect_motionless(R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[model.parameters]
th = 0.29
x0 = 0.7
[[model.contact]]
inside = "y - x*tan(th) >= 0"
friction_angle = "0.3"
[start]
x = "x0"
y = "x0*tan(th)"
)toml");
}

TEST(Sticking, UnderAForceThatTurnsButNeverSuffices) {
  // three dimensions, the horizontal force goes round with 99 % of what friction can hold
  expect_motionless(R"toml(
[model]
coordinates = ["x", "y", "z"]
force = ["2.9 * cos(3*t)", "2.9 * sin(3*t)", "-9.81"]
[[model.contact]]
inside = "z >= 0"
friction = 0.3
[start]
x = "0.1"
y = "-3.3"
z = "0"
)toml");
}

TEST(Sticking, EndsWhereTheForceWins) {
  // the counterpart, so that the tests above can fail: a force one per mille too strong moves the block
  const scenario::Scenario scenario = test::parse_scenario(R"toml(
[model]
coordinates = ["x", "y"]
force = ["9.81 * 0.3 * 1.001", "-9.81"]
[[model.contact]]
inside = "y >= 0"
friction = 0.3
[start]
x = "0"
y = "0"
[time]
end = 1
step = 1e-3
)toml");
  const auto run = oracle::keep_nodes(scenario);
  // a = 9.81 * 0.3 * 0.001, half a T² (1 + 1/N)
  EXPECT_NEAR(run.nodes.back().q[0], 9.81 * 0.3e-3 / 2 * 1.001, 1e-12);
}

}  // namespace
}  // namespace conesweep
