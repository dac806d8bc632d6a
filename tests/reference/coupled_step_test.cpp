#include "executor/reference/coupled_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "contact/families.hpp"
#include "executor/reference/contact_law.hpp"
#include "oracle/differences.hpp"
#include "support/dense.hpp"

// (B1) … (B4), (B9) by the reference: answers that are known in closed form.
namespace conesweep::executor::reference::coupled {
namespace {

using families::Random;
constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

Vector vector_of(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

Matrix rows_of(std::initializer_list<Vector> rows) {
  Matrix m(static_cast<Index>(rows.size()), rows.begin()->size());
  Index i = 0;
  for (const Vector& row : rows) m.row(i++) = row.transpose();
  return m;
}

Step make_step(const Vector& v_before, const Vector& w) {
  const Index d = w.size();
  return {Matrix::Identity(d, d), w, v_before, Matrix(0, d), Vector(0), {}, Restitution::newton, {}};
}

Block contact_of(const Matrix& rows, double mu, double e) {
  return {Law::contact, rows, Vector::Zero(rows.rows()), 0, 0, mu, e};
}
Block interval_of(const Vector& row, double low, double high, double drive = 0) {
  return {Law::interval, row.transpose(), Vector::Constant(1, drive), low, high, 0, 0};
}

TEST(ReferenceStep, CradleOfThree) {  // E9
  Step step = make_step(vector_of({1, 0, 0}), vector_of({1, 0, 0}));
  step.blocks = {contact_of(vector_of({-1, 1, 0}).transpose(), 0, 1),
                 contact_of(vector_of({0, -1, 1}).transpose(), 0, 1)};
  const StepAnswer answer = solve_step(step);
  ASSERT_EQ(answer.verdict, Verdict::solved);
  EXPECT_LE((answer.v - vector_of({-1.0 / 3, 2.0 / 3, 2.0 / 3})).norm(), 1e-15);
  EXPECT_FALSE(answer.hyperstatic);
  EXPECT_TRUE(answer.contact_acts);
}

TEST(ReferenceStep, OneContactIsTheParticleOfThePaper) {
  oracle::Differences off("one contact");
  int twice = 0, sticking = 0;
  for (int number = 0; number < 2000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 10);
    const int d = random.integer(2, 3);
    const Vector v_before = random.normals(d), w = v_before + random.choose({0.0, 0.1, 2.0}) * random.normals(d);
    const double mu = random.uniform(0, 1.5), e = random.choose({0.0, 0.0, 0.5, 1.0});
    const Matrix frame = test::random_rotation(random.normals(d, d));
    const Vector n = frame.col(0);
    Step step = make_step(v_before, w);
    step.blocks = {contact_of(frame.transpose(), mu, e)};
    const StepAnswer answer = solve_step(step);
    const std::string where = "number " + std::to_string(number);
    if (w.dot(n) >= 0) {
      off.require(answer.v == w && !answer.contact_acts && answer.mode[0] == Mode::flight, where + ", no contact");
      continue;
    }
    const Impulse expected = solve_contact(w, v_before, n, mu, e);
    off.compare((answer.v - expected.v).norm(), 0, 1e-14, where);
    off.compare(answer.impulse[0][0], expected.r_n, 1e-14, where + ", normal impulse");
    off.require(answer.mode[0] == (expected.slip_after == 0 ? Mode::stick : Mode::slip), where + ", mode");
    twice += e * v_before.dot(n) > 0;
    sticking += expected.slip_after == 0;
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(twice, 50);  // part (ii)
  EXPECT_GT(sticking, 100);
}

TEST(ReferenceStep, GrooveOnASlope) {  // E15
  const double gravity = 9.81, h = 1e-3;
  for (const double slope : {0.3, 0.8}) {
    for (const double half : {0.4, 1.2}) {
      for (const double mu : {0.0, 0.2, 0.6}) {
        Step step = make_step(Vector::Zero(3), h * gravity * vector_of({std::sin(slope), 0, -std::cos(slope)}));
        for (const double side : {1.0, -1.0}) {
          const double c = side * std::cos(half), s = std::sin(half);
          step.blocks.push_back(
              contact_of(rows_of({vector_of({0, c, s}), vector_of({1, 0, 0}), vector_of({0, s, -c})}), mu, 0));
        }
        const StepAnswer answer = solve_step(step);
        ASSERT_EQ(answer.verdict, Verdict::solved);
        const double expected = gravity * (std::sin(slope) - mu * std::cos(slope) / std::sin(half));
        EXPECT_NEAR(answer.v[0] / h, std::max(0.0, expected), 1e-12) << slope << ' ' << half << ' ' << mu;
        EXPECT_NEAR(std::hypot(answer.v[1], answer.v[2]), 0, 1e-15);
        EXPECT_EQ(answer.mode[0], mu == 0 || expected > 0 ? Mode::slip : Mode::stick);
        EXPECT_EQ(answer.hyperstatic, mu > 0);
      }
    }
  }
}

/// A ladder of length 2 and unit mass at angle θ to the floor, from rest, one step of gravity. Coordinates: centre,
/// angle.
Step make_ladder(double angle, double mu_floor, double mu_wall) {
  const double c = std::cos(angle), s = std::sin(angle);
  Step step = make_step(Vector::Zero(3), vector_of({0, -9.81e-3, 0}));
  step.mass(2, 2) = 1.0 / 3;
  // the foot at (c, -s) from the centre on the floor, the head at (-c, s) on the wall x = 0; a turn by dθ moves a point
  // (x, y) by (-y, x) dθ
  step.blocks = {contact_of(rows_of({vector_of({0, 1, c}), vector_of({1, 0, s})}), mu_floor, 0),
                 contact_of(rows_of({vector_of({1, 0, -s}), vector_of({0, 1, -c})}), mu_wall, 0)};
  return step;
}

TEST(ReferenceStep, LadderRestsAtTheAngleOfThePaper) {  // E18
  for (const double floor : {0.3, 0.6}) {
    for (const double wall : {0.0, 0.4}) {
      const double critical = std::atan((1 - floor * wall) / (2 * floor));
      for (const double off : {-1e-3, 1e-3}) {
        const StepAnswer answer = solve_step(make_ladder(critical + off, floor, wall));
        ASSERT_EQ(answer.verdict, Verdict::solved);
        if (off > 0) {
          EXPECT_LE(answer.v.norm(), 1e-16) << floor << ' ' << wall;
        } else {
          EXPECT_GT(answer.v.norm(), 1e-7) << floor << ' ' << wall;
        }
      }
    }
  }
}

TEST(ReferenceStep, FirmRowsAreTheSaddlePoint) {
  constexpr int d = 7, firm = 4;
  oracle::Differences off("firm rows");
  for (int number = 0; number < 500; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 1);
    Step step = make_step(random.normals(d), random.normals(d));
    step.mass = families::random_mass(random, d, 1e3);
    step.firm_rows = random.normals(firm, d);
    for (int f = 0; f < firm; ++f) step.firm_rows.row(f) *= random.log_uniform(1e-3, 1e3);
    step.firm_drive = random.normals(firm);
    const StepAnswer answer = solve_step(step);
    ASSERT_EQ(answer.verdict, Verdict::solved);
    // [M -Bᵀ; B 0] (v, λ) = (M w, c)
    Matrix saddle = Matrix::Zero(d + firm, d + firm);
    saddle << step.mass, -step.firm_rows.transpose(), step.firm_rows, Matrix::Zero(firm, firm);
    Vector right(d + firm);
    right << step.mass * step.w, step.firm_drive;
    const Vector expected = test::solve(saddle, right);
    off.compare((answer.v - expected.head(d)).norm(), 0, 1e-10, "velocity");
    for (int f = 0; f < firm; ++f)
      off.compare(answer.firm_normal[f], expected[d + f], 1e-9 * std::fabs(expected[d + f]) + 1e-11, "multiplier");
    off.require(answer.firm_impulse == answer.firm_normal, "nothing else acts");
  }
  EXPECT_TRUE(off.none());
}

TEST(ReferenceStep, FrictionOnABilateralConstraint) {  // B4
  constexpr int d = 4;
  oracle::Differences off("friction on a firm row");
  int sliding = 0;
  for (int number = 0; number < 1000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 110000);
    const Vector w = random.normals(d), firm = random.normals(d), slip = random.normals(d);
    const double mu = random.uniform(0, 1), drive = random.normal(), firm_drive = random.normal();
    Step step = make_step(w, w);
    step.mass = families::random_mass(random, d, 20);
    step.firm_rows = firm.transpose();
    step.firm_drive = Vector::Constant(1, firm_drive);
    step.blocks = {interval_of(slip, 0, 0, drive)};
    step.limits = [mu](const Vector& normal, const Vector&, std::size_t, Block& block) {
      block.high = mu * std::fabs(normal[0]);
      block.low = -block.high;
    };
    const StepAnswer answer = solve_step(step);
    ASSERT_EQ(answer.verdict, Verdict::solved);
    EXPECT_EQ(answer.passes, 1);
    // one row of each, written out
    const Matrix inverse = test::inverse(step.mass);
    const double s = firm.dot(inverse * firm), normal = -(firm.dot(w) - firm_drive) / s, limit = mu * std::fabs(normal);
    const Vector v_free = w + inverse * firm * normal, a = slip - firm * (slip.dot(inverse * firm) / s);
    const double friction = std::clamp(-(slip.dot(v_free) - drive) / a.dot(inverse * a), -limit, limit);
    const std::string where = "number " + std::to_string(number);
    off.compare(answer.firm_normal[0], normal, 1e-11 * (1 + std::fabs(normal)), where + ", normal");
    off.compare(answer.impulse[0][0], friction, 1e-10 * (1 + limit), where + ", friction");
    off.compare((answer.v - v_free - inverse * a * friction).norm(), 0, 1e-10 * (1 + limit), where + ", velocity");
    // momentum with the firm impulse of (O6): M(v - w) = Bᵀλ + Aᵀλ_T
    off.compare((step.mass * (answer.v - w) - firm * answer.firm_impulse[0] - slip * answer.impulse[0][0]).norm(), 0,
                1e-10 * (1 + limit), where + ", momentum");
    sliding += answer.mode[0] == Mode::slip;
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(sliding, 200);
  EXPECT_LT(sliding, 900);
}

TEST(ReferenceStep, LimitsUseTheContactsOfThePassBefore) {
  Step step = make_step(vector_of({1, -1}), vector_of({1, -1}));
  step.blocks = {contact_of(vector_of({0, 1}).transpose(), 0, 0), interval_of(vector_of({1, 0}), 0, 0)};
  step.limits = [](const Vector&, const Vector& normal, std::size_t, Block& block) {
    block.low = -0.3 * normal[0], block.high = 0.3 * normal[0];
  };
  const StepAnswer answer = solve_step(step);
  ASSERT_EQ(answer.verdict, Verdict::solved);
  EXPECT_LE((answer.v - vector_of({0.7, 0})).norm(), 1e-15);  // (P6)
  EXPECT_EQ(answer.passes, 2);
}

TEST(ReferenceStep, SaysWhichStatementFails) {
  Step step = make_step(Vector::Zero(2), vector_of({1, -2}));
  step.mass(1, 1) = 0;
  EXPECT_EQ(solve_step(step).verdict, Verdict::bad_mass);
  step.mass(1, 1) = nan;
  EXPECT_EQ(solve_step(step).verdict, Verdict::bad_mass);
  step.mass(1, 1) = 1;

  step.firm_drive = Vector::Zero(2);
  step.firm_rows = rows_of({vector_of({1, 1}), vector_of({1, 1 + 1e-7})});
  EXPECT_EQ(solve_step(step).verdict, Verdict::dependent_constraints);
  step.firm_rows(1, 1) = 1 + 1e-4;
  EXPECT_EQ(solve_step(step).verdict, Verdict::solved);
  step.firm_rows = Matrix(0, 2), step.firm_drive = Vector(0);

  for (const double high : {-1.0, nan}) {
    step.blocks = {interval_of(vector_of({1, 0}), -1, high)};
    EXPECT_EQ(solve_step(step).verdict, Verdict::bad_limit);
    step.blocks = {{Law::ball, Matrix::Identity(2, 2), Vector::Zero(2), 0, high, 0, 0}};
    EXPECT_EQ(solve_step(step).verdict, Verdict::bad_limit);
  }
  step.blocks = {contact_of(rows_of({vector_of({0, 1}), vector_of({1, 0})}), nan, 0)};
  EXPECT_EQ(solve_step(step).verdict, Verdict::not_converged);

  // a contact whose normal row a firm row holds: it closes, and nothing can stop it
  step.blocks = {contact_of(rows_of({vector_of({0, 1}), vector_of({1, 0})}), 0.5, 0)};
  step.firm_rows = vector_of({0, 1}).transpose(), step.firm_drive = Vector::Constant(1, -1);
  const StepAnswer answer = solve_step(step);
  EXPECT_EQ(answer.verdict, Verdict::not_converged);
  EXPECT_GT(answer.residual, 0.1);
  EXPECT_EQ(name_of(answer.verdict), "not_converged");
}

TEST(ReferenceStep, IntervalsMayHaveAnyEnds) {
  for (const double low : {-inf, -0.5, 0.0}) {
    for (const double high : {0.0, 0.5, inf}) {
      for (const double w : {-2.0, -0.1, 0.1, 2.0}) {
        Step step = make_step(Vector::Constant(1, w), Vector::Constant(1, w));
        step.mass(0, 0) = 2;
        step.blocks = {interval_of(Vector::Ones(1), low, high)};
        const StepAnswer answer = solve_step(step);
        ASSERT_EQ(answer.verdict, Verdict::solved);
        const double expected = std::clamp(-2 * w, low, high);
        EXPECT_NEAR(answer.impulse[0][0], expected, 1e-15) << low << ' ' << high << ' ' << w;
        EXPECT_EQ(answer.mode[0], expected > low && expected < high ? Mode::stick : Mode::slip);
      }
    }
  }
}

}  // namespace
}  // namespace conesweep::executor::reference::coupled
