#include "sensitivity/sobol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>

#include "../oracle/known_indices.hpp"
#include "ensemble.hpp"
#include "sensitivity/design.hpp"

namespace conesweep::sensitivity {
namespace {

using executor::Status;
using test::KnownIndices;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Status> all_ok(std::size_t members) { return std::vector<Status>(members, Status::ok); }

void add(SobolSums& sums, const std::vector<double>& values) { sums.add(values, all_ok(values.size())); }

/// All values of a design with random base points.
std::vector<double> run(const KnownIndices& known, bool second_order, std::int64_t bases, std::uint64_t seed) {
  const SaltelliLayout layout{known.parameters, second_order};
  const SaltelliPoints points(sampling::make_points(test::unit_scenario(known.parameters, seed), 2), layout);
  return test::values_at(points, known.parameters, 0, layout.members(bases), known.f);
}

SobolIndices indices_of(const std::vector<double>& values, SaltelliLayout layout, std::uint64_t seed = 1) {
  SobolSums sums(layout);
  add(sums, values);
  return sums.indices(test::names_of(layout.parameters), seed);
}

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

// ---- coverage ----

bool is_long() { return std::getenv("CONESWEEP_ALL") != nullptr; }

struct Coverage {
  std::vector<int> hits;
  std::vector<double> sum, squares, width;
  int runs = 0;

  explicit Coverage(std::size_t indices) : hits(indices), sum(indices), squares(indices), width(indices) {}
  void add(std::size_t at, const Index& index, double truth) {
    // an index that is 0 without error has an interval of no width
    hits[at] += index.lower <= truth && truth <= index.upper;
    sum[at] += index.value - truth;
    squares[at] += (index.value - truth) * (index.value - truth);
    width[at] += index.upper - index.lower;
  }
};

/// 95 % intervals cover in 90 to 99 % of the runs, and the mean error is within four of its standard errors plus the
/// bias of order 1/N that a ratio has.
void check(const std::string& what, const Coverage& c, std::int64_t bases, bool print = true) {
  double low = 1;
  double high = 0;
  for (std::size_t i = 0; i < c.hits.size(); ++i) {
    const double runs = c.runs;
    const double rate = c.hits[i] / runs;
    low = std::min(low, rate);
    high = std::max(high, rate);
    EXPECT_GE(rate, 0.90) << what << ", index " << i;
    EXPECT_LE(rate, 0.99) << what << ", index " << i;
    const double error = std::sqrt(c.squares[i] / runs / runs);
    EXPECT_LE(std::abs(c.sum[i] / runs), 4 * error + 2.0 / static_cast<double>(bases)) << what << ", index " << i;
  }
  if (print)
    std::printf("  %-40s %5lld bases: intervals cover in %.1f to %.1f %% of %d seeds\n", what.c_str(),
                static_cast<long long>(bases), 100 * low, 100 * high, c.runs);
}

void check_coverage(const KnownIndices& known, bool second_order, std::int64_t bases, int seeds) {
  const std::size_t k = known.parameters;
  Coverage first(k), jansen(k), total(k), second(known.second.size());
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto result = indices_of(run(known, second_order, bases, static_cast<std::uint64_t>(seed)), {k, second_order},
                                   static_cast<std::uint64_t>(seed));
    for (std::size_t i = 0; i < k; ++i) {
      first.add(i, result.first[i], known.first[i]);
      jansen.add(i, result.first_jansen[i], known.first[i]);
      total.add(i, result.total[i], known.total[i]);
    }
    for (std::size_t p = 0; p < result.second.size(); ++p) second.add(p, result.second[p], known.second[p]);
  }
  first.runs = jansen.runs = total.runs = second.runs = seeds;
  check(known.name + " first", first, bases);
  check(known.name + " first by Jansen", jansen, bases);
  check(known.name + " total", total, bases);
  if (second_order) check(known.name + " second", second, bases);
}

TEST(SobolIndices, OfIshigamiAreCoveredByTheirIntervals) {
  check_coverage(test::ishigami(), true, 256, 200);
  if (is_long()) check_coverage(test::ishigami(), true, 3000, 1000);
}

TEST(SobolIndices, OfGFunctionsAreCoveredByTheirIntervals) {
  check_coverage(test::sobol_g({0, 1, 4.5, 9, 99, 99}), false, 256, 200);
  check_coverage(test::sobol_g({0, 0, 0}), true, 512, 200);
  if (!is_long()) return;
  check_coverage(test::sobol_g({0, 1, 4.5, 9, 99, 99}), true, 4096, 1000);
  check_coverage(test::sobol_g({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), false, 1000, 1000);
  check_coverage(test::sobol_g({0, 0, 0}), true, 4096, 1000);
}

TEST(SobolIndices, OfALinearModelAreCoveredByTheirIntervals) {
  check_coverage(test::linear({1, 2, 3, 4}), false, 256, 200);
  if (is_long()) check_coverage(test::linear({1, 2, 3, 4}), false, 4096, 1000);
}

TEST(SobolIndices, OfIshigamiShowTheInteractionOfX1AndX3) {
  const auto known = test::ishigami();
  const auto result = indices_of(run(known, true, 20'000, 1), {3, true});
  const double truth = known.second[pair_number(0, 2, 3)];
  EXPECT_NEAR(truth, 0.2437, 1e-4);
  const Index found = result.second[pair_number(0, 2, 3)];
  EXPECT_LT(found.lower, truth);
  EXPECT_GT(found.upper, truth);
  EXPECT_LT(found.upper - found.lower, 0.06);
  EXPECT_FALSE(found.spans_zero());
  EXPECT_TRUE(result.second[pair_number(0, 1, 3)].spans_zero());
  EXPECT_TRUE(result.second[pair_number(1, 2, 3)].spans_zero());
}

// the standard errors that the comment at SobolSums speaks of
TEST(SobolIndices, HaveASmallerErrorBySaltellisEstimatorWhereTheyAreSmall) {
  const auto known = test::sobol_g({0, 1, 4.5, 9, 99, 99});
  Coverage saltelli(6), jansen(6);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SobolSums sums({6, false});
    add(sums, run(known, false, 1024, seed));
    const auto result = sums.indices(test::names_of(6), seed, 2);
    for (std::size_t i = 0; i < 6; ++i) {
      saltelli.add(i, result.first[i], known.first[i]);
      jansen.add(i, result.first_jansen[i], known.first[i]);
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const double ratio = std::sqrt(saltelli.squares[i] / jansen.squares[i]);
    std::printf("  S = %.5f: standard error %.4f by Saltelli, %.4f by Jansen\n", known.first[i],
                std::sqrt(saltelli.squares[i] / 200), std::sqrt(jansen.squares[i] / 200));
    EXPECT_LT(ratio, known.first[i] < 0.3 ? 0.8 : 2.5);
  }
}

// ---- other points ----

/// A Latin hypercube.
class Latin final : public sampling::UnitPoints {
 public:
  Latin(std::size_t axes, std::int64_t count, std::uint64_t seed) : columns_(axes) {
    std::mt19937_64 bits(seed);
    for (auto& column : columns_) {
      column.resize(static_cast<std::size_t>(count));
      std::iota(column.begin(), column.end(), 0.0);
      for (std::size_t i = column.size(); i > 1; --i) std::swap(column[i - 1], column[bits() % i]);
      for (double& u : column) u = (u + static_cast<double>(bits() >> 11) * 0x1p-53) / static_cast<double>(count);
    }
  }
  double coordinate(std::int64_t member, std::size_t axis) const override {
    return columns_[axis][static_cast<std::size_t>(member)];
  }

 private:
  std::vector<std::vector<double>> columns_;
};

/// Of the first and total indices: how often intervals cover, how wide they are, how large errors are.
template <class Make>
Coverage cover(const KnownIndices& known, std::int64_t bases, int parts, int seeds, const Make& make) {
  const std::size_t k = known.parameters;
  const SaltelliLayout layout{k, false};
  Coverage c(2 * k);
  c.runs = seeds;
  for (int number = 1; number <= seeds; ++number) {
    const auto seed = static_cast<std::uint64_t>(number);
    const SaltelliPoints points(make(seed), layout);
    SobolSums sums(layout, parts);
    add(sums, test::values_at(points, k, 0, layout.members(bases), known.f));
    const auto result = sums.indices(test::names_of(k), seed);
    for (std::size_t i = 0; i < k; ++i) {
      c.add(i, result.first[i], known.first[i]);
      c.add(k + i, result.total[i], known.total[i]);
    }
  }
  return c;
}

double smallest_rate(const Coverage& c) {
  return static_cast<double>(*std::min_element(c.hits.begin(), c.hits.end())) / c.runs;
}

TEST(SobolIndices, OfLatinHypercubesAreCoveredAsOften) {
  const auto known = test::ishigami();
  const auto latin = cover(known, 2048, 1, is_long() ? 1000 : 100,
                           [](std::uint64_t seed) { return std::make_unique<Latin>(6, 2048, seed); });
  std::printf("  Latin hypercube: intervals cover in %.1f %% or more\n", 100 * smallest_rate(latin));
  EXPECT_GE(smallest_rate(latin), 0.9);
}

TEST(SobolIndices, OfNetsInPartsAreCoveredAndHaveSmallerErrors) {
  // 0.88: with 100 seeds a rate of 95 % scatters by 2.2 %, and the smallest of twelve is asked for
  const std::int64_t bases = 4096;
  const int seeds = is_long() ? 1000 : 100;
  for (const auto& known : {test::ishigami(), test::sobol_g({0, 1, 4.5, 9, 99, 99})}) {
    const std::size_t k = known.parameters;
    const auto random = cover(known, bases, 1, seeds, [&](std::uint64_t seed) {
      return sampling::make_points(test::unit_scenario(k, seed), 2);
    });
    const int parts = advised_parts(scenario::Sampler::sobol);
    const auto nets = cover(known, bases, parts, seeds, [&](std::uint64_t seed) {
      auto scenario = test::unit_scenario(k, seed);
      scenario.ensemble.sampler = scenario::Sampler::sobol;
      return make_base_points(scenario, parts);
    });
    std::printf("  %s: intervals cover in %.1f %% or more (random %.1f %%); errors are, of those of random points,",
                known.name.c_str(), 100 * smallest_rate(nets), 100 * smallest_rate(random));
    for (std::size_t i = 0; i < 2 * k; ++i) std::printf(" %.2f", std::sqrt(nets.squares[i] / random.squares[i]));
    std::printf("\n");
    EXPECT_GE(smallest_rate(nets), 0.88);
    double squares = 0;
    double width = 0;
    for (std::size_t i = 0; i < k; ++i) {
      squares += nets.squares[i] / random.squares[i] / static_cast<double>(k);
      width += nets.width[i] / random.width[i] / static_cast<double>(k);
    }
    EXPECT_LT(std::sqrt(squares), 0.8);
    EXPECT_LT(width, 0.8);
  }
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
