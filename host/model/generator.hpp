#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::model {

/// The problem as C++: a struct `Model` with what include/conesweep/step asks of it, for members that differ by
/// `columns`, parameters by their index. One text for the host compiler and NVRTC. Nothing of the user's text is pasted
/// into it.
std::string generate_model(const scenario::Problem& problem, const std::vector<int>& columns);

}  // namespace conesweep::model
