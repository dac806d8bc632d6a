// The smaller systems of Ballard 2002: motions that are not unique or do not go on, friction on bilateral constraints,
// rolling with impacts.
#include <numbers>

#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

using std::numbers::pi;

class Counterexample1 : public OnExecutor {};
ON_EVERY_EXECUTOR(Counterexample1);
TEST_P(Counterexample1, StaysAtZeroOrLeavesItLikeTheCubeOfTime) {
  const SampleRun run("counterexample_1", backend());
  expect_all_fine(run);
  const double head_start = std::sqrt(2) * std::pow(pi, 1.5) / std::pow(std::tgamma(0.25), 2);
  std::size_t left = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    if (run.parameter("on", m) == 0) {
      EXPECT_EQ(run.observed("final.q", m), 0) << "member " << m;
      continue;
    }
    ++left;
    // as time goes: half a step for the scheme, and as much to get away from where the force has no derivative
    const double exact = run.end() + head_start * std::cbrt(run.parameter("eps", m));
    EXPECT_NEAR(std::cbrt(run.observed("final.q", m)), exact, run.h()) << "member " << m;
    EXPECT_NEAR(run.observed("lateness", m), exact - std::cbrt(run.observed("final.q", m)), 1e-7) << "member " << m;
  }
  EXPECT_EQ(left, 10U);
}

class Counterexample3 : public OnExecutor {};
ON_EVERY_EXECUTOR(Counterexample3);
TEST_P(Counterexample3, StopsWhereBothConstraintsSayTheSame) {
  const SampleRun run("counterexample_3", backend());
  const double h = run.h();
  std::size_t stopped = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    if (run.parameter("short", m) == 0) {
      ++stopped;
      EXPECT_EQ(to_name(run.status(m)), "dependent_constraints") << "member " << m;
      EXPECT_EQ(run.stop_time(m), 0) << "member " << m;
      continue;
    }
    ASSERT_EQ(to_name(run.status(m)), "ok") << "member " << m;
    // the pendulum m (c^2 + l^2/12) psi'' = F c cos(psi - direction), by the leapfrog in steps far smaller than h
    const double R = run.parameter("R", m), l = 2 * R * (1 - run.parameter("short", m)),
                 c = std::sqrt(R * R - l * l / 4);
    const double rate = run.parameter("F", m) * c / (run.parameter("m", m) * (c * c + l * l / 12)),
                 direction = run.parameter("direction", m);
    double angle = 0, speed = 0;
    constexpr int steps = 100000;
    const double dt = run.end() / steps;
    for (int i = 0; i < steps; ++i) {
      angle += dt / 2 * speed;
      speed += dt * rate * std::cos(angle - direction);
      angle += dt / 2 * speed;
    }
    // half a step ahead, and what a tangent step costs on a curve: h |psi'|^3 / 2 per unit of time, |psi'| at most 3
    EXPECT_NEAR(run.observed("final.theta", m), angle, 10 * h) << "member " << m;
    EXPECT_NEAR(run.observed("final.vtheta", m), speed, 20 * h) << "member " << m;
    EXPECT_NEAR(run.observed("final.x", m), c * std::sin(run.observed("final.theta", m)), 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("energy_error", m), 0, 4 * h) << "member " << m;
  }
  EXPECT_EQ(stopped, 8U);
}

class Counterexample7 : public OnExecutor {};
ON_EVERY_EXECUTOR(Counterexample7);
TEST_P(Counterexample7, RestsOrBouncesFromHoweverSmallAStart) {
  const SampleRun run("counterexample_7", backend());
  expect_all_fine(run);
  ASSERT_EQ(run.members(), 14U);
  std::vector<std::size_t> all;
  for (std::size_t m = 0; m < run.members(); ++m) all.push_back(m);
  const auto seen = run.see(all);
  std::size_t bounced = 0;
  for (const std::size_t m : all) {
    const bool bounces = run.parameter("on", m) == 1;
    const int bumps = static_cast<int>(run.parameter("n", m));
    EXPECT_EQ(run.observed("impacts", m), bounces ? bumps : 0) << "member " << m;
    if (!bounces) {
      for (const SeenNode& node : seen[m].nodes) ASSERT_EQ(node.q[0], 0) << "member " << m << ", t = " << node.t;
      continue;
    }
    ++bounced;
    // -1/(k + 3)! after the impact at b_k, found as the last node before the bump of k - 1 begins
    double end = 0;
    EXPECT_NEAR(seen[m].nodes[0].v[0], -1 / std::tgamma(bumps + 4), 1e-15) << "member " << m;
    for (int k = bumps - 1; k >= 0; --k) {
      end += std::pow(k + 5, 2) / ((k + 1) * (k + 2) * (k + 3) * (k + 4));
      const auto node = static_cast<std::size_t>(std::ceil(end / run.h())) + 2;
      EXPECT_NEAR(seen[m].nodes[node].v[0], -1 / std::tgamma(k + 4), 1e-9) << "member " << m << ", k = " << k;
    }
    EXPECT_NEAR(run.observed("speed_error", m), 0, 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("final.q", m), -(run.end() - end) / 6, 2 * run.h() / 6) << "member " << m;
  }
  EXPECT_EQ(bounced, 7U);
}

class FadingBounce : public OnExecutor {};
ON_EVERY_EXECUTOR(FadingBounce);
TEST_P(FadingBounce, AddsUpWhatEveryImpactTakes) {
  const SampleRun run("fading_bounce", backend());
  expect_all_fine(run);
  std::size_t checked = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    // impacts one after another, each turning the speed v into v / (1 + a v)
    double x = 0, v = run.parameter("v0", m), t = 0, sum = 0;
    int impacts = 0;
    bool late = false;
    for (;;) {
      const double next = t + ((v > 0 ? 1 : -1) - x) / v;
      late = late || std::fabs(next - run.end()) < 20 * run.h();
      if (next > run.end()) break;
      const double a = run.parameter(v > 0 ? "a_right" : "a_left", m);
      x = v > 0 ? 1 : -1, t = next;
      v = -v / (1 + a * std::fabs(v)), sum += a;
      ++impacts;
    }
    if (late) continue;
    ++checked;
    EXPECT_EQ(run.observed("impacts", m), impacts) << "member " << m;
    EXPECT_NEAR(run.observed("final.vx", m), v, 1e-13) << "member " << m;
    EXPECT_NEAR(run.observed("slow_down", m), sum, 1e-13) << "member " << m;
    // late by up to a step at each impact, and thrown back from behind the wall
    EXPECT_NEAR(run.observed("final.x", m), x + v * (run.end() - t), 2 * run.h() * impacts * run.parameter("v0", m))
        << "member " << m;
  }
  EXPECT_GT(checked, run.members() * 3 / 4);
}

// [Ballard2002], Counter-example 6: with e = 2 the motion of bouncing_ball runs backwards, out of rest, and is not
// unique. It is not accepted.
TEST(Counterexample6, RefusesARestitutionAboveOne) {
  scenario::Source source = scenario::load_source(samples_folder / "bouncing_ball.toml");
  const std::string was = "restitution = \"e\"";
  ASSERT_NE(source.text.find(was), std::string::npos);
  source.text.replace(source.text.find(was), was.size(), "restitution = \"2\"");
  const auto examined = scenario::examine(source, {});
  EXPECT_FALSE(examined.is_valid());
  ASSERT_EQ(examined.problems.size(), 1U);
  EXPECT_EQ(examined.problems[0].message, "restitution is 2; allowed: 0 <= restitution <= 1");
}

class RoughSurface : public OnExecutor {};
ON_EVERY_EXECUTOR(RoughSurface);
TEST_P(RoughSurface, FollowsAGeodesicAndSlowsDownByWhatItHasTurned) {
  const SampleRun run("rough_surface", backend());
  expect_all_fine(run);
  const double h = run.h();
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double height = run.parameter("height", m), k = run.parameter("k", m), mu = run.parameter("mu", m),
                 v0 = run.parameter("v0", m), beta = run.parameter("beta", m);
    // along x until the time is over: arc length, angle turned, time
    const auto slope_at = [&](double x) { return height * k * std::cos(k * x); };
    constexpr double dx = 1e-5;
    double x = 0, arc = 0, turned = 0, t = 0, speed = v0;
    while (t < run.end()) {
      const double piece = dx * std::sqrt(1 + std::pow(slope_at(x + dx / 2), 2));
      turned += std::fabs(std::atan(slope_at(x + dx)) - std::atan(slope_at(x)));
      x += dx, arc += piece, t += piece / (speed * std::cos(beta));
      speed = v0 * std::exp(-mu * std::cos(beta) * turned);
    }
    // friction is that of the step's beginning, and a tangent step on a curve loses h kappa^2 v^3 / 2: kappa at
    // most 1.2, v at most 1.5, for a time of 2
    const double slack = 6 * h;
    EXPECT_NEAR(run.observed("final.x", m), x, slack) << "member " << m;
    EXPECT_NEAR(run.observed("final.y", m), arc * std::tan(beta), slack) << "member " << m;
    EXPECT_NEAR(std::hypot(run.observed("final.vx", m), run.observed("final.vy", m), run.observed("final.vz", m)),
                speed, slack)
        << "member " << m;
  }
  expect_observable(run, "direction_error", [&](std::size_t) { return Expected{0, h}; });
  expect_observable(run, "off", [](std::size_t) { return Expected{0, 1e-14}; });
}

class FourLeggedTable : public OnExecutor {};
ON_EVERY_EXECUTOR(FourLeggedTable);
TEST_P(FourLeggedTable, RestsOnADiskOfForces) {
  const SampleRun run("four_legged_table", backend());
  expect_all_fine(run);
  const double T = run.end();
  std::size_t rests = 0;
  struct Exact {
    double push, left;  // (F, Gamma / r), and the share of it that friction leaves
  };
  const auto exact = [&](std::size_t m) {
    const double push = std::hypot(run.parameter("F", m), run.parameter("Gamma", m) / run.parameter("r", m));
    return Exact{push,
                 std::max(0.0, 1 - run.parameter("mu", m) * run.parameter("M", m) * run.parameter("g", m) / push)};
  };
  for (std::size_t m = 0; m < run.members(); ++m) rests += exact(m).left == 0 ? 1 : 0;
  expect_observable(run, "moved", [&](std::size_t m) { return Expected{exact(m).left > 0 ? 1.0 : 0.0, 0}; });
  expect_observable(run, "final.vx", [&](std::size_t m) {
    return Expected{
        exact(m).left * run.parameter("F", m) * std::cos(run.parameter("direction", m)) * T / run.parameter("M", m),
        rounding};
  });
  expect_observable(run, "final.vy", [&](std::size_t m) {
    return Expected{
        exact(m).left * run.parameter("F", m) * std::sin(run.parameter("direction", m)) * T / run.parameter("M", m),
        rounding};
  });
  expect_observable(run, "final.vpsi", [&](std::size_t m) {
    return Expected{
        exact(m).left * run.parameter("Gamma", m) * T / (run.parameter("M", m) * std::pow(run.parameter("r", m), 2)),
        rounding};
  });
  for (const char* held : {"final.z", "final.a", "final.b"})
    expect_observable(run, held, [](std::size_t) { return Expected{0, 0}; });
  EXPECT_GT(rests, run.members() / 5);
  EXPECT_LT(rests, run.members() / 2);
}

class RoughBar : public OnExecutor {};
ON_EVERY_EXECUTOR(RoughBar);
TEST_P(RoughBar, TellsWhereCoulombsSetIsConvex) {
  const SampleRun run("rough_bar", backend());
  expect_all_fine(run);
  std::size_t convex = 0, paradox = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double s = std::sin(run.parameter("theta0", m)), c = std::cos(run.parameter("theta0", m)),
                 mu = run.parameter("mu", m);
    const double margin = 4 - 3 * s * s - 3 * mu * std::fabs(s * c), exact = margin / (4 - 3 * s * s);
    // the bar turns by 6 (g/L) t^2 at most in the four steps
    EXPECT_NEAR(run.observed("painleve", m), exact, 1e-4) << "member " << m;
    if (std::fabs(exact) < 1e-3) continue;
    ++(margin > 0 ? convex : paradox);
    EXPECT_EQ(run.observed("painleve", m) > 0, margin > 0) << "member " << m;
    if (mu < 4. / 3) {
      EXPECT_GT(run.observed("painleve", m), 0) << "member " << m;
    }
  }
  EXPECT_GT(convex, run.members() / 2);
  EXPECT_GT(paradox, 20U);
}

class RoughBarHeld : public OnExecutor {};
ON_EVERY_EXECUTOR(RoughBarHeld);
TEST_P(RoughBarHeld, StaysOrSlidesByTheOneAnswerOfItsLaw) {
  const SampleRun run("rough_bar_held", backend());
  expect_all_fine(run);
  std::size_t stays = 0, slides = 0, unlike_coulomb = 0, steep = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double g = 9.81, s = std::sin(run.parameter("theta0", m)), c = std::cos(run.parameter("theta0", m)),
                 mu = run.parameter("mu", m), q = 1 + 3 * c * c;
    EXPECT_NEAR(run.observed("load", m), g / q, 1e-12) << "member " << m;
    const double needed = 3 * s * c * q / 4;
    if (std::fabs(mu - needed) < 1e-4) continue;
    ++(mu > needed ? stays : slides);
    unlike_coulomb += (mu > needed) != (mu > 3 * s * c / (1 + 3 * s * s));
    steep += mu > 4. / 3;
    // the bar turns by 6 (g/L) t^2 at most in the four steps
    const double slide = mu > needed ? 0 : (3 * g * s * c / q - 4 * mu * g / (q * q)) * run.end();
    EXPECT_NEAR(run.observed("slide", m), slide, mu > needed ? 1e-15 : 4e-8) << "member " << m;
  }
  EXPECT_GT(stays, 100U);
  EXPECT_GT(slides, 30U);
  EXPECT_GE(unlike_coulomb, 5U);
  EXPECT_GT(steep, 100U) << "where Coulomb's law may have no or several answers";
}

class RoughBarGuided : public OnExecutor {};
ON_EVERY_EXECUTOR(RoughBarGuided);
TEST_P(RoughBarGuided, IsHarderToPushIntoTheFloor) {
  const SampleRun run("rough_bar_guided", backend());
  expect_all_fine(run);
  std::size_t right = 0, leftwards = 0, locked = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double M = run.parameter("M", m), N = M * run.parameter("g", m) / 2,
                 c = std::tan(run.parameter("theta0", m)) / 2, mu = run.parameter("mu", m), F = run.parameter("F", m);
    double force = 0;
    if (F > 0) force = std::max(0.0, F - mu * N / (1 + mu * c));
    if (F < 0 && mu * c < 1) force = std::min(0.0, F + mu * N / (1 - mu * c));
    right += force > 0 ? 1 : 0, leftwards += force < 0 ? 1 : 0, locked += F < 0 && mu * c >= 1 ? 1 : 0;
    EXPECT_NEAR(run.observed("speed", m), force * run.end() / M, rounding)
        << "member " << m << ": F = " << F << ", mu = " << mu;
  }
  expect_observable(run, "turn", [](std::size_t) { return Expected{0, 1e-14}; });
  EXPECT_GT(right, 20U);
  EXPECT_GT(leftwards, 10U);
  EXPECT_GT(locked, 5U);
}

class Billiard : public OnExecutor {};
ON_EVERY_EXECUTOR(Billiard);
TEST_P(Billiard, BouncesWithSevenFifthsOfItsMass) {
  const SampleRun run("billiard", backend());
  expect_all_fine(run);
  const double h = run.h(), T = run.end();
  std::size_t checked = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double R = run.parameter("R", m), e = run.parameter("e", m);
    int impacts = 0;
    double speeds = 0;
    bool late = false;
    // one direction does not know of the other
    const auto bounce = [&](double x, double v, double length) {
      for (double t = 0;;) {
        const double next = t + ((v > 0 ? length - R : R) - x) / v;
        late = late || std::fabs(next - T) < 20 * h;
        if (next > T) return std::pair{x + v * (T - t), v};
        x = v > 0 ? length - R : R, t = next;
        ++impacts, speeds += std::fabs(v), v *= -e;
      }
    };
    const auto [x, vx] = bounce(run.parameter("W", m) / 4, run.parameter("u", m), run.parameter("W", m));
    const auto [y, vy] = bounce(run.parameter("H", m) / 2, run.parameter("v", m), run.parameter("H", m));
    if (late) continue;
    ++checked;
    EXPECT_EQ(run.observed("impacts", m), impacts) << "member " << m;
    EXPECT_NEAR(run.observed("final.vx", m), vx, 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("final.vy", m), vy, 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("impulse", m), 1.4 * run.parameter("M", m) * (1 + e) * speeds, 1e-12) << "member " << m;
    EXPECT_NEAR(run.observed("final.x", m), x, 2 * h * impacts * run.parameter("u", m)) << "member " << m;
    EXPECT_NEAR(run.observed("final.y", m), y, 2 * h * impacts * run.parameter("v", m)) << "member " << m;
  }
  expect_observable(run, "roll_error", [](std::size_t) { return Expected{0, 1e-14}; });
  EXPECT_GT(checked, run.members() * 3 / 4);
}

class WavyTrack : public OnExecutor {};
ON_EVERY_EXECUTOR(WavyTrack);
TEST_P(WavyTrack, TakesOffFromTheCrestWhereItIsTooFast) {
  const SampleRun run("wavy_track", backend());
  expect_all_fine(run);
  const double h = run.h();
  std::size_t rolls = 0, flies = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const double v0 = run.parameter("v0", m), g = run.parameter("g", m), height = run.parameter("height", m),
                 k = run.parameter("k", m);
    const double speedy = v0 * v0 * height * k * k / g;
    if (std::fabs(speedy - 1) < 0.02) continue;
    if (speedy < 1) {
      ++rolls;
      // on a convex track the scheme leaves it by half a step's fall and comes back
      EXPECT_LE(run.observed("highest", m), 4 * g * h * h) << "member " << m;
      // a tangent step on a curve loses speed by h kappa^2 v^3 / 2 a unit of time (B5); v^2 at the mean height, kappa
      // on the crest
      const double squared = v0 * v0 + g * height * 10 / 7, curvature = height * k * k;
      EXPECT_NEAR(run.observed("energy_error", m), 0, 0.7 * h * std::pow(curvature * squared, 2) * run.end())
          << "member " << m;
      continue;
    }
    ++flies;
    EXPECT_GT(run.observed("highest", m), 1e-4) << "member " << m;
    double landing = 0.05;
    while (height - g * landing * landing / 2 > height * std::cos(k * v0 * landing)) landing += 1e-6;
    // a step late at the crest, one at the landing, which is so flat that a step's fall counts for several
    EXPECT_NEAR(run.observed("landing", m), landing, 10 * h) << "member " << m << ", v0 = " << v0;
  }
  EXPECT_GT(rolls, 10U);
  EXPECT_GT(flies, 5U);
}

}  // namespace
}  // namespace conesweep::test
