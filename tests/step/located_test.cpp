// Located impacts (I): against the definition written out, and closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "located.hpp"
#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Status;
using oracle::jitter;
using test::SeenMember;

ON_EVERY_EXECUTOR(Located);

// ---- the definition ----

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

}  // namespace
}  // namespace conesweep
