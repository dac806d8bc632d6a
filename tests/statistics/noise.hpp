#pragma once

#include <limits>
#include <random>
#include <vector>

#include "statistics/statistics.hpp"

namespace conesweep::statistics {

using executor::Status;

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double largest = std::numeric_limits<double>::max();

inline std::vector<Status> all_ok(std::size_t members) { return std::vector<Status>(members, Status::ok); }

inline Summary summarise_ok(const std::vector<double>& values) { return summarise(values, all_ok(values.size())); }

inline std::vector<double> noise(std::size_t count, double mean, double deviation) {
  std::mt19937_64 bits(count);
  std::vector<double> values(count);
  for (double& x : values) {
    double sum = 0;  // twelve uniform ones: nearly normal, and the same on every machine
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(bits() >> 11) * 0x1p-53;
    x = mean + deviation * (sum - 6);
  }
  return values;
}

}  // namespace conesweep::statistics
