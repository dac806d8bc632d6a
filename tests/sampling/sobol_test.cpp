#include "sampling/sobol.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <boost/random/sobol.hpp>

#include "ensembles.hpp"
#include "philox_oracle.hpp"
#include "support/error.hpp"

namespace conesweep::test {
namespace {

using sampling::draw;
using sampling::make_points;
using sampling::scramble;
using sampling::SobolSequence;
using scenario::Sampler;

constexpr unsigned bits = SobolSequence::bits;

double plain_point(const SobolSequence& sequence, std::uint64_t index, std::size_t axis) {
  return std::ldexp(static_cast<double>(sequence.digits(index, axis)), -static_cast<int>(bits));
}

// ---- the sequence ----

TEST(SobolSequence, BeginsAsPublished) {
  // first points of the sequence of Joe and Kuo, in Gray code order
  const double first[8][4] = {{0, 0, 0, 0},
                              {0.5, 0.5, 0.5, 0.5},
                              {0.75, 0.25, 0.25, 0.25},
                              {0.25, 0.75, 0.75, 0.75},
                              {0.375, 0.375, 0.625, 0.875},
                              {0.875, 0.875, 0.125, 0.375},
                              {0.625, 0.125, 0.875, 0.625},
                              {0.125, 0.625, 0.375, 0.125}};
  const SobolSequence sequence(4);
  for (std::uint64_t i = 0; i < 8; ++i)
    for (std::size_t axis = 0; axis < 4; ++axis)
      EXPECT_EQ(plain_point(sequence, i, axis), first[i][axis]) << "point " << i << ", axis " << axis;
}

TEST(SobolSequence, AgreesWithSciPyInHighDimension) {
  // scipy.stats.qmc.Sobol(200, scramble=False, bits=42), which holds the table of Joe and Kuo as its own file
  const SobolSequence sequence(200);
  EXPECT_EQ(plain_point(sequence, 1000, 10), 0.0849609375);
  EXPECT_EQ(plain_point(sequence, 12345, 50), 0.77142333984375);
  EXPECT_EQ(plain_point(sequence, 12345, 99), 0.53887939453125);
  EXPECT_EQ(plain_point(sequence, 7777, 123), 0.0858154296875);
  EXPECT_EQ(plain_point(sequence, 16383, 199), 0.79254150390625);
}

TEST(SobolSequence, IsBoostsOneByIndex) {
  constexpr std::size_t axes = 17;
  const SobolSequence sequence(axes);
  boost::random::sobol engine(axes);  // 64 digits; begins after the origin
  for (std::uint64_t i = 1; i < 3000; ++i)
    for (std::size_t axis = 0; axis < axes; ++axis)
      ASSERT_EQ(sequence.digits(i, axis), engine() >> (64 - bits)) << "point " << i << ", axis " << axis;
  const std::uint64_t far = (std::uint64_t{1} << 40) - 1;
  engine.seed(far - 1);
  for (std::size_t axis = 0; axis < axes; ++axis) EXPECT_EQ(sequence.digits(far, axis), engine() >> (64 - bits));
}

TEST(SobolSequence, DoesNotDependOnHowManyAxesThereAre) {
  const SobolSequence few(3), many(200), all(SobolSequence::most_axes);
  for (std::uint64_t i = 0; i < 100; ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(few.digits(i, axis), many.digits(i, axis));
      EXPECT_EQ(few.digits(i, axis), all.digits(i, axis));
    }
  EXPECT_THROW(SobolSequence(SobolSequence::most_axes + 1), InternalError);
}

// ---- scrambling ----

TEST(Scramble, IsTheDocumentedTree) {
  // digit by digit, with the test's own Philox
  constexpr std::uint64_t seed = 0x123456789abcdef0;
  for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{0x3ffffffffff}, std::uint64_t{0x2468acf1357}}) {
    std::uint64_t y = 0;
    for (unsigned digit = 0; digit < 42; ++digit) {
      const unsigned root = digit - digit % 7;
      const auto words = philox(seed, x >> (42 - root) | std::uint64_t{1} << 63 | std::uint64_t{root} << 56, 3);
      unsigned node = 1;  // walk from the piece's root down to this digit
      for (unsigned step = root; step < digit; ++step) node = 2 * node + static_cast<unsigned>(x >> (41 - step) & 1);
      y = 2 * y + ((x >> (41 - digit) & 1) ^ (words[node / 32] >> node % 32 & 1));
    }
    y = y << 10 | philox(seed, x | std::uint64_t{1} << 63 | std::uint64_t{42} << 56, 3)[0] >> 22;
    EXPECT_EQ(scramble(x, seed, 3), y);
  }
}

TEST(Scramble, KeepsHowFarTwoPointsAgree) {
  // two points that share b digits, and no more, do so after scrambling; that is what keeps a net a net
  for (unsigned shared = 0; shared < bits; ++shared)
    for (std::uint64_t k = 0; k < 20; ++k) {
      const std::uint64_t x = (k * 0x9e3779b97f4a7c15) >> (64 - bits);
      const unsigned below = bits - 1 - shared;
      const std::uint64_t noise = (k * 0xd1342543de82ef95) >> (64 - bits) & ((std::uint64_t{1} << below) - 1);
      const std::uint64_t y = x ^ (std::uint64_t{1} << below) ^ noise;
      EXPECT_EQ(std::bit_width(scramble(x, 3, 5) ^ scramble(y, 3, 5)), 52 - static_cast<int>(shared))
          << shared << " digits shared";
    }
}

TEST(Scramble, FlipsEveryNodeOfTheTreeIndependently) {
  // the flips of digit b after different prefixes, over seeds: mean 1/2, and no two go together
  constexpr int seeds = 4000;
  struct Node {
    unsigned digit;        // 0 is the first
    std::uint64_t prefix;  // as leading digits
  };
  std::vector<Node> nodes;
  for (const unsigned digit : {0U, 1U, 2U, 5U, 6U, 7U, 8U, 13U, 14U, 27U, 35U, 41U})
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(6, std::uint64_t{1} << digit); ++k) {
      // the first ones and some others
      const std::uint64_t prefix = k < 4 ? k : (k * 0x9e3779b97f4a7c15) >> (64 - digit);
      nodes.push_back({digit, digit == 0 ? 0 : prefix << (bits - digit)});
    }
  std::vector<std::vector<double>> flips(nodes.size());
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      flips[i].push_back(static_cast<double>(scramble(nodes[i].prefix, seed, 2) >> (51 - nodes[i].digit) & 1));
  const double bound = 5 / std::sqrt(seeds);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_NEAR(mean_of(flips[i]), 0.5, bound / 2) << "digit " << nodes[i].digit;
    for (std::size_t j = 0; j < i; ++j) {
      const bool same = nodes[i].digit == nodes[j].digit && nodes[i].prefix == nodes[j].prefix;
      EXPECT_LT(same ? 0 : std::fabs(correlation_of(flips[i], flips[j])), bound)
          << "digits " << nodes[i].digit << " and " << nodes[j].digit;
    }
  }
}

TEST(Scramble, IsUniformForEachPoint) {
  constexpr int seeds = 20'000;
  for (const std::int64_t member : {0, 1, 2, 1023})
    for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
      const SobolSequence sequence(2);
      std::vector<double> u, square, low_digits;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const std::uint64_t k = scramble(sequence.digits(static_cast<std::uint64_t>(member), axis), seed, axis);
        u.push_back((static_cast<double>(k) + 0.5) * 0x1p-52);
        square.push_back(u.back() * u.back());
        low_digits.push_back(static_cast<double>(k & 1023));
      }
      EXPECT_NEAR(mean_of(u), 0.5, 5 * std::sqrt(1.0 / 12 / seeds));
      EXPECT_NEAR(mean_of(square), 1.0 / 3, 5 * std::sqrt(4.0 / 45 / seeds));
      EXPECT_NEAR(mean_of(low_digits), 511.5, 5 * 1024 * std::sqrt(1.0 / 12 / seeds));
      EXPECT_LT(std::fabs(correlation_of(u, low_digits)), 5 / std::sqrt(seeds));
    }
}

TEST(Scramble, ChangesWithSeedAndAxis) {
  const std::uint64_t x = 0x123456789ab;
  EXPECT_NE(scramble(x, 1, 0), scramble(x, 2, 0));
  EXPECT_NE(scramble(x, 1, 0), scramble(x, std::uint64_t{1} << 63 | 1, 0));
  EXPECT_NE(scramble(x, 1, 0), scramble(x, 1, 1));
}

// ---- points ----

TEST(SobolPoints, HaveOneInEachDyadicInterval) {
  // 100 parameters in two copies; also a later piece that begins at a multiple of its size
  const auto points = make_points(make_ensemble(Sampler::sobol, 100, 1), 2);
  for (const int m : {0, 1, 4, 10})
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{3} << m, std::int64_t{1} << 39})
      for (std::size_t axis = 0; axis < 200; ++axis) {
        const std::int64_t n = std::int64_t{1} << m;
        std::vector<int> hits(static_cast<std::size_t>(n), 0);
        for (std::int64_t k = first; k < first + n; ++k)
          ++hits.at(static_cast<std::size_t>(points->coordinate(k, axis) * static_cast<double>(n)));
        ASSERT_EQ(hits, std::vector<int>(static_cast<std::size_t>(n), 1))
            << n << " members from " << first << ", axis " << axis;
      }
}

TEST(SobolPoints, HaveOneInEachDyadicIntervalOfManyMembers) {
  constexpr std::size_t n = 1 << 17;
  const auto x = draw_one_randomisation(make_ensemble(Sampler::sobol, 3, n), n);
  for (const auto& column : x) {
    std::vector<int> hits(n, 0);
    for (const double u : column) ++hits.at(static_cast<std::size_t>(u * n));
    EXPECT_EQ(hits, std::vector<int>(n, 1));
  }
}

TEST(SobolPoints, HaveOneInEachDyadicRectangleOfTheFirstTwoAxes) {
  // a (0, m, 2)-net: 2^m points, all rectangles 2^-j by 2^-(m-j), for any seed
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
    for (const int m : {1, 5, 12}) {
      const auto x = draw_one_randomisation(make_ensemble(Sampler::sobol, 2, 1, seed), std::int64_t{1} << m);
      for (int j = 0; j <= m; ++j) {
        std::vector<int> hits(std::size_t{1} << m, 0);
        for (std::size_t k = 0; k < hits.size(); ++k)
          ++hits.at((static_cast<std::size_t>(std::ldexp(x[0][k], j)) << (m - j)) +
                    static_cast<std::size_t>(std::ldexp(x[1][k], m - j)));
        ASSERT_EQ(hits, std::vector<int>(hits.size(), 1)) << "m = " << m << ", j = " << j;
      }
    }
}

TEST(SobolPoints, LieStrictlyInsideOn53Digits) {
  const auto points = make_points(make_ensemble(Sampler::sobol, 3, 1));
  for (std::int64_t member = 0; member < 20'000; ++member)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double u = points->coordinate(member, axis);
      ASSERT_GT(u, 0);
      ASSERT_LT(u, 1);
      ASSERT_EQ(u, std::ldexp(2 * std::floor(std::ldexp(u, 52)) + 1, -53));
    }
}

TEST(SobolPoints, FollowTheOrderOfTheFileAndNotNames) {
  auto s = make_ensemble(Sampler::sobol, 3, 50);
  const auto all = draw(s, 0, 50);
  s.names.parameters = {"a", "b", "c"};
  EXPECT_EQ(draw(s, 0, 50), all);
  s.vary.erase(s.vary.begin());
  EXPECT_EQ(draw(s, 0, 50)[0], all[0]);
}

TEST(SobolPoints, OfTheSecondCopyAreTheAxesThatFollow) {
  const auto twice = make_points(make_ensemble(Sampler::sobol, 3, 50), 2),
             once = make_points(make_ensemble(Sampler::sobol, 6, 50));
  for (std::int64_t m = 0; m < 50; ++m)
    for (std::size_t axis = 0; axis < 6; ++axis) EXPECT_EQ(twice->coordinate(m, axis), once->coordinate(m, axis));
}

TEST(SobolPoints, NeverChange) {
  const auto points = make_points(make_ensemble(Sampler::sobol, 2, 1));
  EXPECT_EQ(points->coordinate(0, 0), 0x1.95c0c6299e326p-2);
  EXPECT_EQ(points->coordinate(311, 1), 0x1.8f3f851111607p-1);
}

TEST(SobolPoints, SayWhenTheyEnd) {
  EXPECT_NO_THROW(make_points(make_ensemble(Sampler::sobol, 1833, 1), 2));
  try {
    make_points(make_ensemble(Sampler::sobol, 1834, 1), 2);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "sobol points have at most 3667 axes, and this takes 3668; use sampler = \"latin\" or \"random\"");
  }
}

TEST(SobolPoints, IntegrateSmoothFunctionsWithOrderThreeHalves) {
  // scrambled nets: root mean square error n^-1.5 (log n)^((d-1)/2) [Owen1997]; one of random points n^-0.5
  const auto order_of = [](Sampler sampler) {
    std::vector<double> sizes, errors;
    for (int m = 4; m <= 12; m += 2) {
      const std::int64_t n = std::int64_t{1} << m;
      double sum = 0;
      constexpr int seeds = 40;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto x = draw_one_randomisation(make_ensemble(sampler, 2, n, seed), n);
        double mean = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k)
          mean += std::exp(x[0][k]) * x[1][k] * x[1][k] / static_cast<double>(n);
        const double error = mean - (std::exp(1.0) - 1) / 3;
        sum += error * error / seeds;
      }
      sizes.push_back(static_cast<double>(n));
      errors.push_back(std::sqrt(sum));
    }
    return slope_of(sizes, errors);
  };
  EXPECT_NEAR(order_of(Sampler::sobol), -1.5, 0.15);
  EXPECT_NEAR(order_of(Sampler::random), -0.5, 0.1);
}

}  // namespace
}  // namespace conesweep::test
