#pragma once

#include "executor/reference/step_on_the_way.hpp"

namespace conesweep::executor::reference {

/// (A4) The first wall but those that are closed that a path meets: q + s v + s² a, 0 <= s <= length.
struct FirstMeeting {
  std::size_t contact;
  double s;
};
std::optional<FirstMeeting> find_first(const StepOnTheWay& way, const Vector& a, double length,
                                       const std::vector<std::size_t>& closed);

/// (A6) … (A9) A piece up to the end of the step, or to what is met before, in which contact p alone is closed.
void pass_closed(StepOnTheWay& way, std::size_t p);

/// (A1), (A2), (A11) The whole step.
void walk_step(StepOnTheWay& way);

}  // namespace conesweep::executor::reference
