#include "app/study.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

#include "io/files.hpp"
#include "support/shell.hpp"

namespace conesweep::app {

std::unique_ptr<runs::StudyFile> open_study(const Options& options, const char* name) {
  return options.out.empty() ? nullptr : std::make_unique<runs::StudyFile>(options.out, name, options.force);
}

void keep_study(const Options& options, runs::StudyFile* file, const nlohmann::ordered_json& json) {
  const std::string text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (file != nullptr) file->write(text);
  if (options.json) std::cout << text;
}

void tell_study(const Options& options, const runs::StudyFile* file) {
  if (file == nullptr) return;
  const bool has_run = io::is_there(std::filesystem::path(options.out) / runs::summary_name);
  std::cout << "numbers in " << file->path().string() << "; " << (has_run ? "" : "once a run is there, too, ") << "conesweep report "
            << quote_for_shell(options.out) << " draws them\n";
}

}  // namespace conesweep::app
