#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::runs {

/// When an ensemble is large enough: an error of one observable is below a share.
struct Goal {
  std::string name;
  std::size_t observable = 0;
  double share = 0;  // 0.01 for "1%"
};

/// InputError where nothing observed has that name, or the share does not lie between 0 and 1.
Goal make_goal(const std::string& name, double share, const scenario::Scenario& scenario);

/// "reach:1%" or "reach:0.01", several by commas. InputError with what is wrong.
std::vector<Goal> parse_goals(const std::string& text, const scenario::Scenario& scenario);

/// Throws InputError where an ensemble of this scenario cannot grow; else how far it can: `most`, or as many members as tables have rows.
std::int64_t bound_growth(const scenario::Scenario& scenario, std::int64_t most);

/// How many members to have next, when with n of them an error was so many times what it may be (1 / 0: it is not known yet). Errors fall like
/// n^(-1/2); a multiple of `unit`, above n, at least a tenth and at most three times more, and not above most.
std::int64_t grow(std::int64_t n, double excess, std::int64_t unit, std::int64_t most);

/// How far an ensemble is that grows.
struct Growth {
  std::int64_t members = 0;
  std::vector<Goal> goals;
  std::vector<double> errors;  // [goal]; NaN: not known
  bool reached = false;        // all errors are as small as asked for
  bool ended = false;          // it is, or there are as many members as allowed

  /// The worst error as a multiple of what it may be; infinite where one is not known.
  double excess() const;
};

}  // namespace conesweep::runs
