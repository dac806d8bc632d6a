// Order two (A): closed forms, observed orders beside the paper's scheme, and what a second reading of the equations
// found.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using executor::Status;
using oracle::jitter;
using test::parse_scenario;
using test::SeenMember;

constexpr double g = 9.81;

scenario::Scenario read(const std::string& text, double end, long steps, int order = 2) {
  scenario::Overrides overrides;
  overrides.end = end;
  overrides.step = end / static_cast<double>(steps);
  return parse_scenario(text + "[time]\nend = 1\nstep = 0.5\norder = " + std::to_string(order) + "\n", overrides);
}

class SecondOrder : public test::OnExecutor {
 protected:
  SeenMember see_one(const scenario::Scenario& scenario) const {
    return test::see_members(scenario, backend(), {scenario.defaults}).front();
  }

  /// Mean errors of the place at the end over eight jittered members and nine steps.
  template <class Data, class Exact>
  oracle::ObservedOrder observe(const std::string& title, const std::string& text, double end, long coarsest,
                                const Data& data, const Exact& exact, int order = 2) const {
    std::vector<std::vector<double>> rows;
    for (int j = 0; j < 8; ++j) rows.push_back(data(j));
    const auto observed =
        oracle::observe_order(title + ", order " + std::to_string(order) + ", on " + backend(), {"place"}, end,
                              oracle::step_ladder(coarsest), [&](long steps) {
                                const auto members = test::see_members(read(text, end, steps, order), backend(), rows);
                                std::vector<std::vector<double>> all;
                                for (std::size_t j = 0; j < rows.size(); ++j) {
                                  EXPECT_EQ(members[j].status, Status::ok);
                                  all.push_back({(members[j].nodes.back().q - exact(rows[j])).norm()});
                                }
                                return all;
                              });
    return observed.front();
  }

  /// The same with the place that 16 times the finest number of steps leads to, by this scheme on the reference: the
  /// other executors are another text.
  template <class Data>
  oracle::ObservedOrder observe_beside_finer(const std::string& title, const std::string& text, double end,
                                             long coarsest, const Data& data, int order = 2) const {
    std::vector<std::vector<double>> rows;
    for (int j = 0; j < 8; ++j) rows.push_back(data(j));
    const auto fine = test::see_members(read(text, end, 16 * oracle::step_ladder(coarsest).back()), "reference", rows);
    return observe(
        title, text, end, coarsest, data,
        [&](const std::vector<double>& row) {
          for (std::size_t j = 0; j < rows.size(); ++j)
            if (rows[j] == row) return fine[j].nodes.back().q;
          return fine.front().nodes.back().q;
        },
        order);
  }
};

ON_EVERY_EXECUTOR(SecondOrder);

std::string on_floor(const std::string& rest) {
  return "[[model.contact]]\nname = \"floor\"\ninside = \"y >= 0\"\n" + rest;
}

const std::string falls = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-c*vx", "-9.81 - c*vy"]
[model.parameters]
H = 1
u = 4
mu = 0.3
c = 0
)toml" + on_floor("friction = \"mu\"\n[start]\nx = \"0\"\ny = \"H\"\nvx = \"u\"\nvy = \"0\"\n");

// E1: everything is a parabola, so everything is exact
TEST_P(SecondOrder, IsExactWhereTheMotionIsMadeOfParabolas) {
  for (const long steps : {7L, 16L, 33L}) {
    const auto member = see_one(read(falls, 1.2, steps));
    const double hits = std::sqrt(2 / g), u = 4 - 0.3 * g * hits, slides = 1.2 - hits;
    EXPECT_NEAR(member.nodes.back().q[0], 4 * hits + u * slides - 0.3 * g * slides * slides / 2, 1e-13);
    EXPECT_NEAR(member.nodes.back().v[0], u - 0.3 * g * slides, 1e-13);
    EXPECT_NEAR(member.nodes.back().q[1], 0, 1e-15);
    EXPECT_NEAR(member.observed("first_contact"), hits, 1e-14);
    EXPECT_NEAR(member.observed("slip_time"), slides, 1e-13);
    EXPECT_EQ(member.observed("impacts"), steps > 30 ? 1 : 0);  // (O3) is about ten steps of the force
  }
}

// E8: impacts at 1, 2, 2½, …, at rest from t = 3; between them exact at any step that sees them apart
TEST_P(SecondOrder, BouncesExactlyUntilTheFlightIsShorterThanAStep) {
  const std::string ball = R"toml(
[model]
coordinates = ["x"]
force = ["-2"]
[[model.contact]]
name = "wall"
inside = "x >= 0"
restitution = "0.5"
[start]
x = "1"
)toml";
  const auto member = see_one(read(ball, 3.5, 350));
  for (const auto& node : member.nodes) {
    double hit = 1, up = 2, expected = 1 - node.t * node.t;
    for (int bounce = 0; bounce < 40 && node.t > hit; ++bounce) {
      up /= 2;
      const double s = node.t - hit;
      expected = s <= up ? s * (up - s) : 0;
      if (s <= up) break;
      hit += up;
    }
    EXPECT_NEAR(node.q[0], expected, node.t < 2.9 ? 1e-13 : 1e-4) << "t = " << node.t;
  }
  EXPECT_EQ(member.nodes.back().v[0], 0);
  EXPECT_NEAR(member.observed("first_contact"), 1, 1e-14);
}

TEST_P(SecondOrder, FallsWithDragToSecondOrder) {
  const auto observed = observe_beside_finer("E1 with drag", falls, 1, 16, [](int j) -> std::vector<double> {
    return {0.9 + 0.2 * jitter(j), 3.7 + 0.6 * jitter(j, 1), 0.27 + 0.06 * jitter(j, 2), 0.4 + 0.2 * jitter(j, 3)};
  });
  EXPECT_GT(observed.order, 1.8);
}

// E3: half-swings lose 2 μ G/k, and the last turning point within μ G/k is rest
TEST_P(SecondOrder, TurnsRoundAndRestsOnARoughPlane) {
  const std::string text = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-k*x", "-9.81"]
[model.parameters]
k = 10
x0 = 1
mu = 0.1
)toml" + on_floor("friction = \"mu\"\n[start]\nx = \"x0\"\ny = \"0\"\nvx = \"0\"\nvy = \"0\"\n");
  const double end = 4.5;
  const auto observed = observe(
      "E3", text, end, 40,
      [](int j) -> std::vector<double> {
        return {9.5 + jitter(j), 0.9 + 0.2 * jitter(j, 1), 0.09 + 0.02 * jitter(j, 2)};
      },
      [&](const std::vector<double>& row) {
        const double k = row[0], c = row[2] * g / k, w = std::sqrt(k);
        double x = row[1], t = 0, side = 1;
        while (std::fabs(x) > c) {
          if (t + std::numbers::pi / w > end) {
            x = side * c + (x - side * c) * std::cos(w * (end - t));
            break;
          }
          x = 2 * side * c - x, t += std::numbers::pi / w, side = x > 0 ? 1 : -1;
        }
        return Eigen::Vector2d(x, 0);
      });
  EXPECT_GT(observed.order, 1.8);
}

// E4 by the method of steps
TEST_P(SecondOrder, LooksBackToSecondOrder) {
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["-k*delay(x, tau)"]
[model.parameters]
k = 2
tau = 0.6
[start]
x = "1"
)toml";
  const double end = 2;
  const auto observed = observe(
      "E4", text, end, 16,
      [](int j) -> std::vector<double> {
        return {1.8 + 0.4 * jitter(j), 0.55 + 0.1 * jitter(j, 1)};
      },
      [&](const std::vector<double>& row) {
        double x = 1, factor = 1;
        for (int n = 1; end > (n - 1) * row[1]; ++n) {
          factor *= -row[0] / ((2.0 * n - 1) * (2.0 * n));
          x += factor * std::pow(end - (n - 1) * row[1], 2 * n);
        }
        return Eigen::VectorXd::Constant(1, x);
      });
  EXPECT_GT(observed.order, 1.8);
}

// E5: s = s0/(1 + μ s0 t/R)
const std::string bowl = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[model.parameters]
s0 = 2
mu = 0.3
[[model.contact]]
name = "bowl"
inside = "sqrt(x^2 + y^2) <= 1"
friction = "mu"
[start]
x = "0"
y = "-1"
vx = "s0"
vy = "0"
)toml";

TEST_P(SecondOrder, SlidesAlongACurvedWallToSecondOrder) {
  const double end = 4;
  const auto observed = observe(
      "E5", bowl, end, 40,
      [](int j) -> std::vector<double> {
        return {1.8 + 0.4 * jitter(j), 0.27 + 0.06 * jitter(j, 1)};
      },
      [&](const std::vector<double>& row) {
        const double a = std::log(1 + row[1] * row[0] * end) / row[1];
        return Eigen::Vector2d(std::sin(a), -std::cos(a));
      });
  EXPECT_GT(observed.order, 1.8);
  const auto member = see_one(read(bowl, end, 160));
  for (const auto& node : member.nodes) EXPECT_NEAR(node.q.norm(), 1, 1e-15);
}

// a delayed velocity acts through jumps by the mean over the delayed piece: its point value is of first order
TEST_P(SecondOrder, LooksBackThroughJumpsOfAVelocity) {
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["-k*x - c*delay(vx, tau)"]
[model.parameters]
k = 4
c = 0.6
tau = 0.37
[[model.contact]]
name = "wall"
inside = "x >= -0.2"
restitution = "0.8"
[start]
x = "1"
vx = "0"
)toml";
  const auto observed = observe_beside_finer("delayed velocity", text, 6, 80, [](int j) -> std::vector<double> {
    return {3.8 + 0.4 * jitter(j), 0.5 + 0.2 * jitter(j, 1), 0.32 + 0.1 * jitter(j, 2)};
  });
  EXPECT_GT(observed.order, 1.8);
}

// static friction above dynamic friction on a belt: the break is located
TEST_P(SecondOrder, BreaksLooseOnABeltToSecondOrder) {
  const std::string text =
      R"toml(
[model]
coordinates = ["x", "y"]
force = ["-k*x", "-10"]
[model.parameters]
k = 4
V = 0.5
ms = 0.3
)toml" +
      on_floor(
          "friction = \"if(abs(vx - V) > 1e-6, 0.2, ms)\"\nbelt = [\"V\", \"0\"]\n[start]\nx = \"0\"\ny = \"0\"\nvx "
          "= \"V\"\nvy = \"0\"\n");
  const auto observed = observe_beside_finer("belt", text, 8, 100, [](int j) -> std::vector<double> {
    return {3.8 + 0.4 * jitter(j), 0.45 + 0.1 * jitter(j, 1), 0.27 + 0.06 * jitter(j, 2)};
  });
  EXPECT_GT(observed.order, 1.8);
}

// ---- what a second reading found ----

// c is taken where the position was put on the wall: else what is carried slips by rounding, and is struck again
TEST_P(SecondOrder, SticksExactlyToADrum) {
  const std::string drum = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[[model.contact]]
name = "drum"
inside = "sqrt(x^2 + y^2) <= 1"
friction = "2"
belt = ["-y", "x"]
[start]
x = "0"
y = "-1"
vx = "1"
vy = "0"
)toml";
  const auto member = see_one(read(drum, 0.6, 30));
  EXPECT_EQ(member.observed("impacts"), 0);
  EXPECT_NEAR(member.observed("stick_time"), 0.6, 1e-14);
  for (const auto& node : member.nodes) {
    EXPECT_NEAR(node.q.norm(), 1, 1e-15);
    EXPECT_NEAR(node.v[0] + node.q[1], 0, 1e-15);
  }
}

// e = 1 never rests, not even where every flight is shorter than a step
TEST_P(SecondOrder, LosesNothingWithoutFrictionAndForce) {
  const std::string circle = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[[model.contact]]
name = "circle"
inside = "x^2 + y^2 <= 1"
restitution = "1"
[start]
x = "0.1"
y = "0.2"
vx = "1"
vy = "-0.3"
)toml";
  const auto member = see_one(read(circle, 100, 1000));
  for (const auto& node : member.nodes) EXPECT_NEAR(node.v.squaredNorm(), 1.09, 1e-12);
}

// time is not accumulated: a table that moves is not struck by rounding at late times
TEST_P(SecondOrder, RestsOnAMovingTableLate) {
  const std::string table = R"toml(
[model]
coordinates = ["x"]
force = ["-9.81"]
[[model.contact]]
name = "table"
inside = "x >= 0.01*sin(3*(t + 1e4))"
[start]
x = "0.01*sin(3e4)"
vx = "0.03*cos(3e4)"
)toml";
  const auto member = see_one(read(table, 10, 1000));
  EXPECT_EQ(member.observed("impacts"), 0);
}

// an acute wedge, struck by all its walls together
TEST_P(SecondOrder, ComesToRestInAWedge) {
  const std::string wedge = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[[model.contact]]
name = "left"
inside = "y >= 4*x"
[[model.contact]]
name = "right"
inside = "y >= -4*x"
[start]
x = "0.1"
y = "1"
vx = "0"
vy = "0"
)toml";
  const auto member = see_one(read(wedge, 3, 100));
  EXPECT_EQ(member.status, Status::ok);
  EXPECT_NEAR(member.nodes.back().q.norm(), 0, 1e-12);
  EXPECT_NEAR(member.nodes.back().v.norm(), 0, 1e-12);
}

// (A14) what is integrated is exact to second order through impacts; times of comparisons are found between nodes
TEST_P(SecondOrder, ObservesBetweenNodes) {
  const std::string text = falls + R"toml(
[observe]
area = { integral = "y" }
power = { integral = "vy" }
deep = { min = "vy" }
below = { first_time = "y < 0.5" }
above = { last_time = "y > 0.5" }
)toml";
  const double hits = std::sqrt(2 / g), half = std::sqrt(1 / g);
  for (const long steps : {50L, 97L}) {
    const auto member = see_one(read(text, 1, steps));
    EXPECT_NEAR(member.observed("area"), hits - g * hits * hits * hits / 6,
                1e-3 * 2500 / static_cast<double>(steps * steps));
    EXPECT_NEAR(member.observed("power"), -1, 1e-13);
    EXPECT_NEAR(member.observed("deep"), -g * hits, 1e-13);
    EXPECT_NEAR(member.observed("below"), half, 1e-4);
    EXPECT_NEAR(member.observed("above"), half, 1e-4);
  }
}

}  // namespace
}  // namespace conesweep
