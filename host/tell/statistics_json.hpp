#pragma once

#include <nlohmann/json.hpp>

#include "tell/summary.hpp"

/// Statistics as summary.json has them: of an observable, of coordinates over time, of the step check.
namespace conesweep::tell {

nlohmann::ordered_json to_json(const statistics::Summary& summary);
statistics::Summary to_statistics(const nlohmann::ordered_json& json);

nlohmann::ordered_json tracks_json(const Summary& summary);
void get_tracks(const nlohmann::ordered_json& json, Summary& summary);

nlohmann::ordered_json to_json(const StepCheck& check);
StepCheck to_step_check(const nlohmann::ordered_json& json);

}  // namespace conesweep::tell
