// Sticking is exact: a block below the friction angle does not move by one ulp in a million steps, and its velocity is
// zero.

#include <gtest/gtest.h>

#include <cmath>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

class Sticking : public test::OnExecutor {
 protected:
  /// Steps so often and expects every node where the first one was, at rest and in the mode stick: by observables,
  /// which keep nothing.
  void expect_motionless(const std::string& model) const {
    // an emulated device takes fewer
    const double end = backend() == "cuda" ? 20 : 1000;
    const scenario::Scenario plain = test::parse_scenario(model + "\n[time]\nend = 1\nstep = 1e-3\n");
    std::string observe = "\n[observe]\nstandard = [\"stick_time\", \"variation\"]\n";
    for (const std::string& c : plain.names.coordinates)
      for (const std::string& name : {c, "v" + c})
        observe += "low_" + name + " = { min = \"" + name + "\" }\nhigh_" + name + " = { max = \"" + name + "\" }\n";
    const scenario::Scenario scenario =
        test::parse_scenario(model + "\n[time]\nend = " + std::to_string(end) + "\nstep = 1e-3\n" + observe);
    EXPECT_EQ(static_cast<double>(scenario.steps), end * 1000);
    const io::Results results = test::run_scenario(scenario, backend());
    ASSERT_EQ(results.outcome.status[0], executor::Status::ok);
    const auto observed = [&](const std::string& name) { return test::column(results, name)[0]; };
    const auto start = test::see_member(plain, "reference").nodes.front().q;
    for (std::size_t c = 0; c < plain.names.coordinates.size(); ++c) {
      const std::string& name = plain.names.coordinates[c];
      EXPECT_EQ(observed("low_" + name), observed("high_" + name)) << "moved";
      EXPECT_DOUBLE_EQ(observed("low_" + name), start[static_cast<Eigen::Index>(c)]);
      EXPECT_EQ(observed("low_v" + name), 0);
      EXPECT_EQ(observed("high_v" + name), 0);
    }
    EXPECT_EQ(observed("stick_time"), end);
    EXPECT_EQ(observed("variation"), 0);
  }
};
ON_EVERY_EXECUTOR(Sticking);

TEST_P(Sticking, OnAFlatFloorUnderAHorizontalForce) {
  expect_motionless(R"toml(
[model]
coordinates = ["x", "y"]
force = ["2.9", "-9.81"]
[[model.contact]]
inside = "y >= 0"
friction = 0.3
[start]
x = "0.1"
y = "0"
)toml");
}

TEST_P(Sticking, UnderTiltedGravity) {
  // a hair below the angle
  expect_motionless(R"toml(
[model]
coordinates = ["x", "y"]
force = ["9.81 * sin(th)", "-9.81 * cos(th)"]
[model.parameters]
th = 0.29999
[[model.contact]]
inside = "y >= 0"
friction_angle = "0.3"
[start]
x = "0.7"
y = "0"
)toml");
}

TEST_P(Sticking, OnATiltedPlane) {
  // numbers without rounding: a start half an ulp above the plane would fall for a step before it sticks
  expect_motionless(R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[model.parameters]
slope = 0.296875
x0 = 0.625
[[model.contact]]
inside = "y - x*slope >= 0"
friction_angle = "0.3"
[start]
x = "x0"
y = "x0*slope"
)toml");
}

TEST_P(Sticking, UnderAForceThatTurnsButNeverSuffices) {
  // three dimensions, the horizontal force goes round with 99 % of what friction can hold
  expect_motionless(R"toml(
[model]
coordinates = ["x", "y", "z"]
force = ["2.9 * cos(3*t)", "2.9 * sin(3*t)", "-9.81"]
[[model.contact]]
inside = "z >= 0"
friction = 0.3
[start]
x = "0.1"
y = "-3.3"
z = "0"
)toml");
}

TEST_P(Sticking, EndsWhereTheForceWins) {
  // the counterpart, so that the tests above can fail: a force one per mille too strong moves the block
  const scenario::Scenario scenario = test::parse_scenario(R"toml(
[model]
coordinates = ["x", "y"]
force = ["9.81 * 0.3 * 1.001", "-9.81"]
[[model.contact]]
inside = "y >= 0"
friction = 0.3
[start]
x = "0"
y = "0"
[time]
end = 1
step = 1e-3
)toml");
  const test::SeenMember run = test::see_member(scenario, backend());
  // a = 9.81 * 0.3 * 0.001, half a T² (1 + 1/N)
  EXPECT_NEAR(run.nodes.back().q[0], 9.81 * 0.3e-3 / 2 * 1.001, 1e-12);
}

}  // namespace
}  // namespace conesweep
