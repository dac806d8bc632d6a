// Systems of several laws that are nobody's sample, with answers from a textbook of mechanics.
#include "step/stepped_answers.hpp"

namespace conesweep::test {
namespace {

class FurtherAnswers : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(FurtherAnswers);

const std::string end_and_members = R"toml([time]
end = 1
step = 0.0125
[ensemble]
members = 16
sampler = "latin"
)toml";

// A ball thrown without spin slides until 2 v0 / (7 μ g) and rolls on with 5/7 of its speed, whatever friction; then
// nothing is lost.
TEST_P(FurtherAnswers, ASlidingBallRollsWithFiveSevenths) {
  const scenario::Source source{"bowl.toml", R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["m", "m", "0.4 * m * R^2"]
force = ["0", "-9.81 * m", "0"]
[model.parameters]
m = 3.0
R = 0.2
mu = 0.3
v0 = 1.0
[[model.contact]]
name = "floor"
slip = ["vx - R * va"]
inside = "y >= R"
friction = "mu"
[start]
x = "v0 * t"
y = "R"
a = "0"
[vary]
mu = { uniform = [0.1, 0.5] }
v0 = { uniform = [0.3, 1.5] }
[observe]
rolls = { first_time = "abs(vx - R * va) < 1e-9" }
)toml" + end_and_members};
  expect_first_order(
      "sliding ball", source, {"start of rolling", "place"}, 1, 64, [](const Stepped& run, std::size_t m) {
        const double v0 = run.parameter("v0", m), deceleration = 9.81 * run.parameter("mu", m),
                     rolls = 2 * v0 / (7 * deceleration), T = run.end();
        if (rolls > 0.95) return Row{};
        EXPECT_NEAR(run.observed("final.vx", m), 5 * v0 / 7, 1e-12) << "member " << m;
        const double place = v0 * rolls - deceleration * rolls * rolls / 2 + 5 * v0 / 7 * (T - rolls);
        EXPECT_NEAR(run.observed("dissipated", m), run.parameter("m", m) * v0 * v0 / 7, 1e-10) << "2/7 of the energy";
        return Row{run.observed("rolls", m) - rolls, run.observed("final.x", m) - place};
      });
}

// Two blocks on each other, the upper one pulled: all rests, both go together, or the upper one slides on the lower
// one.
TEST_P(FurtherAnswers, PulledBlocksOnEachOther) {
  const scenario::Source source{"stack.toml", R"toml([model]
coordinates = ["x1", "y1", "x2", "y2"]
mass = ["m1", "m1", "m2", "m2"]
force = ["0", "-10 * m1", "F", "-10 * m2"]
[model.parameters]
m1 = 1.0
m2 = 2.0
mu = 0.1
F = 3.0
[[model.contact]]
name = "floor"
slip = ["vx1"]
inside = "y1 >= 0"
friction = "mu"
[[model.contact]]
name = "between"
slip = ["vx2 - vx1"]
inside = "y2 - y1 >= 0"
friction = "0.4"
[start]
x1 = "0"
y1 = "0"
x2 = "0"
y2 = "0"
[vary]
mu = { uniform = [0.02, 0.2] }
F  = { uniform = [1.0, 20.0] }
m1 = { loguniform = [0.01, 100.0] }
[observe]
load = { mean = "normal(floor)" }
)toml" + end_and_members};
  const Stepped run(source, backend(), 0.0125);
  int rests = 0, together = 0, apart = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    ASSERT_TRUE(run.ok(m)) << to_name(run.status(m));
    const double m1 = run.parameter("m1", m), m2 = run.parameter("m2", m), F = run.parameter("F", m),
                 floor = run.parameter("mu", m) * 10 * (m1 + m2), grip = 0.4 * 10 * m2;
    double a1 = 0, a2 = 0;
    if (F > floor || F > grip) {
      a1 = a2 = std::max(0.0, F - floor) / (m1 + m2);
      if (F - m2 * a1 > grip) a1 = std::max(0.0, grip - floor) / m1, a2 = (F - grip) / m2;
    }
    (a2 == 0 ? rests : a1 == a2 ? together : apart) += 1;
    EXPECT_NEAR(run.observed("final.vx1", m), a1, 1e-10) << "member " << m;
    EXPECT_NEAR(run.observed("final.vx2", m), a2, 1e-10) << "member " << m;
    EXPECT_NEAR(run.observed("load", m), 10 * (m1 + m2), 1e-8 * (m1 + m2)) << "member " << m;
  }
  EXPECT_GT(rests, 1);
  EXPECT_GT(together, 1);
  EXPECT_GT(apart, 1);
}

// A box on a slope that is tilted at once: slides iff tan θ > μ, and tips over its lower edge iff tan θ > b/H and
// friction holds that much.
TEST_P(FurtherAnswers, ABoxTipsOrSlides) {
  const scenario::Source source{"box.toml", R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["1", "1", "(b^2 + H^2) / 3"]
force = ["10 * sin(theta)", "-10 * cos(theta)", "0"]
[model.parameters]
b = 0.3       # half of the width
H = 0.4       # half of the height
theta = 0.5
mu = 0.4
[model.define]
lowx = "x + b * cos(a) + H * sin(a)"
lowy = "y + b * sin(a) - H * cos(a)"
highx = "x - b * cos(a) + H * sin(a)"
highy = "y - b * sin(a) - H * cos(a)"
[[model.contact]]
name = "lower"
point = ["lowx", "lowy"]
inside = "lowy >= 0"
friction = "mu"
[[model.contact]]
name = "upper"
point = ["highx", "highy"]
inside = "highy >= 0"
friction = "mu"
[start]
x = "0"
y = "H"
a = "0"
[time]
end = 0.1
step = 0.0025
[ensemble]
sampler = "grid"
levels = { theta = 12, mu = 10 }
[vary]
theta = { uniform = [0.1, 1.2] }
mu    = { uniform = [0.05, 1.5] }
)toml"};
  const Stepped run(source, backend(), 0.0025);
  int rests = 0, slides = 0, tips = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    ASSERT_TRUE(run.ok(m)) << to_name(run.status(m));
    const double theta = run.parameter("theta", m), mu = run.parameter("mu", m), b = 0.3, H = 0.4, T = run.end();
    const double slope = std::tan(theta), grip = std::min(mu, slope);  // friction over load while it stands
    if (std::fabs(grip - b / H) < 0.02 || std::fabs(slope - mu) < 0.02) continue;
    if (grip > b / H) {  // both edges cannot carry the moment
      ++tips;
      EXPECT_LT(run.observed("final.a", m), -1e-4) << "member " << m;
    } else {
      (slope > mu ? slides : rests) += 1;
      EXPECT_NEAR(run.observed("final.a", m), 0, 1e-9) << "member " << m;
      EXPECT_NEAR(run.observed("final.vx", m), slope > mu ? 10 * (std::sin(theta) - mu * std::cos(theta)) * T : 0, 1e-9)
          << "member " << m;
    }
  }
  EXPECT_GT(rests, 10);
  EXPECT_GT(slides, 10);
  EXPECT_GT(tips, 10);
}

// Two weights on a rope over a pulley: the rope is firm, its force 2 m1 m2 g / (m1 + m2).
TEST_P(FurtherAnswers, AtwoodsMachineAndItsRope) {
  const scenario::Source source{"atwood.toml", R"toml([model]
coordinates = ["x", "y"]
mass = ["m1", "m2"]
force = ["10 * m1", "10 * m2"]
[model.parameters]
m1 = 1.0
m2 = 2.0
[[model.bilateral]]
name = "rope"
holds = "x + y = 3"
[start]
x = "1"
y = "2"
[vary]
m1 = { loguniform = [0.1, 10.0] }
[observe]
also = ["work"]
pull = { mean = "normal(rope)" }
length = { max = "abs(x + y - 3)" }
)toml" + end_and_members};
  const Stepped run(source, backend(), 0.0125);
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double m1 = run.parameter("m1", m), m2 = 2, a = 10 * (m1 - m2) / (m1 + m2), T = run.end();
    EXPECT_NEAR(run.observed("final.vx", m), a * T, 1e-11) << "member " << m;
    EXPECT_NEAR(run.observed("pull", m), -20 * m1 * m2 / (m1 + m2), 1e-10) << "member " << m;
    EXPECT_NEAR(run.observed("final.x", m), 1 + a * T * (T + run.h()) / 2, 1e-11) << "member " << m;
    EXPECT_LE(run.observed("length", m), 1e-14) << "member " << m;
    EXPECT_NEAR(run.observed("dissipated", m), 0, 1e-12) << "member " << m;
  }
}

// The first turning point of a pendulum with dry friction M_f in its joint, from rest at θ0 > 0: m g L (cos θ1 - cos
// θ0) = M_f (θ0 - θ1).
TEST_P(FurtherAnswers, APendulumWithARoughJointTurnsWhereItsEnergyIsSpent) {
  const scenario::Source source{"joint.toml", R"toml([model]
coordinates = ["a"]
mass = ["m * L^2"]
force = ["-m * 9.81 * L * sin(a)"]
[model.parameters]
m = 0.5
L = 0.7
friction = 0.2
a0 = 1.0
[[model.resistance]]
name = "joint"
slip = ["va"]
limit = "friction"
[start]
a = "a0"
[vary]
friction = { uniform = [0.05, 0.4] }
a0       = { uniform = [0.7, 1.4] }
[observe]
turn = { min = "a" }
)toml" + end_and_members};
  expect_first_order("rough joint", source, {"turning point"}, 1, 100, [](const Stepped& run, std::size_t m) {
    const double weight = 0.5 * 9.81 * 0.7, friction = run.parameter("friction", m), a0 = run.parameter("a0", m);
    double low = -a0, high = 0;  // at the bottom there is energy left
    const auto left = [&](double a) { return weight * (std::cos(a) - std::cos(a0)) - friction * (a0 - a); };
    for (int k = 0; k < 80; ++k) (left((low + high) / 2) > 0 ? high : low) = (low + high) / 2;
    return Row{run.observed("turn", m) - low};
  });
}

// A spinning disk rubbed by M_f rests from ω0 J / M_f on; on a belt that speeds up with A a block goes along iff A <= μ
// g, else it falls behind.
TEST_P(FurtherAnswers, ABlockOnABeltThatSpeedsUp) {
  const scenario::Source source{"belt.toml", R"toml([model]
coordinates = ["x", "y", "z", "disk"]
mass = ["2", "2", "2", "J"]
force = ["0", "0", "-20", "0"]
[model.parameters]
A = 1.0
mu = 0.2
J = 0.3
across = 0.7
[[model.contact]]
name = "belt"
slip = ["vx", "vy"]
inside = "z >= 0"
friction = "mu"
belt = ["A * t", "0"]
[[model.resistance]]
name = "brake"
slip = ["vdisk"]
limit = "0.2"
[start]
x = "0"
y = "across * t"
z = "0"
disk = "0.5 * t"
[vary]
A  = { uniform = [0.5, 6.0] }
mu = { uniform = [0.1, 0.5] }
J  = { uniform = [0.1, 0.3] }
across = { choice = [0] }
[observe]
still = { first_time = "abs(vdisk) < 1e-12" }
)toml" + end_and_members};
  int along = 0, behind = 0;
  expect_first_order("belt and brake", source, {"rest of the disk", "its place", "place of the block"}, 1, 64,
                     [&](const Stepped& run, std::size_t m) {
                       const double A = run.parameter("A", m), grip = 10 * run.parameter("mu", m), T = run.end(),
                                    rest = 0.5 * run.parameter("J", m) / 0.2;
                       const double a = std::min(A, grip);
                       (A <= grip ? along : behind) += 1;
                       EXPECT_NEAR(run.observed("final.vx", m), a * T, 1e-11) << "member " << m;
                       return Row{run.observed("still", m) - rest, run.observed("final.disk", m) - 0.25 * rest,
                                  run.observed("final.x", m) - a * T * T / 2};
                     });
  EXPECT_GT(along, 9);
  EXPECT_GT(behind, 9);
}

}  // namespace
}  // namespace conesweep::test
