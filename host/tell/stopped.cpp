#include "tell/stopped.hpp"

#include <algorithm>
#include <limits>

#include <conesweep/statistics/quantile.hpp>

namespace conesweep::tell {

Reach reach_of(std::vector<double> values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::erase_if(values, [](double value) { return value != value; });  // a file that somebody made may have some
  if (values.empty()) return {nan, nan, nan};
  std::sort(values.begin(), values.end());
  return {values.front(), statistics::sorted_quantile(values.data(), static_cast<long>(values.size()), 0.5),
          values.back()};
}

std::vector<double> mark_stopped(const std::vector<executor::Status>& status) {
  std::vector<double> marks;
  marks.reserve(status.size());
  for (const executor::Status one : status) marks.push_back(one == executor::Status::ok ? 0 : 1);
  return marks;
}

}  // namespace conesweep::tell
