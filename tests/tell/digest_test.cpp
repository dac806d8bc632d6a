// Statistics of members that are not kept: what does not depend on quantiles has the bits that members have that are
// kept.

#include "keep/digest.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "keep/crowd.hpp"
#include "support/scenario_text.hpp"
#include "tell/digest_summary.hpp"
#include "tell/summary.hpp"

namespace conesweep::tell {
namespace {

using executor::Status;
using Column = std::function<double(std::int64_t member)>;

constexpr std::int64_t members = 5 * keep::digest_block + 1234;

/// A run whose first observable has these values, with a member in 100 that stopped.
io::Results make_results(const Column& column) {
  io::Results run;
  run.scenario = test::parse_scenario(keep::make_crowd(members));
  run.scenario.record = {};
  run.parameters = {std::vector<double>(members, 1.0)};
  run.outcome = executor::make_outcome(run.scenario, {{run.scenario, 0, members}});
  for (auto& values : run.outcome.observables) values.assign(members, 0.0);
  for (std::int64_t m = 0; m < members; ++m) {
    const auto at = static_cast<std::size_t>(m);
    run.outcome.observables[0][at] = column(m);
    if (m % 100 == 7) run.outcome.status[at] = Status::non_finite;
  }
  return run;
}

/// The digest of all of them, added in pieces of so many blocks, the last ones first, and taken through its bytes.
keep::Digest make_digest(const io::Results& run, std::int64_t blocks) {
  const io::ChunkResults part{{0, members}, run.parameters, run.outcome, {}, {}, {}};
  keep::Digest all(run.scenario);
  std::int64_t at = members / keep::digest_block * keep::digest_block;
  for (std::int64_t end = members; end > 0;
       end = at, at = std::max<std::int64_t>(0, at - blocks * keep::digest_block)) {
    keep::Digest piece(run.scenario);
    piece.add(part, at, end - at, {}, 1);
    all.add(keep::Digest::unpack(run.scenario, piece.pack()));
  }
  return all;
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

void expect_bits_of_members_that_are_kept(const std::string& what, const Column& column) {
  const io::Results run = make_results(column);
  const statistics::Summary kept = statistics::summarise(run.outcome.observables[0], run.outcome.status);
  for (const std::int64_t blocks : {1, 2, 5}) {
    const keep::Digest digest = make_digest(run, blocks);
    const statistics::Summary found = summarise(run, digest).observables[0].second;
    const std::string where = what + ", " + std::to_string(blocks) + " blocks at once";
    EXPECT_EQ(found.count, kept.count) << where;
    EXPECT_PRED2(same, found.min, kept.min) << where;
    EXPECT_PRED2(same, found.max, kept.max) << where;
    EXPECT_PRED2(same, found.mean, kept.mean) << where;
    EXPECT_PRED2(same, found.standard_deviation, kept.standard_deviation) << where;
    EXPECT_PRED2(same, found.skewness, kept.skewness) << where;
    EXPECT_PRED2(same, found.quantiles.front(), kept.quantiles.front()) << where;
  }
}

/// Any finite double, as likely as any other.
double any_double(std::mt19937_64& bits) {
  for (;;)
    if (const double x = std::bit_cast<double>(bits()); std::isfinite(x)) return x;
}

TEST(Digest, KeepsTheEndsOfValuesOverAllDoubles) {
  std::mt19937_64 bits(1);
  const double denormal = std::numeric_limits<double>::denorm_min(), largest = std::numeric_limits<double>::max();
  expect_bits_of_members_that_are_kept("all doubles", [&](std::int64_t) { return any_double(bits); });
  expect_bits_of_members_that_are_kept("positive doubles", [&](std::int64_t) { return std::fabs(any_double(bits)); });
  expect_bits_of_members_that_are_kept("negative doubles", [&](std::int64_t) { return -std::fabs(any_double(bits)); });
  expect_bits_of_members_that_are_kept("the least and the largest",
                                       [&](std::int64_t m) { return m == 4097 ? denormal : largest; });
  expect_bits_of_members_that_are_kept("a large one among small ones", [&](std::int64_t m) {
    return m == 9000 ? 1e290 : 1e-20 * static_cast<double>(1 + m);
  });
  expect_bits_of_members_that_are_kept("a small one among large ones", [&](std::int64_t m) {
    return m == 9000 ? 3e-320 : 1e300 / static_cast<double>(1 + m);
  });
}

TEST(Digest, KeepsTheEndsOfDenormalsZerosAndInfiniteValues) {
  std::mt19937_64 bits(2);
  const double denormal = std::numeric_limits<double>::denorm_min(), infinity = std::numeric_limits<double>::infinity();
  expect_bits_of_members_that_are_kept("denormals", [&](std::int64_t) { return std::bit_cast<double>(bits() >> 12); });
  expect_bits_of_members_that_are_kept("denormals of both signs", [&](std::int64_t m) {
    return (m % 2 == 0 ? -1 : 1) * std::bit_cast<double>(bits() >> 12);
  });
  expect_bits_of_members_that_are_kept("zeros, but for the least number there is",
                                       [&](std::int64_t m) { return m == 5000 ? denormal : -0.0; });
  expect_bits_of_members_that_are_kept(
      "an infinite one", [&](std::int64_t m) { return m == 5000 ? infinity : 1e-300 * static_cast<double>(m); });
  expect_bits_of_members_that_are_kept("a block without values", [&](std::int64_t m) {
    return m < keep::digest_block ? std::nan("") : (m == 20000 ? 1e10 : 1e-310);
  });
}

}  // namespace
}  // namespace conesweep::tell
