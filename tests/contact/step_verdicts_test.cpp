// (B1) … (B4): what a step says of systems that cannot be solved, or have several solutions.
#include <gtest/gtest.h>

#include <limits>

#include "contact/families.hpp"
#include "one_step.hpp"
#include "support/dense.hpp"

namespace conesweep::contact {
namespace {

using families::Random;

TEST(CoupledStep, SaysWhatCannotBeSolved) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  {
    OneStep<3, 2> step(Vector::Zero(3), vector_of({1, 2, 3}));
    step.set_firm(0, vector_of({1, 1, 0}), 0);
    step.set_firm(1, vector_of({1, 1 + 1e-7, 0}), 0);
    EXPECT_EQ(step.solve().verdict, Verdict::dependent_constraints);
  }
  {
    OneStep<3, 2> step(Vector::Zero(3), vector_of({1, 2, 3}));
    step.set_firm(0, vector_of({1, 1, 0}), 0);
    step.set_firm(1, vector_of({1, 1 + 1e-4, 0}), 0);
    EXPECT_EQ(step.solve().verdict, Verdict::solved);
    EXPECT_NEAR(step.v().head(2).norm(), 0, 1e-11);
  }
  for (const double high : {-1.0, nan}) {
    OneStep<2> step(Vector::Zero(2), vector_of({1, 2}));
    step.add_interval(vector_of({1, 0}), -1, high);
    EXPECT_EQ(step.solve().verdict, Verdict::bad_limit);
    OneStep<2> ball(Vector::Zero(2), vector_of({1, 2}));
    ball.add_ball({vector_of({1, 0}), vector_of({0, 1})}, high);
    EXPECT_EQ(ball.solve().verdict, Verdict::bad_limit);
  }
  {
    OneStep<2> step(Vector::Zero(2), vector_of({1, 2}));
    step.mass(1, 1) = 0;
    EXPECT_EQ(step.solve().verdict, Verdict::bad_mass);
  }
  {  // a contact whose normal row a firm row holds: it closes, and nothing can stop it
    OneStep<2, 1> step(Vector::Zero(2), vector_of({0, -1}));
    step.set_firm(0, vector_of({0, 1}), -1);
    step.add_contact({vector_of({0, 1}), vector_of({1, 0})}, 0.5, 0);
    EXPECT_EQ(step.solve().verdict, Verdict::not_converged);
  }
  {  // numbers that are none
    OneStep<2> step(Vector::Zero(2), vector_of({1, -2}));
    step.add_contact({vector_of({0, 1}), vector_of({1, 0})}, nan, 0);
    EXPECT_EQ(step.solve().verdict, Verdict::not_converged);
  }
}

TEST(CoupledStep, RowsInTheSpanOfFirmRowsHaveNoImpulseToGive) {
  // the rail holds y; a resistance along y with a drive takes all of its set, one without a drive nothing, and the
  // motion does not notice
  OneStep<2, 1> step(vector_of({1, 0}), vector_of({1, 0.3}));
  step.set_firm(0, vector_of({0.1, 0.7}), 0);
  step.add_interval(vector_of({0.2, 1.4}), -2, 3, 1);
  step.add_interval(vector_of({0.3, 2.1}), -2, 3);
  ASSERT_EQ(step.solve().verdict, Verdict::solved);
  EXPECT_EQ(step.solution.impulse[0], 3);
  EXPECT_NEAR(step.firm.row(0).dot(step.v()), 0, 1e-16);
}

TEST(CoupledStep, HyperstaticIsFlagged) {
  const double x[] = {1, -1, 0}, y[] = {0, 0, 1};
  for (const int feet : {1, 2, 3}) {
    for (const double mu : {0.0, 0.5}) {
      OneStep<6> step(Vector::Zero(6), vector_of({0.001, 0, -0.01, 0, 0, 0}));
      for (int k = 0; k < feet; ++k)
        step.add_contact({vector_of({0, 0, 1, y[k], -x[k], 0}), vector_of({1, 0, 0, 0, -1, -y[k]}),
                          vector_of({0, 1, 0, 1, 0, x[k]})},
                         mu, 0);
      ASSERT_EQ(step.solve().verdict, Verdict::solved);
      for (int k = 0; k < std::min(feet, 2); ++k) EXPECT_GT(step.solution.impulse[3 * k], 0);
      // two feet: their rows along the line between them are one
      EXPECT_EQ(step.solution.hyperstatic, feet > 1 && mu > 0) << feet << ' ' << mu;
    }
  }
}

TEST(CoupledStep, HyperstaticUpToRounding) {
  // two feet in coordinates turned at random: their rows are dependent but for rounding; bent by 1e-3 they are not
  for (int number = 0; number < 50; ++number) {
    for (const double bend : {0.0, 1e-3}) {
      Random random(static_cast<std::uint64_t>(number) + 130000);
      const Matrix turn = test::random_rotation(random.normals(6, 6));
      OneStep<6> step(Vector::Zero(6), turn * vector_of({0.001, 0, -0.01, 0, 0, 0}));
      for (const double x : {1.0, -1.0})
        step.add_contact({turn * vector_of({0, 0, 1, 0, -x, 0}), turn * vector_of({1, x * bend, 0, 0, -1, 0}),
                          turn * vector_of({0, 1, 0, 1, 0, x})},
                         0.5, 0);
      ASSERT_EQ(step.solve().verdict, Verdict::solved);
      EXPECT_EQ(step.solution.hyperstatic, bend == 0) << number;
    }
  }
  // a particle on a rail has two coordinates left for three rows
  OneStep<3, 1> step(Vector::Zero(3), vector_of({0.1, 0.2, -1}));
  step.set_firm(0, vector_of({1, 0, 0}), 0);
  step.add_contact({vector_of({0, 0, 1}), vector_of({1, 0, 0}), vector_of({0, 1, 0})}, 0.5, 0);
  ASSERT_EQ(step.solve().verdict, Verdict::solved);
  EXPECT_TRUE(step.solution.hyperstatic);
}

}  // namespace
}  // namespace conesweep::contact
