#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::runs {

/// When an ensemble is large enough: the error of one observable's mean is below a share of it; or the share of a class
/// is known to within half the width of its interval, as a share of all members.
struct Goal {
  std::string name;            // of an observable, or class.<name>
  std::size_t observable = 0;  // its number, or the class's code
  double share = 0;            // 0.01 for "1%"
  bool of_class = false;
};

/// `name` as find_quantity takes it. InputError where nothing has that name, or the share does not lie between 0 and 1.
Goal make_goal(const std::string& name, double share, const scenario::Scenario& scenario);

/// "reach:1%" or "reach:0.01", several by commas. InputError with what is wrong.
std::vector<Goal> parse_goals(const std::string& text, const scenario::Scenario& scenario);

/// Throws InputError where an ensemble of this scenario cannot grow; else how far it can: `most`, or as many members as
/// tables have rows.
std::int64_t bound_growth(const scenario::Scenario& scenario, std::int64_t most);

/// How many members to have next, when with n of them an error was so many times what it may be (1 / 0: it is not known
/// yet). Errors fall like n^(-1/2); a multiple of `unit`, above n, at least a tenth and at most three times more, and
/// not above most.
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
