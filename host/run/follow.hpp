#pragma once

#include "run/listener.hpp"
#include "run/request.hpp"
#include "sampling/sampler.hpp"
#include "tell/summary.hpp"

namespace conesweep::runs {

/// A follower's part in a run of a team: steps members as the leader tells, until there are no more. Their chunks go to
/// the run's folder where this rank sees it, else to the leader.
///
/// Throws SystemError where this rank has another scenario than the leader.
void follow(const scenario::Scenario& scenario, const Request& request, Listener& listener, const tell::Design& design,
            const sampling::UnitPoints& points);

}  // namespace conesweep::runs
