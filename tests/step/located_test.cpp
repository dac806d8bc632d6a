// Located impacts (I): against the definition written out, closed forms, the default beside it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Status;
using oracle::jitter;
using test::parse_scenario;
using test::SeenMember;

/// The same scenario with impacts at the nodes or located, and with N steps on [0, end].
scenario::Scenario read(const std::string& text, double end, long steps, const std::string& impacts = "located") {
  scenario::Overrides overrides;
  overrides.end = end;
  overrides.step = end / static_cast<double>(steps);
  return parse_scenario(text + "[time]\nend = 1\nstep = 0.5\nimpacts = \"" + impacts + "\"\n", overrides);
}

class Located : public test::OnExecutor {
 protected:
  std::vector<SeenMember> see(const scenario::Scenario& scenario, const std::vector<std::vector<double>>& rows) const {
    return test::see_members(scenario, backend(), rows);
  }

  /// Mean errors over jittered data and nine step sizes, of the default and with located impacts.
  template <class Data, class Errors>
  auto beside_the_default(const std::string& title, const std::vector<std::string>& quantities, const std::string& text,
                          double end, long coarsest, const Data& data, const Errors& errors) const {
    std::vector<std::vector<double>> rows;
    for (int j = 0; j < 8; ++j) rows.push_back(data(j));
    std::vector<std::vector<oracle::ObservedOrder>> both;
    for (const std::string impacts : {"nodes", "located"})
      both.push_back(oracle::observe_order(title + ", " + impacts + ", on " + backend(), quantities, end,
                                           oracle::step_ladder(coarsest), [&](long steps) {
                                             const auto members = see(read(text, end, steps, impacts), rows);
                                             std::vector<std::vector<double>> all;
                                             for (std::size_t j = 0; j < rows.size(); ++j) {
                                               EXPECT_EQ(members[j].status, Status::ok);
                                               all.push_back(errors(members[j], rows[j]));
                                             }
                                             return all;
                                           }));
    return both;
  }
};
ON_EVERY_EXECUTOR(Located);

double total(const oracle::ObservedOrder& observed) {
  double sum = 0;
  for (const double error : observed.mean_error) sum += error;
  return sum;
}

// ---- the definition ----

// two walls that move or not, a force, restitution; one coordinate
const std::string between_walls = R"toml(
[model]
coordinates = ["x"]
force = ["a*cos(3*t) - 2*x"]
[model.parameters]
a = 4
e = 0.8
w = 0.1
v0 = 1
[[model.contact]]
name = "lower"
inside = "x >= -0.1 + w*sin(5*t)"
restitution = "e"
[[model.contact]]
name = "upper"
inside = "x <= 0.15"
restitution = "e"
[start]
x = "0"
vx = "v0"
)toml";

/// (P1) … (P5) with (I1) … (I4), written out in extended precision.
struct WrittenOut {
  long double a, e, w, h;
  long double x = 0, v = 0, t = 0;
  int arrivals = 0, most_in_a_step = 0, slow = 0;
  bool first = true;

  long double gap(int wall, long double place, long double time) const {
    return wall == 0 ? -0.1L + w * std::sin(5 * time) - place : place - 0.15L;
  }
  long double outward(int wall) const { return wall == 0 ? -1 : 1; }

  // contact of walls that touch: the velocity after it
  void touch(long double place, long double time, long double later, long double before, long double push,
             bool arrival) {
    for (int wall = 0; wall < 2; ++wall) {
      const long double tolerance = (first && !arrival ? 1e-9L : 1e-12L) * (1 + std::fabs(place));
      if (gap(wall, place, time) < -tolerance) continue;
      const long double speed = wall == 1      ? 0
                                : later > time ? w * (std::sin(5 * later) - std::sin(5 * time)) / (later - time)
                                               : 5 * w * std::cos(5 * time);
      const long double closing = outward(wall) * (v - speed), arrives = outward(wall) * (before - speed);
      if (!(closing > 0)) continue;
      const bool impact = std::fabs(arrives) > 10 * std::fabs(push);
      if (arrival && !impact) ++slow;
      v = speed - outward(wall) * (arrival && !impact ? 0 : std::max(0.0L, e * arrives));
    }
  }

  void step() {
    const long double f = a * std::cos(3 * t) - 2 * x, push = h * f, before = v;
    v = v + push;
    touch(x, t, t + h, before, push, false);
    long double left = h;
    int found = 0;
    for (; found < 3; ++found) {
      long double when = left;
      bool met = false;
      for (int wall = 0; wall < 2; ++wall) {
        if (gap(wall, x, t) >= -(first && found == 0 ? 1e-9L : 1e-12L) * (1 + std::fabs(x)) ||
            !(gap(wall, x + left * v, t + left) > 0))
          continue;
        long double inner = 0, outer = left;
        for (int k = 0; k < 80; ++k) {
          const long double middle = (inner + outer) / 2;
          (gap(wall, x + middle * v, t + middle) > 0 ? outer : inner) = middle;
        }
        if (!met || inner < when) when = inner;
        met = true;
      }
      if (!met) break;
      x += when * v, t += when, left -= when;
      touch(x, t, t, v, push, true);
    }
    x += left * v, t += left;
    first = false;
    arrivals += found;
    most_in_a_step = std::max(most_in_a_step, found);
  }
};

TEST_P(Located, IsItsDefinition) {
  // slow and fast ones; some meet more than three walls a step
  const std::vector<std::vector<double>> rows = {{4, 0.8, 0, 1},  {4, 0.5, 0, 0.7},  {6, 1, 0, 2},
                                                 {0, 1, 0, 120},  {4, 0.9, 0.02, 1}, {9, 0.3, 0.03, 0.4},
                                                 {2, 0, 0.01, 1}, {5, 1, 0, 11},     {-3, 0.7, 0.04, 3}};
  const long steps = 400;
  const auto members = see(read(between_walls, 4, steps), rows);
  int slow = 0, most = 0;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    WrittenOut exact{rows[m][0], rows[m][1], rows[m][2], 4.0L / steps};
    exact.v = rows[m][3];
    ASSERT_EQ(members[m].status, Status::ok);
    for (long i = 0; i < steps; ++i) {
      const auto& node = members[m].nodes[static_cast<std::size_t>(i)];
      ASSERT_NEAR(node.q[0], static_cast<double>(exact.x), 1e-9) << "member " << m << ", node " << i;
      exact.t = i * exact.h;
      exact.step();
      ASSERT_NEAR(node.v[0], static_cast<double>(exact.v), 1e-7) << "member " << m << ", node " << i;
    }
    EXPECT_GT(exact.arrivals, 3) << "member " << m;
    slow += exact.slow;
    most = std::max(most, exact.most_in_a_step);
  }
  EXPECT_GT(slow, 0);
  EXPECT_EQ(most, 3);
}

// ---- closed forms ----

// No force: everything is exact but for rounding, whatever the step; the default is late by up to a step an impact.
const std::string corridor = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[model.parameters]
u = 3
s = 2
e = 0.8
mu = 0.2
[[model.contact]]
name = "lower"
inside = "y >= -0.5"
friction = "mu"
restitution = "e"
[[model.contact]]
name = "upper"
inside = "y <= 0.5"
friction = "mu"
restitution = "e"
[start]
x = "0"
y = "0"
vx = "u"
vy = "s"
)toml";

TEST_P(Located, CorridorIsExact) {
  std::vector<std::vector<double>> rows;
  for (int j = 0; j < 9; ++j)
    rows.push_back({2 + jitter(j), 1.5 + jitter(j, 1), 0.6 + 0.3 * jitter(j, 2), 0.3 * jitter(j, 3)});
  for (const std::string impacts : {"located", "nodes"}) {
    const double end = 3;
    const auto members = see(read(corridor, end, 150, impacts), rows);
    double worst = 0, deepest = 0;
    for (std::size_t m = 0; m < rows.size(); ++m) {
      const double u = rows[m][0], s = rows[m][1], e = rows[m][2], mu = rows[m][3];
      double t = 0, x = 0, y = 0, vx = u, vy = s;
      int impacts_until_end = 0;
      for (;;) {
        const double flight = (0.5 - std::copysign(1.0, vy) * y) / std::fabs(vy);
        if (t + flight > end) break;
        t += flight, x += flight * vx, y = std::copysign(0.5, vy);
        vx = std::max(0.0, vx - mu * (1 + e) * std::fabs(vy)), vy = -e * vy;
        ++impacts_until_end;
      }
      x += (end - t) * vx, y += (end - t) * vy;
      worst = std::max(
          {worst, std::fabs(members[m].observed("final.x") - x), std::fabs(members[m].observed("final.y") - y)});
      deepest = std::max(deepest, members[m].observed("penetration"));
      EXPECT_EQ(members[m].observed("impacts"), impacts_until_end);
    }
    if (impacts == "located") {
      EXPECT_LE(worst, 1e-13);
      EXPECT_LE(deepest, 1e-15);
    } else {
      EXPECT_GE(worst, 1e-3);
      EXPECT_GE(deepest, 1e-3);
    }
  }
}

// E1
const std::string falling_slider = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[model.parameters]
H = 0.5
u = 3
mu = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
[start]
x = "0"
y = "H"
vx = "u"
)toml";

TEST_P(Located, FallingSliderStaysOnTheFloor) {
  const auto both = beside_the_default(
      "E1", {"x"}, falling_slider, 1, 100,
      [](int j) {
        return std::vector<double>{0.3 + 0.2 * jitter(j), 2.5 + jitter(j, 1), 0.3 + 0.2 * jitter(j, 2)};
      },
      [](const SeenMember& member, const std::vector<double>& data) {
        const double H = data[0], u = data[1], mu = data[2], G = 9.81, hit = std::sqrt(2 * H / G),
                     slow = std::max(0.0, u - mu * std::sqrt(2 * G * H));
        const double left = std::min(1 - hit, slow / (mu * G));
        EXPECT_EQ(member.nodes.back().touches(), false);  // node N
        return std::vector<double>{member.observed("final.x") - (u * hit + slow * left - mu * G * left * left / 2)};
      });
  EXPECT_GE(both[1][0].order, 0.9);
  const auto members = see(read(falling_slider, 1, 1000), {{0.4, 3, 0.3}, {0.31, 2, 0.5}});
  for (const SeenMember& member : members) {
    EXPECT_LE(member.observed("penetration"), 1e-15);
    EXPECT_EQ(member.observed("impacts"), 1);
    EXPECT_NEAR(member.nodes.back().q[1], 0, 1e-15);
  }
}

// E8, with its distance jittered
const std::string ball = R"toml(
[model]
coordinates = ["x"]
force = ["-2"]
[model.parameters]
e = 0.5
H = 1
[[model.contact]]
name = "wall"
inside = "x >= 0"
restitution = "e"
[start]
x = "H"
)toml";

double height_of_ball(double t, double e, double H) {
  double left = std::sqrt(H), v = 2 * left;  // of the first half flight, and its speed at the wall
  if (t < left) return H - t * t;
  for (t -= left;;) {
    v *= e;
    if (v < 1e-9) return 0;
    if (t < v) return v * t - t * t;
    t -= v;
  }
}

TEST_P(Located, BouncingBallComesToRest) {
  const auto both = beside_the_default(
      "E8", {"x", "dissipated"}, ball, 3.5, 140,
      [](int j) {
        return std::vector<double>{0.5, 1 + 0.3 * jitter(j)};
      },
      [](const SeenMember& member, const std::vector<double>& data) {
        double worst = 0;
        for (const auto& node : member.nodes)
          worst = std::max(worst, std::fabs(node.q[0] - height_of_ball(node.t, data[0], data[1])));
        return std::vector<double>{worst, member.observed("dissipated") - 2 * data[1]};
      });
  for (const auto& o : both[1]) EXPECT_GE(o.order, 0.9) << o.quantity;
  EXPECT_LE(total(both[1][0]), total(both[0][0]));

  // rest is rest: no speed at all, and at the wall
  const long steps = 3500;
  for (const double e : {0.5, 0.2, 0.8}) {
    const double rest = 1 + 2 * e / (1 - e);
    const auto member = see(read(ball, 12, 4 * steps), {{e, 1}})[0];
    for (const auto& node : member.nodes) {
      if (node.t < rest + 0.05) continue;
      ASSERT_EQ(node.v[0], 0) << "e = " << e << ", t = " << node.t;
      ASSERT_NEAR(node.q[0], 0, 1e-15);
    }
    EXPECT_LE(member.observed("penetration"), 1e-15);
    EXPECT_GE(member.observed("impacts"), 3);
  }
}

// An oscillator that comes up to its stop and grazes it: x = A sin t with A a little above 1, so that it arrives at
// asin(1/A) with the small speed sqrt(A² - 1).
TEST_P(Located, GrazingOscillator) {
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["-x"]
[model.parameters]
A = 1.01
e = 0.8
[[model.contact]]
name = "stop"
inside = "x <= 1"
restitution = "e"
[start]
x = "0"
vx = "A"
)toml";
  const auto both = beside_the_default(
      "grazing", {"x", "vx"}, text, 3, 300,
      [](int j) {
        return std::vector<double>{1.004 + 0.01 * jitter(j), 0.6 + 0.3 * jitter(j, 1)};
      },
      [](const SeenMember& member, const std::vector<double>& data) {
        const double A = data[0], hit = std::asin(1 / A), after = -data[1] * std::sqrt(A * A - 1), t = 3 - hit;
        return std::vector<double>{member.observed("final.x") - (std::cos(t) + after * std::sin(t)),
                                   member.observed("final.vx") - (after * std::cos(t) - std::sin(t))};
      });
  for (const auto& o : both[1]) EXPECT_GE(o.order, 0.9) << o.quantity;
  EXPECT_LE(total(both[1][0]), total(both[0][0]));
}

// ---- periodic orbits ----

// x'' = F cos t - x - 0.4 x' below a wall at 0.3, with e = 0.6: one impact a period, a period has 250 steps
const std::string oscillator = R"toml(
[model]
coordinates = ["x"]
force = ["F*cos(t) - x - 0.4*vx"]
[model.parameters]
F = 1
[[model.contact]]
name = "stop"
inside = "x <= 0.3"
restitution = "0.6"
[start]
x = "0"
)toml";

// One impact a period, and the period is a whole number of steps: seen once a period, half a period after the force is
// largest, the orbit is a point. At the nodes an impact comes late by a part of a step that is another one each time,
// and the orbit is a band.
TEST_P(Located, PeriodOneOrbitsArePoints) {
  std::string struck = oscillator;
  for (const auto& [from, to] :
       {std::pair{"0.4*vx", "0.1*vx"}, std::pair{"x <= 0.3", "x <= 0.1"}, std::pair{"\"0.6\"", "\"0.7\""}})
    struck.replace(struck.find(from), std::string(from).size(), to);
  const double period = 2 * std::numbers::pi;
  const long steps = 250, periods = 60, seen = 20;
  const std::vector<std::vector<double>> rows = {{0.5}, {0.7}, {0.9}, {1.1}, {1.3}, {1.5}, {1.7}};
  const auto find_spread = [&](const SeenMember& member) {
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (long k = periods - seen; k < periods; ++k) {
      const auto& node = member.nodes[static_cast<std::size_t>(k * steps + steps / 2)];
      const double place[2] = {node.q[0], node.v[0]};
      for (int c = 0; c < 2; ++c) low[c] = std::min(low[c], place[c]), high[c] = std::max(high[c], place[c]);
    }
    return std::max(high[0] - low[0], high[1] - low[1]);
  };
  double located = 0, least_at_nodes = 1e9;
  for (const SeenMember& member : see(read(struck, period * periods, steps * periods, "located"), rows)) {
    located = std::max(located, find_spread(member));
    EXPECT_LE(member.observed("penetration"), 1e-15);
  }
  for (const SeenMember& member : see(read(struck, period * periods, steps * periods, "nodes"), rows))
    least_at_nodes = std::min(least_at_nodes, find_spread(member));
  std::cout << "spread on " << backend() << ": located at most " << located << ", at nodes at least " << least_at_nodes
            << "\n";
  EXPECT_LT(located, 1e-9);
  EXPECT_GT(least_at_nodes, 1e-3);
}

// ---- variation ----

// (O7) What slides over a round hill, or rests on a floor that sinks faster and faster, leaves the wall by h² and is
// caught in the same step. That is no change of velocity: only the turning of the velocity is, s²T/R, and the floor's
// own.
TEST_P(Located, FallingAndBeingCaughtIsNoVariation) {
  const std::string hill = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-5*x/sqrt(x^2 + y^2)", "-5*y/sqrt(x^2 + y^2)"]
[model.parameters]
speed = 0.3
[[model.contact]]
inside = "x^2 + y^2 >= 4"
[start]
x = "0"
y = "2"
vx = "speed"
)toml";
  const std::string floor = R"toml(
[model]
coordinates = ["y"]
force = ["-5"]
[model.parameters]
fall = 2
[[model.contact]]
inside = "y >= 0.001*fall - fall*t^2/2"
[start]
y = "0.001*fall + 1e-6"
)toml";
  for (const bool heavy : {false, true})
    for (const long steps : {100L, 400L}) {
      const auto with_mass = [&](std::string text) {
        if (heavy)
          text.replace(text.find("force ="), 7,
                       text == hill ? "mass = [\"1\", \"1\"]\nforce =" : "mass = [\"1\"]\nforce =");
        return text;
      };
      const SeenMember slides = see(read(with_mass(hill), 1, steps), {{0.3}})[0],
                       sinks = see(read(with_mass(floor), 1, steps), {{2}})[0];
      ASSERT_EQ(slides.status, Status::ok);
      EXPECT_NEAR(slides.observed("variation"), 0.045, 0.001) << steps << (heavy ? " steps with a mass" : " steps");
      EXPECT_NEAR(sinks.observed("variation"), 2, 0.1) << steps << (heavy ? " steps with a mass" : " steps");
    }
}

// (O7) Impacts count one by one, however many a step has: to and fro between two walls, and a ball that bounces until
// it rests. It falls and rises by 2 + 2(1 + 1/2 + …), and its impacts change 3 + 3/2 + …: 12 in all, less what is
// slower than ten steps of the force and the step's h f at each.
TEST_P(Located, ImpactsAreVariation) {
  std::string elastic = between_walls;
  for (const auto& [from, to] : {std::pair{"a*cos(3*t) - 2*x", "0"}, std::pair{"x <= 0.15", "x <= 0.1"}})
    elastic.replace(elastic.find(from), std::string(from).size(), to);
  const SeenMember member = see(read(elastic, 2, 8), {{0, 1, 0, 1}})[0];
  EXPECT_NEAR(member.observed("variation"), 20, 1e-12);  // at 0.1, 0.3, … 1.9, two a step at most
  for (const long steps : {1000L, 4000L})
    EXPECT_NEAR(see(read(ball, 4, steps), {{0.5, 1}})[0].observed("variation"), 12,
                100 * 4.0 / static_cast<double>(steps))
        << steps;
}

// ---- several laws ----

// A mass makes of the particle a coupled model: the same motion.
TEST_P(Located, CoupledModelsMoveAsParticlesDo) {
  for (const std::string& text : {ball, oscillator, between_walls}) {
    std::string heavy = text;
    heavy.replace(heavy.find("force ="), 7, "mass = [\"1\"]\nforce =");
    const auto row = text == ball         ? std::vector<double>{0.5, 1}
                     : text == oscillator ? std::vector<double>{1.3}
                                          : std::vector<double>{4, 0.9, 0.02, 1};
    const auto light = see(read(text, 4, 400), {row})[0], coupled = see(read(heavy, 4, 400), {row})[0];
    ASSERT_EQ(light.nodes.size(), coupled.nodes.size());
    for (std::size_t i = 0; i < light.nodes.size(); ++i)
      ASSERT_NEAR(light.nodes[i].q[0], coupled.nodes[i].q[0], 1e-11) << "node " << i;
    for (const char* name :
         {"impacts", "first_contact", "stick_time", "slip_time", "dissipated", "impulse", "variation"})
      EXPECT_NEAR(light.observed(name), coupled.observed(name), 1e-9) << name;
  }
}

// (I3) What presses towards the wall is a belt alone, a resistance: still the block comes to rest at it.
TEST_P(Located, ABlockThatABeltPressesComesToRest) {
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
e = 0.7
[[model.contact]]
name = "stop"
inside = "x <= 1"
restitution = "e"
[[model.resistance]]
name = "belt"
slip = ["vx"]
drive = ["1"]
limit = "3"
[start]
x = "0"
)toml";
  const auto member = see(read(text, 4, 400), {{0.7}})[0];
  for (const auto& node : member.nodes) {
    EXPECT_LE(node.q[0], 1 + 1e-15);
    if (node.t < 3.5) continue;
    EXPECT_NEAR(node.v[0], 0, 1e-15) << "t = " << node.t;
  }
  // reaches the belt's speed after 1/3, the wall at 1/6 + 2/3 later, and leaves it with 0.7, 0.49, …: each flight takes
  // 2·0.7^k/3
  EXPECT_NEAR(member.observed("first_contact"), 1.0 / 3 + 5.0 / 6, 0.02);
}

// A step that percussions split, with a delay in the friction: the balance holds, and nothing is behind the wall.
TEST_P(Located, PercussionsAndDelaysSplitTheSameStep) {
  const std::string text = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-delay(x, 0.03)", "-9.81 + 3*delay(y, 0.017)"]
[model.parameters]
e = 0.6
[[model.contact]]
name = "floor"
inside = "y >= 0"
slip = ["vx"]
friction = "0.2 + abs(delay(vx, 0.013))"
restitution = "e"
[[model.resistance]]
name = "blows"
slip = ["vy"]
limit = "1"
percussions = { time = "0.0137*j", size = "0.03", count = 200 }
[start]
x = "0"
y = "0.1"
vx = "1"
)toml";
  const auto members =
      see(read(text + "[observe]\nalso = [\"work\", \"drive_work\"]\n", 3, 300), {{0.6}, {0.3}, {0.9}});
  for (const SeenMember& member : members) {
    ASSERT_EQ(member.status, Status::ok);
    EXPECT_LE(member.observed("penetration"), 1e-14);
    EXPECT_GE(member.observed("impacts"), 1);
    const auto& v = member.nodes.back().v;
    EXPECT_NEAR(v.squaredNorm() / 2 - 0.5,
                member.observed("work") - member.observed("dissipated") + member.observed("drive_work"), 1e-11);
  }
}

}  // namespace
}  // namespace conesweep
