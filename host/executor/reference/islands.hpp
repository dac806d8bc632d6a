#pragma once

#include <vector>

#include "executor/reference/persistent_step.hpp"

namespace conesweep::executor::reference::coupled {

/// Laws of a step that meet, and what they move (B11): numbers in the step, ascending.
struct Island {
  std::vector<Index> coordinates, firm_rows;
  std::vector<std::size_t> blocks;
};

/// A step whose islands were solved one by one.
struct IslandsAnswer {
  std::vector<bool> persists;  // by block: which still do after it (T)
  StepAnswer answer;           // of all of them; its speed is that of the fastest
  // by block, of the island it is in: do contacts act (B2), and what are velocities sums of
  std::vector<bool> contacts_act;
  std::vector<double> speed;
};

/// Every island is a step of its own: with (B2), the passes of (B4), tolerances and dependent rows of its own. What
/// belongs to none moves on with w. No law of one may have a row on a coordinate of another, nor M an entry between
/// them. Where an island is one law, a row that rests and is on one coordinate gives this exactly the drive's velocity.
IslandsAnswer solve_islands(const Step& step, const std::vector<Island>& islands, const std::vector<bool>& persists,
                            bool lenient);

}  // namespace conesweep::executor::reference::coupled
