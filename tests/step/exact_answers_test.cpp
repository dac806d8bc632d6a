// The exact answers E1, E2, E3, E5, E6, E8, E12 with their observed order of convergence (E4: delay_test).
//
// An event falls anywhere inside a step, so that the error of one run jumps as h changes: every order is fitted over
// nine step sizes a factor √2 apart, the errors averaged over jittered data. The scheme is of first order; 0.9 is what
// a fit over such averages can promise.

#include <gtest/gtest.h>

#include "oracle/exact_answers.hpp"
#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using executor::Status;
using oracle::jitter;
using oracle::step_ladder;
using test::parse_scenario;
using test::SeenMember;
using test::SeenNode;

constexpr double least_order = 0.9;

/// A scenario on [0, end] with N steps.
scenario::Scenario with_steps(const char* text, double end, long steps) {
  scenario::Overrides overrides;
  overrides.end = end;
  overrides.step = end / static_cast<double>(steps);
  return parse_scenario(text, overrides);
}

class ExactAnswers : public test::OnExecutor {
 protected:
  SeenMember see(const scenario::Scenario& scenario, const std::vector<double>& parameters) const {
    return test::see_members(scenario, backend(), {parameters})[0];
  }

  /// Orders of convergence over jittered data: `data(j)` gives all parameters of the j-th member, `errors(member, data,
  /// N)` its errors with N steps.
  template <class Data, class Errors>
  auto observe_order(const std::string& title, const std::vector<std::string>& quantities, const char* text, double end,
                     const std::vector<long>& ladder, int jitters, const Data& data, const Errors& errors) const {
    std::vector<std::vector<double>> rows;
    for (int j = 0; j < jitters; ++j) rows.push_back(data(j));
    return oracle::observe_order(title + " on " + backend(), quantities, end, ladder, [&](long steps) {
      const auto members = test::see_members(with_steps(text, end, steps), backend(), rows);
      std::vector<std::vector<double>> all;
      for (std::size_t j = 0; j < rows.size(); ++j) all.push_back(errors(members[j], rows[j], steps));
      return all;
    });
  }
};
ON_EVERY_EXECUTOR(ExactAnswers);
using Row = std::vector<double>;

void expect_first_order(const std::vector<oracle::ObservedOrder>& orders) {
  for (const auto& o : orders) EXPECT_GE(o.order, least_order) << o.quantity;
}

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
