#pragma once

#include <string>

#include "report/run_view.hpp"

namespace conesweep::report {

// One sentence each about what makes numbers doubtful; empty where there is nothing to say.

std::string warn_of_stopped(const RunView& run);
/// The step error is not known, or larger than the sampling error.
Sentence warn_of_step(const RunView& run);
std::string warn_of_flags(const RunView& run);
/// Energy that the impact law created, as a share of the largest kinetic energy seen, above 1e-9.
std::string warn_of_gain(const RunView& run);

/// A study of the step that lies in the folder and is not of this run.
std::string warn_of_studies(const RunView& run);

/// Largest kinetic energy of the members drawn at their end, and of recorded members at all times.
double largest_kinetic_energy(const RunView& run);

}  // namespace conesweep::report
