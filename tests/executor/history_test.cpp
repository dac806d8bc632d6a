// Delays (P10) and windows (P11): what an expression sees of the past, at every node, against a motion kept whole.

#include <gtest/gtest.h>

#include "oracle/differences.hpp"
#include "oracle/method_of_steps.hpp"
#include "oracle/recorded_history.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using executor::Status;
using oracle::Differences;
using oracle::RecordedHistory;
using test::parse_scenario;
using test::SeenNode;
using Vector = Eigen::VectorXd;

/// Nodes of one member, and each observable's expression at each of them.
struct Watched {
  std::vector<SeenNode> nodes;
  std::vector<std::vector<double>> values;  // [observable][node]
};

/// An observable that is the value of an expression at the node nearest to `when`, a parameter: as many members as
/// nodes show it at all of them.
std::string watched(const std::string& name, const std::string& expression, const std::string& half_step) {
  return name + " = { max = \"if(abs(t - when) < " + half_step + ", " + expression + ", -1e300)\" }\n";
}

class History : public test::OnExecutor {
 protected:
  /// Of each row of parameters but the last one, `when`. `start` is v_{-1}, which no trajectory shows.
  std::vector<Watched> watch(const scenario::Scenario& scenario, const std::vector<std::vector<double>>& rows,
                             const Vector& start) const {
    const auto nodes = static_cast<std::size_t>(scenario.steps) + 1;
    std::vector<std::vector<double>> members;
    for (const auto& row : rows)
      for (std::size_t i = 0; i < nodes; ++i) {
        members.push_back(row);
        members.back().push_back(scenario.time(static_cast<long>(i)));
      }
    const auto seen = test::see_members(scenario, backend(), members);
    std::vector<Watched> all;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Watched one;
      one.nodes = seen[r * nodes].nodes;
      one.nodes.front().v_before = start;
      for (std::size_t k = 0; k < scenario.observables.size(); ++k) {
        one.values.emplace_back();
        for (std::size_t i = 0; i < nodes; ++i) {
          EXPECT_EQ(seen[r * nodes + i].status, Status::ok);
          one.values.back().push_back(seen[r * nodes + i].observables[k]);
        }
      }
      all.push_back(std::move(one));
    }
    return all;
  }
};
class Delay : public History {};
class StartVelocity : public History {};
class Window : public History {};
ON_EVERY_EXECUTOR(Delay);
ON_EVERY_EXECUTOR(StartVelocity);
ON_EVERY_EXECUTOR(Window);

// A ball that bounces along a rough floor on a spring: its velocity changes at every step, and jumps. 100 steps of
// 0.01.
const std::string bouncing = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-20*x + cos(3*t)", "-9.81"]
[model.parameters]
tau = 0.02
tau2 = 0.0537
when = 0.0
[[model.contact]]
inside = "y >= 0"
friction = 0.2
restitution = 0.7
[start]
x = "1 + 0.3*t + 0.2*t^2"
y = "0.1 + sin(t)^2"
vy = "-1"
[time]
end = 1
step = 0.01
)toml";

Vector past(double t) {
  Vector q(2);
  q << 1 + 0.3 * t + 0.2 * t * t, 0.1 + std::sin(t) * std::sin(t);
  return q;
}

Vector past_velocity(double t) {
  Vector v(2);
  v << 0.3 + 0.4 * t, 2 * std::sin(t) * std::cos(t);
  return v;
}

constexpr double h = 0.01;
const char* const half = "0.005";
const Vector start_of_bouncing = (Vector(2) << 0.3, -1).finished();

std::vector<std::vector<double>> with_each(const std::vector<double>& lengths, const std::vector<double>& others) {
  std::vector<std::vector<double>> rows;
  for (const double length : lengths) {
    rows.push_back({length});
    rows.back().insert(rows.back().end(), others.begin(), others.end());
  }
  return rows;
}

// none, shorter than a step, whole numbers of steps, a hair beside them (1e-9 of a step decides), between, longer than
// the run
const std::vector<double> lengths = {
    0,     0.003,  0.0099, 0.01, 0.02, 0.02 + 5e-12, 0.02 - 5e-12, 0.02 + 3e-11, 0.02 - 3e-11, 0.0237, 0.3, 0.5 + 1e-7,
    0.777, 0.9999, 1,      1.7,  30};

std::string at(double length, std::size_t i) {
  return "length " + std::to_string(length) + ", node " + std::to_string(i);
}

// rounding of sums of up to 100 numbers below 10, taken in another order
constexpr double allowed = 1e-13;

// ---- (P10) ----

TEST_P(Delay, OfPositionVelocityAndTimeForEveryLength) {
  const scenario::Scenario scenario = parse_scenario(
      bouncing + "[observe]\n" + watched("x_then", "delay(x, tau)", half) + watched("y_then", "delay(y, tau)", half) +
      watched("vx_then", "delay(vx, tau)", half) + watched("vy_then", "delay(vy, tau)", half) +
      watched("t_then", "delay(t, tau)", half) + watched("product", "delay(x*vy + t*y, tau)", half) +
      watched("two", "delay(x, tau) - 2*delay(vy, tau2) + x", half));
  Differences positions("delayed positions"), velocities("delayed velocities"), times("delayed time"),
      products("delayed expression"), two("two delays in one expression");
  const double tau2 = 0.0537;
  const auto runs = watch(scenario, with_each(lengths, {tau2}), start_of_bouncing);
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    const double tau = lengths[r];
    const Watched& run = runs[r];
    const RecordedHistory history(run.nodes, h, past, past_velocity);
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      const double k = history.place(i, tau), k2 = history.place(i, tau2);
      const Vector q = history.position(k), v = history.velocity(k, i), v2 = history.velocity(k2, i);
      const double size = 1 + q.norm() + v.norm() * (1 + tau);  // the past of x reaches 180 at -30
      positions.compare(run.values[0][i], q[0], 1e-13 * size, at(tau, i));
      positions.compare(run.values[1][i], q[1], 1e-13 * size, at(tau, i));
      velocities.compare(run.values[2][i], v[0], 1e-13 * size, at(tau, i));
      velocities.compare(run.values[3][i], v[1], 1e-13 * size, at(tau, i));
      times.compare(run.values[4][i], static_cast<double>(i) * h - tau, 1e-9 * h + 1e-14 * (1 + tau), at(tau, i));
      products.compare(run.values[5][i], q[0] * v[1] + k * h * q[1], 1e-13 * size * size, at(tau, i));
      two.compare(run.values[6][i], q[0] - 2 * v2[1] + run.nodes[i].q[0], 1e-13 * size, at(tau, i));
    }
  }
  for (const Differences* all : {&positions, &velocities, &times, &products, &two}) EXPECT_TRUE(all->none());
}

TEST_P(Delay, AVelocityIsThatOfTheStepByHand) {
  // x'' = 1 from rest with h = 1: v_{-1} = 0, v_i = i + 1, x_i = 0, 1, 3, 6, 10
  const scenario::Scenario scenario = parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["1"]
[model.parameters]
tau = 0
when = 0
[start]
x = "0"
[time]
end = 4
step = 1
[observe]
)toml" + watched("v_then", "delay(vx, tau)", "0.5") + watched("x_then", "delay(x, tau)", "0.5") +
                                                     watched("v_now", "vx", "0.5"));
  using Series = std::vector<double>;
  const auto values = [&](double tau) { return watch(scenario, {{tau}}, Vector::Zero(1)).front().values; };
  const auto velocity = [&](double tau) { return values(tau)[0]; };
  const auto position = [&](double tau) { return values(tau)[1]; };
  EXPECT_EQ(velocity(0), (Series{0, 1, 2, 3, 4}));    // at t_i itself: v_{i-1}, the newest known
  EXPECT_EQ(velocity(0.5), (Series{0, 1, 2, 3, 4}));  // the step that led to t_i
  EXPECT_EQ(velocity(1), (Series{0, 1, 2, 3, 4}));    // t_{i-1} begins the step with v_{i-1}
  EXPECT_EQ(velocity(1.5), (Series{0, 0, 1, 2, 3}));
  EXPECT_EQ(velocity(2), (Series{0, 0, 1, 2, 3}));
  EXPECT_EQ(velocity(9), (Series{0, 0, 0, 0, 0}));
  EXPECT_EQ(position(0), (Series{0, 1, 3, 6, 10}));
  EXPECT_EQ(position(0.5), (Series{0, 0.5, 2, 4.5, 8}));
  EXPECT_EQ(position(2), (Series{0, 0, 0, 1, 3}));
  EXPECT_EQ(values(0)[2], (Series{1, 2, 3, 4, 4}));  // the velocity itself: v_i, and v_N = v_{N-1}
}

TEST_P(Delay, WithinABillionthOfAStepIsAWholeNumberOfSteps) {
  // a velocity jumps from step to step, so that it shows on which side of a node a time falls
  const scenario::Scenario scenario = parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["1"]
[model.parameters]
tau = 0
[start]
x = "0"
[time]
end = 8
step = 1
[observe]
v_then = { final = "delay(vx, tau)" }
)toml");
  // seen from node 8
  const auto last = [&](double tau) {
    return test::see_members(scenario, backend(), {{tau}}).front().observed("v_then");
  };
  // t_5 begins the step with v_5 = 6
  EXPECT_EQ(last(3), 6);
  EXPECT_EQ(last(3 + 0.9e-9), 6);
  EXPECT_EQ(last(3 - 0.9e-9), 6);
  EXPECT_EQ(last(3 + 1.1e-9), 5);  // just before t_5: v_4
  EXPECT_EQ(last(3 - 1.1e-9), 6);  // just after
}

TEST_P(Delay, InTheForceSeesTheSamePast) {
  // (P1) with delayed velocities and products, τ in front of, on and between nodes
  std::string text = bouncing;
  text.replace(text.find("-20*x + cos(3*t)"), std::string("-20*x + cos(3*t)").size(),
               "-20*x - delay(vx, tau) + delay(vy*x*t, tau2) - delay(vx, 0)");
  const scenario::Scenario scenario = parse_scenario(text);
  // in flight v_i - v_{i-1} is h f
  Differences forces("h f_x in flight");
  std::vector<std::vector<double>> rows;
  for (const double tau : lengths)
    if (tau < 2) rows.push_back({tau, 0.0537, 0});
  auto members = test::see_members(scenario, backend(), rows);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double tau = rows[r][0];
    auto& nodes = members[r].nodes;
    nodes.front().v_before = start_of_bouncing;
    const RecordedHistory history(nodes, h, past, past_velocity);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      const SeenNode& node = nodes[i];
      if (node.touches()) continue;
      const double k = history.place(i, tau), k2 = history.place(i, 0.0537);
      const double expected = -20 * node.q[0] - history.velocity(k, i)[0] +
                              history.velocity(k2, i)[1] * history.position(k2)[0] * k2 * h - node.v_before[0];
      forces.compare(node.v[0] - node.v_before[0], h * expected, 1e-14, at(tau, i));
    }
  }
  EXPECT_TRUE(forces.none());
}

TEST_P(Delay, DiffersFromMemberToMember) {
  // x'' = -2 x(t - tau), every member with its own tau, each against the scheme in extended precision
  const scenario::Scenario scenario = parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["-k * delay(x, tau)"]
[model.parameters]
k = 2
tau = 0.1
[start]
x = "1 + 0.5*t"
[time]
end = 2
step = 0.01
[ensemble]
members = 64
seed = 3
[vary]
tau = { uniform = [0, 2.5] }
k = { uniform = [1, 3] }
)toml");
  const io::Results results = test::run_scenario(scenario, backend());
  Differences ends("final.x of 64 members");
  for (std::size_t m = 0; m < 64; ++m) {
    const double tau = results.parameters[0][m], k = results.parameters[1][m];
    ASSERT_EQ(results.outcome.status[m], Status::ok);
    const auto expected = oracle::step_with_delay({1, 0.5}, 0.5, k, tau, 2.0L / 200, 200);
    // 200 steps of a few roundings each, of numbers up to 10
    ends.compare(test::column(results, "final.x")[m], static_cast<double>(expected.x.back()), 1e-12,
                 "member " + std::to_string(m) + ", tau = " + std::to_string(tau));
  }
  EXPECT_TRUE(ends.none());
}

// ---- the left velocity at 0 ----

// Without force the velocity of the first step is the one before it.
Vector velocity_from(const std::string& backend, const std::string& past_of_x, const std::string& more = "") {
  const scenario::Scenario scenario =
      parse_scenario("[model]\ncoordinates = [\"x\"]\nforce = [\"0\"]\n[model.parameters]\na = 3\n[start]\nx = \"" +
                     past_of_x + "\"\n" + more + "[time]\nend = 1\nstep = 0.5\n");
  return test::see_member(scenario, backend).nodes.front().v;
}

TEST_P(StartVelocity, IsTheDerivativeOfThePast) {
  EXPECT_EQ(velocity_from(backend(), "5")[0], 0);
  EXPECT_EQ(velocity_from(backend(), "a*t")[0], 3);
  EXPECT_EQ(velocity_from(backend(), "t^2")[0], 0);
  EXPECT_DOUBLE_EQ(velocity_from(backend(), "a*sin(2*t) + exp(-t)")[0], 5);
}

TEST_P(StartVelocity, IsTheDerivativeFromTheLeftAtAKink) {
  EXPECT_EQ(velocity_from(backend(), "abs(t)")[0], -1);
  EXPECT_EQ(velocity_from(backend(), "if(t < 0, a*t, 0)")[0], 3);
  EXPECT_EQ(velocity_from(backend(), "min(t, 0)")[0], 1);
  EXPECT_EQ(velocity_from(backend(), "min(0, t)")[0], 1);
  EXPECT_EQ(velocity_from(backend(), "max(t, 0)")[0], 0);
  EXPECT_EQ(velocity_from(backend(), "max(0, t)")[0], 0);
}

TEST_P(StartVelocity, IsWhatTheScenarioSaysIfItDoes) {
  EXPECT_EQ(velocity_from(backend(), "a*t", "vx = \"-a/2\"\n")[0], -1.5);
  EXPECT_EQ(velocity_from(backend(), "abs(t)", "vx = 7\n")[0], 7);
}

TEST_P(StartVelocity, DoesNotChangeThePastItself) {
  // x = 2 t before 0, but v_{-1} = 5: a delayed velocity before 0 is 2, at 0 (seen from node 0) it is 5
  const scenario::Scenario scenario = parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
tau = 0
when = 0
[start]
x = "2*t"
vx = 5
[time]
end = 2
step = 1
[observe]
)toml" + watched("v_then", "delay(vx, tau)", "0.5"));
  using Series = std::vector<double>;
  const auto runs = watch(scenario, {{0}, {0.5}, {2}}, Vector::Constant(1, 5));
  EXPECT_EQ(runs[0].values[0], (Series{5, 5, 5}));
  EXPECT_EQ(runs[1].values[0], (Series{2, 5, 5}));
  EXPECT_EQ(runs[2].values[0], (Series{2, 2, 5}));
}

// ---- (P11) ----

TEST_P(Window, MaxMinAndMeanForEveryLength) {
  const scenario::Scenario scenario =
      parse_scenario(bouncing + "[observe]\n" + watched("highest", "window_max(y, tau)", half) +
                     watched("lowest", "window_min(x*y, tau)", half) + watched("average", "window_mean(x, tau)", half) +
                     watched("moved", "window_max(abs(x - now(x)), tau)", half) +
                     watched("mixed", "window_mean(x^2 + now(y), tau) - window_min(y, tau2)", half));
  Differences highest("window_max(y)"), lowest("window_min(x*y)"), average("window_mean(x)"),
      moved("window_max(abs(x - now(x)))"), mixed("mean with now, and another window");
  const auto runs = watch(scenario, with_each(lengths, {0.0537}), start_of_bouncing);
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    const double delta = lengths[r];
    const Watched& run = runs[r];
    const RecordedHistory history(run.nodes, h, past, past_velocity);
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      const std::vector<double> points = history.window(i, delta);
      const Vector& q = run.nodes[i].q;
      // the past of x grows like t², its square like t⁴
      const double size = (1 + delta) * (1 + delta) * (1 + delta) * (1 + delta);
      highest.compare(run.values[0][i], history.max_over(points, [](const Vector& then) { return then[1]; }),
                      allowed * size, at(delta, i));
      lowest.compare(run.values[1][i], history.min_over(points, [](const Vector& then) { return then[0] * then[1]; }),
                     allowed * size, at(delta, i));
      average.compare(run.values[2][i], history.mean_over(points, [](const Vector& then) { return then[0]; }),
                      allowed * size, at(delta, i));
      moved.compare(run.values[3][i],
                    history.max_over(points, [&](const Vector& then) { return std::fabs(then[0] - q[0]); }),
                    allowed * size, at(delta, i));
      const double squares = history.mean_over(points, [&](const Vector& then) { return then[0] * then[0] + q[1]; });
      mixed.compare(run.values[4][i],
                    squares - history.min_over(history.window(i, 0.0537), [](const Vector& then) { return then[1]; }),
                    allowed * size, at(delta, i));
    }
  }
  for (const Differences* all : {&highest, &lowest, &average, &moved, &mixed}) EXPECT_TRUE(all->none());
}

TEST_P(Window, ByHandOnAStraightLine) {
  // x = t, past and future: the mean over [t - δ, t] is t - δ/2 for every δ, max is x, min is x - δ; all dyadic
  const scenario::Scenario scenario = parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
delta = 0
when = 0
[start]
x = "t"
[time]
end = 2
step = 0.25
[observe]
)toml" + watched("average", "window_mean(x, delta)", "0.125") +
                                                     watched("highest", "window_max(x, delta)", "0.125") +
                                                     watched("lowest", "window_min(x, delta)", "0.125") +
                                                     watched("spread", "window_max(now(x) - x, delta)", "0.125") +
                                                     watched("square", "window_mean(x*x, delta)", "0.125"));
  const std::vector<double> deltas = {0.0, 0.125, 0.25, 0.625, 1.0, 2.0, 5.5};
  const auto runs = watch(scenario, with_each(deltas, {}), Vector::Ones(1));
  for (std::size_t r = 0; r < deltas.size(); ++r) {
    const double delta = deltas[r];
    const Watched& run = runs[r];
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      const double t = 0.25 * static_cast<double>(i);
      EXPECT_DOUBLE_EQ(run.values[0][i] + 8, t - delta / 2 + 8) << "delta = " << delta << ", t = " << t;
      EXPECT_EQ(run.values[1][i], t);
      EXPECT_EQ(run.values[2][i], t - delta);
      EXPECT_EQ(run.values[3][i], delta);
    }
  }
  // the trapezoidal rule by hand: δ = 0.625 at t = 1: points 0.375, 0.5, 0.75, 1
  const double a = 0.375 * 0.375, b = 0.25, c = 0.5625, d = 1;
  EXPECT_DOUBLE_EQ(runs[3].values[4][4], (0.125 * (a + b) + 0.25 * (b + c) + 0.25 * (c + d)) / 2 / 0.625);
}

TEST_P(Window, InTheFrictionAngleMakesStaticAndDynamicFriction) {
  // pulled ever harder: sticks up to tan 0.4, slides with tan 0.2 as long as it has moved within the last 0.1
  const scenario::Scenario scenario = parse_scenario(R"toml(
[model]
coordinates = ["x", "y"]
force = ["if(t < 1.5, 4*t, 0)", "-9.81"]
[[model.contact]]
inside = "y >= 0"
friction_angle = "if(window_max(abs(x - now(x)), 0.1037) > 1e-6, 0.2, 0.4)"
[start]
x = "0"
y = "0"
[time]
end = 3
step = 0.005
)toml");
  const test::SeenMember run = test::see_member(scenario, backend());
  const RecordedHistory history(
      run.nodes, 0.005, [](double) { return Vector(Vector::Zero(2)); }, [](double) { return Vector(Vector::Zero(2)); });
  // while it slides v_x changes by h (f - mu g)
  Differences friction("what friction takes from a sliding block");
  double broke_loose = -1;
  int slow = 0, fast = 0;
  for (std::size_t i = 0; i + 1 < run.nodes.size(); ++i) {
    const SeenNode& node = run.nodes[i];
    ASSERT_TRUE(node.touches());
    const double moved =
        history.max_over(history.window(i, 0.1037), [&](const Vector& then) { return std::fabs(then[0] - node.q[0]); });
    const bool dynamic = moved > 1e-6;
    ++(dynamic ? fast : slow);
    const double before = i == 0 ? 0 : run.nodes[i - 1].v[0], pull = node.t < 1.5 ? 4 * node.t : 0;
    const double expected = std::max(0.0, before + 0.005 * (pull - 9.81 * std::tan(dynamic ? 0.2 : 0.4)));
    friction.compare(node.v[0], expected, 1e-14, "node " + std::to_string(i));
    if (broke_loose < 0 && node.mode == Mode::slip) broke_loose = node.t;
  }
  EXPECT_TRUE(friction.none());
  EXPECT_GT(slow, 50);
  EXPECT_GT(fast, 50);
  // 4 t = 9.81 tan 0.4: the first node beyond
  EXPECT_NEAR(broke_loose, 9.81 * std::tan(0.4) / 4, 0.005);
  EXPECT_EQ(run.nodes.back().mode, Mode::stick);
}

}  // namespace
}  // namespace conesweep
