// (G) Guides, bilateral constraints with friction: by hand, on random systems of the plane against every combination of
// modes, and in space against the law.
#include <gtest/gtest.h>

#include "contact/families.hpp"
#include "contact/one_step.hpp"
#include "support/dense.hpp"

namespace conesweep::contact {
namespace {

using families::Random;

// By how much a guide misses its law.
double missed_by(const Vector& r, const Vector& u, double mu) {
  const auto tangents = r.size() - 1;
  const Vector r_t = r.tail(tangents), u_t = u.tail(tangents);
  const double grip = mu * std::fabs(r[0]);
  // it points against the slip, with all of its length
  const double outside = r_t.norm() - grip, turned = (r_t * u_t.norm() + grip * u_t).norm();
  return std::max({std::fabs(u[0]), outside, turned});
}

// Guides with rows 2k (normal) and 2k + 1: u = b + W r.
struct Problem2D {
  Matrix w;
  Vector b, mu;
};

// All solutions: each guide sticks, or slips to one of two sides and presses on one of two; then all is linear.
std::vector<Vector> solve_by_modes(const Problem2D& p) {
  const auto n = p.mu.size(), rows = 2 * n;
  const double small = 1e-10 * (1 + p.b.lpNorm<Eigen::Infinity>());
  std::vector<Vector> all;
  int codes = 1;
  for (Eigen::Index k = 0; k < n; ++k) codes *= 3;
  for (int code = 0; code < codes; ++code) {
    Matrix equations = p.w;
    Vector right = -p.b;
    for (Eigen::Index k = 0, rest = code; k < n; ++k, rest /= 3) {
      if (rest % 3 == 0) continue;  // sticks; else rₜ = ∓μ rₙ
      equations.row(2 * k + 1).setZero();
      equations(2 * k + 1, 2 * k + 1) = 1;
      equations(2 * k + 1, 2 * k) = rest % 3 == 1 ? p.mu[k] : -p.mu[k];
      right[2 * k + 1] = 0;
    }
    const auto solution = test::solve_unique(equations, right);
    if (!solution) continue;
    const Vector r = *solution, u = p.b + p.w * r;
    double worst = 0;
    for (Eigen::Index k = 0; k < n; ++k)
      worst = std::max(worst, missed_by(r.segment(2 * k, 2), u.segment(2 * k, 2), p.mu[k]));
    const auto is_same = [&](const Vector& other) { return (other - r).norm() <= 1e-7 * (1 + r.norm()); };
    if (rows > 0 && worst <= small * (1 + r.norm()) && std::none_of(all.begin(), all.end(), is_same)) all.push_back(r);
  }
  return all;
}

constexpr int coordinates = 7;

// A block between two smooth jaws that are one guide: its normal force has either sign, and so it slows down either
// way.
TEST(GuideStep, RubsOnEitherSide) {
  for (const double load : {-2.0, 2.0}) {
    for (const double slip : {-1.0, 1.0, -0.1, 0.1}) {
      OneStep<2> step(vector_of({slip, 0}), vector_of({slip, load}));
      step.add_guide({vector_of({0, 1}), vector_of({1, 0})}, 0.25);
      const auto& solution = step.solve();
      ASSERT_EQ(solution.verdict, Verdict::solved);
      EXPECT_EQ(solution.impulse[0], -load);
      const bool sticks = std::fabs(slip) < 0.5;
      EXPECT_EQ(solution.v[0], sticks ? 0 : slip - std::copysign(0.5, slip));
      EXPECT_EQ(solution.v[1], 0);
      EXPECT_EQ(solution.mode[0], sticks ? Mode::stick : Mode::slip);
      EXPECT_FALSE(solution.hyperstatic);
    }
  }
}

// Painlevé and Klein: a rough and a smooth slide of mass 1 on two rails, joined by a rod. The rail is loaded by N = ẍ
// tan φ, so friction makes itself: against a push of 2 to the front the rough one that slides back has 2ẍ = 2 + μ tan φ
// ẍ. With tan φ = 1/2 and μ = 1 that is 4/3; with a friction that does not act back it would be 5/4. From μ = 4 on
// nothing slides back: it locks.
TEST(GuideStep, FrictionActsBack) {
  const double h = 0.01, push = 2 * h;
  for (const double mu : {0.0, 0.5, 1.0, 3.9, 4.1, 20.0}) {
    // x1, y1, x2, y2; the rod from (0, 0) to (2, 1)
    OneStep<4, 2> step(vector_of({-1, 0, -1, 0}), vector_of({-1 + push, 0, -1, 0}));
    step.set_firm(0, vector_of({0, 0, 0, 1}), 0);
    step.set_firm(1, vector_of({-2, -1, 2, 1}), 0);
    step.add_guide({vector_of({0, 1, 0, 0}), vector_of({1, 0, 0, 0})}, mu);
    const auto& solution = step.solve();
    ASSERT_EQ(solution.verdict, Verdict::solved) << mu;
    const double v = mu < 4 ? -1 + push / (2 - mu / 2) : 0;
    EXPECT_NEAR(solution.v[0], std::min(v, 0.0), 1e-14) << mu;
    EXPECT_NEAR(solution.v[2], std::min(v, 0.0), 1e-14) << mu;
    // forwards friction eases itself, for every μ
    OneStep<4, 2> forwards(vector_of({1, 0, 1, 0}), vector_of({1 + push, 0, 1, 0}));
    forwards.set_firm(0, vector_of({0, 0, 0, 1}), 0);
    forwards.set_firm(1, vector_of({-2, -1, 2, 1}), 0);
    forwards.add_guide({vector_of({0, 1, 0, 0}), vector_of({1, 0, 0, 0})}, mu);
    ASSERT_EQ(forwards.solve().verdict, Verdict::solved) << mu;
    EXPECT_NEAR(forwards.solution.v[0], 1 + push / (2 + mu / 2), 1e-14) << mu;
  }
}

// One to three guides in seven coordinates. Where friction is small there is one solution, and it is found; where it is
// large there may be several.
TEST(GuideStep, IsASolutionByModes) {
  int unique = 0, several = 0, none = 0, unsolved = 0;
  for (int number = 0; number < 3000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 770000);
    const int n = random.integer(1, 3);
    const Vector w = random.normals(coordinates);
    OneStep<coordinates> step(random.normals(coordinates), w);
    step.mass = families::random_mass(random, coordinates, random.log_uniform(1, 30));
    Problem2D p{Matrix(), Vector(), Vector(n)};
    for (int k = 0; k < n; ++k) {
      p.mu[k] = random.toss(0.5) ? random.uniform(0, 0.2) : random.uniform(0, 8);
      step.add_guide({random.normals(coordinates), random.normals(coordinates)}, p.mu[k]);
    }
    p.w = step.rows * test::inverse(step.mass) * step.rows.transpose();
    p.b = step.rows * w;
    const auto& solution = step.solve();
    const std::vector<Vector> all = solve_by_modes(p);
    (all.size() == 1 ? unique : all.empty() ? none : several)++;
    if (solution.verdict == Verdict::not_converged) {
      ++unsolved;
      EXPECT_NE(all.size(), 1u) << number;
      continue;
    }
    ASSERT_EQ(solution.verdict, Verdict::solved) << number;
    const Vector r = step.impulse();
    double nearest = 1e9;
    for (const Vector& other : all) nearest = std::min(nearest, (other - r).norm() / (1 + r.norm()));
    EXPECT_LE(nearest, 1e-8) << number << ", " << all.size() << " solutions";
    for (int k = 0; k < n; ++k) {
      const double u_t = solution.u[2 * k + 1];
      EXPECT_EQ(solution.mode[k] == Mode::stick, std::fabs(u_t) <= 1e-11) << number << ": " << u_t;
    }
  }
  std::cout << unique << " with one solution, " << several << " with several, " << none << " with none; " << unsolved
            << " not solved\n";
  EXPECT_GT(unique, 2000);
  EXPECT_GT(several, 50);
  EXPECT_LE(unsolved, none + 3);
}

// In space, beside firm rows, contacts, an interval and a ball: all laws hold. Friction is such that there is one
// solution.
TEST(GuideStep, HoldsInSpaceBesideOtherLaws) {
  constexpr int d = 9;
  double worst = 0;
  for (int number = 0; number < 1000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 880000);
    const Vector w = random.normals(d);
    OneStep<d, 1> step(random.normals(d), w);
    step.mass = families::random_mass(random, d, 5);
    step.set_firm(0, random.normals(d), 0);
    std::vector<int> guides;
    std::vector<double> mu;
    if (random.toss(0.7)) step.add_contact({random.normals(d), random.normals(d)}, 0.1, random.choose({0.0, 0.5}));
    for (int k = random.integer(1, 2); k > 0; --k) {
      mu.push_back(random.uniform(0, 0.15));
      guides.push_back(step.add_guide({random.normals(d), random.normals(d), random.normals(d)}, mu.back()));
    }
    if (random.toss(0.5)) step.add_interval(random.normals(d), -random.exponential(), random.exponential());
    if (random.toss(0.5)) step.add_ball({random.normals(d), random.normals(d)}, random.exponential());
    const auto& solution = step.solve();
    ASSERT_EQ(solution.verdict, Verdict::solved) << number;
    const Vector r = step.impulse(), u = step.rows * step.v();
    for (std::size_t k = 0; k < guides.size(); ++k) {
      const int first = step.system.first[guides[k]];
      worst = std::max(worst, missed_by(r.segment(first, 3), u.segment(first, 3), mu[k]) / (1 + r.norm()));
    }
    EXPECT_LE(std::fabs(step.firm.row(0).dot(step.v())), 1e-12 * (1 + r.norm())) << number;
    const Vector change = step.v() - w -
                          test::inverse(step.mass) * (step.rows.transpose() * r +
                                                      step.firm.transpose() * vector_of({solution.firm_impulse[0]}));
    EXPECT_LE(change.norm(), 1e-10 * (1 + r.norm())) << number;
  }
  std::cout << "worst miss " << worst << "\n";
  EXPECT_LE(worst, 1e-10);
}

TEST(GuideStep, SaysWhatBindsTwice) {
  OneStep<3> same(vector_of({0, 0, 0}), vector_of({1, 1, 1}));
  same.add_guide({vector_of({0, 1, 0}), vector_of({1, 0, 0})}, 0.3);
  same.add_guide({vector_of({0, 2, 0}), vector_of({0, 0, 1})}, 0.3);
  EXPECT_EQ(same.solve().verdict, Verdict::dependent_constraints);
  OneStep<3, 1> firm(vector_of({0, 0, 0}), vector_of({1, 1, 1}));
  firm.set_firm(0, vector_of({0, 1, 0}), 0);
  firm.add_guide({vector_of({0, 2, 0}), vector_of({1, 0, 0})}, 0.3);
  EXPECT_EQ(firm.solve().verdict, Verdict::dependent_constraints);
}

// A slide in two rough guides: what each of them takes of a force that does not move it is open.
TEST(GuideStep, HyperstaticIsWhoSticksInTwoGuidesOfOneDirection) {
  for (const double push : {0.1, 5.0}) {
    OneStep<3> step(vector_of({0, 0, 0}), vector_of({push, 1, 1}));
    step.add_guide({vector_of({0, 1, 0}), vector_of({1, 0, 0})}, 0.3);
    step.add_guide({vector_of({0, 0, 1}), vector_of({1, 0, 0})}, 0.3);
    ASSERT_EQ(step.solve().verdict, Verdict::solved);
    EXPECT_NEAR(step.solution.v[0], push > 1 ? push - 0.6 : 0, 1e-13);
    EXPECT_EQ(step.solution.hyperstatic, push < 1);
  }
}

}  // namespace
}  // namespace conesweep::contact
