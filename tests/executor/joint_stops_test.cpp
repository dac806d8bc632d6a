// Members that cannot go on where laws act together: each stops alone, with its status, its time and its residual (B9),
// and nothing else is hurt.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using scenario::Status;

// A block of three coordinates, x, y and th, with changes; c varies over what is given.
struct Block {
  std::string model;  // mass and force
  std::string laws;
  std::string start;
  std::string c;

  std::string text() const {
    return "[model]\ncoordinates = ['x', 'y', 'th']\n" + model + "\n[model.parameters]\nc = 1\n" + laws +
           "\n[start]\n" + start +
           "\n[time]\nend = 1\nstep = 0.0009765625\n[ensemble]\nsampler = 'grid'\nlevels = { c = " +
           std::to_string(1 + std::count(c.begin(), c.end(), ',')) + " }\n[vary]\nc = { choice = [" + c + "] }\n";
  }
};

const Block drilled{.model = "force = [0, 0, 0]",
                    .laws =
                        "[[model.bilateral]]\nname = 'ram'\nholds = 'y = 0.5 - c*t'\n[[model.contact]]\nname = "
                        "'floor'\ninside = 'y >= 0'\n",
                    .start = "x = 0\ny = 0.5\nth = 0\nvx = 1\nvy = '-c'",
                    .c = "0.1, 1, 0.4, 2"};

class JointStops : public OnExecutor {
 protected:
  /// Device code of a coupled model takes seconds to compile: two of them by default.
  bool is_too_long() const { return backend() == "cuda" && std::getenv("CONESWEEP_ALL") == nullptr; }

  io::Results run(const Block& block) const { return run_scenario(parse_scenario(block.text()), backend()); }

  /// Those with a time stop there; the others end with the bits that they have without them.
  void expect_stops(const Block& block, Status status, const std::vector<double>& times,
                    const std::string& those_that_go_on) const {
    const io::Results all = run(block);
    Block good = block;
    good.c = those_that_go_on;
    const io::Results alone = run(good);
    std::size_t kept = 0;
    for (std::size_t m = 0; m < times.size(); ++m) {
      if (std::isnan(times[m])) {
        EXPECT_EQ(to_name(all.outcome.status[m]), "ok") << "member " << m;
        EXPECT_TRUE(std::isnan(all.outcome.stop_time[m]) && std::isnan(all.outcome.residual[m])) << "member " << m;
        for (std::size_t k = 0; k < all.outcome.observables.size(); ++k)
          EXPECT_EQ(std::memcmp(&all.outcome.observables[k][m], &alone.outcome.observables[k][kept], sizeof(double)), 0)
              << "member " << m << ", column " << k;
        ++kept;
        continue;
      }
      EXPECT_EQ(to_name(all.outcome.status[m]), to_name(status)) << "member " << m;
      EXPECT_NEAR(all.outcome.stop_time[m], times[m], 2e-3 + 1e-9) << "member " << m;
      EXPECT_EQ(std::isnan(all.outcome.residual[m]), status != Status::not_converged) << "member " << m;
      for (const auto& column : all.outcome.observables) EXPECT_TRUE(std::isnan(column[m])) << "member " << m;
    }
    EXPECT_EQ(kept, alone.outcome.status.size());
  }
};
ON_EVERY_EXECUTOR(JointStops);

constexpr double never = std::numeric_limits<double>::quiet_NaN();

// 1 - 2x falls to 0 at x = 1/2: at t = 1/(2c)
TEST_P(JointStops, AMassThatLosesDefiniteness) {
  expect_stops({.model = "mass = [1, '1 - 2*x', 1]\nforce = [0, 0, 0]",
                .laws = "",
                .start = "x = 0\ny = 0\nth = 0\nvx = 'c'",
                .c = "0.1, 1, 0.4, 2"},
               Status::bad_mass, {never, 0.5, never, 0.25}, "0.1, 0.4");
}

// x = 0 and vx + (1/2 - th) vy = 0 are one row where th = 1/2, which is a node: at t = 1/(2c)
TEST_P(JointStops, ConstraintsThatBecomeDependent) {
  if (is_too_long()) GTEST_SKIP() << "one more model for a device: set CONESWEEP_ALL=1";
  expect_stops({.model = "force = [0, 0, 0]",
                .laws = "[[model.bilateral]]\nname = 'a'\nholds = 'x = 0'\n[[model.bilateral]]\nname = 'b'\nvelocity = "
                        "'vx + (0.5 - th)*vy = 0'",
                .start = "x = 0\ny = 0\nth = 0\nvth = 'c'",
                .c = "0.125, 1, 0.25, 2"},
               Status::dependent_constraints, {never, 0.5, never, 0.25}, "0.125, 0.25");
}

// a ram that drives the block into the floor: no velocity obeys both, and the largest velocity is missed by itself
TEST_P(JointStops, LawsWithoutASolution) {
  expect_stops(drilled, Status::not_converged, {never, 0.5, never, 0.25}, "0.1, 0.4");
  const io::Results all = run(drilled);
  for (const std::size_t m : {1U, 3U}) {
    EXPECT_GT(all.outcome.residual[m], 0.1) << "member " << m;
    EXPECT_LT(all.outcome.residual[m], 10) << "member " << m;
  }
}

// 1/2 - ct is negative from t = 1/(2c) on
TEST_P(JointStops, ALimitThatBecomesNegative) {
  if (is_too_long()) GTEST_SKIP() << "one more model for a device: set CONESWEEP_ALL=1";
  expect_stops({.model = "force = [0, 0, 0]",
                .laws = "[[model.resistance]]\nname = 'r'\nslip = ['vx']\nlimit = '0.5 - c*t'",
                .start = "x = 0\ny = 0\nth = 0\nvx = 3",
                .c = "0.1, 1, 0.4, 2"},
               Status::bad_limit, {never, 0.5, never, 0.25}, "0.1, 0.4");
}

// 0.4 + |v| is more than 1 for those that arrive faster than 0.6
TEST_P(JointStops, ARestitutionAboveOne) {
  if (is_too_long()) GTEST_SKIP() << "one more model for a device: set CONESWEEP_ALL=1";
  expect_stops({.model = "mass = [1, 1, 1]\nforce = [0, 0, 0]",
                .laws = "[[model.contact]]\nname = 'floor'\ninside = 'y >= 0'\nrestitution = '0.4 + abs(vy)'",
                .start = "x = 0\ny = 0.5\nth = 0\nvy = '-c'",
                .c = "0.1, 1, 0.55, 2"},
               Status::bad_restitution, {never, 0.5, never, 0.25}, "0.1, 0.55");
}

// the gradient of y^3 vanishes at the wall y = 0, which is a node: steps are powers of two
TEST_P(JointStops, AWallWithoutANormal) {
  if (is_too_long()) GTEST_SKIP() << "one more model for a device: set CONESWEEP_ALL=1";
  expect_stops({.model = "mass = [1, 1, 1]\nforce = [0, 0, 0]",
                .laws = "[[model.contact]]\nname = 'floor'\ninside = 'y^3 >= 0'",
                .start = "x = 0\ny = 0.5\nth = 0\nvy = '-c'",
                .c = "0.125, 1, 0.25, 2"},
               Status::singular_gradient, {never, 0.5, never, 0.25}, "0.125, 0.25");
}

}  // namespace
}  // namespace conesweep::test
