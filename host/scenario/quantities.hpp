#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

/// What the numbers of a run are called, measured in, and mean to people.
namespace conesweep::scenario {

/// All that can have a unit: t, coordinates, velocities, parameters, observables.
std::vector<std::string> quantity_names(const Scenario& scenario);

/// The unit of a quantity; empty where none is known. Beside those of [units]: final.x has the unit of x; times have
/// that of t; the final, min, max and mean value of a quantity have that of the quantity.
std::string unit_of(const Scenario& scenario, const std::string& name);

/// What an observable is, by its place among observable_names, in a few words: "max of x", "number of impacts".
std::string meaning_of(const Scenario& scenario, std::size_t observable);

}  // namespace conesweep::scenario
