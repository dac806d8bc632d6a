#pragma once

#include "executor/reference/step_on_the_way.hpp"

namespace conesweep::executor::reference {

/// Where a path q + s v + s² a is after s, and when; the end of the step is that of all.
Vector on_path(const StepOnTheWay& way, const Vector& a, double s);
double time_after(const StepOnTheWay& way, double s);

/// (A4) The first wall but those that are closed that a path meets: q + s v + s² a, 0 <= s <= length.
struct FirstMeeting {
  std::size_t contact;
  double s;
};
std::optional<FirstMeeting> find_first(const StepOnTheWay& way, const Vector& a, double length,
                                       const std::vector<std::size_t>& closed);

}  // namespace conesweep::executor::reference
