// How far a place lies outside of the contacts, for pictures of what they allow.
#include "scenario/depth.hpp"

#include <gtest/gtest.h>

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
  EXPECT_FALSE(depth.is_everywhere_inside());
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

}  // namespace
}  // namespace conesweep::test
