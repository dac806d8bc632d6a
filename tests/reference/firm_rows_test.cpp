// Are firm rows, resistances and masses stepped by (B1), (B4), (B5), (B9) of docs/theory.md? Oracles: closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "model.hpp"

namespace conesweep::executor::reference {
namespace {

using scenario::Reducer;

// ---- firm rows ----

TEST(Firm, APendulumStaysOnItsCircle) {
  const Course swings =
      run(Model({"x", "y"}, {"0", "-1"}).holds("rod", "x^2 + y^2 - 1").start({"1", "0"}, {"0", "0"}).time(100, 100000));
  ASSERT_EQ(swings.end.status, Status::ok);
  double worst = 0;
  for (const NodeRecord& node : swings.nodes) worst = std::max(worst, std::fabs(node.q.squaredNorm() - 1));
  EXPECT_LE(worst, 1e-12);
}

TEST(Firm, TheRodOfAPendulumCarriesItsWeightAndTurn) {
  // at the bottom, from rest at the height of the pivot: tension 3 G; φ = (x² + y² - 1)/2 has |∇φ| = 1, and pulls with
  // λ < 0
  const Course swings = run(Model({"x", "y"}, {"0", "-1"})
                                .holds("rod", "(x^2 + y^2 - 1)/2")
                                .start({"1", "0"}, {"0", "0"})
                                .time(3, 30000)
                                .observe("pull", Reducer::min, "normal(rod)"));
  ASSERT_EQ(swings.end.status, Status::ok);
  EXPECT_NEAR(swings["pull"], -3, 2e-3);
}

TEST(Firm, ARollingBallGainsFiveSevenths) {
  // E11 in one direction: v = ω R, inertia 2/5
  const Course rolls = run(Model({"x", "a"}, {"0.7", "0"}).mass({"1", "2/5"}).velocity("rolls", "vx - va").time(2, 50));
  ASSERT_EQ(rolls.end.status, Status::ok);
  EXPECT_NEAR(rolls.last().v[0], 0.7 * 5 / 7 * 2, 1e-14);
  EXPECT_NEAR(rolls.last().v[1], rolls.last().v[0], 1e-15);
  EXPECT_NEAR(rolls["work"], rolls.last().v[0] * rolls.last().v[0] * 0.7, 1e-13);  // ½ (1 + 2/5) v²
}

TEST(Firm, AChaplyginSleighTurnsItsSpinIntoSpeed) {
  // E16, J = ½, a = ½, k² = ¾: v = c tanh(a c t/k²), ω = ω0 sech(a c t/k²), c = k ω0. q: blade contact point and
  // heading; the centre of mass is a ahead.
  const double J = 0.5, a = 0.5, k2 = J + a * a, c = std::sqrt(k2), end = 2;
  const Model sleigh = Model({"x", "y", "s"}, {"0", "0", "0"})
                           .mass({"1", "0", "-sin(s)/2", "0", "1", "cos(s)/2", "-sin(s)/2", "cos(s)/2", "3/4"})
                           .velocity("blade", "-sin(s)*vx + cos(s)*vy")
                           .start({"0", "0", "0"}, {"0", "0", "1"});
  const auto error = [&](std::int64_t steps) {
    const Course slides = run(Model(sleigh).time(end, steps));
    EXPECT_EQ(slides.end.status, Status::ok);
    const NodeRecord& last = slides.last();
    const double v = std::cos(last.q[2]) * last.v[0] + std::sin(last.q[2]) * last.v[1];
    return std::fabs(v - c * std::tanh(a * c * end / k2)) + std::fabs(last.v[2] - 1 / std::cosh(a * c * end / k2));
  };
  const double coarse = error(500), fine = error(4000);
  EXPECT_LE(fine, 2e-3);
  EXPECT_GT(coarse / fine, 6);  // order h
}

TEST(Firm, ABallOnATurntableGoesRound) {
  // E17: v turns at 2Ω/7. Rolling on a table that turns by Ω: vx - wy = -Ω y, vy + wx = Ω x, with R = 1 and inertia 2/5
  const double omega = 1.5, end = 2;
  const Course rolls = run(Model({"x", "y", "a", "b"}, {"0", "0", "0", "0"})
                               .mass({"1", "1", "2/5", "2/5"})
                               .velocity("along", "vx - vb + 1.5*y")
                               .velocity("across", "vy + va - 1.5*x")
                               .start({"1", "0", "0", "0"}, {"0", "0.2", "1.3", "0"})
                               .time(end, 8000));
  ASSERT_EQ(rolls.end.status, Status::ok);
  const double turned = 2 * omega / 7 * end;
  EXPECT_NEAR(rolls.last().v[0], -0.2 * std::sin(turned), 1e-4);
  EXPECT_NEAR(rolls.last().v[1], 0.2 * std::cos(turned), 1e-4);
}

TEST(Firm, AKnifeEdgeOnASlopeFollowsACycloid) {
  // E19: turning at ω, G' along x, from rest: x = G'/(2ω²) sin²(ωt), y = G'/(2ω²) (ωt - sin(2ωt)/2)
  const double g = 2, w = 1.5, end = 1.4;
  const Course slides = run(Model({"x", "y", "s"}, {"2", "0", "0"})
                                .mass({"1", "1", "1"})
                                .velocity("edge", "-sin(s)*vx + cos(s)*vy")
                                .start({"0", "0", "0"}, {"0", "0", "1.5"})
                                .time(end, 8000));
  ASSERT_EQ(slides.end.status, Status::ok);
  EXPECT_NEAR(slides.last().q[0], g / (2 * w * w) * std::pow(std::sin(w * end), 2), 1e-3);
  EXPECT_NEAR(slides.last().q[1], g / (2 * w * w) * (w * end - std::sin(2 * w * end) / 2), 1e-3);
}

TEST(Firm, ARollingBallTurnsAsAQuaternion) {
  // E11 in the plane: |p|² = 1 is holonomic, the mass of p is 8/5, and what rolls does not slip: v = ω × e_z, ω = 2 p'
  // p̄
  const auto rolling = [](std::int64_t steps) {
    return run(Model({"x", "y", "p", "q", "r", "s"}, {"0.7", "0.2", "0", "0", "0", "0"})
                   .mass({"1", "1", "8/5", "8/5", "8/5", "8/5"})
                   .holds("unit", "p^2 + q^2 + r^2 + s^2 - 1")
                   .velocity("along", "vx - 2*(-vp*r + vr*p - vs*q + vq*s)")
                   .velocity("across", "vy + 2*(-vp*q + vq*p - vr*s + vs*r)")
                   .start({"0", "0", "1", "0", "0", "0"}, {"0", "0", "0", "0", "0", "0"})
                   .time(2, steps));
  };
  const Course coarse = rolling(500), fine = rolling(4000);
  ASSERT_EQ(fine.end.status, Status::ok);
  const auto error = [](const Course& course) {
    return std::hypot(course.last().v[0] - 1.0, course.last().v[1] - 2.0 / 7);
  };
  EXPECT_LE(error(fine), 1e-3);
  EXPECT_GT(error(coarse) / error(fine), 6);  // order h
  EXPECT_NEAR(fine.last().q.tail(4).squaredNorm(), 1, 1e-14);
}

TEST(Firm, ARowMayBeWrittenInAnyUnit) {
  // (B10) but for its multiplier
  const auto swing = [](const std::string& unit) {
    return run(Model({"x", "y"}, {"0", "-1"})
                   .mass({"2", "1"})
                   .holds("rod", unit + "*(x^2 + y^2 - 1)")
                   .resistance("joint", {unit + "*(x*vy - y*vx)"}, {"0.1/" + unit})
                   .start({"1", "0"}, {"0", "0"})
                   .time(2, 500)
                   .observe("load", Reducer::final, unit + "*normal(rod)"));
  };
  const Course one = swing("1"), other = swing("1000");
  ASSERT_EQ(other.end.status, Status::ok);
  EXPECT_LE((one.last().q - other.last().q).norm() + (one.last().v - other.last().v).norm(), 1e-12);
  EXPECT_NEAR(one["load"], other["load"], 1e-10);
  EXPECT_NEAR(one["dissipated"], other["dissipated"], 1e-13);
}

TEST(Firm, ADrivenRowIsFollowedWithoutDrift) {
  // the slider of a crank goes as cos t, exactly at every node
  const Course driven = run(Model({"x"}, {"0"}).holds("crank", "x - cos(t)").start({"1"}, {"0"}).time(3, 30));
  ASSERT_EQ(driven.end.status, Status::ok);
  for (const NodeRecord& node : driven.nodes) EXPECT_NEAR(node.q[0], std::cos(node.t), 1e-15);
}

TEST(Firm, ABadStartIsNone) {
  const auto status = [](const std::string& x, const std::string& vx) {
    return run(Model({"x", "y"}, {"0", "0"}).holds("rod", "x^2 + y^2 - 1").start({x, "0"}, {vx, "1"}).time(1, 10))
        .end.status;
  };
  EXPECT_EQ(status("1", "0"), Status::ok);
  EXPECT_EQ(status("1 + 1e-7", "0"), Status::bad_start);
  EXPECT_EQ(status("1 + 1e-10", "0"), Status::ok);
  EXPECT_EQ(status("1", "1e-7"), Status::bad_start);
}

TEST(Firm, TwoEndsOnACircleOfTheBarsDiameterSayTheSame) {
  // both ends of a bar of length 2 on the unit circle, its centre in the middle: at t = 0 the rows are dependent
  const Course bar = run(Model({"x", "y", "a"}, {"0", "0", "0"})
                             .mass({"1", "1", "1/3"})
                             .holds("one", "(x + cos(a))^2 + (y + sin(a))^2 - 1")
                             .holds("other", "(x - cos(a))^2 + (y - sin(a))^2 - 1")
                             .time(1, 10));
  EXPECT_EQ(bar.end.status, Status::dependent_constraints);
  EXPECT_EQ(bar.end.time, 0);
}

// ---- resistances ----

TEST(Resistance, ABlockOnATableStopsAndStays) {
  // U' = -κ/m until it stands: at 1.25 s after 0.625
  const Course stops =
      run(Model({"x"}, {"0"}).mass({"2"}).resistance("table", {"vx"}, {"1.6"}).start({"0"}, {"1"}).time(2, 160));
  ASSERT_EQ(stops.end.status, Status::ok);
  EXPECT_LE(std::fabs(stops.last().v[0]), 1e-15);
  EXPECT_NEAR(stops.last().q[0], 0.625, 0.01);
  EXPECT_NEAR(stops["slip_time"], 1.25, 0.0126);
  EXPECT_NEAR(stops["dissipated"], 1, 1e-14);
  EXPECT_EQ(stops["flight_time"], 0);
  EXPECT_TRUE(std::isnan(stops["painleve"]));
}

TEST(Resistance, AMovingPlaneCarriesWhatRubsOnIt) {
  // (Q1) with a drive: U < e grows by κ/m a step until it is e(t_{i+1})
  const Course carried =
      run(Model({"x"}, {"0"}).resistance("plane", {"vx"}, {"0.5"}, {"0.2*t"}).start({"0"}, {"-0.1"}).time(1, 100));
  ASSERT_EQ(carried.end.status, Status::ok);
  double U = -0.1;
  for (int i = 0; i < 100; ++i) {
    U += std::clamp(0.2 * (i + 1) * 0.01 - U, -0.005, 0.005);
    EXPECT_NEAR(carried.nodes[static_cast<std::size_t>(i)].v[0], U, 1e-15) << i;
  }
  EXPECT_NEAR(carried.last().v[0], 0.2, 1e-15);
}

TEST(Resistance, ABallOfImpulsesActsAgainstTheSlip) {
  const Course slides = run(Model({"x", "y"}, {"0", "0"})
                                .resistance("ice", {"vx", "vy"}, {"0.5"})
                                .start({"0", "0"}, {"0.6", "0.8"})
                                .time(1, 64));
  ASSERT_EQ(slides.end.status, Status::ok);
  EXPECT_NEAR(slides.last().v[0], 0.3, 1e-13);
  EXPECT_NEAR(slides.last().v[1], 0.4, 1e-13);
}

TEST(Resistance, AFreewheelTurnsOneWayOnly) {
  // E10: J1 = M1 R1²/2 = ½, J2 = 1, Γ = 2: free until t* = ¼, then both at 4(t - t*)/3
  const auto wheel = [](const std::string& first) {
    return Model({"a", "b"}, {"2", "0"})
        .mass({"1/2", "1"})
        .resistance("freewheel", {"va - vb"}, {"-inf", "0"})
        .start({"0", "0"}, {first, "0"})
        .time(1, 100);
  };
  const Course turns = run(wheel("-1"));
  ASSERT_EQ(turns.end.status, Status::ok);
  EXPECT_NEAR(turns.nodes[12].v[0], -1 + 4 * 0.13, 1e-14);
  EXPECT_EQ(turns.nodes[12].v[1], 0);
  EXPECT_NEAR(turns.last().v[0], 2 * 0.75 / 1.5, 1e-14);
  EXPECT_NEAR(turns.last().v[1], 2 * 0.75 / 1.5, 1e-14);
  EXPECT_EQ(run(wheel("1")).end.status, Status::bad_start);  // faster than what it drives
}

TEST(Resistance, ALimitThatIsNoneStopsTheMember) {
  const Course stops = run(Model({"x"}, {"0"}).resistance("rope", {"vx"}, {"0.5 - t"}).start({"0"}, {"10"}).time(1, 8));
  EXPECT_EQ(stops.end.status, Status::bad_limit);
  EXPECT_EQ(stops.end.time, 0.625);
}

TEST(Resistance, ALimitMayLookBack) {
  // the further it has come within 0.1, the more it is held: from rest at 0 it is not
  const Course pulled = run(Model({"x"}, {"1"}).resistance("rope", {"vx"}, {"3*window_max(abs(x), 0.1)"}).time(0.2, 2));
  ASSERT_EQ(pulled.end.status, Status::ok);
  EXPECT_EQ(pulled.nodes[0].v[0], 0.1);
  EXPECT_NEAR(pulled.nodes[1].v[0], 0.1 + 0.1 * (1 - 3 * 0.01), 1e-16);
}

TEST(Resistance, AMassThatIsNoneStopsTheMember) {
  const Course stops = run(Model({"x"}, {"0"}).mass({"1 - x"}).start({"0"}, {"1"}).time(10, 10));
  EXPECT_EQ(stops.end.status, Status::bad_mass);
}

TEST(Friction, OnABilateralConstraintFollowsItsMultiplier) {
  // a bead on a rough ring without weight: N = s², s' = -μ s², s = s0/(1 + μ s0 t); the rows of the ring have |∇φ| = 1
  const Model bead = Model({"x", "y"}, {"0", "0"})
                         .holds("ring", "(x^2 + y^2 - 1)/2")
                         .resistance("rough", {"x*vy - y*vx"}, {"0.3*abs(normal(ring))"})
                         .start({"1", "0"}, {"0", "2"});
  const auto error = [&](std::int64_t steps) {
    const Course slows = run(Model(bead).time(2, steps));
    EXPECT_EQ(slows.end.status, Status::ok);
    return std::fabs(slows.last().v.norm() - 2 / (1 + 0.3 * 2 * 2));
  };
  const double coarse = error(1000), fine = error(8000);
  EXPECT_LE(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine) / 3, 1, 0.1);  // order h
}

TEST(Friction, OnARailIsCoulombsLaw) {
  // a bead on a straight rail on a slope: E2
  const auto bead = [](const std::string& mu) {
    return run(Model({"x", "y"}, {"0.6", "-0.8"})
                   .holds("rail", "y")
                   .resistance("rough", {"vx"}, {mu + "*abs(normal(rail))"})
                   .time(1, 40));
  };
  EXPECT_NEAR(bead("0.5").last().v[0], 0.6 - 0.4, 1e-14);
  EXPECT_LE(std::fabs(bead("0.76").last().v[0]), 1e-15);
  EXPECT_EQ(bead("0.76")["stick_time"], 1);
}

TEST(Friction, MayFollowTheImpulseOfAContact) {
  // a smooth floor and a resistance of μ times its load are Coulomb's law; the sliding speed of the step before is a
  // force -0.3 v
  const Course slides = run(Model({"x", "y"}, {"0", "-2"})
                                .mass({"2", "2"})
                                .contact("floor", "-y")
                                .resistance("rub", {"vx"}, {"0.25*normal(floor)"})
                                .start({"0", "0"}, {"1", "0"})
                                .time(0.5, 20));
  ASSERT_EQ(slides.end.status, Status::ok);
  EXPECT_NEAR(slides.last().v[0], 1 - 0.25 * 0.5, 1e-14);
  const Course slows =
      run(Model({"x"}, {"0"}).resistance("oil", {"vx"}, {"0.3*slip(oil)"}).start({"0"}, {"2"}).time(1, 20));
  ASSERT_EQ(slows.end.status, Status::ok);
  EXPECT_NEAR(slows.last().v[0], 2 * std::pow(1 - 0.3 * 0.05, 20), 1e-14);
}

// ---- energy ----

TEST(Energy, IsBalancedToRoundingWithAConstantMass) {
  // everything at once: a rod with a point on a floor, a rail, a driven resistance, restitution
  Model model = Model({"x", "y", "a"}, {"0.3", "-1", "0.1*sin(3*t)"})
                    .mass({"2", "0.1", "0", "0.1", "2", "0", "0", "0", "0.5"})
                    .contact("floor", "0", "0.4", "0.5")
                    .point({"x + sin(a)", "y - cos(a)"}, "-Y")
                    .belt({"0.2", "0"})
                    .velocity("gear", "vx - 0.5*va - 0.1*cos(t)")
                    .resistance("joint", {"va"}, {"0.2"}, {"0.5*sin(t)"})
                    .start({"0", "1.5", "0.3"}, {"0.1", "0", "0"})
                    .time(3, 600);
  const Course all = run(model);
  ASSERT_EQ(all.end.status, Status::ok);
  const auto energy = [](const Vector& v) {
    return (2 * v[0] * v[0] + 0.2 * v[0] * v[1] + 2 * v[1] * v[1] + 0.5 * v[2] * v[2]) / 2;
  };
  EXPECT_NEAR(energy(all.last().v) - energy(all.nodes[0].v_before), all["work"] - all["dissipated"] + all["drive_work"],
              1e-12);
  EXPECT_GT(all["impacts"], 0);
  EXPECT_GT(std::fabs(all["drive_work"]), 1e-2);
  EXPECT_LT(all["painleve"], 1);
}

TEST(Energy, OfADoublePendulumStaysToOrderH) {
  const auto drift = [](std::int64_t steps) {
    const Course swings = run(Model({"a", "b"}, {"-2*sin(a)", "-sin(b)"})
                                  .mass({"2", "cos(a - b)", "cos(a - b)", "1"})
                                  .start({"1", "0.5"}, {"0", "0"})
                                  .time(3, steps));
    EXPECT_EQ(swings.end.status, Status::ok);
    const auto energy = [](const NodeRecord& n) {
      const double a = n.q[0], b = n.q[1], va = n.v[0], vb = n.v[1];
      return va * va + std::cos(a - b) * va * vb + vb * vb / 2 - 2 * std::cos(a) - std::cos(b);
    };
    return std::fabs(energy(swings.last()) - (-2 * std::cos(1) - std::cos(0.5)));
  };
  const double coarse = drift(2000), fine = drift(16000);
  EXPECT_LE(fine, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine) / 3, 1, 0.15);
}

}  // namespace
}  // namespace conesweep::executor::reference
