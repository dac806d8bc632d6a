// The exact answers E9 … E19 with their observed order of convergence: the samples themselves, their own members as
// jittered data, over nine step sizes.
#include <gtest/gtest.h>

#include "samples/falling_ladder.hpp"
#include "step/stepped_answers.hpp"

namespace conesweep::test {
namespace {

class CoupledAnswers : public SteppedAnswers {};
ON_REFERENCE_AND_CPU(CoupledAnswers);

// E9: without a force an impact is exact to rounding, whatever the step and wherever it falls
TEST_P(CoupledAnswers, E9CradleIsExactWithEveryStep) {
  for (const long steps : oracle::step_ladder(50)) {
    const Stepped run(sample("cradle"), backend(), 1.0 / static_cast<double>(steps));
    for (std::size_t m = 0; m < run.members(); ++m) {
      const double n = run.parameter("n", m), e = run.parameter("e", m);
      if (run.parameter("gap", m) != 0) continue;
      const std::vector<std::string> balls{"final.va", "final.vb", "final.vc", "final.vd", "final.vf"};
      for (std::size_t k = 0; k < balls.size(); ++k) {
        const auto place = static_cast<double>(k);
        const double speed = place >= n ? 0 : k == 0 ? 1 / n - e * (1 - 1 / n) : (1 + e) / n;
        EXPECT_NEAR(run.observed(balls[k], m), speed, 1e-12) << steps << " steps, member " << m;
      }
    }
  }
}

// E10: velocities are exact, the time of the catch and places are of first order
TEST_P(CoupledAnswers, E10Freewheel) {
  expect_first_order("E10", sample("freewheel"), {"time of the catch", "angle of the gear", "angle of the wheel"}, 2,
                     40, [](const Stepped& run, std::size_t m) {
                       const double i1 = run.parameter("M1", m) * std::pow(run.parameter("R1", m), 2),
                                    i2 = run.parameter("M2", m) * std::pow(run.parameter("R2", m), 2);
                       const double torque = run.parameter("Gamma", m), caught = i1 / (2 * torque), T = run.end();
                       EXPECT_NEAR(run.observed("final.va", m), 2 * torque * (T - caught) / (i1 + i2), 1e-12);
                       const double turned = torque * std::pow(T - caught, 2) / (i1 + i2);
                       return Row{run.observed("caught", m) - caught,
                                  run.observed("final.a", m) - (turned - caught / 2),
                                  run.observed("final.b", m) - turned};
                     });
}

TEST_P(CoupledAnswers, E11RollingBall) {
  expect_first_order("E11", sample("rolling_ball"), {"place", "speed", "spin"}, 2, 100,
                     [](const Stepped& run, std::size_t m) {
                       const double a = 5 * run.parameter("F", m) / (7 * run.parameter("M", m)),
                                    direction = run.parameter("direction", m), T = run.end();
                       const double x = a * T * T / 2 * std::cos(direction), y = a * T * T / 2 * std::sin(direction);
                       return Row{std::hypot(run.observed("final.x", m) - x, run.observed("final.y", m) - y),
                                  run.observed("speed_error", m), run.observed("spin_error", m)};
                     });
}

// E13: where friction suffices the bar falls about its rough end, θ'' = -(3g/2L) cos θ. A step in which the end has
// left the floor by O(h²) misses the floor's force: a speed at one instant is off by a step's acceleration, whatever
// the step.
TEST_P(CoupledAnswers, E13RoughBarFallsAboutItsEnd) {
  scenario::Source source = sample("rough_bar");
  replace(source.text, "levels = { theta0 = 17, mu = 17 }", "levels = { theta0 = 9, mu = 2 }");
  replace(source.text, "[0.1, 3.3]", "[0.9, 1.2]");  // sticks at every angle from rest, and no paradox is near
  expect_first_order("E13", source, {"angle"}, 0.2, 20, [](const Stepped& run, std::size_t m) {
    const double mu = run.parameter("mu", m), g = run.parameter("g", m), half = run.parameter("L", m) / 2,
                 rate = 0.75 * g / half;
    double angle = run.parameter("theta0", m), speed = 0, most = 0;  // friction over load
    const int steps = 400;
    const double h = run.end() / steps;
    const auto f = [&](double x) { return -rate * std::cos(x); };
    for (int i = 0; i < steps; ++i) {
      const double k1 = f(angle), k2 = f(angle + h / 2 * speed), k3 = f(angle + h / 2 * speed + h * h / 4 * k1),
                   k4 = f(angle + h * speed + h * h / 2 * k2);
      angle += h * speed + h * h / 6 * (k1 + k2 + k3), speed += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      const double c = std::cos(angle), s = std::sin(angle), a = f(angle);
      const double along = half * (-s * a - c * speed * speed), up = g + half * (c * a - s * speed * speed);
      most = up > 0 ? std::max(most, std::fabs(along) / up) : 1e300;
    }
    if (most > 0.9 * mu) return Row{};
    EXPECT_NEAR(run.observed("final.vtheta", m), speed, (rate + 1) * run.h()) << "member " << m;
    return Row{run.observed("final.theta", m) - angle};
  });
}

// E14: from rest with a constant acceleration; velocities are exact, places half a step ahead
TEST_P(CoupledAnswers, E14GuidedBar) {
  expect_first_order("E14", sample("rough_bar_guided"), {"place"}, 1, 16, [](const Stepped& run, std::size_t m) {
    const double mu = run.parameter("mu", m), M = run.parameter("M", m), F = run.parameter("F", m),
                 N = M * run.parameter("g", m) / 2;
    const double c = std::tan(run.parameter("theta0", m)) / 2, back = mu * N / (1 + mu * c),
                 forth = mu * c < 1 ? mu * N / (1 - mu * c) : 1e300;
    const double a = (F > back ? F - back : F < -forth ? F + forth : 0) / M, T = run.end();
    EXPECT_NEAR(run.observed("final.vx", m), a * T, 1e-10);
    return a == 0 ? Row{} : Row{run.observed("final.x", m) - a * T * T / 2};
  });
}

TEST_P(CoupledAnswers, E15Groove) {
  expect_first_order("E15", sample("groove"), {"place"}, 1, 16, [](const Stepped& run, std::size_t m) {
    const double theta = run.parameter("theta", m), T = run.end();
    const double a = run.parameter("g", m) *
                     (std::sin(theta) - run.parameter("mu", m) * std::cos(theta) / std::sin(run.parameter("beta", m)));
    EXPECT_NEAR(run.observed("final.vx", m), std::max(0.0, a) * T, 1e-10);
    return a <= 0 ? Row{} : Row{run.observed("final.x", m) - a * T * T / 2};
  });
}

TEST_P(CoupledAnswers, E16Sleigh) {
  expect_first_order("E16", sample("sleigh"), {"speed", "spin"}, 4, 100, [](const Stepped& run, std::size_t m) {
    return Row{run.observed("speed_error", m), run.observed("spin_error", m)};
  });
}

TEST_P(CoupledAnswers, E17Turntable) {
  expect_first_order("E17", sample("turntable"), {"place", "speed"}, 4, 100, [](const Stepped& run, std::size_t m) {
    return Row{run.observed("place_error", m), run.observed("speed_error", m)};
  });
}

TEST_P(CoupledAnswers, E18FallingLadder) {
  scenario::Source source = sample("ladder");
  replace(source.text, "levels = { theta0 = 8, mu1 = 8 }", "levels = { theta0 = 6, mu1 = 5 }");
  expect_first_order("E18", source, {"angle"}, 0.2, 20, [](const Stepped& run, std::size_t m) {
    const double theta0 = run.parameter("theta0", m), mu1 = run.parameter("mu1", m), mu2 = run.parameter("mu2", m);
    if (std::tan(theta0) >= (1 - mu1 * mu2) / (2 * mu1)) {
      EXPECT_NEAR(run.observed("fell", m), 0, 1e-9) << "member " << m;
      return Row{};
    }
    const FallingLadder exact({run.parameter("m", m), run.parameter("L", m), run.parameter("g", m), mu1, mu2}, theta0,
                              run.end());
    if (exact.lets_go()) return Row{};
    // as in E13: one step without the forces of floor or wall, of accelerations 6 g / L at most
    EXPECT_NEAR(run.observed("final.vtheta", m), exact.speed(),
                6 * run.parameter("g", m) / run.parameter("L", m) * run.h())
        << "member " << m;
    return Row{run.observed("final.theta", m) - exact.angle()};
  });
}

TEST_P(CoupledAnswers, E19KnifeEdge) {
  expect_first_order("E19", sample("knife_edge"), {"place"}, 5, 100,
                     [](const Stepped& run, std::size_t m) { return Row{run.observed("place_error", m)}; });
}

}  // namespace
}  // namespace conesweep::test
