#include "sampling/copula.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numbers>
#include <numeric>

#include "ensembles.hpp"
#include "support/dense.hpp"

namespace conesweep::test {
namespace {

using sampling::draw;
using sampling::gather_correlations;
using sampling::Matrix;
using sampling::quantile;
using scenario::DistributionKind;
using scenario::Sampler;
using scenario::Scenario;

constexpr std::int64_t members = 20'000;

Scenario correlated(Sampler sampler, std::size_t axes, std::vector<scenario::Correlation> correlation,
                    std::uint64_t seed = 1) {
  Scenario s = make_ensemble(sampler, axes, members, seed);
  s.correlation = std::move(correlation);
  return s;
}

void make_normal(Scenario& s) {
  for (auto& variation : s.vary) variation.distribution = {DistributionKind::normal, {3, 2}, {}, {}};
}

std::vector<double> ranks_of(const std::vector<double>& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::vector<double> ranks(x.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

/// Kolmogorov and Smirnov: the largest distance of the empirical distribution to F, times sqrt(n). Above 1.95 once in a
/// thousand.
double distance_to(std::vector<double> x, const std::function<double(double)>& F) {
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max({largest, static_cast<double>(i + 1) / n - F(x[i]), F(x[i]) - static_cast<double>(i) / n});
  return largest * std::sqrt(n);
}

const std::vector<Sampler> samplers = {Sampler::random, Sampler::latin, Sampler::sobol};

// ---- matrices ----

// A random correlation matrix is made of unit vectors; `rank` of them leave it singular, and a factor on what is not
// diagonal makes it worse.
Eigen::MatrixXd random_correlations(int size, int rank, double factor) {
  Eigen::MatrixXd vectors = Eigen::MatrixXd::Random(size, rank);
  vectors.rowwise().normalize();
  Eigen::MatrixXd matrix = vectors * vectors.transpose() * factor;
  matrix.diagonal().setOnes();
  return matrix;
}

Matrix to_rows(const Eigen::MatrixXd& matrix) {
  Matrix rows;
  for (int i = 0; i < matrix.rows(); ++i) rows.emplace_back(matrix.row(i).begin(), matrix.row(i).end());
  return rows;
}

// The largest s for which A - s 1 has a factor, by bisection between Gershgorin's bound and 1, the mean of the
// eigenvalues.
double eigenvalue_by_factors(const Matrix& a) {
  double lower = -static_cast<double>(a.size()), upper = 1;
  for (int halving = 0; halving < 64; ++halving) {
    const double middle = lower + (upper - lower) / 2;
    Matrix shifted = a;
    for (std::size_t i = 0; i < a.size(); ++i) shifted[i][i] -= middle;
    (sampling::factor(shifted) ? lower : upper) = middle;
  }
  return lower;
}

TEST(CorrelationMatrix, HasTheFactorThatEigenFindsAndTheEigenvalueThatFactorsTell) {
  std::srand(1);
  for (const int size : {1, 2, 3, 10, 40})
    for (const double factor : {0.3, 0.9, 1.2}) {
      const Eigen::MatrixXd matrix = random_correlations(size, std::max(1, size / 2), factor);
      const double expected = eigenvalue_by_factors(to_rows(matrix));
      EXPECT_NEAR(sampling::smallest_eigenvalue(to_rows(matrix)), expected, 1e-13 * size) << size << " rows";
      const auto l = sampling::factor(to_rows(matrix));
      ASSERT_EQ(l.has_value(), expected > 0);
      if (!l) continue;
      const Eigen::MatrixXd other = test::lower_factor(matrix);
      for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j)
          EXPECT_NEAR((*l)[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], other(i, j), 1e-13);
    }
}

TEST(CorrelationMatrix, HoldsTheCorrelatedInTheOrderOfTheirVariations) {
  Scenario s = correlated(Sampler::random, 5, {{4, 1, 0.5}, {1, 2, -0.25}});
  std::swap(s.vary[1], s.vary[2]);
  const auto [variations, matrix] = gather_correlations(s);
  EXPECT_EQ(variations, (std::vector<std::size_t>{1, 2, 4}));  // p2, p1, p4
  EXPECT_EQ(matrix, (Matrix{{1, -0.25, 0}, {-0.25, 1, 0.5}, {0, 0.5, 1}}));
}

// ---- draws ----

TEST(Copula, GivesNormalParametersTheirCorrelation) {
  // standard error of Pearson's r: (1 - ρ²)/sqrt(n)
  for (const Sampler sampler : samplers)
    for (const double rho : {-0.95, -0.3, 0.0, 0.5, 0.9}) {
      Scenario s = correlated(sampler, 2, {{0, 1, rho}});
      make_normal(s);
      const auto x = draw(s, 0, members);
      EXPECT_NEAR(correlation_of(x[0], x[1]), rho, 5 * (1 - rho * rho) / std::sqrt(members))
          << to_name(sampler) << ", " << rho;
    }
}

TEST(Copula, GivesRanksTheCorrelationOfTheNormalCopula) {
  // Spearman's ρ = 6/π asin(ρ/2), whatever the distributions [Kruskal1958]
  for (const Sampler sampler : samplers)
    for (const double rho : {-0.8, 0.3, 0.7}) {
      Scenario s = correlated(sampler, 2, {{0, 1, rho}});
      s.vary[1].distribution = {DistributionKind::loguniform, {1, 1000}, {}, {}};
      const auto x = draw(s, 0, members);
      EXPECT_NEAR(correlation_of(ranks_of(x[0]), ranks_of(x[1])), 6 / std::numbers::pi * std::asin(rho / 2),
                  5 / std::sqrt(members))
          << to_name(sampler) << ", " << rho;
    }
}

TEST(Copula, KeepsEachDistribution) {
  for (const Sampler sampler : samplers) {
    Scenario s = correlated(sampler, 3, {{0, 1, 0.8}, {1, 2, -0.5}});
    s.vary[1].distribution = {DistributionKind::normal, {3, 2}, {}, {}};
    s.vary[2].distribution = {DistributionKind::loguniform, {1, std::exp(1.0)}, {}, {}};
    const auto x = draw(s, 0, members);
    EXPECT_LT(distance_to(x[0], [](double v) { return v; }), 1.95) << to_name(sampler);
    EXPECT_LT(distance_to(x[1], [](double v) { return std::erfc((3 - v) / 2 / std::numbers::sqrt2) / 2; }), 1.95)
        << to_name(sampler);
    EXPECT_LT(distance_to(x[2], [](double v) { return std::log(v); }), 1.95) << to_name(sampler);
  }
}

TEST(Copula, MeetsAMatrixOfThree) {
  for (const Sampler sampler : samplers) {
    Scenario s = correlated(sampler, 4, {{0, 1, 0.5}, {0, 3, -0.2}, {1, 3, 0.3}});  // the third stays out
    make_normal(s);
    const auto x = draw(s, 0, members);
    const double expected[4][4] = {{1, 0.5, 0, -0.2}, {0.5, 1, 0, 0.3}, {0, 0, 1, 0}, {-0.2, 0.3, 0, 1}};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_NEAR(correlation_of(x[i], x[j]), expected[i][j], 5 / std::sqrt(members))
            << to_name(sampler) << ", " << i << " and " << j;
  }
}

TEST(Copula, LeavesOthersUntouchedToTheBit) {
  for (const Sampler sampler : samplers) {
    const auto alone = draw(correlated(sampler, 5, {}), 0, 1000),
               together = draw(correlated(sampler, 5, {{3, 1, 0.7}}), 0, 1000);
    for (const std::size_t v : {0, 1, 2, 4}) EXPECT_EQ(alone[v], together[v]) << v;  // 1 comes first of the two
    EXPECT_NE(alone[3], together[3]);
    // a correlation of 0 is none
    EXPECT_EQ(draw(correlated(sampler, 5, {{3, 1, 0}}), 0, 1000), alone);
  }
}

TEST(Copula, DoesNotDependOnTheOrderOfPairs) {
  EXPECT_EQ(draw(correlated(Sampler::sobol, 3, {{0, 1, 0.5}, {1, 2, 0.25}}), 0, 500),
            draw(correlated(Sampler::sobol, 3, {{2, 1, 0.25}, {1, 0, 0.5}}), 0, 500));
}

TEST(Copula, IsTheFormulaInTheMiddleAndInTheTails) {
  // against Φ of libm in long double
  Scenario s = correlated(Sampler::random, 2, {{0, 1, 0.6}});
  struct Fixed final : sampling::UnitPoints {
    double u, v;
    Fixed(double first, double second) : u(first), v(second) {}
    double coordinate(std::int64_t, std::size_t axis) const override { return axis == 0 ? u : v; }
  };
  const auto z = [](double u) { return quantile({DistributionKind::normal, {0, 1}, {}, {}}, u); };
  for (const double u : {1e-9, 0.1, 0.5, 0.7, 1 - 1e-9})
    for (const double v : {1e-6, 0.3, 0.9}) {
      const long double sum = 0.6L * z(u) + 0.8L * z(v);
      const auto expected = static_cast<double>(std::erfc(-sum / std::sqrt(2.0L)) / 2);
      EXPECT_NEAR(draw(s, Fixed(u, v), 0, 1)[1][0] / expected, 1, 1e-13) << u << ", " << v;
    }
  // the corners of the unit square: strictly inside, so that no quantile is infinite
  make_normal(s);
  for (const double rho : {-0.7, 0.7, 1 - 1e-11}) {
    s.correlation[0].value = rho;
    for (const double u : {0x1p-53, 1 - 0x1p-53})
      for (const double v : {0x1p-53, 1 - 0x1p-53})
        EXPECT_TRUE(std::isfinite(draw(s, Fixed(u, v), 0, 1)[1][0])) << rho << ", " << u << ", " << v;
  }
}

TEST(Copula, CorrelatesAHundredParameters) {
  // all pairs 0.3; its smallest eigenvalue is 0.7
  std::vector<scenario::Correlation> all;
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < i; ++j) all.push_back({i, j, 0.3});
  Scenario s = correlated(Sampler::sobol, 100, all);
  EXPECT_NEAR(sampling::smallest_eigenvalue(gather_correlations(s).matrix), 0.7, 1e-12);
  EXPECT_EQ(sampling::smallest_eigenvalue({}), 1);
  make_normal(s);
  const auto x = draw(s, 0, 4096);
  for (const std::size_t i : {0, 1, 50, 99}) {
    EXPECT_NEAR(mean_of(x[i]), 3, 5 * 2 / 64.0);
    EXPECT_NEAR(deviation_of(x[i]), 2, 5 * 2 / std::sqrt(2.0) / 64);
    EXPECT_NEAR(correlation_of(x[i], x[(i + 13) % 100]), 0.3, 5 * 0.91 / 64);
  }
}

}  // namespace
}  // namespace conesweep::test
