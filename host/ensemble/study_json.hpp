#pragma once

#include <string>

#include "ensemble/converge.hpp"
#include "ensemble/mlmc.hpp"

/// Studies of the step as JSON, with the marks by which a folder knows them (keep/study_file).
namespace conesweep::ensemble {

std::string to_json(const scenario::Scenario& scenario, const Convergence& convergence, const Sentence& advice);
std::string to_json(const scenario::Scenario& scenario, const MlmcRequest& request, const MlmcResult& result);

}  // namespace conesweep::ensemble
