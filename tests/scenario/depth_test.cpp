// How far a place lies outside of the contacts, for pictures of what they allow.
#include "scenario/depth.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/error.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

const std::string room = R"~([model]
coordinates = ["x", "y", "z"]
force = ["0", "0", "0"]
[model.parameters]
height = 2.0
[[model.contact]]
name = "floor"
inside = "y >= 0"
[[model.contact]]
name = "ceiling"
inside = "y + z <= height"
[start]
x = "0"
y = "1"
z = "0.5"
[time]
end = 1.0
step = 0.01
)~";

TEST(Depth, IsTheLargestGAtTheDefaultsAndTheStart) {
  const auto scenario = parse_scenario(room);
  scenario::Depth depth(scenario, "x", "y");
  EXPECT_DOUBLE_EQ(depth(3, -0.25), 0.25);  // below the floor
  EXPECT_DOUBLE_EQ(depth(3, 1.75), 0.25);   // z stays at its start
  EXPECT_DOUBLE_EQ(depth(-1, 0.5), -0.5);   // inside, the floor is nearer
}

TEST(Depth, AsksOnlyContactsOfThePlane) {
  const auto scenario = parse_scenario(room);
  scenario::Depth depth(scenario, "x", "z");
  EXPECT_DOUBLE_EQ(depth(0, 1.5), 0.5);  // the ceiling; the floor knows neither
  EXPECT_THROW(scenario::Depth(scenario, "x", "w"), InputError);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

double area(const std::vector<scenario::Box>& boxes) {
  double sum = 0;
  for (const auto& box : boxes) sum += (box.right - box.left) * (box.high - box.low);
  return sum;
}

TEST(Depth, OutsideHasTheAreaThatContactsForbid) {
  const auto ball = parse_scenario(replaced(room, "y >= 0", "x^2 + (y - 1)^2 <= 0.49"));
  // without the ball, and above y = 1.5; the segment of the ball that the ceiling cuts off has r² (a - sin a cos a),
  // cos a = 5/7
  const double a = std::acos(0.5 / 0.7), disk = M_PI * 0.49, cap = 0.49 * (a - std::sin(a) * std::cos(a));
  const auto strips = scenario::Depth(ball, "x", "y").outside({-1, 0, 1, 2});
  EXPECT_NEAR(area(strips), 4 - (disk - cap), 1e-3);
  for (const auto& box : strips) EXPECT_TRUE(box.left < box.right && box.low >= 0 && box.high <= 2 + 1e-12);
}

TEST(Depth, NothingIsOutsideWhereNoContactKnowsThePlane) {
  const auto scenario = parse_scenario(replaced(replaced(room, "y >= 0", "z >= -9"), "y + z <= height", "z <= height"));
  EXPECT_TRUE(scenario::Depth(scenario, "x", "y").outside({-1, 0, 1, 2}).empty());
}

}  // namespace
}  // namespace conesweep::test
