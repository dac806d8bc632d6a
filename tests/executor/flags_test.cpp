// What a member may leave beside its numbers: the flags `hyperstatic` (B9) and `crowded` (I4), and the status of too
// many contacts.
#include <gtest/gtest.h>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/text.hpp"

namespace conesweep::test {
namespace {

using executor::Status;

class Flags : public OnExecutor {};
ON_EVERY_EXECUTOR(Flags);

const std::string members = R"toml([time]
end = 0.5
step = 0.0625
[ensemble]
sampler = "grid"
[vary]
)toml";

// Two rough feet have four rows in three coordinates; without friction their normal rows are no reason, since
// velocities are unique.
TEST_P(Flags, HyperstaticIsWhoStandsOnMoreRowsThanItHasCoordinates) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["1", "1", "0.2"]
force = ["0", "-10", "0"]
[model.parameters]
height = 0.0
mu = 0.3
[model.define]
lx = "x - 0.5"
ly = "y - 0.5 * a"
rx = "x + 0.5"
ry = "y + 0.5 * a"
[[model.contact]]
name = "left"
point = ["lx", "ly"]
inside = "ly >= 0"
friction = "mu"
[[model.contact]]
name = "right"
point = ["rx", "ry"]
inside = "ry >= 0"
friction = "mu"
[start]
x = "0"
y = "height"
a = "0"
)toml" + members + "height = { choice = [0, 5, 0.1] }\nmu = { choice = [0.3, 0] }\n");
  const io::Results results = run_scenario(scenario, backend());
  ASSERT_EQ(results.outcome.flags.size(), 6u);
  for (std::size_t m = 0; m < 6; ++m) {
    ASSERT_EQ(to_name(results.outcome.status[m]), "ok") << "member " << m;
    const double height = results.parameters[0][m], mu = results.parameters[1][m];
    EXPECT_EQ(results.outcome.flags[m], mu > 0 && height < 1 ? 1 : 0) << "height " << height << ", mu " << mu;
  }
}

// Where a rough and a smooth contact carry one load, or two rough ones of different friction, nothing says who carries
// what, and so not how fast the body slows down. A smooth wall beside a rough floor takes no load from it.
TEST_P(Flags, HyperstaticIsALoadThatTwoContactsCanCarry) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y"]
force = ["0", "-10"]
[model.parameters]
mu = 0.3
lean = 0.0
[[model.contact]]
name = "rough"
inside = "y >= 0"
friction = "0.3"
[[model.contact]]
name = "second"
inside = "y + lean * x >= 0"
friction = "mu"
[start]
x = "0"
y = "0"
vx = "2"
)toml" + members + "mu = { choice = [0, 0.1] }\nlean = { choice = [0, 100] }\n");
  const io::Results results = run_scenario(scenario, backend());
  ASSERT_EQ(results.outcome.flags.size(), 4u);
  for (std::size_t m = 0; m < 4; ++m) {
    ASSERT_EQ(to_name(results.outcome.status[m]), "ok") << "member " << m;
    const double mu = results.parameters[0][m], lean = results.parameters[1][m], v = column(results, "final.vx")[m];
    EXPECT_EQ(results.outcome.flags[m], lean == 0 ? 1 : 0) << "mu " << mu << ", lean " << lean;
    EXPECT_GE(v, 2 - 0.3 * 10 * 0.5 - 1e-12);
    EXPECT_LE(v, 2 - mu * 10 * 0.5 + 1e-12);
  }
}

// A guide that is stiff by itself holds a block that slides on a rough floor, up or down: how much of the weight
// presses on the floor, and so how fast the block slows down, is open while the guide sticks. It is not where the guide
// has no force, holds the block along the floor, or moves with it.
TEST_P(Flags, HyperstaticIsALoadThatAStiffGuideCanCarry) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y"]
mass = ["2", "1"]
force = ["0", "-10"]
[model.parameters]
limit = 4.0
turned = 0.0
[[model.contact]]
name = "floor"
inside = "y >= 0"
slip = ["vx"]
friction = "0.3"
[[model.resistance]]
name = "guide"
slip = ["vy * cos(turned) + vx * sin(turned)"]
limit = ["-limit", "limit / 2"]
[[model.resistance]]
name = "pad"
slip = ["vx", "vy"]
drive = ["5", "0"]
limit = 0.1
[start]
x = "0"
y = "0"
vx = "2"
)toml" + members + "limit = { choice = [4, 0] }\nturned = { choice = [0, 1, 1.5707963267948966] }\n");
  const io::Results results = run_scenario(scenario, backend());
  ASSERT_EQ(results.outcome.flags.size(), 6u);
  for (std::size_t m = 0; m < 6; ++m) {
    ASSERT_EQ(to_name(results.outcome.status[m]), "ok") << "member " << m;
    const double limit = results.parameters[0][m], turned = results.parameters[1][m];
    EXPECT_EQ(results.outcome.flags[m], limit > 0 && turned == 0 ? 1 : 0) << "limit " << limit << ", turned " << turned;
  }
}

// A bead on a rough rail: a clamp across the rail takes of its load as much as it likes, and so of its friction. It
// does not where it has no force, or the rail is smooth, or it acts along the rail.
TEST_P(Flags, HyperstaticIsALoadThatAClampCanTakeOffARail) {
  const auto scenario =
      parse_scenario(
          R"toml([model]
coordinates = ["x", "y"]
force = ["0", "-10"]
[model.parameters]
limit = 4.0
mu = 0.3
turned = 0.0
[[model.bilateral]]
name = "rail"
holds = "y = 0"
friction = "mu"
slip = ["vx"]
[[model.resistance]]
name = "clamp"
slip = ["vy * cos(turned) + vx * sin(turned)"]
limit = "limit"
[start]
x = "0"
y = "0"
vx = "2"
)toml" + members +
          "limit = { choice = [4, 0] }\nmu = { choice = [0.3, 0] }\nturned = { choice = [0, 1.5707963267948966] }\n");
  const io::Results results = run_scenario(scenario, backend());
  ASSERT_EQ(results.outcome.flags.size(), 8u);
  for (std::size_t m = 0; m < 8; ++m) {
    ASSERT_EQ(to_name(results.outcome.status[m]), "ok") << "member " << m;
    const double limit = results.parameters[0][m], mu = results.parameters[1][m], turned = results.parameters[2][m],
                 v = column(results, "final.vx")[m];
    EXPECT_EQ(results.outcome.flags[m], limit > 0 && mu > 0 && turned == 0 ? 1 : 0)
        << "limit " << limit << ", mu " << mu << ", turned " << turned;
    const double held = turned == 0 ? 0 : limit * 0.5, shared = turned == 0 ? limit : 0;
    EXPECT_GE(v, std::max(0.0, 2 - held - mu * (10 + shared) * 0.5) - 1e-12);
    EXPECT_LE(v, std::max(0.0, 2 - held - mu * (10 - shared) * 0.5) + 1e-12);
  }
}

// Galperin's balls: a heavy ball pushes a light one, a hundredth of its mass, against a wall, all elastic. They collide
// 31 times, most of them while the heavy one turns round, which is one step here: more than are located, and energy is
// lost. Where the heavy one goes away, nothing is. The light ball's place and ten times the heavy one's are those of a
// particle of mass 1 between two walls, which runs in packs.
TEST_P(Flags, CrowdedIsWhoMeetsMoreWallsThanAreLocated) {
  const std::string balls = R"toml([model]
coordinates = ["x", "y"]
mass = ["1", "100"]
force = ["0", "0"]
[model.parameters]
v = -1.0
[[model.contact]]
name = "wall"
inside = "x >= 0"
restitution = 1
[[model.contact]]
name = "balls"
inside = "y >= x"
restitution = 1
[start]
x = "1"
y = "2"
vy = "v"
)toml";
  const std::string particle = R"toml([model]
coordinates = ["x", "y"]
force = ["0", "0"]
[model.parameters]
v = -1.0
[[model.contact]]
name = "wall"
inside = "x >= 0"
restitution = 1
[[model.contact]]
name = "balls"
inside = "y / 10 >= x"
restitution = 1
[start]
x = "1"
y = "20"
vy = "10*v"
)toml";
  const std::string run =
      "[time]\nend = 4\nstep = 0.25\nimpacts = \"located\"\n[ensemble]\nsampler = \"grid\"\n[vary]\nv = { choice = "
      "[-1, 1] }\n";
  for (const std::string& text : {balls, particle}) {
    const double mass = text == balls ? 100 : 1;
    const io::Results results = run_scenario(parse_scenario(text + run), backend());
    for (std::size_t m = 0; m < 2; ++m) {
      ASSERT_EQ(to_name(results.outcome.status[m]), "ok") << "member " << m;
      const double vx = column(results, "final.vx")[m], vy = column(results, "final.vy")[m];
      const double kept = (vx * vx + mass * vy * vy) / 100;
      EXPECT_EQ(results.outcome.flags[m], m == 0 ? 2 : 0);
      if (m == 0)
        EXPECT_LT(kept, 0.99);
      else
        EXPECT_EQ(kept, 1);
    }
  }
}

// Thirty-two contacts without friction may touch at once, all rows of them dependent; one more is too many.
TEST_P(Flags, ThirtyThreeContactsAtOnceAreTooMany) {
  std::string contacts;
  for (int k = 1; k <= 33; ++k)
    contacts += "[[model.contact]]\nname = \"c" + std::to_string(k) + "\"\ninside = \"x + " + format_number(k - 16.5) +
                " * y >= " + (k == 33 ? "-away" : "0") + "\"\n";
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y"]
mass = ["2", "3"]
force = ["-1", "0"]
[model.parameters]
away = 0.0
)toml" + contacts + "[start]\nx = \"0\"\ny = \"0\"\n" +
                                       members + "away = { choice = [1, 0, 0.03] }\n");
  const io::Results results = run_scenario(scenario, backend());
  const auto& outcome = results.outcome;
  EXPECT_EQ(to_name(outcome.status[0]), "ok");
  EXPECT_NEAR(column(results, "final.x")[0], 0, 1e-13);
  EXPECT_NEAR(column(results, "impulse")[0], 0.5, 1e-12) << "what the force gives, however it is shared";
  EXPECT_EQ(outcome.flags[0], 0) << "without friction velocities are unique";
  EXPECT_EQ(to_name(outcome.status[1]), "several_contacts");
  EXPECT_EQ(outcome.stop_time[1], 0);
  EXPECT_EQ(to_name(outcome.status[2]), "ok");
}

}  // namespace
}  // namespace conesweep::test
