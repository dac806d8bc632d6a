// Guides (G): Coulomb's law on bilateral constraints, on every executor, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

class Guides : public OnExecutor {};
ON_EVERY_EXECUTOR(Guides);

// (G4) Two slides on parallel rails, the first one rough, joined by a rod with tan φ = 1/2, sliding back at speed 1
// against a push of 2: 2ẍ = 2 + μ|ẍ|/2. When they have come to rest they go on with the push: 2ẍ = 2 - μ|ẍ|/2. With μ =
// 5 nothing can slide back: they stop at once.
TEST_P(Guides, FrictionOfPainleveAndKleinActsBack) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x1", "y1", "x2", "y2"]
mass = ["1", "1", "1", "1"]
force = ["2", "0", "0", "0"]
[model.parameters]
mu = 1.0
[[model.bilateral]]
name = "upper"
holds = "y2 = 1"
[[model.bilateral]]
name = "lower"
holds = "y1 = 0"
friction = "mu"
slip = ["vx1"]
[[model.bilateral]]
name = "rod"
holds = "hypot(x2 - x1, y2 - y1) = sqrt(5)"
[start]
x1 = "-t"
y1 = "0"
x2 = "2 - t"
y2 = "1"
[time]
end = 1.5
step = 0.0078125
[ensemble]
sampler = "grid"
[vary]
mu = { choice = [0, 1, 5] }
[observe]
also = ["work", "drive_work"]
early = { final = "vx1", before = 0.5 }
load = { final = "normal(lower)", before = 0.5 }
slides = { final = "slip(lower)", before = 0.5 }
)toml");
  const io::Results results = run_scenario(scenario, backend());
  const double h = scenario.h();
  for (std::size_t m = 0; m < 3; ++m) {
    ASSERT_EQ(to_name(results.outcome.status[m]), "ok") << "member " << m;
    EXPECT_EQ(results.outcome.flags[m], 0);
    const double mu = results.parameters[0][m];
    const auto of = [&](const char* name) { return column(results, name)[m]; };
    const bool locks = mu > 4;
    const double back = 2 / (2 - mu / 2), forth = 2 / (2 + mu / 2);
    const double early = locks ? forth * 0.5 : -1 + back * (0.5 + h), turns = locks ? h : 1 / back;
    EXPECT_NEAR(of("early"), early, 1e-12) << mu;
    EXPECT_NEAR(of("slides"), std::fabs(early), 1e-12) << mu;
    EXPECT_NEAR(of("load"), (locks ? forth : back) / 2, 1e-10) << mu;
    EXPECT_NEAR(of("final.vx1"), forth * (1.5 - turns), locks ? 1e-12 : 2 * h) << mu;
    EXPECT_NEAR(of("final.vx2"), of("final.vx1"), 1e-12) << mu;
    // a model without contacts: its guides have the modes
    EXPECT_EQ(of("flight_time"), 0) << mu;
    EXPECT_LE(of("stick_time"), h) << mu;
    if (locks) {
      EXPECT_EQ(of("stick_time"), h);
    }
    // (O6)
    const double gained = (of("final.vx1") * of("final.vx1") + of("final.vx2") * of("final.vx2")) / 2 - 1;
    EXPECT_NEAR(gained, of("work") - of("dissipated") + of("drive_work"), 1e-12) << mu;
    EXPECT_GE(of("dissipated"), -1e-12) << mu;
  }
}

// A bead on a rough wire that runs along at speed 1, pressed to one side of it or to the other: it is dragged along by
// μ|N| and then goes with the wire.
TEST_P(Guides, RubOnEitherSideAndStickExactly) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y"]
force = ["0", "-load"]
[model.parameters]
load = 2.0
[[model.bilateral]]
name = "wire"
holds = "y = 0"
friction = "0.25"
slip = ["vx - 1"]
[start]
x = "0"
y = "0"
[time]
end = 3
step = 0.0625
[ensemble]
sampler = "grid"
[vary]
load = { choice = [-2, 2, 0] }
[observe]
push = { max = "normal(wire)" }
pull = { min = "normal(wire)" }
sticks = { first_time = "slip(wire) <= 1e-12" }
)toml");
  const io::Results results = run_scenario(scenario, backend());
  for (std::size_t m = 0; m < 3; ++m) {
    ASSERT_EQ(to_name(results.outcome.status[m]), "ok") << "member " << m;
    const double load = results.parameters[0][m];
    const auto of = [&](const char* name) { return column(results, name)[m]; };
    EXPECT_NEAR(of("push"), load, 1e-12);
    EXPECT_NEAR(of("pull"), load, 1e-12);
    EXPECT_NEAR(of("final.vx"), load == 0 ? 0 : 1, 1e-14);
    if (load == 0) continue;  // what does not press does not rub
    EXPECT_NEAR(of("sticks"), 2 - 0.0625, 1e-12);
    EXPECT_NEAR(of("stick_time"), 1, 0.0625 + 1e-12);
    EXPECT_NEAR(of("dissipated"), 0.5, 1e-12);  // 0.5 a unit of time along a slip that falls from 1 to 0 in 2
  }
}

// Between two plates, in space: what slides has two directions, and friction points against it.
TEST_P(Guides, SlideStraightOnAPlate) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y", "z"]
mass = ["2", "2", "2"]
force = ["0", "0", "-4"]
[[model.bilateral]]
name = "plates"
holds = "z = 0"
friction = "0.25"
slip = ["vx", "vy"]
[start]
x = "0.6*t"
y = "0.8*t"
z = "0"
[time]
end = 3
step = 0.0078125
)toml");
  const io::Results results = run_scenario(scenario, backend());
  ASSERT_EQ(to_name(results.outcome.status[0]), "ok");
  const double x = column(results, "final.x")[0], y = column(results, "final.y")[0];
  EXPECT_NEAR(std::hypot(x, y), 1, 0.0078125);  // v²/(2μg), less half a step's way
  EXPECT_NEAR(y, x * 4 / 3, 1e-12);
  EXPECT_EQ(column(results, "final.vx")[0], 0);
  EXPECT_NEAR(column(results, "slip_time")[0], 2, 2 * 0.0078125);
}

// Two guides that come to bind the same velocity.
TEST_P(Guides, EndWhereTheyBindTheSame) {
  const auto scenario = parse_scenario(R"toml([model]
coordinates = ["x", "y"]
force = ["0", "-1"]
[[model.bilateral]]
name = "wire"
holds = "y = 0"
friction = "0.25"
slip = ["vx"]
[[model.bilateral]]
name = "bend"
holds = "y + (0.5 - t)*x = 0"
friction = "0.25"
slip = ["vx"]
[start]
x = "0"
y = "0"
[time]
end = 1
step = 0.25
)toml");
  const io::Results results = run_scenario(scenario, backend());
  EXPECT_EQ(to_name(results.outcome.status[0]), "dependent_constraints");
  EXPECT_EQ(results.outcome.stop_time[0], 0.5);
}

}  // namespace
}  // namespace conesweep::test
