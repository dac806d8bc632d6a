#include "run/running_mean.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace conesweep::runs {

using executor::Status;

RunningMean::RunningMean(const scenario::Scenario& scenario, Quantity quantity, const tell::Draws& draws)
    : scenario_(scenario),
      quantity_(std::move(quantity)),
      counts_(draws.counts),
      sampled_(draws.sampled && scenario.sweep.empty()) {}

void RunningMean::begin(std::int64_t of) {
  of_ = of;
  members_ = 0;
  sums_ = {};
}

void RunningMean::add(std::int64_t first, const keep::MemberColumns& columns) {
  std::vector<Status> status = columns.status;
  std::vector<double> values;
  if (quantity_.of_class) {
    values = keep::mark_class(keep::classify(scenario_, columns), quantity_.number);
    std::fill(status.begin(), status.end(), Status::ok);  // those that stopped are of a class, too
  } else {
    values = columns.observable(quantity_.number);
  }
  members_ += static_cast<std::int64_t>(status.size());
  for (std::size_t m = 0; counts_ && m < values.size(); ++m)
    // as if it had no value
    if (!counts_(first + static_cast<std::int64_t>(m))) values[m] = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t at = 0; at < values.size(); at += statistics::block_members) {
    const std::size_t count = std::min<std::size_t>(statistics::block_members, values.size() - at);
    sums_ = statistics::merge(
        sums_, statistics::block_moments(std::span(values).subspan(at, count), std::span(status).subspan(at, count)));
  }
}

void RunningMean::add(std::int64_t members, const statistics::Moments& sums) {
  members_ += members;
  sums_ = statistics::merge(sums_, sums);
}

Estimate RunningMean::estimate() const {
  Estimate found{quantity_.name, members_, of_, sums_.count};
  if (sums_.count > 0) found.mean = sums_.mean;
  const auto n = static_cast<double>(sums_.count);
  if (sampled_ && sums_.count > 1) found.error = std::sqrt(sums_.squares / (n - 1) / n);
  return found;
}

}  // namespace conesweep::runs
