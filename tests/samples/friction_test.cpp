// Samples in which friction alone slows down what moves along one wall.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "samples/delayed_slider.hpp"
#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

using std::numbers::pi;

class FallingSlider : public OnExecutor {};
ON_EVERY_EXECUTOR(FallingSlider);
TEST_P(FallingSlider, StopsWhereTheClosedFormSays) {
  const SampleRun run("falling_slider", backend(), 200);
  expect_all_fine(run);
  const double h = run.h();
  struct Exact {
    double hit, u, slide_time, place;
  };
  std::vector<Exact> exact;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double g = run.parameter("g", m), H = run.parameter("H", m), u = run.parameter("u", m),
                 mu = run.parameter("mu", m);
    const double hit = std::sqrt(2 * H / g), u1 = std::max(0.0, u - mu * std::sqrt(2 * g * H));
    exact.push_back({hit, u1, u1 / (mu * g), u * hit + u1 * u1 / (2 * mu * g)});
  }
  // the floor is met at the next node: at most a step late
  expect_observable(run, "first_contact", [&](std::size_t m) { return Expected{exact[m].hit, h}; });
  // u1 is off by mu g h for each step of lateness, hence the slide by as many steps; the last node is one more
  expect_observable(run, "stopped", [&](std::size_t m) { return Expected{exact[m].hit + exact[m].slide_time, 4 * h}; });
  // a step of lateness at speed u before, and its effect on u1 after
  expect_observable(run, "final.x", [&](std::size_t m) {
    return Expected{exact[m].place, 3 * h * run.parameter("u", m)};
  });
  expect_observable(run, "final.vx", [&](std::size_t) { return Expected{0, 0}; });
  expect_observable(run, "impacts", [&](std::size_t) { return Expected{1, 0}; });
  // the file's own expressions say the same
  expect_observable(run, "hit_error", [&](std::size_t m) {
    return Expected{run.observed("first_contact", m) - exact[m].hit, rounding};
  });
  expect_observable(run, "place_error", [&](std::size_t m) {
    return Expected{run.observed("final.x", m) - exact[m].place, rounding};
  });
}

class Slope : public OnExecutor {};
ON_EVERY_EXECUTOR(Slope);
TEST_P(Slope, SticksExactlyOrAcceleratesUniformly) {
  const SampleRun run("slope", backend());
  expect_all_fine(run);
  ASSERT_EQ(run.members(), 31U * 31U);
  const double h = run.h(), T = run.end();
  const auto acceleration = [&](std::size_t m) {
    const double theta = run.parameter("theta", m);
    return std::max(0.0, run.parameter("g", m) * (std::sin(theta) - run.parameter("mu", m) * std::cos(theta)));
  };
  // the velocity is that of the step's end: ahead by half a step, a T h / 2, and by nothing else
  expect_observable(run, "final.x", [&](std::size_t m) {
    return Expected{acceleration(m) * T * (T + h) / 2, rounding};
  });
  expect_observable(run, "error", [&](std::size_t m) { return Expected{acceleration(m) * T * h / 2, rounding}; });
  // below the friction angle not one bit changes
  std::size_t stuck = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const bool sticks = std::tan(run.parameter("theta", m)) <= run.parameter("mu", m);
    stuck += sticks ? 1 : 0;
    EXPECT_EQ(run.observed("moved", m), sticks ? 0 : 1) << "member " << m;
    if (sticks) {
      EXPECT_EQ(run.observed("final.x", m), 0) << "member " << m;
    }
  }
  EXPECT_GT(stuck, 100U);
  EXPECT_LT(stuck, run.members() - 100);
}

class DryFrictionOscillator : public OnExecutor {};
ON_EVERY_EXECUTOR(DryFrictionOscillator);
TEST_P(DryFrictionOscillator, LosesTheSameLengthEveryHalfSwing) {
  const SampleRun run("dry_friction_oscillator", backend(), 200);
  expect_all_fine(run);
  const double h = run.h();
  struct Exact {
    double place, time;
    int half_swings;
    bool grazes;  // a turning point so near the edge of the sticking zone that the step decides whether it goes on
  };
  std::vector<Exact> exact;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double k = run.parameter("k", m), d = run.parameter("mu", m) * run.parameter("g", m) / k;
    Exact e{run.parameter("A", m), 0, 0, false};
    while (true) {
      e.grazes = e.grazes || std::fabs(std::fabs(e.place) - d) < 1e-3;
      if (std::fabs(e.place) <= d) break;
      e.place = -(e.place - std::copysign(2 * d, e.place));
      e.time += pi / std::sqrt(k);
      ++e.half_swings;
    }
    exact.push_back(e);
  }
  // from turning point to turning point the scheme is the leapfrog, of second order: k h^2 times the amplitude
  expect_observable(run, "final.x", [&](std::size_t m) {
    return Expected{exact[m].place, run.parameter("k", m) * h * h * run.parameter("A", m)};
  });
  expect_observable(run, "rest_error", [&](std::size_t m) {
    return Expected{run.observed("final.x", m) - exact[m].place, rounding};
  });
  expect_observable(run, "final.vx", [&](std::size_t) { return Expected{0, 0}; });
  std::size_t checked = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    if (exact[m].grazes) continue;
    ++checked;
    EXPECT_EQ(run.observed("turns", m), exact[m].half_swings / 2) << "member " << m;
    if (exact[m].half_swings == 0) {
      EXPECT_TRUE(std::isnan(run.observed("rested", m))) << "member " << m;
    } else {
      // each turning point falls between two nodes
      EXPECT_NEAR(run.observed("rested", m), exact[m].time, h * (1 + exact[m].half_swings)) << "member " << m;
    }
  }
  EXPECT_GT(checked, run.members() * 9 / 10);
}

class RoughBowl : public OnExecutor {};
ON_EVERY_EXECUTOR(RoughBowl);
TEST_P(RoughBowl, SlowsDownLikeAHyperbola) {
  const SampleRun run("rough_bowl", backend(), 100);
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  struct Exact {
    double R, s0, mu, speed, angle, growth;
  };
  std::vector<Exact> exact;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double R = run.parameter("R", m), s0 = run.parameter("s0", m), mu = run.parameter("mu", m),
                 slowing = 1 + mu * s0 * T / R;
    exact.push_back({R, s0, mu, s0 / slowing, std::log(slowing) / mu, s0 * s0 * T / (2 * R * slowing)});
  }
  // A tangent of length s h turns by s h / R and keeps the share cos(s h / R) of the speed: h s^3 / (2 R^2) a unit of
  // time is lost beside friction. Contact begins one node late, friction is that of the step before: two steps of mu
  // s^2 / R.
  const auto speed_slack = [&](const Exact& e) { return h * (e.s0 * e.s0 / e.R) * (2 * e.mu + e.s0 * T / (2 * e.R)); };
  expect_members(
      run, "final speed",
      [&](std::size_t m) { return std::hypot(run.observed("final.vx", m), run.observed("final.vy", m)); },
      [&](std::size_t m) {
        return Expected{exact[m].speed, speed_slack(exact[m])};
      });
  expect_observable(run, "speed_error", [&](std::size_t m) { return Expected{0, speed_slack(exact[m])}; });
  // the same loss integrated over time, and a radius that grows: h s^3 T^2 / (4 R^3) each
  expect_members(
      run, "final angle",
      [&](std::size_t m) { return std::atan2(run.observed("final.x", m), -run.observed("final.y", m)); },
      [&](std::size_t m) {
        const Exact& e = exact[m];
        const double wrapped = std::remainder(e.angle, 2 * pi);
        const double got = std::atan2(run.observed("final.x", m), -run.observed("final.y", m));
        // the same angle, on the side of what was got
        const double nearest = got + std::remainder(wrapped - got, 2 * pi);
        return Expected{nearest, h * (e.s0 / e.R) * (2 + e.s0 * e.s0 * T * T / (2 * e.R * e.R))};
      });
  expect_observable(run, "angle_error", [&](std::size_t m) {
    const Exact& e = exact[m];
    return Expected{0, h * (e.s0 / e.R) * (2 + e.s0 * e.s0 * T * T / (2 * e.R * e.R))};
  });
  // (P9) the radius drifts by what the tangents leave, no less and no more, but for the next order
  expect_members(
      run, "final radius",
      [&](std::size_t m) { return std::hypot(run.observed("final.x", m), run.observed("final.y", m)); },
      [&](std::size_t m) {
        return Expected{exact[m].R + h * exact[m].growth, 0.1 * h * exact[m].growth};
      });
  expect_observable(run, "drift", [&](std::size_t) { return Expected{h, 0.1 * h}; });
}

class VariableFriction : public OnExecutor {};
ON_EVERY_EXECUTOR(VariableFriction);
TEST_P(VariableFriction, StopsWhereFrictionHasEatenTheEnergy) {
  const SampleRun run("variable_friction", backend(), 200);
  expect_all_fine(run);
  const double h = run.h();
  const auto place = [&](std::size_t m) {
    // work g (mu0 x + mu1 x^2 / 2) = s0^2 / 2, by bisection
    const double g = run.parameter("g", m), mu0 = run.parameter("mu0", m), mu1 = run.parameter("mu1", m),
                 energy = std::pow(run.parameter("s0", m), 2) / 2;
    double lower = 0, upper = 100;
    for (int i = 0; i < 100; ++i) {
      const double x = (lower + upper) / 2;
      (g * (mu0 * x + mu1 * x * x / 2) < energy ? lower : upper) = x;
    }
    return lower;
  };
  // half a step at speed s0 is missing at the start, and friction is that of the step's beginning
  expect_observable(run, "final.x", [&](std::size_t m) { return Expected{place(m), run.parameter("s0", m) * h}; });
  expect_observable(run, "reach", [&](std::size_t m) { return Expected{run.observed("final.x", m), 0}; });
  expect_observable(run, "place_error", [&](std::size_t m) {
    return Expected{run.observed("final.x", m) - place(m), rounding};
  });
  // one step of the strongest friction at the highest speed
  expect_observable(run, "energy_error", [&](std::size_t m) {
    return Expected{0, run.parameter("g", m) * (run.parameter("mu0", m) + run.parameter("mu1", m) * place(m)) *
                           run.parameter("s0", m) * h};
  });
  expect_observable(run, "final.vx", [&](std::size_t) { return Expected{0, 0}; });
}

class StaticDynamicFriction : public OnExecutor {};
ON_EVERY_EXECUTOR(StaticDynamicFriction);
TEST_P(StaticDynamicFriction, SticksAndSlipsInTheClassicalCycle) {
  const SampleRun run("static_dynamic_friction", backend(), 100);
  expect_all_fine(run);
  const double h = run.h();
  struct Exact {
    double loading;             // k V, growth of the pull while it sticks
    double first, slip, stick;  // times
    double lowest;              // pull
  };
  std::vector<Exact> exact;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double g = run.parameter("g", m), k = run.parameter("k", m), V = run.parameter("V", m);
    const double hold = g * std::tan(run.parameter("alpha_s", m)), drag = g * std::tan(run.parameter("alpha_d", m));
    const double w = std::sqrt(k), D = (hold - drag) / k;
    exact.push_back(
        {k * V, hold / (k * V), 2 / w * (pi - std::atan(D * w / V)), 2 * D / V, drag - std::hypot(k * D, w * V)});
  }
  // the first node at which the pull is larger than friction, exactly
  for (std::size_t m = 0; m < run.members(); ++m) {
    EXPECT_GT(run.observed("first_slip", m), exact[m].first) << "member " << m;
    EXPECT_LE(run.observed("first_slip", m), exact[m].first + h * (1 + rounding)) << "member " << m;
    EXPECT_GT(run.observed("pull_error", m), 0) << "member " << m;
    EXPECT_LE(run.observed("pull_error", m), exact[m].loading * h * (1 + rounding)) << "member " << m;
  }
  // late by a step at the departure, and by the two steps that it takes to move by eps
  expect_observable(run, "low_error", [&](std::size_t m) { return Expected{0, 4 * exact[m].loading * h}; });

  // departures and arrivals, node by node: each slip may be late by four steps
  std::vector<std::size_t> some;
  for (std::size_t m = 0; m < run.members(); m += 10) some.push_back(m);
  const auto seen = run.see(some);
  for (std::size_t k = 0; k < some.size(); ++k) {
    const std::size_t m = some[k];
    std::vector<double> departures, arrivals;
    bool moved = false;
    for (const SeenNode& node : seen[k].nodes) {
      const bool moves = node.v[0] != 0;
      if (moves != moved) (moves ? departures : arrivals).push_back(node.t);
      moved = moves;
    }
    ASSERT_GE(arrivals.size(), 1U) << "member " << m;
    EXPECT_EQ(static_cast<double>(departures.size()), run.observed("slips", m));
    const Exact& e = exact[m];
    for (std::size_t n = 0; n < departures.size(); ++n) {
      const double start = e.first + static_cast<double>(n) * (e.slip + e.stick);
      const double slack = 4 * h * static_cast<double>(2 * n + 1);
      EXPECT_NEAR(departures[n], start, slack) << "member " << m << ", slip " << n;
      if (n < arrivals.size()) {
        EXPECT_NEAR(arrivals[n], start + e.slip, slack) << "member " << m << ", slip " << n;
      }
    }
    const auto cycles = std::floor((run.end() - e.first) / (e.slip + e.stick)) + 1;
    EXPECT_NEAR(run.observed("slips", m), cycles,
                std::fabs(std::remainder(run.end() - e.first, e.slip + e.stick)) < 0.05 ? 1 : 0)
        << "member " << m;
  }
}

}  // namespace
}  // namespace conesweep::test
