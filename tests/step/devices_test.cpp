// Devices of which the answer is known and that are nobody's sample: blocks that count digits of π, balls with spin,
// spools, a ladder that leaves its wall, a table that throws.
#include <numbers>

#include "step/stepped_answers.hpp"

namespace conesweep::test {
namespace {

class Devices : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(Devices);

constexpr double g = 9.81;

// A heavy block pushes a light one against a wall; all impacts are elastic. In the plane of √m x and √M X the motion is
// a straight line that is folded into a wedge of the angle atan √(m/M), so it meets its sides ⌈π/atan √(m/M)⌉ - 1
// times: 3 and 31 times for M/m = 1 and 100 (Galperin).
TEST_P(Devices, TwoBlocksCountTheDigitsOfPi) {
  for (const bool located : {false, true}) {
    const Stepped run({"blocks.toml", R"toml([model]
coordinates = ["x", "X"]
mass = ["1", "M"]
force = ["0", "0"]
[model.parameters]
M = 100.0
[[model.contact]]
name = "wall"
inside = "x >= 0"
restitution = 1
[[model.contact]]
name = "blocks"
inside = "X >= x"
restitution = 1
[start]
x = "1"
X = "1.5 - t"
[ensemble]
sampler = "grid"
levels = { M = 4 }
[vary]
M = { choice = [1, 4, 16, 100] }
[time]
end = 8.0
step = 1e-3
)toml" + std::string(located ? "impacts = \"located\"\n" : "")},
                      backend(), 1e-3);
    for (std::size_t k = 0; k < run.members(); ++k) {
      ASSERT_TRUE(run.ok(k)) << to_name(run.status(k));
      const double M = run.parameter("M", k), angle = std::atan(1 / std::sqrt(M)),
                   folds = std::ceil(std::numbers::pi / angle) - 1;
      EXPECT_EQ(run.observed("impacts", k), folds) << "M = " << M << (located ? ", located" : "");
      // two impacts turn the line by 2 angle
      EXPECT_NEAR(run.observed("final.vX", k), -std::cos(2 * angle * std::floor((folds + 1) / 2)), 1e-12)
          << "M = " << M;
      EXPECT_NEAR(std::pow(run.observed("final.vx", k), 2) / M + std::pow(run.observed("final.vX", k), 2), 1, 1e-12)
          << "M = " << M;
    }
  }
}

// A ball with spin bounces off a rough floor. Newton's law stops its slip at best, with 2/7 of it as the impulse;
// Moreau's turns it round by e, with 2/7 (1 + e). Both slide with μ (1 + e) |v_n| where that is less.
TEST_P(Devices, ABallWithSpinBounces) {
  for (const bool moreau : {false, true}) {
    const Stepped run({"bounce.toml", "[model]\n" + std::string(moreau ? "restitution_law = \"moreau\"\n" : "") +
                                          R"toml(coordinates = ["x", "y", "a"]
mass = ["m", "m", "2 * m * R^2 / 5"]
force = ["0", "0", "0"]
[model.parameters]
m = 1.3
R = 0.2
e = 0.7
mu = 0.3
spin = 5.0
[[model.contact]]
name = "floor"
inside = "y >= R"
slip = ["vx - R * va"]
friction = "mu"
restitution = "e"
[start]
x = "0"
y = "R + 0.01"
a = "0"
vx = "1"
vy = "-2"
va = "spin"
[vary]
e = { uniform = [0.0, 1.0] }
mu = { loguniform = [0.02, 2.0] }
spin = { uniform = [-30.0, 40.0] }
)toml" + time_and_members(0.1, 0.002, 64)},
                      backend(), 0.002);
    int sticks = 0, slides = 0;
    for (std::size_t k = 0; k < run.members(); ++k) {
      ASSERT_TRUE(run.ok(k)) << to_name(run.status(k));
      const double m = 1.3, R = 0.2, e = run.parameter("e", k), spin = run.parameter("spin", k), slip = 1 - R * spin;
      const double needed = -2.0 / 7 * slip * (moreau ? 1 + e : 1), most = run.parameter("mu", k) * (1 + e) * 2;
      const double change = std::clamp(needed, -most, most);
      (change == needed ? sticks : slides) += 1;
      EXPECT_NEAR(run.observed("final.vy", k), 2 * e, 1e-12);
      EXPECT_NEAR(run.observed("final.vx", k), 1 + change, 1e-12) << "member " << k;
      EXPECT_NEAR(run.observed("final.va", k), spin - 5 * change / (2 * R), 1e-11) << "member " << k;
      EXPECT_NEAR(run.observed("impulse", k), m * (1 + e) * 2, 1e-12) << "member " << k;
    }
    EXPECT_GT(sticks, 8);
    EXPECT_GT(slides, 8);
  }
}

// A bead on a rough rod that a motor turns: it presses with 2 m Ω r', so r'' = Ω² r - 2 μ Ω r' while it goes outwards.

// A spool is pulled by its thread at the angle al: it rolls towards the hand where cos al > r/R and away from it else,
// as long as friction holds it.
TEST_P(Devices, ASpoolRollsTowardsTheHandOrAway) {
  const Stepped run({"spool.toml", R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["2", "2", "2 * k^2"]
force = ["F * cos(al)", "F * sin(al) - 9.81 * 2", "F * r"]
[model.parameters]
k = 0.2
R = 0.3
r = 0.1
F = 3.0
al = 0.4
mu = 0.2
[[model.contact]]
name = "floor"
inside = "y >= R"
slip = ["vx + R * va"]
friction = "mu"
[start]
x = "0"
y = "R"
a = "0"
[vary]
al = { uniform = [0.0, 1.5] }
mu = { loguniform = [0.02, 0.5] }
)toml" + time_and_members(0.5, 0.0125, 64)},
                    backend(), 0.0125);
  int forth = 0, back = 0, slides = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    ASSERT_TRUE(run.ok(m)) << to_name(run.status(m));
    const double k = 0.2, R = 0.3, r = 0.1, F = 3, al = run.parameter("al", m), T = run.end(),
                 load = 2 * g - F * std::sin(al);
    const double rolling = F * (std::cos(al) - r / R) / (2 * (1 + k * k / (R * R))),
                 held = 2 * rolling - F * std::cos(al), most = run.parameter("mu", m) * load;
    const bool rolls = std::fabs(held) <= most;
    const double friction = rolls ? held : std::copysign(most, held);
    (!rolls ? slides : rolling > 0 ? forth : back) += 1;
    EXPECT_NEAR(run.observed("final.vx", m), (F * std::cos(al) + friction) / 2 * T, 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("final.va", m), (F * r + R * friction) / (2 * k * k) * T, 1e-11) << "member " << m;
    EXPECT_NEAR(run.observed("impulse", m), load * T, 1e-10) << "member " << m;
  }
  EXPECT_GT(forth, 4);
  EXPECT_GT(back, 4);
  EXPECT_GT(slides, 4);
}

// A ladder slides down between smooth wall and floor, and leaves the wall when it is down to two thirds of its height,
// with (s/3) √(g L s) along the floor, s the sine of its first angle. Both ends persist until then.
TEST_P(Devices, ALadderLeavesTheWallAtTwoThirdsOfItsHeight) {
  const scenario::Source source{"ladder.toml", R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["1", "1", "L^2 / 12"]
force = ["0", "-9.81", "0"]
[model.parameters]
L = 2.0
a0 = 1.2
[model.define]
footx = "x + L / 2 * cos(a)"
footy = "y - L / 2 * sin(a)"
headx = "x - L / 2 * cos(a)"
heady = "y + L / 2 * sin(a)"
[[model.contact]]
name = "floor"
point = ["footx", "footy"]
inside = "footy >= 0"
persistent = true
[[model.contact]]
name = "wall"
point = ["headx", "heady"]
inside = "headx >= 0"
persistent = true
[start]
x = "L / 2 * cos(a0)"
y = "L / 2 * sin(a0)"
a = "a0"
[vary]
L = { uniform = [1.0, 2.0] }
a0 = { uniform = [0.9, 1.3] }
[observe]
also = ["lost.wall", "lost.floor"]
height = { min = "if(normal(wall) > 0, heady, 10)" }
)toml" + time_and_members(0.8, 0.01)};
  expect_first_order("ladder leaves its wall", source, {"height", "speed"}, 0.8, 100,
                     [](const Stepped& run, std::size_t k) {
                       const double L = run.parameter("L", k), s = std::sin(run.parameter("a0", k));
                       if (!(run.observed("lost.wall", k) < 0.75)) return Row{};
                       EXPECT_FALSE(run.observed("lost.floor", k) <= run.observed("lost.wall", k));
                       return Row{run.observed("height", k) - 2 * L * s / 3,
                                  run.observed("final.vx", k) - s / 3 * std::sqrt(g * L * s)};
                     });
}

// What lies on a table that is shaken up and down is thrown when the table falls faster than it: at asin(g/Aω²)/ω, to
// the height of a throw from there.
TEST_P(Devices, AShakenTableThrowsWhatLiesOnIt) {
  const scenario::Source source{"shaken.toml", R"toml([model]
coordinates = ["y"]
mass = ["3"]
force = ["-9.81 * 3"]
[model.parameters]
A = 0.05
w = 20.0
[[model.contact]]
name = "table"
inside = "y >= A * sin(w * t)"
[start]
y = "A * sin(w * t)"
[vary]
A = { uniform = [0.04, 0.06] }
w = { uniform = [18.0, 22.0] }
[observe]
off = { last_time = "normal(table) > 0", before = "pi / w" }
top = { max = "y" }
)toml" + time_and_members(0.2, 0.002, 64)};
  expect_first_order("shaken table", source, {"time"}, 0.2, 100, [](const Stepped& run, std::size_t k) {
    const double A = run.parameter("A", k), w = run.parameter("w", k), off = std::asin(g / (A * w * w)) / w,
                 speed = A * w * std::cos(w * off);
    if (off + speed / g < 0.95 * run.end()) {
      EXPECT_NEAR(run.observed("top", k), A * std::sin(w * off) + speed * speed / (2 * g),
                  3 * run.h() * run.h() * A * w * w)
          << "member " << k;
    }
    return Row{run.observed("off", k) - off};
  });
}

}  // namespace
}  // namespace conesweep::test
