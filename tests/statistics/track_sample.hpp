#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::test {

/// Tracks of members that wander from 3 on, some of them stopped (NaN from a time on), some values -0; the same on
/// every machine.
struct TrackSample {
  std::int64_t times;
  std::vector<double> track;  // [member * times + time]
  std::vector<executor::Status> status;

  TrackSample(std::int64_t members, std::int64_t recorded)
      : times(recorded), status(static_cast<std::size_t>(members), executor::Status::ok) {
    std::mt19937_64 bits(static_cast<std::uint64_t>(members * 1000 + times));
    for (std::int64_t member = 0; member < members; ++member) {
      const bool stops = member % 13 == 5;
      if (stops) status[static_cast<std::size_t>(member)] = executor::Status::non_finite;
      double x = 3;
      for (std::int64_t time = 0; time < times; ++time) {
        x += static_cast<double>(bits() >> 11) * 0x1p-53 - 0.4;
        const double value = bits() % 50 == 0 ? -0.0 : x;
        track.push_back(stops && 2 * time >= times ? std::numeric_limits<double>::quiet_NaN() : value);
      }
    }
  }
};

}  // namespace conesweep::test
