#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/run_data.hpp"
#include "keep/new_folders.hpp"
#include "keep/ownership.hpp"
#include "support/sink.hpp"

namespace conesweep::keep {

/// A folder that shows a run only when it is whole: files are written under temporary names, renamed when complete, and
/// summary.json is the last. Where it stands, the run is finished.
class RunFolder {
 public:
  /// Makes the folder, and finds out what would stop the writing, before anything is computed.
  /// Throws InputError if the folder holds a finished run, or files of one that a run would overwrite, and `force` is
  /// not set, or if it holds files of those names that no run wrote (ownership.hpp); SystemError if the folder cannot
  /// be made or written, or if results.h5 will not fit.
  RunFolder(std::filesystem::path path, bool force, const scenario::Scenario& scenario);

  /// Leaves nothing half-written behind: temporary files go, and folders too that were new and are empty.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Temporary files that a killed program left go. Only while the folder is locked.
  void remove_leftovers();

  /// results.h5, scenario.toml (and the tables it reads), summary.json, in this order. A finished run that stood there
  /// stays until all files are complete on disk, then it stops looking finished before the first of them is replaced.
  void finish(const io::RunData& run, const LongText& summary_json);

  /// There is a report.html that is not ours: it stays, and may tell of another run.
  bool has_foreign_report() const;

 private:
  std::vector<std::string> list_foreign() const;
  Sentence refuse_foreign(const std::vector<std::string>& foreign) const;
  void try_writing(std::int64_t bytes);
  std::filesystem::path temporary(const std::string& name);
  void clean_up() noexcept;

  std::filesystem::path path_;
  bool force_ = false;
  NewFolders folders_;
  std::vector<std::filesystem::path> temporary_;  // files that have no final name yet
  std::vector<TableFile> tables_;                 // as they were when the run began
};

}  // namespace conesweep::keep
