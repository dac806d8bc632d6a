// Hand-made edge cases of the shared step: what stops a member, at which node, what is left of it, and the corners of
// history, contact and observables. Each agrees with the reference: the same statuses at the same nodes, the same NaN,
// numbers to rounding.
#include <gtest/gtest.h>

#include <cmath>

#include "shared_step.hpp"

namespace conesweep::test {
namespace {

using executor::Status;

ON_FAST_EXECUTORS(SharedStep);

TEST_P(SharedStep, StopsForEveryReasonAtTheReferencesNode) {
  const Both both = expect_same(R"toml(title = "one dimension, everything may be bad"
[model]
coordinates = ["x"]
force = ["-9.81 + delay(x, tau) * 0.1 + if(t > late, log(sign_of), 0)"]
[model.parameters]
tau = 0.1
late = 0.5
sign_of = 1.0
mu = 0.5
e = 0.5
height = 1.0
[[model.contact]]
name = "floor"
inside = "x >= 0"
friction = "mu"
restitution = "e"
[start]
x = "height"
vx = "-2"
[vary]
tau = { choice = [0.0, 0.1, 0.2, -0.1] }
sign_of = { choice = [1.0, 1.0, 1.0, -1.0] }
mu = { choice = [0.5, 0.5, -0.5] }
e = { choice = [0.5, 0.5, 1.5] }
height = { choice = [1.0, 0.3, 1.3, -0.1] }
)toml" + falling_tail);
  const auto statuses = both.statuses();
  for (const Status status : {Status::ok, Status::non_finite, Status::bad_angle, Status::bad_restitution,
                              Status::bad_delay, Status::start_outside})
    EXPECT_TRUE(statuses.contains(status)) << to_name(status);
}

TEST_P(SharedStep, FindsOverflowInPositionVelocityAndForce) {
  const Both both = expect_same(R"toml(title = "overflow"
[model]
coordinates = ["x", "y"]
force = ["k * x^3", "exp(b * t)"]
[model.parameters]
k = 1.0
b = 1.0
v0 = 0.0
[start]
x = "1"
vx = "v0"
y = "0"
[vary]
k = { choice = [1.0, 1e8, 1e200, -1.0] }
b = { choice = [1.0, 800.0, 2000.0] }
v0 = { choice = [0.0, 1e308, -1e308, 1.7e308] }
)toml" + falling_tail,
                                1e-9);
  EXPECT_TRUE(both.statuses().contains(Status::non_finite));
  EXPECT_TRUE(both.statuses().contains(Status::ok));
}

TEST_P(SharedStep, StopsWhereTheWallHasNoNormal) {
  // gradients that vanish on the way: x² at 0, floor everywhere; the last of them just at the end
  for (const char* inside : {"x^2 >= 0", "floor(x) <= 0.5", "(x - 1)^3 <= 0.001"}) {
    const Both both = expect_same(std::string(R"toml(title = "singular"
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[model.parameters]
v0 = 1.0
[[model.contact]]
name = "wall"
inside = ")toml") + inside + R"toml("
friction = "0.5"
[start]
x = "-0.5 + v0 * t"
y = "t"
[time]
end = 2.0
step = 0.0625
[ensemble]
members = 60
[vary]
v0 = { choice = [0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 0.7741935483870968, 0.25] }
[record]
members = 60
)toml");
    EXPECT_TRUE(both.statuses().contains(Status::ok)) << inside;
    if (std::string(inside).find("^3") == std::string::npos) {
      EXPECT_TRUE(both.statuses().contains(Status::singular_gradient)) << inside;
    }
  }
}

TEST_P(SharedStep, StopsWhereTheWallIsNowhere) {
  const Both both = expect_same(R"toml(title = "a wall that is not a number"
[model]
coordinates = ["x", "y"]
force = ["2", "-9.81"]
[model.parameters]
p = 1.0
v0 = 0.0
[[model.contact]]
name = "floor"
inside = "y >= -sqrt(p)"
friction = "0.1"
[[model.contact]]
name = "dome"
inside = "sqrt(1 - x^2) >= y - 2"
[start]
x = "v0 * t"
y = "0.5"
[vary]
p = { choice = [0.0, 0.04, 0.04, -1.0] }
v0 = { uniform = [-2, 2] }
)toml" + falling_tail);
  EXPECT_TRUE(both.statuses().contains(Status::non_finite));
  EXPECT_TRUE(both.statuses().contains(Status::ok));
}

TEST_P(SharedStep, BlamesContactsInTheReferencesOrder) {
  // a corner whose walls may have bad friction, be singular or nowhere: contacts are found first, then solved. Good
  // ones are smooth: friction in a corner would share the load in many ways
  const Both both = expect_same(R"toml(title = "corner"
[model]
coordinates = ["x", "y"]
force = ["8", "8 + if(t > 0.9, log(p), 0)"]
[model.parameters]
mu = 0.2
e = 0.5
p = 1.0
s = 1.0
y0 = 0.5
[[model.contact]]
name = "right"
inside = "x <= 1"
friction = "min(mu, 0)"
restitution = "e"
[[model.contact]]
name = "top"
inside = "y <= sqrt(p)"
friction_angle = "if(mu > 0.5, 3 * mu, 0)"
[[model.contact]]
name = "step"
inside = "s * floor(x) <= 0.5"
[start]
x = "0.5"
y = "y0"
[vary]
mu = { choice = [0.2, 0.2, -0.2, 0.6] }
e = { choice = [0.0, 0.0, 2.0] }
p = { choice = [1.0, 1.0, 1.0, -1.0] }
s = { choice = [0.0, 0.0, 1.0] }
y0 = { choice = [0.5, 0.4, -5.0, 3.0] }
)toml" + falling_tail);
  const auto statuses = both.statuses();
  for (const Status status : {Status::non_finite, Status::bad_angle, Status::bad_restitution, Status::singular_gradient,
                              Status::start_outside})
    EXPECT_TRUE(statuses.contains(status)) << to_name(status);
}

TEST_P(SharedStep, SolvesCurvedAndTurnedWallsInEveryDimension) {
  // inside a ball, outside a ball, over a graph; a plane whose normal is a parameter; elastic and rough
  const std::vector<std::pair<const char*, const char*>> walls = {{"x^2 + y^2 + z^2 <= 1.44", "0"},
                                                                  {"hypot(hypot(x - 0.2, y), z + 1.6) >= 1.2", "0.7"},
                                                                  {"z >= 0.3 * sin(2 * x) * cos(y) - 0.5", "e"},
                                                                  {"sin(a) * x + cos(a) * z >= -0.3", "e"}};
  for (const auto& [inside, restitution] : walls) {
    const Both both = expect_same(std::string(R"toml(title = "walls"
[model]
coordinates = ["x", "y", "z"]
force = ["-x", "0.3 * vx", "-9.81"]
[model.parameters]
mu = 0.3
e = 0.5
a = 0.2
u = 1.0
[[model.contact]]
name = "wall"
inside = ")toml") + inside + "\"\nfriction = \"mu\"\nrestitution = \"" +
                                      restitution + R"toml("
[start]
x = "0.1 + u * t"
y = "0.4 * t"
z = "0"
[vary]
mu = { uniform = [0, 1.2] }
e = { uniform = [0, 1] }
a = { uniform = [-0.7, 0.7] }
u = { normal = [0.5, 0.5] }
)toml" + falling_tail,
                                  1e-10);
    double impacts = 0;
    for (const double x : both.column("impacts")) impacts += x;
    EXPECT_GT(impacts, 10) << inside;
  }
}

TEST_P(SharedStep, SticksInOneDimensionAndWithHugeFriction) {
  const Both both = expect_same(R"toml(title = "stick"
[model]
coordinates = ["x", "y"]
force = ["1", "-9.81"]
[model.parameters]
mu = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
[start]
x = "2 * t"
y = "0.2"
[vary]
mu = { choice = [0.0, 0.1, 0.11, 1.0, 1e10, 1e300, 1.7e308] }
)toml" + falling_tail);
  EXPECT_GT(both.column("stick_time")[0] + both.column("slip_time")[0], 0);
  EXPECT_EQ(both.statuses().size(), 1u);
}

}  // namespace
}  // namespace conesweep::test
