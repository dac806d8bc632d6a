#pragma once

#include "model/draft.hpp"

// What the step of second order (A) asks of a model.

namespace conesweep::model {

/// (A14) By how much single comparisons hold, as functions; nothing in a model of the published scheme.
std::string write_margins(Draft& draft);

/// struct Second: what forces, frictions and observables are made of.
std::string write_second(const scenario::Problem& problem);

}  // namespace conesweep::model
