#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::model {

/// The scenario as C++: a struct `Model` with what include/conesweep/step asks of it. One text for the host compiler and NVRTC;
/// it depends on the scenario's formulas, not on its numbers, members or steps. Nothing of the user's text is pasted into it.
std::string generate_model(const scenario::Scenario& scenario);

}  // namespace conesweep::model
