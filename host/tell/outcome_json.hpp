#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "keep/classes.hpp"
#include "tell/stopped.hpp"
#include "tell/sweep_summary.hpp"

/// What became of members, as summary.json has it: classes, where they stopped, the points of a sweep.
namespace conesweep::tell {

nlohmann::ordered_json to_json(const std::vector<keep::ClassCount>& classes);
std::vector<keep::ClassCount> to_classes(const nlohmann::ordered_json& json);

nlohmann::ordered_json to_json(const std::vector<StoppedReach>& stopped);
std::vector<StoppedReach> to_stopped(const nlohmann::ordered_json& json);

/// A sweep without its points: null stands where they belong (points_text.hpp).
nlohmann::ordered_json to_json(const SweepSummary& sweep);
SweepSummary to_sweep(const nlohmann::ordered_json& json);

/// One point of it; and its numbers alone, in the order in which they stand there.
nlohmann::ordered_json to_json(const PointSummary& point, const SweepSummary& sweep);
std::vector<nlohmann::ordered_json> list_numbers(const PointSummary& point);
PointSummary to_point(const nlohmann::ordered_json& json);

}  // namespace conesweep::tell
