#include <gtest/gtest.h>
#include <conesweep/law/ball.hpp>
#include <conesweep/law/coulomb_cone.hpp>
#include <conesweep/law/coulomb_coupled.hpp>
#include <conesweep/law/interval.hpp>

#include <Eigen/Core>
#include <limits>
#include <string>

#include "contact/families.hpp"
#include "oracle/contact_modes.hpp"
#include "oracle/differences.hpp"
#include "oracle/law_check.hpp"
#include "support/dense.hpp"

// One block alone: an interval, a ball in the metric W, a contact whose rows are coupled.
namespace conesweep {
namespace {

using families::Random;
constexpr double inf = std::numeric_limits<double>::infinity();

template <int K>
Eigen::MatrixXd draw_w(Random& random, double condition, double (&w)[K][K]) {
  const Eigen::MatrixXd m = families::random_mass(random, K, condition);
  Eigen::MatrixXd symmetric(K, K);
  for (int i = 0; i < K; ++i) {
    for (int j = 0; j < K; ++j) w[i][j] = symmetric(i, j) = m(std::max(i, j), std::min(i, j));
  }
  return symmetric;
}

template <int K>
Eigen::VectorXd as_vector(const double (&x)[K]) {
  return Eigen::Map<const Eigen::VectorXd>(x, K);
}

TEST(Interval, HandValues) {
  EXPECT_EQ(law::solve_interval(2.0, -3.0, -1.0, 2.0), 1.5);  // inside: u = 0
  EXPECT_EQ(law::solve_interval(2.0, -8.0, -1.0, 2.0), 2.0);  // at an end
  EXPECT_EQ(law::solve_interval(2.0, 8.0, -1.0, 2.0), -1.0);
  EXPECT_EQ(law::solve_interval(2.0, 5.0, -1.0, -0.0), -1.0);
  EXPECT_EQ(law::solve_interval(2.0, 8.0, -inf, 0.0), -4.0);  // a freewheel locks one way
  EXPECT_EQ(law::solve_interval(2.0, -8.0, -inf, 0.0), 0.0);  // and runs the other
  EXPECT_EQ(law::solve_interval(0.0, 1.0, -1.0, 2.0), -1.0);  // nothing moves it: the full impulse
  EXPECT_EQ(law::solve_interval(0.0, -1.0, -1.0, 2.0), 2.0);
  EXPECT_EQ(law::solve_interval(0.0, 0.0, -1.0, 2.0), 0.0);
  EXPECT_EQ(law::solve_interval(0.0, 1.0, -inf, 2.0), 0.0);  // no solution
}

TEST(Ball, HandValues) {
  const double unit[2][2] = {{1, 0}, {0, 1}}, b[2] = {3, -4};
  double r[2];
  law::solve_ball(unit, b, 6.0, r);  // sticks
  EXPECT_EQ(r[0], -3);
  EXPECT_EQ(r[1], 4);
  law::solve_ball(unit, b, 1.0, r);  // r = -b/|b|
  EXPECT_NEAR(r[0], -0.6, 1e-15);
  EXPECT_NEAR(r[1], 0.8, 1e-15);
  law::solve_ball(unit, b, 0.0, r);
  EXPECT_EQ(r[0], 0);
  EXPECT_EQ(r[1], 0);
  // W = diag(1, 4), s = 1: r = -(b0/2, b1/5)
  const double stretched[2][2] = {{1, 0}, {0, 4}}, c[2] = {1.2, 4};
  law::solve_ball(stretched, c, 1.0, r);
  EXPECT_NEAR(r[0], -0.6, 1e-15);
  EXPECT_NEAR(r[1], -0.8, 1e-15);
  const double one[1][1] = {{2}}, b1[1] = {-8};
  double r1[1];
  law::solve_ball(one, b1, 3.0, r1);
  EXPECT_NEAR(r1[0], 3, 1e-15);
}

/// min ½ r·W r + b·r over the ball by projected gradient steps; slow and sure.
Eigen::VectorXd descend_in_the_ball(const Eigen::MatrixXd& w, const Eigen::VectorXd& b, double radius) {
  const double step = 1 / w.trace();
  Eigen::VectorXd r = Eigen::VectorXd::Zero(b.size());
  for (int n = 0; n < 5000; ++n) {
    r -= step * (w * r + b);
    if (r.norm() > radius) r *= radius / r.norm();
  }
  return r;
}

template <int K>
void compare_balls() {
  oracle::Differences off("ball in " + std::to_string(K));
  int stuck = 0;
  for (int number = 0; number < 400; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 100);
    double w[K][K], b[K], r[K];
    const Eigen::MatrixXd matrix = draw_w(random, 30, w);
    const double radius = random.exponential(), speed = random.log_uniform(0.1, 100);
    for (double& value : b) value = speed * random.normal();
    law::solve_ball(w, b, radius, r);
    const Eigen::VectorXd found = as_vector(r), searched = descend_in_the_ball(matrix, as_vector(b), radius);
    const std::string where = "ball " + std::to_string(number);
    off.compare((found - searched).norm(), 0, 1e-10 * radius, where);
    off.at_most(oracle::miss_ball(matrix.trace(), found, as_vector(b) + matrix * found, radius), 0,
                1e-13 * as_vector(b).norm() + 1e-13 * matrix.trace() * radius, where + ", law");
    stuck += found.norm() < radius * (1 - 1e-9);
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(stuck, 20);
  EXPECT_LT(stuck, 380);
}

TEST(Ball, IsTheMinimumThatASearchFinds) {
  compare_balls<1>();
  compare_balls<2>();
  compare_balls<3>();
}

TEST(Ball, SingularMetrics) {
  oracle::Differences off("ball, W singular");
  for (int number = 0; number < 400; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 900);
    const int rank = random.integer(0, 2);
    const Eigen::MatrixXd a = random.normals(3, 3).leftCols(rank);
    const Eigen::MatrixXd matrix = a * a.transpose();
    // b in the range of W but for rounding, or not in it
    const Eigen::VectorXd velocity = random.toss(0.5) ? Eigen::VectorXd(a * random.normals(rank)) : random.normals(3);
    const double radius = random.log_uniform(0.01, 10);
    double w[3][3], b[3], r[3];
    for (int i = 0; i < 3; ++i) {
      b[i] = velocity[i];
      for (int j = 0; j < 3; ++j) w[i][j] = matrix(std::max(i, j), std::min(i, j));
    }
    law::solve_ball(w, b, radius, r);
    const double scale = velocity.norm() + matrix.trace() * radius;
    off.at_most(oracle::miss_ball(std::max(matrix.trace(), scale / radius), as_vector(r),
                                  velocity + matrix * as_vector(r), radius),
                0, 1e-13 * scale, "number " + std::to_string(number));
  }
  EXPECT_TRUE(off.none());
}

TEST(CoupledContact, HandValuesInThePlane) {
  double r[2];
  const double w[2][2] = {{2, 1}, {1, 2}};
  law::solve_coulomb(w, {0.0, 5.0}, 0.5, r);  // does not close
  EXPECT_EQ(r[0], 0);
  EXPECT_EQ(r[1], 0);
  law::solve_coulomb(w, {-2.0, 4.0}, 0.5, r);  // a = 1, β = 1/2, c = 5: slips to the right, r_n = 1/(1 - 1/4)
  EXPECT_NEAR(r[0], 4.0 / 3, 1e-15);
  EXPECT_NEAR(r[1], -2.0 / 3, 1e-15);
  law::solve_coulomb(w, {-2.0, -4.0}, 0.5, r);  // c = -3: to the left, r_n = 1/(1 + 1/4)
  EXPECT_NEAR(r[0], 0.8, 1e-15);
  EXPECT_NEAR(r[1], 0.4, 1e-15);
  law::solve_coulomb(w, {-2.0, -1.0}, 0.5, r);  // c = 0: sticks without friction
  EXPECT_EQ(r[0], 1);
  EXPECT_EQ(r[1], 0);
  // 1 - μβ < 0: no slip to the right; it wedges and sticks for every c > 0
  const double steep[2][2] = {{1, 2}, {2, 5}};
  law::solve_coulomb(steep, {-1.0, 1.0}, 1.0, r);
  EXPECT_NEAR(r[0], 7, 1e-14);
  EXPECT_NEAR(r[1], -3, 1e-14);
}

TEST(CoupledContact, WithoutCouplingIsTheConeOfOneParticle) {
  oracle::Differences off("W = I against (P6)");
  for (int number = 0; number < 500; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 4000);
    const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double b[3] = {-std::fabs(random.normal()), random.normal(), random.normal()}, mu = random.uniform(0, 2);
    double r[3];
    law::solve_coulomb(unit, b, mu, r);
    const double speed = std::hypot(b[1], b[2]), share = law::slide_or_stick(speed, mu * -b[0]);
    off.compare(r[0], -b[0], 0, "normal");
    off.compare(r[1], -share * b[1], 1e-15 * speed, "tangential 1");
    off.compare(r[2], -share * b[2], 1e-15 * speed, "tangential 2");
  }
  EXPECT_TRUE(off.none());
}

TEST(CoupledContact, FrictionlessHasItsNormalImpulseAlone) {
  double r1[1], r2[2], r3[3];
  law::solve_coulomb({{4.0}}, {-2.0}, 0.7, r1);
  EXPECT_EQ(r1[0], 0.5);
  law::solve_coulomb({{4.0, 1.0}, {1.0, 4.0}}, {-2.0, 1.0}, 0.0, r2);
  EXPECT_EQ(r2[0], 0.5);
  EXPECT_EQ(r2[1], 0);
  law::solve_coulomb({{4.0, 1.0, 0.0}, {1.0, 4.0, 0.0}, {0.0, 0.0, 1.0}}, {-2.0, 1.0, 3.0}, 0.0, r3);
  EXPECT_EQ(r3[0], 0.5);
  EXPECT_EQ(r3[1], 0);
  EXPECT_EQ(r3[2], 0);
}

TEST(CoupledContact, InThePlaneIsAmongAllModes) {
  oracle::Differences law_holds("law"), found("among the modes"), preferred("order of preference");
  for (int number = 0; number < 2000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 50000);
    double w[2][2], b[2], r[2];
    const Eigen::MatrixXd matrix = draw_w(random, 1000, w);
    const double mu = random.uniform(0, 3);
    for (double& value : b) value = random.normal();
    law::solve_coulomb(w, b, mu, r);
    const Eigen::VectorXd velocity = as_vector(b), impulse = as_vector(r), u = velocity + matrix * impulse;
    const std::string where = "contact " + std::to_string(number);
    const double size = velocity.norm() + matrix.trace() * impulse.norm();
    law_holds.at_most(oracle::miss_contact(matrix, impulse, u, mu), 0, 1e-14 * size, where);
    bool open = false, stick = false, any = false;
    oracle::find_among_modes(matrix, velocity, {mu}, 1e-10, [&](const oracle::ModeSolution& other) {
      open = open || other.modes[0] == 0;
      stick = stick || other.modes[0] == 1;
      any = any || (other.u - u).norm() <= 1e-7 * size;
      return false;
    });
    found.require(any, where);
    preferred.require(open ? impulse.isZero(0) : !stick || u.norm() <= 1e-12 * size, where);
  }
  EXPECT_TRUE(law_holds.none());
  EXPECT_TRUE(found.none());
  EXPECT_TRUE(preferred.none());
}

/// Every slip in space by looking at all directions: with u_t along (cos θ, sin θ), r_n follows from u_n = 0; a
/// solution is where u_t then has that direction.
std::vector<Eigen::VectorXd> slips_by_angle(const Eigen::MatrixXd& w, const Eigen::VectorXd& b, double mu) {
  std::vector<Eigen::VectorXd> found;
  const auto at = [&](double angle, double& along) {
    const Eigen::Vector3d direction(1, -mu * std::cos(angle), -mu * std::sin(angle));
    const double w_n = w.row(0).dot(direction);
    const Eigen::Vector3d r =
        w_n > 0 ? Eigen::Vector3d(-b[0] / w_n * direction) : Eigen::Vector3d::Constant(std::nan(""));
    const Eigen::Vector3d u = b + w * r;
    along = u[1] * std::cos(angle) + u[2] * std::sin(angle);
    return std::make_pair(u[2] * std::cos(angle) - u[1] * std::sin(angle), r);
  };
  constexpr int count = 7200;
  for (int k = 0; k < count; ++k) {
    double low = 6.283185307179586 * k / count, high = 6.283185307179586 * (k + 1) / count, along = 0;
    const double across_low = at(low, along).first;
    if (!(across_low * at(high, along).first <= 0)) continue;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      (at(middle, along).first * across_low > 0 ? low : high) = middle;
    }
    const Eigen::VectorXd r = at(low, along).second;
    if (along >= 0) found.push_back(r);
  }
  return found;
}

TEST(CoupledContact, InSpaceIsAmongAllDirections) {
  oracle::Differences law_holds("law"), found("among the directions");
  int slips = 0, sticks = 0;
  for (int number = 0; number < 1000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 90000);
    double w[3][3], b[3], r[3];
    const Eigen::MatrixXd matrix = draw_w(random, 1000, w);
    const double mu = random.uniform(0, 3);
    for (double& value : b) value = random.normal();
    b[0] = -std::fabs(b[0]);
    law::solve_coulomb(w, b, mu, r);
    const Eigen::VectorXd velocity = as_vector(b), impulse = as_vector(r), u = velocity + matrix * impulse;
    const std::string where = "contact " + std::to_string(number);
    const double size = velocity.norm() + matrix.trace() * impulse.norm();
    law_holds.at_most(oracle::miss_contact(matrix, impulse, u, mu), 0, 2e-14 * size, where);
    const Eigen::Vector3d stuck = test::solve(matrix, -velocity);
    if (stuck.tail(2).norm() <= mu * stuck[0]) {  // preferred
      ++sticks;
      found.require((impulse - stuck).norm() <= 1e-9 * stuck.norm(), where + ", stick");
      continue;
    }
    ++slips;
    bool any = false;
    for (const Eigen::VectorXd& other : slips_by_angle(matrix, velocity, mu))
      any = any || (other - impulse).norm() <= 1e-7 * impulse.norm();
    found.require(any, where + ", slip");
  }
  EXPECT_TRUE(law_holds.none());
  EXPECT_TRUE(found.none());
  EXPECT_GT(slips, 200);
  EXPECT_GT(sticks, 200);
}

TEST(CoupledContact, SingularBlocks) {
  oracle::Differences off("W singular");
  int unsolved = 0;
  for (int number = 0; number < 1000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 120000);
    const int rank = random.integer(1, 2);
    const Eigen::MatrixXd a = random.normals(3, rank), matrix = a * a.transpose();
    const Eigen::VectorXd velocity = a * random.normals(rank);
    const double mu = random.uniform(0, 1.5);
    double w[3][3], b[3], r[3];
    for (int i = 0; i < 3; ++i) {
      b[i] = velocity[i];
      for (int j = 0; j < 3; ++j) w[i][j] = matrix(std::max(i, j), std::min(i, j));
    }
    law::solve_coulomb(w, b, mu, r);
    const double size = velocity.norm() + matrix.trace() * as_vector(r).norm();
    const double missed = oracle::miss_contact(matrix, as_vector(r), velocity + matrix * as_vector(r), mu);
    off.at_most(missed, 0, 1e-9 * size, "number " + std::to_string(number));
    unsolved += missed > 1e-13 * size;
  }
  EXPECT_TRUE(off.none());
  EXPECT_LE(unsolved, 5);
}

}  // namespace
}  // namespace conesweep
