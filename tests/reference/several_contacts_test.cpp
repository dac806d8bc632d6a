// Are several contacts, and contacts in generalised coordinates, solved together as (B1) … (B3), (B8) of docs/theory.md
// say? Oracles: closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "executor/reference/reference_executor.hpp"
#include "model.hpp"

namespace conesweep::executor::reference {
namespace {

using scenario::Reducer;

// ---- several contacts ----

Model cradle(const std::string& e) {
  return Model({"x", "y", "z"}, {"0", "0", "0"})
      .contact("first", "x - y", "", e)
      .contact("second", "y - z", "", e)
      .start({"0", "0", "0"}, {"1", "0", "0"})
      .time(1, 10);
}

TEST(SeveralContacts, ACradleOfThreeSharesTheShock) {
  const Course shared = run(cradle("1"));
  ASSERT_EQ(shared.end.status, Status::ok);
  const Vector& v = shared.nodes[0].v;
  EXPECT_NEAR(v[0], -1.0 / 3, 1e-15);
  EXPECT_NEAR(v[1], 2.0 / 3, 1e-15);
  EXPECT_NEAR(v[2], 2.0 / 3, 1e-15);
  EXPECT_EQ(shared["impacts"], 1);  // (O3) the second and the third ball did not approach each other
}

TEST(SeveralContacts, AMassOfOneChangesNothing) {
  const Course plain = run(cradle("0.5")), with_mass = run(cradle("0.5").mass({"1", "1", "1"}));
  ASSERT_EQ(with_mass.end.status, Status::ok);
  EXPECT_LE((plain.last().v - with_mass.last().v).norm(), 1e-15);
  EXPECT_LE((plain.last().q - with_mass.last().q).norm(), 1e-15);
}

TEST(SeveralContacts, OneThatTouchesAloneIsSolvedInClosedForm) {
  const auto slider = [] {
    return Model({"x", "y"}, {"0", "-1"}).contact("floor", "-y", "0.1").start({"0", "0"}, {"1", "0"}).time(1, 64);
  };
  const Course alone = run(slider()), beside = run(slider().contact("far", "x - 100", "0.1"));
  ASSERT_EQ(beside.end.status, Status::ok);
  for (std::size_t i = 0; i < alone.nodes.size(); ++i) EXPECT_EQ(alone.nodes[i].v, beside.nodes[i].v) << i;
  EXPECT_EQ(alone["dissipated"], beside["dissipated"]);
}

TEST(SeveralContacts, AVGrooveHoldsBetterThanAPlane) {
  // E15: along a groove of half angle β on a slope θ, a = G (sin θ - μ cos θ/sin β)
  const double theta = 0.6, mu = 0.2, G = 9.81, beta = 0.7;
  const std::string s = std::to_string(std::sin(beta)), c = std::to_string(std::cos(beta));
  const std::string down = std::to_string(G * std::sin(theta)), into = std::to_string(-G * std::cos(theta));
  const auto groove = [&](const std::string& friction) {
    return Model({"x", "y", "z"}, {down, "0", into})
        .contact("left", "-(" + c + "*y + " + s + "*z)", friction)
        .contact("right", "-(-" + c + "*y + " + s + "*z)", friction)
        .time(1, 50);
  };
  const Course slides = run(groove(std::to_string(mu)));
  ASSERT_EQ(slides.end.status, Status::ok);
  // numbers above have six digits
  EXPECT_NEAR(slides.last().v[0], G * (std::sin(theta) - mu * std::cos(theta) / std::sin(beta)), 1e-5);
  EXPECT_LE(std::fabs(slides.last().v[1]) + std::fabs(slides.last().v[2]), 1e-12);
  EXPECT_EQ(slides["slip_time"], 1);
  EXPECT_NEAR(slides["impulse"], 2 * G * std::cos(theta) / 2 / std::sin(beta), 1e-4);

  // tan θ = 0.684 < 0.6/sin β = 0.931, but more than 0.6: on a plane it would slide
  const Course sticks = run(groove("0.6"));
  ASSERT_EQ(sticks.end.status, Status::ok);
  EXPECT_LE(sticks.last().q.norm(), 1e-13);
  EXPECT_EQ(sticks["stick_time"], 1);
}

TEST(SeveralContacts, WhatRestsInACornerSticksWithRestitutionToo) {
  // velocities are rounding there: (ii) of (B2) has nothing to do, and nothing slides
  const Course rests = run(Model({"x", "y", "z"}, {"0.3", "0.1*sin(4*t)", "-1"})
                               .contact("left", "-(0.8*y + 0.6*z)", "0.7", "0.6")
                               .contact("right", "-(-0.8*y + 0.6*z)", "0.7", "0.6")
                               .time(2, 200));
  ASSERT_EQ(rests.end.status, Status::ok);
  EXPECT_LE(rests.last().q.norm(), 1e-13);
  EXPECT_EQ(rests["stick_time"], 2);
}

TEST(SeveralContacts, ManyAtOnceOrFrictionInManyCoordinatesStopAMember) {
  Model many = Model({"x", "y"}, {"0", "-1"}).time(1, 4);
  for (int k = 0; k < 33; ++k) many.contact("c" + std::to_string(k), "-y - " + std::to_string(k) + "*x");
  EXPECT_EQ(run(many).end.status, Status::several_contacts);

  const Course four = run(Model({"a", "b", "c", "d"}, {"-1", "-1", "0", "0"})
                              .contact("first", "-a", "0.1")
                              .contact("second", "-b", "0.1")
                              .time(1, 4));
  EXPECT_EQ(four.end.status, Status::several_contacts);
  EXPECT_EQ(four.end.time, 0);
  EXPECT_EQ(
      run(Model({"a", "b", "c", "d"}, {"-1", "-1", "0", "0"}).contact("first", "-a").contact("second", "-b").time(1, 4))
          .end.status,
      Status::ok);
}

TEST(SeveralContacts, TouchButForRounding) {
  // 1e-13 above the floor of two walls, 1e-10 at the start: both touch; 1e-8 does not
  const auto falls = [](const std::string& height) {
    return run(Model({"x", "y"}, {"0", "-1"})
                   .contact("floor", "-y")
                   .contact("wall", "-x")
                   .start({"0", height}, {"0", "0"})
                   .time(1, 8));
  };
  EXPECT_EQ(falls("1e-10").nodes[0].contacts.size(), 1u);
  EXPECT_EQ(falls("1e-8").nodes[0].contacts.size(), 0u);
}

// ---- contacts in generalised coordinates ----

// A rod of length 2 and mass 1 that leans at the angle θ: its lower end on the floor, its upper end at the wall x = 0.
Model ladder(double theta, const std::string& floor, const std::string& wall) {
  const std::string angle = std::to_string(theta);
  return Model({"x", "y", "a"}, {"0", "-1", "0"})
      .mass({"1", "1", "1/3"})
      .contact("floor", "0", floor)
      .point({"x + cos(a)", "y - sin(a)"}, "-Y")
      .contact("wall", "0", wall)
      .point({"x - cos(a)", "y + sin(a)"}, "-X")
      .start({"cos(" + angle + ")", "sin(" + angle + ")", angle}, {"0", "0", "0"})
      .time(0.5, 100);
}

TEST(Point, ALadderRestsWhereItIsSteepEnough) {
  // E18: tan θ >= (1 - μ1 μ2)/(2 μ1)
  const double mu1 = 0.4, mu2 = 0.3, steep = std::atan((1 - mu1 * mu2) / (2 * mu1));
  const Course rests = run(ladder(steep + 0.01, "0.4", "0.3")), slides = run(ladder(steep - 0.01, "0.4", "0.3"));
  ASSERT_EQ(rests.end.status, Status::ok);
  ASSERT_EQ(slides.end.status, Status::ok);
  EXPECT_LE(rests.last().v.norm(), 1e-13);
  EXPECT_EQ(rests["stick_time"], 0.5);
  EXPECT_LT(slides.last().v[2], -1e-3);  // it comes down
  EXPECT_GT(slides["slip_time"], 0.4);
  EXPECT_EQ(rests.end.flags, static_cast<std::uint8_t>(state::Flag::hyperstatic));  // four rows, three coordinates

  Model model = ladder(steep + 0.01, "0.4", "0.3");
  const Outcome outcome =
      ReferenceExecutor(model.scenario(), {}, {}).run(model.scenario(), {{model.scenario(), 0, 1}}, {});
  EXPECT_EQ(outcome.flags, std::vector<std::uint8_t>{1});
}

TEST(Point, ASmoothLadderFallsFreeOfTheWall) {
  // energy of a ladder without friction, from rest at θ0: θ'² = (3/2)(sin θ0 - sin θ) while it leans on both; here to
  // O(h)
  const double from = 1.2;
  Model model = ladder(from, "", "").time(0.5, 4000);
  const Course falls = run(model);
  ASSERT_EQ(falls.end.status, Status::ok);
  const double theta = falls.last().q[2], omega = falls.last().v[2];
  EXPECT_NEAR(omega * omega, 1.5 * (std::sin(from) - std::sin(theta)), 1e-3);
  EXPECT_LT(theta, from - 0.03);
}

TEST(Slip, ADiskRollsOrSlides) {
  // a disk (J = ½) pulled by F on a rough floor: rolls at 2F/3 iff F <= 3μG
  const auto disk = [](const std::string& F) {
    return run(Model({"x", "y", "a"}, {F, "-1", "0"})
                   .mass({"1", "1", "1/2"})
                   .contact("floor", "1 - y", "0.2")
                   .slip({"vx + va"})
                   .start({"0", "1", "0"}, {"0", "0", "0"})
                   .time(1, 20));
  };
  const Course rolls = disk("0.5"), slides = disk("0.7");
  ASSERT_EQ(rolls.end.status, Status::ok);
  EXPECT_NEAR(rolls.last().v[0], 1.0 / 3, 1e-14);
  EXPECT_NEAR(rolls.last().v[2], -1.0 / 3, 1e-14);
  EXPECT_EQ(rolls["stick_time"], 1);
  EXPECT_NEAR(rolls["dissipated"], 0, 1e-15);
  EXPECT_NEAR(slides.last().v[0], 0.5, 1e-14);
  EXPECT_NEAR(slides.last().v[2], -0.4, 1e-14);
  EXPECT_EQ(slides["slip_time"], 1);
}

TEST(Slip, ABeltCarriesWhatLiesOnIt) {
  // with a mass 2: friction μ 2 G speeds it up by μ G until it moves with the belt
  const Course carried = run(Model({"x", "y"}, {"0", "-2"})
                                 .mass({"2", "2"})
                                 .contact("belt", "-y", "0.25")
                                 .slip({"vx"})
                                 .belt({"0.5"})
                                 .time(4, 400));
  ASSERT_EQ(carried.end.status, Status::ok);
  EXPECT_NEAR(carried.last().v[0], 0.5, 1e-13);
  EXPECT_NEAR(carried["slip_time"], 2, 0.011);
  EXPECT_NEAR(carried["drive_work"] - carried["dissipated"], 0.25, 1e-12);  // K = ½ 2 (½)²
  EXPECT_NEAR(carried["dissipated"], 0.25, 1e-2);
}

TEST(Row, AWallThatMovesIsFollowed) {
  // a mass 3 on a floor that rises by t²/2
  const Course lifted = run(Model({"y"}, {"-3"}).mass({"3"}).contact("floor", "t^2/2 - y").time(1, 50));
  ASSERT_EQ(lifted.end.status, Status::ok);
  EXPECT_NEAR(lifted.last().q[0], 0.5, 1e-14);
  // weight, and the velocity gained: 0.99 at the end of the last step
  EXPECT_NEAR(lifted["impulse"], 3 * (1 + (1 - 0.01)), 1e-12);
}

// ---- what is observed ----

TEST(Observed, NormalAndSlipOfLaws) {
  const Course block = run(Model({"x", "y"}, {"0", "-3"})
                               .contact("floor", "-y", "0.1")
                               .start({"0", "0"}, {"1", "0"})
                               .time(1, 10)
                               .observe("load", Reducer::final, "normal(floor)")
                               .observe("way", Reducer::integral, "slip(floor)")
                               .impulse_of(0));
  ASSERT_EQ(block.end.status, Status::ok);
  EXPECT_NEAR(block["load"], 3, 1e-14);
  EXPECT_NEAR(block["way"], block.last().q[0], 1e-15);
  EXPECT_NEAR(block["impulse.floor"], 3, 1e-14);
}

TEST(Observed, EnergyThatNewtonsLawCreates) {
  // Kane: a rod strikes a rough floor with e = 1; its tip would slide back, and friction pushes it the way it came
  const auto strike = [](bool moreau) {
    Model model = Model({"x", "y", "a"}, {"0", "0", "0"})
                      .mass({"1", "1", "1/3"})
                      .contact("floor", "0", "1", "1")
                      .point({"x + sin(a)", "y - cos(a)"}, "-Y")
                      .start({"0", "cos(0.7)", "-0.7"}, {"1", "-1", "0"})
                      .time(0.01, 1);
    if (moreau) model.moreau();
    return run(model);
  };
  const Course newton = strike(false), moreau = strike(true);
  ASSERT_EQ(newton.end.status, Status::ok);
  ASSERT_EQ(moreau.end.status, Status::ok);
  EXPECT_LE(moreau["gained"], 1e-15);
  EXPECT_GT(newton["gained"], 0.01);
  // E13, seen from the vertical
  EXPECT_NEAR(newton["painleve"], 1 - 3 * std::sin(0.7) * std::cos(0.7) / (1 + 3 * std::pow(std::sin(0.7), 2)), 1e-14);
  const auto energy = [](const Vector& v) { return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 3) / 2; };
  EXPECT_NEAR(newton["gained"], energy(newton.last().v) - energy(newton.nodes[0].v_before), 1e-14);
  EXPECT_LE(energy(moreau.last().v), energy(moreau.nodes[0].v_before) + 1e-15);
}

}  // namespace
}  // namespace conesweep::executor::reference
