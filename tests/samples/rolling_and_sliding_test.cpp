// Systems with masses, firm rows and several contacts that have a closed form: two walls, ladders, impacts in a row,
// rolling, blades.
#include <array>
#include <numbers>

#include "samples/falling_ladder.hpp"
#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

using std::numbers::pi;

class Groove : public OnExecutor {};
ON_EVERY_EXECUTOR(Groove);
TEST_P(Groove, SticksOrSlidesAsBothWallsLet) {
  const SampleRun run("groove", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  const auto acceleration = [&](std::size_t m) {
    const double theta = run.parameter("theta", m);
    return std::max(0.0, run.parameter("g", m) * (std::sin(theta) - run.parameter("mu", m) * std::cos(theta) /
                                                                        std::sin(run.parameter("beta", m))));
  };
  // the velocity is that of the step's end: ahead by half a step, and by nothing else
  expect_observable(run, "final.x", [&](std::size_t m) {
    return Expected{acceleration(m) * T * (T + h) / 2, rounding};
  });
  expect_observable(run, "final.vx", [&](std::size_t m) { return Expected{acceleration(m) * T, rounding}; });
  expect_observable(run, "error", [&](std::size_t m) { return Expected{acceleration(m) * T * h / 2, rounding}; });
  expect_observable(run, "penetration", [&](std::size_t) { return Expected{0, rounding}; });
  expect_observable(run, "moved", [&](std::size_t m) { return Expected{acceleration(m) > 0 ? 1.0 : 0.0, 0}; });
  std::size_t stuck = 0;
  for (std::size_t m = 0; m < run.members(); ++m) stuck += acceleration(m) > 0 ? 0 : 1;
  EXPECT_GT(stuck, run.members() / 4);
  EXPECT_LT(stuck, run.members() * 3 / 4);
}

class Ladder : public OnExecutor {};
ON_EVERY_EXECUTOR(Ladder);
TEST_P(Ladder, StandsWhereStaticsSaysAndElseFallsByItsEquation) {
  const SampleRun run("ladder", backend());
  expect_all_fine(run);
  const double h = run.h();
  std::size_t stand = 0, fall = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double theta0 = run.parameter("theta0", m), mu1 = run.parameter("mu1", m), mu2 = run.parameter("mu2", m);
    if (std::tan(theta0) >= (1 - mu1 * mu2) / (2 * mu1)) {
      ++stand;
      EXPECT_NEAR(run.observed("fell", m), 0, rounding) << "member " << m;
      continue;
    }
    const FallingLadder exact({run.parameter("m", m), run.parameter("L", m), run.parameter("g", m), mu1, mu2}, theta0,
                              run.end());
    if (exact.lets_go()) continue;
    ++fall;
    // half a step ahead, h |theta'| / 2; the ends leave the walls by O(h^2) and come back, which costs a few steps of
    // the acceleration, g/L
    const double slack = h * (2 + 4 * std::fabs(exact.speed()));
    EXPECT_NEAR(run.observed("final.theta", m), exact.angle(), slack) << "member " << m;
    EXPECT_NEAR(run.observed("final.vtheta", m), exact.speed(), 10 * slack) << "member " << m;
  }
  EXPECT_GT(stand, run.members() / 4);
  EXPECT_GT(fall, run.members() / 8);
}

class Cradle : public OnExecutor {};
ON_EVERY_EXECUTOR(Cradle);
TEST_P(Cradle, DistributesTheSpeedByTheLawOfOneImpactOrOfMany) {
  const SampleRun run("cradle", backend());
  expect_all_fine(run);
  const std::array<std::string, 5> balls{"final.va", "final.vb", "final.vc", "final.vd", "final.vf"};
  bool met_the_paper = false;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double n = run.parameter("n", m), e = run.parameter("e", m);
    const bool at_once = run.parameter("gap", m) == 0;
    EXPECT_NEAR(run.observed("momentum", m), 1, 1e-12) << "member " << m;
    EXPECT_LE(run.observed("energy", m), 0.5 + 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("dissipated", m), 0.5 - run.observed("energy", m), 1e-12) << "member " << m;
    if (!at_once && e < 1) continue;
    for (std::size_t k = 0; k < balls.size(); ++k) {
      const auto place = static_cast<double>(k);
      double speed = 0;
      if (!at_once)
        speed = place == n - 1 ? 1 : 0;
      else if (place < n)
        speed = k == 0 ? 1 / n - e * (1 - 1 / n) : (1 + e) / n;
      EXPECT_NEAR(run.observed(balls[k], m), speed, 1e-12)
          << "member " << m << ": n = " << n << ", e = " << e << ", " << balls[k];
    }
    met_the_paper =
        met_the_paper || (at_once && n == 3 && e == 1 && std::fabs(run.observed("final.va", m) + 1. / 3) < 1e-12);
  }
  EXPECT_TRUE(met_the_paper) << "three balls with e = 1 are not among the members";
}

class Freewheel : public OnExecutor {};
ON_EVERY_EXECUTOR(Freewheel);
TEST_P(Freewheel, PushesAndDoesNotHoldBack) {
  const SampleRun run("freewheel", backend());
  expect_all_fine(run);
  const auto inertia = [&](std::size_t m, const std::string& k) {
    return run.parameter("M" + k, m) * std::pow(run.parameter("R" + k, m), 2);
  };
  const auto caught = [&](std::size_t m) { return inertia(m, "1") / (2 * run.parameter("Gamma", m)); };
  // (va, vb) keeps its momentum Gamma t - I1 / 2, and rows are met exactly
  const auto exact = [&](std::size_t m) {
    return Expected{2 * run.parameter("Gamma", m) * (run.end() - caught(m)) / (inertia(m, "1") + inertia(m, "2")),
                    1e-11};
  };
  expect_observable(run, "final.va", exact);
  expect_observable(run, "final.vb", exact);
  expect_observable(run, "error", [](std::size_t) { return Expected{0, 1e-11}; });
  // seen at the node whose step catches it
  expect_observable(run, "caught", [&](std::size_t m) { return Expected{caught(m), run.h()}; });
  expect_observable(run, "slip_time", [&](std::size_t m) { return Expected{caught(m), run.h()}; });
}

class RollingBall : public OnExecutor {};
ON_EVERY_EXECUTOR(RollingBall);
TEST_P(RollingBall, GainsFiveSeventhsOfTheForceWhateverItsSpin) {
  const SampleRun run("rolling_ball", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  // On a curved constraint speed decays like s' = -h s^3 / 2 (B5), s = |p'|, half the turning speed, and pulls the spin
  // along: O(h) with the cube of the turning speed, at most 4.5 here, over T = 2.
  const auto acceleration = [&](std::size_t m) { return 5 * run.parameter("F", m) / (7 * run.parameter("M", m)); };
  const auto decay = [&](std::size_t m) {
    const double turning = acceleration(m) * T / run.parameter("R", m) + std::fabs(run.parameter("spin", m));
    return h * T * std::pow(turning / 2, 3);
  };
  for (const auto& [name, direction] : {std::pair{"x", 0.0}, std::pair{"y", pi / 2}}) {
    const auto along = [&](std::size_t m) {
      return acceleration(m) * std::cos(run.parameter("direction", m) - direction);
    };
    expect_observable(run, std::string("final.v") + name, [&](std::size_t m) {
      return Expected{along(m) * T, rounding + run.parameter("R", m) * decay(m)};
    });
    expect_observable(run, std::string("final.") + name, [&](std::size_t m) {
      return Expected{along(m) * T * (T + h) / 2, rounding + T * run.parameter("R", m) * decay(m)};
    });
  }
  expect_observable(run, "spin_error", [&](std::size_t m) { return Expected{0, decay(m)}; });
  expect_observable(run, "length_error", [&](std::size_t) { return Expected{0, 1e-14}; });
}

class Turntable : public OnExecutor {};
ON_EVERY_EXECUTOR(Turntable);
TEST_P(Turntable, LetsTheBallGoInCircles) {
  const SampleRun run("turntable", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  // Rows see the place of the step's beginning. As v' = w J v is stepped explicitly, lengths grow by h w^2 / 2 a unit
  // of time.
  struct Exact {
    double rate, u, v, growth;
  };
  const auto exact = [&](std::size_t m) {
    const double rate = 2 * run.parameter("Omega", m) / 7, u = run.parameter("u", m), v = run.parameter("v", m);
    return Exact{rate, u, v, h * (rate * rate * T + rate) * std::hypot(u, v)};
  };
  expect_observable(run, "final.vx", [&](std::size_t m) {
    const Exact e = exact(m);
    return Expected{e.u * std::cos(e.rate * T) - e.v * std::sin(e.rate * T), e.growth};
  });
  expect_observable(run, "final.vy", [&](std::size_t m) {
    const Exact e = exact(m);
    return Expected{e.u * std::sin(e.rate * T) + e.v * std::cos(e.rate * T), e.growth};
  });
  expect_observable(run, "final.x", [&](std::size_t m) {
    const Exact e = exact(m);
    return Expected{run.parameter("x0", m) + (e.u * std::sin(e.rate * T) - e.v * (1 - std::cos(e.rate * T))) / e.rate,
                    h * std::hypot(e.u, e.v) + T * e.growth};
  });
  expect_observable(run, "place_error", [&](std::size_t m) {
    return Expected{0, h * std::hypot(exact(m).u, exact(m).v) + T * exact(m).growth};
  });
  expect_observable(run, "speed_error", [&](std::size_t m) { return Expected{0, exact(m).growth}; });
}

class Sleigh : public OnExecutor {};
ON_EVERY_EXECUTOR(Sleigh);
TEST_P(Sleigh, TurnsItsSpinIntoSpeed) {
  const SampleRun run("sleigh", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  const auto k = [&](std::size_t m) { return std::sqrt(run.parameter("J", m) + std::pow(run.parameter("a", m), 2)); };
  const auto rate = [&](std::size_t m) { return run.parameter("a", m) * run.parameter("w0", m) / k(m); };
  // inertia terms and rows are those of the step's beginning: h times the turning speed squared, and the speed, for as
  // long as it turns, 1/rate
  const auto slack = [&](std::size_t m) {
    return 2 * h * run.parameter("w0", m) * (1 + run.parameter("w0", m) * k(m) / rate(m) * run.parameter("a", m));
  };
  expect_members(
      run, "final speed",
      [&](std::size_t m) {
        const double s = run.observed("final.s", m);
        return run.observed("final.vx", m) * std::cos(s) + run.observed("final.vy", m) * std::sin(s);
      },
      [&](std::size_t m) {
        return Expected{k(m) * run.parameter("w0", m) * std::tanh(rate(m) * T), slack(m)};
      });
  expect_observable(run, "final.vs", [&](std::size_t m) {
    return Expected{run.parameter("w0", m) / std::cosh(rate(m) * T), slack(m)};
  });
  expect_observable(run, "speed_error", [&](std::size_t m) { return Expected{0, slack(m)}; });
  expect_observable(run, "spin_error", [&](std::size_t m) { return Expected{0, slack(m)}; });
}

class KnifeEdge : public OnExecutor {};
ON_EVERY_EXECUTOR(KnifeEdge);
TEST_P(KnifeEdge, DrawsACycloid) {
  const SampleRun run("knife_edge", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  // one step's turn of the force and of the row, h w, acts on accelerations of G: a speed off by h G, a place by h G T
  const auto slack = [&](std::size_t m) { return h * run.parameter("G", m) * T; };
  const auto scale = [&](std::size_t m) { return run.parameter("G", m) / (4 * std::pow(run.parameter("w", m), 2)); };
  expect_observable(run, "final.x", [&](std::size_t m) {
    return Expected{scale(m) * (1 - std::cos(2 * run.parameter("w", m) * T)), slack(m)};
  });
  expect_observable(run, "final.y", [&](std::size_t m) {
    const double turned = 2 * run.parameter("w", m) * T;
    return Expected{scale(m) * (turned - std::sin(turned)), slack(m)};
  });
  expect_observable(run, "place_error", [&](std::size_t m) { return Expected{0, slack(m)}; });
  expect_observable(run, "lowest", [&](std::size_t m) {
    const double turned = 2 * run.parameter("w", m) * T;
    return Expected{turned >= pi ? 2 * scale(m) : scale(m) * (1 - std::cos(turned)), slack(m)};
  });
}

}  // namespace
}  // namespace conesweep::test
