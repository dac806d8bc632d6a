#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::keep {

/// The resolved scenario as the run folder keeps it: it refers to the copies of its tables there.
std::string resolved_text(const scenario::Scenario& scenario);

/// What must be the same for the chunks of two runs to fit together: version, precision, arithmetic, design, scenario,
/// tables; one fact a line. The reference executor has bits of its own; cpu and cuda share theirs. The number of
/// members matters only where the points depend on it.
std::string describe_run(const scenario::Scenario& scenario, const std::string& backend, const std::string& precision,
                         const std::string& design);

/// A short hash of such a description.
std::string identify_run(const std::string& description);

/// A short hash of what is solved: motions, distributions and observables, with the tables they come from. The same
/// however many members are drawn, by which sampler and seed, and at which step: what studies of the step share with a
/// run.
std::string identify_problem(const scenario::Scenario& scenario);

}  // namespace conesweep::keep
