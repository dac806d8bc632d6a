// Do percussions split steps and act as (B6), (Q1) … (Q3) of docs/theory.md say? Oracles: closed forms, and the
// recursion (Q1), (Q2) written out.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model.hpp"

namespace conesweep::executor::reference {
namespace {

using scenario::Reducer;

// Q: mass 1 on a plane at rest that rubs with the limit κ = ½.
Model particle(const std::string& velocity, const std::string& force = "0") {
  return Model({"x"}, {force}).resistance("plane", {"vx"}, {"0.5"}).start({"0"}, {velocity}).time(1, 10);
}

TEST(Percussions, ShrinkTheSlipByTheirSize) {
  // E7: at t = 0.35 the velocity jumps by κ a = 0.1
  const Course hit = run(particle("2").percussions("0.35", "0.2", "1")), smooth = run(particle("2"));
  ASSERT_EQ(hit.end.status, Status::ok);
  EXPECT_EQ(hit.nodes[2].v, smooth.nodes[2].v);
  for (std::size_t i = 3; i <= 10; ++i) EXPECT_NEAR(smooth.nodes[i].v[0] - hit.nodes[i].v[0], 0.1, 1e-15) << i;
  // positions are sums over the parts of the split step: half of it at the old velocity
  EXPECT_NEAR(smooth.nodes[4].q[0] - hit.nodes[4].q[0], 0.1 * 0.05, 1e-15 + 0.5 * 0.05 * 0.05);
  EXPECT_NEAR(hit["variation"], smooth["variation"] + 0.1, 1e-14);
}

TEST(Percussions, AtTheBeginningAndTheEndCount) {
  const Course both = run(particle("2").percussions("j - 1", "0.2", "2"));
  ASSERT_EQ(both.end.status, Status::ok);
  EXPECT_NEAR(both.nodes[0].v_before[0], 2, 0);                 // U(t_0) is before the atom
  EXPECT_NEAR(both.nodes[0].v[0], 2 - 0.1 - 0.05, 1e-15);       // after it and the step
  EXPECT_NEAR(both.nodes[9].v[0], 2 - 0.2 - 0.5, 1e-14);        // the last step owns the end
  EXPECT_NEAR(both.last().q[0], 1.9 - 0.05 * 0.1 * 55, 1e-14);  // the atom at the end moves nothing
}

TEST(Percussions, StopWhatIsSlowEnoughAndNoMore) {
  const Course stops = run(particle("0.08").percussions("0", "0.2", "1"));
  EXPECT_LE(std::fabs(stops.nodes[0].v[0]), 1e-16);
  EXPECT_EQ(stops["stick_time"], 1);
}

TEST(Percussions, HaveALimitOfTheirOwn) {
  const Course own = run(particle("2").percussions("0.35", "0.2", "1", "1.5"));
  EXPECT_NEAR(own["variation"], 0.5 + 0.3, 1e-14);
}

TEST(Percussions, AtOneTimeAreOne) {
  // two atoms of size 0.1 at one time, and one at nearly a node: steps are not split for 1e-10 of them
  const Course merged = run(particle("2").percussions("0.3 + 1e-12*j", "0.1", "2")),
               single = run(particle("2").percussions("0.3", "0.2", "1"));
  ASSERT_EQ(merged.end.status, Status::ok);
  for (std::size_t i = 0; i <= 10; ++i) EXPECT_EQ(merged.nodes[i].v, single.nodes[i].v) << i;
  EXPECT_EQ(merged.last().q, single.last().q);
}

TEST(Percussions, OfTwoResistancesAtOneTimeAreSolvedTogether) {
  // in the mass (2, 1; 1, 2) two rows are not independent: impulses are found together
  const Course hit = run(Model({"x", "y"}, {"0", "0"})
                             .mass({"2", "1", "1", "2"})
                             .resistance("first", {"vx"}, {"1"})
                             .percussions("0.5", "10", "1")
                             .resistance("second", {"vy"}, {"1"})
                             .percussions("0.5", "10", "1")
                             .start({"0", "0"}, {"1", "2"})
                             .time(1, 1));
  ASSERT_EQ(hit.end.status, Status::ok);
  EXPECT_LE(hit.last().v.norm(), 1e-15);  // one after the other they would set each other going again
}

TEST(Percussions, AGeometricFamilyAddsUp) {
  // t_j = 1 - 2^-j, a_j = 2^-j: Σ a_j κ = ½ (1 - 2^-40), with κ T = ½
  const Course many = run(particle("2").percussions("1 - 2^(-j)", "2^(-j)", "40"));
  ASSERT_EQ(many.end.status, Status::ok);
  EXPECT_NEAR(many.last().v[0], 1, 1e-11);
  EXPECT_NEAR(many["dissipated"], (4 - 1) / 2.0, 1e-11);
}

TEST(Percussions, MayAccumulateFromTheRight) {
  // t_j = 1/j, a_j = 1/j²: all but finitely many in every neighbourhood of 0
  double sum = 0;
  for (int j = 1; j <= 1000; ++j) sum += 1.0 / j / j;
  const Course many = run(particle("3").percussions("1/j", "1/j^2", "1000"));
  ASSERT_EQ(many.end.status, Status::ok);
  EXPECT_NEAR(many.last().v[0], 3 - 0.5 - 0.5 * sum, 1e-12);
  double late = 0;
  for (int j = 10; j <= 1000; ++j) late += j == 10 ? 0 : 1.0 / j / j;
  EXPECT_NEAR(many.nodes[0].v[0], 3 - 0.05 - 0.5 * late, 1e-12);  // 1/10 belongs to step 1
}

TEST(Percussions, LeftOutChangeNoMoreThanTheirSizes) {
  // (B6) at most κ Σ of those left out, attained while it slides
  const auto end = [](const std::string& count) {
    return run(particle("2").percussions("1 - 2^(-j)", "2^(-j)", count)).last().v[0];
  };
  EXPECT_NEAR(end("5") - end("40"), 0.5 * (std::pow(2, -5) - std::pow(2, -40)), 1e-14);
}

TEST(Percussions, FollowTheRecursionOfAMovingPlane) {
  // (Q1), (Q2) with m = 2, e(t) = sin 3t, P = cos t, γν = 0.3 + 0.2 t and atoms at 0.05, 0.25, … of size 0.4
  const Course moving = run(Model({"x"}, {"cos(t)"})
                                .mass({"2"})
                                .resistance("plane", {"vx"}, {"0.3 + 0.2*t"}, {"sin(3*t)"})
                                .percussions("0.2*j - 0.15", "0.4", "5")
                                .start({"0"}, {"-0.5"})
                                .time(1, 10));
  ASSERT_EQ(moving.end.status, Status::ok);
  double U = -0.5, t = 0;
  const auto flow = [&](double end) {
    const double h = end - t, W = U + h * std::cos(t) / 2, grip = h * (0.3 + 0.2 * t) / 2;
    U = W + std::clamp(std::sin(3 * end) - W, -grip, grip);
    t = end;
  };
  const auto hit = [&] {
    const double grip = 0.4 * (0.3 + 0.2 * t) / 2;
    U += std::clamp(std::sin(3 * t) - U, -grip, grip);
  };
  for (int i = 0; i < 10; ++i) {
    if (i % 2 == 0) flow(0.1 * i + 0.05), hit();
    flow(0.1 * (i + 1));
    EXPECT_NEAR(moving.nodes[static_cast<std::size_t>(i)].v[0], U, 1e-13) << i;
  }
}

TEST(Percussions, BringTwoMotionsTogether) {
  // 004, Proposition 52: |U¹ - U²| never grows
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const auto moving = [](double velocity) {
      return run(Model({"x"}, {"cos(5*t)"})
                     .resistance("plane", {"vx"}, {"0.6"}, {"sin(7*t)"})
                     .percussions("j/(j + 1)", "0.3/j^2", "30")
                     .start({"0"}, {std::to_string(velocity)})
                     .time(1, 40));
    };
    const Course one = moving(any(random)), other = moving(any(random));
    double apart = std::fabs(one.nodes[0].v_before[0] - other.nodes[0].v_before[0]);
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      const double now = std::fabs(one.nodes[i].v[0] - other.nodes[i].v[0]);
      EXPECT_LE(now, apart + 1e-15) << trial << " " << i;
      apart = now;
    }
  }
}

TEST(Percussions, BalanceTheEnergy) {
  const Course all = run(Model({"x", "y"}, {"0.2", "-1"})
                             .mass({"2", "1"})
                             .contact("floor", "-y", "0.3", "0.5")
                             .slip({"vx"})
                             .resistance("air", {"vx", "vy"}, {"0.2"}, {"0.3", "0.1"})
                             .percussions("0.13*j", "0.2", "10")
                             .start({"0", "0.2"}, {"1", "0"})
                             .time(2, 50));
  ASSERT_EQ(all.end.status, Status::ok);
  const auto energy = [](const Vector& v) { return v[0] * v[0] + v[1] * v[1] / 2; };
  EXPECT_NEAR(energy(all.last().v) - energy(all.nodes[0].v_before), all["work"] - all["dissipated"] + all["drive_work"],
              1e-13);
}

TEST(Percussions, NormalsAreThoseOfTheWholeStep) {
  // a percussion downwards on a block that lies on a floor: the floor takes it, in the same step
  const Course hit = run(Model({"y"}, {"-1"})
                             .mass({"1"})
                             .contact("floor", "-y")
                             .resistance("hammer", {"vy"}, {"0"}, {"-1"})
                             .percussions("0.55", "0.4", "1", "1")
                             .time(1, 10)
                             .observe("blow", Reducer::max, "normal(floor)")
                             .impulse_of(0));
  ASSERT_EQ(hit.end.status, Status::ok);
  EXPECT_LE(std::fabs(hit.last().q[0]), 1e-15);
  EXPECT_NEAR(hit["blow"], 1 + 0.4 / 0.1, 1e-12);
  EXPECT_NEAR(hit["impulse.floor"], 1.4, 1e-12);
}

TEST(Percussions, TheForceOfASplitStepSeesTheWayIntoIt) {
  // f = -delay(x, 0.01) inside the step [0, 0.1], after the atom at 0.05: x(0.04) on the line from 0 to x(0.05)
  const Course split = run(Model({"x"}, {"-delay(x, 0.01)"})
                               .resistance("plane", {"vx"}, {"0"})
                               .percussions("0.05", "0.1", "1", "1")
                               .start({"0"}, {"1"})
                               .time(0.1, 1));
  ASSERT_EQ(split.end.status, Status::ok);
  EXPECT_NEAR(split.last().v[0], 1 - 0.1 - 0.05 * 0.04, 1e-15);
}

TEST(Percussions, ThatAreNoneStopTheMember) {
  const auto status = [](const std::string& time, const std::string& size, const std::string& count) {
    return run(particle("1").percussions(time, size, count)).end.status;
  };
  EXPECT_EQ(status("j/2", "1", "2"), Status::ok);
  EXPECT_EQ(status("j/2", "1", "3"), Status::bad_percussions);
  EXPECT_EQ(status("0.5 - j", "1", "1"), Status::bad_percussions);
  EXPECT_EQ(status("0.5", "0", "1"), Status::bad_percussions);
  EXPECT_EQ(status("0.5", "1", "1.5"), Status::bad_percussions);
  EXPECT_EQ(status("0.5", "1", "100001"), Status::bad_percussions);
}

}  // namespace
}  // namespace conesweep::executor::reference
