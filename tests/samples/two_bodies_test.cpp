// A block on a rough floor beside an oscillator that never touches it: what friction on all velocities makes of it, and
// `slip` (B8).
#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

std::string two_bodies(const std::string& slides) {
  return R"~(
[model]
coordinates = ["x", "y", "z"]
force = ["0", "-1", "-z"]
[model.parameters]
mu = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
)~" + slides +
         R"~(
[start]
x = "0"
y = "0"
z = "0"
vx = "1"
vz = "1"
[time]
end = 20
step = 1e-3
[observe]
amplitude = { max = "if(t > 15, abs(z), 0)" }
)~";
}

class TwoBodies : public OnExecutor {};
ON_EVERY_EXECUTOR(TwoBodies);

// Both velocities share one friction force: the block goes further, 2.22, and the oscillator comes to rest. `check` and
// `run` warn.
TEST_P(TwoBodies, DisturbEachOtherWhereFrictionActsOnAllVelocities) {
  const std::string text = two_bodies("");
  const auto problems = find_problems(text);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].severity, scenario::Severity::warning);
  EXPECT_NE(problems[0].message.find("acts on vz too"), std::string::npos) << problems[0].message;
  EXPECT_NE(problems[0].message.find("slip = [\"vx\"]"), std::string::npos) << problems[0].message;
  const io::Results run = run_scenario(parse_scenario(text), backend());
  EXPECT_GT(std::fabs(column(run, "final.x")[0] - 1 / 0.6), 0.2);
  EXPECT_LT(column(run, "amplitude")[0], 0.4);
}

// E1 without the fall: the block stops after v²/(2 mu g) = 1/0.6; the oscillator keeps its amplitude.
TEST_P(TwoBodies, LeaveEachOtherAloneWithSlip) {
  const std::string text = two_bodies("slip = [\"vx\"]\n");
  EXPECT_TRUE(find_problems(text).empty());
  const auto scenario = parse_scenario(text);
  const io::Results run = run_scenario(scenario, backend());
  EXPECT_NEAR(column(run, "final.x")[0], 1 / 0.6, scenario.h());
  EXPECT_EQ(column(run, "final.vx")[0], 0);
  EXPECT_NEAR(column(run, "amplitude")[0], 1, scenario.h());
}

}  // namespace
}  // namespace conesweep::test
