// Friction and walls that move: planes with a given load, percussions, belts, pistons.
#include <numbers>

#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

using std::numbers::pi;

class MovingPlane : public OnExecutor {};
ON_EVERY_EXECUTOR(MovingPlane);
TEST_P(MovingPlane, DragsAndHolds) {
  const SampleRun run("moving_plane", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  std::size_t stuck = 0, dragged = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double grip = run.parameter("gamma", m) * run.parameter("nu", m) / run.parameter("m", m);
    const double pull = run.parameter("P", m) / run.parameter("m", m) - run.parameter("a", m),
                 start = run.parameter("v0", m) - run.parameter("e0", m);
    // relative velocity: towards 0 with friction against it, then either 0 or with what friction leaves
    const double first = pull - std::copysign(grip, start), meets = first * start < 0 ? -start / first : T;
    if (meets >= T) {
      EXPECT_NEAR(run.observed("relative", m), start + first * T, 1e-11) << "member " << m;
      EXPECT_EQ(run.observed("stick_time", m), 0) << "member " << m;
    } else if (std::fabs(pull) <= grip) {
      ++stuck;
      EXPECT_NEAR(run.observed("relative", m), 0, 1e-14) << "member " << m;
      EXPECT_NEAR(run.observed("stick_time", m), T - meets, h * (1 + rounding)) << "member " << m;
    } else {
      ++dragged;
      // the step that meets 0 has one friction for all of it
      EXPECT_NEAR(run.observed("relative", m), (pull - std::copysign(grip, pull)) * (T - meets), 2 * grip * h)
          << "member " << m;
    }
  }
  EXPECT_GT(stuck, 10U);
  EXPECT_GT(dragged, 5U);
}

class PlanePercussions : public OnExecutor {};
ON_EVERY_EXECUTOR(PlanePercussions);
TEST_P(PlanePercussions, LoseToRoundingWhatAllBlowsTake) {
  const SampleRun run("plane_percussions", backend());
  expect_all_fine(run);
  std::size_t stuck = 0;
  const auto left = [&](std::size_t m) {
    const double start = run.parameter("v0", m) - run.parameter("e", m),
                 grip = run.parameter("gamma", m) * run.parameter("nu", m) / run.parameter("m", m);
    double blows = 2 * run.parameter("size3", m);
    for (int j = 1; j <= 52; ++j)
      blows += (run.parameter("size1", m) + run.parameter("size2", m)) * std::ldexp(1.0, -j);
    return std::copysign(std::max(0.0, std::fabs(start) - grip * (run.end() + blows)), start);
  };
  for (std::size_t m = 0; m < run.members(); ++m) stuck += left(m) == 0 ? 1 : 0;
  // some 600 sums
  expect_observable(run, "relative", [&](std::size_t m) { return Expected{left(m), 1e-12}; });
  expect_observable(run, "error", [&](std::size_t) { return Expected{0, 1e-12}; });
  EXPECT_GT(stuck, 5U);
  EXPECT_LT(stuck, run.members() - 5);

  // the blow at 0 acts in step 0, which has no other: t = 1/52 is the first of those that accumulate from the right
  std::size_t fast = 0;
  const auto start = [&](std::size_t m) { return std::fabs(run.parameter("v0", m) - run.parameter("e", m)); };
  while (start(fast) < 1) ++fast;
  const double grip = run.parameter("gamma", fast) * run.parameter("nu", fast) / run.parameter("m", fast);
  EXPECT_NEAR(std::fabs(run.see({fast})[0].nodes[0].v[0] - run.parameter("e", fast)),
              start(fast) - grip * (run.parameter("size3", fast) + run.h()), 1e-12);
}

class BeltOscillator : public OnExecutor {};
ON_EVERY_EXECUTOR(BeltOscillator);
TEST_P(BeltOscillator, SticksToTheBeltAndSlipsBack) {
  const SampleRun run("belt_oscillator", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  struct Exact {
    double first, slip, stick, centre, amplitude, speed;
  };
  const auto exact = [&](std::size_t m) {
    const double g = run.parameter("g", m), k = run.parameter("k", m), V = run.parameter("V", m), w = std::sqrt(k);
    const double D = (run.parameter("mu_s", m) - run.parameter("mu_d", m)) * g / k;
    return Exact{run.parameter("mu_s", m) * g / (k * V),
                 (2 * pi - 2 * std::atan(D * w / V)) / w,
                 2 * D / V,
                 run.parameter("mu_d", m) * g / k,
                 std::hypot(D, V / w),
                 V};
  };
  // the first node at which the spring is stronger than friction, or the second where the first one does not make it
  // faster than eps
  expect_observable(run, "first_slip", [&](std::size_t m) { return Expected{exact(m).first + h, h * (1 + rounding)}; });
  // departures come up to two steps late, with D larger by two steps of the belt
  const auto slack = [&](std::size_t m) { return 3 * h * exact(m).speed; };
  expect_observable(run, "highest", [&](std::size_t m) {
    return Expected{exact(m).centre + exact(m).amplitude, slack(m)};
  });
  expect_observable(run, "lowest", [&](std::size_t m) {
    return Expected{std::min(0.0, exact(m).centre - exact(m).amplitude), slack(m)};
  });
  for (std::size_t m = 0; m < run.members(); ++m) {
    const Exact e = exact(m);
    const double cycle = e.slip + e.stick, cycles = (T - e.first) / cycle;
    if (std::fabs(cycles - std::round(cycles)) * cycle < 20 * h) continue;
    EXPECT_EQ(run.observed("slips", m), std::floor(cycles) + 1) << "member " << m;
    // time in slip: whole slips, and the part of the last one
    const double slipping = std::floor(cycles) * e.slip + std::min(e.slip, T - e.first - std::floor(cycles) * cycle);
    EXPECT_NEAR(run.observed("slip_time", m), slipping, 10 * h) << "member " << m;
  }
  expect_observable(run, "penetration", [](std::size_t) { return Expected{0, 0}; });
}

class Piston : public OnExecutor {};
ON_EVERY_EXECUTOR(Piston);
TEST_P(Piston, AddsTwiceItsSpeedAtEveryImpact) {
  const SampleRun run("piston", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  std::size_t checked = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double V = run.parameter("V", m), L = run.parameter("L", m);
    double t = 0, x = run.parameter("x0", m), v = run.parameter("s", m), last = 0;
    int impacts = 0;
    while (true) {
      const double next = v > 0 ? t + (L - V * t - x) / (v + V) : t - x / v;
      if (next > T) {
        last = std::min(next - T, T - t);
        x += v * (T - t);
        break;
      }
      x += v * (next - t), t = next;
      v = v > 0 ? -v - 2 * V : -v;
      ++impacts;
    }
    // each impact is up to a step late, which moves all later ones
    if (last < 2 * h * (impacts + 1)) continue;
    ++checked;
    EXPECT_EQ(run.observed("impacts", m), impacts) << "member " << m;
    EXPECT_NEAR(run.observed("final.vx", m), v, 1e-11) << "member " << m;
    EXPECT_NEAR(run.observed("speed", m), std::fabs(v), 1e-11) << "member " << m;
    EXPECT_NEAR(run.observed("final.x", m), x, 2 * h * (impacts + 1) * std::fabs(v)) << "member " << m;
  }
  EXPECT_GT(checked, run.members() * 3 / 4);
}

}  // namespace
}  // namespace conesweep::test
