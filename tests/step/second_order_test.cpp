// Order two (A): closed forms and observed orders.
#include "second_order.hpp"

namespace conesweep {
namespace {

ON_EVERY_EXECUTOR(SecondOrder);

// E1: everything is a parabola, so everything is exact
TEST_P(SecondOrder, IsExactWhereTheMotionIsMadeOfParabolas) {
  for (const long steps : {7L, 16L, 33L}) {
    const auto member = see_one(read(falls, 1.2, steps));
    const double hits = std::sqrt(2 / g), u = 4 - 0.3 * g * hits, slides = 1.2 - hits;
    EXPECT_NEAR(member.nodes.back().q[0], 4 * hits + u * slides - 0.3 * g * slides * slides / 2, 1e-13);
    EXPECT_NEAR(member.nodes.back().v[0], u - 0.3 * g * slides, 1e-13);
    EXPECT_NEAR(member.nodes.back().q[1], 0, 1e-15);
    EXPECT_NEAR(member.observed("first_contact"), hits, 1e-14);
    EXPECT_NEAR(member.observed("slip_time"), slides, 1e-13);
    EXPECT_EQ(member.observed("impacts"), steps > 30 ? 1 : 0);  // (O3) is about ten steps of the force
  }
}

// E8: impacts at 1, 2, 2½, …, at rest from t = 3; between them exact at any step that sees them apart
TEST_P(SecondOrder, BouncesExactlyUntilTheFlightIsShorterThanAStep) {
  const std::string ball = R"toml(
[model]
coordinates = ["x"]
force = ["-2"]
[[model.contact]]
name = "wall"
inside = "x >= 0"
restitution = "0.5"
[start]
x = "1"
)toml";
  const auto member = see_one(read(ball, 3.5, 350));
  for (const auto& node : member.nodes) {
    double hit = 1, up = 2, expected = 1 - node.t * node.t;
    for (int bounce = 0; bounce < 40 && node.t > hit; ++bounce) {
      up /= 2;
      const double s = node.t - hit;
      expected = s <= up ? s * (up - s) : 0;
      if (s <= up) break;
      hit += up;
    }
    EXPECT_NEAR(node.q[0], expected, node.t < 2.9 ? 1e-13 : 1e-4) << "t = " << node.t;
  }
  EXPECT_EQ(member.nodes.back().v[0], 0);
  EXPECT_NEAR(member.observed("first_contact"), 1, 1e-14);
}

TEST_P(SecondOrder, FallsWithDragToSecondOrder) {
  const auto observed = observe_beside_finer("E1 with drag", falls, 1, 16, [](int j) -> std::vector<double> {
    return {0.9 + 0.2 * jitter(j), 3.7 + 0.6 * jitter(j, 1), 0.27 + 0.06 * jitter(j, 2), 0.4 + 0.2 * jitter(j, 3)};
  });
  EXPECT_GT(observed.order, 1.8);
}

// E3: half-swings lose 2 μ G/k, and the last turning point within μ G/k is rest
TEST_P(SecondOrder, TurnsRoundAndRestsOnARoughPlane) {
  const std::string text = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-k*x", "-9.81"]
[model.parameters]
k = 10
x0 = 1
mu = 0.1
)toml" + on_floor("friction = \"mu\"\n[start]\nx = \"x0\"\ny = \"0\"\nvx = \"0\"\nvy = \"0\"\n");
  const double end = 4.5;
  const auto observed = observe(
      "E3", text, end, 40,
      [](int j) -> std::vector<double> {
        return {9.5 + jitter(j), 0.9 + 0.2 * jitter(j, 1), 0.09 + 0.02 * jitter(j, 2)};
      },
      [&](const std::vector<double>& row) {
        const double k = row[0], c = row[2] * g / k, w = std::sqrt(k);
        double x = row[1], t = 0, side = 1;
        while (std::fabs(x) > c) {
          if (t + std::numbers::pi / w > end) {
            x = side * c + (x - side * c) * std::cos(w * (end - t));
            break;
          }
          x = 2 * side * c - x, t += std::numbers::pi / w, side = x > 0 ? 1 : -1;
        }
        return Eigen::Vector2d(x, 0);
      });
  EXPECT_GT(observed.order, 1.8);
}

// E4 by the method of steps
TEST_P(SecondOrder, LooksBackToSecondOrder) {
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["-k*delay(x, tau)"]
[model.parameters]
k = 2
tau = 0.6
[start]
x = "1"
)toml";
  const double end = 2;
  const auto observed = observe(
      "E4", text, end, 16,
      [](int j) -> std::vector<double> {
        return {1.8 + 0.4 * jitter(j), 0.55 + 0.1 * jitter(j, 1)};
      },
      [&](const std::vector<double>& row) {
        double x = 1, factor = 1;
        for (int n = 1; end > (n - 1) * row[1]; ++n) {
          factor *= -row[0] / ((2.0 * n - 1) * (2.0 * n));
          x += factor * std::pow(end - (n - 1) * row[1], 2 * n);
        }
        return Eigen::VectorXd::Constant(1, x);
      });
  EXPECT_GT(observed.order, 1.8);
}

// E5: s = s0/(1 + μ s0 t/R)
const std::string bowl = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[model.parameters]
s0 = 2
mu = 0.3
[[model.contact]]
name = "bowl"
inside = "sqrt(x^2 + y^2) <= 1"
friction = "mu"
[start]
x = "0"
y = "-1"
vx = "s0"
vy = "0"
)toml";

TEST_P(SecondOrder, SlidesAlongACurvedWallToSecondOrder) {
  const double end = 4;
  const auto observed = observe(
      "E5", bowl, end, 40,
      [](int j) -> std::vector<double> {
        return {1.8 + 0.4 * jitter(j), 0.27 + 0.06 * jitter(j, 1)};
      },
      [&](const std::vector<double>& row) {
        const double a = std::log(1 + row[1] * row[0] * end) / row[1];
        return Eigen::Vector2d(std::sin(a), -std::cos(a));
      });
  EXPECT_GT(observed.order, 1.8);
  const auto member = see_one(read(bowl, end, 160));
  for (const auto& node : member.nodes) EXPECT_NEAR(node.q.norm(), 1, 1e-15);
}

// a delayed velocity acts through jumps by the mean over the delayed piece: its point value is of first order
TEST_P(SecondOrder, LooksBackThroughJumpsOfAVelocity) {
  const std::string text = R"toml(
[model]
coordinates = ["x"]
force = ["-k*x - c*delay(vx, tau)"]
[model.parameters]
k = 4
c = 0.6
tau = 0.37
[[model.contact]]
name = "wall"
inside = "x >= -0.2"
restitution = "0.8"
[start]
x = "1"
vx = "0"
)toml";
  const auto observed = observe_beside_finer("delayed velocity", text, 6, 80, [](int j) -> std::vector<double> {
    return {3.8 + 0.4 * jitter(j), 0.5 + 0.2 * jitter(j, 1), 0.32 + 0.1 * jitter(j, 2)};
  });
  EXPECT_GT(observed.order, 1.8);
}

// static friction above dynamic friction on a belt: the break is located
TEST_P(SecondOrder, BreaksLooseOnABeltToSecondOrder) {
  const std::string text =
      R"toml(
[model]
coordinates = ["x", "y"]
force = ["-k*x", "-10"]
[model.parameters]
k = 4
V = 0.5
ms = 0.3
)toml" +
      on_floor(
          "friction = \"if(abs(vx - V) > 1e-6, 0.2, ms)\"\nbelt = [\"V\", \"0\"]\n[start]\nx = \"0\"\ny = \"0\"\nvx "
          "= \"V\"\nvy = \"0\"\n");
  const auto observed = observe_beside_finer("belt", text, 8, 100, [](int j) -> std::vector<double> {
    return {3.8 + 0.4 * jitter(j), 0.45 + 0.1 * jitter(j, 1), 0.27 + 0.06 * jitter(j, 2)};
  });
  EXPECT_GT(observed.order, 1.8);
}

}  // namespace
}  // namespace conesweep
