#include "app/study.hpp"

#include <iostream>

#include "io/files.hpp"
#include "support/shell.hpp"

namespace conesweep::app {

std::unique_ptr<keep::StudyFile> open_study(const TargetFlags& target, const char* name) {
  return target.out.empty() ? nullptr : std::make_unique<keep::StudyFile>(target.out, name, target.force);
}

void keep_study(const TalkFlags& talk, keep::StudyFile* file, const std::string& text) {
  if (file != nullptr) file->write(text);
  if (talk.json) std::cout << text;
}

void tell_study(const TargetFlags& target, const keep::StudyFile* file) {
  if (file == nullptr) return;
  const bool has_run = io::is_there(std::filesystem::path(target.out) / keep::summary_name);
  std::cout << "numbers in " << file->path().string() << "; " << (has_run ? "" : "once a run is there, too, ")
            << "conesweep report " << quote_for_shell(target.out) << " draws them\n";
}

}  // namespace conesweep::app
