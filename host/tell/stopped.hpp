#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::tell {

/// What sensitivities call the members that stopped, among the observables.
inline constexpr const char* stopped_row = "stopped";

/// Where some members lie along one parameter.
struct Reach {
  double lower = 0, median = 0, upper = 0;
};

/// Where in parameter space members stop: their values of one parameter beside those of all members.
struct StoppedReach {
  std::string parameter;
  Reach stopped, all;
};

/// One column after the other; `column(k)` gives the values of parameter k. Empty where no member stopped.
template <class Column>
std::vector<StoppedReach> locate_stopped(const std::vector<std::string>& parameters,
                                         const std::vector<executor::Status>& status, const Column& column);

/// Of some values; NaN where there are none.
Reach reach_of(std::vector<double> values);

/// 1 for the members that stopped, 0 for the others.
std::vector<double> mark_stopped(const std::vector<executor::Status>& status);

template <class Column>
std::vector<StoppedReach> locate_stopped(const std::vector<std::string>& parameters,
                                         const std::vector<executor::Status>& status, const Column& column) {
  std::vector<StoppedReach> found;
  const auto stops = mark_stopped(status);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const std::vector<double> values = column(k);
    std::vector<double> of_stopped;
    for (std::size_t m = 0; m < values.size(); ++m)
      if (stops[m] != 0) of_stopped.push_back(values[m]);
    if (of_stopped.empty()) return {};
    found.push_back({parameters[k], reach_of(std::move(of_stopped)), reach_of(values)});
  }
  return found;
}

}  // namespace conesweep::tell
