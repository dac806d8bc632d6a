#include "statistics/tracks.hpp"

#include <cmath>
#include <limits>

#include "support/error.hpp"

namespace conesweep::statistics {

TrackMoments merge(TrackMoments a, const TrackMoments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  CS_ASSERT(a.mean.size() == b.mean.size());
  const auto n_a = static_cast<double>(a.count);
  const auto n_b = static_cast<double>(b.count);
  const double share = n_b / (n_a + n_b);
  for (std::size_t time = 0; time < a.mean.size(); ++time) {
    const double delta = b.mean[time] - a.mean[time];
    a.mean[time] += delta * share;
    a.squares[time] += b.squares[time] + delta * delta * (n_a * share);
  }
  a.count += b.count;
  return a;
}

TrackMoments block_track_moments(std::span<const double> track, std::span<const executor::Status> status,
                                 std::int64_t times, Engine& engine, TrackMoments begun) {
  return engine.block_track_moments(track, status, times, std::move(begun));
}

std::vector<std::vector<double>> track_quantiles(std::span<const double> track,
                                                 std::span<const executor::Status> status, std::int64_t times,
                                                 Engine& engine) {
  const std::vector<double> flat = engine.track_quantiles(track, status, times);
  std::vector<std::vector<double>> curves;
  for (auto at = flat.begin(); curves.size() < std::size(quantile_levels); at += times)
    curves.emplace_back(at, at + times);
  return curves;
}

std::vector<double> standard_deviations(const TrackMoments& moments) {
  std::vector<double> deviations;
  for (const double squares : moments.squares)
    deviations.push_back(moments.count < 2 ? std::numeric_limits<double>::quiet_NaN()
                                           : std::sqrt(squares / static_cast<double>(moments.count - 1)));
  return deviations;
}

}  // namespace conesweep::statistics
