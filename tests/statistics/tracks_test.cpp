#include "statistics/tracks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "statistics/merge_tree.hpp"
#include "statistics/statistics.hpp"
#include "statistics/track_sample.hpp"

namespace conesweep::statistics {
namespace {

using executor::Status;
using test::TrackSample;

/// The values at one time, as a column.
std::vector<double> column_at(const TrackSample& sample, std::size_t time) {
  std::vector<double> column;
  for (std::size_t member = 0; member < sample.status.size(); ++member)
    column.push_back(sample.track[member * static_cast<std::size_t>(sample.times) + time]);
  return column;
}

TEST(Tracks, HaveAtEachTimeTheMomentsOfThatColumn) {
  for (const auto& [members, times] : {std::pair(1, 5), {3, 1}, {31, 33}, {1000, 65}, {4096, 40}}) {
    const TrackSample sample(members, times);
    const TrackMoments moments = block_track_moments(sample.track, sample.status, times);
    const auto deviations = standard_deviations(moments);
    ASSERT_EQ(moments.mean.size(), static_cast<std::size_t>(times));
    ASSERT_EQ(deviations.size(), static_cast<std::size_t>(times));
    for (std::size_t time = 0; time < moments.mean.size(); ++time) {
      // another recurrence: the last bits differ by about sqrt(n) roundings
      const Summary expected = summarise(column_at(sample, time), sample.status);
      ASSERT_EQ(moments.count, expected.count);
      EXPECT_NEAR(moments.mean[time], expected.mean, 1e-14 * (1 + std::abs(expected.mean)));
      if (expected.count < 2)
        EXPECT_TRUE(std::isnan(deviations[time]));
      else
        EXPECT_NEAR(deviations[time], expected.standard_deviation, 1e-13 * expected.standard_deviation);
    }
  }
}

TEST(Tracks, HaveAtEachTimeTheQuantilesOfThatColumn) {
  for (const auto& [members, times] : {std::pair(1, 5), {3, 1}, {31, 33}, {1000, 65}, {4096, 40}}) {
    const TrackSample sample(members, times);
    const auto curves = track_quantiles(sample.track, sample.status, times);
    ASSERT_EQ(curves.size(), std::size(quantile_levels));
    for (std::size_t time = 0; time < static_cast<std::size_t>(times); ++time) {
      const Summary expected = summarise(column_at(sample, time), sample.status);
      for (std::size_t q = 0; q < curves.size(); ++q)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(curves[q].at(time)), std::bit_cast<std::uint64_t>(expected.quantiles[q]))
            << "level " << quantile_levels[q] << ", time " << time;
    }
  }
}

TEST(Tracks, OfEqualMembersHaveNoSpread) {
  const std::vector<double> track(1000 * 7, 0.1);
  const std::vector<Status> status(1000, Status::ok);
  const TrackMoments moments = block_track_moments(track, status, 7);
  EXPECT_EQ(moments.mean, std::vector<double>(7, 0.1));
  EXPECT_EQ(moments.squares, std::vector<double>(7, 0.0));
  const TrackMoments twice = merge(moments, moments);
  EXPECT_EQ(twice.count, 2000);
  EXPECT_EQ(twice.mean, moments.mean);
  EXPECT_EQ(twice.squares, moments.squares);
}

TEST(Tracks, OfNobodyAreEmpty) {
  const std::vector<double> track(3 * 4, std::nan(""));
  const std::vector<Status> status(3, Status::non_finite);
  const TrackMoments moments = block_track_moments(track, status, 4);
  EXPECT_EQ(moments.count, 0);
  EXPECT_EQ(moments.mean.size(), 4u);
  for (const double s : standard_deviations(moments)) EXPECT_TRUE(std::isnan(s));
  for (const auto& curve : track_quantiles(track, status, 4)) {
    ASSERT_EQ(curve.size(), 4u);
    for (const double q : curve) EXPECT_TRUE(std::isnan(q));
  }
  EXPECT_EQ(track_quantiles({}, {}, 0).size(), std::size(quantile_levels));
  EXPECT_EQ(block_track_moments({}, {}, 0).count, 0);
}

TEST(Tracks, OfBlocksMergeToThoseOfAll) {
  // blocks of any length here: the formula does not know 4096
  const TrackSample sample(4000, 11);
  const TrackMoments whole = block_track_moments(sample.track, sample.status, 11);
  MergeTree<TrackMoments> tree;
  for (std::size_t at = 0; at < 4000; at += 300) {
    const std::size_t count = std::min<std::size_t>(300, 4000 - at);
    tree.add(block_track_moments(std::span(sample.track).subspan(at * 11, count * 11),
                                 std::span(sample.status).subspan(at, count), 11));
  }
  const TrackMoments merged = tree.finish();
  EXPECT_EQ(merged.count, whole.count);
  for (std::size_t time = 0; time < 11; ++time) {
    EXPECT_NEAR(merged.mean[time], whole.mean[time], 1e-14 * (1 + std::abs(whole.mean[time])));
    EXPECT_NEAR(merged.squares[time], whole.squares[time], 1e-13 * whole.squares[time]);
  }
  EXPECT_EQ(merge(TrackMoments{}, whole), whole);
  EXPECT_EQ(merge(whole, TrackMoments{}), whole);
}

TEST(Tracks, HaveTheSameBitsOnAnyNumberOfThreads) {
  const TrackSample sample(2000, 203);
  const auto one = make_cpu_engine(1);
  for (const int threads : {2, 3, 8}) {
    const auto some = make_cpu_engine(threads);
    EXPECT_EQ(block_track_moments(sample.track, sample.status, 203, *some),
              block_track_moments(sample.track, sample.status, 203, *one));
    EXPECT_EQ(track_quantiles(sample.track, sample.status, 203, *some),
              track_quantiles(sample.track, sample.status, 203, *one));
  }
}

}  // namespace
}  // namespace conesweep::statistics
