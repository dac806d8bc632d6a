// Order two (A): what holds beside its order, and what a second reading of the equations found.
#include "second_order.hpp"

namespace conesweep {
namespace {

class SecondOrderHolds : public SecondOrder {};

ON_EVERY_EXECUTOR(SecondOrderHolds);

// c is taken where the position was put on the wall: else what is carried slips by rounding, and is struck again
TEST_P(SecondOrderHolds, SticksExactlyToADrum) {
  const std::string drum = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[[model.contact]]
name = "drum"
inside = "sqrt(x^2 + y^2) <= 1"
friction = "2"
belt = ["-y", "x"]
[start]
x = "0"
y = "-1"
vx = "1"
vy = "0"
)toml";
  const auto member = see_one(read(drum, 0.6, 30));
  EXPECT_EQ(member.observed("impacts"), 0);
  EXPECT_NEAR(member.observed("stick_time"), 0.6, 1e-14);
  for (const auto& node : member.nodes) {
    EXPECT_NEAR(node.q.norm(), 1, 1e-15);
    EXPECT_NEAR(node.v[0] + node.q[1], 0, 1e-15);
  }
}

// e = 1 never rests, not even where every flight is shorter than a step
TEST_P(SecondOrderHolds, LosesNothingWithoutFrictionAndForce) {
  const std::string circle = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[[model.contact]]
name = "circle"
inside = "x^2 + y^2 <= 1"
restitution = "1"
[start]
x = "0.1"
y = "0.2"
vx = "1"
vy = "-0.3"
)toml";
  const auto member = see_one(read(circle, 100, 1000));
  for (const auto& node : member.nodes) EXPECT_NEAR(node.v.squaredNorm(), 1.09, 1e-12);
}

// time is not accumulated: a table that moves is not struck by rounding at late times
TEST_P(SecondOrderHolds, RestsOnAMovingTableLate) {
  const std::string table = R"toml(
[model]
coordinates = ["x"]
force = ["-9.81"]
[[model.contact]]
name = "table"
inside = "x >= 0.01*sin(3*(t + 1e4))"
[start]
x = "0.01*sin(3e4)"
vx = "0.03*cos(3e4)"
)toml";
  const auto member = see_one(read(table, 10, 1000));
  EXPECT_EQ(member.observed("impacts"), 0);
}

// an acute wedge, struck by all its walls together
TEST_P(SecondOrderHolds, ComesToRestInAWedge) {
  const std::string wedge = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[[model.contact]]
name = "left"
inside = "y >= 4*x"
[[model.contact]]
name = "right"
inside = "y >= -4*x"
[start]
x = "0.1"
y = "1"
vx = "0"
vy = "0"
)toml";
  const auto member = see_one(read(wedge, 3, 100));
  EXPECT_EQ(member.status, Status::ok);
  EXPECT_NEAR(member.nodes.back().q.norm(), 0, 1e-12);
  EXPECT_NEAR(member.nodes.back().v.norm(), 0, 1e-12);
}

// (O6) K_N - K_0 = work - dissipated + drive_work, through impacts, slip, stick on walls that move, and their end
TEST_P(SecondOrderHolds, KeepsTheBalance) {
  const std::string drum = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-0.5*x - 0.1*vx", "-9.81"]
[[model.contact]]
name = "drum"
inside = "sqrt(x^2 + (y - 0.02*sin(5*t))^2) <= 1"
friction = "0.3"
restitution = "0.5"
belt = ["-2*y", "2*x"]
[start]
x = "0.2"
y = "0.1"
vx = "1"
vy = "0"
[observe]
standard = ["dissipated", "impacts", "stick_time", "slip_time"]
also = ["work", "drive_work"]
)toml";
  for (const long steps : {40L, 90L}) {
    const auto member = see_one(read(drum, 3, steps));
    const auto& end = member.nodes.back();
    EXPECT_NEAR(end.v.squaredNorm() / 2 - 0.5,
                member.observed("work") - member.observed("dissipated") + member.observed("drive_work"), 2e-14);
    EXPECT_GT(member.observed("slip_time"), 0.1);
  }
}

// (A14) what is integrated is exact to second order through impacts; times of comparisons are found between nodes
TEST_P(SecondOrderHolds, ObservesBetweenNodes) {
  const std::string text = falls + R"toml(
[observe]
area = { integral = "y" }
power = { integral = "vy" }
deep = { min = "vy" }
below = { first_time = "y < 0.5" }
above = { last_time = "y > 0.5" }
)toml";
  const double hits = std::sqrt(2 / g), half = std::sqrt(1 / g);
  for (const long steps : {50L, 97L}) {
    const auto member = see_one(read(text, 1, steps));
    EXPECT_NEAR(member.observed("area"), hits - g * hits * hits * hits / 6,
                1e-3 * 2500 / static_cast<double>(steps * steps));
    EXPECT_NEAR(member.observed("power"), -1, 1e-13);
    EXPECT_NEAR(member.observed("deep"), -g * hits, 1e-13);
    EXPECT_NEAR(member.observed("below"), half, 1e-4);
    EXPECT_NEAR(member.observed("above"), half, 1e-4);
  }
}

}  // namespace
}  // namespace conesweep
