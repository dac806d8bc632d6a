// (P13) walls that move and belts, on every executor: closed forms of the scheme itself, and the energy balance with
// the work of the drive.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep::test {
namespace {

class MovingWalls : public OnExecutor {
 protected:
  SeenMember see(const std::string& text) const {
    const auto scenario = parse_scenario(text);
    return see_members(scenario, backend(), {scenario.defaults})[0];
  }
};
ON_EVERY_EXECUTOR(MovingWalls);

// A block at rest on a belt of speed 1: friction drives it by μGh a step, then it rides along with the belt's speed to
// the last bit.
TEST_P(MovingWalls, ABeltTakesABlockAlong) {
  const SeenMember member = see(R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-8"]
[[model.contact]]
inside = "y >= 0"
friction = 0.25
belt = ["1", "0"]
[start]
x = "0"
y = "0"
[time]
end = 1
step = 0.015625
[observe]
also = ["work", "drive_work"]
)toml");
  const double gain = 0.25 * 8 / 64;
  for (const SeenNode& node : member.nodes) {
    if (node.last) break;
    EXPECT_EQ(node.v[0], std::min(1.0, static_cast<double>(node.i + 1) * gain)) << "node " << node.i;
    EXPECT_EQ(node.v[1], 0);
    EXPECT_EQ(node.mode, static_cast<double>(node.i + 1) * gain < 1 ? executor::Mode::slip : executor::Mode::stick)
        << "node " << node.i;
  }
  // the belt gives twice what the block gets: half of it is rubbed away
  EXPECT_EQ(member.observed("drive_work"), 1);
  EXPECT_EQ(member.observed("dissipated"), 0.5);
  EXPECT_EQ(member.observed("work"), 0);
}

// A floor that rises with speed 2 carries a block: it is followed without drift, and the block dissipates nothing once
// it moves with it.
TEST_P(MovingWalls, ARisingFloorIsFollowedWithoutDrift) {
  const SeenMember member = see(R"toml(
[model]
coordinates = ["y"]
force = ["-4"]
[[model.contact]]
inside = "y >= 2*t"
[start]
y = "0"
[time]
end = 2
step = 0.0625
)toml");
  for (const SeenNode& node : member.nodes) EXPECT_EQ(node.q[0], 2 * node.t) << "node " << node.i;
  EXPECT_EQ(member.observed("penetration"), 0);
  EXPECT_EQ(member.observed("final.vy"), 2);
}

// A piston of speed 1 hits a ball at rest: it flies ahead with (1 + e).
TEST_P(MovingWalls, APistonThrowsABallAhead) {
  const SeenMember member = see(R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[[model.contact]]
inside = "x >= t - 0.5"
restitution = 0.5
[start]
x = "0"
[time]
end = 2
step = 0.0625
)toml");
  EXPECT_EQ(member.observed("final.vx"), 1.5);
  EXPECT_EQ(member.observed("impacts"), 1);
  EXPECT_EQ(member.observed("first_contact"), 0.5);
}

// Stick and slip on a belt without a change of frame: the block rides until the spring wins at x = μG/k, and swings
// about it ever after.
TEST_P(MovingWalls, AnOscillatorOnABeltSticksAndSwings) {
  const SeenMember member = see(R"toml(
[model]
coordinates = ["x", "y"]
force = ["-4*x", "-10"]
[[model.contact]]
inside = "y >= 0"
friction = 0.2
belt = ["0.5", "0"]
[start]
x = "0"
y = "0"
vx = "0.5"
[time]
end = 3
step = 0.0005
)toml");
  const double k = 4, rest = 0.2 * 10 / k, speed = 0.5, w = std::sqrt(k), slips = rest / speed;
  for (const SeenNode& node : member.nodes) {
    const double x = node.t < slips ? speed * node.t : rest + speed / w * std::sin(w * (node.t - slips));
    ASSERT_NEAR(node.q[0], x, 4 * 0.0005) << "t = " << node.t;  // a step of lateness, and half a step of the swing
  }
}

// The same oscillator in the frame of the belt, ξ = x - V t: force and friction see the same numbers at every node, so
// that both differ by rounding alone.
TEST_P(MovingWalls, AnOscillatorIsTheSameInTheFrameOfTheBelt) {
  const auto text = [](const std::string& spring, const std::string& friction, const std::string& belt,
                       const std::string& start) {
    return R"toml([model]
coordinates = ["x", "y"]
force = [")toml" +
           spring + R"toml(", "-10"]
[model.parameters]
V = 0.5
mu_s = 0.35
[[model.contact]]
inside = "y >= 0"
friction = ")toml" +
           friction + "\"\n" + belt + R"toml([start]
x = "0"
y = "0"
vx = ")toml" +
           start + R"toml("
[time]
end = 6
step = 0.0078125
)toml";
  };
  const std::vector<std::vector<double>> rows = {{0.5, 0.35}, {0.7, 0.3}, {0.3, 0.4}};
  const auto outside =
      see_members(parse_scenario(text("-4*x", "if(abs(vx - V) > 1e-6, 0.2, mu_s)", "belt = [\"V\", \"0\"]\n", "V")),
                  backend(), rows);
  const auto inside =
      see_members(parse_scenario(text("-4*(x + V*t)", "if(abs(vx) > 1e-6, 0.2, mu_s)", "", "0")), backend(), rows);
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const double V = rows[m][0];
    int slips = 0;
    for (std::size_t i = 0; i + 1 < outside[m].nodes.size(); ++i) {
      const SeenNode &a = outside[m].nodes[i], &b = inside[m].nodes[i];
      ASSERT_NEAR(a.q[0], b.q[0] + V * b.t, 1e-11) << "t = " << a.t;
      ASSERT_NEAR(a.v[0], b.v[0] + V, 1e-11) << "t = " << a.t;
      ASSERT_EQ(a.mode, b.mode) << "t = " << a.t;
      slips += a.mode == executor::Mode::slip ? 1 : 0;
    }
    EXPECT_GT(slips, 20);
    EXPECT_LT(slips, 700);
  }
}

// g = a·q + b(t) and e = 0: followed exactly, however b moves as long as the block does not take off. A curved wall: by
// O(h²) a step.
TEST_P(MovingWalls, AreFollowedExactlyWherePlaneAndToSecondOrderElse) {
  const auto text = [](const std::string& wall) {
    return R"toml([model]
coordinates = ["x", "y"]
force = ["-2*x", "-10"]
[[model.contact]]
name = "floor"
inside = ")toml" +
           wall + R"toml("
friction = 0.1
[start]
x = "0.3 + 0.2*t"
y = "0.045"
[time]
end = 1
step = 0.015625
[observe]
off = { min = "gap(floor)" }
far = { max = "gap(floor)" }
)toml";
  };
  const SeenMember plane = see(text("y >= 0.15*x + 0.05*sin(5*t)"));
  EXPECT_LE(plane.observed("penetration"), 1e-15);
  EXPECT_LE(plane.observed("far"), 1e-15);
  EXPECT_EQ(plane.observed("flight_time"), 0);

  std::vector<double> h, depth;
  for (const long steps : {1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072}) {
    scenario::Overrides one_step;
    one_step.end = one_step.step = 1.0 / static_cast<double>(steps);
    const auto scenario = parse_scenario(text("y >= 0.5*x^2*(1 + t) + 0.05*sin(5*t)"), one_step);
    h.push_back(*one_step.step);
    depth.push_back(-see_members(scenario, backend(), {scenario.defaults})[0].observed("off"));
    EXPECT_GT(depth.back(), 0);
  }
  EXPECT_GT(oracle::fit_power(h, depth), 1.9);
}

// Where nothing moves nothing changes.
TEST_P(MovingWalls, AtRestAreTheOthersToTheBit) {
  const auto text = [](const std::string& wall, const std::string& belt) {
    return R"toml([model]
coordinates = ["x", "y"]
force = ["3*sin(4*t)", "-10"]
[model.parameters]
zero = 0.0
[[model.contact]]
inside = "y >= 0.1*x^2)toml" +
           wall + R"toml("
friction = 0.3
restitution = 0.5
)toml" + belt +
           R"toml([start]
x = "0.2"
y = "0.3"
[time]
end = 2
step = 0.01
)toml";
  };
  const SeenMember fixed = see(text("", "")), still = see(text(" + zero*t", "")),
                   belt = see(text("", "belt = [\"zero\", \"zero\"]\n"));
  EXPECT_GT(fixed.observed("impacts"), 1);
  for (std::size_t i = 0; i < fixed.nodes.size(); ++i)
    for (const SeenMember* other : {&still, &belt})
      for (Eigen::Index c = 0; c < 2; ++c) {
        ASSERT_EQ(other->nodes[i].q[c], fixed.nodes[i].q[c]) << "node " << i;
        ASSERT_EQ(other->nodes[i].v[c], fixed.nodes[i].v[c]) << "node " << i;
      }
}

// K_N - K_0 = work - dissipated + drive_work, on a swinging floor with a belt and restitution
TEST_P(MovingWalls, BalanceTheirEnergyWithTheDrive) {
  const SeenMember member = see(R"toml(
[model]
coordinates = ["x", "y"]
force = ["-2*x", "-10"]
[[model.contact]]
inside = "y >= 0.05*sin(9*t) + 0.1*x"
friction = 0.3
restitution = 0.4
belt = ["0.7*cos(3*t)", "0"]
[start]
x = "0.3"
y = "0.2"
[time]
end = 3
step = 0.001
[observe]
also = ["work", "drive_work"]
)toml");
  const double after = (std::pow(member.observed("final.vx"), 2) + std::pow(member.observed("final.vy"), 2)) / 2;
  EXPECT_NEAR(after, member.observed("work") - member.observed("dissipated") + member.observed("drive_work"), 1e-12);
  EXPECT_GT(member.observed("impacts"), 1);
  EXPECT_GT(std::fabs(member.observed("drive_work")), 0.1);
}

}  // namespace
}  // namespace conesweep::test
