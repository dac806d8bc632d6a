#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "app/options.hpp"
#include "run/study_file.hpp"

/// What converge and mlmc do with their numbers: printed with --json, left in a folder with --out.
namespace conesweep::app {

/// Nothing without --out.
std::unique_ptr<runs::StudyFile> open_study(const Options& options, const char* name);

void keep_study(const Options& options, runs::StudyFile* file, const nlohmann::ordered_json& json);

/// Where they are, and what to do next.
void tell_study(const Options& options, const runs::StudyFile* file);

}  // namespace conesweep::app
