#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "contact/families.hpp"
#include "one_step.hpp"
#include "oracle/differences.hpp"
#include "oracle/nonnegative.hpp"
#include "support/dense.hpp"

// Coupled steps whose answer is known in closed form.
namespace conesweep::contact {
namespace {

using families::Random;

/// Balls in a row: contact k keeps ball k left of ball k + 1.
template <int N>
OneStep<N> make_cradle(const Vector& v, double e, int touching = N - 1) {
  OneStep<N> step(v, v);
  for (int k = 0; k < touching; ++k) {
    Vector row = Vector::Zero(N);
    row[k] = -1, row[k + 1] = 1;
    step.add_contact({row}, 0, e);
  }
  return step;
}

TEST(CoupledStep, CradleOfThree) {  // E9
  OneStep<3> step = make_cradle<3>(vector_of({1, 0, 0}), 1);
  ASSERT_EQ(step.solve().verdict, Verdict::solved);
  EXPECT_NEAR(step.v()[0], -1.0 / 3, 1e-15);
  EXPECT_NEAR(step.v()[1], 2.0 / 3, 1e-15);
  EXPECT_NEAR(step.v()[2], 2.0 / 3, 1e-15);
  EXPECT_FALSE(step.solution.hyperstatic);  // no friction
}

TEST(CoupledStep, CradleOfFiveWithMassesAndRestitution) {
  // v⁻ = (1, 0, …) is closing everywhere or at rest: Proj_V v⁻ is the common velocity m₁/Σm, v = (1 + e) of it - e v⁻
  for (const double e : {0.0, 0.3, 1.0}) {
    OneStep<5> step = make_cradle<5>(vector_of({1, 0, 0, 0, 0}), e);
    step.mass = vector_of({1, 2, 3, 4, 5}).asDiagonal();
    ASSERT_EQ(step.solve().verdict, Verdict::solved);
    for (int k = 0; k < 5; ++k)
      EXPECT_NEAR(step.v()[k], (1 + e) / 15 - (k == 0 ? e : 0), 2e-15) << "ball " << k << ", e = " << e;
  }
}

TEST(CoupledStep, CradleWithGapsHandsTheVelocityOn) {
  // neighbours touch one pair after another: each step exchanges two velocities
  Vector v = vector_of({1, 0, 0, 0, 0});
  for (int pair = 0; pair < 4; ++pair) {
    OneStep<5> step(v, v);
    Vector row = Vector::Zero(5);
    row[pair] = -1, row[pair + 1] = 1;
    step.add_contact({row}, 0, 1);
    step.solve();
    v = step.v();
  }
  EXPECT_TRUE(v.isApprox(vector_of({0, 0, 0, 0, 1}), 1e-15)) << v.transpose();
}

/// Orthonormal n, t1, … of a plane in R^D.
template <int D>
std::vector<Vector> draw_frame(Random& random) {
  const Matrix q = test::random_rotation(random.normals(D, D));
  std::vector<Vector> frame;
  for (int k = 0; k < D; ++k) frame.push_back(q.col(k));
  return frame;
}

template <int D>
void compare_with_one_particle() {
  oracle::Differences off("(P2) … (P6), (P12) in " + std::to_string(D));
  int twice = 0;
  for (int number = 0; number < 2000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 10);
    const Vector v_before = random.normals(D), w = v_before + random.choose({0.0, 0.1, 2.0}) * random.normals(D);
    const double mu = random.uniform(0, 1.5), e = random.choose({0.0, 0.0, 0.5, 1.0});
    const std::vector<Vector> frame = draw_frame<D>(random);
    OneStep<D> step(v_before, w);
    step.add_contact(frame, mu, e);
    step.solve();

    // the closed form
    const double w_n = w.dot(frame[0]), v_n_before = v_before.dot(frame[0]);
    Vector expected = w;
    if (w_n < 0) {
      const double v_n = std::max(0.0, -e * v_n_before), r_n = v_n - w_n;
      const Vector w_t = w - w_n * frame[0];
      expected = w_t * std::max(0.0, 1 - mu * r_n / w_t.norm()) + v_n * frame[0];
      twice += e * v_n_before > 0;
      off.compare(step.solution.impulse[0], r_n, 1e-14, "normal impulse");
    } else {
      off.require(step.v() == w, "no contact: w to the bit");
    }
    off.compare((step.v() - expected).norm(), 0, 1e-14, "number " + std::to_string(number));
    off.require(step.solution.contact_acts == (w_n < 0), "acts");
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(twice, 50);  // moved away before, closes by the force: part (ii)
}

TEST(CoupledStep, OneContactIsTheParticleOfThePaper) {
  compare_with_one_particle<2>();
  compare_with_one_particle<3>();
}

TEST(CoupledStep, GrooveOnASlope) {  // E15
  const double gravity = 9.81, h = 1e-3;
  for (const double slope : {0.3, 0.8}) {
    for (const double half : {0.4, 1.2}) {
      for (const double mu : {0.0, 0.2, 0.6}) {
        const Vector force = gravity * vector_of({std::sin(slope), 0, -std::cos(slope)});
        OneStep<3> step(Vector::Zero(3), h * force);
        for (const double side : {1.0, -1.0}) {
          const Vector n = vector_of({0, side * std::cos(half), std::sin(half)});
          step.add_contact({n, vector_of({1, 0, 0}), vector_of({0, std::sin(half), -side * std::cos(half)})}, mu, 0);
        }
        ASSERT_EQ(step.solve().verdict, Verdict::solved);
        const double expected = gravity * (std::sin(slope) - mu * std::cos(slope) / std::sin(half));
        EXPECT_NEAR(step.v()[0] / h, std::max(0.0, expected), 1e-12) << slope << ' ' << half << ' ' << mu;
        EXPECT_NEAR(std::hypot(step.v()[1], step.v()[2]), 0, 1e-15);
        EXPECT_EQ(step.solution.mode[0], mu == 0 || expected > 0 ? Mode::slip : Mode::stick);
        EXPECT_EQ(step.solution.hyperstatic, mu > 0);  // six rows in three coordinates
      }
    }
  }
}

/// Nearest of V = {v : A v >= 0} in the metric M, by nonnegative least squares for the multipliers.
Vector project_on_cone(const Matrix& mass, const Matrix& rows, const Vector& v) {
  const Matrix g = test::whiten(mass, rows.transpose());  // columns of A in the coordinates y = Lᵀv
  const Vector r = oracle::least_squares_nonnegative(g, -test::lower_factor(mass).transpose() * v);
  return v + test::solve(mass, rows.transpose() * r);
}

double kinetic_norm(const Matrix& mass, const Vector& v) { return std::sqrt(v.dot(mass * v)); }

TEST(CoupledStep, WithoutFrictionIsTwoProjections) {
  constexpr int d = 6;
  oracle::Differences off("Proj_V[-e v⁻ + Proj_V(w + e v⁻)]");
  int acting = 0, leaving = 0;
  for (int number = 0; number < 1500; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 300);
    const Vector v_before = random.normals(d), w = v_before + random.choose({0.0, 0.3, 2.0}) * random.normals(d);
    const double e = random.choose({0.0, 0.4, 1.0});
    OneStep<d> step(v_before, w);
    step.mass = families::random_mass(random, d, 50);
    const Vector opening = random.normals(d);
    for (int k = random.integer(1, 6); k > 0; --k) {
      Vector row = random.normals(d);
      if (row.dot(opening) < 0) row = -row;
      step.add_contact({row}, 0, e);
    }
    const bool acts = (step.rows * w).minCoeff() < 0;
    ASSERT_EQ(step.solve().verdict, Verdict::solved);
    const Vector first = project_on_cone(step.mass, step.rows, w + e * v_before) - e * v_before;
    const Vector expected = acts ? project_on_cone(step.mass, step.rows, first) : w;
    const std::string where = "number " + std::to_string(number);
    off.compare(kinetic_norm(step.mass, step.v() - expected), 0, 1e-10, where);
    off.at_most(kinetic_norm(step.mass, step.v()),
                kinetic_norm(step.mass, v_before) + kinetic_norm(step.mass, w - v_before), 1e-12, where + ", energy");
    off.at_least((step.rows * step.v()).minCoeff(), 0, 1e-11, where + ", admissible");
    acting += acts;
    leaving += acts && (step.rows * first).minCoeff() < -1e-9;
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(acting, 500);
  EXPECT_GT(leaving, 100);
}

TEST(CoupledStep, RestingAndStuckBlockStays) {
  // a step of gravity on two feet in the plane: v = 0 but for rounding, and both stick
  OneStep<3> step(Vector::Zero(3), vector_of({2e-3, -9.81e-3, 0}));
  for (const double x : {-0.7, 0.4}) step.add_contact({vector_of({0, 1, x}), vector_of({1, 0, 1})}, 0.5, 0.3);
  ASSERT_EQ(step.solve().verdict, Verdict::solved);
  EXPECT_LE(step.v().norm(), 1e-17);
  EXPECT_EQ(step.solution.mode[0], Mode::stick);
  EXPECT_EQ(step.solution.mode[1], Mode::stick);
  EXPECT_TRUE(step.solution.hyperstatic);  // four rows, three coordinates
}

TEST(CoupledStep, PainleveIsReported) {
  // rod of length 1 at angle θ on a floor: W_nn = 1 + 3 cos²θ, W_nt = 3 sin θ cos θ
  const double angle = 1.1, mu = 0.8, x = -0.5 * std::cos(angle), y = -0.5 * std::sin(angle);
  OneStep<3> step(Vector::Zero(3), vector_of({0.3, -1, 0.2}));
  step.mass = vector_of({1, 1, 1.0 / 12}).asDiagonal();
  step.add_contact({vector_of({0, 1, x}), vector_of({1, 0, -y})}, mu, 0);
  ASSERT_EQ(step.solve().verdict, Verdict::solved);
  const double c = std::cos(angle), s = std::sin(angle);
  EXPECT_NEAR(step.solution.painleve, 1 - mu * 3 * s * c / (1 + 3 * c * c), 1e-14);
}

}  // namespace
}  // namespace conesweep::contact
