// Machines of a textbook that are nobody's sample: wedges, corners, pulleys, hoops and bars, each with its closed form.
#include "step/stepped_answers.hpp"

namespace conesweep::test {
namespace {

class Machines : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(Machines);

constexpr double g = 9.81;

// A block slides down a wedge that is free to move: N (1 + m/M (sin θ - μ cos θ) sin θ) = m g cos θ, and M A = -N (sin
// θ - μ cos θ). It stays iff μ >= tan θ, and then nothing moves. Constant forces: velocities are exact.
TEST_P(Machines, ABlockOnAWedgeThatIsFreeToMove) {
  const Stepped run({"wedge.toml", R"toml([model]
coordinates = ["X", "x", "y"]
mass = ["M", "m", "m"]
force = ["0", "0", "-9.81 * m"]
[model.parameters]
M = 2.0
m = 1.0
mu = 0.2
theta = 0.6
[[model.contact]]
name = "slope"
inside = "(x - X) * sin(theta) + y * cos(theta) >= 0"
slip = ["(vx - vX) * cos(theta) - vy * sin(theta)"]
friction = "mu"
[start]
X = "0"
x = "0"
y = "0"
[vary]
M = { loguniform = [0.05, 20.0] }
mu = { uniform = [0.0, 0.9] }
theta = { uniform = [0.2, 1.2] }
[observe]
press = { min = "normal(slope)" }
)toml" + time_and_members(0.5, 0.0125, 32)},
                    backend(), 0.0125);
  int slides = 0, stays = 0;
  for (std::size_t k = 0; k < run.members(); ++k) {
    ASSERT_TRUE(run.ok(k)) << to_name(run.status(k));
    const double M = run.parameter("M", k), m = 1, mu = run.parameter("mu", k), s = std::sin(run.parameter("theta", k)),
                 c = std::cos(run.parameter("theta", k)), T = run.end();
    const bool slipping = mu < s / c;
    (slipping ? slides : stays) += 1;
    const double load = slipping ? m * g * c / (1 + m / M * (s - mu * c) * s) : m * g * c,
                 wedge = slipping ? -load * (s - mu * c) / M : 0;
    EXPECT_NEAR(run.observed("press", k), load, 1e-9 * load) << "member " << k;
    EXPECT_NEAR(run.observed("final.vX", k), wedge * T, 1e-10) << "member " << k;
    EXPECT_NEAR(run.observed("final.vx", k), slipping ? load * (s - mu * c) / m * T : 0, 1e-10) << "member " << k;
    EXPECT_NEAR(run.observed("final.vy", k), slipping ? (load * (c + mu * s) / m - g) * T : 0, 1e-10) << "member " << k;
  }
  EXPECT_GT(slides, 8);
  EXPECT_GT(stays, 4);
}

// A disk spins in a corner of floor and wall, both rough. Pressed to the wall by the floor's friction it slows down
// with 2 μ (1 + μ) g / ((1 + μ²) R); the other way round the floor drives it off, and it ends rolling with a third of
// its rim's speed.
TEST_P(Machines, ADiskSpinsInACorner) {
  const scenario::Source source{"corner.toml", R"toml([model]
coordinates = ["x", "y", "a"]
mass = ["m", "m", "m * R^2 / 2"]
force = ["0", "-9.81 * m", "0"]
[model.parameters]
m = 3.0
R = 0.25
mu = 0.3
spin = 10.0
side = 1
[[model.contact]]
name = "floor"
inside = "y >= R"
slip = ["vx + R * va"]
friction = "mu"
[[model.contact]]
name = "wall"
inside = "x >= R"
slip = ["vy - R * va"]
friction = "mu"
[start]
x = "R"
y = "R"
a = "0"
va = "side * spin"
[vary]
mu = { uniform = [0.2, 0.9] }
spin = { uniform = [5.0, 15.0] }
side = { choice = [-1, 1] }
[observe]
rests = { first_time = "va < 1e-9" }
)toml" + time_and_members(1)};
  int leaves = 0;
  expect_first_order(
      "disk in a corner", source, {"rest", "angle"}, 1, 100,
      [&](const Stepped& run, std::size_t k) {
        const double mu = run.parameter("mu", k), R = 0.25, spin = run.parameter("spin", k),
                     slows = 2 * mu * (1 + mu) * g / ((1 + mu * mu) * R);
        const double rest = spin / slows, rolls = R * spin / (3 * mu * g);
        if (run.parameter("side", k) < 0) {
          ++leaves;
          if (rolls < 0.95) {
            EXPECT_NEAR(run.observed("final.vx", k), R * spin / 3, 1e-11) << "member " << k;
          }
          return Row{};
        }
        if (rest > 0.95) return Row{};
        EXPECT_NEAR(run.observed("final.va", k), 0, 1e-12) << "member " << k;
        EXPECT_NEAR(run.observed("final.x", k), R, 1e-12) << "member " << k;
        return Row{run.observed("rests", k) - rest, run.observed("final.a", k) - spin * rest / 2};
      },
      5);
  EXPECT_GT(leaves, 9);
}

// A weight and a pulley with two weights, on two ropes: two firm rows over four coordinates. Velocities and pulls are
// exact.
TEST_P(Machines, TwoPulleys) {
  const Stepped run({"pulleys.toml", R"toml([model]
coordinates = ["a", "p", "b", "c"]
mass = ["ma", "mp", "mb", "mc"]
force = ["9.81 * ma", "9.81 * mp", "9.81 * mb", "9.81 * mc"]
[model.parameters]
ma = 3.0
mp = 0.5
mb = 1.0
mc = 2.0
[[model.bilateral]]
name = "upper"
holds = "a + p = 4"
[[model.bilateral]]
name = "lower"
holds = "b + c - 2 * p = 3"
[start]
a = "2"
p = "2"
b = "3"
c = "4"
[vary]
ma = { loguniform = [0.1, 10.0] }
mb = { loguniform = [0.1, 10.0] }
[observe]
pull = { mean = "normal(lower)" }
)toml" + time_and_members(1)},
                    backend(), 0.0125);
  for (std::size_t k = 0; k < run.members(); ++k) {
    ASSERT_TRUE(run.ok(k)) << to_name(run.status(k));
    const double ma = run.parameter("ma", k), mp = 0.5, mb = run.parameter("mb", k), mc = 2, T = run.end();
    // by Lagrange, in the pulley's acceleration u and that of the ropes over it, w: a = -u, b = u + w, c = u - w
    const double all = ma + mp + mb + mc, two = mb + mc, off = mb - mc, det = all * two - off * off;
    const double u = g * ((mp + two - ma) * two - off * off) / det, w = g * (all * off - off * (mp + two - ma)) / det;
    EXPECT_NEAR(run.observed("final.vp", k), u * T, 1e-10) << "member " << k;
    EXPECT_NEAR(run.observed("final.va", k), -u * T, 1e-10) << "member " << k;
    EXPECT_NEAR(run.observed("final.vb", k), (u + w) * T, 1e-10) << "member " << k;
    EXPECT_NEAR(run.observed("final.vc", k), (u - w) * T, 1e-10) << "member " << k;
    EXPECT_NEAR(run.observed("pull", k), mb * (u + w - g), 1e-9) << "member " << k;
  }
}

// A bead on a hoop that a motor turns with Ω about its vertical diameter: mR²θ'²/2 - m(ΩR sin θ)²/2 - mgR cos θ stays,
// and the motor gives Ω times the angular momentum that the bead gains. The angle of the hoop follows the motor
// exactly.
TEST_P(Machines, ABeadOnAHoopThatAMotorTurns) {
  const scenario::Source source{"hoop.toml", R"toml([model]
coordinates = ["q", "hoop"]
mass = ["m * R^2", "J + m * (R * sin(q))^2"]
force = ["-9.81 * m * R * sin(q)", "0"]
[model.parameters]
m = 0.4
R = 0.8
J = 0.2
Omega = 5.0
q0 = 0.5
[[model.bilateral]]
name = "motor"
velocity = "vhoop = Omega"
[start]
q = "q0"
hoop = "Omega * t"
[vary]
Omega = { uniform = [1.0, 6.0] }
q0 = { uniform = [0.3, 2.5] }
[observe]
also = ["drive_work"]
)toml" + time_and_members(1)};
  expect_first_order(
      "hoop", source, {"first integral", "work of the motor"}, 1, 100, [](const Stepped& run, std::size_t k) {
        const double m = 0.4, R = 0.8, turning = run.parameter("Omega", k), q0 = run.parameter("q0", k),
                     q = run.observed("final.q", k), speed = run.observed("final.vq", k);
        EXPECT_NEAR(run.observed("final.vhoop", k), turning, 1e-12) << "member " << k;
        EXPECT_NEAR(run.observed("final.hoop", k), turning * run.end(), 1e-11) << "member " << k;
        const auto potential = [&](double at) {
          return -m * std::pow(turning * R * std::sin(at), 2) / 2 - m * g * R * std::cos(at);
        };
        const double gained = m * turning * R * R * (std::pow(std::sin(q), 2) - std::pow(std::sin(q0), 2));
        return Row{m * R * R * speed * speed / 2 + potential(q) - potential(q0),
                   run.observed("drive_work", k) - turning * gained};
      });
}

// A bead on a bar that spins freely about its end: (J + m r²) φ' stays, so it is thrown outwards, to a stop that sends
// it back with e times its speed. Energy tells its speed at the stop, and where it turns around on its way in.
TEST_P(Machines, ABeadIsThrownAlongASpinningBarToItsStop) {
  const scenario::Source source{"bar.toml", R"toml([model]
coordinates = ["r", "phi"]
mass = ["m", "J + m * r^2"]
force = ["0", "0"]
[model.parameters]
m = 0.5
J = 0.3
e = 0.5
spin = 4.0
r0 = 0.3
[[model.contact]]
name = "stop"
inside = "r <= 1"
restitution = "e"
[start]
r = "r0"
phi = "spin * t"
[vary]
e = { uniform = [0.2, 0.9] }
spin = { uniform = [3.0, 5.0] }
r0 = { uniform = [0.3, 0.6] }
[observe]
out = { max = "vr" }
back = { min = "vr" }
turns = { min = "r", after = 0.6 }
)toml" + time_and_members(1)};
  expect_first_order("bead on a bar", source, {"speed at the stop", "speed after it", "spin"}, 1, 200,
                     [](const Stepped& run, std::size_t k) {
                       const double m = 0.5, J = 0.3, e = run.parameter("e", k), spin = run.parameter("spin", k),
                                    r0 = run.parameter("r0", k), momentum = (J + m * r0 * r0) * spin;
                       const double out =
                           std::sqrt((momentum * momentum / (J + m * r0 * r0) - momentum * momentum / (J + m)) / m);
                       EXPECT_GE(run.observed("impacts", k), 1) << "member " << k;
                       const double r = run.observed("final.r", k);
                       return Row{run.observed("out", k) - out, run.observed("back", k) + e * out,
                                  run.observed("final.vphi", k) - momentum / (J + m * r * r)};
                     });
}

// In a lift that goes up with A the floor, a firm row that moves, carries m (g + A); in its first step half of A, since
// the lift starts from rest between two nodes.
TEST_P(Machines, ALiftCarriesMoreOnItsWayUp) {
  const Stepped run({"lift.toml", R"toml([model]
coordinates = ["y"]
mass = ["m"]
force = ["-9.81 * m"]
[model.parameters]
m = 70.0
A = 1.0
[[model.bilateral]]
name = "floor"
holds = "y = A * t^2 / 2"
[start]
y = "0"
[vary]
A = { uniform = [-3.0, 3.0] }
[observe]
carries = { mean = "normal(floor)" }
)toml" + time_and_members(1)},
                    backend(), 0.0125);
  for (std::size_t k = 0; k < run.members(); ++k) {
    const double A = run.parameter("A", k), T = run.end(), h = run.h();
    EXPECT_NEAR(run.observed("final.y", k), A * T * T / 2, 1e-12) << "member " << k;
    EXPECT_NEAR(run.observed("carries", k), 70 * (g + A * (T - h / 2) / T), 1e-8) << "member " << k;
  }
}

}  // namespace
}  // namespace conesweep::test
