#pragma once

#include <memory>
#include <string>

#include "app/flag_groups.hpp"
#include "keep/study_file.hpp"

/// What converge and mlmc do with their numbers: printed with --json, left in a folder with --out.
namespace conesweep::app {

/// Nothing without --out.
std::unique_ptr<keep::StudyFile> open_study(const TargetFlags& target, const char* name);

void keep_study(const TalkFlags& talk, keep::StudyFile* file, const std::string& json);

/// Where they are, and what to do next.
void tell_study(const TargetFlags& target, const keep::StudyFile* file);

}  // namespace conesweep::app
