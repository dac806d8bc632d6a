#pragma once

#include <string>
#include <vector>

#include "statistics/engine.hpp"

namespace conesweep::selftest {

/// How many numbers were looked at, and a sentence for each that is wrong.
struct Found {
  std::int64_t checked = 0;
  std::vector<std::string> wrong;
};

/// Statistics of columns and tracks whose answers are known in closed form.
Found check_known_statistics(statistics::Engine& engine);

/// Bits of two engines, over columns with everything that occurs: members that stopped, NaN, both zeros, equal values,
/// large numbers.
Found compare_engines(statistics::Engine& a, statistics::Engine& b);

}  // namespace conesweep::selftest
