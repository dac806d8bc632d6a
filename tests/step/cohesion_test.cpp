// (H) Contacts that hold fast, on every executor: what they hold, how they let go, and what the rest of the step makes
// of them, against closed forms of the scheme.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep::test {
namespace {

constexpr double h = 0.0625;
constexpr double rounding = 1e-12;

class Cohesion : public OnExecutor {
 protected:
  std::vector<SeenMember> see(const std::string& text, const std::vector<std::vector<double>>& rows) const {
    return see_members(parse_scenario(text), backend(), rows);
  }
  SeenMember see(const std::string& text) const { return see_member(parse_scenario(text), backend()); }
};
ON_EVERY_EXECUTOR(Cohesion);

// (O6)
void expect_balance(const SeenMember& member, double energy_before) {
  double energy = 0;
  for (const std::string& name : member.names)
    if (name.starts_with("final.v")) energy += member.observed(name) * member.observed(name) / 2;
  EXPECT_NEAR(energy - energy_before,
              member.observed("work") - member.observed("dissipated") + member.observed("drive_work"), rounding);
}

/// One coordinate before a wall at 0, for two units of time.
std::string before_wall(const std::string& force, const std::string& start, const std::string& contact,
                        const std::string& more = "") {
  return "[model]\ncoordinates = [\"x\"]\nforce = [\"" + force +
         "\"]\n[model.parameters]\nc = 1.01\ns = 1.0\n[[model.contact]]\nname = \"wall\"\ninside = \"x >= 0\"\n" +
         contact + "\n" + more + "[start]\nx = \"" + start +
         "\"\n[time]\nend = 2\nstep = 0.0625\n[observe]\nalso = [\"work\", \"drive_work\", \"impulse.wall\"]\nleast = "
         "{ min = \"normal(wall)\" }\n"
         "most = { max = \"normal(wall)\" }\n";
}

TEST_P(Cohesion, HoldsAgainstAPullUpToItsForce) {
  // pulled by 2t, held up to 1.01: the first step in which it is pulled by more begins at 0.5625
  const SeenMember member = see(before_wall("2*t", "0", "cohesion = \"c\""));
  constexpr int opens = 9;
  double impulse = 0, v = 0, x = 0;
  for (int i = 0; i < 32; ++i) {
    const double pull = 2 * h * i;
    impulse -= i < opens ? h * pull : i == opens ? h * 1.01 : 0;
    v += i < opens ? 0 : i == opens ? h * (pull - 1.01) : h * pull;
    x += h * v;
    const SeenNode& node = member.nodes[static_cast<std::size_t>(i)];
    EXPECT_NEAR(node.v[0], v, rounding) << i;
    EXPECT_EQ(node.mode, i < opens ? executor::Mode::stick : executor::Mode::flight) << i;
  }
  EXPECT_NEAR(member.observed("final.x"), x, rounding);
  EXPECT_NEAR(member.observed("impulse"), impulse, rounding);
  EXPECT_NEAR(member.observed("impulse.wall"), impulse, rounding);
  EXPECT_NEAR(member.observed("least"), -1.01, rounding);
  EXPECT_NEAR(member.observed("most"), 0, rounding);
  EXPECT_NEAR(member.observed("stick_time"), opens * h, rounding);
  EXPECT_NEAR(member.observed("flight_time"), (32 - opens) * h, rounding);
  EXPECT_EQ(member.observed("first_contact"), 0);
  EXPECT_EQ(member.observed("impacts"), 0);
  EXPECT_EQ(member.observed("penetration"), 0);
  // the step in which it opens works against the pull, too
  EXPECT_NEAR(member.observed("dissipated"), h * 1.01 * (h * (2 * h * opens - 1.01)) / 2, rounding);
  expect_balance(member, 0);
}

TEST_P(Cohesion, CountsAsAForceThatPressesForFriction) {
  // at an upright wall in space, weight 0.8: hangs iff 0.8 <= c/2, else slides with 0.8 - c/2
  const auto members = see(R"toml([model]
coordinates = ["x", "y", "z"]
force = ["0", "0.48", "-0.64"]
[model.parameters]
c = 1.0
[[model.contact]]
name = "wall"
inside = "x >= 0"
friction = 0.5
cohesion = "c"
[start]
x = "0"
y = "0"
z = "0"
[time]
end = 2
step = 0.0625
[observe]
also = ["work", "drive_work"]
slides = { final = "slip(wall)" }
load = { max = "abs(normal(wall))" }
)toml",
                           {{1.0}, {1.7}, {0.0}, {1e6}});
  const double slip[] = {0.3, 0, 0.8, 0};
  for (std::size_t m = 0; m < members.size(); ++m) {
    EXPECT_NEAR(members[m].observed("slides"), 2 * slip[m], rounding) << m;
    EXPECT_NEAR(members[m].observed("final.vy"), 1.2 * slip[m], rounding) << m;
    EXPECT_NEAR(members[m].observed("final.vz"), -1.6 * slip[m], rounding) << m;
    EXPECT_NEAR(members[m].observed("load"), 0, rounding) << m;
    // without cohesion nothing presses
    const char* const time = m == 2 ? "flight_time" : slip[m] == 0 ? "stick_time" : "slip_time";
    EXPECT_NEAR(members[m].observed(time), 2, rounding) << m;
    expect_balance(members[m], 0);
  }
}

TEST_P(Cohesion, LetsWhatIsFastGoAndHoldsWhatIsSlow) {
  // h c = 0.063125; without and with restitution, for which what leaves comes back with -e v first (B2)
  for (const std::string e : {"", "restitution = 0.5"}) {
    const auto members = see(before_wall("0", "s*t", "cohesion = \"c\"\n" + e), {{1.01, 1.0}, {1.01, 0.01}});
    const SeenMember &fast = members[0], &slow = members[1];
    EXPECT_NEAR(fast.observed("final.vx"), 1 - 1.01 * h, rounding) << e;
    EXPECT_NEAR(fast.observed("impulse"), -1.01 * h, rounding) << e;
    EXPECT_EQ(fast.observed("flight_time"), 2) << e;
    expect_balance(fast, 0.5);
    EXPECT_NEAR(slow.observed("final.x"), 0, rounding) << e;
    EXPECT_NEAR(slow.observed("impulse"), -0.01, rounding) << e;
    EXPECT_NEAR(slow.observed("stick_time"), 2, rounding) << e;
    expect_balance(slow, 5e-5);
  }
}

TEST_P(Cohesion, DoesNotHoldWhatReboundsAndIsAway) {
  // found a quarter of a step's way beyond the wall: half a step's way takes it out again. Three quarters: it is still
  // there in the step after, and held back once
  const auto members =
      see(before_wall("0", "s - t", "restitution = 0.5\ncohesion = \"c\""), {{1.01, 15.75 * h}, {1.01, 15.25 * h}});
  const SeenMember &away = members[0], &held = members[1];
  EXPECT_NEAR(away.observed("final.vx"), 0.5, rounding);
  EXPECT_NEAR(away.observed("impulse"), 1.5, rounding);
  EXPECT_EQ(away.observed("impacts"), 1);
  EXPECT_NEAR(held.observed("final.vx"), 0.5 - 1.01 * h, rounding);
  EXPECT_NEAR(held.observed("impulse"), 1.5 - 1.01 * h, rounding);
  for (const SeenMember& member : members) expect_balance(member, 0.5);
}

std::string with_impacts_located(std::string text) {
  const std::string step = "step = 0.0625\n";
  return text.insert(text.find(step) + step.size(), "impacts = \"located\"\n");
}

TEST_P(Cohesion, HasNoTimeInALocatedImpact) {
  // met between two nodes, and away before the next one: a thousand holds no more than nothing
  const SeenMember bounces =
      see(with_impacts_located(before_wall("0", "0.96 - t", "restitution = 0.5\ncohesion = \"1000\"")));
  EXPECT_NEAR(bounces.observed("final.vx"), 0.5, rounding);
  EXPECT_NEAR(bounces.observed("final.x"), 0.5 * (2 - 0.96), rounding);
  EXPECT_NEAR(bounces.observed("impulse"), 1.5, rounding);
  // what stays is held from the next node on
  const SeenMember stays = see(with_impacts_located(before_wall("0.25*t", "0.96 - t", "cohesion = \"c\"")));
  EXPECT_NEAR(stays.observed("final.vx"), 0, rounding);
  EXPECT_NEAR(stays.observed("least"), -0.25 * (2 - h), rounding);
}

TEST_P(Cohesion, HasNoTimeInAPercussion) {
  // a blow of 2 takes it off the wall; in the stretch after it it is held back by h c = 0.5, or by all of it
  const std::string blow =
      "[[model.resistance]]\nname = \"hammer\"\nslip = [\"vx\"]\ndrive = [\"5\"]\nlimit = 0\npercussions = { time = "
      "\"0.5\", size = \"1\", count = 1, limit = \"2\" }\n";
  const auto members = see(before_wall("0", "0", "cohesion = \"c\"", blow), {{8.0, 0.0}, {1000.0, 0.0}});
  const SeenMember &off = members[0], &held = members[1];
  EXPECT_NEAR(off.observed("final.vx"), 1.5, rounding);
  EXPECT_NEAR(off.observed("final.x"), 1.5 * 1.5, rounding);
  expect_balance(off, 0);
  EXPECT_NEAR(held.observed("final.x"), 0, rounding);
  EXPECT_NEAR(held.observed("impulse"), -2, rounding);
}

TEST_P(Cohesion, FollowsAWallThatDrawsBack) {
  // the floor goes down with 1.6 cos(4t): held by 1.7 it is followed exactly, by 1.5 it is lost
  const auto members = see(R"toml([model]
coordinates = ["y"]
force = ["0"]
[model.parameters]
c = 1.7
[[model.contact]]
name = "floor"
inside = "y >= 0.1*cos(4*t)"
cohesion = "c"
[start]
y = "0.1"
[time]
end = 2
step = 0.0625
[observe]
also = ["work", "drive_work"]
off = { max = "abs(y - 0.1*cos(4*t))" }
)toml",
                           {{1.7}, {1.5}});
  EXPECT_LE(members[0].observed("off"), rounding);
  EXPECT_EQ(members[0].observed("flight_time"), 0);
  EXPECT_GT(members[1].observed("off"), 1e-3);
  EXPECT_GT(members[1].observed("flight_time"), 0.1);
  for (const SeenMember& member : members) expect_balance(member, 0);
}

TEST_P(Cohesion, HoldsAtSeveralWallsOneByOne) {
  // in a corner, pulled by (2t, t) and held by 1.01 at both: off the upright wall after half a unit of time, off the
  // floor after a whole one; what slides along the floor by then is rubbed by what holds it there
  const SeenMember member = see(R"toml([model]
coordinates = ["x", "y"]
force = ["2*t", "t"]
mass = ["1", "1"]
[[model.contact]]
name = "wall"
inside = "x >= 0"
cohesion = 1.01
[[model.contact]]
name = "floor"
inside = "y >= 0"
slip = ["vx"]
friction = 0.25
cohesion = 1.01
[start]
x = "0"
y = "0"
[time]
end = 2
step = 0.0625
[observe]
also = ["work", "drive_work", "impulse.wall", "impulse.floor"]
)toml");
  double vx = 0, vy = 0;
  bool on_wall = true, on_floor = true;
  for (int i = 0; i < 32; ++i) {
    const double t = h * i, grip = on_floor ? 0.25 * std::max(0.0, 1.01 - t) : 0;
    // at the wall: what friction leaves of the pull
    double pull = 2 * t;
    if (on_wall && pull - grip > 1.01) {
      on_wall = false;
      pull -= 1.01;  // once more
      vx += h * (pull - grip);
    } else if (!on_wall) {
      vx = std::max(0.0, vx + h * (pull - grip));
    }
    if (on_floor && t > 1.01) {
      on_floor = false;
      vy += h * (t - 1.01);
    } else if (!on_floor) {
      vy += h * t;
    }
    EXPECT_NEAR(member.nodes[static_cast<std::size_t>(i)].v[0], vx, rounding) << i;
    EXPECT_NEAR(member.nodes[static_cast<std::size_t>(i)].v[1], vy, rounding) << i;
  }
  EXPECT_FALSE(on_wall || on_floor);
  expect_balance(member, 0);
}

// The fast executors solve this contact in closed form where it has no cohesion, and search where it has one.
TEST_P(Cohesion, OfNothingChangesNothing) {
  const auto slider = [](const std::string& cohesion) {
    return "[model]\ncoordinates = [\"x\", \"y\"]\nmass = [2, 3]\nforce = [\"3*sin(4*t)\", \"-8 + 9*cos(3*t)\"]\n"
           "[[model.contact]]\nname = \"floor\"\ninside = \"y >= 0\"\nslip = [\"vx\"]\nfriction = 0.4\nrestitution = "
           "0.3\n" +
           cohesion + "[start]\nx = \"2*t\"\ny = \"0.1\"\n[time]\nend = 2\nstep = 0.015625\n";
  };
  const SeenMember without = see(slider("")), with_none = see(slider("cohesion = \"0*x\"\n"));
  ASSERT_EQ(with_none.nodes.size(), without.nodes.size());
  const double allowed = is_reference() ? 0 : rounding;
  for (std::size_t i = 0; i < without.nodes.size(); ++i) {
    EXPECT_LE((with_none.nodes[i].q - without.nodes[i].q).norm(), allowed) << i;
    EXPECT_LE((with_none.nodes[i].v - without.nodes[i].v).norm(), allowed) << i;
    EXPECT_EQ(with_none.nodes[i].mode, without.nodes[i].mode) << i;
  }
}

TEST_P(Cohesion, StopsAMemberWhereItIsNegativeOrNoNumber) {
  // 1 - c t: at 0 all is well; not asked for where nothing touches
  const auto negative = see(before_wall("0", "s", "cohesion = \"1 - c*t\""), {{4.0, 0.0}, {0.25, 0.0}, {4.0, 1.0}});
  EXPECT_EQ(to_name(negative[0].status), "bad_limit");
  EXPECT_NEAR(negative[0].stop_time, 0.3125, rounding);
  EXPECT_EQ(to_name(negative[1].status), "ok");
  EXPECT_EQ(to_name(negative[2].status), "ok");
  const auto others = see(before_wall("0", "0", "cohesion = \"if(s > 0, sqrt(1 - c*t), 1/(1 - floor(c*t)))\""),
                          {{4.0, 1.0}, {4.0, 0.0}});
  for (const SeenMember& member : others) EXPECT_EQ(to_name(member.status), "bad_limit");
  EXPECT_NEAR(others[0].stop_time, 0.3125, rounding);
  EXPECT_NEAR(others[1].stop_time, 0.25, rounding);
}

// a limit may use what a contact that is pulled at pulls with
TEST_P(Cohesion, IsAPullForThoseThatAskForNormal) {
  const SeenMember member = see(R"toml([model]
coordinates = ["x", "y"]
force = ["0.5", "-1"]
[[model.contact]]
name = "wall"
inside = "x >= 0"
cohesion = 2
[[model.resistance]]
name = "brake"
slip = ["vy"]
limit = "0.25 + max(0, -normal(wall))"
[start]
x = "0"
y = "0"
[time]
end = 2
step = 0.0625
[observe]
pull = { max = "normal(wall)" }
)toml");
  EXPECT_NEAR(member.observed("pull"), -0.5, rounding);
  EXPECT_NEAR(member.observed("final.vy"), -(1 - 0.75) * 2, rounding);
}

}  // namespace
}  // namespace conesweep::test
