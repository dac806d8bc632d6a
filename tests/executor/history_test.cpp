// Delays (P10): what an expression sees of the past, at every node, against a motion kept whole.
#include <gtest/gtest.h>

#include "oracle/differences.hpp"
#include "oracle/method_of_steps.hpp"
#include "oracle/recorded_history.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"
#include "watched_history.hpp"

namespace conesweep {
namespace {

using executor::Status;
using oracle::Differences;
using oracle::RecordedHistory;
using test::parse_scenario;
using test::SeenNode;
using Vector = Eigen::VectorXd;

class Delay : public History {};
class StartVelocity : public History {};
ON_EVERY_EXECUTOR(Delay);
ON_EVERY_EXECUTOR(StartVelocity);

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

}  // namespace
}  // namespace conesweep
