#pragma once

#include <string>

#include "run/refine.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::ensemble {

using runs::MakeExecutor;
using runs::most_halvings;
using runs::readable_step;
using runs::refine;
using scenario::most_steps;

/// The number of an observable by its name; an InputError suggests the closest one.
std::size_t find_observable(const scenario::Scenario& scenario, const std::string& name);

/// InputError where the scenario has a sweep: what `command` says is about one ensemble.
void refuse_sweep(const scenario::Scenario& scenario, const std::string& command);

// base 2, from IEEE operations alone: what is decided with them is the same on every machine
double log2_of(double x);
double exp2_of(double x);

}  // namespace conesweep::ensemble
