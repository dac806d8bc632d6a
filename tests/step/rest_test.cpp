// What rests, rests: bodies whose velocities are rounding stick all the time, on every executor alike, and blows find
// them so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

class Resting : public test::OnExecutor {
 protected:
  test::SeenMember see(const std::string& text, const std::vector<double>& parameters) const {
    return test::see_members(test::parse_scenario(text), backend(), {parameters}).front();
  }
};
ON_EVERY_EXECUTOR(Resting);

/// A bar whose feet stand at -0.7 and 0.9 on a floor.
std::string bar(const std::string& left, const std::string& right, const std::string& more) {
  return R"toml([model]
coordinates = ["x", "z", "a"]
mass = ["m", "m", "0.31"]
force = ["F", "-9.81 * m", "0"]
[model.parameters]
m = 1
F = 0
[model.define]
lx = "x - 0.7 * cos(a)"
lz = "z - 0.7 * sin(a)"
rx = "x + 0.9 * cos(a)"
rz = "z + 0.9 * sin(a)"
[[model.contact]]
name = "left"
point = ["lx", "lz"]
inside = "lz >= 0"
)toml" + left +
         R"toml([[model.contact]]
name = "right"
point = ["rx", "rz"]
inside = "rz >= 0"
)toml" + right +
         more + "[start]\nx = \"0\"\nz = \"0\"\na = \"0\"\n[time]\nend = 0.5\nstep = 0.01\n";
}
const std::string rough = "friction = \"0.4\"\n", smooth, persistent = "friction = \"0.4\"\npersistent = true\n";
const std::string blows =
    "[[model.resistance]]\nname = \"brake\"\nslip = [\"vx + 0.3 * va\"]\nlimit = \"0.8\"\n"
    "percussions = { time = \"0.097 * j\", size = \"0.5\", count = 5 }\n";

void expect_rest(const test::SeenMember& member) {
  ASSERT_EQ(member.status, executor::Status::ok);
  EXPECT_EQ(member.observed("stick_time"), 0.5) << "slips for " << member.observed("slip_time");
  EXPECT_LT(member.observed("variation"), 1e-13);
  for (const test::SeenNode& node : member.nodes) EXPECT_LT(node.v.norm(), 1e-15) << "at node " << node.i;
}

TEST_P(Resting, ABarOnARoughAndASmoothFoot) {
  for (const double m : {0.57, 1.3, 2.9}) expect_rest(see(bar(rough, smooth, ""), {m, 0.3 * m}));
}

TEST_P(Resting, ABarThatBlowsFind) {
  for (const double m : {0.57, 1.3, 2.9}) expect_rest(see(bar(rough, rough, blows), {m, 0.3}));
}

TEST_P(Resting, PersistentContactsThatPressAreNotLostAtABlow) {
  for (const double m : {0.57, 1.3, 2.9}) {
    const test::SeenMember member =
        see(bar(persistent, persistent, blows + "[observe]\nalso = [\"lost\"]\n"), {m, 0.3});
    expect_rest(member);
    EXPECT_TRUE(std::isnan(member.observed("lost"))) << "at " << member.observed("lost");
  }
}

/// A table that slides on four legs, and no force: once it has stopped, all that is left of its velocity is rounding of
/// what it was.
TEST_P(Resting, ATableThatFourResistancesHaveStopped) {
  std::string text = R"toml([model]
coordinates = ["x", "y", "c"]
mass = ["3", "3", "0.7"]
force = ["0", "0", "0"]
[model.parameters]
u = 1
)toml";
  for (const char* at : {"(0.5,0.3)", "(0.5,-0.3)", "(-0.5,0.3)", "(-0.5,-0.3)"}) {
    const std::string place = at, x = place.substr(1, place.find(',') - 1),
                      y = place.substr(place.find(',') + 1, place.size() - place.find(',') - 2);
    text += "[[model.resistance]]\nname = \"leg" + std::to_string(text.size()) + "\"\nslip = [\"vx - ((" + x +
            ") * sin(c) + (" + y + ") * cos(c)) * vc\", \"vy + ((" + x + ") * cos(c) - (" + y +
            ") * sin(c)) * vc\"]\nlimit = \"20\"\n";
  }
  text += "[start]\nx = \"u * t\"\ny = \"0.1 * t\"\nc = \"-0.7 * t\"\n[time]\nend = 0.05\nstep = 2.5e-4\n";
  const test::SeenMember member = see(text, {0.05});
  ASSERT_EQ(member.status, executor::Status::ok);
  const auto stopped = std::find_if(member.nodes.begin(), member.nodes.end(),
                                    [](const test::SeenNode& node) { return node.v.norm() < 1e-10; });
  ASSERT_LT(stopped - member.nodes.begin(), 150) << "it does not stop";
  for (auto node = stopped; node != member.nodes.end(); ++node) {
    EXPECT_EQ(node->mode, executor::Mode::stick) << "at node " << node->i << ", which moves at " << node->v.norm();
    const double speed = node->v.norm();
    EXPECT_TRUE(speed < 1e-15 && (speed == 0 || speed > 1e-100)) << "a tail without an end: " << speed;
  }
}

}  // namespace
}  // namespace conesweep
