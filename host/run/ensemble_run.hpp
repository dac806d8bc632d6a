#pragma once

#include "run/ended.hpp"

namespace conesweep::runs {

/// Runs all members of a scenario, as many as its goals ask for, and checks the step. What is finished already is only
/// looked at.
///
/// On a rank that follows it returns when the leader has no more work, with nothing: the leader has it all.
///
/// Throws InputError, SystemError, and Interrupted when the listener says so; what a folder holds then can be gone on
/// with.
Ended run_ensemble(const scenario::Scenario& scenario, const Request& request, Listener& listener);

}  // namespace conesweep::runs
