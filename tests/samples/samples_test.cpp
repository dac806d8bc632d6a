// Every sample against its exact answer, member by member. The answers are written here once more and not taken from
// the expressions in the files; each tolerance is a stated constant times the step, with its reason beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "samples/delayed_slider.hpp"
#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

namespace fs = std::filesystem;
using std::numbers::pi;

// ---- one test suite a sample, named after its file; on every executor ----

class Slider : public OnExecutor {};
ON_EVERY_EXECUTOR(Slider);
TEST_P(Slider, FollowsTheMethodOfSteps) {
  const SampleRun run("slider", backend(), 400);
  expect_all_fine(run);
  const double h = run.h();
  std::vector<DelayedSlider> exact;
  for (std::size_t m = 0; m < run.members(); ++m)
    exact.emplace_back(
        DelayedSlider::Data{run.parameter("g", m), run.parameter("k", m), run.parameter("target", m),
                            run.parameter("tau", m), std::tan(run.parameter("alpha", m)), run.parameter("v0", m)},
        run.end());

  // Half a step of lateness, h |v| / 2, which swings that grow carry along: with k tau <= 1.6 and T = 4 the worst of
  // these members is off by 1.1 h (1 + top speed); twice that is allowed, and for the velocity sqrt(k) = 2 times as
  // much again.
  const auto slack = [&](std::size_t m) { return 2 * h * (1 + exact[m].top_speed()); };
  expect_observable(run, "reach", [&](std::size_t m) { return Expected{exact[m].reach(), slack(m)}; });
  expect_observable(run, "final.x", [&](std::size_t m) { return Expected{exact[m].position(), slack(m)}; });
  expect_observable(run, "final.vx", [&](std::size_t m) { return Expected{exact[m].velocity(), 4 * slack(m)}; });

  // A member that only just sticks or only just goes on may decide otherwise than the exact one: one in a hundred may.
  expect_observable(
      run, "settled",
      [&](std::size_t m) {
        return Expected{exact[m].last_moved(), 10 * h};
      },
      run.members() / 100);

  // friction holds what rests
  expect_observable(run, "hold", [&](std::size_t) { return Expected{0.5, 0.5 + rounding}; });
  expect_observable(run, "penetration", [&](std::size_t) { return Expected{0, 0}; });
}

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

class DelayedFeedback : public OnExecutor {};
ON_EVERY_EXECUTOR(DelayedFeedback);
TEST_P(DelayedFeedback, FollowsTheMethodOfSteps) {
  const SampleRun run("delayed_feedback", backend(), 200);
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  const auto place = [&](std::size_t m, double t) {
    const double k = run.parameter("k", m), tau = run.parameter("tau", m);
    double sum = 1, factorial = 1;
    for (int n = 1; t - (n - 1) * tau > 0; ++n) {
      factorial *= 2 * n * (2 * n - 1);
      sum += std::pow(-k, n) * std::pow(t - (n - 1) * tau, 2 * n) / factorial;
    }
    return sum;
  };
  // half a step ahead, h |x'| / 2, and |x'| <= 2 k T while k T^2 <= 16
  expect_observable(run, "final.x", [&](std::size_t m) {
    return Expected{place(m, T), run.parameter("k", m) * T * h};
  });
  expect_observable(run, "error", [&](std::size_t m) { return Expected{0, run.parameter("k", m) * T * h}; });
  expect_observable(run, "lowest", [&](std::size_t m) {
    double lowest = 1;
    for (int i = 0; i <= 2000; ++i) lowest = std::min(lowest, place(m, T * i / 2000));
    return Expected{lowest, run.parameter("k", m) * T * h};
  });
  expect_observable(run, "flight_time", [&](std::size_t) { return Expected{T, rounding}; });
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

class BouncingBall : public OnExecutor {};
ON_EVERY_EXECUTOR(BouncingBall);
TEST_P(BouncingBall, ComesToRestAfterInfinitelyManyBounces) {
  const SampleRun run("bouncing_ball", backend());
  expect_all_fine(run);
  const double h = run.h();
  const auto share = [&](std::size_t m) { return run.parameter("e", m); };
  // impacts of speed 2 e^n, each late by up to a step: 2 h sum e^n
  expect_observable(run, "path", [&](std::size_t m) {
    const double e = share(m);
    return Expected{(1 + e * e) / (1 - e * e), 2 * h / (1 - e)};
  });
  expect_observable(run, "path_error", [&](std::size_t m) {
    const double e = share(m);
    return Expected{run.observed("path", m) - (1 + e * e) / (1 - e * e), rounding};
  });
  // slower than 0.01 at most 0.01 / (1 - e) before the end; every bounce may be late by a step
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double end = 1 + 2 * share(m) / (1 - share(m));
    EXPECT_LE(run.observed("rest", m), end + 20 * h) << "member " << m;
    EXPECT_GE(run.observed("rest", m), end - 0.01 / (1 - share(m)) - 20 * h) << "member " << m;
  }
  expect_observable(run, "final.vx", [&](std::size_t) { return Expected{0, 0}; });
  // the energy f H = 2, from the place where it started to the place where it rests
  expect_observable(run, "dissipated", [&](std::size_t m) {
    return Expected{2 * (1 - run.observed("final.x", m)), rounding};
  });

  // e = 1/2: impacts at 1, 2, 2 1/2, …; the n-th may be late by n steps
  std::size_t half = run.members();
  for (std::size_t m = 0; m < run.members(); ++m)
    if (std::fabs(share(m) - 0.5) < 1e-12) half = m;
  ASSERT_LT(half, run.members());
  std::vector<double> impacts;
  bool touched = false;
  const auto ball = run.see({half});
  for (const SeenNode& node : ball.front().nodes) {
    // (O3), the force is 2
    if (node.touches() && !touched && std::fabs(node.v_before[0]) > 10 * h * 2) impacts.push_back(node.t);
    touched = node.touches();
  }
  ASSERT_GE(impacts.size(), 6U);
  for (std::size_t n = 0; n < 6; ++n)
    EXPECT_NEAR(impacts[n], 3 - 2 * std::pow(0.5, n), h * static_cast<double>(n + 1)) << "impact " << n;
}

class BlowUp : public OnExecutor {};
ON_EVERY_EXECUTOR(BlowUp);
TEST_P(BlowUp, EndsWhereTheSpeedBecomesInfinite) {
  const SampleRun run("blow_up", backend());
  const double h = run.h(), T = run.end();
  std::size_t stopped = 0;
  bool met_one = false;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double v0 = run.parameter("v0", m), blow_up = 1 / v0;
    // 1/v falls by h - h^2 v a step: late by h^2 sum v = -h ln(v0 h), and by a few steps in which the speed squares
    // itself to infinity
    const double lateness = h * (10 - std::log(v0 * h));
    if (run.status(m) == executor::Status::ok) {
      EXPECT_GT(blow_up + lateness, T) << "member " << m << " should have stopped, v0 = " << v0;
      // the lateness h ln(1 / (1 - v0 T)) of 1/v, seen in q' = v
      const double left = 1 - v0 * T;
      if (left < 0.05) continue;
      const double exact = -std::log(left);
      EXPECT_NEAR(run.observed("final.q", m), exact, h * v0 * (1 + exact) / left) << "member " << m;
      EXPECT_NEAR(run.observed("error", m), run.observed("final.q", m) - exact, rounding) << "member " << m;
      continue;
    }
    ++stopped;
    EXPECT_EQ(to_name(run.status(m)), "non_finite") << "member " << m;
    EXPECT_GE(run.stop_time(m), blow_up) << "member " << m << ", v0 = " << v0;
    EXPECT_LE(run.stop_time(m), blow_up + lateness) << "member " << m << ", v0 = " << v0;
    EXPECT_TRUE(std::isnan(run.observed("final.q", m))) << "member " << m;
    if (std::fabs(v0 - 1) < 1e-12) met_one = true;
  }
  EXPECT_TRUE(met_one) << "the case of the paper, v0 = 1, is not among the members";
  EXPECT_EQ(stopped, 133U);
}

class Corridor : public OnExecutor {};
ON_EVERY_EXECUTOR(Corridor);
TEST_P(Corridor, KeepsItsLawFromWallToWall) {
  const SampleRun run("corridor", backend(), 200);
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  std::size_t checked = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double W = run.parameter("W", m), s = run.parameter("s", m), e = run.parameter("e", m),
                 mu = run.parameter("mu", m);
    double along = run.parameter("u", m), across = s, t = W / 2 / s, x = along * t, y = W / 2;
    int impacts = 0;
    double previous = 0;
    while (t < T) {
      ++impacts;
      along = std::max(0.0, along - mu * (1 + e) * std::fabs(across));
      across *= -e;
      previous = t;
      t += W / std::fabs(across);
      x += along * (t - previous);
      y = -y;
    }
    // an impact that falls on the last steps may come or not
    if (t - T < 10 * h || T - previous < 10 * h) continue;
    ++checked;
    x -= along * (t - T);
    y -= across * (t - T);
    EXPECT_EQ(run.observed("impacts", m), impacts) << "member " << m;
    // no force: velocities are exact to rounding
    EXPECT_NEAR(run.observed("final.vx", m), along, 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("final.vy", m), across, 1e-12) << "member " << m;
    // each impact is late by up to a step, at the speed it had
    EXPECT_NEAR(run.observed("final.x", m), x, h * impacts * run.parameter("u", m)) << "member " << m;
    EXPECT_NEAR(run.observed("final.y", m), y, h * impacts * s) << "member " << m;
  }
  EXPECT_GT(checked, run.members() * 9 / 10);
  expect_observable(run, "law", [&](std::size_t) { return Expected{0, 1e-12}; });
}

class RandomPast : public OnExecutor {};
ON_EVERY_EXECUTOR(RandomPast);
TEST_P(RandomPast, IsFeltThroughTheDelayAlone) {
  const SampleRun run("random_past", backend(), 512);
  expect_all_fine(run);
  const double h = run.h();
  struct Exact {
    double landing, grip, force, push, gone, slack;
    bool flies, slides;  // through all of [0, tau]: in the air, or forward on the floor from the landing on
  };
  std::vector<Exact> exact;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const auto p = [&](const char* name) { return run.parameter(name, m); };
    const double k = p("k"), A = p("A"), w = p("w"), tau = p("tau"), u = p("u"), psi = p("phi") - w * tau;
    const double pull = p("target") - p("x0") + A * std::cos(p("phi"));
    Exact e{};
    e.landing = std::sqrt(2 * p("H") / p("g"));
    e.grip = p("g") * std::tan(p("alpha"));
    e.force = k * (std::fabs(p("target") - p("x0")) + 2 * A);  // the largest
    const auto speed_in_air = [&](double t) {
      return u + k * (pull * t - A * (std::sin(w * t + psi) - std::sin(psi)) / w);
    };
    e.push = speed_in_air(tau) - u;
    e.gone = u * tau + k * (pull * tau * tau / 2 -
                            A * ((std::cos(psi) - std::cos(w * tau + psi)) / (w * w) - tau * std::sin(psi) / w));
    e.flies = e.landing > tau + h;
    e.slides = e.landing <= tau;
    if (e.slides) e.gone -= e.grip * (tau * tau - e.landing * e.landing) / 2;
    for (int i = 0; i <= 1000; ++i)
      if (const double t = e.landing + i * (tau - e.landing) / 1000;
          t <= tau && speed_in_air(t) - e.grip * t < 3 * h * (e.force + e.grip))
        e.slides = false;
    // velocities are those of the step's end and the landing is up to a step late (speeds off by h (F + grip), for a
    // time tau); the last step is cut by tau
    e.slack = h * (2 * tau * (e.force + e.grip) + u + tau * e.force);
    exact.push_back(e);
  }
  // the floor is met at the next node: at most a step late
  expect_observable(run, "first_contact", [&](std::size_t m) {
    return Expected{exact[m].landing, h * (1 + rounding)};
  });
  // a sum over steps: off by h times the variation of the force, and a last step that tau cuts
  expect_observable(run, "push", [&](std::size_t m) {
    return Expected{exact[m].push, h * (exact[m].force + run.parameter("k", m) * run.parameter("A", m) *
                                                             run.parameter("w", m) * run.parameter("tau", m))};
  });
  // half a step ahead: at most h tau F
  expect_observable(run, "air_error", [&](std::size_t m) {
    return Expected{0, h * run.parameter("tau", m) * exact[m].force};
  });
  // the impact takes off what friction would have taken
  std::size_t flown = 0, slid = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    flown += exact[m].flies ? 1 : 0;
    slid += exact[m].slides ? 1 : 0;
    if (exact[m].flies || exact[m].slides) {
      EXPECT_NEAR(run.observed("gone", m), exact[m].gone, exact[m].slack) << "member " << m;
    }
  }
  EXPECT_GT(flown, run.members() / 50);
  EXPECT_GT(slid, run.members() / 2);
  // friction holds what rests
  expect_observable(run, "hold", [&](std::size_t) { return Expected{0.5, 0.5 + rounding}; });
}

// ---- all of them ----

// falling_slider.toml -> FallingSlider
std::string suite_of(const fs::path& file) {
  std::string name;
  bool start = true;
  for (const char c : file.stem().string()) {
    if (c != '_') name += start ? static_cast<char>(std::toupper(c)) : c;
    start = c == '_';
  }
  return name;
}

TEST(AllSamples, EachHasATestAndAnExplanation) {
  std::set<std::string> suites;
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int i = 0; i < tests.total_test_suite_count(); ++i) suites.insert(tests.GetTestSuite(i)->name());
  int files = 0;
  for (const auto& entry : fs::directory_iterator(samples_folder)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    EXPECT_TRUE(suites.contains("On/" + suite_of(entry.path())))
        << entry.path().filename() << " has no test: write TEST_P(" << suite_of(entry.path()) << ", …)";
    const std::string text = scenario::load_source(entry.path()).text;
    EXPECT_TRUE(text.starts_with("# ")) << entry.path().filename()
                                        << " does not begin with a comment that says what it is";
    EXPECT_NE(text.find("# Exact"), std::string::npos) << entry.path().filename() << " does not say its exact answer";
  }
  EXPECT_GE(files, 11);
}

TEST(AllSamples, StandInTheGallery) {
  const std::string gallery = scenario::load_source(samples_folder / "README.md").text;
  for (const auto& entry : fs::directory_iterator(samples_folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string command = "conesweep run samples/" + entry.path().filename().string();
    EXPECT_NE(gallery.find(command), std::string::npos) << "samples/README.md lacks '" << command << "'";
  }
}

}  // namespace
}  // namespace conesweep::test
