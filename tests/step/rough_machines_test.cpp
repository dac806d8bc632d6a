// Machines that friction drives or holds: slopes, belts, stacks, rings, ratchets, and a rod that strikes.
#include "step/stepped_answers.hpp"

namespace conesweep::test {
namespace {

class RoughMachines : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(RoughMachines);

constexpr double g = 9.81;

// A ball on a slope from rest: rolls with 5/7 g sin θ iff μ >= 2/7 tan θ, else it slides with g (sin θ - μ cos θ) and
// spins up with 5 μ g cos θ / 2R.
TEST_P(RoughMachines, ABallOnASlopeRollsOrSlides) {
  const Stepped run({"slope.toml", R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["m", "m", "0.4 * m * R^2"]
force = ["9.81 * m * sin(theta)", "-9.81 * m * cos(theta)", "0"]
[model.parameters]
m = 2.0
R = 0.1
mu = 0.2
theta = 0.5
[[model.contact]]
name = "slope"
inside = "y >= R"
slip = ["vx - R * va"]
friction = "mu"
[start]
x = "0"
y = "R"
a = "0"
[vary]
mu = { uniform = [0.02, 0.5] }
theta = { uniform = [0.1, 1.2] }
)toml" + time_and_members(1, 0.0125, 32)},
                    backend(), 0.0125);
  int rolls = 0, slides = 0;
  for (std::size_t k = 0; k < run.members(); ++k) {
    const double mu = run.parameter("mu", k), theta = run.parameter("theta", k), R = 0.1, T = run.end();
    const bool rolling = mu >= 2 * std::tan(theta) / 7;
    (rolling ? rolls : slides) += 1;
    const double a = rolling ? 5 * g * std::sin(theta) / 7 : g * (std::sin(theta) - mu * std::cos(theta));
    EXPECT_NEAR(run.observed("final.vx", k), a * T, 1e-10) << "member " << k;
    EXPECT_NEAR(run.observed("final.va", k), (rolling ? a / R : 5 * mu * g * std::cos(theta) / (2 * R)) * T, 1e-9)
        << "member " << k;
    EXPECT_NEAR(run.observed("stick_time", k), rolling ? T : 0, 1e-12) << "member " << k;
  }
  EXPECT_GT(rolls, 8);
  EXPECT_GT(slides, 8);
}

// A cylinder on a belt that speeds up with A goes along with A/3, as long as friction gives a third of that; else with
// μ g.
TEST_P(RoughMachines, ACylinderOnABeltThatSpeedsUp) {
  const Stepped run({"cylinder.toml", R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["m", "m", "m * R^2 / 2"]
force = ["0", "-9.81 * m", "0"]
[model.parameters]
m = 2.0
R = 0.3
mu = 0.2
A = 3.0
[[model.contact]]
name = "belt"
inside = "y >= R"
slip = ["vx - R * va"]
friction = "mu"
belt = ["A * t"]
[start]
x = "0"
y = "R"
a = "0"
[vary]
mu = { uniform = [0.05, 0.4] }
A = { uniform = [1.0, 12.0] }
[observe]
also = ["drive_work"]
)toml" + time_and_members(1, 0.0125, 32)},
                    backend(), 0.0125);
  int rolls = 0, slides = 0;
  for (std::size_t k = 0; k < run.members(); ++k) {
    const double mu = run.parameter("mu", k), A = run.parameter("A", k), T = run.end(), h = run.h(), m = 2, R = 0.3;
    const bool rolling = A / 3 <= mu * g;
    (rolling ? rolls : slides) += 1;
    const double a = std::min(A / 3, mu * g);
    EXPECT_NEAR(run.observed("final.vx", k), a * T, 1e-10) << "member " << k;
    EXPECT_NEAR(run.observed("final.va", k), -2 * a * T / R, 1e-9) << "member " << k;
    EXPECT_NEAR(run.observed("drive_work", k), m * a * A * T * (T + h) / 2, 1e-9) << "member " << k;
  }
  EXPECT_GT(rolls, 8);
  EXPECT_GT(slides, 8);
}

// Three blocks on each other, each faster than the one below: every surface slides, and each block feels the friction
// of two.
TEST_P(RoughMachines, AStackThatSlidesInEverySurface) {
  const Stepped run({"stack.toml", R"toml([model]
coordinates = ["x1", "x2", "x3", "y1", "y2", "y3"]
mass = ["m1", "m2", "m3", "m1", "m2", "m3"]
force = ["0", "0", "0", "-9.81 * m1", "-9.81 * m2", "-9.81 * m3"]
[model.parameters]
m1 = 4.0
m2 = 2.0
m3 = 1.0
mu1 = 0.1
mu2 = 0.2
mu3 = 0.3
[[model.contact]]
name = "floor"
inside = "y1 >= 0"
slip = ["vx1"]
friction = "mu1"
[[model.contact]]
name = "middle"
inside = "y2 - y1 >= 1"
slip = ["vx2 - vx1"]
friction = "mu2"
[[model.contact]]
name = "top"
inside = "y3 - y2 >= 1"
slip = ["vx3 - vx2"]
friction = "mu3"
[start]
x1 = "4 * t"
x2 = "8 * t"
x3 = "12 * t"
y1 = "0"
y2 = "1"
y3 = "2"
[vary]
m1 = { loguniform = [0.5, 1000.0] }
m3 = { loguniform = [0.5, 1000.0] }
mu2 = { uniform = [0.0, 0.4] }
)toml" + time_and_members(0.25, 0.0125, 24)},
                    backend(), 0.0125);
  int compared = 0;
  for (std::size_t k = 0; k < run.members(); ++k) {
    ASSERT_TRUE(run.ok(k)) << to_name(run.status(k));
    const double m1 = run.parameter("m1", k), m2 = 2, m3 = run.parameter("m3", k), mu2 = run.parameter("mu2", k),
                 T = run.end();
    const double top = 0.3 * m3 * g, middle = mu2 * (m2 + m3) * g, floor = 0.1 * (m1 + m2 + m3) * g;
    const double v1 = 4 + (middle - floor) / m1 * T, v2 = 8 + (top - middle) / m2 * T, v3 = 12 - top / m3 * T;
    if (!(v1 > 0 && v2 > v1 && v3 > v2)) continue;
    ++compared;
    EXPECT_NEAR(run.observed("final.vx1", k), v1, 1e-9) << "member " << k;
    EXPECT_NEAR(run.observed("final.vx2", k), v2, 1e-9) << "member " << k;
    EXPECT_NEAR(run.observed("final.vx3", k), v3, 1e-9) << "member " << k;
  }
  EXPECT_GT(compared, 5);
}

// A bead on a rough ring without weight, held by a firm row: s' = -μ s²/R, so it comes R/μ log(1 + μ s0 t/R) far.
TEST_P(RoughMachines, ABeadOnARoughRing) {
  const scenario::Source source{"ring.toml", R"toml([model]
coordinates = ["x", "y"]
mass = ["m", "m"]
force = ["0", "0"]
[model.parameters]
m = 0.5
R = 0.7
mu = 0.3
v0 = 2.0
[[model.bilateral]]
name = "ring"
holds = "hypot(x, y) = R"
[[model.resistance]]
name = "friction"
slip = ["(x * vy - y * vx) / hypot(x, y)"]
limit = "mu * abs(normal(ring))"
[start]
x = "R"
y = "0"
vx = "0"
vy = "v0"
[vary]
mu = { uniform = [0.1, 0.8] }
v0 = { uniform = [0.5, 3.0] }
[observe]
way = { integral = "hypot(vx, vy)" }
)toml" + time_and_members(1)};
  expect_first_order("bead on a ring", source, {"speed", "way"}, 1, 100, [](const Stepped& run, std::size_t k) {
    const double mu = run.parameter("mu", k), v0 = run.parameter("v0", k), R = 0.7, T = run.end();
    return Row{std::hypot(run.observed("final.vx", k), run.observed("final.vy", k)) - v0 / (1 + mu * v0 * T / R),
               run.observed("way", k) - R / mu * std::log(1 + mu * v0 * T / R)};
  });
}

// A ratchet under a torque Γ cos ωt: free in the first half of its swing, held from π/ω until the torque turns at
// 3π/2ω, and from then on never held again, since Γ/(Jω) (1 + sin ωt) >= 0.
TEST_P(RoughMachines, ARatchetUnderATorqueToAndFro) {
  const scenario::Source source{"ratchet.toml", R"toml([model]
coordinates = ["a"]
mass = ["J"]
force = ["Gamma * cos(w * t)"]
[model.parameters]
J = 0.4
Gamma = 1.5
w = 6.0
[[model.resistance]]
name = "pawl"
slip = ["va"]
limit = [0, "inf"]
[start]
a = "0"
[vary]
Gamma = { uniform = [1.0, 2.0] }
w = { uniform = [5.0, 9.0] }
[observe]
least = { min = "va" }
)toml" + time_and_members(2)};
  expect_first_order("ratchet", source, {"angle", "speed"}, 2, 200, [](const Stepped& run, std::size_t k) {
    const double w = run.parameter("w", k), size = run.parameter("Gamma", k) / (0.4 * w), T = run.end(),
                 free = 3 * std::acos(-1.0) / (2 * w);
    EXPECT_GE(run.observed("least", k), -1e-14) << "member " << k;
    return Row{run.observed("final.a", k) - (2 * size / w + size * (T - free - std::cos(w * T) / w)),
               run.observed("final.va", k) - size * (1 + std::sin(w * T))};
  });
}

// A rod without weight strikes a rough wall with one end: normal and tangential impulse of the one impact that Newton's
// law and Coulomb's allow, by hand.
TEST_P(RoughMachines, ARodStrikesWithItsEnd) {
  const Stepped run({"strike.toml", R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["m", "m", "m * L^2 / 12"]
force = ["0", "0", "0"]
[model.parameters]
m = 1.5
L = 1.2
mu = 0.3
e = 0.5
a0 = 0.6
along = 1.0
spin = 0.0
[model.define]
endx = "x - L / 2 * cos(a)"
endy = "y - L / 2 * sin(a)"
[[model.contact]]
name = "end"
point = ["endx", "endy"]
inside = "endy >= 0"
friction = "mu"
restitution = "e"
[start]
x = "0"
y = "L / 2 * sin(a0)"
a = "a0"
vx = "along"
vy = "-2"
va = "spin"
[vary]
mu = { uniform = [0.05, 0.8] }
e = { uniform = [0.0, 1.0] }
a0 = { uniform = [0.4, 2.7] }
along = { uniform = [-1.5, 1.5] }
spin = { uniform = [-1.0, 1.0] }
[observe]
also = ["painleve"]
)toml" + time_and_members(0.001, 0.001, 64)},
                    backend(), 0.001);
  int sticks = 0, slips = 0;
  for (std::size_t k = 0; k < run.members(); ++k) {
    ASSERT_TRUE(run.ok(k)) << to_name(run.status(k));
    const double m = 1.5, L = 1.2, J = m * L * L / 12, mu = run.parameter("mu", k), e = run.parameter("e", k),
                 a = run.parameter("a0", k);
    const double px = -L / 2 * std::cos(a), py = -L / 2 * std::sin(a),
                 v[3] = {run.parameter("along", k), -2, run.parameter("spin", k)};
    // rows of the end: n = (0, 1, px), t = (1, 0, -py)
    const double nn = 1 / m + px * px / J, nt = -px * py / J, tt = 1 / m + py * py / J, un = v[1] + px * v[2],
                 ut = v[0] - py * v[2];
    ASSERT_LT(un, 0) << "member " << k;
    const double det = nn * tt - nt * nt, goal = -(1 + e) * un;
    double rn = (goal * tt + ut * nt) / det, rt = (-ut * nn - goal * nt) / det;
    const bool stuck = std::fabs(rt) <= mu * rn;
    for (const double sign : {1.0, -1.0}) {
      if (stuck) break;
      const double load = goal / (nn - sign * mu * nt);
      if (load > 0 && sign * (ut + nt * load - sign * mu * tt * load) > 0) rn = load, rt = -sign * mu * load;
    }
    EXPECT_GT(run.observed("painleve", k), 0) << "member " << k;  // so that there is one solution
    (stuck ? sticks : slips) += 1;
    EXPECT_NEAR(run.observed("final.vx", k), v[0] + rt / m, 1e-12) << "member " << k;
    EXPECT_NEAR(run.observed("final.vy", k), v[1] + rn / m, 1e-12) << "member " << k;
    EXPECT_NEAR(run.observed("final.va", k), v[2] + (px * rn - py * rt) / J, 1e-11) << "member " << k;
    EXPECT_NEAR(run.observed("impulse", k), rn, 1e-11) << "member " << k;
  }
  EXPECT_GT(sticks, 10);
  EXPECT_GT(slips, 10);
}

}  // namespace
}  // namespace conesweep::test
