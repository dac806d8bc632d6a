// Located impacts beside the default: periodic orbits, what is variation, and several laws.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include "located.hpp"
#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Status;
using test::SeenMember;

// ---- periodic orbits ----

// x'' = F cos t - x - 0.4 x' below a wall at 0.3, with e = 0.6: one impact a period, a period has 250 steps
const std::string oscillator = R"toml(
[model]
coordinates = ["x"]
force = ["F*cos(t) - x - 0.4*vx"]
[model.parameters]
F = 1
[[model.contact]]
name = "stop"
inside = "x <= 0.3"
restitution = "0.6"
[start]
x = "0"
)toml";

// One impact a period, and the period is a whole number of steps: seen once a period, half a period after the force is
// largest, the orbit is a point. At the nodes an impact comes late by a part of a step that is another one each time,
// and the orbit is a band.
TEST_P(Located, PeriodOneOrbitsArePoints) {
  std::string struck = oscillator;
  for (const auto& [from, to] :
       {std::pair{"0.4*vx", "0.1*vx"}, std::pair{"x <= 0.3", "x <= 0.1"}, std::pair{"\"0.6\"", "\"0.7\""}})
    struck.replace(struck.find(from), std::string(from).size(), to);
  const double period = 2 * std::numbers::pi;
  const long steps = 250, periods = 60, seen = 20;
  const std::vector<std::vector<double>> rows = {{0.5}, {0.7}, {0.9}, {1.1}, {1.3}, {1.5}, {1.7}};
  const auto find_spread = [&](const SeenMember& member) {
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (long k = periods - seen; k < periods; ++k) {
      const auto& node = member.nodes[static_cast<std::size_t>(k * steps + steps / 2)];
      const double place[2] = {node.q[0], node.v[0]};
      for (int c = 0; c < 2; ++c) low[c] = std::min(low[c], place[c]), high[c] = std::max(high[c], place[c]);
    }
    return std::max(high[0] - low[0], high[1] - low[1]);
  };
  double located = 0, least_at_nodes = 1e9;
  for (const SeenMember& member : see(read(struck, period * periods, steps * periods, "located"), rows)) {
    located = std::max(located, find_spread(member));
    EXPECT_LE(member.observed("penetration"), 1e-15);
  }
  for (const SeenMember& member : see(read(struck, period * periods, steps * periods, "nodes"), rows))
    least_at_nodes = std::min(least_at_nodes, find_spread(member));
  std::cout << "spread on " << backend() << ": located at most " << located << ", at nodes at least " << least_at_nodes
            << "\n";
  EXPECT_LT(located, 1e-9);
  EXPECT_GT(least_at_nodes, 1e-3);
}

// ---- variation ----

// (O7) What slides over a round hill, or rests on a floor that sinks faster and faster, leaves the wall by h² and is
// caught in the same step. That is no change of velocity: only the turning of the velocity is, s²T/R, and the floor's
// own.
TEST_P(Located, FallingAndBeingCaughtIsNoVariation) {
  const std::string hill = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-5*x/sqrt(x^2 + y^2)", "-5*y/sqrt(x^2 + y^2)"]
[model.parameters]
speed = 0.3
[[model.contact]]
inside = "x^2 + y^2 >= 4"
[start]
x = "0"
y = "2"
vx = "speed"
)toml";
  const std::string floor = R"toml(
[model]
coordinates = ["y"]
force = ["-5"]
[model.parameters]
fall = 2
[[model.contact]]
inside = "y >= 0.001*fall - fall*t^2/2"
[start]
y = "0.001*fall + 1e-6"
)toml";
  for (const bool heavy : {false, true})
    for (const long steps : {100L, 400L}) {
      const auto with_mass = [&](std::string text) {
        if (heavy)
          text.replace(text.find("force ="), 7,
                       text == hill ? "mass = [\"1\", \"1\"]\nforce =" : "mass = [\"1\"]\nforce =");
        return text;
      };
      const SeenMember slides = see(read(with_mass(hill), 1, steps), {{0.3}})[0],
                       sinks = see(read(with_mass(floor), 1, steps), {{2}})[0];
      ASSERT_EQ(slides.status, Status::ok);
      EXPECT_NEAR(slides.observed("variation"), 0.045, 0.001) << steps << (heavy ? " steps with a mass" : " steps");
      EXPECT_NEAR(sinks.observed("variation"), 2, 0.1) << steps << (heavy ? " steps with a mass" : " steps");
    }
}

// (O7) Impacts count one by one, however many a step has: to and fro between two walls, and a ball that bounces until
// it rests. It falls and rises by 2 + 2(1 + 1/2 + …), and its impacts change 3 + 3/2 + …: 12 in all, less what is
// slower than ten steps of the force and the step's h f at each.
TEST_P(Located, ImpactsAreVariation) {
  std::string elastic = between_walls;
  for (const auto& [from, to] : {std::pair{"a*cos(3*t) - 2*x", "0"}, std::pair{"x <= 0.15", "x <= 0.1"}})
    elastic.replace(elastic.find(from), std::string(from).size(), to);
  const SeenMember member = see(read(elastic, 2, 8), {{0, 1, 0, 1}})[0];
  EXPECT_NEAR(member.observed("variation"), 20, 1e-12);  // at 0.1, 0.3, … 1.9, two a step at most
  for (const long steps : {1000L, 4000L})
    EXPECT_NEAR(see(read(ball, 4, steps), {{0.5, 1}})[0].observed("variation"), 12,
                100 * 4.0 / static_cast<double>(steps))
        << steps;
}

// ---- several laws ----

// A mass makes of the particle a coupled model: the same motion.
TEST_P(Located, CoupledModelsMoveAsParticlesDo) {
  for (const std::string& text : {ball, oscillator, between_walls}) {
    std::string heavy = text;
    heavy.replace(heavy.find("force ="), 7, "mass = [\"1\"]\nforce =");
    const auto row = text == ball         ? std::vector<double>{0.5, 1}
                     : text == oscillator ? std::vector<double>{1.3}
                                          : std::vector<double>{4, 0.9, 0.02, 1};
    const auto light = see(read(text, 4, 400), {row})[0], coupled = see(read(heavy, 4, 400), {row})[0];
    ASSERT_EQ(light.nodes.size(), coupled.nodes.size());
    for (std::size_t i = 0; i < light.nodes.size(); ++i)
      ASSERT_NEAR(light.nodes[i].q[0], coupled.nodes[i].q[0], 1e-11) << "node " << i;
    for (const char* name :
         {"impacts", "first_contact", "stick_time", "slip_time", "dissipated", "impulse", "variation"})
      EXPECT_NEAR(light.observed(name), coupled.observed(name), 1e-9) << name;
  }
}

// (I3) What presses towards the wall is a belt alone, a resistance: still the block comes to rest at it.
TEST_P(Located, ABlockThatABeltPressesComesToRest) {
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
e = 0.7
[[model.contact]]
name = "stop"
inside = "x <= 1"
restitution = "e"
[[model.resistance]]
name = "belt"
slip = ["vx"]
drive = ["1"]
limit = "3"
[start]
x = "0"
)toml";
  const auto member = see(read(text, 4, 400), {{0.7}})[0];
  for (const auto& node : member.nodes) {
    EXPECT_LE(node.q[0], 1 + 1e-15);
    if (node.t < 3.5) continue;
    EXPECT_NEAR(node.v[0], 0, 1e-15) << "t = " << node.t;
  }
  // reaches the belt's speed after 1/3, the wall at 1/6 + 2/3 later, and leaves it with 0.7, 0.49, …: each flight takes
  // 2·0.7^k/3
  EXPECT_NEAR(member.observed("first_contact"), 1.0 / 3 + 5.0 / 6, 0.02);
}

// A step that percussions split, with a delay in the friction: the balance holds, and nothing is behind the wall.
TEST_P(Located, PercussionsAndDelaysSplitTheSameStep) {
  const std::string text = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-delay(x, 0.03)", "-9.81 + 3*delay(y, 0.017)"]
[model.parameters]
e = 0.6
[[model.contact]]
name = "floor"
inside = "y >= 0"
slip = ["vx"]
friction = "0.2 + abs(delay(vx, 0.013))"
restitution = "e"
[[model.resistance]]
name = "blows"
slip = ["vy"]
limit = "1"
percussions = { time = "0.0137*j", size = "0.03", count = 200 }
[start]
x = "0"
y = "0.1"
vx = "1"
)toml";
  const auto members =
      see(read(text + "[observe]\nalso = [\"work\", \"drive_work\"]\n", 3, 300), {{0.6}, {0.3}, {0.9}});
  for (const SeenMember& member : members) {
    ASSERT_EQ(member.status, Status::ok);
    EXPECT_LE(member.observed("penetration"), 1e-14);
    EXPECT_GE(member.observed("impacts"), 1);
    const auto& v = member.nodes.back().v;
    EXPECT_NEAR(v.squaredNorm() / 2 - 0.5,
                member.observed("work") - member.observed("dissipated") + member.observed("drive_work"), 1e-11);
  }
}

}  // namespace
}  // namespace conesweep
