// The statistics on a device beside those of the CPU: the same text, two compilers, all bits equal.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>
#include <regex>

#include "cuda/device.hpp"
#include "statistics/statistics.hpp"
#include "statistics/track_sample.hpp"
#include "statistics/tracks.hpp"
#include "support/error.hpp"

namespace conesweep::statistics {
namespace {

using executor::Status;

/// A skewed column with everything that occurs: members that stopped, NaN, both zeros, equal values.
struct Column {
  std::vector<double> values;
  std::vector<Status> status;

  explicit Column(std::size_t count, double scale = 1) : status(count, Status::ok) {
    std::mt19937_64 bits(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double u = static_cast<double>(bits() >> 11) * 0x1p-53;
      values.push_back(scale * (u * u * u - 0.25));
      if (i % 97 == 3) status[i] = Status::bad_angle;
      if (i % 101 == 5) values[i] = std::numeric_limits<double>::quiet_NaN();
      if (i % 103 == 7) values[i] = i % 2 == 0 ? 0.0 : -0.0;
      if (i % 89 == 11) values[i] = values[i / 2];
    }
  }
};

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double x : values) bits.push_back(std::bit_cast<std::uint64_t>(x));
  return bits;
}

std::vector<std::uint64_t> bits_of(const Summary& s) {
  std::vector<double> all = {s.mean, s.standard_deviation, s.standard_error, s.skewness, s.min, s.max};
  all.insert(all.end(), s.quantiles.begin(), s.quantiles.end());
  all.insert(all.end(), s.histogram.edges.begin(), s.histogram.edges.end());
  for (const auto count : s.histogram.counts) all.push_back(static_cast<double>(count));
  all.push_back(static_cast<double>(s.count));
  return bits_of(all);
}

std::vector<std::uint64_t> bits_of(const TrackMoments& moments) {
  std::vector<double> all = moments.mean;
  all.insert(all.end(), moments.squares.begin(), moments.squares.end());
  all.push_back(static_cast<double>(moments.count));
  return bits_of(all);
}

std::vector<std::uint64_t> bits_of(const std::vector<std::vector<double>>& curves) {
  std::vector<double> all;
  for (const auto& curve : curves) all.insert(all.end(), curve.begin(), curve.end());
  return bits_of(all);
}

class Statistics : public test::OnDevice {};

TEST_F(Statistics, OfColumnsHaveTheBitsOfTheCpu) {
  const auto cuda = make_cuda_engine();
  EXPECT_EQ(cuda->name(), "cuda");
  for (const std::size_t count : {0u, 1u, 2u, 31u, 33u, 4095u, 4097u, 10'007u})
    for (const double scale : {1.0, 0x1p900}) {
      const Column column(count, scale);
      EXPECT_EQ(bits_of(summarise(column.values, column.status, *cuda)),
                bits_of(summarise(column.values, column.status)))
          << count << " members, scale " << scale;
      EXPECT_EQ(cuda->block_moments(column.values, column.status, 1 / scale),
                cpu_engine().block_moments(column.values, column.status, 1 / scale))
          << count << " members, scale " << scale;
    }
}

TEST_F(Statistics, OfTracksHaveTheBitsOfTheCpu) {
  const auto cuda = make_cuda_engine();
  for (const auto& [members, times] : {std::pair(1, 1), {6, 5}, {31, 33}, {129, 40}, {4096, 3}}) {
    const test::TrackSample sample(members, times);
    EXPECT_EQ(bits_of(block_track_moments(sample.track, sample.status, times, *cuda)),
              bits_of(block_track_moments(sample.track, sample.status, times)))
        << members << " x " << times;
    EXPECT_EQ(bits_of(track_quantiles(sample.track, sample.status, times, *cuda)),
              bits_of(track_quantiles(sample.track, sample.status, times)))
        << members << " x " << times;
  }
}

TEST_F(Statistics, OfADeviceThatIsNotThereSaySo) {
  try {
    make_cuda_engine(999);
    FAIL() << "a thousandth device";
  } catch (const SystemError& error) {
    EXPECT_TRUE(std::regex_match(error.what(), std::regex("statistics on GPU 999 failed: .*device ordinal.*")))
        << error.what();
  }
}

/// Run with devices that fail, one after another; CONESWEEP_EXPECTED_REPORT is what is said about it.
TEST(Fallback, KeepsTheResultWhateverTheDeviceDoes) {
  const char* expected = std::getenv("CONESWEEP_EXPECTED_REPORT");
  if (expected == nullptr) GTEST_SKIP() << "no fault was asked for";
  std::vector<std::string> reports;
  const auto engine = make_cuda_or_cpu_engine([&](const std::string& text) { reports.push_back(text); });
  const test::TrackSample sample(31, 33);
  EXPECT_EQ(bits_of(block_track_moments(sample.track, sample.status, 33, *engine)),
            bits_of(block_track_moments(sample.track, sample.status, 33)));
  EXPECT_EQ(bits_of(track_quantiles(sample.track, sample.status, 33, *engine)),
            bits_of(track_quantiles(sample.track, sample.status, 33)));
  for (const std::size_t count : {33u, 50'021u}) {
    const Column column(count);
    EXPECT_EQ(bits_of(summarise(column.values, column.status, *engine)),
              bits_of(summarise(column.values, column.status)))
        << count << " members";
  }
  EXPECT_EQ(engine->name(), "cpu");
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_TRUE(std::regex_match(
      reports[0],
      std::regex("the statistics are computed on the CPU, with the same result: .*(" + std::string(expected) + ").*")))
      << reports[0];
}

}  // namespace
}  // namespace conesweep::statistics
