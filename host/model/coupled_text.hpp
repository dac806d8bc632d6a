#pragma once

#include <string>

#include "model/draft.hpp"

namespace conesweep::model {

/// The functions of the coupled step (B): mass and inertia, rows and drives of contacts, firm rows and resistances,
/// limits. Of particles with several contacts only the rows of these; of a particle with one nothing.
std::string write_coupled(Draft& draft);

}  // namespace conesweep::model
