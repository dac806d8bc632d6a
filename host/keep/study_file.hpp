#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "io/new_file.hpp"
#include "keep/run_folder.hpp"

namespace conesweep::keep {

/// Where a study of the step leaves its numbers: converge.json or mlmc.json in a run's folder, or in one that waits for
/// its run. Nothing else there is touched.
class StudyFile {
 public:
  /// Makes the folder, and finds out what would stop the writing, before anything is computed. InputError if the file
  /// is there and `force` is not set, or if no study wrote it; SystemError if the folder cannot be made or written.
  StudyFile(const std::filesystem::path& folder, const std::string& name, bool force);

  const std::filesystem::path& path() const { return path_; }

  /// The numbers, as JSON with the marks of a study (run_folder.hpp).
  void write(const std::string& json);

 private:
  NewFolders folders_;
  std::filesystem::path path_;
  std::unique_ptr<io::NewFile> file_;  // goes before the folders do
};

/// A study that lies in a folder, if it is one of the run there.
struct FoundStudy {
  std::string json;     // empty: there is none …
  std::string refused;  // … or it does not belong to the run, for this reason
};
FoundStudy find_study(const std::filesystem::path& folder, const std::string& name, const scenario::Scenario& scenario);

}  // namespace conesweep::keep
