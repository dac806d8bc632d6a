// The standard quantities (O3)-(O6) on motions whose every number is known.
#include <gtest/gtest.h>

#include <cmath>

#include "observed.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using test::parse_scenario;
using test::run_scenario;

class Standard : public Observed {};
ON_EVERY_EXECUTOR(Standard);

TEST_P(Standard, WithoutContactAllIsFlight) {
  const auto r = fly("");
  EXPECT_EQ(observe(r, "impacts"), 0);
  EXPECT_TRUE(std::isnan(observe(r, "first_contact")));
  EXPECT_EQ(observe(r, "stick_time"), 0);
  EXPECT_EQ(observe(r, "slip_time"), 0);
  EXPECT_EQ(observe(r, "flight_time"), 2);
  EXPECT_EQ(observe(r, "dissipated"), 0);
  EXPECT_EQ(observe(r, "impulse"), 0);
  EXPECT_EQ(observe(r, "variation"), 0);
  EXPECT_EQ(observe(r, "penetration"), 0);
}

TEST_P(Standard, OfABlockThatSlidesAndStops) {
  // v_i = 1 - (i+1)/16 for i < 15, then 0: at i = 15 friction takes the last 1/16 exactly
  const auto r = run(parse_scenario(sliding_block));
  EXPECT_EQ(observe(r, "impacts"), 0);  // pressed on from the start, v_{-1}·n = 0
  EXPECT_EQ(observe(r, "first_contact"), 0);
  EXPECT_EQ(observe(r, "slip_time"), 15 * 0.125);
  EXPECT_EQ(observe(r, "stick_time"), 17 * 0.125);
  EXPECT_EQ(observe(r, "flight_time"), 0);
  EXPECT_EQ(observe(r, "impulse"), 4);       // carries the weight 1 for the time 4
  EXPECT_EQ(observe(r, "variation"), 1);     // the velocity goes from 1 to 0; |v_i - v_{i-1}| = 1/16
  EXPECT_EQ(observe(r, "dissipated"), 0.5);  // what it had; lying there costs nothing
  EXPECT_EQ(observe(r, "penetration"), 0);
  EXPECT_EQ(observe(r, "final.x"), 0.125 * (15 - 15 * 16 / 2 / 16.0));
  EXPECT_EQ(observe(r, "final.vx"), 0);
}

// ---- a ball that bounces: from rest at 1, acceleration -2, e = 1/2, h = 1/64 ----

TEST_P(Standard, OfABouncingBall) {
  // It falls as y_i = 1 - i(i+1) h², so node 64 is the first at or below 0; it arrives there with v_63 = -2 and leaves
  // with 1. End at t = 1.5, still in the air.
  const auto scenario = parse_scenario(R"toml(
[model]
coordinates = ["y"]
force = ["-2"]
[[model.contact]]
inside = "y >= 0"
restitution = 0.5
[start]
y = "1"
[time]
end = 1.5
step = 0.015625
)toml");
  const auto r = run(scenario);
  const double h = 1.0 / 64;
  EXPECT_EQ(observe(r, "impacts"), 1);
  EXPECT_EQ(observe(r, "first_contact"), 1);
  EXPECT_EQ(observe(r, "stick_time"), h);  // one contact, and no tangential velocity in one dimension
  EXPECT_EQ(observe(r, "slip_time"), 0);
  EXPECT_EQ(observe(r, "flight_time"), 1.5 - h);         // before the first contact, and after the last
  EXPECT_EQ(observe(r, "impulse"), 1 + 2 + 2 * h);       // v_n - w_n
  EXPECT_EQ(observe(r, "dissipated"), (3 + 2 * h) / 2);  // the impulse 3 + 2h along the mean velocity (-2 + 1)/2
  EXPECT_EQ(observe(r, "variation"), 3 + 95 * 2 * h);
  EXPECT_EQ(observe(r, "penetration"), 64 * 65 * h * h - 1);
  EXPECT_EQ(observe(r, "final.vy"), 1 - 31 * 2 * h);
}

TEST_P(Standard, CountsImpactsAndTheFlightsBetweenThem) {
  // two impacts, at nodes 64 and about 128: the gap between them is flight
  const auto scenario = parse_scenario(R"toml(
[model]
coordinates = ["y"]
force = ["-2"]
[[model.contact]]
inside = "y >= 0"
restitution = 0.5
[start]
y = "1"
[time]
end = 2.25
step = 0.015625
)toml");
  const auto r = run(scenario);
  const test::SeenMember seen = test::see_member(scenario, backend());
  int contacts = 0;
  for (const auto& node : seen.nodes) contacts += node.touches() ? 1 : 0;
  EXPECT_EQ(contacts, 2);
  EXPECT_EQ(observe(r, "impacts"), 2);
  EXPECT_EQ(observe(r, "flight_time"), 2.25 - 2.0 / 64);
}

// ---- onsets that are no impacts ----

/// Pressed onto the floor by 1, but for one step at t = 1/2 which pushes up by `kick`; h = 1/8.
io::Results kicked_on(const std::string& backend, double kick, double end) {
  return run_scenario(
      parse_scenario(
          "[model]\ncoordinates = [\"y\"]\nforce = [\"if(t == 0.5, kick, -1)\"]\n[model.parameters]\nkick = " +
          std::to_string(kick) + "\n[[model.contact]]\ninside = \"y >= 0\"\n[start]\ny = \"0\"\n[time]\nend = " +
          std::to_string(end) + "\nstep = 0.125\n"),
      backend);
}

TEST_P(Standard, AGapThatEndsWithoutImpactIsSlip) {
  // up with h at node 4, y_5 = h²; still at node 5, down with h at node 6, y_7 = 0: contact at nodes 0-3 and from 7 on.
  // It arrives with h, and ten steps of the force make 10 h: no impact.
  const auto r = kicked_on(backend(), 1, 2);
  EXPECT_EQ(observe(r, "impacts"), 0);
  EXPECT_EQ(observe(r, "slip_time"), 3 * 0.125);  // nodes 4, 5, 6
  EXPECT_EQ(observe(r, "stick_time"), 13 * 0.125);
  EXPECT_EQ(observe(r, "flight_time"), 0);
  EXPECT_EQ(observe(r, "first_contact"), 0);
}

TEST_P(Standard, AGapThatEndsWithAnImpactIsFlight) {
  // up with 16 h = 2 at node 4; y_{4+j} = h² (16 j - j (j-1)/2) is 0 again at j = 33, when v = -16 h: faster than 10 h
  const auto r = kicked_on(backend(), 16, 8);
  EXPECT_EQ(observe(r, "impacts"), 1);
  EXPECT_EQ(observe(r, "flight_time"), 33 * 0.125);  // nodes 4 … 36
  EXPECT_EQ(observe(r, "slip_time"), 0);
  EXPECT_EQ(observe(r, "stick_time"), 8 - 33 * 0.125);
}

TEST_P(Standard, TheBorderOfAnImpactIsTenSteps) {
  // arrives with 10 h exactly: not faster; with 11 h: faster
  EXPECT_EQ(observe(kicked_on(backend(), 10, 8), "impacts"), 0);
  EXPECT_EQ(observe(kicked_on(backend(), 11, 8), "impacts"), 1);
}

TEST_P(Standard, AGapThatNeverEndsIsFlight) {
  // ends at 4.5, in the air
  const auto r = kicked_on(backend(), 16, 4.5);
  EXPECT_EQ(observe(r, "impacts"), 0);
  EXPECT_EQ(observe(r, "flight_time"), 4);
  EXPECT_EQ(observe(r, "stick_time"), 0.5);
}

TEST_P(Standard, AContactInTheFirstStepIsAnImpactIfItArrivesFast) {
  // on the floor with v_{-1} = -2: onset at node 0
  const auto r = run(parse_scenario(R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-1"]
[[model.contact]]
inside = "y >= 0"
friction = 0.25
[start]
x = "t"
y = "0"
vy = -2
[time]
end = 1
step = 0.125
)toml"));
  EXPECT_EQ(observe(r, "impacts"), 1);
  EXPECT_EQ(observe(r, "first_contact"), 0);
  EXPECT_EQ(observe(r, "flight_time"), 0);
}

TEST_P(Standard, LeavingAConvexObstacleAndComingBackIsSlip) {
  // A particle pressed onto a ball slides over its top: the scheme leaves by O(h²) and comes back every few steps. All
  // of it is slip until it leaves for good, which a particle without friction does where cos(angle) = 2/3 + s0²/(3 G
  // R).
  const auto scenario = parse_scenario(R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-10"]
[[model.contact]]
inside = "x^2 + y^2 >= 1"
[start]
x = "0"
y = "1"
vx = 1
[time]
end = 1
step = 1e-4
)toml");
  const test::SeenMember seen = test::see_member(scenario, backend());
  int onsets = 0;
  double last = 0;
  bool touched = false;
  for (const auto& node : seen.nodes) {
    if (node.touches() && !touched) ++onsets;
    if (node.touches()) last = node.t;
    touched = node.touches();
  }
  const auto r = run(scenario);
  EXPECT_GT(onsets, 10);
  EXPECT_EQ(observe(r, "impacts"), 0);
  EXPECT_NEAR(observe(r, "slip_time"), last - observe(r, "first_contact"), 1.5e-4);  // gaps and all
  const auto& leaving = seen.nodes[static_cast<std::size_t>(std::lround(last / 1e-4))];
  EXPECT_NEAR(leaving.q[1] / leaving.q.norm(), 2.0 / 3 + 1.0 / 30, 0.01);  // O(h) and the last of many small hops
}

TEST_P(Standard, PenetrationIsADistance) {
  // the same floor written with another scale: g = 8 (…), |∇g| = 8; deepest at a node that leaves by its own force
  for (const std::string inside : {"y >= 0", "8*y >= 0", "0.125*y >= 0", "-y <= 0"}) {
    const auto r =
        run(parse_scenario("[model]\ncoordinates = [\"y\"]\nforce = [\"-2\"]\n[[model.contact]]\ninside = \"" + inside +
                           "\"\n[start]\ny = \"1\"\n[time]\nend = 1.5\nstep = 0.25\n"));
    // y = 1, .875, .625, .25, -.25: stays there
    EXPECT_EQ(observe(r, "penetration"), 0.25) << inside;
    EXPECT_EQ(observe(r, "first_contact"), 1) << inside;
  }
}

TEST_P(Standard, PenetrationCountsTheLastNode) {
  // the same fall, ended at t = 1: node 4 = N is the only one below the floor, and no contact has taken place
  const auto r = run(parse_scenario(R"toml(
[model]
coordinates = ["y"]
force = ["-2"]
[[model.contact]]
inside = "y >= 0"
[start]
y = "1"
[time]
end = 1
step = 0.25
)toml"));
  EXPECT_EQ(observe(r, "penetration"), 0.25);
  EXPECT_TRUE(std::isnan(observe(r, "first_contact")));
  EXPECT_EQ(observe(r, "flight_time"), 1);
}

TEST_P(Standard, BeforeTheFirstContactAllIsFlight) {
  // from rest at h² above the floor: y_1 = 0, and node 1 is an onset without impact. What came before is no gap between
  // contacts.
  const auto r = run(parse_scenario(R"toml(
[model]
coordinates = ["y"]
force = ["-1"]
[[model.contact]]
inside = "y >= 0"
[start]
y = "1/64"
[time]
end = 1
step = 0.125
)toml"));
  EXPECT_EQ(observe(r, "first_contact"), 0.125);
  EXPECT_EQ(observe(r, "impacts"), 0);
  EXPECT_EQ(observe(r, "flight_time"), 0.125);
  EXPECT_EQ(observe(r, "slip_time"), 0);
  EXPECT_EQ(observe(r, "stick_time"), 0.875);
}

TEST_P(Standard, OnlyTheWantedOnesAreReported) {
  const auto r = fly("standard = [\"variation\", \"impacts\"]\n");
  EXPECT_EQ(scenario::observable_names(r.scenario),
            (std::vector<std::string>{"impacts", "variation", "final.x", "final.vx"}));
  EXPECT_EQ(observe(r, "impacts"), 0);
  EXPECT_EQ(observe(r, "variation"), 0);
}

TEST_P(Standard, AFastSwitchFromOneWallToAnotherIsAnOnset) {
  // between two walls 1 apart, v = 8 and h = 1/8: one step from wall to wall, e = 1, no force: contact at every node,
  // each an impact
  const auto r = run(parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[[model.contact]]
name = "left"
inside = "x >= 0"
restitution = 1
[[model.contact]]
name = "right"
inside = "x <= 1"
restitution = 1
[start]
x = "8*t"
[time]
end = 1
step = 0.125
)toml"));
  // node 0 at the left wall moves away: no contact; then right, left, right, … at nodes 1 … 7
  EXPECT_EQ(observe(r, "impacts"), 7);
  EXPECT_EQ(observe(r, "flight_time"), 0.125);
  EXPECT_EQ(observe(r, "dissipated"), 0);
  EXPECT_EQ(observe(r, "impulse"), 7 * 16);
  EXPECT_EQ(observe(r, "final.x"), 0);
}

}  // namespace
}  // namespace conesweep
