#pragma once

#include <functional>
#include <span>

#include "executor/executor.hpp"

namespace conesweep::statistics {

/// The standard error of the mean over the members that are ok and have a value, of members that are not independent
/// draws; NaN: not known. Empty: they are independent, and it is s/√n. A share of members is the mean of marks 0 and 1.
using MeanError = std::function<double(std::span<const double> values, std::span<const executor::Status> status)>;

}  // namespace conesweep::statistics
