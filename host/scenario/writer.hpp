#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// The scenario as TOML with every default and override written out. Reads back to the same scenario.
std::string write_scenario(const Scenario& scenario);

}  // namespace conesweep::scenario
