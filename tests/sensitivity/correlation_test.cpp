#include "sensitivity/correlation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "direct_correlation.hpp"
#include "ensemble.hpp"

namespace conesweep::sensitivity {
namespace {

using executor::Status;
using testing::Contains;
using testing::ElementsAre;

constexpr double pi = 3.14159265358979323846;

Correlations correlate_ok(const Columns& parameters, const std::vector<double>& observable) {
  return correlate(test::names_of(parameters.size()), parameters, observable,
                   std::vector<Status>(observable.size(), Status::ok));
}

/// Normal numbers by Box and Muller.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : bits_(seed) {}
  double operator()() { return std::sqrt(-2 * std::log(unit())) * std::cos(2 * pi * unit()); }

 private:
  double unit() { return (static_cast<double>(bits_() >> 12) + 0.5) * 0x1p-52; }
  std::mt19937_64 bits_;
};

// ---- values ----

TEST(Correlations, OfFewValuesAreWhatAPersonFinds) {
  // ranks of x: 1 2.5 2.5 4, of y: 1 2 4 3; Σ (r - 2.5)(s - 2.5) = 2.25 + 0 + 0 + 0.75 = 3, squares 4.5 and 5
  const auto result = correlate_ok({{10, 20, 20, 90}}, {1, 2, 4, 3});
  EXPECT_DOUBLE_EQ(result.spearman[0].value, 3 / std::sqrt(4.5 * 5));
  EXPECT_DOUBLE_EQ(result.partial_rank[0].value, result.spearman[0].value);  // nothing else to hold fixed
  // values: x - 35 = -25 -15 -15 55, y - 2.5 = -1.5 -0.5 1.5 0.5: 37.5 + 7.5 - 22.5 + 27.5 = 50; squares 4100 and 5
  EXPECT_NEAR(result.regression[0].value, 50 / std::sqrt(4100.0 * 5), 1e-15);
  EXPECT_NEAR(result.r_squared, 2500 / (4100.0 * 5), 1e-15);
  EXPECT_EQ(result.count, 4);
}

TEST(Correlations, HaveFishersIntervals) {
  // n = 28, rank correlation r: artanh r ± 1.96 √((1 + r²/2)/25)
  Normal normal(1);
  Columns x(2, std::vector<double>(28));
  std::vector<double> y;
  for (std::size_t m = 0; m < 28; ++m) {
    x[0][m] = normal();
    x[1][m] = normal();
    y.push_back(x[0][m] + normal());
  }
  const auto result = correlate_ok(x, y);
  for (std::size_t i = 0; i < 2; ++i) {
    const double s = result.spearman[i].value;
    EXPECT_NEAR(result.spearman[i].lower,
                std::tanh(std::atanh(s) - 1.959963984540054 * std::sqrt((1 + s * s / 2) / 25)), 1e-14);
    EXPECT_NEAR(result.spearman[i].upper,
                std::tanh(std::atanh(s) + 1.959963984540054 * std::sqrt((1 + s * s / 2) / 25)), 1e-14);
    const double p = result.partial_rank[i].value;
    EXPECT_NEAR(result.partial_rank[i].upper,
                std::tanh(std::atanh(p) + 1.959963984540054 * std::sqrt((1 + p * p / 2) / 24)), 1e-14);
  }
}

TEST(Correlations, AreThoseOfResiduals) {
  // more than a block
  for (const std::size_t n : {std::size_t{10}, std::size_t{100}, std::size_t{1000}, std::size_t{5000}}) {
    Normal normal(n);
    Columns x(4);
    std::vector<double> y;
    for (std::size_t m = 0; m < n; ++m) {
      x[0].push_back(normal());
      x[1].push_back(std::round(3 * normal()));  // ties
      x[2].push_back(x[0][m] + 0.5 * normal());  // correlated
      x[3].push_back(1e9 + 1e-3 * normal());     // a large mean
      y.push_back(std::exp(x[0][m]) - x[1][m] + 100 * (x[3][m] - 1e9) + normal());
    }
    const auto result = correlate_ok(x, y);
    const Direct expected = direct(x, y);
    // numbers of size 1 and a condition number of about 30
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(result.spearman[i].value, expected.spearman[i], 1e-13) << n << ", " << i;
      EXPECT_NEAR(result.partial_rank[i].value, expected.partial_rank[i], 1e-12) << n << ", " << i;
      EXPECT_NEAR(result.regression[i].value, expected.regression[i], 1e-12) << n << ", " << i;
    }
    EXPECT_NEAR(result.r_squared, expected.r_squared, 1e-12);
  }
}

TEST(Correlations, OfAMonotoneFunctionAreOne) {
  std::vector<double> x, y, z;
  for (int m = 0; m < 50; ++m) {
    x.push_back(m);
    y.push_back(std::exp(0.3 * m));
    z.push_back(-y.back());
  }
  EXPECT_EQ(correlate_ok({x}, y).spearman[0], (Index{1, 1, 1}));
  EXPECT_EQ(correlate_ok({x}, z).spearman[0], (Index{-1, -1, -1}));
  EXPECT_NEAR(correlate_ok({x}, y).rank_r_squared, 1, 1e-15);
  EXPECT_LT(correlate_ok({x}, y).r_squared, 0.5);
}

TEST(Correlations, OfHugeValuesDoNotOverflow) {
  Normal normal(1);
  Columns x(2);
  std::vector<double> y;
  for (int m = 0; m < 100; ++m) {
    x[0].push_back(normal());
    x[1].push_back(normal());
    y.push_back(x[0].back() - x[1].back());
  }
  const auto small = correlate_ok(x, y);
  for (double& v : y) v *= 0x1p900;
  for (double& v : x[0]) v *= 0x1p-900;
  const auto huge = correlate_ok(x, y);
  EXPECT_EQ(small.regression, huge.regression);
  EXPECT_EQ(small.partial_rank, huge.partial_rank);
}

// ---- what cannot be answered ----

struct Data {
  Columns x;
  std::vector<double> y;
};
Data make_data(std::size_t n, std::uint64_t seed = 1) {
  Normal normal(seed);
  Data data{Columns(3), {}};
  for (std::size_t m = 0; m < n; ++m) {
    for (auto& column : data.x) column.push_back(normal());
    data.y.push_back(2 * data.x[0][m] - data.x[1][m] + normal());
  }
  return data;
}

TEST(Correlations, LeaveOutMembersWithoutAValue) {
  auto data = make_data(100);
  std::vector<Status> status(100, Status::ok);
  data.y[3] = std::numeric_limits<double>::quiet_NaN();
  data.x[1][50] = std::numeric_limits<double>::infinity();
  status[99] = Status::bad_delay;
  const auto result = correlate(test::names_of(3), data.x, data.y, status);
  for (const std::size_t m : {std::size_t{99}, std::size_t{50}, std::size_t{3}}) {
    for (auto& column : data.x) column.erase(column.begin() + static_cast<std::ptrdiff_t>(m));
    data.y.erase(data.y.begin() + static_cast<std::ptrdiff_t>(m));
  }
  const auto expected = correlate_ok(data.x, data.y);
  EXPECT_EQ(result.count, 97);
  EXPECT_EQ(result.left_out, 3);
  EXPECT_EQ(result.spearman, expected.spearman);
  EXPECT_EQ(result.partial_rank, expected.partial_rank);
  EXPECT_EQ(result.regression, expected.regression);
  EXPECT_EQ(result.warnings[0],
            "3 of 100 members are left out (they stopped or have no value): the correlations are those of the others");
}

TEST(Correlations, OfAConstantAreUndefinedAndTheOthersUnaffected) {
  const auto data = make_data(100);
  auto with = data.x;
  with.insert(with.begin() + 1, std::vector<double>(100, 0.1));
  const auto result = correlate_ok(with, data.y);
  const auto expected = correlate_ok(data.x, data.y);
  EXPECT_TRUE(std::isnan(result.spearman[1].value) && std::isnan(result.partial_rank[1].value) &&
              std::isnan(result.regression[1].value));
  EXPECT_EQ(result.spearman[2], expected.spearman[1]);
  EXPECT_EQ(result.partial_rank[3], expected.partial_rank[2]);
  EXPECT_EQ(result.regression[0], expected.regression[0]);
  EXPECT_THAT(result.warnings, Contains("x2 does not vary: no correlation is defined"));

  const auto nothing = correlate_ok(data.x, std::vector<double>(100, 0.1));
  EXPECT_TRUE(std::isnan(nothing.spearman[0].value) && std::isnan(nothing.r_squared));
  EXPECT_THAT(nothing.warnings, ElementsAre("all values are equal: no correlation is defined"));
}

TEST(Correlations, OfCollinearParametersAreUndefinedAndTheOthersUnaffected) {
  // x3 = x1 + x2 in values: SRC of these three is undefined, that of x4 is what it is without x3
  auto data = make_data(200);
  Columns x = {data.x[0], data.x[1], {}, data.x[2]};
  for (std::size_t m = 0; m < 200; ++m) x[2].push_back(x[0][m] + x[1][m]);
  const auto result = correlate_ok(x, data.y);
  const auto without = correlate_ok({x[0], x[1], x[3]}, data.y);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::isnan(result.regression[i].value));
    EXPECT_FALSE(std::isnan(result.partial_rank[i].value));  // ranks of a sum are no sum of ranks
    EXPECT_FALSE(std::isnan(result.spearman[i].value));
  }
  EXPECT_NEAR(result.regression[3].value, without.regression[2].value, 1e-12);
  EXPECT_NEAR(result.r_squared, without.r_squared, 1e-12);
  EXPECT_THAT(result.warnings, Contains("SRC of x1, x2 and x3: undefined, each is a combination of others"));

  // x3 = exp x1: the same in ranks, not in values
  for (std::size_t m = 0; m < 200; ++m) x[2][m] = std::exp(x[0][m]);
  const auto monotone = correlate_ok(x, data.y);
  EXPECT_TRUE(std::isnan(monotone.partial_rank[0].value) && std::isnan(monotone.partial_rank[2].value));
  EXPECT_NEAR(monotone.partial_rank[1].value, without.partial_rank[1].value, 1e-12);
  EXPECT_FALSE(std::isnan(monotone.regression[0].value));
  EXPECT_THAT(monotone.warnings, Contains("PRCC of x1 and x3: undefined, each is a combination of others in ranks"));
}

TEST(Correlations, OfTooFewMembersAreUndefined) {
  const auto few = make_data(4);
  const auto result = correlate_ok(few.x, few.y);
  EXPECT_FALSE(std::isnan(result.spearman[0].value));
  EXPECT_TRUE(std::isnan(result.partial_rank[0].value) && std::isnan(result.regression[0].value));
  EXPECT_THAT(result.warnings,
              Contains("4 members are too few for 3 parameters: PRCC and SRC are undefined; take more than 4"));
  const auto two = make_data(2);
  EXPECT_THAT(correlate_ok(two.x, two.y).warnings,
              ElementsAre("fewer than three members have a value: the correlations are undefined"));
}

TEST(Correlations, ThatCannotBeToldFromZeroAreNamed) {
  const auto data = make_data(200);
  const auto result = correlate_ok(data.x, data.y);
  EXPECT_FALSE(result.spearman[0].spans_zero());
  ASSERT_TRUE(result.spearman[2].spans_zero());
  EXPECT_THAT(result.warnings, Contains("Spearman's correlation of x3: cannot be told from 0, the 95 % interval "
                                        "contains it; more members narrow it"));
}

// ---- closed forms ----

/// Correlated normal parameters and y = c·x + noise. In values: R, r = R c/σ, b = c/σ. In ranks, each correlation ρ
/// becomes (6/π) asin(ρ/2) [Pearson1907], from which PRCC follows by the inverse of the 4 x 4 matrix, here by
/// elimination.
TEST(Correlations, OfNormalVariablesAreCoveredByTheirIntervals) {
  const int seeds = std::getenv("CONESWEEP_ALL") != nullptr ? 4000 : 400;
  constexpr double rho = 0.5;
  constexpr std::array c = {1.0, 0.5, 0.0};
  for (const double noise : {1.0, 0.2}) {
    // correlations of (x1, x2, x3, y)
    const double sigma = std::sqrt(c[0] * c[0] + c[1] * c[1] + 2 * rho * c[0] * c[1] + noise * noise);
    double matrix[4][4] = {
        {1, rho, 0, (c[0] + rho * c[1]) / sigma}, {rho, 1, 0, (rho * c[0] + c[1]) / sigma}, {0, 0, 1, 0}, {}};
    for (int i = 0; i < 3; ++i) matrix[3][i] = matrix[i][3];
    matrix[3][3] = 1;
    double spearman[4][8] = {};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) spearman[i][j] = 6 / pi * std::asin(matrix[i][j] / 2);
    double true_spearman[3];
    for (int i = 0; i < 3; ++i) true_spearman[i] = spearman[i][3];
    for (int i = 0; i < 4; ++i) spearman[i][4 + i] = 1;
    for (int p = 0; p < 4; ++p) {
      const double pivot = spearman[p][p];
      for (double& x : spearman[p]) x /= pivot;
      for (int i = 0; i < 4; ++i) {
        const double share = spearman[i][p];
        for (int j = 0; j < 8 && i != p; ++j) spearman[i][j] -= share * spearman[p][j];
      }
    }
    int hits[3][3] = {};
    for (int seed = 1; seed <= seeds; ++seed) {
      Normal normal(static_cast<std::uint64_t>(seed));
      Columns x(3);
      std::vector<double> y;
      for (int m = 0; m < 200; ++m) {
        const double a = normal();
        const double b = rho * a + std::sqrt(1 - rho * rho) * normal();
        x[0].push_back(a);
        x[1].push_back(b);
        x[2].push_back(normal());
        y.push_back(c[0] * a + c[1] * b + noise * normal());
      }
      const auto result = correlate_ok(x, y);
      const auto holds = [](const Index& index, double truth) { return index.lower <= truth && truth <= index.upper; };
      for (std::size_t i = 0; i < 3; ++i) {
        hits[0][i] += holds(result.spearman[i], true_spearman[i]);
        hits[1][i] += holds(result.partial_rank[i], -spearman[i][7] / std::sqrt(spearman[i][4 + i] * spearman[3][7]));
        hits[2][i] += holds(result.regression[i], c[i] / sigma);
      }
    }
    const char* names[] = {"Spearman", "PRCC", "SRC"};
    for (int q = 0; q < 3; ++q) {
      std::printf("  noise %.1f, %-8s: intervals cover in", noise, names[q]);
      for (int i = 0; i < 3; ++i) {
        const double rate = static_cast<double>(hits[q][i]) / seeds;
        std::printf(" %.1f", 100 * rate);
        EXPECT_GE(rate, 0.90) << names[q] << " of x" << i + 1;
        EXPECT_LE(rate, 0.99) << names[q] << " of x" << i + 1;
      }
      std::printf(" %% of %d seeds\n", seeds);
    }
  }
}

// SRC of a function that is not linear at all: the slope of the best line, and an interval that knows its noise is no
// constant
TEST(Correlations, OfANonlinearFunctionAreCoveredByTheirIntervals) {
  // y = x² on [0, 1]: covariance 1/12, variance 4/45: b = (1/12)/√(1/12 · 4/45) = √15/4
  int hits = 0;
  constexpr int seeds = 400;
  for (int seed = 1; seed <= seeds; ++seed) {
    std::mt19937_64 bits(static_cast<std::uint64_t>(seed));
    std::vector<double> x, y;
    for (int m = 0; m < 200; ++m) {
      x.push_back(static_cast<double>(bits() >> 11) * 0x1p-53);
      y.push_back(x.back() * x.back());
    }
    const Index src = correlate_ok({x}, y).regression[0];
    hits += src.lower <= std::sqrt(15.0) / 4 && std::sqrt(15.0) / 4 <= src.upper;
  }
  const double rate = static_cast<double>(hits) / seeds;
  std::printf("  SRC of x²: intervals cover in %.1f %% of %d seeds\n", 100 * rate, seeds);
  EXPECT_GE(rate, 0.90);
  EXPECT_LE(rate, 0.99);
}

TEST(Correlations, OfAMillionMembersFitInMemory) {
  if (std::getenv("CONESWEEP_ALL") == nullptr) GTEST_SKIP() << "a long battery: set CONESWEEP_ALL=1";
  constexpr std::size_t n = 1'000'000;
  std::mt19937_64 bits(1);
  Columns x(20);
  std::vector<double> y(n, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t m = 0; m < n; ++m) {
      x[i].push_back(static_cast<double>(bits() >> 11) * 0x1p-53);
      y[m] += static_cast<double>(i) * x[i][m];
    }
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  const auto start = std::chrono::steady_clock::now();
  const auto result = correlate_ok(x, y);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  std::printf("  %.1f s, %.0f MiB beside the data\n", seconds,
              static_cast<double>(after.ru_maxrss - before.ru_maxrss) / 1024);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 150 * 1024);  // 4 B × 21 columns + 24 B: 103 MiB
  EXPECT_NEAR(result.r_squared, 1, 1e-12);
  EXPECT_NEAR(result.regression[19].value, 19 / std::sqrt(19.0 * 20 * 39 / 6), 2e-3);
}

}  // namespace
}  // namespace conesweep::sensitivity
