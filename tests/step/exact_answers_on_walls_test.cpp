// The exact answers E5, E6, E8, E12: walls that bend, friction that varies, bounces, and a motion that ends.
#include <gtest/gtest.h>

#include "exact_answers.hpp"
#include "oracle/exact_answers.hpp"
#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Status;
using oracle::jitter;
using oracle::step_ladder;
using test::SeenMember;
using test::SeenNode;

// ---- E5 ----

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

TEST_P(ExactAnswers, E5SlowsDownAlongARoughCircularWall) {
  const auto data = [](int j) {
    return Row{0.8 + 0.4 * jitter(j), 0.8 + 0.4 * jitter(j, 1), 0.1 + 0.4 * jitter(j, 2), 6 * jitter(j, 3)};
  };
  const auto errors = [](const SeenMember& member, const Row& p, long steps) {
    const double radius = p[0], s0 = p[1], mu = p[2], h = 3.0 / static_cast<double>(steps);
    const SeenNode& middle = member.nodes.at(static_cast<std::size_t>(steps / 2));
    const double half = middle.v.norm(), half_time = middle.t, last = member.nodes.back().v.norm(),
                 drift = member.nodes.back().q.norm() - radius;
    const double predicted = h / (2 * radius) * oracle::bowl_speed_squared_integral(s0, mu, radius, 3);
    return Row{last - oracle::bowl_speed(s0, mu, radius, 3), half - oracle::bowl_speed(s0, mu, radius, half_time),
               drift / predicted - 1};
  };
  const auto orders = observe_order("E5", {"speed at the end", "speed half way", "drift against h∫s²/(2R)"}, rough_bowl,
                                    3, step_ladder(100), 12, data, errors);
  expect_first_order(orders);
}

// ---- E6 ----

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

TEST_P(ExactAnswers, E6SpendsItsEnergyOnFrictionThatVaries) {
  const auto data = [](int j) {
    return Row{9.81, 0.08 + 0.04 * jitter(j), 0.3 + 0.4 * jitter(j, 1), 1.8 + 0.4 * jitter(j, 2)};
  };
  const auto errors = [](const SeenMember& member, const Row& p, long) {
    const double m0 = p[1], b = p[2], s0 = p[3];
    double worst = 0, place = 0, speed = 1;
    for (const SeenNode& node : member.nodes) {
      if (node.v[0] > 0)
        worst = std::max(
            worst, std::fabs(node.v[0] * node.v[0] - oracle::rough_plane_speed_squared(s0, m0, b, 9.81, node.q[0])));
      place = node.q[0], speed = node.v[0];
    }
    EXPECT_EQ(speed, 0);
    return Row{worst, place - oracle::rough_plane_stop(s0, m0, b, 9.81)};
  };
  const auto orders = observe_order("E6", {"s² along the way", "stop place"}, variable_friction, 2.5, step_ladder(100),
                                    16, data, errors);
  expect_first_order(orders);
}

// ---- E8 ----

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

TEST(ClosedForms, E8TheClosedFormHasTheTimesOfTheSpecification) {
  EXPECT_DOUBLE_EQ(oracle::impact_time(1, 1, 2, 0.5), 1);
  EXPECT_DOUBLE_EQ(oracle::impact_time(2, 1, 2, 0.5), 2);
  EXPECT_DOUBLE_EQ(oracle::impact_time(3, 1, 2, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(oracle::rest_time(1, 2, 0.5), 3);
}

TEST_P(ExactAnswers, E8BouncesEverShorterAndRests) {
  // the fourth impact arrives with 1/4, ten steps of the force make 20 h: h < 1/80 for it to count
  const auto data = [](int j) { return Row{0.9 + 0.2 * jitter(j)}; };
  const auto errors_of = [](const SeenMember& member, const Row& p, long steps) {
    const double height = p[0], ten_steps = 10 * 2 * 4 / static_cast<double>(steps);
    std::vector<double> impacts;
    double last_height = 1, last_speed = 1, moving = 0;
    bool touched = false;
    for (const SeenNode& node : member.nodes) {
      if (node.touches() && !touched && std::fabs(node.v_before[0]) > ten_steps) impacts.push_back(node.t);  // (O3)
      touched = node.touches();
      if (node.v[0] != 0) moving = node.t;
      last_height = node.q[0], last_speed = node.v[0];
    }
    EXPECT_EQ(last_speed, 0);
    EXPECT_GE(impacts.size(), 4u);
    impacts.resize(4, 0.0);
    std::vector<double> errors;
    for (int k = 1; k <= 4; ++k)
      errors.push_back(impacts[static_cast<std::size_t>(k - 1)] - oracle::impact_time(k, height, 2, 0.5));
    errors.push_back(last_height);
    errors.push_back(moving - oracle::rest_time(height, 2, 0.5));
    return errors;
  };
  auto orders = observe_order("E8", {"1st impact", "2nd", "3rd", "4th", "height at the end", "time of rest"},
                              bouncing_ball, 4, step_ladder(600), 24, data, errors_of);
  // each of the log2(1/h) bounces until the speed is O(h) is mistimed by O(h): the time of rest is of order 1 in h
  // log(1/h)
  auto& rest = orders.back();
  std::vector<double> scale;
  for (const double h : rest.h) scale.push_back(h * std::log(1 / h));
  rest.order = oracle::fit_power(scale, rest.mean_error);
  std::cout << "E8 on " << backend() << ", time of rest: order " << rest.order << " in h log(1/h)\n";
  expect_first_order(orders);
}

// ---- E12 ----

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

TEST_P(ExactAnswers, E12StopsWhereTheSolutionEnds) {
  // explicit steps pass the end by h (log(1/h) + some ten steps that square the velocity to overflow), so the order of
  // the stop time is 1 up to that logarithm
  const auto errors = [](const SeenMember& member, const Row&, long steps) {
    const SeenNode& node = member.nodes.at(static_cast<std::size_t>(steps / 4));
    EXPECT_EQ(member.status, Status::non_finite);
    EXPECT_GT(member.stop_time, 1);
    return Row{member.stop_time - 1, node.q[0] - oracle::blow_up_position(node.t),
               node.v_before[0] - oracle::blow_up_velocity(node.t)};
  };
  const auto orders = observe_order(
      "E12", {"stop time", "position at 1/2", "velocity at 1/2"}, blow_up, 2, step_ladder(400), 1,
      [](int) { return Row{1}; }, errors);
  EXPECT_GE(orders[0].order, 0.85) << "stop time";
  EXPECT_GE(orders[1].order, least_order);
  EXPECT_GE(orders[2].order, least_order);
  EXPECT_LT(orders[0].mean_error.back(), 0.02);
}

}  // namespace
}  // namespace conesweep
