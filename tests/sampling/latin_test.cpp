#include "sampling/latin.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ensembles.hpp"
#include "philox_oracle.hpp"
#include "support/error.hpp"

namespace conesweep::test {
namespace {

using sampling::draw;
using sampling::make_points;
using sampling::Permutation;
using scenario::Sampler;

/// floor(x n), exact: x is a whole number of 2^-60 … or is rounded down to one, which crosses no stratum below 2^40 of
/// them.
std::uint64_t stratum_of(double x, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(std::ldexp(x, 60)) * n >> 60);
}

const std::vector<std::uint64_t> sizes = {1, 2, 3, 4, 5, 10, 16, 17, 1000, 4095, 4096, 4097, 10007};

// ---- permutations ----

TEST(Permutation, TakesEveryPlaceOnce) {
  for (const std::uint64_t n : sizes)
    for (const std::uint64_t name : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
      const Permutation permutation(n, 5, name);
      std::vector<int> hits(n, 0);
      for (std::uint64_t k = 0; k < n; ++k) ++hits.at(permutation(k));
      ASSERT_EQ(hits, std::vector<int>(n, 1)) << n << " places";
    }
}

TEST(Permutation, IsTheDocumentedNetwork) {
  // with the test's own Philox, and wide arithmetic in place of 43 bits: no difference but once in 2^22
  for (const std::uint64_t n : {std::uint64_t{6}, std::uint64_t{5000}}) {
    const std::uint64_t a = n == 6 ? 4 : 72, b = n == 6 ? 2 : 70;
    const unsigned rounds = n == 6 ? 32 : 6;
    const Permutation permutation(n, 5, 7);
    for (std::uint64_t k = 0; k < n; k += n / 6) {
      std::uint64_t value = k;
      do {
        std::uint64_t half[2] = {value / b, value % b};
        for (unsigned round = 0; round < rounds; ++round) {
          const auto words = philox(5, half[1 - round % 2] | std::uint64_t{1} << 63 | std::uint64_t{round} << 56, 7);
          const std::uint64_t size = round % 2 == 0 ? a : b;
          half[round % 2] =
              (half[round % 2] + static_cast<std::uint64_t>(std::ldexp(words[1] * 0x1p32L + words[0], -64) *
                                                            static_cast<long double>(size))) %
              size;
        }
        value = half[0] * b + half[1];
      } while (value >= n);
      EXPECT_EQ(permutation(k), value) << "place " << k << " of " << n;
    }
  }
}

TEST(Permutation, OfManyPlacesCollidesNowhere) {
  // too many to go through: distinct values at places far apart, next to each other and at the ends
  const std::uint64_t n = (std::uint64_t{1} << 40) - 87;
  const Permutation permutation(n, 1, 2);
  std::set<std::uint64_t> seen;
  std::uint64_t asked = 0;
  for (std::uint64_t k = 0; k < 20'000; ++k)
    for (const std::uint64_t place : {k, n - 1 - k, (k + 1) * 31'337'331}) {
      const std::uint64_t value = permutation(place);
      ASSERT_LT(value, n);
      seen.insert(value);
      ++asked;
    }
  EXPECT_EQ(seen.size(), asked);
}

TEST(Permutation, GivesEveryOrderEquallyOften) {
  // chi-square over all n! orders
  for (const std::uint64_t n :
       {std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4}, std::uint64_t{5}, std::uint64_t{6}}) {
    double orders = 1;
    for (std::uint64_t k = 2; k <= n; ++k) orders *= static_cast<double>(k);
    constexpr int seeds = 36'000;
    std::map<std::vector<std::uint64_t>, int> count;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Permutation permutation(n, seed, 11);
      std::vector<std::uint64_t> order;
      for (std::uint64_t k = 0; k < n; ++k) order.push_back(permutation(k));
      ++count[order];
    }
    EXPECT_EQ(static_cast<double>(count.size()), orders);
    const double expected = seeds / orders;
    double chi = 0;
    for (const auto& [order, times] : count) chi += (times - expected) * (times - expected) / expected;
    // Wilson and Hilferty: (chi/k)^(1/3) is nearly normal
    const double k = orders - 1;
    EXPECT_LT(std::cbrt(chi / k), 1 - 2 / (9 * k) + 5 * std::sqrt(2 / (9 * k))) << n << " places";
  }
}

TEST(Permutation, GivesOddAndEvenOrdersOfASquare) {
  int odd = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Permutation permutation(9, seed, 3);
    int inversions = 0;
    for (std::uint64_t i = 0; i < 9; ++i)
      for (std::uint64_t j = i + 1; j < 9; ++j) inversions += permutation(i) > permutation(j);
    odd += inversions % 2;
  }
  EXPECT_NEAR(odd, 500, 5 * std::sqrt(250));
}

TEST(Permutation, MovesNeighboursApart) {
  // correlation of the values of places k and k + d, zero up to 5/sqrt(n)
  for (const std::uint64_t n : {std::uint64_t{1000}, std::uint64_t{4097}, std::uint64_t{100'003}}) {
    const Permutation permutation(n, 9, 4);
    std::vector<double> values, places;
    for (std::uint64_t k = 0; k < n; ++k)
      values.push_back(static_cast<double>(permutation(k))), places.push_back(static_cast<double>(k));
    const double bound = 5 / std::sqrt(static_cast<double>(n));
    EXPECT_LT(std::fabs(correlation_of(values, places)), bound);
    const auto side = static_cast<std::ptrdiff_t>(std::sqrt(static_cast<double>(n)));
    for (const std::ptrdiff_t lag : {std::ptrdiff_t{1}, std::ptrdiff_t{2}, side - 1, side, side + 1, side + 2})
      EXPECT_LT(std::fabs(correlation_of({values.begin(), values.end() - lag}, {values.begin() + lag, values.end()})),
                bound * 1.1)
          << n << " places, lag " << lag;
  }
}

// ---- points ----

TEST(LatinPoints, FillEveryStratumOnce) {
  for (const std::uint64_t n : sizes) {
    const auto points = make_points(make_ensemble(Sampler::latin, 5, static_cast<std::int64_t>(n)), 2);
    for (std::size_t axis = 0; axis < 10; ++axis) {
      std::vector<int> hits(n, 0);
      for (std::uint64_t m = 0; m < n; ++m) {
        const double u = points->coordinate(static_cast<std::int64_t>(m), axis);
        ASSERT_GT(u, 0);
        ASSERT_LT(u, 1);
        ++hits.at(stratum_of(u, n));
      }
      ASSERT_EQ(hits, std::vector<int>(n, 1)) << n << " members, axis " << axis;
    }
  }
}

TEST(LatinPoints, StayInTheirStratumAgainstRounding) {
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1'000'003},
                                (std::uint64_t{1} << 40) - 1, std::uint64_t{1} << 40})
    for (const double u : {0x1p-53, 0.5, 1 - 0x1p-53})
      for (const std::uint64_t stratum : {std::uint64_t{0}, std::uint64_t{1}, n / 3, n / 2, n - 2, n - 1}) {
        if (stratum >= n) continue;
        const double x = sampling::stratum_point(stratum, u, n);
        EXPECT_GT(x, 0);
        EXPECT_LT(x, 1);
        EXPECT_EQ(stratum_of(x, n), stratum) << "u = " << u << ", n = " << n;
      }
}

TEST(LatinPoints, AreJitteredLikeRandomOnes) {
  const auto latin = make_points(make_ensemble(Sampler::latin, 2, 100)),
             random = make_points(make_ensemble(Sampler::random, 2, 100));
  for (std::int64_t m = 0; m < 100; ++m) {
    const double u = latin->coordinate(m, 1) * 100;
    EXPECT_NEAR(u - std::floor(u), random->coordinate(m, 1), 1e-13);
  }
}

TEST(LatinPoints, OfDifferentAxesCopiesAndSeedsAreIndependent) {
  constexpr std::int64_t n = 10'007;
  std::vector<std::vector<double>> columns;
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}}) {
    const auto points = make_points(make_ensemble(Sampler::latin, 5, n, seed), 2);
    for (std::size_t axis = 0; axis < 10; ++axis) {
      auto& column = columns.emplace_back();
      for (std::int64_t m = 0; m < n; ++m) column.push_back(points->coordinate(m, axis));
    }
  }
  // 190 pairs: the largest of so many normal numbers is below 5 but for 1e-4
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_LT(std::fabs(correlation_of(columns[i], columns[j])), 5 / std::sqrt(n)) << i << " and " << j;
}

TEST(LatinPoints, DependOnTheNameAndNotOnWhatElseVaries) {
  auto s = make_ensemble(Sampler::latin, 3, 50);
  const auto all = draw(s, 0, 50);
  s.vary.erase(s.vary.begin());
  EXPECT_EQ(draw(s, 0, 50)[0], all[1]);
}

TEST(LatinPoints, EndWithTheLastMember) {
  const auto points = make_points(make_ensemble(Sampler::latin, 1, 50));
  EXPECT_THROW(points->coordinate(50, 0), InternalError);
}

TEST(LatinPoints, NeverChange) {
  const auto small = make_points(make_ensemble(Sampler::latin, 2, 10)),
             large = make_points(make_ensemble(Sampler::latin, 2, 1'000'000));
  EXPECT_EQ(small->coordinate(3, 0), 0x1.50b263ba9c663p-3);
  EXPECT_EQ(large->coordinate(311, 1), 0x1.d6c77b7ae9afcp-4);
}

TEST(LatinPoints, IntegrateSumsFasterThanRandomOnes) {
  // the variance of the mean of a sum of functions of one variable falls like n^-3: a stratum's own, n^-2, over n
  // strata [Stein1987]
  std::vector<double> sizes_seen, errors;
  for (const std::int64_t n : {16, 64, 256, 1024}) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const auto x = draw_one_randomisation(make_ensemble(Sampler::latin, 3, n, seed), n);
      double mean = 0;
      for (std::size_t m = 0; m < static_cast<std::size_t>(n); ++m)
        mean += (std::exp(x[0][m]) + std::sin(x[1][m]) + x[2][m] * x[2][m]) / static_cast<double>(n);
      const double error = mean - (std::exp(1.0) - 1 + 1 - std::cos(1.0) + 1.0 / 3);
      sum += error * error / 50;
    }
    sizes_seen.push_back(static_cast<double>(n));
    errors.push_back(std::sqrt(sum));
  }
  EXPECT_NEAR(slope_of(sizes_seen, errors), -1.5, 0.1);
}

}  // namespace
}  // namespace conesweep::test
