#pragma once

#include "run/ended.hpp"

/// Runs whose members stand at the points of a design, for sensitivities. The summary's statistics are those of its
/// independent members.
namespace conesweep::runs {

/// What a design needs: parameters that vary, each by itself. InputError with what to do instead.
void check_design(const scenario::Scenario& scenario);

/// Sobol indices by Saltelli's design; a goal is about the widest interval of an observable's indices, and members come
/// in whole bases.
Ended run_sobol(scenario::Scenario scenario, const Request& request, Listener& listener, bool second_order);

/// InputError where a request is one that only Sobol indices can follow.
void check_morris(const Request& request, bool second_order);

/// Screening by Morris' design on so many levels.
Ended run_morris(scenario::Scenario scenario, const Request& request, Listener& listener, int levels);

}  // namespace conesweep::runs
