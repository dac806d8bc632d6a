#pragma once

#include "tell/summary.hpp"

namespace conesweep::tell {

/// Do the parts of a summary fit each other, as those of every summary do that a run made? As many quantiles as there
/// are levels, a point of a sweep for every combination of its values, … Whoever reads a summary from a file asks this
/// first, and may then go by one part through another.
bool is_coherent(const Summary& summary);

}  // namespace conesweep::tell
