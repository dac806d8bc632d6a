#pragma once

#include <nlohmann/json.hpp>

#include "tell/summary.hpp"

/// The sensitivities of a design as summary.json has them; nothing of a run without one.
namespace conesweep::tell {

void put_sensitivity(const Summary& summary, nlohmann::ordered_json& json);
void get_sensitivity(const nlohmann::ordered_json& json, Summary& summary);

}  // namespace conesweep::tell
