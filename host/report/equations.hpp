#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::report {

/// The problem as HTML with typeset equations: motion, admissible set, friction, constraints, resistances, the past,
/// what is observed.
std::string html_problem(const scenario::Scenario& scenario);

}  // namespace conesweep::report
