// Devices that something resists: a rough rod, a clutch, pads that hold ellipses and stadiums of forces, a late pull.

#include "step/stepped_answers.hpp"

namespace conesweep::test {
namespace {

class ResistedDevices : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(ResistedDevices);

constexpr double g = 9.81;

TEST_P(ResistedDevices, ABeadOnARoughRodThatTurns) {
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
TEST_P(ResistedDevices, AClutchTakesHalfTheEnergyOfTheSlip) {
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

// Sets of forces that pads bear: a disk seen through stretched rows is an ellipse, a disk and a bar on one another a
// stadium. Nothing moves by more than rounding inside, everything does outside.
TEST_P(ResistedDevices, PadsHoldEllipsesAndStadiums) {
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
TEST_P(ResistedDevices, APlateStopsSlidingAndSpinningAtOnce) {
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

// A force k t that comes late by τ pulls against dry friction L: nothing moves until τ + L/k, and from then on m v = k
// (t - τ - L/k)²/2.
TEST_P(ResistedDevices, ALatePullMeetsDryFriction) {
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
