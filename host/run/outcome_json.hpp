#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "run/classes.hpp"
#include "run/stopped.hpp"
#include "run/sweep_summary.hpp"

/// What became of members, as summary.json has it: classes, where they stopped, the points of a sweep.
namespace conesweep::runs {

nlohmann::ordered_json to_json(const std::vector<ClassCount>& classes);
std::vector<ClassCount> to_classes(const nlohmann::ordered_json& json);

nlohmann::ordered_json to_json(const std::vector<StoppedReach>& stopped);
std::vector<StoppedReach> to_stopped(const nlohmann::ordered_json& json);

nlohmann::ordered_json to_json(const SweepSummary& sweep);

/// The axes alone: who wants the points reads the file, whose text goes with what was read.
SweepSummary to_sweep(const nlohmann::ordered_json& json);

}  // namespace conesweep::runs
