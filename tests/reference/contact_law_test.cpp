// Is solve_contact the law (P4), (P6), (P12) of docs/theory.md? Oracles: hand values, inequalities, brute-force
// minimisation.

#include "executor/reference/contact_law.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "../oracle/contact_minimum.hpp"
#include "../oracle/differences.hpp"

namespace conesweep::executor::reference {
namespace {

using oracle::Differences;
using oracle::Numbers;

constexpr double eps = std::numeric_limits<double>::epsilon();

Vector to_vector(const Numbers& x) {
  Vector v(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) v[static_cast<Eigen::Index>(i)] = x[i];
  return v;
}

Numbers to_numbers(const Vector& v) { return {v.begin(), v.end()}; }

Vector vector2(double x, double y) { return to_vector({x, y}); }

/// One contact to solve: w·n < 0, |n| = 1.
struct Case {
  Numbers w, n;
  double mu = 0;
};

std::string describe(const Case& c) {
  std::string text = "d = " + std::to_string(c.w.size()) + ", mu = " + std::to_string(c.mu) + ", w = (";
  for (const double x : c.w) text += " " + std::to_string(x);
  text += " ), n = (";
  for (const double x : c.n) text += " " + std::to_string(x);
  return text + " )";
}

/// Random contacts with every special case planted: frictionless, rough beyond measure, purely normal, grazing, near
/// the border of stick and slip, and normals along an axis.
class Cases {
 public:
  explicit Cases(unsigned seed) : random_(seed) {}

  Case draw(std::size_t d) {
    Case c;
    c.n = direction(d);
    if (chance(0.2)) c.n = axis(d);
    const Numbers t = tangent(c.n);
    double w_n = -std::pow(10, uniform(-3, 3)), slide = std::pow(10, uniform(-3, 3));
    c.mu = std::pow(10, uniform(-2, 1));
    if (chance(0.1)) c.mu = 0;
    if (chance(0.1)) c.mu = std::pow(10, uniform(4, 12));
    if (chance(0.1)) slide = 0;
    if (chance(0.1)) w_n = -std::pow(10, uniform(-14, -8)) * std::max(slide, 1e-3);
    if (chance(0.2)) slide = c.mu * -w_n * (1 + uniform(-1e-3, 1e-3));
    c.w = oracle::add(oracle::scale(w_n, c.n), slide, t);
    if (!(oracle::dot(c.w, c.n) < 0)) return draw(d);  // rounded away
    return c;
  }

  Numbers direction(std::size_t d) {
    Numbers x(d);
    for (double& entry : x) entry = normal_(random_);
    return oracle::scale(1 / oracle::length(x), x);
  }

  Numbers axis(std::size_t d) {
    Numbers x(d, 0.0);
    x[static_cast<std::size_t>(uniform(0, static_cast<double>(d) * 0.999))] = chance(0.5) ? 1 : -1;
    return x;
  }

  /// A random unit vector of T; zero in one dimension.
  Numbers tangent(const Numbers& n) {
    Numbers u(n.size(), 0.0);
    for (const Numbers& b : oracle::tangent_basis(n)) u = oracle::add(u, normal_(random_), b);
    const double size = oracle::length(u);
    return size > 0 ? oracle::scale(1 / size, u) : u;
  }

  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  std::mt19937_64& random() { return random_; }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

constexpr int cases_per_dimension = 1000;

template <class Check>
void for_random_contacts(unsigned seed, int count, const Check& check) {
  Cases cases(seed);
  for (std::size_t d = 1; d <= 6; ++d)
    for (int k = 0; k < count; ++k) check(cases.draw(d), cases);
}

Impulse solve(const Case& c) { return solve_contact(to_vector(c.w), to_vector(c.w), to_vector(c.n), c.mu, 0); }

// ---- (P4) by hand ----

TEST(ContactLaw, SlidesByTheRestOfItsTangentialVelocity) {
  const Impulse r = solve_contact(vector2(3, -2), vector2(3, -2), vector2(0, 1), 0.5, 0);
  EXPECT_EQ(r.v, vector2(2, 0));
  EXPECT_EQ(r.w_n, -2);
  EXPECT_EQ(r.v_n, 0);
  EXPECT_EQ(r.r_n, 2);
  EXPECT_EQ(r.slip_before, 3);
  EXPECT_EQ(r.slip_after, 2);
}

TEST(ContactLaw, SlidesInThreeDimensionsAlongItsOwnDirection) {
  // |w_t| = 5, grip 0.25 * 4 = 1: four fifths are left
  const Impulse r = solve_contact(to_vector({3, 4, -4}), to_vector({3, 4, -4}), to_vector({0, 0, 1}), 0.25, 0);
  EXPECT_DOUBLE_EQ(r.v[0], 2.4);
  EXPECT_DOUBLE_EQ(r.v[1], 3.2);
  EXPECT_EQ(r.v[2], 0);
}

TEST(ContactLaw, SticksAtTheBorderOfTheConeAndSlidesBeyond) {
  const double mu = 0.75;
  EXPECT_EQ(solve_contact(vector2(3, -4), vector2(3, -4), vector2(0, 1), mu, 0).v, vector2(0, 0));
  const double beyond = std::nextafter(3.0, 4.0);
  const Impulse r = solve_contact(vector2(beyond, -4), vector2(beyond, -4), vector2(0, 1), mu, 0);
  EXPECT_DOUBLE_EQ(r.v[0], beyond - 3);
  EXPECT_GT(r.slip_after, 0);
}

TEST(ContactLaw, InOneDimensionOnlyStops) {
  const Impulse r = solve_contact(to_vector({-3}), to_vector({-3}), to_vector({1}), 0.5, 0);
  EXPECT_EQ(r.v[0], 0);
  EXPECT_EQ(r.r_n, 3);
  EXPECT_EQ(r.slip_after, 0);
}

// ---- (P4) by searching ----

TEST(ContactLaw, IsTheMinimumThatProjectedGradientFinds) {
  Differences found("velocity after contact against projected gradient");
  for_random_contacts(1, cases_per_dimension, [&](const Case& c, Cases&) {
    const Numbers expected = oracle::descend_in_the_disk(c.w, c.n, c.mu);
    const Numbers got = to_numbers(solve(c).v);
    // both round a handful of operations on numbers of size |w|; with a disk of radius mu |w_n|, |w_n| is itself
    // rounded by eps |w|, which friction multiplies by mu (where it slides: mu |w_n| < |w_t|); the descent has halved
    // its distance 200 times
    const double allowed = 32 * eps * oracle::length(c.w) * (1 + (oracle::length(got) > 0 ? c.mu : 0));
    found.compare(oracle::distance(got, expected), 0, allowed, describe(c));
  });
  EXPECT_TRUE(found.none());
}

TEST(ContactLaw, IsTheProjectionOfZeroThatDykstraFinds) {
  Differences found("velocity after contact against alternating projections");
  int stuck = 0, slid = 0;
  for_random_contacts(2, cases_per_dimension / 4, [&](Case c, Cases& cases) {
    // alternating projections crawl where the sets meet at a flat angle: moderate friction, and w of one size
    if (c.mu > 0) c.mu = std::pow(10, cases.uniform(-1, 0.5));
    const double w_n = -cases.uniform(0.1, 1);
    c.w = oracle::add(oracle::scale(w_n, c.n), cases.uniform(0, 3), cases.tangent(c.n));
    const Numbers expected = oracle::project_alternately(c.w, c.n, c.mu, 1e-13, 200'000);
    const Impulse got = solve(c);
    // a round that moves less than 1e-13 may have some times 1e-13 to go; measured: 3e-13
    found.compare(oracle::distance(to_numbers(got.v), expected), 0, 1e-11, describe(c));
    ++(got.slip_after == 0 ? stuck : slid);
  });
  EXPECT_TRUE(found.none());
  EXPECT_GT(stuck, 100);
  EXPECT_GT(slid, 100);
  std::cout << "worst share of 1e-11: " << found.worst_share() << ", " << stuck << " stick, " << slid << " slide\n";
}

TEST(ContactLaw, HasNoShorterReachableVelocity) {
  Differences shorter("length of v against random reachable velocities");
  for_random_contacts(3, cases_per_dimension / 4, [&](const Case& c, Cases& cases) {
    const double size = oracle::length(to_numbers(solve(c).v));
    const double rounding = 16 * eps * oracle::length(c.w) * (1 + c.mu);
    for (int k = 0; k < 50; ++k) {
      const Numbers other = oracle::reachable_velocity(c.w, c.n, c.mu, cases.random());
      shorter.at_most(size, oracle::length(other), rounding, describe(c));
    }
  });
  EXPECT_TRUE(shorter.none());
}

// ---- (P7) ----

TEST(ContactLaw, KeepsTheInequalitiesOfTheSpecification) {
  Differences longer("|v| <= |w|"), tangent("v in T"), cone("r in C"), direction("r_t = -mu r_n v/|v| where it slides"),
      variational("r_n (v.x) >= (r.v) x_n for x in C"), record("the record's numbers");
  for_random_contacts(4, cases_per_dimension, [&](const Case& c, Cases& cases) {
    const std::string where = describe(c);
    const Impulse impulse = solve(c);
    const Numbers v = to_numbers(impulse.v);
    const Numbers r = oracle::add(v, -1, c.w);
    const double w_size = oracle::length(c.w), r_n = oracle::dot(r, c.n), v_size = oracle::length(v);
    const Numbers r_t = oracle::add(r, -r_n, c.n);
    const double rounding = 16 * eps * w_size;
    longer.at_most(v_size, w_size, rounding, where);
    tangent.compare(oracle::dot(v, c.n), 0, rounding, where);
    cone.at_most(oracle::length(r_t), c.mu * r_n, rounding * (1 + c.mu), where);
    if (impulse.slip_after > 0)
      direction.compare(oracle::distance(r_t, oracle::scale(-c.mu * r_n / v_size, v)), 0,
                        rounding * (1 + c.mu + w_size / v_size * c.mu * r_n / w_size), where);
    for (int k = 0; k < 10; ++k) {
      const Numbers x = oracle::add(c.n, c.mu * cases.uniform(0, 1), cases.tangent(c.n));
      variational.at_least(r_n * oracle::dot(v, x), oracle::dot(r, v) * oracle::dot(x, c.n),
                           rounding * w_size * (1 + c.mu), where);
    }
    record.compare(impulse.w_n, oracle::dot(c.w, c.n), rounding, where);
    record.compare(impulse.r_n, r_n, rounding, where);
    record.compare(impulse.v_n, 0, 0, where);
    record.compare(impulse.slip_after, v_size, rounding, where);
    record.compare(impulse.slip_before, oracle::length(oracle::add(c.w, -oracle::dot(c.w, c.n), c.n)), rounding, where);
  });
  for (const Differences* all : {&longer, &tangent, &cone, &direction, &variational, &record}) EXPECT_TRUE(all->none());
}

TEST(ContactLaw, SticksWithExactlyZero) {
  int stuck = 0;
  for_random_contacts(5, cases_per_dimension, [&](const Case& c, Cases&) {
    const double w_n = oracle::dot(c.w, c.n);
    const double slide = oracle::length(oracle::add(c.w, -w_n, c.n));
    if (slide + 16 * eps * oracle::length(c.w) > c.mu * -w_n) return;  // inside the cone beyond rounding
    ++stuck;
    const Impulse impulse = solve(c);
    EXPECT_EQ(impulse.slip_after, 0) << describe(c);
    for (const double x : impulse.v) EXPECT_EQ(x, 0) << describe(c);
  });
  EXPECT_GT(stuck, 1000);
}

TEST(ContactLaw, WithoutFrictionKeepsTheTangentialVelocity) {
  for_random_contacts(6, cases_per_dimension, [&](Case c, Cases&) {
    c.mu = 0;
    const Numbers w_t = oracle::add(c.w, -oracle::dot(c.w, c.n), c.n);
    EXPECT_LE(oracle::distance(to_numbers(solve(c).v), w_t), 8 * eps * oracle::length(c.w)) << describe(c);
  });
}

TEST(ContactLaw, WithUnboundedFrictionSticks) {
  // the largest coefficient there is: its grip overflows to infinity, which still holds everything
  const Impulse r =
      solve_contact(vector2(1e3, -10), vector2(1e3, -10), vector2(0, 1), std::numeric_limits<double>::max(), 0);
  EXPECT_EQ(r.v, vector2(0, 0));
  EXPECT_EQ(r.slip_after, 0);
}

TEST(ContactLaw, ATinyNormalVelocityTakesATinyImpulse) {
  for (const double w_n : {-1e-10, -1e-100, -1e-300, -5e-324}) {
    const Impulse r = solve_contact(vector2(1, w_n), vector2(1, w_n), vector2(0, 1), 0.5, 0);
    EXPECT_EQ(r.v[1], 0);
    EXPECT_EQ(r.v[0], 1 - 0.5 * -w_n);
    EXPECT_EQ(r.r_n, -w_n);
  }
}

TEST(ContactLaw, ANormalVelocityOfTheWrongSignByRoundingAddsNothing) {
  // (P2) found ∇g·w > 0, and w·n rounded to the other side: the steepest friction must not turn that into a push
  for (const double mu : {0.0, 1.0, 1e8, 1e16}) {
    const Impulse r = solve_contact(vector2(1, 1e-17), vector2(1, 1e-17), vector2(0, 1), mu, 0);
    EXPECT_LE(r.v.norm(), 1) << mu;
    EXPECT_GE(r.r_n, 0) << mu;
  }
}

// ---- (P12) restitution ----

TEST(ContactLaw, RestitutionZeroIsTheInelasticLawBitForBit) {
  Differences bits("e = 0 against (P6) written out");
  for_random_contacts(7, cases_per_dimension, [&](const Case& c, Cases& cases) {
    // any velocity before: with e = 0 it does not matter
    const Vector before = to_vector(cases.direction(c.w.size())) * cases.uniform(0, 10);
    const Vector w = to_vector(c.w), n = to_vector(c.n);
    const Impulse got = solve_contact(w, before, n, c.mu, 0);
    const double w_n = w.dot(n);
    const Vector w_t = w - w_n * n;
    const double slide = w_t.norm(), grip = c.mu * -w_n;
    for (Eigen::Index i = 0; i < w.size(); ++i) {
      const double expected = slide > grip ? w_t[i] * ((slide - grip) / slide) : 0.0;
      bits.compare_bits(got.v[i] + 0.0, expected + 0.0, describe(c));  // + 0.0: a zero has no sign
    }
    bits.compare_bits(got.r_n, -w_n, describe(c));
    bits.compare_bits(got.v_n, 0.0, describe(c));
  });
  EXPECT_TRUE(bits.none());
}

TEST(ContactLaw, RestitutionOneKeepsTheNormalSpeedWithoutForce) {
  Differences speed("normal speed kept with e = 1 and w = v_before"), energy("frictionless: energy kept");
  for_random_contacts(8, cases_per_dimension, [&](const Case& c, Cases&) {
    const Vector w = to_vector(c.w), n = to_vector(c.n);
    const double size = oracle::length(c.w);
    const Impulse rough = solve_contact(w, w, n, c.mu, 1);
    speed.compare(rough.v.dot(n), -w.dot(n), 16 * eps * size, describe(c));
    speed.compare_bits(rough.v_n, -rough.w_n, describe(c));
    const Impulse smooth = solve_contact(w, w, n, 0, 1);
    energy.compare(smooth.v.norm(), size, 16 * eps * size, describe(c));
  });
  EXPECT_TRUE(speed.none());
  EXPECT_TRUE(energy.none());
}

TEST(ContactLaw, RestitutionStaysInTheConeAndNeverPullsIn) {
  Differences cone("r in C"), outward("v_n >= 0"), law("v_n = max(0, -e v_before.n)"),
      bound("|v| <= |v_before| + h|f_t|"), sliding("sliding is maximal");
  for_random_contacts(9, cases_per_dimension, [&](const Case& c, Cases& cases) {
    const double e = cases.chance(0.2) ? 1 : cases.uniform(0, 1);
    // w = v_before + h f with any h f that keeps w
    const Numbers hf =
        oracle::scale(cases.chance(0.3) ? 0 : std::pow(10, cases.uniform(-3, 2)), cases.direction(c.w.size()));
    const Numbers before = oracle::add(c.w, -1, hf);
    const Impulse impulse = solve_contact(to_vector(c.w), to_vector(before), to_vector(c.n), c.mu, e);
    const Numbers v = to_numbers(impulse.v), r = oracle::add(v, -1, c.w);
    const double size = oracle::length(c.w) + oracle::length(before);
    const double rounding = 16 * eps * size;
    const double r_n = oracle::dot(r, c.n);
    const Numbers r_t = oracle::add(r, -r_n, c.n), v_t = oracle::add(v, -oracle::dot(v, c.n), c.n);
    const Numbers f_t = oracle::add(hf, -oracle::dot(hf, c.n), c.n);
    cone.at_most(oracle::length(r_t), c.mu * r_n, rounding * (1 + c.mu), describe(c));
    outward.at_least(oracle::dot(v, c.n), 0, rounding, describe(c));
    law.compare(oracle::dot(v, c.n), std::max(0.0, -e * oracle::dot(before, c.n)), rounding, describe(c));
    bound.at_most(oracle::length(v), oracle::length(before) + oracle::length(f_t), rounding, describe(c));
    // where a tangential velocity is left beyond rounding, friction has done all it can
    if (oracle::length(v_t) > 1e-6 * size)
      sliding.compare(oracle::length(r_t), c.mu * r_n, rounding * (1 + c.mu), describe(c));
  });
  for (const Differences* all : {&cone, &outward, &law, &bound, &sliding}) EXPECT_TRUE(all->none());
}

TEST(ContactLaw, RestitutionByHand) {
  // arrives with 4, half comes back: r_n = 2 + 5, grip = 0.5 * 7
  const Impulse r = solve_contact(vector2(6, -5), vector2(6, -4), vector2(0, 1), 0.5, 0.5);
  EXPECT_EQ(r.v_n, 2);
  EXPECT_EQ(r.r_n, 7);
  EXPECT_EQ(r.v, vector2(2.5, 2));
  // pressed on by the force while leaving: no bounce
  EXPECT_EQ(solve_contact(vector2(0, -1), vector2(0, 1), vector2(0, 1), 0.5, 1).v, vector2(0, 0));
}

}  // namespace
}  // namespace conesweep::executor::reference
