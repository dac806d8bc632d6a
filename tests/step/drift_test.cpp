// (B5) over very many steps: holonomic constraints are kept at rounding, whether the system swings, is driven along, or
// has several of them.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

// a million steps; the reference takes as many in `./test.sh --all`
long steps_on(const std::string& backend) {
  return backend == "cpu" || std::getenv("CONESWEEP_ALL") != nullptr ? 1'000'000 : 50'000;
}

class Drift : public OnExecutor {
 protected:
  /// `off` is what is wrong with the constraints, `low` and `high` where x has been.
  void expect_kept(const std::string& model, const std::string& off, double low, double high) const {
    const long steps = steps_on(backend());
    const auto results = run_scenario(parse_scenario(model + "[time]\nend = " + std::to_string(steps / 1000) +
                                                     ".0\nstep = 1e-3\n[observe]\nstandard = []\noff = { max = \"" +
                                                     off + "\" }\nlow = { min = \"x\" }\nhigh = { max = \"x\" }\n"),
                                      backend());
    ASSERT_EQ(results.outcome.status[0], executor::Status::ok);
    const double worst = column(results, "off")[0];
    EXPECT_LE(worst, 1e-12);
    EXPECT_LE(column(results, "low")[0], low);  // it does move
    EXPECT_GE(column(results, "high")[0], high);
    std::cout << backend() << ": at most " << worst << " off in " << steps << " steps\n";
  }
};
INSTANTIATE_TEST_SUITE_P(On, Drift, ::testing::Values("reference", "cpu"), name_of_executor);

TEST_P(Drift, OfAPendulumOnACircle) {
  expect_kept(R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[[model.bilateral]]
name = "rod"
holds = "x^2 + y^2 = 1"
[start]
x = "1"
y = "0"
)toml",
              "abs(x^2 + y^2 - 1)", -0.9, 1);
}

TEST_P(Drift, OfABeadOnARingThatMoves) {
  // the ring's centre goes to and fro, and its radius breathes
  expect_kept(R"toml(
[model]
coordinates = ["x", "y"]
mass = ["2", "2"]
force = ["0", "-2 * 9.81"]
[[model.bilateral]]
name = "ring"
holds = "(x - 0.3 * sin(2 * t))^2 + y^2 = (1 + 0.1 * sin(3 * t))^2"
[start]
x = "0"
y = "-1 - 0.3 * t"
vx = "0.6"
)toml",
              "abs((x - 0.3 * sin(2 * t))^2 + y^2 - (1 + 0.1 * sin(3 * t))^2)", -0.5, 0.5);
}

TEST_P(Drift, OfTwoRodsInARow) {
  // masses 1 and 3 on rods of length 1 and ½, pushed for ever
  expect_kept(R"toml(
[model]
coordinates = ["x", "y", "a", "b"]
mass = ["1", "1", "3", "3"]
force = ["2 * sin(1.3 * t)", "-9.81", "0", "-3 * 9.81"]
[[model.bilateral]]
name = "upper"
holds = "x^2 + y^2 = 1"
[[model.bilateral]]
name = "lower"
holds = "(a - x)^2 + (b - y)^2 = 0.25"
[start]
x = "1"
y = "0"
a = "1.5"
b = "0"
)toml",
              "max(abs(x^2 + y^2 - 1), abs((a - x)^2 + (b - y)^2 - 0.25))", -0.8, 1);
}

}  // namespace
}  // namespace conesweep::test
