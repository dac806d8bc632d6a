// E4: a delayed spring against the method of steps, and against the scheme written again.

#include <gtest/gtest.h>

#include "oracle/differences.hpp"
#include "oracle/method_of_steps.hpp"
#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using oracle::Differences;
using oracle::MethodOfSteps;
using test::parse_scenario;

// x'' = -k x(t - tau), past 1 + a t + b t²
const char* const delayed_spring = R"toml(
[model]
coordinates = ["x"]
force = ["-k * delay(x, tau)"]
[model.parameters]
k = 2.0
tau = 0.3
a = 0.0
b = 0.0
[start]
x = "1 + a*t + b*t^2"
[time]
end = 1.5
step = 0.01
)toml";
constexpr double end = 1.5;

scenario::Scenario with_steps(long steps) {
  scenario::Overrides overrides;
  overrides.step = end / static_cast<double>(steps);
  return parse_scenario(delayed_spring, overrides);
}

TEST(MethodOfStepsOracle, HasThePolynomialsOfTheSpecification) {
  // 1 - kt²/2 on [0, tau]; + k²(t - tau)⁴/24 on [tau, 2 tau]; - k³(t - 2 tau)⁶/720 on the third
  const double k = 2, tau = 0.3;
  const MethodOfSteps exact({1}, 0, k, tau, 4);
  for (const double t : {0.0, 0.1, 0.29, 0.31, 0.45, 0.6, 0.75, 0.89}) {
    double expected = 1 - k * t * t / 2;
    if (t > tau) expected += k * k * std::pow(t - tau, 4) / 24;
    if (t > 2 * tau) expected -= k * k * k * std::pow(t - 2 * tau, 6) / 720;
    EXPECT_NEAR(exact.position(t), expected, 4e-16) << t;  // two roundings of numbers below 2
  }
}

class DelayedSpring : public test::OnExecutor {};
ON_EVERY_EXECUTOR(DelayedSpring);

TEST_P(DelayedSpring, ConvergesToTheMethodOfStepsForAnyDelay) {
  const auto ladder = oracle::step_ladder(60);
  // delays between 0.2 and 0.4, no multiples of the step: four to eight intervals
  std::vector<std::vector<double>> rows;
  for (int j = 0; j < 12; ++j)
    rows.push_back({2, 0.2 + 0.2 * oracle::jitter(j), oracle::jitter(j, 1) - 0.5, oracle::jitter(j, 2) - 0.5});
  const auto orders = oracle::observe_order(
      "E4 on " + backend(), {"position at the end", "velocity at the end", "largest error of the position"}, end,
      ladder, [&](long steps) {
        const auto members = test::see_members(with_steps(steps), backend(), rows);
        std::vector<std::vector<double>> errors;
        for (std::size_t m = 0; m < rows.size(); ++m) {
          const double tau = rows[m][1], a = rows[m][2], b = rows[m][3];
          const MethodOfSteps exact({1, a, b}, a, 2, tau, 8);
          double largest = 0;
          for (const auto& node : members[m].nodes)
            largest = std::max(largest, std::fabs(node.q[0] - exact.position(node.t)));
          const auto& last = members[m].nodes.back();
          errors.push_back({last.q[0] - exact.position(end), last.v[0] - exact.velocity(end), largest});
        }
        return errors;
      });
  for (const auto& o : orders) {
    EXPECT_GE(o.order, 0.9) << o.quantity;
    EXPECT_LE(o.order, 1.1) << o.quantity << ": the scheme is of first order";
  }
}

TEST_P(DelayedSpring, IsTheSchemeOfTheSpecificationToRounding) {
  Differences positions("x_i against the scheme in extended precision"), velocities("v_i likewise");
  const long steps = 150;  // h = 0.01
  const double h = end / static_cast<double>(steps);
  const scenario::Scenario scenario = with_steps(steps);
  for (const double tau :
       {0.0, 0.003, 0.00999, 0.01, 0.013, 0.3, 0.3 + 1e-12, 0.3037, 0.4142135623730951, 1.4999, 1.5, 7.3})
    for (const double a : {0.0, 0.7}) {
      const double b = -0.3;
      const auto run = test::see_members(scenario, backend(), {{2, tau, a, b}})[0];
      const auto expected = oracle::step_with_delay({1, a, b}, a, 2, tau, static_cast<long double>(h), steps);
      ASSERT_EQ(run.nodes.size(), expected.x.size());
      for (std::size_t i = 0; i < run.nodes.size(); ++i) {
        const std::string where =
            "tau = " + std::to_string(tau) + ", a = " + std::to_string(a) + ", node " + std::to_string(i);
        // each of 150 steps rounds numbers of size 1 to 20 (the past at -7.3) a few times: 150 * 20 * 2e-16 at worst
        positions.compare(run.nodes[i].q[0], static_cast<double>(expected.x[i]), 1e-12, where);
        if (i + 1 < run.nodes.size())
          velocities.compare(run.nodes[i].v[0], static_cast<double>(expected.v[i]), 1e-12, where);
      }
    }
  EXPECT_TRUE(positions.none());
  EXPECT_TRUE(velocities.none());
  std::cout << backend() << ": worst share of 1e-12: positions " << positions.worst_share() << ", velocities "
            << velocities.worst_share() << "\n";
}

}  // namespace
}  // namespace conesweep
