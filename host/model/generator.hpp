#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::model {

/// The scenario as C++: a struct `Model` with what include/conesweep/step asks of it. One text for the host compiler and NVRTC;
/// it depends on the scenario's formulas, not on its numbers, members or steps. Nothing of the user's text is pasted into it.
std::string generate_model(const scenario::Scenario& scenario);

/// Does the cost of this window functional grow with its length? Those that see the present do, but for window_max(abs(x - now(x)), delta).
bool looks_through_all_nodes(const expression::Expr& window);

/// How many numbers of a node its history needs.
long count_ring_columns(const scenario::Scenario& scenario);

}  // namespace conesweep::model
