#pragma once

#include <functional>
#include <memory>
#include <string>

#include "executor/executor.hpp"
#include "scenario/refine.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::ensemble {

using scenario::most_halvings;
using scenario::most_steps;
using scenario::readable_step;
using scenario::refine;

/// Makes the model of a scenario, which all levels share. Asked for once, when it is wanted: after the request was
/// checked, and on a rank that follows after the leader has compiled it.
using MakeModel = std::function<std::unique_ptr<executor::Model>(const scenario::Scenario&)>;

/// The number of an observable by its name; an InputError suggests the closest one.
std::size_t find_observable(const scenario::Scenario& scenario, const std::string& name);

/// InputError where the scenario has a sweep: what `command` says is about one ensemble.
void refuse_sweep(const scenario::Scenario& scenario, const std::string& command);

// base 2, from IEEE operations alone: what is decided with them is the same on every machine
double log2_of(double x);
double exp2_of(double x);

}  // namespace conesweep::ensemble
