#pragma once

#include "executor/reference/paths.hpp"

namespace conesweep::executor::reference {

/// (A6) … (A9) A piece up to the end of the step, or to what is met before, in which contact p alone is closed.
void pass_closed(StepOnTheWay& way, std::size_t p);

/// (A1), (A2), (A11) The whole step.
void walk_step(StepOnTheWay& way);

}  // namespace conesweep::executor::reference
