// Machines of a textbook that are nobody's sample: laws that meet in wedges, corners, pulleys, hoops and stacks, each
// with its closed form.
#include "step/stepped_answers.hpp"

namespace conesweep::test {
namespace {

class Machines : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(Machines);

constexpr double g = 9.81;

std::string time_and_members(double end, double step = 0.0125, int members = 16) {
  return "[time]\nend = " + format_number(end) + "\nstep = " + format_number(step) +
         "\n[ensemble]\nmembers = " + std::to_string(members) + "\nsampler = \"latin\"\n";
}

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

// A ball on a slope from rest: rolls with 5/7 g sin θ iff μ >= 2/7 tan θ, else it slides with g (sin θ - μ cos θ) and
// spins up with 5 μ g cos θ / 2R.
TEST_P(Machines, ABallOnASlopeRollsOrSlides) {
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
TEST_P(Machines, ACylinderOnABeltThatSpeedsUp) {
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
TEST_P(Machines, AStackThatSlidesInEverySurface) {
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
TEST_P(Machines, ABeadOnARoughRing) {
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
TEST_P(Machines, ARatchetUnderATorqueToAndFro) {
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
TEST_P(Machines, ARodStrikesWithItsEnd) {
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
