#pragma once

namespace conesweep::statistics {

/// The rule of three: what none of n members shows happens to at most 3/n of all, at 95 % ((1 - p)^n = 0.05).
inline constexpr double rule_of_three = 3;

}  // namespace conesweep::statistics
