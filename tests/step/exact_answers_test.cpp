// The exact answers E1, E2, E3 with their observed order of convergence (E4: delay_test).
//
// An event falls anywhere inside a step, so that the error of one run jumps as h changes: every order is fitted over
// nine step sizes a factor √2 apart, the errors averaged over jittered data. The scheme is of first order; 0.9 is what
// a fit over such averages can promise.
#include <gtest/gtest.h>

#include "exact_answers.hpp"
#include "oracle/exact_answers.hpp"
#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using oracle::jitter;
using oracle::step_ladder;
using test::parse_scenario;
using test::SeenMember;
using test::SeenNode;

ON_EVERY_EXECUTOR(ExactAnswers);

// ---- E1 ----

const char* const falling_slider = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-g"]
[model.parameters]
g = 9.81
height = 1.0
u = 3.0
mu = 0.3
[[model.contact]]
inside = "y >= 0"
friction = "mu"
[start]
x = "u*t"
y = "height"
[time]
end = 2
step = 0.01
)toml";

TEST_P(ExactAnswers, E1FallsSlidesAndStops) {
  const auto data = [](int j) {
    return Row{9.81, 0.9 + 0.2 * jitter(j), 2.8 + 0.4 * jitter(j, 1), 0.25 + 0.1 * jitter(j, 2)};
  };
  const auto errors = [](const SeenMember& member, const Row& p, long) {
    const auto exact = oracle::fall_and_slide(p[1], p[2], p[3], 9.81);
    double hit = -1, speed = -1, stop = -1, place = -1;
    for (const SeenNode& node : member.nodes) {
      if (node.touches() && hit < 0) hit = node.t, speed = node.v[0];
      if (node.touches() && stop < 0 && node.mode == Mode::stick) stop = node.t;
      place = node.q[0];
    }
    return Row{hit - exact.hit_time, speed - exact.slide_speed, stop - exact.stop_time, place - exact.stop_place};
  };
  const auto orders = observe_order("E1", {"hit time", "speed after the impact", "stop time", "stop place"},
                                    falling_slider, 2, step_ladder(100), 24, data, errors);
  expect_first_order(orders);
}

TEST_P(ExactAnswers, E1SticksAtOnceWhenTheImpactIsHardEnough) {
  // u = 1 < mu sqrt(2 g height) = 1.33: the impact takes everything
  bool touched = false;
  for (const SeenNode& node : see(with_steps(falling_slider, 2, 1000), {9.81, 1, 1, 0.3}).nodes) {
    touched = touched || node.touches();
    EXPECT_EQ(node.v[0], touched ? 0 : 1) << "t = " << node.t;
  }
  EXPECT_TRUE(touched);
  EXPECT_EQ(oracle::fall_and_slide(1, 1, 0.3, 9.81).slide_speed, 0);
}

// ---- E2 ----

// the slope as gravity that is tilted …
const char* const tilted_gravity = R"toml(
[model]
coordinates = ["x", "y"]
force = ["g * sin(th)", "-g * cos(th)"]
[model.parameters]
g = 9.81
th = 0.4
mu = 0.3
[[model.contact]]
inside = "y >= 0"
friction = "mu"
[start]
x = "0"
y = "0"
[time]
end = 1
step = 0.01
)toml";

// … and as a plane that is; down the slope is -x here
const char* const tilted_plane = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-g"]
[model.parameters]
g = 9.81
th = 0.4
mu = 0.3
[[model.contact]]
inside = "y - x * tan(th) >= 0"
friction = "mu"
[start]
x = "0"
y = "0"
[time]
end = 1
step = 0.01
)toml";

TEST_P(ExactAnswers, E2SlidesDownASlopeWithItsAcceleration) {
  for (const char* text : {tilted_gravity, tilted_plane}) {
    const bool tilted = text == tilted_plane;
    const auto data = [](int j) { return Row{9.81, 0.35 + 0.3 * jitter(j), 0.1 + 0.2 * jitter(j, 1)}; };
    const auto errors = [](const SeenMember& member, const Row& p, long steps) {
      const double a = oracle::slope_acceleration(p[1], p[2], 9.81);
      const SeenNode& half = member.nodes.at(static_cast<std::size_t>(steps / 2));
      return Row{member.nodes.back().q.norm() - a / 2, half.v.norm() - a * half.t};
    };
    const auto orders = observe_order(tilted ? "E2, tilted plane" : "E2, tilted gravity",
                                      {"distance", "speed half way"}, text, 1, step_ladder(50), 8, data, errors);
    expect_first_order(orders);
  }
}

TEST_P(ExactAnswers, E2TheScheme) {
  // Tilted gravity: every step adds exactly h a (up to rounding), v_i = (i+1) h a and x_i = h² a i (i+1)/2.
  const double a = oracle::slope_acceleration(0.4, 0.3, 9.81), h = 1e-3;
  for (const SeenNode& node : see(with_steps(tilted_gravity, 1, 1000), {9.81, 0.4, 0.3}).nodes) {
    const auto i = static_cast<double>(node.i);
    EXPECT_NEAR(node.q[0], h * h * a * i * (i + 1) / 2, 1e-13);  // 1000 roundings of numbers up to 1
    EXPECT_NEAR(node.v[0], h * a * (node.last ? i : i + 1), 1e-13);
  }
}

TEST_P(ExactAnswers, E2SticksBelowTheFrictionAngleAndSlidesAbove) {
  int stuck = 0, slid = 0;
  for (const char* text : {tilted_gravity, tilted_plane}) {
    std::vector<Row> rows;
    for (double th = 0.02; th < 1.4; th += 0.031)
      for (const double share : {0.0, 0.5, 0.9, 0.999999, 1.000001, 1.1, 2.0, 50.0})
        rows.push_back({9.81, th, share * std::tan(th)});
    const auto members = test::see_members(with_steps(text, 1, 64), backend(), rows);
    for (std::size_t m = 0; m < rows.size(); ++m) {
      const double th = rows[m][1], mu = rows[m][2];
      const bool sticks = std::tan(th) <= mu;
      const bool tilted = text == tilted_plane;
      const Eigen::VectorXd& q = members[m].nodes.back().q;
      const double down = tilted ? -std::cos(th) * q[0] - std::sin(th) * q[1] : q[0];
      // slides by a T²/2 (1 + 1/N) or not at all. On the tilted plane g may be negative by an ulp: that step falls
      // freely, the next contact catches up with the whole impulse, and the place differs by one step's h² g at most.
      const double expected = oracle::slope_acceleration(th, mu, 9.81) / 2 * (1 + 1.0 / 64);
      EXPECT_NEAR(down, expected, sticks ? 0 : tilted ? 9.81 / (64 * 64) : 1e-12) << "th = " << th << ", mu = " << mu;
      EXPECT_EQ(down > 0, !sticks) << "th = " << th << ", mu = " << mu;
      ++(sticks ? stuck : slid);
    }
  }
  EXPECT_GT(stuck, 100);
  EXPECT_GT(slid, 100);
}

TEST_P(ExactAnswers, E2AtTheFrictionAngleItselfSticks) {
  // a 3-4-5 slope and dyadic steps: every number is exact, and tan(theta) = mu = 3/4
  const char* const text = R"toml(
[model]
coordinates = ["x", "y"]
force = ["3", "-4"]
[model.parameters]
mu = 0.75
[[model.contact]]
inside = "y >= 0"
friction = "mu"
[start]
x = "0"
y = "0"
[time]
end = 1
step = 0.015625
)toml";
  const scenario::Scenario scenario = parse_scenario(text);
  const auto members = test::see_members(scenario, backend(), {{0.75}, {std::nextafter(0.75, 0)}});
  EXPECT_EQ(members[0].nodes.back().q[0], 0);
  EXPECT_GT(members[1].nodes.back().q[0], 0);
}

// ---- E3 ----

const char* const rough_oscillator = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-k * x", "-g"]
[model.parameters]
g = 9.81
k = 4.0
mu = 0.05
x0 = 1.0
[[model.contact]]
inside = "y >= 0"
friction = "mu"
[start]
x = "x0"
y = "0"
[time]
end = 8
step = 0.01
)toml";

TEST_P(ExactAnswers, E3LosesTheSameAmplitudeEveryHalfSwing) {
  const double k = 4, mu = 0.05, gravity = 9.81, half_swing = std::acos(-1.0) / std::sqrt(k);
  // the turning points keep clear of the dead zone's border, where an ulp decides whether it swings once more
  const auto x0_of = [](int j) { return 0.97 + 0.06 * jitter(j); };
  for (int j = 0; j < 16; ++j) ASSERT_EQ(oracle::turning_points(x0_of(j), k, mu, gravity).size(), 5u);
  const auto data = [&](int j) { return Row{gravity, k, mu, x0_of(j)}; };
  const auto errors = [&](const SeenMember& member, const Row& p, long) {
    const auto exact = oracle::turning_points(p[3], k, mu, gravity);
    std::vector<double> extreme(4, 0.0);
    double rest = 0, rest_speed = 1;
    for (const SeenNode& node : member.nodes) {
      // the extreme of the position in a quarter swing around each turning time
      const auto n = static_cast<int>(std::lround(node.t / half_swing));
      if (n >= 1 && n <= 3 && std::fabs(node.t - n * half_swing) < half_swing / 4) {
        double& x = extreme[static_cast<std::size_t>(n)];
        if (std::fabs(node.q[0]) > std::fabs(x)) x = node.q[0];
      }
      rest = node.q[0], rest_speed = node.v[0];
    }
    EXPECT_EQ(rest_speed, 0);
    return Row{extreme[1] - exact[1], extreme[2] - exact[2], extreme[3] - exact[3], rest - exact[4]};
  };
  const auto orders = observe_order("E3", {"1st turning point", "2nd", "3rd", "rest"}, rough_oscillator, 8,
                                    step_ladder(200), 16, data, errors);
  expect_first_order(orders);
}

}  // namespace
}  // namespace conesweep
