// Devices of which the answer is known and that are nobody's sample: blocks that count digits of π, balls with spin,
// rods, clutches, spools, pads that hold ellipses and stadiums of forces, a ladder that leaves its wall, a table that
// throws.
#include <numbers>

#include "step/stepped_answers.hpp"

namespace conesweep::test {
namespace {

class Devices : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(Devices);

constexpr double g = 9.81;

std::string time_and_members(double end, double step, int members = 16) {
  return "[time]\nend = " + format_number(end) + "\nstep = " + format_number(step) +
         "\n[ensemble]\nmembers = " + std::to_string(members) + "\nsampler = \"latin\"\n";
}

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
// Friction on a constraint that moves (B4).
TEST_P(Devices, ABeadOnARoughRodThatTurns) {
  const scenario::Source source{"rod.toml", R"toml([model]
coordinates = ["x", "y"]
mass = ["m", "m"]
force = ["0", "0"]
[model.parameters]
m = 0.7
W = 1.5
mu = 0.4
v0 = 0.3
[[model.bilateral]]
name = "rod"
holds = "y * cos(W * t) - x * sin(W * t) = 0"
[[model.resistance]]
name = "rub"
slip = ["(x * vx + y * vy) / hypot(x, y)"]
limit = "mu * abs(normal(rod))"
[start]
x = "0.5"
y = "0"
vx = "v0"
vy = "W * 0.5"
[vary]
W = { uniform = [1.0, 2.0] }
mu = { uniform = [0.0, 0.8] }
v0 = { uniform = [0.1, 0.6] }
)toml" + time_and_members(1, 0.01)};
  expect_first_order("bead on a rough rod", source, {"place", "speed"}, 1, 100, [](const Stepped& run, std::size_t k) {
    const double W = run.parameter("W", k), mu = run.parameter("mu", k), v0 = run.parameter("v0", k), T = run.end(),
                 root = std::sqrt(mu * mu + 1);
    const double out = W * (root - mu), in = -W * (root + mu), one = (v0 - in * 0.5) / (out - in), other = 0.5 - one;
    const double x = run.observed("final.x", k), y = run.observed("final.y", k), r = std::hypot(x, y);
    return Row{r - (one * std::exp(out * T) + other * std::exp(in * T)),
               (x * run.observed("final.vx", k) + y * run.observed("final.vy", k)) / r -
                   (one * out * std::exp(out * T) + other * in * std::exp(in * T))};
  });
}

// A clutch between two wheels: they turn as one after Δω J/τ, 1/J = 1/J1 + 1/J2, and what it has turned into heat is ½
// J Δω², whatever its torque.
TEST_P(Devices, AClutchTakesHalfTheEnergyOfTheSlip) {
  const scenario::Source source{"clutch.toml", R"toml([model]
coordinates = ["a", "b"]
mass = ["J1", "J2"]
force = ["0", "0"]
[model.parameters]
J1 = 2.0
J2 = 0.5
tau = 0.8
[[model.resistance]]
name = "clutch"
slip = ["va - vb"]
limit = "tau"
[start]
a = "5 * t"
b = "-2 * t"
[vary]
J1 = { uniform = [0.5, 2.0] }
J2 = { uniform = [0.2, 0.6] }
tau = { uniform = [0.8, 2.0] }
[observe]
one = { first_time = "slip(clutch) < 1e-12" }
)toml" + time_and_members(5, 0.05)};
  expect_first_order("clutch", source, {"time", "angle between"}, 5, 100, [](const Stepped& run, std::size_t k) {
    const double J1 = run.parameter("J1", k), J2 = run.parameter("J2", k), total = J1 + J2, J = J1 * J2 / total,
                 end = 7 * J / run.parameter("tau", k);
    EXPECT_NEAR(run.observed("final.va", k), (5 * J1 - 2 * J2) / total, 1e-11) << "member " << k;
    EXPECT_NEAR(run.observed("final.vb", k), (5 * J1 - 2 * J2) / total, 1e-11) << "member " << k;
    EXPECT_NEAR(run.observed("dissipated", k), J * 49 / 2, 1e-10) << "member " << k;
    return Row{run.observed("one", k) - end, run.observed("final.a", k) - run.observed("final.b", k) - 7 * end / 2};
  });
}

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

// Sets of forces that pads bear: a disk seen through stretched rows is an ellipse, a disk and a bar on one another a
// stadium. Nothing moves by more than rounding inside, everything does outside.
TEST_P(Devices, PadsHoldEllipsesAndStadiums) {
  const Stepped run({"pads.toml", R"toml([model]
coordinates = ["x", "y", "u", "w"]
mass = ["2", "3", "1", "4"]
force = ["F * cos(p)", "F * sin(p)", "F * cos(p)", "F * sin(p)"]
[model.parameters]
F = 1.0
p = 0.0
[[model.resistance]]
name = "ellipse"
slip = ["1.5 * vx", "0.5 * vy"]
limit = 0.8
[[model.resistance]]
name = "disk"
slip = ["vu", "vw"]
limit = 0.3
[[model.resistance]]
name = "bar"
slip = ["vu * cos(0.3) + vw * sin(0.3)"]
limit = 0.7
[start]
x = "0"
y = "0"
u = "0"
w = "0"
[time]
end = 0.2
step = 0.02
[ensemble]
sampler = "grid"
levels = { F = 20, p = 17 }
[vary]
F = { uniform = [0.05, 1.5] }
p = { uniform = [0.0, 6.0] }
[observe]
first = { final = "hypot(vx, vy)" }
second = { final = "hypot(vu, vw)" }
)toml"},
                    backend(), 0.02);
  int moved[2] = {}, held[2] = {};
  for (std::size_t m = 0; m < run.members(); ++m) {
    ASSERT_TRUE(run.ok(m)) << to_name(run.status(m));
    const double F = run.parameter("F", m), p = run.parameter("p", m), x = F * std::cos(p), y = F * std::sin(p);
    const double along = std::clamp(x * std::cos(0.3) + y * std::sin(0.3), -0.7, 0.7);
    const double beyond[] = {std::hypot(x / 1.5, y / 0.5) - 0.8,
                             std::hypot(x - along * std::cos(0.3), y - along * std::sin(0.3)) - 0.3};
    for (int pad = 0; pad < 2; ++pad) {
      const double speed = run.observed(pad == 0 ? "first" : "second", m);
      if (std::fabs(beyond[pad]) < 1e-6) continue;
      if (beyond[pad] < 0) {
        EXPECT_LT(speed, 1e-13) << "pad " << pad << ", member " << m;
        ++held[pad];
      } else {
        EXPECT_GT(speed, 1e-3 * beyond[pad]) << "pad " << pad << ", member " << m;
        ++moved[pad];
      }
    }
  }
  for (int pad = 0; pad < 2; ++pad) {
    EXPECT_GT(held[pad], 50);
    EXPECT_GT(moved[pad], 50);
  }
}

// A plate that slides and spins on one pad, with forces and torque in a ball of the kinetic metric, stops sliding and
// spinning at once, after |v|/μg, with half of its way at its first speed behind it.
TEST_P(Devices, APlateStopsSlidingAndSpinningAtOnce) {
  const scenario::Source source{"plate.toml", R"toml([model]
coordinates = ["x", "y", "p"]
mass = ["2", "2", "2 * rho^2"]
force = ["0", "0", "0"]
[model.parameters]
rho = 0.3
mu = 0.4
spin = 3.0
[[model.resistance]]
name = "pad"
slip = ["vx", "vy", "rho * vp"]
limit = "mu * 2 * 9.81"
[start]
x = "1.2 * t"
y = "-0.7 * t"
p = "spin * t"
[vary]
mu = { uniform = [0.3, 0.6] }
spin = { uniform = [0.0, 5.0] }
[observe]
rests = { first_time = "slip(pad) < 1e-12" }
)toml" + time_and_members(1, 0.01)};
  expect_first_order("plate", source, {"time", "way", "turn"}, 1, 100, [](const Stepped& run, std::size_t k) {
    const double spin = run.parameter("spin", k), speed = std::sqrt(1.2 * 1.2 + 0.7 * 0.7 + 0.09 * spin * spin),
                 end = speed / (run.parameter("mu", k) * g);
    return Row{run.observed("rests", k) - end, run.observed("final.x", k) - 0.6 * end,
               run.observed("final.p", k) - spin * end / 2};
  });
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

// A force k t that comes late by τ pulls against dry friction L: nothing moves until τ + L/k, and from then on m v = k
// (t - τ - L/k)²/2.
TEST_P(Devices, ALatePullMeetsDryFriction) {
  const scenario::Source source{"late.toml", R"toml([model]
coordinates = ["x"]
mass = ["2"]
force = ["k * delay(max(t, 0), tau)"]
[model.parameters]
k = 3.0
tau = 0.237
L = 0.8
[[model.resistance]]
name = "rub"
slip = ["vx"]
limit = "L"
[start]
x = "0"
[vary]
tau = { uniform = [0.0, 0.4] }
L = { uniform = [0.3, 1.5] }
[observe]
before = { max = "if(t < tau + L / k, abs(vx), 0)" }
)toml" + time_and_members(1.5, 0.015)};
  expect_first_order("late pull", source, {"speed"}, 1.5, 100, [](const Stepped& run, std::size_t k) {
    const double begins = run.parameter("tau", k) + run.parameter("L", k) / 3, T = run.end();
    EXPECT_LT(run.observed("before", k), 1e-15) << "member " << k;
    return Row{run.observed("final.vx", k) - 3 * (T - begins) * (T - begins) / 4};
  });
}

}  // namespace
}  // namespace conesweep::test
