#pragma once

#include <cstdint>
#include <span>

#include "executor/executor.hpp"

namespace conesweep::statistics {

/// Which members belong together: those of one part may depend on each other, parts are independent and alike.
struct Parts {
  std::int64_t together = 1;  // so many consecutive members are in one part …
  std::int64_t count = 0;     // … and parts are dealt out in turn over so many; 0: every run of `together` members is a part of its own

  std::int64_t of(std::int64_t member) const { return count > 0 ? member / together % count : member / together; }
  bool are_members() const { return together == 1 && count == 0; }
};

/// The standard error of the mean over the members that are ok and have a value, from the scatter of the parts.
///
///   (1)  e_r = Σ (x - mean) over part r,   error² = R/(R - 1) Σ e_r² / n²      R parts that have values, n values
///
/// The mean is a ratio where members are left out, hence e_r and not the parts' means. With one member a part this is s/√n. NaN where less than two
/// parts have values, or one is infinite.
double error_by_parts(std::span<const double> values, std::span<const executor::Status> status, const Parts& parts);

}  // namespace conesweep::statistics
