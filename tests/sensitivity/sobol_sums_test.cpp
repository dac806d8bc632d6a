#include "sensitivity/sobol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../oracle/known_indices.hpp"
#include "ensemble.hpp"
#include "sensitivity/design.hpp"
#include "sobol_runs.hpp"

namespace conesweep::sensitivity {
namespace {

using executor::Status;
using testing::ElementsAre;
using testing::HasSubstr;

bool same(const SobolIndices& a, const SobolIndices& b) {
  return a.first == b.first && a.first_jansen == b.first_jansen && a.total == b.total && a.second == b.second &&
         a.mean == b.mean && a.variance == b.variance && a.bases == b.bases && a.left_out == b.left_out &&
         a.warnings == b.warnings;
}

// ---- the formulas ----

/// As the papers print them: all values kept, two passes, extended precision; second order by the closed index of
/// [Saltelli2002].
struct Direct {
  std::vector<long double> first, jansen, total, second;
  long double mean = 0, variance = 0;
};
Direct direct(const std::vector<double>& values, SaltelliLayout layout) {
  const auto rows = static_cast<std::size_t>(layout.rows());
  const std::size_t k = layout.parameters;
  const std::size_t n = values.size() / rows;
  const auto y = [&](std::size_t base, std::size_t row) { return static_cast<long double>(values[base * rows + row]); };
  const auto average = [&](auto term) {
    long double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += term(j);
    return sum / static_cast<long double>(n);
  };
  Direct d;
  d.mean = average([&](std::size_t j) { return (y(j, 0) + y(j, 1)) / 2; });
  const long double m = d.mean;
  const auto nn = static_cast<long double>(n);
  d.variance = average([&](std::size_t j) { return (y(j, 0) - m) * (y(j, 0) - m) + (y(j, 1) - m) * (y(j, 1) - m); }) *
               nn / (2 * nn - 1);
  for (std::size_t i = 0; i < k; ++i) {
    const auto role = [&](std::size_t a, std::size_t b, std::size_t ab) {
      return std::array<long double, 3>{
          average([&](std::size_t j) { return (y(j, b) - m) * (y(j, ab) - y(j, a)); }),
          average([&](std::size_t j) { return (y(j, b) - y(j, ab)) * (y(j, b) - y(j, ab)); }),
          average([&](std::size_t j) { return (y(j, a) - y(j, ab)) * (y(j, a) - y(j, ab)); })};
    };
    auto mean = role(0, 1, 2 + i);
    if (layout.second_order) {
      const auto other = role(1, 0, 2 + k + i);
      for (std::size_t q = 0; q < 3; ++q) mean[q] = (mean[q] + other[q]) / 2;
    }
    d.first.push_back(mean[0] / d.variance);
    d.jansen.push_back(1 - mean[1] / 2 / d.variance);
    d.total.push_back(mean[2] / 2 / d.variance);
  }
  for (std::size_t i = 0; i < k && layout.second_order; ++i)
    for (std::size_t j = i + 1; j < k; ++j) {
      const auto closed = [&](std::size_t p, std::size_t q) {  // <(BA_p - m)(AB_q - m)> - <(A - m)(B - m)>
        return average(
            [&](std::size_t b) { return (y(b, 2 + k + p) - m) * (y(b, 2 + q) - m) - (y(b, 0) - m) * (y(b, 1) - m); });
      };
      d.second.push_back((closed(i, j) + closed(j, i)) / 2 / d.variance - d.first[i] - d.first[j]);
    }
  return d;
}

void expect_near(const std::vector<Index>& got, const std::vector<long double>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i].value, static_cast<double>(expected[i]), tolerance) << "index " << i;
}

TEST(SobolSums, OfTwoBasesAreWhatAPersonFinds) {
  // one parameter; bases (A, B, AB) = (0, 2, 2), (4, 2, 3): m = 2, V = (4 + 0 + 4 + 0)/3
  const auto result = indices_of({0, 2, 2, 4, 2, 3}, {1, false});
  EXPECT_EQ(result.bases, 2);
  EXPECT_DOUBLE_EQ(result.mean, 2);
  EXPECT_DOUBLE_EQ(result.variance, 8.0 / 3);
  EXPECT_DOUBLE_EQ(result.first[0].value, 0);                               // B = m in both
  EXPECT_DOUBLE_EQ(result.first_jansen[0].value, 1 - 0.5 / 2 / (8.0 / 3));  // (0 + 1)/2
  EXPECT_DOUBLE_EQ(result.total[0].value, 2.5 / 2 / (8.0 / 3));             // (4 + 1)/2
}

TEST(SobolSums, AreTheFormulasOfThePapers) {
  for (const bool second_order : {false, true})
    for (const std::int64_t bases : {2, 255, 256, 257, 1000, 5000}) {
      const auto known = test::sobol_g({0, 1, 4.5});
      const auto values = run(known, second_order, bases, 3);
      const auto result = indices_of(values, {3, second_order});
      const Direct expected = direct(values, {3, second_order});
      // sums of up to 30000 terms of size 1 to 10 V: 1e-13 is ten times what rounding left
      expect_near(result.first, expected.first, 1e-13);
      expect_near(result.first_jansen, expected.jansen, 1e-13);
      expect_near(result.total, expected.total, 1e-13);
      expect_near(result.second, expected.second, 1e-13);
      EXPECT_NEAR(result.mean, static_cast<double>(expected.mean), 1e-14);
      EXPECT_NEAR(result.variance, static_cast<double>(expected.variance), 1e-14);
    }
}

TEST(SobolSums, NumberPairsRowByRow) {
  std::size_t expected = 0;
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = i + 1; j < 7; ++j) EXPECT_EQ(pair_number(i, j, 7), expected++);
}

TEST(SobolSums, GiveExactlyZeroToAParameterWithoutInfluence) {
  const auto known = test::linear({1, 0, 2});
  const auto result = indices_of(run(known, true, 100, 1), {3, true});
  EXPECT_EQ(result.first[1], (Index{0, 0, 0}));
  EXPECT_EQ(result.total[1], (Index{0, 0, 0}));
  EXPECT_EQ(result.second[pair_number(0, 1, 3)], (Index{0, 0, 0}));
  EXPECT_EQ(result.second[pair_number(1, 2, 3)], (Index{0, 0, 0}));
}

// ---- rounding ----

TEST(SobolSums, LoseNothingToALargeMean) {
  // values on a grid of 2^-20, so that adding 2^30 (about 1e9) is exact: the results must not differ at all but for the
  // mean
  const auto known = test::ishigami();
  auto values = run(known, true, 2000, 1);
  for (double& y : values) y = std::round(y * 0x1p20) * 0x1p-20;
  const auto small = indices_of(values, {3, true});
  for (double& y : values) y += 0x1p30;
  auto large = indices_of(values, {3, true});
  EXPECT_NEAR(large.mean - 0x1p30, small.mean, 1e-6);
  large.mean = small.mean;
  EXPECT_TRUE(same(small, large));
}

TEST(SobolSums, LoseLittleToAnOutlierAsFirstValue) {
  const auto known = test::sobol_g({0, 1});
  auto values = run(known, false, 4096, 1);
  values[0] = 1e12;
  const auto result = indices_of(values, {2, false});
  const Direct expected = direct(values, {2, false});
  // the bound at SobolSums: (c - m)² = 2N V costs a factor 2N, in sums with an error of 4096/256 additions each
  expect_near(result.total, expected.total, 2 * 4096 * 16 * 0x1p-53);
  expect_near(result.first, expected.first, 2 * 4096 * 16 * 0x1p-53);
}

// ---- pieces, extension, memory ----

TEST(SobolSums, DoNotDependOnHowMembersAreCutIntoPieces) {
  const auto known = test::sobol_g({0, 1, 4.5});
  const SaltelliLayout layout{3, false};
  const auto values = run(known, false, 3001, 2);
  const auto whole = indices_of(values, layout);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    SobolSums sums(layout);
    for (std::size_t at = 0; at < values.size(); at += piece) {
      const std::size_t count = std::min(piece, values.size() - at);
      sums.add(std::span(values).subspan(at, count), all_ok(count));
    }
    EXPECT_TRUE(same(sums.indices(test::names_of(3), 1), whole)) << piece;
  }
}

TEST(SobolSums, ExtendedAreThoseMadeAtOnce) {
  const auto known = test::ishigami();
  const SaltelliLayout layout{3, true};
  const SaltelliPoints points(sampling::make_points(test::unit_scenario(3, 9), 2), layout);
  SobolSums extended(layout);
  std::int64_t bases = 0;
  for (const std::int64_t more : {100, 1, 411, 2048}) {
    add(extended, test::values_at(points, 3, layout.members(bases), layout.members(more), known.f));
    bases += more;
    EXPECT_TRUE(same(extended.indices(test::names_of(3), 4), indices_of(run(known, true, bases, 9), layout, 4)))
        << bases;
  }
}

TEST(SobolSums, KeepMemoryFlat) {
  SobolSums sums({2, false});
  const auto values = run(test::linear({1, 2}), false, 1, 1);
  for (int base = 0; base < 250'000; ++base) {  // 10⁶ members
    add(sums, values);
    ASSERT_LE(sums.groups(), std::size_t{256});
    ASSERT_TRUE(base < 256 || sums.groups() > 128);
  }
  EXPECT_EQ(sums.bases(), 250'000);
}

TEST(SobolSums, ResampleBySeed) {
  const auto values = run(test::ishigami(), false, 300, 1);
  const auto one = indices_of(values, {3, false}, 1);
  const auto two = indices_of(values, {3, false}, 2);
  EXPECT_TRUE(same(one, indices_of(values, {3, false}, 1)));
  EXPECT_EQ(one.first[0].value, two.first[0].value);
  EXPECT_NE(one.first[0].lower, two.first[0].lower);
  EXPECT_NEAR(one.first[0].lower, two.first[0].lower, 0.02);
}

// ---- members that are left out ----

/// (S2), (S3) and (S5) by their definition, of the members that have a value; values[base * 5 + row].
struct ByDefinition {
  double variance = 0;
  std::vector<double> first, total;

  explicit ByDefinition(const std::vector<double>& values) {
    const std::size_t bases = values.size() / 5;
    const auto at = [&](std::size_t base, std::size_t row) { return values[base * 5 + row]; };
    std::vector<double> both;
    for (std::size_t base = 0; base < bases; ++base)
      for (const double y : {at(base, 0), at(base, 1)})
        if (std::isfinite(y)) both.push_back(y);
    double m = 0;
    for (const double y : both) m += y / static_cast<double>(both.size());
    for (const double y : both) variance += (y - m) * (y - m) / static_cast<double>(both.size() - 1);
    for (std::size_t i = 0; i < 3; ++i) {
      double products = 0, triples = 0, squares = 0, doubles = 0;
      for (std::size_t base = 0; base < bases; ++base) {
        const double step = at(base, 2 + i) - at(base, 0);
        if (std::isfinite(step)) squares += step * step, doubles += 1;
        if (std::isfinite(step) && std::isfinite(at(base, 1))) products += (at(base, 1) - m) * step, triples += 1;
      }
      first.push_back(products / triples / variance);
      total.push_back(squares / doubles / 2 / variance);
    }
  }
};

TEST(SobolSums, LeaveOutMembersWithoutAValueAndNoOthers) {
  auto values = run(test::sobol_g({0, 1, 4.5}), false, 200, 1);
  auto status = all_ok(values.size());
  auto seen = values;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  // A of the first base
  values[0] = seen[0] = nan;
  values[7 * 5 + 4] = -3, status[7 * 5 + 4] = Status::non_finite, seen[7 * 5 + 4] = nan;           // AB_2
  values[199 * 5 + 1] = std::numeric_limits<double>::infinity(), seen[199 * 5 + 1] = nan;          // B
  for (std::size_t base = 20; base < 60; ++base) values[base * 5 + 2] = seen[base * 5 + 2] = nan;  // AB_0 of many
  SobolSums sums({3, false});
  sums.add(values, status);
  const auto result = sums.indices(test::names_of(3), 1);
  EXPECT_EQ(result.bases, 200);
  EXPECT_EQ(result.left_out, 43);
  EXPECT_THAT(result.warnings[0], HasSubstr("43 of 1,000 members are left out"));
  const ByDefinition expected(seen);
  EXPECT_NEAR(result.variance, expected.variance, 1e-13);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(result.first[i].value, expected.first[i], 1e-13);
    EXPECT_NEAR(result.total[i].value, expected.total[i], 1e-13);
    EXPECT_LT(result.first[i].lower, result.first[i].value);
    EXPECT_LT(result.first[i].value, result.first[i].upper);
  }
}

TEST(SobolSums, LeaveOutTermsOfSecondOrderAlike) {
  const SaltelliLayout layout{3, true};
  auto values = run(test::ishigami(), true, 300, 1);
  const auto whole = indices_of(values, layout);
  // BA_0 of one base: pairs (0, 1) and (0, 2) lose a term, pair (1, 2) none
  values[8 * 10 + 5] = std::numeric_limits<double>::quiet_NaN();
  const auto less = indices_of(values, layout);
  EXPECT_NE(less.second[0].value, whole.second[0].value);
  EXPECT_NE(less.second[1].value, whole.second[1].value);
  EXPECT_EQ(less.second[2].value, whole.second[2].value);
  EXPECT_EQ(less.first[1].value, whole.first[1].value);
  EXPECT_NEAR(less.second[1].value, whole.second[1].value, 0.05);
}

// ---- what cannot be answered ----

TEST(SobolSums, SayThatIndicesOfAConstantAreUndefined) {
  const auto result = indices_of(std::vector<double>(5 * 100, 0.1), {3, false});
  EXPECT_EQ(result.variance, 0);
  EXPECT_DOUBLE_EQ(result.mean, 0.1);
  for (const auto& indices : {result.first, result.total})
    for (const Index& index : indices) {
      EXPECT_TRUE(std::isnan(index.value) && std::isnan(index.lower) && std::isnan(index.upper));
      EXPECT_FALSE(index.spans_zero());
    }
  EXPECT_TRUE(result.constant);
  EXPECT_THAT(result.warnings, ElementsAre("none of 200 independent members has another value than 0.1: none was seen, "
                                           "and the indices are undefined; fewer "
                                           "than 1.5 % of all may have one (95 %)"));
}

// An event of probability 1e-3, x1 x2 < …: (S5) would be a ratio of two or three hits.
TEST(SobolSums, GiveNoIndexThatFewMembersMake) {
  const auto event = [](double share) {
    return [share](std::span<const double> u) { return u[0] < share ? 1.0 : 0.0; };
  };
  const SaltelliLayout layout{2, false};
  const auto indices_at = [&](double share, std::int64_t bases) {
    const SaltelliPoints points(sampling::make_points(test::unit_scenario(2, 1), 2), layout);
    return indices_of(test::values_at(points, 2, 0, layout.members(bases), event(share)), layout);
  };
  const auto few = indices_at(1e-3, 1000);
  ASSERT_GT(few.too_few.seen, 0);
  EXPECT_LT(few.too_few.seen, 10);
  EXPECT_EQ(few.too_few.of, 2000);
  for (const auto& indices : {few.first, few.first_jansen, few.total})
    for (const Index& index : indices) EXPECT_TRUE(std::isnan(index.value) && std::isnan(index.lower));
  EXPECT_FALSE(few.constant);
  const double bases = 15 * 2000.0 / static_cast<double>(few.too_few.seen);  // 30 hits in A and B
  EXPECT_NEAR(static_cast<double>(few.too_few.needed_members) / (4 * bases), 1.05, 0.06);
  EXPECT_THAT(few.warnings,
              ElementsAre(testing::MatchesRegex(
                  "only [0-9] of 2,000 independent members have another value than 0, and no index is to rest on "
                  "fewer than 30: it takes about [0-9,]+0 members, and there are 4,000")));
  // with so many there is an index, and a good one
  const auto enough = indices_at(1e-3, few.too_few.needed_members / 4 * 3);
  EXPECT_EQ(enough.too_few.of, 0);
  EXPECT_NEAR(enough.total[0].value, 1, 0.3);
  EXPECT_EQ(enough.total[1].value, 0);
  // none in A and B
  const auto none = indices_at(1e-9, 1000);
  EXPECT_EQ(none.too_few, (sensitivity::TooFew{0, 2000, 0}));
  EXPECT_THAT(none.warnings, ElementsAre(HasSubstr("none was seen")));
  // numbers that all differ are no event, however few there are
  EXPECT_EQ(indices_of(run(test::linear({1, 2}), false, 4, 1), layout).too_few.of, 0);
}

TEST(SobolSums, SayThatThereIsNothingToEstimateFrom) {
  EXPECT_THAT(indices_of({}, {1, false}).warnings, ElementsAre("no member is left: the indices are undefined"));
  EXPECT_THAT(indices_of({1, 2, 3}, {1, false}).warnings,
              ElementsAre("one base is too few: the indices are undefined"));
  const auto huge = indices_of({1e200, -1e200, 0, 1e200, 0, -1e200}, {1, false});
  EXPECT_TRUE(std::isnan(huge.first[0].value));
  EXPECT_THAT(huge.warnings, ElementsAre(HasSubstr("their squares overflow")));
}

TEST(SobolSums, WarnOfFewBasesAndOfRounding) {
  const auto values = run(test::linear({1, 2}), false, 20, 1);
  EXPECT_THAT(indices_of(values, {2, false}).warnings,
              testing::Contains("only 20 bases: the intervals are rough; take 64 or more"));
  auto noisy = run(test::linear({1, 2}), false, 100, 1);
  for (double& y : noisy) y = 1e9 + y * 1e-6;
  EXPECT_THAT(indices_of(noisy, {2, false}).warnings, testing::Contains(HasSubstr("little more than rounding")));
}

TEST(SobolSums, NeverPassOverANegativeIndex) {
  // x3 of Ishigami has first order 0, so about half of the estimates are negative
  int negative = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto result = indices_of(run(test::ishigami(), false, 128, seed), {3, false});
    std::string all;
    for (const auto& text : result.warnings) all += text + "\n";
    if (result.first[2].spans_zero()) {
      EXPECT_THAT(
          all, HasSubstr("first-order index of x3: cannot be told from 0, the 95 % interval contains it; more bases"));
    }
    if (result.first[2].value >= 0) continue;
    ++negative;
    EXPECT_THAT(all,
                testing::ContainsRegex("first-order index of x3 \\(-[0-9.e-]+\\): negative by sampling error alone"));
  }
  EXPECT_GT(negative, 4);
  EXPECT_LT(negative, 16);
}

TEST(SobolSums, HaveNoIntervalWhereOneGroupIsAllThereIs) {
  const auto one = indices_of({1, 2, 3, 4, nan, nan, 5, 6}, {2, false});
  EXPECT_FALSE(std::isnan(one.total[0].value));
  EXPECT_TRUE(std::isnan(one.total[0].lower));
  EXPECT_THAT(one.warnings, testing::Contains(HasSubstr("there are no intervals")));
}

TEST(SobolSums, OfPartsGroupBasesByPart) {
  // 256 parts of two bases, dealt out in turn, are 256 runs of two in another order: the same groups, the same bits
  const auto values = run(test::ishigami(), false, 512, 1);
  std::vector<double> runs;
  for (std::size_t part = 0; part < 256; ++part)
    for (const std::size_t base : {part, part + 256})
      runs.insert(runs.end(), values.begin() + static_cast<std::ptrdiff_t>(5 * base),
                  values.begin() + static_cast<std::ptrdiff_t>(5 * base + 5));
  SobolSums in_parts({3, false}, 256);
  add(in_parts, values);
  EXPECT_EQ(in_parts.groups(), 256u);
  EXPECT_TRUE(same(in_parts.indices(test::names_of(3), 1), indices_of(runs, {3, false})));
}

}  // namespace
}  // namespace conesweep::sensitivity
