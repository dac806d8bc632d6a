// Do intervals of Sobol indices cover the known ones as often as they say?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include "../oracle/known_indices.hpp"
#include "ensemble.hpp"
#include "sensitivity/design.hpp"
#include "sensitivity/sobol.hpp"
#include "sobol_runs.hpp"

namespace conesweep::sensitivity {
namespace {

using test::KnownIndices;

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

}  // namespace
}  // namespace conesweep::sensitivity
