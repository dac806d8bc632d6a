#include <gtest/gtest.h>
#include <conesweep/metric/cholesky.hpp>
#include <conesweep/metric/principal_axes.hpp>

#include <Eigen/Core>
#include <limits>

#include "contact/families.hpp"
#include "oracle/differences.hpp"
#include "support/dense.hpp"

namespace conesweep {
namespace {

using families::Random;

template <int K>
void compare_axes(double condition, double bound) {
  oracle::Differences off("axes");
  for (int number = 0; number < 300; ++number) {
    Random random(static_cast<std::uint64_t>(number));
    const Eigen::MatrixXd w = families::random_mass(random, K, condition);
    double a[K][K];
    for (int i = 0; i < K; ++i) {
      for (int j = 0; j < K; ++j) a[i][j] = w(std::max(i, j), std::min(i, j));
    }
    const metric::PrincipalAxes<double, K> axes = metric::find_axes(a);
    const std::string where = "matrix " + std::to_string(number);
    for (int i = 0; i < K; ++i) {
      for (int j = 0; j < K; ++j) {
        double product = 0, rebuilt = 0;
        for (int k = 0; k < K; ++k) {
          product += axes.q[k][i] * axes.q[k][j];
          rebuilt += axes.q[i][k] * axes.d[k] * axes.q[j][k];
        }
        off.compare(product, i == j ? 1 : 0, bound, where + ", orthonormal");
        off.compare(rebuilt, a[i][j], bound * condition, where + ", rebuilt");
      }
    }
  }
  EXPECT_TRUE(off.none());
}

TEST(PrincipalAxes, RebuildTheMatrix) {
  compare_axes<2>(10, 1e-15);
  compare_axes<2>(1e12, 1e-15);
  compare_axes<3>(10, 2e-15);
  compare_axes<3>(1e12, 2e-15);
}

TEST(PrincipalAxes, OfEqualValuesAndOfNothing) {
  const double unit[3][3] = {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, nothing[3][3] = {}, flat[2][2] = {{1, 1}, {1, 1}};
  const metric::PrincipalAxes<double, 3> of_unit = metric::find_axes(unit), of_nothing = metric::find_axes(nothing);
  const metric::PrincipalAxes<double, 2> of_flat = metric::find_axes(flat);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(of_unit.d[k], 2);
    EXPECT_EQ(of_nothing.d[k], 0);
  }
  EXPECT_EQ(std::min(of_flat.d[0], of_flat.d[1]), 0);  // not rounding, exactly
  EXPECT_NEAR(std::max(of_flat.d[0], of_flat.d[1]), 2, 1e-15);
}

TEST(Metric, WhitenedRowsHaveTheKineticProduct) {
  constexpr int d = 6;
  oracle::Differences off("a M⁻¹a and M⁻¹f");
  for (int number = 0; number < 300; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 17);
    const Eigen::MatrixXd m = families::random_mass(random, d, 1e4);
    const Eigen::VectorXd a = random.normals(d), b = random.normals(d);
    double mass[d][d], x[d], y[d];
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < d; ++j) mass[i][j] = m(i, j);
      x[i] = a[i], y[i] = b[i];
    }
    metric::DenseMetric<double, d> metric;
    ASSERT_TRUE(metric.factor(mass));
    metric.whiten(x);
    metric.whiten(y);
    double product = 0;
    for (int i = 0; i < d; ++i) product += x[i] * y[i];
    const Eigen::VectorXd solved = test::solve(m, b);
    off.compare(product, a.dot(solved), 1e-11, "product");
    metric.unwhiten(y);
    for (int i = 0; i < d; ++i) off.compare(y[i], solved[i], 1e-11, "solved");
  }
  EXPECT_TRUE(off.none());
}

TEST(Metric, DiagonalIsTheDenseOne) {
  const double mass[3] = {4, 0.25, 9}, full[3][3] = {{4, 0, 0}, {0, 0.25, 0}, {0, 0, 9}};
  metric::DiagonalMetric<double, 3> diagonal;
  metric::DenseMetric<double, 3> dense;
  ASSERT_TRUE(diagonal.factor(mass));
  ASSERT_TRUE(dense.factor(full));
  double a[3] = {1, 2, 3}, b[3] = {1, 2, 3};
  diagonal.whiten(a);
  dense.whiten(b);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(a[i], b[i]);
  EXPECT_EQ(a[0], 0.5);
  EXPECT_EQ(a[1], 4);
  EXPECT_EQ(a[2], 1);
}

TEST(Metric, RefusesWhatIsNoMass) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  metric::DiagonalMetric<double, 2> diagonal;
  EXPECT_TRUE(diagonal.factor({1, 1e-300}));
  EXPECT_FALSE(diagonal.factor({1, 0}));
  EXPECT_FALSE(diagonal.factor({-1, 1}));
  EXPECT_FALSE(diagonal.factor({1, nan}));
  EXPECT_FALSE(diagonal.factor({inf, 1}));
  metric::DenseMetric<double, 2> dense;
  EXPECT_TRUE(dense.factor({{1, 0.5}, {0.5, 1}}));
  EXPECT_TRUE(dense.factor({{1e-9, 0}, {0, 1e9}}));
  EXPECT_FALSE(dense.factor({{1, 1}, {1, 1}}));                         // singular
  EXPECT_FALSE(dense.factor({{0.1, 0.3}, {0.3, 0.9000000000000001}}));  // singular but for rounding
  EXPECT_FALSE(dense.factor({{1, 2}, {2, 1}}));                         // indefinite
  EXPECT_FALSE(dense.factor({{-1, 0}, {0, 1}}));
  EXPECT_FALSE(dense.factor({{1, 0}, {nan, 1}}));
  EXPECT_FALSE(dense.factor({{inf, 0}, {0, 1}}));
}

}  // namespace
}  // namespace conesweep
