// Windows (P11): what an expression sees of the past, at every node, against a motion kept whole.
#include <gtest/gtest.h>

#include "oracle/differences.hpp"
#include "oracle/recorded_history.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"
#include "watched_history.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using oracle::Differences;
using oracle::RecordedHistory;
using test::parse_scenario;
using test::SeenNode;
using Vector = Eigen::VectorXd;

class Window : public History {};
ON_EVERY_EXECUTOR(Window);

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
