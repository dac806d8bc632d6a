#include "sampling/sampler.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "philox_oracle.hpp"
#include "support/error.hpp"

namespace conesweep::sampling {
namespace {

using scenario::Distribution;
using scenario::DistributionKind;
using scenario::Sampler;
using scenario::Scenario;
using test::philox;

Distribution uniform(double lower, double upper) { return {DistributionKind::uniform, {lower, upper}, {}, {}}; }

/// Three parameters; `vary` says which of them do, in which order.
Scenario make_scenario(const std::vector<int>& vary, std::uint64_t seed = 1) {
  Scenario s;
  s.names.parameters = {"alpha", "tau", "v0"};
  s.ensemble = {1000, seed, Sampler::random};
  for (const int parameter : vary) s.vary.push_back({parameter, uniform(0, 1), 0, {}});
  return s;
}

// ---- random ----

TEST(RandomPoints, OracleKnowsThePublishedAnswers) {
  // Random123's kat_vectors
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomPoints, ArePhiloxOfSeedMemberAndName) {
  constexpr std::uint64_t seed = 0x123456789abcdef0;
  constexpr std::uint64_t name = 0x8ac625bb85ed202b;  // FNV-1a of "alpha"
  const auto points = make_points(make_scenario({0}, seed));
  for (const std::int64_t member : {std::int64_t{0}, std::int64_t{1}, std::int64_t{311}, std::int64_t{1} << 40}) {
    const auto number = static_cast<std::uint64_t>(member);
    const auto words = philox({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
                               static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(name >> 32)},
                              {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    const std::uint64_t k = (std::uint64_t{words[1]} << 32 | words[0]) >> 12;
    EXPECT_EQ(points->coordinate(member, 0), std::ldexp(static_cast<double>(2 * k + 1), -53)) << "member " << member;
  }
}

TEST(RandomPoints, NeverChange) {
  // a user's published run depends on these
  const auto points = make_points(make_scenario({0, 1}));
  EXPECT_EQ(points->coordinate(0, 0), 0x1.ab12ecef27380p-8);
  EXPECT_EQ(points->coordinate(311, 1), 0x1.a68a6b6c4882cp-3);
}

TEST(RandomPoints, LieStrictlyInside) {
  const auto points = make_points(make_scenario({0, 1, 2}));
  for (std::int64_t member = 0; member < 100'000; ++member)
    for (std::size_t v = 0; v < 3; ++v) {
      const double u = points->coordinate(member, v);
      ASSERT_GT(u, 0);
      ASSERT_LT(u, 1);
      ASSERT_EQ(u, std::ldexp(std::floor(std::ldexp(u, 53)), -53));  // so 1 - u is exact
    }
}

TEST(RandomPoints, DoNotDependOnWhatElseVariesOrInWhichOrder) {
  const auto alone = draw(make_scenario({1}), 0, 100);
  const auto crowd = draw(make_scenario({0, 1, 2}), 0, 100);
  const auto turned = draw(make_scenario({2, 1, 0}), 0, 100);
  EXPECT_EQ(alone[0], crowd[1]);
  EXPECT_EQ(crowd[0], turned[2]);
  EXPECT_EQ(crowd[1], turned[1]);
  EXPECT_NE(crowd[0], crowd[1]);

  // the name counts, not the index
  Scenario renumbered = make_scenario({0});
  renumbered.names.parameters = {"tau"};
  EXPECT_EQ(draw(renumbered, 0, 100)[0], alone[0]);
}

TEST(RandomPoints, DependOnTheSeedInAllItsBits) {
  std::set<double> seen;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32, std::uint64_t{1} << 63})
    seen.insert(draw(make_scenario({0}, seed), 5, 1)[0][0]);
  EXPECT_EQ(seen.size(), 4u);
}

TEST(RandomPoints, OfTwoParametersAndOfNeighboursAreUncorrelated) {
  constexpr std::int64_t members = 100'000;
  const auto x = draw(make_scenario({0, 1}), 0, members);
  double across = 0, along = 0;
  for (std::size_t m = 0; m + 1 < members; ++m) {
    across += (x[0][m] - 0.5) * (x[1][m] - 0.5) * 12 / members;
    along += (x[0][m] - 0.5) * (x[0][m + 1] - 0.5) * 12 / members;
  }
  EXPECT_NEAR(across, 0, 5 / std::sqrt(members));
  EXPECT_NEAR(along, 0, 5 / std::sqrt(members));
}

TEST(Draw, GivesAMemberTheSameValueInAnyPiece) {
  Scenario s = make_scenario({0, 2});
  const auto whole = draw(s, 0, 1000);
  s.ensemble.members = 1'000'000;
  for (const std::int64_t first : {0, 1, 31, 32, 999}) {
    const auto piece = draw(s, first, std::min<std::int64_t>(33, 1000 - first));
    for (std::size_t v = 0; v < 2; ++v)
      for (std::size_t m = 0; m < piece[v].size(); ++m)
        EXPECT_EQ(piece[v][m], whole[v][static_cast<std::size_t>(first) + m]);
  }
  EXPECT_TRUE(draw(s, 10, 0)[0].empty());
}

TEST(Draw, OfNoVariationsIsEmpty) { EXPECT_TRUE(draw(make_scenario({}), 0, 10).empty()); }

TEST(Draw, TakesTheMembersRowOfATable) {
  Scenario s = make_scenario({0, 1});
  s.ensemble.members = 4;
  s.vary[1].distribution = {DistributionKind::table, {10, 20, 30, 40}, "t.csv:a", "t.csv"};
  EXPECT_EQ(draw(s, 0, 4)[1], (std::vector<double>{10, 20, 30, 40}));
  EXPECT_EQ(draw(s, 2, 2)[1], (std::vector<double>{30, 40}));
  EXPECT_EQ(draw(s, 0, 4)[0], draw(make_scenario({0}), 0, 4)[0]);
  EXPECT_THROW(draw(s, 2, 3), InternalError);
}

// ---- grid ----

Scenario make_grid(std::vector<std::pair<Distribution, std::int64_t>> axes) {
  Scenario s;
  s.ensemble = {1, 1, Sampler::grid};
  for (auto& [distribution, levels] : axes) {
    s.names.parameters.push_back("p" + std::to_string(s.vary.size()));
    s.vary.push_back({static_cast<int>(s.vary.size()), distribution, levels, {}});
    s.ensemble.members *= levels;
  }
  return s;
}

TEST(Grid, RunsThroughTheLastVariationFirst) {
  const auto x = draw(make_grid({{uniform(0, 1), 2}, {uniform(10, 12), 3}}), 0, 6);
  EXPECT_EQ(x[0], (std::vector<double>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(x[1], (std::vector<double>{10, 11, 12, 10, 11, 12}));
}

TEST(Grid, DrawsAnyPiece) {
  const Scenario s = make_grid({{uniform(0, 1), 4}, {uniform(0, 1), 3}, {uniform(0, 1), 5}});
  const auto whole = draw(s, 0, 60);
  const auto piece = draw(s, 17, 20);
  for (std::size_t v = 0; v < 3; ++v)
    EXPECT_EQ(piece[v], std::vector<double>(whole[v].begin() + 17, whole[v].begin() + 37));
  std::set<std::array<double, 3>> points;
  for (std::size_t m = 0; m < 60; ++m) points.insert({whole[0][m], whole[1][m], whole[2][m]});
  EXPECT_EQ(points.size(), 60u);
}

TEST(Grid, HasBothEndsOfABoundedDistribution) {
  const auto x = draw(make_grid({{{DistributionKind::loguniform, {1, 100}, {}, {}}, 3}}), 0, 3)[0];
  EXPECT_EQ(x[0], 1);
  EXPECT_NEAR(x[1], 10, 1e-13);
  EXPECT_EQ(x[2], 100);
}

TEST(Grid, TakesTheMiddlesOfEqualSharesWhereAnEndIsInfinite) {
  const auto x = draw(make_grid({{{DistributionKind::normal, {0, 1}, {}, {}}, 3}}), 0, 3)[0];
  EXPECT_NEAR(x[0], -0.967421566101701, 1e-14);  // quantile of 1/6
  EXPECT_EQ(x[1], 0);
  EXPECT_NEAR(x[2], 0.967421566101701, 1e-14);
  const auto y = draw(make_grid({{{DistributionKind::lognormal, {0, 1}, {}, {}}, 4}}), 0, 4)[0];
  for (const double value : y) {
    EXPECT_GT(value, 0);
    EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Grid, OfOneLevelIsTheMedian) { EXPECT_EQ(draw(make_grid({{uniform(2, 4), 1}}), 0, 1)[0][0], 3); }

TEST(Grid, GoesThroughEveryChoiceOnce) {
  for (std::size_t count = 1; count <= 200; ++count) {
    Distribution choice{DistributionKind::choice, {}, {}, {}};
    for (std::size_t i = 0; i < count; ++i) choice.values.push_back(static_cast<double>(i));
    const auto levels = static_cast<std::int64_t>(count);
    ASSERT_EQ(draw(make_grid({{choice, levels}}), 0, levels)[0], choice.values) << count << " values";
  }
}

}  // namespace
}  // namespace conesweep::sampling
