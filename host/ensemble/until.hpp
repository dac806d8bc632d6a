#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::ensemble {

/// When an ensemble is large enough: an error of one observable is below a share.
struct Goal {
  std::string name;
  std::size_t observable = 0;
  double share = 0;  // 0.01 for "1%"
};

/// "reach:1%" or "reach:0.01", several by commas. InputError with what is wrong.
std::vector<Goal> parse_goals(const std::string& text, const scenario::Scenario& scenario);

/// Throws InputError where an ensemble of this scenario cannot grow; else how far it can: `most`, or as many members as tables have rows.
std::int64_t bound_growth(const scenario::Scenario& scenario, std::int64_t most);

/// How many members to have next, when with n of them an error was so many times what it may be (1 / 0: it is not known yet). Errors fall like
/// n^(-1/2); a multiple of `unit`, above n, at least a tenth and at most three times more, and not above most.
std::int64_t grow(std::int64_t n, double excess, std::int64_t unit, std::int64_t most);

}  // namespace conesweep::ensemble
