// The exact answers E1, E2, E3, E5, E6, E8, E12 with their observed order of convergence (E4: delay_test).
//
// An event falls anywhere inside a step, so that the error of one run jumps as h changes: every order is fitted over nine step
// sizes a factor √2 apart, the errors averaged over jittered data. The scheme is of first order; 0.9 is what a fit over such
// averages can promise.

#include <gtest/gtest.h>

#include "../oracle/exact_answers.hpp"
#include "../oracle/kept_nodes.hpp"
#include "../oracle/observed_order.hpp"
#include "../support/scenario_text.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using executor::Status;
using executor::reference::NodeRecord;
using oracle::jitter;
using oracle::observe_order;
using oracle::step_ladder;
using test::parse_scenario;

constexpr double least_order = 0.9;

/// A scenario on [0, end] with N steps.
scenario::Scenario with_steps(const char* text, double end, long steps) {
  scenario::Overrides overrides;
  overrides.end = end;
  overrides.step = end / static_cast<double>(steps);
  return parse_scenario(text, overrides);
}

/// Shows every node of one member.
template <class Visit>
executor::reference::MemberEnd walk(const scenario::Scenario& scenario, const std::vector<double>& parameters, const Visit& visit) {
  return executor::reference::run_member(scenario, parameters, [&](const NodeRecord& node, const auto&) { visit(node); });
}

void expect_first_order(const std::vector<oracle::ObservedOrder>& orders) {
  for (const auto& o : orders) EXPECT_GE(o.order, least_order) << o.quantity;
}

// ---- E1 -----------------------------------------------------------------------------------------------------------------

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

TEST(ExactAnswers, E1FallsSlidesAndStops) {
  const auto orders = observe_order("E1", {"hit time", "speed after the impact", "stop time", "stop place"}, 2, step_ladder(100), 24, [](long steps, int j) {
    const double height = 0.9 + 0.2 * jitter(j), u = 2.8 + 0.4 * jitter(j, 1), mu = 0.25 + 0.1 * jitter(j, 2);
    const auto exact = oracle::fall_and_slide(height, u, mu, 9.81);
    double hit = -1, speed = -1, stop = -1, place = -1;
    walk(with_steps(falling_slider, 2, steps), {9.81, height, u, mu}, [&](const NodeRecord& node) {
      if (node.contact && hit < 0) hit = node.t, speed = node.v[0];
      if (node.contact && stop < 0 && node.mode == Mode::stick) stop = node.t;
      place = node.q[0];
    });
    return std::vector<double>{hit - exact.hit_time, speed - exact.slide_speed, stop - exact.stop_time, place - exact.stop_place};
  });
  expect_first_order(orders);
}

TEST(ExactAnswers, E1SticksAtOnceWhenTheImpactIsHardEnough) {
  // u = 1 < mu sqrt(2 g height) = 1.33: the impact takes everything
  bool touched = false;
  walk(with_steps(falling_slider, 2, 1000), {9.81, 1, 1, 0.3}, [&](const NodeRecord& node) {
    touched = touched || node.contact;
    EXPECT_EQ(node.v[0], touched ? 0 : 1) << "t = " << node.t;
  });
  EXPECT_TRUE(touched);
  EXPECT_EQ(oracle::fall_and_slide(1, 1, 0.3, 9.81).slide_speed, 0);
}

// ---- E2 -----------------------------------------------------------------------------------------------------------------

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

TEST(ExactAnswers, E2SlidesDownASlopeWithItsAcceleration) {
  for (const char* text : {tilted_gravity, tilted_plane}) {
    const bool tilted = text == tilted_plane;
    const auto orders =
        observe_order(tilted ? "E2, tilted plane" : "E2, tilted gravity", {"distance", "speed half way"}, 1, step_ladder(50), 8, [&](long steps, int j) {
          const double th = 0.35 + 0.3 * jitter(j), mu = 0.1 + 0.2 * jitter(j, 1);
          const double a = oracle::slope_acceleration(th, mu, 9.81);
          double distance = 0, speed = 0, at = 0;
          walk(with_steps(text, 1, steps), {9.81, th, mu}, [&](const NodeRecord& node) {
            distance = node.q.norm();
            if (node.i == steps / 2) speed = node.v.norm(), at = node.t;
          });
          return std::vector<double>{distance - a / 2, speed - a * at};
        });
    expect_first_order(orders);
  }
}

TEST(ExactAnswers, E2TheScheme) {
  // Tilted gravity: every step adds exactly h a (up to rounding), v_i = (i+1) h a and x_i = h² a i (i+1)/2.
  const double a = oracle::slope_acceleration(0.4, 0.3, 9.81), h = 1e-3;
  walk(with_steps(tilted_gravity, 1, 1000), {9.81, 0.4, 0.3}, [&](const NodeRecord& node) {
    const auto i = static_cast<double>(node.i);
    EXPECT_NEAR(node.q[0], h * h * a * i * (i + 1) / 2, 1e-13);  // 1000 roundings of numbers up to 1
    EXPECT_NEAR(node.v[0], h * a * (node.last ? i : i + 1), 1e-13);
  });
}

TEST(ExactAnswers, E2SticksBelowTheFrictionAngleAndSlidesAbove) {
  int stuck = 0, slid = 0;
  for (const char* text : {tilted_gravity, tilted_plane}) {
    const scenario::Scenario scenario = with_steps(text, 1, 64);
    for (double th = 0.02; th < 1.4; th += 0.031)
      for (const double share : {0.0, 0.5, 0.9, 0.999999, 1.000001, 1.1, 2.0, 50.0}) {
        const double mu = share * std::tan(th);
        const bool sticks = std::tan(th) <= mu;
        const bool tilted = text == tilted_plane;
        double down = 0;
        walk(scenario, {9.81, th, mu}, [&](const NodeRecord& node) { down = tilted ? -std::cos(th) * node.q[0] - std::sin(th) * node.q[1] : node.q[0]; });
        // slides by a T²/2 (1 + 1/N) or not at all. On the tilted plane g may be negative by an ulp: that step falls freely, the next
        // contact catches up with the whole impulse, and the place differs by one step's h² g at most.
        const double expected = oracle::slope_acceleration(th, mu, 9.81) / 2 * (1 + 1.0 / 64);
        EXPECT_NEAR(down, expected, sticks ? 0 : tilted ? 9.81 / (64 * 64) : 1e-12) << "th = " << th << ", mu = " << mu;
        EXPECT_EQ(down > 0, !sticks) << "th = " << th << ", mu = " << mu;
        ++(sticks ? stuck : slid);
      }
  }
  EXPECT_GT(stuck, 100);
  EXPECT_GT(slid, 100);
}

TEST(ExactAnswers, E2AtTheFrictionAngleItselfSticks) {
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
  double at = -1, beyond = -1;
  walk(scenario, {0.75}, [&](const NodeRecord& node) { at = node.q[0]; });
  walk(scenario, {std::nextafter(0.75, 0)}, [&](const NodeRecord& node) { beyond = node.q[0]; });
  EXPECT_EQ(at, 0);
  EXPECT_GT(beyond, 0);
}

// ---- E3 -----------------------------------------------------------------------------------------------------------------

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

TEST(ExactAnswers, E3LosesTheSameAmplitudeEveryHalfSwing) {
  const double k = 4, mu = 0.05, gravity = 9.81, half_swing = std::acos(-1.0) / std::sqrt(k);
  // the turning points keep clear of the dead zone's border, where an ulp decides whether it swings once more
  const auto x0_of = [](int j) { return 0.97 + 0.06 * jitter(j); };
  for (int j = 0; j < 16; ++j) ASSERT_EQ(oracle::turning_points(x0_of(j), k, mu, gravity).size(), 5u);
  const auto orders = observe_order("E3", {"1st turning point", "2nd", "3rd", "rest"}, 8, step_ladder(200), 16, [&](long steps, int j) {
    const double x0 = x0_of(j);
    const auto exact = oracle::turning_points(x0, k, mu, gravity);
    std::vector<double> extreme(4, 0.0);
    double rest = 0, rest_speed = 1;
    walk(with_steps(rough_oscillator, 8, steps), {gravity, k, mu, x0}, [&](const NodeRecord& node) {
      // the extreme of the position in a quarter swing around each turning time
      const auto n = static_cast<int>(std::lround(node.t / half_swing));
      if (n >= 1 && n <= 3 && std::fabs(node.t - n * half_swing) < half_swing / 4) {
        double& x = extreme[static_cast<std::size_t>(n)];
        if (std::fabs(node.q[0]) > std::fabs(x)) x = node.q[0];
      }
      rest = node.q[0], rest_speed = node.v[0];
    });
    EXPECT_EQ(rest_speed, 0);
    return std::vector<double>{extreme[1] - exact[1], extreme[2] - exact[2], extreme[3] - exact[3], rest - exact[4]};
  });
  expect_first_order(orders);
}

// ---- E5 -----------------------------------------------------------------------------------------------------------------

const char* const rough_bowl = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[model.parameters]
R = 1.0
s0 = 1.0
mu = 0.3
angle = 0.0
[[model.contact]]
inside = "x^2 + y^2 <= R^2"
friction = "mu"
[start]
x = "R * cos(angle)"
y = "R * sin(angle)"
vx = "-s0 * sin(angle)"
vy = "s0 * cos(angle)"
[time]
end = 3
step = 0.01
)toml";

TEST(ExactAnswers, E5SlowsDownAlongARoughCircularWall) {
  const auto orders = observe_order("E5", {"speed at the end", "speed half way", "drift against h∫s²/(2R)"}, 3, step_ladder(100), 12, [](long steps, int j) {
    const double radius = 0.8 + 0.4 * jitter(j), s0 = 0.8 + 0.4 * jitter(j, 1), mu = 0.1 + 0.4 * jitter(j, 2), angle = 6 * jitter(j, 3);
    double half = 0, half_time = 0, last = 0, drift = 0;
    walk(with_steps(rough_bowl, 3, steps), {radius, s0, mu, angle}, [&](const NodeRecord& node) {
      if (node.i == steps / 2) half = node.v.norm(), half_time = node.t;
      last = node.v.norm(), drift = node.q.norm() - radius;
    });
    const double h = 3.0 / static_cast<double>(steps);
    const double predicted = h / (2 * radius) * oracle::bowl_speed_squared_integral(s0, mu, radius, 3);
    return std::vector<double>{last - oracle::bowl_speed(s0, mu, radius, 3), half - oracle::bowl_speed(s0, mu, radius, half_time), drift / predicted - 1};
  });
  expect_first_order(orders);
}

// ---- E6 -----------------------------------------------------------------------------------------------------------------

const char* const variable_friction = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-g"]
[model.parameters]
g = 9.81
m0 = 0.1
b = 0.5
s0 = 2.0
[[model.contact]]
inside = "y >= 0"
friction = "m0 * (1 + b*x)"
[start]
x = "s0 * t"
y = "0"
[time]
end = 2.5
step = 0.01
)toml";

TEST(ExactAnswers, E6SpendsItsEnergyOnFrictionThatVaries) {
  const auto orders = observe_order("E6", {"s² along the way", "stop place"}, 2.5, step_ladder(100), 16, [](long steps, int j) {
    const double m0 = 0.08 + 0.04 * jitter(j), b = 0.3 + 0.4 * jitter(j, 1), s0 = 1.8 + 0.4 * jitter(j, 2);
    double worst = 0, place = 0, speed = 1;
    walk(with_steps(variable_friction, 2.5, steps), {9.81, m0, b, s0}, [&](const NodeRecord& node) {
      if (node.v[0] > 0) worst = std::max(worst, std::fabs(node.v[0] * node.v[0] - oracle::rough_plane_speed_squared(s0, m0, b, 9.81, node.q[0])));
      place = node.q[0], speed = node.v[0];
    });
    EXPECT_EQ(speed, 0);
    return std::vector<double>{worst, place - oracle::rough_plane_stop(s0, m0, b, 9.81)};
  });
  expect_first_order(orders);
}

// ---- E8 -----------------------------------------------------------------------------------------------------------------

const char* const bouncing_ball = R"toml(
[model]
coordinates = ["y"]
force = ["-2"]
[model.parameters]
height = 1.0
[[model.contact]]
inside = "y >= 0"
restitution = 0.5
[start]
y = "height"
[time]
end = 4
step = 0.01
)toml";

TEST(ExactAnswers, E8TheClosedFormHasTheTimesOfTheSpecification) {
  EXPECT_DOUBLE_EQ(oracle::impact_time(1, 1, 2, 0.5), 1);
  EXPECT_DOUBLE_EQ(oracle::impact_time(2, 1, 2, 0.5), 2);
  EXPECT_DOUBLE_EQ(oracle::impact_time(3, 1, 2, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(oracle::rest_time(1, 2, 0.5), 3);
}

TEST(ExactAnswers, E8BouncesEverShorterAndRests) {
  // the fourth impact arrives with 1/4, ten steps of the force make 20 h: h < 1/80 for it to count
  auto orders = observe_order("E8", {"1st impact", "2nd", "3rd", "4th", "height at the end", "time of rest"}, 4, step_ladder(600), 24, [](long steps, int j) {
    const double height = 0.9 + 0.2 * jitter(j);
    std::vector<double> impacts;
    double last_height = 1, last_speed = 1, moving = 0;
    walk(with_steps(bouncing_ball, 4, steps), {height}, [&](const NodeRecord& node) {
      if (node.contact && node.contact->impact) impacts.push_back(node.t);
      if (node.v[0] != 0) moving = node.t;
      last_height = node.q[0], last_speed = node.v[0];
    });
    EXPECT_EQ(last_speed, 0);
    EXPECT_GE(impacts.size(), 4u);
    impacts.resize(4, 0.0);
    std::vector<double> errors;
    for (int k = 1; k <= 4; ++k) errors.push_back(impacts[static_cast<std::size_t>(k - 1)] - oracle::impact_time(k, height, 2, 0.5));
    errors.push_back(last_height);
    errors.push_back(moving - oracle::rest_time(height, 2, 0.5));
    return errors;
  });
  // each of the log2(1/h) bounces until the speed is O(h) is mistimed by O(h): the time of rest is of order 1 in h log(1/h)
  auto& rest = orders.back();
  std::vector<double> scale;
  for (const double h : rest.h) scale.push_back(h * std::log(1 / h));
  rest.order = oracle::fit_power(scale, rest.mean_error);
  std::cout << "E8, time of rest: order " << rest.order << " in h log(1/h)\n";
  expect_first_order(orders);
}

// ---- E12 ----------------------------------------------------------------------------------------------------------------

const char* const blow_up = R"toml(
[model]
coordinates = ["x"]
force = ["vx^2"]
[model.parameters]
v0 = 1.0
[start]
x = "v0 * t"
[time]
end = 2
step = 0.01
)toml";

TEST(ExactAnswers, E12StopsWhereTheSolutionEnds) {
  // explicit steps pass the end by h (log(1/h) + some ten steps that square the velocity to overflow), so the order of the stop time
  // is 1 up to that logarithm
  const auto orders = observe_order("E12", {"stop time", "position at 1/2", "velocity at 1/2"}, 2, step_ladder(400), 1, [](long steps, int) {
    double x = 0, v = 0, at = -1;
    const auto end = walk(with_steps(blow_up, 2, steps), {1}, [&](const NodeRecord& node) {
      if (node.i == steps / 4) x = node.q[0], v = node.v_before[0], at = node.t;
    });
    EXPECT_EQ(end.status, Status::non_finite);
    EXPECT_GT(end.time, 1);
    return std::vector<double>{end.time - 1, x - oracle::blow_up_position(at), v - oracle::blow_up_velocity(at)};
  });
  EXPECT_GE(orders[0].order, 0.85) << "stop time";
  EXPECT_GE(orders[1].order, least_order);
  EXPECT_GE(orders[2].order, least_order);
  EXPECT_LT(orders[0].mean_error.back(), 0.02);
}

}  // namespace
}  // namespace conesweep
