// Double pendulums: mass matrices that depend on the angles, against equations of motion written out by hand.
#include "samples/double_pendulum.hpp"
#include "samples/sample_run.hpp"

namespace conesweep::test {
namespace {

DoublePendulum::Data data_of(const SampleRun& run, std::size_t m) {
  const auto p = [&](const char* name) { return run.parameter(name, m); };
  return {p("m1"), p("m2"), p("l1"), p("l2"), p("k1"), p("k2"), p("lam")};
}

// b^2 - 4 a c of a w^4 - b w^2 + c = det(K - w^2 M); c = k1 k2 > 0, so that swings stay small while it and b are
// positive
bool is_stable_at_rest(const DoublePendulum::Data& d) {
  const double m11 = (d.m1 / 3 + d.m2) * d.l1 * d.l1, m12 = d.m2 * d.l1 * d.l2 / 2, m22 = d.m2 * d.l2 * d.l2 / 3,
               push = d.lam * d.l1;
  const double a = m11 * m22 - m12 * m12, b = m11 * d.k2 + m22 * (d.k1 + d.k2 - push) - m12 * (push - 2 * d.k2),
               c = d.k1 * d.k2;
  return b > 0 && b * b > 4 * a * c;
}

class FollowerPendulum : public OnExecutor {};
ON_EVERY_EXECUTOR(FollowerPendulum);
TEST_P(FollowerPendulum, FluttersFromTheCriticalForceOn) {
  const SampleRun run("follower_pendulum", backend());
  expect_all_fine(run);
  const double h = run.h();
  std::size_t stable = 0, flutter = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    DoublePendulum::Data data = data_of(run, m);
    data.eta = run.parameter("eta", m);
    DoublePendulum exact(data, {0.002, -0.001});
    exact.run(run.end(), 4000);
    // half a step of lateness, h |q'| / 2, which a growing swing carries along; quick swings have |q'| up to 10 times
    // |q|
    const double slack = 40 * h * exact.swing();
    EXPECT_NEAR(run.observed("final.q1", m), exact.state().q[0], slack) << "member " << m;
    EXPECT_NEAR(run.observed("final.q2", m), exact.state().q[1], slack) << "member " << m;
    EXPECT_NEAR(run.observed("swing", m), exact.swing(), slack) << "member " << m;
    if (data.eta > 0) continue;
    const bool is_stable = is_stable_at_rest(data);
    ++(is_stable ? stable : flutter);
    if (is_stable) {
      EXPECT_LT(run.observed("swing", m), 0.01) << "member " << m << ", lam = " << data.lam;
    } else {
      EXPECT_GT(run.observed("swing", m), 0.015) << "member " << m << ", lam = " << data.lam;
    }
  }
  EXPECT_GE(stable, 3U);
  EXPECT_GE(flutter, 3U);
}

class PendulumObstacle : public OnExecutor {};
ON_EVERY_EXECUTOR(PendulumObstacle);
TEST_P(PendulumObstacle, BouncesInItsOwnMetric) {
  const SampleRun run("pendulum_obstacle", backend());
  expect_all_fine(run);
  const double h = run.h();
  std::size_t checked = 0, bounced = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    DoublePendulum::Data data = data_of(run, m);
    data.wall = true, data.e = run.parameter("e", m);
    DoublePendulum exact(data, {run.parameter("a1", m), run.parameter("a2", m)});
    exact.run(run.end(), 4000);
    // bounces that die out, or come with the last steps, are another matter
    if (exact.impacts() > 0 && (exact.slowest_impact() < 0.05 || run.end() - exact.last_impact() < 20 * h)) continue;
    ++checked;
    bounced += exact.impacts() > 0 ? 1 : 0;
    EXPECT_EQ(run.observed("impacts", m), exact.impacts()) << "member " << m;
    if (exact.impacts() > 0) {
      EXPECT_NEAR(run.observed("first_contact", m), exact.first_impact(), 2 * h) << "member " << m;
    }
    // each impact is up to a step late, at a speed of at most 3, and what it makes of the speeds goes on
    const double slack = 10 * h * (1 + exact.impacts());
    EXPECT_NEAR(run.observed("final.q1", m), exact.state().q[0], slack) << "member " << m;
    EXPECT_NEAR(run.observed("final.q2", m), exact.state().q[1], slack) << "member " << m;
    EXPECT_NEAR(run.observed("final.vq1", m), exact.state().v[0], 4 * slack) << "member " << m;
    EXPECT_NEAR(run.observed("final.vq2", m), exact.state().v[1], 4 * slack) << "member " << m;
  }
  EXPECT_GT(checked, run.members() / 2);
  EXPECT_GT(bounced, run.members() / 3);
  // (P9) behind the wall by a step of a speed of 3 at most
  for (std::size_t m = 0; m < run.members(); ++m) EXPECT_GE(run.observed("lowest", m), -3 * h) << "member " << m;
}

class PendulumFolded : public OnExecutor {};
ON_EVERY_EXECUTOR(PendulumFolded);
TEST_P(PendulumFolded, StopsWhereTheWallHasNoNormal) {
  const SampleRun run("pendulum_folded", backend());
  const double h = run.h(), quarter = std::acos(0.0);
  std::size_t stopped = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const auto p = [&](const char* name) { return run.parameter(name, m); };
    if (p("s") == 0 && p("l2") == p("l1")) {
      ++stopped;
      EXPECT_EQ(to_name(run.status(m)), "singular_gradient") << "member " << m;
      EXPECT_EQ(run.stop_time(m), 0) << "member " << m;
      continue;
    }
    ASSERT_EQ(to_name(run.status(m)), "ok") << "member " << m;
    DoublePendulum exact({p("m1"), p("m2"), p("l1"), p("l2"), p("k1"), p("k2"), 0, 0, p("e"), true},
                         {quarter, p("s") - quarter});
    exact.run(run.end(), 4000);
    EXPECT_EQ(run.observed("impacts", m), exact.impacts()) << "member " << m;
    // half a step of lateness at speeds of up to 13, for accelerations of up to 40
    EXPECT_NEAR(run.observed("final.u1", m), exact.state().q[0] - quarter, 20 * h) << "member " << m;
    EXPECT_NEAR(run.observed("final.u2", m), exact.state().q[1] + quarter, 20 * h) << "member " << m;
    EXPECT_NEAR(run.observed("final.vu1", m), exact.state().v[0], 100 * h) << "member " << m;
    EXPECT_NEAR(run.observed("final.vu2", m), exact.state().v[1], 100 * h) << "member " << m;
  }
  EXPECT_EQ(stopped, 1U);
}

class PendulumFriction : public OnExecutor {};
ON_EVERY_EXECUTOR(PendulumFriction);
TEST_P(PendulumFriction, ComesToRestWhereFrictionHolds) {
  const SampleRun run("pendulum_friction", backend());
  expect_all_fine(run);
  const double h = run.h();
  std::size_t away = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    const auto p = [&](const char* name) { return run.parameter(name, m); };
    const double q1 = run.observed("final.q1", m), q2 = run.observed("final.q2", m);
    EXPECT_NEAR(run.observed("speed", m), 0, 1e-12) << "member " << m;
    // K + V of the step's ends differ from the work of forces by h times the change of the forces' power
    const double before = (p("k1") * p("a1") * p("a1") + p("k2") * std::pow(p("a1") - p("a2"), 2)) / 2;
    EXPECT_NEAR(run.observed("left", m), (p("k1") * q1 * q1 + p("k2") * (q1 - q2) * (q1 - q2)) / 2, rounding)
        << "member " << m;
    EXPECT_NEAR(run.observed("left", m) + run.observed("dissipated", m), before, 4 * h * before) << "member " << m;
    if (p("l1") * std::sin(q1) < 3 * h || p("l1") * std::sin(q1) + p("l2") * std::sin(q2) < 3 * h) continue;
    ++away;
    EXPECT_LE(std::fabs(p("k1") * q1), p("tau1") * (1 + rounding)) << "member " << m;
    EXPECT_LE(std::fabs(p("k2") * (q1 - q2)), p("tau2") * (1 + rounding)) << "member " << m;
  }
  EXPECT_GE(away, 3U);
}

}  // namespace
}  // namespace conesweep::test
