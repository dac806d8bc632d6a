#include "selftest/known_statistics.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "statistics/statistics.hpp"
#include "statistics/tracks.hpp"
#include "support/text.hpp"

namespace conesweep::selftest {
namespace {

using executor::Status;

struct Column {
  std::vector<double> values;
  std::vector<Status> status;
};

// offset + 0 … n-1 in a mixed order, with a NaN and a stopped member after every hundredth: those must not count
Column make_known(std::int64_t n, double offset) {
  Column column;
  constexpr std::int64_t stride = 7919;  // a prime that divides no n here: i -> i stride mod n is a permutation
  for (std::int64_t i = 0; i < n; ++i) {
    column.values.push_back(offset + static_cast<double>(i * stride % n));
    column.status.push_back(Status::ok);
    if (i % 100 != 0) continue;
    column.values.insert(column.values.end(), {std::numeric_limits<double>::quiet_NaN(), 1e300});
    column.status.insert(column.status.end(), {Status::ok, Status::non_finite});
  }
  return column;
}

void expect_near(Found& found, const std::string& what, double got, double exact, double tolerance) {
  ++found.checked;
  if (!(std::fabs(got - exact) <= tolerance))
    found.wrong.push_back(what + " is " + format_number(got) + ", exact: " + format_number(exact));
}

// n whole numbers from `offset` on: mean offset + (n-1)/2, variance n (n+1)/12, quantile p at offset + p (n-1), equal
// bins
void check_column(Found& found, statistics::Engine& engine, std::int64_t n, double offset) {
  const Column column = make_known(n, offset);
  const statistics::Summary s = statistics::summarise(column.values, column.status, engine);
  const std::string of = " of " + counted(n) + " numbers from " + format_short(offset) + " on";
  const auto count = static_cast<double>(n);
  const double ulp = std::numeric_limits<double>::epsilon(), size = offset + count;
  expect_near(found, "count" + of, static_cast<double>(s.count), count, 0);
  expect_near(found, "mean" + of, s.mean, offset + (count - 1) / 2, 4 * ulp * size);
  expect_near(found, "standard deviation" + of, s.standard_deviation, std::sqrt(count * (count + 1) / 12),
              16 * ulp * size);
  expect_near(found, "skewness" + of, s.skewness, 0, 1e-6);  // a difference of cubes: the mean's last place times n
  expect_near(found, "min" + of, s.min, offset, 0);
  expect_near(found, "max" + of, s.max, offset + count - 1, 0);
  for (const double level : statistics::quantile_levels)
    expect_near(found, "quantile " + format_short(level) + of, statistics::quantile_of(s, level),
                offset + level * (count - 1), 4 * ulp * size);
  for (const std::int64_t in_bin : s.histogram.counts)
    expect_near(found, "a bin" + of, static_cast<double>(in_bin), count / statistics::histogram_bins,
                1);  // whole numbers fall into equal bins, but for the edges
}

// member m at time t is at m + 10 t
void check_tracks(Found& found, statistics::Engine& engine) {
  constexpr std::int64_t members = 301, times = 7;
  std::vector<double> track;
  for (std::int64_t m = 0; m < members; ++m)
    for (std::int64_t t = 0; t < times; ++t) track.push_back(static_cast<double>(m + 10 * t));
  const std::vector<Status> status(static_cast<std::size_t>(members), Status::ok);
  const auto moments = statistics::block_track_moments(track, status, times, engine);
  const auto deviations = statistics::standard_deviations(moments);
  const auto bands = statistics::track_quantiles(track, status, times, engine);
  for (std::int64_t t = 0; t < times; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const double shift = 10 * static_cast<double>(t);
    expect_near(found, "mean of tracks", moments.mean[at], shift + 150, 1e-12);
    expect_near(found, "standard deviation of tracks", deviations[at], std::sqrt(301.0 * 302 / 12), 1e-12);
    for (std::size_t k = 0; k < bands.size(); ++k)
      expect_near(found, "quantile of tracks", bands[k][at], shift + 300 * statistics::quantile_levels[k], 1e-12);
  }
}

// skewed, with everything that occurs; numbers by a counter, so that they are the same everywhere
Column make_mixed(std::size_t count, double scale) {
  Column column;
  std::uint64_t state = count;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;  // Knuth's constants
    const double u = static_cast<double>(state >> 11) * 0x1p-53;
    double x = scale * (u * u * u - 0.25);
    if (i % 101 == 5) x = std::numeric_limits<double>::quiet_NaN();
    if (i % 103 == 7) x = i % 2 == 0 ? 0.0 : -0.0;
    if (i % 89 == 11) x = column.values[i / 2];
    column.values.push_back(x);
    column.status.push_back(i % 97 == 3 ? Status::bad_angle : Status::ok);
  }
  return column;
}

std::vector<double> all_of(const statistics::Summary& s) {
  std::vector<double> all = {
      static_cast<double>(s.count), s.mean, s.standard_deviation, s.standard_error, s.skewness, s.min, s.max};
  all.insert(all.end(), s.quantiles.begin(), s.quantiles.end());
  all.insert(all.end(), s.histogram.edges.begin(), s.histogram.edges.end());
  for (const auto count : s.histogram.counts) all.push_back(static_cast<double>(count));
  return all;
}

void compare_bits(Found& found, const std::string& what, const std::vector<double>& a, const std::vector<double>& b) {
  found.checked += static_cast<std::int64_t>(a.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    if (std::bit_cast<std::uint64_t>(a[k]) != std::bit_cast<std::uint64_t>(b.at(k)))
      found.wrong.push_back("number " + std::to_string(k) + " of " + what + ": " + format_number(a[k]) + " and " +
                            format_number(b[k]));
}

}  // namespace

Found check_known_statistics(statistics::Engine& engine) {
  Found found;
  for (const std::int64_t n : {64, 4096, 100'003})
    for (const double offset : {0.0, 1e9}) check_column(found, engine, n, offset);
  check_tracks(found, engine);
  return found;
}

Found compare_engines(statistics::Engine& a, statistics::Engine& b) {
  Found found;
  for (const std::size_t count : {1u, 33u, 4097u, 100'003u})
    for (const double scale : {1.0, 0x1p900}) {
      const Column column = make_mixed(count, scale);
      compare_bits(found, "a column of " + std::to_string(count),
                   all_of(statistics::summarise(column.values, column.status, a)),
                   all_of(statistics::summarise(column.values, column.status, b)));
    }
  // sorting, every place of it
  std::vector<double> sorted_by_a = make_mixed(50'021, 1).values;
  for (double& x : sorted_by_a) x = x == x ? x + 0.0 : 0.5;  // the engines sort no NaN and no -0
  std::vector<double> sorted_by_b = sorted_by_a;
  a.sort(sorted_by_a);
  b.sort(sorted_by_b);
  compare_bits(found, "a sorted column", sorted_by_a, sorted_by_b);
  constexpr std::size_t members = 129, times = 40;
  Column tracks = make_mixed(members * times, 1);
  for (double& x : tracks.values)
    if (x != x) x = 0.5;  // members that are ok have finite tracks
  tracks.status.resize(members);
  const auto of_a = statistics::block_track_moments(tracks.values, tracks.status, times, a),
             of_b = statistics::block_track_moments(tracks.values, tracks.status, times, b);
  compare_bits(found, "the means over time", of_a.mean, of_b.mean);
  compare_bits(found, "the squares over time", of_a.squares, of_b.squares);
  compare_bits(found, "the quantiles over time", a.track_quantiles(tracks.values, tracks.status, times),
               b.track_quantiles(tracks.values, tracks.status, times));
  return found;
}

}  // namespace conesweep::selftest
