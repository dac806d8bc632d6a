#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <conesweep/statistics/moments.hpp>

#include "keep/classes.hpp"
#include "run/quantity.hpp"
#include "tell/summary.hpp"

namespace conesweep::runs {

/// What is known of a mean while members are on their way.
struct Estimate {
  std::string name = {};
  std::int64_t members = 0;  // that are there …
  std::int64_t of = 0;       // … of so many
  std::int64_t count = 0;    // of those there that have a value
  double mean = std::numeric_limits<double>::quiet_NaN();
  // standard error, as of independent members; NaN: less than two, or they are no sample
  double error = std::numeric_limits<double>::quiet_NaN();
};

/// The mean of one quantity over the members that are there so far, for those who watch: no result is made of it.
class RunningMean {
 public:
  /// `draws` says which members count, and whether they are a sample at all.
  RunningMean(const scenario::Scenario& scenario, Quantity quantity, const tell::Draws& draws);

  /// From now on it is about so many members, of which none is there.
  void begin(std::int64_t of);

  /// Consecutive members from `first` on.
  void add(std::int64_t first, const keep::MemberColumns& columns);

  /// Members of whom the sums are there.
  void add(std::int64_t members, const statistics::Moments& sums);

  const Quantity& quantity() const { return quantity_; }
  Estimate estimate() const;

 private:
  const scenario::Scenario& scenario_;
  Quantity quantity_;
  std::function<bool(std::int64_t)> counts_;  // empty: all members
  bool sampled_;
  std::int64_t members_ = 0, of_ = 0;
  statistics::Moments sums_;
};

}  // namespace conesweep::runs
