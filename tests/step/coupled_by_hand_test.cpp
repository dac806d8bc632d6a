// (B10) What the coupled step keeps, on systems small enough to be known by hand: energy that restitution creates,
// units of rows, the bound of a moving plane.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "oracle/differences.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep::test {
namespace {

using executor::Status;
using oracle::Differences;

class CoupledByHand : public OnExecutor {};
ON_EVERY_EXECUTOR(CoupledByHand);

// Kane's paradox: W = [1 k; k 1], u⁻ = (-1, s), and friction that sticks. Newton's law creates (e² - 1 - 2ks - s²) /
// (2(1 - k²)); Moreau's creates nothing.
TEST_P(CoupledByHand, NewtonsLawCreatesAKnownEnergyAndMoreausNone) {
  const auto text = [](const std::string& law) {
    return R"toml([model]
coordinates = ["y", "x"]
mass = [["1 / (1 - k^2)", "-k / (1 - k^2)"], ["-k / (1 - k^2)", "1 / (1 - k^2)"]]
force = ["0", "0"]
restitution_law = ")toml" +
           law + R"toml("
[model.parameters]
k = -0.8
e = 0.9
s = 0.8
[[model.contact]]
name = "wall"
inside = "y >= 0"
slip = ["vx"]
friction = 0.7
restitution = "e"
[start]
y = "0"
x = "0"
vy = "-1"
vx = "s"
[time]
end = 1
step = 0.125
[observe]
also = ["gained", "painleve"]
)toml";
  };
  for (const auto& [k, e, s] : {std::array{-0.8, 0.9, 0.8}, std::array{-0.75, 1.0, 0.6}}) {
    const SeenMember newton = see_members(parse_scenario(text("newton")), backend(), {{k, e, s}})[0];
    const double gain = (e * e - 1 - 2 * k * s - s * s) / (2 * (1 - k * k));
    EXPECT_GT(gain, 0.3);
    EXPECT_NEAR(newton.observed("gained"), gain, 1e-13);
    EXPECT_NEAR(newton.observed("dissipated"), -gain, 1e-13);
    EXPECT_NEAR(newton.observed("painleve"), 1 - 0.7 * std::fabs(k), 1e-14);
    EXPECT_NEAR(newton.observed("final.vy"), e, 1e-14);
    EXPECT_NEAR(newton.observed("final.vx"), 0, 1e-14);
    const SeenMember moreau = see_members(parse_scenario(text("moreau")), backend(), {{k, e, s}})[0];
    EXPECT_NEAR(moreau.observed("gained"), 0, 1e-14);
    EXPECT_NEAR(moreau.observed("final.vy"), e, 1e-14);
    EXPECT_NEAR(moreau.observed("final.vx"), -e * s, 1e-14) << "a sticking impact reverses the slip";
  }
}

// Different coefficients at once: W = [1 c; c 1] without friction, e = (1, 0), u⁻ = (-1, a): the second contact leaves,
// and the first one's impulse presses it in. Both laws make u = (1, 0) of it, and ½ r₂ a = -a (a + 2c) / (2(1 - c²)) of
// energy; with e = 1 or e = 0 for both nothing is created.
TEST_P(CoupledByHand, DifferentRestitutionsAtOnceMayCreateEnergy) {
  for (const std::string law : {"newton", "moreau"}) {
    const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y"]
mass = [["1 / (1 - c^2)", "-c / (1 - c^2)"], ["-c / (1 - c^2)", "1 / (1 - c^2)"]]
force = ["0", "0"]
restitution_law = ")toml" + law + R"toml("
[model.parameters]
c = -0.8
a = 0.8
e1 = 1.0
e2 = 0.0
[[model.contact]]
name = "one"
inside = "x >= 0"
restitution = "e1"
[[model.contact]]
name = "two"
inside = "y >= 0"
restitution = "e2"
[start]
x = "0"
y = "0"
vx = "-1"
vy = "a"
[time]
end = 1
step = 0.125
[observe]
also = ["gained"]
)toml");
    const auto members = see_members(scenario, backend(), {{-0.8, 0.8, 1, 0}, {-0.8, 0.8, 1, 1}, {-0.8, 0.8, 0, 0}});
    EXPECT_NEAR(members[0].observed("gained"), 0.8 * 0.8 / 0.72, 1e-13) << law;
    EXPECT_NEAR(members[0].observed("dissipated"), -0.8 * 0.8 / 0.72, 1e-13) << law;
    EXPECT_NEAR(members[1].observed("gained"), 0, 1e-13) << law;
    EXPECT_NEAR(members[2].observed("gained"), 0, 1e-13) << law;
  }
}

// Remarks 2 and 3: φ, α, a wall or a row written in another unit changes multipliers only; by powers of two no bit.
TEST_P(CoupledByHand, RowsMayBeWrittenInAnyUnit) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y", "a", "b"]
mass = [["2 + cos(a)", "0.3", "0", "0"], ["0.3", "1.5", "0.2", "0"], ["0", "0.2", "1", "0.1"], ["0", "0", "0.1", "0.7"]]
force = ["3 - x", "-9", "2 * sin(5 * t)", "1"]
[model.parameters]
phi = 1.0
alpha = 1.0
wall = 1.0
row = 1.0
v0 = 0.5
[model.define]
foot = "x + 0.3 * a"
[[model.bilateral]]
name = "circle"
holds = "phi * ((x + 1)^2 + b^2) = phi"
[[model.bilateral]]
name = "blade"
velocity = "alpha * (va * cos(x) - vb - 0.3 * vx) = 0"
[[model.contact]]
name = "floor"
point = ["foot", "y"]
inside = "wall * (y - 0.1 * foot) >= 0"
friction = 0.4
restitution = 0.3
[[model.resistance]]
name = "brake"
slip = ["row * (va + 0.2 * vy)"]
limit = "0.8 / abs(row)"
[[model.resistance]]
name = "disk"
slip = ["row * (va - vx)", "row * (vb + vy)"]
limit = "0.5 / abs(row)"
[start]
x = "0"
y = "0.02"
a = "0"
b = "0"
vy = "-v0"
[time]
end = 0.5
step = 0.0078125
)toml");
  std::vector<std::vector<double>> rows;
  const std::vector<std::array<double, 4>> exact = {
      {4, 1, 1, 1}, {1, 0.125, 1, 1}, {1, 1, 16, 1}, {1, 1, 1, 0.0625}, {32, 2, 0.5, 1024}};
  const std::vector<std::array<double, 4>> rounded = {
      {3, 1, 1, 1}, {-1, 0.7, 1, 1}, {1, 1, 1e3, 1}, {1, -7, 1, 1e-2}, {1e-3, 1e3, 0.3, 33}};
  for (const double v0 : {0.5, 1.7}) {
    rows.push_back({1, 1, 1, 1, v0});
    for (const auto& list : {exact, rounded})
      for (const auto& scale : list) rows.push_back({scale[0], scale[1], scale[2], scale[3], v0});
  }
  const auto members = see_members(scenario, backend(), rows);
  Differences bits("powers of two"), near("any scale");
  const std::size_t each = 1 + exact.size() + rounded.size();
  for (std::size_t m = 0; m < members.size(); ++m) {
    const SeenMember &one = members[m / each * each], &other = members[m];
    ASSERT_EQ(other.status, Status::ok) << m << " stopped at " << other.stop_time;
    EXPECT_GT(one.observed("impulse"), 0.1);
    for (std::size_t i = 0; i < one.nodes.size(); ++i)
      for (Eigen::Index c = 0; c < 4; ++c) {
        const std::string where = "scale " + std::to_string(m % each) + ", node " + std::to_string(i);
        if (m % each <= exact.size() && !is_reference())
          bits.compare_bits(other.nodes[i].v[c], one.nodes[i].v[c], where);
        near.compare(other.nodes[i].v[c], one.nodes[i].v[c], 1e-10, where);
        near.compare(other.nodes[i].q[c], one.nodes[i].q[c], 1e-10, where);
      }
  }
  EXPECT_TRUE(is_reference() || bits.none());
  EXPECT_TRUE(near.none());
}

// (B4) A limit that asks a contact: r_n/h of the pass before, and its slip before the step. Pressed with G, a block of
// mass m slows down by (κ + c G + d |vx⁻|) h/m a step, against a pull of 0.4, until it rests.
TEST_P(CoupledByHand, LimitsFollowTheLoadAndTheSlipOfAContact) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y"]
mass = ["m", "m"]
force = ["0.4", "-G"]
[model.parameters]
m = 2.0
G = 3.0
kappa = 0.3
c = 0.4
d = 0.5
[[model.contact]]
name = "floor"
inside = "y >= 0"
slip = ["vx"]
[[model.resistance]]
name = "brake"
slip = ["vx"]
limit = "kappa + c * normal(floor) + d * slip(floor)"
[start]
x = "1.5 * t"
y = "0"
[time]
end = 4
step = 0.0625
[observe]
load = { mean = "normal(floor)" }
way = { integral = "slip(floor)" }
stops = { first_time = "slip(brake) < 1e-12" }
)toml");
  const std::vector<std::vector<double>> rows = {
      {2, 3, 0.3, 0.4, 0.5}, {0.5, 1, 0, 0.5, 0}, {1, 10, 0.1, 0, 0.7}, {3, 0.25, 0, 2, 1}};
  const auto members = see_members(scenario, backend(), rows);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double m = rows[k][0], G = rows[k][1], h = 0.0625;
    double v = 1.5, way = 0, stops = std::nan("");
    for (const SeenNode& node : members[k].nodes) {
      if (node.last) break;
      v = std::max(0.0, v + h / m * (0.4 - rows[k][2] - rows[k][3] * G - rows[k][4] * v));
      way += h * v;
      if (v == 0 && std::isnan(stops)) stops = node.t;
      ASSERT_NEAR(node.v[0], v, 1e-13) << "member " << k << ", node " << node.i;
    }
    EXPECT_NEAR(members[k].observed("load"), G, 1e-12);
    EXPECT_NEAR(members[k].observed("way"), way, 1e-12);
    EXPECT_EQ(std::isnan(members[k].observed("stops")), std::isnan(stops));
    EXPECT_NEAR(std::isnan(stops) ? 0 : members[k].observed("stops"), std::isnan(stops) ? 0 : stops, 1e-12);
  }
}

// 002: from rest |u| <= κ/m (T + Σ a_j), whatever the plane does, and a plane that runs away attains it: families whose
// times rise, fall, do neither, or are the same for several atoms, at 0 and at the end too.
TEST_P(CoupledByHand, AMovingPlaneGivesNoMoreSpeedThanItsGripOverTime) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x"]
mass = ["m"]
force = ["0"]
[model.parameters]
m = 2.0
kappa = 0.5
size = 0.2
speed = 1.0
rate = 7.0
kind = 0
[[model.resistance]]
name = "plane"
slip = ["vx"]
drive = ["speed * (1.5 + sin(rate * t))"]
limit = "kappa"
percussions = { time = "if(kind < 1, 0.9 * (1 - 0.6^j), if(kind < 2, 1 / j, if(kind < 3, mod(0.377 * j, 0.9), 0.5 * floor((j - 1) / 3))))", size = "size / j", count = 9, limit = "2 * kappa" }
[start]
x = "0"
[time]
end = 1
step = 0.03125
[observe]
also = ["work", "drive_work"]
fastest = { max = "abs(vx)" }
)toml");
  std::vector<std::vector<double>> rows;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 200; ++k)
    rows.push_back({std::exp(normal(random) / 2), std::exp(normal(random) / 2), std::exp(normal(random) / 2),
                    k % 3 == 0 ? 1e3 : normal(random), 10 * normal(random), static_cast<double>(k % 4)});
  const auto members = see_members(scenario, backend(), rows);
  Differences off("|u| <= κ/m (T + Σ a_j)");
  double sizes = 0;
  for (int j = 1; j <= 9; ++j) sizes += 2.0 / j;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const std::string where = "member " + std::to_string(m);
    const double mass = rows[m][0], bound = rows[m][1] / mass * (1 + sizes * rows[m][2]),
                 speed = members[m].observed("final.vx");
    const double allowed = 1e-12 * (bound + std::fabs(rows[m][3]));  // slips are rounded at the speed of the plane
    off.at_most(members[m].observed("fastest"), bound, allowed, where);
    if (m % 3 == 0) {
      off.compare(speed, bound, allowed, "attained by " + where);
      off.compare(members[m].observed("variation"), std::sqrt(mass) * bound, std::sqrt(mass) * allowed,
                  "variation of " + where);
    }
    const double lost = members[m].observed("dissipated"), driven = members[m].observed("drive_work");
    off.compare(mass * speed * speed / 2, driven - lost, 1e-12 * (1 + std::fabs(lost) + std::fabs(driven)),
                "balance of " + where);
  }
  EXPECT_TRUE(off.none());
}

}  // namespace
}  // namespace conesweep::test
